"""One driver, one composer: the promises that copies of them had broken."""

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from research.support import crawl_kills
from research.support.web_server import Reply, linked, pages, serving
from webstencil.cli.main import main
from webstencil.errors import SettingsError
from webstencil.jobs.job import Pipeline
from webstencil.model import Mode, RawPage, Resource
from webstencil.protocols import Resources
from webstencil.segment.guo import Guo
from webstencil.settings import JOB_ONLY, Settings
from webstencil.sources import Several
from webstencil.store import open_store
from webstencil.testing import MemorySource, StackRenderer

OTHER = {  # a value for each setting that is not its default
    "segmenter": Guo(),
    "mode": Mode.PAPER,
    "threshold": 0.1,
    "first_match": True,
    "compact": True,
    "verify": True,
    "grain": 0.4,
    "budget": 5,
    "min_pages_per_template": 2,
    "retire_after": 7,
    "keep_gone": True,
    "audit": 3,
    "upgrade": True,
}
PAGE = """<!doctype html><html><head><title>Story {n}</title></head><body>
<header><h1 style="font-size:40px">The Daily {n}</h1></header>
<nav><ul><li><a href="/">Home</a></li><li><a href="/a">News</a></li><li><a href="/b">More</a></li>
</ul></nav><main><h2>Story number {n}</h2><p>{text}</p><p>{text}</p></main>
<footer>Imprint and contact</footer></body></html>"""


def story(number: int) -> str:
    return PAGE.format(n=number, text=f"This is what happened on day {number}. " * 20)


def mirror(folder: Path, number: int) -> Path:
    """Write a folder of pages."""
    folder.mkdir()
    for page in range(number):
        (folder / f"{page}.html").write_text(story(page))
    return folder


def memory_site(number: int) -> MemorySource:
    return MemorySource({f"http://a.example/{n}": story(n).encode() for n in range(number)})


@pytest.mark.parametrize("known", fields(Settings), ids=lambda known: str(known.name))
def test_every_setting_is_in_the_fingerprint_unless_it_is_marked(known: object) -> None:
    """A new setting is part of it by itself."""
    name, metadata = known.name, known.metadata  # type: ignore[attr-defined]
    changed = replace(Settings(), **{name: OTHER[name]})

    assert (changed.fingerprint != Settings().fingerprint) is (JOB_ONLY not in metadata)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Settings(mode=Mode.PAPER, threshold=0.4), Settings(mode=Mode.PAPER, threshold=0.0)),
        (Settings(), Settings(grain=0.4)),
        (Settings(), Settings(audit=2)),
    ],
)
def test_a_changed_setting_processes_pages_again(
    tmp_path: Path, first: Settings, second: Settings
) -> None:
    """Also back to what it was; the same settings leave all pages as they are."""
    done = []
    with open_store(tmp_path / "s.db") as store:
        for settings in (first, first, second, second, first):
            pipeline = Pipeline(store, StackRenderer(), settings)
            done.append(len(list(pipeline.run(memory_site(6)))))

    assert done == [6, 0, 6, 0, 6]


def test_a_crawl_ends_its_run(tmp_path: Path) -> None:
    """Its runs are whole, and drift has something to compare after three of them."""
    pytest.importorskip("scrapy", reason="crawling needs the extra `crawl`")
    site: dict[str, bytes | Reply] = {
        "/": linked("Home", *[f"/{n}" for n in range(1, 60)]),
        **{f"/{n}": linked(f"Page {n}", "/") for n in range(1, 60)},
    }
    with serving(pages(site)) as server:
        for visit in range(3):
            for path in list(site):
                site[path] = linked(f"{path} {visit}", *[f"/{n}" for n in range(1, 60)])
            crawl_kills.run_crawl(server.url + "/", tmp_path)
    with open_store(tmp_path / "site.db") as store:
        runs = store.runs.past().runs
    told = CliRunner().invoke(main, ["sites", "drift", "--store", str(tmp_path / "site.db")])

    assert [run.whole for run in runs] == [True, True, True]
    assert "nothing to compare" not in told.output
    assert told.exit_code == 0, told.output


def test_a_crawl_saves_pages_together(tmp_path: Path) -> None:
    """As a run over a folder does: many results in one transaction, none of them late."""
    pytest.importorskip("scrapy", reason="crawling needs the extra `crawl`")
    saved: list[int] = []

    with serving(
        pages(
            {
                "/": linked("Home", *[f"/{n}" for n in range(40)]),
                **{f"/{n}": linked(f"Page {n}", "/") for n in range(40)},
            }
        )
    ) as server:
        plan = crawl_kills.make_plan(server.url + "/", tmp_path, crawl_kills.DEFAULT_LIMITS)
        with open_store(tmp_path / "site.db") as store, crawl_kills.CrawlSource(plan) as source:
            pipeline = Pipeline(store, StackRenderer())
            keep = pipeline._run.save
            pipeline._run.save = lambda batch: (saved.append(len(batch)), keep(batch))[1]  # type: ignore[method-assign,func-returns-value]
            results = list(pipeline.run(source))

    assert len(results) == 41
    assert sum(saved) == 82  # as they come, and when their site is known
    assert max(saved) > 1


