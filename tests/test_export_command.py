"""`webstencil export`: results of a store without its sources."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from web_store import PAGES, make_store

from webstencil.cli.main import main


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that no test changes."""
    return make_store(tmp_path_factory.mktemp("export") / "site.db")


def exported(path: Path, *words: str) -> str:
    done = CliRunner().invoke(main, ["export", str(path), *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_results_are_written_in_each_format(path: Path, tmp_path: Path) -> None:
    """The end of the name decides; JSON lines go to a pipe, too."""
    for name in ("out.jsonl", "out.csv", "out.parquet"):
        exported(path, "--out", str(tmp_path / name))
    lines = (tmp_path / "out.jsonl").read_text()
    rows = list(csv.DictReader((tmp_path / "out.csv").open()))

    assert exported(path, "--out", "-") == lines
    assert [row["url"] for row in rows] == [json.loads(one)["url"] for one in lines.splitlines()]
    assert (tmp_path / "out.parquet" / "pages").is_dir()


@pytest.mark.parametrize(
    ("words", "pages"),
    [
        (("--site", "b.example"), 2),
        (("--site", "a.example", "--template", "2"), PAGES),
        (("--status", "failed"), 1),
        (("--site", "a.example", "--type", "nothing"), 0),
    ],
)
def test_results_are_filtered(path: Path, words: tuple[str, ...], pages: int) -> None:
    """By site, template, type and status."""
    assert len(exported(path, "--out", "-", *words).splitlines()) == pages


def test_a_template_has_a_name_and_a_number(path: Path) -> None:
    """Both find its pages."""
    by_number = exported(path, "--out", "-", "--site", "a.example", "--template", "2")
    name = json.loads(by_number.splitlines()[0])["template"]

    assert exported(path, "--out", "-", "--site", "a.example", "--template", name) == by_number
