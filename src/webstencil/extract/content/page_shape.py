"""How the blocks of a page hold its runs: containers, places, repeated blocks, sections.

A container of a run is a block around it that holds more than the blocks in it do. The place of
a run is the chain of tags and classes from the root to its block: cards, posts and rows of one kind
have one place.
"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from webstencil.extract.content.text_runs import NO_BLOCK, TextRuns

LEVELS = 6  # containers of a run that are looked at, the nearest first
REPEATED = 2  # containers of a run whose repetitions are counted
LONGEST_CLASSES = 200  # characters of a class attribute that tell blocks apart
STATES = frozenset(  # classes that tell one of several equal blocks
    ["odd", "even", "first", "last", "active", "current", "open", "selected", "hover"]
)
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
LISTS = frozenset({"li", "ul", "ol", "dd", "dt"})
CELLS = frozenset({"td", "th", "tr"})

Array: TypeAlias = NDArray[Any]

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class PageShape:
    """How the blocks of a page hold its runs."""

    containers: Array  # of the blocks: LEVELS of them, NO_BLOCK beyond the outermost
    repeats: Array  # of the blocks: times that the block and its nearest containers are repeated
    of_blocks: list[int]  # the places of the blocks
    places: list[int]  # of the runs
    sections: list[int]  # of the runs: the number of headings so far
    headings: list[int]  # of the runs: the last heading's run, NO_BLOCK before the first


def shape(runs: TextRuns) -> PageShape:
    """Return how the blocks of a page hold its runs."""
    of_blocks = block_places(runs)
    times = Counter(zip(runs.parents, of_blocks, strict=True))
    repeated = [times[key] for key in zip(runs.parents, of_blocks, strict=True)]
    wider, most = _wider(runs, repeated)
    containers = _containers(runs, np.array([*wider, NO_BLOCK]))
    often = np.array([*most, 1])  # the last is of NO_BLOCK
    repeats = np.column_stack([often[:-1], *often[containers[:, :REPEATED].T]])
    sections, headings = _sections(runs)
    places = [of_blocks[block] for block in runs.blocks]
    return PageShape(containers, repeats, of_blocks, places, sections, headings)


def _containers(runs: TextRuns, wider: Array) -> Array:
    """Return the containers of each block; a block with several runs is its own first."""
    many = np.array(runs.ends) - np.array(runs.starts) > 1
    around = np.where(many, np.arange(len(runs.tags)), wider[:-1])
    found = [around]
    while len(found) < LEVELS:
        found.append(wider[found[-1]])
    return np.column_stack(found)


def block_places(runs: TextRuns) -> list[int]:
    """Number the places of the blocks."""
    kinds = [(one.tag, _classes_of(one.classes[:LONGEST_CLASSES])) for one in runs.names]
    numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
    own = [numbers[kind] for kind in kinds]
    known: dict[tuple[int, int], int] = {}
    placed: list[int] = []
    for parent, names in zip(runs.parents, runs.named, strict=True):
        key = (placed[parent] if parent >= 0 else NO_BLOCK, own[names])
        placed.append(known.setdefault(key, len(known)))
    return placed


def _classes_of(written: str) -> frozenset[str]:
    """Return the classes of an element without numbers and states."""
    return frozenset(_NUMBER.sub("0", written.lower()).split()) - STATES


def _wider(runs: TextRuns, repeated: list[int]) -> tuple[list[int], list[int]]:
    """Return the next block around each that holds more runs, and how often what it holds comes.

    Blocks that hold the same runs count as one.
    """
    starts, ends = runs.starts, runs.ends
    wider: list[int] = []
    most = list(repeated)
    for block, parent in enumerate(runs.parents):
        same = parent >= 0 and starts[parent] == starts[block] and ends[parent] == ends[block]
        wider.append(wider[parent] if same else parent)
        if same and most[parent] > most[block]:
            most[block] = most[parent]
    return wider, most


def _sections(runs: TextRuns) -> tuple[list[int], list[int]]:
    """Return the section of each run, and its heading."""
    blocks = np.array(runs.blocks)
    heads = np.array([tag in HEADINGS for tag in (*runs.tags, "")])  # the last is of NO_BLOCK
    begins = heads[blocks] | heads[np.array(runs.parents)[blocks]]
    headings = np.maximum.accumulate(np.where(begins, np.arange(len(runs)), NO_BLOCK))
    return np.cumsum(begins).tolist(), headings.tolist()
