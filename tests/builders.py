"""Values for tests, made by hand.

A painted page is sketched as nested boxes with their rectangles (left, top, right, bottom in px):

    paint(
        element(text("Title", at=(0, 0, 200, 20)), font_size=24.0),
        element(text("Left", at=(0, 40, 90, 60)), text("Right", at=(110, 40, 200, 60))),
    )

Nodes are numbered in document order, as the parser does: 0 is html, 1 is body.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from webstencil.geometry import Rect, bounding
from webstencil.markup.parse import parse
from webstencil.model import (
    NO_PARENT,
    Area,
    Box,
    BoxKind,
    NodeId,
    Page,
    RawPage,
    Snapshot,
    Stencil,
    Style,
    Viewport,
)
from webstencil.testing import PLAIN_STYLE

WHITE = "rgb(255, 255, 255)"
GREY = "rgb(221, 221, 221)"
BLACK = "rgb(0, 0, 0)"

Corners = tuple[float, float, float, float]  # px: left, top, right, bottom

INHERITED = ("font_family", "font_size", "font_weight", "italic", "underline", "color")


@dataclass(frozen=True, slots=True)
class Sketch:
    """A box as a test describes it: what is not said is inherited or as usual."""

    rect: Rect
    kind: BoxKind
    style: tuple[tuple[str, object], ...]  # what differs from PLAIN
    children: tuple["Sketch", ...] = ()
    text: str = ""
    visible: bool = True
    clips: bool = False  # what sticks out of it is not seen (overflow: hidden)


def element(
    *children: Sketch,
    at: Corners | None = None,
    visible: bool = True,
    clips: bool = False,
    **style: object,
) -> Sketch:
    """Sketch an element, by default just round its children; a block unless told otherwise."""
    rect = Rect(*at) if at else bounding(child.rect for child in children)
    return Sketch(
        rect, BoxKind.ELEMENT, tuple(style.items()), children, visible=visible, clips=clips
    )


def inline(*children: Sketch, at: Corners | None = None, **style: object) -> Sketch:
    """Sketch an inline element, such as A or B."""
    return element(*children, at=at, display="inline", **style)


def text(words: str, *, at: Corners, visible: bool = True) -> Sketch:
    """Sketch a text of one line."""
    return Sketch(Rect(*at), BoxKind.TEXT, (), text=words, visible=visible)


def image(*, at: Corners, visible: bool = True, **style: object) -> Sketch:
    """Sketch an image."""
    look = {"display": "inline", **style}
    return Sketch(Rect(*at), BoxKind.IMAGE, tuple(look.items()), visible=visible)


def line(*, at: Corners) -> Sketch:
    """Sketch an HR: a box without content that is seen by its border."""
    return element(at=at, border=(1.0, 1.0, 1.0, 1.0), border_color=GREY)


def paint(*children: Sketch, size: tuple[float, float] = (1000.0, 1000.0)) -> Snapshot:
    """Make the snapshot of a page with these boxes in its body."""
    page = Rect(0.0, 0.0, *size)
    corners = (page.left, page.top, page.right, page.bottom)
    root = element(element(*children, at=corners), at=corners, background=WHITE)
    return snapshot_of(_boxes(root, page), page)


def snapshot_of(boxes: Iterable[Box], rect: Rect) -> Snapshot:
    """Make a snapshot of boxes that are already there."""
    return Snapshot(
        url="http://example.org/",
        viewport=Viewport(),
        rect=rect,
        boxes=tuple(boxes),
        complete=True,
    )


def chain(depth: int, *, size: tuple[float, float] = (1000.0, 1000.0)) -> Snapshot:
    """Make the snapshot of a page with one text under `depth` elements, each inside the other."""
    page = Rect(0.0, 0.0, *size)
    style = replace(PLAIN_STYLE, background=WHITE)
    elements = [
        Box(node, node - 1, BoxKind.ELEMENT, page, page, True, style, WHITE)
        for node in range(depth)
    ]
    words = Box(
        depth, depth - 1, BoxKind.TEXT, page, page, True, style, WHITE, (page,), "deep down"
    )
    return snapshot_of((*elements, words), page)


def leaves(areas: Sequence[Area]) -> list[Area]:
    """Return the areas that have no child areas."""
    parents = {area.parent for area in areas}
    return [area for index, area in enumerate(areas) if index not in parents]


def leaf_texts(snapshot: Snapshot, areas: Sequence[Area]) -> list[tuple[str, ...]]:
    """Return the visible texts of each leaf area."""
    owners = text_owners(snapshot, areas)
    texts = {box.node: box.text for box in snapshot.boxes}
    parents = {area.parent for area in areas}
    return [
        tuple(texts[node] for node, owned_by in owners.items() if index in owned_by)
        for index in range(len(areas))
        if index not in parents
    ]


def text_owners(snapshot: Snapshot, areas: Sequence[Area]) -> dict[NodeId, list[int]]:
    """Return, for each visible text node, the areas that have it under one of their nodes."""
    by_node: dict[NodeId, list[int]] = {}
    for index, area in enumerate(areas):
        for node in area.nodes:
            by_node.setdefault(node, []).append(index)
    above: list[list[int]] = []
    owners = {}
    for box in snapshot.boxes:
        inherited = above[box.parent] if box.parent != NO_PARENT else []
        own = by_node.get(box.node, [])
        above.append([*inherited, *own] if own else inherited)
        if box.kind is BoxKind.TEXT and box.visible:
            owners[box.node] = above[-1]
    return owners


def _boxes(root: Sketch, page: Rect) -> list[Box]:
    boxes: list[Box] = []
    pending = [(root, NO_PARENT, page)]
    while pending:
        sketch, parent, bounds = pending.pop()
        above = boxes[parent] if parent != NO_PARENT else None
        boxes.append(_box(sketch, above, len(boxes), parent, sketch.rect.clip(bounds)))
        inside = sketch.rect.clip(bounds) if sketch.clips else bounds
        pending.extend((child, len(boxes) - 1, inside) for child in reversed(sketch.children))
    return boxes


def _box(sketch: Sketch, above: Box | None, node: NodeId, parent: int, clip: Rect) -> Box:
    style = _style(sketch, above.style if above else PLAIN_STYLE)
    return Box(
        node=node,
        parent=parent,
        kind=sketch.kind,
        rect=sketch.rect,
        clip=clip,
        visible=sketch.visible and not clip.empty,
        style=style,
        backdrop=style.background or (above.backdrop if above else WHITE),
        lines=(sketch.rect,) if sketch.kind is BoxKind.TEXT else (),
        text=sketch.text,
    )


def _style(sketch: Sketch, above: Style) -> Style:
    if sketch.kind is BoxKind.TEXT:
        return above
    inherited = {name: getattr(above, name) for name in INHERITED}
    return replace(PLAIN_STYLE, **{**inherited, **dict(sketch.style)})


def page_of(html: str, url: str = "http://site.example/page.html") -> Page:
    """Parse a page."""
    return parse(RawPage(url, html.encode()))


def stencil_of(
    page: Page, areas: Iterable[tuple[NodeId, ...]] = (), *, key: str = "key"
) -> Stencil:
    """Make a stencil of a page whose areas hold the given nodes."""
    return Stencil(
        key=key,
        site=page.site,
        tree=page.tree,
        paths=page.paths,
        areas=tuple(Area(Rect(0.0, 0.0, 10.0, 10.0), nodes) for nodes in areas),
        made_by="test",
        made_from=page.url,
    )
