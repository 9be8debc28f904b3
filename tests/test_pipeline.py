"""The pipeline: Algorithm 1, its counters, and what happens when a page fails or a job stops."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from webstencil.errors import BrowserMissing, PageTimeout, SettingsError
from webstencil.jobs.job import Pipeline
from webstencil.model import Area, Mode, Page, RawPage, Snapshot, Status
from webstencil.paper import loop
from webstencil.protocols import Resources, Source
from webstencil.settings import Settings
from webstencil.store import open_store
from webstencil.testing import MemorySource, StackRenderer


def article(number: int) -> bytes:
    return (
        f"<body><h1>Story {number}</h1><div><p>Text {number}</p></div><footer>Fine print</footer>"
    ).encode()


def listing(number: int) -> bytes:
    items = "".join(f"<tr><td>Row {row}</td></tr>" for row in range(number))
    return f"<body><table>{items}</table><form><input></form>".encode()


SITE = MemorySource(
    {
        "http://site.example/1": article(1),
        "http://site.example/2": article(2),
        "http://site.example/list": listing(3),
        "http://site.example/3": article(3),
        "http://site.example/empty": b"",
        "http://other.example/1": article(4),
    }
)


def names(source: Source) -> list[str]:
    return [page.url for page in source.pages()]


def test_planned_pages_are_rendered_and_all_pages_get_the_areas_of_the_site(
    tmp_path: Path,
) -> None:
    """Sites are kept apart; a page that cannot be read fails alone."""
    renderer = StackRenderer()
    with open_store(tmp_path / "s.db") as store:
        pipeline = Pipeline(store, renderer, Settings(budget=2))
        results = list(pipeline.run(SITE))

    assert [result.url for result in results] == names(SITE)
    learned = {result.url for result in results if result.status is Status.LEARNED}
    failed = {result.url for result in results if result.status is Status.FAILED}
    assert learned == set(renderer.rendered)
    assert len(renderer.rendered) == 3  # two of one site, one of the other
    assert "http://other.example/1" in learned
    assert failed == {"http://site.example/empty"}
    report = pipeline.report()
    assert (report.pages, report.hits, report.learned, report.failed) == (6, 2, 3, 1)
    assert (report.rendered, report.hit_ratio) == (3, 2 / 5)
    assert set(report.problems) == {("parse: ParseError", 1), ("lay: unseen", 1)}


def test_a_page_has_the_slots_of_its_site_with_its_own_text(tmp_path: Path) -> None:
    """The same slots under the same names, other words, whether it was rendered or not."""
    with open_store(tmp_path / "s.db") as store:
        results = {
            result.url: result
            for result in Pipeline(store, StackRenderer(), Settings(budget=2)).run(SITE)
        }
    one, other = (results[f"http://site.example/{number}"] for number in (1, 2))

    assert [area.slot for area in one.areas] == [area.slot for area in other.areas]
    assert [area.name for area in one.areas] == [area.name for area in other.areas]
    assert None not in {area.slot for area in one.areas}
    texts = [area.text for area in one.areas]
    assert [area.text for area in other.areas] == [text.replace("1", "2") for text in texts]
    assert any("Story 1" in text for text in texts)
    assert (one.grain, one.version) == (0.5, 1)


def test_area_that_is_not_on_the_page_is_a_problem_of_the_page(tmp_path: Path) -> None:
    """In paper mode a hit says what it did not find, and is less sure."""
    pages = {
        "http://site.example/1": article(1),
        "http://site.example/2": article(2).replace(b"</h1>", b"</h1><h1>Extra</h1>"),
    }
    with open_store(tmp_path / "s.db") as store:
        pipeline = Pipeline(store, StackRenderer(), Settings(mode=Mode.PAPER))
        _, hit = pipeline.run(MemorySource(pages))

    assert hit.status == Status.HIT
    assert {(problem.stage, problem.kind) for problem in hit.problems} == {("locate", "count")}
    assert hit.confidence < 1.0


def test_second_run_does_what_is_new_or_changed_and_renders_no_template_again(
    tmp_path: Path,
) -> None:
    """The store remembers stencils and pages."""
    with open_store(tmp_path / "s.db") as store:
        list(Pipeline(store, StackRenderer()).run(SITE))
    changed = MemorySource(
        {page.url: page.body for page in SITE.pages()}
        | {"http://site.example/2": article(22), "http://site.example/5": article(5)}
    )
    renderer = StackRenderer()
    with open_store(tmp_path / "s.db") as store:
        pipeline = Pipeline(store, renderer)
        results = list(pipeline.run(changed))
        kept = {result.url: result for result in store.results(pipeline.settings.learner)}

    done = {result.url: result.status for result in results}
    assert done == {
        "http://site.example/2": Status.HIT,
        "http://site.example/empty": Status.FAILED,  # failures are tried again
        "http://site.example/5": Status.HIT,
    }
    assert renderer.rendered == []
    assert pipeline.report().unchanged == 4
    assert set(kept) == set(names(changed))
    assert any("Text 22" in area.text for area in kept["http://site.example/2"].areas)


def test_settings_of_the_segmenter_keep_results_apart(tmp_path: Path) -> None:
    """Another segmenter learns its own stencils in the same store.

    One that cuts nothing needs one page of a site.
    """
    renderer = StackRenderer()
    with open_store(tmp_path / "s.db") as store:
        list(Pipeline(store, renderer).run(SITE))
        coarse = Settings(replace(Settings().segmenter, pdoc=2))  # type: ignore[type-var]
        list(Pipeline(store, renderer, coarse).run(SITE))

    assert renderer.rendered.count("http://site.example/1") == 2


class FailingRenderer(StackRenderer):
    """Fails on some pages."""

    def __init__(self, failure: Exception) -> None:
        super().__init__()
        self._failure = failure

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        if page.url.endswith("list"):
            raise self._failure
        return super().render(page, resources, screenshot=screenshot)


class FirstFails(StackRenderer):
    """Fails on the first page that it gets."""

    failed = ""  # its URL

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        self.failed = self.failed or page.url
        if page.url == self.failed:
            raise PageTimeout("too slow")
        return super().render(page, resources, screenshot=screenshot)


def test_planned_page_that_cannot_be_rendered_is_replaced(tmp_path: Path) -> None:
    """It still gets the areas of its site, and the site says which page failed."""
    renderer = FirstFails()
    pages = MemorySource({f"http://site.example/{n}": article(n) for n in range(6)})
    with open_store(tmp_path / "s.db") as store:
        pipeline = Pipeline(store, renderer, Settings(budget=2))
        results = {result.url: result for result in pipeline.run(pages)}
        learned = store.witnesses.learned(pipeline.settings.learner, "site.example")

    assert len(results) == pages.count()
    assert (results[renderer.failed].status, learned.failed) == (Status.HIT, (renderer.failed,))
    assert len(results[renderer.failed].areas) == len(results[renderer.rendered[0]].areas) > 1
    assert learned.rendered == len(renderer.rendered) == 2


def test_a_page_that_fails_to_render_in_paper_mode_fails_alone(tmp_path: Path) -> None:
    """The job goes on and the problem is in the result."""
    with open_store(tmp_path / "s.db") as store:
        failing = FailingRenderer(PageTimeout("too slow"))
        results = list(Pipeline(store, failing, Settings(mode=Mode.PAPER)).run(SITE))

    (failed, _) = (result for result in results if result.status == Status.FAILED)
    assert [(problem.stage, problem.kind, problem.message) for problem in failed.problems] == [
        ("render", "PageTimeout", "too slow")
    ]
    assert len(results) == SITE.count()


def test_names_that_no_store_keeps_end_no_job(place: str) -> None:
    """A source of one's own may have half characters and zeros in them; they are written out."""
    pages = MemorySource(
        {"http://a.example/\ud800\0": article(1), "http://a.example/é": article(2)}
    )
    with open_store(place) as store:
        pipeline = Pipeline(store, StackRenderer())
        done = [result.url for result in pipeline.run(pages)]
        again = list(pipeline.run(pages))

    assert done == ["http://a.example/\\ud800%00", "http://a.example/é"]
    assert again == []


