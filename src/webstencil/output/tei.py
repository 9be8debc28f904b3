"""Content and metadata of a page as TEI XML (P5), from the fragment that Markdown is written from.

Headings open divisions by their level, so that what follows a heading is in its division. What may
not stand where it does (a heading in a list, text beside rows) is wrapped or becomes a paragraph.
Elements without a meaning of their own are transparent.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

from webstencil.markup import Element, Markup, Node, Text, attribute, tag

NAMESPACE = "http://www.tei-c.org/ns/1.0"
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
WHITE_SPACE = re.compile(r"\s+")
CODE_LANGUAGE = re.compile(r"language-(\S+)")
LANGUAGE_TAG = re.compile("[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*")
NOT_IN_URL = re.compile(r"""[\x00-\x20<>"{}|\\^`\[\]#]|%(?![0-9a-fA-F]{2})""")
TEI_BLOCKS = frozenset(["p", "div", "list", "table", "quote", "ab"])  # a body must have one
LEVEL_OF = {f"h{level}": level for level in range(1, 7)}
TEI_INLINE = {  # to an element and its attributes
    "b": ("hi", ' rend="bold"'),
    "strong": ("hi", ' rend="bold"'),
    "i": ("hi", ' rend="italic"'),
    "em": ("hi", ' rend="italic"'),
    "cite": ("hi", ' rend="italic"'),
    "mark": ("hi", ' rend="mark"'),
    "sub": ("hi", ' rend="sub"'),
    "sup": ("hi", ' rend="sup"'),
    "u": ("hi", ' rend="underline"'),
    "code": ("code", ""),
    "kbd": ("code", ""),
    "samp": ("code", ""),
    "del": ("del", ""),
    "s": ("del", ""),
    "ins": ("add", ""),
    "q": ("q", ""),
    "math": ("formula", ' notation="MathML"'),
}
# Contexts: what may stand in an element.
IN_SECTION, IN_FLOW, IN_LINE, IN_LIST, IN_GLOSS, IN_TABLE, IN_ROW, IN_CODE, IN_FIGURE = range(9)
# What must be in an element in which there is nothing else.
NEEDED_INSIDE = {IN_LIST: "<item/>", IN_TABLE: "<row><cell/></row>", IN_ROW: "<cell/>"}
AROUND_TEXT = {  # what a text needs around it there, from outside
    IN_SECTION: [(IN_LINE, "p")],
    IN_FIGURE: [(IN_LINE, "p")],
    IN_LIST: [(IN_FLOW, "item")],
    IN_GLOSS: [(IN_FLOW, "item")],
    IN_TABLE: [(IN_ROW, "row"), (IN_FLOW, "cell")],
    IN_ROW: [(IN_FLOW, "cell")],
}
AT_BLOCKS = (IN_SECTION, IN_FLOW, IN_FIGURE)


@dataclass(frozen=True, slots=True)
class Open:
    """An element that was begun."""

    node: Node | None  # of the fragment; None if the writer put it there
    context: int
    name: str  # of the TEI element; empty if the node is transparent
    level: int = 0  # of a division


def tei(fragment: str, facts: Mapping[str, str], url: str) -> str:
    """Return a page as a TEI document: a header with its facts, a body with its content."""
    # As XML has it, empty if the page names none that could be.
    language = facts.get("language", "").replace("_", "-")
    language = language if LANGUAGE_TAG.fullmatch(language) else ""
    named = f' xml:lang="{language}"' if language else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<TEI xmlns="{NAMESPACE}"{named}>\n{_header(facts, url, language)}\n'
        f"<text>\n<body>\n{body(fragment)}\n</body>\n</text>\n</TEI>"
    )


