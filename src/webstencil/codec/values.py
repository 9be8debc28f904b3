"""Values to bytes, and back: JSON for users and programs, blobs for the store.

A blob is one byte for its format, then a zstd frame with a checksum around MessagePack. A stencil's
tree is stored as columns of small numbers: a nested tree would take ten times as long to read,
because of the many objects that the garbage collector has to follow. Fields are read by position in
`_Columns` and `_Words` and by name elsewhere: changing either needs a new format number, and the
old one must stay readable.
"""

import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

import msgspec

from webstencil.codec.compression import zstd
from webstencil.errors import StoreError
from webstencil.model import Area, Item, PageArea, PageResult, Pick, Snapshot, Stencil, Tree

FORMAT = 1  # of all blobs

# Stencils are written once per template and read often; 3 is zstd's default. Results are written
# once per page: on real pages level 1 takes a third less time and 3 % more space than level 3.
STENCIL_LEVEL = 3
RESULT_LEVEL = 1
SNAPSHOT_LEVEL = 1
PICK_LEVEL = 3

_WHAT_NEXT = "put back a copy of the store, or start a new one"
_TYPE_CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}  # of `array`, by the width in bytes

T = TypeVar("T")


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
_picks = msgspec.msgpack.Decoder(tuple[Pick, ...])


def to_json(value: PageResult | Sequence[PageArea] | Sequence[Item]) -> bytes:
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


def encode_picks(picks: tuple[Pick, ...]) -> bytes:
    return _seal("the picks", lambda: picks, PICK_LEVEL)


def decode_picks(blob: bytes) -> tuple[Pick, ...]:
    return _unseal("set of picks", blob, _picks.decode)


def encode_value(value: object, what: str) -> bytes:
    """Encode any frozen value of plain values."""
    return _seal(what, lambda: value, RESULT_LEVEL)


def decode_value(blob: bytes, kind: type[T], what: str) -> T:
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
    return bytes((FORMAT,)) + packer.compress(plain, packer.FLUSH_FRAME)


@lru_cache
def _packer(level: int) -> zstd.ZstdCompressor:
    """Return a reusable compressor: making one takes as long as packing a result."""
    return zstd.ZstdCompressor(
        options={
            zstd.CompressionParameter.compression_level: level,
            zstd.CompressionParameter.checksum_flag: 1,
        }
    )


def _unseal(what: str, blob: bytes, build: Callable[[bytes], T]) -> T:
    if blob[:1] > bytes((FORMAT,)):
        raise StoreError(
            f"a stored {what} has format {blob[0]}, the newest known one is {FORMAT}: "
            "it was made by a newer webstencil, or is damaged; upgrade webstencil"
        )
    if blob[:1] != bytes((FORMAT,)):
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
    distances = enumerate(unpack(columns.distances))
    return Stencil(
        key=columns.key,
        site=columns.site,
        tree=Tree(
            tags=_from_words(columns.tags),
            parents=tuple([node - distance for node, distance in distances]),
            ids=_from_words(columns.ids),
            classes=_from_words(columns.classes),
        ),
        paths=frozenset(unpack(columns.paths)),
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
    return tuple([table[place] for place in unpack(words.places)])


def pack(numbers: Sequence[int]) -> bytes:
    """Return the width in bytes of the largest number, then all numbers in this width."""
    largest = max(numbers, default=0)
    width = next((width for width in _TYPE_CODES if largest < 1 << 8 * width), 8)
    return bytes((width,)) + _little_endian(array(_TYPE_CODES[width], numbers)).tobytes()


def unpack(column: bytes) -> "array[int]":
    return _little_endian(array(_TYPE_CODES[column[0]], column[1:]))


def _little_endian(numbers: "array[int]") -> "array[int]":
    """Swap the bytes of the numbers if the machine is not little-endian, as blobs are."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
