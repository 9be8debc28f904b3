"""Candidates for the date of a page: told to programs, written near the heading, in the URL."""

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from itertools import islice

from webstencil import markup
from webstencil.items.dates import DateFound, find_date
from webstencil.items.json_ld import THING_GROUPS, Thing, json_text
from webstencil.items.reading import (
    OF_ENTRY,
    OF_PAGE,
    REPLIES,
    Candidates,
    PageReading,
    found_at,
    own,
)
from webstencil.markup import Node

FIRST_YEAR = 1990  # no page is older
LONGEST_DATED = 80  # characters of a text with a date
MOST_DATE_ELEMENTS = 40  # that are read; more are a list
OTHER_THINGS = (("product", ("Product",)), ("video", ("VideoObject", "Event")))
JSON_NAMES = ("datePublished", "dateCreated", "dateModified", "uploadDate", "dateUpdated")
PUBLISHED_WORDS = re.compile(
    r"(?i)publi|posted|written|created|asked|started|erschienen|veröffentlicht|geschrieben|"
    r"pubblicat|geplaatst|opublikowan|опубликован|julkaistu|发布|公開|投稿"
)
MODIFIED_WORDS = re.compile(
    r"(?i)updat|modif|edited|revis|reviewed|aktualisiert|geändert|stand:|mis à jour|actualiz|"
    r"atualiz|aggiornat|bijgewerkt|zaktualizowan|обновлен|更新"
)
JOINED_WORDS = re.compile(  # of a member of a forum
    r"(?i)\b(?:joined|join date|registered|member since|registriert|inscrit|mitglied seit)\b"
)
JOINED = "joined"
RELEASED = re.compile(r"(?i)releas|launch|erscheinung|sortie|lanzamiento")  # of a product
META_DATE = re.compile(r"(?i)date|time|publish|created|modified|updated|issued")
PUBLISHED_METAS = frozenset(  # of scholarly pages and Dublin Core
    ("citation_date", "citation_online_date", "dc.date", "dcterms.date", "dc.date.issued")
)
META_NO_DATE = re.compile(r"(?i)expir|event|start|end|valid|copyright|birth|until|runtime|timezone")
# Begins with bytes that are always the same: ten times as fast as with what stands before them.
IN_SCRIPT = re.compile(rb'"(20\d\d-[01]\d-[0-3]\d)')
IN_ATTRIBUTE = re.compile(rb"&quot;(20\d\d-[01]\d-[0-3]\d)")  # JSON in an attribute
KEY_BEFORE = re.compile(rb'(?:([A-Za-z_.-]{3,40})(?:\\?"|&quot;)?)?\s*([:=])\s*\\?$')
KEY_REACH = 60  # bytes before a date
MOST_IN_SCRIPTS = 60
# Before a page's own name, so not in the URL of what a day, a month or an author brought.
IN_PATH = re.compile(
    r"/((?:19|20)\d\d)[/-](\d\d?)[/-](\d\d?)[/_-](?!index\.|page[/-])(?=[^/?#]{4,})"
)
IN_PATH_NAMED = re.compile(  # 2023/october/03
    r"/((?:19|20)\d\d)[/-]([A-Za-z]{3,9})[/-](\d\d?)[/_-](?=[^/?#]{4,})"
)
IN_PATH_TIGHT = re.compile(r"[/_-]((?:19|20)\d\d)([01]\d)([0-3]\d)(?=[/_.-]|$)")
# What a date follows, without the first letters, which may be capitals.
DATE_LABELS = (
    "pdated", "osted", "ublished", "tarted by", "ost time", "eviewed", "eröffentlicht",
    "ktualisiert", "ublié", "mis à jour", "ublicado", "ubblicato",
)  # fmt: skip
DATE_NAMES_KEPT = 4096  # names and labels, of which sites have few
MOST_DATE_LABELS = 12  # of each
LABEL_BEFORE, LABEL_REACH = 14, 46  # characters before and from a label on
CLOCK = re.compile(r"\d:\d\d")
MOST_YEARS = 200  # that are looked at
# Beginnings of signs of dates that are surer than any line of the text.
SURE_DATE_SIGNS = (
    "near first", "json article", "json question", "meta article", "meta published", "url",
)  # fmt: skip
MONTH_FIRST = ("en-us", "en_us", "en-ca", "en-ph", "en")
BELOW = 3  # containers whose names are read, the element's own included


