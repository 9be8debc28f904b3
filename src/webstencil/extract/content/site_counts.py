"""What a site repeats: how many of its pages have a text.

Digits and case do not matter: "12 comments" equals "7 comments". A page counts a text once. Pages
can be added in any order, and be asked about as if they had not been added.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from zlib import crc32

MAX_TEXTS = 500_000  # of a site, about 60 MB; above, those seen on one page are dropped
DOUBT = 2  # pages; among few siblings one may be the same article at another URL

_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)


@dataclass(frozen=True, slots=True)
class SiteTexts:
    """How many pages of a site have each of its texts."""

    pages: int
    counts: dict[int, int]  # by the text's hash
    seen: frozenset[int] = frozenset()  # hashes of the pages, so that no page counts twice


def text_hashes(texts: Sequence[str]) -> tuple[int, ...]:
    """Hash the texts of a page, each of one line; all at once is faster."""
    if not texts:
        return ()
    plain = "\n".join(texts).lower().encode("utf-8", "surrogatepass").translate(_ZEROS)
    while b"00" in plain:  # each number becomes a single 0
        plain = plain.replace(b"00", b"0")
    # 32 bits are enough: a collision with a text of many pages is most unlikely
    return tuple(map(crc32, _told_apart(plain.split(b"\n"))))


def _told_apart(lines: list[bytes]) -> list[bytes]:
    """Number repeated lines: a menu's text may be content elsewhere on the page."""
    counts: dict[bytes, int] = {}
    for place, line in enumerate(lines):
        count = counts[line] = counts.get(line, 0) + 1
        if count > 1:
            lines[place] = b"%s\n%d" % (line, count)
    return lines


def page_hash(body: bytes) -> int:
    """Hash a page, to recognise it."""
    return int.from_bytes(blake2b(body, digest_size=8).digest())


@dataclass(slots=True)
class SiteCounts:
    """The growing counts of a site."""

    pages: int = 0
    counts: dict[int, int] = field(default_factory=dict)  # pages with a text, by the text's hash
    seen: set[int] = field(default_factory=set)  # hashes of counted pages

    def add(self, texts: Iterable[int]) -> None:
        """Count a page with these texts."""
        self.pages += 1
        for text in set(texts):
            self.counts[text] = self.counts.get(text, 0) + 1
        if len(self.counts) > MAX_TEXTS:
            self.counts = {text: count for text, count in self.counts.items() if count > 1}

    def shares(self, texts: Iterable[int], *, counted: bool = False) -> list[float]:
        """Return the share of the other pages with each text, as if DOUBT more were without.

        `counted` means that the page with these texts was added before.
        """
        own = 1 if counted else 0
        others = self.pages - own
        if others <= 0:
            return [0.0 for _ in texts]
        known, many = self.counts.get, others + DOUBT
        return [(known(text, own) - own) / many for text in texts]

    def frozen(self) -> SiteTexts:
        """Return the counts as a value for the store."""
        return SiteTexts(self.pages, dict(self.counts), frozenset(self.seen))


def knowledge_of(kept: SiteTexts) -> SiteCounts:
    """Return growing counts from those in the store."""
    return SiteCounts(kept.pages, dict(kept.counts), set(kept.seen))


def together(now: SiteCounts, mine: SiteCounts, before: SiteCounts) -> SiteCounts:
    """Add the difference between `mine` and `before` to the counts in the store."""
    counts = dict(now.counts)
    for text, count in mine.counts.items():
        new = count - before.counts.get(text, 0)
        if new > 0:
            counts[text] = counts.get(text, 0) + new
    return SiteCounts(now.pages + mine.pages - before.pages, counts, now.seen | mine.seen)
