"""A page with what its site has taught laid over it: a hit, or why it is none."""

from dataclasses import dataclass
from functools import lru_cache

from webstencil.model import (
    Area,
    Miss,
    MissReason,
    Page,
    PageResult,
    Problem,
    Snapshot,
    Status,
)
from webstencil.pipeline.report import StageClock
from webstencil.site.describe import describe_located, describe_pieces
from webstencil.site.known import SiteKnowledge
from webstencil.site.paper.locate import locate

FIRST_PAGE = "first page of the site"
NO_TEXT = "first page of the site without text"
NEW = "most of its text stands where no learned page has any"


@dataclass(frozen=True, slots=True)
class NoHit:
    """A page that has to be learned."""

    why: str
    rendered: "RenderedPage | None" = None  # if it was rendered to check it


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page as it was rendered, and its areas."""

    snapshot: Snapshot
    areas: tuple[Area, ...]


def by_borders(
    page: Page, known: SiteKnowledge, most: float, origin: str, clock: StageClock
) -> PageResult | NoHit:
    """Lay borders over a page; it is a hit if the risk is not above `most`."""
    clock.begin("locate")
    laid = known.transfer.lay(page)
    if laid is None:
        return NoHit(NO_TEXT if known.stencils else FIRST_PAGE)
    if laid.risk > most:
        above = f"widens {laid.stencil}: risk {laid.risk:.3f} above {most:g}"
        return NoHit(NEW if laid.risk == 1.0 else above)
    clock.begin("describe")
    areas = describe_pieces(known.stencils[laid.stencil], laid.pieces)
    return PageResult(
        page.url,
        page.site,
        Status.HIT,
        laid.stencil,
        confidence=1.0 - laid.risk,
        areas=areas,
        origin=origin,
        version=known.version,
    )


def by_paper(
    page: Page, known: SiteKnowledge, most: float, origin: str, clock: StageClock
) -> PageResult | NoHit:
    """Locate the areas of the nearest stencil, if its distance is not above `most`."""
    clock.begin("match")
    match = known.matcher.nearest(page)
    if match is None:
        return NoHit(FIRST_PAGE)
    if match.distance > most:
        return NoHit(f"distance {match.distance:.3f} above {most:g}")
    stencil = match.stencil
    clock.begin("locate")
    plan = known.guides[stencil.key]
    answers = locate(plan, page)
    clock.begin("describe")
    misses = [answer for answer in answers if type(answer) is Miss]
    areas = describe_located(stencil, answers, known.same[stencil.key])
    problems = tuple([not_there(miss.area, miss.reason) for miss in misses])
    return PageResult(
        page.url,
        page.site,
        Status.HIT,
        stencil.key,
        confidence=1.0 - len(misses) / len(answers) if answers else 1.0,
        areas=areas,
        problems=problems,
        origin=origin,
        version=known.version,
    )


@lru_cache(maxsize=1024)
def not_there(area: int, reason: MissReason) -> Problem:
    """Return the problem of an area that was not found."""
    return Problem("locate", reason, f"area {area} is not on this page")
