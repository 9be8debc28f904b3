"""Names of files made from addresses of pages: host, path, `index` for a folder.

A name cannot leave the output folder, whatever the address: its parts hold no separators, no
leading dots, and are cut where they are long. A name that is taken, or that an address has only
with its query, gets a hash of the address.
"""

import re
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from webstencil.urls import url_hash

INDEX = "index"  # the name of a page whose address ends in a slash
PAGE_ENDING = re.compile(r"(?i)\.(html?|xhtml|shtml|php|aspx?|jsp)$")
UNSAFE = re.compile(r"[^\w%+=,@!$&'()~.-]")  # in the name of a file
LONGEST = 120  # bytes of a part of a path; file systems take 255
DEEPEST = 20  # folders


class FileNames:
    """Names the files of pages, each its own."""

    def __init__(self, ending: str) -> None:
        """Give files names that end so, as in `.md`."""
        self._ending = ending
        self._owners: dict[str, str] = {}  # file name in small letters -> address

    def name(self, url: str) -> PurePosixPath:
        """Return the name of a page's file; some file systems do not tell a from A."""
        name = file_name(url, self._ending)
        if self._owners.setdefault(str(name).lower(), url) == url:
            return name
        return name.with_name(f"{name.stem}~{short_name(url)}{self._ending}")


def file_name(url: str, ending: str) -> PurePosixPath:
    """Make the name of a page's file from its address."""
    try:
        parts = urlsplit(url)
    except ValueError:  # no address a browser would take
        return PurePosixPath("_", short_name(url) + ending)
    *folders, last = parts.path.split("/")[1:] or [""]
    last = PAGE_ENDING.sub("", last) or INDEX
    if parts.query or len(folders) > DEEPEST:
        last = f"{last[:LONGEST]}~{short_name(url)}"
    host = parts.netloc.rpartition("@")[2]  # without a name and password
    names = [safe_part(part) for part in (host, *folders[:DEEPEST])]
    return PurePosixPath(*[not_a_page(name, ending) for name in names], safe_part(last) + ending)


def safe_part(part: str) -> str:
    """Make a part of an address the name of a file or folder."""
    name = UNSAFE.sub("_", part) or "_"
    if name.startswith("."):
        name = "_" + name[1:]
    if len(name.encode()) > LONGEST:
        name = name.encode()[:LONGEST].decode("utf-8", "ignore") + "~" + short_name(part)
    return name


def not_a_page(folder: str, ending: str) -> str:
    """Keep the name of a folder apart from those of pages."""
    return folder + "_" if folder.lower().endswith(ending) else folder


def short_name(url: str) -> str:
    """Name a URL in a few letters."""
    return url_hash(url, 6).hex()
