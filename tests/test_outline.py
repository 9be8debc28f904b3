"""Outlines: what a page tells of its site, the same everywhere, small however bad the page is."""

import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from itertools import product

import pytest
from builders import page_of
from hypothesis import given, settings
from hypothesis import strategies as st

from webstencil.codec import encode_value, pack
from webstencil.content.runs import flatten
from webstencil.errors import StoreError
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage
from webstencil.processes import import_path
from webstencil.site.outline import (
    EMPTY_OUTLINE,
    EXCERPT,
    LONGEST_SAYING,
    LONGEST_TOKEN,
    MOST_HASHES,
    MOST_META_ELEMENTS,
    MOST_NEIGHBOURS,
    MOST_PLACES_OF_PAGE,
    MOST_TOKENS,
    NO_PLACE,
    TOP_PLACE,
    Excerpts,
    Oddity,
    Outline,
    first_word,
    hashed_texts,
    label_of,
    number_repeated,
    outline,
    outline_and_excerpts,
    storable_text,
)
from webstencil.site.site_model import (
    PackedOutline,
    decode_excerpts,
    decode_outline,
    encode_excerpts,
    encode_outline,
)
from webstencil.site.targets import hashes_of

LARGEST_BLOB = 200_000  # bytes, of the worst pages below
HALF = "\ud800"  # half of a character
URL = "http://site.example/lamps/12.html"
LAMP = """<html class=js><head><title>Shop: Lamp 12</title>
<meta property="og:type" content="product">
<link rel=next href=13.html></head>
<body class="page-17"><nav id=menu><ul>
<li class=item-1><a href="/">Home</a></li> <li class=item-2><a href="/lamps">Lamps</a></li>
</ul></nav>
<div class="post-17 post"><h1>Lamp 12</h1><p>It <b>shines</b>.</p><p>12 comments</p>
Before<br>after <button>Buy</button></div></body></html>"""


def texts_in(page: Page) -> list[int]:
    """Return the hashes of the texts of an outline, sorted."""
    return sorted(outline(page).texts)


def runs_of(page: Page) -> list[int]:
    """Return the hashes of the runs that content is extracted from, sorted."""
    return sorted(hashed_texts(flatten(page.markup).texts)[0])


def letters(number: int) -> str:
    """Write a number without digits, which would be 0 in a label."""
    return f"{number:x}".translate(str.maketrans("0123456789", "ghijklmnop"))


def test_an_outline_is_the_places_of_a_page() -> None:
    """Places as columns, with texts, links, neighbours, and what the head and the heading say."""
    found = outline(page_of(LAMP, URL))

    said = ["home", "lamps", "before", "after", "lamp 0", "it shines.", "0 comments"]
    assert replace(found, texts=(), links=()) == Outline(
        labels=(
            *("html", "nav#menu", "ul", "li.item-0", "div.post-0.post", "h1", "p"),
            *("head", "meta@og:type", "link@next"),
        ),
        containers=(NO_PLACE, TOP_PLACE, 1, 2, TOP_PLACE, 4, 4, TOP_PLACE, 7, 7),
        times=(1, 1, 1, 2, 1, 1, 2, 1, 1, 1),
        sizes=(0, 0, 0, 9, 11, 6, 20, 0, 0, 0),
        text_places=(3, 3, 4, 4, 5, 6, 6),
        link_places=(3, 3),
        neighbours=((0, 1), (0, 2), (0, 3), (0, 5), (1, 4), (3, 3), (5, 6), (6, 6)),
        heard=((8, "product"), (5, "Lamp")),
    )
    assert sorted(found.texts) == sorted(hashed_texts(said)[0])
    assert sorted(found.links) == sorted(hashes_of(["site.example", "site.example/lamps"]))
    assert found.size == sum(map(len, said))


def test_excerpts_are_the_first_text_of_each_place() -> None:
    """With the title, to look at; long ones are cut."""
    told, excerpts = outline_and_excerpts(page_of(LAMP, URL))
    _, long = outline_and_excerpts(page_of(f"<title>{'t' * 999}</title><p>{'x  y ' * 999}"))

    assert told == outline(page_of(LAMP, URL))
    assert excerpts == Excerpts(
        "Shop: Lamp 12", ((3, "Home"), (4, "Before"), (5, "Lamp 12"), (6, "It shines."))
    )
    assert long == Excerpts("t" * EXCERPT, ((1, ("x y " * EXCERPT)[:EXCERPT]),))


