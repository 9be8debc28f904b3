"""Zhao et al.: Navigation Objects Extraction for Better Content Structure Understanding."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from builders import page_of
from click.testing import CliRunner

from webstencil.cli.main import main
from webstencil.evaluate.navigation import classes, link_blocks
from webstencil.evaluate.navigation.link_blocks import BlockScore
from webstencil.evaluate.partitions import adjusted_information
from webstencil.navigation.chd import PaperRule, gap_threshold, gaps
from webstencil.navigation.features import SIGMA, paper_features, smooth
from webstencil.navigation.links import links_of
from webstencil.navigation.published import published_blocks
from webstencil.site.stability import adjusted_rand


def test_equation_1_distance_is_the_difference_of_indices() -> None:
    """Depth first, every element counts."""
    links = links_of(page_of("<body><a href=a>a</a><p><b></b><a href=b>b</a></p>"))

    (distance,) = gaps(links.places)

    assert distance == 3


def test_equation_2_and_figure_4_the_gap_is_4() -> None:
    """Blocks {6, 8} and {12}: the gap is the least distance, min{4, 6}."""
    first, second = (6, 8), (12,)

    least = min(abs(one - other) for one in first for other in second)

    assert least == second[0] - first[-1] == 4
    assert gaps((*first, *second))[-1] == least


def test_equation_3_density_is_the_share_of_words_in_links() -> None:
    """Text between two links parts them if the block has fewer words in links than the page."""
    near = "<p><a href=a>a a</a> <a href=b>b b</a></p><p></p><a href=c>c c</a> <a href=d>d d</a>"
    far = near.replace("</a> <a href=b>", f"</a> {'word ' * 8}<a href=b>")

    blocks = [
        [len(it) for it in PaperRule(gamma=1.0).blocks(page_of(html))] for html in (near, far)
    ]

    assert blocks == [[2, 2], [1, 1, 2]]


def test_equation_4_the_threshold_balances_gaps_and_blocks() -> None:
    """The i-th distance with the least DL_i / DL_1 + i / n, 0 among them."""
    ordered = [9, 3, 2, 2, 2, 2, 0]
    costs = [value / 9 + place / 7 for place, value in enumerate(ordered, 1)]

    assert gap_threshold(ordered[:-1]) == ordered[costs.index(min(costs))] == 3
    assert gap_threshold([2, 2, 2, 3, 4]) == 2
    assert gap_threshold({2, 3, 4}) == 0  # a set, as printed


def test_equation_5_the_density_of_the_page_is_that_of_its_body() -> None:
    """Neither TITLE nor an anchor without URL changes it."""
    body = "<p><a href=a>a a</a> " + "word " * 8 + "<a href=b>b b</a></p>"
    body += "<p></p><a href=c>c c</a> <a href=d>d d</a>"
    rule = PaperRule(gamma=1.0)

    assert rule.blocks(page_of(f"<title>{'w ' * 30}</title>{body}")) == rule.blocks(page_of(body))


def test_algorithm_1_merges_neighbours_with_one_parent() -> None:
    """Bottom up; every link is in one block, in document order."""
    menu = "<ul>" + "".join(f"<li><a href={n}>{n}</a></li>" for n in range(4)) + "</ul>"
    page = page_of(f"<body>{menu}<div><p><i></i><i></i><i></i></p></div>{menu}")

    blocks = PaperRule().blocks(page)

    assert [len(block) for block in blocks] == [4, 4]
    assert all(one.stop == other.start for one, other in pairwise(blocks))


def test_section_4_1_features_are_number_mean_and_variance() -> None:
    """Of lengths smoothed by a Gaussian with sigma 2."""
    assert SIGMA == 2.0
    assert smooth([5.0] * 9) == pytest.approx([5.0] * 9)
    (row,) = paper_features([4.0, 4.0, 4.0], [range(3)])
    assert row == pytest.approx((3.0, 4.0, 0.0))


def test_section_4_2_blocks_of_one_page_are_classified_by_the_machine(tmp_path: Path) -> None:
    """The blocks are those of CHD-HD, not of another rule; by command, too."""
    menu = "<ul>" + "".join(f"<li><a href=/{n}>Item {n}</a></li>" for n in range(6)) + "</ul>"
    html = f"<body>{menu}<div><p>{'word ' * 40}<a href=x>a link in a text</a></p></div>"
    page, rule = page_of(html), PaperRule(gamma=1.0)

    found = published_blocks(page, rule)

    assert [block.links for block in found] == [len(block) for block in rule.blocks(page)]
    (tmp_path / "page.html").write_text(html)
    told = CliRunner().invoke(main, ["papers", "links", str(tmp_path / "page.html"), "--json"])
    assert [block["links"] for block in json.loads(told.output)] == [it.links for it in found]


def test_section_5_2_metrics() -> None:
    """ARI and AMI are 1 for the same partition, whatever the names."""
    assert adjusted_rand([1, 1, 2, 2], [5, 5, 4, 4]) == pytest.approx(1.0)
    assert adjusted_information([1, 1, 2, 2], [5, 5, 4, 4]) == pytest.approx(1.0)


def test_tables_1_and_2_have_all_published_methods() -> None:
    """Agglomeration by single linkage, DBSCAN, K-Means, spectral clustering, CHD, CHD-HD."""
    assert set(link_blocks.methods()) >= {
        *("single linkage", "DBSCAN", "K-Means, true K", "spectral, true K"),
        *("CHD", "CHD-HD", "CHD, set of distances", "CHD-HD, set of distances"),
    }


def test_tables_3_and_4_train_on_half_of_the_pages() -> None:
    """With clustering by CHD and by CHD-HD; precision, recall and F1 of links."""
    assert {"paper, CHD", "paper, CHD-HD"} <= {system.name for system in classes.systems()}
    pairs = [(True, True), (True, False), (False, True), (True, True)]
    assert classes.shares(pairs) == pytest.approx((2 / 3, 2 / 3, 2 / 3))


def test_figures_5_and_6_are_cumulative() -> None:
    """The share of pages below each score."""
    one = BlockScore("CHD", "a", 0.2, 0.3, 1)

    (line,) = link_blocks.cumulative([one, replace(one, page="b", ari=0.8)], "ari")

    assert dict(line.points)[0.5] == 0.5
    assert dict(line.points)[1.0] == 1.0


def test_figure_7_starts_at_one_percent() -> None:
    """Steps of 1 % up to 10 %, then of 10 %."""
    assert tuple(classes.SHARES) == (*range(1, 10), *range(10, 101, 10))
