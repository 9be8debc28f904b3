"""Claims: one process at a time learns from a site, even if processes die."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import shared_work
from shared_work import CrashingRenderer, SlowRenderer, articles, listing, rendered
from store_values import BCS, SITE, VIPS, result_of, rows, run, stencil_of

from webstencil.jobs.job import Pipeline
from webstencil.jobs.survey import PageTask
from webstencil.model import Mode, RawPage, Status
from webstencil.pipeline.parked import Parked
from webstencil.protocols import ClaimReply, Done, News
from webstencil.settings import Settings
from webstencil.store import SqlStore, claims, open_store
from webstencil.testing import MemorySource

NOTHING = News((), 0, 0)
PAPER = Settings(mode=Mode.PAPER)  # learns on the way


@pytest.fixture
def two(place: str) -> Iterator[tuple[SqlStore, SqlStore]]:
    with open_store(place) as one, open_store(place) as other:
        yield one, other


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rendered").mkdir()
    return tmp_path / "rendered"


def learned(key: str) -> Done:
    return Done(result_of(key, Status.LEARNED, stencil=key), b"d", stencil_of(key))


def test_one_of_two_gets_the_claim(two: tuple[SqlStore, SqlStore]) -> None:
    """It may ask again; sites and segmenters are apart."""
    one, other = two

    assert one.claim(SITE, VIPS) == one.claim(SITE, VIPS) == ClaimReply(True, NOTHING)
    assert other.claim(SITE, VIPS) == ClaimReply(False, NOTHING)
    assert other.claim("other.example", VIPS).mine
    assert other.claim(SITE, BCS).mine


def test_saving_a_stencil_ends_the_turn_and_is_news(two: tuple[SqlStore, SqlStore]) -> None:
    """Who asks next learns what the other has learned before it may learn itself."""
    one, other = two
    one.claim(SITE, VIPS)

    one.save(VIPS, [learned("k")])

    news = News((stencil_of("k"),), 1, 1)
    assert other.news(SITE, VIPS) == news
    assert other.claim(SITE, VIPS) == ClaimReply(False, news)
    assert other.claim(SITE, VIPS, after=1) == ClaimReply(True, News((), 1, 1))


def test_what_is_known_is_no_news(two: tuple[SqlStore, SqlStore]) -> None:
    """A stencil that one learned oneself is not read again; its number is told."""
    one, other = two
    for key in "abc":
        one.save(VIPS, [learned(key)])

    assert other.news(SITE, VIPS, 1, {"b"}) == News((stencil_of("c"),), 3, 3)


def test_hits_do_not_release_a_claim(two: tuple[SqlStore, SqlStore]) -> None:
    """Pages that were done before the one that is being learned are saved meanwhile."""
    one, other = two
    one.claim(SITE, VIPS)

    one.save(VIPS, [Done(result_of("a"), b"d")])

    assert not other.claim(SITE, VIPS).mine


def test_only_its_owner_can_release_a_claim(two: tuple[SqlStore, SqlStore]) -> None:
    """A page that cannot be rendered does not keep others from learning."""
    one, other = two
    one.claim(SITE, VIPS)

    other.give_back(SITE, VIPS)
    assert not other.claim(SITE, VIPS).mine

    one.give_back(SITE, VIPS)
    assert other.claim(SITE, VIPS).mine


def test_a_dead_workers_claim_is_taken_over(two: tuple[SqlStore, SqlStore], place: str) -> None:
    """After its lease, or as soon as somebody knows that it has ended."""
    one, other = two
    one.claim(SITE, VIPS)
    one._claims.close()  # it renews no more
    run(place, "UPDATE claim SET until = 1")

    assert other.claim(SITE, VIPS).mine
    assert not one.claim(SITE, VIPS).mine

    one.end_claims(other.owner)
    assert one.claim(SITE, VIPS).mine
    assert len(rows(place, "SELECT * FROM claim")) == 1


CLAIM = """
import os, signal, sys
from webstencil.store import open_store
print(open_store(sys.argv[1]).claim(*sys.argv[2:]).mine, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_claim_of_a_killed_process_is_free_at_once(place: str) -> None:
    """On its machine: a killed job that is started again waits for nobody."""
    claimed = [sys.executable, "-c", CLAIM, place, SITE, VIPS]
    told = subprocess.run(claimed, stdout=subprocess.PIPE, text=True, check=False).stdout
    with open_store(place) as store:
        turn = store.claim(SITE, VIPS)

    assert (told, turn) == ("True\n", ClaimReply(True, NOTHING))


@pytest.mark.parametrize(
    ("owner", "ended"),
    [
        (claims.this_process(), False),
        (f"{claims.this_machine()} 1 of another user", False),
        (f"{claims.this_machine()} 4194305 more than there can be", True),
        ("another.example/pid:[1] 4194305 unknown", False),
        ("run 1, part 2 of 3", False),
    ],
    ids=["this process", "another user's", "one that ended", "another machine's", "a worker"],
)
def test_an_owner_has_ended_if_this_machine_knows_that(owner: str, ended: bool) -> None:
    """Of others nobody can tell; their lease does."""
    assert claims.has_ended(owner) is ended


def test_a_claim_is_kept_as_long_as_its_owner_lives(
    two: tuple[SqlStore, SqlStore], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rendering may take longer than a lease; once it is given back nobody renews it."""
    monkeypatch.setattr(claims, "BEAT", 0.01)
    one, other = two
    one.claim(SITE, VIPS)
    run(place, "UPDATE claim SET until = 1")
    while rows(place, "SELECT until FROM claim") == [(1.0,)]:
        time.sleep(0.01)

    assert not other.claim(SITE, VIPS).mine
    one.give_back(SITE, VIPS)
    assert other.claim(SITE, VIPS).mine


def test_a_page_waits_while_another_learns_and_others_go_on(place: str, folder: Path) -> None:
    """When the other is done, the page is laid over again, and need not be rendered."""
    pages = {**articles(0, 2), "http://other.example/": listing(1)}
    with open_store(place) as store, open_store(place) as other:
        maker = Pipeline(other, SlowRenderer(folder), PAPER).settings.learner
        other.claim("site.example", maker)
        job = Pipeline(store, SlowRenderer(folder), PAPER).run(MemorySource(pages))
        first = next(job)
        other.give_back("site.example", maker)
        teacher = Pipeline(other, SlowRenderer(folder), PAPER)
        list(teacher.run(MemorySource(articles(7, 8))))
        rest = list(job)

    assert (first.url, first.status) == ("http://other.example/", Status.LEARNED)
    assert [result.status for result in rest] == [Status.HIT, Status.HIT]
    assert rendered(folder) == ["http://other.example/", "http://site.example/7"]


def test_one_page_alone_waits_for_the_claim(place: str, folder: Path) -> None:
    """As a crawl has it, page by page."""
    source = MemorySource(articles(0, 1))
    with open_store(place) as store, open_store(place) as other:
        pipeline = Pipeline(store, SlowRenderer(folder), PAPER)
        learner = pipeline.settings.learner
        other.claim("site.example", learner)
        later = threading.Timer(0.2, other.give_back, ("site.example", learner))
        later.start()
        result = pipeline.process(next(source.pages()))
        later.join()

    assert result.status is Status.LEARNED


def test_a_page_that_cannot_be_rendered_releases_the_claim(place: str, folder: Path) -> None:
    """It fails alone: the next one of its site is learned."""
    with open_store(place) as store:
        pipeline = Pipeline(store, CrashingRenderer(folder), PAPER)
        results = list(pipeline.run(MemorySource(articles(0, 3))))

    assert [result.status for result in results] == [Status.FAILED, Status.LEARNED, Status.HIT]
    assert rows(place, "SELECT * FROM claim") == []


def test_a_page_that_came_again_meanwhile_is_done_once(place: str, folder: Path) -> None:
    """The newer one counts."""

    class Twice(MemorySource):
        def pages(self):  # type: ignore[no-untyped-def]
            yield from MemorySource(articles(0, 1)).pages()
            yield from MemorySource({"http://site.example/0": listing(1)}).pages()

    with open_store(place) as store, open_store(place) as other:
        pipeline = Pipeline(store, SlowRenderer(folder), PAPER)
        learner = pipeline.settings.learner
        other.claim("site.example", learner)
        later = threading.Timer(0.2, other.give_back, ("site.example", learner))
        later.start()
        (result,) = pipeline.run(Twice({}))
        later.join()

    assert "Row 0 of 1" in " ".join(area.text for area in result.areas)


def test_a_site_is_claimed_when_its_pages_come() -> None:
    """Nobody holds several at once, nor one of a site whose pages were dropped."""
    asked: list[str] = []
    parked = Parked(lambda site: bool(asked.append(site) or True))
    pages = {name: f"http://{name}.example/" for name in "abc"}
    for url in pages.values():
        parked.add(PageTask(RawPage(url, b""), b"", MemorySource({})))
    parked.drop(pages["b"])
    back = parked.in_turn(iter(()))
    seen = [(task.raw.url, tuple(asked)) for task in back if task is not None]

    assert seen == [
        (pages["a"], ("a.example",)),
        (pages["c"], ("a.example", "c.example")),
    ]


def test_two_jobs_on_one_site_learn_a_template_once(place: str, folder: Path) -> None:
    """Two commands that nobody told of each other, with different pages of the site."""
    open_store(place).close()
    jobs = [
        subprocess.Popen([sys.executable, shared_work.__file__, str(place), str(folder), *pages])
        for pages in (("0", "5"), ("5", "10"))
    ]
    codes = [job.wait() for job in jobs]

    assert codes == [0, 0]
    assert len(rendered(folder)) == 1
    assert rows(place, "SELECT status, count(*) FROM page GROUP BY status ORDER BY status") == [
        ("hit", 9),
        ("learned", 1),
    ]
