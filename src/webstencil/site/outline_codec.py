"""Outlines as bytes, for stores: small numbers in columns, each label once."""

from collections.abc import Sequence
from dataclasses import dataclass

from webstencil.codec.values import decode_value, encode_value, pack, unpack
from webstencil.errors import StoreError
from webstencil.site.outline import Excerpts, Heard, Oddity, Outline

WHAT = "outline"


@dataclass(frozen=True, slots=True)
class PackedOutline:
    """An outline as it is stored; columns are packed."""

    labels: tuple[str, ...]  # each once, in order of first use
    places: bytes  # label of each place
    containers: bytes  # a place's number minus its container's
    times: bytes
    sizes: bytes
    texts: bytes
    text_counts: bytes  # of each place: how many texts it says
    links: bytes
    link_counts: bytes  # of each place
    before: bytes  # neighbours: the place that ends
    after: bytes  # neighbours: the place that begins
    heard: tuple[Heard, ...]
    oddity: Oddity


def encode_outline(outline: Outline) -> bytes:
    """Write an outline."""
    table: dict[str, int] = {}
    numbers = [table.setdefault(label, len(table)) for label in outline.labels]
    packed = PackedOutline(
        labels=tuple(table),
        places=pack(numbers),
        containers=pack([place - up for place, up in enumerate(outline.containers)]),
        times=pack(outline.times),
        sizes=pack(outline.sizes),
        texts=pack(outline.texts),
        text_counts=pack(_counts(outline.text_places, len(numbers))),
        links=pack(outline.links),
        link_counts=pack(_counts(outline.link_places, len(numbers))),
        before=pack([before for before, _ in outline.neighbours]),
        after=pack([after for _, after in outline.neighbours]),
        heard=outline.heard,
        oddity=outline.oddity,
    )
    return encode_value(packed, f"an {WHAT}")


def decode_outline(blob: bytes) -> Outline:
    """Read an outline; raise a `StoreError` if it is damaged."""
    packed = decode_value(blob, PackedOutline, WHAT)
    try:
        found = _unpacked(packed)
    except (ValueError, LookupError) as error:
        raise _damaged(str(error)) from error
    columns = (found.labels, found.containers, found.times, found.sizes)
    if len(set(map(len, columns))) > 1:
        raise _damaged("its columns are not of one length")
    return found


def _damaged(why: str) -> StoreError:
    return StoreError(
        f"a stored {WHAT} is damaged: {why}; put back a copy of the store, or start a new one"
    )


def _unpacked(packed: PackedOutline) -> Outline:
    table = packed.labels
    return Outline(
        labels=tuple([table[number] for number in unpack(packed.places)]),
        containers=tuple([place - up for place, up in enumerate(unpack(packed.containers))]),
        times=tuple(unpack(packed.times)),
        sizes=tuple(unpack(packed.sizes)),
        texts=tuple(unpack(packed.texts)),
        text_places=_places(unpack(packed.text_counts)),
        links=tuple(unpack(packed.links)),
        link_places=_places(unpack(packed.link_counts)),
        neighbours=tuple(zip(unpack(packed.before), unpack(packed.after), strict=True)),
        heard=packed.heard,
        oddity=packed.oddity,
    )


def _counts(places: Sequence[int], number: int) -> list[int]:
    """Count how often each place is among some."""
    counts = [0] * number
    for place in places:
        counts[place] += 1
    return counts


def _places(counts: Sequence[int]) -> tuple[int, ...]:
    """List each place as often as it counts."""
    return tuple([place for place, count in enumerate(counts) for _ in range(count)])


def encode_excerpts(excerpts: Excerpts) -> bytes:
    """Write what the places of a page say."""
    return encode_value(excerpts, f"{WHAT} excerpts")


def decode_excerpts(blob: bytes) -> Excerpts:
    """Read what the places of a page say."""
    return decode_value(blob, Excerpts, f"{WHAT} excerpts")
