"""Candidates for the authors of a page: told to programs, named by elements, in a byline."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import unescape
from itertools import islice

from webstencil import markup
from webstencil.items.dates import find_date
from webstencil.items.json_ld import THING_GROUPS, Thing
from webstencil.items.reading import (
    OF_ENTRY,
    OF_PAGE,
    REPLIES,
    Candidates,
    NearText,
    PageReading,
    found_at,
    meta_key,
    one_line,
    own,
    side_by_side,
)
from webstencil.markup import Node, Text

# Names of people: where they begin and end in a line, and what looks like one.

LONGEST_PERSON = 80  # characters of a name
LONGEST_LIST = 300  # characters of several names
TEXTS_KEPT = 256  # a page has a name in several elements
# "by" in the languages of the data, before a name
BY_WORDS = (
    r"(?:(?:(?:posted|written|published|created|story|words|text|article|report(?:ed|ing)?|post|"
    r"reviewed|started|asked|authored|submitted|shared|updated|edited|last updated)\s+)?by"
    r"|(?:geschrieben |verfasst |ein beitrag |text |artikel )?von"
    r"|(?:publié |écrit |rédigé |proposé )?par|(?:escrito |publicado )?por"
    r"|(?:geschreven |geplaatst )?door|(?:skrevet |skriven )?av|(?:skrevet )?af"
    r"|kirjoittanut|yazan|oleh)(?![\w-])"
    r"|(?:scritto |pubblicato )?da(?= [A-Z])|di(?= [A-Z])"
    r"|(?:authors?|autor(?:in|en|es)?|auteurs?|autore|text|words|yazar|автор)(?=\s*:)"
    r"|author(?=\s+(?-i:[A-Z]))"
    r"|作者[:：]?|文[/／:：]|記者|著者[:：]?"
)
BEGIN = re.compile(rf"(?i)^\W*(?:{BY_WORDS})\W*\s*")
ONLY_BY = re.compile(rf"(?i)^\W*(?:{BY_WORDS})\W*$")
BY_WITHIN = re.compile(
    r"(?i)\b(?:written|posted|published|story|words|reported)?\s*by:?\s+(?=[A-Z])"
)
WRITTEN_BY = re.compile(r"(?i)\b(?:written|authored|reported)\s+by:?\s+(?=[A-Z])")
# What ends a name in a line.
NAME_ENDING = re.compile(
    r"(?i)\s+(?:on|in|at|am|le|el|il|op|den|for|updated|published|posted|reviewed|last|is|was|has|"
    r"wrote|writes|said|says|minutes?|min read|read|©|and updated|under|von der|um)\b.*"
    r"|\s*[|·•—–⋅/].*|\s+-\s.*|\s*\([^)]*\)?\W*$|\s*[:;].*|(?:\s+|,\s*)\d.*|\s+https?:.*"
)
RANK = r"(?:senior|staff|associate|contributing|guest|freelance|chief|managing|lead|vice)"
WORK = (
    r"(?:editor|writer|contributor|reporter|author|correspondent|columnist|journalist|staff writer|"
    r"content marketing|founder|ceo|cto|director|manager|redakteur\w*|autor\w*|attorney|lawyer|"
    r"educators?|specialist|analyst|professor|engineer|consultant|strategist|coach|researcher|"
    r"president|producer|photographer|expert)\b"
)
ROLE = re.compile(rf"(?i),[^,]*\b{WORK}.*|\s+(?:{RANK}\s+)*{WORK}.*|\s+{RANK}\s+\w+\s+{WORK}.*")
NOT_A_NAME = re.compile(
    r"(?i)https?:|www\.|^(?:default|using|the way|archives?)\b|"
    r"^(?:author|authors|user|unknown|none|null|undefined|by|share|follow|view|"
    r"read more|more|comments?|home|about|login|sign(?: in| up)?|subscribe|posts?|find|website|"
    r"reply|twitter|facebook|linkedin|youtube|instagram|e-?mail|"
    r"profile|page\..*|\W*|\d+)$|[<>{}=]|\.(?:jpg|png|html?)\b|^[^(]*\)"
)
GENERIC = re.compile(
    r"(?i)^(?:\w*admin\w*|editor|staff|guest|anonymous|member|webmaster)$|@[\w-]+\.\w"
)
NAME_STOP = re.compile(
    r"(?i)\b(?:the|about|all|posts?|views?|more|read|how|what|why|your|you|our|this|is|are|to|with|"
    r"from|for|follow|contact|best|new|guide|top|news|blog|home|page|table|contents|article|"
    r"minutes?|comments?|share|reading|time|ago|last|updated|published|level|rank|joined|topics?|"
    r"replies|reply|thread|forum|services?|products?|free|online|get|see|learn|sign|log|search)\b"
)
NAME_BORDERS = " |·•⋅—–,-"  # between a name and a date
# What stands before a date.
DATED = re.compile(
    r"(?i)\b(?:published|posted|updated|last|written|on|date|am|vom|le|veröffentlicht|publié|"
    r"mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b[:,.]?"
)


ELIDED = re.compile(r"[dlo]['\u2019](?=[^\W\d_])")  # d'Antras
TEAM = re.compile(
    r"(?i)\b(?:team|staff|editors?|editorial|redaktion|rédaction|redacción|redazione|redactie|"
    r"newsroom|desk|contributors?|group|wg)$"
)


@lru_cache(TEXTS_KEPT)
def looks_like_name(text: str) -> bool:
    """Return whether a text is two to five words with capitals, and none that names never have."""
    words = text.split()
    if not 2 <= len(words) <= 5:
        return False
    if not all(word[:1].isupper() or word in PARTICLES or ELIDED.match(word) for word in words):
        return False
    return NAME_STOP.search(text) is None


PARTICLES = frozenset([
    "van", "von", "de", "der", "den", "di", "da", "del", "della", "la", "le", "du", "dos", "e", "y",
])  # fmt: skip


@lru_cache(TEXTS_KEPT)
def cleaned_name(text: str) -> str:
    """Return a name without "by", dates, roles and signs.

    >>> cleaned_name("Written by Ann Lee on May 3, 2021")
    'Ann Lee'
    """
    words = one_line(text)[: 2 * LONGEST_LIST]
    words = BEGIN.sub("", without_date(words))
    words = NAME_ENDING.sub("", words)
    words = ROLE.sub("", words)
    return words.strip(" ,.;:*@\"'|-–—·•")


def without_date(text: str) -> str:
    """Return what a line with a date has before it, else behind it.

    >>> without_date("May 3, 2021 · Ann Lee"), without_date("Ann Lee, May 3, 2021")
    ('Ann Lee', 'Ann Lee')
    """
    date = find_date(text)
    if date is None:
        return text
    before, _, after = text.partition(date.written)
    before = DATED.sub("", before).strip(NAME_BORDERS)
    return before if len(before) > 1 else after.strip(NAME_BORDERS)


def _plain(text: str) -> str:
    """Return a name as told, without "by" and signs around it.

    >>> _plain("By the Centre for Rain")
    'the Centre for Rain'
    """
    return BEGIN.sub("", one_line(text)[:LONGEST_LIST]).strip(" ,.;:*@\"'|-–—·•")


def turned(name: str) -> str:
    """Return a cited name with the family name at its end."""
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma else name.strip()


MOST_AUTHOR_ELEMENTS = 60
MOST_JOINED_NAMES = 12  # that are joined
HANDLE = re.compile(r"^\W*@|^\W*(?:and|&|und|et|y)?\W*$")  # beside a name: not a name of its own
SPLIT = re.compile(r"\s*(?:[,;&|/]|\band\b|\bund\b|\bet\b|\by\b|\bund\b)\s*")
MOST_WITHIN = 30  # nodes of an element that are looked at
# What a name follows, without the first letters, which may be capitals.
AUTHOR_LABELS = (
    "ritten by", "osted by", "rticle by", "ontent by", "uthored by", "uthor:", "erfasst von",
    "crit par", "scrito por", "critto da", "eschreven door",
)  # fmt: skip
# Beginnings of signs of names that are surer than any other text.
SURE_AUTHOR_SIGNS = (
    "json article", "json question", "meta author", "byline", "property", "rel", "thread",
)  # fmt: skip
AUTHOR_PAGES = re.compile(
    r"(?i)/(author|people|profile|user|member|u(?!s)|staff|team|contributor|writer|by)s?[/-]"
)
AUTHOR_CLASSES = (  # in classes and ids, the first that fits
    ("byline", re.compile(r"(?i)byline")),
    ("bio", re.compile(r"(?i)bio|about.?author|author.?(?:box|info|desc|card|about)")),
    ("name", re.compile(r"(?i)author.{0,3}name|name.{0,3}author|(?:user|poster).?name")),
    ("author", re.compile(r"(?i)author|writer|creator")),
    ("user", re.compile(r"(?i)user|poster|member")),
    ("contributor", re.compile(r"(?i)contributor")),
)
METAS = (
    "author", "article:author", "dc.creator", "dcterms.creator", "dc.contributor", "byl", "byline",
    "parsely-author", "sailthru.author", "authors", "article:author_name", "article.author",
    "twitter:creator", "og:author", "cxenseparse:author", "book:author", "author-name",
    "post-author",
)  # fmt: skip


def authors(reading: PageReading) -> Candidates:
    """Gather what may be the names of a page's authors."""
    gathered = AuthorGathering(reading)
    gathered.from_json()
    gathered.from_metas()
    gathered.from_elements()
    gathered.from_leaves()
    gathered.from_text()
    title = meta_key(reading.title)
    for one in gathered.found:
        one.signs.update(name_signs(one.text, reading.site_names, title))
    return own(gathered.found)


