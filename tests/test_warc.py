"""WARC files: which records are pages, what is wrong with them, which resources they have."""

import gzip
import random
import sys
import zlib
from itertools import chain
from pathlib import Path

import brotli
import pytest
from warcs import CSS, HTML, PACKERS, record, starts

from webstencil.codec import zstd
from webstencil.errors import ParseError, SourceError, WebstencilError
from webstencil.markup.parse import parse
from webstencil.model import RawPage, Resource
from webstencil.sources import SourcePart, WarcFile


def page(number: int) -> bytes:
    words = " ".join(f"word{number * 7919 * place % 10007}" for place in range(400))
    return f"<!doctype html><body><h1>{number}</h1><p>{words}</p>".encode()


def written(path: Path, *records: bytes) -> WarcFile:
    path.write_bytes(b"".join(records))
    return WarcFile(path)


def bodies(source: WarcFile) -> list[bytes]:
    return [raw.body for raw in source.pages()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.warc"


@pytest.mark.parametrize("packing", PACKERS)
def test_pages_come_with_url_charset_and_origin(path: Path, packing: str) -> None:
    """In the order of the file, compressed or not; offsets are those of the records."""
    packed = [PACKERS[packing](record(f"http://a.example/{n}", page(n))) for n in range(3)]
    source = written(path, *packed)

    assert list(source.pages()) == [
        RawPage(f"http://a.example/{n}", page(n), "utf-8", f"{path}:{offset}")
        for n, offset in enumerate(starts(packed))
    ]
    assert source.count() == 3
    assert source.notes.all() == ()


def test_a_zero_in_a_url_is_escaped(path: Path) -> None:
    """URLs are text that any database stores."""
    source = written(path, record("http://a.org/x\0y", page(1)))

    assert [found.url for found in source.pages()] == ["http://a.org/x%00y"]


def test_parts_have_every_page_once_and_each_meets_the_damage(path: Path) -> None:
    """Bodies of other parts are left out, with all that is wrong in them; the file is the same."""
    packed = [record(f"http://a.example/{n}", page(n)) for n in range(20)]
    source = written(path, *packed[:10], b"damage", *packed[10:])
    parts, notes = [], []
    for number in range(3):
        parts.append(list(source.pages_of(SourcePart(number, 3))))
        notes.append(source.notes.all())
    whole = list(source.pages())

    assert sorted(chain(*parts), key=whole.index) == whole
    assert min(map(len, parts)) > 0
    assert notes == [source.notes.all()] * 3
    assert len(notes[0]) == 1


def test_only_html_answers_are_pages(path: Path) -> None:
    """Requests, other types, redirects, errors and names of hosts are none; resources can be."""
    source = written(
        path,
        record("http://a.example/", page(1), kind="request"),
        record("http://a.example/s.css", b"p{}", http=CSS),
        record("http://a.example/moved", page(1), http=HTML.replace(b"200 OK", b"301 Moved")),
        record("http://a.example/gone", page(1), http=HTML.replace(b"200 OK", b"404 Gone")),
        record("dns:a.example", b"1.2.3.4"),
        record("http://a.example/untold", page(2), http=b"HTTP/1.1 200 OK\r\n"),
        record("http://a.example/data", b"\x01\x02", http=b"HTTP/1.1 200 OK\r\n"),
        record("<http://a.example/old-wget>", page(3)),
        record("http://a.example/saved", page(4), kind="resource").replace(
            b"application/http; msgtype=resource", b"text/html"
        ),
    )
    found = {raw.url: raw.body for raw in source.pages()}

    assert list(found) == [
        "http://a.example/untold",
        "http://a.example/old-wget",
        "http://a.example/saved",
    ]
    assert found["http://a.example/untold"] == page(2)
    assert found["http://a.example/saved"].endswith(page(4))


def chunked(body: bytes) -> bytes:
    pieces = [body[start : start + 100] for start in range(0, len(body), 100)]
    return b"".join(b"%x;x=1\r\n%s\r\n" % (len(p), p) for p in pieces) + b"0\r\n\r\n"


def raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


@pytest.mark.parametrize(
    ("headers", "stored"),
    [
        (b"Content-Encoding: gzip", gzip.compress(page(1))),
        (b"Content-Encoding: x-gzip", gzip.compress(page(1)[:50]) + gzip.compress(page(1)[50:])),
        (b"Content-Encoding: deflate", zlib.compress(page(1))),
        (b"Content-Encoding: deflate", raw_deflate(page(1))),
        (b"Content-Encoding: br", brotli.compress(page(1))),
        (b"Content-Encoding: zstd", zstd.compress(page(1))),
        (b"Content-Encoding: gzip, br", brotli.compress(gzip.compress(page(1)))),
        (b"Transfer-Encoding: chunked", chunked(page(1))),
        (b"Transfer-Encoding: chunked\r\nContent-Encoding: gzip", chunked(gzip.compress(page(1)))),
        (b"Transfer-Encoding: chunked\r\nContent-Encoding: gzip", gzip.compress(page(1))),
        (b"Transfer-Encoding: chunked\r\nContent-Encoding: gzip", page(1)),
        (b"Content-Encoding: identity", page(1)),
        (b"Content-Encoding: nonsense", page(1)),
    ],
)
@pytest.mark.parametrize("packing", PACKERS)
def test_codings_are_undone_also_where_headers_lie(
    path: Path, headers: bytes, stored: bytes, packing: str
) -> None:
    """And the records after such a one still come."""
    records = (
        record("http://a.example/1", stored, http=HTML + headers + b"\r\n"),
        record("http://a.example/2", page(2)),
    )
    source = written(path, *map(PACKERS[packing], records))

    assert bodies(source) == [page(1), page(2)]
    assert source.notes.all() == ()


def test_bomb_is_a_fault_of_its_page(path: Path) -> None:
    """The other pages still come."""
    bomb = zstd.compress(bytes(200_000_000))
    packed = HTML + b"Content-Encoding: zstd\r\n"
    source = written(
        path,
        record("http://a.example/bomb", bomb, http=packed),
        record("http://a.example/2", page(2)),
    )
    first, second = source.pages()

    assert first.fault == "it is larger than 100,000,000 bytes when unpacked"
    assert second.body == page(2)
    with pytest.raises(ParseError, match="larger than"):
        parse(first)


RECORDS = [record(f"http://a.example/{n}", page(n)) for n in range(5)]


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize("start", [True, False])
def test_reading_goes_on_after_damage(path: Path, packing: str, start: bool) -> None:
    """At the start of a record or within it; a warning has its offset and size."""
    packed = [PACKERS[packing](one) for one in RECORDS]
    whole = bytearray(b"".join(packed))
    begin = starts(packed)[2]
    harmed = begin if start else begin + 20  # in the header, which compression packs, too
    whole[harmed : harmed + 60] = b"\xff" * 60
    source = written(path, bytes(whole))
    found = bodies(source)

    assert [body for n, body in enumerate(map(page, range(5))) if n != 2] == found
    (note,) = source.notes.all()
    assert note.kind == "damage in a WARC file"
    assert f"{path}:" in note.first


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize("kind", ["response", "request", "metadata"])
def test_file_cut_off_anywhere_says_so(path: Path, packing: str, kind: str) -> None:
    """In a page or in a record nobody reads; what is whole before comes."""
    packed = [PACKERS[packing](one) for one in RECORDS[:2]]
    last = PACKERS[packing](record("http://a.example/last", page(9), kind=kind))
    http_ends = last.find(b"\r\n\r\n<!doc") + 4  # looks like the end of a record
    for left in (3, 30, http_ends, len(last) // 2, len(last) - 20):
        source = written(path, *packed, last[:left])
        found = [raw for raw in source.pages() if not raw.fault]

        assert [raw.body for raw in found] == [page(0), page(1)], left
        assert [note.kind for note in source.notes.all()] == ["damage in a WARC file"], left


def test_piece_missing_in_the_middle_costs_its_records_only(path: Path) -> None:
    """As when a download was resumed at the wrong offset."""
    packed = [gzip.compress(one) for one in RECORDS]
    whole = b"".join(packed)
    cut = starts(packed)[1] + 50
    source = written(path, whole[:cut], whole[cut + 300 :])

    assert [raw.body for raw in source.pages() if not raw.fault] == [page(n) for n in (0, 2, 3, 4)]
    assert len(source.notes.all()) == 1


def test_records_with_wrong_headers_cost_themselves_only(path: Path) -> None:
    """No length, wrong lengths, an endless header, no HTTP."""
    source = written(
        path,
        RECORDS[0],
        RECORDS[1].replace(b"Content-Length: ", b"Content-Length: x"),
        RECORDS[2],
        RECORDS[3].replace(b"Content-Length: ", b"Content-Length: 1"),
        record("http://a.example/big", page(9), http=HTML + b"X: " + b"a" * 3_000_000 + b"\r\n"),
        record("http://a.example/bare", b"no HTTP at all", http=b""),
        RECORDS[1].replace(b"Content-Length: ", b"Content-Length: 99"),
        RECORDS[4],
    )
    found = bodies(source)

    assert found[0] == page(0)
    assert page(2) in found
    assert found[-1] == page(4)
    assert source.notes.all()[0].count >= 2


def hurt(whole: bytes, chance: random.Random) -> bytes:
    """Do one of the things that happen to files."""
    data = bytearray(whole)
    place, length = chance.randrange(len(data)), chance.randrange(1, 300)
    match chance.randrange(5):
        case 0:
            data[place] ^= 1 << chance.randrange(8)
        case 1:
            del data[place : place + length]
        case 2:
            del data[place:]
        case 3:
            data[place:place] = chance.randbytes(length)
        case _:
            data[place : place + length] = bytes(len(data[place : place + length]))
    return bytes(data)


@pytest.mark.parametrize("packing", PACKERS)
def test_random_damage_costs_a_few_pages_and_gives_a_warning(path: Path, packing: str) -> None:
    """Nothing is raised; in gzip files, which have checksums, no page is lost without a warning."""
    records = [
        record(f"http://a.example/{n}", page(n), kind="response" if n % 3 else "request")
        for n in range(12)
    ]
    whole = b"".join(map(PACKERS[packing], records))
    silent = 0
    for seed in range(60):
        source = written(path, hurt(whole, random.Random(seed)))
        found = list(source.pages())
        silent += len([raw for raw in found if not raw.fault]) < 8 and not (
            source.notes.all() or any(raw.fault for raw in found)
        )

    assert silent <= (0 if packing == "gzip" else 2)


@pytest.mark.parametrize("junk", [b"", b"hello" * 1000, b"\x1f\x8b\x08junk", b"\x28\xb5\x2f\xfdj"])
def test_what_is_no_warc_has_no_pages_and_says_so(path: Path, junk: bytes) -> None:
    """Nothing is raised: a list of files goes on with the next."""
    source = written(path, junk)

    assert list(source.pages()) == []
    assert len(source.notes.all()) == 1


@pytest.mark.parametrize("packing", [*PACKERS, "one member"])
def test_resources_come_from_the_same_file(path: Path, packing: str) -> None:
    """By URL in any spelling, decoded; also where all records are compressed as one."""
    records = [
        record("http://a.example/1", page(1)),
        record(
            "http://A.example:80/s.css?v=1",
            chunked(gzip.compress(b"p{}")),
            http=CSS + b"Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n",
        ),
        record("http://a.example/gone.css", b"no", http=CSS.replace(b"200", b"404")),
        record("http://a.example/2", page(2)),
    ]
    if packing == "one member":
        source = written(path, gzip.compress(b"".join(records)))
    else:
        source = written(path, *map(PACKERS[packing], records))

    assert source.fetch("http://a.example/s.css?v=1") == Resource(b"p{}", "text/css")
    assert source.fetch("http://a.example/gone.css") is None
    assert source.fetch("http://a.example/nowhere.css") is None
    assert bodies(source) == [page(1), page(2)]


def test_zstd_files_may_have_a_dictionary(path: Path) -> None:
    """Which stands before all records; resources are found, too."""
    records = [
        *[record(f"http://a.example/{n}", page(n)) for n in range(20)],
        record("http://a.example/s.css", b"p{}", http=CSS),
    ]
    words = zstd.train_dict(records, 4000)
    dictionary = bytes(words.dict_content)
    start = b"\x5d\x2a\x4d\x18" + len(dictionary).to_bytes(4, "little") + dictionary
    source = written(path, start, *[zstd.compress(one, zstd_dict=words) for one in records])

    assert bodies(source) == [page(n) for n in range(20)]
    assert source.notes.all() == ()
    assert source.fetch("http://a.example/s.css") == Resource(b"p{}", "text/css")


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    """Before anything else happens."""
    with pytest.raises(SourceError, match="is not a file"):
        WarcFile(tmp_path / "nowhere.warc")


@pytest.mark.parametrize("library", ["fastwarc.warc", "brotli"])
def test_missing_library_is_named_with_its_extra(
    path: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    """And it is not taken for damage."""
    packed = HTML + b"Content-Encoding: br\r\n"
    source = written(path, record("http://a.example/1", brotli.compress(page(1)), http=packed))
    monkeypatch.setitem(sys.modules, library, None)

    with pytest.raises(WebstencilError, match=r"pip install webstencil\[warc\]"):
        list(source.pages())
