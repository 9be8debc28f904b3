"""Evaluations: one table of commands, one way to show, to average and to write scores."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from webstencil.cli.commands import LazyCommand
from webstencil.cli.evaluate_commands import EVALUATIONS, check_floors, evaluate, show_evaluated
from webstencil.cli.main import main
from webstencil.evaluate.floors import Measured, read_floors
from webstencil.evaluate.tables import (
    Evaluated,
    ScoreTable,
    grouped,
    joined_tables,
    mean_row,
    means,
    score_table,
)

OF_PACKAGE = [
    usage.split()[0]
    for module, usages in EVALUATIONS.items()
    if module.startswith("webstencil")
    for usage in usages
]
WITHOUT_RESEARCH = """
import sys
from pathlib import Path
sys.path = [path for path in sys.path if not Path(path or ".", "research").is_dir()]
from webstencil.cli.main import main
main(prog_name="webstencil")
"""


@dataclass(frozen=True)
class Inner:
    high: float | None


@dataclass(frozen=True)
class Scored:
    name: str
    pages: int
    share: float | None
    inner: Inner


ROWS = [Scored("a", 4, 0.5, Inner(1.0)), Scored("b", 1, None, Inner(2.0))]


def test_columns_say_which_figure_they_show_and_how() -> None:
    """A heading alone names its figure; what a row does not have is a dash."""
    found = score_table("t", ("set=name", "pages:n", "share:.2f", "a: b=inner.high:.1f"), ROWS)

    assert found.columns == ("set", "pages", "share", "a: b")
    assert found.rows == (["a", "4", "0.50", "1.0"], ["b", "1", "-", "2.0"])


def test_means_leave_out_what_is_not_known() -> None:
    """Of rows, of what is in them, and weighted."""
    assert mean_row(ROWS) == Scored("mean", 2.5, 0.5, Inner(1.5))
    assert mean_row([ROWS[0], ROWS[0]], "both", [1, 3]).pages == 4.0
    assert means(ROWS, "pages", most="inner.high") == {"pages": 2.5, "most": 1.5}


def test_rows_are_grouped_in_the_order_in_which_they_come() -> None:
    """By one figure, or by several."""
    assert list(grouped([*ROWS, ROWS[0]], "name")) == ["a", "b"]
    assert grouped(ROWS, "name", "pages") == {("a", 4): [ROWS[0]], ("b", 1): [ROWS[1]]}


def test_csv_has_all_rows_and_json_all_values(capsys: pytest.CaptureFixture[str]) -> None:
    """A table shows parts one by one; programs get all of it at once."""
    tables = [score_table(name, ("set=name", "pages"), ROWS) for name in ("x", "y")]
    found = Evaluated(
        [*tables, "words"], {"a": 1}, joined_tables("mode", *zip("xy", tables, strict=True))
    )
    shown = {}
    for form in ("table", "csv", "json"):
        show_evaluated(found, form)
        shown[form] = capsys.readouterr().out

    assert shown["csv"].splitlines() == ["mode,set,pages", "x,a,4", "x,b,1", "y,a,4", "y,b,1"]
    assert json.loads(shown["json"]) == {"a": 1}
    assert shown["table"].endswith("\n\nwords\n")


def test_floors_are_not_touched_by_what_has_none(tmp_path: Path) -> None:
    """Neither checked nor written anew."""
    file = tmp_path / "floors.json"
    check_floors(
        Evaluated([], None, measured=[Measured("x", {("f",): 0.55})]), file, True, steps=10
    )
    check_floors(Evaluated([ScoreTable("", (), ())], None), file, True, steps=10)

    assert read_floors(file)[""].scores == {("f",): 0.5}


@pytest.mark.parametrize("name", OF_PACKAGE)
def test_every_evaluation_speaks_all_formats(name: str) -> None:
    """In the same words, after its own options, and takes the data that the table says."""
    later = evaluate.commands[name]
    assert isinstance(later, LazyCommand)
    command = later.load()
    names = [one.name for one in command.params if isinstance(one, click.Option)]

    assert {"form", "as_json"} <= set(names)
    assert len(set(names)) == len(names)
    assert isinstance(command.params[0], click.Argument)


@pytest.mark.parametrize(
    "asked",
    [
        ("evaluate", "content", "x", "--method", "fastce"),
        ("evaluate", "fidelity", "x", "--mode", "paper"),
        ("evaluate", "navigation", "x", "--part", "classes"),
        ("evaluate", "segmentation", "x", "--oracle"),
    ],
)
def test_an_option_of_research_says_where_to_run_it(asked: tuple[str, ...]) -> None:
    """As commands of research do: one sentence, exit code 2."""
    call = [sys.executable, "-c", WITHOUT_RESEARCH, *asked]
    done = subprocess.run(call, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert " ".join(asked[-2:]).removeprefix("x ") in done.stderr
    assert "is research code that the package does not include" in done.stderr


def test_what_is_measured_is_asked_for() -> None:
    """No evaluation runs on nothing."""
    for name in OF_PACKAGE:
        done = CliRunner().invoke(main, ["evaluate", name])

        assert "Missing argument" in done.output