@lru_cache(TEXTS_KEPT)
def key_of_names(text: str) -> str:
    """Return what the same names share, however they are joined.

    >>> key_of_names("Ann Lee, Bo Ray and Cy Fox") == key_of_names("Ann Lee, Bo Ray, & Cy Fox")
    True
    """
    return ", ".join(filter(None, map(meta_key, SPLIT.split(text))))


class AuthorGathering:
    """Gathers candidates, way by way."""

    def __init__(self, reading: PageReading) -> None:
        self.found = Candidates()
        self._reading = reading

    def _add(self, text: str, how: str, signs: Iterable[str], node: Node | None = None) -> str:
        """Add a name, or several; return its key, empty if it is none."""
        key = key_of_names(text)
        if not key or len(text) > LONGEST_LIST or NOT_A_NAME.search(text):
            return ""
        if GENERIC.search(text):
            signs = (*signs, "generic")
        self.found.add(key, text, how, signs, node)
        return key

    def from_json(self) -> None:
        """Add the authors of JSON-LD."""
        told = self._reading.told
        for name, ends in THING_GROUPS:
            things: list[Thing] = told.of_types(ends)
            for number, thing in enumerate(things[:3]):
                for field in ("author", "creator"):
                    known = told.names(thing.get(field))[:MOST_JOINED_NAMES]
                    people = [one for one, group in known if not group]
                    signs = [f"json {name} {field}" + (" later" if number else "")]
                    signs += [] if people else ["json group"]
                    self._told(people or [one for one, _ in known], f"JSON-LD {field}", signs)
        for thing in told.of_types(("Person",))[:3]:
            for person, _ in told.names(thing):
                self._add(cleaned_name(person), "JSON-LD Person", ("json person",))

    def _told(self, people: Iterable[str], how: str, signs: list[str]) -> None:
        """Add names that are told to programs: as they are, and cleaned if that is different."""
        whole = [name for name in dict.fromkeys(map(_plain, people)) if name][:MOST_JOINED_NAMES]
        short = [name for name in dict.fromkeys(map(cleaned_name, people)) if name][
            :MOST_JOINED_NAMES
        ]
        named = ["told name"] if whole and all(map(looks_like_name, whole)) else []
        self._add(", ".join(whole), how, [*signs, *named])
        if short != whole:
            self._add(", ".join(short), how, [f"{sign} cut" for sign in signs])

    def from_metas(self) -> None:
        """Add the authors of meta elements."""
        reading = self._reading
        for name in METAS:
            known = [unescape(text) for _, text in reading.meta(name)]
            if known:
                sign = name if name in ("author", "article:author", "twitter:creator") else "other"
                self._told(known, f"meta {name}", [f"meta {sign}"])
        cited = [turned(text) for _, text in reading.meta("citation_author", "citation_authors")]
        if cited:
            self._told(cited, "meta citation_author", ["meta author"])
        for name, label in (*reading.meta("twitter:label1"), *reading.meta("twitter:label2")):
            if re.search(r"(?i)written|by|author|autor|verfasst|écrit", label):
                for _, text in reading.meta(name.replace("label", "data")):
                    self._told([text], f"meta {name}", ["meta twitter"])

    def from_elements(self) -> None:
        """Add the names in elements that are called after authors."""
        counts: dict[str, int] = {}
        keys: dict[str, set[str]] = {}  # by kind
        thread = "thread" in self._reading.signs
        row: list[tuple[str, Node, str]] = []
        for element in self._reading.signed[: 4 * MOST_AUTHOR_ELEMENTS]:
            kind, how = _element_kind(element)
            text = behind_by(name_in(element))
            if not text:
                inner = inner_name(element)
                if inner and self._reading.places.of(element) != REPLIES:
                    self._add(inner, how, [f"{kind} long inner"], element)
                continue
            number = counts[kind] = counts.get(kind, 0) + 1
            if number > MOST_AUTHOR_ELEMENTS:
                continue
            away = self._reading.places.of(element)
            if away == REPLIES and not thread:
                continue
            order = "first" if number == 1 else "second" if number == 2 else "later"
            signs = [f"{kind}{away}", f"{kind} {order}{away}"]
            if thread:
                signs.append(f"thread {kind} {order}{away}")
            name = cleaned_name(text)
            signs += ["by in element"] if BEGIN.match(text) else []
            key = self._add(name, how, signs, element)
            keys.setdefault(kind + away, set()).add(key)
            if key and not away:
                row.append((name, element, kind))
            inner = "" if looks_like_name(name) else inner_name(element)
            if inner:
                self._add(inner, how, [f"{sign} inner" for sign in signs[:2]], element)
            whole = _plain(text)
            if whole != name and len(whole) <= LONGEST_PERSON and not find_date(whole):
                self._add(whole, how, [f"{sign} whole" for sign in signs], element)
        self._join(row)
        for kind, known in keys.items():
            for key in known - {""} if len(known - {""}) > 1 else ():
                self.found.known[key].signs.add(f"{kind} of several")

    def _join(self, row: list[tuple[str, Node, str]]) -> None:
        """Add names of one kind that stand side by side as one list."""
        last: list[str] = []
        for place, (name, element, kind) in enumerate(row):
            before = row[place - 1] if place else None
            beside = before is not None and before[2] == kind and side_by_side(before[1], element)
            if not beside:
                last = []
            if name not in last:
                last.append(name)
            if 1 < len(last) <= MOST_JOINED_NAMES:
                self._add(", ".join(last), "side by side", (f"joined {kind}", "joined"), element)

    def from_leaves(self) -> None:
        """Add the names in the texts near the heading."""
        near = self._reading.near
        dated = [leaf.date is not None for leaf in near]
        number = 0
        row: list[str] = []  # names side by side
        for place, leaf in enumerate(near):
            if HANDLE.match(leaf.text):
                continue
            before = near[place - 1] if place and near[place - 1].distance < leaf.distance else None
            text, signs = byline_in(leaf, before)
            if not text or self._reading.places.of(leaf.node) == REPLIES:
                row = []
                continue
            if any(dated[max(0, place - 1) : place + 2]):
                signs.append("next to date")
            beside = dated[max(0, place - 2) : place + 3]
            signs.append("near date" if any(beside) else "near no date")
            signs.append("near close" if -4 < leaf.distance <= CLOSE_TO_HEADING else "near far")
            signs.append("near before" if leaf.distance < 0 else "near after")
            signs.append(OF_ENTRY if leaf.of_entry else OF_PAGE)
            signs += _links_of(leaf.node)
            if signs[0] in BYLINE_SIGNS and all(map(_is_named, filter(None, SPLIT.split(text)))):
                signs.append("byline")
            if leaf.distance > 0:
                number += 1
                signs.append(f"{signs[0]} {min(number, 3)}")
            known = self.found.known.get(key_of_names(text))
            # Further mentions of a name that was found in a byline tell nothing.
            if signs[0] != "name alone" or known is None or "byline" not in known.signs:
                self._add(text, "near heading", signs, leaf.node)
            row = [*row, text] if looks_like_name(text) else []
            if 1 < len(row) <= MOST_JOINED_NAMES and leaf.distance > 0:
                self._add(", ".join(row), "near heading", ["joined near", "joined"], leaf.node)

    def from_text(self) -> None:
        """Add the name that words such as "Written by" stand before, anywhere in the page."""
        if any(sign.startswith(SURE_AUTHOR_SIGNS) for one in self.found for sign in one.signs):
            return
        shown = self._reading.shown
        for label in AUTHOR_LABELS:
            for at in islice(found_at(shown, label), 1):
                behind = shown[at + len(label) : at + len(label) + LONGEST_PERSON].lstrip(": \n")
                name = cleaned_name(behind.split("\n")[0])
                if looks_like_name(name):
                    self._add(name, "text", ("text by", "text by, name"))
                elif " " not in name and not name.islower():
                    self._add(name, "text", ("text by", "text by, one word"))