def _header(facts: Mapping[str, str], url: str, language: str) -> str:
    """Return the header: what the page is, where it is from, its language."""
    title = _element("title", facts.get("title", url))
    names = facts.get("author", "").split(", ")
    authors = "".join(_element("author", name) for name in names if name)
    publisher = _element("publisher", facts.get("site_name") or url)
    day = _date(facts, "date", "published")
    terms = facts.get("licence", "")
    target = f" target={quoteattr(_pointer(terms))}" if terms.startswith("http") else ""
    licence = f"<licence{target}>{_text_of(terms)}</licence>"
    available = f"<availability>{licence}</availability>" if terms else ""
    address = _pointer(facts.get("canonical") or url)
    pointed = f"<ptr target={quoteattr(address)}/>" if address else ""
    source = f"{title}{authors}{day}{_date(facts, 'modified', 'modified')}{pointed}"
    about = facts.get("description", "")
    profile = f"<abstract>{_element('p', about)}</abstract>" if about else ""
    if language:
        profile += f'<langUsage><language ident="{language}"/></langUsage>'
    profile = f"\n<profileDesc>{profile}</profileDesc>" if profile else ""
    return (
        f"<teiHeader>\n<fileDesc>\n<titleStmt>{title}{authors}</titleStmt>\n"
        f"<publicationStmt>{publisher}{day}{available}</publicationStmt>\n"
        f"<sourceDesc><bibl>{source}</bibl></sourceDesc>\n</fileDesc>{profile}\n</teiHeader>"
    )


def _date(facts: Mapping[str, str], name: str, kind: str) -> str:
    day = facts.get(name, "")
    return f'<date type="{kind}" when={quoteattr(day)}>{_text_of(day)}</date>' if day else ""


def _element(name: str, text: str) -> str:
    return f"<{name}>{_text_of(text)}</{name}>"


def _text_of(text: str) -> str:
    return escape(_clean(text))


def _clean(text: str) -> str:
    """Return a text without characters that XML cannot have."""
    return UNWRITABLE.sub("", text)


def _pointer(url: str) -> str:
    """Return an address without characters that none may have (RFC 3986, section 2)."""

    def percent(found: re.Match[str]) -> str:
        return f"%{ord(found[0]):02X}"

    before, mark, after = _clean(url).strip().partition("#")
    return NOT_IN_URL.sub(percent, before) + mark + NOT_IN_URL.sub(percent, after)


def body(fragment: str) -> str:
    """Return the content of the body."""
    writer = TeiWriter()
    root = Markup(fragment.encode("utf-8", "replace"), "utf-8").body
    waiting: list[tuple[Node, bool]] = [(child, True) for child in reversed(list(root))]
    while waiting:  # a loop: fragments may nest deep
        node, begins = waiting.pop()
        if not begins:
            writer.end(node)
        elif isinstance(node, Text):
            writer.text(node.data)
        elif isinstance(node, Element) and writer.begin(node):
            waiting.append((node, False))
            waiting.extend((child, True) for child in reversed(list(node)))
    return writer.finish()


