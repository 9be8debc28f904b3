"""A browser's snapshot to boxes: the node, geometry, clipping, visibility and backdrop of each."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from webstencil.geometry import Rect, bounding
from webstencil.model import NO_PARENT, ROOT, TEXT, Box, BoxKind, NodeId, Page, Tree, Viewport
from webstencil.render.looks import VISIBLE, WHITE_PAGE, BoxLook, Looks, color_of, cut_out

# Which node of the page is which node of the browser's snapshot.
#
# The browser gets the page with each element's number in an attribute, which comes back with the
# snapshot. Texts cannot be marked. A text is known by its nearest numbered ancestor and how many
# numbered elements precede it there: neither comments, nor elements that only the browser has, nor
# the pieces into which browsers break long texts change that.


NUMBER_ATTRIBUTE = "data-webstencil"
NO_NODE: NodeId = -1  # the number of what is not a node of the page
TEXT_TYPE = 3  # DOM standard, Node.TEXT_NODE
SILENT_ELEMENTS = frozenset({"SCRIPT", "STYLE", "TEMPLATE"})  # their texts are none of the page's

Position: TypeAlias = tuple[NodeId, int]  # nearest numbered ancestor, numbered elements before


def identify(page: Page, nodes: Mapping[str, Any], strings: Sequence[str]) -> list[NodeId]:
    """Return, for each node of the snapshot, its number on the page or `NO_NODE`."""
    numbers = stamps(page, nodes, strings)
    positions, texts, values = _text_positions(page), page.texts, nodes["nodeValue"]
    for position, indexes in _piece_positions(nodes, strings, numbers).items():
        here = positions.get(position, [])
        pieces = [strings[values[index]] for index in indexes]
        answers = pair(pieces, [texts[node] for node in here])
        for index, answer in zip(indexes, answers, strict=True):
            numbers[index] = NO_NODE if answer is None else here[answer]
    return numbers


def stamps(page: Page, nodes: Mapping[str, Any], strings: Sequence[str]) -> list[NodeId]:
    """Read the elements' numbers; a page can bring the attribute along, so they are checked."""
    numbers = [NO_NODE] * len(nodes["parentIndex"])
    if NUMBER_ATTRIBUTE not in strings:
        return numbers
    name = strings.index(NUMBER_ATTRIBUTE)
    tags, taken = page.tree.tags, set()
    for index, attributes in enumerate(nodes["attributes"]):
        if name in attributes[::2]:
            stamp = strings[attributes[2 * attributes[::2].index(name) + 1]]
            number = int(stamp) if stamp.isdecimal() else NO_NODE
            tag = strings[nodes["nodeName"][index]].lower()
            if 0 <= number < len(tags) and number not in taken and tags[number].lower() == tag:
                numbers[index] = number
                taken.add(number)
    return numbers


def _piece_positions(
    nodes: Mapping[str, Any], strings: Sequence[str], numbers: Sequence[NodeId]
) -> dict[Position, list[int]]:
    """List the snapshot's texts by their position on the page, without blank and silent ones."""
    kinds, names, values = nodes["nodeType"], nodes["nodeName"], nodes["nodeValue"]
    around: list[NodeId] = []  # nearest numbered node, the node itself included
    elements: dict[NodeId, int] = defaultdict(int)  # numbered ones met so far in each
    pieces: dict[Position, list[int]] = defaultdict(list)
    for index, parent in enumerate(nodes["parentIndex"]):
        number = numbers[index]
        outer = around[parent] if parent >= 0 else NO_NODE
        around.append(outer if number == NO_NODE else number)
        if number != NO_NODE:
            elements[outer] += 1
        elif (
            kinds[index] == TEXT_TYPE
            and not strings[values[index]].isspace()
            and strings[names[parent]] not in SILENT_ELEMENTS
        ):
            pieces[outer, elements[outer]].append(index)
    return pieces


