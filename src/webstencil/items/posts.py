"""The posts of a thread: text, author and date of each.

Posts are elements of the same form (tag and class) that hold the content of the page between them,
and name an author or a date each. Of all forms, the one whose elements hold most of the content,
with names and dates, is that of the posts. The author is what most posts have at the same place.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from webstencil import markup
from webstencil.content.extractor import Content, MainContent
from webstencil.content.runs import NO_BLOCK, TextRuns
from webstencil.items.authors import NOT_A_NAME, cleaned_name, name_in
from webstencil.items.dates import find_date
from webstencil.markup import Element, Node
from webstencil.model import Item, Page
from webstencil.site.type_votes import TYPES, PageType

# Where the posts of a thread name their authors and dates.
#
# An *anchor* is an element that may hold a name or a date, with the way it was found. Which of them
# is the author of a post is decided by all posts together: the same place names it in
# most of them.

SHORTEST_NAME, LONGEST_NAME = 2, 40  # characters; a single letter stands for a picture
LONGEST_DATE = 80  # characters of a text with a date; longer ones are said in a post
LONGEST_POST_LABEL = 20  # characters of a text that says what the next one is: "Joined:"
MOST_ANCHORS = 4_000  # of a page
QUOTES = "blockquote, q, [class*=quote i]:not(body, main, article)"
AUTHOR_PICTURES = "[class*=avatar i], img"  # of authors
MOST_NAME_LINKS = 5  # in an element with a name

_NAME = re.compile(r"(?i)(?:user|author|poster|member|display)[-_]*(?:nick|screen)?[-_]*name|nick")
_AUTHOR = re.compile(r"(?i)author|byline|creator|poster(?!\w*(?:date|time))")
_USER = re.compile(r"(?i)\buser\b|\bmember\b|userlink|user-link|profile")
_NO_AUTHOR = re.compile(
    r"(?i)avatar|title|rank|count|stat|badge|date|time|join|location|group|role|icon|button|tool|"
    r"control|action"
)
_NO_NAME = re.compile(
    r"(?i)^(?:#\d.*|find|log|posts?|repl(?:y|ies)|quote|report|website|pm|e-?mail|message|"
    r"advertisement|op|original poster|joined|view profile|send message|edited|likes?)$"
)
_LINK = re.compile(
    r"(?i)/(?:author|people|profile|user|member|u)s?[/-]|/~|member\.php|memberlist\.php|"
    r"profile\.php|[?&;](?:action|mode)=(?:view)?profile|[?&;]user(?:id|name)?=|viewprofile"
)
_DATED = re.compile(r"(?i)date|time|posted|publish|created")
_NO_DATE = re.compile(
    r"(?i)\b(?:joined|join|registered|registriert|inscrit|since|seit|edited|edit|modified|last|"
    r"updated|birth\w*|member|solution|expires?|closed|locked)\b"
)
_NO_DATE_NAMES = re.compile(r"(?i)join|regist|edit|modif|since|member|last|signature|update")
_DASHED = re.compile(r"\b(\d\d?)-(\d\d?)-((?:19|20)\d\d)\b")
_SLASHED = re.compile(r"\b(\d\d?)/(\d\d?)/(?:19|20)\d\d\b")
_STATES = re.compile(r"\d+|\b(?:active|even|first|last|odd|alt\d*|new|unread)\b")
_MONTHS = 12


class PostWay(IntEnum):
    """How an anchor was found, the most reliable first."""

    PROPERTY = 0  # told to programs
    NAME = 1  # a class that says "name", or `time`
    CALLED = 2  # a class that says "author" or "date"
    LINK = 3  # to a profile; for dates: an attribute for readers
    USER = 4  # a class that says "user"; for dates: a short text


@dataclass(frozen=True, slots=True)
class PostAnchor:
    """What may be the author or the date of a post."""

    text: str  # the name, or what holds a date
    way: PostWay
    place: str  # the form of its element, the same in all posts of a thread
    node: Node


def _form_of(element: Node) -> str:
    """Return the tag of an element and the first of its classes that says something."""
    names = _STATES.sub("", markup.attribute(element, "class")).split()
    return f"{markup.tag(element)}.{names[0] if names else ''}"


def author_anchors(root: Node) -> Iterator[PostAnchor]:
    """Yield what may name authors, in document order."""
    found = 0
    for element in root.select("[class], [itemprop], [data-author], [rel~=author], a[href]"):
        way = _author_way(element)
        if way is None or element.closest(QUOTES) is not None:
            continue
        name = _name(element)
        if name:
            yield PostAnchor(name, way, _form_of(element), element)
            found += 1
            if found >= MOST_ANCHORS:
                return


def _author_way(element: Element) -> PostWay | None:
    """Tell how an element says that it names an author."""
    attr = element.attr
    if "author" in f"{attr('itemprop') or ''} {attr('rel') or ''}" or attr("data-author"):
        return PostWay.PROPERTY
    called = attr("class") or ""
    if _NAME.search(called):
        return PostWay.NAME
    if not _NO_AUTHOR.search(called):
        if _AUTHOR.search(called):
            return PostWay.CALLED
        if element.tag == "a" and _LINK.search(attr("href") or ""):
            return PostWay.LINK
        if _USER.search(called):
            return PostWay.USER
    return None


def _name(element: Node) -> str:
    """Return the name in an element, that of a link to a profile first; empty if there is none."""
    told = markup.attribute(element, "data-author")
    if told:
        return _checked(told)
    for link in markup.descendants(element, "a[href]")[:MOST_NAME_LINKS]:
        pictured = bool(markup.descendants(link, AUTHOR_PICTURES)) or link.matches(AUTHOR_PICTURES)
        if not pictured and _LINK.search(markup.attribute(link, "href")):
            name = _checked(name_in(link))
            if name:
                return name
    return _checked(cleaned_name(name_in(element)))


def _checked(name: str) -> str:
    """Return a name on one line, empty if it is none."""
    name = " ".join(name.split()).partition(" * ")[0].strip(" »«*:·|")  # stars tell ranks
    if not SHORTEST_NAME <= len(name) <= LONGEST_NAME:
        return ""
    if NOT_A_NAME.search(name) or _NO_NAME.search(name) or find_date(name):
        return ""
    return name if any(letter.isalnum() for letter in name) else ""


def date_anchors(root: Node, runs: TextRuns) -> Iterator[PostAnchor]:
    """Yield what may hold dates: first elements, then short texts; each in document order."""
    found = 0
    for element in root.select("time, [itemprop^=date], [class], [title]"):
        told = _date_told(element)
        if told is None or element.closest(QUOTES) is not None:
            continue
        way, text = told
        yield PostAnchor(text, way, _form_of(element), element)
        found += 1
        if found >= MOST_ANCHORS:
            return
    for run, text in enumerate(runs.texts):
        labelled = run > 0 and len(runs.texts[run - 1]) <= LONGEST_POST_LABEL
        if labelled and _NO_DATE.search(runs.texts[run - 1]):
            continue
        if len(text) <= LONGEST_DATE and not _NO_DATE.search(text) and find_date(slashed(text)):
            block = runs.elements[runs.blocks[run]]
            if block.closest(QUOTES) is None and not _NO_DATE_NAMES.search(markup.called(block)):
                yield PostAnchor(text, PostWay.USER, _form_of(block), block)


def _date_told(element: Element) -> tuple[PostWay, str] | None:
    """Return a text with a date in an element, and how it was found."""
    attr = element.attr
    called = f"{attr('class') or ''} {attr('id') or ''}"
    about = attr("itemprop") or ""
    if _NO_DATE_NAMES.search(called) or "Modified" in about:
        return None
    texts = [attr("title") or ""]
    if element.tag == "time" or about.startswith("date"):
        way = PostWay.PROPERTY if about.startswith("date") else PostWay.NAME
        texts = [attr("datetime") or attr("content") or "", *texts, _short(element)]
    elif _DATED.search(called):
        way = PostWay.CALLED
        texts = [*texts, _short(element)]
    else:
        way = PostWay.LINK
    for text in texts:
        fits = 0 < len(text) <= LONGEST_DATE and not _NO_DATE.search(text)
        if fits and find_date(slashed(text)):
            return way, text
    return None


def _short(element: Node) -> str:
    """Return the text of an element if it is short."""
    long = markup.length(element, LONGEST_DATE + 1) > LONGEST_DATE
    return "" if long else " ".join(markup.text([element]).split())


def slashed(text: str) -> str:
    """Return a text with 04-15-2009 as 04/15/2009."""
    return _DASHED.sub(r"\1/\2/\3", text)


def days_first(texts: list[str], language: str = "") -> bool | None:
    """Tell from the dates of all posts what 3/4/2020 means, None if that is open.

    Where they leave it open, the language of the page decides; in English it is open.
    """
    pairs = [found.groups() for text in texts for found in _SLASHED.finditer(slashed(text))]
    first = any(int(one) > _MONTHS for one, _ in pairs)
    second = any(int(two) > _MONTHS for _, two in pairs)
    if first != second:
        return first
    return True if language and not language.lower().startswith("en") else None


def day_of(text: str, *, day_first: bool | None) -> str:
    """Return a date as YYYY-MM-DD, as written if that is not clear."""
    found = find_date(slashed(text), day_first=day_first)
    return (found.iso or found.written) if found is not None else ""


POST_KIND = "post"
AUTHOR, DATE = "author", "date"
COMMENTS = "[class~=comment], [class~=comments]"
FEWEST_POSTS_OF_THREAD = 2  # posts; one alone is not told from its page
DEEPEST_POST = 60  # blocks between a text and its post
MOST_POST_TEXT = 2_000  # units of a post that count: one long post makes no thread
LEAST_IN_POSTS = 0.3  # share of the page's content in posts
LEAST_NAMED_POSTS = 0.5  # share of the posts that have an author, or a date
POSSIBLE = 0.1  # 0..1, probability of a forum from which a page may be a thread
MOST_OF_CONTENT = 0.5  # share of the content in the posts of a page that may be a thread
LIST_TYPES = (PageType.COLLECTION, PageType.LISTING)
MORE = 0.25  # power of the number of posts: many small ones rather than few wrappers
STRICT = 2  # power of the trust in a way
TRUST_IN_WAYS = {  # 0..1, in ways
    PostWay.PROPERTY: 1.0,
    PostWay.NAME: 0.95,
    PostWay.CALLED: 0.9,
    PostWay.LINK: 0.85,
    PostWay.USER: 0.7,
}
LINES_ABOVE_POST = 8  # lines above the text of a post
BOTH, ONE = 0.9, 0.7  # 0..1, confidence in a post with author and date, and with one of them
_FORUM = TYPES.index(PageType.FORUM)


@dataclass(slots=True)
class OpenPost:
    """What belongs to a post."""

    runs: list[int] = field(default_factory=list)  # content
    authors: list[PostAnchor] = field(default_factory=list)
    dates: list[PostAnchor] = field(default_factory=list)


def posts(page: Page) -> tuple[Item, ...]:
    """Return the posts of a thread in document order; none for pages that are no threads."""
    content = MainContent().content(page)
    if content.page_type in LIST_TYPES or not content.types or content.types[_FORUM] < POSSIBLE:
        return ()
    found = posts_of(content)
    if content.page_type is PageType.FORUM or looks_like_thread(content, found):
        return found
    return ()


def looks_like_thread(content: Content, found: Sequence[Item]) -> bool:
    """Return whether posts make up a page: they are its content, with authors and dates."""
    both = sum([len(item.fields) == len((AUTHOR, DATE)) for item in found])
    said = sum([len(item.text) for item in found])
    return (
        both > 0
        and both >= LEAST_NAMED_POSTS * len(found)
        and said >= MOST_OF_CONTENT * len(content.text)
    )


def posts_of(content: Content) -> tuple[Item, ...]:
    """Return the posts in a content."""
    found = _best(content.runs, content.chosen, _by_form(content))
    if not found:
        return ()
    authors = _settled(content, found, AUTHOR, lambda anchor: anchor.text)
    told = [anchor.text for post in found.values() for anchor in post.dates]
    day_first = days_first(told, markup.attribute(content.page.markup.root, "lang"))
    days = _settled(content, found, DATE, lambda anchor: day_of(anchor.text, day_first=day_first))
    items = []
    for (block, post), author, day in zip(found.items(), authors, days, strict=True):
        named = ((AUTHOR, author), (DATE, day))
        element = content.runs.elements[block]
        lines = [content.runs.texts[run] for run in post.runs]
        items.append(
            Item(
                kind=POST_KIND,
                text="\n".join(lines[_body(lines, author, day, day_first=day_first) :] or lines),
                selector=markup.selector(element),
                xpath=markup.xpath(element),
                confidence=BOTH if all(value for _, value in named) else ONE,
                how="repeated elements of a thread",
                fields=tuple((name, value) for name, value in named if value),
            )
        )
    return tuple(items)


def _body(lines: Sequence[str], author: str, day: str, *, day_first: bool | None) -> int:
    """Return where the text begins below the lines that name the author and the date."""
    body = 0
    for place, line in enumerate(lines[:LINES_ABOVE_POST]):
        if len(line) > LONGEST_DATE:
            break
        dated = bool(day) and day_of(line, day_first=day_first) == day
        if dated or (author and author in line):
            body = place + 1
    return body


def _by_form(content: Content) -> dict[str, dict[int, OpenPost]]:
    """Return, for each form, the blocks of that form and what is in no smaller one of it."""
    runs = content.runs
    forms = [_form_of(element) for element in runs.elements]
    numbers: dict[Node, int] = {element: block for block, element in enumerate(runs.elements)}
    found: dict[str, dict[int, OpenPost]] = defaultdict(lambda: defaultdict(OpenPost))
    for run in content.chosen:
        for block in _around(runs, forms, runs.blocks[run]):
            found[forms[block]][block].runs.append(run)
    root = content.page.markup.body
    for anchor in author_anchors(root):
        for block in _around(runs, forms, _block_of(anchor.node, numbers)):
            found[forms[block]][block].authors.append(anchor)
    for anchor in date_anchors(root, runs):
        for block in _around(runs, forms, _block_of(anchor.node, numbers)):
            found[forms[block]][block].dates.append(anchor)
    return found


def _around(runs: TextRuns, forms: Sequence[str], block: int) -> Iterable[int]:
    """Return the nearest block of each form around a block, itself included."""
    nearest: dict[str, int] = {}
    for _ in range(DEEPEST_POST):
        if block == NO_BLOCK:
            break
        nearest.setdefault(forms[block], block)
        block = runs.parents[block]
    return nearest.values()


def _block_of(node: Node, numbers: dict[Node, int]) -> int:
    """Return the block that a node is, or is in."""
    for one in reversed(markup.line_end(node, DEEPEST_POST)):
        if one in numbers:
            return numbers[one]
    return NO_BLOCK


def _best(
    runs: TextRuns, chosen: Sequence[int], forms: dict[str, dict[int, OpenPost]]
) -> dict[int, OpenPost]:
    """Return the posts of the form that fits best, in document order; none if no form does."""
    best: dict[int, OpenPost] = {}
    most = 0.0
    whole = sum([runs.lengths[run] for run in chosen])
    for blocks in forms.values():
        told = {block: post for block, post in sorted(blocks.items()) if post.runs}
        count = len(told)
        named = max(
            sum([bool(post.authors) for post in told.values()]),
            sum([bool(post.dates) for post in told.values()]),
        )
        if count < FEWEST_POSTS_OF_THREAD or named < LEAST_NAMED_POSTS * count:
            continue
        sizes = [sum([runs.lengths[run] for run in post.runs]) for post in told.values()]
        if sum(sizes) < LEAST_IN_POSTS * whole:
            continue
        score = 0.0
        for size, post in zip(sizes, told.values(), strict=True):
            score += min(size, MOST_POST_TEXT) * (bool(post.authors) + bool(post.dates))
        score *= count**MORE
        if score > most:
            best, most = told, score
    kept = {block: post for block, post in best.items() if post.authors or post.dates}
    return kept if len(kept) >= FEWEST_POSTS_OF_THREAD else {}


def _settled(
    content: Content, found: dict[int, OpenPost], kind: str, read: Callable[[PostAnchor], str]
) -> list[str]:
    """Choose a name or a day for each post: the one that the best places of the post agree on.

    A place is the better, the more posts have it and the more reliable it is.
    """
    posts = [
        _own(content.runs.elements[block], post.authors if kind == AUTHOR else post.dates)
        for block, post in found.items()
    ]
    counts = Counter([place for anchors in posts for place in {one.place for one in anchors}])
    settled = []
    for anchors in posts:
        trust: dict[str, dict[str, float]] = defaultdict(dict)  # in places, by what they say
        for anchor in anchors:
            places = trust[read(anchor)]
            places[anchor.place] = max(places.get(anchor.place, 0.0), TRUST_IN_WAYS[anchor.way])
        trust.pop("", None)
        votes = {
            said: sum([counts[place] * sure**STRICT for place, sure in places.items()])
            for said, places in trust.items()
        }
        settled.append(max(votes, key=lambda said: votes[said], default=""))
    return settled


def _own(element: Node, anchors: Sequence[PostAnchor]) -> Sequence[PostAnchor]:
    """Return the anchors of a post that are not in comments on it; all if there are no others."""
    own = []
    for anchor in anchors:
        comment = markup.closest(anchor.node, COMMENTS)
        if comment is None or comment is element or element not in list(comment.ancestors):
            own.append(anchor)
    return own or anchors