@dataclass(slots=True)
class TeiWriter:
    """Writes elements in document order, and closes what must not be open."""

    _parts: list[str] = field(default_factory=list)
    _stack: list[Open] = field(default_factory=lambda: [Open(None, IN_SECTION, "")])
    _has_block: bool = False  # outside of figures

    def begin(self, node: Element) -> bool:
        """Begin an element; return whether its children are to be written."""
        name = tag(node)
        if name == "br":
            if self._top.context != IN_CODE:
                self._ready_for_text()
            self._parts.append("\n" if self._top.context == IN_CODE else "<lb/>")
        elif name == "img":
            self._image(node)
        elif name in ("input", "hr", "wbr"):
            pass
        elif name in LEVEL_OF and self._top.context != IN_CODE:
            return self._heading(node, LEVEL_OF[name])
        elif name == "a" and attribute(node, "href"):
            address = _pointer(attribute(node, "href"))
            return self._inline(node, "ref", f" target={quoteattr(address)}")
        elif name in TEI_INLINE:
            return self._inline(node, *TEI_INLINE[name])
        else:
            return self._block(node, name)
        return False

    def text(self, data: str) -> None:
        """Write a text."""
        if self._top.context == IN_CODE:
            self._parts.append(_text_of(data))
        elif not data.isspace():
            self._ready_for_text()
            self._parts.append(_text_of(WHITE_SPACE.sub(" ", data)))
        elif self._top.context in (IN_LINE, IN_FLOW):
            self._parts.append(" ")

    def end(self, node: Node) -> None:
        """End an element, and what the writer put into it."""
        if any(one.node is node for one in self._stack):
            while self._close().node is not node:
                pass
        else:
            self._end_implicit()

    def finish(self) -> str:
        while len(self._stack) > 1:
            self._close()
        written = "".join(self._parts).strip()
        return written if self._has_block else f"{written}<p/>"

    @property
    def _top(self) -> Open:
        return self._stack[-1]

    def _open(
        self, node: Node | None, context: int, name: str, attributes: str = "", level: int = 0
    ) -> None:
        if not self._has_block and name in TEI_BLOCKS:
            self._has_block = all(one.context != IN_FIGURE for one in self._stack)
        self._stack.append(Open(node, context, name, level))
        if name:
            self._parts.append(f"<{name}{attributes}>")

    def _close(self) -> Open:
        last = self._stack.pop()
        if last.context == IN_GLOSS and last.name:
            self._pair("label")
        empty = (f"<{last.name}", "</head>")
        if last.name and last.context in NEEDED_INSIDE and self._parts[-1].startswith(empty):
            self._parts.append(NEEDED_INSIDE[last.context])
        if last.name:
            breaks = last.name == "p" or last.context not in (IN_LINE, IN_CODE) or last.name == "ab"
            self._parts.append(f"</{last.name}>" + ("\n" if breaks else ""))
        return last

    def _end_implicit(self) -> None:
        """Close paragraphs that the writer opened."""
        while len(self._stack) > 1 and self._top.node is None and self._top.name == "p":
            self._close()

    def _ready_for_text(self) -> None:
        """Open what a text needs where it stands."""
        if self._top.context == IN_GLOSS:
            self._pair("item")
        for context, name in AROUND_TEXT.get(self._top.context, ()):
            self._open(None, context, name)

    def _inline(self, node: Node, name: str, attributes: str) -> bool:
        if self._top.context == IN_CODE:
            self._open(node, IN_CODE, "")
        elif self._top.context == IN_FIGURE and _shows_only(node):
            self._open(node, IN_FIGURE, "")
        else:
            self._ready_for_text()
            self._open(node, IN_CODE if name == "code" else IN_LINE, name, attributes)
        return True

    def _image(self, node: Node) -> None:
        source = _pointer(attribute(node, "src"))
        if not source or self._top.context == IN_CODE:
            return
        about = attribute(node, "alt")
        described = f"<figDesc>{_text_of(about)}</figDesc>" if about else ""
        graphic = f"<graphic url={quoteattr(source)}/>{described}"
        if self._top.context == IN_FIGURE:
            self._parts.append(graphic)
            return
        if self._top.context not in AT_BLOCKS:
            self._ready_for_text()
        self._parts.append(f"<figure>{graphic}</figure>")

    def _heading(self, node: Node, level: int) -> bool:
        self._end_implicit()
        if self._top.context != IN_SECTION:
            self._ready_for_text()
            self._open(node, IN_LINE, "hi", ' rend="heading"')
            return True
        while self._top.level >= level:
            self._close()
        self._open(None, IN_SECTION, "div", f' type="section" n="{level}"', level)
        self._open(node, IN_LINE, "head")
        return True

    def _block(self, node: Node, name: str) -> bool:
        """Begin a block, or an element that is transparent."""
        if self._top.context == IN_CODE:
            self._open(node, IN_CODE, "")
            return True
        if name in ("pre", "ul", "ol", "dl", "table", "blockquote", "figure", "p"):
            self._end_implicit()
        match name:
            case "p" if self._top.context in AT_BLOCKS and self._top.name not in ("label",):
                self._open(node, IN_LINE, "p")
            case "p":
                self._parts.append("<lb/>" if self._top.context == IN_LINE else "")
                self._open(node, self._top.context, "")
            case "pre":
                self._code(node)
            case "ul" | "ol" | "dl" | "table":
                self._group(node, name)
            case "li" | "dt" | "dd" | "tr" | "td" | "th" | "caption":
                self._member(node, name)
            case "blockquote":
                self._ready_unless_blocks()
                self._open(node, IN_FLOW, "quote")
            case "figure":
                self._ready_unless_blocks()
                self._open(node, IN_FIGURE, "figure")
            case "figcaption" if self._top.context == IN_FIGURE:
                self._open(node, IN_LINE, "head")
            case _ if self._top.context != IN_SECTION:  # there, divisions go on after its end
                self._open(node, self._top.context, "")
        return True

    def _ready_unless_blocks(self) -> None:
        if self._top.context not in AT_BLOCKS:
            self._ready_for_text()

    def _code(self, node: Node) -> None:
        self._ready_unless_blocks()
        inner = node.select_one("code")
        known = CODE_LANGUAGE.search(attribute(inner, "class")) if inner is not None else None
        language = f" lang={quoteattr(_clean(known[1]))}" if known else ""
        if self._top.context in AT_BLOCKS:
            self._open(node, IN_CODE, "ab", ' type="code" xml:space="preserve"')
        else:
            self._open(node, IN_CODE, "")
        self._open(None, IN_CODE, "code", language)

    def _group(self, node: Node, name: str) -> None:
        self._ready_unless_blocks()
        if name == "table":
            self._open(node, IN_TABLE, "table")
        elif name == "dl":
            self._open(node, IN_GLOSS, "list", ' type="gloss"')
        else:
            kind = "numbered" if name == "ol" else "bulleted"
            self._open(node, IN_LIST, "list", f' rend="{kind}"')

    def _member(self, node: Node, name: str) -> None:
        """Begin an item, a row or a cell; outside of a list or table it is transparent."""
        context = self._top.context
        if name == "li" and context == IN_LIST:
            self._open(node, IN_FLOW, "item")
        elif name in ("dt", "dd") and context == IN_GLOSS:
            wanted = "label" if name == "dt" else "item"
            self._pair(wanted)
            self._open(node, IN_LINE if name == "dt" else IN_FLOW, wanted)
        elif name == "tr" and context == IN_TABLE:
            self._open(node, IN_ROW, "row")
        elif name in ("td", "th") and context == IN_ROW:
            self._open(node, IN_FLOW, "cell", _cell_attributes(node, name))
        elif name == "caption" and context == IN_TABLE and self._parts[-1].startswith("<table"):
            self._open(node, IN_LINE, "head")
        elif context == IN_SECTION:
            self._open(node, IN_LINE, "p")
        else:
            self._open(node, context, "")

    def _pair(self, wanted: str) -> None:
        """Put an empty label or item where a glossary list lacks one."""
        last = next((part for part in reversed(self._parts) if part.strip()), "")
        if wanted == "label" and last.startswith("</label>"):
            self._parts.append("<item/>")
        elif wanted == "item" and not last.startswith("</label>"):
            self._parts.append("<label/>")


def _shows_only(node: Node) -> bool:
    """Return whether an element has an image, and no text."""
    return node.select_one("img") is not None and not "".join(node.stripped_strings)


def _cell_attributes(node: Node, name: str) -> str:
    spans = [(attribute(node, "rowspan"), "rows"), (attribute(node, "colspan"), "cols")]
    told = "".join(
        f' {to}="{int(text)}"' for text, to in spans if text.isdecimal() and int(text) > 1
    )
    return (' role="label"' if name == "th" else "") + told
