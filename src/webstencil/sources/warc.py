"""Pages from a WARC file of webstencil, wget, Heritrix or Common Crawl.

Files may be compressed (gzip, zstd) or not. Pages are the HTML responses with status 200, and HTML
in `resource` records. Damaged and truncated records give a warning, and reading continues.
"""

import logging
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from webstencil import urls
from webstencil.codec import LARGEST_BODY, TooLarge, dechunked, decoded_body
from webstencil.errors import SourceError, WebstencilError
from webstencil.model import RawPage, Resource
from webstencil.sources.folder import HTML_START, SNIFFED_OF_PAGE, readable_path
from webstencil.sources.parts import WHOLE_SOURCE, Notes, SourcePart
from webstencil.urls import url_hash

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

# The records of a WARC file, damaged or not; the only module that imports fastwarc.
#
# fastwarc is fast, but it stops at the first damage, and does not report that a file is truncated.
# So after an error the file is searched for the next record, and at its end the last record is
# checked. Its decoding is not used: at a record that is chunked and compressed it ends without an
# error.


log = logging.getLogger(__name__)

GZIP, ZSTD, PLAIN = MAGICS = (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"WARC/")  # a record's start
DICTIONARY = b"\x5d\x2a\x4d\x18"  # start of a zstd file whose frames need its first one
PIECE = 1 << 16  # bytes read at once; decompressed, a thousand times that at worst
NAMELESS = "the record has no type"
CUT_OFF = "the file is cut off in or after this record"
LONGEST_HEADER = 1 << 20  # bytes; servers send cookies without end


@dataclass(frozen=True, slots=True)
class Head:
    """The headers of a record."""

    offset: int  # of the record in the file, in bytes
    type: str  # of the record: response, resource, request, ...; empty if it has none
    url: str
    status: int  # of the HTTP response, 0 if there is none
    content_type: str  # with its parameters; empty if there is none
    content_encoding: str
    transfer_encoding: str
    length: int  # bytes of the body as it is stored


@dataclass(frozen=True, slots=True)
class Record:
    """A record, with its body as stored if it was wanted."""

    head: Head
    body: bytes = b""
    whole: bool = True  # False: the body is shorter than the record says


@dataclass(frozen=True, slots=True)
class Damage:
    """A part of a file that cannot be read."""

    offset: int  # in bytes: its start, or that of the record before it
    reason: str
    lost: int = 0  # bytes, up to the next record that can be read


def records(
    path: Path, wanted: Callable[[Head], bool], offset: int = 0
) -> Iterator[Record | Damage]:
    """Yield the records of a file from `offset` on, with the bodies of those that are wanted."""
    with _opened(path) as file:
        magic = _magic(file, offset)
        size = path.stat().st_size
        start: int | None = offset
        last = offset
        damage: Damage | None = None  # since the last record
        while start is not None:
            last = start
            try:
                for record in _read(file, start, wanted):
                    last = record.head.offset
                    if damage is not None:
                        yield replace(damage, lost=last - damage.offset)
                    damage = None if record.head.type else Damage(last, NAMELESS)
                    if damage is None:
                        yield record
                reason = "" if _ends_well(file, magic, last, size) else CUT_OFF
            except OSError as error:  # what fastwarc raises for any damage
                reason = str(error)
            if reason:
                damage = damage or Damage(last, reason)
            start = _next(file, magic, last + 1) if reason else None
        if damage is not None:
            yield replace(damage, lost=size - damage.offset)


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}") from error


def _magic(file: BinaryIO, offset: int) -> bytes:
    file.seek(offset)
    start = file.read(8)
    if start.startswith(DICTIONARY):
        return ZSTD
    return next((magic for magic in MAGICS if start.startswith(magic)), PLAIN)


def _read(file: BinaryIO, offset: int, wanted: Callable[[Head], bool]) -> Iterator[Record]:
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType  # noqa: PLC0415 - optional
    except ImportError as error:
        raise WebstencilError(
            "reading WARC files needs fastwarc; install it with `pip install webstencil[warc]`"
        ) from error
    file.seek(offset)
    for record in ArchiveIterator(
        file,
        record_types=WarcRecordType.any_type,
        parse_http=False,
        quirks_mode=False,  # it would skip damage silently
        auto_decode="none",
        max_header_len=LONGEST_HEADER,
        fsspec_args=False,
    ):
        record.parse_http(quirks_mode=True, max_header_len=LONGEST_HEADER)  # lines may end in LF
        head = _head(record)
        reader = record.reader
        if reader is None or not wanted(head):
            yield Record(head)
            continue
        body = reader.read()
        yield Record(head, body, len(body) == head.length)


def _head(record: "WarcRecord") -> Head:
    http = record.http_headers
    named = {name.lower(): value for name, value in http.items()} if http is not None else {}
    type_ = (record.headers.get("WARC-Type") or "").lower()
    own = "" if record.is_http else record.headers.get("Content-Type", "")
    kind = named.get("content-type") or own or record.headers.get("WARC-Identified-Payload-Type")
    return Head(
        offset=record.stream_pos,
        type=type_ if type_.isascii() and type_.isalpha() else "",
        # A zero character is escaped as browsers do: not every database stores one.
        url=(record.headers.get("WARC-Target-URI") or "").strip("<> ").replace("\0", "%00"),
        status=(http.status_code or 0) if http is not None else 0,
        content_type=kind or "",
        content_encoding=named.get("content-encoding", ""),
        transfer_encoding=named.get("transfer-encoding", ""),
        length=record.content_length,
    )


def _next(file: BinaryIO, magic: bytes, offset: int) -> int | None:
    """Return the offset of the next possible record, None if there is none."""
    file.seek(offset)
    kept = b""
    while piece := file.read(PIECE):
        found = (kept + piece).find(magic)
        if found >= 0:
            return offset - len(kept) + found
        offset += len(piece)
        kept = (kept + piece)[1 - len(magic) :]
    return None


def _ends_well(file: BinaryIO, magic: bytes, last: int, size: int) -> bool:
    """Return whether a file ends where a record ends; for zstd, fastwarc checks it."""
    if magic == ZSTD:
        return True
    if magic == GZIP:
        return _members_are_whole(file, last)
    file.seek(max(0, size - 4))
    ending = file.read().replace(b"\r", b"")
    try:
        read = next(_read(file, last, lambda head: head.length <= LARGEST_BODY), None)
    except OSError:
        return False
    return ending.endswith(b"\n\n") and read is not None and read.whole


def _members_are_whole(file: BinaryIO, offset: int) -> bool:
    """Return whether the last gzip member of a file is whole; `offset` is where one starts."""
    if _magic(file, offset) != GZIP:
        offset = 0  # many records in one member: their offsets are not those of members
    file.seek(offset)
    member = zlib.decompressobj(zlib.MAX_WBITS | 16)
    rest = b""
    while piece := rest or file.read(PIECE):
        try:
            member.decompress(piece)
        except zlib.error:
            return False
        rest = member.unused_data
        if member.eof and (rest := rest or file.read(PIECE)):
            member = zlib.decompressobj(zlib.MAX_WBITS | 16)
    return member.eof


OK = 200
HTML_RECORDS = frozenset({"text/html", "application/xhtml+xml"})
RENDERED_WITH = ("text/css", "image/", "font/", "application/font", "application/x-font", "binary/")
RUN = ("text/javascript", "application/javascript", "application/x-javascript", "application/json")
UNKNOWN_TYPES = frozenset({"", "application/octet-stream"})  # media types that say nothing
RECORD_SCHEMES = ("http://", "https://")
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
        self._offsets: dict[bytes, int] = {}  # of the pages that were read, by the hash of the URL
        self.notes = Notes()

    def __repr__(self) -> str:
        return f"WarcFile({str(self._path)!r})"

    @property
    def size(self) -> int:
        """Return the size of the file in bytes."""
        return self._path.stat().st_size

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages; one that cannot be read as a whole has a fault."""
        return self.pages_of(WHOLE_SOURCE)

    def pages_of(self, part: SourcePart) -> Iterator[RawPage]:
        """Yield the pages of a part; bodies of other pages are not read."""
        self.notes.clear()
        for record in records(self._path, lambda head: _is_wanted_page(head, part)):
            if isinstance(record, Damage):
                self._note(record)
            elif _may_be_page(record.head) and part.has(record.head.url):
                page = self._page(record)
                if page is not None:
                    if len(self._offsets) < MOST_RESOURCES:
                        self._offsets.setdefault(url_hash(page.url), record.head.offset)
                    yield page

    def page(self, url: str) -> RawPage | None:
        """Return the first page with that URL; the file is searched if it was not read before."""

        def is_it(head: Head) -> bool:
            return head.url == url and _is_wanted_page(head, WHOLE_SOURCE)

        for record in records(self._path, is_it, self._offsets.get(url_hash(url), 0)):
            if isinstance(record, Record) and is_it(record.head):
                page = self._page(record)
                if page is not None:
                    return page
        return None

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
        origin = f"{readable_path(self._path)}:{head.offset}"
        charset = CHARSET.search(head.content_type)
        try:
            body = _body(record)
        except TooLarge as error:
            return RawPage(head.url, b"", origin=origin, fault=str(error))
        if not _media_type(head) and not HTML_START.search(body[:SNIFFED_OF_PAGE]):
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
            return _is_resource(head) and head.length <= LARGEST_BODY and _key(head.url) == wanted

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
        where = f"{readable_path(self._path)}:{damage.offset}"
        self.notes.add("damage in a WARC file", f"{where}, {damage.lost:,} bytes: {damage.reason}")
        log.warning("damage at=%s lost=%d reason=%s", where, damage.lost, damage.reason)


def _body(record: Record) -> bytes:
    """Undo the transfer and content encodings of a body."""
    head = record.head
    if head.length > LARGEST_BODY:
        raise TooLarge(f"it is larger than {LARGEST_BODY:,} bytes")
    body = record.body
    if "chunked" in head.transfer_encoding.lower():
        body = dechunked(body)
    return decoded_body(body, head.content_encoding)


def _media_type(head: Head) -> str:
    return head.content_type.split(";")[0].strip().lower()


def _is_answer(head: Head) -> bool:
    if not head.url.startswith(RECORD_SCHEMES):
        return False
    return head.type == "resource" or (head.type == "response" and head.status == OK)


def _may_be_page(head: Head) -> bool:
    """Return whether a record is a page, or may be one by its first bytes."""
    kind = _media_type(head)
    return _is_answer(head) and (kind in HTML_RECORDS or not kind)


def _is_wanted_page(head: Head, part: SourcePart) -> bool:
    return _may_be_page(head) and head.length <= LARGEST_BODY and part.has(head.url)


def _is_resource(head: Head) -> bool:
    kind = _media_type(head)
    return _is_answer(head) and (kind.startswith(RENDERED_WITH + RUN) or kind in UNKNOWN_TYPES)


def _nothing(_head: Head) -> bool:
    return False


def _key(url: str) -> int:
    """Hash a URL in its standard form."""
    plain = (urls.normalise(url) or url).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(plain, digest_size=8).digest())
