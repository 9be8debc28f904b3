"""Any order, any hands: the same pages make the same model, templates, plan and texts.

Shuffled or not, by one process or by several, from a folder, an archive or a crawl, killed and
resumed: what a store knows of a site is the same, byte for byte.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

import pytest
import slow_job
from click.testing import CliRunner
from made_site import HOST, site_pages
from warcs import record

from research.support import crawl_kills
from research.support.crawl_kills import crawl_with_kills
from research.support.crawl_kills import site as story_site
from research.support.web_server import Reply, linked, pages, serving
from webstencil.cli.main import main
from webstencil.codec import encode_value
from webstencil.crawl.messages import CrawlLimits
from webstencil.evaluate.labelled_data import unpacked
from webstencil.evaluate.snapshots import cache_folder
from webstencil.jobs.job import Pipeline
from webstencil.jobs.ray_workers import RayWorkers
from webstencil.jobs.survey import decide_templates, survey
from webstencil.jobs.workers import Workers
from webstencil.model import Mode, RawPage
from webstencil.processes import import_path
from webstencil.queries.surveys import survey_of
from webstencil.settings import Settings
from webstencil.site.site_model import encode_outline
from webstencil.sources import Folder, WarcFile
from webstencil.store import open_store
from webstencil.testing import MemorySource, StackRenderer
from webstencil.urls import site_of, url_hash

DATA = Path(os.environ.get("WEBSTENCIL_DATA", "../shared/data"))
REAL = ("rust-blog", "jakevdp-blog")
PLAIN_HTML = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
MADE_PAGES = 60
REAL_PAGES = 120  # of each site, by the hash of their names
LEARNER = Settings().learner

Texts: TypeAlias = dict[str, list[str]]  # main content, by URL

without_scrapy = pytest.mark.skipif(
    find_spec("scrapy") is None, reason="crawling needs the extra `crawl`"
)


@dataclass(frozen=True)
class Site:
    """A site, in a folder and in memory."""

    folder: Path
    pages: dict[str, bytes]  # by URL

    @property
    def base_url(self) -> str:
        return "/".join(next(iter(self.pages)).split("/")[:3])

    @property
    def name(self) -> str:
        return site_of(self.base_url)


@dataclass(frozen=True)
class Known:
    """What a store knows of a site, as bytes."""

    outlines: tuple[tuple[str, bytes], ...]  # by key
    templates: bytes
    plan: bytes
    numbers: dict[str, int]  # templates of pages


def known(place: Path, site: str) -> Known:
    with open_store(place) as store:
        plan = survey_of(store, site).plan
        return Known(
            outlines=tuple(
                (page.url, encode_outline(page.outline)) for page in store.outlines.pages(site)
            ),
            templates=encode_value(store.templates.of(site), "templates"),
            plan=encode_value(plan, "a plan"),
            numbers=store.outlines.templates(site),
        )


def surveyed(place: Path, found: Iterable[RawPage]) -> None:
    """Survey pages into a store."""
    with open_store(place) as store:
        for _ in survey(found, store.outlines):
            continue
        decide_templates(store)


def written(folder: Path, found: Mapping[str, bytes]) -> Path:
    """Write pages into a folder, by the paths of their URLs."""
    for url, body in found.items():
        path = folder / "/".join(url.split("/")[3:])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return folder


def real_pages(name: str) -> dict[str, bytes]:
    """Return some pages of a real site."""
    archive = DATA / "sites" / f"{name}.tar.xz"
    if not archive.is_file():
        pytest.skip(f"{archive} is not there; set WEBSTENCIL_DATA")
    found = {
        page.url: page.body
        for page in Folder(
            unpacked(archive, cache_folder()), base_url=f"http://{name}.example"
        ).pages()
    }
    return {url: found[url] for url in sorted(found, key=url_hash)[:REAL_PAGES]}


@pytest.fixture(scope="module", params=[HOST, *REAL])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A made-up site, and real ones."""
    name = request.param
    found = site_pages(MADE_PAGES) if name == HOST else real_pages(name)
    return Site(written(tmp_path_factory.mktemp("site"), found), found)


