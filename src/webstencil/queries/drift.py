"""Drift: compare the latest runs over a site with those before.

A redesigned site is learned anew as fast as it was the first time, so its hit ratio says little.
What does is which stencils the pages follow: pages that were known before keep following the
stencils that were known before, unless the site has changed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from webstencil.model import Mode
from webstencil.output.words import plural
from webstencil.store import Past, SiteRun, StencilLife, StencilState, StencilSummary

# Pages of a site; the newest runs are taken together until they have this many. With fewer, one
# page would decide: at 20 it is 5 %.
LEAST_PAGES = 20

# Share of the pages with known URLs that follow stencils learned lately. On real sites it is
# 1 after a redesign and near 0 where pages were edited; notebook/jobs.md has the table.
REDESIGNED = 0.5

# The same share where hardly any URL was known. A site that merely grows has its new pages
# follow old stencils too, so here nearly all must follow new ones.
NEW_LOOK = 0.9

# Fall of the mean confidence of the hits. In the default mode all hits lie between 1 - RISK and 1,
# so this is a third of the room that they have.
LESS_SURE = 0.03

T = TypeVar("T", SiteRun, StencilLife, StencilSummary)


@dataclass(frozen=True, slots=True)
class RunSpan:
    """The figures of a site over some runs."""

    runs: int
    began: str  # when the first of the runs began, ISO 8601
    pages: int  # done, with areas
    hits: int
    unchanged: int  # pages met again as they were, so not done
    confidence: float | None  # 0..1, mean over the hits; None without any

    @property
    def hit_ratio(self) -> float:
        """Return the share of hits in the pages done; 1 if there was nothing to do."""
        return self.hits / self.pages if self.pages else 1.0


@dataclass(frozen=True, slots=True)
class SiteDrift:
    """How a site changed lately."""

    site: str
    made_by: str
    mode: Mode
    drifted: bool
    words: str  # what changed
    before: RunSpan | None  # None if there is nothing to compare with
    lately: RunSpan
    learned: int  # stencils, lately
    retired: int  # stencils, lately
    replaced: int  # stencils, lately
    unused: int  # stencils that had hits before and no page lately
    known: int  # pages met lately whose URLs had areas before
    known_anew: int  # of these, those that follow stencils learned lately
    anew: int  # of all pages done lately, those that follow stencils learned lately


def compare(
    past: Past, stencils: Iterable[StencilSummary], since: str = ""
) -> tuple[SiteDrift, ...]:
    """Return the drift of each site, sorted by site.

    `since` is a time (ISO 8601): runs that began then or later are compared with those before;
    without it, the newest runs with enough pages are.
    """
    lives, summaries = by_site(past.lives), by_site(stencils)
    return tuple(
        judge(split_runs(runs, since), lives.get(key, []), summaries.get(key, []))
        for key, runs in sorted(by_site(past.runs).items())
    )


def by_site(things: Iterable[T]) -> dict[tuple[str, str], list[T]]:
    """Group by site and `learner`."""
    found: dict[tuple[str, str], list[T]] = {}
    for thing in things:
        found.setdefault((thing.site, thing.made_by), []).append(thing)
    return found


def split_runs(runs: Sequence[SiteRun], since: str = "") -> tuple[list[SiteRun], list[SiteRun]]:
    """Split the runs over a site into before and lately."""
    first = first_run_since(runs, since) if since else first_recent_run(runs)
    return [one for one in runs if one.run < first], [one for one in runs if one.run >= first]


def first_run_since(runs: Sequence[SiteRun], since: str) -> int:
    """Return the first run since a time; the last run if there is none."""
    late = [one.run for one in runs if one.began >= since]
    return min(late) if late else runs[-1].run


def first_recent_run(runs: Sequence[SiteRun]) -> int:
    """Return the first of the newest runs that together have enough pages.

    A run that was stopped is taken together with the one that resumed it.
    """
    pages = 0
    first = runs[-1].run
    for one in reversed(runs):
        if pages >= LEAST_PAGES and one.whole:
            break
        first = one.run
        pages += one.hits + one.learned + one.unchanged
    return first


def judge(
    parts: tuple[list[SiteRun], list[SiteRun]],
    lives: Sequence[StencilLife],
    stencils: Sequence[StencilSummary],
) -> SiteDrift:
    """Return the drift of a site."""
    before, lately = parts
    first = lately[0].run
    # Two runs at once may learn the same stencil, and one that was forgotten comes back. In the
    # default mode a template may be known by rendered pages of others.
    default = lately[0].mode is Mode.DEFAULT
    new = [life for life in lives if (life.learned or default) and life.first >= first]
    ends = [stencil.state for stencil in stencils if stencil.ended >= first]
    found = SiteDrift(
        site=lately[0].site,
        made_by=lately[0].made_by,
        mode=lately[0].mode,
        drifted=False,
        words="",
        before=span(before) if before else None,
        lately=span(lately),
        learned=len(new),
        retired=ends.count(StencilState.RETIRED),
        replaced=ends.count(StencilState.REPLACED),
        unused=sum(1 for life in lives if life.hits and life.last < first),
        known=sum(one.known + one.unchanged for one in lately),
        known_anew=sum(life.known for life in new),
        anew=sum(life.hits + life.learned for life in new),
    )
    return with_verdict(found)


def span(runs: Sequence[SiteRun]) -> RunSpan:
    """Sum up runs."""
    hits = sum(one.hits for one in runs)
    return RunSpan(
        runs=len(runs),
        began=min(one.began for one in runs),
        pages=hits + sum(one.learned for one in runs),
        hits=hits,
        unchanged=sum(one.unchanged for one in runs),
        confidence=sum(one.confidence for one in runs) / hits if hits else None,
    )


def with_verdict(found: SiteDrift) -> SiteDrift:
    """Decide whether a site drifted, and say why."""
    if found.before is None:
        return replace(found, words="nothing to compare with yet")
    reasons = [
        *(redesign_words(found) or new_look_words(found)),
        *less_sure_words(found.before, found.lately),
    ]
    if not reasons:
        return replace(found, words="as before")
    ended = f"{plural(found.unused, thing(found))} that had hits before had none"
    return replace(found, drifted=True, words="; ".join([*reasons, ended]))


def redesign_words(found: SiteDrift) -> tuple[str, ...]:
    """Say that known pages follow new stencils."""
    if found.known < LEAST_PAGES or found.known_anew < REDESIGNED * found.known:
        return ()
    return (
        f"redesigned: {found.known_anew} of {plural(found.known, 'page')} known before no longer "
        f"follow the {thing(found)}s of then ({plural(found.learned, thing(found))} learned)",
    )


def new_look_words(found: SiteDrift) -> tuple[str, ...]:
    """Say that new pages follow new stencils, where there are not enough known ones to judge by."""
    pages = found.lately.pages
    if found.known >= LEAST_PAGES or pages < LEAST_PAGES or found.anew < NEW_LOOK * pages:
        return ()
    return (
        f"new pages look different: {found.anew} of {plural(pages, 'page')} do not follow the "
        f"{thing(found)}s known before ({plural(found.learned, thing(found))} learned)",
    )


def thing(found: SiteDrift) -> str:
    """Return what the pages of a site follow: templates, or in paper mode stencils."""
    return "stencil" if found.mode is Mode.PAPER else "template"


def less_sure_words(before: RunSpan, lately: RunSpan) -> tuple[str, ...]:
    """Say that the confidence of hits fell."""
    if before.confidence is None or lately.confidence is None or lately.hits < LEAST_PAGES:
        return ()
    if before.confidence - lately.confidence < LESS_SURE:
        return ()
    return (f"hits are less sure: {lately.confidence:.3f} instead of {before.confidence:.3f}",)
