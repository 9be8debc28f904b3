"""Architecture: who may import whom, and where foreign libraries live."""

import ast
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

import webstencil

ROOT = Path(webstencil.__file__).parent
REPOSITORY = Path(__file__).parents[1]
# A module may import those of its own package and of the layers before its own.
LAYERS: tuple[tuple[str, frozenset[str]], ...] = (
    ("values", frozenset({"geometry", "errors", "urls", "version"})),
    ("values", frozenset({"model", "network", "processes"})),
    ("values", frozenset({"protocols", "markup"})),
    ("values", frozenset({"codec", "testing", "report"})),
    ("stages", frozenset({"sources", "render", "segment"})),
    ("site", frozenset({"site"})),
    ("content", frozenset({"content"})),
    ("stages", frozenset({"area_kinds", "items", "navigation", "picks"})),
    ("stages", frozenset({"store", "output"})),
    ("stages", frozenset({"settings"})),
    ("composer", frozenset({"stages"})),
    ("paper", frozenset({"paper"})),
    ("jobs", frozenset({"jobs"})),
    ("jobs", frozenset({"crawl", "queries", "api"})),
    ("front ends", frozenset({"evaluate", "web"})),
    ("front ends", frozenset({"cli"})),
    ("front ends", frozenset({"__init__", "__main__"})),
)
HEIGHT = {name: height for height, (_, names) in enumerate(LAYERS) for name in names}
NO_SCREEN = {"click", "jinja2", "rich", "starlette", "uvicorn"}  # not for what is shown by any


def modules(top: Path = ROOT) -> dict[str, Path]:
    """Name all modules by their path below a package, e.g. `segment.vips`."""
    found = {}
    for path in sorted(top.rglob("*.py")):
        name = ".".join(path.relative_to(top).with_suffix("").parts)
        found[name.removesuffix(".__init__") or "__init__"] = path
    return found


def imports(path: Path) -> set[str]:
    """List what a module imports when it runs, as dotted names."""
    tree = ast.parse(path.read_text())
    typing_only = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for part in ast.walk(node)
    }
    names = set()
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def ours(path: Path) -> set[str]:
    """List the first names, below the package, of our own modules that a module imports."""
    inside = [name.split(".")[1] for name in imports(path) if name.startswith("webstencil.")]
    return {name for name in inside if name in HEIGHT}


@pytest.mark.parametrize("module", modules())
def test_a_module_imports_its_own_package_and_lower_layers(module: str) -> None:
    """Values, stages, site, pipeline, jobs, front ends; commands are no exception."""
    own = module.split(".", maxsplit=1)[0]
    above = {name for name in ours(modules()[module]) - {own} if HEIGHT[name] >= HEIGHT[own]}

    assert above == set()


def test_the_package_does_not_need_research() -> None:
    """It is not in the wheel; commands that are there are named by texts."""
    knowing = [name for name, path in modules().items() if "research" in str(imports(path))]

    assert knowing == []


def test_the_papers_are_apart() -> None:
    """Nobody needs them but commands and evaluations, and the one line that chooses their loop."""
    allowed = {"paper", "cli", "evaluate", "web"}  # `web` is a command, too
    users = {
        name
        for name, path in modules().items()
        if any(f"{one}.".startswith("webstencil.paper.") for one in imports(path))
        and name.split(".")[0] not in allowed
    }
    asking = {
        name
        for name, path in modules().items()
        if name.split(".")[0] in {"jobs", "site", "stages", "crawl", "paper", "sources"}
        and "Mode." in path.read_text()
    }

    assert users == {"jobs.work"}
    assert asking == {"jobs.work"}


def test_only_the_composer_puts_stages_together() -> None:
    """Who segments, labels and marks is `stages.py`; everybody else asks it."""
    stages = {"webstencil.area_kinds.label_kinds", "webstencil.items.headlines.mark"}
    composing = [
        path.relative_to(REPOSITORY).as_posix()
        for top in (ROOT, REPOSITORY / "research")
        for path in modules(top).values()
        if stages & imports(path)
    ]

    assert composing == ["src/webstencil/stages.py"]


def test_a_foreign_library_is_imported_in_one_package() -> None:
    """It translates its errors there, and can swap it."""
    users = defaultdict(set)
    for name, path in modules().items():
        for imported in imports(path):
            library = imported.split(".")[0]
            if library not in sys.stdlib_module_names and library != "webstencil":
                users[library].add(name.split(".")[0])

    assert {library: files for library, files in users.items() if len(files) > 1} == {}


def test_queries_show_nothing_themselves() -> None:
    """They are for web pages, the command line and other programs alike."""
    used = {
        name.split(".")[0] for path in (ROOT / "queries").rglob("*.py") for name in imports(path)
    }

    assert used & NO_SCREEN == set()


def test_a_class_name_means_one_thing() -> None:
    """Whoever searches for it finds one class, in the package or in research."""
    names = Counter(
        node.name
        for top in (ROOT, REPOSITORY / "research")
        for path in modules(top).values()
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef)
    )

    assert {name: count for name, count in names.items() if count > 1} == {}


def test_public_names_are_there_and_hide_no_module() -> None:
    """What is not in `__all__` is private; a name never means a module and a function."""
    names = webstencil.__all__

    assert all(hasattr(webstencil, name) for name in names)
    assert set(names) & set(modules()) == set()


def test_queries_know_no_web_framework_and_no_terminal() -> None:
    """Web pages, commands and whatever comes show the same values."""
    shown = {"starlette", "jinja2", "uvicorn", "click", "rich", "webstencil.web", "webstencil.cli"}
    files = (ROOT / "queries").rglob("*.py")
    known = {name for path in files for name in imports(path)}

    assert [one for one in known for front in shown if f"{one}.".startswith(f"{front}.")] == []