@pytest.mark.parametrize(
    ("written", "label"),
    [
        (("div", "post-17 hentry post", "main"), "div.post-0.hentry.post#main"),
        (("p", "a1 a2 b", None), "p.a0.b"),
        (("p", None, "c12-r3"), "p#c0-r0"),
        (("li", "  ", " "), "li"),
        (("body", "page-17", "top"), "body"),
        (("p", "x" * (LONGEST_TOKEN + 1), "y" * (LONGEST_TOKEN + 1)), "p"),
        (("p", f"{HALF}a", HALF), "p.?a#?"),
    ],
)
def test_a_label_has_tokens_as_written_with_numbers_as_0(
    written: tuple[str, str | None, str | None], label: str
) -> None:
    """Each once; without those that programs write, and those of the body."""
    assert label_of(*written) == label


def test_numbers_and_case_do_not_make_another_outline() -> None:
    """Of numbers in classes, ids and texts; what else a page says does."""
    page = "<body><div class=post-{0} id=p{0}><p>{0} Comments</p>{1}</div>"
    one, same, other = (
        outline(page_of(page.format(number, words)))
        for number, words in ((7, "<b>new</b>"), (12345, "<b>NEW</b>"), (7, "<b>old</b>"))
    )

    assert (one.labels, one.texts) == (same.labels, same.texts)
    assert one.texts != other.texts


def test_what_comes_again_is_another_text() -> None:
    """A menu's text may be content elsewhere on the page."""
    assert number_repeated([7, 8, 7, 7]) == [7, 8, *number_repeated([7, 7, 7])[1:]]
    assert len(set(number_repeated([7, 7, 7]))) == 3


@pytest.mark.parametrize(
    "space", ["  ", "\n\t", "\xa0", "\u2003", "\u3000 ", "\x85", "\x1f", "\u2028"]
)
def test_white_space_of_any_kind_is_one_space(space: str) -> None:
    """As where content is extracted, so that the same text is known there."""
    assert hashed_texts([f"One{space}two", "x"]) == hashed_texts(["one two", "X"])


@pytest.mark.parametrize(
    "html",
    [
        "<p>One<b> two</b><i>three</i>",
        "<p>One<br>two<br><br>three",
        "<p>Buy <button>now</button> or never",
        "<div>before<p>in</p>after<ul>loose<li>item</li>more</ul>end</div>",
        "<ul><span>Title</span><li>a<ul><li>b</ul>c</ul>",
        "<table><caption>c</caption>loose<tr><td>a<td>b<table><tr><td>d</table></table>",
        "<noscript><p>Please switch on scripts</p></noscript><p>Text",
        "<button><div>Menu</div></button><p>Text",
        "<object><p>no plugin</p><object><ul><li>really none</ul></object></object><p>Text",
        "<h2>Head<a href='#h'>¶</a></h2><p>See <a href='#h'>above</a>",
        "<a href=/x><div>in</div>out</a><select><option>1<option>2</select>",
        "<p>no-break\xa0space \u2003 wide \u200b zero",
        "<p>one\x01two<p>three\x00four",
        "a<p>&#xd800;<p>\u0130 \u1e9e ß<p>0٣³",
        "<dl><dt>t<dd>d<dd><p>p</dl>tail",
        "<svg><text>in a picture</text></svg><iframe>x</iframe><textarea>y</textarea>z",
        "</div></p><p></p></body><p>after",
        "<pre>a\n  b\n</pre><center>c<hr>d</center>",
        "<custom-tag>one<div>two</div>three</custom-tag>",
    ],
)
def test_texts_are_those_that_content_is_extracted_from(html: str) -> None:
    """Or a site could not tell which of them repeat."""
    page = page_of(f"<body>{html}")

    assert texts_in(page) == runs_of(page)


