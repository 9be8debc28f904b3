"""Paper mode, hits against their own rendering: partitions of text, sites, the command."""

import json
import random
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from builders import page_of
from click.testing import CliRunner

from research.papers.fidelity import (
    FidelityCost,
    FidelityRow,
    FidelitySettings,
    HitScore,
    covered,
    drawn_hits,
    measure_hits,
    show_hits,
)
from webstencil import markup
from webstencil.cli.main import main
from webstencil.errors import PageCrashed
from webstencil.evaluate.tables import mean_row
from webstencil.geometry import Rect
from webstencil.model import Area, Mode, Page, PageArea, Snapshot
from webstencil.protocols import Resources
from webstencil.settings import Settings
from webstencil.stages import OUTSIDE, agreement, numbers, owners, visible_texts
from webstencil.testing import MemorySource, StackRenderer

SETTINGS = Settings(mode=Mode.PAPER, threshold=0.4)
NOTHING = FidelityCost(None, None)


class Blocks:
    """Takes each child of the body for an area."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return these."""
        return tuple(
            Area(box.rect, (box.node,)) for box in snapshot.boxes if box.parent == 0 and box.visible
        )

    def __repr__(self) -> str:
        return "Blocks()"


class Failing(StackRenderer):
    """Paints the first page only."""

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Crash on all others."""
        if self.rendered:
            raise PageCrashed(page.url)
        return super().render(page, resources, screenshot=screenshot)


def plan_of(sample: int = 30, pages: int | None = None) -> FidelitySettings:
    return FidelitySettings(replace(SETTINGS, segmenter=Blocks()), pages, sample=sample)


def page(blocks: int) -> bytes:
    """Write a page of blocks of two texts, four characters each block."""
    return ("<html><body>" + "<div><p>ab</p><p>cd</p></div>" * blocks).encode()


def site(*blocks: int) -> MemorySource:
    """Make a site of pages with so many blocks."""
    pages = {f"http://a.example/{number}": page(many) for number, many in enumerate(blocks)}
    return MemorySource(pages)


def area(number: int, *xpaths: str) -> PageArea:
    """Describe an area by its nodes."""
    return PageArea(
        id=number,
        parent=None,
        kind=None,
        text="",
        selector="",
        xpath=" | ".join(xpaths),
        rect=Rect(0.0, 0.0, 1.0, 1.0),
        nodes=len(xpaths),
        confidence=1.0,
    )


def test_xpaths_of_results_lead_to_numbers() -> None:
    """Each node of a page has an XPath of its own, texts between elements too."""
    known = page_of("<body><div>a<b>c</b>d</div>\n<p>e<!-- -->f<p>g")
    nodes = known.markup.nodes(range(len(known.tree)))

    assert [numbers(known)[markup.xpath(node)] for node in nodes] == list(range(len(known.tree)))


def test_a_node_belongs_to_the_innermost_area_around_it() -> None:
    """What is around no node of an area is outside; an area without nodes holds nothing."""
    known = page_of("<body><div>a<b>c</b></div><p>e</p>")
    areas = [area(0), area(1, "/html/body/div"), area(2, "/html/body/div/b", "/html/body/p")]

    found = owners(known, areas, numbers(known))
    assert list(zip(known.tree.tags, found, strict=True)) == [
        ("html", OUTSIDE),
        ("head", OUTSIDE),
        ("body", OUTSIDE),
        ("div", 1),
        ("", 1),
        ("b", 2),
        ("", 2),
        ("p", 2),
        ("", 2),
    ]


def test_equal_partitions_agree_whatever_their_areas_are_called() -> None:
    """Only what is together counts."""
    assert agreement({0: 3, 1: 2, 2: 7}, [4, 4, 9], [1, 1, 0]) == 1.0


def test_agreement_is_that_computed_by_hand() -> None:
    """Two areas of 4 + 4 characters in one: precision is half, recall is full."""
    assert agreement({0: 4, 1: 4}, [5, 5], [1, 2]) == pytest.approx(2 / 3)


def test_texts_in_no_area_are_apart_from_each_other() -> None:
    """They are singletons, no remainder that agrees with a remainder."""
    texts = {0: 4, 1: 4}

    assert agreement(texts, [OUTSIDE, OUTSIDE], [1, 1]) == pytest.approx(2 / 3)
    assert agreement(texts, [OUTSIDE, OUTSIDE], [OUTSIDE, OUTSIDE]) == 1.0
    assert agreement(texts, [OUTSIDE, OUTSIDE], [1, 2]) == 1.0


def test_coverage_counts_characters() -> None:
    """A long text weighs more than a short one."""
    assert covered({0: 9, 1: 1}, [OUTSIDE, 3]) == 0.1


def test_only_visible_texts_count() -> None:
    """What is not rendered is in no partition."""
    known = page_of("<title>unseen</title><body><p>ab  c</p><p></p>")
    snapshot = StackRenderer().render(known, MemorySource({}))

    assert visible_texts(snapshot) == {known.texts.index("ab  c"): 4}


def test_a_sample_can_be_drawn_again() -> None:
    """By its seed, in the order of the pages, and never more than there are."""
    assert drawn_hits(100, 5, random.Random(3)) == drawn_hits(100, 5, random.Random(3))
    assert drawn_hits(100, 5, random.Random(3)) != drawn_hits(100, 5, random.Random(4))
    assert drawn_hits(4, 30, random.Random(3)) == [0, 1, 2, 3]


def test_pages_of_one_shape_are_as_good_as_rendered() -> None:
    """Fidelity is 1, all areas are found, and all text is in them."""
    row, scores = measure_hits("a", site(3, 3, 3), plan_of(), StackRenderer(), StackRenderer())

    assert replace(row, cost=NOTHING) == FidelityRow(
        site="a",
        pages=3,
        failed=0,
        stencils=1,
        hit_ratio=2 / 3,
        judged=2,
        located=1.0,
        covered=1.0,
        fidelity=1.0,
        bad=0.0,
        chance=1.0,
        own=1.0,
        cost=NOTHING,
    )
    assert [replace(score, areas=()) for score in scores] == [
        HitScore("http://a.example/1", 1.0, 1.0, 1.0, 1.0),
        HitScore("http://a.example/2", 1.0, 1.0, 1.0, 1.0),
    ]


def test_a_hit_whose_areas_are_not_found_is_a_bad_one() -> None:
    """Each text is then on its own: precision 1, recall a half; the page's own stencil is exact."""
    _, (score,) = measure_hits("a", site(3, 4), plan_of(), StackRenderer(), StackRenderer())

    assert score == HitScore(
        url="http://a.example/1",
        fidelity=pytest.approx(2 / 3),
        covered=0.0,
        own=1.0,
        chance=pytest.approx(2 / 3),
    )


