"""Architecture: who may import whom, and where foreign libraries live."""

import ast
import sys
from collections import defaultdict
from pathlib import Path

import pytest

import webstencil

ROOT = Path(webstencil.__file__).parent
VALUES = {
    "model",
    "geometry",
    "errors",
    "seams",
    "markup",
    "urls",
    "codec",
    "unpack",
    "picked",
    "paths",
    "places",
}  # what every stage may know
STAGES = ("parse", "match", "represent", "locate", "describe", "overlay")
STAGE_FOLDERS = (
    *("segment", "kinds", "transfer", "pinpoint", "extract", "templates", "navigation"),
    *("render", "store", "sources"),
)


def modules() -> dict[str, Path]:
    """Name all modules by their path below the package, e.g. `segment.vips`."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__") or "__init__"] = path
    return found


def imports(path: Path) -> set[str]:
    """List what a module imports, as dotted names."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def ours(path: Path) -> set[str]:
    """List the first names, below the package, of our own modules that a module imports."""
    inside = {name.removeprefix("webstencil.") for name in imports(path) if "webstencil." in name}
    return {name.split(".")[0] for name in inside}


@pytest.mark.parametrize("stage", STAGES)
def test_stages_know_the_values_and_not_each_other(stage: str) -> None:
    """Only pipeline.py knows the order of the stages."""
    assert ours(ROOT / f"{stage}.py") <= VALUES


@pytest.mark.parametrize("folder", STAGE_FOLDERS)
def test_folders_of_stages_know_the_values_and_themselves(folder: str) -> None:
    """A segmenter does not know the renderer, nor a store the pipeline."""
    files = [path for path in (ROOT / folder).rglob("*.py") if "commands" not in path.stem]
    known = {name for path in files for name in ours(path)}

    assert known <= VALUES | {folder}


def test_a_foreign_library_is_imported_in_one_place() -> None:
    """One file, or the files of one folder, translate its errors and can swap it.

    A folder's `commands.py` or `x_commands.py` is a part of the command line.
    """
    users = defaultdict(set)
    for name, path in modules().items():
        for imported in imports(path):
            library = imported.split(".")[0]
            if library not in sys.stdlib_module_names and library != "webstencil":
                commands = name.endswith((".commands", "_commands"))
                users[library].add("cli" if commands else name.split(".")[0])

    assert {library: files for library, files in users.items() if len(files) > 1} == {}


def test_nobody_but_the_command_line_knows_the_web_pages() -> None:
    """They look at everything, as the command line does; nothing looks back."""
    knowing = [
        name
        for name, path in modules().items()
        if "web" in ours(path) and name.split(".")[0] not in {"web", "cli"}
    ]

    assert knowing == []
    assert "pipeline" not in {name for path in (ROOT / "web").glob("*.py") for name in ours(path)}


def test_public_names_are_there_and_hide_no_module() -> None:
    """What is not in `__all__` is private; a name never means a module and a function.

    `extract` is the exception: it is the call people know, and bound after its folder is loaded.
    """
    names = webstencil.__all__

    assert all(hasattr(webstencil, name) for name in names)
    assert set(names) & set(modules()) == {"extract"}
    assert callable(webstencil.extract)


def test_queries_know_no_web_framework_and_no_terminal() -> None:
    """Web pages, commands and whatever comes show the same values."""
    shown = {"starlette", "jinja2", "uvicorn", "click", "rich", "webstencil.web", "webstencil.cli"}
    files = (ROOT / "queries").rglob("*.py")
    known = {name for path in files for name in imports(path)}

    assert [one for one in known for front in shown if f"{one}.".startswith(f"{front}.")] == []
