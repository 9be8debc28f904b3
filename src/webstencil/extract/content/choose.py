"""Which runs of a page are its content.

Each run has a score, the probability that it is content (`content_model`), unless many other pages
of the site have it. The runs with the largest expected F1 are the content; then lists, tables and
headings are completed, and what is there twice is dropped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

import numpy as np

from webstencil.extract.content.block_sums import below, data_tables
from webstencil.extract.content.completing import (
    with_captions,
    with_cells,
    with_headings,
    with_insets,
    with_lists,
    with_middle,
    with_quotes,
    without_duplicates,
    without_repeats,
)
from webstencil.extract.content.content_model import ContentModel, PageFeatures, fitted, scores
from webstencil.extract.content.element_names import APART, BITS, COMMENT
from webstencil.extract.content.page_shape import PageShape
from webstencil.extract.content.page_types import LIKELY, TYPES, PageType, has_cards
from webstencil.extract.content.run_features import Row, RunLooks
from webstencil.extract.content.text_runs import NO_BLOCK, TextRuns
from webstencil.extract.content.titles import leads, likeness

# Chosen on pages of all types, hand-made and selector-made gold together (docs/content.md).
MOST_POWER = 1.3  # of the scores of a sure article: so less is taken
PROSE = 0.8  # 0..1, probability of an article from which the power grows
REPEATED = 0.3  # share of the other pages: a text on more is not content
OFTEN_REPEATED = 0.5  # the same for a headline
HEADLINE = 16  # units: a text in the page's title is its headline, which menus of siblings may have
TOLD = 0.7  # share of the other pages with a text: from here on, siblings know the site's frame
LEAST_OF_OWN = 0.25  # share of the page's own text: if less is kept, take all of it
MOST_OF_OWN = 0.9  # share of the page's own text: a block with so much has all that matters
RARE = 0.05  # share of the other pages: a text on fewer is the page's own
TINY = 60  # units: less is not the content of a page with much text
MUCH = 1000  # units of text on a page

_AWAY = ("comment", "nav", "related", "share", "ad", "foot", "hidden")
ASIDE = sum(BITS[group] for group in _AWAY) | APART
NAMED_AGAINST = ASIDE | BITS["caption"]
FIRST = 3  # runs at the start of the content: if one says what the heading says, it is the heading
CLEARLY = 1.5  # times the words of the title that the `h1` has
HEADLINE_TAG = "h1"
HEADING_TAGS = frozenset({"h2", "h3"})  # of a page's heading, where `h1` is the name of the site
_DOCUMENTATION = TYPES.index(PageType.DOCUMENTATION)


@dataclass(frozen=True, slots=True)
class ContentChoice:
    """The runs that are the content of a page."""

    runs: tuple[int, ...]  # in document order
    marks: tuple[int, ...]  # groups of names around each run of the page
    whole: bool  # a container was taken whole
    fallback: bool  # almost nothing was content: the best of the rest
    confidence: float  # 0..1, the expected word F1
    types: Row  # 0..1, the probability of each of TYPES
    shape: PageShape | None = None
    heading: int = NO_BLOCK  # the run that is the heading of the page, NO_BLOCK if there is none


@dataclass(frozen=True, slots=True)
class Judged:
    """A page whose runs have scores."""

    runs: TextRuns
    shares: Sequence[float]  # of the other pages with the text of each run
    seen: RunLooks
    scores: Sequence[float]  # of each run, 0..1
    types: Row  # 0..1, the probability of each of TYPES
    heading: int = NO_BLOCK  # the run that is the heading of the page, NO_BLOCK if there is none

    @property
    def marks(self) -> Sequence[int]:
        return self.seen.marks


def choose(
    seen: PageFeatures, title: str, shares: Sequence[float] = (), model: ContentModel | None = None
) -> ContentChoice:
    """Choose the content; `shares` are of the other pages with the text of each run."""
    page = judge(seen, title, shares or [0.0] * len(seen.runs), model or fitted())
    choice = decide(page)
    if not choice.runs and any(shares):
        return choose(seen, title, (), model)  # siblings have all of it: ignore them
    return choice


def judge(seen: PageFeatures, title: str, shares: Sequence[float], model: ContentModel) -> Judged:
    """Score the runs that few other pages have, and that are not apart from the text."""
    runs = seen.runs
    wanted = [
        (share <= REPEATED or (share <= OFTEN_REPEATED and size >= HEADLINE and text in title))
        and not mark & APART
        for share, size, text, mark in zip(
            shares, runs.lengths, runs.texts, seen.looks.marks, strict=True
        )
    ]
    types = model.types.shares(seen.about, seen.numbers)
    scored = scores(seen, model, types, wanted)
    heading = page_heading(runs, seen.looks, title)
    return Judged(runs, shares, seen.looks, scored, types, heading)


def page_heading(runs: TextRuns, seen: RunLooks, title: str) -> int:
    """Return the run that is the heading of a page, NO_BLOCK if there is none.

    It is the `h1` that is most like the page's title, or a lower heading that says clearly more of
    it: then the `h1` is the name of the site. A lower heading that the title begins with counts,
    how much ever the title says of the site behind it.
    """
    run, tags = seen.titled, [runs.tags[block] for block in runs.blocks]
    headline = run if run >= 0 and tags[run] == HEADLINE_TAG else NO_BLOCK
    lower = [one for one, tag in enumerate(tags) if tag in HEADING_TAGS]
    lower = [one for one in lower if not seen.marks[one] & ASIDE]
    if not lower:
        return headline
    both = (headline, *lower)  # without a headline the first is any run, and not looked at
    lines = [runs.texts[one].lower() for one in both]
    shares, covers = likeness(lines, [runs.lengths[one] for one in both], title)
    begins = [leads(line, title.lower()) for line in lines]
    said = [
        cover if share > 0 or begin else 0.0
        for share, cover, begin in zip(shares, covers, begins, strict=True)
    ]
    least = CLEARLY * said[0] if headline >= 0 else 0.0
    best = max(said[1:])
    return lower[said.index(best, 1) - 1] if best > least else headline


def decide(page: Judged) -> ContentChoice:
    """Choose the content of a page by the scores of its runs."""
    runs = page.runs
    article = page.types[TYPES.index(PageType.ARTICLE)]
    sharp = 1.0 + (MOST_POWER - 1.0) * max(0.0, (article - PROSE) / (1.0 - PROSE))
    kept = best_part(runs.lengths, [score**sharp for score in page.scores])
    opposed, tables = _opposed(page), data_tables(runs)
    named = [mark & NAMED_AGAINST != 0 for mark in page.marks]
    unnamed = [run for run, against in enumerate(named) if not against]
    kept = with_lists(runs, kept, unnamed)
    kept = with_headings(runs, with_insets(runs, kept, opposed, tables), opposed, named)
    kept = with_captions(runs, with_cells(runs, kept, tables))
    if article < LIKELY or max(page.shares) > TOLD:
        kept = with_middle(runs, kept, opposed, page.heading)
    if page.types[_DOCUMENTATION] < LIKELY:  # manuals say the same of many things
        kept = without_duplicates(runs, page.marks, kept)
    kept = with_quotes(runs, kept, inside=article > LIKELY)
    if has_cards(page.types):
        kept = without_repeats(runs, kept)
    kept = _with_discussion(page, kept)
    kept, whole = _with_own(page, kept)
    fallback = not _plausible(runs, kept)
    if fallback:
        kept = _unopposed(page)
    return ContentChoice(
        runs=tuple(kept),
        marks=tuple(page.marks),
        whole=whole,
        fallback=fallback,
        confidence=expected_f1(runs, page.scores, kept),
        types=page.types,
        shape=page.seen.shape,
        heading=_heading_of(page, kept),
    )


def _heading_of(page: Judged, kept: Sequence[int]) -> int:
    """Return the heading of the page if it is content, or stands above content without one."""
    run, texts = page.heading, page.runs.texts
    if run in kept:
        return run
    if run < 0 or not kept or run > kept[-1]:
        return NO_BLOCK
    return NO_BLOCK if texts[run] in [texts[one] for one in kept[:FIRST]] else run


def _with_own(page: Judged, kept: list[int]) -> tuple[list[int], bool]:
    """Take all that only this page says, if almost nothing of it would be kept."""
    own = _own(page)
    if _said(page.runs, kept) < LEAST_OF_OWN * _said(page.runs, own):
        return own, True
    return kept, False


def _with_discussion(page: Judged, kept: list[int]) -> list[int]:
    """Add what readers wrote if nothing else on the page reads like prose: it is about that.

    So are threads on a link. Where there is any other prose, comments are what is said of it.
    """
    prose = np.flatnonzero(page.seen.good).tolist()
    if not prose or not all(page.marks[run] & COMMENT for run in prose):
        return kept
    return sorted({*kept, *[run for run in prose if not page.marks[run] & ASIDE & ~COMMENT]})


def best_part(lengths: Sequence[int], scores: Sequence[float]) -> list[int]:
    """Return the runs with the largest expected F1, if scores are probabilities.

    These are the runs with the best scores, up to some score.
    """
    order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)  # ties stay in order
    hoped, taken, best, end = 0.0, sum(map(mul, lengths, scores)), 0.0, 0
    for number, run in enumerate(order, start=1):
        hoped += lengths[run] * scores[run]
        taken += lengths[run]
        if hoped > best * taken:
            best, end = hoped / taken, number
    return sorted(order[:end])


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
