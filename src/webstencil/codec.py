"""Values to bytes, and back: JSON for users and programs, blobs for the store.

A blob is one byte for its format, then a zstd frame with a checksum around MessagePack. A stencil's
tree is stored as columns of small numbers: a nested tree would take ten times as long to read,
because of the many objects that the garbage collector has to follow. Fields are read by position in
`_Columns` and `_Words` and by name elsewhere: changing either needs a new format number, and the
old one must stay readable.
"""

import importlib
import os
import sys
import zlib
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from webstencil.errors import StoreError, WebstencilError
from webstencil.model import Area, Item, PageArea, PageResult, Snapshot, Stencil, Tree

# Files that are there as a whole or not at all.


def put(path: Path, data: bytes) -> None:
    """Write a file so that it is there as a whole or as it was before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():  # a device or pipe such as /dev/stdout
        path.write_bytes(data)
        return
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")  # others may write the same file
    try:
        draft.write_bytes(data)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


# Unpack compressed and chunked bytes, as far as they can be read, up to a limit.
#
# Headers are often wrong: a body is not gzip, is cut off, or is chunked without saying so. Bytes
# that cannot be unpacked stay as they are.


if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


# bytes of an unpacked page or resource; larger ones are bombs or not pages
LARGEST_BODY = 100_000_000
GZIP = b"\x1f\x8b"  # first bytes
__all__ = [
    "DAMAGE",
    "LARGEST_BODY",
    "TooLarge",
    "Unpacker",
    "beginning",
    "dechunked",
    "decode_result",
    "decode_snapshot",
    "decode_stencil",
    "decode_value",
    "decoded_body",
    "encode_result",
    "encode_snapshot",
    "encode_stencil",
    "encode_value",
    "gunzipped",
    "indented",
    "pack",
    "put",
    "result_json",
    "unpack_blob",
    "zstd",
]

DAMAGE = (zlib.error, zstd.ZstdError, ValueError, EOFError)  # what unpackers raise
ANY_ZLIB = 32 + zlib.MAX_WBITS  # gzip or zlib, detected by the header
RAW_DEFLATE = -zlib.MAX_WBITS


class TooLarge(ValueError):
    """The unpacked bytes would exceed the limit."""


class Unpacker(Protocol):
    """The interface that zlib and zstd share."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Brotli:
    """Brotli with the same interface."""

    unused_data = b""

    def __init__(self) -> None:
        try:
            brotli = importlib.import_module("brotli")
        except ImportError as error:
            raise WebstencilError(
                "a page is packed with brotli; install it with `pip install webstencil[warc]`"
            ) from error
        self._inner = brotli.Decompressor()
        self._error: type[Exception] = brotli.error

    @property
    def eof(self) -> bool:
        return bool(self._inner.is_finished())

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        try:
            out = self._inner.process(data, output_buffer_limit=max_length)
            while len(out) < max_length and not self._inner.can_accept_more_data():
                out += self._inner.process(b"", output_buffer_limit=max_length - len(out))
        except self._error as error:
            raise ValueError(str(error)) from error
        return bytes(out)


UNPACKERS: dict[str, tuple[Callable[[], Unpacker], ...]] = {  # by content coding; tried in turn
    "gzip": (lambda: zlib.decompressobj(ANY_ZLIB),),
    "x-gzip": (lambda: zlib.decompressobj(ANY_ZLIB),),
    "deflate": (lambda: zlib.decompressobj(ANY_ZLIB), lambda: zlib.decompressobj(RAW_DEFLATE)),
    "br": (_Brotli,),
    "zstd": (zstd.ZstdDecompressor,),
}


def decoded_body(body: bytes, codings: str, limit: int = LARGEST_BODY) -> bytes:
    """Undo content codings, named as in the HTTP header; raise `TooLarge` above the limit."""
    for coding in reversed(codings.lower().split(",")):
        for make in UNPACKERS.get(coding.strip(), ()):
            plain = _readable(body, make, limit)
            if plain:
                body = plain
                break
    return body


def gunzipped(body: bytes) -> bytes:
    """Return the bytes of a file, unpacked if it is gzip."""
    return decoded_body(body, "gzip", LARGEST_BODY) if body.startswith(GZIP) else body


