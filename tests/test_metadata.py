"""Title, date and author of a page."""

import pytest
from builders import page_of

from webstencil.extract.metadata import metadata

LD = '<script type="application/ld+json">%s</script>'


def told(html: str) -> dict[str, tuple[str, str]]:
    """Return what a page tells, and how."""
    return {item.kind: (item.text, item.how) for item in metadata(page_of(html))}


def test_json_ld_is_asked_first() -> None:
    """Also in a graph, and if its author is a thing with a name."""
    graph = (
        '{"@graph": [{"@type": "WebSite", "name": "Site"}, {"@type": ["NewsArticle"], "headline":'
        ' "Rain", "datePublished": "2020-02-03T10:00Z", "author": [{"name": "Ann"}, "Bob"]}]}'
    )
    html = f"<head><meta name=author content=Eve><title>x</title>{LD % graph}<body><p>Text"

    assert told(html) == {
        "title": ("Rain", "JSON-LD headline"),
        "date": ("2020-02-03", "JSON-LD datePublished"),
        "author": ("Ann, Bob", "JSON-LD author"),
    }


def test_half_characters_are_replaced() -> None:
    """A text that was cut within an emoji is text nevertheless, which can be kept and written."""
    article = (
        r'{"@type": "Article", "headline": "Cut \ud83d here", "datePublished": "2020-02-03",'
        r' "author": "\ude00 Ann \ud83d\ude00 Lee"}'
    )

    assert told(f"<head>{LD % article}<body><p>Text") == {
        "title": ("Cut \N{REPLACEMENT CHARACTER} here", "JSON-LD headline"),
        "date": ("2020-02-03", "JSON-LD datePublished"),
        "author": (
            "\N{REPLACEMENT CHARACTER} Ann \N{GRINNING FACE} Lee",
            "JSON-LD author",
        ),
    }


def test_meta_elements_are_asked_next() -> None:
    """An author that is a URL is none."""
    html = (
        "<head><meta property=og:title content='Rain | Site'>"
        "<meta property=article:published_time content=2020-02-03T10:00Z>"
        "<meta property=article:author content=http://site.example/ann>"
        "<body><p class=byline>By Ann Lee</p><p>Text"
    )

    assert told(html) == {
        "title": ("Rain | Site", "meta og:title"),
        "date": ("2020-02-03", "meta article:published_time"),
        "author": ("Ann Lee", "class"),
    }


def test_the_name_of_the_site_is_taken_from_the_title_where_a_heading_has_it_without() -> None:
    """A heading that is a link to the start page does not count."""
    html = (
        "<head><title>Rain in Rome | The Site</title>"
        "<body><h1><a href=/>The Site</a></h1><h2>Rain in Rome</h2><p>Text"
    )

    assert told(html) == {"title": ("Rain in Rome", "heading, title")}


def test_of_several_headings_the_one_is_taken_that_has_the_words_of_the_title() -> None:
    """Signs may differ; a heading with few words of the title is the site's name."""
    html = (
        "<head><title>The Site: Rain in Rome and Pisa 2019</title><body><h1>The Site</h1>"
        "<h1>Rain in Rome and Pisa (2019)</h1><h1>Most recent comments</h1><p>Text"
    )

    assert told(html) == {"title": ("Rain in Rome and Pisa (2019)", "heading, title")}


def test_the_date_of_what_a_customer_wrote_is_not_the_page_s() -> None:
    """A product has none because it has one review."""
    html = "<h1>Stove</h1><div class=reviews><h3>Hot</h3><time>5 May 2019</time></div>"

    assert told(html) == {"title": ("Stove", "h1")}


def test_the_sign_of_a_link_to_itself_is_no_part_of_a_title() -> None:
    """As manuals have it behind their headings; a sign that is part of a word is."""
    manual = "<title>NLTK :: Trees</title><h1>Trees<a href='#trees'>¶</a></h1><p>Text"

    assert told(manual) == {"title": ("Trees", "heading, title")}
    assert told("<h1>Learn C#</h1><p>Text") == {"title": ("Learn C#", "h1")}


def test_dates_are_known_by_classes_of_any_make() -> None:
    """The author may stand beside it; the date of an update, and dates of a list, are others."""
    alone = "<body><p class=publish-date-author><b class=postDate>5 May 2019</b> · Ann</p><p>Text"
    update = "<body><p class=last-update>5 May 2019</p><p>Text"
    several = alone + "<p class=publish-date>6 May 2019</p>"

    assert told(alone) == {"date": ("2019-05-05", "class")}
    assert (told(update), told(several)) == ({}, {})


@pytest.mark.parametrize(
    ("address", "date"),
    [
        ("http://site.example/news/2019/05/06/rain-in-rome.html", "2019-05-06"),
        ("http://site.example/2019/5/6/rain/index.html", "2019-05-06"),
        ("http://site.example/2019/05/06/index.html", None),
        ("http://site.example/2019/05/06/page/2/", None),
        ("http://site.example/2019/05/66/rain.html", None),
        ("http://site.example/v/2019/05/rain.html", None),
    ],
)
def test_a_date_can_stand_in_the_address(address: str, date: str | None) -> None:
    """Of a page, not of a list of what a day brought."""
    items = metadata(page_of("<body><p>Text", url=address))

    assert [(item.text, item.how) for item in items] == ([(date, "address")] if date else [])


def test_an_item_says_where_it_stands_and_how_it_was_written() -> None:
    """A date is given in its one form."""
    (item,) = metadata(page_of("<body><p>Text <time>March 5, 2019</time></p>"))

    assert (item.kind, item.text, item.xpath) == ("date", "2019-03-05", "/html/body/p/time")
    assert item.fields == (("written", "March 5, 2019"),)


def test_what_is_about_other_pages_or_comments_is_not_about_the_page() -> None:
    """Nor are the dates of a list."""
    html = (
        "<body class=has-sidebar><article><p>Text</article>"
        "<div class=comments><time>2019-01-01</time><a rel=author>Eve</a></div>"
        "<aside><time>2019-01-02</time></aside>"
    )
    listed = "<body><time>2019-01-01</time><p>One</p><time>2019-01-02</time><p>Two</p>"

    assert (told(html), told(listed)) == ({}, {})


@pytest.mark.parametrize("script", ["{", "[" * 200_000, '"text"', '{"@type": 3}', "null"])
def test_broken_json_ld_is_passed_over(script: str) -> None:
    """Written by hand, or by someone who means ill."""
    html = f"<head>{LD % script}<title>Rain</title><body>Text"

    assert told(html) == {"title": ("Rain", "title")}


def test_a_heading_that_is_the_title_is_asked_before_the_site_s_name() -> None:
    """Old sites have their own name in the first heading of every page."""
    html = "<head><title>Downloads</title><body><h1>The parser of all</h1><h2>Downloads</h2><p>Text"

    assert told(html) == {"title": ("Downloads", "heading, title")}


def test_a_byline_tells_who_wrote_and_when() -> None:
    """In running words, whatever its class; a list of articles has several, which say nothing."""
    said = "Posted by <a href=#>Ann Lee</a> on May 3, 2021"
    line = f"<div class=post-meta><span class=meta>{said}</span></div>"
    other = line.replace("May 3", "May 4")

    assert told(f"<body>{line}<p>Text") == {
        "date": ("2021-05-03", "byline"),
        "author": ("Ann Lee", "byline"),
    }
    assert told(f"<body>{line}<p>Text</p>{other}<p>Text") == {}
