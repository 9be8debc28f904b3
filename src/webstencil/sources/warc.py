"""Pages from a WARC file of webstencil, wget, Heritrix or Common Crawl.

Files may be compressed (gzip, zstd) or not. Pages are the HTML responses with status 200, and HTML
in `resource` records. Damaged and truncated records give a warning, and reading continues.
"""

import logging
import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from webstencil import urls
from webstencil.codec.compression import LARGEST, TooLarge, dechunked, unpacked
from webstencil.errors import SourceError
from webstencil.model import RawPage, Resource
from webstencil.sources.folder import LOOKS_LIKE_HTML, SNIFFED, readable
from webstencil.sources.notes import Notes
from webstencil.sources.parts import WHOLE, SourcePart
from webstencil.sources.warc_records import Damage, Head, Record, records

log = logging.getLogger(__name__)

OK = 200
HTML = frozenset({"text/html", "application/xhtml+xml"})
RENDERED_WITH = ("text/css", "image/", "font/", "application/font", "application/x-font", "binary/")
RUN = ("text/javascript", "application/javascript", "application/x-javascript", "application/json")
UNKNOWN = frozenset({"", "application/octet-stream"})  # media types that say nothing
SCHEMES = ("http://", "https://")
MOST_RESOURCES = 500_000  # in the index, about 100 bytes each; files of Common Crawl have none
CHARSET = re.compile(r"(?i)charset\s*=\s*[\"']?([^\s;\"']+)")


class WarcFile:
    """The pages of a WARC file, in its order, and their resources."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path).absolute()
        if not self._path.is_file():
            raise SourceError(f"{path} is not a file; name a WARC file")
        self._pages: int | None = None
        self._resources: dict[int, int] = {}  # offsets by the hash of the URL
        self.notes = Notes()

    def __repr__(self) -> str:
        return f"WarcFile({str(self._path)!r})"

    @property
    def size(self) -> int:
        """Return the size of the file in bytes."""
        return self._path.stat().st_size

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages; one that cannot be read as a whole has a fault."""
        return self.pages_of(WHOLE)

    def pages_of(self, part: SourcePart) -> Iterator[RawPage]:
        """Yield the pages of a part; bodies of other pages are not read."""
        self.notes.clear()
        for record in records(self._path, lambda head: _is_wanted_page(head, part)):
            if isinstance(record, Damage):
                self._note(record)
            elif _may_be_page(record.head) and part.has(record.head.url):
                page = self._page(record)
                if page is not None:
                    yield page

    def count(self) -> int:
        """Return the number of pages; the file is scanned once for it."""
        if self._pages is None:
            self._pages = self._scan()
        return self._pages

    def fetch(self, url: str) -> Resource | None:
        """Return a resource from the file, which is scanned once for all resources."""
        self.count()
        offset = self._resources.get(_key(url))
        if offset is None:
            return None
        return self._resource(url, offset) or self._resource(url, 0)

    def _page(self, record: Record) -> RawPage | None:
        head = record.head
        origin = f"{readable(self._path)}:{head.offset}"
        charset = CHARSET.search(head.content_type)
        try:
            body = _body(record)
        except TooLarge as error:
            return RawPage(head.url, b"", origin=origin, fault=str(error))
        if not _media_type(head) and not LOOKS_LIKE_HTML.search(body[:SNIFFED]):
            return None
        fault = "" if record.whole else "its record is cut off"
        return RawPage(
            head.url,
            b"" if fault else body,
            charset.group(1) if charset else None,
            origin,
            fault,
        )

    def _scan(self) -> int:
        """Count the pages, and index the resources."""
        pages = 0
        for record in records(self._path, _nothing):
            if isinstance(record, Damage):
                continue
            pages += _may_be_page(record.head)
            if _is_resource(record.head) and len(self._resources) < MOST_RESOURCES:
                self._resources.setdefault(_key(record.head.url), record.head.offset)
        return pages

    def _resource(self, url: str, offset: int) -> Resource | None:
        """Read a resource at an offset, or after it if many records are compressed as one."""
        wanted = _key(url)

        def is_it(head: Head) -> bool:
            return _is_resource(head) and head.length <= LARGEST and _key(head.url) == wanted

        for record in records(self._path, is_it, offset):
            if isinstance(record, Record) and is_it(record.head):
                try:
                    return Resource(_body(record), _media_type(record.head))
                except TooLarge:
                    return None
            if offset and isinstance(record, Damage):
                return None
        return None

    def _note(self, damage: Damage) -> None:
        where = f"{readable(self._path)}:{damage.offset}"
        self.notes.add("damage in a WARC file", f"{where}, {damage.lost:,} bytes: {damage.reason}")
        log.warning("damage at=%s lost=%d reason=%s", where, damage.lost, damage.reason)


def _body(record: Record) -> bytes:
    """Undo the transfer and content encodings of a body."""
    head = record.head
    if head.length > LARGEST:
        raise TooLarge(f"it is larger than {LARGEST:,} bytes")
    body = record.body
    if "chunked" in head.transfer_encoding.lower():
        body = dechunked(body)
    return unpacked(body, head.content_encoding)


def _media_type(head: Head) -> str:
    return head.content_type.split(";")[0].strip().lower()


def _is_answer(head: Head) -> bool:
    if not head.url.startswith(SCHEMES):
        return False
    return head.type == "resource" or (head.type == "response" and head.status == OK)


def _may_be_page(head: Head) -> bool:
    """Return whether a record is a page, or may be one by its first bytes."""
    kind = _media_type(head)
    return _is_answer(head) and (kind in HTML or not kind)


def _is_wanted_page(head: Head, part: SourcePart) -> bool:
    return _may_be_page(head) and head.length <= LARGEST and part.has(head.url)


def _is_resource(head: Head) -> bool:
    kind = _media_type(head)
    return _is_answer(head) and (kind.startswith(RENDERED_WITH + RUN) or kind in UNKNOWN)


def _nothing(_head: Head) -> bool:
    return False


def _key(url: str) -> int:
    """Hash a URL in its standard form."""
    plain = (urls.normalise(url) or url).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(plain, digest_size=8).digest())
