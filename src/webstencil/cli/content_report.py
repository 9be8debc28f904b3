"""Scores of main content as tables and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from webstencil.cli import screen
from webstencil.evaluate.content import (
    ALL_BY_HAND,
    ALL_SELECTED,
    ALL_TYPED,
    WAYS,
    ContentScore,
    SetRow,
)


def show(rows: Sequence[SetRow]) -> None:
    """Print F1 by set and method, then precision, recall and time over all pages."""
    methods = list(dict.fromkeys(row.method for row in rows))
    sets = list(dict.fromkeys(row.set for row in rows))
    found = {(row.method, row.set): row for row in rows}
    cells = []
    for name in sets:
        known = [found.get((method, name)) for method in methods]
        pages = next(row.pages for row in known if row)
        cells.append([name, str(pages), *[f"{row.score.f1:.3f}" if row else "" for row in known]])
    screen.show_table("word F1, mean over pages", ("set", "pages", *methods), cells)
    show_times([row for row in rows if row.set in (ALL_TYPED, ALL_BY_HAND, ALL_SELECTED)])


def show_times(rows: Sequence[SetRow]) -> None:
    """Print precision, recall and time; others' times also as multiples of ours."""
    titles = ("set", "method", "P", "R", "F1", "ms/page: median", "mean", "times ours", "")
    cells = []
    ours = {row.set: row for row in rows if row.method in WAYS}  # the last: after all siblings
    for row in rows:
        score, own = row.score, ours.get(row.set)
        shares = [f"{value:.3f}" for value in (score.precision, score.recall, score.f1)]
        spent = (row.milliseconds, row.mean_milliseconds)
        ratios = ["", ""]
        if own is not None and row.method not in WAYS:
            mine = (own.milliseconds, own.mean_milliseconds)
            ratios = [f"{time / our:.1f}" for time, our in zip(spent, mine, strict=True)]
        times = [f"{time:.1f}" for time in spent]
        cells.append([row.set, row.method, *shares, *times, *ratios])
    screen.show_rows(titles, cells)


def worst(scores: Sequence[ContentScore], number: int) -> None:
    """Print the worst pages of each set and method."""
    groups: dict[tuple[str, str], list[ContentScore]] = {}
    for score in scores:
        groups.setdefault((score.method, score.set), []).append(score)
    for (method, name), group in groups.items():
        screen.say(f"{method}, {name}:")
        for score in sorted(group, key=lambda score: (score.score.f1, score.name))[:number]:
            found = score.score
            screen.say(
                f"  {found.f1:.3f} P {found.precision:.2f} R {found.recall:.2f} "
                f"{score.site} {score.name}"
            )


def to_json(
    corpus: str, rows: Sequence[SetRow], scores: Sequence[ContentScore], left_out: Sequence[str]
) -> str:
    """Write all scores as JSON."""
    return json.dumps(
        {
            "corpus": corpus,
            "rows": [asdict(row) for row in rows],
            "scores": [asdict(score) for score in scores],
            "left_out": list(left_out),
        },
        indent=1,
    )