def dates(reading: PageReading, latest: date | None = None) -> Candidates:
    """Gather the dates of a page that it may have appeared at, none after `latest`."""
    gathered = DateGathering(reading, latest)
    gathered.from_url()
    gathered.from_json()
    gathered.from_metas()
    gathered.from_scripts()
    gathered.from_elements()
    gathered.from_leaves()
    gathered.from_labels()
    gathered.from_lines()
    gathered.compare()
    return own(gathered.found)


class DateGathering:
    """Gathers candidates, way by way."""

    def __init__(self, reading: PageReading, latest: date | None) -> None:
        self.found = Candidates()
        self._reading = reading
        self._latest = (latest or date.max).isoformat()
        language = (markup.attribute(reading.root, "lang") or _language_of(reading)).lower()
        self._day_first = not language.startswith(MONTH_FIRST) or language.startswith(
            ("en-gb", "en-au", "en-nz", "en-in", "en-ie", "en_gb")
        )
        if not language:
            self._day_first = False

    def _add(self, text: str, how: str, signs: tuple[str, ...], node: Node | None = None) -> str:
        """Add the date in a text, if it is plausible; return it."""
        if len(text) > LONGEST_DATED:
            return ""
        date_found = self._read(text)
        if date_found is None or not f"{FIRST_YEAR}" <= date_found.iso <= self._latest:
            return ""
        self.found.add(date_found.iso, date_found.written, how, signs, node)
        return date_found.iso

    def _read(self, text: str) -> DateFound | None:
        """Return the date in a text; 3/4/2020 is what the page tells elsewhere, if it does."""
        one = find_date(text, day_first=self._day_first)
        if one is not None and one.iso and one.iso not in self.found.known:
            other = find_date(text, day_first=not self._day_first)
            if other is not None and other.iso in self.found.known:
                return other
        return one

    def from_json(self) -> None:
        """Add the dates of JSON-LD."""
        told = self._reading.told
        for name, ends in (*THING_GROUPS, *OTHER_THINGS):
            things: list[Thing] = told.of_types(ends)
            several = len({json_text(one.get("datePublished")) for one in things}) > 1
            for number, thing in enumerate(things[:5]):
                for field in JSON_NAMES:
                    text = json_text(thing.get(field))
                    if text:
                        more = " later" if number and several else ""
                        self._add(text, f"JSON-LD {field}", (f"json {name} {field}{more}",))

    def from_metas(self) -> None:
        """Add the dates of meta elements."""
        for name, contents in self._reading.metas.items():
            if META_DATE.search(name) and not META_NO_DATE.search(name):
                for content in contents[:2]:
                    self._add(content, f"meta {name}", (meta_sign(name),))
        labels = [*self._reading.meta("twitter:label1"), *self._reading.meta("twitter:label2")]
        for name, label in labels:
            for _, content in self._reading.meta(name.replace("label", "data")):
                self._add(content, f"meta {name}", ("meta twitter", f"label {says(label)}"))

    def from_scripts(self) -> None:
        """Add the dates of data in scripts: the page's state for its own programs."""
        body = self._reading.page.body
        seen: set[tuple[str, str]] = set()
        written = list(islice(IN_SCRIPT.finditer(body), MOST_IN_SCRIPTS))
        for found in written or islice(IN_ATTRIBUTE.finditer(body), MOST_IN_SCRIPTS):
            key = KEY_BEFORE.search(body, max(0, found.start() - KEY_REACH), found.start())
            if key is None:
                continue
            name = (key[1] or b"").decode("ascii")
            kind = says(name)
            if kind == "plain" and name and "date" not in name.lower():
                continue
            place = "attribute" if key[2] == b"=" else "script"
            first = "later" if (place, kind) in seen else "first"
            seen.add((place, kind))
            signs = (f"{place} {kind}", f"{place} {kind} {first}")
            self._add(found[1].decode("ascii"), place, signs)

    def from_elements(self) -> None:
        """Add the dates of elements that are named after one."""
        counts: dict[str, int] = {}
        days: dict[str, set[str]] = {}  # by kind
        thread = "thread" in self._reading.signs
        for element in self._reading.dated[: 5 * MOST_DATE_ELEMENTS]:
            texts = values(element)
            if not texts:
                continue
            kind, how = _element_kind(element)
            number = counts[kind] = counts.get(kind, 0) + 1
            if number > MOST_DATE_ELEMENTS:
                continue
            away = self._reading.places.of(element)
            if away == REPLIES and not thread:
                continue
            names = kind + (" first" if number == 1 else " later") + away
            more = (f"thread {names}",) if thread else ()
            label = _label_of(element)
            if label == JOINED:
                continue
            labelled = f"labelled {label}{away}"
            for text in texts:
                iso = self._add(text, how, (kind + away, names, labelled, *more), element)
                days.setdefault(kind + away, set()).add(iso)
        for kind, known in days.items():
            for iso in known - {""} if len(known - {""}) > 1 else ():
                self.found.known[iso].signs.add(f"{kind} of several")

    def from_leaves(self) -> None:
        """Add the dates written near the heading."""
        before = ""
        number = 0
        for leaf in self._reading.near:
            if (
                leaf.date is None
                or self._reading.places.of(leaf.node) == REPLIES
                or JOINED_WORDS.search(f"{before} {leaf.text}")
            ):
                before = leaf.text[-30:]
                continue
            label = says(leaf.text if len(leaf.text) > DATE_ALONE else f"{before} {leaf.text}")
            side = "before" if leaf.distance < 0 else "after"
            iso = self._add(leaf.text, "near heading", (f"near {side}", f"near {label}"), leaf.node)
            if iso:
                number += 1
                close = "close" if abs(leaf.distance) <= CLOSE_TEXTS else "far"
                order = "first" if number == 1 else "later"
                signs = {f"near {side} {close}", f"near {order}", f"near {order} {label}"}
                signs.add(OF_ENTRY if leaf.of_entry else OF_PAGE)
                self.found.known[iso].signs |= signs
            before = leaf.text[-30:]

    def from_labels(self) -> None:
        """Add the dates that words such as "Last updated" stand before, anywhere in the page."""
        if any(not TOLD_PUBLISHED.isdisjoint(one.signs) for one in self.found):
            return  # the page tells programs when it was published
        shown = self._reading.shown
        known: set[str] = set()  # kinds
        for label in DATE_LABELS:
            for at in islice(found_at(shown, label), MOST_DATE_LABELS):
                text = behind_label(shown, at)
                kind = says(text[:LABEL_BEFORE])
                first = "later" if kind in known else "first"
                if self._add(text, "text", (f"text {kind}", f"text {kind} {first}")):
                    known.add(kind)

    def from_lines(self) -> None:
        """Add the first date that a line is made of, and the first with a time, anywhere."""
        if any(sign.startswith(SURE_DATE_SIGNS) for one in self.found for sign in one.signs):
            return
        known: set[str] = set()
        for line in lines_with_year(self._reading.shown):
            date_found = self._read(line)
            if date_found is None:
                continue
            kind = "with time" if CLOCK.search(line) else "alone"
            if (
                kind == "alone" and len(line) - len(date_found.written) > DATE_ALONE
            ) or kind in known:
                continue
            thread = (f"thread line {kind}",) if "thread" in self._reading.signs else ()
            signs = (f"line {kind}", f"line {says(line)}", *thread)
            if says(line) != JOINED and self._add(line, "text", signs):
                known.add(kind)

    def from_url(self) -> None:
        """Add the date in the URL."""
        url = self._reading.page.url
        for pattern in (IN_PATH, IN_PATH_NAMED, IN_PATH_TIGHT):
            path = pattern.search(url)
            if path:
                form = "url digits" if pattern is IN_PATH_TIGHT else "url folders"
                self._add("-".join(path.groups()), "address", ("url", form))

    def compare(self) -> None:
        """Mark the first and the last day of those that are told or near the heading."""
        sure = [
            iso
            for iso, one in self.found.known.items()
            if any(sign.startswith(("json article", "meta", "near", "url")) for sign in one.signs)
        ]
        if len(sure) > 1:
            self.found.known[min(sure)].signs.add("earliest")
            self.found.known[max(sure)].signs.add("latest")
        if "thread" in self._reading.signs:
            self._mark_opening()
        told = {
            iso for iso, one in self.found.known.items() if not TOLD_PUBLISHED.isdisjoint(one.signs)
        }
        for iso, one in self.found.known.items():
            if told and iso not in told:
                one.signs.add("another is told as published")
                if not TOLD_MODIFIED.isdisjoint(one.signs):
                    one.signs.add("another is told as published, this as modified")
                if any(sign.startswith("near first") for sign in one.signs):
                    changed = not SHOWN_MODIFIED.isdisjoint(one.signs)
                    one.signs.add("another is told as published, this is shown")
                    one.signs.add(f"shown as {'modified' if changed else 'plain'}, another is told")

    def _mark_opening(self) -> None:
        """Mark the first day of those that posts have: the opening post is the oldest."""
        posted = [
            iso
            for iso, one in self.found.known.items()
            if any(sign.startswith(OF_POSTS) and "aside" not in sign for sign in one.signs)
        ]
        if posted:
            self.found.known[min(posted)].signs.add("first of thread")


