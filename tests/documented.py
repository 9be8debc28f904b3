"""Names that texts give: of files, modules, settings, commands; and those that are not there."""

import ast
import io
import re
import shlex
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import click

from webstencil import Settings
from webstencil.cli.main import main
from webstencil.segment import SEGMENTERS

ROOT = Path(__file__).parents[1]
# The changelog and the notebook are records of their time.
TEXTS = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")} - {ROOT / "CHANGELOG.md"})
MODULES = sorted([*ROOT.glob("src/**/*.py"), *ROOT.glob("research/**/*.py")])
FOLDERS = ("docs", "eval", "examples", "research", "scripts", "src", "tests")

PYTHON_FILE = re.compile(r"(?<![\w./*<{-])((?:[\w-]+/)*\w[\w-]*\.py)\b(?!\w)")
PATH = re.compile(rf"(?<![\w./:@-])((?:{'|'.join(FOLDERS)}|notebook)/[\w./-]*[\w/])")
DOTTED = re.compile(r"(?<![\w./@-])((?:webstencil|research)(?:\.[A-Za-z_]\w*)+)(?!\w*[/@-])")
SETTING = re.compile(r"\bSettings\.(\w+)|\bSettings\(([^()]*)\)")
COMMAND = re.compile(r"`(webstencil [a-z][^`]*)`")
OPTION = re.compile(r"`(--[a-z][a-z-]*)[ `=]")
IDENTIFIER = re.compile(r"`([A-Za-z]\w*_\w+|[A-Z]+|[A-Z][a-z]+[A-Z]\w*)(?:\(\))?`")
# Names of others, and one that stands for any.
FOREIGN = frozenset({"http_proxy", "https_proxy", "no_proxy", "test_what_is_promised"})
SET = re.compile(r"--set (?:\w+\.)?(\w+)=")
TOML = re.compile(r"```toml\n(.*?)```", re.DOTALL)
MEANT = re.compile(r"[\[\]|…]|\.\.\.|\\$")  # what marks options, choices and repetitions


def dead_names(text: str) -> list[str]:
    """List what a text names that is not there."""
    return sorted({*dead_files(text), *dead_modules(text), *dead_settings(text), *dead_lines(text)})


def dead_files(text: str) -> Iterator[str]:
    """List files by the ends of their paths, and paths from the root of the repository."""
    yield from (name for name in PYTHON_FILE.findall(text) if name not in ends_of_files())
    yield from (name for name in PATH.findall(text) if not there(name))


@cache
def ends_of_files() -> frozenset[str]:
    """Return every end of every path, such as `b.py` and `a/b.py`."""
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")]
    parts = [file.relative_to(ROOT).parts for file in files]
    return frozenset("/".join(path[start:]) for path in parts for start in range(len(path)))


def there(name: str) -> bool:
    return name in ends_of_files() or any((ROOT / at / name).exists() for at in ("", "research"))


def dead_modules(text: str) -> Iterator[str]:
    """List dotted names that are no module, and nothing in one."""
    yield from (name for name in DOTTED.findall(text) if not is_there(name))


@cache
def is_there(name: str) -> bool:
    """Tell whether a dotted name can be imported, or is an attribute of what can be."""
    if name == "webstencil.toml":  # a file
        return True
    parts = [part for part in name.split(".") if part != "NAME"]  # which stands for any
    for number in range(len(parts), 0, -1):
        folder = ROOT / ("src" if parts[0] == "webstencil" else "") / "/".join(parts[:number])
        if folder.with_suffix(".py").exists() or (folder / "__init__.py").exists():
            break
    else:
        return folder.is_dir()
    value = import_module(".".join(parts[:number])) if number < len(parts) else None
    for part in parts[number:]:
        if not hasattr(value, part):
            return part in getattr(value, "__annotations__", {})
        value = getattr(value, part)
    return True


def dead_identifiers(text: str) -> list[str]:
    """List names of functions, classes and constants in code marks that no code has."""
    return sorted({*IDENTIFIER.findall(text)} - words_of_code() - FOREIGN)


