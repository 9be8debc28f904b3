"""Title, authors, dates and further facts of a page.

For title, date and authors every place that may hold one gives a candidate, and the
candidate with the best signs is taken, or none. The weights of the signs were trained. Siblings
help: what is the same at its place on most of them is not about the page, what changes may be.
Other facts are those that the page tells programs.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from importlib.resources import files
from itertools import islice
from urllib.parse import urlsplit
from zlib import crc32

from webstencil import markup
from webstencil.content.extractor import ModelOfSite, no_siblings
from webstencil.items.authors import authors
from webstencil.items.json_ld import ARTICLE_THINGS, OFFERS, Json, Thing, json_text
from webstencil.items.page_dates import dates
from webstencil.items.reading import (
    FactCandidate,
    PageReading,
    Ranked,
    best,
    meta_key,
    one_line,
    read_facts,
)
from webstencil.items.titles import TITLE_SEPARATOR, titles
from webstencil.markup import Node
from webstencil.markup.text_units import STRUCTURE
from webstencil.model import Item, Page, PageArea
from webstencil.site.outline import NO_PLACE, Outline, label_of
from webstencil.site.site_model import SiteModel
from webstencil.urls import join_url

# Facts that a page tells programs alone: language, site, description, image, address, licence.

LANGUAGE_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
LONGEST_DESCRIPTION = 2_000  # characters of a description
LONGEST_NAME = 100  # characters of a site's name
LICENCES = (
    'a[rel~="license" i][href], link[rel~="license" i][href], '
    'a[href*="creativecommons.org/licenses/b"], a[href*="creativecommons.org/publicdomain/"]'
)
MOST_LICENCES = 8  # links that are looked at
OF_PICTURES = "figure, figcaption, [class*=caption i], [class*=credit i]"
RIGHTS = re.compile(r"(?i)licen[cs]|\bcc\b|creative commons|public domain|https?:")
SHORTEST_NAME = 4  # letters of a site's name that its host is compared with
ON_THE_WEB = ("http://", "https://")


def language(reading: PageReading) -> str:
    """Return the language of a page as a tag, such as en-GB."""
    root = reading.root
    told = [
        markup.attribute(root, "lang") or markup.attribute(root, "xml:lang"),
        *(
            text
            for _, text in reading.meta("og:locale", "content-language", "language", "dc.language")
        ),
        *(
            json_text(thing.get("inLanguage"))
            for thing in reading.told.of_types((*ARTICLE_THINGS, "WebPage"))
        ),
    ]
    for text in told:
        if LANGUAGE_CODE.fullmatch(text.strip()):
            return tag_of(text.strip())
    return ""


def tag_of(text: str) -> str:
    """Write a language tag as RFC 5646 recommends.

    >>> tag_of("EN_gb"), tag_of("zh-hant-tw")
    ('en-GB', 'zh-Hant-TW')
    """
    first, *rest = text.replace("_", "-").lower().split("-")
    known = {2: str.upper, 4: str.title}
    return "-".join([first, *(known.get(len(part), str)(part) for part in rest)])


def site_name(reading: PageReading, title: str) -> str:
    """Return the name of a page's site; what the title element has besides the title may be it."""
    told = [text for _, text in reading.meta("og:site_name", "application-name")]
    told += [json_text(thing.get("name")) for thing in reading.told.of_types(("WebSite",))]
    publishers = [thing.get("publisher") for thing in reading.told.of_types(ARTICLE_THINGS)]
    told += [name for one in publishers for name, _ in reading.told.names(one)]
    known = next((text for text in told if text and len(text) <= LONGEST_NAME), "")
    if known or not title:
        return known
    return name_in_title(reading, meta_key(title))


def name_in_title(reading: PageReading, title: str) -> str:
    """Return the part of the title element that is the site's name, by its host or its place."""
    parts = [part.strip() for part in TITLE_SEPARATOR.split(reading.title)[::2]]
    if len(parts) < 2:
        return ""
    if meta_key(" ".join(parts[:-1])).startswith(title) or named_as_host(parts[-1], reading):
        return parts[-1]
    return parts[0] if meta_key(parts[0]) != title and named_as_host(parts[0], reading) else ""


