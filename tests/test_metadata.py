"""Title, date and author of a page."""

from datetime import date

import pytest
from builders import page_of

from webstencil.items.metadata import Metadata, metadata
from webstencil.site.outline import OutlinedPage, outline
from webstencil.site.site_model import SiteModel

LD = '<script type="application/ld+json">%s</script>'


def told(html: str) -> dict[str, tuple[str, str]]:
    """Return what a page tells, and how."""
    return {item.kind: (item.text, item.how) for item in metadata(page_of(html))}


def test_json_ld_is_read() -> None:
    """Also in a graph, and if its author is a thing with a name."""
    graph = (
        '{"@graph": [{"@type": "WebSite", "name": "Site"}, {"@type": ["NewsArticle"], "headline":'
        ' "Rain", "datePublished": "2020-02-03T10:00Z", "author": [{"name": "Ann"}, "Bob"]}]}'
    )
    html = f"<head><title>Rain | Site</title>{LD % graph}<body><h1>Rain</h1><p>Text"

    assert told(html) == {
        "title": ("Rain", "heading, JSON-LD headline, part of title"),
        "author": ("Ann, Bob", "JSON-LD author"),
        "date": ("2020-02-03", "JSON-LD datePublished, script"),
        "site_name": ("Site", "told to programs"),
    }


def test_authors_in_a_graph_are_found_by_their_ids() -> None:
    """As WordPress plugins write them."""
    graph = (
        '{"@graph": [{"@type": "Article", "headline": "Rain", "author": {"@id": "#ann"}},'
        ' {"@type": "Person", "@id": "#ann", "name": "Ann Lee"}]}'
    )

    assert told(f"<head>{LD % graph}<body><h1>Rain</h1>")["author"] == (
        "Ann Lee",
        "JSON-LD author, JSON-LD Person",
    )


def test_half_characters_are_replaced() -> None:
    """A text that was cut within an emoji is text nevertheless, which can be kept and written."""
    article = (
        r'{"@type": "Article", "headline": "Cut \ud83d here", "datePublished": "2020-02-03",'
        r' "author": "\ude00 Ann \ud83d\ude00 Lee"}'
    )

    assert told(f"<head>{LD % article}<body><p>Text") == {
        "title": ("Cut \N{REPLACEMENT CHARACTER} here", "JSON-LD headline"),
        "date": ("2020-02-03", "JSON-LD datePublished, script"),
        "author": (
            "\N{REPLACEMENT CHARACTER} Ann \N{GRINNING FACE} Lee",
            "JSON-LD author",
        ),
    }


def test_meta_elements_are_read() -> None:
    """An author that is a URL is none; the site's name is cut off."""
    html = (
        "<head><meta property=og:title content='Rain | Site'>"
        "<meta property=article:published_time content=2020-02-03T10:00Z>"
        "<meta property=article:author content=http://site.example/ann>"
        "<body><p class=byline>By Ann Lee</p><p>Text"
    )

    assert told(html) == {
        "title": ("Rain", "part of meta og:title"),
        "author": ("Ann Lee", "class, near heading"),
        "date": ("2020-02-03", "meta article:published_time"),
    }


def test_the_name_of_the_site_is_no_part_of_the_title() -> None:
    """It is a fact of its own."""
    html = (
        "<head><title>Rain in Rome | The Site</title>"
        "<body><h1><a href=/>The Site</a></h1><h2>Rain in Rome</h2><p>Text"
    )

    assert told(html) == {
        "title": ("Rain in Rome", "part of title"),
        "site_name": ("The Site", "told to programs"),
    }


def test_the_date_of_what_a_customer_wrote_is_not_the_page_s() -> None:
    """A product has none because it has one review."""
    html = "<h1>Stove</h1><div class=reviews><h3>Hot</h3><time>5 May 2019</time></div>"

    assert told(html) == {"title": ("Stove", "heading")}


def test_the_sign_of_a_link_to_itself_is_no_part_of_a_title() -> None:
    """As manuals have it behind their headings; a sign that is part of a word is."""
    manual = "<title>NLTK :: Trees</title><h1>Trees<a href='#trees'>¶</a></h1><p>Text"

    assert told(manual)["title"] == ("Trees", "heading, part of title")
    assert told("<h1>Learn C#</h1><p>Text") == {"title": ("Learn C#", "heading")}


def test_a_name_and_a_date_may_stand_side_by_side() -> None:
    """Without a word between them."""
    line = "<p class=publish-date-author><b>5 May 2019</b> · Ann Lee</p>"

    assert told(f"<h1>Rain</h1>{line}<p>Text") == {
        "title": ("Rain", "heading"),
        "author": ("Ann Lee", "class"),
        "date": ("2019-05-05", "class, near heading"),
    }


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("By Ann Lee", "Ann Lee"),
        ("Von Jörg Müller", "Jörg Müller"),
        ("Par Anne Dupont, le 3 mai 2020", "Anne Dupont"),
        ("Por Ana García", "Ana García"),
        ("Text: Jan Kowalski", "Jan Kowalski"),
        ("Sept. 15, 2014 · Niko Matsakis", "Niko Matsakis"),
        ("Ann Lee | May 3, 2021", "Ann Lee"),
    ],
)
def test_bylines_are_read_in_many_languages(line: str, name: str) -> None:
    """Below the heading, whatever the element."""
    html = f"<h1>Rain</h1><div>{line}</div><p>3 May 2020</p><p>{'It rains in Rome. ' * 20}"

    assert told(html)["author"][0] == name


