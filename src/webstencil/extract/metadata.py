"""Title, date and author of a page, from its metadata.

Ways, the surest first: JSON-LD, meta elements (Open Graph, Dublin Core and others), microdata and
RDFa Lite properties, telling elements and classes (`time`, `rel=author`, microformats), the `title`
element, for dates the URL. Several different values (the dates of a list of articles) are not about
the page and are left out.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from webstencil import markup
from webstencil.extract.dates import find_date
from webstencil.markup import Node
from webstencil.model import Item, Page

Json: TypeAlias = "dict[str, Json] | list[Json] | str | float | bool | None"

# The escape of half a character, from a text cut within an emoji; no text can have it.
HALF_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
JSON_LD = "application/ld+json"
ARTICLES = ("Article", "Posting", "Report", "Review", "Recipe", "Story")  # ends of JSON-LD types
# About comments, other pages or the site, not about the page. Classes of elements around the whole
# page describe its parts.
NAMES_ELSEWHERE = ("comment", "related", "reviews", "sidebar", "widget")
ELSEWHERE = "aside, nav, footer:not(article *), " + ", ".join(
    f"[{attribute}*={name}]:not(html, body, main, article)"
    for name in NAMES_ELSEWHERE
    for attribute in ("class", "id")
)
# Between a page's title and the site's.
SEPARATORS = re.compile("\\s+[|\N{EN DASH}\N{EM DASH}·»:-]+\\s+|\\s*[|»]\\s*")
WORD = re.compile(r"\w+")
REPEATED = 0.8  # 0..1, of the words of a heading
LONGEST = 300  # characters of a title; more is a text
LONGEST_NAME = 80  # characters of an author
NO_NAME = re.compile(r"(?i)https?://|www\.|@|^(admin|editor|staff|author|guest)$")
PERMALINK = re.compile(r"\s*¶\s*$|\s+[#§🔗⚓]\s*$")
# Bylines: "Posted by Ann Smith on May 3, 2021".
BYLINES = ", ".join(f"[class*={name} i]" for name in ("meta", "byline", "posted"))
WRITTEN_BY = re.compile(r"(?i)\bby:?\s+(?P<name>\S.*?)(?=\s+(?:on|in|at)\s|\s*[,|·•]|$)")
BY = re.compile(r"(?i)^(posted |written )?by:?\s+")
# The day in a URL before a page's own name, so not an archive of a day, month or author.
DATED_PATH = re.compile(r"/((?:19|20)\d\d/\d\d?/\d\d?)/(?!index\.|page[/-])[^/?#]{4,}")

# 0..1, how often each way is right, judged by eye on pages of ten sites.
TOLD = 0.95  # for programs: JSON-LD, Open Graph
MARKED = 0.9  # by properties and elements
NAMED = 0.8  # by classes
GUESSED = 0.6  # from the title element


@dataclass(frozen=True, slots=True)
class Finding:
    """A value, and how it was found."""

    text: str
    how: str
    confidence: float  # 0..1
    node: Node | None = None  # None if it was in a script


def metadata(page: Page) -> tuple[Item, ...]:
    """Return the title, date and author of a page as items, those that it has."""
    told = tuple(things(page, ARTICLES))
    root = page.markup.root
    found = (
        ("title", title(root, told)),
        ("date", first_sure(dates(root, told, page.url))),
        ("author", first_sure(authors(root, told))),
    )
    return tuple(item(kind, finding) for kind, finding in found if finding is not None)


def item(kind: str, finding: Finding) -> Item:
    """Return a finding as an item."""
    node = finding.node
    written = find_date(finding.text) if kind == "date" else None
    return Item(
        kind=kind,
        text=written.iso or finding.text if written else finding.text,
        selector="" if node is None else markup.selector(node),
        xpath="" if node is None else markup.xpath(node),
        confidence=finding.confidence,
        how=finding.how,
        fields=(("written", finding.text),) if written else (),
    )


def first_sure(sources: Iterable[list[Finding]]) -> Finding | None:
    """Return the first way's finding that is unambiguous."""
    for findings in sources:
        if len({finding.text for finding in findings}) == 1:
            return findings[0]
    return None


