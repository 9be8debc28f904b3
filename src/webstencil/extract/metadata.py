"""Title, authors, dates and further facts of a page.

For title, date and authors every place that may hold one gives a candidate (`about/`), and the
candidate with the best signs is taken, or none. The weights of the signs were trained. Siblings
help: what is the same at its place on most of them is not about the page, what changes may be.
Other facts are those that the page tells programs.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeAlias

from webstencil import markup
from webstencil.extract.about import plain_facts
from webstencil.extract.about.author_candidates import authors
from webstencil.extract.about.candidates import FactCandidate, Ranked, best
from webstencil.extract.about.date_candidates import dates
from webstencil.extract.about.metadata_weights import fitted_metadata
from webstencil.extract.about.page_signs import OFFERS
from webstencil.extract.about.reading import PageReading, read
from webstencil.extract.about.siblings import SiblingPlaces, places_of
from webstencil.extract.about.title_candidates import titles
from webstencil.model import Item, Page, PageArea
from webstencil.site.site_model import SiteModel

KINDS = (
    "title",
    "author",
    "date",
    "modified",
    "language",
    "site_name",
    "description",
    "image",
    "canonical",
    "licence",
)
TOLD = 0.95  # 0..1, confidence of what is told to programs
MANY = 8  # candidates: such a page may be a list; siblings: one more makes no difference
SITES_KEPT = 4  # in memory
# Pages that mostly have no date and no author of their own, and those that mostly have.
TELLING = frozenset(
    (
        "json list",
        "json product",
        "og:product",
        "path root",
        "json article",
        "og:article",
        "thread",
    )
)
# Signs of a day that the page tells programs as that of publication, or has in its URL.
TOLD_DAYS = frozenset(
    (
        "json article datePublished",
        "json article dateCreated",
        "json question datePublished",
        "json question dateCreated",
        "json page datePublished",
        "meta article:published_time",
        "meta published",
        "url",
    )
)
PROGRAMS = ("json", "meta", "script", "url")  # beginnings of signs of what a reader does not see
UNSEEN = ("script", "attribute", "another is told")  # beginnings of signs of data for scripts
# Signs of names at a place where siblings have others, or the same. As heavy as "by" before a name;
# not trained, because the pages of the training set have no siblings.
CHANGES, SAME = "siblings have others", "siblings have the same"
FROM_SIBLINGS = {CHANGES: 1.5, SAME: -1.5}
BYLINE = frozenset(  # signs of a name that is beside a date, or called a name
    ("next to date", "behind date", "before date", "after by", "with by", "class author", "rel")
)
MODIFIED = (
    "json article dateModified",
    "json page dateModified",
    "meta article:modified_time",
    "meta og:updated_time",
    "meta modified",
    "property modified",
    "near modified",
    "labelled modified",
)  # signs of a date of change, the surest first

ModelOfSite: TypeAlias = Callable[[str], SiteModel]  # by the name of the site


def no_siblings(_site: str) -> SiteModel:
    """Return an empty model: each page is judged alone."""
    return SiteModel()


@dataclass(frozen=True, slots=True)
class Metadata:
    """Extracts metadata, page by page; see `protocols.Extractor`.

    `models` returns the model of a site; no date is after `latest`.
    """

    models: ModelOfSite = no_siblings
    latest: date | None = None
    _known: dict[tuple[str, int], SiblingPlaces] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )  # by site and its number of pages

    def items(self, page: Page, areas: Sequence[PageArea] = ()) -> tuple[Item, ...]:
        """Return the facts of a page that it has, as items; areas make no difference."""
        del areas  # which have no facts of their own
        return tuple(facts_of(read(page), self._siblings(page), self.latest))

    def _siblings(self, page: Page) -> SiblingPlaces:
        """Return what siblings say; where they are many, the page itself may be one of them."""
        model = self.models(page.site)
        if len(model) <= MANY:
            return places_of(model, page.url)
        key = page.site, len(model)
        if key not in self._known:
            while len(self._known) >= SITES_KEPT:
                del self._known[next(iter(self._known))]
            self._known[key] = places_of(model, "")
        return self._known[key]


def metadata(page: Page) -> tuple[Item, ...]:
    """Return the facts of a page, judged alone."""
    return Metadata().items(page)


def page_title(page: Page) -> FactCandidate | None:
    """Return the title of a page."""
    found = best(titles(read(page)), fitted_metadata()["title"], ())
    return found.candidate if found else None


def facts_of(
    reading: PageReading, siblings: SiblingPlaces, latest: date | None = None
) -> Iterator[Item]:
    """Yield the facts of a page as items, in the order of KINDS."""
    weights = fitted_metadata()
    title = best(titles(reading), weights["title"], against(reading, 0))
    if title is not None:
        yield item("title", title)
    names = authors(reading)
    compare(names, siblings)
    of_author = weights["author"] | FROM_SIBLINGS
    author = best(names, of_author, against(reading, len(names.known)))
    if author is not None:
        yield item("author", author)
    days = dates(reading, latest).known
    published = best(days.values(), weights["date"], against_days(reading, days.values()))
    iso = ""
    if published is not None:
        iso = next(day for day, one in days.items() if one is published.candidate)
        yield item("date", published, iso)
    changed = modified(days, iso)
    if changed is not None:
        yield item("modified", Ranked(days[changed], TOLD), changed)
    yield from told_facts(reading, title.candidate.text if title else "")


def against(reading: PageReading, candidates: int) -> list[str]:
    """Return the signs for "none of them"."""
    thread = " in thread" if "thread" in reading.signs else ""
    many = [f"none, many{thread}"] if candidates > MANY else []
    telling = (reading.signs & TELLING) | reading.folders
    return [*(f"none, {sign}" for sign in sorted(telling)), *many]


def against_days(reading: PageReading, days: Collection[FactCandidate]) -> list[str]:
    """Return the signs for "no date"; offers have one if they tell programs so."""
    signs = against(reading, count_shown(days))
    told = any(not TOLD_DAYS.isdisjoint(one.signs) for one in days)
    return [sign for sign in signs if not (told and sign == f"none, {OFFERS}")]


def count_shown(days: Iterable[FactCandidate]) -> int:
    """Count the dates that a reader may see; data of scripts make no list."""
    return sum(not all(sign.startswith(UNSEEN) for sign in one.signs) for one in days)


def compare(names: Iterable[FactCandidate], siblings: SiblingPlaces) -> None:
    """Add to names that may be bylines whether siblings have others at their places."""
    for one in names:
        shown = not BYLINE.isdisjoint(one.signs)
        hidden = not shown or any(sign.startswith(PROGRAMS) for sign in one.signs)
        changes = None if hidden or one.node is None else siblings.changes(one.node)
        if changes is not None:
            one.signs.add(CHANGES if changes else SAME)


def modified(days: dict[str, FactCandidate], published: str) -> str | None:
    """Return the day of the last change, the surest that is not before publication."""
    for sign in MODIFIED:
        known = [day for day, one in days.items() if sign in one.signs and day >= published]
        if known:
            return max(known)
    return None


def told_facts(reading: PageReading, title: str) -> Iterator[Item]:
    """Yield the facts that are told to programs."""
    found = (
        ("language", plain_facts.language(reading)),
        ("site_name", plain_facts.site_name(reading, title)),
        ("description", plain_facts.description(reading)),
        ("image", plain_facts.image(reading)),
        ("canonical", plain_facts.canonical(reading)),
        ("licence", plain_facts.licence(reading)),
    )
    for kind, text in found:
        if text:
            yield Item(kind, text, "", "", TOLD, "told to programs")


def item(kind: str, found: Ranked, iso: str = "") -> Item:
    """Return a candidate as an item."""
    one = found.candidate
    node = one.node
    return Item(
        kind=kind,
        text=iso or one.text,
        selector="" if node is None else markup.selector(node),
        xpath="" if node is None else markup.xpath(node),
        confidence=round(found.confidence, 3),
        how=", ".join(one.hows),
        fields=(("written", one.text),) if iso else (),
    )
