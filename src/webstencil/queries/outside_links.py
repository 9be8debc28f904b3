"""Links from a result to its page on the web.

Pages of a folder have invented hosts (`http://FOLDER/`, `http://localhost/`) if neither
`--base-url` nor a subfolder names the real one. Such a URL is not a link; but the page's file, if
it can still be read, may give the real URL as the canonical one.
"""

from pathlib import Path
from urllib.parse import urlsplit

from webstencil import urls
from webstencil.codec import TooLarge, gunzipped
from webstencil.markup import Markup

WEB = ("http", "https")
HEAD = 200_000  # bytes of a page in which its canonical link is looked for


def page_link(url: str, origin: str = "") -> str:
    """Return the URL of a page on the web, empty if it is not known; `origin` is its result's."""
    if leads_to_web(url, origin):
        return url
    canonical = canonical_url(url, Path(origin)) if origin else ""
    return canonical if leads_to_web(canonical, origin) else ""


def leads_to_web(url: str, origin: str = "") -> bool:
    """Return whether a URL from a page may be a link.

    Other schemes could do things when they are clicked. Hosts of pages that were read from files
    may be invented; without an origin, the page came from that host.
    """
    try:
        scheme = urlsplit(url).scheme
    except ValueError:
        return False
    return scheme in WEB and (not origin or urls.has_public_suffix(url))


def canonical_url(url: str, path: Path) -> str:
    """Return the URL that the page in a file gives as its own, empty if it gives none."""
    try:
        if not path.is_file():  # it is gone, or on another machine
            return ""
        with path.open("rb") as file:
            start = gunzipped(file.read(HEAD))[:HEAD]
    except (OSError, ValueError, TooLarge):
        return ""
    return urls.join_url(url, Markup(start, None).canonical()) or ""
