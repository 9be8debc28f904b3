"""Zhao et al.: Navigation Objects Extraction for Better Content Structure Understanding."""

import json
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from builders import page_of
from click.testing import CliRunner

from research.training import navigation as trained
from research.training.navigation import LinkCase
from webstencil.cli.main import main
from webstencil.evaluate import navigation
from webstencil.evaluate.navigation import (
    BlockScore,
    ClusterScore,
    MarkedBlock,
    MarkedPage,
    is_navigation,
)
from webstencil.evaluate.scores import adjusted_information
from webstencil.markup import tag
from webstencil.navigation.classify import shipped_text
from webstencil.navigation.features import SIGMA, paper_features, smooth
from webstencil.navigation.links import PaperRule, gap_threshold, link_gaps, page_hyperlinks, starts
from webstencil.paper.navigation import published_blocks
from webstencil.site.templates import adjusted_rand

FIGURE_4 = (  # elements in the order of their indices, links at 6, 8 and 12
    "<body><div><p></p><p></p><p><a href=a>a</a></p><p><a href=b>b</a></p></div>"
    "<p></p><p></p><div><a href=c>c</a></div>"
)


def test_section_1_menus_and_lists_are_navigation() -> None:
    """Of four kinds of blocks two; links in content and others are not."""
    kinds = ("Menu", "LinkList", "Article", "Ad")

    assert [is_navigation(MarkedBlock(0, kind)) for kind in kinds] == [True, True, False, False]
    assert not is_navigation(None)


def test_equation_1_distance_is_the_difference_of_indices() -> None:
    """Depth first, every element counts."""
    links = page_hyperlinks(page_of("<body><a href=a>a</a><p><b></b><a href=b>b</a></p>"))

    (distance,) = link_gaps(links.places)

    assert distance == 3


def test_equation_2_and_figure_4_the_gap_is_4() -> None:
    """Nodes 2 and 11 with the links 6, 8 and 12: they are joined at a threshold of 4, not of 3."""
    links = page_hyperlinks(page_of(FIGURE_4))
    body = links.places[0] - 5  # the root of the figure, node 1

    assert [place - body + 1 for place in links.places] == [6, 8, 12]
    assert link_gaps(links.places) == [2, 4]
    assert starts(links, 4) == [True, False, False]
    assert starts(links, 3) == [True, False, True]


def test_section_3_1_siblings_keep_their_order() -> None:
    """Figure 3: a block is below one element, and its links are in the order of the source."""
    page = page_of("<body><div><p>text</p><img src=i></div><ul><li><a href=1>1</a><a href=2>2</a>")
    links = page_hyperlinks(page)

    assert page.tree.tags[page.tree.tags.index("body") :][:3] == ("body", "div", "p")
    assert links.all_texts() == ["1", "2"]
    assert tag(links.around(0, 1)) == "li"


def test_section_3_5_1_gaps_of_blocks_are_distances_of_neighbours() -> None:
    """S_b = S_h: the gap of any two adjacent runs of links is that of the links between them."""
    places = page_hyperlinks(page_of(FIGURE_4 + "<p><a href=d>d</a><b></b><a href=e>e</a>")).places

    runs = combinations(range(len(places) + 1), 3)  # two adjacent runs have three ends
    found = {
        min(abs(one - other) for one in places[a:b] for other in places[b:c]) for a, b, c in runs
    }

    assert found == set(link_gaps(places))


def test_section_5_3_hyperlinks_are_a_with_a_url() -> None:
    """The paper takes every `a`; one without URL leads nowhere."""
    assert len(page_hyperlinks(page_of("<body><a name=x>x</a><a href=y>y</a>"))) == 1


