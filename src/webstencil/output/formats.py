"""The formats of results, by name."""

from collections.abc import Callable, Mapping
from pathlib import Path

from webstencil.errors import SettingsError
from webstencil.output.files import Known, Output
from webstencil.output.html import HtmlFolder, Templates, no_templates
from webstencil.output.json_lines import JsonLines
from webstencil.output.markdown import MarkdownFolder
from webstencil.output.parquet import ParquetFolder

USUAL_FORMAT = "jsonl"
IN_A_FOLDER = "results.jsonl"  # the file for JSON lines if a folder is given
FILE_ENDINGS = {".html": "html", ".parquet": "parquet", ".md": "md"}


def _json_lines(path: Path, known: Known) -> Output:
    return JsonLines(path / IN_A_FOLDER if path.is_dir() else path, known)


OUTPUTS: Mapping[str, Callable[[Path, Known], Output]] = {
    "html": HtmlFolder,
    "jsonl": _json_lines,
    "md": MarkdownFolder,
    "parquet": ParquetFolder,
}


def format_of(path: Path) -> str:
    """Return the format for a file name."""
    return FILE_ENDINGS.get(path.suffix.lower(), USUAL_FORMAT)


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
    name = name or format_of(path)
    if name not in OUTPUTS:
        raise SettingsError(f"unknown format {name!r}; choose one of {', '.join(OUTPUTS)}")
    if name == "html":
        return HtmlFolder(path, known, templates)
    return OUTPUTS[name](path, known)