def beginning(start: bytes, coding: str, size: int) -> bytes:
    """Unpack at most `size` bytes from the start; none if it is packed otherwise."""
    for make in UNPACKERS[coding]:
        try:
            return make().decompress(start, size)
        except DAMAGE:
            continue
    return b""


def _readable(body: bytes, make: Callable[[], Unpacker], limit: int) -> bytes:
    """Unpack all members up to the first damage."""
    out = bytearray()
    while body:
        unpacker = make()
        try:
            out += unpacker.decompress(body, limit + 1 - len(out))
        except DAMAGE:
            break
        if len(out) > limit:
            raise TooLarge(f"it is larger than {limit:,} bytes when unpacked")
        body = unpacker.unused_data if unpacker.eof else b""
    return bytes(out)


def dechunked(body: bytes) -> bytes:
    """Undo the chunked transfer coding; bytes that do not look chunked stay as they are."""
    out = bytearray()
    place = 0
    while True:
        end = body.find(b"\n", place)
        size = _size(body[place:end]) if end >= 0 else None
        if size is None:
            return bytes(out) if out else body
        if size == 0:
            return bytes(out)
        out += body[end + 1 : end + 1 + size]
        place = end + 1 + size
        if body[place : place + 2] == b"\r\n":
            place += 2
        elif body[place : place + 1] == b"\n":
            place += 1


def _size(line: bytes) -> int | None:
    """Parse the line before a chunk: its size in hexadecimal digits, maybe extensions."""
    digits = line.split(b";")[0].strip()
    if not digits or len(digits) > 16 or digits.strip(b"0123456789abcdefABCDEF"):
        return None
    return int(digits, 16)


BLOB_FORMAT = 1  # of all blobs

# Stencils are written once per template and read often; 3 is zstd's default. Results are written
# once per page: on real pages level 1 takes a third less time and 3 % more space than level 3.
STENCIL_LEVEL = 3
RESULT_LEVEL = 1
SNAPSHOT_LEVEL = 1

_WHAT_NEXT = "put back a copy of the store, or start a new one"
_TYPE_CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}  # of `array`, by the width in bytes

Decoded = TypeVar("Decoded")


class _Words(msgspec.Struct, array_like=True, frozen=True):
    """A column of strings, many of them equal."""

    table: tuple[str, ...]  # each string once, in order of first use
    places: bytes  # packed: index into the table for each entry


class _Columns(msgspec.Struct, array_like=True, frozen=True):
    """A stencil as it is stored."""

    key: str
    site: str
    made_by: str
    made_from: str
    tags: _Words
    ids: _Words
    classes: _Words
    distances: bytes  # packed: a node's number minus its parent's
    paths: bytes  # packed, sorted
    areas: tuple[Area, ...]


_encoder = msgspec.msgpack.Encoder()
_columns = msgspec.msgpack.Decoder(_Columns)
_results = msgspec.msgpack.Decoder(PageResult)
_snapshots = msgspec.msgpack.Decoder(Snapshot)


def result_json(value: PageResult | Sequence[PageArea] | Sequence[Item]) -> bytes:
    """Write a value as JSON on one line, its fields and attributes by name."""
    plain = msgspec.to_builtins(value)
    for area in plain["areas"] if isinstance(plain, dict) else plain:
        if "attributes" in area:
            area["attributes"] = dict(area["attributes"])
    return msgspec.json.encode(plain)


def indented(json: bytes) -> bytes:
    """Indent JSON for users."""
    return msgspec.json.format(json)


def encode_stencil(stencil: Stencil) -> bytes:
    return _seal(f"the stencil {stencil.key!a}", lambda: _to_columns(stencil), STENCIL_LEVEL)


def decode_stencil(blob: bytes) -> Stencil:
    return _unseal("stencil", blob, lambda plain: _from_columns(_columns.decode(plain)))


def encode_result(result: PageResult) -> bytes:
    return _seal(f"the result of {result.url!a}", lambda: result, RESULT_LEVEL)


def decode_result(blob: bytes) -> PageResult:
    return _unseal("result", blob, _results.decode)


def encode_snapshot(snapshot: Snapshot) -> bytes:
    return _seal(f"the snapshot of {snapshot.url!a}", lambda: snapshot, SNAPSHOT_LEVEL)


