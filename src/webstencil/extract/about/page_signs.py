"""What kind of page it may be: signs from its address, its metas and its JSON-LD."""

import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from webstencil.extract.about.json_ld import JsonLd
from webstencil.model import Page

ARTICLE = ("Article", "Posting", "Report", "Review", "Recipe", "Story", "ScholarlyArticle")
QUESTION = ("Question",)
THREADS = ("ForumPosting", "QAPage", "Question")
THREAD = re.compile(
    r"(?i)forum|thread|topic|/questions?/|community|discuss|/t/|viewtopic|/comments/"
)
LISTS = ("CollectionPage", "ItemList", "SearchResultsPage")


def page_signs(page: Page, told: JsonLd, metas: dict[str, list[str]]) -> Iterator[str]:
    """Yield what kind of page it may be."""
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
    if told.of_types(THREADS) or THREAD.search(page.url):
        yield "thread"
    path = urlsplit(page.url).path.strip("/")
    yield "path " + ("root" if not path else "flat" if "/" not in path else "deep")
    yield "slug " + str(min(slug_of(page.url).count("-"), 4))


def slug_of(url: str) -> str:
    """Return the last part of a URL's path that has letters."""
    parts = [part for part in unquote(urlsplit(url).path).split("/") if part]
    for part in reversed(parts):
        words = re.sub(r"\.\w{2,5}$", "", part)
        if len(words) > 3 and any(letter.isalpha() for letter in words) and words != "index":
            return words.casefold().replace("_", "-")
    return ""