BLOCKS = ("div", "p", "ul", "ol", "li", "dl", "dd", "table", "tr", "td", "h1", "section", "form")
INLINES = ("b", "span", "a", "a href=/x", "em", "label", "custom-tag")
WORDS = ("one", "Two 2", " ", "\n", "", "\xa0", "x\u2003y", "\x85", "¶", "#", "3é", "\u3000", "<")
LINKS = ("<a href='#y'>¶</a>", "<a href='#y'>up</a>", "<a href='#y'></a>")
SINGLE = ("<br>", "<hr>", "<input>", "<!-- c -->", "<button>Buy</button>", "<svg></svg>", *LINKS)

markup = st.recursive(
    st.sampled_from((*WORDS, *SINGLE)),
    lambda inner: st.builds(
        lambda tag, parts, ends: f"<{tag}>{''.join(parts)}" + f"</{tag.split()[0]}>" * ends,
        st.sampled_from((*BLOCKS, *INLINES)),
        st.lists(inner, max_size=4),
        st.sampled_from((True, True, True, False)),
    ),
    max_leaves=25,
)


@given(st.lists(markup, max_size=4).map("".join))
@settings(max_examples=500)
def test_texts_of_any_markup_are_those_of_its_runs(html: str) -> None:
    """However blocks, inline elements, breaks, buttons and links are nested, closed or not."""
    page = page_of(f"<body>{html}")
    found = outline(page)

    assert sorted(found.texts) == runs_of(page)
    assert found.size == sum(hashed_texts(flatten(page.markup).texts)[1])


@given(st.lists(markup, max_size=4).map("".join))
def test_columns_of_any_markup_fit_together(html: str) -> None:
    """Containers come first; texts, links and neighbours stand at places of the page."""
    found = outline(page_of(f"<body>{html}"))

    places = range(len(found.labels))
    assert found.labels[0] == "html"
    assert found.containers[0] == NO_PLACE
    assert all(0 <= up < place for place, up in enumerate(found.containers) if place)
    assert len({*zip(found.containers, found.labels, strict=True)}) == len(places)
    assert min(found.times) >= 1
    assert found.text_places == tuple(sorted(found.text_places))
    assert found.link_places == tuple(sorted(found.link_places))
    assert {*found.text_places, *found.link_places, *sum(found.neighbours, ())} <= {*places}
    assert decode_outline(encode_outline(found)) == found


ANEW = """
import sys
from webstencil.markup.parse import parse
from webstencil.model import RawPage
from webstencil.site.outline import outline
from webstencil.site.site_model import encode_outline
for number, html in enumerate(sys.stdin.buffer.read().split(b"\\0")):
    print(encode_outline(outline(parse(RawPage(f"http://a.example/{number}", html)))).hex())
"""


def test_an_outline_is_the_same_in_any_process() -> None:
    """Byte for byte, whatever Python's own hashes are, and whatever pages came before."""
    rows = "".join(f"<tr class=r{letters(n)} id=i{n}><td><a href=/{n}>x{n}</a>" for n in range(200))
    pages = [LAMP, f"<body><table>{rows}</table>", "<body><p>é \u3000 ß</p>" + "<h1>A<h1>B" * 3]
    told = [
        subprocess.run(
            [sys.executable, "-c", ANEW],
            input="\0".join(order).encode(),
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(import_path())},
            capture_output=True,
            check=True,
        )
        .stdout.decode()
        .split()
        for seed, order in (("1", pages), ("2", [*pages, *pages]))
    ]
    own = [
        encode_outline(outline(page_of(html, f"http://a.example/{number}"))).hex()
        for number, html in enumerate(pages)
    ]

    assert told[0] == told[1][:3] == own


@st.composite
def outlines(draw: st.DrawFn) -> Outline:
    """Make any outline, not only such as pages have."""
    number = draw(st.integers(1, 12))
    label = st.text(st.characters(codec="utf-8"), max_size=8)
    place = st.integers(0, number - 1)
    hashes = st.lists(st.tuples(place, st.integers(0, 2**32 - 1)), max_size=20).map(sorted)
    counts = st.lists(st.integers(0, 2**40), min_size=number, max_size=number).map(tuple)
    texts, links = draw(hashes), draw(hashes)
    return Outline(
        labels=tuple(draw(st.lists(label, min_size=number, max_size=number))),
        containers=(NO_PLACE, *(draw(st.integers(0, one - 1)) for one in range(1, number))),
        times=draw(counts),
        sizes=draw(counts),
        texts=tuple(one for _, one in texts),
        text_places=tuple(at for at, _ in texts),
        links=tuple(one for _, one in links),
        link_places=tuple(at for at, _ in links),
        neighbours=tuple(sorted(draw(st.sets(st.tuples(place, place))))),
        heard=tuple(draw(st.lists(st.tuples(place, label), max_size=4))),
        oddity=draw(st.sampled_from(Oddity)),
    )