def named_as_host(name: str, reading: PageReading) -> bool:
    """Return whether a name begins with the host's, or the other way round."""
    label = reading.page.site.split(".")[0].replace("-", "")
    short, long = sorted((meta_key(name).replace(" ", ""), label), key=len)
    return len(short) >= SHORTEST_NAME and long.startswith(short)


def description(reading: PageReading) -> str:
    """Return what a page says it is about."""
    names = ("og:description", "description", "twitter:description", "dc.description")
    told = [text for _, text in reading.meta(*names)]
    told += [json_text(thing.get("description")) for thing in reading.told.of_types(ARTICLE_THINGS)]
    return next((one_line(text) for text in told if text and len(text) <= LONGEST_DESCRIPTION), "")


def image(reading: PageReading) -> str:
    """Return the URL of the picture that stands for a page."""
    names = [f"og:image{end}" for end in ("", ":url", ":secure_url")]
    told = [text for _, text in reading.meta(*names, "twitter:image", "twitter:image:src")]
    told += [
        url
        for thing in reading.told.of_types(ARTICLE_THINGS)
        for url in urls_in(thing.get("image"))
    ]
    return _absolute(reading, told)


def canonical(reading: PageReading) -> str:
    """Return the URL that a page calls its own."""
    told = [reading.page.markup.canonical(), *(text for _, text in reading.meta("og:url"))]
    return _absolute(reading, told)


def licence(reading: PageReading) -> str:
    """Return the licence of a page, its URL if it has one."""
    things: list[Thing] = reading.told.of_types((*ARTICLE_THINGS, "WebPage", "Dataset"))
    told = [url for thing in things for url in urls_in(thing.get("license"))]
    told += [
        markup.attribute(one, "href")
        for one in reading.root.select(LICENCES)[:MOST_LICENCES]
        if one.closest(OF_PICTURES) is None
    ]
    found = _absolute(reading, told)
    if found:
        return found
    names = ("dcterms.license", "citation_license", "dc.rights", "dcterms.rights")
    known = (text for _, text in reading.meta(*names) if len(text) <= LONGEST_NAME)
    return next((text for text in known if RIGHTS.search(text)), "")


def urls_in(value: Json) -> Iterator[str]:
    """Yield the URLs of a value: itself, or those of things."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            yield from (json_text(one.get(name)) for name in ("url", "contentUrl", "@id"))


def _absolute(reading: PageReading, told: list[str]) -> str:
    """Return the first of some URLs that is on the web, made absolute."""
    for text in told:
        url = join_url(reading.page.base_url, text.strip()) if text.strip() else None
        if url and url.startswith(ON_THE_WEB) and "." in (urlsplit(url).hostname or ""):
            return url
    return ""


# What siblings say at a place: a byline changes from page to page, the site's own name does not.
#
# The place of a text is the chain of labels of the blocks around it, as in outlines
# (`site/outline`). Some siblings are asked what they say there: if it is the same on most, it is no
# byline; if it changes, it may be one.

MOST_SIBLINGS_ASKED = 64  # siblings, those of the smallest keys
FEWEST_SIBLINGS = 3  # siblings that have a place, to tell anything of it
MOST_SIBLINGS_SAY = 0.6  # 0..1, share of the siblings with a place that say the same there
DEEPEST_PLACE = 60  # blocks of a place
ROOT_HASH = crc32(b"html")


@dataclass(frozen=True, slots=True)
class SiblingPlaces:
    """How many siblings have a place, and how many of them say the most frequent thing there."""

    pages: dict[int, int] = field(default_factory=dict)  # by place
    same: dict[int, int] = field(default_factory=dict)  # by place

    def changes(self, node: Node) -> bool | None:
        """Return whether the text at a node's place changes; None if too few siblings have it."""
        if not self.pages:
            return None
        place = _place_of(node)
        count = self.pages.get(place, 0)
        return None if count < FEWEST_SIBLINGS else self.same[place] < MOST_SIBLINGS_SAY * count


