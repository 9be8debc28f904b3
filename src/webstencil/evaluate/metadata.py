"""Pages with their title, date and author, and when a found one is right.

A title is right if it has the same words in the same order, a date if it is the same day (the same
month, if the gold has no day), authors if the same names were found, in any order. Case, accents of
quotes, dashes and signs between words do not matter; the site's name in a title does, and so do
roles and degrees behind a name.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import TypeAlias

from webstencil.evaluate.floors import corpus_digest
from webstencil.evaluate.labelled_data import LeftOut, nobody, read_rows, readable_page, row_body
from webstencil.evaluate.scores import compare_words
from webstencil.evaluate.tables import Evaluated, ScoreTable, row_values, score_table
from webstencil.items.metadata import metadata
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage

METADATA_FIELDS = ("title", "date", "author")
METADATA_KEYS = ("site", "id", "url", "html", "page_type", *METADATA_FIELDS)
DAY = 10  # characters of YYYY-MM-DD
AUTHOR_SEPARATORS = re.compile(r"\s*(?:[,;&|/]|\band\b)\s*")
BYLINE_BY = re.compile(r"^by:? ")
TITLE_WORD = re.compile(r"\w+")
TITLE_PARTS = re.compile(r"\s+[|–—·•»«:/~-]+\s+|\s*[|»]\s*")  # between a title and a site's name
APOSTROPHES = re.compile("['`\u2018\u2019\u00b4\u2122\u00ae\u00ad]")  # and signs of trade marks


@dataclass(frozen=True, slots=True)
class MetadataGold:
    """A page and what people say of it; None where it has no such thing."""

    site: str
    name: str
    type: str
    url: str
    body: bytes
    title: str | None
    date: str | None
    author: str | None

    def wanted(self, field: str) -> str | None:
        """Return the gold of a field."""
        known = {"title": self.title, "date": self.date, "author": self.author}
        return known[field] or None


def read_metadata_gold(
    path: Path, left_out: LeftOut = nobody
) -> Iterator[tuple[MetadataGold, Page]]:
    """Yield the pages of a file of rows that can be read, with their gold."""
    for row in read_rows(path, METADATA_KEYS):
        url = row["url"] or f"http://{row['site']}/"
        known = (row[field] for field in METADATA_FIELDS)
        gold = MetadataGold(row["site"], row["id"], row["page_type"], url, row_body(row), *known)
        page = readable_page(RawPage(gold.url, gold.body), left_out)
        if page is not None:
            yield gold, page


def is_right(field: str, found: str, gold: str) -> bool:
    """Return whether what was found is what people say.

    >>> is_right("title", "Its raining", "It's raining!"), is_right("author", "B, A", "A and B")
    (True, True)
    """
    if field == "title":
        return title_words(found) == title_words(gold)
    if field == "date":
        return found[:DAY][: len(gold)] == gold[:DAY]
    return author_names(found) == author_names(gold)


def plain_text(text: str) -> str:
    """Return a text without what does not matter."""
    return " ".join(unicodedata.normalize("NFKC", APOSTROPHES.sub("", text)).casefold().split())


def title_words(text: str) -> list[str]:
    """Return the words of a title."""
    return TITLE_WORD.findall(plain_text(text))


def is_near_title(found: str, gold: str) -> bool:
    """Return whether two titles are the same, but for a name before or behind one of them.

    >>> is_near("Rain", "Rain | The Site"), is_near("Rain in Rome", "Rain")
    (True, False)
    """
    one, other = title_words(found), title_words(gold)
    return one == other or other in without_ends(found) or one in without_ends(gold)


def without_ends(title: str) -> list[list[str]]:
    """Return the words of a title without its last part, and without its first."""
    parts = TITLE_PARTS.split(title)
    return [title_words(" ".join(some)) for some in (parts[:-1], parts[1:]) if some]


def author_names(text: str) -> frozenset[str]:
    """Return the names of authors."""
    names = (
        name.strip(" .") for name in AUTHOR_SEPARATORS.split(BYLINE_BY.sub("", plain_text(text)))
    )
    return frozenset(name for name in names if name)


def metadata_corpus(pages: Sequence[MetadataGold]) -> str:
    """Return a digest of pages and gold, so that a change of them is noticed."""
    return corpus_digest(
        piece
        for page in pages
        for piece in (
            page.body,
            *((page.wanted(field) or "").encode() for field in METADATA_FIELDS),
        )
    )


# Scores of title, date and author against gold, by field and page type.


OWN_METHOD = "webstencil"
ALL_TYPES = "all"

Facts: TypeAlias = dict[str, str]
FactsOf: TypeAlias = Callable[[MetadataGold], Facts]  # with parsing


@dataclass(frozen=True, slots=True)
class FieldScore:
    """What a method found for a field of a page."""

    method: str
    field: str
    type: str
    name: str
    gold: str | None
    found: str | None

    @property
    def right(self) -> bool:
        """Return whether it is what people say."""
        return bool(self.gold and self.found and is_right(self.field, self.found, self.gold))


@dataclass(frozen=True, slots=True)
class FieldRow:
    """The counts of a method for a field, on pages of a type."""

    method: str
    field: str
    type: str
    pages: int
    gold: int  # pages that have one
    found: int
    right: int
    alike: float | None  # of titles: mean word F1 where there is gold
    near: float | None = None  # of titles: share right but for a name before or behind

    @property
    def wrong(self) -> int:
        """Count what was found and is not what people say, or where they say nothing."""
        return self.found - self.right

    @property
    def precision(self) -> float:
        """Return the share of what was found that is right."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """Return the share of the gold that was found."""
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Return the harmonic mean of both."""
        return 2 * self.right / (self.found + self.gold) if self.found + self.gold else 0.0


