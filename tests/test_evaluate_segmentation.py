"""Segmenters against hand-marked blocks: reading, comparing, averaging, floors, the command."""

import json
import os
import tarfile
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest
from builders import element, image, paint, text
from click.testing import CliRunner, Result

from research.bench.ablations import best_settings
from research.gallery import make_gallery
from webstencil.cli.main import main
from webstencil.cli.method_options import chosen_segmenters
from webstencil.codec import decode_snapshot, encode_snapshot
from webstencil.errors import PageCrashed, SettingsError, SourceError, StoreError
from webstencil.evaluate.floors import Measured, read_floors, write_floors
from webstencil.evaluate.hand_marked import (
    FINEST,
    Agreement,
    BlockLabel,
    compare_areas,
    marked_areas,
    marked_corpus,
    read_marked_pages,
)
from webstencil.evaluate.labelled_data import unpacked
from webstencil.evaluate.scores import AgreementScore
from webstencil.evaluate.segmentation import (
    SEGMENTATION_STEPS,
    EachLeaf,
    MeanAgreement,
    SegmentationScore,
    WholePage,
    average_segmentation,
    judge_page,
    render_case,
    score_segmenters,
    timed_areas,
    tuning_half,
)
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.geometry import Rect
from webstencil.model import TEXT, Area, BoxKind, Page, Snapshot, Tree
from webstencil.protocols import Resources
from webstencil.segment import BCS, PUBLISHED, VIPS, Guo, guo
from webstencil.testing import MemorySource, StackRenderer

DATA = Path(os.environ.get("WEBSTENCIL_DATA", "../shared/data"))
POPULAR = DATA / "kreuzer-popular.tar.xz"
FLOORS = Path(__file__).parent.parent / "eval" / "floors.json"

PLAIN = """<!doctype html><html><head><title>T</title></head><body>
<div id="top"><p>Head line</p></div>
<div id="middle"><ul><li>One</li><li>Two</li></ul><div>Story of some length</div></div>
</body></html>"""
LABELLED = (
    PLAIN.replace('id="top"', 'id="top" data-block="1" data-block-type="Header"')
    .replace('id="middle"', 'id="middle" data-block="1" data-block-type="Content"')
    .replace("<ul>", '<ul data-block="2" data-block-type="LinkList">')
)


def write_page(folder: Path, plain: str, labelled: str, name: str = "a.example") -> Path:
    """Write a page and its labelled twin as a site of their own."""
    host = folder / name / name
    host.mkdir(parents=True)
    (host / "index.dom.html").write_text(plain)
    (host / "index.blocks.html").write_text(labelled)
    return folder


def tree_of(snapshot: Snapshot) -> Tree:
    """Make the tree of a page all of whose nodes have a box."""
    tags = tuple(TEXT if box.kind is BoxKind.TEXT else "div" for box in snapshot.boxes)
    parents = tuple(box.parent for box in snapshot.boxes)
    return Tree(tags, parents, ("",) * len(tags), ("",) * len(tags))


def halves() -> Snapshot:
    """Paint two columns, 3 and 4 with texts, 2 and 5 around them."""
    return paint(
        element(text("abcd", at=(0, 0, 40, 20)), at=(0, 0, 100, 100)),
        element(
            text("ab", at=(100, 0, 140, 20)),
            image(at=(100, 40, 140, 60)),
            at=(100, 0, 200, 100),
        ),
        size=(200.0, 100.0),
    )


class Breaking:
    """Fails on every page."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Fail."""
        raise IndexError(len(snapshot.boxes))


class Promising:
    """Names a node that is nowhere on the page."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return an area with it."""
        return (Area(snapshot.rect, (100_000,)),)


