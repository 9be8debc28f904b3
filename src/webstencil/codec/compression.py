"""Unpack compressed and chunked bytes, as far as they can be read, up to a limit.

Headers are often wrong: a body is not gzip, is cut off, or is chunked without saying so. Bytes that
cannot be unpacked stay as they are.
"""

import importlib
import sys
import zlib
from collections.abc import Callable
from typing import Protocol

from webstencil.errors import WebstencilError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["LARGEST", "TooLarge", "beginning", "dechunked", "gunzipped", "unpacked", "zstd"]

LARGEST = 100_000_000  # bytes of an unpacked page or resource; larger ones are bombs or not pages
GZIP = b"\x1f\x8b"  # first bytes
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


def unpacked(body: bytes, codings: str, limit: int = LARGEST) -> bytes:
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
    return unpacked(body, "gzip", LARGEST) if body.startswith(GZIP) else body


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