@given(outlines())
def test_outlines_are_read_as_they_were_written(written: Outline) -> None:
    """And written again as the same bytes."""
    blob = encode_outline(written)

    assert decode_outline(blob) == written
    assert encode_outline(decode_outline(blob)) == blob


@given(
    st.text(st.characters(codec="utf-8")),
    st.lists(st.tuples(st.integers(0, 5000), st.text(st.characters(codec="utf-8")))).map(tuple),
)
def test_excerpts_are_read_as_they_were_written(
    title: str, texts: tuple[tuple[int, str], ...]
) -> None:
    """Of any text."""
    written = Excerpts(title, texts)

    assert decode_excerpts(encode_excerpts(written)) == written


def test_the_outline_of_nothing_is_stored() -> None:
    """As of a page without elements."""
    assert decode_outline(encode_outline(EMPTY_OUTLINE)) == EMPTY_OUTLINE


def test_damage_is_told_in_a_sentence_that_says_what_to_do() -> None:
    """Wherever the bytes end too early."""
    blob = encode_outline(outline(page_of(LAMP)))
    told = []
    for end in range(len(blob)):
        with pytest.raises(StoreError) as caught:
            decode_outline(blob[:end])
        told.append(str(caught.value))

    assert {words.partition(":")[0] for words in told} == {"a stored outline is damaged"}
    assert all(words.endswith("put back a copy of the store, or start a new one") for words in told)


def test_a_changed_byte_never_makes_another_outline() -> None:
    """It is told, unless it is one that means nothing."""
    written = outline(page_of(LAMP))
    blob = encode_outline(written)
    read = []
    for at, bit in product(range(1, len(blob)), range(8)):
        with suppress(StoreError):
            read.append(decode_outline(bytes((*blob[:at], blob[at] ^ 1 << bit, *blob[at + 1 :]))))

    assert len(read) < len(blob) / 10
    assert set(read) <= {written}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"places": pack([0, 5])}, "tuple index out of range"),
        ({"times": b""}, "index out of range"),
        ({"sizes": pack([1])}, "its columns are not of one length"),
        ({"before": pack([0, 1]), "after": pack([1])}, "zip"),
        ({"times": b"\x04\x01"}, "bytes length not a multiple of item size"),
    ],
)
def test_columns_that_do_not_fit_are_damage(changed: dict[str, bytes], why: str) -> None:
    """Also if the checksum is right: nobody has to look at half of a page."""
    columns = {
        name: pack([])
        for name in (
            *("texts", "text_counts", "links", "link_counts", "before", "after"),
            *("places", "containers", "times", "sizes"),
        )
    }
    columns |= {"places": pack([0, 0]), "containers": pack([1, 1])}
    columns |= {"times": pack([1, 1]), "sizes": pack([0, 0]), **changed}
    packed = PackedOutline(labels=("html",), heard=(), oddity=Oddity.NONE, **columns)

    with pytest.raises(StoreError, match=f"a stored outline is damaged: .*{why}.*; put back"):
        decode_outline(encode_value(packed, "an outline"))


def test_a_newer_outline_asks_for_an_upgrade() -> None:
    """It is not damage."""
    blob = encode_outline(EMPTY_OUTLINE)

    with pytest.raises(StoreError, match=r"a stored outline has format 2, .*upgrade"):
        decode_outline(bytes((2,)) + blob[1:])


def test_what_is_no_outline_is_not_read_as_one() -> None:
    """Excerpts are stored next to it."""
    with pytest.raises(StoreError, match="a stored outline is damaged"):
        decode_outline(encode_excerpts(Excerpts("", ())))


