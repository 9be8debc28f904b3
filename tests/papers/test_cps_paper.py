"""Zeleny, Burget: Accelerating the process of web page segmentation via template clustering."""

from dataclasses import replace
from pathlib import Path

import pytest
from builders import element, leaf_texts, page_of, paint, stencil_of, text

from research.papers.crawl import (
    PAPER_ROWS,
    MethodRow,
    Watches,
    growth_steps,
    interesting,
    make_row,
    published_figures,
)
from research.papers.crawl_order import Crawled
from webstencil.errors import SegmentError
from webstencil.geometry import Rect
from webstencil.items.headlines import mark
from webstencil.jobs.job import Pipeline
from webstencil.model import TEXT, Area, Located, Mode, Page, Snapshot, Status
from webstencil.paper import descriptors
from webstencil.paper.locate import guide, locate
from webstencil.paper.match import distance, first, nearest
from webstencil.paper.stencils import represent
from webstencil.segment import PUBLISHED
from webstencil.segment.bcs import PAPER_BCS as BCS_PAPER
from webstencil.segment.burget import PAPER_BURGET as BURGET_PAPER
from webstencil.segment.burget.grouping import make_grid
from webstencil.settings import Settings
from webstencil.site.lay import describe_own
from webstencil.store import open_store
from webstencil.testing import MemorySource, StackRenderer
from webstencil.urls import site_of

PAGE = page_of("<body><h1 id=top>Title</h1><div><p>one</p><p>two</p></div>")
TAGS = PAGE.tree.tags


def rendered(page: Page) -> Snapshot:
    """Render a page without a browser."""
    return StackRenderer().render(page, MemorySource({}))


def test_figure_1_areas_follow_the_rendering_not_the_source() -> None:
    """What CSS moves is where the reader sees it."""
    places = {"below": (0, 400), "above": (0, 0), "right": (600, 0)}
    snapshot = paint(
        *(
            element(text(name, at=(left, top, left + 300, top + 20)))
            for name, (left, top) in places.items()
        )
    )

    areas = PUBLISHED["vips"].segment(snapshot)

    assert leaf_texts(snapshot, areas) == [("above",), ("below",), ("right",)]


def test_section_4_1_burget_puts_areas_on_a_grid() -> None:
    """Position is the cell of the top-left corner, size is in rows and columns, not px."""
    head, left, right = Rect(0, 0, 900, 50), Rect(0, 90, 400, 700), Rect(500, 90, 900, 300)

    grid = make_grid([head, left, right])

    found = [(span.column, span.row, span.width, span.height) for span in grid.spans]
    assert found == [(0, 0, 3, 1), (0, 2, 1, 2), (2, 2, 1, 1)]


def test_section_4_1_burget_leaves_have_boxes_and_styles() -> None:
    """A leaf tells its texts and images, and how they look."""
    snapshot = paint(
        element(text("A headline", at=(0, 0, 500, 40)), font_size=32.0, font_weight=700),
        element(text("Some words of a text below it", at=(0, 200, 500, 220))),
    )

    areas = BURGET_PAPER.segment(snapshot)

    said = [dict(area.attributes) for area in areas if ("texts", 1.0) in area.attributes]
    assert [(one["font_size"], one["font_weight"]) for one in said] == [
        (32.0, 700.0),
        (16.0, 400.0),
    ]


def test_section_4_2_box_clustering_is_flat_and_drops_single_boxes() -> None:
    """Only clusters remain; a box without a cluster is in no area."""
    lists = [
        element(
            *(
                element(text(f"{left} {n}", at=(left, 24 * n, left + 80, 24 * n + 16)))
                for n in range(3)
            )
        )
        for left in (100, 400)
    ]
    alone = element(text("alone", at=(700, 900, 760, 990)), color="rgb(255, 0, 0)")
    snapshot = paint(*lists, alone)

    areas = BCS_PAPER.segment(snapshot)

    clusters = leaf_texts(snapshot, areas)
    assert clusters == [tuple(f"{left} {n}" for n in range(3)) for left in (100, 400)]
    assert all(area.parent < 0 for area in areas)


def test_definition_1_a_representative_is_tree_areas_and_mapping() -> None:
    """C = (D, V, M): the stencil keeps all three."""
    snapshot = rendered(PAGE)
    areas = (Area(snapshot.rect, ()), Area(snapshot.rect, (TAGS.index("h1"),), 0))

    kept = represent(PAGE, snapshot, areas, "maker")

    assert (kept.tree, kept.areas) == (PAGE.tree, areas)


def test_definitions_2_to_5_the_tree_is_pruned_and_ordered() -> None:
    """Elements and texts in the order of the source; of the attributes the id counts."""
    page = page_of("<body><p title=x id=a>one<!-- c --></p>\n<script>1</script><p>two")

    kept = [(tag, name) for tag, name in zip(page.tree.tags, page.tree.ids, strict=True)]

    below = kept[kept.index(("body", "")) + 1 :]
    assert below == [("p", "a"), (TEXT, ""), ("p", ""), (TEXT, "")]


