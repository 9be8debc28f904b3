"""Stencils and results as bytes: everything reads back equal, and damage is noticed."""

from base64 import b64decode
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstencil.codec import (
    BLOB_FORMAT,
    decode_result,
    decode_stencil,
    encode_result,
    encode_stencil,
)
from webstencil.errors import StoreError
from webstencil.geometry import Rect
from webstencil.model import (
    NO_PARENT,
    TEXT,
    Area,
    PageArea,
    PageResult,
    Problem,
    Status,
    Stencil,
    Tree,
)

PIXELS = st.floats(allow_nan=False)
SHARES = st.floats(0, 1)
RECTS = st.builds(Rect, PIXELS, PIXELS, PIXELS, PIXELS)
NODES = st.integers(0, 2**32)
KINDS = st.none() | st.text()
AREAS = st.builds(
    Area,
    rect=RECTS,
    nodes=st.lists(NODES).map(tuple),
    parent=st.integers(NO_PARENT, 1000),
    kind=KINDS,
    attributes=st.lists(st.tuples(st.text(), PIXELS)).map(tuple),
)
PAGE_AREAS = st.builds(
    PageArea,
    id=st.integers(0, 2**31),
    parent=st.none() | st.integers(0, 2**31),
    kind=KINDS,
    text=st.text(),
    selector=st.text(),
    xpath=st.text(),
    rect=RECTS,
    nodes=NODES,
    confidence=SHARES,
)
PROBLEMS = st.builds(Problem, st.text(), st.text(), st.text())
RESULTS = st.builds(
    PageResult,
    url=st.text(),
    site=st.text(),
    status=st.sampled_from(Status),
    stencil=st.none() | st.text(),
    confidence=SHARES,
    areas=st.lists(PAGE_AREAS, max_size=4).map(tuple),
    problems=st.lists(PROBLEMS, max_size=3).map(tuple),
)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Make a tree in which each node's parent comes before it."""
    size = draw(st.integers(0, 30))
    column = st.lists(st.text(max_size=3), min_size=size, max_size=size).map(tuple)
    tags = st.lists(st.sampled_from([TEXT, "a", "li", "é-x"]), min_size=size, max_size=size)
    parents = [draw(st.integers(0, node - 1)) if node else NO_PARENT for node in range(size)]
    return Tree(tuple(draw(tags)), tuple(parents), draw(column), draw(column))


STENCILS = st.builds(
    Stencil,
    key=st.text(),
    site=st.text(),
    tree=trees(),
    paths=st.frozensets(st.integers(0, 2**64 - 1)),
    areas=st.lists(AREAS, max_size=4).map(tuple),
    made_by=st.text(),
    made_from=st.text(),
)

SMALL = Stencil(
    key="k1",
    site="example.org",
    tree=Tree(
        ("html", "body", "p", TEXT), (NO_PARENT, 0, 1, 2), ("", "", "ü", ""), ("", "x y", "", "")
    ),
    paths=frozenset({0, 2**64 - 1}),
    areas=(
        Area(Rect(0, 0, 1366, 900.5), (1,)),
        Area(Rect(8, 8, 100, 20), (2, 3), parent=0, kind="headline", attributes=(("doc", 7),)),
    ),
    made_by="Vips(pdoc=8)",
    made_from="https://example.org/",
)
RESULT = PageResult(
    url="https://example.org/a",
    site="example.org",
    status=Status.HIT,
    stencil="k1",
    confidence=0.75,
    areas=(
        PageArea(0, None, None, "All of it", "body", "/html/body", Rect(0, 0, 9, 9), 3, 1.0),
        PageArea(1, 0, "menu", "Größe €", "#m", "//nav", Rect(0.5, 0, 9, 1), 2, 0.5),
    ),
    problems=(Problem("locate", "position", "area 2 is not on the page"),),
)

# What the first format made of these two, in base 64.
STENCIL_OF_FORMAT_1 = (
    "ASi1L/1kHQAFBwCkC5qiazGrZXhhbXBsZS5vcmesVmlwcyhwZG9jPTgptGh0dHBzOi8vL5KUpGh0bWykYm9keaFw"
    "oMQFAQABAgOSkqCiw7wAAQCSkqCjeCB5AQAAxAUBxBEIAP+ShaRyZWN0hKRsZWZ0AKN0b3AApXJpZ2h0zQVWpmJv"
    "dHRvbctAjCQApW5vZGVzkQGmcGFyZW50/6RraW5kwKphdHRyaWJ1dGVzkAgIZBSSAgMAqGhlYWRsaW5lkZKjZG9j"
    "Bw8AT7CDe4/IY8Q4J2QGRiC4ggI/AFtAFiAJzkpMQ8G0zsRQT+q2UHQ="
)
RESULT_OF_FORMAT_1 = (
    "ASi1L/1kpAA9CQD20T4ycMVpA4Q23v8XR/4cElF7a4lkWAVD84y5W/gthW+uNLWJdEpJ+l9EdTxMO4+q4A2iRgIx"
    "ADAANABLPQAcHG6S3XvIbpgCyARfk/xu+SdVPPL7XmX4n9dlEW0ChjOuhBk78PkvUUAaqTgEtE5cQwzGlxhG+p0S"
    "auIaqrS/MWS//FuPXhAiSLyEv2qcfJCqecl0Z/W4N1EgfJkGDo7CSsaoODBNLFwsjthUbGhCJiI51ofh3kQJIODs"
    "WlKN2P8NVY2XokepZ/ZXnn8wrA3fOBztXCz9kr2+5fK3DNYyXQuO1p2jRfb75z0v/NsaVhztO8Xw4JEh1HReOgGM"
    "ThAARIwYYBBwDgY2GLVWiOGHKQMbo2CVBuYUGvuDe4DJazBnirskZkwyuscuXQ=="
)


