"""The model of a site: the sum of its pages' outlines.

A model holds the outlines of a bounded number of pages: those whose URLs have the smallest hashes.
So it is a function of the *set* of pages. Adding is commutative and associative, two models of a
site add up, a page that changed is subtracted and added anew: any order, any number of workers, a
killed and resumed job give the same model, because addition does. Up to the bound it is exact;
beyond it, a model is a random sample of the site that is the same each time.

What a site says of its pages is read off the model: which texts and links repeat (here), its places
(`places.py`), templates (`templates.py`), and which pages to render (`plan.py`).
"""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from webstencil.codec import decode_value, encode_value, pack, unpack_blob
from webstencil.errors import SettingsError, StoreError
from webstencil.site.outline import Excerpts, Heard, Oddity, Outline, OutlinedPage, number_repeated
from webstencil.urls import sampling_key

MOST_PAGES = 4_096  # outlines of a site; 10 to 30 kB each in memory


@dataclass(frozen=True, slots=True)
class SurveyedPage:
    """A page as a survey saves it."""

    page: OutlinedPage
    excerpts: Excerpts | None = None  # what its places say, if that is to be shown


class SiteModel:
    """The outlines of a site's pages, added up; iterating yields the kept pages by their keys.

    >>> from webstencil.site.outline import EMPTY_OUTLINE
    >>> model = SiteModel([OutlinedPage("https://example.com/", EMPTY_OUTLINE)])
    >>> model.pages, len(model)
    (1, 1)
    """

    def __init__(self, pages: Iterable[OutlinedPage] = (), *, most: int = MOST_PAGES) -> None:
        """Add up pages; at most `most` outlines are kept."""
        if most < 1:
            raise SettingsError(f"a model must keep 1 or more pages, not {most}")
        self.most = most
        self.pages = 0  # all that were added
        self._keys: list[tuple[int, str]] = []  # of the kept pages, sorted
        self._kept: dict[str, OutlinedPage] = {}  # by URL
        self._texts: Counter[int] | None = None  # once somebody has asked
        for page in pages:
            self.add(page)

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[OutlinedPage]:
        return (self._kept[url] for _, url in self._keys)

    def __contains__(self, url: str) -> bool:
        return url in self._kept

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SiteModel):
            return NotImplemented
        return (self.most, self.pages, self._kept) == (other.most, other.pages, other._kept)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def page(self, url: str) -> OutlinedPage | None:
        """Return a kept page."""
        return self._kept.get(url)

    def takes(self, url: str) -> bool:
        """Return whether the outline of a page would be kept."""
        return len(self._keys) < self.most or (sampling_key(url), url) < self._keys[-1]

    def add(self, page: OutlinedPage) -> None:
        """Add a page that is not in the model; one that changed is subtracted first."""
        if page.url in self._kept:
            raise ValueError(f"{page.url} is in the model; subtract it first")
        self.pages += 1
        if not self.takes(page.url):
            return
        insort(self._keys, (page.key, page.url))
        self._kept[page.url] = page
        if self._texts is not None:
            self._texts.update(numbered_texts(page.outline))
        while len(self._keys) > self.most:
            self._drop(self._keys[-1][1])

    def subtract(self, url: str) -> None:
        """Take out a page that was added before.

        Beyond the bound, a model cannot know which page comes in its place: make it again from
        the outlines in the store.
        """
        self.pages -= 1
        if url in self._kept:
            self._drop(url)

    def merge(self, other: "SiteModel") -> "SiteModel":
        """Return the model of the pages of both, which have none in common."""
        kept = sorted((*self, *other), key=lambda page: (page.key, page.url))
        both = SiteModel(kept, most=min(self.most, other.most))
        both.pages = self.pages + other.pages
        return both

    @property
    def texts(self) -> Mapping[int, int]:
        """The number of kept pages with each text, by the text's hash (`texts_of`)."""
        if self._texts is None:
            self._texts = Counter()
            for page in self:
                self._texts.update(numbered_texts(page.outline))
        return self._texts

    def _drop(self, url: str) -> None:
        page = self._kept.pop(url)
        del self._keys[bisect_left(self._keys, (page.key, url))]
        if self._texts is not None:
            for text in numbered_texts(page.outline):
                self._texts[text] -= 1
                if not self._texts[text]:
                    del self._texts[text]


