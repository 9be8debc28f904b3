"""Scores of content as tables and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from webstencil.cli import screen
from webstencil.evaluate.content.scores import ALL_BY_HAND, ALL_SELECTED, WAYS, ContentScore, SetRow


def show(rows: Sequence[SetRow]) -> None:
    """Print F1 by set and method, then precision, recall and time over all pages.

    Times of others are also given as multiples of ours, of the medians and of the means.
    """
    methods = list(dict.fromkeys(row.method for row in rows))
    sets = list(dict.fromkeys(row.set for row in rows))
    found = {(row.method, row.set): row for row in rows}
    table = screen.plain_table("set", "pages", *methods, title="word F1, mean over pages")
    for name in sets:
        known = [found.get((method, name)) for method in methods]
        pages = next(row.pages for row in known if row)
        table.add_row(name, str(pages), *[f"{row.score.f1:.3f}" if row else "" for row in known])
    screen.show(table)
    screen.say("")
    show_times([row for row in rows if row.set in (ALL_BY_HAND, ALL_SELECTED)])


def show_times(rows: Sequence[SetRow]) -> None:
    """Print precision, recall and time; others' time as a multiple of our own, too."""
    titles = ("set", "method", "P", "R", "F1", "ms/page: median", "mean", "times ours", "")
    table = screen.plain_table(*titles)
    ours = {row.set: row for row in rows if row.method in WAYS}  # the last: with siblings known
    for row in rows:
        score, own = row.score, ours.get(row.set)
        shares = [f"{value:.3f}" for value in (score.precision, score.recall, score.f1)]
        spent = (row.milliseconds, row.mean_milliseconds)
        ratios = ["", ""]
        if own is not None and row.method not in WAYS:
            mine = (own.milliseconds, own.mean_milliseconds)
            ratios = [f"{time / our:.1f}" for time, our in zip(spent, mine, strict=True)]
        table.add_row(row.set, row.method, *shares, *[f"{time:.1f}" for time in spent], *ratios)
    screen.show(table)


def worst(scores: Sequence[ContentScore], number: int) -> None:
    """Print the pages of each set on which a method did worst."""
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


def to_json(corpus: str, rows: Sequence[SetRow], scores: Sequence[ContentScore]) -> str:
    """Write all scores as JSON."""
    return json.dumps(
        {
            "corpus": corpus,
            "rows": [asdict(row) for row in rows],
            "scores": [asdict(score) for score in scores],
        },
        indent=1,
    )
