"""Options that mean the same in all commands."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from documented import command_of, options

from webstencil.cli import screen
from webstencil.cli.main import main

RESULTS = {"jsonl", "parquet"}  # formats of results, which are no table


def commands(group: click.Command = main, *names: str) -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its name."""
    assert isinstance(group, click.Group)
    for name in group.list_commands(click.Context(group)):
        below = command_of(group, name)
        assert below is not None
        if isinstance(below, click.Group):
            yield from commands(below, *names, name)
        else:
            yield " ".join((*names, name)), below


COMMANDS = dict(commands())


def run(*arguments: str | Path, given: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=given)


@pytest.mark.parametrize("name", COMMANDS)
def test_all_commands_have_the_same_options(name: str) -> None:
    """Each can be quiet; `--json` is where `--format json` is; tables are CSV, too."""
    command = COMMANDS[name]
    forms = next((one.type.choices for one in command.params if "--format" in one.opts), ())

    assert options(command) >= {"-q", "--quiet"}
    assert ("--json" in options(command)) == ("json" in forms)
    assert ("csv" in forms) == ("table" in forms)


def test_json_is_short_for_its_format(tmp_path: Path) -> None:
    """Who asks for another format, too, is told."""
    (tmp_path / "a.html").write_text("<title>Rain</title><p>It rains in Rome.")
    (tmp_path / "b.html").write_text("<ul><li><a href=a.html>Rain</a><li><a href=b.html>B</a></ul>")
    short, long, both = (
        run("navigation", tmp_path, *words)
        for words in (["--json"], ["--format", "json"], ["--json", "--format", "tree"])
    )

    assert short.stdout == long.stdout != ""
    assert both.exit_code == 2
    assert "--json and --format tree exclude each other; give one of them" in both.output


def test_quiet_commands_print_results_and_errors_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No progress, no notes; the next command is as before."""
    monkeypatch.setattr(screen, "EVERY", -1.0)
    monkeypatch.chdir(tmp_path)
    Path("a.html").write_text(f"<title>A</title><h1>A</h1><p>{'It rained all day. ' * 20}")
    loud, quiet, again = (
        run("extract", "a.html", "--out", "a.md", *words) for words in ([], ["-q"], [])
    )

    assert "pages written to a.md: 1" in loud.stderr
    assert (quiet.exit_code, quiet.output) == (0, "")
    assert again.stderr == loud.stderr
    assert run("extract", "nowhere", "--quiet").stderr.startswith("Error: ")


STOPPED = """
import signal, sys
import webstencil.{module} as module
def stop(*_, **__):
    signal.raise_signal(signal.SIGINT)
module.{name} = stop
from webstencil.cli.main import main
main()
"""


@pytest.mark.parametrize(
    ("command", "module", "name"),
    [
        ("extract .", "cli.extract_commands", "models_of"),
        ("survey .", "cli.survey_commands", "survey"),
        ("segment a.html", "cli.segment_commands", "parse"),
        ("--debug items a.html", "cli.items_commands", "parse"),
        ("evaluate order .", "cli.evaluate_sites", "chosen_segmenter"),
    ],
)
def test_ctrl_c_ends_every_command_with_130(
    command: str, module: str, name: str, tmp_path: Path
) -> None:
    """Not with 1, by which commands that judge say that the answer is no."""
    (tmp_path / "a.html").write_text("<p>A")
    program = [sys.executable, "-c", STOPPED.format(module=module, name=name), *command.split()]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 128 + signal.SIGINT
    assert done.stderr.splitlines()[-1] == "Error: stopped by Ctrl-C"
    assert "Traceback" not in done.stderr
