"""The values that stages pass to each other: pages, renderings, areas, results. All are frozen.

A node of a page is a number: elements and texts are counted from 0 in document order, without
scripts, styles, templates, comments and blank text. It means the same node in every stage.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import update_wrapper
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from webstencil.geometry import Rect

if TYPE_CHECKING:
    from webstencil.markup import Markup, Node
    from webstencil.protocols import Resources

NodeId: TypeAlias = int
ValueClass = TypeVar("ValueClass")

ROOT: NodeId = 0
NO_PARENT = -1
TEXT = ""  # the tag of a text node


def quick(kind: type[ValueClass]) -> type[ValueClass]:
    """Give a frozen dataclass a constructor that takes a quarter of the time.

    The usual one sets each field by a call. In this one, a value belongs to an open subclass while
    its fields are set. It is for classes with many values a page, and takes no default factories.
    """
    usual: Any = kind.__init__
    names = kind.__match_args__  # type: ignore[attr-defined]  # as every dataclass has
    may_change = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    scope: dict[str, Any] = {
        "_set_class": object.__dict__["__class__"].__set__,
        "_open": type(kind.__name__, (kind,), {"__slots__": (), **may_change}),
        "_frozen": kind,
    }
    lines = (
        f"def made({', '.join(('self', *names))}):",
        "_set_class(self, _open)",
        *(f"self.{name} = {name}" for name in names),
        "self.__class__ = _frozen",
    )
    exec("\n    ".join(lines), scope)
    scope["made"].__defaults__ = usual.__defaults__
    kind.__init__ = update_wrapper(scope["made"], usual)  # type: ignore[method-assign]  # on purpose
    return kind


# Pages


@dataclass(frozen=True, slots=True)
class RawPage:
    """A page as its source delivers it."""

    url: str
    body: bytes
    charset: str | None = None  # from the HTTP header
    origin: str = ""  # a file's path, or "FILE:OFFSET" of a WARC record
    fault: str = ""  # why the source could not deliver the body, empty if it could
    resources: "Resources | None" = field(default=None, compare=False, repr=False)  # who has them


@dataclass(frozen=True, slots=True)
class Resource:
    """A style sheet, image or font that a page needs to be rendered."""

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
        """Return the position of `node` among the children of `parent`, from 0."""
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


@quick
@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page."""

    url: str
    site: str
    body: bytes  # as delivered
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


# Renderings


class BoxKind(StrEnum):
    """What a box shows."""

    ELEMENT = "element"
    TEXT = "text"
    IMAGE = "image"  # any replaced content: img, svg, video, canvas, iframe, form controls


@dataclass(frozen=True, slots=True)
class Style:
    """The computed styles that matter to segmenters; colours are CSS `rgb()` or `rgba()`."""

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
    border: tuple[float, float, float, float]  # px: top, right, bottom, left; 0 if not drawn
    border_color: str  # of the first side that is drawn, "" if none


@dataclass(frozen=True, slots=True)
class Box:
    """The rendered rectangle of a node."""

    node: NodeId
    parent: int  # index of the nearest ancestor's box in Snapshot.boxes, NO_PARENT for the root
    kind: BoxKind
    rect: Rect
    clip: Rect  # the part of `rect` that its ancestors leave visible; empty if none
    visible: bool  # style, opacity, size, clipping and position let a reader see it
    style: Style  # of a text box: its parent element's
    backdrop: str  # effective background colour: its own, or the nearest ancestor's
    lines: tuple[Rect, ...] = ()  # of a text box
    text: str = ""  # of a text box, white space collapsed


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
    """A page as rendered. Boxes come in document order, so parents before children."""

    url: str
    viewport: Viewport
    rect: Rect  # the whole page
    boxes: tuple[Box, ...]
    complete: bool  # False if the page was still loading at the time limit
    screenshot: bytes | None = None  # PNG of the whole page
    tags: tuple[str, ...] = ()  # of the page's nodes, by number; empty if they are not known

    def tagged(self, page: Page) -> "Snapshot":
        """Return the snapshot with the tags of its page."""
        return replace(self, tags=page.tree.tags)


# Areas and stencils


@dataclass(frozen=True, slots=True)
class Area:
    """A visual area (CPS paper, Definitions 7 to 10).

    `nodes` are the roots of the subtrees that belong to the area and to none of its children.
    Areas come parents before children; `parent` is an index into the same tuple.
    """

    rect: Rect
    nodes: tuple[NodeId, ...]
    parent: int = NO_PARENT
    kind: str | None = None
    attributes: tuple[tuple[str, float], ...] = ()  # of the segmenter, e.g. ("doc", 7)

    @property
    def around(self) -> int | None:
        """Return the parent, None if there is none."""
        return None if self.parent == NO_PARENT else self.parent

    def with_floats(self) -> "Area":
        """Return the area with floats for all its attributes, as stores and the user get it."""
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
    made_by: str  # the learner: mode and segmenter with its settings
    made_from: str  # URL of the learned page