def things(page: Page, types: tuple[str, ...]) -> Iterator[dict[str, Json]]:
    """Yield the JSON-LD objects of a page whose types end like these."""
    for script in markup.scripts(page.body, page.encoding, JSON_LD):
        try:
            waiting: list[Json] = [json.loads(HALF_CHARACTER.sub(r"\\ufffd", script))]
        except (ValueError, RecursionError):
            continue  # broken by hand or on purpose
        while waiting:
            value = waiting.pop()
            if isinstance(value, list):
                waiting.extend(reversed(value))
            elif isinstance(value, dict):
                kinds = value.get("@type")
                names = kinds if isinstance(kinds, list) else [kinds]
                if any(isinstance(name, str) and name.endswith(types) for name in names):
                    yield value
                waiting.append(value.get("@graph"))


def title(root: Node, told: Iterable[dict[str, Json]]) -> Finding | None:
    """Return the title of the page, without the site's name if a heading is without it."""
    found = first_sure(titles(root, told))
    if found is None:
        return None
    parts = {part.strip() for part in SEPARATORS.split(found.text)}
    for one in marked(root, "h1, h2", "heading", heading):
        if one.text != found.text and one.text in parts and not leads_away(one):
            return Finding(one.text, f"heading, {found.how}", found.confidence, one.node)
    return found


def leads_away(found: Finding) -> bool:
    """Return whether a heading is a link: to the start page, or to an article of a list."""
    link = found.node.select_one("a[href]") if found.node is not None else None
    return link is not None and one_line(markup.text([link])) == found.text


def titles(root: Node, told: Iterable[dict[str, Json]]) -> Iterator[list[Finding]]:
    """Yield the findings of each way for the title."""
    yield in_json(told, ("headline", "name"))
    yield metas(root, ("og:title", "twitter:title", "dc.title", "dcterms.title"), short)
    yield properties(root, ("headline",), short)
    element = marked(root, "title", "title", short, GUESSED)
    named = "".join([one.text for one in element[:1]])
    headings = marked(root, "h1, h2, h3", "heading, title", heading)
    own = [one for one in headings if not leads_away(one) and not BY.match(one.text)]
    parts = {named, *map(str.strip, SEPARATORS.split(named))}
    yield [one for one in own if one.text in parts]
    for selector in ("h1.entry-title, h1[class*=title]", "h1"):
        first = marked(root, selector, "h1", heading, NAMED)
        yield [one for one in first if not leads_away(one)]
    yield [one for one in own if repeats(one.text, named)]
    yield element


def repeats(text: str, title: str) -> bool:
    """Return whether a heading has only words of the title, and most of them."""
    words, known = set(WORD.findall(text.lower())), set(WORD.findall(title.lower()))
    shared = len(words & known)
    return shared >= REPEATED * len(words) and 2 * shared > len(known)


def dates(root: Node, told: Iterable[dict[str, Json]], url: str) -> Iterator[list[Finding]]:
    """Yield the findings of each way for the date of publication."""
    yield in_json(told, ("datePublished", "dateCreated"))
    names = ("article:published_time", "date", "dc.date", "dcterms.created", "dcterms.date")
    yield metas(root, (*names, "pubdate", "publishdate", "parsely-pub-date", "sailthru.date"), day)
    yield properties(root, ("datePublished", "dateCreated"), day)
    yield marked(root, "time[pubdate], time.published, .dt-published, .published", "time", day)
    yield marked(root, "time[datetime], time", "time", day, NAMED)
    yield marked(root, ".entry-date, .post-date, .byline .date, .date", "class", day, NAMED)
    named = "[class*=date i]:not(time, [class*=update i])"
    yield marked(root, named, "class", day_alone, NAMED)
    yield in_byline(root, day_alone)
    path = DATED_PATH.search(url)
    yield [Finding(path[1], "address", NAMED)] if path and day(path[1]) else []


def authors(root: Node, told: Iterable[dict[str, Json]]) -> Iterator[list[Finding]]:
    """Yield the findings of each way for the author."""
    yield in_json(told, ("author", "creator"))
    names = ("author", "article:author", "dc.creator", "dcterms.creator", "parsely-author")
    yield metas(root, (*names, "sailthru.author"), person)
    yield properties(root, ("author",), person)
    yield marked(root, "[rel~=author]", "rel=author", person)
    yield marked(root, ".p-author, .author.vcard, .vcard .fn, .byline .author", "class", person)
    yield marked(root, ".author, .post-author, .byline", "class", person, NAMED)
    yield in_byline(root, writer)


