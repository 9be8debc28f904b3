"""A browser's snapshot to boxes: geometry, clipping, visibility and backdrop of each node."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from webstencil.geometry import Rect, bounding
from webstencil.model import NO_PARENT, ROOT, TEXT, Box, BoxKind, NodeId, Page, Tree, Viewport
from webstencil.render.colors import WHITE, color_of
from webstencil.render.identity import NO_NODE, identify
from webstencil.render.looks import VISIBLE, BoxLook, Looks, cut_out

CONTROLS = frozenset({"input", "select", "textarea", "progress", "meter"})
MEDIA = frozenset({"img", "svg", "video", "audio", "canvas", "iframe", "object", "embed"})
SEALED = (CONTROLS | MEDIA) - {"object"}  # what lies in them has no box; an object may fall back
BREAKS = frozenset({"br", "wbr"})
FAINTEST = 0.05  # opacity; what is fainter is not seen
DOT = 1.0  # px; pages keep text for screen readers only in boxes of this size
UNREACHABLE = frozenset({"hidden", "clip"})  # overflow that cannot be scrolled to
TOUCHING = 1.0  # px; pieces of one line of text lie that close


@dataclass(frozen=True, slots=True)
class NodeLayout:
    """What the browser has laid out of one node."""

    rect: Rect
    look: BoxLook
    lines: tuple[Rect, ...] = ()


@dataclass(frozen=True, slots=True)
class Inside:
    """What a box does to the boxes in it."""

    flow: Rect  # clips what follows the flow
    absolute: Rect  # clips absolutely positioned boxes
    fixed: Rect  # clips boxes fixed to the window
    opacity: float  # 0..1
    backdrop: str
    underline: bool


def make_boxes(page: Page, snapshot: Mapping[str, Any], viewport: Viewport) -> tuple[Box, ...]:
    """Return the boxes of a page's nodes in document order."""
    tree, texts = page.tree, page.texts
    laid = read_laid(page, snapshot["documents"][0], snapshot["strings"])
    window = scroller(tree, laid)
    outermost = canvas(tree, laid, whole_page(snapshot), viewport)
    boxes: list[Box] = []
    insides: list[Inside] = []
    holders: list[int] = []  # index of the box of each node, or of its nearest ancestor with one
    for node, (tag, parent) in enumerate(zip(tree.tags, tree.parents, strict=True)):
        holder = holders[parent] if parent >= 0 else NO_PARENT
        here = laid.get(node)
        if here is None:
            holders.append(holder)
            continue
        around = insides[holder] if holder >= 0 else outermost
        holders.append(len(boxes))
        if holder >= 0 and boxes[holder].kind is BoxKind.IMAGE:  # an object that falls back
            boxes[holder] = replace(boxes[holder], kind=BoxKind.ELEMENT)
        if tag == TEXT:
            boxes.append(text_box(node, holder, here, around, texts[node]))
            insides.append(around)
        else:
            boxes.append(element_box(node, holder, here, around, kind_of(tag)))
            insides.append(inside(here, around, clips=node != window))
    return tuple(boxes)


def whole_page(snapshot: Mapping[str, Any]) -> Rect:
    """Return the rectangle of everything that can be scrolled to."""
    rendered = snapshot["documents"][0]
    return Rect(0.0, 0.0, float(rendered["contentWidth"]), float(rendered["contentHeight"]))


def read_laid(
    page: Page, rendered: Mapping[str, Any], strings: Sequence[str]
) -> dict[NodeId, NodeLayout]:
    """Return what is laid out of the nodes that get a box."""
    tree, layout = page.tree, rendered["layout"]
    numbers = identify(page, rendered["nodes"], strings)
    sealed = _sealed(tree)
    lines = _lines_by_layout(rendered["textBoxes"])
    looks = Looks(strings)
    laid: dict[NodeId, NodeLayout] = {}
    for index, number in enumerate(layout["nodeIndex"]):
        node = numbers[number]
        if node == NO_NODE or sealed[node] or tree.tags[node] in BREAKS:
            continue
        look = looks.read(layout["styles"][index])
        if tree.tags[node] != TEXT:
            laid[node] = NodeLayout(_rect(layout["bounds"][index]), look)
        elif index in lines:
            before = laid[node].lines if node in laid else ()
            pieces = (*before, *lines[index])
            laid[node] = NodeLayout(
                bounding(pieces) if len(pieces) > 1 else pieces[0], look, pieces
            )
    return laid


def _sealed(tree: Tree) -> list[bool]:
    """Return, for each node, whether it lies in something that is rendered as a whole."""
    sealed: list[bool] = []
    for parent in tree.parents:
        sealed.append(parent >= 0 and (sealed[parent] or tree.tags[parent] in SEALED))
    return sealed


def _lines_by_layout(text_boxes: Mapping[str, Any]) -> dict[int, list[Rect]]:
    found: dict[int, list[Rect]] = defaultdict(list)
    for index, bounds in zip(text_boxes["layoutIndex"], text_boxes["bounds"], strict=True):
        found[index].append(_rect(bounds))
    return {index: merge_lines(rects) for index, rects in found.items()}


def _rect(bounds: Sequence[float]) -> Rect:
    left, top, width, height = bounds
    return Rect(float(left), float(top), float(left + width), float(top + height))


def merge_lines(pieces: Iterable[Rect]) -> list[Rect]:
    """Join the pieces of each line: the browser breaks lines where white space has collapsed."""
    lines: list[Rect] = []
    for piece in pieces:
        last = lines[-1] if lines else None
        if last and last.top == piece.top and last.bottom == piece.bottom and _touch(last, piece):
            left, right = min(last.left, piece.left), max(last.right, piece.right)
            lines[-1] = Rect(left, last.top, right, last.bottom)
        else:
            lines.append(piece)
    return lines