CLOSE_TO_HEADING = 6  # texts
BYLINE_SIGNS = ("with by", "after by", "behind date", "before date")  # what a byline looks like


def byline_in(leaf: NearText, before: NearText | None) -> tuple[str, list[str]]:
    """Return the name in a text, and its signs; empty if there is none."""
    text = leaf.text
    if len(text) > 2 * LONGEST_PERSON:
        return "", []
    if before is not None and len(before.text) <= LONGEST_PERSON and ONLY_BY.match(before.text):
        return cleaned_name(text), ["after by"]
    if BEGIN.match(text):
        return cleaned_name(text), ["with by"]
    found = BY_WITHIN.search(text)
    if found and len(text) <= LONGEST_PERSON:
        return cleaned_name(text[found.end() :]), ["by within"]
    date = leaf.date
    if date is not None and len(text) <= 2 * LONGEST_PERSON:
        rest = text[text.find(date.written) + len(date.written) :]
        if rest.lstrip()[:1] in tuple(NAME_BORDERS.strip()):
            return cleaned_name(rest.strip(NAME_BORDERS)), ["behind date"]
        rest = cleaned_name(text[: text.find(date.written)].rstrip(NAME_BORDERS))
        return (rest, ["before date"]) if looks_like_name(rest) else ("", [])
    if len(text) > LONGEST_PERSON or " " not in text or text[0].islower():  # cleaning is slow
        return "", []
    name = cleaned_name(text)
    return (name, ["name alone"]) if looks_like_name(name) else ("", [])


