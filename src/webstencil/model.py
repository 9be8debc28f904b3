"""The values that travel between the stages.

All are frozen. A node of a page is a number: elements and texts are counted from 0 in document
order, after pruning (no scripts, styles, templates, comments or blank text). That number means the
same node from parsing to locating.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, make_dataclass
from enum import StrEnum
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from webstencil.geometry import Rect

if TYPE_CHECKING:
    from webstencil.markup import Markup, Node

NodeId: TypeAlias = int
T = TypeVar("T")

ROOT: NodeId = 0
NO_PARENT = -1
TEXT = ""  # the tag of a text node


def quick_maker(kind: type[T]) -> Callable[..., T]:
    """Return what makes a frozen value of all its fields, in order, four times as fast.

    A frozen dataclass sets each field by a call. Here an open twin with the same slots is filled,
    and then given the frozen class. It is for what is made for every page, or many of it.
    """
    names = kind.__match_args__  # type: ignore[attr-defined]  # as every dataclass has
    twin = make_dataclass("Twin", names, slots=True)

    def make(*values: object) -> T:
        value: T = twin(*values)
        value.__class__ = kind
        return value

    return make


@dataclass(frozen=True, slots=True)
class RawPage:
    """A page as its source delivers it."""

    url: str
    body: bytes
    charset: str | None = None  # as the HTTP header has it
    origin: str = ""  # where it was read: a file's path, or "FILE:OFFSET" of a WARC record
    fault: str = ""  # why the source could not deliver the body, empty if it could


@dataclass(frozen=True, slots=True)
class Resource:
    """A style sheet, image or font that a rendering asks for."""

    body: bytes
    content_type: str


@dataclass(frozen=True, slots=True)
class Children:
    """The children of each node of a tree, as slices of one list."""

    order: list[NodeId]  # all nodes, sorted by parent
    starts: list[int]  # where the children of a node start in `order`; one entry more than nodes

    def of(self, node: NodeId) -> list[NodeId]:
        return self.order[self.starts[node] : self.starts[node + 1]]

    def position(self, node: NodeId, parent: NodeId) -> int:
        """Return the place of `node` among the children of `parent`, from 0."""
        start, end = self.starts[parent], self.starts[parent + 1]
        return bisect_left(self.order, node, start, end) - start

    def count(self, node: NodeId) -> int:
        return self.starts[node + 1] - self.starts[node]


@dataclass(frozen=True, slots=True)
class Tree:
    """A pruned page tree as columns; entry i belongs to node i (CPS paper, Definitions 2 to 5)."""

    tags: tuple[str, ...]  # TEXT for a text node
    parents: tuple[NodeId, ...]  # NO_PARENT for the root
    ids: tuple[str, ...]  # id attribute, empty if there is none
    classes: tuple[str, ...]  # class attribute, empty if there is none

    def __len__(self) -> int:
        return len(self.tags)

    def children(self) -> Children:
        counts = [0] * (len(self.parents) + 1)
        for parent in self.parents:
            counts[parent + 1] += 1
        order = sorted(range(len(self.parents)), key=self.parents.__getitem__)
        return Children(order, list(accumulate(counts)))

    def ends(self) -> list[NodeId]:
        """Return, for each node, the number after the last node of its subtree."""
        ends = list(range(1, len(self.tags) + 1))
        parents = self.parents
        for node in range(len(ends) - 1, 0, -1):
            parent = parents[node]
            if ends[parent] < ends[node]:  # noqa: PLR1730 - max() doubles the time of this loop
                ends[parent] = ends[node]
        return ends


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page."""

    url: str
    site: str
    body: bytes  # the source as it came
    encoding: str  # WHATWG name
    base_url: str
    markup: "Markup" = field(compare=False, repr=False)

    @property
    def paths(self) -> frozenset[int]:
        """Return a hash of each distinct path from root to leaf (CPS paper, Definition 6)."""
        return self.markup.paths

    @property
    def tree(self) -> Tree:
        return self.markup.tree

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the text of each node, empty for elements."""
        return self.markup.texts


make_page = quick_maker(Page)


class BoxKind(StrEnum):
    """What a box paints."""

    ELEMENT = "element"
    TEXT = "text"
    IMAGE = "image"  # any replaced content: img, svg, video, canvas, iframe, form controls


@dataclass(frozen=True, slots=True)
class Style:
    """What of the computed style matters to segmenters; colours are CSS `rgb()`/`rgba()`."""

    display: str
    position: str
    floating: str  # the CSS property "float"
    font_family: str
    font_size: float  # px
    font_weight: int  # 100..900
    italic: bool
    underline: bool
    color: str
    background: str  # own background colour, "" if fully transparent
    background_image: bool
    border: tuple[float, float, float, float]  # px: top, right, bottom, left; 0 if not painted
    border_color: str  # of the first painted side, "" if none


@dataclass(frozen=True, slots=True)
class Box:
    """The painted rectangle of a node. A box's parent is its nearest ancestor that has a box."""

    node: NodeId
    parent: int  # index into Snapshot.boxes, NO_PARENT for the root's box
    kind: BoxKind
    rect: Rect  # where it is laid out
    clip: Rect  # the part of it that its ancestors leave visible; empty if none
    visible: bool  # painted and not empty: style, opacity, size, clipping and position allow it
    style: Style  # a text box has its parent element's
    backdrop: str  # effective background colour: own, or the nearest ancestor's below it
    lines: tuple[Rect, ...] = ()  # of a text box
    text: str = ""  # of a text box: white space collapsed


