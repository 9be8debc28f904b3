"""Options that several commands share; those of stores and segmenters are with their commands."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webstencil.content.page_types import PageType

if TYPE_CHECKING:
    from webstencil.render.scripts import ScriptRunner

STDOUT = ("-", "/dev/stdout")
PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)

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


template_option = click.option(
    "--template", metavar="NAME_OR_NUMBER", help="Write only pages of this template of their site."
)
type_option = click.option(
    "--type",
    "page_type",
    type=click.Choice([one.value for one in PageType]),
    help="Write only pages of this type.",
)


@dataclass(frozen=True, slots=True)
class WantedPages:
    """Which pages are written: those of a template, of a type, or all."""

    template: str | None = None  # name or number
    page_type: str | None = None

    @property
    def are_all(self) -> bool:
        """Return whether no page is left out."""
        return self.template is None and self.page_type is None

    def take(
        self, template: str | None, page_type: str | None, name_of: Callable[[int], str | None]
    ) -> bool:
        """Return whether a page is wanted; `name_of` names the templates of its site."""
        if self.page_type not in (None, page_type):
            return False
        if self.template is None:
            return True
        number = int(self.template) if self.template.isdecimal() else None
        return template is not None and (
            template == self.template or (number is not None and template == name_of(number))
        )

    def __str__(self) -> str:
        words = (("template", self.template), ("type", self.page_type))
        return " and ".join(f"{name} {value}" for name, value in words if value is not None)


ALL_PAGES = WantedPages()


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
