"""Pages that are gone, that only redirect, and what a changed page leaves as it is."""

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from made_site import site_pages

from webstencil.cli.main import main
from webstencil.jobs.job import Pipeline
from webstencil.model import Status
from webstencil.settings import Settings
from webstencil.sources import Folder, Several
from webstencil.store import SqlStore, open_store
from webstencil.testing import MemorySource, StackRenderer

NUMBER = 24
LEARNER = Settings().learner
MOVED = b"<html><head><meta http-equiv=refresh content='0; url=/1.html'></head><body>Moved</body>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A mirror of a site."""
    top = tmp_path / "one.example"
    for url, body in site_pages(NUMBER).items():
        path = top / url.split("/", 3)[3]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return top


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.html"))


def ran(place: Path, folder: Path, settings: Settings | None = None) -> Pipeline:
    with open_store(place) as store:
        pipeline = Pipeline(store, StackRenderer(), settings)
        for _ in pipeline.run(Several([Folder(folder)])):
            continue
    return pipeline


def results_in(store: SqlStore) -> set[str]:
    return {result.url for result in store.results(LEARNER)}


def test_a_page_that_is_gone_is_dropped(tmp_path: Path, folder: Path) -> None:
    """From the results and from its site; the report says how many, the notes say which."""
    place = tmp_path / "s.db"
    ran(place, folder)
    with open_store(place) as store:
        before = results_in(store)
    lost = files(folder)[3]
    url = Folder(folder).address(lost)
    lost.unlink()
    job = ran(place, folder)

    with open_store(place) as store:
        assert results_in(store) == before - {url}
        assert store.outlines.known("one.example", [url]) == {}
    assert job.report().gone == 1
    assert [note.first for note in job.notes.all() if "gone" in note.kind] == [url]


def test_what_is_gone_can_be_kept(tmp_path: Path, folder: Path) -> None:
    """By a setting that makes no page be processed again."""
    place = tmp_path / "s.db"
    ran(place, folder)
    files(folder)[0].unlink()
    job = ran(place, folder, Settings(keep_gone=True))

    with open_store(place) as store:
        assert len(results_in(store)) == NUMBER
    assert job.report().gone == 0


def test_pages_of_other_sources_are_not_gone(tmp_path: Path, folder: Path) -> None:
    """Neither those of another folder, nor pages at its addresses that it never had."""
    place = tmp_path / "s.db"
    other = tmp_path / "two.example"
    other.mkdir()
    (other / "a.html").write_bytes(files(folder)[0].read_bytes())
    elsewhere = {"http://one.example/other.html": files(folder)[0].read_bytes()}
    ran(place, other)
    with open_store(place) as store:
        list(Pipeline(store, StackRenderer()).run(MemorySource(elsewhere)))
    job = ran(place, folder)

    with open_store(place) as store:
        assert len(results_in(store)) == NUMBER + 2
    assert job.report().gone == 0


def test_the_output_has_no_page_that_is_gone(tmp_path: Path, folder: Path) -> None:
    """Unless `--keep-gone` is given."""
    call = ["run", str(folder), "--store", str(tmp_path / "s.db"), "--budget", "0"]
    out = tmp_path / "o.jsonl"
    found = []
    for options in ((), ("--keep-gone",), ()):
        if len(found) == 1:
            files(folder)[0].unlink()
        told = CliRunner().invoke(main, [*call, "--out", str(out), *options])
        assert told.exit_code == 0, told.output
        found.append(len(out.read_text().splitlines()))

    assert found == [NUMBER, NUMBER, NUMBER - 1]
    assert "pages gone" in told.output


def test_a_page_that_only_redirects_is_no_hit(tmp_path: Path, folder: Path) -> None:
    """It has no areas and no items, is not rendered, and is not done again."""
    (folder / "moved.html").write_bytes(MOVED)
    with open_store(tmp_path / "s.db") as store:
        renderer = StackRenderer()
        job = Pipeline(store, renderer, items=["content", "headlines"])
        results = {result.url: result for result in job.run(Folder(folder))}
        again = list(Pipeline(store, renderer, items=["content"]).run(Folder(folder)))
    (moved,) = (one for one in results.values() if one.status is Status.REDIRECT)
    report = job.report()

    assert moved.url == "http://one.example/moved.html"
    assert (moved.areas, moved.items, moved.stencil) == ((), (), None)
    assert moved.url not in renderer.rendered
    assert (report.pages, report.redirects, report.hits + report.learned) == (NUMBER + 1, 1, NUMBER)
    assert moved.url not in {result.url for result in again}


def test_a_changed_page_leaves_the_others_as_they_are(tmp_path: Path, folder: Path) -> None:
    """As long as its site decides the same."""
    pictures = b"<div class=gallery><img src=a.png><img src=b.png></div></body>"
    for path in files(folder):  # a slot without any text
        path.write_bytes(path.read_bytes().replace(b"</body>", pictures))
    place = tmp_path / "s.db"
    ran(place, folder)
    with open_store(place) as store:
        rendered = store.witnesses.known(LEARNER, "one.example")
        version = store.witnesses.areas(LEARNER, "one.example").version
    plain = next(one for one in files(folder) if Folder(folder).address(one) not in rendered)
    plain.write_bytes(plain.read_bytes().replace(b"<p>", b"<p>Zyzzyva ", 1))
    job = ran(place, folder)

    with open_store(place) as store:
        assert store.witnesses.areas(LEARNER, "one.example").version == version
    assert (job.report().pages, job.report().unchanged) == (1, NUMBER - 1)


def test_a_job_says_why_pages_are_done_again(tmp_path: Path, folder: Path) -> None:
    """If what their site decides has changed."""
    place = tmp_path / "s.db"
    ran(place, folder, Settings(budget=1))
    job = ran(place, folder)
    again = Counter({note.kind: note.count for note in job.notes.all()})

    assert job.report().unchanged < NUMBER
    assert sum(count for kind, count in again.items() if "has changed since" in kind) > 0


def test_a_folder_that_is_empty_loses_nothing(tmp_path: Path, folder: Path) -> None:
    """Somebody has forgotten to mount it."""
    place = tmp_path / "s.db"
    ran(place, folder)
    for path in files(folder):
        path.unlink()
    job = ran(place, folder)

    with open_store(place) as store:
        assert len(results_in(store)) == NUMBER
    assert job.report().gone == 0