def decode_snapshot(blob: bytes) -> Snapshot:
    return _unseal("snapshot", blob, _snapshots.decode)


def encode_value(value: object, what: str) -> bytes:
    """Encode any frozen value of plain values."""
    return _seal(what, lambda: value, RESULT_LEVEL)


def decode_value(blob: bytes, kind: type[Decoded], what: str) -> Decoded:
    """Decode a value of this type."""
    return _unseal(what, blob, lambda plain: msgspec.msgpack.decode(plain, type=kind))


def _seal(what: str, build: Callable[[], object], level: int) -> bytes:
    try:
        plain = _encoder.encode(build())
    except (UnicodeEncodeError, OverflowError) as error:
        raise StoreError(
            f"cannot store {what}: {error}; a string must be valid Unicode and a path hash an "
            "unsigned 64-bit number, so fix the code that made this value"
        ) from error
    packer = _packer(level)
    return bytes((BLOB_FORMAT,)) + packer.compress(plain, packer.FLUSH_FRAME)


@lru_cache
def _packer(level: int) -> zstd.ZstdCompressor:
    """Return a reusable compressor: making one takes as long as packing a result."""
    return zstd.ZstdCompressor(
        options={
            zstd.CompressionParameter.compression_level: level,
            zstd.CompressionParameter.checksum_flag: 1,
        }
    )


def _unseal(what: str, blob: bytes, build: Callable[[bytes], Decoded]) -> Decoded:
    if blob[:1] > bytes((BLOB_FORMAT,)):
        raise StoreError(
            f"a stored {what} has format {blob[0]}, the newest known one is {BLOB_FORMAT}: "
            "it was made by a newer webstencil, or is damaged; upgrade webstencil"
        )
    if blob[:1] != bytes((BLOB_FORMAT,)):
        raise StoreError(f"a stored {what} is damaged: it has no known format; {_WHAT_NEXT}")
    try:
        return build(zstd.decompress(memoryview(blob)[1:]))
    except (zstd.ZstdError, msgspec.DecodeError, ValueError, LookupError) as error:
        raise StoreError(f"a stored {what} is damaged: {error}; {_WHAT_NEXT}") from error


def _to_columns(stencil: Stencil) -> _Columns:
    tree = stencil.tree
    return _Columns(
        key=stencil.key,
        site=stencil.site,
        made_by=stencil.made_by,
        made_from=stencil.made_from,
        tags=_to_words(tree.tags),
        ids=_to_words(tree.ids),
        classes=_to_words(tree.classes),
        distances=pack([node - parent for node, parent in enumerate(tree.parents)]),
        paths=pack(sorted(stencil.paths)),
        areas=stencil.areas,
    )


def _from_columns(columns: _Columns) -> Stencil:
    distances = enumerate(unpack_blob(columns.distances))
    return Stencil(
        key=columns.key,
        site=columns.site,
        tree=Tree(
            tags=_from_words(columns.tags),
            parents=tuple([node - distance for node, distance in distances]),
            ids=_from_words(columns.ids),
            classes=_from_words(columns.classes),
        ),
        paths=frozenset(unpack_blob(columns.paths)),
        areas=columns.areas,
        made_by=columns.made_by,
        made_from=columns.made_from,
    )


def _to_words(strings: Iterable[str]) -> _Words:
    table: dict[str, int] = {}
    places = [table.setdefault(string, len(table)) for string in strings]
    return _Words(tuple(table), pack(places))


def _from_words(words: _Words) -> tuple[str, ...]:
    table = words.table
    return tuple([table[place] for place in unpack_blob(words.places)])


def pack(numbers: Sequence[int]) -> bytes:
    """Return the width in bytes of the largest number, then all numbers in this width."""
    largest = max(numbers, default=0)
    width = next((width for width in _TYPE_CODES if largest < 1 << 8 * width), 8)
    return bytes((width,)) + _little_endian(array(_TYPE_CODES[width], numbers)).tobytes()


def unpack_blob(column: bytes) -> "array[int]":
    return _little_endian(array(_TYPE_CODES[column[0]], column[1:]))


def _little_endian(numbers: "array[int]") -> "array[int]":
    """Swap the bytes of the numbers if the machine is not little-endian, as blobs are."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
