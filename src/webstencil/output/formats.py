"""The formats of results, by name and by the end of a file's name."""

from collections.abc import Callable, Mapping
from pathlib import Path

from webstencil.errors import SettingsError
from webstencil.output.files import Known, Output
from webstencil.output.html import HtmlFolder, Templates, no_templates
from webstencil.output.json_lines import PACKED, JsonLines
from webstencil.output.markdown import MarkdownFolder
from webstencil.output.parquet import ParquetFolder

USUAL_RESULTS = "jsonl"
IN_A_FOLDER = "results.jsonl"  # the file for JSON lines if a folder is given
LINES_ENDINGS = dict.fromkeys((".jsonl", ".jsonl.gz", ".jsonl.zst", *PACKED), "jsonl")
RESULT_ENDINGS = {**LINES_ENDINGS, ".html": "html", ".parquet": "parquet", ".md": "md"}


def _json_lines(path: Path, known: Known) -> Output:
    return JsonLines(lines_file(path), known)


OUTPUTS: Mapping[str, Callable[[Path, Known], Output]] = {
    "html": HtmlFolder,
    "jsonl": _json_lines,
    "md": MarkdownFolder,
    "parquet": ParquetFolder,
}


def lines_file(path: Path) -> Path:
    """Return the file for JSON lines: the one that is named, or one in the named folder."""
    is_folder = path.is_dir() or not (ending_of(path) or path.exists())
    return path / IN_A_FOLDER if is_folder else path


def ending_of(path: Path) -> str:
    """Return the end of a file name that tells what is in it, empty for a folder."""
    ending = path.suffix.lower()
    return Path(path.stem).suffix.lower() + ending if ending in PACKED else ending


def format_of(
    path: Path,
    name: str | None = None,
    *,
    endings: Mapping[str, str] = RESULT_ENDINGS,
    usual: str = USUAL_RESULTS,
) -> str:
    """Return the format for a file name; raise if it is unknown, or not that of `name`."""
    ending = ending_of(path)
    if not ending or path.is_dir():
        return name or usual
    if ending not in endings:
        raise SettingsError(
            f"{path}: nothing is written as {ending}; let the name end in {', '.join(endings)}, or "
            "leave the ending out for a folder"
        )
    if name not in (None, endings[ending]):
        raise SettingsError(
            f"{path} ends as {endings[ending]}, and the format is {name}; change one of them"
        )
    return endings[ending]


def open_output(
    path: str | Path,
    name: str | None = None,
    known: Known = tuple,
    *,
    templates: Templates = no_templates,
) -> Output:
    """Open an output in a format, by default that of the file name.

    It starts with the results of `known`, as in `lambda: store.results(settings.learner)`, and
    replaces what an earlier run wrote. HTML draws slots over typical pages, which `templates` has.
    """
    path = Path(path)
    if str(path) == "-":
        raise SettingsError("results go to a file or folder, not to standard output; choose one")
    if name not in (None, *OUTPUTS):
        raise SettingsError(f"unknown format {name!r}; choose one of {', '.join(OUTPUTS)}")
    name = format_of(path, name)
    if name == "html":
        return HtmlFolder(path, known, templates)
    return OUTPUTS[name](path, known)
