"""What the URLs of a crawl tell, and what it reads in a page.

Which URLs are the same page, which are no pages, and which never end; then a page's links,
canonical URL, redirects and robots elements.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from urllib.parse import urlsplit, urlunsplit

from webstencil import urls
from webstencil.markup import Markup

LONGEST_ADDRESS = 2_000  # characters of a URL; longer ones come from loops in a site's links
REPEATS = 3  # how often a path may hold the same part: /a/b/a/b/a/b is a loop of relative links
ADDRESSES_REMEMBERED = 1 << 15  # URLs; most links of a page are those of the page before

# Parameters that campaigns and social networks add to a URL; none of them changes the page.
TRACKING = re.compile(
    r"(?i)utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|"
    r"mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|mkt_tok|vero_id|oly_(?:anon|enc)_id|wt_mc|s_cid"
)
# Names of session parameters, and the form of their values: `sid=42` is a story.
SESSION = re.compile(
    r"(?i)(?:jsessionid|phpsessid|aspsessionid\w*|session_?id|sess_?id|sid|cfid|cftoken|"
    r"oscsid|zenid)=[\w.-]{16,}"
)
SESSION_IN_PATH = re.compile(r"(?i);jsessionid=[^/?#;]*|/\([A-Z]\([a-z0-9]{20,}\)\)")
NOT_A_PAGE = re.compile(  # a wiki's page /File:photo.jpg is one
    r"(?i)/[^/:]*\.(?:7z|aac|apk|avi|avif|bin|bmp|bz2|css|csv|deb|dmg|docx?|eot|epub|exe|flac|gif|"
    r"gz|ico|iso|jar|jpe?g|js|json|m4[av]|mid|mkv|mov|mp[34]|mpe?g|msi|od[pst]|og[agv]|otf|pdf|"
    r"png|pptx?|ps|rar|rpm|rss|svg|swf|tar|tgz|tiff?|ttf|txt|wav|web[mp]|wm[av]|woff2?|xlsx?|xml|"
    r"xz|zip|zst)"
)
ESCAPED = re.compile(r"%[0-9A-Fa-f]{2}")
UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
INDEX = re.compile(r"(?i)/(?:index|default)\.\w+$")  # the page of a folder, by its own name
DIGITS_IN_PATH = re.compile(r"\d+")
TOKEN_IN_PATH = re.compile(r"(?i)(?=[a-z0-9_-]*\d)[a-z0-9_-]{20,}")


@lru_cache(maxsize=ADDRESSES_REMEMBERED)
def cleaned(url: str) -> str | None:
    """Return the URL to fetch a page by; None if it is not a web URL.

    It has no fragment, user name and password, default port, tracking parameters and session ids.
    """
    href = urls.normalise(url)
    if href is None or not href.startswith(("http://", "https://")):
        return None
    parts = urlsplit(href)
    host = parts.netloc.rpartition("@")[2]
    path = SESSION_IN_PATH.sub("", parts.path) or "/"
    kept = [
        pair
        for pair in parts.query.split("&")
        if pair and not TRACKING.fullmatch(pair.partition("=")[0]) and not SESSION.fullmatch(pair)
    ]
    return urlunsplit((parts.scheme, host, path, "&".join(kept), ""))


@lru_cache(maxsize=ADDRESSES_REMEMBERED)
def identity(url: str, noise: frozenset[str] = frozenset()) -> str:
    """Return the key of a page, the same for all its cleaned URLs; leave out `noise` parameters."""
    parts = urlsplit(url)
    pairs = [pair for pair in parts.query.split("&") if pair.partition("=")[0] not in noise]
    query = "&".join(sorted(pairs, key=lambda pair: pair.partition("=")[0]))

    def plain(escaped: re.Match[str]) -> str:
        letter = chr(int(escaped[0][1:], 16))
        return letter if letter in UNRESERVED else escaped[0].upper()

    path = ESCAPED.sub(plain, parts.path)
    return urlunsplit((parts.scheme, parts.netloc, path, query, ""))


def without(url: str, names: frozenset[str]) -> str:
    """Remove parameters from a URL."""
    parts = urlsplit(url)
    kept = [pair for pair in parts.query.split("&") if pair.partition("=")[0] not in names]
    return urlunsplit((parts.scheme, parts.netloc, parts.path, "&".join(kept), ""))


def credentials(url: str) -> tuple[str, str, str]:
    """Split a URL into the URL without credentials, the user name and the password."""
    parts = urlsplit(url)
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=host)), user, password


@lru_cache(maxsize=ADDRESSES_REMEMBERED)
def refusal(url: str) -> str:
    """Return why a cleaned URL is not worth a request; empty if it is."""
    if len(url) > LONGEST_ADDRESS:
        return "URL too long"
    path = urlsplit(url).path
    if NOT_A_PAGE.fullmatch(path[path.rfind("/") :]):
        return "not a page by its name"
    parts = [part for part in path.split("/") if part]
    if len(parts) > REPEATS and max(map(parts.count, parts)) > REPEATS:
        return "path repeats itself"
    return ""


@lru_cache(maxsize=ADDRESSES_REMEMBERED)
def shape(url: str) -> str:
    """Return a URL with numbers and long tokens made equal, without its parameters' values.

    The months of a calendar and the pages of a list have the same shape.
    """
    parts = urlsplit(url)
    path = "/".join(
        DIGITS_IN_PATH.sub("0", TOKEN_IN_PATH.sub("x", part)) for part in parts.path.split("/")
    )
    names = sorted({pair.partition("=")[0] for pair in parts.query.split("&")})
    return f"{parts.netloc}{path}?{'&'.join(names)}"


def same_but_for_form(url: str, other: str) -> bool:
    """Return whether two URLs differ only in what seldom makes another page.

    These are the scheme, `www.`, parameters, a final slash and `index.html`.
    """
    return _form(url) == _form(other)


def _form(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.netloc.removeprefix("www."), INDEX.sub("/", parts.path).rstrip("/")


ECHO_BYTES = 16
SOON_ENOUGH = 1.0  # s; a page that refreshes sooner is only a redirect
META_REFRESH = re.compile(r"(?i)\s*([\d.]+)\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']+)")
NO_FOLLOW = re.compile(r"(?i)\b(?:nofollow|none)\b")
SOON = 200  # resources of a page that are fetched before the renderer needs them


@dataclass(frozen=True, slots=True)
class Reading:
    """What a crawl reads in a page."""

    links: tuple[str, ...]  # absolute, each once
    canonical: str  # URL, "" if there is none
    moved: str  # URL that it redirects to at once, "" if it does not
    nofollow: bool
    echo: bytes  # equal for URLs of one page, empty where only the URL could tell


def read_links(body: bytes, charset: str | None, url: str) -> Reading:
    page = Markup(body, charset)
    base = urls.join_url(url, page.base_href()) or url
    links = absolute(base, page.hrefs() + page.frames())
    canonical = page.canonical()
    return Reading(
        links=links,
        canonical=(urls.join_url(base, canonical) or "") if canonical else "",
        moved=moved_to(page.meta("refresh"), base),
        nofollow=bool(NO_FOLLOW.search(page.meta("robots"))),
        echo=_echo(page, links) if "?" in url else _folder_echo(body, url),
    )


def absolute(base: str, hrefs: list[str]) -> tuple[str, ...]:
    """Resolve links; leave out those that are no URLs."""
    origin = "/".join(base.split("/", 3)[:3]) + "/"
    folder = base.partition("?")[0].rpartition("/")[0] + "/"
    found: dict[str, None] = {}
    for href in hrefs:
        # As little of the base as the link depends on: fewer different pairs to resolve.
        anchor = base if href.startswith(("?", "#")) or not href else folder
        anchor = origin if href.startswith(("http:", "https:", "/")) else anchor
        found[_joined(anchor, href)] = None
    return tuple(link for link in found if link)


@lru_cache(maxsize=ADDRESSES_REMEMBERED)
def _joined(base: str, href: str) -> str:
    return cleaned(urls.join_url(base, href.strip()) or "") or ""


def moved_to(refresh: str, base: str) -> str:
    """Return the URL that a refresh element redirects to at once; empty if it does not."""
    found = META_REFRESH.match(refresh)
    if not found or float(found[1].rstrip(".") or 0) > SOON_ENOUGH:
        return ""
    return urls.join_url(base, found[2].strip()) or ""


def _echo(page: Markup, links: tuple[str, ...]) -> bytes:
    """Hash the text, images and links of a page, without parameters."""
    known = blake2b(page.text().encode("utf-8", "replace"), digest_size=ECHO_BYTES)
    for url in (*page.pictures(), *links):
        known.update(urlsplit(url).path.encode("utf-8", "replace") + b"\n")
    return known.digest()


def _folder_echo(body: bytes, url: str) -> bytes:
    """Hash the bytes of a folder's page, the same at `/` and `/index.html`; empty for others."""
    folder = INDEX.sub("/", url)
    if not folder.endswith("/"):
        return b""
    return blake2b(
        folder.encode("utf-8", "replace") + b"\n" + body, digest_size=ECHO_BYTES
    ).digest()


def resources_needed(body: bytes, charset: str | None, url: str) -> tuple[str, ...]:
    """List the resources that a page needs to be rendered."""
    page = Markup(body, charset)
    base = urls.join_url(url, page.base_href()) or url
    found = [urls.join_url(base, href.strip()) for href in page.sheets() + page.pictures()]
    return tuple(dict.fromkeys(link for link in found if link and link.startswith("http")))[:SOON]
