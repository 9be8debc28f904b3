"""Parsing: bytes in any state become a page, or an error that says what they were."""

import pytest
from builders import page_of
from hypothesis import given
from hypothesis import strategies as st

from webstencil.errors import ParseError
from webstencil.markup.parse import links, parse
from webstencil.markup.parsed_page import MOST_PATHS_CACHED, path_set, remembered
from webstencil.model import NO_PARENT, TEXT, RawPage

NESTED_DEEP = 200_000


def paths(*written: str) -> frozenset[int]:
    """Hash paths written as `html/body/p`."""
    hashes: set[int] = set()
    for path in written:
        labels = path.split("/")
        hashes |= path_set(labels, range(-1, len(labels) - 1))
    return frozenset(hashes)


def test_nodes_are_elements_and_texts_in_document_order() -> None:
    """Blank text, comments, scripts, styles and templates do not count."""
    page = page_of(
        "<title>T</title><style>p{}</style><body> <!-- c --><p id=a>x<b>y</b>\n</p>"
        "<script>1</script><template><i>z</i></template> <p class='c d'>w"
    )

    assert page.tree.tags == (
        *("html", "head", "title", TEXT, "body", "p", TEXT, "b", TEXT, "p", TEXT),
    )
    assert page.tree.parents == (NO_PARENT, 0, 1, 2, 0, 4, 5, 5, 7, 4, 9)
    assert page.tree.ids == ("", "", "", "", "", "a", "", "", "", "", "")
    assert page.tree.classes == ("", "", "", "", "", "", "", "", "", "c d", "")
    assert page.texts == ("", "", "", "T", "", "", "x", "", "y", "", "w")


def test_children_positions_and_counts_follow_from_the_parents() -> None:
    """The children of a node come in document order, with their places and their number."""
    tree = page_of("<body><ul><li>a<li>b<li>c</ul><p>d").tree
    ul = tree.tags.index("ul")
    children = tree.children()

    assert [tree.tags[child] for child in children.of(ul)] == ["li", "li", "li"]
    assert [children.position(child, ul) for child in children.of(ul)] == [0, 1, 2]
    assert children.count(ul) == 3
    assert tree.ends()[ul] == tree.tags.index("p")


def test_paths_lead_to_elements_without_element_children() -> None:
    """Definition 6 with the paper's changes: no text, ids joined to names, each path once."""
    page = page_of("<body><div id=main><p>a</p><p>b</p><p><b>c</b></p></div>")

    assert page.paths == paths("html/head", "html/body/div#main/p", "html/body/div#main/p/b")


def test_scripts_do_not_change_the_paths() -> None:
    """What is pruned from the tree is not in its paths, and what holds only that is a leaf."""
    with_script = page_of("<body><p>a</p><div><script>1</script></div>")
    without = page_of("<body><p>a</p><div></div>")

    assert with_script.paths == without.paths


# A title that could be UTF-8 does not count: what is declared does, however far behind it.
FAR_META = b"<title>\xc3\xa9</title><!--" + b"x" * 1100 + b"--><meta charset=iso-8859-1>"


@pytest.mark.parametrize(
    ("body", "charset", "encoding", "text"),
    [
        (b"\xef\xbb\xbf<p>\xc3\xa9", "iso-8859-1", "UTF-8", "é"),
        (b"<meta charset=utf-8><p>\xe9", "iso-8859-1", "windows-1252", "é"),
        (b"<meta charset=iso-8859-2><p>\xe9", None, "ISO-8859-2", "é"),
        ("<p>žluťoučký kůň".encode("cp1250"), None, "windows-1250", "žluťoučký kůň"),
        (b"<p>\xc3\xa9", "no-such-charset", "UTF-8", "é"),
        ("\ufeff<p>é".encode("utf-16-le"), None, "UTF-16LE", "é"),
        ("<meta charset=utf-8><p>é".encode(), None, "UTF-8", "é"),
        (FAR_META + b"<p>\xe9", None, "windows-1252", "é"),
    ],
    ids=["bom", "http", "meta", "detected", "unknown", "utf-16", "utf-8", "far meta"],
)
def test_charset_comes_from_bom_then_http_then_meta_then_detection(
    body: bytes, charset: str | None, encoding: str, text: str
) -> None:
    """The first of these that there is decides."""
    page = parse(RawPage("http://site.example/", body, charset))

    assert (page.encoding, page.texts[-1]) == (encoding, text)


def test_false_claim_to_be_utf8_is_not_believed() -> None:
    """A page that says UTF-8 and is windows-1252 throughout is read as what it is."""
    body = "<meta charset=utf-8><p>déjà vu, très gêné, où ça".encode("cp1252")

    assert parse(RawPage("http://site.example/", body)).texts[-1] == "déjà vu, très gêné, où ça"


@pytest.mark.parametrize("told", ["http", "meta"])
@pytest.mark.parametrize("charset", ["iso-8859-1", "windows-1251", "gbk"])
def test_utf8_is_read_as_utf8_whatever_is_declared(charset: str, told: str) -> None:
    """Servers declare what they were set to once; the bytes of such a page fit nothing else."""
    text = "déjà vu, très gêné, où ça, Zürich, žluťoučký kůň"
    meta = f"<meta charset={charset}>" if told == "meta" else ""
    body = f"{meta}<p>{text}".encode()

    page = parse(RawPage("http://site.example/", body, charset if told == "http" else None))

    assert (page.encoding, page.texts[-1]) == ("UTF-8", text)