def numbered_texts(outline: Outline) -> frozenset[int]:
    """Return the texts of a page; a text that comes again on it is another one."""
    return frozenset(number_repeated(outline.texts))


# Outlines as bytes, for stores: small numbers in columns, each label once.

WHAT = "outline"


@dataclass(frozen=True, slots=True)
class PackedOutline:
    """An outline as it is stored; columns are packed."""

    labels: tuple[str, ...]  # each once, in order of first use
    places: bytes  # label of each place
    containers: bytes  # a place's number minus its container's
    times: bytes
    sizes: bytes
    texts: bytes
    text_counts: bytes  # of each place: how many texts it says
    links: bytes
    link_counts: bytes  # of each place
    before: bytes  # neighbours: the place that ends
    after: bytes  # neighbours: the place that begins
    heard: tuple[Heard, ...]
    oddity: Oddity


def encode_outline(outline: Outline) -> bytes:
    """Write an outline."""
    table: dict[str, int] = {}
    numbers = [table.setdefault(label, len(table)) for label in outline.labels]
    packed = PackedOutline(
        labels=tuple(table),
        places=pack(numbers),
        containers=pack([place - up for place, up in enumerate(outline.containers)]),
        times=pack(outline.times),
        sizes=pack(outline.sizes),
        texts=pack(outline.texts),
        text_counts=pack(_counts(outline.text_places, len(numbers))),
        links=pack(outline.links),
        link_counts=pack(_counts(outline.link_places, len(numbers))),
        before=pack([before for before, _ in outline.neighbours]),
        after=pack([after for _, after in outline.neighbours]),
        heard=outline.heard,
        oddity=outline.oddity,
    )
    return encode_value(packed, f"an {WHAT}")


def decode_outline(blob: bytes) -> Outline:
    """Read an outline; raise a `StoreError` if it is damaged."""
    packed = decode_value(blob, PackedOutline, WHAT)
    table = packed.labels
    try:
        distances = enumerate(unpack_blob(packed.containers))
        found = Outline(
            labels=tuple([table[number] for number in unpack_blob(packed.places)]),
            containers=tuple([place - distance for place, distance in distances]),
            times=tuple(unpack_blob(packed.times)),
            sizes=tuple(unpack_blob(packed.sizes)),
            texts=tuple(unpack_blob(packed.texts)),
            text_places=_places(unpack_blob(packed.text_counts)),
            links=tuple(unpack_blob(packed.links)),
            link_places=_places(unpack_blob(packed.link_counts)),
            neighbours=tuple(
                zip(unpack_blob(packed.before), unpack_blob(packed.after), strict=True)
            ),
            heard=packed.heard,
            oddity=packed.oddity,
        )
        columns = (found.labels, found.containers, found.times, found.sizes)
        if len(set(map(len, columns))) > 1:
            raise ValueError("its columns are not of one length")
    except (ValueError, LookupError) as error:
        raise StoreError(
            f"a stored {WHAT} is damaged: {error}; put back a copy of the store, or start a new one"
        ) from error
    return found


def _counts(places: Sequence[int], number: int) -> list[int]:
    """Count how often each place is among some."""
    counts = [0] * number
    for place in places:
        counts[place] += 1
    return counts


def _places(counts: Sequence[int]) -> tuple[int, ...]:
    """List each place as often as it counts."""
    return tuple([place for place, count in enumerate(counts) for _ in range(count)])


def encode_excerpts(excerpts: Excerpts) -> bytes:
    """Write what the places of a page say."""
    return encode_value(excerpts, f"{WHAT} excerpts")


def decode_excerpts(blob: bytes) -> Excerpts:
    """Read what the places of a page say."""
    return decode_value(blob, Excerpts, f"{WHAT} excerpts")