def _touch(one: Rect, other: Rect) -> bool:
    """Return whether two pieces meet end to end, in either direction of writing."""
    return abs(other.left - one.right) <= TOUCHING or abs(one.left - other.right) <= TOUCHING


def scroller(tree: Tree, laid: Mapping[NodeId, NodeLayout]) -> NodeId:
    """Return the node whose overflow is the window's (CSS Overflow 3, section 3.3)."""
    for node in _root_and_body(tree):
        if node in laid and laid[node].look.overflow != VISIBLE:
            return node
    return NO_NODE


def _root_and_body(tree: Tree) -> Iterable[NodeId]:
    return (ROOT, *(node for node, tag in enumerate(tree.tags) if tag == "body"))[:2]


def canvas(
    tree: Tree, laid: Mapping[NodeId, NodeLayout], whole: Rect, viewport: Viewport
) -> Inside:
    """Return what surrounds the root's box.

    Its colour is the root's or, if that has none, the body's (CSS Backgrounds 3, section 2.11).
    """
    window = laid.get(scroller(tree, laid))
    if window and window.look.overflow[0] in UNREACHABLE:
        whole = replace(whole, right=min(whole.right, float(viewport.width)))
    colors = (laid[node].look.background for node in _root_and_body(tree) if node in laid)
    backdrop = next((color.over(WHITE) for color in colors if color.alpha), WHITE)
    return Inside(whole, whole, whole, 1.0, str(backdrop), False)


def kind_of(tag: str) -> BoxKind:
    return BoxKind.IMAGE if tag in CONTROLS or tag in MEDIA else BoxKind.ELEMENT


def element_box(node: NodeId, parent: int, laid: NodeLayout, around: Inside, kind: BoxKind) -> Box:
    """Make the box of an element."""
    look = laid.look
    clip = _clip(laid.rect, _bounds(laid, around))
    dot = clip.width <= DOT and clip.height <= DOT
    return Box(
        node=node,
        parent=parent,
        kind=kind,
        rect=laid.rect,
        clip=clip,
        visible=(
            look.visible and around.opacity * look.opacity >= FAINTEST and not (dot or clip.empty)
        ),
        style=look.underlined if _underline(look, around) else look.style,
        backdrop=_backdrop(look, around),
    )


def text_box(node: NodeId, parent: int, laid: NodeLayout, around: Inside, text: str) -> Box:
    """Make the box of a text; its look is that of the element it stands in."""
    look = laid.look
    clip = _clip(laid.rect, around.flow)
    underline = around.underline or look.style.underline
    return Box(
        node=node,
        parent=parent,
        kind=BoxKind.TEXT,
        rect=laid.rect,
        clip=clip,
        visible=(
            look.visible and around.opacity >= FAINTEST and clip.width > DOT and clip.height > DOT
        ),
        style=look.underlined if underline else look.style,
        backdrop=around.backdrop,
        lines=laid.lines,
        text=" ".join(text.split()),
    )


def inside(laid: NodeLayout, around: Inside, *, clips: bool = True) -> Inside:
    """Return what surrounds the boxes in an element's box."""
    look = laid.look
    if look.plain and not (around.underline and look.starts_decoration):
        return around
    bounds = _bounds(laid, around)
    flow = _padding_clip(laid, bounds) if clips and look.overflow != VISIBLE else bounds
    holds = look.transformed or look.position != "static"
    return Inside(
        flow=flow,
        absolute=flow if holds else _outer(around.absolute, laid, bounds),
        fixed=flow if look.transformed else _outer(around.fixed, laid, bounds),
        opacity=around.opacity * look.opacity,
        backdrop=_backdrop(look, around),
        underline=_underline(look, around),
    )


def _bounds(laid: NodeLayout, around: Inside) -> Rect:
    """Return what the ancestors of a box and its own clip property leave visible."""
    position = laid.look.position
    bounds = around.flow
    if position == "absolute":
        bounds = around.absolute
    elif position == "fixed":
        bounds = around.fixed
    return cut_out(laid.look.cut, laid.rect).clip(bounds) if laid.look.cut else bounds


def _clip(rect: Rect, bounds: Rect) -> Rect:
    return rect if bounds.contains(rect) else rect.clip(bounds)


def _outer(clip: Rect, laid: NodeLayout, bounds: Rect) -> Rect:
    """Return the clip of boxes that are held by an ancestor of this box; its cut applies to all."""
    return clip.clip(bounds) if laid.look.cut else clip


def _padding_clip(laid: NodeLayout, bounds: Rect) -> Rect:
    """Return the bounds without what the box's overflow hides: all outside its borders."""
    across, down = (overflow != "visible" for overflow in laid.look.overflow)
    top, right, bottom, left = laid.look.style.border
    rect = laid.rect
    padding = Rect(
        rect.left + left if across else bounds.left,
        rect.top + top if down else bounds.top,
        rect.right - right if across else bounds.right,
        rect.bottom - bottom if down else bounds.bottom,
    )
    return padding.clip(bounds)


def _backdrop(look: BoxLook, around: Inside) -> str:
    if look.background.alpha == 0:
        return around.backdrop
    if look.background.alpha >= 1:
        return look.style.background
    return str(look.background.over(color_of(around.backdrop)))


def _underline(look: BoxLook, around: Inside) -> bool:
    return look.style.underline or (around.underline and not look.starts_decoration)
