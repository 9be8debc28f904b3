"""Addresses as a browser reads them, and the site an address belongs to."""

from functools import lru_cache
from hashlib import blake2b

import ada_url
from publicsuffixlist import PublicSuffixList


def join(base: str, href: str) -> str | None:
    """Resolve `href` against `base` as the WHATWG URL standard says; None if it is no address."""
    try:
        return str(ada_url.join_url(base, href))
    except ValueError:
        return None


def normalise(url: str) -> str | None:
    """Write an absolute address in its one standard form, without fragment; None if it is none."""
    try:
        parts = ada_url.URL(url)
    except ValueError:
        return None
    parts.hash = ""
    return str(parts.href)


def site_of(url: str) -> str:
    """Return the site an address belongs to: its registrable domain, else host and port."""
    return _site_of_host("/".join(url.split("/", 3)[:3]))


def has_public_suffix(url: str) -> bool:
    """Return whether a URL's host ends in a public suffix, as the hosts of the web do.

    `localhost`, numbers, `.example`, `.invalid`, and most names of folders do not.
    """
    try:
        host = ada_url.URL(url).hostname
    except ValueError:
        return False
    return _suffixes().publicsuffix(host) is not None


def url_hash(url: str, size: int = 8) -> bytes:
    """Hash a URL to so many bytes, the same on every machine."""
    return blake2b(url.encode("utf-8", "surrogatepass"), digest_size=size).digest()


@lru_cache(maxsize=4096)
def _site_of_host(url: str) -> str:
    try:
        parts = ada_url.URL(url)
    except ValueError:
        return ""
    return _suffixes().privatesuffix(parts.hostname) or str(parts.host)


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    """Read the list that comes with the package; what it does not name has no registrable part."""
    return PublicSuffixList(accept_unknown=False)
