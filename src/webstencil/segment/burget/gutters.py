"""Burget's gutters: where rows of areas end, and where they only seem to.

Two columns have gaps of their own, and by chance two of them are level with each other. That is not
the end of a row: the gutter between the columns continues, and what is right of it begins where it
began above. Nor is the end of the shorter column, below which the longer one continues alone. A row
on one side of a gutter, between two rows on both sides, is a heading of the lower one.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from webstencil.geometry import Interval

Row: TypeAlias = Sequence[Interval]  # occupied intervals, from left to right

INDENT = 8.0  # px by which the left edges of one column may differ


def row_starts(rows: Sequence[Row], least: float) -> list[int]:
    """Return the rows that begin something new; gutters are at least `least` px wide."""
    starts: list[int] = []
    number = 0
    while number < len(rows):
        starts.append(number)
        number = columns_end(rows, number, least)
    return starts


def columns_end(rows: Sequence[Row], first: int, least: float) -> int:
    """Return the row after the columns that begin with a row, the next one if there are none."""
    gutters = gaps(rows[first], least)
    end = first + 1
    while end < len(rows) and (on := running_on(gutters, rows[end], least)):
        gutters, end = on, end + 1
    last = end
    while last < len(rows) and any(beside(gutter, rows[last], least) for gutter in gutters):
        last += 1
    on_again = last < len(rows) and running_on(gutters, rows[last], least)
    return end if on_again else last


def gaps(row: Row, least: float) -> list[Interval]:
    """Return the wide gaps in a row."""
    between = ((one[1], other[0]) for one, other in pairwise(row))
    return [(start, end) for start, end in between if end - start >= least]


def running_on(gutters: Iterable[Interval], row: Row, least: float) -> list[Interval]:
    """Return the gutters that continue in a row, as wide as they are in both."""
    below = gaps(row, least)
    both = (
        (max(gutter[0], gap[0]), min(gutter[1], gap[1]))
        for gutter in gutters
        for gap in below
        if abs(gutter[1] - gap[1]) <= INDENT
    )
    return [(start, end) for start, end in both if end - start >= least]


def beside(gutter: Interval, row: Row, least: float) -> bool:
    """Return whether a row is on one side of a gutter, in that column."""
    left, right = row[0][0], row[-1][1]
    return right <= gutter[1] - least or abs(left - gutter[1]) <= INDENT
