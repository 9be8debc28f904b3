"""PNG files with a palette, written by hand (PNG specification, third edition, 2025)."""

import struct
import zlib
from collections.abc import Iterable, Sequence
from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]  # red, green, blue: 0..255

SIGNATURE = b"\x89PNG\r\n\x1a\n"
BIT_DEPTH = 8  # bits a pixel: an index into the palette
INDEXED = 3  # colour type, section 11.2.1
FILTER_NONE = b"\x00"  # before each row, section 9.2
COMPRESSION = 6  # zlib's usual level: the flat areas of the pictures shrink to almost nothing


def png(size: tuple[int, int], palette: Sequence[Colour], rows: Iterable[bytes]) -> bytes:
    """Encode rows of palette indexes as a PNG file of `size` (width, height)."""
    head = struct.pack(">2I5B", *size, BIT_DEPTH, INDEXED, 0, 0, 0)
    colours = b"".join(bytes(colour) for colour in palette)
    pixels = b"".join(FILTER_NONE + row for row in rows)
    return (
        SIGNATURE
        + chunk(b"IHDR", head)
        + chunk(b"PLTE", colours)
        + chunk(b"IDAT", zlib.compress(pixels, COMPRESSION))
        + chunk(b"IEND", b"")
    )


def chunk(kind: bytes, body: bytes) -> bytes:
    """Frame a chunk: length, kind, body, checksum."""
    checksum = zlib.crc32(kind + body)
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)


def blend(first: Colour, last: Colour, steps: int) -> list[Colour]:
    """Return `steps` colours from `first` to `last`."""
    return [mix(first, last, step / max(1, steps - 1)) for step in range(steps)]


def mix(first: Colour, last: Colour, share: float) -> Colour:
    """Return the colour that lies `share` (0..1) of the way from `first` to `last`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, last, strict=True))
    return red, green, blue


def rgb(digits: str) -> Colour:
    """Read a colour from six hexadecimal digits."""
    red, green, blue = bytes.fromhex(digits)
    return red, green, blue