class CrashingRenderer:
    """Paints nothing."""

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Crash."""
        del resources, screenshot
        raise PageCrashed(page.url)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        """Do nothing."""


def test_labels_are_read_and_hidden(tmp_path: Path) -> None:
    """The page to be segmented comes without labels, they beside it, by node."""
    (page,) = read_marked_pages(write_page(tmp_path, PLAIN, LABELLED))

    tags = page.page.tree.tags
    assert b"data-block" not in page.page.body
    assert [(tags[label.node], label.levels, label.kind) for label in page.labels] == [
        ("div", (1,), "Header"),
        ("div", (1,), "Content"),
        ("ul", (2,), "LinkList"),
    ]
    assert (page.lost, page.swapped, page.page.url) == (0, False, "http://a.example/index.dom.html")


def test_labels_follow_their_nodes_where_scripts_have_changed_the_page(tmp_path: Path) -> None:
    """Text of `noscript` that became elements in one of the files moves all numbers after it."""
    plain = PLAIN.replace('<div id="top">', '<noscript>&lt;b>x&lt;/b></noscript><div id="top">')
    labelled = LABELLED.replace('<div id="top"', '<noscript><b>x</b> y</noscript><div id="top"')

    (page,) = read_marked_pages(write_page(tmp_path, plain, labelled))

    assert [page.page.tree.ids[label.node] for label in page.labels] == ["top", "middle", ""]
    assert (page.lost, page.swapped) == (0, False)


def test_a_label_of_a_node_that_is_gone_is_counted(tmp_path: Path) -> None:
    """What cannot be carried over is not silently dropped."""
    plain = PLAIN.replace("<ul><li>One</li><li>Two</li></ul>", "")

    (page,) = read_marked_pages(write_page(tmp_path, plain, LABELLED))

    assert (len(page.labels), page.lost) == (2, 1)


def test_another_page_in_the_first_file_makes_the_second_one_count(tmp_path: Path) -> None:
    """Its labels are removed before it is rendered."""
    (page,) = read_marked_pages(write_page(tmp_path, "<html><body><p>Not it</p></body>", LABELLED))

    assert page.swapped
    assert b"data-block" not in page.page.body
    assert b"Story of some length" in page.page.body
    assert len(page.labels) == 3


def test_an_element_may_be_a_block_of_both_levels(tmp_path: Path) -> None:
    """Annotators wrote "2 1" once."""
    labelled = LABELLED.replace('data-block="2"', 'data-block="2 1"')

    (page,) = read_marked_pages(write_page(tmp_path, PLAIN, labelled))

    assert page.labels[2].levels == (2, 1)


def test_what_is_no_folder_of_labelled_pages_is_named(tmp_path: Path) -> None:
    """And not taken for a folder with 0 pages."""
    with pytest.raises(SourceError, match="no page X"):
        list(read_marked_pages(tmp_path))

    write_page(tmp_path, PLAIN, LABELLED)
    (tmp_path / "a.example" / "a.example" / "index.blocks.html").unlink()
    with pytest.raises(SourceError, match="holds the labels"):
        list(read_marked_pages(tmp_path))


def test_a_page_that_is_not_html_is_left_out(tmp_path: Path) -> None:
    """The others are read; the caller learns its name."""
    write_page(tmp_path, "", LABELLED, "empty.example")
    write_page(tmp_path, PLAIN, LABELLED)
    left_out: list[str] = []

    pages = list(read_marked_pages(tmp_path, left_out.append))

    assert [page.name for page in pages] == ["a.example/a.example/index"]
    assert left_out == ["empty.example/empty.example/index"]


def test_relative_folders_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they are typed on a command line."""
    write_page(tmp_path / "marked", PLAIN, LABELLED)
    monkeypatch.chdir(tmp_path)

    (page,) = read_marked_pages(Path("marked"))

    assert page.page.url == "http://a.example/index.dom.html"


def test_archives_are_unpacked_once(tmp_path: Path) -> None:
    """A packed folder is as good as a folder."""
    folder = write_page(tmp_path / "pages", PLAIN, LABELLED)
    packed = tmp_path / "pages.tar.xz"
    with tarfile.open(packed, "w:xz") as archive:
        archive.add(folder, "pages")

    first, second = (unpacked(packed, tmp_path / "cache") for _ in range(2))

    assert first == second
    assert marked_corpus(list(read_marked_pages(first))) == marked_corpus(
        list(read_marked_pages(folder))
    )
    with pytest.raises(SourceError, match="neither a folder nor a tar archive"):
        unpacked(tmp_path / "nothing", tmp_path / "cache")


def test_nodes_characters_and_pixels_are_scored_apart() -> None:
    """The whole page against its left half: 1 of 3 nodes, 4 of 6 characters, half the pixels."""
    snapshot = halves()
    left = Area(Rect(0, 0, 100, 100), (2,))

    agreement = compare_areas(tree_of(snapshot), snapshot, WholePage().segment(snapshot), [left])

    # Atoms outside of the block agree with nothing: the share in it counts twice.
    assert agreement.nodes == AgreementScore(pytest.approx(1 / 9), 1.0)
    assert agreement.characters == AgreementScore(pytest.approx(4 / 9), 1.0)
    assert agreement.pixels == AgreementScore(pytest.approx(1 / 4), 1.0)


