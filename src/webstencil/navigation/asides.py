"""Links on every page that are not navigation: feeds, sharing, contact.

They are recognised by their URLs: a feed has its name or its type at the end, a share button links
to another site with a URL in its query, or has a path with such a name.
"""

from enum import StrEnum
from urllib.parse import SplitResult, urlsplit

from webstencil import urls

FEEDS = frozenset({"feed", "feeds", "rss", "rss2", "atom", "rdf"})
FEED_TYPES = (".rss", ".atom", ".rdf", ".xml", "/feed", "/rss")
SHARING = frozenset({"share", "sharer", "sharer.php", "sharing", "share-offsite", "intent"})
CARRIED = ("http://", "https://", "http%3a", "https%3a")  # a URL in a query, lower case


class Aside(StrEnum):
    """Why a link is not navigation of its site."""

    FEED = "feed"
    SHARE = "share"
    CONTACT = "contact"  # mail, telephone
    ACTION = "action"  # runs a script
    ELSEWHERE = "elsewhere"  # links to another site


def aside_of(url: str, site: str) -> Aside | None:
    """Return why the absolute URL of a link is not navigation of a site, None if it is."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return Aside.ELSEWHERE
    if parts.scheme not in {"http", "https"}:
        return Aside.ACTION if parts.scheme in {"javascript", ""} else Aside.CONTACT
    if is_feed(parts):
        return Aside.FEED
    if urls.site_of(url) == site:
        return None
    return Aside.SHARE if is_sharing(parts) else Aside.ELSEWHERE


def is_feed(parts: SplitResult) -> bool:
    """Return whether a URL is that of a feed."""
    path = parts.path.lower().rstrip("/")
    names = parts.query.lower().replace("=", "&").split("&")
    return (
        path.endswith(FEED_TYPES)
        or not FEEDS.isdisjoint(path.split("/"))
        or not FEEDS.isdisjoint(names)
        or parts.netloc.lower().split(".")[0] in FEEDS
    )


def is_sharing(parts: SplitResult) -> bool:
    """Return whether a URL of another site shares a page."""
    query = parts.query.lower()
    carries = any(start in query for start in CARRIED)
    return carries or not SHARING.isdisjoint(parts.path.lower().split("/"))