def test_no_date_is_in_the_future_or_older_than_the_web() -> None:
    """A day that is meant otherwise: of an event, of a founding."""
    page = page_of("<h1>Rain</h1><time>5 May 2031</time><p>Text")
    old = page_of("<h1>Rain</h1><time>5 May 1931</time><p>Text")

    assert "date" not in {item.kind for item in Metadata(latest=date(2026, 1, 1)).items(page)}
    assert "date" in {item.kind for item in Metadata(latest=date(2032, 1, 1)).items(page)}
    assert "date" not in {item.kind for item in metadata(old)}


def test_facts_for_programs() -> None:
    """Addresses are absolute, languages are tags."""
    html = (
        "<html lang=en_GB><head><title>Rain</title><meta name=description content='It  rains.'>"
        "<meta property=og:site_name content='The Site'><meta property=og:image content=/rain.png>"
        "<link rel=canonical href=/rain><meta property=article:modified_time content=2020-03-04>"
        "<body><h1>Rain</h1><a rel=license href=https://licence.example/by>CC BY</a>"
    )
    facts = {item.kind: item.text for item in metadata(page_of(html))}

    assert facts == {
        "title": "Rain",
        "modified": "2020-03-04",
        "language": "en-GB",
        "site_name": "The Site",
        "description": "It rains.",
        "image": "http://site.example/rain.png",
        "canonical": "http://site.example/rain",
        "licence": "https://licence.example/by",
    }


def test_siblings_tell_a_byline_from_what_is_the_same_everywhere() -> None:
    """What changes at its place is the author; the slogan of the site is not."""
    line = "<div class=who>{}</div><div class=when>3 May 2020</div><p>It rains in {}."
    names = ("Ann Lee", "Bob Ray", "Eve Fox", "Max Poe", "Kim Day")
    changing = [f"<h1>Rain {n}</h1>{line.format(names[n], n)}" for n in range(5)]
    same = [f"<h1>Rain {n}</h1>{line.format('Daily Sun', n)}" for n in range(5)]

    assert [authors_of(pages) for pages in (changing, same)] == [list(names), []]


def authors_of(pages: list[str]) -> list[str]:
    """Return the authors of the pages of a site."""
    read = [page_of(html, f"http://site.example/{n}.html") for n, html in enumerate(pages)]
    model = SiteModel([OutlinedPage(page.url, outline(page)) for page in read])
    items = [item for page in read for item in Metadata(lambda _: model).items(page)]
    return [item.text for item in items if item.kind == "author"]


@pytest.mark.parametrize(
    ("address", "day"),
    [
        ("http://site.example/news/2019/05/06/rain-in-rome.html", "2019-05-06"),
        ("http://site.example/2019/5/6/rain/index.html", "2019-05-06"),
        ("http://site.example/2019/may/06/rain-in-rome", "2019-05-06"),
        ("http://site.example/2019/05/06/index.html", None),
        ("http://site.example/2019/05/06/page/2/", None),
        ("http://site.example/2019/05/66/rain.html", None),
        ("http://site.example/v/2019/05/rain.html", None),
    ],
)
def test_a_date_can_stand_in_the_address(address: str, day: str | None) -> None:
    """Of a page, not of a list of what a day brought."""
    items = metadata(page_of("<body><p>Text", url=address))

    assert [(item.text, item.how) for item in items] == ([(day, "address")] if day else [])


def test_an_item_says_where_it_stands_and_how_it_was_written() -> None:
    """A date is given in its one form."""
    (item,) = metadata(page_of("<body><p>Text <time>March 5, 2019</time></p>"))

    assert (item.kind, item.text, item.xpath) == ("date", "2019-03-05", "/html/body/p/time")
    assert item.fields == (("written", "March 5, 2019"),)


def test_what_is_about_comments_is_not_about_the_page() -> None:
    """Unless it is a thread, where the first one opens it."""
    html = (
        "<body class=has-sidebar><article><p>Text</article>"
        "<div class=comments><time>2019-01-01</time><a rel=author>Eve</a></div>"
    )

    assert told(html) == {}


@pytest.mark.parametrize("script", ["{", "[" * 200_000, '"text"', '{"@type": 3}', "null"])
def test_broken_json_ld_is_passed_over(script: str) -> None:
    """Written by hand, or by someone who means ill."""
    html = f"<head>{LD % script}<title>Rain</title><body>Text"

    assert told(html) == {"title": ("Rain", "title")}


def test_a_byline_tells_who_wrote_and_when() -> None:
    """In running words, also on a page without a heading."""
    said = "Posted by <a href=#>Ann Lee</a> on May 3, 2021"
    line = f"<div class=post-meta><span class=meta>{said}</span></div>"

    assert told(f"<body>{line}<p>Text") == {
        "author": ("Ann Lee", "near heading"),
        "date": ("2021-05-03", "class, near heading, text"),
    }


def test_list_pages_have_no_author() -> None:
    """Nor have they a date: those of their entries are not theirs."""
    entry = (
        "<h2><a href=/{0}>Rain {0}</a></h2><div class=author>By Ann {1}</div>"
        "<time>2020-0{0}-03</time>"
    )
    names = ("Lee", "Ray", "Fox", "Poe", "Day")
    entries = "".join(entry.format(n + 1, name) for n, name in enumerate(names))
    facts = told(f"<title>News</title><h1>News</h1>{entries}")

    assert "author" not in facts


def test_a_deep_nest_ends() -> None:
    """However deep; the parser gives no text beyond some depth."""
    assert told("<title>Rain</title>" + "<div>" * 20_000 + "<h1>Snow</h1>") == {
        "title": ("Rain", "title")
    }
