"""Floors: the lowest scores that later versions may have.

A file of floors holds the scores of one measurement, or of several parts by name, each with a
digest of its pages, so that other pages are not mistaken for other scores. A part that is not
measured is not checked.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import ceil, floor
from pathlib import Path
from typing import Any, TypeAlias

from webstencil.codec import put
from webstencil.errors import SourceError
from webstencil.output.files import writing_explained

CORPUS_BYTES = 8
CEILINGS = frozenset({"called"})  # measures, the last name of a score: lower is better
WHOLE_FILE = ""  # the only part of a file

Scores: TypeAlias = Mapping[tuple[str, ...], float]  # by names, the measure last


@dataclass(frozen=True, slots=True)
class Measured:
    """Scores of one part."""

    corpus: str  # digest of the pages
    scores: Scores
    part: str = WHOLE_FILE


def corpus_digest(pieces: Iterable[bytes]) -> str:
    """Hash pages and their labels."""
    known = blake2b(digest_size=CORPUS_BYTES)
    for piece in pieces:
        known.update(piece)
    return known.hexdigest()


def fallen(file: Path, measured: Iterable[Measured]) -> tuple[str, ...]:
    """Return a sentence for each score that is below its floor or was not measured."""
    floors = read_floors(file)
    return tuple(words for part in measured for words in _complaints(floors.get(part.part), part))


def write_floors(file: Path, measured: Iterable[Measured], steps: int) -> None:
    """Write floors of the measured parts, rounded to 1/steps; other parts stay as they are."""
    floors = read_floors(file) if file.exists() else {}
    floors.pop(WHOLE_FILE, None)
    floors |= {part.part: _rounded(part, steps) for part in measured}
    parts = {
        name: {"corpus": known.corpus, "scores": _nested(known.scores)}
        for name, known in floors.items()
    }
    text = json.dumps(parts.get(WHOLE_FILE, parts), indent=2, sort_keys=True) + "\n"
    with writing_explained(file):
        put(file, text.encode())


def read_floors(file: Path) -> dict[str, Measured]:
    """Read floors by part; raise `SourceError` if the file has none."""
    try:
        known = json.loads(file.read_text())
        parts = {WHOLE_FILE: known} if "corpus" in known else known
        return {
            name: Measured(part["corpus"], dict(_flat(part["scores"])), name)
            for name, part in parts.items()
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        words = f"{file} has no floors ({error}); write a new file with `--new-floors`"
        raise SourceError(words) from error


def _complaints(floors: Measured | None, measured: Measured) -> Iterator[str]:
    """Compare a part with its floors."""
    of_part = f" of {measured.part}" if measured.part else ""
    if floors is None:
        yield f"the file has no floors{of_part}"
        return
    if floors.corpus != measured.corpus:
        known, now = floors.corpus, measured.corpus
        yield f"the floors{of_part} were measured on other pages ({known}, not {now})"
        return
    for names, least in floors.scores.items():
        value = measured.scores.get(names)
        if value is None:
            yield f"{', '.join(names)} was not measured"
        elif value > least if names[-1] in CEILINGS else value < least:
            yield f"{', '.join(names)}: {value:.4f}, floor {least}"


def _rounded(measured: Measured, steps: int) -> Measured:
    """Round scores down to floors, and those that should be low up to ceilings."""
    scores = {
        names: (ceil if names[-1] in CEILINGS else floor)(value * steps) / steps
        for names, value in measured.scores.items()
    }
    return Measured(measured.corpus, scores, measured.part)


def _nested(scores: Scores) -> dict[str, Any]:
    """Nest scores by their names, as in the file."""
    found: dict[str, Any] = {}
    for (*outer, last), value in scores.items():
        below = found
        for name in outer:
            below = below.setdefault(name, {})
        below[last] = value
    return found


def _flat(nested: Mapping[str, Any], above: Sequence[str] = ()) -> Iterator[tuple[Any, float]]:
    """Yield scores with all their names."""
    for name, value in nested.items():
        if isinstance(value, dict):
            yield from _flat(value, (*above, name))
        else:
            yield (*above, name), float(value)
