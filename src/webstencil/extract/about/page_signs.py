"""What kind of page it may be: signs from its address, its metas and its JSON-LD."""

import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from webstencil.extract.about.json_ld import JsonLd
from webstencil.model import Page

ARTICLE = ("Article", "Posting", "Report", "Review", "Recipe", "Story", "ScholarlyArticle")
QUESTION = ("Question",)
THREADS = ("ForumPosting", "QAPage")
THREAD_ADDRESS = re.compile(
    r"(?i)forum|thread|topic|/questions?/|community|discuss|/t/|viewtopic|/comments/"
)
# Parts of a path that name collections of articles, and those of what is sold, listed or explained.
THREAD = "thread"
OFFERS = "path of offers"
ARTICLES_PATH = re.compile(
    r"(?i)/(?:[\w-]*blogs?[\w-]*|articles?|artikel|artículos?|news|nachrichten|noticias?|notizie|"
    r"actualit[eé]s?|posts?|press(?:-releases?)?|stor(?:y|ies)|guides?|ratgeber|magazine?|"
    r"revista|journal|insights?|learn|tips|recipes?|rezepte|resources?|advice|reviews?|features?)(?=/)"
)
OFFERS_PATH = re.compile(
    r"(?i)/(?:services?|solutions?|pricing|products?|produkte?|productos?|shop|store|collections?|"
    r"categor(?:y|ies)|kategorien?|tags?|topics?|list|docs?|documentation|reference|manual|api|"
    r"platform|industries|about|contact|courses?|programs?|browse|search)(?=[/.]|$)"
)
LISTED = re.compile(r"(?i)/page[/-]?\d+$|/(?:archives?|authors?)/|^/(?:19|20)\d\d(?:/\d\d?){0,2}$")
INDEX = re.compile(r"(?i)/+(?:(?:index|default)\.\w{3,5})?$")
FAQ = ("FAQPage",)
LISTS = ("CollectionPage", "ItemList", "SearchResultsPage")


def page_signs(page: Page, told: JsonLd, metas: dict[str, list[str]]) -> Iterator[str]:
    """Yield what a page says of itself, and the form of its address."""
    kind = (metas.get("og:type") or [""])[0].lower()
    yield f"og:{kind}" if kind in ("article", "website", "product") else "og:other"
    for name, ends in (
        ("article", ARTICLE),
        ("question", QUESTION),
        ("product", ("Product",)),
        ("list", LISTS),
    ):
        if told.of_types(ends):
            yield f"json {name}"
    thread = is_thread(page, told)
    if thread:
        yield THREAD
    if thread or told.of_types(QUESTION):
        yield "questions"
    address = urlsplit(page.url)
    path = address.path.strip("/")
    if path or "." in address.netloc:  # else it is no address
        yield "path " + ("root" if not path else "flat" if "/" not in path else "deep")
    yield "slug " + str(min(slug_of(page.url).count("-"), 4))


def is_thread(page: Page, told: JsonLd) -> bool:
    """Return whether a page is the thread of a forum; the questions of an FAQ are none."""
    if told.of_types(THREADS) or THREAD_ADDRESS.search(page.url):
        return True
    return bool(told.of_types(QUESTION)) and not told.of_types(FAQ)


def folder_signs(url: str) -> Iterator[str]:
    """Yield whether the folders of an address are of articles, or of offers and lists."""
    path = INDEX.sub("", urlsplit(url).path)
    if OFFERS_PATH.search(path) or LISTED.search(path):
        yield OFFERS
    elif ARTICLES_PATH.search(path):
        yield "path of articles"


def slug_of(url: str) -> str:
    """Return the last part of a URL's path that has letters."""
    parts = [part for part in unquote(urlsplit(url).path).split("/") if part]
    for part in reversed(parts):
        words = re.sub(r"\.\w{2,5}$", "", part)
        if len(words) > 3 and any(letter.isalpha() for letter in words) and words != "index":
            return words.casefold().replace("_", "-")
    return ""