def test_the_first_pages_and_a_sample_of_hits_are_taken() -> None:
    """A large site can be measured in part."""
    row, scores = measure_hits("a", site(*[2] * 9), plan_of(3, 6), StackRenderer(), StackRenderer())

    assert (row.pages, row.stencils, row.judged, len(scores)) == (6, 1, 3, 3)


def test_pages_can_be_taken_from_all_over_a_site() -> None:
    """Here the first, the fourth and the seventh."""
    renderer = StackRenderer()
    plan = replace(plan_of(), every=3)
    row, scores = measure_hits("a", site(*[2] * 9), plan, renderer, StackRenderer())

    assert row.pages == 3
    assert renderer.rendered[0] == "http://a.example/0"
    assert [score.url for score in scores] == ["http://a.example/3", "http://a.example/6"]


def test_costs_are_ratios_to_a_parse_and_to_a_rendering() -> None:
    """A hit parses the page and more, hence the one; without renderings there is no other."""
    row, _ = measure_hits("a", site(2, 2), plan_of(), StackRenderer(), StackRenderer())
    broken = Failing()
    broken.rendered.append("")
    without, _ = measure_hits("a", site(2, 2), plan_of(), StackRenderer(), broken)

    assert row.cost.parses is not None
    assert row.cost.renderings is not None
    assert without.cost.renderings is None


def test_hits_that_cannot_be_rendered_are_not_judged() -> None:
    """They count as hits, and the number of judged ones tells."""
    row, scores = measure_hits("a", site(2, 2), plan_of(), Failing(), StackRenderer())

    assert (row.hit_ratio, row.judged, row.fidelity, scores) == (0.5, 0, None, ())


def test_pages_without_text_are_hits_and_no_more() -> None:
    """Stubs that lead elsewhere have no areas: none to be found, and none to be judged."""
    source = MemorySource({f"http://a.example/{name}": b"<body><p></p>" for name in "ab"})
    row, scores = measure_hits("a", source, plan_of(), StackRenderer(), StackRenderer())

    assert (row.hit_ratio, row.located, row.judged, scores) == (0.5, None, 0, ())


def test_a_site_without_pages_has_no_figures() -> None:
    """Nothing divides by nothing."""
    row, scores = measure_hits("a", site(), plan_of(), StackRenderer(), StackRenderer())

    assert (row.pages, row.hit_ratio, row.fidelity, row.cost, scores) == (
        0,
        None,
        None,
        NOTHING,
        (),
    )


def test_the_mean_leaves_out_what_is_not_known() -> None:
    """A site without hits has a hit ratio, but no fidelity."""
    good = FidelityRow("a", 4, 0, 1, 0.75, 3, 1.0, 1.0, 0.9, 0.0, 0.5, 1.0, FidelityCost(4.0, 0.01))
    none = FidelityRow("b", 2, 0, 2, 0.25, 0, None, None, None, None, None, None, NOTHING)
    expected = FidelityRow(
        "mean", 3, 0, 1.5, 0.5, 1.5, 1.0, 1.0, 0.9, 0.0, 0.5, 1.0, FidelityCost(4.0, 0.01)
    )

    assert mean_row([good, none]) == expected
    assert show_hits("", [good, none], []).values["mean"] == asdict(expected)


@pytest.mark.browser
def test_the_command_measures_folders(tmp_path: Path) -> None:
    """It prints a table or all scores as JSON, and renders each page once for both."""
    folder = tmp_path / "site"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.html").write_bytes(page(3))
    words = ["evaluate", "fidelity", str(folder), "--cache", str(tmp_path), "--mode", "paper"]
    words += ["--sample", "1"]
    table = CliRunner().invoke(main, words)
    written = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)

    (row,) = written["rows"]
    assert (row["site"], row["stencils"], row["fidelity"], row["own"]) == ("site", 1, 1.0, 1.0)
    assert len(written["hits"]) == 1
    assert table.stdout.splitlines()[2].split()[:5] == ["site", "3", "0", "1", "0.667"]
    assert len(list((tmp_path / "snapshots").iterdir())) == 2