def test_a_page_carries_who_answers_for_its_resources(tmp_path: Path) -> None:
    """Whichever page came last, and however many sources there are."""
    css = "http://a.example/a.css"
    seen: dict[str, bytes] = {}

    class Noting(StackRenderer):
        def render(self, page, resources: Resources, *, screenshot: bool = False):  # type: ignore[no-untyped-def]
            found = resources.fetch(css)
            seen[page.url] = found.body if found else b""
            return super().render(page, resources, screenshot=screenshot)

    def source(number: int) -> MemorySource:
        body = f"<p>{number}</p>" + f"<div><b>{number}</b></div>" * number
        resources = {css: Resource(str(number).encode(), "text/css")}
        return MemorySource({f"http://{number}.example/": body.encode()}, resources)

    together = Several([source(1), source(2), source(3)])
    late = list(together.pages())  # all of them before the first is processed
    with open_store(tmp_path / "s.db") as store:
        pipeline = Pipeline(store, Noting(), Settings(mode=Mode.PAPER))
        for raw in late:
            pipeline.process(raw)

    assert seen == {f"http://{n}.example/": str(n).encode() for n in (1, 2, 3)}


def test_threads_share_a_pipeline(tmp_path: Path) -> None:
    """Each page has its result in the end; what one thread learns the others use."""
    raws = [RawPage(f"http://a.example/{n}", story(n).encode()) for n in range(80)]
    with open_store(tmp_path / "s.db") as store:
        pipeline = Pipeline(store, StackRenderer())
        with ThreadPoolExecutor(4) as threads:
            results = list(threads.map(pipeline.process, raws))
        pipeline.end()
        kept = list(store.results(pipeline.settings.learner))

    assert [result.url for result in results] == [raw.url for raw in raws]
    statuses = {result.status for result in results}
    assert statuses >= {"waiting", "hit"}
    assert statuses <= {"waiting", "hit", "learned"}  # the page that made enough may be rendered
    assert Counter(result.status for result in kept) == {"hit": 76, "learned": 4}


def test_a_second_source_at_the_same_time_is_refused(tmp_path: Path) -> None:
    """In one sentence; the first one goes on."""
    with open_store(tmp_path / "s.db") as store:
        pipeline = Pipeline(store, StackRenderer())
        first = pipeline.run(memory_site(100))
        next(first)
        with pytest.raises(SettingsError, match="this pipeline is running; make another one"):
            next(pipeline.run(memory_site(2)))

        assert len(list(first)) == 99


KILLER = """
import os, signal
from webstencil.markup import parse as module
parse = module.parse
def killing(raw):
    if b"KILL" in raw.body:
        os.kill(os.getpid(), signal.SIGKILL)
    return parse(raw)
module.parse = killing
"""


@pytest.mark.browser
def test_a_page_that_kills_its_process_is_named_and_the_job_goes_on(tmp_path: Path) -> None:
    """Also without --workers."""
    folder = mirror(tmp_path / "mirror", 4)
    (folder / "2.html").write_text(story(2).replace("<main>", "<main>KILL"))
    (tmp_path / "sitecustomize.py").write_text(KILLER)
    out = tmp_path / "out.jsonl"
    command = ["run", str(folder), "--store", str(tmp_path / "s.db"), "--out", str(out)]
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])

    told = subprocess.run(
        [sys.executable, "-m", "webstencil", *command],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )

    lines = [json.loads(line) for line in out.read_text().splitlines()]
    failed = [line for line in lines if line["status"] == "failed"]
    assert told.returncode == 0, told.stderr
    assert sorted(line["url"][-6:] for line in lines) == ["0.html", "1.html", "2.html", "3.html"]
    assert [line["url"][-6:] for line in failed] == ["2.html"]
    assert "2.html" in told.stderr


@pytest.mark.browser
def test_commands_agree_on_areas_and_kinds(tmp_path: Path) -> None:
    """`segment --store` and `run` lay the same slots; `segment` and `items` cut one page alike."""
    folder = mirror(tmp_path / "mirror", 1)
    page, store = str(folder / "0.html"), str(tmp_path / "s.db")
    cli = CliRunner()
    names = ("metadata", "product", "headlines", "rows", "navigation")
    wanted = [word for name in names for word in ("--items", name)]
    ran = cli.invoke(
        main, ["run", page, "--store", store, "--out", str(tmp_path / "r.jsonl"), *wanted]
    )
    cut = cli.invoke(main, ["segment", page, "--store", store, "--json", str(tmp_path / "s.json")])
    items = cli.invoke(main, ["items", page, "--with", "vips", "--json"])

    assert (ran.exit_code, cut.exit_code, items.exit_code) == (0, 0, 0), ran.output + cut.output
    result = json.loads((tmp_path / "r.jsonl").read_text())
    areas = json.loads((tmp_path / "s.json").read_text())
    assert result["areas"] == areas
    assert {"title", "body"} <= {item["kind"] for item in result["items"]}
    assert {"title", "body"} <= {item["kind"] for item in json.loads(items.stdout)}