@pytest.fixture(scope="module")
def wanted(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Known:
    """What is known of a site that one process has surveyed."""
    place = tmp_path_factory.mktemp("wanted") / "s.db"
    surveyed(place, (RawPage(url, body) for url, body in site.pages.items()))
    return known(place, site.name)


def texts_in(place: Path) -> Texts:
    """Return what content the results in a store have."""
    with open_store(place) as store:
        return {
            result.url: [item.text for item in result.items if item.kind == "content"]
            for result in store.results(LEARNER)
        }


@pytest.fixture(scope="module")
def texts(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Texts:
    """What content one process finds."""
    place = tmp_path_factory.mktemp("texts") / "s.db"
    slow_job.work(place, site.folder, site.base_url)
    return texts_in(place)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "s.db"


def test_something_is_known(site: Site, wanted: Known, texts: Texts) -> None:
    """Or all that follows would say nothing."""
    assert {url for url, _ in wanted.outlines} == set(site.pages)
    assert len(wanted.numbers) == len(site.pages)
    assert len(set(wanted.numbers.values())) > 1
    assert len(wanted.plan) > 100
    assert set(texts) == set(site.pages)
    assert sum(map(bool, texts.values())) > len(texts) / 2


@pytest.mark.parametrize("seed", range(5))
def test_any_order(site: Site, wanted: Known, place: Path, seed: int) -> None:
    """Pages may come shuffled, and some of them twice."""
    urls = sorted(site.pages)
    random.Random(seed).shuffle(urls)
    surveyed(place, (RawPage(url, site.pages[url]) for url in [*urls[:9], *urls]))

    assert known(place, site.name) == wanted


def test_a_part_at_a_time(site: Site, wanted: Known, place: Path) -> None:
    """A site that grows while nothing is decided is the whole in the end, also if pages change."""
    found = [RawPage(url, body) for url, body in site.pages.items()]
    changed = [RawPage(raw.url, b"<body><p>Soon something else") for raw in found[::7]]
    with open_store(place) as store:
        for part in (found[::2], changed, found[1::2], found):
            for _ in survey(part, store.outlines):
                continue
        decide_templates(store)

    assert known(place, site.name) == wanted


@pytest.mark.parametrize("number", [1, 2, 4])
def test_any_number_of_workers(
    site: Site, wanted: Known, texts: Texts, place: Path, number: int
) -> None:
    """Each of them surveys and processes a part of the pages, and extracts the same."""
    job = Workers(place, number=number, renderer=StackRenderer(), items=["content"])
    results = list(job.run(Folder(site.folder, base_url=site.base_url)))

    assert len(results) == len(site.pages)
    assert known(place, site.name) == wanted
    assert texts_in(place) == texts


def test_a_folder_and_an_archive(site: Site, wanted: Known, tmp_path: Path) -> None:
    """The same pages at the same URLs."""
    archive = tmp_path / "site.warc"
    archive.write_bytes(
        b"".join(record(url, body, http=PLAIN_HTML) for url, body in site.pages.items())
    )
    found = []
    for name, source in (
        ("folder.db", Folder(site.folder, base_url=site.base_url)),
        ("warc.db", WarcFile(archive)),
    ):
        surveyed(tmp_path / name, source.pages())
        found.append(known(tmp_path / name, site.name))

    assert found == [wanted, wanted]


KILLS = 4
LONGEST = 1.2  # s from the beginning of a job to its end by force
PAUSE = 0.01  # s that a page takes to be read


def killed(place: Path, site: Site, seconds: float) -> None:
    """Start a job and kill it after some time."""
    call = [sys.executable, slow_job.__file__, place, site.folder, site.base_url, PAUSE]
    with subprocess.Popen(
        list(map(str, call)),
        env={**os.environ, "PYTHONPATH": ":".join(import_path())},
        stdout=subprocess.PIPE,
    ) as job:
        assert job.stdout is not None
        assert job.stdout.readline() == b"begun\n"
        time.sleep(seconds)
        job.send_signal(signal.SIGKILL)


def test_killed_at_random_and_resumed(site: Site, wanted: Known, texts: Texts, place: Path) -> None:
    """The same model, templates and plan as if nobody had killed it, and the same texts."""
    lot = random.Random(site.name)
    for _ in range(KILLS):
        killed(place, site, lot.uniform(0.0, LONGEST))
    slow_job.work(place, site.folder, site.base_url)

    assert known(place, site.name) == wanted
    assert texts_in(place) == texts


@pytest.mark.timeout(900)  # s; on a busy machine a cluster takes minutes to start
@pytest.mark.skipif(find_spec("ray") is None, reason="the extra `ray` is not installed")
def test_tasks_of_a_cluster(place: Path, tmp_path: Path) -> None:
    """Ray's tasks are workers like any other, and extract the same."""
    source = MemorySource(site_pages(MADE_PAGES))
    alone = tmp_path / "alone.db"
    surveyed(alone, source.pages())
    with open_store(alone) as store:
        list(Pipeline(store, StackRenderer(), items=["content"]).run(source))
    job = RayWorkers(place, processors=2, renderer=StackRenderer(), items=["content"])
    results = list(job.run(source))

    assert len(results) == MADE_PAGES
    assert known(place, HOST) == known(alone, HOST)
    assert texts_in(place) == texts_in(alone)


def served(found: Mapping[str, bytes]) -> dict[str, bytes | Reply]:
    """Return pages by their paths, with a page that links to all of them."""
    by_path = {"/" + "/".join(url.split("/")[3:]): body for url, body in found.items()}
    return {"/index.html": linked("All pages", *by_path), **by_path}


def extracted(folder: Path, base_url: str) -> Texts:
    """Return what content `webstencil extract` finds."""
    call = ["extract", str(folder), "--base-url", base_url, "--format", "jsonl"]
    told = CliRunner().invoke(main, call)
    assert told.exit_code == 0, told.output
    lines = [json.loads(line) for line in told.stdout.splitlines()]
    return {line["url"]: [line["text"]] for line in lines}


@without_scrapy
def test_a_crawl_knows_what_a_folder_tells(tmp_path: Path) -> None:
    """Of the same pages at the same URLs; extractors find the same, too.

    A crawl reads its pages once, and settles in the end what depends on all of them.
    """
    site = served(site_pages(MADE_PAGES))
    with serving(pages(site)) as server:
        plan = crawl_kills.make_plan(f"{server.url}/index.html", tmp_path, CrawlLimits())
        crawled = tmp_path / "site.db"
        with open_store(crawled) as store, crawl_kills.CrawlSource(plan) as source:
            for _ in Pipeline(store, StackRenderer(), items=["content"]).run(source):
                continue
    base_url = server.url
    bodies = {base_url + path: body for path, body in site.items() if isinstance(body, bytes)}
    folder = written(tmp_path / "folder", bodies)
    ran = tmp_path / "run.db"
    job = Workers(ran, number=2, renderer=StackRenderer(), items=["content"])
    list(job.run(Folder(folder, base_url=base_url)))

    name = site_of(base_url)
    assert known(crawled, name) == known(ran, name)
    assert len(known(ran, name).outlines) == MADE_PAGES + 1
    assert texts_in(crawled) == texts_in(ran) == extracted(folder, base_url)
    assert sum(map(bool, texts_in(ran).values())) > MADE_PAGES / 2


@without_scrapy
def test_a_killed_crawl_knows_what_its_pages_tell(tmp_path: Path) -> None:
    """However often it was killed."""
    with serving(story_site) as server:
        crawl_with_kills(server, tmp_path / "killed", 2, seed=3)
    crawled = tmp_path / "killed" / "site.db"
    name = site_of(server.url)
    found = known(crawled, name)
    whole = tmp_path / "whole.db"
    surveyed(whole, (told_by(story_site, server.url, url) for url, _ in found.outlines))

    assert len(found.outlines) > 20
    assert found == known(whole, name)


def told_by(answer: Callable[[str, dict[str, str]], Reply], base_url: str, url: str) -> RawPage:
    """Return a page as a server has it."""
    return RawPage(url, answer(url.removeprefix(base_url), {}).body)


@without_scrapy
@pytest.mark.browser
def test_commands_extract_the_same_text(tmp_path: Path) -> None:
    """`run`, `crawl` and `extract`, of the same pages at the same URLs."""
    site = served(site_pages(12))
    with serving(pages(site)) as server:
        bodies = {server.url + path: body for path, body in site.items() if isinstance(body, bytes)}
        folder = written(tmp_path / "folder", bodies)
        found = []
        for name, call in (
            ("crawl", [f"{server.url}/index.html", "--delay", "0", "--allow-private"]),
            ("run", [str(folder), "--base-url", server.url]),
        ):
            files = [
                "--store",
                str(tmp_path / f"{name}.db"),
                "--out",
                str(tmp_path / f"{name}.jsonl"),
            ]
            told = CliRunner().invoke(main, [name, *call, *files, "--items", "content", "--quiet"])
            assert told.exit_code == 0, told.output
            found.append(texts_of(tmp_path / f"{name}.jsonl"))

    assert found == [extracted(folder, server.url)] * 2
    assert len(found[0]) == 13


def texts_of(lines: Path) -> Texts:
    """Return what content a file of results has."""
    results = [json.loads(line) for line in lines.read_text().splitlines()]
    return {
        one["url"]: [item["text"] for item in one["items"] if item["kind"] == "content"]
        for one in results
    }


PAPER_SITES = ("one.example", "two.example", "three.example", "four.example", "five.example")


def paper_pages() -> dict[str, bytes]:
    """Return pages of several sites, with more than one template each, in mixed order."""
    by_site = [site_pages(24) for _ in PAPER_SITES]
    return {
        url.replace(HOST, name): body
        for pages_at_once in zip(*(found.items() for found in by_site), strict=True)
        for name, (url, body) in zip(PAPER_SITES, pages_at_once, strict=True)
    }


def test_paper_mode_with_any_number_of_workers(tmp_path: Path) -> None:
    """A site is learned by one worker in the order of its source: the same results and stencils."""
    paper = Settings(mode=Mode.PAPER, threshold=0.1)
    found = []
    for number in (1, 2, 4):
        job = Workers(tmp_path / f"{number}.db", paper, number=number, renderer=StackRenderer())
        results = sorted(job.run(MemorySource(paper_pages())), key=lambda result: result.url)
        found.append((results, job.report().rendered))
    with open_store(tmp_path / "alone.db") as store:
        alone = Pipeline(store, StackRenderer(), paper)
        results = sorted(alone.run(MemorySource(paper_pages())), key=lambda result: result.url)

    assert found == [(results, alone.report().rendered)] * 3
    assert len(PAPER_SITES) < alone.report().rendered < len(results)
