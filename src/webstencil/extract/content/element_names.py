"""What the names of elements say about the text in them.

Class, id, role and itemprop say what an element is for. The words are those that many content
systems share; none is of a single site. Tags with such a meaning count as names.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webstencil.markup import Element

GROUPS = {
    "comment": r"comment|disqus|respond|repl(?:y|ies)|discuss|talkback|feedback",
    "nav": r"\bnav|navi|menu|breadcrumb|crumb|skip|pag(?:er|ination)|topbar",
    "top": r"masthead|header|banner|logo|brand|tagline",
    "related": r"relat|recommend|popular|trending|teaser|promo|more[-_]|[-_]more|morestor|mostread|"
    r"most[-_]|latest|recent|also|outbrain|taboola|recirc|next|prev(?!iew)|archive|links",
    "share": r"shar(?:e|ing)|social|tool|util|print|email|bookmark|facebook|twitter|follow|subscri|"
    r"newsletter|signup|sign-up|login|register|donat|rss|vote|rating|like",
    "ad": r"\bads?\b|\bad[-_]|[-_]ads?\b|advert|sponsor|adsense|doubleclick|widget|poll|promo|"
    r"\baside",
    "foot": r"foot|copyright|legal|disclaim|terms|cookie|privacy|notice",
    "side": r"sidebar|\bside(?:[-_]|\b)|[-_]side\b|\brail|[-_]rail|right[-_]?col|col[-_]?right|"
    r"secondary|left[-_]?col|\bright",
    "meta": r"byline|author|dateline|\bdate|time|posted|meta|info|tag|categor|source|credit|kicker|"
    r"label|stamp",
    "caption": r"caption|photo|image|\bimg|pict|thumb|gallery|figure|slide|video|media",
    "body": r"@main|@articlebody|articlebody|"
    r"(?:entry|post|article|story)[-_]*(?:content|body|text|copy|detail)|"
    r"\bhentry|\bprose\b|markdown|bodycontent|mw-content|"
    r"(?:content|text|copy)[-_]?(?:body|main|article)|field-name-body|\brst-content",
    "hidden": r"@hidden|\bhidden|screen-reader|sr-only|visually|print[-_]?only|display[-_]?none|"
    r"\bhide\b|accessib",
}
BY_TAG = {
    "nav": "nav",
    "header": "top",
    "footer": "foot",
    "aside": "side",
    "form": "share",
    "figcaption": "caption",
    "main": "body",
    "article": "body",
}
BITS = {group: 1 << place for place, group in enumerate(GROUPS)}
BODY = BITS["body"]
COMMENT = BITS["comment"]
HIDDEN = BITS["hidden"]
EVERY = sum(BITS.values())
AGAINST = EVERY & ~(BODY | BITS["caption"])  # groups that say a text is not content
TITLE = 1 << len(BITS)  # the bit of an element named a title; it does not hold for what is inside

LONGEST = 10_000  # characters of an attribute that are searched; 20 million took 18 s
SELDOM = "[role], [itemprop], [style], [hidden], [aria-hidden]"  # few elements have one

_CONCEALED = re.compile(r"(?i)display\s*:\s*none|visibility\s*:\s*hidden")
_PATTERNS = [
    *[(BITS[group], re.compile(words)) for group, words in GROUPS.items()],
    (TITLE, re.compile("title|headline|heading|titul")),
]
_ANY = re.compile("|".join([pattern.pattern for _, pattern in _PATTERNS]))  # most names are in none
_DIGITS = re.compile("[0-9]+")


def marks_of(tag: str, classes: str, identifier: str) -> int:
    """Return the groups of an element by its tag and names, one bit each."""
    return _marks_of(tag, classes[:LONGEST], identifier[:LONGEST])


def seldom_marks(element: "Element") -> int:
    """Return the groups of an element by the names that few elements have."""
    return _marks_of("", _seldom_names(element), "")


def _seldom_names(element: "Element") -> str:
    """Return the names of an element besides class and id, as in `@main @hidden`."""
    values = [element.attr(name) for name in ("role", "itemprop")]
    written = "".join([f" @{value[:LONGEST]}" for value in values if value])
    hidden = "hidden" in element.attrs or element.attr("aria-hidden") == "true"
    concealed = _CONCEALED.search(element.attr("style") or "")
    return f"{written} @hidden" if hidden or concealed else written


@lru_cache(maxsize=1 << 14)
def _marks_of(tag: str, classes: str, identity: str) -> int:
    names = f"{classes} #{identity}" if identity else classes
    found = BITS[BY_TAG[tag]] if tag in BY_TAG else 0
    for name in _DIGITS.sub("0", names.lower()).split():
        found |= _marks(name)
    return found


@lru_cache(maxsize=1 << 14)  # single names repeat more than whole attributes, also across sites
def _marks(name: str) -> int:
    if _ANY.search(name) is None:
        return 0
    return sum([bit for bit, pattern in _PATTERNS if pattern.search(name)])