class NoBrowser(StackRenderer):
    """Renders nothing."""

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        del page, resources, screenshot
        raise BrowserMissing("install one")


def test_without_a_browser_pages_have_templates_and_places(tmp_path: Path) -> None:
    """The reason is in each result; with a browser the next run does them again."""
    with open_store(tmp_path / "s.db") as store:
        results = list(Pipeline(store, NoBrowser()).run(SITE))
        again = list(Pipeline(store, StackRenderer()).run(SITE))

    done = [result for result in results if result.status is not Status.FAILED]
    assert {result.status for result in done} == {Status.HIT}
    assert all(result.areas for result in done if "list" not in result.url)
    assert {problem.message for result in done for problem in result.problems} == {
        "areas are those of the markup alone: install one"
    }
    assert {result.url for result in again} == set(names(SITE))
    assert Status.LEARNED in {result.status for result in again}


def test_a_budget_of_nothing_renders_nothing(tmp_path: Path) -> None:
    """Pages say why their areas are those of the markup."""
    renderer = StackRenderer()
    with open_store(tmp_path / "s.db") as store:
        results = list(Pipeline(store, renderer, Settings(budget=0)).run(SITE))

    assert renderer.rendered == []
    messages = {problem.message for result in results for problem in result.problems}
    assert any("a budget of 0" in message for message in messages)


