"""The evaluation of main content: words, sets, sites, floors, weights."""

import json
import lzma
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_content import told

from research.training import network_training
from research.training.content_weights import common_words, content_labels, owner_of
from webstencil.api import parsed
from webstencil.cli.main import main
from webstencil.content.extractor import MainContent
from webstencil.content.model import content_model_of
from webstencil.content.page_types import type_weights_of
from webstencil.evaluate.content import ContentGold, SetRow, time_table
from webstencil.evaluate.labelled_data import evenly_spread
from webstencil.evaluate.scores import WordScore, compare_words, words_in


def gold(number: int) -> str:
    letter = "abcdefgh"[number]
    return (
        f"Event {letter} took place in the old town hall, where many came to see it. "
        f"It was the {letter}th time, and certainly not the last one."
    )


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """A file of labelled pages."""
    path = tmp_path / "content.jsonl.xz"
    with lzma.open(path, "wt") as lines:
        for number in range(5):
            row = {"set": "news", "site": "a.org", "id": number, "html": told(number)}
            lines.write(json.dumps(row | {"gold": gold(number)}) + "\n")
    return path


def evaluate(*words: object) -> str:
    done = CliRunner().invoke(main, ["evaluate", *map(str, words)])
    assert done.exit_code == 0, done.output
    return done.output


def test_words_are_compared_as_bags() -> None:
    """Order and case do not matter, numbers of occurrences do."""
    assert compare_words(words_in("B a a"), words_in("a b c")) == WordScore(2 / 3, 2 / 3, 2 / 3)
    assert compare_words([], []) == WordScore(1.0, 1.0, 1.0)
    assert compare_words(["a"], []) == WordScore(0.0, 0.0, 0.0)


def test_common_words_are_the_longest_sequence() -> None:
    """Words of the gold are found in its order."""
    assert common_words(["x", "a", "b", "y", "c", "a"], ["a", "b", "c"]) == [
        False, True, True, False, True, False,
    ]  # fmt: skip
    assert common_words([], ["a"]) == []


def test_pages_are_scored_alone_in_stream_and_seen(rows: Path) -> None:
    """Siblings take the repeated note away: the more were seen, the better."""
    report = json.loads(evaluate("content", rows, "--json"))
    f1 = {row["method"]: row["score"]["f1"] for row in report["rows"] if row["set"] == "news"}

    assert f1["single page"] < f1["stream"] < f1["all seen"] == 1.0


def test_sites_are_scored_by_their_selector(tmp_path: Path) -> None:
    """The labels say which pages are articles, the selector what their content is."""
    folder = tmp_path / "a.org"
    folder.mkdir()
    (tmp_path / "labels").mkdir()
    more = "<p>" + "There is more to tell, and we do it at some length. " * 5 + "</p>"
    for number in range(4):
        (folder / f"{number}.html").write_text(told(number).replace("</div>", more + "</div>"))
    table = "path,label\n" + "".join(f"{number}.html,post\n" for number in range(4))
    (tmp_path / "labels" / "a.org.csv").write_text(table)
    site = {"article_labels": ["post"], "content_selector": ".article-body"}
    (tmp_path / "sites.json").write_text(json.dumps({"a.org": site}))

    report = json.loads(evaluate("content", folder, "--method", "single", "--json"))

    assert [(row["set"], row["pages"]) for row in report["rows"]] == [
        ("a.org", 4),
        ("mean of selected", 4),
    ]
    assert report["rows"][0]["score"]["f1"] == 1.0


def test_pages_that_are_not_html_are_left_out(tmp_path: Path) -> None:
    """Also empty and missing ones; they are counted, and the others are scored."""
    folder = tmp_path / "a.org"
    folder.mkdir()
    (tmp_path / "labels").mkdir()
    for number in range(4):
        (folder / f"{number}.html").write_text(told(number) + "<p>" + gold(number) * 3)
    (folder / "empty.html").write_bytes(b"")
    (folder / "list.html").write_bytes(b"%PDF-1.7 no page at all")
    labels = {f"{number}.html": "post" for number in range(4)}
    labels |= {"empty.html": "post", "list.html": "list", "gone.html": "list"}
    table = "path,label\n" + "".join(f"{path},{label}\n" for path, label in labels.items())
    (tmp_path / "labels" / "a.org.csv").write_text(table)
    site = {"article_labels": ["post"], "content_selector": "body"}
    (tmp_path / "sites.json").write_text(json.dumps({"a.org": site}))

    done = CliRunner().invoke(main, ["evaluate", "content", str(folder), "--json"])

    report = json.loads(done.stdout)
    assert {row["pages"] for row in report["rows"]} == {4}
    assert sorted(report["left_out"]) == [
        f"http://a.org/{name}.html" for name in ("empty", "gone", "list")
    ]
    assert done.stderr.startswith("left out, since empty or not HTML: 3 pages, first http://a.org/")


def test_rows_that_are_not_html_are_left_out(rows: Path) -> None:
    """Of a file of pages as of a folder."""
    with lzma.open(rows, "at") as lines:
        row = {"set": "news", "site": "a.org", "id": "x", "html": "", "gold": "none"}
        lines.write(json.dumps(row) + "\n")

    report = json.loads(
        CliRunner().invoke(main, ["evaluate", "content", str(rows), "--json"]).stdout
    )

    assert {row["pages"] for row in report["rows"]} == {5}
    assert report["left_out"] == ["http://news.a.org/x"]