def pair(pieces: Sequence[str], texts: Sequence[str]) -> list[int | None]:
    """Return, for each piece, the text that it is part of, None if of none; both come in order.

    White space does not count: parsers disagree about it at the start of some elements.
    """
    if pieces == texts:
        return list(range(len(texts)))
    squeezed = ["".join(text.split()) for text in texts]
    answers: list[int | None] = []
    last, used = 0, 0  # the text that the last piece was part of, and how much of it is used
    for piece in pieces:
        part = "".join(piece.split())
        rest = range(last, len(squeezed))
        found = next((i for i in rest if squeezed[i].startswith(part, used * (i == last))), None)
        if found is not None:
            used = len(part) + used * (found == last)
            last = found
        answers.append(found)
    return answers


def _text_positions(page: Page) -> dict[Position, list[NodeId]]:
    tree = page.tree
    positions: dict[Position, list[NodeId]] = defaultdict(list)
    elements = [0] * len(tree)
    for node, (tag, parent) in enumerate(zip(tree.tags, tree.parents, strict=True)):
        if tag == TEXT:
            positions[parent, elements[parent]].append(node)
        elif parent >= 0:
            elements[parent] += 1
    return positions


CONTROL_TAGS = frozenset({"input", "select", "textarea", "progress", "meter"})
MEDIA_TAGS = frozenset({"img", "svg", "video", "audio", "canvas", "iframe", "object", "embed"})
SEALED_TAGS = (CONTROL_TAGS | MEDIA_TAGS) - {
    "object"
}  # what lies in them has no box; an object may fall back
BREAKS = frozenset({"br", "wbr"})
FAINTEST = 0.05  # opacity; what is fainter is not seen
SCREEN_READER_SIDE = 1.0  # px; pages keep text for screen readers only in boxes of this size
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
    outermost = canvas(tree, laid, scrolled_page(snapshot), viewport)
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
            boxes.append(element_box(node, holder, here, around, _kind_of(tag)))
            insides.append(_inside(here, around, clips=node != window))
    return tuple(boxes)


def scrolled_page(snapshot: Mapping[str, Any]) -> Rect:
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
            laid[node] = NodeLayout(rect_of(layout["bounds"][index]), look)
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
        sealed.append(parent >= 0 and (sealed[parent] or tree.tags[parent] in SEALED_TAGS))
    return sealed


def _lines_by_layout(text_boxes: Mapping[str, Any]) -> dict[int, list[Rect]]:
    found: dict[int, list[Rect]] = defaultdict(list)
    for index, bounds in zip(text_boxes["layoutIndex"], text_boxes["bounds"], strict=True):
        found[index].append(rect_of(bounds))
    return {index: merge_lines(rects) for index, rects in found.items()}


def rect_of(bounds: Sequence[float]) -> Rect:
    """Return the rectangle that a snapshot gives as left, top, width, height."""
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
    backdrop = next((color.over(WHITE_PAGE) for color in colors if color.alpha), WHITE_PAGE)
    return Inside(whole, whole, whole, 1.0, str(backdrop), False)


def _kind_of(tag: str) -> BoxKind:
    return BoxKind.IMAGE if tag in CONTROL_TAGS or tag in MEDIA_TAGS else BoxKind.ELEMENT


def element_box(node: NodeId, parent: int, laid: NodeLayout, around: Inside, kind: BoxKind) -> Box:
    """Make the box of an element."""
    look = laid.look
    clip = _clip(laid.rect, _bounds(laid, around))
    dot = clip.width <= SCREEN_READER_SIDE and clip.height <= SCREEN_READER_SIDE
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
            look.visible
            and around.opacity >= FAINTEST
            and clip.width > SCREEN_READER_SIDE
            and clip.height > SCREEN_READER_SIDE
        ),
        style=look.underlined if underline else look.style,
        backdrop=around.backdrop,
        lines=laid.lines,
        text=" ".join(text.split()),
    )


def _inside(laid: NodeLayout, around: Inside, *, clips: bool = True) -> Inside:
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
