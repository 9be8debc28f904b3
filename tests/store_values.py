"""Stencils and results for the tests of the store."""

import importlib
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from webstencil.geometry import Rect
from webstencil.model import NO_PARENT, TEXT, Area, PageArea, PageResult, Status, Stencil, Tree
from webstencil.protocols import Done

VIPS = "Vips(pdoc=8)"
BCS = "Bcs(threshold=0.1)"
SITE = "example.org"


def stencil_of(key: str, *, site: str = SITE, learner: str = VIPS) -> Stencil:
    return Stencil(
        key=key,
        site=site,
        tree=Tree(("html", "body", TEXT), (NO_PARENT, 0, 1), ("", "b", ""), ("", "", "")),
        paths=frozenset({1, 2**64 - 1}),
        areas=(Area(Rect(0, 0, 1366, 768), (1,)), Area(Rect(8, 8, 90, 20), (2,), parent=0)),
        made_by=learner,
        made_from=f"https://{site}/{key}",
    )


def result_of(
    name: str | int, status: Status = Status.HIT, *, site: str = SITE, stencil: str | None = "k"
) -> PageResult:
    area = PageArea(0, None, "menu", f"Page {name}", "body", "/html/body", Rect(0, 0, 9, 9), 2, 0.5)
    return PageResult(f"https://{site}/{name}", site, status, stencil, 0.5, (area,))


def numbered_page(number: int) -> Done:
    """Return what a process saves for a page; every third one is learned from."""
    digest = number.to_bytes(16)
    if number % 3:
        return Done(result_of(number), digest)
    key = f"k{number}"
    return Done(result_of(number, Status.LEARNED, stencil=key), digest, stencil_of(key))


def rows(place: str | Path, query: str) -> list[tuple[object, ...]]:
    """Ask the database of a store, of either kind."""
    with closing(connected(place)) as database:
        return database.execute(query).fetchall()


def run(place: str | Path, script: str) -> None:
    """Change the database of a store, of either kind."""
    with closing(connected(place)) as database:
        if isinstance(database, sqlite3.Connection):
            database.executescript(script)
        else:
            database.execute(script)
            database.commit()


def connected(place: str | Path) -> Any:
    """Connect to a database past the store."""
    if not str(place).startswith("postgresql"):
        return sqlite3.connect(place)
    address, _, schema = str(place).partition("?schema=")
    return importlib.import_module("psycopg").connect(address, options=f"-c search_path={schema}")
