"""Candidates for the title of a page: headings, and what the head tells, with and without names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from webstencil import markup
from webstencil.items.json_ld import ARTICLE_THINGS, QUESTION_THINGS, THREAD, json_text
from webstencil.items.reading import ANY_WORD, Candidates, PageReading, heading_text, meta_key
from webstencil.markup import Node

LONGEST_PAGE_TITLE = 300  # characters; more is a text
# Between a page's title and the site's.
TITLE_SEPARATOR = re.compile(r"(\s+[|–—·•»«:/~-]+\s+|\s*[|»]\s*)")
COLON = re.compile(r"(?<=\w):\s+")  # mostly within a title
MOST_TITLE_PARTS = 6
REPLY = re.compile(r"^(?:Re|Aw|Antw): ")  # before the title of a thread
WEB_ADDRESS = re.compile(r"https?://\S+$")
LABEL_IN_TITLE = re.compile(
    r"(?i)^(?:thread|topic|collection|category|tag|archives?|crate|struct)\s*:\s*"
)
HOME_TITLE = re.compile("home ?page|home|start ?page|index|startseite|accueil|inicio")  # no title
SLOGAN = re.compile(r"(?i)\b(?:you|your|we|our|us|let|get|make|start|build)\b")
MAIN = "main, [role=main]"
TITLE_ENDS = frozenset(".!?")
TITLED = "h1[class*=title i], h2[class*=title i], h2[class*=headline i], [itemprop~=headline]"


def titles(reading: PageReading) -> Candidates:
    """Gather what may be the title of a page."""
    found = Candidates()
    wholes: dict[str, set[str]] = {}  # what each was cut from, by keys
    for name, said, node in sources(reading):
        text = REPLY.sub("", said)
        for cut, part in parts_of(text):
            key = meta_key(part)
            if 0 < len(part) <= LONGEST_PAGE_TITLE and key and not WEB_ADDRESS.match(part):
                sign = f"{name} {cut}" if cut != "whole" else name
                how = _spoken(name) if cut == "whole" else f"part of {_spoken(name)}"
                found.add(key, part, how, (sign,), node)
                wholes.setdefault(key, set()).add(meta_key(text))
    if not all(map(HOME_TITLE.fullmatch, found.known)):
        found.known = {
            key: one for key, one in found.known.items() if not HOME_TITLE.fullmatch(key)
        }
    kinds = {key: _kind_of(one.signs) for key, one in found.known.items()}
    context = context_of(reading)
    for key, one in found.known.items():
        one.signs |= set(own_signs(one.text, one.signs, context))
        if key not in wholes[key]:
            one.signs |= {f"cut from {kinds[whole]}" for whole in wholes[key] if whole in kinds}
    return found


def _spoken(name: str) -> str:
    """Return what to call a source."""
    if name.startswith("json"):
        return f"JSON-LD {name.rsplit(maxsplit=1)[-1]}"
    return "heading" if name.startswith(("h1", "h2", "titled")) else name


def sources(reading: PageReading) -> Iterator[tuple[str, str, Node | None]]:
    """Yield the titles that a page tells or shows, and how."""
    for number, (text, node) in enumerate(reading.headings[:6]):
        main = "main" if node is reading.heading else "other"
        many = "only" if len(reading.headings) == 1 else "first" if not number else "later"
        away = " leads away" if leads_away(node, text) else ""
        yield f"h1 {main} {many}{away}", text, node
    for node in reading.root.select(TITLED)[:4]:
        yield f"titled {markup.tag(node)}", heading_text(node), node
    yield from heading_of_main(reading)
    if not reading.headings:
        for number, node in enumerate(reading.root.select("h2, h3")[:4]):
            yield f"h2 {'first' if not number else 'later'}", heading_text(node), node
    told = reading.told
    for group, ends in (
        ("article", ARTICLE_THINGS),
        ("question", QUESTION_THINGS),
        ("product", ("Product",)),
        ("page", ("Page",)),
    ):
        for thing in told.of_types(ends)[:2]:
            for field in ("headline", "name"):
                yield f"json {group} {field}", json_text(thing.get(field)), None
    for name in (
        "og:title",
        "twitter:title",
        "dc.title",
        "citation_title",
        "parsely-title",
        "sailthru.title",
    ):
        for _, text in reading.meta(name):
            yield f"meta {name}", text, None
            break
    yield "title", reading.title, None


def heading_of_main(reading: PageReading) -> Iterator[tuple[str, str, Node | None]]:
    """Yield the first heading of the main element if it is no h1: the h1 may be a site's or book's.

    So are the pages of mdBook, and of many a blog.
    """
    main = reading.root.select_one(MAIN)
    if main is None or any(node.closest(MAIN) is not None for _, node in reading.headings):
        return
    node = main.select_one("h2, h3")
    if node is not None:
        yield "h2 of main", heading_text(node), node


def parts_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text whole, without its first or last parts, and each part."""
    yield "whole", text.strip()
    colon = COLON.search(text)
    if colon:
        yield "before colon", text[: colon.start()].strip()
        yield "behind colon", text[colon.end() :].strip()
    parts = TITLE_SEPARATOR.split(text)[: 2 * MOST_TITLE_PARTS - 1]
    if len(parts) == 1:
        return
    yield "without last", "".join(parts[:-2]).strip()
    yield "without first", "".join(parts[2:]).strip()
    if len(parts) > 3:
        yield "first", parts[0].strip()
        yield "last", parts[-1].strip()
    if len(parts) > 5:
        yield "without last two", "".join(parts[:-4]).strip()


