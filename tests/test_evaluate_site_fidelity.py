"""Hits against the areas of the whole site: scores, bodies, confidence, cost, the command."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from builders import page_of
from click.testing import CliRunner

from webstencil.cli.main import main
from webstencil.evaluate.fidelity import (
    COST_PARTS,
    LONG_PAGE,
    ConfidenceBin,
    SaidArea,
    SiteCost,
    SiteFidelityRow,
    SiteFidelitySettings,
    SiteJob,
    SitePageScore,
    calibration,
    measure_site,
    page_costs,
    said_areas,
    show_fidelity,
    time_saved,
)
from webstencil.evaluate.scores import partition_score
from webstencil.evaluate.site_pages import SiteSample, sampled
from webstencil.evaluate.snapshots import KeepingSegmenter
from webstencil.evaluate.tables import mean_row
from webstencil.geometry import Rect
from webstencil.model import Area, PageArea, Snapshot
from webstencil.report import Report
from webstencil.settings import Settings
from webstencil.testing import MemorySource, StackRenderer

WORDS = "a long text about nothing in particular "


class Blocks:
    """Takes each child of the body for an area; remembers how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return these."""
        self.asked += 1
        return tuple(
            Area(box.rect, (box.node,)) for box in snapshot.boxes if box.parent == 0 and box.visible
        )

    def __repr__(self) -> str:
        return "Blocks()"


def post(number: int) -> bytes:
    """Write a page of three parts."""
    return (
        "<html><body><div class=top>The name of the site</div>"
        f"<div class=post><h1>Post {number}</h1><p>{WORDS * 30}{number}</p></div>"
        "<div class=end>Nobody in particular</div></body></html>"
    ).encode()


def site(number: int) -> MemorySource:
    """Make a site of posts."""
    return MemorySource({f"http://a.example/{n}": post(n) for n in range(number)})


def wanted(**options: int) -> SiteFidelitySettings:
    settings = Settings(Blocks())
    return SiteFidelitySettings(settings, settings.segmenter, SiteSample(**options))


def area(number: int, confidence: float) -> PageArea:
    return PageArea(number, None, None, "", "", "", Rect(0.0, 0.0, 1.0, 1.0), 1, confidence)


def test_pages_of_one_shape_have_the_areas_of_the_site() -> None:
    """Those of the job are those with every page rendered, and the page's own."""
    renderer = StackRenderer()
    row, scores = measure_site(wanted(), "a", site(20), renderer, StackRenderer())

    assert (row.site, row.pages, row.failed) == ("a", 20, 0)
    assert 0 < row.rendered < 20
    assert row.hit_ratio == 1 - row.rendered / 20
    assert row.judged == 20 - row.rendered
    assert (row.fidelity, row.bad, row.own, row.long) == (1.0, 0.0, 1.0, 20)
    assert {score.url for score in scores} == {f"http://a.example/{n}" for n in range(20)}
    assert all(said.same for score in scores for said in score.said)


def test_a_page_that_no_rendered_page_is_like_differs_from_its_own_areas() -> None:
    """A page alone is cut by itself; the site's areas know only what others have."""
    odd = b"<html><body><div class=post><p>One</p><p>Two</p></div><p>Three</p><p>Four</p></body>"
    source = MemorySource(
        {**{f"http://a.example/{n}": post(n) for n in range(20)}, "http://a.example/odd": odd}
    )
    _, scores = measure_site(wanted(), "a", source, StackRenderer(), StackRenderer())

    (score,) = [one for one in scores if one.url.endswith("odd")]
    assert score.hit
    assert not score.long
    assert score.own < 1.0


def test_the_first_pages_and_random_ones_of_them_are_taken() -> None:
    """The same ones for the same seed; a page that comes twice counts once."""
    few = sampled(site(9), SiteSample(pages=4))
    drawn = [sampled(site(9), SiteSample(sample=3, seed=seed)) for seed in (1, 1, 2)]

    assert [raw.url[-1] for raw in few] == ["0", "1", "2", "3"]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(sampled(site(2), SiteSample(sample=30))) == 2


def test_what_is_not_html_has_failed_and_is_not_judged() -> None:
    """It lowers no score."""
    source = MemorySource(
        {**{f"http://a.example/{n}": post(n) for n in range(9)}, "http://a.example/x": b"no page"}
    )
    row, scores = measure_site(wanted(), "a", source, StackRenderer(), StackRenderer())

    assert (row.pages, row.failed, len(scores), row.fidelity) == (10, 1, 9, 1.0)


def test_a_site_without_pages_has_no_figures() -> None:
    """Nothing divides by nothing."""
    row, scores = measure_site(wanted(), "a", site(0), StackRenderer(), StackRenderer())

    assert (row.pages, row.hit_ratio, row.fidelity, row.body, scores) == (0, None, None, None, ())
    assert row.cost == SiteCost()


def test_partitions_agree_as_computed_by_hand() -> None:
    """Two areas of 4 + 4 characters in one: precision is half, recall is full."""
    assert partition_score({0: 4, 1: 4}, [5, 5], [1, 2]).f == pytest.approx(2 / 3)
    assert partition_score({0: 4, 1: 4}, [5, 6], [1, 2]).f == 1.0


