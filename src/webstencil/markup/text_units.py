"""Where a line of text begins and ends in a page, and which elements are not read."""

from turbohtml import Element, Node, Text

from webstencil.markup.nodes import above

STRUCTURE = frozenset([  # elements that begin a line; ContentExtractor's, and those of later HTML
    "html", "body", "table", "tr", "hr", "ul", "p", "div", "section", "article", "main", "header",
    "footer", "nav", "aside", "li", "ol", "dl", "dt", "dd", "td", "th", "h1", "h2", "h3", "h4",
    "h5", "h6", "blockquote", "pre", "figure", "figcaption", "details", "summary", "form", "tbody",
    "thead", "tfoot", "center", "address", "fieldset", "caption",
])  # fmt: skip
# Elements whose text is not read, except for buttons that are headings.
UNREAD_ELEMENTS = frozenset([
    "head", "title", "svg", "math", "iframe", "object", "select", "option", "datalist", "textarea",
    "button", "input", "audio", "video", "canvas", "map", "script", "style", "template",
])  # fmt: skip
HEADING_LEVELS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
TABLE_CELLS = frozenset(["td", "th"])
BORDERS = STRUCTURE | {"br"}  # where a line ends
INTO_PAGE = 'a[href^="#"]'
BUTTON = "button"
DISCLOSING = "[aria-expanded], h1 *, h2 *, h3 *, h4 *, h5 *, h6 *, dt *, summary *"
QUESTION_MARKS = ("?", "\N{FULLWIDTH QUESTION MARK}", "\N{ARABIC QUESTION MARK}")
# Links of headings to themselves, as in manuals.
PERMALINKS = frozenset([*"¶#§🔗⚓\u200b", "🔗\ufe0f", "⚓\ufe0e"])

# Elements that part the text of the block around them, or that are not read in it.
_PARTING = tuple(
    (UNREAD_ELEMENTS - {"head", "title", "script", "style", "template", "input"}) | {"br"}
)


def unread_elements(body: Node) -> list[Element]:
    return [element for element in body.iter_elements(UNREAD_ELEMENTS) if is_unread(element)]


def is_unread(element: Element) -> bool:
    """Return whether the text of an element is not read.

    Buttons are read if they are headings of what they show, as the questions of an FAQ often are.
    """
    if element.tag != BUTTON:
        return element.tag in UNREAD_ELEMENTS
    return not (element.matches(DISCLOSING) or element.text.rstrip().endswith(QUESTION_MARKS))


def unusual_blocks(body: Node) -> set[Node]:
    """Return the blocks whose text is not one line: some of it is not read, or it has breaks."""
    parting: list[Element] = list(body.iter_elements(_PARTING))
    parting += [link for link in body.select(INTO_PAGE) if is_permalink(link)]
    seen: set[Node] = set()  # inline elements around these: they may nest 100,000 deep
    blocks: set[Node] = set()
    for element in parting:
        around = above(element)
        while isinstance(around, Element) and around.tag not in STRUCTURE and around not in seen:
            seen.add(around)
            around = above(around)
        blocks.add(around)
    return blocks


def is_permalink(link: Element) -> bool:
    """Return whether a link into its page is a mark of a heading."""
    text = link.text
    return len(text) < 4 and text.strip() in PERMALINKS


def own_lines(block: Node) -> list[str]:
    """List the lines of text in a block and in none of the blocks in it, stripped."""
    kids = list(block)
    for kid in kids:
        if type(kid) is Text:
            if not kid.data.isspace():
                break
        elif type(kid) is Element and kid.tag not in STRUCTURE:
            break
    else:
        return []  # as in most blocks with blocks in them
    lines: list[list[str]] = [[]]
    waiting = [iter(kids)]
    while waiting:
        for kid in waiting[-1]:
            if type(kid) is Text:
                lines[-1].append(kid.data)
            elif type(kid) is Element:
                if kid.tag in BORDERS:
                    lines.append([])
                elif not is_unread(kid) and not (
                    kid.tag == "a"
                    and (kid.attr("href") or "").startswith("#")
                    and is_permalink(kid)
                ):
                    waiting.append(iter(list(kid)))
                    break
        else:
            waiting.pop()
    return [line for line in ("".join(pieces).strip() for pieces in lines) if line]