def test_invisible_boxes_do_not_count() -> None:
    """A hidden text in the wrong area changes nothing."""
    snapshot = paint(
        element(text("seen", at=(0, 0, 40, 20))),
        element(text("hidden", at=(0, 40, 40, 60), visible=False)),
    )
    areas = [Area(Rect(0, 0, 40, 20), (2,))]

    agreement = compare_areas(
        tree_of(snapshot), snapshot, areas, [Area(Rect(0, 0, 40, 20), (2, 4))]
    )

    assert agreement.nodes == agreement.characters == AgreementScore(1.0, 1.0)


def test_what_a_child_area_has_its_parent_has_not() -> None:
    """An area around another one is left with the rest, in nodes and in pixels."""
    snapshot = halves()
    nested = [Area(Rect(0, 0, 200, 100), (4,)), Area(Rect(0, 0, 100, 100), (2,), parent=0)]
    flat = [Area(Rect(100, 0, 200, 100), (4,)), Area(Rect(0, 0, 100, 100), (2,))]

    agreement = compare_areas(tree_of(snapshot), snapshot, nested, flat)

    one = AgreementScore(1.0, 1.0)
    assert agreement == Agreement(one, one, one)


def test_areas_without_nodes_only_hold_others_together() -> None:
    """They are no areas of their own to the scores."""
    snapshot = halves()
    leaves = [Area(Rect(0, 0, 100, 100), (2,)), Area(Rect(100, 0, 200, 100), (4,))]
    around = [Area(snapshot.rect, ()), *(replace(leaf, parent=0) for leaf in leaves)]

    assert compare_areas(tree_of(snapshot), snapshot, around, leaves) == Agreement(
        *[AgreementScore(1.0, 1.0)] * 3
    )


def test_blocks_are_where_their_elements_are_seen() -> None:
    """An element without height has the box of its content; an invisible one is no block."""
    snapshot = paint(
        element(text("floats", at=(0, 0, 40, 20)), at=(0, 0, 100, 0)),
        element(text("hidden", at=(0, 40, 40, 60), visible=False), visible=False),
        element(text("plain", at=(0, 80, 40, 90)), at=(0, 80, 100, 100)),
    )
    labels = [BlockLabel(node, (1,), "Content") for node in (2, 4, 6)]

    blocks = marked_areas(labels, "1", tree_of(snapshot), snapshot)

    assert [(block.rect, block.nodes) for block in blocks] == [
        (Rect(0, 0, 40, 20), (2,)),
        (Rect(0, 80, 100, 100), (6,)),
    ]


def test_grains_choose_blocks() -> None:
    """A level takes its blocks as they are; the finest grain nests all of them."""
    snapshot = halves()
    tree = tree_of(snapshot)
    labels = [
        BlockLabel(1, (1,), "Content"),
        BlockLabel(2, (2,), "Menu"),
        BlockLabel(4, (2,), "Article"),
    ]

    chosen = {grain: marked_areas(labels, grain, tree, snapshot) for grain in ("1", "2", FINEST)}

    assert [(b.nodes, b.parent) for b in chosen["1"]] == [((1,), -1)]
    assert [(b.nodes, b.parent) for b in chosen["2"]] == [((2,), -1), ((4,), -1)]
    assert [(b.nodes, b.parent) for b in chosen[FINEST]] == [((1,), -1), ((2,), 0), ((4,), 0)]


def test_baselines_are_the_two_extremes() -> None:
    """One area for all, and one for each visible text and image."""
    snapshot = halves()

    assert WholePage().segment(snapshot) == (Area(snapshot.rect, (0,)),)
    assert [area.nodes for area in EachLeaf().segment(snapshot)] == [(3,), (5,), (6,)]


def test_a_page_on_which_a_segmenter_fails_counts_as_left_whole(tmp_path: Path) -> None:
    """It is scored and named, for whatever reason it failed."""
    (page,) = read_marked_pages(write_page(tmp_path, PLAIN, LABELLED))
    case = render_case(page, StackRenderer())
    whole = judge_page(case, "whole page", WholePage())

    broken = judge_page(case, "breaking", Breaking())
    promised = judge_page(case, "promising", Promising())

    expected = [score.agreement for score in whole]
    assert [score.agreement for score in broken] == expected
    assert [score.agreement for score in promised] == expected
    assert {score.problem for score in broken} == {f"IndexError: {len(case.snapshot.boxes)}"}
    assert "SegmentError" in promised[0].problem
    assert [row.failed for row in average_segmentation(broken)] == [1, 1, 1]


