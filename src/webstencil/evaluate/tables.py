"""Scores as tables: rows of named figures, shown, averaged and written as JSON in one way.

A row is a frozen dataclass. The columns of a table are texts: the heading, and after `=` the figure
of the row that it shows, if that has another name, and after `:` how the figure is written.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from operator import attrgetter
from statistics import fmean
from typing import TYPE_CHECKING, Any, TypeVar

from webstencil.evaluate.floors import Measured

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

COUNT = "n"  # a format: at most one digit behind the point, since means are counts, too
NO_FIGURE = "-"  # instead of a figure that a row does not have

Row = TypeVar("Row", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """A table as it is shown."""

    title: str  # empty if nothing is said of it
    columns: tuple[str, ...]
    rows: tuple[Sequence[str], ...]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What an evaluation found: tables and lines for people, values for programs."""

    parts: Sequence[ScoreTable | str]
    values: Any  # what JSON can say
    every_row: ScoreTable | None = None  # of all tables, for CSV; None: those of the first one
    measured: Sequence[Measured] = ()  # scores that have floors
    left_out: Sequence[str] = ()  # URLs of pages that are empty or not HTML
    holds: bool = True  # False: what was checked is not so


def score_table(title: str, columns: Sequence[str], rows: Iterable[object]) -> ScoreTable:
    """Make a table of rows.

    >>> score_table("", ["ARI=real:.2f", "imag:n"], [1.5 + 2j])
    ScoreTable(title='', columns=('ARI', 'imag'), rows=(['1.50', '2'],))
    """
    return ScoreTable(title, table_headings(columns), tuple(cells_of(row, columns) for row in rows))


def cells_of(row: object, columns: Iterable[str]) -> list[str]:
    """Write the figures of a row."""
    return [figure(attrgetter(name)(row), form) for _, name, form in map(_column, columns)]


def _column(text: str) -> tuple[str, str, str]:
    """Split a text into heading, figure and format."""
    heading, named, rest = text.partition("=")
    figures, _, form = (rest if named else text).partition(":")
    return (heading if named else figures), figures.replace(" ", "_"), form


def table_headings(columns: Iterable[str]) -> tuple[str, ...]:
    """Return the headings of columns."""
    return tuple(_column(column)[0] for column in columns)


def figure(value: object, form: str = "") -> str:
    """Write a value, or a dash if there is none."""
    if value is None:
        return NO_FIGURE
    if form == COUNT and isinstance(value, int | float):
        return f"{round(value, 1):g}"
    return format(value, form) if form else str(value)


def joined_tables(heading: str, *tables: tuple[str, ScoreTable]) -> ScoreTable:
    """Join tables of the same columns; a first one says from which each row is."""
    rows = [(name, *row) for name, one in tables for row in one.rows]
    return ScoreTable("", (heading, *tables[0][1].columns) if tables else (heading,), tuple(rows))


def mean_known(values: Iterable[float | None]) -> float | None:
    """Average the values that are not None."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def means(scores: Sequence[object], *own: str, **others: str) -> dict[str, float]:
    """Average figures of scores by name; `others` are the figures of rows that have other names."""
    figures = {name: name for name in own} | others
    return {name: fmean(map(attrgetter(path), scores)) for name, path in figures.items()}


def mean_row(
    rows: Sequence[Row], name: str = "mean", weights: Sequence[float] | None = None
) -> Row:
    """Average the figures of rows, those inside of figures too; the first text names the row.

    A figure that a row does not have does not count; other texts and marks are of the first row.
    """
    first = rows[0]
    figures: dict[str, Any] = {}
    for place, field in enumerate(fields(first)):
        values = [getattr(row, field.name) for row in rows]
        known = [value for value in values if value is not None]
        if known and is_dataclass(known[0]):
            figures[field.name] = mean_row(known, "")
        elif known and not isinstance(known[0], int | float):
            figures[field.name] = name if place == 0 else known[0]
        elif weights is not None:
            figures[field.name] = fmean(values, weights=weights)
        else:
            figures[field.name] = mean_known(values)
    return type(first)(**figures)


def row_values(row: Any, *also: str) -> dict[str, Any]:
    """Return the figures of a row by name, also some that follow from others."""
    return asdict(row) | {name: getattr(row, name) for name in also}


def grouped(rows: Iterable[Row], *names: str) -> Mapping[Any, list[Row]]:
    """Group rows by some of their figures, in the order in which these come."""
    key = attrgetter(*names)
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups
