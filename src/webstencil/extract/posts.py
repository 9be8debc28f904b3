"""The posts of a thread: text, author and date of each.

Posts are elements of the same form (tag and class) that hold the content of the page between them,
and name an author or a date each. Of all forms, the one whose elements hold most of the content,
with names and dates, is that of the posts. The author is what most posts have at the same place.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from webstencil import markup
from webstencil.extract.content.extractor import Content, MainContent
from webstencil.extract.content.page_types import TYPES, PageType
from webstencil.extract.content.text_runs import NO_BLOCK, TextRuns
from webstencil.extract.post_facts import (
    LONGEST_DATE,
    PostAnchor,
    PostWay,
    author_anchors,
    date_anchors,
    day_of,
    days_first,
    form_of,
)
from webstencil.markup import Node
from webstencil.model import Item, Page

KIND = "post"
AUTHOR, DATE = "author", "date"
COMMENTS = "[class~=comment], [class~=comments]"
FEWEST = 2  # posts; one alone is not told from its page
DEEPEST = 60  # blocks between a text and its post
SAID = 2_000  # units of a post that count: one long post makes no thread
PART = 0.3  # share of the page's content in posts
NAMED = 0.5  # share of the posts that have an author, or a date
POSSIBLE = 0.1  # 0..1, probability of a forum from which a page may be a thread
MOST = 0.5  # share of the content in the posts of a page that may be a thread
LISTS = (PageType.COLLECTION, PageType.LISTING)
MORE = 0.25  # power of the number of posts: many small ones rather than few wrappers
STRICT = 2  # power of the trust in a way
TRUST = {  # 0..1, in ways
    PostWay.PROPERTY: 1.0,
    PostWay.NAME: 0.95,
    PostWay.CALLED: 0.9,
    PostWay.LINK: 0.85,
    PostWay.USER: 0.7,
}
HEAD = 8  # lines above the text of a post
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
    if content.page_type in LISTS or not content.types or content.types[_FORUM] < POSSIBLE:
        return ()
    found = posts_of(content)
    if content.page_type is PageType.FORUM or looks_like_thread(content, found):
        return found
    return ()


def looks_like_thread(content: Content, found: Sequence[Item]) -> bool:
    """Return whether posts make up a page: they are its content, with authors and dates."""
    both = sum([len(item.fields) == len((AUTHOR, DATE)) for item in found])
    said = sum([len(item.text) for item in found])
    return both > 0 and both >= NAMED * len(found) and said >= MOST * len(content.text)


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
                kind=KIND,
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
    for place, line in enumerate(lines[:HEAD]):
        if len(line) > LONGEST_DATE:
            break
        dated = bool(day) and day_of(line, day_first=day_first) == day
        if dated or (author and author in line):
            body = place + 1
    return body


def _by_form(content: Content) -> dict[str, dict[int, OpenPost]]:
    """Return, for each form, the blocks of that form and what is in no smaller one of it."""
    runs = content.runs
    forms = [form_of(element) for element in runs.elements]
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
    for _ in range(DEEPEST):
        if block == NO_BLOCK:
            break
        nearest.setdefault(forms[block], block)
        block = runs.parents[block]
    return nearest.values()


def _block_of(node: Node, numbers: dict[Node, int]) -> int:
    """Return the block that a node is, or is in."""
    for one in reversed(markup.line_end(node, DEEPEST)):
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
        if count < FEWEST or named < NAMED * count:
            continue
        sizes = [sum([runs.lengths[run] for run in post.runs]) for post in told.values()]
        if sum(sizes) < PART * whole:
            continue
        score = 0.0
        for size, post in zip(sizes, told.values(), strict=True):
            score += min(size, SAID) * (bool(post.authors) + bool(post.dates))
        score *= count**MORE
        if score > most:
            best, most = told, score
    kept = {block: post for block, post in best.items() if post.authors or post.dates}
    return kept if len(kept) >= FEWEST else {}


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
            places[anchor.place] = max(places.get(anchor.place, 0.0), TRUST[anchor.way])
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
