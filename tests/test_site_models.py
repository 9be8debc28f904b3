"""The models of the sites of a job: from a store or in memory, never too many at once."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from test_content import told

from webstencil.api import parsed
from webstencil.content import MainContent
from webstencil.errors import SettingsError
from webstencil.jobs.sites import Sites
from webstencil.jobs.survey import models_of, save_outlines
from webstencil.model import RawPage
from webstencil.site.outline import OutlinedPage, outline
from webstencil.site.site_model import SiteModel
from webstencil.store import SqlStore, open_store

SITES = ("a.org", "b.org", "c.org")
PAGES = tuple((f"http://{site}/{number}", told(number)) for number in range(4) for site in SITES)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    """An empty store."""
    with open_store(tmp_path / "s.db") as opened:
        yield opened


@pytest.fixture
def things() -> Iterator[ExitStack]:
    """What is closed after a test."""
    with ExitStack() as stack:
        yield stack


def outlined(url: str, html: str) -> OutlinedPage:
    return OutlinedPage(url, outline(parsed(html, url)))


def raw_pages() -> list[RawPage]:
    return [RawPage(url, html.encode()) for url, html in PAGES]


def told_by(model: SiteModel) -> list[tuple[str, object]]:
    """Return what a model tells of its pages."""
    return [(page.url, page.outline) for page in model]


def test_a_model_grows_by_the_pages_of_its_site() -> None:
    """In memory, without a store; a page that comes again replaces itself."""
    models = Sites()
    for url, html in (*PAGES, ("http://a.org/0", told(5))):
        models.add(outlined(url, html))
    pages = [outlined("http://a.org/0", told(5))]
    pages += [outlined(f"http://a.org/{number}", told(number)) for number in (1, 2, 3)]

    assert models("a.org") == SiteModel(pages)
    assert [models(site).pages for site in (*SITES, "d.org")] == [4, 4, 4, 0]


def test_a_model_from_a_store_is_the_one_grown_in_memory(store: SqlStore) -> None:
    """Pages that are added later are in both."""
    pages = [outlined(url, html) for url, html in PAGES]
    save_outlines(pages[:-3], store.outlines)
    models, grown = Sites(outlines=store.outlines), Sites()
    for page in pages:
        grown.add(page)
    before = [len(models(site)) for site in SITES]
    for page in pages[-3:]:
        models.add(page)

    assert before == [3, 3, 3]
    assert [models(site) for site in SITES] == [grown(site) for site in SITES]


def test_a_model_that_is_not_in_memory_is_not_read_to_add_to_it(store: SqlStore) -> None:
    """It has the page when it is read, since the store has it by then."""
    page = outlined(*PAGES[0])
    models = Sites(outlines=store.outlines)
    models.add(page)
    in_memory = models.in_memory()
    save_outlines([page], store.outlines)

    assert in_memory == ()
    assert models("a.org") == SiteModel([page])


def test_what_was_forgotten_is_read_again(store: SqlStore) -> None:
    """With what others have saved meanwhile."""
    models = Sites(outlines=store.outlines)
    before = len(models("a.org")), len(models("b.org"))
    save_outlines([outlined(url, html) for url, html in PAGES], store.outlines)
    models.forget("a.org")
    models.forget("d.org")

    assert before == (0, 0)
    assert [len(models(site)) for site in ("a.org", "b.org")] == [4, 0]


@pytest.mark.parametrize(("held", "wanted"), [(1, 1), (9, 1), (10, 2), (100, 3)])
def test_models_asked_for_last_stay_in_memory(store: SqlStore, held: int, wanted: int) -> None:
    """As many as there is room for; what is found does not depend on that."""
    save_outlines([outlined(url, html) for url, html in PAGES], store.outlines)
    models = Sites(outlines=store.outlines, held=held)
    extractor = MainContent(models=models)
    contents = [extractor.content(parsed(html, url)) for url, html in PAGES]

    assert {content.how for content in contents} == {"page and 3 siblings"}
    assert not [content.text for content in contents if "Please support" in content.text]
    assert models.in_memory() == tuple(map(store.outlines.model, SITES[-wanted:]))


def test_sites_without_pages_do_not_fill_the_memory(store: SqlStore) -> None:
    """A broad crawl comes through millions."""
    models = Sites(outlines=store.outlines, held=5)
    for number in range(20):
        models(f"{number}.org")

    assert len(models.in_memory()) == 5


def test_room_for_no_page_is_refused() -> None:
    """The message has the number."""
    with pytest.raises(SettingsError, match="1 or more pages must be held, not 0"):
        Sites(held=0)


def test_all_pages_are_read_before_the_first_is_compared(
    store: SqlStore, things: ExitStack
) -> None:
    """Into the store if there is one, where they stay; what is not HTML is left out."""
    pages = [*raw_pages(), RawPage("http://a.org/x", b"%PDF-1.7")]
    grown = models_of(pages, None, things)
    models_of(pages, store.outlines, things)
    models = models_of([], store.outlines, things)

    assert [told_by(models(site)) for site in SITES] == [told_by(grown(site)) for site in SITES]
    assert [len(models(site)) for site in SITES] == [4, 4, 4]


@pytest.mark.parametrize("held", [1, 8, 100])
def test_too_many_pages_for_the_memory_go_to_a_temporary_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: int
) -> None:
    """Nothing is lost on the way; the store is gone in the end."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with ExitStack() as things:
        models = models_of(raw_pages(), None, things, held=held)
        stores = len(list(tmp_path.glob("webstencil-*/*.db")))
        found = [told_by(models(site)) for site in SITES]

    wanted = Sites()
    for url, html in PAGES:
        wanted.add(outlined(url, html))
    assert stores == (held < 100)
    assert found == [told_by(wanted(site)) for site in SITES]
    assert list(tmp_path.iterdir()) == []