def test_missing_browser_ends_a_job_in_paper_mode(tmp_path: Path) -> None:
    """No later page would fare better; what is done stays done."""
    with open_store(tmp_path / "s.db") as store:
        missing = FailingRenderer(BrowserMissing("none"))
        pipeline = Pipeline(store, missing, Settings(mode=Mode.PAPER))
        with pytest.raises(BrowserMissing):
            list(pipeline.run(SITE))
        kept = [result.url for result in store.results(pipeline.settings.learner)]

    assert kept == names(SITE)[:2]


def test_a_name_in_place_of_a_source_is_refused(tmp_path: Path) -> None:
    """Whoever passes a path is told how a source is made of it."""
    with open_store(tmp_path / "site.db") as store:
        pipeline = Pipeline(store, StackRenderer())

        with pytest.raises(SettingsError, match="run\\(open_source\\('mirror/'\\)\\)"):
            pipeline.run("mirror/")  # type: ignore[arg-type]  # the mistake


def test_each_result_is_in_the_store_when_it_comes(tmp_path: Path) -> None:
    """Hits are saved together, and told only then; so nothing is lost to who stops at any."""
    articles = MemorySource({f"http://site.example/{n}": article(n) for n in range(200)})
    with open_store(tmp_path / "s.db") as store:
        pipeline = Pipeline(store, StackRenderer())
        for place, result in enumerate(pipeline.run(articles)):
            if place % 50 == 1:
                assert result.url in store.results.done(pipeline.settings.learner)
            if place == 160:
                break
        kept = list(store.results.done(pipeline.settings.learner))

    assert kept == names(articles)[: len(kept)]
    assert len(kept) > 160


class Twice(MemorySource):
    """Has its pages twice."""

    def pages(self) -> Iterator[RawPage]:
        for page in super().pages():
            yield page
            yield page


def test_a_page_that_comes_twice_has_one_result(tmp_path: Path) -> None:
    """It is told twice and kept once, also if both wait to be saved."""
    twice = Twice({f"http://site.example/{n}": article(n) for n in range(3)})
    with open_store(tmp_path / "s.db") as store:
        pipeline = Pipeline(store, StackRenderer())
        told = [result.url[-1] for result in pipeline.run(twice)]
        kept = [result.url[-1] for result in store.results(pipeline.settings.learner)]

    assert told == ["0", "0", "1", "1", "2", "2"]
    assert kept == ["0", "1", "2"]


