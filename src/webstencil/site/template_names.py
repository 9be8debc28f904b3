"""Names of templates, from what their pages say and where they are; what tells them apart.

A name has two parts: what the pages are ("class", "product", "category") and where they are
("/api/…"). What they are is the first word of their heading if most of them share it, else what
they call themselves (`og:type`), else the folder that they are in.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from urllib.parse import unquote, urlsplit

from webstencil.site.outline import Outline
from webstencil.site.site_model import OutlinedPage
from webstencil.site.template_evidence import TestOutcome

MOST_AGREE = 0.6  # share of the pages that must agree
DIFFERS = "…"  # stands for what differs
HOME_NAME = "home"
PAGE_NAME = "page"
TYPE = "meta@og:type"
DULL = frozenset({"website", "object", "the", "a", "an", "how", "what"}) | frozenset(
    {"index", "page", "pages", "content", "html", "htm", "php", "asp", "aspx", "jsp", "action"}
)  # words that say nothing
SHOWN_STEPS = 4  # tests of a sentence
SHOWN_LETTERS = 60
LETTERS_OF_SHORT_WORD = 2  # letters; a word has more
LONGEST_ENDING = 6  # of a file name, with its dot

_NUMBER_IN_STEP = re.compile(r"\d+")
_WORD_OF_STEP = re.compile(
    r"[^\W_]+[\W_]+"
)  # with what follows it: where an address can go on otherwise
_LETTERS_OF_STEP = re.compile(r"[^\W\d_]+")


def name_templates(
    groups: Mapping[int, Sequence[OutlinedPage]], before: Mapping[int, str | None]
) -> dict[int, str]:
    """Name groups of pages; those that had a name before keep it, and no two have the same."""
    names = {leaf: name for leaf, name in before.items() if name}
    taken = set(names.values())
    common = words_common_at_site([[page.outline for page in group] for group in groups.values()])
    fresh = groups.keys() - names.keys()
    for leaf in sorted(fresh, key=lambda one: (-len(groups[one]), one)):
        plain = template_name(groups[leaf], common)
        number = 1
        name = plain
        while name in taken:
            number += 1
            name = f"{plain} ({number})"
        taken.add(name)
        names[leaf] = name
    return names


def template_name(pages: Sequence[OutlinedPage], common: frozenset[str] = frozenset()) -> str:
    """Name a group of pages, but not by words that are common at the site.

    The parts of the address that most of the pages share are written as they are.
    """
    where = pattern([page.url for page in pages])
    outlines = [page.outline for page in pages]
    words = [word for word in (_heading(outlines), _type(outlines)) if word not in common]
    what = next(filter(None, words), "")
    return f"{what or _folder(where)}: {where}"


def words_common_at_site(groups: Sequence[Sequence[Outline]]) -> frozenset[str]:
    """Return the words that most of several templates share, and that tell none of them."""
    counts = Counter(word for group in groups for word in {_heading(group), _type(group)} if word)
    return frozenset(word for word, count in counts.items() if 2 * count > len(groups) > 1)


def pattern(urls: Sequence[str]) -> str:
    """Return what most addresses have in common, step by step.

    >>> pattern(["https://a.example/blog/one.html", "https://a.example/blog/two.html"])
    '/blog/….html'
    """
    split = [_steps(url) for url in urls]
    depth = Counter(map(len, split)).most_common(1)[0][0]
    usual = [steps for steps in split if len(steps) == depth] or split
    steps = [_common(column) for column in zip_longest(*usual, fillvalue="")]
    merged: list[str] = []
    for step in steps:
        if not (step == DIFFERS and merged and merged[-1] == DIFFERS):
            merged.append(step)
    return "/" + "/".join(merged)


def _steps(url: str) -> list[str]:
    """Split an address; numbers stand for anything."""
    parts = urlsplit(url)
    steps = unquote(parts.path).removeprefix("/").split("/")
    if parts.query:
        steps[-1] += f"?{unquote(parts.query)}"
    return [_NUMBER_IN_STEP.sub(DIFFERS, step) for step in steps]


def _common(column: Sequence[str]) -> str:
    """Return a step that most addresses share, or how most of them begin and end."""
    fewest = MOST_AGREE * len(column)
    step, count = max(Counter(column).items(), key=lambda known: (known[1], known[0]))
    if count >= fewest:
        return step if len(step) <= SHOWN_LETTERS else step[:SHOWN_LETTERS] + DIFFERS
    begins = Counter(step[: word.end()] for step in column for word in _WORD_OF_STEP.finditer(step))
    begin = max((one for one, count in begins.items() if count >= fewest), key=len, default="")
    endings = Counter(f".{step.rpartition('.')[2]}" for step in column if "." in step)
    ending, count = max(endings.items(), key=lambda known: (known[1], known[0]), default=("", 0))
    ending = ending if count >= fewest and len(ending) <= LONGEST_ENDING else ""
    return f"{begin[:SHOWN_LETTERS].rstrip(DIFFERS)}{DIFFERS}{ending}"


def _heading(outlines: Sequence[Outline]) -> str:
    """Return the first word of the heading, if most pages have the same."""
    words: Counter[str] = Counter()
    for outline in outlines:
        heard = {
            word.lower()
            for place, word in outline.heard
            if outline.labels[place].partition(".")[0].partition("#")[0] == "h1"
        }
        words.update(heard)
    return _usual(words, len(outlines))


def _type(outlines: Sequence[Outline]) -> str:
    """Return what most pages call themselves."""
    words: Counter[str] = Counter()
    for outline in outlines:
        words.update({w.lower() for place, w in outline.heard if outline.labels[place] == TYPE})
    return _usual(words, len(outlines))


def _usual(words: Counter[str], pages: int) -> str:
    word, count = max(words.items(), key=lambda known: (known[1], known[0]), default=("", 0))
    return word if count >= MOST_AGREE * pages and word not in DULL else ""


def _folder(where: str) -> str:
    """Return the last word of an address that says something."""
    words = [
        word
        for word in _LETTERS_OF_STEP.findall(where.replace(DIFFERS, " "))
        if len(word) > LETTERS_OF_SHORT_WORD
    ]
    named = [word for word in words if word.lower() not in DULL]
    if named:
        return str(named[-1])
    return HOME_NAME if where in ("/", "/index.html") else PAGE_NAME


def sentence(steps: Sequence[TestOutcome], words: Mapping[int, str]) -> str:
    """Say what tells a template from the others: the tests that lead to it, the last ones first."""
    said = [(words.get(step.token, "?"), step.has) for step in reversed(steps)]
    has = list(dict.fromkeys(word for word, there in said if there))
    lacks = list(dict.fromkeys(word for word, there in said if not there and word not in has))
    parts = []
    if has:
        parts.append("has " + ", ".join(has[:SHOWN_STEPS]))
    if lacks:
        parts.append("no " + ", ".join(lacks[:SHOWN_STEPS]))
    return "; ".join(parts) or "all pages"
