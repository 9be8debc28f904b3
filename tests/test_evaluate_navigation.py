"""Navigation against labels: the measures, the floors on real pages, the command."""

import json
import lzma
import os
from pathlib import Path

import pytest
from builders import page_of
from click.testing import CliRunner

from research.training.navigation import balanced
from webstencil.cli.main import main
from webstencil.evaluate.floors import Measured, corpus_digest, fallen
from webstencil.evaluate.hand_marked import read_marked_pages
from webstencil.evaluate.labelled_data import unpacked
from webstencil.evaluate.navigation import (
    CLUSTERS,
    CONTENT_ZONE,
    MENU,
    REPETITION,
    MenuScore,
    held_navigation,
    marked_page,
    mean_clusterings,
    menu_score,
    precision_recall,
    prevailing,
    score_clusterings,
    shares_of,
    with_mean_menus,
)
from webstencil.evaluate.navigation import clustering_methods as all_methods
from webstencil.evaluate.snapshots import cache_folder
from webstencil.navigation.classify import shipped_text
from webstencil.navigation.kinds import page_links
from webstencil.site.outline import OutlinedPage, outline

DATA = Path(os.environ.get("WEBSTENCIL_DATA", "../shared/data"))
MARKED = DATA / "kreuzer-popular.tar.xz"
FLOORS = Path(__file__).parent.parent / "eval" / "navigation.json"
PAGER = (
    "<html><body><p>{0} words</p><div class=pager><a href=?page=1>1</a> <a href=?page=2>2</a> "
    "<a href=?page=3>Next</a></div><p><a href=/a>A story</a> <a href=/b>Another one</a></p></body>"
)


def test_shares_are_precision_recall_and_f1() -> None:
    """Nothing found, or nothing to find, is no fault."""
    assert precision_recall([(True, True), (True, False), (False, True), (False, True)]) == (
        0.5,
        1 / 3,
        0.4,
    )
    assert precision_recall([(False, False)]) == (0.0, 0.0, 0.0)
    assert balanced([(True, True), (True, False)]) == 0.5


def test_siblings_share_links() -> None:
    """Half of the links on all siblings is as much as all of them on half."""
    known = page_links(page_of("<a href=/a>a</a> <a href=/b>b</a>"))
    page = page_of("<a href=/a>a</a>")
    siblings = [OutlinedPage(f"http://site.example/{n}", outline(page)) for n in range(3)]

    assert shares_of(known, siblings) == [0.5]
    assert shares_of(known, []) == [0.0]
    assert prevailing([MENU, CONTENT_ZONE, CONTENT_ZONE]) == CONTENT_ZONE


def test_menus_are_judged_by_site() -> None:
    """The mean counts sites alike, the sum counts blocks."""
    rows = [
        menu_score("a", [(1.0, MENU, True), (0.0, CONTENT_ZONE, False)]),
        menu_score("b", [(0.5, MENU, False), (1.0, MENU, True), (1.0, MENU, True)]),
    ]

    assert rows[1] == MenuScore("b", 3, 3, pytest.approx(2 / 3), 0, 0.0, pytest.approx(1 / 3))
    mean, pooled = with_mean_menus(rows)[2:]
    assert (mean.found, pooled.found) == (pytest.approx(5 / 6), 0.75)


@pytest.mark.skipif(not MARKED.is_file(), reason=f"{MARKED} is not there; set WEBSTENCIL_DATA")
def test_blocks_of_links_keep_their_scores() -> None:
    """On the marked pages, and above what the paper compares with."""
    pages = [marked_page(page) for page in read_marked_pages(unpacked(MARKED, cache_folder()))]
    wanted = {name: all_methods()[name] for name in ("CHD", "ours", "single linkage")}
    rows = mean_clusterings(score_clusterings(pages, wanted))
    scores = held_navigation({CLUSTERS: rows})
    found = Measured(corpus_digest(known.page.body for known in pages), scores, "clusters")

    assert fallen(FLOORS, [found]) == ()
    chd, ours, linkage = (row.ari for row in rows)
    assert min(chd, ours) > linkage


def test_some_rows_and_measures_are_held() -> None:
    """Those of the part that is asked for."""
    menus = with_mean_menus([menu_score("a", [(1.0, MENU, True), (0.0, CONTENT_ZONE, True)])])
    name = f"{REPETITION}: mean of sites"

    assert held_navigation({REPETITION: menus}) == {
        (name, "found"): 1.0,
        (name, "called"): 1.0,
    }


def test_the_command_measures_pagination(tmp_path: Path) -> None:
    """With folds by site, as JSON; the training command writes a model that can be read."""
    pytest.importorskip("sklearn")
    file = tmp_path / "autopager.jsonl.xz"
    with lzma.open(file, "wt", encoding="utf-8") as lines:
        for number in range(10):
            row = {
                "site": f"s{number}.example",
                "url": f"http://s{number}.example/list",
                "encoding": "UTF-8",
                "selectors": {"PAGE": ".pager a", "NEXT": ""},
                "html": PAGER.format(number),
            }
            lines.write(json.dumps(row) + "\n")
    found = CliRunner().invoke(main, ["evaluate", "navigation", str(file), "--json"])
    kept = ["evaluate", "navigation", str(file), "--floors", str(tmp_path / "floors.json")]
    held = [CliRunner().invoke(main, [*kept, "--new-floors"]), CliRunner().invoke(main, kept)]
    taught = CliRunner().invoke(
        main, ["evaluate", "train-navigation", str(file), "--out", str(tmp_path / "models")]
    )

    first = json.loads(found.stdout)["pagination links"][0]
    assert (first["sites"], first["links"], first["f1"]) == (10, 30, 1.0)
    assert [done.exit_code for done in (*held, taught)] == [0, 0, 0]
    assert json.loads((tmp_path / "models" / "pagination.json").read_text())["model"] == "logistic"


def test_nothing_to_measure_is_said(tmp_path: Path) -> None:
    """The message names the path."""
    pytest.importorskip("sklearn")
    found = CliRunner().invoke(main, ["evaluate", "navigation", str(tmp_path)])

    assert found.exit_code == 2
    assert str(tmp_path) in found.stderr.replace("\n", "")


def test_shipped_models_are_plain_numbers() -> None:
    """JSON, and small enough to be read in milliseconds."""
    for name in ("menu", "navigation", "pagination", "paper"):
        assert len(shipped_text(name)) < 200_000
        assert "model" in json.loads(shipped_text(name))
