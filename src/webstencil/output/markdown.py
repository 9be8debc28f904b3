"""Results as a folder tree of Markdown files, one a page, with front matter.

A file's name is made from the page's address: host, path, `index.md` for a folder. It cannot leave
the output folder, whatever the address: its parts hold no separators, no leading dots, and are cut
where they are long. A name that is taken, or that an address has only with its query, gets a hash
of the address.
"""

import json
import re
from collections.abc import Callable, Iterable
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Self
from urllib.parse import urlsplit

from webstencil.errors import WebstencilError
from webstencil.model import PageResult
from webstencil.output.content import content_of, reason_of
from webstencil.output.files import explained, put

ENDING = ".md"
INDEX = "index"  # the name of a page whose address ends in a slash
PAGE_ENDING = re.compile(r"(?i)\.(html?|xhtml|shtml|php|aspx?|jsp)$")
UNSAFE = re.compile(r"[^\w%+=,@!$&'()~.-]")  # in the name of a file
LONGEST = 120  # bytes of a part of a path; file systems take 255
DEEPEST = 20  # folders


def page_text(result: PageResult) -> str:
    """Write a page: front matter in YAML, then its main content."""
    content = content_of(result)
    facts = {
        "url": result.url,
        "site": result.site,
        "status": result.status.value,
        "reason": reason_of(result),
        "stencil": result.stencil,
        "confidence": round(result.confidence, 4),
        "content_from": content.made_from,
        "origin": result.origin,
    }
    # Values as JSON: that is YAML, too, and quotes what needs quotes.
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in facts.items()]
    return "\n".join(("---", *lines, "---", "", content.text, ""))


def file_name(url: str) -> PurePosixPath:
    """Make the name of a page's file from its address."""
    try:
        parts = urlsplit(url)
    except ValueError:  # no address a browser would take
        return PurePosixPath("_", address_hash(url) + ENDING)
    *folders, last = parts.path.split("/")[1:] or [""]
    last = PAGE_ENDING.sub("", last) or INDEX
    if parts.query or len(folders) > DEEPEST:
        last = f"{last[:LONGEST]}~{address_hash(url)}"
    host = parts.netloc.rpartition("@")[2]  # without a name and password
    names = [safe_part(part) for part in (host, *folders[:DEEPEST])]
    return PurePosixPath(*map(not_a_page, names), safe_part(last) + ENDING)


def safe_part(part: str) -> str:
    """Make a part of an address the name of a file or folder."""
    name = UNSAFE.sub("_", part) or "_"
    if name.startswith("."):
        name = "_" + name[1:]
    if len(name.encode()) > LONGEST:
        name = name.encode()[:LONGEST].decode("utf-8", "ignore") + "~" + address_hash(part)
    return name


def not_a_page(folder: str) -> str:
    """Keep the name of a folder apart from those of pages."""
    return folder + "_" if folder.lower().endswith(ENDING) else folder


def address_hash(url: str) -> str:
    """Name an address in a few letters."""
    return blake2b(url.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


class MarkdownFolder:
    """A folder of Markdown files that follows a store; each file is whole or not there."""

    def __init__(self, path: Path, known: Callable[[], Iterable[PageResult]] = tuple) -> None:
        """Write the results that `known` gives, those that are there already left as they are."""
        self._folder = path
        self._owners: dict[str, str] = {}  # file name in small letters -> address
        with explained(path):
            if path.exists() and not path.is_dir():
                raise WebstencilError(f"{path} is a file; name a folder for Markdown")
            path.mkdir(parents=True, exist_ok=True)
            for result in known():
                self.write(result)

    def write(self, result: PageResult) -> None:
        """Write the file of a page; it is there when this returns."""
        path = self._folder / self._name(result.url)
        data = page_text(result).encode("utf-8", "replace")
        with explained(path):
            if not (path.is_file() and path.read_bytes() == data):
                put(path, data)

    def close(self) -> None:
        """Do nothing: every file is finished when it is written."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _name(self, url: str) -> PurePosixPath:
        """Return the name of a page's file; some file systems do not tell a from A."""
        name = file_name(url)
        if self._owners.setdefault(str(name).lower(), url) == url:
            return name
        return name.with_name(f"{name.stem}~{address_hash(url)}{ENDING}")
