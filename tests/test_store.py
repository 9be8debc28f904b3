"""The store: what it keeps, what it tells of it, and what it forgets."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest
from store_values import BCS, SITE, VIPS, numbered_page, result_of, stencil_of

from webstencil.errors import StoreError
from webstencil.model import Status
from webstencil.protocols import Done, Store
from webstencil.store import SqlStore, StencilSummary, open_store
from webstencil.store.sql import place_named
from webstencil.store.stencils import StencilTable

DAY = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def store(place: str) -> Iterator[SqlStore]:
    with open_store(place) as opened:
        yield opened


def test_a_store_fits_the_protocol(store: SqlStore) -> None:
    """Jobs and extractors can use it as a Store; its methods have the protocol's docstrings."""
    known: Store = store

    assert known.stencils(SITE, VIPS) == ()
    assert inspect.getdoc(SqlStore.save) == inspect.getdoc(Store.save)


def test_what_is_saved_is_there_when_the_store_is_opened_again(place: str) -> None:
    """A learned page gives its result, its digest and its stencil back."""
    result = result_of("a", Status.LEARNED)
    with open_store(place) as store:
        store.save(VIPS, [Done(result, b"digest", stencil_of("k"))])

    with open_store(place) as store:
        found = (
            list(store.results(VIPS)),
            store.results.done(VIPS),
            store.stencils(SITE, VIPS),
            store.stencils.keyed("k"),
        )

    assert found == (
        [result],
        {"https://example.org/a": b"digest"},
        (stencil_of("k"),),
        stencil_of("k"),
    )


def test_a_store_can_be_named_by_a_url(tmp_path: Path) -> None:
    """`sqlite:///` and a path mean the same file as the path."""
    path = tmp_path / "stencils.db"
    with open_store(f"sqlite:///{path}") as store:
        store.save(VIPS, [Done(result_of("a"), b"d")])

    with open_store(str(path)) as store:
        assert store.results.done(VIPS) == {"https://example.org/a": b"d"}


def test_results_come_in_the_order_in_which_the_pages_were_done(store: SqlStore) -> None:
    """A page done again counts as done last and has one result; one that failed is not done."""
    for name in "cab":
        store.save(VIPS, [Done(result_of(name), b"old")])

    again = result_of("c", Status.FAILED, stencil=None)
    store.save(VIPS, [Done(again, b"new")])

    assert list(store.results(VIPS)) == [result_of("a"), result_of("b"), again]
    assert store.results.done(VIPS) == {
        "https://example.org/a": b"old",
        "https://example.org/b": b"old",
    }


def test_pages_saved_together_are_kept_as_if_one_by_one(new_place: Callable[[], str]) -> None:
    """Results, what is done, stencils and their uses; some pages were there before."""
    before = [numbered_page(number) for number in (1, 3)]
    pages = [numbered_page(number) for number in (0, 1, 2, 3, 4, 5, 6)]
    found = []
    for parts in ([pages], [[page] for page in pages]):
        with open_store(new_place()) as store:
            store.save(VIPS, before, store.runs.begin(VIPS, DAY))
            run = store.runs.begin(VIPS, DAY)
            for part in parts:
                store.save(VIPS, part, run)
            kept = list(store.results(VIPS)), store.results.done(VIPS), store.stencils(SITE, VIPS)
            found.append((*kept, store.runs.past()))

    assert found[0] == found[1]
    assert found[0][0] == [page.result for page in pages]


def test_pages_are_saved_together_or_not_at_all(store: SqlStore) -> None:
    """One that cannot be saved keeps back the others that came with it."""
    store.save(VIPS, [Done(result_of("a", Status.LEARNED), b"1", stencil_of("k"))])

    with pytest.raises(StoreError, match="has that key"):
        store.save(
            VIPS,
            [Done(result_of("b"), b"2"), Done(result_of("c"), b"3", stencil_of("k", site="b.org"))],
        )

    assert store.results.done(VIPS) == {"https://example.org/a": b"1"}


def test_segmenters_are_kept_apart(store: SqlStore) -> None:
    """The same page done by two segmenters has two results; neither sees the other's."""
    store.save(VIPS, [Done(result_of("a", stencil="v"), b"1", stencil_of("v"))])
    store.save(BCS, [Done(result_of("a", stencil="b"), b"2", stencil_of("b", learner=BCS))])

    found = {
        learner: (
            list(store.results(learner)),
            store.results.done(learner),
            store.stencils(SITE, learner),
        )
        for learner in (VIPS, BCS, "Guo()")
    }

    assert found == {
        VIPS: (
            [result_of("a", stencil="v")],
            {"https://example.org/a": b"1"},
            (stencil_of("v"),),
        ),
        BCS: (
            [result_of("a", stencil="b")],
            {"https://example.org/a": b"2"},
            (stencil_of("b", learner=BCS),),
        ),
        "Guo()": ([], {}, ()),
    }


def test_sites_have_their_own_stencils(store: SqlStore) -> None:
    """A site gets its stencils only, oldest first; results are of all sites."""
    for key, site in (("2", "a.org"), ("1", "a.org"), ("3", "b.org")):
        learned = result_of(key, Status.LEARNED, site=site, stencil=key)
        store.save(VIPS, [Done(learned, b"d", stencil_of(key, site=site))])

    keys = [
        [stencil.key for stencil in store.stencils(site, VIPS)]
        for site in ("a.org", "b.org", "c.org")
    ]

    assert keys == [["2", "1"], ["3"], []]
    assert [result.stencil for result in store.results(VIPS)] == ["2", "1", "3"]