Reading: TypeAlias = Callable[[str], str]  # from a text to a value, empty if it is none


def short(text: str) -> str:
    """Read a title."""
    words = one_line(text)
    return words if len(words) <= LONGEST else ""


def heading(text: str) -> str:
    """Read a title from a heading, which may end with the sign of a link to itself."""
    return short(PERMALINK.sub("", text))


def day(text: str) -> str:
    """Read a date."""
    words = one_line(text)
    return words if len(words) <= LONGEST_NAME and find_date(words) else ""


def day_alone(text: str) -> str:
    """Read a date that may be beside the author's name, or in an element with such."""
    found = find_date(day(text))
    return found.written if found else ""


def person(text: str) -> str:
    """Read a name."""
    words = BY.sub("", one_line(text))
    return "" if len(words) > LONGEST_NAME or NO_NAME.search(words) else words


def writer(text: str) -> str:
    """Read the name in a line that may also have a date."""
    found = WRITTEN_BY.search(one_line(text)) if day(text) else None
    return person(found["name"]) if found else ""


def in_json(told: Iterable[dict[str, Json]], names: Iterable[str]) -> list[Finding]:
    """Return the values of JSON-LD articles under the first of these names."""
    for name in names:
        values = [as_text(article.get(name)) for article in told]
        found = [Finding(value, f"JSON-LD {name}", TOLD) for value in values if value]
        if found:
            return found
    return []


def as_text(value: Json) -> str:
    """Return a JSON-LD value as text: itself, or the names of one object or several."""
    things = value if isinstance(value, list) else [value]
    named = [thing.get("name") if isinstance(thing, dict) else thing for thing in things]
    return ", ".join(one_line(name) for name in named if isinstance(name, str))


def metas(root: Node, names: Iterable[str], read: Reading) -> list[Finding]:
    """Return the contents of meta elements under the first of these names."""
    known: dict[str, list[Finding]] = {}
    for meta in root.select("meta[content]"):
        name = markup.attribute(meta, "property") or markup.attribute(meta, "name")
        value = read(markup.attribute(meta, "content"))
        if value:
            finding = Finding(value, f"meta {name.lower()}", TOLD, meta)
            known.setdefault(name.lower(), []).append(finding)
    return next((known[name] for name in names if name in known), [])


def properties(root: Node, names: Iterable[str], read: Reading) -> list[Finding]:
    """Return the values of microdata and RDFa under the first of these names."""
    for name in names:
        selector = f'[itemprop~="{name}"], [property~="{name}"], [property~="schema:{name}"]'
        found = marked(root, selector, f"property {name}", read)
        if found:
            return found
    return []


def marked(
    root: Node, selector: str, how: str, read: Reading, confidence: float = MARKED
) -> list[Finding]:
    """Return the values of selected elements that are about the page."""
    found = []
    for element in root.select(selector):
        value = read(value_of(element))
        if value and element.closest(ELSEWHERE) is None:
            found.append(Finding(value, how, confidence, element))
    return found


def in_byline(root: Node, read: Reading) -> list[Finding]:
    """Return the value of the page's only byline; a list of articles has several."""
    found = marked(root, BYLINES, "byline", read, NAMED)
    outermost = [one for one in found if above(one.node, BYLINES) is None]
    return outermost if len(outermost) == 1 else []


def above(node: Node | None, selector: str) -> Node | None:
    """Return the nearest selected ancestor of a node."""
    around = None if node is None else markup.parent(node)
    return None if around is None else around.closest(selector)


def value_of(element: Node) -> str:
    """Return the value of an element: its attribute for programs, a name in it, or its text."""
    for name in ("content", "datetime"):
        if markup.attribute(element, name):
            return markup.attribute(element, name)
    inside = element.select_one('[itemprop~="name"]')
    if inside is not None:
        return value_of(inside)
    return markup.text([element])


def one_line(text: str) -> str:
    """Collapse white space."""
    return " ".join(text.split())
