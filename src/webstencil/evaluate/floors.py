"""Scores that may not fall.

A file of floors holds what was measured once, or several parts by name, each with the digest of the
pages behind it, so that other pages are not taken for other scores. A part that is not measured is
not held.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import ceil, floor
from pathlib import Path
from typing import Any, TypeAlias

from webstencil.errors import SourceError

DIGEST_BYTES = 8
CEILINGS = frozenset({"called"})  # measures, last of the names of a score: the less the better
WHOLE = ""  # the part of a file that has no others

Scores: TypeAlias = Mapping[tuple[str, ...], float]  # by names, from what was measured to measure


@dataclass(frozen=True, slots=True)
class Measured:
    """Scores of one part."""

    corpus: str  # digest of the pages
    scores: Scores
    part: str = WHOLE


def digest(pieces: Iterable[bytes]) -> str:
    """Hash what scores depend on: pages and their labels."""
    known = blake2b(digest_size=DIGEST_BYTES)
    for piece in pieces:
        known.update(piece)
    return known.hexdigest()


def fallen(file: Path, measured: Iterable[Measured]) -> tuple[str, ...]:
    """Tell, one sentence each, what is worse than its floor, or was not measured at all."""
    floors = read(file)
    return tuple(words for part in measured for words in _complaints(floors.get(part.part), part))


def write(file: Path, measured: Iterable[Measured], steps: int) -> None:
    """Write floors of the measured parts, scores rounded to 1/steps, those of others as before."""
    floors = read(file) if file.exists() else {}
    floors.pop(WHOLE, None)
    floors |= {part.part: _rounded(part, steps) for part in measured}
    parts = {
        name: {"corpus": known.corpus, "scores": _nested(known.scores)}
        for name, known in floors.items()
    }
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(parts.get(WHOLE, parts), indent=2, sort_keys=True) + "\n")
    except OSError as error:
        raise SourceError(f"cannot write {file}: {error.strerror}") from error


def read(file: Path) -> dict[str, Measured]:
    """Read floors by part; raise `SourceError` if the file has none."""
    try:
        known = json.loads(file.read_text())
        parts = {WHOLE: known} if "corpus" in known else known
        return {
            name: Measured(part["corpus"], dict(_flat(part["scores"])), name)
            for name, part in parts.items()
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        words = f"{file} has no floors of scores; `--new-floors` writes them to a new file: {error}"
        raise SourceError(words) from error


def _complaints(floors: Measured | None, measured: Measured) -> Iterator[str]:
    """Compare a part with its floors."""
    of_part = f" of {measured.part}" if measured.part else ""
    if floors is None:
        yield f"there are no floors{of_part}"
        return
    if floors.corpus != measured.corpus:
        known, now = floors.corpus, measured.corpus
        yield f"the floors{of_part} were measured on the pages {known}, not on {now}"
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
    """Put scores below their names, as files have them."""
    found: dict[str, Any] = {}
    for (*outer, last), value in scores.items():
        place = found
        for name in outer:
            place = place.setdefault(name, {})
        place[last] = value
    return found


def _flat(nested: Mapping[str, Any], above: Sequence[str] = ()) -> Iterator[tuple[Any, float]]:
    """Yield scores with all their names; files nest two or three deep."""
    for name, value in nested.items():
        if isinstance(value, dict):
            yield from _flat(value, (*above, name))
        else:
            yield (*above, name), float(value)
