"""Scores of content that may not fall; kept with the digest of the pages they were measured on."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from math import floor
from pathlib import Path

from webstencil import screen
from webstencil.errors import SourceError
from webstencil.evaluate.content.scores import WAYS, SetRow

STEPS = 1000  # a floor is the measured F1, rounded down to 1/1000: nothing in it depends on luck

Floors = dict[str, dict[str, float]]  # F1 by way and set


def hold(file: Path, corpus: str, rows: Sequence[SetRow], *, write: bool) -> None:
    """Check that no score is below its floor, or write new floors."""
    if write:
        file.write_text(
            json.dumps({"corpus": corpus, "scores": floors_of(rows)}, indent=2, sort_keys=True)
            + "\n"
        )
        return
    complaints = tuple(below(file, corpus, rows))
    for words in complaints:
        screen.complain(words)
    if complaints:
        sys.exit(1)


def floors_of(rows: Iterable[SetRow]) -> Floors:
    """Make floors of measured scores."""
    floors: Floors = {}
    for row in rows:
        if row.method in WAYS:
            least = floor(row.score.f1 * STEPS) / STEPS
            floors.setdefault(row.method, {})[row.set] = least
    return floors


def below(file: Path, corpus: str, rows: Iterable[SetRow]) -> Iterator[str]:
    """Tell, one sentence each, what fell below its floor, or was not measured at all."""
    try:
        known = json.loads(file.read_text())
        digest, floors = known["corpus"], known["scores"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise SourceError(f"{file} has no floors of content: {error}") from error
    if digest != corpus:
        yield f"the floors were measured on the pages {digest}, not on {corpus}"
        return
    found = {(row.method, row.set): row.score.f1 for row in rows}
    for way, sets in floors.items():
        for name, least in sets.items():
            if (way, name) not in found:
                yield f"{way} was not measured on {name}"
            elif found[way, name] < least:
                yield f"{way}, {name}: F1 {found[way, name]:.4f} < {least}"