def test_an_area_is_the_same_if_the_same_texts_are_one() -> None:
    """One text more or less is another area; areas without text say nothing."""
    areas = [area(0, 0.9), area(1, 0.6), area(2, 0.3)]
    found = {0: frozenset({1, 2}), 1: frozenset({3})}
    full = {7: frozenset({1, 2}), 8: frozenset({3, 4})}

    assert said_areas(areas, found, full) == (SaidArea(0.9, True), SaidArea(0.6, False))


def test_calibration_counts_the_areas_of_hits_by_what_they_say() -> None:
    """Pages that were rendered prove nothing."""
    said = (SaidArea(1.0, True), SaidArea(0.99, False), SaidArea(0.55, True), SaidArea(0.5, False))
    hit = SitePageScore("a", True, 1.0, 1.0, False, False, said)
    rendered = replace(hit, url="b", hit=False)

    assert calibration([hit, rendered]) == (
        ConfidenceBin(0.5, 1, 0.5, 0.0),
        ConfidenceBin(0.6, 1, 0.55, 1.0),
        ConfidenceBin(1.0, 2, 0.995, 0.5),
    )


def test_time_saved_counts_renderings_at_their_true_price() -> None:
    """Ten pages at 2 + 1 s each; two rendered ones, and 3 s for all that is not rendering."""
    seconds = (("segment", 2.0), ("render", 0.5), ("save", 1.0))
    report = Report(pages=10, hits=8, learned=2, rendered=2, seconds=seconds)
    job = SiteJob({}, (), {}, report, 4.5)

    assert time_saved(job, 2.0) == pytest.approx(1 - (3.0 + 4.0) / 30.0)
    assert time_saved(replace(job, report=Report()), 2.0) is None


def test_a_page_costs_survey_and_apply() -> None:
    """Each part takes time, and so does the bare parse that they are compared with."""
    row, _ = measure_site(wanted(), "a", site(6), StackRenderer(), StackRenderer())

    assert len(COST_PARTS) == 4
    assert page_costs([], {}) == []
    assert row.cost.parses is not None
    assert row.cost.renderings is not None
    assert row.cost.parses > 2.0  # it parses twice


def test_the_mean_leaves_out_what_is_not_known() -> None:
    """A site without hits has a hit ratio, but no fidelity."""
    good = SiteFidelityRow("a", 4, 0, 1, 0.75, 3, 0.9, 0.0, 0.8, 2, 1.0, SiteCost(4.0, 0.01, 0.9))
    none = SiteFidelityRow("b", 2, 0, 2, 0.25, 0, None, None, None, 0, None, SiteCost())
    expected = SiteFidelityRow(
        "mean", 3, 0, 1.5, 0.5, 1.5, 0.9, 0.0, 0.8, 1, 1.0, SiteCost(4.0, 0.01, 0.9)
    )

    assert mean_row([good, none]) == expected
    assert show_fidelity("", [good, none], []).values["mean"]["fidelity"] == 0.9


def test_areas_are_found_once(tmp_path: Path) -> None:
    """The cache gives the same areas; another snapshot has others; a damaged file is made again."""
    blocks = Blocks()
    keeping = KeepingSegmenter(blocks, tmp_path)
    one, other = (
        StackRenderer().render(page_of(html), MemorySource({}))
        for html in ("<body><p>a</p><p>b</p>", "<body><p>c</p>")
    )
    found = [keeping.segment(shown) for shown in (one, one, other)]
    (tmp_path / keeping.file_name(other)).write_bytes(b"damaged")

    assert blocks.asked == 2
    assert found[0] == found[1] == Blocks().segment(one)
    assert keeping.segment(other) == found[2]
    assert (blocks.asked, repr(keeping)) == (3, repr(blocks))


@pytest.mark.browser
def test_the_command_measures_sites(tmp_path: Path) -> None:
    """It prints two tables or all scores as JSON, and renders each page once for both."""
    folder = tmp_path / "site"
    folder.mkdir()
    for number in range(8):
        (folder / f"{number}.html").write_bytes(post(number))
    words = ["evaluate", "fidelity", str(folder), "--cache", str(tmp_path), "--budget", "2"]
    table = CliRunner().invoke(main, words)
    written = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)

    (row,) = written["rows"]
    assert (row["site"], row["pages"], row["rendered"], row["fidelity"]) == ("site", 8, 2, 1.0)
    assert (row["long"], len(written["pages"])) == (8, 8)
    assert sum(one["areas"] for one in written["calibration"]) >= 6
    assert table.stdout.splitlines()[2].split()[:5] == ["site", "8", "0", "2", "0.250"]
    assert "confidence up to" in table.stdout
    assert len(list((tmp_path / "snapshots").iterdir())) == 8


def test_a_long_text_is_one_that_a_reader_scrolls() -> None:
    """The posts of these tests are long."""
    assert len(WORDS) * 30 > LONG_PAGE