def leads_away(node: Node, text: str) -> bool:
    """Return whether a heading is a link: to the start page, or to an article of a list."""
    link = node.select_one("a[href]")
    return link is not None and heading_text(link) == text


@dataclass(frozen=True, slots=True)
class TitleContext:
    """What the titles of a page are compared with."""

    reading: PageReading
    title: str  # key of the title element
    words: frozenset[str]  # of the title element
    parts: tuple[str, ...]  # keys of its parts
    named: frozenset[str]  # those of them that are the site's name
    open_graph: str  # key of og:title


def context_of(reading: PageReading) -> TitleContext:
    """Read what the titles of a page are compared with."""
    site = reading.page.site.replace("-", "")
    parts = tuple(meta_key(part) for part in TITLE_SEPARATOR.split(reading.title)[::2])
    told = next((text for _, text in reading.meta("og:title")), "")
    return TitleContext(
        reading=reading,
        title=meta_key(reading.title),
        words=frozenset(ANY_WORD.findall(reading.title.casefold())),
        parts=parts,
        named=frozenset(
            part for part in parts if part in reading.site_names or part.replace(" ", "") in site
        ),
        open_graph=meta_key(told),
    )


def _kind_of(signs: set[str]) -> str:
    """Return whether readers see a title, programs are told it, or both."""
    shown = any(sign.startswith(("h1", "h2", "titled")) for sign in signs)
    told = any(sign.startswith(("json", "meta", "title")) for sign in signs)
    return "shown and told" if shown and told else "shown" if shown else "told"


def own_signs(text: str, signs: set[str], context: TitleContext) -> Iterator[str]:
    """Yield what a title looks like."""
    reading = context.reading
    key = meta_key(text)
    words = key.split()
    kind = _kind_of(signs)
    yield f"words {min(len(words), 12)}"
    yield kind
    yield f"families {len({sign.split()[0] for sign in signs})}"
    if len(signs) > 1 and not any(
        " without " in sign or sign.endswith(("first", "last", "colon")) for sign in signs
    ):
        yield "always whole"
    for sign in reading.signs - {THREAD}:  # titles of FAQs are like those of threads
        yield f"{kind}, {sign}"
    if key in reading.site_names:
        yield "is site name"
    elif any(len(name) > 3 and f" {name} " in f" {key} " for name in reading.site_names):
        yield "has site name"
    if reading.slug:
        shared = len(reading.slug & set(words))
        share = round(4 * shared / len(reading.slug | set(words)))
        yield f"slug {share}"
        yield f"{kind}, slug {share}"
        yield f"slug in title {round(3 * shared / len(reading.slug))}"
    yield f"in title element {round(4 * len(context.words & set(words)) / (len(words) or 1))}"
    if TITLE_SEPARATOR.search(text):
        yield "has separator"
    if COLON.search(text):
        yield "has colon"
    if LABEL_IN_TITLE.match(text):
        yield "has label"
    yield from part_signs(key, kind, context)
    yield from style_signs(text, kind)


def part_signs(key: str, kind: str, context: TitleContext) -> Iterator[str]:
    """Yield how a title relates to the title element and its parts, and to og:title."""
    yield f"{kind}, parts {min(len(context.parts), 4)}"
    rest = {part for part in context.parts if part not in key}
    if rest:
        left = "name" if rest <= context.named else "more"
        yield f"{kind}, leaves out {left}"
        if "path root" in context.reading.signs:
            yield f"leaves out {left} of start page"
    if context.open_graph:
        same = "og as title" if context.open_graph == context.title else "og differs"
        yield f"{kind}, {same}"
        yield f"{'is' if key == context.open_graph else 'not'} og, {same}"


def style_signs(text: str, kind: str) -> Iterator[str]:
    """Yield how a title is written: slogans speak to the reader, names have capitals."""
    if SLOGAN.search(text):
        yield f"{kind}, slogan"
    if text[-1:] in TITLE_ENDS:
        yield f"{kind}, ends with {text[-1]}"
    if text.isupper():
        yield f"{kind}, upper case"
    words = text.split()
    capitals = sum(word[:1].isupper() for word in words)
    yield f"{kind}, capitals {round(3 * capitals / (len(words) or 1))}"
