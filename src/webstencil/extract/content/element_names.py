"""What the names of elements say about the text in them.

Class, id, role and itemprop say what an element is for. The words are those that many content
systems share; none is of a single site. Tags with such a meaning count as names.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from webstencil.extract.content.text_runs import BlockNames

if TYPE_CHECKING:
    from webstencil.markup import Element

_BODY_NAMES = [
    *[
        f"{one}[-_]*{other}"
        for one in ("entry", "post", "article", "story")
        for other in ("content", "body", "text", "copy", "detail")
    ],
    *[
        f"{one}[-_]?{other}"
        for one in ("content", "text", "copy")
        for other in ("body", "main", "article")
    ],
]
GROUPS = {  # each `|` parts two patterns, one of which a name has
    "comment": r"comment|disqus|respond|reply|replies|discuss|talkback|feedback",
    "nav": r"\bnav|navi|menu|breadcrumb|crumb|skip|pager|pagination|topbar",
    "top": r"masthead|header|banner|logo|brand|tagline",
    "related": r"relat|recommend|popular|trending|teaser|promo|more[-_]|[-_]more|morestor|mostread|"
    r"most[-_]|latest|recent|also|outbrain|taboola|recirc|next|prev(?!iew)|archive|links",
    "share": r"share|sharing|social|tool|util|print|email|bookmark|facebook|twitter|follow|subscri|"
    r"newsletter|signup|sign-up|login|register|donat|rss|vote|rating|like",
    "ad": r"\bads?\b|\bad[-_]|[-_]ads?\b|advert|sponsor|adsense|doubleclick|widget|poll|promo|"
    r"\baside",
    "foot": r"foot|copyright|legal|disclaim|terms|cookie|privacy|notice",
    "side": r"sidebar|\bside[-_]|\bside\b|[-_]side\b|\brail|[-_]rail|right[-_]?col|col[-_]?right|"
    r"secondary|left[-_]?col|\bright",
    "meta": r"byline|author|dateline|\bdate|time|posted|meta|info|tag|categor|source|credit|kicker|"
    r"label|stamp",
    "caption": r"caption|photo|image|\bimg|pict|thumb|gallery|figure|slide|video|media",
    "body": "|".join(_BODY_NAMES) + r"|@main|articlebody|\bhentry|\bprose\b|markdown|bodycontent|"
    r"mw-content|field-name-body|\brst-content",
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
APART = TITLE << 1  # the bit of what is no text of the page, by its role or tag
ROLES_APART = (
    *("@dialog", "@alertdialog", "@tooltip"),  # shown when they are asked for
    *("@alert", "@status"),  # shown when something happens
    *("@form", "@search", "@contentinfo"),
)
TAGS_APART = frozenset({"footer"})

LONGEST = 10_000  # characters of an attribute that are searched; 20 million took 18 s
SELDOM = "[role], [itemprop], [style], [hidden], [aria-hidden]"  # few elements have one

_CONCEALED = re.compile(r"(?i)display\s*:\s*none|visibility\s*:\s*hidden")
_NOT_NEEDED = re.compile(r"\[.*?\][?*]?|\(.*?\)|\\b|\$|.\?")  # what names that match may do without
_PATTERNS = [
    *[(BITS[group], one) for group, patterns in GROUPS.items() for one in patterns.split("|")],
    *[(TITLE, one) for one in ("title", "headline", "heading", "titul")],
    *[(APART, f"{one}$") for one in ROLES_APART],
]


def _hint(pattern: str) -> str:
    """Return the longest word that all names have which match."""
    return max(_NOT_NEEDED.sub(" ", pattern).split(), key=len)


def _by_hint() -> dict[str, list[tuple[int, re.Pattern[str] | None]]]:
    """Return the groups of names with a hint, and what they match unless the hint says it all."""
    found: dict[str, dict[int, list[str]]] = {}
    for bit, pattern in _PATTERNS:
        found.setdefault(_hint(pattern), {}).setdefault(bit, []).append(pattern)
    return {
        hint: [
            (bit, None if hint in patterns else re.compile("|".join(patterns)))
            for bit, patterns in groups.items()
        ]
        for hint, groups in found.items()
    }


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern of words, the longest first; those with a first letter are tried at once."""
    letters = groupby(sorted(words, key=lambda word: (word[0], -len(word))), lambda word: word[0])
    return "|".join([f"{one}(?:{'|'.join([word[1:] for word in same])})" for one, same in letters])


_BY_HINT = _by_hint()
_HINTS = re.compile(f"(?=({_any_of(_BY_HINT)}))")  # at each place of a name the longest
_BEGINNINGS = {
    hint: [one for start in _BY_HINT if hint.startswith(start) for one in _BY_HINT[start]]
    for hint in _BY_HINT
}


def marks_of(names: BlockNames) -> int:
    """Return the groups of a block by its tag and names, one bit each."""
    found = BITS[BY_TAG[names.tag]] if names.tag in BY_TAG else 0
    if names.tag in TAGS_APART:
        found |= APART
    classes, identifier = names.classes[:LONGEST], names.identifier[:LONGEST]
    for name in f"{classes} #{identifier}{names.said}{names.hidden}".lower().split():
        found |= _marks(name)
    return found


@lru_cache(maxsize=1 << 14)  # sites share single names more than whole attributes
def _marks(name: str) -> int:
    found = 0
    for hint in {*_HINTS.findall(name)}:  # once each, as a name may be very long
        for bit, pattern in _BEGINNINGS[hint]:
            if pattern is None or pattern.search(name):
                found |= bit
    return found


def seldom_names(element: "Element") -> tuple[str, str]:
    """Return the names of an element that few have: what it says it is, and that it is hidden."""
    values = [element.attr(name) for name in ("role", "itemprop")]
    said = "".join([f" @{value[:LONGEST]}" for value in values if value])
    hidden = element.attr("hidden") is not None or element.attr("aria-hidden") == "true"
    concealed = _CONCEALED.search(element.attr("style") or "")
    return said, " @hidden" if hidden or concealed else ""