def test_a_stencil_learned_again_replaces_the_old_one(store: SqlStore) -> None:
    """The same key of the same site and segmenter is the same stencil, made anew."""
    store.save(VIPS, [Done(result_of("a", Status.LEARNED), b"1", stencil_of("k"))])

    anew = replace(stencil_of("k"), areas=())
    store.save(VIPS, [Done(result_of("a", Status.LEARNED), b"2", anew)])

    assert store.stencils(SITE, VIPS) == (anew,)


def test_a_page_is_saved_with_its_stencil_or_not_at_all(store: SqlStore) -> None:
    """A stencil that cannot be kept, its key being taken, leaves no result behind."""
    store.save(VIPS, [Done(result_of("a", Status.LEARNED), b"1", stencil_of("k"))])

    with pytest.raises(StoreError, match=r"cannot save the stencil 'k' of other\.org: another"):
        store.save(
            VIPS, [Done(result_of("b", Status.LEARNED), b"2", stencil_of("k", site="other.org"))]
        )

    assert store.results.done(VIPS) == {"https://example.org/a": b"1"}
    assert store.stencils.keyed("k") == stencil_of("k")


def test_results_can_be_read_while_others_are_saved(store: SqlStore) -> None:
    """A reader gets what was there when it began, each once, and ends."""
    for number in range(5):
        store.save(VIPS, [Done(result_of(number), b"d")])

    read = []
    for result in store.results(VIPS):
        read.append(result)
        store.save(VIPS, [Done(replace(result, confidence=1.0), b"d")])
        store.save(VIPS, [Done(result_of(f"new-{result.url[-1]}"), b"d")])

    assert read == [result_of(number) for number in range(5)]
    assert len(store.results.done(VIPS)) == 10


def test_all_stencils_tell_what_they_are_and_how_often_they_were_used(store: SqlStore) -> None:
    """The summary counts areas, nodes, hits and pages; a learned page that hits later is one."""
    store.save(VIPS, [Done(result_of("a", Status.LEARNED), b"d", stencil_of("k"))])
    store.save(VIPS, [Done(result_of("b"), b"d")])
    store.save(VIPS, [Done(result_of("c"), b"d")])
    store.save(VIPS, [Done(result_of("a"), b"changed")])
    store.save(
        BCS, [Done(result_of("x", Status.LEARNED, stencil="l"), b"d", stencil_of("l", learner=BCS))]
    )

    assert store.stencils.all() == (
        StencilSummary("k", SITE, VIPS, "https://example.org/k", areas=2, nodes=3, hits=3, pages=3),
        StencilSummary("l", SITE, BCS, "https://example.org/l", areas=2, nodes=3, hits=0, pages=1),
    )


def test_forgetting_a_stencil_forgets_what_was_made_with_it(store: SqlStore) -> None:
    """Its pages are to be done again, all others stay."""
    store.save(VIPS, [Done(result_of("a", Status.LEARNED), b"d", stencil_of("k"))])
    store.save(VIPS, [Done(result_of("b"), b"d")])
    store.save(VIPS, [Done(result_of("c", Status.LEARNED, stencil="l"), b"d", stencil_of("l"))])
    store.save(VIPS, [Done(result_of("d", Status.FAILED, stencil=None), b"d")])

    pages = store.stencils.forget("k")

    assert pages == 2
    assert list(store.results.done(VIPS)) == ["https://example.org/c"]
    assert [result.stencil for result in store.results(VIPS)] == ["l", None]
    assert store.stencils(SITE, VIPS) == (stencil_of("l"),)


@pytest.mark.parametrize("ask", [StencilTable.keyed, StencilTable.forget])
def test_an_unknown_key_is_named(
    ask: Callable[[StencilTable, str], object], store: SqlStore, place: str
) -> None:
    """Asking for a stencil that is not there says so, with the key and the store."""
    with pytest.raises(StoreError) as caught:
        ask(store.stencils, "nope")

    assert str(caught.value) == (
        f"there is no stencil 'nope' in {place_named(place)}: list the stencils to see their keys"
    )


def test_pages_are_counted_by_status(store: SqlStore) -> None:
    """Every status has a number, and only this segmenter's pages count."""
    store.save(VIPS, [Done(result_of("a"), b"d")])
    store.save(VIPS, [Done(result_of("b"), b"d")])
    store.save(VIPS, [Done(result_of("c", Status.FAILED, stencil=None), b"d")])
    store.save(BCS, [Done(result_of("a"), b"d")])

    assert store.results.counts(VIPS) == {
        Status.HIT: 2,
        Status.LEARNED: 0,
        Status.WAITING: 0,
        Status.FAILED: 1,
        Status.SKIPPED: 0,
        Status.REDIRECT: 0,
    }


def test_threads_may_share_a_store(store: SqlStore) -> None:
    """What several threads save at once is all there."""

    def save(first: int) -> None:
        for number in range(first, first + 20):
            store.save(VIPS, [numbered_page(number)])

    threads = [Thread(target=save, args=(first,)) for first in (0, 20, 40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert store.results.done(VIPS) == {
        f"https://example.org/{number}": number.to_bytes(16) for number in range(60)
    }


def test_a_closed_store_saves_nothing(place: str) -> None:
    """Saving after close() is an error of ours, not a crash in the database."""
    store = open_store(place)
    store.close()

    with pytest.raises(StoreError, match="open the store again"):
        store.save(VIPS, [Done(result_of("a"), b"d")])