def test_definition_6_paths_are_a_set_without_texts() -> None:
    """The same path twice counts once, and text is no part of a path."""
    one = page_of("<body><ul><li>a</ul>")
    three = page_of("<body><ul><li>a<li>b<li>c and more</ul>")

    assert one.paths == three.paths


def test_definitions_7_and_8_areas_are_a_tree() -> None:
    """An area has attributes, areas in it, and nodes; the first one is the root."""
    for segmenter in (PUBLISHED["vips"], PUBLISHED["burget"]):
        areas = segmenter.segment(rendered(PAGE))

        assert [area.parent for area in areas].count(-1) == 1
        assert all(area.attributes for area in areas)
        assert {node for area in areas for node in area.nodes}


def test_definition_9_a_node_is_in_the_innermost_area_only() -> None:
    """M is refused if a node is in an area and in one of its children."""
    snapshot = rendered(PAGE)
    h1 = TAGS.index("h1")

    with pytest.raises(SegmentError):
        represent(PAGE, snapshot, (Area(snapshot.rect, (h1,)), Area(snapshot.rect, (h1,), 0)), "m")


def test_definition_10_an_area_contains_its_nodes() -> None:
    """D is refused if the area does not visually contain the node."""
    with pytest.raises(SegmentError):
        represent(PAGE, rendered(PAGE), (Area(Rect(0, 0, 1, 1), (TAGS.index("p"),)),), "m")


def test_definition_11_a_node_at_3_of_5() -> None:
    """A distinguished path has positions and counts; 3/5 is found at 3/5 and nowhere else."""
    five = page_of("<body><p>a<p>b<p>c<p>d<p>e")
    third = [node for node, tag in enumerate(five.tree.tags) if tag == "p"][2]
    (path,) = descriptors.full(five.tree, [third])

    assert (path.steps[-1].position + 1, path.steps[-1].count) == (3, 5)
    (found,) = locate(guide(stencil_of(five, [(third,)])), page_of("<body><p>1<p>2<p>3<p>4<p>5"))
    (lost,) = locate(guide(stencil_of(five, [(third,)])), page_of("<body><p>1<p>2<p>3<p>4"))
    assert isinstance(found, Located)
    assert not isinstance(lost, Located)


def test_algorithm_1_segments_only_what_matches_no_cluster(tmp_path: Path) -> None:
    """Pages of one template are rendered once, another template once more."""
    bodies = {f"http://a.example/{n}": f"<body><h1>{n}</h1><p>t {n}".encode() for n in range(4)}
    bodies["http://a.example/x"] = b"<body><table><tr><td>other<td>page</table>"
    renderer = StackRenderer()

    with open_store(tmp_path / "cps.db") as store:
        settings = Settings(mode=Mode.PAPER)
        results = list(Pipeline(store, renderer, settings).run(MemorySource(bodies)))

    assert len(renderer.rendered) == 2
    assert [result.status for result in results].count(Status.HIT) == 3


def test_section_7_representatives_are_kept_for_the_next_inspection(tmp_path: Path) -> None:
    """A site that was inspected is not segmented again: its clusters come from the store."""
    first = {"http://a.example/1": b"<body><h1>1</h1><p>t 1"}
    later = {f"http://a.example/{n}": f"<body><h1>{n}</h1><p>t {n}".encode() for n in range(2, 5)}
    renderer = StackRenderer()

    for bodies in (first, later):
        with open_store(tmp_path / "cps.db") as store:
            settings = Settings(mode=Mode.PAPER)
            results = list(Pipeline(store, renderer, settings).run(MemorySource(bodies)))

    assert len(renderer.rendered) == 1
    assert {result.status for result in results} == {Status.HIT}


def test_algorithm_1_takes_the_first_match_if_asked() -> None:
    """As printed, the first representative near enough wins; by default the nearest does."""
    page = page_of("<body><p>a</p><b>c</b><i>e</i>")
    near = stencil_of(page_of("<body><p>a</p><b>c</b><i>e</i>"), key="near")
    far = stencil_of(page_of("<body><p>a</p><b>c</b><u>e</u>"), key="far")

    taken = first(page, [far, near], 0.5)
    best = nearest(page, [far, near])

    assert taken is not None
    assert best is not None
    assert (taken.stencil.key, best.stencil.key) == ("far", "near")
    assert first(page, [far], 0.1) is None


def test_section_6_common_paths_distance() -> None:
    """1 minus the common paths over the larger set; an id is part of a path."""
    assert distance(frozenset({1, 2, 3}), frozenset({2, 3, 4, 5})) == 0.5
    assert page_of("<body><p id=a>x").paths != page_of("<body><p id=b>x").paths


def test_algorithm_2_stops_where_a_count_differs() -> None:
    """Also if the difference is high up: the result would be wrong anyway."""
    p = TAGS.index("p")
    (descriptor,) = descriptors.full(PAGE.tree, [p])
    more = page_of("<body><h1 id=top>T</h1><div><p>one</p><p>two</p></div><div>more</div>")

    assert str(descriptors.find(descriptor, more.markup.root)) == "count"


def test_algorithm_3_appends_from_the_root() -> None:
    """As printed it would reverse the path; it leads from the root downwards."""
    (path,) = descriptors.full(PAGE.tree, [TAGS.index("p")])

    assert [step.tag for step in path.steps] == ["body", "div", "p"]