DEEP = 200_000  # levels
MANY = 100_000
NAMES = [letters(number) for number in range(MANY)]
PAIRS = "".join(
    f"<p class={one}><p class={other}>" for one, other in product(NAMES[:200], repeat=2)
)

WORST = {
    "long class": f"<div class='{'token ' * 200_000}'>x",
    "long token": f"<div class='{'t' * 1_000_000}' id='{'u' * 1_000_000}'>x",
    "tokens of one element": f"<div class='{' '.join(NAMES)}'>x",
    "tokens of a page": "".join(f"<div class=c{name} id=i{name}>x</div>" for name in NAMES),
    "numbered tokens": "".join(f"<div class=c{number}>x</div>" for number in range(MANY)),
    "deep blocks": "<div>" * DEEP + "deep",
    "deep links": "<span><a href=x>y</a>" * DEEP,
    "deep breaks": "<span>x<br>" * DEEP,
    "deep buttons": "<span><button>x</button>" * DEEP,
    "deep unread elements": "<object><p>x" * DEEP,
    "headings": "".join(f"<h1>{name}</h1>" for name in NAMES[:50_000]),
    "headings apart": "".join(f"<h1 class={name}>{name}</h1>" for name in NAMES[:50_000]),
    "links": "".join(f"<a href=/{name}>x</a> " for name in NAMES),
    "texts": "".join(f"<p>{name}" for name in NAMES),
    "a long text": "<p>" + "word " * 1_000_000,
    "neighbours": PAIRS,
    "metas": "".join(f"<meta name={name} content={name}>" for name in NAMES),
    "a long meta": f"<meta name='{'n' * 1_000_000}' content='{'c' * 1_000_000}'>x",
}


@pytest.mark.parametrize("name", WORST)
def test_no_page_costs_more_than_its_bound(name: str) -> None:
    """However many tokens, levels, texts and links it has, and however long they are."""
    found, excerpts = outline_and_excerpts(page_of(f"<body>{WORST[name]}"))
    blob = encode_outline(found)

    longest = len("custom-tag") + (MOST_TOKENS + 1) * (LONGEST_TOKEN + 1)
    assert len(found.labels) <= MOST_PLACES_OF_PAGE
    assert max(map(len, found.labels)) <= longest
    assert max(len(found.texts), len(found.links)) <= MOST_HASHES
    assert len(found.neighbours) <= MOST_NEIGHBOURS
    assert len(found.heard) <= MOST_PLACES_OF_PAGE + MOST_META_ELEMENTS
    assert len(excerpts.texts) <= MOST_PLACES_OF_PAGE
    assert max((len(text) for _, text in excerpts.texts), default=0) <= EXCERPT
    assert len(blob) <= LARGEST_BLOB
    assert decode_outline(blob) == found


@pytest.mark.parametrize("name", ["tokens of a page", "headings apart"])
def test_what_comes_after_too_many_places_counts_for_its_container(name: str) -> None:
    """No text is lost, although its place is."""
    found = outline(page_of(f"<body>{WORST[name]}"))

    assert len(found.labels) == MOST_PLACES_OF_PAGE
    assert found.size == sum(hashed_texts(flatten(page_of(WORST[name]).markup).texts)[1])
    assert found.sizes[TOP_PLACE] > 0


@pytest.mark.parametrize("name", ["links", "texts"])
def test_of_very_many_hashes_the_smallest_are_kept(name: str) -> None:
    """So the same page keeps the same, and those that pages share are kept by both."""
    page = page_of(f"<body>{WORST[name]}")
    found = outline(page)
    written = [href.replace("/", "site.example/") for href in page.markup.hrefs()]
    everything = {"links": sorted(hashes_of(written)), "texts": runs_of(page)}[name]

    kept = {"links": found.links, "texts": found.texts}[name]
    assert sorted(kept) == everything[:MOST_HASHES]


def test_headings_of_a_list_say_nothing() -> None:
    """The heading of a page does; several at one place head the entries of a list."""
    many = outline(page_of("<body><h1>One</h1>" * 50_000))
    apart = outline(page_of("<body><h1>One</h1><div><h1>Two 2</h1><h1>Three</h1></div>"))

    assert many.heard == ()
    assert apart.heard == ((1, "One"),)


