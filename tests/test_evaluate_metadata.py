"""`webstencil evaluate metadata` and `evaluate train-metadata`."""

import json
import lzma
from pathlib import Path

import pytest
from click.testing import CliRunner

from webstencil.cli.main import main
from webstencil.evaluate.metadata import is_right
from webstencil.items.metadata import fitted_metadata

HTML = (
    "<html><head><title>{0} | Site</title><meta name=author content='{1}'></head><body><h1>{0}</h1>"
    "<time>{2}</time><p>It rains in Rome. It rains in Rome.</p></body></html>"
)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """Write a file of labelled pages."""
    path = tmp_path / "pages.jsonl.xz"
    rows = []
    for number, name in enumerate(("Ann Lee", "Bob Ray", "Eve Fox", "Max Poe")):
        html = HTML.format(f"Rain {number}", name, f"2020-02-0{number + 1}")
        row = {
            "site": f"s{number}.example",
            "id": str(number),
            "html": html,
            "title": f"Rain {number}",
        }
        url = f"http://s{number}.example/rain-{number}.html"
        told = {"author": name, "date": f"2020-02-0{number + 1}" if number else "1999-01-01"}
        rows.append(row | told | {"url": url, "page_type": "article"})
    with lzma.open(path, "wt") as file:
        file.write("\n".join(map(json.dumps, rows)))
    return path


def run(*words: object) -> str:
    """Run a command of `evaluate`."""
    told = CliRunner().invoke(main, ["evaluate", *map(str, words)])
    assert told.exit_code == 0, told.output
    return told.output


def test_found_right_and_wrong_are_counted(gold: Path) -> None:
    """By field and page type."""
    told = json.loads(run("metadata", gold, "--json"))
    rows = {(row["field"], row["type"]): row for row in told["rows"]}
    date = rows["date", "article"]

    assert [rows[field, "all"]["right"] for field in ("title", "date", "author")] == [4, 3, 4]
    assert (date["gold"], date["found"], date["wrong"], date["recall"]) == (4, 4, 1, 0.75)
    assert len(told["scores"]) == 12


def test_what_is_wrong_is_listed(gold: Path) -> None:
    """With what people say."""
    assert "date article 0: '2020-02-01', gold '1999-01-01'" in run("metadata", gold, "--worst")


def test_weights_are_trained(gold: Path, tmp_path: Path) -> None:
    """And written as the package has them."""
    run("train-metadata", gold, "--out", tmp_path, "--folds", "2")

    written = json.loads((tmp_path / "metadata.json").read_text())
    assert written.keys() == fitted_metadata().keys()
    assert all(isinstance(weight, float) for field in written.values() for weight in field.values())


@pytest.mark.parametrize(
    ("field", "found", "gold", "right"),
    [
        ("title", "Rain\u2019s end", "rain's end!", True),
        ("title", "Rain | Site", "Rain", False),
        ("date", "2020-02-03", "2020-02", True),
        ("date", "2020-02-03", "2020-02-04", False),
        ("author", "Bob Ray, Ann Lee", "By Ann Lee and Bob Ray", True),
        ("author", "Ann Lee", "Ann Lee and Bob Ray", False),
    ],
)
def test_what_is_right(field: str, found: str, gold: str, right: bool) -> None:
    """Signs and order of names do not matter, anything else does."""
    assert is_right(field, found, gold) is right
