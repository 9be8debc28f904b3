"""Main content of manuals, references and blogs: pages that are not all prose."""

import pytest

import webstencil
from webstencil import Site
from webstencil.content.choose import with_cells, with_headings
from webstencil.content.markdown import markdown
from webstencil.content.runs import data_table_blocks, flatten
from webstencil.markup import Markup

FRAME = "<div class='top'><a href='/'>Home of the manual</a> <a href='/a'>All chapters</a></div>"
PROSE = "The water is read at three bridges, every hour, and the readings are kept for a year"


def manual(inside: str, title: str = "Reading the levels") -> str:
    """Write a page of a manual, with nothing that is named."""
    return (
        f"<html><head><title>{title}</title></head><body>{FRAME}"
        f"<div><h1>{title}</h1><p>{PROSE}.</p>{inside}<p>{PROSE} after that.</p></div>"
        "</body></html>"
    )


def text_of(inside: str) -> list[str]:
    return str(webstencil.extract(manual(inside))).split("\n")


def test_a_mark_to_jump_to_is_no_link() -> None:
    """`<a id="x"/>` stays open in HTML; what follows it is content all the same."""
    sections = "".join(
        f"<div><p><a id='s{n}'/><b>Bridge {n}</b></p><p>{PROSE}, at bridge {n}.</p></div>"
        for n in range(5)
    )

    assert [f"{PROSE}, at bridge {n}." in text_of(sections) for n in range(5)] == [True] * 5
    assert "<br>" not in webstencil.extract(manual(sections), format="html")


@pytest.mark.parametrize(
    ("before", "inset", "wanted"),
    [
        (
            "The levels are:",
            "<ul><li>low</li><li>high</li><li>flood</li></ul>",
            ["low", "high", "flood"],
        ),
        (
            "The commands are these.",
            "<table><tr><td>rl</td><td>read</td></tr><tr><td>wl</td><td>write</td></tr>"
            "<tr><td>dl</td><td>drop</td></tr></table>",
            ["rl", "read", "wl", "write", "dl", "drop"],
        ),
    ],
)
def test_what_a_text_announces_is_content(before: str, inset: str, wanted: list[str]) -> None:
    """Short items between two texts of the content are not lost."""
    texts = text_of(f"<p>{PROSE}. {before}</p>{inset}")

    assert [text for text in texts if text in wanted] == wanted


def test_links_to_other_pages_are_content_if_announced() -> None:
    """A list of links after a colon belongs to the text."""
    links = "<ul><li><a href='/b'>Bridges</a></li><li><a href='/r'>Rivers</a></li></ul>"

    assert "Bridges" in text_of(f"<p>{PROSE}:</p>{links}")


def test_headings_come_with_what_they_head() -> None:
    """Those between two texts of the content are content; not a date that is marked up as one."""
    tags = ["h1", "h4", "p", "h2", "h3", "p", "h2", "p"]
    runs = flatten(Markup("".join(f"<{tag}>{n}</{tag}>" for n, tag in enumerate(tags)).encode()))

    opposed = [place == 6 for place in range(8)]

    assert with_headings(runs, [0, 2, 5, 7], opposed, opposed) == [0, 2, 3, 4, 5, 7]


def test_a_heading_that_siblings_have_comes_with_its_section() -> None:
    """In a container of its own, too; not a heading of something else, nor one named so."""
    inside = (
        "<h1>0</h1><h3>1</h3><p>2</p><h2>3</h2><p>4</p><div><div><h2>5</h2></div><p>6</p></div>"
        "<div><h2>7</h2></div><p>8</p><div><h3>9</h3><p>10</p></div><p>11</p><h2>12</h2><p>13</p>"
    )
    runs = flatten(Markup(f"<div>{inside}</div>".encode()))
    repeated = [place in (1, 3, 5, 7, 9, 12, 13) for place in range(14)]
    named = [place == 3 for place in range(14)]

    found = with_headings(runs, [0, 2, 4, 6, 8, 11, 13], repeated, named)

    assert found == [0, 2, 4, 5, 6, 7, 8, 11, 13]


def test_pages_of_a_reference_keep_the_headings_they_share() -> None:
    """All of them have the same sections."""
    site = Site()
    for letter in "abcdef":
        inside = f"<h2>Parameters</h2><p>{PROSE} in {letter}.</p><h2>Notes</h2><p>See {letter}.</p>"
        content = site.process(manual(inside, f"Command {letter}"), url=f"http://m.org/{letter}")

    assert f"## Parameters\n\n{PROSE} in f.\n\n## Notes\n\nSee f." in content.markdown


def test_a_quote_that_is_content_keeps_who_said_it() -> None:
    """Also if it is embedded from elsewhere, and the same person says several things."""
    quotes = "".join(
        f"<blockquote class='twitter-tweet'><p>{PROSE}, as was said on day {n} of the flood.</p>"
        "<p>The office of rivers (@rivers) on a day of August</p></blockquote>"
        for n in range(3)
    )

    assert text_of(quotes).count("The office of rivers (@rivers) on a day of August") == 3


def test_a_table_keeps_its_columns() -> None:
    """What many pages have in the head of a table stays there, if the rest is content."""
    site = Site()
    for letter in "abcdef":
        rows = "".join(f"<tr>{f'<td>{kind} {letter}</td>' * 3}</tr>" for kind in ("low", "high"))
        table = f"<table><tr><th>Place</th><th>Words</th><th>Size</th></tr>{rows}</table>"
        inside = f"<p>{PROSE} in {letter}:</p>{table}<p>{PROSE} of {letter}.</p>"
        content = site.process(manual(inside), url=f"http://m.org/{letter}")

    assert (
        "| Place | Words | Size |\n| --- | --- | --- |\n| low f | low f | low f |"
        in content.markdown
    )


