"""The survey of sites: what is read once is known, what changes is decided anew, all is bounded."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from made_site import HOST, category, kind_of, post, site_pages
from store_values import rows, run

from webstencil.codec import encode_result
from webstencil.content.page_types import vote_of
from webstencil.errors import PageTimeout
from webstencil.jobs import sites as known_sites
from webstencil.jobs import survey as surveying
from webstencil.jobs.job import Pipeline
from webstencil.jobs.sites import Sites
from webstencil.jobs.survey import decide_templates, digest, survey, surveyed_page
from webstencil.markup.parse import parse
from webstencil.model import Item, Mode, Page, PageArea, PageResult, RawPage, Snapshot, Status
from webstencil.protocols import PageEvent, Resources
from webstencil.queries.surveys import survey_of
from webstencil.settings import Settings
from webstencil.site.outline import OutlinedPage, outline
from webstencil.site.site_model import SiteModel
from webstencil.site.survey_report import Misfit, MisfitCount
from webstencil.site.templates import SiteTemplates, find_templates
from webstencil.store import SqlStore, open_store, outlines
from webstencil.store.database import OpenDatabase
from webstencil.store.outlines import OutlineTable
from webstencil.store.schema import MIGRATIONS
from webstencil.store.sql import database_of
from webstencil.testing import MemorySource, StackRenderer
from webstencil.urls import sampling_key

LEARNER = Settings().learner
PAGES = site_pages(30)
START = f"http://{HOST}"
BEFORE_OUTLINES = 4  # version of the stores without


@pytest.fixture
def store(place: str) -> Iterator[SqlStore]:
    """An empty store of each kind."""
    with open_store(place) as opened:
        yield opened


@pytest.fixture
def file_store(tmp_path: Path) -> Iterator[SqlStore]:
    """An empty store in a file."""
    with open_store(tmp_path / "s.db") as opened:
        yield opened


def raws(pages: dict[str, bytes]) -> list[RawPage]:
    return [RawPage(url, body) for url, body in pages.items()]


def surveyed(store: SqlStore, pages: Iterable[RawPage]) -> list[str]:
    """Survey pages; return the URLs of those that had to be parsed."""
    parsed: list[str] = []

    def take(raw: RawPage | None) -> None:
        if raw is not None:
            parsed.append(raw.url)

    for _ in survey(pages, store.outlines, take):
        pass
    return parsed


def model_of(pages: dict[str, bytes]) -> SiteModel:
    """Return the model that pages should have."""
    return SiteModel(
        OutlinedPage(raw.url, outline(parse(raw)), digest(raw), vote_of(parse(raw)))
        for raw in raws(pages)
    )


def numbers(templates: SiteTemplates, pages: dict[str, bytes]) -> dict[str, int]:
    """Return the templates that pages should have."""
    return templates.numbers_of(model_of(pages))


def test_only_new_and_changed_pages_are_parsed(store: SqlStore) -> None:
    """The model is that of the pages as they are now."""
    changed = {**PAGES, f"{START}/posts/0.html": post(77), f"{START}/posts/new.html": post(78)}
    first = surveyed(store, raws(PAGES))
    again = surveyed(store, raws(PAGES))
    then = surveyed(store, raws(changed))

    assert sorted(first) == sorted(PAGES)
    assert again == []
    assert sorted(then) == [f"{START}/posts/0.html", f"{START}/posts/new.html"]
    assert store.outlines.model(HOST) == model_of(changed)
    assert list(store.outlines.pages(HOST)) == list(model_of(changed))


def test_the_charset_of_a_header_makes_another_page(store: SqlStore) -> None:
    """The same bytes say something else."""
    raw = RawPage(f"{START}/a", "<p>Grüße".encode("latin-1"), "latin-1")
    surveyed(store, [raw])
    again = surveyed(store, [replace(raw, charset="utf-8")])

    assert again == [raw.url]


def test_progress_is_told_while_pages_are_read(file_store: SqlStore) -> None:
    """The last number is that of all pages."""
    pages = raws(site_pages(150))

    assert list(survey(pages, file_store.outlines)) == [64, 128, 150]
    assert list(survey([], file_store.outlines)) == [0]


@pytest.mark.parametrize("apart", [1, 70])
def test_of_a_page_that_is_repeated_the_last_one_counts(file_store: SqlStore, apart: int) -> None:
    """However many pages are between."""
    others = raws(site_pages(apart, "other.example"))
    twice = [RawPage(f"{START}/a", post(1)), *others, RawPage(f"{START}/a", post(2))]
    surveyed(file_store, twice)

    assert file_store.outlines.model(HOST) == model_of({f"{START}/a": post(2)})


def test_what_is_no_page_is_left_out(store: SqlStore, caplog: pytest.LogCaptureFixture) -> None:
    """Without a warning: the job reports it later."""
    other = {f"{START}/a.pdf": b"%PDF-1.7", f"{START}/b": b"", f"{START}/c.xml": b"<rss></rss>"}
    with caplog.at_level(logging.WARNING):
        surveyed(store, raws({**PAGES, **other}))

    assert store.outlines.model(HOST) == model_of(PAGES)
    assert caplog.messages == []


def test_who_asks_is_told_what_is_no_page(file_store: SqlStore) -> None:
    """With the reason, each time; pages that are known are not parsed for that."""
    told: list[tuple[str, str]] = []
    pages = raws({f"{START}/a": post(1), f"{START}/b": b"%PDF-1.7"})
    for _ in range(2):
        for _ in survey(
            pages, file_store.outlines, refused=lambda raw, why: told.append((raw.url, str(why)))
        ):
            continue

    why = f"{START}/b is a PDF file, not an HTML page; leave it out"
    assert told == [(f"{START}/b", why)] * 2


def test_a_page_that_is_none_any_more_is_subtracted(store: SqlStore) -> None:
    """Its outline goes when its file has become something else."""
    surveyed(store, raws(PAGES))
    gone, *_ = PAGES
    surveyed(store, raws({**PAGES, gone: b"%PDF-1.7"}))

    left = {url: body for url, body in PAGES.items() if url != gone}
    assert store.outlines.model(HOST) == model_of(left)


def test_a_page_that_breaks_the_outline_does_not_end_the_survey(
    file_store: SqlStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is told with its URL, and has no template."""

    def failing(page: Page, *rest: object) -> object:
        if page.url.endswith("/0.html"):
            raise RecursionError("too deep")
        return surveyed_page(page, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(surveying, "surveyed_page", failing)
    surveyed(file_store, raws(PAGES))

    left = {url: body for url, body in PAGES.items() if not url.endswith("/0.html")}
    assert file_store.outlines.model(HOST) == model_of(left)
    assert sorted(caplog.messages) == sorted(
        f"no outline url={url}" for url in PAGES if url not in left
    )


def test_templates_are_decided_once_and_after_each_change(store: SqlStore) -> None:
    """Each page then has the number that its site's templates give it."""
    changed = {**PAGES, f"{START}/posts/0.html": category(77)}
    surveyed(store, raws(PAGES))
    first = decide_templates(store), store.outlines.templates(HOST)
    second = decide_templates(store)
    surveyed(store, raws(changed))
    third = decide_templates(store), store.outlines.templates(HOST)

    before = find_templates(model_of(PAGES))
    after = find_templates(model_of(changed), before)
    assert first == ((HOST,), numbers(before, PAGES))
    assert second == ()
    assert third == ((HOST,), numbers(after, changed))
    assert store.templates.of(HOST) == after
    assert third[1][f"{START}/posts/0.html"] == third[1][f"{START}/categories/1.html"]


def test_a_page_that_was_removed_is_subtracted(store: SqlStore) -> None:
    """Templates are decided without it; what waits for its site is gone, too."""
    surveyed(store, raws(PAGES))
    decide_templates(store)
    gone, *_ = PAGES
    store.results.remove(LEARNER, gone)
    decided = decide_templates(store)

    left = {url: body for url, body in PAGES.items() if url != gone}
    assert decided == (HOST,)
    assert store.outlines.model(HOST) == model_of(left)
    assert store.templates.of(HOST).pages == len(left)
    assert store.outlines.template_of(gone) is None
    assert set(store.outlines.templates(HOST)) == set(left)


class Killed(BaseException):
    """The end of a job, at once."""


class KilledOutlines(OutlineTable):
    """Ends the job when templates are assigned for the second time."""

    assigned = 0

    def assign(self, site: str, templates: Mapping[str, int]) -> None:
        if self.assigned:
            raise Killed
        self.assigned += 1
        super().assign(site, templates)


def test_a_site_that_was_divided_half_is_divided_again(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if no page is new: the job was killed while pages got the numbers of their templates."""
    surveyed(store, raws(PAGES))
    decide_templates(store)
    store.outlines.assign(HOST, dict.fromkeys(PAGES, 17))  # as other templates would have it
    gone, *_ = PAGES
    store.results.remove(LEARNER, gone)
    monkeypatch.setattr(surveying, "ASSIGNED_AT_ONCE", 7)
    usual, store.outlines = store.outlines, KilledOutlines(store.database)
    with pytest.raises(Killed):
        decide_templates(store)
    store.outlines = usual
    half = set(store.outlines.templates(HOST).values())
    again = decide_templates(store)

    left = {url: body for url, body in PAGES.items() if url != gone}
    assert 17 in half
    assert again == (HOST,)
    assert store.outlines.templates(HOST) == numbers(store.templates.of(HOST), left)
    assert decide_templates(store) == ()


@pytest.fixture
def few_excerpts(monkeypatch: pytest.MonkeyPatch) -> int:
    """Keep the excerpts of five pages of a site."""
    monkeypatch.setattr(outlines, "EXCERPTS_KEPT", 5)
    monkeypatch.setattr(outlines, "_SMALLEST", outlines._SMALLEST.limit(5))
    return 5


def by_key(pages: dict[str, bytes]) -> list[RawPage]:
    return sorted(raws(pages), key=lambda raw: sampling_key(raw.url))


def test_excerpts_are_of_the_pages_with_the_smallest_keys(
    store: SqlStore, few_excerpts: int
) -> None:
    """In whatever order pages come, and whatever is surveyed or changes later."""
    pages = raws(site_pages(90))
    smallest = [raw.url for raw in by_key(site_pages(90))][:few_excerpts]
    changed = [RawPage(url, post(100)) for url in smallest[:4]]
    for part in (pages[:20], [*pages[20:50], *changed[:2]], pages[50:], changed[2:], changed):
        surveyed(store, reversed(part))
        decide_templates(store)

    found = list(store.outlines.excerpts(HOST))
    assert [one.page.url for one in found] == smallest
    assert all(one.excerpts.title for one in found)
    assert [one.template for one in found] == [store.outlines.template_of(url) for url in smallest]


def test_a_changed_page_does_not_take_the_place_of_another(
    file_store: SqlStore, few_excerpts: int
) -> None:
    """In one survey: pages that come again with other bytes, and then one of a larger key."""
    first, *others = by_key(site_pages(90))[:few_excerpts]
    again = [replace(first, body=post(number)) for number in range(100, 105)]
    surveyed(file_store, [others[0], *again, first, *others[1:]])
    decide_templates(file_store)

    found = list(file_store.outlines.excerpts(HOST))
    assert [one.page.url for one in found] == [raw.url for raw in (first, *others)]


def test_pages_that_need_no_excerpts_do_not_get_any(
    file_store: SqlStore, few_excerpts: int
) -> None:
    """Once the site has enough of smaller keys."""
    ordered = by_key(site_pages(90))
    surveyed(file_store, reversed(ordered[:10]))
    surveyed(file_store, ordered[10:])

    assert len(list(file_store.outlines.excerpts(HOST))) == 10
    file_store.outlines.keep_few_excerpts(HOST)
    assert len(list(file_store.outlines.excerpts(HOST))) == few_excerpts


def test_outlines_of_another_version_are_made_anew(place: str) -> None:
    """They are never read; until their pages come again, the site goes without them."""
    with open_store(place) as store:
        surveyed(store, raws(PAGES))
        decide_templates(store)
    older, *_ = PAGES
    other = r"'\x00'::bytea" if place.startswith("postgresql") else "X'00'"
    run(
        place,
        f"UPDATE outline SET digest = {other}, body = {other} WHERE key = {sampling_key(older)}",
    )
    with open_store(place) as store:
        without = store.outlines.model(HOST)
        again = surveyed(store, raws(PAGES))
        whole = store.outlines.model(HOST)

    left = {url: body for url, body in PAGES.items() if url != older}
    assert list(without) == list(model_of(left))
    assert again == [older]
    assert whole == model_of(PAGES)


def insert(table: str, row: Mapping[str, object]) -> sa.TextClause:
    """Return a statement that adds a row, whatever the columns of today's tables."""
    return sa.text(f"INSERT INTO {table} ({', '.join(row)}) VALUES (:{', :'.join(row)})")


def test_a_store_of_the_previous_version_is_filled_by_the_next_run(place: str) -> None:
    """Pages are processed again, since their site is learned now; results have templates."""
    source = MemorySource(PAGES)
    database = database_of(place)
    engine = database.engine(30.0)
    database.prepare(engine, 30.0, MIGRATIONS[:BEFORE_OUTLINES])
    with OpenDatabase(engine, database, 30.0).writing("make an old store") as db:
        learner = {"id": 1, "made_by": LEARNER}
        db.execute(insert("maker", learner), learner)
        for number, (url, raw) in enumerate(zip(PAGES, raws(PAGES), strict=True), 1):
            page = {"id": number, "maker": 1, "url": url, "status": "hit", "stencil": "k"}
            page["digest"] = digest(raw)
            result = PageResult(url, HOST, Status.HIT, "k", 1.0)
            db.execute(insert("page", page), page)
            body = {"page": number, "body": encode_result(result)}
            db.execute(insert("result", body), body)
        kept = {"made_by": "main content, texts of sites, 3", "name": HOST, "body": b"counts"}
        db.execute(insert("kept", kept), kept)
        database.go_on_numbering(db, ["maker", "page"])
    with open_store(place) as store:
        empty = store.outlines.sites(), store.templates.of(HOST).templates
        pipeline = Pipeline(store, StackRenderer())
        done = list(pipeline.run(source))
        model, templates = store.outlines.model(HOST), store.templates.of(HOST)
        named = {result.url: result.template for result in store.results(LEARNER)}

    report = pipeline.report()
    assert empty == ((), ())
    assert (len(done), report.unchanged) == (len(PAGES), 0)
    assert 0 < report.rendered < len(PAGES) / 4
    assert model == model_of(PAGES)
    assert templates == find_templates(model_of(PAGES))
    assert named == {
        url: templates.name_of(number) for url, number in numbers(templates, PAGES).items()
    }
    assert rows(place, "SELECT name FROM kept WHERE made_by LIKE 'main content%'") == []


class Once(MemorySource):
    """Pages that can be read once, as those of a crawl."""

    read_once = True


class FailingRenderer(StackRenderer):
    """Cannot render products."""

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        if kind_of(page.url) == "shop":
            raise PageTimeout("too slow")
        return super().render(page, resources, screenshot=screenshot)


def site_in(store: SqlStore) -> tuple[object, ...]:
    """Return what a store knows of the site."""
    return store.outlines.model(HOST), store.templates.of(HOST), store.outlines.templates(HOST)


@pytest.mark.parametrize("renderer", [StackRenderer, FailingRenderer])
def test_pages_that_are_read_once_tell_the_same(
    place: str, tmp_path: Path, renderer: type[StackRenderer]
) -> None:
    """The same model, templates, types and items, whichever pages cannot be rendered."""
    pages = {**PAGES, f"{START}/a.pdf": b"%PDF-1.7"}
    found = []
    for where, source in ((place, Once(pages)), (tmp_path / "run.db", MemorySource(pages))):
        with open_store(where) as store:
            results = list(Pipeline(store, renderer(), items=["content"]).run(source))
            kept = {
                one.url: (one.template, one.type, one.type_confidence, one.items)
                for one in store.results(LEARNER)
            }
            found.append((len(results), site_in(store), kept))
            types = [
                (result.type, f"{result.type_confidence:.3f}") == tuple(dict(item.fields).values())
                for result in store.results(LEARNER)
                for item in result.items
            ]
            assert types
            assert all(types)

    assert found[0] == found[1]
    assert found[0][1][0] == model_of(PAGES)
    assert rows(place, "SELECT * FROM spool") == []


class Live(MemorySource):
    """Pages that come one after the other, and nobody knows which."""

    def arrivals(self) -> Iterator[RawPage]:
        return self.pages()

    def settle(self, event: PageEvent) -> None:
        """Do nothing."""


@pytest.mark.parametrize(
    ("source", "skipped"), [(MemorySource, {"alone"}), (Once, {"alone"}), (Live, set())]
)
def test_templates_of_few_pages_are_skipped_where_pages_are_counted(
    file_store: SqlStore, source: type[MemorySource], skipped: set[str]
) -> None:
    """Also if reading twice costs much; of what cannot be read twice, no page is skipped."""
    pages = {**PAGES, f"{START}/alone": b"<body><center><dl class=own><dt>a<dd>b</dl></center>"}
    job = Pipeline(file_store, StackRenderer(), Settings(min_pages_per_template=5))
    found = {result.url: result.status for result in job.run(source(pages))}

    rare = {kind_of(url) for url, status in found.items() if status is Status.SKIPPED}
    assert rare == skipped
    assert len(found) == len(pages)


def test_a_pipeline_takes_sources_of_any_kind_one_after_the_other(file_store: SqlStore) -> None:
    """What was surveyed before does not keep it from looking at what comes once."""
    pages = list(PAGES.items())
    pipeline = Pipeline(file_store, StackRenderer())
    for source in (MemorySource(dict(pages[:10])), Once(dict(pages[10:20]))):
        for _ in pipeline.run(source):
            continue
    for url, body in pages[20:]:
        pipeline.process(RawPage(url, body))
    pipeline.end()

    assert file_store.outlines.model(HOST) == model_of(PAGES)
    assert set(file_store.outlines.templates(HOST)) == set(PAGES)


class Moody:
    """An extractor that fails the second time it sees a page."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def items(self, page: Page, areas: Sequence[PageArea] = ()) -> tuple[Item, ...]:
        del areas
        if page.url in self.seen:
            raise RuntimeError("not again")
        self.seen.add(page.url)
        return (Item("mood", "good", "", "", 1.0, "guess"),)


def test_an_extractor_that_fails_in_the_end_changes_nothing(
    file_store: SqlStore, caplog: pytest.LogCaptureFixture
) -> None:
    """The job ends well, results stay as they were, and no page waits for ever."""
    paper = Settings(mode=Mode.PAPER)
    pipeline = Pipeline(file_store, StackRenderer(), paper, items=["content"], extractors=[Moody()])
    results = list(pipeline.run(Once(PAGES)))
    kept = {result.url: result.items for result in file_store.results(paper.learner)}

    assert {result.url: result.items for result in results} == kept
    assert sorted(caplog.messages) == sorted(f"not settled url={url}" for url in PAGES)
    assert list(file_store.spool.pages()) == []


def test_a_page_read_once_that_is_none_any_more_is_subtracted(file_store: SqlStore) -> None:
    """Its older outline goes with its result."""
    gone, *_ = PAGES
    for pages in (PAGES, {gone: b"%PDF-1.7"}):
        for _ in Pipeline(file_store, StackRenderer()).run(Once(pages)):
            continue

    left = {url: body for url, body in PAGES.items() if url != gone}
    assert file_store.outlines.model(HOST) == model_of(left)


def day(number: int) -> tuple[str, bytes]:
    """Make a day of a calendar that never ends."""
    date = f"{1970 + number // 365}-{number // 30 % 12 + 1:02}-{number % 30 + 1:02}"
    cells = "".join(f"<td class='d{n} day-{date}' id=c{number}-{n}>{n}</td>" for n in range(7))
    body = (
        f"<div class='calendar cal-{date}'><h1>Events of {date}</h1><table class=week><tr>{cells}"
        f"</tr></table><p class=none>Nothing on {date}</p><a href=?day={number + 1}>next</a></div>"
    )
    return f"{START}/calendar/{date}/{number}", f"<body>{body}".encode()


def test_an_endless_calendar_is_one_template(file_store: SqlStore) -> None:
    """Of few places; its plan is small, however many days there are."""
    surveyed(file_store, (RawPage(*day(number)) for number in range(2_000)))
    decide_templates(file_store)
    found = survey_of(file_store, HOST)

    assert [one.pages for one in found.templates] == [2_000]
    assert found.misfits == ()
    assert len(found.plan.pages) <= 6
    assert found.plan.covered == 1.0
    assert found.places < 20


def test_many_small_sites_are_surveyed_without_holding_them(
    file_store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a broad crawl: what is in memory is bounded, and what is found is the same."""
    sites = [f"s{number}.example" for number in range(2_000)]
    pages = [
        RawPage(f"http://{site}/{n}", f"<body><div><h1>{site}</h1><p>Text {n}</p></div>".encode())
        for n in range(3)
        for site in sites
    ]
    monkeypatch.setattr(outlines, "SITES_HELD", 100)
    surveyed(file_store, pages)
    keys_held = len(file_store.outlines._smallest)
    decided = decide_templates(file_store)
    monkeypatch.setattr(known_sites, "TYPED_PAGES_HELD", 100)
    known = Sites(file_store, held=100)
    held, sizes = [], []
    for raw in pages[:2_000]:
        page = parse(raw)
        sizes.append(len(known(page.site)))
        held.append((sum(map(len, known.in_memory())), len(known._templates.values())))
        assert known.pages_like(page) == 3

    assert len(decided) == 2_000
    assert set(sizes) == {3}
    assert max(pages for pages, _ in held) <= 100
    assert max(count for _, count in held) <= 100
    assert keys_held <= 100
    assert decide_templates(file_store) == ()


def test_a_page_at_two_addresses_is_a_copy(store: SqlStore) -> None:
    """It has its template, and is not rendered; which of the two, its key tells."""
    copy = f"{START}/posts/0.html?print=1"
    surveyed(store, raws({**PAGES, copy: post(0)}))
    decide_templates(store)
    found = survey_of(store, HOST)

    told = max(copy, f"{START}/posts/0.html", key=sampling_key)
    assert found.misfits == (MisfitCount(Misfit.COPY, 1, (told,)),)
    assert sum(one.pages for one in found.templates) == len(PAGES) + 1
    assert told not in [page.url for page in found.plan.pages]


def test_misfits_are_told_by_reason(store: SqlStore) -> None:
    """With some of their URLs; they are neither rendered nor counted for a template."""
    odd = {
        f"{START}/empty": b"<body></body>",
        f"{START}/moved": b"<meta http-equiv=refresh content='0;url=/x'><body>Moved",
        f"{START}/frames": b"<frameset><frame src=a></frameset>",
        f"{START}/error": b"<title>404 Not Found</title><body>Sorry",
        f"{START}/alone": b"<body><center><dl class=own><dt>a<dd>b</dl><form>d</form></center>",
    }
    surveyed(store, raws({**PAGES, **odd}))
    decide_templates(store)
    found = survey_of(store, HOST, budget=2)

    reasons = (Misfit.EMPTY, Misfit.REDIRECT, Misfit.FRAMES, Misfit.ERROR, Misfit.ALONE)
    assert found.misfits == tuple(
        MisfitCount(reason, 1, (url,)) for reason, url in zip(reasons, odd, strict=True)
    )
    assert sum(one.pages for one in found.templates) == len(PAGES)
    assert (found.pages, found.sampled, len(found.plan.pages)) == (35, 35, 2)
