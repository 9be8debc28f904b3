"""The formats of results, by name."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Protocol, Self, TypeAlias

from webstencil.errors import SettingsError
from webstencil.model import PageResult
from webstencil.output.html import HtmlFolder
from webstencil.output.json_lines import JsonLines
from webstencil.output.markdown import MarkdownFolder
from webstencil.output.parquet import ParquetFolder

Known: TypeAlias = Callable[[], Iterable[PageResult]]

DEFAULT = "jsonl"
IN_A_FOLDER = "results.jsonl"  # where JSON lines go if a folder is named
FILE_ENDINGS = {".html": "html", ".parquet": "parquet", ".md": "md"}


class Output(Protocol):
    """Takes results to where a person wants them, and follows a store in that.

    It is opened with what the store knows, and asks again where a page was done again. What is
    there when a run ends is all of it, whatever ended earlier runs.
    """

    def write(self, result: PageResult) -> None:
        """Take the result of a page; it takes the place of an earlier one."""

    def close(self) -> None:
        """Finish all files."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


def _json_lines(path: Path, known: Known) -> Output:
    return JsonLines(path / IN_A_FOLDER if path.is_dir() else path, known)


FORMATS: Mapping[str, Callable[[Path, Known], Output]] = {
    "html": HtmlFolder,
    "jsonl": _json_lines,
    "md": MarkdownFolder,
    "parquet": ParquetFolder,
}


def format_of(path: Path) -> str:
    """Tell the format from the name of what is to be written."""
    return FILE_ENDINGS.get(path.suffix.lower(), DEFAULT)


def open_output(path: str | Path, name: str | None = None, known: Known = tuple) -> Output:
    """Open an output in the format of that name, by default the one that `path` tells.

    It begins with the results that `known` gives, as in `lambda: store.results(settings.learner)`,
    and takes the place of what an earlier run has written there.
    """
    path = Path(path)
    if str(path) == "-":
        raise SettingsError("results go to a file or folder, not to standard output; name one")
    name = name or format_of(path)
    if name not in FORMATS:
        raise SettingsError(f"there is no format {name!r}; there are {', '.join(FORMATS)}")
    return FORMATS[name](path, known)
