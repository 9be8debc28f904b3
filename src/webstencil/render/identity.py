"""Which node of the page is which node of the browser's snapshot.

The browser gets the page with each element's number in an attribute, which comes back with the
snapshot. Texts cannot be marked. A text is known by its nearest numbered ancestor and how many
numbered elements precede it there: neither comments, nor elements that only the browser has, nor
the pieces into which browsers break long texts change that.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from webstencil.model import TEXT, NodeId, Page

ATTRIBUTE = "data-webstencil"
NO_NODE: NodeId = -1  # the number of what is not a node of the page
TEXT_TYPE = 3  # DOM standard, Node.TEXT_NODE
SILENT = frozenset({"SCRIPT", "STYLE", "TEMPLATE"})  # their texts are none of the page's

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
    if ATTRIBUTE not in strings:
        return numbers
    name = strings.index(ATTRIBUTE)
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
            and strings[names[parent]] not in SILENT
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