def places_of(model: SiteModel, url: str) -> SiblingPlaces:
    """Ask some siblings of a page what they say at each place."""
    asked = islice((page for page in model if page.url != url), MOST_SIBLINGS_ASKED)
    return _summed(page.outline for page in asked)


def _summed(outlines: Iterable[Outline]) -> SiblingPlaces:
    """Count what outlines say at each place."""
    said: dict[int, Counter[int]] = {}
    pages: dict[int, int] = {}
    for outline in outlines:
        hashes = place_hashes(outline)
        texts = {
            (hashes[at], text) for at, text in zip(outline.text_places, outline.texts, strict=True)
        }
        for place in {place for place, _ in texts}:
            pages[place] = pages.get(place, 0) + 1
        for place, text in texts:
            said.setdefault(place, Counter())[text] += 1
    return SiblingPlaces(pages, {place: max(texts.values()) for place, texts in said.items()})


def place_hashes(outline: Outline) -> list[int]:
    """Hash the chain of labels of each place; a container comes before what it holds."""
    hashes: list[int] = []
    for label, container in zip(outline.labels, outline.containers, strict=True):
        hashes.append(
            ROOT_HASH if container == NO_PLACE else crc32(label.encode(), hashes[container])
        )
    return hashes


def _place_of(node: Node) -> int:
    """Hash the place of a node as outlines have it."""
    labels = []
    for one in islice((node, *islice(node.ancestors, 4 * DEEPEST_PLACE)), 4 * DEEPEST_PLACE):
        name = markup.tag(one)
        if name in STRUCTURE and name not in ("html", "body"):
            labels.append(label_of(name, markup.attribute(one, "class"), markup.identifier(one)))
    place = ROOT_HASH
    for label in reversed(labels[:DEEPEST_PLACE]):
        place = crc32(label.encode(), place)
    return place


# The weights of title, date and author, made by `webstencil evaluate train-metadata`.
#
# Each is of a sign of a candidate; a candidate's score is the sum over its signs.

Weights = dict[str, float]  # by sign


@lru_cache(maxsize=1)
def fitted_metadata() -> dict[str, Weights]:
    """Read the weights that come with the package, by field."""
    file = files("webstencil.items").joinpath("models", "metadata.json")
    known: dict[str, Weights] = json.loads(file.read_text())
    return known


TOLD_CONFIDENCE = 0.95  # 0..1, confidence of what is told to programs
MANY_CANDIDATES = 8  # candidates: such a page may be a list; siblings: one more makes no difference
SITES_KEPT = 4  # in memory
# Pages that mostly have no date and no author of their own, and those that mostly have.
TELLING_SIGNS = frozenset([
    "json list", "json product", "og:product", "path root", "json article", "og:article", "thread",
])  # fmt: skip
# Signs of a day that the page tells programs as that of publication, or has in its URL.
TOLD_DAYS = frozenset([
    "json article datePublished", "json article dateCreated", "json question datePublished",
    "json question dateCreated", "json page datePublished", "meta article:published_time",
    "meta published", "url",
])  # fmt: skip
PROGRAMS = ("json", "meta", "script", "url")  # beginnings of signs of what a reader does not see
UNSEEN_SIGNS = ("script", "attribute", "another is told")  # beginnings of signs of data for scripts
# Signs of names at a place where siblings have others, or the same. As heavy as "by" before a name;
# not trained, because the pages of the training set have no siblings.
CHANGES, SAME = "siblings have others", "siblings have the same"
FROM_SIBLINGS = {CHANGES: 1.5, SAME: -1.5}
SURE_BYLINE_SIGNS = frozenset(  # signs of a name that is beside a date, or called a name
    ("next to date", "behind date", "before date", "after by", "with by", "class author", "rel")
)
MODIFIED_SIGNS = (  # signs of a date of change, the surest first
    "json article dateModified", "json page dateModified", "meta article:modified_time",
    "meta og:updated_time", "meta modified", "property modified", "near modified",
    "labelled modified",
)  # fmt: skip


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
        return tuple(_facts_of(read_facts(page), self._siblings(page), self.latest))

    def _siblings(self, page: Page) -> SiblingPlaces:
        """Return what siblings say; where they are many, the page itself may be one of them."""
        model = self.models(page.site)
        if len(model) <= MANY_CANDIDATES:
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
    found = best(titles(read_facts(page)), fitted_metadata()["title"], ())
    return found.candidate if found else None