def test_a_page_that_cannot_be_rendered_counts_as_one_area(tmp_path: Path) -> None:
    """Its texts are stacked instead; no method is run."""
    (page,) = read_marked_pages(write_page(tmp_path, PLAIN, LABELLED))

    case = render_case(page, CrashingRenderer())
    scores = judge_page(case, "each leaf", EachLeaf())

    assert [score.agreement.nodes.recall for score in scores] == [1.0, 1.0, 1.0]
    assert {score.areas for score in scores} == {1}
    assert "cannot be rendered" in scores[0].problem
    assert timed_areas(case, Breaking()).areas == ()


def test_blocks_agree_with_themselves(tmp_path: Path) -> None:
    """On a page with nested blocks, too, the truth scores 1 at each grain."""
    (page,) = read_marked_pages(write_page(tmp_path, PLAIN, LABELLED))

    rows = average_segmentation(score_segmenters([render_case(page, StackRenderer())], {}))

    perfect = MeanAgreement(1.0, 1.0, 1.0, 1.0)
    by_hand = [row for row in rows if row.method == "by hand"]
    assert [(row.grain, row.areas) for row in by_hand] == [("1", 2), ("2", 1), (FINEST, 3)]
    assert all(row.nodes == row.characters == row.pixels == perfect for row in by_hand)


def score_of(page: str, precision: float, recall: float, problem: str = "") -> SegmentationScore:
    same = AgreementScore(precision, recall)
    return SegmentationScore("m", page, "1", Agreement(same, same, same), 4, 0.5, problem)


def test_the_best_setting_is_one_of_the_chosen_segmenter(tmp_path: Path) -> None:
    """With its other settings: a box that it leaves out stays out."""
    (page,) = read_marked_pages(write_page(tmp_path, PLAIN, LABELLED))
    case = render_case(page, StackRenderer())
    kept, dropped = (BCS(singles=singles, threshold=0.0) for singles in (True, False))

    areas = [
        [
            score.areas
            for score in score_segmenters([case], {"bcs": one}, best_settings)
            if "best" in score.method
        ]
        for one in (kept, dropped)
    ]

    assert areas[0] != areas[1]


def test_averages_are_over_pages() -> None:
    """F is the mean of the pages' F, F* the F of mean precision and mean recall."""
    (row,) = average_segmentation([score_of("a", 1.0, 0.5), score_of("b", 0.5, 1.0, "why not")])

    expected = MeanAgreement(0.75, 0.75, pytest.approx(2 / 3), 0.75)
    assert (row.pages, row.failed, row.areas, row.seconds) == (2, 1, 4, 0.5)
    assert row.nodes == row.characters == row.pixels == expected


def test_halves_share_no_page_and_leave_none_out(tmp_path: Path) -> None:
    """Every other page is for choosing settings; a page in two minds never is."""
    for name in "abcde":
        write_page(tmp_path, PLAIN, LABELLED, f"{name}.example")
    write_page(tmp_path, "<html><body><p>Not it</p></body>", LABELLED, "bb.example")
    pages = tuple(read_marked_pages(tmp_path))

    tuned = [page.name[:2] for page in tuning_half(pages, "tune")]
    checked = [page.name[:2] for page in tuning_half(pages, "check")]

    assert (tuned, checked) == (["a.", "c.", "e."], ["b.", "bb", "d."])
    assert tuning_half(pages, "all") == list(pages)


def test_snapshots_come_back_as_they_were() -> None:
    """With every box, style and the picture."""
    snapshot = replace(halves(), screenshot=b"\x89PNG")

    assert decode_snapshot(encode_snapshot(snapshot)) == snapshot
    with pytest.raises(StoreError, match="snapshot is damaged"):
        decode_snapshot(encode_snapshot(snapshot)[:-9])


