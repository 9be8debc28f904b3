"""Areas of sites against landmarks: three columns, two golds, two plans, the command."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from webstencil.cli.main import main
from webstencil.evaluate.landmarks import (
    LandmarkRow,
    LandmarkScore,
    LandmarkSettings,
    means_of,
    measure_landmarks,
    words_of_losses,
)
from webstencil.evaluate.scores import AgreementScore
from webstencil.evaluate.site_pages import SiteSample
from webstencil.model import Area, Snapshot
from webstencil.site.plan import budget_for
from webstencil.testing import MemorySource, StackRenderer


class Whole:
    """Takes the page for one area, but every fourth one for its parts: chance decides."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return the body, or what is in it."""
        boxes = [box for box in snapshot.boxes if box.visible]
        parent = 0 if int(snapshot.url.rpartition("/")[2]) % 4 else -1
        return tuple(Area(box.rect, (box.node,)) for box in boxes if box.parent == parent)


def page(number: int) -> bytes:
    """Write a page with three landmarks."""
    return (
        f"<html><body><header>Name</header><main><p>Text {number}</p></main>"
        "<footer>Imprint</footer></body></html>"
    ).encode()


def site(number: int) -> MemorySource:
    return MemorySource({f"http://a.example/{n}": page(n) for n in range(number)})


def score(coarse: float, fine: float) -> LandmarkScore:
    return LandmarkScore(AgreementScore(1.0, 1.0), coarse, AgreementScore(1.0, 1.0), fine, 3.0)


def row(site: str, own: LandmarkScore, planned: LandmarkScore) -> LandmarkRow:
    return LandmarkRow(site, 10, 10, 2, 0, own, planned, planned, 0.9, 0.0, 1.0)


def test_the_site_decides_better_than_a_page_alone() -> None:
    """Most rendered pages say where the parts end; pages that do not are outvoted."""
    found = measure_landmarks("a", site(24), LandmarkSettings(Whole(), budget=6), StackRenderer())

    assert (found.pages, found.scored, found.rendered, found.failed) == (24, 24, 6, 0)
    assert found.own is not None
    assert found.planned is not None
    assert found.full is not None
    assert found.own.coarse_f < found.planned.coarse_f == found.full.coarse_f == 1.0
    assert found.planned.areas == 3.0
    assert (found.fidelity, found.bad, found.agreement) == (1.0, 0.0, 1.0)


def test_pages_with_few_landmarks_are_not_scored() -> None:
    """They count for fidelity and agreement only."""
    bare = MemorySource(
        {f"http://a.example/{n}": b"<body><p>one</p><p>two</p></body>" for n in range(4)}
    )
    found = measure_landmarks("a", bare, LandmarkSettings(Whole()), StackRenderer())

    assert (found.pages, found.scored, found.own, found.planned) == (4, 0, None, None)
    assert found.agreement is not None


def test_without_a_budget_a_site_has_that_of_a_job() -> None:
    """It need not be spent: a second plan renders only what resolves doubts."""
    settings = LandmarkSettings(Whole(), SiteSample(pages=20, sample=16))
    found = measure_landmarks("a", site(40), settings, StackRenderer())
    least = measure_landmarks("a", site(40), replace(settings, budget=1), StackRenderer())

    assert (found.pages, least.rendered) == (16, 1)
    assert 1 < found.rendered <= budget_for(16)


def test_a_site_without_pages_has_no_figures() -> None:
    """Nothing divides by nothing."""
    found = measure_landmarks("a", site(0), LandmarkSettings(Whole()), StackRenderer())

    assert (found.pages, found.own, found.fidelity) == (0, None, None)


def test_sites_that_lose_are_named() -> None:
    """By more than one in a hundred, against either gold."""
    rows = [
        row("good", score(0.8, 0.8), score(0.9, 0.9)),
        row("as good", score(0.8, 0.8), score(0.795, 0.795)),
        row("worse", score(0.8, 0.8), score(0.7, 0.8)),
    ]

    told = words_of_losses(rows)
    assert told == "below own by more than 0.01: F: 1 of 3 (worse); fine F: 0 of 3"
    assert [line[4] for line in means_of(rows)] == ["own", "site", "site, all rendered"]


@pytest.mark.browser
def test_the_command_prints_three_rows_a_site(tmp_path: Path) -> None:
    """And JSON with all scores; what cannot be rendered is left out, and told."""
    folder = tmp_path / "site"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.html").write_bytes(page(number))
    (folder / "x.html").write_bytes(b"no page")
    words = ["evaluate", "landmarks", str(folder), "--cache", str(tmp_path), "--with", "guo"]
    table = CliRunner().invoke(main, words)
    (found,) = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)

    assert (found["site"], found["pages"], found["scored"], found["failed"]) == ("site", 6, 6, 1)
    assert len(table.stdout.splitlines()) == 5
    assert len(list((tmp_path / "areas").iterdir())) == 6