@pytest.mark.parametrize(
    ("charset", "text"),
    [("gbk", "模板"), ("iso-8859-1", "Ãºltimo año"), ("windows-1251", "Привет, мир")],
)
def test_what_is_declared_holds_for_bytes_that_fit(charset: str, text: str) -> None:
    """A few characters of other encodings look like UTF-8; a single one that does not is proof."""
    page = parse(RawPage("http://site.example/", f"<p>{text}".encode(charset), charset))

    assert page.texts[-1] == text


def test_one_bad_byte_does_not_change_the_charset() -> None:
    """A UTF-8 page with a broken character stays UTF-8."""
    body = "<meta charset=utf-8><p>déjà vu, très gêné ".encode() + b"\xff"

    assert parse(RawPage("http://site.example/", body)).encoding == "UTF-8"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "is empty"),
        (b" \n\t", "is empty"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"\x89PNG\r\n", "PNG"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"abc\0\1\2def", "binary"),
        (b"just a sentence, no markup", "plain text"),
        (b'{"a": [1, 2]}', "plain text"),
        (b'<?xml version="1.0"?><rss><channel><title>x</title></channel></rss>', "rss"),
    ],
)
def test_what_is_not_html_is_named(body: bytes, said: str) -> None:
    """The error says what the bytes are and which page it was."""
    with pytest.raises(ParseError, match=said) as failure:
        parse(RawPage("http://site.example/file", body))

    assert "http://site.example/file" in str(failure.value)


def test_stray_zeros_make_no_page_binary() -> None:
    """Old editors leave them; browsers drop them in texts, and so do we."""
    page = parse(RawPage("http://site.example/", b"<!DOCTYPE html><title>a\0b</title><p>c\0d"))

    assert [text for text in page.texts if text] == ["a\ufffdb", "cd"]


def test_links_are_absolute_and_listed_once() -> None:
    """The base element counts; what leads to no page does not."""
    page = parse(
        RawPage(
            "http://site.example/a/b.html",
            b'<base href="/c/"><a href="d.html">1</a><a href=" d.html ">2</a>'
            b'<a href="mailto:x@y">3</a><a href="//other.example/e">4</a><a name=f>5</a>',
        )
    )

    assert links(page) == ("http://site.example/c/d.html", "http://other.example/e")


def test_site_is_the_registrable_domain() -> None:
    """Sub-domains belong to their site; URLs without a domain are sites by host and port."""
    urls = ("http://news.bbc.co.uk/1", "http://me.github.io/", "http://127.0.0.1:8000/x")
    sites = [parse(RawPage(url, b"<p>x")).site for url in urls]

    assert sites == ["bbc.co.uk", "me.github.io", "127.0.0.1:8000"]


def test_deeply_nested_pages_are_read() -> None:
    """Nesting costs time, not the stack."""
    page = page_of("<div>" * NESTED_DEEP + "x")

    assert len(page.tree) == NESTED_DEEP + 4
    assert page.tree.ends()[0] == len(page.tree)
    assert len(page.paths) == 2


@given(st.lists(st.sampled_from(["a", "b", "a#x"]), min_size=1, max_size=6), st.data())
def test_path_sets_are_what_definition_6_says(labels: list[str], data: st.DataObject) -> None:
    """However the elements are nested: one hash for each distinct path to a leaf."""
    parents = [-1]
    for node in range(1, len(labels)):  # document order: below the last node or an ancestor of it
        branch = [node - 1]
        while branch[-1] > 0:
            branch.append(parents[branch[-1]])
        parents.append(data.draw(st.sampled_from(branch)))
    leaves = set(range(len(labels))) - set(parents)
    written = []
    for leaf in leaves:
        path = []
        while leaf >= 0:
            path.insert(0, labels[leaf])
            leaf = parents[leaf]  # noqa: PLW2901 - climbs
        written.append("/".join(path))

    assert path_set(labels, parents) == paths(*written)


def test_paths_of_a_page_are_those_of_its_labels() -> None:
    """A page is followed in a loop of its own, with the same result."""
    page = page_of("<body id=b><div><p>a<br><b id='x y'>c</b></p><p id></p></div><div>d</div>")

    assert page.paths == path_set(*page.markup.labels())


@given(st.binary(max_size=300))
def test_any_bytes_are_a_page_or_a_parse_error(body: bytes) -> None:
    """Nothing else comes out, and the columns fit together."""
    try:
        page = parse(RawPage("http://site.example/", body))
    except ParseError:
        return

    tree = page.tree
    assert len(tree.tags) == len(tree.parents) == len(tree.ids) == len(page.texts)
    assert all(parent < node for node, parent in enumerate(tree.parents))


def test_paths_are_the_same_whatever_is_remembered() -> None:
    """Only so many are, and all are forgotten then."""
    page = "".join(f"<div id=d{n}><p>x</p></div>" for n in range(MOST_PATHS_CACHED))

    before = page_of("<div id=d7><p>x</p></div>").paths
    many = page_of(page).paths
    after = page_of("<div id=d7><p>x</p></div>").paths

    assert before == after
    assert after < many
    assert remembered().room[0] > 0


def test_base_is_sought_where_a_browser_looks() -> None:
    """Not in a template, whose content is no part of the page; the first with a URL counts."""
    page = parse(
        RawPage(
            "http://a.example/b/",
            b"<template><base href=/no/></template><base target=x>"
            b"<base href=' /c/ '><a href=d>e</a><base href=/later/>",
        )
    )

    assert page.base_url == "http://a.example/c/"
    assert links(page) == ("http://a.example/c/d",)
