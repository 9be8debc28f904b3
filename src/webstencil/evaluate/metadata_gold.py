"""Pages with their title, date and author, and when a found one is right.

A title is right if it has the same words in the same order, a date if it is the same day (the same
month, if the gold has no day), authors if the same names were found, in any order. Case, accents of
quotes, dashes and signs between words do not matter; the site's name in a title does, and so do
roles and degrees behind a name.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from webstencil.evaluate.floors import digest
from webstencil.evaluate.labelled_data import LeftOut, nobody, read_rows, readable, row_body
from webstencil.model import Page, RawPage

FIELDS = ("title", "date", "author")
KEYS = ("site", "id", "url", "html", "page_type", *FIELDS)
DAY = 10  # characters of YYYY-MM-DD
SEVERAL = re.compile(r"\s*(?:[,;&|/]|\band\b)\s*")
BY = re.compile(r"^by:? ")
WORD = re.compile(r"\w+")
PARTS = re.compile(r"\s+[|–—·•»«:/~-]+\s+|\s*[|»]\s*")  # between a title and a site's name
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
    for row in read_rows(path, KEYS):
        url = row["url"] or f"http://{row['site']}/"
        known = (row[field] for field in FIELDS)
        gold = MetadataGold(row["site"], row["id"], row["page_type"], url, row_body(row), *known)
        page = readable(RawPage(gold.url, gold.body), left_out)
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


def plain(text: str) -> str:
    """Return a text without what does not matter."""
    return " ".join(unicodedata.normalize("NFKC", APOSTROPHES.sub("", text)).casefold().split())


def title_words(text: str) -> list[str]:
    """Return the words of a title."""
    return WORD.findall(plain(text))


def is_near(found: str, gold: str) -> bool:
    """Return whether two titles are the same, but for a name before or behind one of them.

    >>> is_near("Rain", "Rain | The Site"), is_near("Rain in Rome", "Rain")
    (True, False)
    """
    one, other = title_words(found), title_words(gold)
    return one == other or other in without_ends(found) or one in without_ends(gold)


def without_ends(title: str) -> list[list[str]]:
    """Return the words of a title without its last part, and without its first."""
    parts = PARTS.split(title)
    return [title_words(" ".join(some)) for some in (parts[:-1], parts[1:]) if some]


def author_names(text: str) -> frozenset[str]:
    """Return the names of authors."""
    names = (name.strip(" .") for name in SEVERAL.split(BY.sub("", plain(text))))
    return frozenset(name for name in names if name)


def metadata_corpus(pages: list[MetadataGold]) -> str:
    """Return a digest of pages and gold, so that a change of them is noticed."""
    return digest(
        piece
        for page in pages
        for piece in (page.body, *((page.wanted(field) or "").encode() for field in FIELDS))
    )
