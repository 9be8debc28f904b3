"""Which node of the page is which node of the browser's snapshot.

The page is given to the browser with each element's number in an attribute, which comes back with
the snapshot. Texts cannot be marked. A text is known by its nearest numbered ancestor and the
number of numbered elements before it therein: that is immune to comments, to elements which only
the browser has, and to the pieces into which browsers break long texts.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from webstencil.model import TEXT, NodeId, Page

ATTRIBUTE = "data-webstencil"
NOBODY: NodeId = -1  # the number of what is not a node of the page
TEXT_TYPE = 3  # DOM standard, Node.TEXT_NODE
SILENT = frozenset({"SCRIPT", "STYLE", "TEMPLATE"})  # their texts are none of the page's

Place: TypeAlias = tuple[NodeId, int]  # nearest numbered ancestor, numbered elements before


def identify(page: Page, nodes: Mapping[str, Any], strings: Sequence[str]) -> list[NodeId]:
    """Return, for each node of the snapshot, its number on the page or `NOBODY`."""
    numbers = _stamps(page, nodes, strings)
    places, texts, values = _text_places(page), page.texts, nodes["nodeValue"]
    for place, indexes in _piece_places(nodes, strings, numbers).items():
        here = places.get(place, [])
        pieces = [strings[values[index]] for index in indexes]
        answers = pair(pieces, [texts[node] for node in here])
        for index, answer in zip(indexes, answers, strict=True):
            numbers[index] = NOBODY if answer is None else here[answer]
    return numbers


def _stamps(page: Page, nodes: Mapping[str, Any], strings: Sequence[str]) -> list[NodeId]:
    """Read the elements' numbers; a page can bring the attribute along, so they are checked."""
    numbers = [NOBODY] * len(nodes["parentIndex"])
    if ATTRIBUTE not in strings:
        return numbers
    name = strings.index(ATTRIBUTE)
    tags, taken = page.tree.tags, set()
    for index, attributes in enumerate(nodes["attributes"]):
        if name in attributes[::2]:
            stamp = strings[attributes[2 * attributes[::2].index(name) + 1]]
            number = int(stamp) if stamp.isdecimal() else NOBODY
            tag = strings[nodes["nodeName"][index]].lower()
            if 0 <= number < len(tags) and number not in taken and tags[number].lower() == tag:
                numbers[index] = number
                taken.add(number)
    return numbers


def _piece_places(
    nodes: Mapping[str, Any], strings: Sequence[str], numbers: Sequence[NodeId]
) -> dict[Place, list[int]]:
    """List the snapshot's texts by their place on the page, but not blank or silent ones."""
    kinds, names, values = nodes["nodeType"], nodes["nodeName"], nodes["nodeValue"]
    around: list[NodeId] = []  # nearest numbered node, the node itself included
    elements: dict[NodeId, int] = defaultdict(int)  # numbered ones met so far in each
    pieces: dict[Place, list[int]] = defaultdict(list)
    for index, parent in enumerate(nodes["parentIndex"]):
        number = numbers[index]
        outer = around[parent] if parent >= 0 else NOBODY
        around.append(outer if number == NOBODY else number)
        if number != NOBODY:
            elements[outer] += 1
        elif (
            kinds[index] == TEXT_TYPE
            and not strings[values[index]].isspace()
            and strings[names[parent]] not in SILENT
        ):
            pieces[outer, elements[outer]].append(index)
    return pieces


def pair(pieces: Sequence[str], texts: Sequence[str]) -> list[int | None]:
    """Tell for each piece which text it is part of, None if of none; both come in order.

    White space does not count: parsers disagree about it at the start of some elements.
    """
    if pieces == texts:
        return list(range(len(texts)))
    squeezed = ["".join(text.split()) for text in texts]
    answers: list[int | None] = []
    place, used = 0, 0  # the text that the last piece was part of, and how much of it is used
    for piece in pieces:
        part = "".join(piece.split())
        rest = range(place, len(squeezed))
        found = next((i for i in rest if squeezed[i].startswith(part, used * (i == place))), None)
        if found is not None:
            used = len(part) + used * (found == place)
            place = found
        answers.append(found)
    return answers


def _text_places(page: Page) -> dict[Place, list[NodeId]]:
    tree = page.tree
    places: dict[Place, list[NodeId]] = defaultdict(list)
    elements = [0] * len(tree)
    for node, (tag, parent) in enumerate(zip(tree.tags, tree.parents, strict=True)):
        if tag == TEXT:
            places[parent, elements[parent]].append(node)
        elif parent >= 0:
            elements[parent] += 1
    return places
