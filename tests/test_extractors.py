"""Items in a job: what is promised of extractors that a pipeline calls."""

from pathlib import Path

import pytest

from webstencil.errors import SettingsError
from webstencil.jobs.job import Pipeline, redo_pages_without
from webstencil.jobs.sites import Sites
from webstencil.model import Status
from webstencil.settings import Settings
from webstencil.stages import EXTRACTORS, make_extractors
from webstencil.store import open_store
from webstencil.testing import MemorySource, StackRenderer

NAMES = ("Anna", "Boris", "Clara", "Dora")


def words(number: int) -> str:
    """Write what no other story says."""
    return f"{NAMES[number]} went out and met a stranger, who told of far lands, and went on. " * 4


def story(number: int) -> bytes:
    """Write a page with a title and two paragraphs."""
    head = f"<head><title>Story {number}</title></head>"
    menu = "<div class=menu><a href=/>Home</a> <a href=/news>News</a></div>"
    body = f"<body>{menu}<h1>Story {number}</h1><p>{words(number)}</p></body>"
    return f"<html>{head}{body}</html>".encode()


SITE = MemorySource({f"http://a.example/{number}": story(number) for number in range(4)})


@pytest.mark.parametrize("name", EXTRACTORS)
def test_every_extractor_takes_items_from_learned_pages_and_hits(tmp_path: Path, name: str) -> None:
    """All are called for each page with its areas, and none changes what is found."""
    with open_store(tmp_path / "plain.db") as store:
        plain = list(Pipeline(store, StackRenderer()).run(SITE))
    with open_store(tmp_path / "items.db") as store:
        extractors = make_extractors([name], Sites(outlines=store.outlines))
        pipeline = Pipeline(store, StackRenderer(), extractors=extractors)
        results = list(pipeline.run(SITE))
        kept = list(store.results(pipeline.settings.learner))

    assert [result.areas for result in results] == [result.areas for result in plain]
    assert {result.status for result in results} == {Status.LEARNED, Status.HIT}
    assert kept == results


def test_content_and_title_are_those_of_the_page(tmp_path: Path) -> None:
    """Also on hits: the page's own words, and not its menu."""
    with open_store(tmp_path / "s.db") as store:
        extractors = make_extractors(["content", "metadata"], Sites(outlines=store.outlines))
        *_, last = Pipeline(store, StackRenderer(), extractors=extractors).run(SITE)

    found = {item.kind: item.text for item in last.items}
    assert last.status is Status.HIT
    assert found["title"] == "Story 3"
    assert words(3).strip() in found["content"]
    assert "News" not in found["content"]


def test_pages_done_without_items_are_done_again_when_they_are_wanted(tmp_path: Path) -> None:
    """Once, also if not all of them come at first; nothing is rendered for that."""
    part = MemorySource({"http://a.example/0": story(0)})
    learner = Settings().learner
    with open_store(tmp_path / "s.db") as store:

        def run(*names: str, source: MemorySource = SITE) -> tuple[int, int, int]:
            again = redo_pages_without(names, store, learner)
            extractors = make_extractors(names, Sites(outlines=store.outlines))
            pipeline = Pipeline(store, StackRenderer(), extractors=extractors)
            return again, len(list(pipeline.run(source))), pipeline.report().rendered

        told = [
            run(),
            run("metadata", source=part),
            run("metadata"),
            run("metadata"),
            run(),
            run("metadata", "content"),
        ]
        kinds = [{item.kind for item in result.items} for result in store.results(learner)]

    assert told == [(0, 4, 1), (4, 1, 0), (0, 3, 0), (0, 0, 0), (0, 0, 0), (4, 4, 0)]
    assert all({"title", "content"} <= found for found in kinds)


def test_unknown_extractor_is_refused_with_the_known_ones() -> None:
    """The error lists the extractors."""
    with pytest.raises(SettingsError, match="no extractor 'prices'; known are content, metadata"):
        make_extractors(["prices"])


def test_navigation_is_an_item_of_every_page(tmp_path: Path) -> None:
    """Its links as labels and absolute URLs, on learned pages and hits."""
    with open_store(tmp_path / "s.db") as store:
        extractors = make_extractors(["navigation"])
        results = list(Pipeline(store, StackRenderer(), extractors=extractors).run(SITE))

    links = (("Home", "http://a.example/"), ("News", "http://a.example/news"))
    assert [[item.fields for item in result.items] for result in results] == [[links]] * 4
