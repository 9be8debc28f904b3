"""Stores as the user names them: a path or a URL."""

from pathlib import Path
from typing import TypeAlias

from webstencil.store.database import Database
from webstencil.store.postgres import ADDRESS, PostgresDatabase
from webstencil.store.sqlite import file_of

StorePlace: TypeAlias = str | Path | PostgresDatabase  # what `open_store` takes


def place_named(text: str) -> Path | PostgresDatabase:
    """Return the file or database that the user names; its text has no password."""
    if ADDRESS.match(text):
        return PostgresDatabase.at(text)
    return file_of(text).path if "://" in text else Path(text)


def database_of(named: StorePlace) -> Database:
    """Return the database of a store."""
    if isinstance(named, PostgresDatabase):
        return named
    if isinstance(named, str) and ADDRESS.match(named):
        return PostgresDatabase.at(named)
    return file_of(named)


def without_password(argument: str) -> str:
    """Return an argument of a command without a password."""
    option, equals, value = argument.partition("=")
    if equals and option.startswith("-"):
        return f"{option}={without_password(value)}"
    return str(PostgresDatabase.at(argument)) if ADDRESS.match(argument) else argument