def test_section_5_3_1_baselines_use_the_same_threshold() -> None:
    """On a line, DBSCAN with a core of one is single linkage; K-Means is told K."""
    pytest.importorskip("sklearn")
    menu = "".join(f"<li><a href={n}>{n}</a>" for n in range(4))
    page = page_of(f"<body><ul id=a>{menu}</ul>{'<p></p>' * 9}<ul id=b>{menu}</ul>")
    tags = page.tree.tags
    lists = [MarkedBlock(node, "Menu") for node, tag in enumerate(tags) if tag == "ul"]
    marked = MarkedPage("a", page, page_hyperlinks(page), tuple(lists[n // 4] for n in range(8)))

    scores = navigation.score_clusterings([marked], trained.all_clusterings())

    wanted = {"single linkage", "DBSCAN", "K-Means, true K", "CHD", "CHD-HD"}
    assert {one.method: (one.ari, one.blocks) for one in scores if one.method in wanted} == {
        name: (pytest.approx(1.0), 2) for name in wanted
    }


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
    named, plain = (f"{body}<{tag} name=n>{'w ' * 30}</{tag}>" for tag in ("a", "b"))
    assert rule.blocks(page_of(named)) == rule.blocks(page_of(plain))
    linked = f"{body}<a href=n>{'w ' * 30}</a>"
    assert rule.blocks(page_of(linked))[:2] != rule.blocks(page_of(plain))[:2]


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
    menu = "<ul>" + "".join(f"<li><a href=/{n}>Item {n}</a></li>" for n in range(12)) + "</ul>"
    html = f"<body>{menu}<div><p>{'word ' * 40}<a href=x>a link in a text</a></p></div>"
    page, rule = page_of(html), PaperRule(gamma=1.0)

    found = published_blocks(page, rule)

    assert [block.links for block in found] == [len(block) for block in rule.blocks(page)]
    (tmp_path / "page.html").write_text(html)
    told = CliRunner().invoke(main, ["papers", "links", str(tmp_path / "page.html"), "--json"])
    assert [block["links"] for block in json.loads(told.output)] == [it.links for it in found]
    assert [block["navigation"] for block in json.loads(told.output)] == [True, False]


def test_section_5_3_2_the_machine_has_the_published_parameters() -> None:
    """RBF kernel, C = 1 and gamma = 0.1 over features of mean 0 and deviation 1."""
    pytest.importorskip("sklearn")
    rows = [(1.0, 30.0, 9.0), (2.0, 25.0, 8.0), (9.0, 6.0, 1.0), (12.0, 7.0, 2.0)]

    made = json.loads(trained.fit_svm(rows, [False, False, True, True], [1.0] * 4, gamma=0.1))

    assert (made["model"], made["gamma"], trained.PAPER_GAMMA) == ("svm", 0.1, 0.1)
    assert max(map(abs, made["weights"])) <= 1.0  # C bounds them
    assert made["mean"] == pytest.approx([6.0, 17.0, 5.0])
    assert json.loads(shipped_text("paper"))["gamma"] == 0.1


def test_section_5_2_metrics() -> None:
    """ARI and AMI are 1 for the same partition, whatever the names."""
    assert adjusted_rand([1, 1, 2, 2], [5, 5, 4, 4]) == pytest.approx(1.0)
    assert adjusted_information([1, 1, 2, 2], [5, 5, 4, 4]) == pytest.approx(1.0)


def test_tables_1_and_2_have_all_published_methods() -> None:
    """Agglomeration by single linkage, DBSCAN, K-Means, spectral clustering, CHD, CHD-HD; means."""
    pages = [BlockScore("CHD", "a", 0.5, 0.25, 3), BlockScore("CHD", "b", 1.0, 0.75, 5)]
    assert navigation.mean_clusterings(pages) == [ClusterScore("CHD", 2, 0.75, 0.5, 4.0)]
    assert set(trained.all_clusterings()) >= {
        *("single linkage", "DBSCAN", "K-Means, true K", "spectral, true K"),
        *("CHD", "CHD-HD", "CHD, set of distances", "CHD-HD, set of distances"),
    }


def test_tables_3_and_4_train_on_half_of_the_pages() -> None:
    """With clustering by CHD and by CHD-HD; every block teaches once, also an unclear one."""
    pytest.importorskip("sklearn")
    taught = {system.name: system for system in trained.systems()}["paper, CHD-HD"]
    menu = LinkCase(0, (9.0, 5.0, 1.0), (True,) * 9, clear=True, label=True)
    unclear = LinkCase(1, (1.0, 30.0, 0.0), (False,), clear=False, label=False)

    made = json.loads(trained.train_system([menu, unclear], taught))

    assert len(made["vectors"]) == 2
    assert taught.published
    assert {"paper, CHD", "paper, CHD-HD"} <= {system.name for system in trained.systems()}
    pairs = [(True, True), (True, False), (False, True), (True, True)]
    assert navigation.precision_recall(pairs) == pytest.approx((2 / 3, 2 / 3, 2 / 3))


def test_figures_5_and_6_are_cumulative() -> None:
    """The share of pages below each score."""
    one = BlockScore("CHD", "a", 0.2, 0.3, 1)

    (line,) = navigation.cumulative([one, replace(one, page="b", ari=0.8)], "ari")

    assert dict(line.points)[0.5] == 0.5
    assert dict(line.points)[1.0] == 1.0


def test_figure_7_starts_at_one_percent() -> None:
    """Steps of 1 % up to 10 %, then of 10 %."""
    assert tuple(trained.SHARES) == (*range(1, 10), *range(10, 101, 10))