def is_content(box: Box) -> bool:
    """Return whether a box is something to read or to look at: text or replaced content."""
    return box.visible and box.kind is not BoxKind.ELEMENT


@dataclass(frozen=True, slots=True)
class Viewport:
    """The size of the browser's window."""

    width: int = 1366  # px
    height: int = 768  # px


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A page as painted; boxes come in document order, so parents before children."""

    url: str
    viewport: Viewport
    rect: Rect  # the whole page
    boxes: tuple[Box, ...]
    complete: bool  # False: the page was still loading when the time was up
    screenshot: bytes | None = None  # PNG of the whole page


@dataclass(frozen=True, slots=True)
class Area:
    """A visual area (CPS paper, Definitions 7 to 10).

    `nodes` are the roots of the subtrees that the area contains and no child area does; all nodes
    below a root belong to the area with it. Areas come parents before children; `parent` is an
    index into the same tuple.
    """

    rect: Rect
    nodes: tuple[NodeId, ...]
    parent: int = NO_PARENT
    kind: str | None = None
    attributes: tuple[tuple[str, float], ...] = ()  # what the algorithm says of it, e.g. ("doc", 7)

    @property
    def around(self) -> int | None:
        """Return the area that holds it, None if there is none."""
        return None if self.parent == NO_PARENT else self.parent

    def with_floats(self) -> "Area":
        """Return the area as people and stores get it: with no integers in its attributes."""
        numbers = tuple([(name, float(number)) for name, number in self.attributes])
        return Area(self.rect, self.nodes, self.parent, self.kind, numbers)


def inherited(parents: Iterable[int], own: Iterable[int | None]) -> list[int]:
    """Return the number that each node has of its own, else its parent's; NO_PARENT if it has none.

    Parents come before children.
    """
    found: list[int] = []
    for parent, number in zip(parents, own, strict=True):
        above = found[parent] if parent != NO_PARENT else NO_PARENT
        found.append(above if number is None else number)
    return found


def innermost_areas(
    areas: Iterable[Area], nodes: Iterable[NodeId], parents: Iterable[int]
) -> list[int]:
    """Return the innermost area around each of some nodes, NO_PARENT if there is none.

    `parents` are indexes into `nodes`.
    """
    roots = {node: number for number, area in enumerate(areas) for node in area.nodes}
    return inherited(parents, map(roots.get, nodes))


@dataclass(frozen=True, slots=True)
class Stencil:
    """A learned page with its areas (CPS paper, Definition 1: Cluster Representative)."""

    key: str
    site: str
    tree: Tree
    paths: frozenset[int]
    areas: tuple[Area, ...]
    made_by: str  # the segmenter with its settings
    made_from: str  # URL of the learned page


class MissReason(StrEnum):
    """Why a node of the stencil is not on the page: the check that failed."""

    POSITION = "position"
    COUNT = "count"
    ID = "id"
    TAG = "tag"


@dataclass(frozen=True, slots=True)
class Located:
    """An area of the stencil found on a page."""

    area: int  # index into Stencil.areas
    nodes: tuple["Node", ...]  # of this page
    confidence: float  # 0..1


class LaidPiece(NamedTuple):
    """A part of a page that was cut out as one area."""

    nodes: tuple["Node", ...]
    area: int | None  # the area of the stencil that is like it; None if there is none
    confidence: float  # 0..1


@dataclass(frozen=True, slots=True)
class LaidPage:
    """A page with the borders of its site's learned pages laid over it."""

    stencil: str  # key of the most similar learned page
    pieces: tuple[LaidPiece, ...]
    risk: float  # 0..1, expected distance from the page's own areas