def tree_of(parents: list[int], tags: list[str]) -> Tree:
    none = ("",) * len(tags)
    return Tree(tuple(tags), tuple(parents), none, none)


@given(STENCILS)
def test_a_stencil_reads_back_equal(stencil: Stencil) -> None:
    """Whatever a stencil holds, reading what was written gives an equal one."""
    assert decode_stencil(encode_stencil(stencil)) == stencil


@given(RESULTS)
def test_a_result_reads_back_equal(result: PageResult) -> None:
    """Whatever a result holds, reading what was written gives an equal one."""
    assert decode_result(encode_result(result)) == result


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(
            tree_of([NO_PARENT, *range(199_999)], ["div"] * 200_000), id="200,000 nodes deep"
        ),
        pytest.param(
            tree_of([NO_PARENT] + [0] * 69_999, ["ul"] + ["li"] * 69_999), id="70,000 nodes wide"
        ),
        pytest.param(
            tree_of([NO_PARENT] + [0] * 256, [f"x-{number}" for number in range(257)]),
            id="257 tags",
        ),
        pytest.param(
            tree_of([NO_PARENT] + [0] * 65_536, [f"x-{number}" for number in range(65_537)]),
            id="65,537 tags",
        ),
    ],
)
def test_large_trees_read_back_equal(tree: Tree) -> None:
    """Numbers that need more bytes than a small page's do get them."""
    stencil = replace(SMALL, tree=tree)

    assert decode_stencil(encode_stencil(stencil)) == stencil


def test_equal_stencils_have_equal_bytes() -> None:
    """The order in which the path set was filled does not show."""
    paths = [number * 2**50 for number in range(1000)]

    forward, backward = (
        encode_stencil(replace(SMALL, paths=frozenset(order))) for order in (paths, paths[::-1])
    )

    assert forward == backward


def test_values_written_by_format_1_stay_readable() -> None:
    """Blobs of the first format, as they are in stores, read as what they were.

    If this fails, the model's fields were renamed or reordered: raise FORMAT, read both.
    """
    stencil = b64decode(STENCIL_OF_FORMAT_1)
    result = b64decode(RESULT_OF_FORMAT_1)

    assert (decode_stencil(stencil), decode_result(result)) == (SMALL, RESULT)


@given(st.integers(0), st.integers(0, 7))
def test_a_flipped_bit_never_changes_a_value(place: int, bit: int) -> None:
    """A damaged blob is refused; at most it reads as what was written."""
    blob = bytearray(encode_stencil(SMALL))
    blob[place % len(blob)] ^= 1 << bit

    try:
        read = decode_stencil(bytes(blob))
    except StoreError:
        read = SMALL

    assert read == SMALL


@pytest.mark.parametrize("length", [0, 1, 2, 20, -1])
def test_a_cut_blob_is_refused(length: int) -> None:
    """A blob that lost its end is said to be damaged."""
    with pytest.raises(StoreError, match="a stored result is damaged"):
        decode_result(encode_result(RESULT)[:length])


def test_a_blob_of_another_kind_is_refused() -> None:
    """A result is not read as a stencil."""
    with pytest.raises(StoreError, match="a stored stencil is damaged"):
        decode_stencil(encode_result(RESULT))


def test_a_newer_format_is_named() -> None:
    """A blob that a later version wrote is not guessed at."""
    blob = bytes([BLOB_FORMAT + 1]) + encode_result(RESULT)[1:]

    with pytest.raises(StoreError, match=r"has format 2, .* made by a newer webstencil"):
        decode_result(blob)


@pytest.mark.parametrize("path", [-1, 2**64])
def test_a_path_hash_beyond_64_bits_is_refused(path: int) -> None:
    """What cannot be kept is not kept, and the message says which stencil it was."""
    with pytest.raises(StoreError, match="cannot store the stencil 'k1'"):
        encode_stencil(replace(SMALL, paths=frozenset({path})))


def test_a_text_that_is_no_unicode_is_refused() -> None:
    """Half a surrogate pair has no UTF-8 form; the message can still be printed."""
    with pytest.raises(StoreError, match=r"cannot store the result of 'https://example\.org/a'"):
        encode_result(replace(RESULT, problems=(Problem("parse", "name", "\udcff"),)))
