"""Where the posts of a thread name their authors and dates.

An *anchor* is an element that may hold a name or a date, with the way it was found. Which of them
is the author of a post is decided by all posts together (`posts.py`): the same place names it in
most of them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from webstencil import markup
from webstencil.extract.about.author_candidates import name_in
from webstencil.extract.about.person_names import NO_NAME, cleaned
from webstencil.extract.content.text_runs import TextRuns
from webstencil.extract.dates import find_date
from webstencil.markup import Element, Node

SHORTEST_NAME, LONGEST_NAME = 2, 40  # characters; a single letter stands for a picture
LONGEST_DATE = 80  # characters of a text with a date; longer ones are said in a post
LONGEST_LABEL = 20  # characters of a text that says what the next one is: "Joined:"
MOST_ANCHORS = 4_000  # of a page
QUOTES = "blockquote, q, [class*=quote i]:not(body, main, article)"
PICTURES = "[class*=avatar i], img"  # of authors
MOST_LINKS = 5  # in an element with a name

_NAME = re.compile(r"(?i)(?:user|author|poster|member|display)[-_]*(?:nick|screen)?[-_]*name|nick")
_AUTHOR = re.compile(r"(?i)author|byline|creator|poster(?!\w*(?:date|time))")
_USER = re.compile(r"(?i)\buser\b|\bmember\b|userlink|user-link|profile")
_NO_AUTHOR = re.compile(
    r"(?i)avatar|title|rank|count|stat|badge|date|time|join|location|group|role|icon|button|tool|"
    r"control|action"
)
_NO_NAME = re.compile(
    r"(?i)^(?:#\d.*|find|log|posts?|repl(?:y|ies)|quote|report|website|pm|e-?mail|message|"
    r"advertisement|op|original poster|joined|view profile|send message|edited|likes?)$"
)
_LINK = re.compile(
    r"(?i)/(?:author|people|profile|user|member|u)s?[/-]|/~|member\.php|memberlist\.php|"
    r"profile\.php|[?&;](?:action|mode)=(?:view)?profile|[?&;]user(?:id|name)?=|viewprofile"
)
_DATED = re.compile(r"(?i)date|time|posted|publish|created")
_NO_DATE = re.compile(
    r"(?i)\b(?:joined|join|registered|registriert|inscrit|since|seit|edited|edit|modified|last|"
    r"updated|birth\w*|member|solution|expires?|closed|locked)\b"
)
_NO_DATE_NAMES = re.compile(r"(?i)join|regist|edit|modif|since|member|last|signature|update")
_DASHED = re.compile(r"\b(\d\d?)-(\d\d?)-((?:19|20)\d\d)\b")
_SLASHED = re.compile(r"\b(\d\d?)/(\d\d?)/(?:19|20)\d\d\b")
_STATES = re.compile(r"\d+|\b(?:active|even|first|last|odd|alt\d*|new|unread)\b")
_MONTHS = 12


class PostWay(IntEnum):
    """How an anchor was found, the most reliable first."""

    PROPERTY = 0  # told to programs
    NAME = 1  # a class that says "name", or `time`
    CALLED = 2  # a class that says "author" or "date"
    LINK = 3  # to a profile; for dates: an attribute for readers
    USER = 4  # a class that says "user"; for dates: a short text


@dataclass(frozen=True, slots=True)
class PostAnchor:
    """What may be the author or the date of a post."""

    text: str  # the name, or what holds a date
    way: PostWay
    place: str  # the form of its element, the same in all posts of a thread
    node: Node


def form_of(element: Node) -> str:
    """Return the tag of an element and the first of its classes that says something."""
    names = _STATES.sub("", markup.attribute(element, "class")).split()
    return f"{markup.tag(element)}.{names[0] if names else ''}"


def author_anchors(root: Node) -> Iterator[PostAnchor]:
    """Yield what may name authors, in document order."""
    found = 0
    for element in root.select("[class], [itemprop], [data-author], [rel~=author], a[href]"):
        way = _author_way(element)
        if way is None or element.closest(QUOTES) is not None:
            continue
        name = _name(element)
        if name:
            yield PostAnchor(name, way, form_of(element), element)
            found += 1
            if found >= MOST_ANCHORS:
                return


def _author_way(element: Element) -> PostWay | None:
    """Tell how an element says that it names an author."""
    attr = element.attr
    if "author" in f"{attr('itemprop') or ''} {attr('rel') or ''}" or attr("data-author"):
        return PostWay.PROPERTY
    called = attr("class") or ""
    if _NAME.search(called):
        return PostWay.NAME
    if not _NO_AUTHOR.search(called):
        if _AUTHOR.search(called):
            return PostWay.CALLED
        if element.tag == "a" and _LINK.search(attr("href") or ""):
            return PostWay.LINK
        if _USER.search(called):
            return PostWay.USER
    return None


def _name(element: Node) -> str:
    """Return the name in an element, that of a link to a profile first; empty if there is none."""
    told = markup.attribute(element, "data-author")
    if told:
        return _checked(told)
    for link in markup.descendants(element, "a[href]")[:MOST_LINKS]:
        pictured = bool(markup.descendants(link, PICTURES)) or link.matches(PICTURES)
        if not pictured and _LINK.search(markup.attribute(link, "href")):
            name = _checked(name_in(link))
            if name:
                return name
    return _checked(cleaned(name_in(element)))


def _checked(name: str) -> str:
    """Return a name on one line, empty if it is none."""
    name = " ".join(name.split()).partition(" * ")[0].strip(" »«*:·|")  # stars tell ranks
    if not SHORTEST_NAME <= len(name) <= LONGEST_NAME:
        return ""
    if NO_NAME.search(name) or _NO_NAME.search(name) or find_date(name):
        return ""
    return name if any(letter.isalnum() for letter in name) else ""


def date_anchors(root: Node, runs: TextRuns) -> Iterator[PostAnchor]:
    """Yield what may hold dates: first elements, then short texts; each in document order."""
    found = 0
    for element in root.select("time, [itemprop^=date], [class], [title]"):
        told = _date_told(element)
        if told is None or element.closest(QUOTES) is not None:
            continue
        way, text = told
        yield PostAnchor(text, way, form_of(element), element)
        found += 1
        if found >= MOST_ANCHORS:
            return
    for run, text in enumerate(runs.texts):
        labelled = run > 0 and len(runs.texts[run - 1]) <= LONGEST_LABEL
        if labelled and _NO_DATE.search(runs.texts[run - 1]):
            continue
        if len(text) <= LONGEST_DATE and not _NO_DATE.search(text) and find_date(slashed(text)):
            block = runs.elements[runs.blocks[run]]
            if block.closest(QUOTES) is None and not _NO_DATE_NAMES.search(markup.called(block)):
                yield PostAnchor(text, PostWay.USER, form_of(block), block)


def _date_told(element: Element) -> tuple[PostWay, str] | None:
    """Return a text with a date in an element, and how it was found."""
    attr = element.attr
    called = f"{attr('class') or ''} {attr('id') or ''}"
    about = attr("itemprop") or ""
    if _NO_DATE_NAMES.search(called) or "Modified" in about:
        return None
    texts = [attr("title") or ""]
    if element.tag == "time" or about.startswith("date"):
        way = PostWay.PROPERTY if about.startswith("date") else PostWay.NAME
        texts = [attr("datetime") or attr("content") or "", *texts, _short(element)]
    elif _DATED.search(called):
        way = PostWay.CALLED
        texts = [*texts, _short(element)]
    else:
        way = PostWay.LINK
    for text in texts:
        fits = 0 < len(text) <= LONGEST_DATE and not _NO_DATE.search(text)
        if fits and find_date(slashed(text)):
            return way, text
    return None


def _short(element: Node) -> str:
    """Return the text of an element if it is short."""
    long = markup.length(element, LONGEST_DATE + 1) > LONGEST_DATE
    return "" if long else " ".join(markup.text([element]).split())


def slashed(text: str) -> str:
    """Return a text with 04-15-2009 as 04/15/2009."""
    return _DASHED.sub(r"\1/\2/\3", text)


def days_first(texts: list[str], language: str = "") -> bool | None:
    """Tell from the dates of all posts what 3/4/2020 means, None if that is open.

    Where they leave it open, the language of the page decides; in English it is open.
    """
    pairs = [found.groups() for text in texts for found in _SLASHED.finditer(slashed(text))]
    first = any(int(one) > _MONTHS for one, _ in pairs)
    second = any(int(two) > _MONTHS for _, two in pairs)
    if first != second:
        return first
    return True if language and not language.lower().startswith("en") else None


def day_of(text: str, *, day_first: bool | None) -> str:
    """Return a date as YYYY-MM-DD, as written if that is not clear."""
    found = find_date(slashed(text), day_first=day_first)
    return (found.iso or found.written) if found is not None else ""