OF_POSTS = ("thread ", "json question", "json article datePublished")
TOLD_PUBLISHED = frozenset(("json article datePublished", "meta article:published_time"))
TOLD_MODIFIED = frozenset(
    ("json article dateModified", "meta article:modified_time", "meta og:updated_time")
)
SHOWN_MODIFIED = frozenset(("near modified", "labelled modified", "property modified"))
CLOSE_TEXTS = 8  # texts
DATE_ALONE = 14  # characters of a text that is a date alone; a label may stand before it


@lru_cache(DATE_NAMES_KEPT)
def says(text: str) -> str:
    """Return whether a text speaks of publishing or of changing."""
    if JOINED_WORDS.search(text):
        return JOINED
    if MODIFIED_WORDS.search(text):
        return "modified"
    if PUBLISHED_WORDS.search(text):
        return "published"
    return "released" if RELEASED.search(text) else "plain"


def lines_with_year(text: str) -> Iterator[str]:
    """Yield the short lines of a text that may hold a date of this century."""
    for at in islice(found_at(text, "20"), MOST_YEARS):
        begin = text.rfind("\n", max(0, at - LONGEST_DATED), at) + 1
        end = text.find("\n", at, begin + LONGEST_DATED)
        if end >= 0 and text[at : at + 4].isdecimal():
            yield text[begin:end]


