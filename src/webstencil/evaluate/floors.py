"""Scores that may not fall.

A file of floors has the digest of the pages they were measured on, so that a change of the pages is
not taken for a change of the segmenters, and for each method, grain and measure the least mean F.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import floor
from pathlib import Path

from webstencil.errors import SourceError
from webstencil.evaluate.segmentation import BASELINES, Row

MEASURES = ("nodes", "characters", "pixels")
STEPS = 100  # a floor is the measured F, rounded down to 1/100: fonts and browsers differ a little


@dataclass(frozen=True, slots=True)
class Floors:
    """The least scores."""

    corpus: str  # digest of the pages
    scores: dict[str, dict[str, dict[str, float]]]  # by method, grain and measure


def read_floors(file: Path) -> Floors:
    """Read floors; raise `SourceError` if the file has none."""
    try:
        known = json.loads(file.read_text())
        return Floors(known["corpus"], known["scores"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise SourceError(f"{file} has no floors of scores: {error}") from error


def write_floors(floors: Floors) -> str:
    """Write floors as they are kept in a file."""
    return json.dumps({"corpus": floors.corpus, "scores": floors.scores}, indent=2) + "\n"


def floors_of(corpus: str, rows: Iterable[Row]) -> Floors:
    """Make floors of measured scores."""
    scores: dict[str, dict[str, dict[str, float]]] = {}
    for row in rows:
        if row.method not in BASELINES and row.method != "by hand":
            low = {name: floor(measured(row, name) * STEPS) / STEPS for name in MEASURES}
            scores.setdefault(row.method, {})[row.grain] = low
    return Floors(corpus, scores)


def below(floors: Floors, corpus: str, rows: Iterable[Row]) -> Iterator[str]:
    """Tell, one sentence each, what fell below its floor, or was not measured at all."""
    if floors.corpus != corpus:
        yield f"the floors were measured on the pages {floors.corpus}, not on {corpus}"
        return
    found = {(row.method, row.grain): row for row in rows}
    for method, grains in floors.scores.items():
        for grain, scores in grains.items():
            row = found.get((method, grain))
            if row is None:
                yield f"{method} was not measured at grain {grain}"
                continue
            for name, least in scores.items():
                if measured(row, name) < least:
                    yield f"{method}, grain {grain}, {name}: F {measured(row, name):.3f} < {least}"


def measured(row: Row, name: str) -> float:
    """Return the mean F of a measure."""
    return {"nodes": row.nodes, "characters": row.characters, "pixels": row.pixels}[name].f