@cache
def words_of_code() -> frozenset[str]:
    """Return every name in code, and every word of its strings; of tests, only the names."""
    words = {end.removesuffix(".py") for end in ends_of_files()}
    ours = frozenset(MODULES)
    for path in (*MODULES, *ROOT.glob("tests/**/*.py")):
        tree = ast.parse(path.read_text())
        prose = {id(node.body[0].value) for node in ast.walk(tree) if is_documented(node)}
        for node in ast.walk(tree):
            names = (getattr(node, key, None) for key in ("id", "attr", "name", "arg", "asname"))
            words.update(name for name in names if isinstance(name, str))
            if path in ours and isinstance(node, ast.Constant) and id(node) not in prose:
                words.update(re.findall(r"\w+", str(node.value)))
    return frozenset(words)


def is_documented(node: ast.AST) -> bool:
    """Tell whether a node has a docstring."""
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    return isinstance(node, kinds) and ast.get_docstring(node, clean=False) is not None


def dead_settings(text: str) -> Iterator[str]:
    """List fields of `Settings`, settings of segmenters and keys of webstencil.toml."""
    for field, keywords in SETTING.findall(text):
        names = [field] if field else re.findall(r"(\w+)=", re.sub(r"=\s*\w+\(.*", "=", keywords))
        yield from (f"Settings.{name}" for name in names if not hasattr(Settings, name))
    yield from (f"--set {name}=" for name in SET.findall(text) if name not in segmenter_settings())
    for block in TOML.findall(text):
        yield from dead_keys(tomllib.loads(block), main, "")


@cache
def segmenter_settings() -> frozenset[str]:
    """Return every setting of every segmenter, and what stands for any."""
    fields = (field for kind in SEGMENTERS.values() for field in kind.__dataclass_fields__)
    return frozenset({"NAME", *fields})


def dead_keys(table: dict[str, object], command: click.Command, before: str) -> Iterator[str]:
    """List keys of a table that are neither options of a command nor its commands."""
    for key, value in table.items():
        below = command_of(command, key)
        if below is not None and isinstance(value, dict):
            yield from dead_keys(value, below, f"{before}{key}.")
        elif f"--{key}" not in (options(command) if before else all_options()):
            yield f"webstencil.toml: {before}{key}"


def command_of(group: click.Command, name: str) -> click.Command | None:
    """Load a command of a group."""
    if not isinstance(group, click.Group) or name not in group.commands:
        return None
    return group.resolve_command(click.Context(group), [name])[1]


def dead_lines(text: str) -> Iterator[str]:
    """List command lines in code marks, and options alone."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)  # blocks have a test of their own
    for line in COMMAND.findall(text):
        fault = fault_of(line)
        if fault:
            yield f"{line}: {fault}"
    yield from (name for name in OPTION.findall(text) if name not in all_options())


def fault_of(line: str) -> str:
    """Say what is wrong with a command line; nothing is run."""
    command: click.Command = main
    words = shlex.split(MEANT.sub(" ", " ".join(line.split())))[1:]
    while words and words[0][0] != "-" and isinstance(command, click.Group):
        below = command_of(command, words[0])
        if below is None:
            return f"no command {words[0]}"
        command, words = below, words[1:]
    given = {word.split("=")[0] for word in words if re.match("--?[a-z]", word)}
    return " ".join(sorted(given - options(command)))


def options(command: click.Command) -> set[str]:
    """Return every way to write the options of a command."""
    names = [name for one in command.params for name in (*one.opts, *one.secondary_opts)]
    return {"--help", *[name for name in names if name.startswith("-")]}


@cache
def all_options() -> frozenset[str]:
    """Return the options of all commands."""
    names: set[str] = set()
    waiting: list[click.Command] = [main]
    while waiting:
        command = waiting.pop()
        names |= options(command)
        inner = command.commands if isinstance(command, click.Group) else ()
        waiting += [below for name in inner if (below := command_of(command, name))]
    return frozenset(names)


def prose_of(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each docstring and each run of comments in a module."""
    for node in ast.walk(ast.parse(source)):
        if is_documented(node):
            yield node.body[0].lineno, ast.get_docstring(node)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def messages_of(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each string that names a command."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
