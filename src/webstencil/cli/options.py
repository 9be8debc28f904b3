"""Options that several commands share; stores, segmenters and jobs have files of their own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webstencil.errors import SettingsError

if TYPE_CHECKING:
    from webstencil.render.scripts import ScriptRunner

STDOUT = ("-", "/dev/stdout")
PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)


class FileNamed(click.Path):
    """A file that is written, and whose name has to end as what is in it."""

    def __init__(self, *endings: str, printed: bool = False) -> None:
        """Name the endings; `printed` means that it may also be `-`, standard output."""
        super().__init__(path_type=Path, dir_okay=False, allow_dash=printed)
        self.endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; a wrong end may be that of a page, which would be lost."""
        path = super().convert(value, param, ctx)
        if not isinstance(path, Path) or (self.allow_dash and is_stdout(path)):
            return path
        if path.suffix.lower() not in self.endings:
            named = param.opts[-1] if param else "it"
            raise SettingsError(f"{path}: what {named} writes ends in {' or '.join(self.endings)}")
        return path


base_url_option = click.option(
    "--base-url", help="Root URL of a folder, if its name does not give it, or URL of an HTML file."
)
pages_root_option = click.option(
    "--pages-root", type=PATH, help="Folder of the sites.  [default: that of PATH]"
)
table_option = click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="Output format.",
)


def is_stdout(out: Path | None) -> bool:
    """Return whether a name means standard output."""
    return out is not None and str(out) in STDOUT


def json_option(what: str) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Make an option that prints the result for programs."""
    return click.option("--json", "as_json", is_flag=True, help=f"Print {what} as JSON.")


# The option `--javascript`.


javascript_option = click.option(
    "--javascript",
    is_flag=True,
    help="Run the scripts of each page in a browser first, for sites that need them.",
)


@contextmanager
def scripts_if(wanted: bool) -> Iterator["ScriptRunner | None"]:
    """Start what runs the scripts of pages, if wanted."""
    if not wanted:
        yield None
        return
    from webstencil.render.scripts import ScriptRunner  # noqa: PLC0415 - it loads a browser

    with ScriptRunner() as run_scripts:
        yield run_scripts
