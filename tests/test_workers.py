"""Workers: the same results from several processes, whichever of them are killed."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from shared_work import (
    DeadlyRenderer,
    DeadlySource,
    MissingRenderer,
    SlowRenderer,
    article,
    articles,
    listing,
    rendered,
)
from store_values import result_of, rows

from research.support.process_tree import descendants, send
from webstencil.errors import BrowserMissing, SettingsError, WebstencilError
from webstencil.jobs.job import Pipeline
from webstencil.jobs.work import Effort, Ended, WorkerProgress
from webstencil.jobs.workers import PartWork, Workers
from webstencil.model import Mode, Problem, Resource, Status
from webstencil.protocols import Done, Unchanged
from webstencil.settings import Settings
from webstencil.sources import Folder, Note, Several, SourcePart
from webstencil.sources.parts import pages_of
from webstencil.store import open_store
from webstencil.testing import MemorySource

LONGEST = 90.0  # s to wait for processes to start or end; a busy machine takes long
WORKER = "webstencil.jobs.workers"

PAGES = {
    **articles(0, 20),
    **articles(0, 20, "other.example"),
    **{f"http://site.example/list{number}": listing(number) for number in range(9)},
    "http://site.example/empty": b"",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.db"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rendered").mkdir()
    return tmp_path / "rendered"


def workers() -> list[int]:
    """Return the workers that this process has started."""
    return [pid for pid, line in descendants().items() if WORKER in line]


def gone(processes: list[int]) -> bool:
    """Wait for processes to end; tell whether they did."""
    until = time.monotonic() + LONGEST
    while any(is_running(pid) for pid in processes) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(is_running(pid) for pid in processes)


def is_running(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def test_parts_have_every_page_once(tmp_path: Path) -> None:
    """Of a folder as of any source; who starts again has the same part."""
    for number in range(30):
        (tmp_path / f"{number}.html").write_bytes(article(number))
    source = Folder(tmp_path)

    parts = [[page.url for page in pages_of(source, SourcePart(n, 3))] for n in range(3)]

    assert sorted(chain(*parts)) == sorted(page.url for page in source.pages())
    assert min(map(len, parts)) > 0
    memory = MemorySource({page.url: page.body for page in source.pages()})
    assert parts == [[page.url for page in pages_of(memory, SourcePart(n, 3))] for n in range(3)]


def test_a_page_put_aside_is_painted_with_what_its_own_source_has() -> None:
    """Also after pages of another source came."""
    css = "http://site.example/a.css"
    one = MemorySource(articles(0, 1), {css: Resource(b"one", "text/css")})
    other = MemorySource(articles(1, 2), {css: Resource(b"other", "text/css")})
    source = Several([one, other])
    found = [page.resources.fetch(css) for page in list(source.pages()) if page.resources]

    assert found == [Resource(b"one", "text/css"), Resource(b"other", "text/css")]


def test_workers_do_what_one_process_does(path: Path, folder: Path, tmp_path: Path) -> None:
    """Planned pages are rendered once, each page has one result, in the store as well."""
    job = Workers(path, number=2, renderer=SlowRenderer(folder, 0.2))
    results = {result.url: result for result in job.run(Several([MemorySource(PAGES)]))}
    with open_store(tmp_path / "alone.db") as store:
        alone = Pipeline(store, SlowRenderer(tmp_path))
        expected = {result.url: result for result in alone.run(MemorySource(PAGES))}

    def areas(found: dict[str, object]) -> dict[str, object]:
        return {url: [a.text for a in r.areas] for url, r in found.items()}  # type: ignore[attr-defined]

    assert areas(results) == areas(expected)
    report = job.report()
    assert (report.pages, report.hits, report.learned, report.failed) == (50, 42, 7, 1)
    assert report.rendered == len(rendered(folder)) == 7
    with open_store(path) as store:
        kept = {result.url: result for result in store.results(job.settings.learner)}
    assert kept == results
    assert rows(path, "SELECT id, whole FROM run") == [(1, 1)]

    (failed,) = job.run(Several([MemorySource(PAGES)]))  # tried again
    assert failed.status is Status.FAILED
    again = job.report()
    assert (again.pages, again.unchanged, again.rendered) == (1, 49, 0)


def test_a_killed_worker_is_replaced(path: Path, folder: Path) -> None:
    """Nothing is lost, nothing comes twice."""
    paper = Settings(mode=Mode.PAPER)  # renders while it processes
    job = Workers(path, paper, number=2, renderer=SlowRenderer(folder, 0.4))
    results = job.run(MemorySource(PAGES))
    found = [next(results)]
    while not rendered(folder):
        time.sleep(0.01)
    send(signal.SIGKILL, workers()[:1])
    found += results

    assert sorted(result.url for result in found) == sorted(PAGES)
    assert rows(path, "SELECT count(*), count(DISTINCT url) FROM page") == [(50, 50)]
    assert job.report().learned == 3
    (note,) = job.notes.all()
    assert (note.kind, note.count) == ("worker that died and was replaced", 1)
    assert note.first.endswith("of 2: signal 9")


def test_a_worker_killed_while_it_renders_planned_pages_is_replaced(
    path: Path, folder: Path
) -> None:
    """All planned pages are rendered, and every page has its result."""

    def kill() -> None:
        while not rendered(folder):
            time.sleep(0.01)
        send(signal.SIGKILL, workers()[:1])

    job = Workers(path, number=2, renderer=SlowRenderer(folder, 0.4))
    killer = threading.Thread(target=kill)
    killer.start()
    found = list(job.run(MemorySource(PAGES)))
    killer.join()

    assert sorted(result.url for result in found) == sorted(PAGES)
    assert job.report().learned == len(set(rendered(folder))) == 7


def test_a_page_that_kills_its_workers_is_named(path: Path, folder: Path) -> None:
    """After the second one it is a page that failed; all others are done, and the job ends well."""
    deadly = {"http://deadly.example/": listing(1)}
    paper = Settings(mode=Mode.PAPER)
    job = Workers(path, paper, number=1, renderer=DeadlyRenderer(folder))
    results = {result.url: result for result in job.run(MemorySource(deadly | articles(0, 9)))}

    assert sorted(results) == sorted(articles(0, 9) | deadly)
    assert {url for url, found in results.items() if found.status is Status.FAILED} == set(deadly)
    assert results["http://deadly.example/"].problems == (
        Problem(
            "work",
            "WorkerDied",
            "http://deadly.example/ crashed its worker processes (signal 9); leave it out, or "
            "run `webstencil --debug segment` on it to see why",
        ),
    )
    assert (job.report().pages, job.report().failed) == (10, 1)
    with open_store(path) as store:
        assert {one.url: one for one in store.results(job.settings.learner)} == results


def test_a_planned_page_that_kills_its_workers_is_told(path: Path, folder: Path) -> None:
    """The others are learned, and the page has the areas of its markup and the reason."""
    deadly = {f"http://deadly.example/{n}": listing(n) for n in (2, 3)}
    job = Workers(path, number=1, renderer=DeadlyRenderer(folder))
    results = {result.url: result for result in job.run(MemorySource(deadly | articles(0, 9)))}

    told = {problem for url in deadly for problem in results[url].problems}
    assert {result.status for result in results.values()} == {Status.HIT, Status.LEARNED}
    assert {(problem.stage, problem.kind) for problem in told} == {("learn", "not rendered")}
    assert all("crashes its worker processes (signal 9)" in problem.message for problem in told)


def test_a_part_that_kills_its_workers_is_given_up(path: Path, folder: Path) -> None:
    """If no page can be named; the others end their work before the job says so."""
    pages = {**articles(0, 4), "http://deadly.example/": listing(1)}
    job = Workers(path, number=2, renderer=SlowRenderer(folder))
    found = []

    with pytest.raises(WebstencilError, match=r"died 3 times .*signal 9"):
        found += [result.url for result in job.run(DeadlySource(pages))]

    mine = SourcePart(0, 2) if SourcePart(1, 2).has("http://deadly.example/") else SourcePart(1, 2)
    with open_store(path) as store:
        kept = {result.url for result in store.results(job.settings.learner)}
    assert {url for url in articles(0, 4) if mine.has(url)} <= kept
    assert not workers()


def test_what_no_worker_can_do_without_ends_the_job(path: Path, folder: Path) -> None:
    """With the error that one process would give; so does a job that cannot be copied."""
    paper = Settings(mode=Mode.PAPER)
    missing = MissingRenderer(folder)
    with pytest.raises(BrowserMissing, match="there is none"):
        list(Workers(path, paper, number=2, renderer=missing).run(MemorySource(PAGES)))

    class Local(MemorySource):
        """Has no name by which a worker could load it."""

    with pytest.raises(SettingsError, match="that can be pickled"):
        list(Workers(path, number=2, renderer=SlowRenderer(folder)).run(Local(PAGES)))
    with pytest.raises(SettingsError, match="must be 1 or more, not 0"):
        Workers(path, number=0)
    assert not workers()


def test_who_has_enough_leaves_no_process(path: Path, folder: Path) -> None:
    """What was done until then is kept, and the next job goes on."""
    job = Workers(path, number=2, renderer=SlowRenderer(folder))
    results = job.run(MemorySource(PAGES))
    next(results)
    results.close()

    assert not workers()
    list(job.run(MemorySource(PAGES)))
    assert rows(path, "SELECT count(*) FROM page") == [(50,)]


def test_settings_and_items_reach_the_workers(path: Path, folder: Path) -> None:
    """They know the same pages of a site, and count those of a template once."""
    pages = {url: body for url, body in PAGES.items() if body}
    settings = Settings(min_pages_per_template=10)
    job = Workers(path, settings, number=2, renderer=SlowRenderer(folder), items=["content"])
    results = list(job.run(MemorySource(pages)))

    assert job.report().skipped == 9
    assert sum(bool(result.items) for result in results) == 40
    with open_store(path) as store:
        sites = [store.outlines.model(name).pages for name in ("site.example", "other.example")]
    assert sites == [29, 20]  # the skipped ones, too


def test_what_a_dead_worker_told_is_not_told_again() -> None:
    """Its successor comes to the same pages; what failed is tried again, for nobody to hear."""
    part = PartWork(SourcePart(), starts=1)
    done, failed = Done(result_of(1), b"1"), Done(result_of(2, Status.FAILED), b"2")
    first = WorkerProgress((done, failed), Effort())
    again = WorkerProgress((Unchanged(done.url, b"1"), failed, Done(result_of(3), b"3")), Effort())

    assert part.fresh(first) == first
    part.starts = 2
    assert part.fresh(again).events == again.events[2:]


def test_what_all_workers_meet_is_noted_once(path: Path) -> None:
    """Damage is met by each, a repeated page by one, style sheets by some."""
    repeated, damage = "page that came before", "damage in a WARC file"
    style = "missing style sheet: pages are rendered without it"
    with open_store(path) as store:
        pipeline = Pipeline(store, SlowRenderer(path.parent))
        for number, said in enumerate(
            (
                Ended((Note(repeated, 2, "b"), Note(damage, 3, "x")), frozenset({"1", "2"})),
                Ended(
                    (Note(repeated, 1, "a"), Note(damage, 3, "x"), Note(style, 2, "s")),
                    frozenset({"2", "3"}),
                ),
            )
        ):
            pipeline._take(number, said)
        pipeline._sum_up_notes()

    assert pipeline.notes.all() == (
        Note(damage, 3, "x"),
        Note(style, 3, "s"),
        Note(repeated, 3, "a"),
    )


TAGS = ("h2", "pre", "blockquote", "address", "figure")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write pages that are all different, of two hosts: two workers render at the same time."""
    top = tmp_path_factory.mktemp("sites")
    for name in ("one.example", "two.example"):
        (top / name).mkdir()
        for number in range(12):
            parts = [f"<{tag}>{tag}</{tag}><hr>" for n, tag in enumerate(TAGS) if number >> n & 1]
            rows = "<tr><td>Row</td></tr>" * (number + 1)
            page = f"<!DOCTYPE html><body>{''.join(parts)}<table border>{rows}</table>"
            (top / name / f"{number}.html").write_text(page)
    return top


@pytest.fixture
def command(site: Path, path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a job with two workers, and wait until both have a browser."""
    arguments = ["run", site, "--store", path, "--out", path.with_name("o.jsonl"), "--workers", "2"]
    job = subprocess.Popen(
        [sys.executable, "-m", "webstencil", *map(str, arguments)],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    until = time.monotonic() + LONGEST
    while time.monotonic() < until and job.poll() is None:
        pages = [line for line in descendants(job.pid).values() if "--type=renderer" in line]
        if len(pages) >= 2:
            break
        time.sleep(0.02)
    yield job
    job.kill()
    job.communicate()


@pytest.mark.browser
def test_nothing_stays_behind_a_killed_parent(command: "subprocess.Popen[bytes]") -> None:
    """Neither a worker nor a browser, although nobody could tell them."""
    left = list(descendants(command.pid))
    command.kill()

    assert len(left) > 4
    assert gone(left)


@pytest.mark.browser
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_all(command: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    """It says how to go on, and leaves no process."""
    left = list(descendants(command.pid))
    os.kill(command.pid, number)
    words = command.communicate(timeout=LONGEST)[1].decode()

    assert command.returncode == 130
    assert "Stopped; finished pages are saved. To resume: " in words
    assert gone(left)
