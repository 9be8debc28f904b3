"""Table I of the mapping paper: what is counted, what is verified, what is printed."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from builders import page_of
from click.testing import CliRunner

from research.papers import mapping
from research.papers.mapping import (
    FARTHEST,
    MappingRow,
    Search,
    hits,
    measure_mapping,
    prepare,
    sample,
    search_page,
    sum_up_searches,
)
from webstencil.cli.main import main
from webstencil.model import MissReason, Mode, Page
from webstencil.paper.descriptors import LADDER, STRICTEST, Checks, subtree_paths
from webstencil.paper.match import distance
from webstencil.segment import VIPS
from webstencil.settings import Settings
from webstencil.testing import MemorySource, StackRenderer

STORY = "<body><h1>{0}</h1><div id=main><p>{0}</p><ul><li>a<li>b</ul></div><footer>{0}</footer>"


def story(words: str) -> bytes:
    return STORY.format(words).encode()


SITE = MemorySource(
    {
        "http://site.example/1": story("One"),
        "http://site.example/2": story("Two"),
        "http://site.example/3": story("Three").replace(b"<h1>", b"<h1 class=new>"),
        "http://site.example/4": story("Four").replace(b"<div", b"<b>new</b><div"),
        "http://site.example/empty": b"",
    }
)


def timeless(row: MappingRow) -> MappingRow:
    """Forget what the clock said."""
    hunts = tuple(replace(hunt, time=0.0) for hunt in row.hunts)
    return replace(row, start_time=0.0, path_time=0.0, together_time=None, hunts=hunts)


def test_every_node_of_every_area_is_mapped_on_every_page_that_hits() -> None:
    """One page is learned and one cannot be read; the other three hit."""
    found = list(hits(SITE, StackRenderer(), Settings(VIPS(), Mode.PAPER)))
    nodes = sum(len(area.nodes) for _, stencil in found for area in stencil.areas)
    full, compact = measure_mapping("site", SITE, StackRenderer(), Settings(VIPS(), Mode.PAPER))

    assert [raw.url[-1] for raw, _ in found] == ["2", "3", "4"]
    assert nodes > 0
    assert (full.stencils, full.pages, full.mappings) == (1, 3, nodes)
    assert (compact.stencils, compact.pages, compact.mappings) == (1, 3, nodes)


def test_all_mappings_on_pages_of_the_same_structure_are_strict_and_verified() -> None:
    """The paper's finding: the strictest checks refuse nothing where the template is kept."""
    same = MemorySource({f"http://site.example/{n}": story(f"Story {n}") for n in range(4)})
    for row in measure_mapping("site", same, StackRenderer(), Settings(VIPS(), Mode.PAPER)):
        assert row.strict == row.strict_verified == row.mappings > 0
        assert (row.fallen, row.lost) == (0, 0)
        assert dict(row.passed)[str(STRICTEST)] == row.nodes
        assert {number for _, number in row.misses} == {0}


def test_counters_do_not_depend_on_the_run() -> None:
    """Only the times do."""
    first = measure_mapping("site", SITE, StackRenderer(), Settings(VIPS(), Mode.PAPER))
    second = measure_mapping("site", SITE, StackRenderer(), Settings(VIPS(), Mode.PAPER))

    assert list(map(timeless, first)) == list(map(timeless, second))


def test_searches_are_added_up_by_outcome_reason_and_combination() -> None:
    """Strict, fallen back and lost are kept apart; each inspected node counts once."""
    weak = Checks(count=False)
    searches = [
        Search(None, True, (STRICTEST, STRICTEST), 0.0, 1e-6, 2e-6),
        Search(None, True, (STRICTEST,), FARTHEST + 0.1, 1e-6, 2e-6),
        Search(MissReason.COUNT, True, (STRICTEST, weak), FARTHEST, 1e-6, 2e-6),
        Search(MissReason.POSITION, False, (weak,), 1.0, 1e-6, 6e-6),
    ]
    row = sum_up_searches("site", "full", (2, 3), searches, 0.5)

    assert row == MappingRow(
        site="site",
        form="full",
        stencils=2,
        pages=3,
        mappings=4,
        nodes=6,
        start_time=pytest.approx(1.0),
        path_time=pytest.approx(3.0),
        together_time=0.5,
        strict=2,
        strict_verified=1,
        fallen=1,
        fallen_verified=1,
        misses=(("position", 1), ("count", 1), ("id", 0), ("tag", 0), ("subtree", 0)),
        passed=tuple((str(c), {STRICTEST: 4, weak: 2}.get(c, 0)) for c in LADDER),
    )
    assert row.lost == 1