@pytest.mark.parametrize(
    ("text", "word"),
    [("  Category: News", "Category"), ("2024", ""), ("", ""), ("x" * 99, "x" * LONGEST_TOKEN)],
)
def test_the_first_word_is_of_letters(text: str, word: str) -> None:
    """Cut if it is none."""
    assert first_word(text) == word


def test_metas_say_what_is_short_and_no_address() -> None:
    """Of what is long there is a hash; numbers in names are 0; what comes again is a list."""
    metas = (
        "<meta name=a1 content=one><meta name=b content=//x.example><meta name=d>"
        "<meta name=e1 content=x><meta name=e2 content=y><meta content=nameless><link rel=next>"
    )
    found = outline(page_of(f"<head>{metas}</head><body>x"))
    long = outline(page_of(f"<head><meta name=a content='{'long ' * 9_999}'></head><body>x"))

    said = {(found.labels[place], word) for place, word in found.heard}
    times = dict(zip(found.labels, found.times, strict=True))
    assert said == {("meta@a0", "one"), ("meta@", "nameless")}
    assert (times["meta@e0"], times["link@next"]) == (2, 1)
    assert [len(word) <= LONGEST_SAYING for _, word in long.heard] == [True]


REFRESH = "<meta http-equiv=Refresh content='0; URL=/new'>"


@pytest.mark.parametrize(
    ("html", "oddity"),
    [
        ("<body><p>Text", Oddity.NONE),
        ("<html><body></body></html>", Oddity.EMPTY),
        ("<body><img src=x><button>Buy</button><script>x()</script>", Oddity.EMPTY),
        ("<body><noscript><p>Switch on scripts</p></noscript>", Oddity.EMPTY),
        ("<frameset><frame src=a><frame src=b></frameset>", Oddity.FRAMES),
        (f"<head>{REFRESH}</head><body>Moved", Oddity.REDIRECT),
        (f"<head>{REFRESH}</head><body>", Oddity.REDIRECT),
        (f"<head>{REFRESH}</head><body><p>{'text ' * 999}", Oddity.NONE),
        ("<head><meta http-equiv=refresh content=30></head><body>Scores", Oddity.NONE),
        ("<title>404 Not Found</title><body><h1>Sorry", Oddity.ERROR),
        ("<title>Seite nicht gefunden - Blog</title><body>Ups", Oddity.ERROR),
        ("<title>Access Denied</title><body>You may not", Oddity.ERROR),
        (f"<title>How to handle 404</title><body><p>{'text ' * 999}", Oddity.NONE),
        ("<title>Room 4040</title><body>A room", Oddity.NONE),
        ("<title>404</title><body>", Oddity.EMPTY),
    ],
)
def test_a_page_that_follows_no_template_says_why(html: str, oddity: Oddity) -> None:
    """Frames, redirects, errors served as pages, pages without text."""
    assert outline(page_of(html)).oddity is oddity


@pytest.mark.parametrize(
    "raw",
    [
        RawPage(
            URL, b"<body id='\xed\xa0\x80'><p class='\xed\xa0\x80 a'>\xed\xa0\x80 &#xd800;", "utf-8"
        ),
        RawPage(URL, f"\ufeff<html><p class='{HALF}a'>{HALF}".encode("utf-16", "surrogatepass")),
        RawPage(f"{URL}{HALF}", b"<body><a href='&#xd800;'>x</a><h1>&#xdfff;y", None),
    ],
)
def test_half_characters_can_be_stored(raw: RawPage) -> None:
    """In labels, texts, links and titles, in any encoding."""
    found, excerpts = outline_and_excerpts(parse(raw))

    assert decode_outline(encode_outline(found)) == found
    assert decode_excerpts(encode_excerpts(excerpts)) == excerpts


def test_half_characters_of_programs_can_be_stored() -> None:
    """Who makes pages otherwise than from bytes gets a question mark, and the same hash always."""
    assert storable_text(f"a{HALF}é") == "a?é"
    assert hashed_texts([HALF]) == hashed_texts([HALF])
    assert first_word(f"é{HALF}") == "é"
