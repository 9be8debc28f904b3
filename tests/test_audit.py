"""Audits: hits that are rendered to check them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstencil.errors import PageTimeout, SettingsError
from webstencil.evaluate.scores import extended_bcubed
from webstencil.jobs.job import Pipeline
from webstencil.model import Area, Mode, Page, PageResult, Snapshot, Status
from webstencil.protocols import Renderer, Resources
from webstencil.report import Report
from webstencil.settings import Settings
from webstencil.stages import OUTSIDE, agreement
from webstencil.store import open_store
from webstencil.testing import MemorySource, StackRenderer

TITLE = "http://site.example/whole"


@dataclass(frozen=True)
class Fickle:
    """A segmenter that leaves one page whole and makes an area of each text of the others."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        texts = [box for box in snapshot.boxes if box.text]
        if snapshot.url == TITLE:
            return (Area(snapshot.rect, tuple(box.node for box in texts)),)
        return tuple(Area(box.rect, (box.node,)) for box in texts)


class TiredRenderer(StackRenderer):
    """Paints two pages and no more."""

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        if len(self.rendered) == 2:
            raise PageTimeout("the page took too long")
        return super().render(page, resources, screenshot=screenshot)


def story(number: int) -> bytes:
    return f"<body><h1>Story {number}</h1><p>Text of the story {number}</p></body>".encode()


ADDRESSES = (*(f"http://site.example/{number}" for number in range(4)), TITLE)
SITE = MemorySource({url: story(number) for number, url in enumerate(ADDRESSES)})


def run(folder: Path, audit: int, renderer: Renderer) -> tuple[list[PageResult], Report]:
    """Process the site in paper mode; any page may be laid over."""
    settings = Settings(Fickle(), Mode.PAPER, threshold=1.0, audit=audit)
    with open_store(folder / "s.db") as store:
        pipeline = Pipeline(store, renderer, settings)
        return list(pipeline.run(SITE)), pipeline.report()


def test_hit_that_is_far_from_its_own_areas_is_learned(tmp_path: Path) -> None:
    """Each page is rendered once, the hit that is wrong, too."""
    renderer = StackRenderer()

    results, report = run(tmp_path, 1, renderer)

    status = {result.url: result.status for result in results}
    assert status[TITLE] is Status.LEARNED
    assert [status[url] for url in ADDRESSES[1:4]] == [Status.HIT] * 3
    assert renderer.rendered == list(ADDRESSES)
    assert (report.audited, report.rendered) == (4, 5)
    assert report.agreement is not None
    assert 0.75 < report.agreement < 1.0


def test_nothing_is_audited_unless_asked_for(tmp_path: Path) -> None:
    """One page is rendered, and the wrong hit goes unnoticed."""
    results, report = run(tmp_path, 0, StackRenderer())

    assert [result.status for result in results] == [Status.LEARNED, *[Status.HIT] * 4]
    assert (report.audited, report.agreement, report.rendered) == (0, None, 1)


def test_the_address_decides_what_is_audited(tmp_path: Path) -> None:
    """A job that is run again checks the same pages."""
    rendered = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        renderer = StackRenderer()
        run(tmp_path / name, 2, renderer)
        rendered.append(renderer.rendered)

    assert rendered[0] == rendered[1]
    assert 1 < len(rendered[0]) < len(ADDRESSES)


def test_hit_that_cannot_be_rendered_stays_a_hit(tmp_path: Path) -> None:
    """An audit that fails costs nothing that is there."""
    results, report = run(tmp_path, 1, TiredRenderer())

    assert [result.status for result in results] == [Status.LEARNED, *[Status.HIT] * 4]
    assert report.audited == 1


def test_an_audit_of_a_site_tells_how_far_its_areas_are_from_their_own(tmp_path: Path) -> None:
    """By default nothing is learned from an audit: the site decides, not the page."""
    renderer = StackRenderer()
    with open_store(tmp_path / "s.db") as store:
        pipeline = Pipeline(store, renderer, Settings(Fickle(), audit=1, budget=2))
        results = list(pipeline.run(SITE))
        report = pipeline.report()

    assert sorted(result.status for result in results) == [*[Status.HIT] * 3, *[Status.LEARNED] * 2]
    assert (report.audited, report.rendered) == (3, 5)
    assert report.agreement is not None


def test_audit_of_less_than_no_page_is_refused() -> None:
    """The error names the value."""
    with pytest.raises(SettingsError, match="-1"):
        Settings(audit=-1)


@given(
    st.lists(
        st.tuples(st.integers(1, 50), st.integers(-1, 4), st.integers(-1, 4)),
        min_size=1,
        max_size=12,
    )
)
def test_agreement_is_b_cubed_f(texts: Sequence[tuple[int, int, int]]) -> None:
    """The same as the measure for areas that overlap, where none does."""
    sizes = {node: size for node, (size, _, _) in enumerate(texts)}
    found = [one for _, one, _ in texts]
    truth = [other for _, _, other in texts]
    weights: dict[tuple[int, int], float] = {}
    for node, size in sizes.items():
        alone = 10 + node  # what is in no area is a part of its own
        one = found[node] if found[node] != OUTSIDE else alone
        other = truth[node] if truth[node] != OUTSIDE else alone
        masks = 1 << one, 1 << other
        weights[masks] = weights.get(masks, 0.0) + size

    assert agreement(sizes, found, truth) == pytest.approx(extended_bcubed(weights).f)