def _facts_of(
    reading: PageReading, siblings: SiblingPlaces, latest: date | None = None
) -> Iterator[Item]:
    """Yield the facts of a page as items, title first."""
    weights = fitted_metadata()
    title = best(titles(reading), weights["title"], against(reading, 0))
    if title is not None:
        yield _item("title", title)
    names = authors(reading)
    _compare(names, siblings)
    of_author = weights["author"] | FROM_SIBLINGS
    author = best(names, of_author, against(reading, len(names.known)))
    if author is not None:
        yield _item("author", author)
    days = dates(reading, latest).known
    published = best(days.values(), weights["date"], against_days(reading, days.values()))
    iso = ""
    if published is not None:
        iso = next(day for day, one in days.items() if one is published.candidate)
        yield _item("date", published, iso)
    changed = modified(days, iso)
    if changed is not None:
        yield _item("modified", Ranked(days[changed], TOLD_CONFIDENCE), changed)
    yield from told_facts(reading, title.candidate.text if title else "")


def against(reading: PageReading, candidates: int) -> list[str]:
    """Return the signs for "none of them"."""
    thread = " in thread" if "thread" in reading.signs else ""
    many = [f"none, many{thread}"] if candidates > MANY_CANDIDATES else []
    telling = (reading.signs & TELLING_SIGNS) | reading.folders
    return [*(f"none, {sign}" for sign in sorted(telling)), *many]


def against_days(reading: PageReading, days: Collection[FactCandidate]) -> list[str]:
    """Return the signs for "no date"; offers have one if they tell programs so."""
    # Data of scripts, which no reader sees, make no list.
    shown = sum(not all(sign.startswith(UNSEEN_SIGNS) for sign in one.signs) for one in days)
    signs = against(reading, shown)
    told = any(not TOLD_DAYS.isdisjoint(one.signs) for one in days)
    return [sign for sign in signs if not (told and sign == f"none, {OFFERS}")]


def _compare(names: Iterable[FactCandidate], siblings: SiblingPlaces) -> None:
    """Add to names that may be bylines whether siblings have others at their places."""
    for one in names:
        shown = not SURE_BYLINE_SIGNS.isdisjoint(one.signs)
        hidden = not shown or any(sign.startswith(PROGRAMS) for sign in one.signs)
        changes = None if hidden or one.node is None else siblings.changes(one.node)
        if changes is not None:
            one.signs.add(CHANGES if changes else SAME)


def modified(days: dict[str, FactCandidate], published: str) -> str | None:
    """Return the day of the last change, the surest that is not before publication."""
    for sign in MODIFIED_SIGNS:
        known = [day for day, one in days.items() if sign in one.signs and day >= published]
        if known:
            return max(known)
    return None


def told_facts(reading: PageReading, title: str) -> Iterator[Item]:
    """Yield the facts that are told to programs."""
    found = (
        ("language", language(reading)),
        ("site_name", site_name(reading, title)),
        ("description", description(reading)),
        ("image", image(reading)),
        ("canonical", canonical(reading)),
        ("licence", licence(reading)),
    )
    for kind, text in found:
        if text:
            yield Item(kind, text, "", "", TOLD_CONFIDENCE, "told to programs")


def _item(kind: str, found: Ranked, iso: str = "") -> Item:
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
