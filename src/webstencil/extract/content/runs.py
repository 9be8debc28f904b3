"""Page to runs of text, in one walk over the parsed page.

A run is the inline text between two borders of blocks (or `br`), white space collapsed, in document
order: a phrase that inline markup divides stays whole. Blocks are the elements of the list of
ContentExtractor with those that later HTML brought and without `span`; only blocks with text in
them are kept.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from webstencil.markup import Element, Markup, Node, Text, attribute, tag

UNREAD = frozenset(  # elements whose text is no part of what a reader reads
    [
        "noscript",
        "head",
        "title",
        "svg",
        "math",
        "iframe",
        "object",
        "select",
        "option",
        "datalist",
        "textarea",
        "button",
        "input",
        "audio",
        "video",
        "canvas",
        "map",
        "script",
        "style",
        "template",
    ]
)
BLOCKS = frozenset(
    [
        "html",
        "body",
        "table",
        "tr",
        "hr",
        "ul",
        "p",
        "div",
        "section",
        "article",
        "main",
        "header",
        "footer",
        "nav",
        "aside",
        "li",
        "ol",
        "dl",
        "dt",
        "dd",
        "td",
        "th",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "blockquote",
        "pre",
        "figure",
        "figcaption",
        "details",
        "summary",
        "form",
        "tbody",
        "thead",
        "tfoot",
        "center",
        "address",
        "fieldset",
        "caption",
    ]
)
NO_BLOCK = -1

LINKED, BOLD, HIDDEN = 1, 2, 4  # what an element makes of the text in it
FLAGS = {"a": LINKED, "b": BOLD, "strong": BOLD} | dict.fromkeys(UNREAD, HIDDEN)

_CONCEALED = re.compile(r"(?i)display\s*:\s*none|visibility\s*:\s*hidden")
_run_of = itemgetter(0, 1)

Piece = tuple[int, int, int, Text]  # block, number of borders before it, flags, text node


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs of a page and the blocks around them, as columns."""

    texts: list[str]
    lengths: list[int]  # units: characters, but up to 5/3 for those of dense scripts
    links: list[int]  # units of a run inside links
    bolds: list[int]  # characters of a run that are bold
    nodes: list[tuple[Text, ...]]  # of a run
    blocks: list[int]  # the nearest block around a run
    elements: list[Node]  # of the blocks; parents come before children
    tags: list[str]  # of the blocks
    parents: list[int]  # of the blocks: the block around, NO_BLOCK at the top
    names: list[str]  # of the blocks: classes, id, role and the like

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True, slots=True)
class _Elements:
    """The elements of a page, as columns."""

    nodes: list[Node]
    parents: list[int]
    blocks: list[int]  # the nearest element that is a block, itself included


def flatten(markup: Markup) -> Runs:
    """List the runs of a page."""
    pieces, elements = _walk(markup)
    texts: list[str] = []
    lengths: list[int] = []
    links: list[int] = []
    bolds: list[int] = []
    nodes: list[tuple[Text, ...]] = []
    owners: list[int] = []
    for (owner, _), group in groupby(pieces, _run_of):
        run = list(group)
        text = " ".join("".join([node.data for _, _, _, node in run]).split())
        if text:
            length = units(text)
            texts.append(text)
            lengths.append(length)
            links.append(min(length, _characters(run, LINKED)))
            bolds.append(_characters(run, BOLD))
            nodes.append(tuple([node for _, _, _, node in run]))
            owners.append(owner)
    order = _blocks_around(owners, elements)
    places = {element: place for place, element in enumerate(order)}
    blocks = [elements.nodes[element] for element in order]
    parents = [_place_above(element, places, elements) for element in order]
    tags = list(map(tag, blocks))
    names = list(map(_names, blocks))
    return Runs(
        texts=texts,
        lengths=lengths,
        links=links,
        bolds=bolds,
        nodes=nodes,
        blocks=[places[owner] for owner in owners],
        elements=blocks,
        tags=tags,
        parents=parents,
        names=names,
    )


def units(text: str) -> int:
    """Measure a text so that languages compare: three Chinese characters are like five letters."""
    if text.isascii():
        return len(text)
    return (len(text.encode("utf-8", "replace")) + 2 * len(text)) // 3


def _walk(markup: Markup) -> tuple[list[Piece], _Elements]:
    """List the texts, each with its block and how many borders come before it."""
    pieces: list[Piece] = []
    nodes: list[Node] = []
    parents: list[int] = []
    blocks: list[int] = []
    flags: list[int] = []
    numbers: dict[Node | None, int] = {}
    borders = 0
    for node in (markup.root, *markup.root.descendants):
        parent = numbers.get(node.parent, NO_BLOCK)
        if type(node) is Text:
            if parent >= 0 and flags[parent] < HIDDEN:
                piece = (blocks[parent], borders, flags[parent], node)
                if not node.data.isspace() or (pieces and pieces[-1][:2] == piece[:2]):
                    pieces.append(piece)
            continue
        if not isinstance(node, Element):
            continue
        name = node.tag
        number = numbers[node] = len(nodes)
        nodes.append(node)
        parents.append(parent)
        flag = flags[parent] if parent >= 0 else 0
        if name in BLOCKS or parent < 0:
            borders += 1
            blocks.append(number)
        else:
            blocks.append(blocks[parent])
            borders += name == "br"
            flag |= FLAGS.get(name, 0)
        flags.append(flag)
    return pieces, _Elements(nodes, parents, blocks)


def _characters(run: Iterable[Piece], flag: int) -> int:
    return sum([units(node.data.strip()) if how & flag else 0 for _, _, how, node in run])


def _blocks_around(owners: Iterable[int], elements: _Elements) -> list[int]:
    """List the blocks that have text in them, parents before children."""
    known: set[int] = set()
    order: list[int] = []
    for owner in owners:
        chain = []
        block = owner
        while block >= 0 and block not in known:
            chain.append(block)
            parent = elements.parents[block]
            block = elements.blocks[parent] if parent >= 0 else NO_BLOCK
        order += reversed(chain)
        known.update(chain)
    return order


def _place_above(element: int, places: dict[int, int], elements: _Elements) -> int:
    parent = elements.parents[element]
    return places[elements.blocks[parent]] if parent >= 0 else NO_BLOCK


def _names(node: Node) -> str:
    """Write the classes, the id and what else names an element: `wide entry #main @role`."""
    attributes = node.attrs if isinstance(node, Element) else {}
    if not attributes:
        return ""
    written = attribute(node, "class")
    for sign, name in (("#", "id"), ("@", "role"), ("@", "itemprop")):
        value = attribute(node, name)
        if value:
            written += f" {sign}{value}"
    style = attribute(node, "style")
    hidden = "hidden" in attributes or attribute(node, "aria-hidden") == "true"
    return f"{written} @hidden" if hidden or (style and _CONCEALED.search(style)) else written
