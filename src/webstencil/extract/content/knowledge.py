"""What a site teaches: on how many of its pages a text stands.

What a text says counts, not its digits nor the case of its letters: "12 comments" is "7 comments".
A page counts a text once. Pages can be added in any order, taken away again, and asked about as if
they had not been added.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from zlib import crc32

from webstencil.model import SiteTexts

MAX_TEXTS = 500_000  # kept of a site, about 60 MB; beyond, those seen on one page are forgotten
DOUBT = 2  # pages; of few siblings one may well be the same article at another address

_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)


def text_hashes(texts: Sequence[str]) -> tuple[int, ...]:
    """Hash what texts say, each of one line; all of a page at once, which is faster."""
    if not texts:
        return ()
    plain = "\n".join(texts).lower().encode("utf-8", "surrogatepass").translate(_ZEROS)
    while b"00" in plain:  # each number becomes a single 0
        plain = plain.replace(b"00", b"0")
    # 32 bits do: that a text falls together with one that many pages have is most unlikely
    return tuple(map(crc32, _told_apart(plain.split(b"\n"))))


def _told_apart(lines: list[bytes]) -> list[bytes]:
    """Number the lines that stood on the page before: what a menu says may be content elsewhere."""
    counts: dict[bytes, int] = {}
    for place, line in enumerate(lines):
        count = counts[line] = counts.get(line, 0) + 1
        if count > 1:
            lines[place] = b"%s\n%d" % (line, count)
    return lines


def page_hash(body: bytes) -> int:
    """Hash a page, to know it again."""
    return int.from_bytes(blake2b(body, digest_size=8).digest())


@dataclass(slots=True)
class SiteCounts:
    """The counts of a site, as they grow."""

    pages: int = 0
    counts: dict[int, int] = field(default_factory=dict)  # pages with a text, by its hash
    seen: set[int] = field(default_factory=set)  # hashes of pages that were learned from

    def add(self, texts: Iterable[int]) -> None:
        """Count a page with these texts."""
        self.pages += 1
        for text in set(texts):
            self.counts[text] = self.counts.get(text, 0) + 1
        if len(self.counts) > MAX_TEXTS:
            self.counts = {text: count for text, count in self.counts.items() if count > 1}

    def shares(self, texts: Iterable[int], *, counted: bool = False) -> list[float]:
        """Return the share of the other pages that have each text, as if DOUBT more had not.

        `counted` tells that the page with these texts was added before.
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
    """Return counts that can grow from what a store has kept."""
    return SiteCounts(kept.pages, dict(kept.counts), set(kept.seen))


def together(now: SiteCounts, mine: SiteCounts, before: SiteCounts) -> SiteCounts:
    """Add to the counts of a site what mine have become since they were as before."""
    counts = dict(now.counts)
    for text, count in mine.counts.items():
        new = count - before.counts.get(text, 0)
        if new > 0:
            counts[text] = counts.get(text, 0) + new
    return SiteCounts(now.pages + mine.pages - before.pages, counts, now.seen | mine.seen)
