"""Facts that a page tells programs alone: language, site, description, image, address, licence."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from webstencil import markup
from webstencil.extract.about.json_ld import Json, Thing, as_text
from webstencil.extract.about.page_signs import ARTICLE
from webstencil.extract.about.reading import PageReading, key_of, one_line
from webstencil.extract.about.title_candidates import SEPARATOR
from webstencil.urls import join

LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
LONGEST = 2_000  # characters of a description
LONGEST_NAME = 100  # characters of a site's name
LICENCES = (
    'a[rel~="license" i][href], link[rel~="license" i][href], '
    'a[href*="creativecommons.org/licenses/b"], a[href*="creativecommons.org/publicdomain/"]'
)
MOST_LICENCES = 8  # links that are looked at
OF_PICTURES = "figure, figcaption, [class*=caption i], [class*=credit i]"
RIGHTS = re.compile(r"(?i)licen[cs]|\bcc\b|creative commons|public domain|https?:")
SHORTEST_NAME = 4  # letters of a site's name that its host is compared with
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
    told += [as_text(thing.get("name")) for thing in reading.told.of_types(("WebSite",))]
    publishers = [thing.get("publisher") for thing in reading.told.of_types(ARTICLE)]
    told += [name for one in publishers for name, _ in reading.told.names(one)]
    known = next((text for text in told if text and len(text) <= LONGEST_NAME), "")
    if known or not title:
        return known
    return name_in_title(reading, key_of(title))


def name_in_title(reading: PageReading, title: str) -> str:
    """Return the part of the title element that is the site's name, by its host or its place."""
    parts = [part.strip() for part in SEPARATOR.split(reading.title)[::2]]
    if len(parts) < 2:
        return ""
    if key_of(" ".join(parts[:-1])).startswith(title) or named_as_host(parts[-1], reading):
        return parts[-1]
    return parts[0] if key_of(parts[0]) != title and named_as_host(parts[0], reading) else ""


def named_as_host(name: str, reading: PageReading) -> bool:
    """Return whether a name begins with the host's, or the other way round."""
    label = reading.page.site.split(".")[0].replace("-", "")
    short, long = sorted((key_of(name).replace(" ", ""), label), key=len)
    return len(short) >= SHORTEST_NAME and long.startswith(short)


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
    told += [
        markup.attribute(one, "href")
        for one in reading.root.select(LICENCES)[:MOST_LICENCES]
        if one.closest(OF_PICTURES) is None
    ]
    found = absolute(reading, told)
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
            yield from (as_text(one.get(name)) for name in ("url", "contentUrl", "@id"))


def absolute(reading: PageReading, told: list[str]) -> str:
    """Return the first of some URLs that is on the web, made absolute."""
    for text in told:
        url = join(reading.page.base_url, text.strip()) if text.strip() else None
        if url and url.startswith(WEB) and "." in (urlsplit(url).hostname or ""):
            return url
    return ""