def test_section_7_headlines_and_bodies() -> None:
    """Headlines by font size with VIPS and Burget, bodies by size with Box Clustering."""
    rows = [f"{'Words of a long text. ' * 4}{n}" for n in range(12)]
    snapshot = paint(
        element(text("The headline of it all", at=(0, 0, 600, 40)), font_size=32.0),
        element(
            *(
                element(text(row, at=(0, 60 + 20 * n, 600, 76 + 20 * n)))
                for n, row in enumerate(rows)
            ),
            font_size=14.0,
        ),
        element(*(element(text(f"m{n}", at=(800, 20 * n, 840, 20 * n + 16))) for n in range(3))),
    )
    page = page_of("<body>" + "<p>x" * 60)

    def found(name: str) -> list[float]:
        areas = mark(snapshot, PUBLISHED[name].segment(snapshot))
        kind = "body" if name == "bcs" else "headline"
        return [value for area in areas for said, value in area.attributes if said == kind]

    assert interesting("vips", describe_own(page, ())) == []
    assert found("vips") == [pytest.approx(2.2, abs=0.2)]
    assert found("burget") == [pytest.approx(2.2, abs=0.2)]
    assert len(found("bcs")) == 1


def test_section_7_pages_are_crawled_breadth_first() -> None:
    """First the links of the start page, then theirs; another site is only kept for later."""
    links = {"": ("a", "b"), "a": ("c",), "b": (), "c": ()}
    pages = {
        f"http://s.example/{name}": "".join(f"<a href=/{to}>x</a>" for to in own).encode()
        for name, own in reversed(links.items())
    }

    order = [raw.url[-1] for raw in Crawled(MemorySource(pages)).pages()]

    assert order == ["/", "a", "b", "c"]
    assert site_of("http://news.a.com/") == site_of("http://www.a.com/x")
    assert site_of("http://a.com/") != site_of("http://b.com/")


ROW = MethodRow("a", "vips", 8, 3, 0, 4.0, 2.0, 2.0, 2.0, 0.5, 6, (1, 1, 2, 2, 2, 2, 3, 3))


def test_table_1_hit_ratio_is_one_minus_clusters_over_pages() -> None:
    """And the rise of clusters when the pages double."""
    assert ROW.hit_ratio == pytest.approx(1 - 3 / 8)
    assert ROW.doubled == pytest.approx(0.5)


def test_tables_2_to_4_leave_rendering_out() -> None:
    """Plain is segmenting and retrieving, CPS also matching and mapping; shown beside ours."""
    watches = Watches()
    watches.rendering.seconds, watches.rendering.times = 10.0, 2
    watches.segmenting.seconds, watches.segmenting.times = 4.0, 2
    watches.retrieving.seconds = 0.5
    watches.stencils.seconds = 9.0

    row = make_row(("a", "vips"), [Status.LEARNED, Status.HIT], watches, 1.5, 3)

    assert (row.published_plain, row.published_cps, row.published_saved) == (4.0, 2.0, 0.5)
    assert (row.plain, row.cps) == (14.0, 9.0)
    told = [line for line in published_figures() if line.startswith("| ")]
    assert len(told) == 7
    assert "| iDnes.cz | 42 | 91.6% | 1158 s, 145 s, 87.5% |" in told[1]
    for _, clusters, hits, times in PAPER_ROWS:
        assert hits == pytest.approx(100 * (1 - clusters / 500), abs=0.01)
        assert all(
            saved == pytest.approx(100 * (1 - cps / plain), abs=0.6) for plain, cps, saved in times
        )


def test_figure_3_is_written_as_steps() -> None:
    """The page at which each cluster was new."""
    assert ROW.steps == ((1, 1), (3, 2), (7, 3))
    both = [ROW, replace(ROW, method="bcs"), replace(ROW, site="b", growth=(1, 1, 1))]
    lines = [line for line in growth_steps(both) if line.startswith("- ")]
    assert lines == ["- a, vips, bcs: 1 after 1, 2 after 3, 3 after 7", "- b, vips: 1 after 1"]


def test_section_7_paper_mode_uses_segmenters_as_published() -> None:
    """Without the steps that were added to them."""
    assert Settings(mode=Mode.PAPER).segmenter == PUBLISHED["vips"]
    for segmenter in PUBLISHED.values():
        assert (segmenter.flow, segmenter.even) == (False, False)  # type: ignore[attr-defined]


def test_section_6_an_area_with_some_of_its_nodes_is_found_in_part() -> None:
    """It is told, with its share, and not dropped."""
    learned = page_of("<body><p>a<p>b<div><i>x</i></div>")
    nodes = [node for node, tag in enumerate(learned.tree.tags) if tag in {"p", "i"}]
    other = page_of("<body><p>a<p>b<div><u>x</u></div>")

    (answer,) = locate(guide(stencil_of(learned, [tuple(nodes)])), other)

    assert isinstance(answer, Located)
    assert answer.confidence == pytest.approx(2 / 3)
    assert str(answer.missed) == "tag"