def _links_of(node: Node) -> list[str]:
    """Return whether a name is a link: to a person's page, or to any other, as titles are."""
    link = node.closest("a[href]")
    if link is None:
        return []
    person = "author" in markup.attribute(link, "rel") or AUTHOR_PAGES.search(
        markup.attribute(link, "href")
    )
    return ["link to person" if person else "link elsewhere"]


def name_in(element: Node) -> str:
    """Return the name in an element: its own for programs, a name in it, or its text."""
    told = markup.attribute(element, "content")
    if told:
        return told
    inside = element.select_one('[itemprop~="name"], [rel~=author]')
    if inside is not None and inside is not element:
        return markup.attribute(inside, "content") or one_line(markup.text([inside]))
    if markup.length(element, 3 * LONGEST_PERSON) >= 3 * LONGEST_PERSON:
        return ""
    text = one_line(markup.text([element]))
    link = element.select_one("a")
    if link is not None and link is not element and len(text) > LONGEST_PERSON:
        return one_line(markup.text([link]))
    return text if len(text) <= 2 * LONGEST_PERSON else ""


def behind_by(text: str) -> str:
    """Return what follows "written by" in a text, else the text.

    >>> behind_by("This post was written by Ann Lee"), behind_by("Ann Lee")
    ('Ann Lee', 'Ann Lee')
    """
    found = WRITTEN_BY.search(text)
    return text[found.end() :] if found else text


