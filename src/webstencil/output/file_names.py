"""File names made from the URLs of pages: host, path, `index` for a folder.

A name cannot leave the output folder, whatever the URL: its parts have no separators and no leading
dots, and long ones are cut. A name that is taken, or whose URL has a query, gets a hash of the URL.
"""

import re
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from webstencil.urls import url_hash

INDEX = "index"  # for a URL that ends in a slash
PAGE_ENDING = re.compile(r"(?i)\.(html?|xhtml|shtml|php|aspx?|jsp)$")
UNSAFE = re.compile(r"[^\w%+=,@!$&'()~.-]")  # in a file name
LONGEST = 120  # bytes of a part of a path; file systems allow 255
DEEPEST = 20  # folders


class FileNames:
    """Assigns each page a file name of its own."""

    def __init__(self, ending: str) -> None:
        """Use this suffix, such as `.md`."""
        self._ending = ending
        self._owners: dict[str, str] = {}  # lower-case file name -> URL

    def name(self, url: str) -> PurePosixPath:
        """Return the file name of a page; names differ in more than case, for some file systems."""
        name = file_name(url, self._ending)
        if self._owners.setdefault(str(name).lower(), url) == url:
            return name
        return name.with_name(f"{name.stem}~{short_name(url)}{self._ending}")


def file_name(url: str, ending: str) -> PurePosixPath:
    """Make a file name from the URL of a page."""
    try:
        parts = urlsplit(url)
    except ValueError:  # not a URL a browser would accept
        return PurePosixPath("_", short_name(url) + ending)
    *folders, last = parts.path.split("/")[1:] or [""]
    last = PAGE_ENDING.sub("", last) or INDEX
    if parts.query or len(folders) > DEEPEST:
        last = f"{last[:LONGEST]}~{short_name(url)}"
    host = parts.netloc.rpartition("@")[2]  # without user name and password
    names = [safe_part(part) for part in (host, *folders[:DEEPEST])]
    return PurePosixPath(*[not_a_page(name, ending) for name in names], safe_part(last) + ending)


def safe_part(part: str) -> str:
    """Make a part of a URL the name of a file or folder."""
    name = UNSAFE.sub("_", part) or "_"
    if name.startswith("."):
        name = "_" + name[1:]
    if len(name.encode()) > LONGEST:
        name = name.encode()[:LONGEST].decode("utf-8", "ignore") + "~" + short_name(part)
    return name


def not_a_page(folder: str, ending: str) -> str:
    """Change a folder name that looks like that of a page."""
    return folder + "_" if folder.lower().endswith(ending) else folder


def short_name(url: str) -> str:
    """Return a short hash of a URL."""
    return url_hash(url, 6).hex()