def behind_label(text: str, at: int) -> str:
    """Return the line of a label, and what follows, as far as the label's date may be."""
    begin = max(text.rfind("\n", max(0, at - LABEL_BEFORE), at) + 1, at - LABEL_BEFORE, 0)
    return " ".join(text[begin : at + LABEL_REACH].split())


def meta_sign(name: str) -> str:
    """Return the sign of a meta element."""
    known = ("article:published_time", "article:modified_time", "og:updated_time", "date")
    if name in PUBLISHED_METAS:
        return "meta published"
    return f"meta {name}" if name in known else f"meta {says(name)}"


def _language_of(reading: PageReading) -> str:
    """Return the language that meta elements tell."""
    return next((text for _, text in reading.meta("og:locale", "content-language")), "")


def values(element: Node) -> list[str]:
    """Return what an element may say of a date: for programs, as a hint, as text."""
    told = [markup.attribute(element, name) for name in ("datetime", "content", "title")]
    known = [text for text in told if text and text[:1].isalnum()]
    if known:
        return known[:1]
    if markup.length(element, 2 * LONGEST_DATED) >= 2 * LONGEST_DATED:
        return []
    return [" ".join(markup.text([element]).split())[:LONGEST_DATED]]


def _element_kind(element: Node) -> tuple[str, str]:
    """Return the kind of an element with a date, and how to call it."""
    about = markup.attribute(element, "itemprop") or markup.attribute(element, "property")
    if "date" in about:
        return f"property {says(about + ' created' * ('Created' in about))}", f"property {about}"
    if markup.tag(element) == "time":
        return "time", "time"
    return "class", "class"


def _label_of(element: Node) -> str:
    """Return what names and texts around an element say of its date."""
    near: Node | None = element
    names = []
    for _ in range(BELOW):
        if near is None:
            break
        names.append(f"{markup.called(near)} {markup.attribute(near, 'itemprop')}")
        near = markup.parent(near)
    said = says(" ".join(names[:2]))
    if said != "plain":
        return said
    before = next(iter(markup.leaves_before(element, 1)), None)
    text = markup.leaf_text(before) if before is not None else ""
    return says(text) if len(text) <= LONGEST_DATED else "plain"