def inner_name(element: Node) -> str:
    """Return the first text within an element that looks like a name, if there are several."""
    leaves = [one for one in islice(element.descendants, MOST_WITHIN) if isinstance(one, Text)]
    texts = [text for one in leaves if (text := markup.leaf_text(one))]
    if len(texts) < 2:
        return ""
    return next((name for text in texts if looks_like_name(name := cleaned_name(text))), "")


def _element_kind(element: Node) -> tuple[str, str]:
    """Return the kind of an element with a name, and how to call it."""
    about = markup.attribute(element, "itemprop") or markup.attribute(element, "property")
    if "author" in about or "creator" in about:
        return "property", f"property {about}"
    if "author" in markup.attribute(element, "rel"):
        return "rel", "rel=author"
    called = markup.called(element)
    for name, pattern in AUTHOR_CLASSES:
        if pattern.search(called):
            return f"class {name}", "class"
    link = AUTHOR_PAGES.search(markup.attribute(element, "href"))
    if link:
        return f"link {link[1].lower()}", "link"
    return ("address", "address") if markup.tag(element) == "address" else ("other", "class")


def _is_named(text: str) -> bool:
    """Return whether a text looks like the name of a person, or is called a team."""
    return looks_like_name(text) or TEAM.search(text) is not None


def name_signs(text: str, site_names: frozenset[str], title: str) -> Iterator[str]:
    """Yield what a name looks like; `title` is the key of the title element."""
    people = [part for part in SPLIT.split(text) if part]
    several = len(people) > 1 and all(map(_is_named, people))
    longest = max(people, key=len) if several else text
    yield f"words {min(len(longest.split()), 6)}"
    yield "looks like name" if several or looks_like_name(longest) else "looks odd"
    key = meta_key(text)
    if key in site_names or key.replace(" ", "") in site_names:
        yield "site name"
    if NAME_STOP.search(text):
        yield "stop word"
    if TEAM.search(text):
        yield "team"
    if any(letter.isdigit() for letter in text):
        yield "digits"
    if text[:1].islower():
        yield "lower"
    if len(longest) > 40:
        yield "long"
    if len(people) > 1:
        yield "several" if several else "several odd"
    if key and key in title:
        yield "in title"
