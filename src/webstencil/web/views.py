"""What a visitor sees of a store: sites, a site, a stencil, pages, the result of one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from webstencil.model import PageArea, PageResult, Status
from webstencil.output.json_lines import json_line
from webstencil.output.overlay import outlines, page_outlines
from webstencil.queries.drift import SiteDrift
from webstencil.queries.open_store import Shelf
from webstencil.queries.sites import (
    READ,
    SiteKey,
    SiteReader,
    SiteSummary,
    kind_words,
    problem_kinds,
    troubled,
)
from webstencil.store import (
    PAGES_AT_ONCE,
    PageFilter,
    SiteRun,
    SqlStore,
    StencilState,
    StencilSummary,
)
from webstencil.web.charts import Chart, chart
from webstencil.web.pictures import picture_of
from webstencil.web.writing import NotThere, PageWriter, WrongInput, when

CARDS = 24  # stencils of a site shown at once, each read from the store
LAST_PAGE = 1_000_000  # nobody turns so many pages
AREAS = 500  # shown of a page; JSON has all
LONGEST = 10_000  # characters of a part of the query; SQLite searches for up to 50,000 bytes
RUNS = 100  # shown in a line
SURE = 0.9  # where the scale of confidence begins: in the default mode hits lie above


@dataclass(frozen=True, slots=True)
class ListPager:
    """Which page of a long list is shown."""

    number: int  # from 1
    total: int  # of things
    size: int = PAGES_AT_ONCE

    @property
    def last(self) -> int:
        """Return the number of the last page."""
        return max(1, -(-self.total // self.size))

    @property
    def skipped(self) -> int:
        """Return how many things come before this page."""
        return (self.number - 1) * self.size


class Views:
    """Answers requests from a store."""

    def __init__(self, shelf: Shelf, writer: PageWriter, reader: SiteReader) -> None:
        self._shelf = shelf
        self._reader = reader
        self._writer = writer

    def sites(self, request: Request) -> Response:
        """Show all sites."""
        text = text_of(request, "q")
        rows = self._reader.overview(self._shelf.store()).rows
        found = [row for row in rows if text.lower() in row.key.site.lower()]
        turn = turn_of(request, len(found))
        facts = {
            "rows": found[turn.skipped : turn.skipped + turn.size],
            "known": len(rows),
            "pages": sum(row.pages for row in rows),
            "drifted": sum(drift_of(row) is not None for row in rows),
            "several": len({row.key.maker for row in rows}) > 1,
            "turn": turn,
            "q": text,
        }
        return self._writer.page(request, "sites.html", facts)

    def site(self, request: Request) -> Response:
        """Show a site."""
        store = self._shelf.store()
        read = self._reader.overview(store)
        row = chosen_site(request, read.rows)
        stencils = stencils_of(read.stencils, row)
        turn = turn_of(request, len(stencils), CARDS)
        shown = stencils[turn.skipped : turn.skipped + turn.size]
        bodies = store.stencils_keyed([one.key for one in shown])
        runs = [one for one in read.runs if (one.site, one.made_by) == (row.key.site, row.made_by)]
        numbers = troubled(read.without, row.key)
        facts = {
            "row": row,
            "others": [one for one in read.rows if one.key.site == row.key.site and one != row],
            "stencils": [one for one in shown if one.key in bodies],
            "pictures": {key: picture_of(outlines(body.areas)) for key, body in bodies.items()},
            "reasons": store.reasons(),
            "turn": turn,
            "runs": runs[-RUNS:],
            "charts": charts_of(runs[-RUNS:]),
            "drift": drift_of(row),
            "problems": problem_kinds(store.results_numbered(numbers)),
            "all_read": len(numbers) < READ,
            "read": READ,
        }
        return self._writer.page(request, "site.html", facts)

    def problems(self, request: Request) -> Response:
        """Show the pages of a site that have no areas, and why."""
        store = self._shelf.store()
        read = self._reader.overview(store)
        row = chosen_site(request, read.rows)
        kind = text_of(request, "kind")
        numbers = troubled(read.without, row.key)
        found = [
            result
            for result in store.results_numbered(numbers)
            if not kind or kind in {kind_words(problem) for problem in result.problems}
        ]
        turn = turn_of(request, len(found))
        facts = {
            "row": row,
            "kind": kind,
            "results": found[turn.skipped : turn.skipped + turn.size],
            "turn": turn,
            "all_read": len(numbers) < READ,
            "read": READ,
        }
        return self._writer.page(request, "problems.html", facts)

    def stencil(self, request: Request) -> Response:
        """Show a stencil and the pages that follow it."""
        store = self._shelf.store()
        key = text_of(request, "key")
        summary = next((one for one in store.all_stencils() if one.key == key), None)
        if summary is None:
            raise NotThere(
                f"there is no stencil {key!r}; look through the sites for those there are"
            )
        stencil, text = store.stencil(key), text_of(request, "q")
        maker = maker_of(store, summary.made_by)
        turn = turn_of(request, 0)
        total, pages = store.find_pages(PageFilter(text, stencil=key, skipped=turn.skipped))
        facts = {
            "stencil": stencil,
            "summary": summary,
            "history": store.history(key),
            "site": SiteKey(summary.site, maker),
            "picture": picture_of(outlines(stencil.areas)),
            "areas": stencil.areas[:AREAS],
            "texts": texts_of(store.result_of(summary.made_from, maker), key),
            "pages": pages,
            "turn": ListPager(turn.number, total),
            "q": text,
        }
        return self._writer.page(request, "stencil.html", facts)

    def pages(self, request: Request) -> Response:
        """Show the pages whose address has a text in it."""
        store = self._shelf.store()
        text, status = text_of(request, "q"), text_of(request, "status")
        if status and status not in set(Status):
            raise WrongInput(f"there is no status {status!r}; there are {', '.join(Status)}")
        turn = turn_of(request, 0)
        total, pages = store.find_pages(PageFilter(text, status, skipped=turn.skipped))
        facts = {
            "pages": pages,
            "makers": store.makers(),
            "turn": ListPager(turn.number, total),
            "q": text,
            "status": status,
            "statuses": [one.value for one in Status],
        }
        return self._writer.page(request, "pages.html", facts)

    def result(self, request: Request) -> Response:
        """Show what became of a page."""
        store = self._shelf.store()
        maker, result = self._asked_result(store, request)
        facts = {
            "result": result,
            "maker": maker,
            "made_by": store.makers()[maker],
            "others": [one for one in store.makers_of(result.url) if one != maker],
            "makers": store.makers(),
            "areas": result.areas[:AREAS],
            "picture": picture_of(page_outlines(result.areas)),
        }
        return self._writer.page(request, "result.html", facts)

    def result_json(self, request: Request) -> Response:
        """Write the result of a page as a line of `run --out`."""
        _, result = self._asked_result(self._shelf.store(), request)
        return Response(json_line(result), media_type="application/json")

    def _asked_result(self, store: SqlStore, request: Request) -> tuple[int, PageResult]:
        """Return the result that is asked for, the newest one if no segmenter is named."""
        url = text_of(request, "url")
        known = store.makers_of(url)
        maker = whole_number(request, "maker", known[0] if known else 0)
        result = store.result_of(url, maker) if maker in known else None
        if result is None:
            raise NotThere(f"there is no result of {url!r}; search for a part of its address")
        return maker, result


def text_of(request: Request, name: str) -> str:
    """Return a part of the query, empty if it is not there."""
    text = request.query_params.get(name, "").replace("\0", "").strip()
    if len(text) > LONGEST:
        raise WrongInput(f"{name} has {len(text):,} characters; at most {LONGEST:,} are looked for")
    return text


def whole_number(request: Request, name: str, usual: int) -> int:
    """Return a number of the query."""
    text = text_of(request, name)
    if not text:
        return usual
    if not (text.isascii() and text.isdecimal()) or int(text[:9]) > LAST_PAGE:
        raise WrongInput(f"{name} must be a whole number up to {LAST_PAGE:,}, not {text[:40]!r}")
    return int(text[:9])


def turn_of(request: Request, total: int, size: int = PAGES_AT_ONCE) -> ListPager:
    """Return which page of a list is wanted."""
    number = whole_number(request, "page", 1)
    if not number:
        raise WrongInput("page must be a number from 1")
    return ListPager(number, total, size)


def chosen_site(request: Request, rows: tuple[SiteSummary, ...]) -> SiteSummary:
    """Return the site that is asked for, by its first segmenter if none is named."""
    name, maker = text_of(request, "name"), whole_number(request, "maker", 0)
    for row in rows:
        if row.key.site == name and maker in (0, row.key.maker):
            return row
    raise NotThere(f"there is no site {name!r} in this store; the first page lists those there are")


def stencils_of(stencils: Iterable[StencilSummary], row: SiteSummary) -> list[StencilSummary]:
    """Return the stencils of a site: those that teach first, and of these the most used."""
    found = [one for one in stencils if one.site == row.key.site and one.made_by == row.made_by]
    return sorted(found, key=lambda one: (one.state != StencilState.TEACHING, -one.hits, one.key))


def maker_of(store: SqlStore, made_by: str) -> int:
    """Return the number of what made a stencil."""
    return next(number for number, name in store.makers().items() if name == made_by)


def charts_of(runs: Sequence[SiteRun]) -> list[Chart]:
    """Draw hit ratio and confidence over runs."""
    return [
        chart("Hit ratio", [(when(run.began), run.hit_ratio) for run in runs]),
        chart(
            "Mean confidence of hits",
            [(when(run.began), run.mean_confidence) for run in runs],
            low=SURE,
        ),
    ]


def drift_of(row: SiteSummary) -> SiteDrift | None:
    """Return what changed on a site, None if nothing did."""
    return row.drift if row.drift is not None and row.drift.drifted else None


def texts_of(result: PageResult | None, key: str) -> dict[int, PageArea]:
    """Return what the learned page has in each area of its stencil, as far as it is kept."""
    if result is None or result.stencil != key or result.status is not Status.LEARNED:
        return {}
    return {area.id: area for area in result.areas}
