"""Facts that a page tells programs alone: language, site, description, image, address, licence."""

import re
from collections.abc import Iterator

from webstencil import markup
from webstencil.extract.about.json_ld import Json, Thing, as_text
from webstencil.extract.about.reading import ARTICLE, PageReading, key_of, one_line
from webstencil.extract.about.title_candidates import SEPARATOR
from webstencil.urls import join

LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
LONGEST = 2_000  # characters of a description
LONGEST_NAME = 100  # characters of a site's name
LICENCES = (
    'a[rel~="license" i][href], link[rel~="license" i][href], '
    'a[href*="creativecommons.org/licenses/"]'
)
WEB = ("http://", "https://")


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
            as_text(thing.get("inLanguage"))
            for thing in reading.told.of_types((*ARTICLE, "WebPage"))
        ),
    ]
    for text in told:
        if LANGUAGE.fullmatch(text.strip()):
            return text.strip().replace("_", "-")
    return ""


def site_name(reading: PageReading, title: str) -> str:
    """Return the name of a page's site; what the title element has besides the title may be it."""
    told = [text for _, text in reading.meta("og:site_name", "application-name")]
    told += [as_text(thing.get("name")) for thing in reading.told.of_types(("WebSite",))]
    publishers = [thing.get("publisher") for thing in reading.told.of_types(ARTICLE)]
    told += [name for one in publishers for name, _ in reading.told.names(one)]
    known = next((text for text in told if text and len(text) <= LONGEST_NAME), "")
    if known or not title:
        return known
    parts = SEPARATOR.split(reading.title)
    if len(parts) > 1 and key_of("".join(parts[:-2])) == key_of(title):
        return parts[-1].strip()
    return ""


def description(reading: PageReading) -> str:
    """Return what a page says it is about."""
    names = ("og:description", "description", "twitter:description", "dc.description")
    told = [text for _, text in reading.meta(*names)]
    told += [as_text(thing.get("description")) for thing in reading.told.of_types(ARTICLE)]
    return next((one_line(text) for text in told if text and len(text) <= LONGEST), "")


def image(reading: PageReading) -> str:
    """Return the URL of the picture that stands for a page."""
    names = (
        "og:image",
        "og:image:url",
        "og:image:secure_url",
        "twitter:image",
        "twitter:image:src",
    )
    told = [text for _, text in reading.meta(*names)]
    told += [url for thing in reading.told.of_types(ARTICLE) for url in urls_in(thing.get("image"))]
    return absolute(reading, told)


def canonical(reading: PageReading) -> str:
    """Return the URL that a page calls its own."""
    told = [reading.page.markup.canonical(), *(text for _, text in reading.meta("og:url"))]
    return absolute(reading, told)


def licence(reading: PageReading) -> str:
    """Return the licence of a page, its URL if it has one."""
    things: list[Thing] = reading.told.of_types((*ARTICLE, "WebPage", "Dataset"))
    told = [url for thing in things for url in urls_in(thing.get("license"))]
    told += [markup.attribute(one, "href") for one in reading.root.select(LICENCES)[:3]]
    found = absolute(reading, told)
    if found:
        return found
    names = ("dcterms.license", "dc.rights", "dcterms.rights", "citation_license")
    return next((text for _, text in reading.meta(*names) if len(text) <= LONGEST_NAME), "")


def urls_in(value: Json) -> Iterator[str]:
    """Yield the URLs of a value: itself, or those of things."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            yield from (as_text(one.get(name)) for name in ("url", "contentUrl", "@id"))


def absolute(reading: PageReading, told: list[str]) -> str:
    """Return the first of some URLs that is on the web, made absolute."""
    for text in told:
        url = join(reading.page.base_url, text.strip()) if text.strip() else None
        if url and url.startswith(WEB):
            return url
    return ""
