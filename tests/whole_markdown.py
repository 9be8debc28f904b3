"""Pages written as Markdown as a whole, whatever would be chosen of them."""

from webstencil.api import parsed
from webstencil.content.html import content_html
from webstencil.content.markdown import markdown
from webstencil.content.parts import PageParts
from webstencil.content.runs import flatten


def html_of(inside: str, url: str | None = "https://x.org/", head: str = "") -> str:
    """Write all of a page as clean HTML."""
    page = parsed(f"<html><head>{head}</head><body>{inside}</body></html>", url)
    runs = flatten(page.markup)
    return content_html(PageParts(page, runs), range(len(runs)))


def written(inside: str, url: str | None = "https://x.org/", head: str = "") -> str:
    """Write all of a page as Markdown."""
    return markdown(html_of(inside, url, head))
