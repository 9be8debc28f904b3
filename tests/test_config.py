"""Options from a file: the command line as it is with a `webstencil.toml`."""

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from webstencil.cli.commands import SHARED, give_options
from webstencil.cli.main import main

PAGE = f"<title>Rain</title><h1>Rain</h1><article><p>{'Much rain fell. ' * 30}</article>"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the current folder one with a page."""
    (tmp_path / "page.html").write_text(PAGE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_file_of_the_current_folder_gives_defaults(folder: Path) -> None:
    """Options by their names on the command line; `--help` tells them, too."""
    (folder / "webstencil.toml").write_text('[extract]\nformat = "jsonl"\nmetadata = true\n')

    assert json.loads(run("extract", "page.html").output)["title"] == "Rain"
    assert "[default: jsonl]" in " ".join(run("extract", "--help").output.split())


def test_what_is_typed_wins(folder: Path) -> None:
    """Over the file."""
    (folder / "webstencil.toml").write_text('[extract]\nformat = "jsonl"\n')

    assert run("extract", "page.html", "--format", "txt").output.startswith("Rain\n")


def test_another_file_can_be_named(folder: Path) -> None:
    """Then that of the current folder is not read."""
    (folder / "webstencil.toml").write_text("this is no TOML")
    (folder / "other.toml").write_text('[extract]\nformat = "html"\n')

    assert run("--config", "other.toml", "extract", "page.html").output.startswith("<")


def test_a_store_is_that_of_all_commands_that_have_one(folder: Path) -> None:
    """Also in groups; commands without a store do not mind."""
    (folder / "webstencil.toml").write_text('store = "none.db"\n')
    told = "Error: there is no store none.db; `webstencil run FOLDER --store none.db` creates it\n"

    assert run("stencils", "list").output == told
    assert run("sites", "drift").output == told
    assert run("survey", "page.html").exit_code == 0


def test_settings_of_the_segmenter_may_be_a_table(folder: Path) -> None:
    """As `--set` takes them, one by one."""
    (folder / "webstencil.toml").write_text("[segment]\nset = { pdoc = 99, flow = false }\n")

    assert run("segment", "page.html").output == "Error: pdoc must be 1..10, not 99\n"


def test_an_option_may_have_the_name_of_a_command() -> None:
    """A value is an option for all, a table is that of the command."""
    option = click.Option(["--store"])
    group = click.Group("main", {name: click.Command(name, params=[option]) for name in "ab"})
    group.add_command(click.Group("store", {"copy": click.Command("copy", params=[option])}))
    given = []
    for name in ("a", "store"):
        for table in ({"store": "x.db"}, {"store": {"copy": {"store": "y.db"}}}):
            context = click.Context(group, default_map=dict(table))
            give_options(context, group, name, group.commands[name])
            given.append(context.default_map)

    assert given == [
        {"a": {"store": "x.db"}},
        {"a": {}},
        {"store": {"store": "x.db"}},
        {"store": {"copy": {"store": "y.db"}}},
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[survey]\njsn = true", "survey has no option jsn; it has base-url, budget, "),
        ("[rnu]\nworkers = 2", "there is no command rnu; there are browser, "),
        ("json = true", "json must be in the table of a command; only base-url and store need"),
        ("[survey]\njson = 'yes'", "json must be true or false, not 'yes'"),
        ("[survey]\nbase-url = true", "base-url must be a text or a number, not True"),
        ("[survey]\nbase-url = ['a']", "base-url takes one value, not ['a']"),
    ],
)
def test_what_no_command_takes_is_refused(folder: Path, text: str, told: str) -> None:
    """The file, the key and what there is are told."""
    (folder / "webstencil.toml").write_text(text)
    result = run("survey", "page.html")

    assert result.exit_code == 2
    assert result.output.startswith(f"Error: webstencil.toml: {told}")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("workers = 0", "workers: 0 is not in the range x>=1."),
        ("workers = 2.5", "workers: '2.5' is not a valid integer range."),
        ("items = ['contnt']", "items: 'contnt' is not one of 'content', "),
    ],
)
def test_values_are_checked_as_if_they_were_typed(folder: Path, text: str, told: str) -> None:
    """With the words of the command line."""
    (folder / "webstencil.toml").write_text(f"[run]\n{text}")

    assert run("run", "page.html").output.startswith(f"Error: webstencil.toml: {told}")


def test_a_file_that_cannot_be_read_is_told(folder: Path) -> None:
    """With the line of a mistake."""
    (folder / "webstencil.toml").write_text("[run]\nworkers = \n")

    assert run("survey", "page.html").output.startswith(
        "Error: webstencil.toml is not a TOML file: Invalid value (at line 2, column 11)"
    )
    assert run("--config", "none.toml", "survey", "page.html").output == (
        "Error: none.toml cannot be read: No such file or directory\n"
    )


def test_shared_options_are_those_of_many_commands() -> None:
    """What may be above all tables is an option of several commands."""
    loaded = [main.resolve_command(click.Context(main), [name])[1] for name in main.commands]
    options = [name for one in loaded if one for param in one.params for name in param.opts]

    assert [name for name in SHARED if options.count(f"--{name}") < 3] == []