def test_floors_hold_scores(rows: Path, tmp_path: Path) -> None:
    """A score that fell, or other pages, end the command with a complaint."""
    floors = tmp_path / "floors.json"
    evaluate("content", rows, "--floors", floors, "--new-floors")
    evaluate("content", rows, "--floors", floors)
    kept = json.loads(floors.read_text())
    kept["scores"]["single page"]["news"] = 1.0
    floors.write_text(json.dumps(kept))

    done = CliRunner().invoke(main, ["evaluate", "content", str(rows), "--floors", str(floors)])

    assert done.exit_code == 1
    assert "single page, news: " in done.output


def test_models_are_trained_by_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command writes the models that the extractor reads."""
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    monkeypatch.setattr(network_training, "EPOCHS", 80)  # of few pages
    path, out = tmp_path / "pages.jsonl.xz", tmp_path / "models"
    with lzma.open(path, "wt") as lines:
        for number in range(24):
            kind = ("article", "forum")[number % 2]
            url = f"https://site-{'abcdefgh'[number % 8]}{number}.org/{kind}/{number}"
            row = {"set": "typed", "site": url, "id": number, "html": told(number % 5)}
            lines.write(json.dumps(row | {"gold": gold(number % 5), "page_type": kind, "url": url}))
            lines.write("\n")
    evaluate("train-content", path, "--out", out)
    evaluate("train-types", path, "--out", out)
    types = type_weights_of(json.loads((out / "page_types.json").read_text()))
    model = content_model_of(json.loads((out / "content.json").read_text()), types)

    found = MainContent(model=model).content(parsed(told(1), "https://x.org/forum/1"))

    assert found.page_type == "forum"
    assert gold(1).split(". ")[0] in found.text


def test_training_needs_types(rows: Path, tmp_path: Path) -> None:
    """Pages without page_type are refused with the reason."""
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    done = CliRunner().invoke(
        main, ["evaluate", "train-content", str(rows), "--out", str(tmp_path / "models")]
    )

    assert done.exit_code != 0
    assert "page_type" in done.output


def test_sites_of_one_owner_are_in_one_fold() -> None:
    """A site that comes again in another set does not teach what it is tested on."""
    first = ContentGold("msv", "msv/bbc-05", "1", b"", "x")
    again = ContentGold("dragnet", "dragnet/news.bbc.co.uk", "2", b"", "x")
    typed = ContentGold("t", "t/x", "3", b"", "x", "forum", "https://forum.cnn.com/1")

    assert owner_of(first) == owner_of(again) == "bbc"
    assert owner_of(typed) == "cnn.com"


def test_labels_follow_the_order_of_the_gold() -> None:
    """Long runs are aligned, short ones only between them; what repeats content is content."""
    count, more = "One two three four five", "Six seven eight nine"

    found = content_labels(["Home", count, "Home", more, count], f"{count}\nHome\n{more}")

    assert found == [False, True, True, True, True]


def test_types_and_losses_are_counted(tmp_path: Path) -> None:
    """A page has a type; a list inside the selector that is gone is lost."""
    path = tmp_path / "typed.jsonl.xz"
    row = {"set": "t", "site": "a.org", "id": 1, "html": told(1), "gold": gold(1)}
    with lzma.open(path, "wt") as lines:
        lines.write(json.dumps(row | {"page_type": "article", "url": "https://a.org/news/1"}))
    folder, labels = tmp_path / "site", tmp_path / "labels"
    folder.mkdir()
    labels.mkdir()
    (folder / "a.html").write_text(f"<html><main><p>{gold(1) * 3}</p></main></html>")
    (labels / "site.csv").write_text("path,label\na.html,post\n")
    sites = {"site": {"content_selector": "main", "article_labels": ["post"]}}
    (tmp_path / "sites.json").write_text(json.dumps(sites))

    types = json.loads(evaluate("types", path, "--json"))
    lost = json.loads(evaluate("losses", folder, "--json"))

    assert [(one["page_type"], one["pages"]) for one in types] == [("article", 1)]
    assert [(one["pages"], one["found"], one["lost"]) for one in lost] == [(1, {"p": 1}, {"p": 0})]


def test_a_heading_that_the_selector_leaves_out_does_not_count(tmp_path: Path) -> None:
    """Neither in the losses of a site nor in its score."""
    folder, labels = tmp_path / "site", tmp_path / "labels"
    folder.mkdir()
    labels.mkdir()
    (folder / "a.html").write_text(
        "<html><head><title>The river rose again | River Blog</title></head><body><header><h2>The "
        f"river rose again</h2></header><main><p>{gold(1) * 6}</p></main></body></html>"
    )
    (labels / "site.csv").write_text("path,label\na.html,post\n")
    sites = {"site": {"content_selector": "main", "article_labels": ["post"]}}
    (tmp_path / "sites.json").write_text(json.dumps(sites))

    lost = json.loads(evaluate("losses", folder, "--json"))
    scores = json.loads(evaluate("content", folder, "--method", "single", "--json"))

    assert [(one["outside"], one["headings"]) for one in lost] == [(0, 20)]
    assert [row["score"]["f1"] for row in scores["rows"]] == [1.0, 1.0]


def test_samples_are_spread_evenly() -> None:
    """So many of the pages, from the first to nearly the last."""
    assert evenly_spread(10, 3) == [0, 3, 6]
    assert evenly_spread(2, 3) == [0, 1]
    assert evenly_spread(0, 3) == []


def test_times_of_peers_are_told_as_multiples_of_ours() -> None:
    """A peer that takes eight times as long in the same run is shown so."""
    score = WordScore(1.0, 1.0, 1.0)
    ours = SetRow("all seen", "all by hand", 9, score, 3.0, 4.0)
    peer = SetRow("other", "all by hand", 9, score, 24.0, 40.0)

    shown = time_table([ours, peer])

    assert shown.rows[-1][-4:] == ["24.0", "40.0", "8.0", "10.0"]
