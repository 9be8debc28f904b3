"""Pages with hand-marked blocks, in the form of Kreuzer et al. (2013).

A folder holds a folder for each site, which holds a folder for each host. `X.dom.html` is a page;
`X.blocks.html` is the same page with `data-block="1"` or `"2"` (level) and `data-block-type` at the
elements that people took for blocks. Segmenters must not see these attributes, so the former is
painted and the labels are carried over to it, node by node.

Scripts have changed some pages between the two: texts of `noscript` became elements, a `meta` is
gone. The nodes are aligned then. Where less than half of the labels can be carried over, the first
file holds another page; then the second one, with its labels removed, is painted.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from webstencil.errors import SourceError
from webstencil.evaluate.floors import digest
from webstencil.markup import attribute
from webstencil.markup.parse import parse
from webstencil.model import NodeId, Page, RawPage
from webstencil.sources import Folder

PLAIN, LABELLED = ".dom.html", ".blocks.html"  # how the names of the two files of a page end
LEVEL, KIND = "data-block", "data-block-type"
LEVELS = (1, 2)
ATTRIBUTES = re.compile(rb"""\sdata-block(-type)?=("[^"]*"|'[^']*'|[^\s>]*)""")
SAME_PAGE = 0.5  # share of the labels; 40 of 42 pages of the popular set reach 1, two are below 0.2


@dataclass(frozen=True, slots=True)
class BlockLabel:
    """What people said about a node."""

    node: NodeId
    levels: tuple[int, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page without, and its labels."""

    name: str
    page: Page
    source: Folder
    labels: tuple[BlockLabel, ...]
    lost: int = 0  # labels that could not be carried over
    swapped: bool = False  # painted is the file with the labels, after they were removed


def read_pages(folder: Path) -> Iterator[LabelledPage]:
    """Read the labelled pages below a folder, in the order of their names."""
    files = sorted(folder.rglob(f"*{PLAIN}"))
    if not files:
        raise SourceError(f"no page X{PLAIN} with its X{LABELLED} lies below {folder}")
    for file in files:
        inside = file.relative_to(folder).parts
        source = Folder(folder / inside[0] if len(inside) > 2 else folder)
        name = "/".join(inside).removesuffix(PLAIN)
        yield read_page(name, file, source)


def read_page(name: str, file: Path, source: Folder) -> LabelledPage:
    """Read a page and the labels of its twin."""
    twin = file.with_name(file.name.removesuffix(PLAIN) + LABELLED)
    if not twin.is_file():
        raise SourceError(f"{twin} is missing: it has the labels of {file}")
    page = parse(RawPage(source.address(file), file.read_bytes(), origin=str(file)))
    body = twin.read_bytes()
    labelled = parse(RawPage(page.url, body, origin=str(twin)))
    labels = tuple(labels_of(labelled))
    carried = carry(labels, labelled, page)
    if len(carried) >= SAME_PAGE * len(labels):
        return LabelledPage(name, page, source, carried, lost=len(labels) - len(carried))
    bare = parse(RawPage(page.url, ATTRIBUTES.sub(b"", body), origin=str(twin)))
    return LabelledPage(name, bare, source, labels, swapped=True)


def labels_of(page: Page) -> Iterator[BlockLabel]:
    """Yield the labels in a page, in document order."""
    for number, node in enumerate(page.markup.nodes(range(len(page.tree)))):
        levels = tuple(int(word) for word in attribute(node, LEVEL).split() if word.isdecimal())
        if levels:
            yield BlockLabel(number, levels, attribute(node, KIND))


def carry(labels: Sequence[BlockLabel], labelled: Page, page: Page) -> tuple[BlockLabel, ...]:
    """Move labels from one page to another, leaving out those of nodes that are not on it."""
    if labelled.tree == page.tree:
        return tuple(labels)
    places = align(words(labelled), words(page))
    return tuple(
        BlockLabel(places[label.node], label.levels, label.kind)
        for label in labels
        if label.node in places
    )


def words(page: Page) -> list[tuple[str, str]]:
    """Describe each node: an element by its tag and id, a text by its letters."""
    tree = page.tree
    return [
        (tag, name or "".join(text.split()))
        for tag, name, text in zip(tree.tags, tree.ids, page.texts, strict=True)
    ]


def align(ours: Sequence[tuple[str, str]], theirs: Sequence[tuple[str, str]]) -> dict[int, int]:
    """Return where the entries of the first list are in the second.

    Between equal stretches of the same length, entries with the same tag are taken for the same.
    """
    places: dict[int, int] = {}
    for change, i, i_end, j, j_end in SequenceMatcher(
        None, ours, theirs, autojunk=False
    ).get_opcodes():
        if change == "equal" or i_end - i == j_end - j:
            places.update(
                (i + step, j + step)
                for step in range(i_end - i)
                if ours[i + step][0] == theirs[j + step][0]
            )
    return places


def corpus(pages: Sequence[LabelledPage]) -> str:
    """Hash what scores depend on, save for style sheets and images: the pages and their labels."""
    return digest(
        piece
        for page in pages
        for piece in (repr((page.name, page.labels)).encode(), page.page.body)
    )