def test_previews_of_posts_are_not_what_came_before() -> None:
    """A blog names its posts `preview` on the page that lists them."""
    posts = "".join(
        f"<div class='post-preview'><a href='/{n}'><h2>Post {n} about the river</h2>"
        f"<h3>It is said to have risen again in year {n}</h3></a><p>Posted in May</p></div>"
        for n in range(3)
    )

    found = str(webstencil.extract(f"<body><div>{posts}</div></body>", format="md"))

    assert found.startswith(
        "## [Post 0 about the river](/0)\n\n### [It is said to have risen again"
    )


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<em>für</em> alle", "*für* alle"),
        ("<b>「警告」</b> 注意 <i>b</i>", "**「警告」** 注意 *b*"),
        ("注<b>「警告」</b>意", "注<strong>「警告」</strong>意"),
        ("ü <b>a</b><b>b</b>", "ü **ab**"),
        ("ü <em>a <strong>b</strong></em> c", "ü *a **b*** c"),
        ("ü <b> a </b>x", "ü **a** x"),
        ("ü<br><b>a</b><!-- c -->.", "ü  \n**a**."),
    ],
)
def test_emphasis_is_stars_in_any_language(html: str, wanted: str) -> None:
    """Tags are written only where stars would not be read as emphasis."""
    assert markdown(f"<p>{html}</p>") == wanted


def test_a_bar_in_a_cell_is_escaped_once() -> None:
    """Emphasis in a table is written as text beside it is."""
    row = "<tr><td><i>ü|b</i></td><td>c|d</td></tr>"

    found = markdown(f"<table><tr><th>A</th><th>B</th></tr>{row}</table>")

    assert found.endswith("| *ü\\|b* | c\\|d |")


def test_a_reference_is_what_only_its_page_has() -> None:
    """Signatures are not prose; siblings show what the site repeats, so the rest is content."""
    site = Site()
    for letter in "abcdefghijkl":
        calls = "".join(
            f"<li><a href='#{n}'>get{letter}{n}(x : Int32 | Nil, y : Symbol) : String | Nil</a>"
            f"<p>Similar to String#{letter * n}</p></li>"
            for n in range(40)
        )
        note = f"<div><p>{PROSE}, as {letter} does.</p></div>" if letter == "l" else ""
        html = f"<body>{FRAME}<div><h1>Class {letter}</h1><ul>{calls}</ul>{note}</div></body>"
        content = site.process(html, url=f"http://m.org/{letter}")

    assert content.text.count("getl") == 40
    assert "Home of the manual" not in content.text


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<h3>make\u00a0()</h3>", "### make\u00a0()"),
        (
            "<h3>a\u00a0b</h3><p>Write &amp;#160; for it</p>",
            "### a\u00a0b\n\nWrite \\&#160; for it",
        ),
    ],
)
def test_spaces_that_do_not_break_are_not_spelled_out(html: str, wanted: str) -> None:
    """Unless a page is about them: what it says is not changed."""
    assert markdown(html) == wanted


def test_rows_are_whole_where_a_page_says_things_twice() -> None:
    """A cell that stood on the page before comes with its table, which would lose a column."""
    rows = "".join(f"<tr><td>key{n}</td><td>what it is</td></tr>" for n in range(3))
    runs = flatten(Markup(f"<p>{PROSE}</p><table>{rows}</table>".encode()))

    assert with_cells(runs, [0, 1, 2, 3, 5, 6], data_table_blocks(runs)) == [0, 1, 2, 3, 4, 5, 6]


def test_a_page_can_be_about_a_table() -> None:
    """One with headings and few links that says more than the text above it."""
    rows = "".join(f"<tr><td>bridge {n}</td><td>{n} m</td></tr>" for n in range(40))
    table = f"<table><tr><th>Place</th><th>Level</th></tr>{rows}</table>"
    html = f"<body>{FRAME}<div><p>{PROSE}.</p></div><div><div>{table}</div></div></body>"

    assert "| bridge 39 | 39 m |" in str(webstencil.extract(html, format="md"))


def test_empty_cells_keep_their_columns() -> None:
    """Before, between and after the others."""
    rows = "<tr><td>low</td><td></td><td>1 m</td></tr><tr><td> </td><td>x</td><td></td></tr>"
    table = f"<table><tr><th>Place</th><th>Old</th><th>Level</th></tr>{rows}</table>"

    found = str(webstencil.extract(manual(f"<p>{PROSE}:</p>{table}"), format="md"))

    assert "| Place | Old | Level |\n| --- | --- | --- |\n| low |  | 1 m |\n|  | x |  |" in found


def test_tables_that_lay_a_page_out_are_not_written() -> None:
    """One in another, around headings, or of one column: what is in them is written as text."""
    story = f"<h2>Levels</h2><p>{PROSE}.</p><ul><li>{PROSE} at noon.</li></ul>"
    inner = f"<table><tr><td>{PROSE} in a frame.</td></tr></table>"
    html = f"<body><table><tr><td>{FRAME}</td><td>{story}{inner}</td></tr></table></body>"

    assert str(webstencil.extract(html, format="md")).endswith(
        f"## Levels\n\n{PROSE}.\n\n- {PROSE} at noon.\n\n{PROSE} in a frame."
    )


def test_the_box_of_a_note_is_no_table() -> None:
    """DocBook writes it as one, with a sign beside title and text."""
    sign = "<td rowspan=2><img src=n.png alt='[Note]'></td>"
    box = f"<table><tr>{sign}<th>Note</th></tr><tr><td><p>{PROSE} by me.</p></td></tr></table>"

    found = str(webstencil.extract(manual(box), format="md"))

    assert f"{PROSE} by me." in found.splitlines()
