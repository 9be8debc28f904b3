"""Pages with hand-marked blocks, in the form of Kreuzer et al. (2013).

A folder holds a folder for each site, which holds a folder for each host. `X.dom.html` is a page;
`X.blocks.html` is the same page with `data-block="1"` or `"2"` (level) and `data-block-type` at the
elements that people marked as blocks. Segmenters must not see these attributes, so the first file
is rendered and the labels are carried over to it, node by node.

Scripts have changed some pages between the two: texts of `noscript` became elements, a `meta` is
gone. Then the nodes are aligned. Where less than half of the labels can be carried over, the first
file is another page; then the second one is rendered, with its labels removed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from difflib import SequenceMatcher
from pathlib import Path

from webstencil.errors import ParseError, SourceError
from webstencil.evaluate.floors import digest
from webstencil.evaluate.labelled_data import LeftOut, nobody
from webstencil.markup import attribute
from webstencil.markup.parse import parse
from webstencil.model import NodeId, Page, RawPage
from webstencil.sources.folder import Folder

PLAIN, LABELLED = ".dom.html", ".blocks.html"  # how the names of the two files of a page end
LEVEL, KIND = "data-block", "data-block-type"
LEVELS = (1, 2)
ATTRIBUTES = re.compile(rb"""\sdata-block(-type)?=("[^"]*"|'[^']*'|[^\s>]*)""")
SAME_PAGE = 0.5  # share of the labels; 40 of 42 pages of the popular set reach 1, two are below 0.2


@dataclass(frozen=True, slots=True)
class BlockLabel:
    """What people marked at a node."""

    node: NodeId
    levels: tuple[int, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page without labels, and its labels."""

    name: str
    page: Page
    source: Folder
    labels: tuple[BlockLabel, ...]
    lost: int = 0  # labels that could not be carried over
    swapped: bool = False  # rendered is the file with the labels, after they were removed


def read_pages(folder: Path, left_out: LeftOut = nobody) -> Iterator[LabelledPage]:
    """Read the labelled pages below a folder, in the order of their names."""
    top = folder.resolve()
    files = sorted(top.rglob(f"*{PLAIN}"))
    if not files:
        raise SourceError(f"{folder} has no page X{PLAIN} with its X{LABELLED}")
    for file in files:
        inside = file.relative_to(top).parts
        source = Folder(top / inside[0] if len(inside) > 2 else top)
        name = "/".join(inside).removesuffix(PLAIN)
        try:
            yield read_page(name, file, source)
        except ParseError:
            left_out(name)


def read_page(name: str, file: Path, source: Folder) -> LabelledPage:
    """Read a page and the labels of its twin."""
    twin = file.with_name(file.name.removesuffix(PLAIN) + LABELLED)
    if not twin.is_file():
        raise SourceError(f"{twin} is missing; it holds the labels of {file}")
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
    """Move labels from one page to another, except those of nodes that are not on it."""
    if labelled.tree == page.tree:
        return tuple(labels)
    aligned = align(words(labelled), words(page))
    return tuple(
        BlockLabel(aligned[label.node], label.levels, label.kind)
        for label in labels
        if label.node in aligned
    )


def words(page: Page) -> list[tuple[str, str]]:
    """Describe each node: an element by its tag and id, a text by its letters."""
    tree = page.tree
    return [
        (tag, name or "".join(text.split()))
        for tag, name, text in zip(tree.tags, tree.ids, page.texts, strict=True)
    ]


def align(ours: Sequence[tuple[str, str]], theirs: Sequence[tuple[str, str]]) -> dict[int, int]:
    """Return the index in the second list of entries of the first.

    Between equal stretches of the same length, entries with the same tag count as the same.
    """
    aligned: dict[int, int] = {}
    for change, i, i_end, j, j_end in SequenceMatcher(
        None, ours, theirs, autojunk=False
    ).get_opcodes():
        if change == "equal" or i_end - i == j_end - j:
            aligned.update(
                (i + step, j + step)
                for step in range(i_end - i)
                if ours[i + step][0] == theirs[j + step][0]
            )
    return aligned


def corpus(pages: Sequence[LabelledPage]) -> str:
    """Hash the pages and their labels; style sheets and images are not hashed."""
    return digest(
        piece
        for page in pages
        for piece in (repr((page.name, *map(astuple, page.labels))).encode(), page.page.body)
    )
