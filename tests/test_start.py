"""What is loaded when: help at once, a command with its own libraries, a name with its module."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import webstencil
from webstencil.cli.commands import LazyCommand
from webstencil.cli.main import main

HEAVY = {
    *("ada_url", "msgspec", "publicsuffixlist", "rich", "sqlalchemy", "turbohtml"),
    *(
        "fastwarc",
        "jinja2",
        "matplotlib",
        "numpy",
        "pyarrow",
        "scrapy",
        "sklearn",
        "starlette",
        "uvicorn",
    ),
}
CALL = """
import sys
from webstencil.cli.main import main
main(sys.argv[1:], standalone_mode=False)
print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""
NAMED = "from webstencil.cli.main import main; main(prog_name='webstencil')"


WITHOUT_RESEARCH = """
import sys
from pathlib import Path
sys.path = [path for path in sys.path if not Path(path or ".", "research").is_dir()]
from webstencil.cli.main import main
main(prog_name="webstencil")
"""


def loaded(*arguments: str | Path) -> set[str]:
    """Return the libraries that a command loads, of those that take long."""
    call = [sys.executable, "-c", CALL, *map(str, arguments)]
    told = subprocess.run(call, capture_output=True, text=True, check=True).stderr
    return HEAVY & set(told.split())


def commands(command: click.Command, *above: str) -> Iterator[tuple[tuple[str, ...], LazyCommand]]:
    """Walk over all commands that are loaded later, with their names from the top."""
    known = command.load() if isinstance(command, LazyCommand) else command
    if isinstance(known, click.Group):
        for name, below in known.commands.items():
            if isinstance(below, LazyCommand):
                yield (*above, name), below
            yield from commands(below, *above, name)


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("evaluate", "--help")])
def test_help_loads_no_library_but_that_of_the_command_line(arguments: tuple[str, ...]) -> None:
    """Help does not wait for databases and parsers."""
    assert loaded(*arguments) == set()


def test_a_command_loads_only_what_it_needs(tmp_path: Path) -> None:
    """No database without a store, nothing of crawls, tables and plots."""
    (tmp_path / "a.html").write_text("<p>Text")
    html = {"ada_url", "msgspec", "numpy", "publicsuffixlist", "rich", "turbohtml"}

    assert loaded("segment", "--help") <= html
    assert loaded("extract", tmp_path / "a.html") <= html
    assert loaded("survey", tmp_path) <= html | {"sqlalchemy"}


def test_what_is_told_of_a_command_is_what_it_says() -> None:
    """Its sentence in the list is the first paragraph of its help, its name the same."""
    told = dict(commands(main))
    said = {names: told[names].load() for names in told}

    assert ("evaluate", "gallery") in told
    assert {names: (later.name, later.help) for names, later in told.items()} == {
        names: (names[-1], " ".join((command.help or "").split("\n\n")[0].split()))
        for names, command in said.items()
    }


def without_research(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Call the command line as the wheel has it: without the research package."""
    call = [sys.executable, "-c", WITHOUT_RESEARCH, *arguments]
    return subprocess.run(call, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["demo", "evaluate crawl"])
def test_a_command_the_package_lacks_says_where_to_run_it(name: str) -> None:
    """One sentence, exit code 2; its help is not there either."""
    done = without_research(*name.split(), "--help")

    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        f"Error: `{name}` is research code that the package does not include: "
        "run it from a clone of the repository\n",
    )


def test_help_lists_only_commands_that_can_be_run() -> None:
    """What is not installed is not promised."""
    assert "  demo" not in without_research("--help").stdout
    assert "  fidelity" in without_research("evaluate", "--help").stdout
    assert "  crawl" not in without_research("evaluate", "--help").stdout


def test_words_are_completed_by_a_shell() -> None:
    """Commands without being loaded, and the options of one."""

    def completed(words: str) -> list[str]:
        asked = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        told = subprocess.run(
            [
                sys.executable,
                "-c",
                "from webstencil.cli.main import main; main(prog_name='webstencil')",
            ],
            env={**os.environ, "_WEBSTENCIL_COMPLETE": "bash_complete", **asked},
            capture_output=True,
            text=True,
            check=True,
        )
        return told.stdout.split()

    assert completed("webstencil ste") == ["plain,stencils"]
    assert completed("webstencil sites dr") == ["plain,drift"]
    assert completed("webstencil sites drift --si") == ["plain,--since"]


def test_public_names_are_the_same_for_type_checkers() -> None:
    """The stub imports each name from the module that it is loaded from."""
    stub = ast.parse(Path(webstencil.__file__).with_suffix(".pyi").read_text())
    homes = {
        alias.name: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    listed = [ast.literal_eval(node.value) for node in stub.body if isinstance(node, ast.Assign)]

    assert homes == webstencil._HOMES
    assert listed == [sorted(listed[0], key=sort_key)]
    assert set(listed[0]) == set(webstencil.__all__) <= set(dir(webstencil))


def sort_key(name: str) -> tuple[int, str]:
    """Sort constants before classes before functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    """As of any module."""
    with pytest.raises(AttributeError, match="module 'webstencil' has no attribute 'Region'"):
        webstencil.Region  # type: ignore[attr-defined]  # noqa: B018 - looking is the test
