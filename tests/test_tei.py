"""Pages as TEI XML."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstencil.output.tei import NAMESPACE, body, tei

FACTS = {
    "title": "Rain & snow",
    "author": "Ann Lee, Bob Ray",
    "date": "2020-02-03",
    "language": "en",
    "description": "It rains.",
    "site_name": "The Site",
    "licence": "https://licence.example/by",
}
URL = "http://site.example/rain"


def path(*names: str) -> str:
    """Return a path of TEI elements."""
    return "/".join(f"{{{NAMESPACE}}}{name}" for name in names)


def test_the_header_has_the_facts() -> None:
    """Each author apart, days for programs."""
    root = ElementTree.fromstring(tei("<p>Text</p>", FACTS, URL))
    titles = root.find(path("teiHeader", "fileDesc", "titleStmt"))
    source = root.find(path("teiHeader", "fileDesc", "sourceDesc", "bibl"))
    assert titles is not None
    assert source is not None

    assert [one.text for one in titles] == ["Rain & snow", "Ann Lee", "Bob Ray"]
    assert [one.get("when") for one in source.iter(path("date"))] == ["2020-02-03"]
    assert [one.get("target") for one in source.iter(path("ptr"))] == [URL]
    assert [one.get("ident") for one in root.iter(path("language"))] == ["en"]
    assert [one.get("target") for one in root.iter(path("licence"))] == [FACTS["licence"]]


def test_what_follows_a_heading_is_in_its_division() -> None:
    """By the levels of headings."""
    html = "<p>0</p><h2>A</h2><p>1</p><h3>B</h3><p>2</p><h2>C</h2><p>3</p>"

    assert body(html).replace("\n", "") == (
        '<p>0</p><div type="section" n="2"><head>A</head><p>1</p>'
        '<div type="section" n="3"><head>B</head><p>2</p></div></div>'
        '<div type="section" n="2"><head>C</head><p>3</p></div>'
    )


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("", "<p/>"),
        ("loose", "<p>loose</p>"),
        ("<p>a <b>b</b><br>c</p>", '<p>a <hi rend="bold">b</hi><lb/>c</p>'),
        ('<p><a href="/x y">l</a></p>', '<p><ref target="/x%20y">l</ref></p>'),
        (
            "<ol><li>1<ul><li>2</li></ul></li></ol>",
            '<list rend="numbered"><item>1<list rend="bulleted"><item>2</item></list></item>'
            "</list>",
        ),
        (
            "<dl><dt>a</dt><dt>b</dt><dd>c</dd><dd>d</dd></dl>",
            '<list type="gloss"><label>a</label><item/><label>b</label><item>c</item>'
            "<label/><item>d</item></list>",
        ),
        (
            "<table><caption>t</caption><tr><th>a</th><td colspan=2>b</td></tr></table>",
            '<table><head>t</head><row><cell role="label">a</cell><cell cols="2">b</cell></row>'
            "</table>",
        ),
        ("<blockquote><p>q</p></blockquote>", "<quote><p>q</p></quote>"),
        (
            '<pre><code class="language-py">a &lt; b</code></pre>',
            '<ab type="code" xml:space="preserve"><code lang="py">a &lt; b</code></ab>',
        ),
        (
            '<p>t</p><figure><img src="i.png" alt="x"><figcaption>c</figcaption></figure>',
            '<p>t</p><figure><graphic url="i.png"/><figDesc>x</figDesc><head>c</head></figure>',
        ),
        (
            "<ul><li><h2>h</h2></li></ul>",
            '<list rend="bulleted"><item><hi rend="heading">h</hi></item></list>',
        ),
        ("<p>a\x01\x0bb</p>", "<p>a b</p>"),
    ],
)
def test_elements(html: str, written: str) -> None:
    """Each has its place in TEI."""
    found = body(html)

    assert found.replace("\n", "") == written
    ElementTree.fromstring(f"<body>{found}</body>")


def test_code_keeps_its_lines() -> None:
    """Spaces and line ends count there."""
    assert "a\n  b" in body("<pre>a\n  b</pre>")


def test_deep_fragments_are_written() -> None:
    """However deep they nest, without recursion."""
    deep = "<ul><li>" * 400 + "x"

    for fragment in (deep, "<blockquote>" * 100_000 + "x"):
        written = ElementTree.fromstring(f"<body>{body(fragment)}</body>")
        assert "x" in "".join(written.itertext())


SCHEMA = Path(__file__).parent / "tei_subset.rng"
BLOCKS = ("p", "li", "ul", "ol", "dl", "dt", "dd", "table", "tr", "td", "blockquote", "figure")
PARTS = (*BLOCKS, "h2", "h3", "pre", "code", "a", "b", "figcaption", "caption", "details", "div")
WORDS = ("word", "<br>", '<img src="i.png" alt="A">', "<a href='a[1] b#c#d'>link</a>")


def errors_of(xml: str) -> list[str]:
    """Validate TEI against the part of its schema that is written."""
    lxml = pytest.importorskip("lxml.etree", reason="lxml validates")
    schema = lxml.RelaxNG(lxml.parse(SCHEMA))
    schema.validate(lxml.fromstring(xml.encode()))
    return [f"{one.line}: {one.message}" for one in schema.error_log]


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<h2>Only a heading</h2>",
        '<figure><a href="/large"><img src="a.png"></a><figcaption>C</figcaption></figure><p>x</p>',
        '<figure><a href="/x">words</a> more<h3>H</h3></figure><p>x</p>',
        "<p><code>a<br>b <b>c</b></code></p>",
        "<details><summary>S</summary><h4>In</h4><p>a</p></details><p>after</p>",
        "<ul><li><h3>H</h3>x</li><p>y</p></ul><dl><dd>a</dd><dt>b</dt></dl>",
        "<table><caption>C</caption><tr><td>a<ul><li>b</li></ul></td></tr></table>",
        '<p><a href="http://a.example/?x[]=1&y={2}|100%#a#b">l</a></p>',
        "<blockquote><h2>H</h2><pre><code>x</code></pre></blockquote>",
    ],
)
def test_tei_is_valid(html: str) -> None:
    """By the content models of TEI P5, for all that is written."""
    facts = {**FACTS, "language": "en_GB"}

    assert errors_of(tei(html, facts, "http://a.example/ü?a[]={b}")) == []


def nested(parts: list[tuple[str, str]]) -> str:
    """Put elements into each other, with words before and after."""
    html = ""
    for name, words in parts:
        html = f"{words}<{name}>{words}{html}</{name}>"
    return html


@given(st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from(WORDS)), max_size=6))
def test_whatever_is_nested_tei_is_valid(parts: list[tuple[str, str]]) -> None:
    """A fragment never leads to something that TEI does not allow."""
    xml = tei(nested(parts), FACTS, URL)

    assert errors_of(xml) == []
