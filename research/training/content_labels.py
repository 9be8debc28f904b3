"""Which runs of a page are content, by the words of its gold."""

from collections.abc import Sequence
from itertools import pairwise

from webstencil.evaluate.scores import NOWHERE, aligned, words

LONG = 4  # words from which a run is aligned with the gold on its own
SAME = 5  # words from which a run that repeats content is content
MOSTLY = 0.5  # of a run's words in the gold: the run is content
SLACK = 2  # words that may stand between those of a short run


def content_labels(texts: Sequence[str], gold: str) -> list[bool]:
    """Align runs and gold by their longest common subsequence.

    Short runs are aligned between the long ones. A run without words goes with the one before it.
    """
    runs, wanted = [words(text) for text in texts], words(gold)
    spans = _long_runs(runs, wanted)
    found = [run in spans for run in range(len(runs))]
    edges = [
        (NOWHERE, NOWHERE, NOWHERE),
        *[(run, *span) for run, span in sorted(spans.items())],
        (len(runs), len(wanted), len(wanted)),
    ]
    for (before, _, start), (after, end, _) in pairwise(edges):
        for run in _short_runs(runs, range(before + 1, after), wanted[start + 1 : end]):
            found[run] = True
    said = {tuple(own) for own, is_content in zip(runs, found, strict=True) if is_content}
    for place, own in enumerate(runs):
        if len(own) >= SAME and tuple(own) in said:
            found[place] = True
        elif not own:
            found[place] = place > 0 and found[place - 1]
    return found


def _long_runs(runs: Sequence[list[str]], wanted: Sequence[str]) -> dict[int, tuple[int, int]]:
    """Return the long runs in the gold, with their first and last word there."""
    long = [run for run, said in enumerate(runs) if len(said) >= LONG]
    places = aligned([word for run in long for word in runs[run]], wanted)
    spans, start = {}, 0
    for run in long:
        end = start + len(runs[run])
        hits = [place for place in places[start:end] if place != NOWHERE]
        if len(hits) > MOSTLY * len(runs[run]):
            spans[run] = (hits[0], hits[-1])
        start = end
    return spans


def _short_runs(runs: Sequence[list[str]], between: range, wanted: Sequence[str]) -> list[int]:
    """List the short runs in a gap whose words are in that part of the gold, close together."""
    short = [run for run in between if 0 < len(runs[run]) < LONG]
    if not short or not wanted:
        return []
    places = aligned([word for run in short for word in runs[run]], wanted)
    found, start = [], 0
    for run in short:
        size = len(runs[run])
        hits = [place for place in places[start : start + size] if place != NOWHERE]
        start += size
        if len(hits) > MOSTLY * size and hits[-1] - hits[0] < size + SLACK:
            found.append(run)
    return found