def test_ids_are_searched_for_in_both_orders() -> None:
    """A page without repeated ids has one answer; the ways to it differ in length."""
    _, compact = measure_mapping("site", SITE, StackRenderer(), Settings(VIPS(), Mode.PAPER))
    depth, breadth = compact.hunts

    assert (depth.order, breadth.order) == ("depth first", "breadth first")
    assert depth.found == breadth.found > 0
    assert (depth.other, breadth.other) == (0, 0)
    assert [line[:2] for line in mapping.hunt_lines(compact)] == [
        ["site", "depth first"],
        ["site", "breadth first"],
    ]


def test_site_without_hits_has_empty_rows() -> None:
    """Nothing is divided by nothing."""
    one = MemorySource({"http://site.example/1": story("One")})
    rows = measure_mapping("site", one, StackRenderer(), Settings(VIPS(), Mode.PAPER))

    assert [(row.mappings, row.nodes, row.path_time) for row in rows] == [(0, 0, 0.0)] * 2
    assert mapping.mapping_cells(rows[0])[6:] == ["-"] * 5


def test_search_on_a_changed_page_tells_what_refused_and_what_verified() -> None:
    """A new sibling high up: the full search falls back to a wrong node, the compact does not."""
    ((_, stencil), *_) = hits(SITE, StackRenderer(), Settings(VIPS(), Mode.PAPER))
    prepared = prepare(stencil)
    page = page_of(STORY.format("Four").replace("<div", "<b>new</b><div"))
    main_list = prepared.paths.index(paths_below(page_of(STORY), "ul"))
    full = search_page(prepared.full, prepared.paths, page)[main_list]
    compact = search_page(prepared.compact, prepared.paths, page)[main_list]

    assert full.miss is MissReason.COUNT
    assert full.distance == 1.0
    assert (compact.miss, compact.distance) == (None, 0.0)


def paths_below(page: Page, tag: str) -> frozenset[int]:
    """Return the paths below the first node with this tag."""
    node = page.tree.tags.index(tag)
    return subtree_paths(page.tree, node, page.tree.ends()[node])


def test_subtrees_are_compared_from_their_own_roots() -> None:
    """The position of a subtree and its texts do not matter; its elements do."""
    one = page_of("<body><div><ul><li>a<li><b>b</b></ul></div>")
    other = page_of("<body><p>x</p><ul><li>c<li><b>d</b></ul>")
    longer = page_of("<body><ul><li>a<li><b>b</b><li><i>c</i></ul>")

    assert paths_below(one, "ul") == paths_below(other, "ul")
    assert distance(paths_below(one, "ul"), paths_below(longer, "ul")) == pytest.approx(1 / 3)


def test_subtree_of_the_root_has_the_paths_of_the_page() -> None:
    """The same paths, by tag and id, as when pages are matched."""
    page = page_of(STORY)

    assert paths_below(page, "html") == page.paths


def test_text_is_equivalent_to_texts_only() -> None:
    """A text has nothing below it that could differ."""
    page = page_of("<body>one<p>two</p>")

    assert distance(paths_below(page, ""), paths_below(page_of("<body>x"), "")) == 0.0
    assert distance(paths_below(page, ""), paths_below(page, "p")) == 1.0


def test_sample_is_mixed_and_always_the_same() -> None:
    """A smaller sample is the beginning of a larger one, however the source orders its pages."""
    pages = {f"http://site.example/{n}": b"x" for n in range(20)}
    backwards = MemorySource(dict(reversed(pages.items())))
    everything = list(sample(MemorySource(pages)).pages())

    assert list(sample(backwards, 5).pages()) == everything[:5]
    assert [page.url for page in everything] != sorted(pages)
    assert (sample(backwards, 5).count(), sample(backwards, 50).count()) == (5, 20)


@pytest.mark.browser
def test_command_prints_table_one_beside_the_papers(tmp_path: Path) -> None:
    """Rows for full and compact descriptors, the ladder, and the paper's rows marked as such."""
    site = tmp_path / "site"
    site.mkdir()
    for number in range(3):
        (site / f"{number}.html").write_bytes(story(f"Story {number}"))
    cache = ["--cache", str(tmp_path / "cache")]
    printed = CliRunner().invoke(main, ["evaluate", "mapping", str(site), *cache])
    written = CliRunner().invoke(main, ["evaluate", "mapping", str(site), "--json", *cache])

    assert printed.exit_code == 0, printed.output
    assert "penize.cz" in printed.output.partition(mapping.PAPER)[2]
    rows = json.loads(written.output)["rows"]
    assert [(row["form"], row["pages"], row["stencils"]) for row in rows] == [
        ("full", 2, 1),
        ("compact", 2, 1),
    ]
    assert all(row["strict"] == row["mappings"] > 0 for row in rows)
