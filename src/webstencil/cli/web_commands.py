"""`webstencil web`."""

import webbrowser
from importlib.util import find_spec
from typing import TypedDict, Unpack

import click

from webstencil.cli import screen
from webstencil.cli.method_options import (
    chosen_segmenters,
    is_published,
    preset_option,
    set_options,
    settings_help,
)
from webstencil.cli.store_option import store_option
from webstencil.errors import WebstencilError
from webstencil.model import Mode
from webstencil.queries.lists import Place, ShownStore

NEEDED = ("starlette", "uvicorn", "python_multipart")
LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})


class WebOptions(TypedDict):
    """Options of `webstencil web`."""

    store_path: Place
    host: str
    port: int
    names: tuple[str, ...]
    preset: str | None
    values: tuple[str, ...]
    fetch: bool
    open_it: bool


@click.command("web")
@store_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Interface to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    show_default=True,
    help="Port; 0 for any free one.",
)
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="Additional Host header to accept, as behind a reverse proxy (repeatable).",
)
@preset_option
@set_options
@settings_help
@click.option("--fetch", is_flag=True, help="Let visitors try URLs, which the server fetches.")
@click.option("--open", "open_it", is_flag=True, help="Open the pages in a browser.")
def web_command(**options: Unpack[WebOptions]) -> None:
    """Show the sites, slots and results of a store in a browser, and try single pages."""
    refuse_without_extra()
    # Optional dependencies, imported once they are known to be installed.
    from webstencil.web.app import make_app  # noqa: PLC0415
    from webstencil.web.server import address_of, bound, hosts_for, serve  # noqa: PLC0415

    host, published = options["host"], is_published(options["preset"], Mode.DEFAULT)
    segmenters = chosen_segmenters((), options["values"], published=published)
    shown = ShownStore(options["store_path"])
    taken = bound(host, options["port"])
    address = address_of(taken, host)
    if host not in LOCAL:
        screen.complain(
            f"Anyone who can reach {host} can see this store and try pages: there is no login."
        )

    def began() -> None:
        screen.say(f"Showing {shown.name} at {address} (Ctrl-C to stop)")
        if options["open_it"]:
            webbrowser.open(address)

    hosts = hosts_for(host, options["names"])
    app = make_app(shown, hosts, fetch=options["fetch"], segmenters=segmenters)
    serve(app, taken, began)


def refuse_without_extra() -> None:
    """Raise if a library is missing, before anything is opened."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise WebstencilError(
            f"the web pages need {', '.join(missing)}; install them with "
            "`pip install webstencil[web]`"
        )
