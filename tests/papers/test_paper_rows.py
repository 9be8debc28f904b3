"""Every row of research/notebook/papers.md has a test, and every test of this folder has a row."""

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TEXT = (ROOT / "research" / "notebook" / "papers.md").read_text()
TABLES = [line for line in TEXT.splitlines() if line.startswith("| ") and "::test_" in line]
NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)`")


def names_in(file: Path) -> set[str]:
    """List the tests of a file."""
    tree = ast.parse(file.read_text())
    names = (node.name for node in tree.body if isinstance(node, ast.FunctionDef))
    return {name for name in names if name.startswith("test_")}


KNOWN = {
    (file.name, name)
    for file in HERE.glob("test_*.py")
    if file.name != Path(__file__).name
    for name in names_in(file)
}


@pytest.mark.parametrize("row", TABLES)
def test_row_names_a_test_and_a_file(row: str) -> None:
    """Both are there."""
    _, what, files, test, said, _ = (cell.strip() for cell in row.split("|"))

    assert what
    assert said
    (named,) = NAMED.findall(test)
    assert named in KNOWN
    for file in re.findall(r"`([^`]+)`", files):
        base = ROOT if file.startswith("research/") else ROOT / "src" / "webstencil"
        assert (base / file).is_file()


def test_every_test_has_a_row() -> None:
    """A reader finds the test by the paper's own name for the thing."""
    assert {pair for row in TABLES for pair in NAMED.findall(row)} == KNOWN


def test_there_is_a_table_for_each_paper() -> None:
    """Five papers, and no row without a test among their tables."""
    tables = re.split(r"^\| what \| file \| test \| as published\? \|\n", TEXT, flags=re.MULTILINE)

    assert len(tables) == 6
    for table in tables[1:]:
        rows = [line for line in table.split("\n\n")[0].splitlines() if line.startswith("| ")]
        assert rows
        assert all(NAMED.search(row) for row in rows)