@dataclass(frozen=True, slots=True)
class Miss:
    """An area of the stencil that is not on the page, and why."""

    area: int  # index into Stencil.areas
    node: NodeId  # of the stencil: where the search ended
    reason: MissReason


make_located, make_miss = quick_maker(Located), quick_maker(Miss)


class Status(StrEnum):
    """How a page's areas were made."""

    HIT = "hit"  # laid over from a stencil
    LEARNED = "learned"  # rendered, segmented, and kept as a stencil
    FAILED = "failed"  # not at all; the problems tell why
    SKIPPED = "skipped"  # not at all, as told: its template has too few pages to be rendered for


@dataclass(frozen=True, slots=True)
class Problem:
    """What went wrong on a page, in which stage."""

    stage: str
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class PageArea:
    """An area on a page, as it is given to people."""

    id: int
    parent: int | None
    kind: str | None
    text: str
    selector: str
    xpath: str
    rect: Rect  # on the stencil's page
    nodes: int  # number of nodes of the page in it, children's not counted
    confidence: float  # 0..1
    stencil_area: int | None = None  # the area that it is in the stencil, None if it is like none
    attributes: tuple[tuple[str, float], ...] = ()  # of that area, see `Area`


make_page_area = quick_maker(PageArea)


@dataclass(frozen=True, slots=True)
class Item:
    """A piece extracted from a page: its main content, a headline, a menu, a row of a list."""

    kind: str
    text: str
    selector: str
    xpath: str
    confidence: float  # 0..1
    how: str  # which method made it, and on what grounds
    area: int | None = None  # the area it was taken from, None if it was found without
    markdown: str = ""
    fields: tuple[tuple[str, str], ...] = ()  # named parts: the link of a row, its date


@dataclass(frozen=True, slots=True)
class SiteTexts:
    """How many pages of a site have each of its texts."""

    pages: int
    counts: dict[int, int]  # by the text's hash
    seen: frozenset[int] = frozenset()  # hashes of the pages, so that none is counted twice


@dataclass(frozen=True, slots=True)
class PageResult:
    """What became of one page."""

    url: str
    site: str
    status: Status
    stencil: str | None
    confidence: float  # 0..1
    areas: tuple[PageArea, ...] = ()
    problems: tuple[Problem, ...] = ()
    items: tuple[Item, ...] = ()
    origin: str = ""  # as its `RawPage` has it
    version: int = 0  # stencils of the site that were learned when it was made


make_page_result = quick_maker(PageResult)