def own_facts(page: MetadataGold) -> Facts:
    """Extract the metadata of a page, alone."""
    return {item.kind: item.text for item in metadata(parse(RawPage(page.url, page.body)))}


def score_metadata(
    pages: Sequence[MetadataGold], methods: Mapping[str, FactsOf]
) -> tuple[list[FieldScore], dict[str, float]]:
    """Score methods on pages; return also the processor time of each in ms a page."""
    scores = []
    spent = {}
    for method, facts_of in methods.items():
        start = process_time()
        found = [facts_of(page) for page in pages]
        spent[method] = (process_time() - start) * 1000 / max(len(pages), 1)
        scores += [
            FieldScore(method, field, page.type, page.name, page.wanted(field), facts.get(field))
            for page, facts in zip(pages, found, strict=True)
            for field in METADATA_FIELDS
        ]
    return scores, spent


def field_rows(scores: Iterable[FieldScore]) -> list[FieldRow]:
    """Count by method and field, over all pages and by type."""
    groups: defaultdict[tuple[str, str, str], list[FieldScore]] = defaultdict(list)
    for one in scores:
        groups[one.field, ALL_TYPES, one.method].append(one)
        groups[one.field, one.type, one.method].append(one)
    order = [
        (field, kind, method)
        for field in METADATA_FIELDS
        for f, kind, method in groups
        if f == field
    ]
    return [_row(key, groups[key]) for key in order]


def _row(key: tuple[str, str, str], group: Sequence[FieldScore]) -> FieldRow:
    field, kind, method = key
    alike = [
        compare_words(title_words(one.found or ""), title_words(one.gold)).f1
        for one in group
        if field == "title" and one.gold
    ]
    near = [
        is_near_title(one.found or "", one.gold) for one in group if field == "title" and one.gold
    ]
    return FieldRow(
        method=method,
        field=field,
        type=kind,
        pages=len(group),
        gold=sum(bool(one.gold) for one in group),
        found=sum(bool(one.found) for one in group),
        right=sum(one.right for one in group),
        alike=fmean(alike) if alike else None,
        near=fmean(near) if near else None,
    )


METADATA_COLUMNS = (
    *("field", "pages of=type", "method", "gold", "found", "right", "wrong", "P=precision:.3f"),
    *("R=recall:.3f", "F1=f1:.3f"),
)


def metadata_table(rows: Iterable[FieldRow]) -> ScoreTable:
    """Show the rows of fields; titles have two more figures."""
    rows = list(rows)
    shown = score_table("", METADATA_COLUMNS, rows)
    near = [["" if x is None else f"{x:.3f}" for x in (row.near, row.alike)] for row in rows]
    cells = [[*row, *more] for row, more in zip(shown.rows, near, strict=True)]
    return ScoreTable("", (*shown.columns, "near", "alike"), tuple(cells))


def evaluate_metadata(
    pages: Sequence[MetadataGold],
    methods: Mapping[str, FactsOf],
    left_out: Sequence[str],
    *,
    worst: bool,
) -> Evaluated:
    """Score methods on pages; also tell what ours found wrong or missed."""
    scores, spent = score_metadata(pages, methods)
    rows = field_rows(scores)
    values = {
        "corpus": metadata_corpus(pages),
        "milliseconds": spent,
        "rows": [row_values(row, "wrong", "precision", "recall", "f1") for row in rows],
        "scores": [row_values(one, "right") for one in scores],
    }
    times = tuple((name, f"{ms:.1f}") for name, ms in spent.items())
    faults = [
        f"{one.field} {one.type} {one.name}: {one.found!r}, gold {one.gold!r}"
        for one in (scores if worst else ())
        if one.method == OWN_METHOD and not one.right and (one.gold or one.found)
    ]
    shown = metadata_table(row for row in rows if row.found or row.method == OWN_METHOD)
    spent_table = ScoreTable("", ("method", "ms/page"), times)
    return Evaluated([shown, spent_table, *faults], values, left_out=left_out)
