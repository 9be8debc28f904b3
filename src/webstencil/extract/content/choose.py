"""Which runs of a page are its content.

Each run has a score from its page (`features`, `weights`), unless many other pages of the site have
it. Usually the runs above a threshold are the content. A score fitted to prose would lose code,
tables and lists, so the best container is checked too: if the threshold would drop much of it that
neither names nor links speak against, it is taken whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

from webstencil.extract.content.block_sums import below, data_tables, deepest_best
from webstencil.extract.content.completing import (
    with_cells,
    with_headings,
    with_insets,
    with_lists,
    with_main_tables,
    with_tables,
    without_duplicates,
)
from webstencil.extract.content.element_names import BITS, BODY
from webstencil.extract.content.run_features import BLOCK_FEATURES, RUN_FEATURES, RunLooks, look
from webstencil.extract.content.scoring import FITTED, ContentWeights, scores_of
from webstencil.extract.content.text_runs import TextRuns

# Chosen on hand-made and selector-made gold together (docs/content.md).
THRESHOLD = 0.45  # 0..1, score above which a run is content
FLOOR = 0.1  # 0..1, score above which a run counts for a container
BODY_BONUS = 0.12  # 0..1, added to the score of a run in a named body
LITTLE_PROSE = 400  # units above the threshold: with fewer, content may be no prose
REPEATED = 0.3  # share of the other pages: a text on more is not content
OFTEN_REPEATED = 0.5  # the same in a container taken whole, and for a headline
HEADLINE = 16  # units: a text in the page's title is its headline, which menus of siblings may have
LOST_IN_BODY = 0.25  # share of a named body's text: if more is lost, take it whole
LOST = 0.5  # the same for an unnamed container
LOST_IN_OWN = 0.25  # the same if siblings show what the site repeats around it
TOLD = 0.7  # share of the other pages with a text: from here on, siblings know the site's frame
LEAST_OF_OWN = 0.25  # share of the page's own text: if less is kept, take all of it
MOST_OF_OWN = 0.9  # share of the page's own text: a block with so much has all that matters
RARE = 0.05  # share of the other pages: a text on fewer is the page's own
PLAIN = 0.02  # 0..1, score below which a run of an unnamed container is dropped
SURE = 0.6  # 0..1, score above which a run outside of a container taken whole is kept
LINKED = 0.6  # share of links from which a run, its block and its parent are a menu
AGREED = 0.5  # share of a container's text in a named body
TINY = 60  # units: less is not the content of a page with much text
MUCH = 1000  # units of text on a page
LINK_WEIGHT = 0.5  # of text in links, when the loss is computed
TOP_SCORE = 0.3  # 0..1, score below which a run in the header of a body is dropped
MAIN_BODY = 0.5  # share of the score of several bodies: one with more is the only one
IN_BODIES = 0.7  # share of a container's score: with less in bodies, their names do not matter

ASIDE = sum(BITS[group] for group in ("comment", "nav", "related", "share", "ad", "foot", "hidden"))
NAMED_AGAINST = ASIDE | BITS["caption"]
TOP = BITS["top"]
_LINKS = RUN_FEATURES.index("links")
_BLOCK_LINKS = [BLOCK_FEATURES.index(name) for name in ("links in block", "links in parent")]


@dataclass(frozen=True, slots=True)
class ContentChoice:
    """The runs that are the content of a page."""

    runs: tuple[int, ...]  # in document order
    marks: tuple[int, ...]  # groups of names around each run of the page
    whole: bool  # a container was taken whole
    fallback: bool  # almost nothing was above the threshold: the best of the rest
    confidence: float  # 0..1, the expected word F1


@dataclass(frozen=True, slots=True)
class Judged:
    """A page whose runs have scores."""

    runs: TextRuns
    shares: Sequence[float]  # of the other pages with the text of each run
    seen: RunLooks
    scores: Sequence[float]  # of each run, 0..1

    @property
    def marks(self) -> Sequence[int]:
        return self.seen.marks


def choose(
    runs: TextRuns, title: str, shares: Sequence[float] = (), weights: ContentWeights = FITTED
) -> ContentChoice:
    """Choose the content; `shares` are of the other pages with the text of each run."""
    if not runs.texts:
        return ContentChoice((), (), whole=False, fallback=False, confidence=0.0)
    page = judge(runs, title, shares or [0.0] * len(runs), weights)
    block = container(page)
    held = _main_body(page, block)
    body = _is_body(page, held)
    kept = _above_threshold(page, held, body=body)
    evidence = _evidence(page, held, body=body)
    lost = _lost(runs, evidence, kept)
    whole = lost > (LOST_IN_BODY if body else LOST)
    if lost > LOST_IN_OWN and kept and max(page.shares) > TOLD:
        kept = sorted({*kept, *[run for run in evidence if kept[0] < run < kept[-1]]})
    opposed, tables, told = _opposed(page), data_tables(runs), data_tables(runs, short=False)
    if whole:
        kept = sorted({*evidence, *[run for run in kept if page.scores[run] > SURE]})
    else:
        known = tables if body else told
        kept = with_lists(runs, with_tables(runs, kept, evidence, known, body=body), evidence)
        kept = with_insets(runs, kept, opposed, tables)
    kept = with_headings(runs, without_duplicates(runs, page.marks, kept), opposed)
    kept = with_main_tables(runs, with_cells(runs, kept, tables), opposed, told)
    own = _own(page)
    if _said(runs, kept) < LEAST_OF_OWN * _said(runs, own):
        kept, whole = own, True
    fallback = not _plausible(runs, kept)
    if fallback:
        kept = evidence or list(held)
        if sum([runs.lengths[run] for run in kept]) < TINY:
            kept = _unopposed(page)
            if not kept and any(shares):
                return choose(runs, title, (), weights)  # siblings have all of it: ignore them
            kept = kept or list(held)
    return ContentChoice(
        runs=tuple(kept),
        marks=tuple(page.marks),
        whole=whole,
        fallback=fallback,
        confidence=expected_f1(runs, page.scores, kept),
    )


def judge(runs: TextRuns, title: str, shares: Sequence[float], weights: ContentWeights) -> Judged:
    """Score the runs that few other pages have."""
    wanted = [
        share <= REPEATED or (share <= OFTEN_REPEATED and size >= HEADLINE and text in title)
        for share, size, text in zip(shares, runs.lengths, runs.texts, strict=True)
    ]
    seen = look(runs, title, wanted)
    return Judged(runs, shares, seen, scores_of(runs, seen, weights))


def container(page: Judged) -> int:
    """Return the deepest block with the most text above the floor.

    On a page with little prose names count, because a list of links can be the content.
    """
    lengths = page.runs.lengths
    known = list(zip(lengths, page.scores, strict=True))
    prose = sum([length for length, score in known if score > THRESHOLD])
    gains = [length * (score - FLOOR) for length, score in known]
    if prose < LITTLE_PROSE:
        for run, (mark, share) in enumerate(zip(page.marks, page.shares, strict=True)):
            if mark & BODY and not mark & NAMED_AGAINST and share <= REPEATED:
                gains[run] += lengths[run] * BODY_BONUS
    return deepest_best(below(page.runs, gains))


def _main_body(page: Judged, block: int) -> range:
    """Return the runs of a container, or of the one body in it with most of its score."""
    runs = page.runs
    held = range(runs.starts[block], runs.ends[block])
    if page.seen.around[block] & BODY:
        return held
    whole = _score(page, held)
    bodies = [(_score(page, body), body.start, body) for body in _bodies(page, block)]
    parts = sum([part for part, _, _ in bodies])
    if len(bodies) > 1 and parts > IN_BODIES * whole:
        most, _, body = max(bodies, key=lambda known: known[:2])
        return body if most > MAIN_BODY * parts else held
    return held


def _bodies(page: Judged, block: int) -> list[range]:
    """List the runs of each outermost named body in a container."""
    runs, found, end = page.runs, page.seen.around, 0
    bodies = []
    for inner in range(block + 1, len(runs.tags)):
        if runs.starts[inner] >= runs.ends[block]:
            break
        if runs.starts[inner] >= end and found[inner] & BODY:
            end = runs.ends[inner]
            bodies.append(range(runs.starts[inner], end))
    return bodies


def _score(page: Judged, held: range) -> float:
    return sum([page.runs.lengths[run] * page.scores[run] for run in held])


def _is_body(page: Judged, held: range) -> bool:
    lengths, marks = page.runs.lengths, page.marks
    named = sum([lengths[run] for run in held if marks[run] & BODY])
    return named > AGREED * sum([lengths[run] for run in held])


def _above_threshold(page: Judged, held: range, *, body: bool) -> list[int]:
    """List the runs above the threshold; outside of a named body, names must not speak against."""
    kept = [run for run, score in enumerate(page.scores) if score > THRESHOLD]
    if not body:
        return kept
    return [run for run in kept if run in held or not page.marks[run] & ASIDE]


def _evidence(page: Judged, held: range, *, body: bool) -> list[int]:
    """List the runs of the container that neither names nor siblings speak against."""
    marks, shares, scores = page.marks, page.shares, page.scores
    if body:
        return [
            run
            for run in held
            if marks[run] & BODY
            and not marks[run] & ASIDE
            and shares[run] <= OFTEN_REPEATED
            and (scores[run] >= TOP_SCORE or not marks[run] & TOP)
        ]
    return [
        run
        for run in held
        if scores[run] > PLAIN
        and shares[run] <= REPEATED
        and not marks[run] & NAMED_AGAINST
        and _linked(page, run) <= LINKED
    ]


def _opposed(page: Judged) -> list[bool]:
    """Return whether siblings or names speak against each run."""
    known = zip(page.shares, page.marks, strict=True)
    return [share > REPEATED or mark & NAMED_AGAINST != 0 for share, mark in known]


def _own(page: Judged) -> list[int]:
    """List the page's own runs in the deepest block with most of them; none if not known."""
    if max(page.shares) <= TOLD:
        return []
    runs, opposed = page.runs, _opposed(page)
    sizes = [
        0 if against or share > RARE else length - links
        for against, share, length, links in zip(
            opposed, page.shares, runs.lengths, runs.links, strict=True
        )
    ]
    sums = below(runs, sizes)
    block = max([block for block, size in enumerate(sums) if size >= MOST_OF_OWN * sum(sizes)])
    return [run for run in range(runs.starts[block], runs.ends[block]) if not opposed[run]]


