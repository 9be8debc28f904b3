"""What documents, docstrings, comments and messages name is there."""

from pathlib import Path

import pytest
from documented import (
    MODULES,
    ROOT,
    TEXTS,
    dead_identifiers,
    dead_lines,
    dead_names,
    messages_of,
    prose_of,
)

FOR_DEVELOPERS = [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md"]
MOST_WORDS = 22_000  # in all documents for users, so that somebody reads them


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        ("see site/nowhere.py", ["site/nowhere.py"]),
        ("see `errors.py`, tests/test_documented_names.py", []),
        ("docs/nowhere.md has the table", ["docs/nowhere.md"]),
        ("docs/output.md has the table, https://a.example/docs/nowhere.md none", []),
        ("`webstencil.Nothing` and `webstencil.Settings`", ["webstencil.Nothing"]),
        ("`webstencil.nowhere.Folder`, webstencil.toml", ["webstencil.nowhere.Folder"]),
        ("`python -m research.bench.nothing`", ["research.bench.nothing"]),
        ("`Settings.nothing`, `Settings.grain`", ["Settings.nothing"]),
        ("`Settings(grain=0.7, nothing=1)`", ["Settings.nothing"]),
        ("```toml\n[run]\nnothing = 1\nout = 2\n```", ["webstencil.toml: run.nothing"]),
        ("```toml\nnothing = 1\n[sites.drift]\nsince = 2\n```", ["webstencil.toml: nothing"]),
        ("`webstencil walk mirror/`", ["webstencil walk mirror/: no command walk"]),
        ("`webstencil run --walk 2`", ["webstencil run --walk 2: --walk"]),
        ("`webstencil run mirror/ --store site.db`", []),
        ("`--nothing N` and `--budget N`", ["--nothing"]),
        ("segment --set nothing=5 --set pdoc=5", ["--set nothing="]),
    ],
)
def test_a_wrong_name_is_found(text: str, dead: list[str]) -> None:
    """Of each kind, and a right one beside it is not."""
    assert dead_names(text) == dead


def test_a_wrong_identifier_is_found() -> None:
    """A class, a function and a constant that no code has; words of no code do not count."""
    text = "`NoSuchClass`, `no_such_thing()`, `NOSUCH`, `Settings`, `dead_identifiers`, `nothing`"

    assert dead_identifiers(text) == ["NOSUCH", "NoSuchClass", "no_such_thing"]


def test_docstrings_and_comments_are_read() -> None:
    """Of modules, classes and functions, each with its line."""
    source = '"""a.py"""\nX = "b.py"  # c.py\nclass A:\n    """d.py"""\n    def b(self): "e"'

    assert sorted(prose_of(source)) == [(1, "a.py"), (2, "# c.py"), (4, "d.py"), (5, "e")]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_names_in_documents_are_there(path: Path) -> None:
    """Files, modules, settings, commands, options."""
    assert dead_names(path.read_text()) == []


def test_names_in_docstrings_and_comments_are_there() -> None:
    """Of the package and of research."""
    dead = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in MODULES
        for line, text in prose_of(path.read_text())
        for name in (*dead_names(text), *dead_identifiers(text))
    ]

    assert dead == []


@pytest.mark.parametrize("path", FOR_DEVELOPERS, ids=lambda path: path.name)
def test_identifiers_in_documents_for_developers_are_there(path: Path) -> None:
    """Classes, functions and constants in code marks."""
    assert dead_identifiers(path.read_text()) == []


def test_commands_in_messages_are_there() -> None:
    """An error that says what to do names a command that works."""
    dead = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in MODULES
        for line, text in messages_of(path.read_text())
        if "`webstencil " in text
        for name in dead_lines(text)
    ]

    assert dead == []


def test_documents_for_users_stay_short() -> None:
    """What was measured, and what was tried, is told in the notebook."""
    assert sum(len(path.read_text().split()) for path in ROOT.glob("docs/*.md")) <= MOST_WORDS
