"""URLs as a browser reads them, the site of a URL, and the hosts of saved pages.

A page that comes from a folder gets a URL. Its host is the one that the folder is named after
(`named_host`), else it is made up from the folder's name (`made_up_host`). Nothing can be fetched
from a made-up host, and nothing should link to it: `has_made_up_host` recognises it.
"""

import re
from functools import lru_cache
from hashlib import blake2b
from ipaddress import ip_address

import ada_url
from publicsuffixlist import PublicSuffixList

LOCALHOST = "localhost"
ON_THIS_MACHINE = f"http://{LOCALHOST}/"  # how URLs begin that stand for the path of a single file
# Top-level names of private networks and of documentation; they are no public suffixes.
RESERVED = frozenset({LOCALHOST, "example", "internal", "local", "test"})
HOST_FOLDER = re.compile(r"(?i)((?:[a-z0-9_-]+\.)*[a-z0-9-]+)(?:[:+_](\d{1,5}))?")
NOT_IN_HOSTS = re.compile(r"[^a-z0-9.-]")


def join_url(base: str, href: str) -> str | None:
    """Resolve `href` against `base` as the WHATWG URL standard says; None if it is no URL."""
    try:
        return str(ada_url.join_url(base, href))
    except ValueError:
        return None


def written_link(base: str, href: str) -> str | None:
    """Resolve `href` against `base` for somebody who reads it elsewhere; None if it is no URL.

    A page without a URL, or from a single file, has no address that others know: what is relative
    there stays as it is written, and no path of this machine comes into it.
    """
    if base and not base.startswith(ON_THIS_MACHINE):
        return join_url(base, href)
    parts = _parsed(href)
    return href if parts is None else str(parts.href)


def normalise(url: str) -> str | None:
    """Return an absolute URL in its standard form, without fragment; None if it is none."""
    parts = _parsed(url)
    if parts is None:
        return None
    parts.hash = ""
    return str(parts.href)


def site_of(url: str) -> str:
    """Return the site of a URL: its registrable domain, else host and port."""
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


def sampling_key(url: str) -> int:
    """Return the number by which pages are sampled: a hash of the URL, of 63 bits."""
    return int.from_bytes(url_hash(url, 8)) >> 1


def is_host(name: str) -> bool:
    """Return whether a name can be a host of the web or of a private network.

    That is an IP address, `localhost`, or a name below a public suffix or a reserved one. So
    `example.com` and `blog.example.co.uk` are hosts; `java.base`, `jquery.ui` and `v1.2` are not.
    """
    if name.lower() == LOCALHOST or _is_ip(name):
        return True
    _, dot, ending = name.lower().rpartition(".")
    return bool(dot) and (ending in RESERVED or _suffixes().publicsuffix(name) is not None)


def named_host(folder: str) -> str | None:
    """Return the host, with its port, that a folder is named after; None if it is none.

    wget writes `example.com:8080`, for Windows `example.com+8080`, HTTrack `example.com_8080`.
    """
    found = HOST_FOLDER.fullmatch(folder)
    if found is None or not is_host(found[1]):
        return None
    return found[1] if found[2] is None else f"{found[1]}:{found[2]}"


def made_up_host(folder: str) -> str:
    """Return a host for the pages of a folder that is not named after one.

    It is the folder's name, with `-` for what hosts cannot have: `My Site` becomes `my-site`. If
    that is the host of somebody else (`My Site.com`) or none at all (`v1.2` ends like an IP
    address), dots become `-`, too; a bare number gets a prefix, as in `folder-2024`.
    """
    plain = NOT_IN_HOSTS.sub("-", folder.lower())
    dotless = plain.replace(".", "-")
    for host in (plain, dotless):
        parts = _parsed(f"http://{host}/")
        if parts is not None and parts.hostname == host and not is_host(host):
            return host
    return f"folder-{dotless}".rstrip("-")


def has_made_up_host(url: str) -> bool:
    """Return whether the host of a URL is made up, so that a link to it leads nowhere.

    These are the hosts of `made_up_host`, and `localhost` without a port: the host of pages that
    come from a single file, or without a URL. A host of one word in a private network, as in
    `http://wiki/`, looks the same and is taken for made up.
    """
    parts = _parsed(url)
    return parts is None or parts.host == LOCALHOST or not is_host(str(parts.hostname))


def _parsed(url: str) -> ada_url.URL | None:
    try:
        return ada_url.URL(url)
    except ValueError:
        return None


def _is_ip(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


@lru_cache(maxsize=4096)
def _site_of_host(url: str) -> str:
    parts = _parsed(url)
    if parts is None:
        return ""
    return _suffixes().privatesuffix(parts.hostname) or str(parts.host)


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    """Read the list that comes with the package; what it does not name has no registrable part."""
    return PublicSuffixList(accept_unknown=False)