def _said(runs: TextRuns, chosen: Sequence[int]) -> int:
    """Return the length of some runs outside of links."""
    return sum([runs.lengths[run] - runs.links[run] for run in chosen])


def _linked(page: Judged, run: int) -> float:
    """Return the smallest share of links of a run, its block and its parent."""
    around = page.seen.blocks[page.runs.blocks[run]]
    return min(page.seen.runs[run][_LINKS], *[around[place] for place in _BLOCK_LINKS])


def _lost(runs: TextRuns, evidence: Sequence[int], kept: Sequence[int]) -> float:
    """Return the share of the evidence that is not kept."""
    left = frozenset(kept)
    sizes = {run: runs.lengths[run] - LINK_WEIGHT * runs.links[run] for run in evidence}
    whole = sum(sizes.values())
    lost = sum([size for run, size in sizes.items() if run not in left])
    return lost / whole if whole else 0.0


def _plausible(runs: TextRuns, kept: Sequence[int]) -> bool:
    """Return whether a choice can be right: more than almost nothing of a page full of text."""
    taken = sum([runs.lengths[run] for run in kept])
    return taken >= TINY or (taken > 0 and sum(runs.lengths) < MUCH)


def _unopposed(page: Judged) -> list[int]:
    """List all runs that neither siblings nor names speak against, mostly a list of headlines.

    If no run scores, the best container means nothing.
    """
    return [run for run, against in enumerate(_opposed(page)) if not against]


def expected_f1(runs: TextRuns, scores: Sequence[float], chosen: Sequence[int]) -> float:
    """Return the expected F1 of a choice if scores are probabilities."""
    hoped = sum([runs.lengths[run] * scores[run] for run in chosen])
    taken = sum([runs.lengths[run] for run in chosen])
    return 2 * hoped / (taken + sum(map(mul, runs.lengths, scores))) if taken else 0.0
