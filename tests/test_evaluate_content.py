"""The evaluation of main content: words, sets, sites, floors, weights."""

import json
import lzma
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_content import told

from research.training.content_weights import folds
from webstencil.cli.content_report import show_times
from webstencil.cli.main import main
from webstencil.evaluate.content.scores import SetRow
from webstencil.evaluate.labelled_data import spread
from webstencil.evaluate.words import WordScore, common_words, compare, words


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
    assert compare(words("B a a"), words("a b c")) == WordScore(2 / 3, 2 / 3, 2 / 3)
    assert compare([], []) == WordScore(1.0, 1.0, 1.0)
    assert compare(["a"], []) == WordScore(0.0, 0.0, 0.0)


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


def test_weights_are_trained_by_a_command(rows: Path, tmp_path: Path) -> None:
    """The command writes the module that the extractor reads."""
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    out = tmp_path / "weights.py"
    evaluate("train-content", rows, "--out", out)
    module: dict[str, object] = {}
    exec(out.read_text(), module)

    assert isinstance(module["BIAS"], float)
    assert "links around" in module["WEIGHTS"]


def test_sites_of_one_owner_are_in_one_fold() -> None:
    """A site that comes again in another set does not teach what it is tested on."""
    dealt = folds(["msv/bbc-05", "dragnet/news.bbc.co.uk", "x/cnn.com", "y/aif.ru"], 2)

    assert dealt["msv/bbc-05"] == dealt["dragnet/news.bbc.co.uk"]
    assert set(dealt.values()) == {0, 1}


def test_samples_are_spread_evenly() -> None:
    """So many of the pages, from the first to nearly the last."""
    assert spread(10, 3) == [0, 3, 6]
    assert spread(2, 3) == [0, 1]
    assert spread(0, 3) == []


def test_times_of_peers_are_told_as_multiples_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    """A peer that takes eight times as long in the same run is shown so."""
    score = WordScore(1.0, 1.0, 1.0)
    ours = SetRow("all seen", "all by hand", 9, score, 3.0, 4.0)
    peer = SetRow("other", "all by hand", 9, score, 24.0, 40.0)

    show_times([ours, peer])

    assert capsys.readouterr().out.splitlines()[-1].split()[-4:] == ["24.0", "40.0", "8.0", "10.0"]
