"""Which runs of a page are its content.

Each run has a score from its page (`features`, `weights`); what many other pages of the site repeat
loses it. Usually the runs above a threshold are the content. A score fitted to prose would throw
away code, tables and lists, so the best container is looked at as well: if the threshold would drop
much of what is in it and speaks neither by name nor by links against itself, it is taken whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from operator import mul

from webstencil.extract.content.blocks import below, data_tables, deepest_best, inside
from webstencil.extract.content.features import PAGE_FEATURES, Look, Row, look
from webstencil.extract.content.names import BITS, BODY
from webstencil.extract.content.runs import Runs
from webstencil.extract.content.weights import BIAS, WEIGHTS

# Chosen on hand-made and selector-made gold together (docs/content.md).
THRESHOLD = 0.45  # 0..1, score above which a run is content
FLOOR = 0.1  # 0..1, score above which a run speaks for a container
BODY_BONUS = 0.12  # 0..1, added to the score of a run inside what is named as the body
LITTLE_PROSE = 400  # units above the threshold: a page with fewer may have content of another kind
REPEATED = 0.3  # of the other pages: a text on more of them is not content
OFTEN_REPEATED = 0.5  # the same for a text inside a container that is taken whole
REPEATED_SCORE = 0.02  # 0..1, what is left of the score of a repeated run
LOST_IN_BODY = 0.25  # of the text of a container named as the body: losing more, take it whole
LOST = 0.5  # the same for a container that is not so named
PLAIN = 0.02  # 0..1, score below which a run of an unnamed container is not taken
SURE = 0.6  # 0..1, score above which a run is taken from outside of a container taken whole
LINKED = 0.6  # share of links from which a run, its block and its parent are a menu
AGREED = 0.5  # of a container's text that is inside what is named as the body
TINY = 60  # units: less is no content of a page that has much text
MUCH = 1000  # units of text on a page
DUPLICATE = 40  # units from which a text that was taken before on the page is not taken again

ASIDE = sum(BITS[group] for group in ("comment", "nav", "related", "share", "ad", "foot", "hidden"))
NAMED_AGAINST = ASIDE | BITS["caption"]
_LINKS = [PAGE_FEATURES.index(name) for name in ("links", "links in block", "links in parent")]


@dataclass(frozen=True, slots=True)
class Choice:
    """The runs that are the content of a page."""

    runs: tuple[int, ...]  # in document order
    scores: tuple[float, ...]  # of all runs of the page, 0..1
    marks: tuple[int, ...]  # of all runs of the page: the groups of names around them
    whole: bool  # a container was taken whole
    fallback: bool  # next to nothing was above the threshold: the best container is the answer
    confidence: float  # 0..1, the word F1 to be expected


def choose(runs: Runs, title: str, shares: Sequence[float] = ()) -> Choice:
    """Choose the content; `shares` are those of the other pages that have the text of each run."""
    if not runs.texts:
        return Choice((), (), (), whole=False, fallback=False, confidence=0.0)
    seen = look(runs, title)
    shares = shares or [0.0] * len(runs)
    scores = [
        score if share <= REPEATED else min(score, REPEATED_SCORE)
        for score, share in zip(map(score_of, seen.rows), shares, strict=True)
    ]
    held = inside(runs, container(runs, scores, seen.marks, shares))
    body = _is_body(runs, seen.marks, held)
    kept = _above_threshold(scores, seen.marks, held, body=body)
    evidence = _evidence(seen, scores, held, shares, body=body)
    whole = _lost(runs, evidence, kept) > (LOST_IN_BODY if body else LOST)
    if whole:
        kept = [sign or score > SURE for sign, score in zip(evidence, scores, strict=True)]
    else:
        kept = _with_tables(runs, kept, evidence)
    kept = _without_duplicates(runs, kept)
    fallback = not _plausible(runs, kept)
    if fallback:
        kept = evidence if any(evidence) else held
    chosen = tuple([run for run, keep in enumerate(kept) if keep])
    return Choice(
        runs=chosen,
        scores=tuple(scores),
        marks=tuple(seen.marks),
        whole=whole,
        fallback=fallback,
        confidence=expected_f1(runs, scores, chosen),
    )


def score_of(row: Row) -> float:
    """Return the score of a run, 0..1."""
    total = BIAS + sum(map(mul, row, WEIGHTS.values()))
    return 1.0 / (1.0 + exp(-total)) if total > -MOST_ODDS else 0.0


MOST_ODDS = 700.0  # log odds beyond which a float is 0


def container(
    runs: Runs, scores: Sequence[float], marks: Sequence[int], shares: Sequence[float]
) -> int:
    """Return the deepest block with the most text that is above the floor.

    On a page with little prose, names help: there a list of links can be the content.
    """
    prose = sum(
        [length for length, score in zip(runs.lengths, scores, strict=True) if score > THRESHOLD]
    )
    bonus = BODY_BONUS if prose < LITTLE_PROSE else 0.0
    gains = []
    for length, score, mark, share in zip(runs.lengths, scores, marks, shares, strict=True):
        named = mark & BODY and not mark & NAMED_AGAINST and share <= REPEATED
        gains.append(length * (score + (bonus if named else 0.0) - FLOOR))
    return deepest_best(below(runs, gains))


def _above_threshold(
    scores: Sequence[float], marks: Sequence[int], held: Sequence[bool], *, body: bool
) -> list[bool]:
    """Tell which runs score as content; beside what is named as the body, no name is against."""
    return [
        score > THRESHOLD and not (body and not inner and mark & ASIDE)
        for score, mark, inner in zip(scores, marks, held, strict=True)
    ]


def _evidence(
    seen: Look,
    scores: Sequence[float],
    held: Sequence[bool],
    shares: Sequence[float],
    *,
    body: bool,
) -> list[bool]:
    """Tell which runs of the container nothing speaks against."""
    if body:
        return [
            inner and bool(mark & BODY) and not mark & ASIDE and share <= OFTEN_REPEATED
            for inner, mark, share in zip(held, seen.marks, shares, strict=True)
        ]
    known = zip(held, seen.marks, shares, scores, seen.rows, strict=True)
    return [
        inner
        and score > PLAIN
        and share <= REPEATED
        and not mark & NAMED_AGAINST
        and min([row[place] for place in _LINKS]) <= LINKED
        for inner, mark, share, score, row in known
    ]


def _is_body(runs: Runs, marks: Sequence[int], held: Sequence[bool]) -> bool:
    whole = named = 0
    for length, mark, inner in zip(runs.lengths, marks, held, strict=True):
        if inner:
            whole += length
            named += length if mark & BODY else 0
    return named > AGREED * whole


def _lost(runs: Runs, evidence: Sequence[bool], kept: Sequence[bool]) -> float:
    """Return the share of the evidence that is not kept."""
    whole = lost = 0
    for length, sign, keep in zip(runs.lengths, evidence, kept, strict=True):
        if sign:
            whole += length
            lost += 0 if keep else length
    return lost / whole if whole else 0.0


def _with_tables(runs: Runs, kept: list[bool], evidence: Sequence[bool]) -> list[bool]:
    """Add tables of data that stand in the midst of the content, whose cells are no prose."""
    chosen = [run for run, keep in enumerate(kept) if keep]
    if not chosen:
        return kept
    tables = data_tables(runs)
    return [
        keep or (sign and tables[block] and chosen[0] < run < chosen[-1])
        for run, (keep, sign, block) in enumerate(zip(kept, evidence, runs.blocks, strict=True))
    ]


def _plausible(runs: Runs, kept: Sequence[bool]) -> bool:
    """Tell whether a choice can be right: not next to nothing of a page full of text."""
    taken = sum([length for length, keep in zip(runs.lengths, kept, strict=True) if keep])
    return taken >= TINY or (taken > 0 and sum(runs.lengths) < MUCH)


def _without_duplicates(runs: Runs, kept: Sequence[bool]) -> list[bool]:
    taken: set[str] = set()
    left = []
    for text, length, keep in zip(runs.texts, runs.lengths, kept, strict=True):
        left.append(keep and not (length >= DUPLICATE and text in taken))
        taken.add(text)
    return left


def expected_f1(runs: Runs, scores: Sequence[float], chosen: Sequence[int]) -> float:
    """Return the F1 to be expected of a choice if scores are probabilities."""
    hoped = sum([runs.lengths[run] * scores[run] for run in chosen])
    taken = sum([runs.lengths[run] for run in chosen])
    all_hoped = sum([length * score for length, score in zip(runs.lengths, scores, strict=True)])
    return 2 * hoped / (taken + all_hoped) if taken else 0.0
