"""Scores of navigation that may not fall, each part with the digest of the pages it is measured on.

A part that was not asked for is not held.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from math import ceil, floor
from pathlib import Path
from typing import Any, TypeAlias

from webstencil.errors import SourceError
from webstencil.evaluate.navigation import report

DIGEST_BYTES = 8
STEPS = 100  # a floor is the score, rounded to 1/100: libraries that teach differ a little
CEILINGS = frozenset({"called"})  # the less the better

Scores: TypeAlias = dict[str, dict[str, float]]  # by what was measured and measure
Tables: TypeAlias = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Held:
    """Rows of a table that are held, by their first field, and their measures."""

    part: str
    table: str
    rows: tuple[str, ...]
    measures: tuple[str, ...]


HELD = (
    Held("clusters", report.CLUSTERS, ("CHD", "ours"), ("ari", "ami")),
    Held("classes", report.CLASSES, ("ours",), ("f1", "auc", "auc_blocks")),
    Held("menus", report.REPETITION, ("mean of sites",), ("found", "called")),
    Held("menus", report.BY_MARKUP, ("mean of sites",), ("found", "called")),
    Held("menus", report.BY_SIBLINGS, ("mean of sites",), ("found", "called")),
    Held("pagination", report.SEQUENCES, ("cross-validated by site",), ("f1",)),
)


def digest(bodies: Iterable[bytes]) -> str:
    """Hash pages, so that other pages are not taken for other scores."""
    known = blake2b(digest_size=DIGEST_BYTES)
    for body in bodies:
        known.update(body)
    return known.hexdigest()


def scores_of(part: str, tables: Tables) -> Scores:
    """Return the scores of a part that are held."""
    found: Scores = {}
    for held in HELD:
        for row in tables.get(held.table, ()) if held.part == part else ():
            values = asdict(row)
            if next(iter(values.values())) in held.rows:
                name = f"{held.table}: {next(iter(values.values()))}"
                found[name] = {measure: values[measure] for measure in held.measures}
    return found


def fallen(file: Path, corpora: Mapping[str, str], tables: Tables) -> tuple[str, ...]:
    """Tell, one sentence each, what scores of the measured parts fell."""
    known = read(file)
    return tuple(
        words
        for part, corpus in corpora.items()
        for words in below(part, known.get(part), corpus, scores_of(part, tables))
    )


def write(file: Path, corpora: Mapping[str, str], tables: Tables) -> None:
    """Write floors of the measured parts, those of others as they were."""
    known = read(file) if file.exists() else {}
    for part, corpus in corpora.items():
        known[part] = {"corpus": corpus, "scores": rounded(scores_of(part, tables))}
    try:
        file.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")
    except OSError as error:
        raise SourceError(f"cannot write {file}: {error.strerror}") from error


def read(file: Path) -> dict[str, Any]:
    """Read a file of floors; raise `SourceError` if it is none."""
    try:
        known = json.loads(file.read_text())
        if all({"corpus", "scores"} <= part.keys() for part in known.values()):
            return dict(known)
    except (OSError, ValueError, AttributeError) as error:
        raise SourceError(f"{file} has no floors of navigation: {error}") from error
    raise SourceError(f"{file} has no floors of navigation; `--new-floors` writes them")


def rounded(scores: Scores) -> Scores:
    """Round scores to floors, and those that should be low to ceilings."""
    return {
        name: {
            measure: (ceil if measure in CEILINGS else floor)(value * STEPS) / STEPS
            for measure, value in measures.items()
        }
        for name, measures in scores.items()
    }


def below(
    part: str, floors: Mapping[str, Any] | None, corpus: str, scores: Scores
) -> Iterator[str]:
    """Tell, one sentence each, what is worse than its floor, or was not measured at all."""
    if floors is None:
        yield f"there are no floors of {part}"
        return
    if floors["corpus"] != corpus:
        yield f"the floors of {part} were measured on the pages {floors['corpus']}, not {corpus}"
        return
    for name, measures in floors["scores"].items():
        for measure, least in measures.items():
            value = scores.get(name, {}).get(measure)
            if value is None:
                yield f"{name} was not measured"
            elif value > least if measure in CEILINGS else value < least:
                yield f"{name}: {measure} {value:.4f}, floor {least}"
