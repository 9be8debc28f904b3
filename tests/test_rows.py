"""Rows of list pages."""

from builders import page_of

from webstencil.geometry import Rect
from webstencil.items.rows import rows
from webstencil.markup.parse import parse
from webstencil.model import PageArea, RawPage

MENU = (
    "<nav>" + "".join(f"<a href=/{n}>A longer label of a menu {n}</a>" for n in range(9)) + "</nav>"
)
TEASER = (
    "<div class='post post-{n}'><h2><a href='/story/{n}'>The story number {n}</a></h2>"
    "<p>March {n}, 2020 by Ann</p><p>What happened in story {n}, and why it matters to us all.</p>"
    "<p><a href='/story/{n}'>Read more</a> <a href=/tag/{n}>tag {n}</a></p></div>"
)
LIST = "".join(TEASER.format(n=n) for n in range(1, 5))


def fields(html: str, areas: tuple[PageArea, ...] = ()) -> list[dict[str, str]]:
    return [dict(item.fields) for item in rows(page_of(html), areas)]


def area(kind: str, xpath: str) -> PageArea:
    return PageArea(7, None, kind, "", "", xpath, Rect(0, 0, 9, 9), 1, 1.0)


def test_a_row_has_title_link_date_and_teaser() -> None:
    """The menu has none, and "Read more" is no part of a row."""
    found = rows(page_of(f"<body>{MENU}<main>{LIST}</main>"))

    assert [dict(item.fields) for item in found][1:2] == [
        {
            "title": "The story number 2",
            "link": "http://site.example/story/2",
            "date": "2020-03-02",
            "teaser": "What happened in story 2, and why it matters to us all. Read more tag 2",
        }
    ]
    assert [item.xpath for item in found] == [f"/html/body/main/div[{n}]" for n in range(1, 5)]


def test_links_of_a_page_without_an_address_stay_as_they_are_written() -> None:
    """The URL of a single file is a path of this machine, which is no business of readers."""
    html = f"<body>{MENU}<main>{LIST}</main>".encode()

    for url in ("", "http://localhost/home/me/page.html"):
        found = rows(parse(RawPage(url, html)))

        assert [dict(item.fields)["link"] for item in found][:2] == ["/story/1", "/story/2"]


def test_a_heading_has_what_follows_it() -> None:
    """Until the next one; the last one has as much as the others."""
    parts = "".join(
        f"<h3><a href=/{n}>Question number {n}</a></h3><p>The answer is {n}.</p>" for n in "abc"
    )

    found = fields(f"<body><div>{parts}<p>All rights reserved.</p></div>")

    assert [row["teaser"] for row in found] == [f"The answer is {n}." for n in "abc"]


def test_a_date_before_a_title_is_its_date() -> None:
    """Archives have it as the term that the title explains."""
    pairs = "".join(
        f"<dt>March {n}, 2020</dt> <dd><a href=/{n}>The story number {n}</a></dd>"
        for n in range(1, 5)
    )

    assert fields(f"<body>{MENU}<main><dl>{pairs}</dl></main>")[2] == {
        "title": "The story number 3",
        "link": "http://site.example/3",
        "date": "2020-03-03",
    }


def test_rows_of_several_lists_that_are_alike_belong_together() -> None:
    """An archive has a list for each year; the only one of a year has no year in it."""
    years = "".join(
        f"<section><h2>{year}</h2><ul>"
        + "".join(
            f"<li><a href=/{year}/{n}>A story of the year {year}-{n}</a>" for n in range(size)
        )
        + "</ul></section>"
        for year, size in ((2018, 3), (2019, 1), (2020, 2))
    )

    found = rows(page_of(f"<body>{years}"))

    assert [item.text for item in found][3:4] == ["A story of the year 2019-0"]
    assert len(found) == 6


def test_an_article_has_no_rows() -> None:
    """Links in its text, comments and a short list of other articles do not make a list page."""
    text = "".join(
        f"<p>Words and words, {n} of them, <a href=/{n}>linked here</a>, go on." for n in range(9)
    )
    others = "".join(f"<li><a href=/o/{n}>Another story with number {n}</a>" for n in range(4))
    comments = f"<div id=comments>{LIST}{LIST}</div>"

    assert fields(f"<body><article>{text * 3}</article><ul>{others}</ul>{comments}") == []


def test_areas_tell_lists_from_menus() -> None:
    """What the rendering calls a menu has no rows; in a list they are surer."""
    html = f"<body><div>{LIST}</div>"

    listed = rows(page_of(html), (area("list", "/html/body/div"),))

    assert [(item.area, item.confidence) for item in listed[:1]] == [(7, 0.9)]
    assert fields(html, (area("menu", "/html/body/div"),)) == []


def test_any_page_is_looked_at() -> None:
    """Empty, or nested deep, or deeper than the parser keeps track of."""
    titles = "".join(f"<p><a href=/{n}>A title of story {n}</a>" for n in range(4))

    found = [len(fields(html)) for html in ("<html>", "<div>" * 400 + titles, "<div>" * 20_000)]

    assert found == [0, 4, 0]