@dataclass(frozen=True, slots=True)
class BrokenSegmenter:
    """Names nodes that are in no page."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        if "list" in snapshot.url:
            raise ZeroDivisionError("a bug")
        return (Area(snapshot.rect, (10_000,)),)


@pytest.mark.parametrize(
    ("mode", "statuses"),
    [(Mode.PAPER, {Status.FAILED}), (Mode.DEFAULT, {Status.HIT, Status.FAILED})],
)
def test_bugs_of_a_segmenter_are_problems_of_their_pages(
    tmp_path: Path, mode: Mode, statuses: set[Status]
) -> None:
    """Neither a broken promise nor an exception ends the job."""
    with open_store(tmp_path / "s.db") as store:
        pipeline = Pipeline(store, StackRenderer(), Settings(BrokenSegmenter(), mode))
        results = list(pipeline.run(SITE))

    assert {result.status for result in results} == statuses
    told = " ".join(f"{one.kind} {one.message}" for page in results for one in page.problems)
    assert "names node 10000" in told
    assert ("ZeroDivisionError" in told) is (mode is Mode.PAPER)


JOB = """
import sys, time
from pathlib import Path
from test_pipeline import article, listing
from webstencil.output import JsonLines
from webstencil.jobs.job import Pipeline
from webstencil.store import open_store
from webstencil.testing import MemorySource, StackRenderer

pages = {}
for number in range(150):
    pages[f"http://site.example/{number}"] = article(number) if number % 10 else listing(2)
renderer = StackRenderer()
with open_store(sys.argv[1]) as store:
    pipeline = Pipeline(store, renderer)
    with JsonLines(Path(sys.argv[2]), lambda: store.results(pipeline.settings.learner)) as lines:
        for result in pipeline.run(MemorySource(pages)):
            lines.write(result)
            print(result.url, flush=True)
            time.sleep(0.002)
print("rendered", len(renderer.rendered), "did", pipeline.report().pages, flush=True)
"""


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", JOB, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])},
    )


def run_whole(place: str, out: Path) -> tuple[bytes, str]:
    """Run the job to its end; return its output file and its last words."""
    job = start(place, str(out))
    words, _ = job.communicate(timeout=60)
    assert job.returncode == 0
    return out.read_bytes(), words.splitlines()[-1]


def test_killed_job_goes_on_where_it_was(tmp_path: Path, place: str) -> None:
    """SIGKILL at any moment: nothing told is lost, no page twice, no template rendered again.

    What comes of it is, byte for byte, what comes of an undisturbed job, in a store of any kind.
    """
    undisturbed, last = run_whole(str(tmp_path / "calm.db"), tmp_path / "calm.jsonl")
    assert last == "rendered 5 did 150"

    told = 0
    for pause in (0.02, 0.11, 0.05, 0.2):
        job = start(place, str(tmp_path / "out.jsonl"))
        assert job.stdout is not None
        job.stdout.readline()
        time.sleep(pause)
        job.send_signal(signal.SIGKILL)
        told += 1 + len(job.stdout.read().splitlines())
        job.wait()
        job.stdout.close()
    disturbed, last = run_whole(place, tmp_path / "out.jsonl")

    assert disturbed == undisturbed
    did = int(last.split()[-1])
    assert last.startswith("rendered 0 did ")
    assert did <= 150 - told  # what was saved together may not have been told


def test_what_is_known_of_many_sites_is_read_again_from_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that has room for one site at a time has the results of one that has for all."""
    pages = {f"http://{s}.example/{n}": article(n) for n in range(4) for s in ("a", "b", "c")}
    pages |= {f"http://{s}.example/list": listing(3) for s in ("a", "b", "c")}
    found = []
    for held in (1, 1_000):
        monkeypatch.setattr(loop, "STENCILS_HELD", held)
        with open_store(tmp_path / f"{held}.db") as store:
            pipeline = Pipeline(store, StackRenderer(), Settings(mode=Mode.PAPER))
            results = list(pipeline.run(MemorySource(pages)))
            found.append([*results, *store.results(pipeline.settings.learner)])

    assert found[0] == found[1]