@pytest.mark.browser
def test_a_page_is_painted_once(tmp_path: Path) -> None:
    """The second time its snapshot is read, unless the file is damaged or the page another one."""
    (page,) = read_marked_pages(write_page(tmp_path / "pages", PLAIN, LABELLED))
    nothing = MemorySource({})
    with KeepingRenderer(tmp_path / "kept") as renderer:
        rendered = renderer.render(page.page, nothing)
        (file,) = (tmp_path / "kept").iterdir()
        written = file.stat().st_mtime_ns
        again = renderer.render(page.page, nothing)
        unchanged = file.stat().st_mtime_ns
        file.write_bytes(b"damaged")
        mended = renderer.render(page.page, nothing)
        renderer.render(page.page, nothing, screenshot=True)

    assert rendered == again == mended
    assert written == unchanged
    assert len(list((tmp_path / "kept").iterdir())) == 2


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.mark.browser
def test_the_command_prints_tables_or_json(tmp_path: Path) -> None:
    """Same scores either way, with the published ones marked as such."""
    folder = write_page(tmp_path / "pages", PLAIN, LABELLED)
    arguments = ("evaluate", "segmentation", folder, "--with", "vips", "--cache", tmp_path / "kept")

    table = run(*arguments)
    scores = json.loads(run(*arguments, "--json").output)

    assert table.exit_code == 0
    assert "published, other pages" in table.output
    assert {row["method"] for row in scores["rows"]} == {
        "vips",
        "whole page",
        "each leaf",
        "by hand",
    }
    first = next(row for row in scores["rows"] if row["method"] == "vips")
    assert f"{first['nodes']['f']:.3f}" in table.output


@pytest.mark.browser
def test_the_command_fails_where_a_score_is_below_its_floor(tmp_path: Path) -> None:
    """It writes floors when told to, and then holds them."""
    folder = write_page(tmp_path / "pages", PLAIN, LABELLED)
    floors = tmp_path / "eval" / "floors.json"
    arguments = ("evaluate", "segmentation", folder, "--with", "vips", "--cache", tmp_path / "kept")
    made = run(*arguments, "--floors", floors, "--new-floors")
    held = run(*arguments, "--floors", floors)
    (known,) = read_floors(floors).values()
    higher = dict(known.scores) | {("vips", FINEST, "nodes"): 1.01}
    write_floors(floors, [Measured(known.corpus, higher)], SEGMENTATION_STEPS)

    fallen = run(*arguments, "--floors", floors)

    assert (made.exit_code, held.exit_code, fallen.exit_code) == (0, 0, 1)
    assert f"vips, {FINEST}, nodes: " in fallen.stderr


def test_settings_are_for_one_segmenter(tmp_path: Path) -> None:
    """With several, a setting says which of them is meant."""
    result = run("evaluate", "segmentation", tmp_path, "--with", "all", "--set", "pdoc=7")

    assert result.exit_code == 2
    assert "--set needs one segmenter, or its name as in bcs.pdoc=" in result.output


def test_a_setting_can_name_its_segmenter() -> None:
    """`vips.pdoc=3` is of VIPS, others keep their defaults, or are as published."""
    assert chosen_segmenters(("vips", "guo"), ("vips.pdoc=3",), published=False) == {
        "vips": VIPS(pdoc=3),
        "guo": Guo(),
    }
    assert chosen_segmenters((), ("guo.prose=7",), published=True) == {
        **PUBLISHED,
        "guo": replace(guo.PAPER_GUO, prose=7),
    }
    with pytest.raises(SettingsError, match=r"bcs\.pdoc"):
        chosen_segmenters(("vips",), ("bcs.pdoc=3",), published=False)


@pytest.mark.browser
def test_a_gallery_is_made_without_data(tmp_path: Path) -> None:
    """It shows the demo site and says what is missing."""
    said = list(make_gallery(tmp_path / "out", tmp_path / "nothing", tmp_path / "kept", PUBLISHED))

    page = (tmp_path / "out" / "index.html").read_text()
    assert [words.partition(":")[0] for words in said[:2]] == [
        "no labelled pages",
        "no pages of real sites",
    ]
    assert "demo site, article" in page
    assert page.count("<image") == page.count("</svg>") > 0
    assert len(list((tmp_path / "out").glob("*.png"))) == page.count("<h2>")


@pytest.mark.browser
@pytest.mark.timeout(900)
@pytest.mark.skipif(not POPULAR.exists(), reason=f"no labelled pages: {POPULAR} is missing")
def test_scores_do_not_fall() -> None:
    """On Kreuzer's popular pages, no segmenter scores below the floor it has reached before."""
    result = run("evaluate", "segmentation", POPULAR, "--floors", FLOORS, "--cache", cache_folder())

    assert (result.exit_code, result.stderr) == (0, "")
