"""Results as files: JSON lines, Parquet, Markdown, HTML; docs/output.md describes them."""

from collections.abc import Callable, Mapping
from pathlib import Path

from webstencil.errors import SettingsError
from webstencil.output.files import Known, Output
from webstencil.output.html import HtmlFolder, Stencils, no_stencils
from webstencil.output.json_lines import JsonLines, json_areas, json_line
from webstencil.output.markdown import MarkdownFolder
from webstencil.output.parquet import ParquetFolder

__all__ = [
    "OUTPUTS",
    "HtmlFolder",
    "JsonLines",
    "MarkdownFolder",
    "Output",
    "ParquetFolder",
    "format_of",
    "json_areas",
    "json_line",
    "open_output",
]

USUAL_FORMAT = "jsonl"
IN_A_FOLDER = "results.jsonl"  # the file for JSON lines if a folder is given
FILE_ENDINGS = {".html": "html", ".parquet": "parquet", ".md": "md"}


OUTPUTS: Mapping[str, Callable[[Path, Known], Output]] = {
    "html": HtmlFolder,
    "jsonl": JsonLines,
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
    stencils: Stencils = no_stencils,
) -> Output:
    """Open an output in a format, by default that of the file name.

    It starts with the results of `known`, as in `lambda: store.results(settings.learner)`, and
    replaces what an earlier run wrote. HTML draws slots over typical pages, which `stencils` has.
    """
    path = Path(path)
    if str(path) == "-":
        raise SettingsError("results go to a file or folder, not to standard output; choose one")
    name = name or format_of(path)
    if name not in OUTPUTS:
        raise SettingsError(f"unknown format {name!r}; choose one of {', '.join(OUTPUTS)}")
    if name == "html":
        return HtmlFolder(path, known, stencils)
    if name == "jsonl" and path.is_dir():
        path /= IN_A_FOLDER
    return OUTPUTS[name](path, known)