class MissReason(StrEnum):
    """Which check failed on the way to a node of the stencil."""

    POSITION = "position"
    COUNT = "count"
    ID = "id"
    TAG = "tag"
    SUBTREE = "subtree"  # what is below it differs (mapping paper, section IV-C)


@quick
@dataclass(frozen=True, slots=True)
class Located:
    """An area of the stencil found on a page, as a whole or in part."""

    area: int  # index into Stencil.areas
    nodes: tuple["Node", ...]  # of the page
    confidence: float  # 0..1, the share of its nodes that were found
    missed: MissReason | None = None  # why the first of the others was not


@quick
@dataclass(frozen=True, slots=True)
class Miss:
    """An area of the stencil that is not on the page."""

    area: int  # index into Stencil.areas
    node: NodeId  # of the stencil, where the search ended
    reason: MissReason


# Results


class Status(StrEnum):
    """How a page got its areas."""

    HIT = "hit"  # laid over it, without a rendering
    LEARNED = "learned"  # rendered and segmented: its site, or in paper mode a stencil, has it
    WAITING = "waiting"  # not yet: its site is not known well enough
    FAILED = "failed"  # not at all; its problems say why
    SKIPPED = "skipped"  # not at all: its template has fewer pages than the settings ask for
    REDIRECT = "redirect"  # not at all: it only leads to another page


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a page, or a part of it, has no result."""

    stage: str
    kind: str
    message: str


@quick
@dataclass(frozen=True, slots=True)
class PageArea:
    """An area on a page, as the user gets it."""

    id: int
    parent: int | None
    kind: str | None
    text: str
    selector: str
    xpath: str
    rect: Rect  # on the stencil's page
    nodes: int  # how many of the page's nodes are in it and in none of its children
    confidence: float  # 0..1
    slot: int | None = None  # its number on all pages of the site; in paper mode, in the stencil
    attributes: tuple[tuple[str, float], ...] = ()  # see `Area`
    name: str = ""  # of the slot


@dataclass(frozen=True, slots=True)
class Item:
    """One thing extracted from a page: its content, a headline, a menu, a row of a list."""

    kind: str
    text: str
    selector: str
    xpath: str
    confidence: float  # 0..1
    how: str  # by which method, on what grounds
    area: int | None = None  # the area it comes from, None if it was found without
    markdown: str = ""
    fields: tuple[tuple[str, str], ...] = ()  # named parts, such as the link and date of a row


@quick
@dataclass(frozen=True, slots=True)
class PageResult:
    """What a job says of one page."""

    url: str
    site: str
    status: Status
    stencil: str | None  # its key in paper mode, else None
    confidence: float  # 0..1
    areas: tuple[PageArea, ...] = ()
    problems: tuple[Problem, ...] = ()
    items: tuple[Item, ...] = ()
    origin: str = ""  # as its `RawPage` has it
    version: int = 0  # of what was known of its site
    template: str | None = None  # its name, None if the page follows none that is known
    grain: float | None = None  # strength of the weakest borders that count; None in paper mode
    type: str | None = None  # what the page is to its reader (`PageType`), None if not known
    type_confidence: float | None = None  # 0..1
    template_number: int | None = None  # stays the same while the site grows; None as above

    @property
    def has_areas(self) -> bool:
        """Return whether areas were laid over it or found on it, however many."""
        return self.status in (Status.HIT, Status.LEARNED)

    @property
    def follows(self) -> str:
        """Name what its areas come from: a stencil by its key, or a template by site and number."""
        if not self.has_areas:
            return ""
        return self.stencil or f"{self.site} {self.followed_template}"

    @property
    def followed_template(self) -> int | None:
        """Return the number of the template whose areas it has, 0 for none; None in paper mode."""
        return None if self.grain is None else self.template_number or 0


class Mode(StrEnum):
    """How areas are learned and located."""

    DEFAULT = "default"  # areas of the site, decided by its rendered pages together
    PAPER = "paper"  # path sets and full descriptors, as published


def mode_of(learner: str) -> Mode:
    """Return the mode of a learner, its first word; a store asks once, and has it in a column."""
    return Mode.DEFAULT if learner.partition(" ")[0] == Mode.DEFAULT else Mode.PAPER
