"""Templates of a site: pages alike together, kinds told apart, names and numbers that stay."""

import random
import re
from collections import Counter

import pytest
from builders import page_of
from made_site import category, kind_of, outlined, outlined_pages, post, product

from webstencil.codec import decode_value, encode_value
from webstencil.site.outline import EMPTY_OUTLINE, Oddity, Outline, OutlinedPage, outline
from webstencil.site.site_model import SiteModel
from webstencil.site.template_evidence import facts_of_outline, short_label
from webstencil.site.templates import (
    EMPTY_SITE,
    FEWEST_OF_TEMPLATE,
    NO_TEMPLATE,
    SiteTemplates,
    divide,
    find_templates,
    pattern,
    template_name,
)

HASH = re.compile(r"[0-9a-f]{8,}")
STRANGE = (
    "<body><center><table class=layout><tr><td class=left><dl class=links><dt>a<dd>b</dl><td "
    "class=right><form class=login><fieldset>c<address>d</address></fieldset></form></table>"
)


def numbers(site: SiteTemplates, pages: list[OutlinedPage]) -> dict[str, int]:
    """Return the templates of pages."""
    return {page.url: site.number_of(page.url, page.outline) for page in pages}


def kinds(site: SiteTemplates, pages: list[OutlinedPage]) -> set[tuple[str, int]]:
    """Return which kinds of pages have which templates."""
    return {(kind_of(url), number) for url, number in numbers(site, pages).items()}


def heard(html: str) -> OutlinedPage:
    url = "http://made.example/"
    return OutlinedPage(url, outline(page_of(html, url)))


def test_pages_alike_are_one_template() -> None:
    """Whatever their authors wrote, and however many there are."""
    posts = [page for page in outlined_pages(120) if kind_of(page.url) == "posts"]
    found = find_templates(SiteModel(posts))

    (template,) = found.templates
    assert (template.number, template.pages, template.tells) == (1, 40, "all pages")
    assert set(numbers(found, posts).values()) == {1}
    assert template.typical in {page.url for page in posts}


def test_kinds_of_pages_are_told_apart() -> None:
    """The largest template comes first; each says what tells it from the others."""
    pages = outlined_pages(60) + [
        outlined(f"http://made.example/posts/{number}.html", post(number)) for number in (90, 91)
    ]
    found = find_templates(SiteModel(pages))

    assert [template.pages for template in found.templates] == [22, 20, 20]
    assert len(kinds(found, pages)) == len({kind for kind, _ in kinds(found, pages)}) == 3
    assert {kind_of(one.typical) for one in found.templates} == {"posts", "categories", "shop"}
    assert len({one.tells for one in found.templates}) == 3
    assert not [one.tells for one in found.templates if "?" in one.tells or HASH.search(one.tells)]


def test_names_say_what_pages_are_and_where() -> None:
    """No two templates have the same, and none is a hash."""
    found = find_templates(SiteModel(outlined_pages(60)))

    assert {one.name for one in found.templates} == {
        "article: /posts/….html",
        "category: /categories/….html",
        "product: /shop/….html",
    }


def test_templates_of_one_name_are_numbered() -> None:
    """As where all pages have one type, which tells nothing, and one folder."""
    bodies = {
        f"http://made.example/{name}.html": make(number)
        .replace(b"Category:", b"")
        .replace(kind, b"x")
        for number in range(12)
        for name, make, kind in (
            (f"{3 * number}", post, b"article"),
            (f"{3 * number + 1}", category, b"website"),
            (f"{3 * number + 2}", product, b"product"),
        )
    }
    found = find_templates(SiteModel(outlined(url, body) for url, body in bodies.items()))

    assert sorted(one.name for one in found.templates) == [
        "page: /….html",
        "page: /….html (2)",
        "page: /….html (3)",
    ]


@pytest.mark.parametrize("number", [0, 1, 2, 3, 6, 9, 12, 30, 60])
def test_a_template_has_the_pages_that_it_is_told_for(number: int) -> None:
    """However few pages there are: counts and answers agree, names and numbers are unique."""
    pages = outlined_pages(number)
    found = find_templates(SiteModel(pages))

    given = Counter(found.numbers_of(SiteModel(pages)).values())
    given.pop(NO_TEMPLATE, None)
    assert given == {one.number: one.pages for one in found.templates}
    assert (
        min((one.pages for one in found.templates), default=FEWEST_OF_TEMPLATE)
        >= FEWEST_OF_TEMPLATE
    )
    assert len({one.name for one in found.templates}) == len(found.templates)
    assert not [one.name for one in found.templates if HASH.search(one.name)]
    assert (found.pages, found.newest) == (number, len(found.templates))


def test_a_grown_site_keeps_numbers_and_names() -> None:
    """Also if the new pages make another template the largest, and another name better."""
    few, many = outlined_pages(30), outlined_pages(60)
    more = [
        outlined(f"http://made.example/shop/new/{number}.html", product(number))
        for number in range(100, 160)
    ]
    before = find_templates(SiteModel(few))
    after = find_templates(SiteModel([*many, *more]), before)

    assert {one.number: one.name for one in after.templates} == {
        one.number: one.name for one in before.templates
    }
    assert kinds(after, many) == kinds(before, few)
    assert set(numbers(after, more).values()) == {
        number for kind, number in kinds(before, few) if kind == "shop"
    }
    assert after.pages == 120


def test_a_new_template_gets_a_number_that_was_never_used() -> None:
    """Who refers to the old one does not meet another by its number."""
    pages = outlined_pages(60)
    without = [page for page in pages if kind_of(page.url) != "posts"]
    before = find_templates(SiteModel(pages))
    between = find_templates(SiteModel(without), before)
    after = find_templates(SiteModel(pages), between)

    (gone,) = {one.number for one in before.templates} - {one.number for one in between.templates}
    assert kinds(between, without) == kinds(before, without)
    assert {number for kind, number in kinds(after, pages) if kind == "posts"} == {4}
    assert gone != 4
    assert after.newest == 4


def test_a_new_page_gets_its_template_without_the_others() -> None:
    """Or none, if it is like no page of the site."""
    pages = outlined_pages(60)
    found = find_templates(SiteModel(pages))
    new = [
        outlined(f"http://made.example/{folder}/99.html", make(99))
        for folder, make in (("posts", post), ("categories", category), ("shop", product))
    ]
    moved = outlined("http://elsewhere.example/x", product(98))

    assert kinds(found, new) == kinds(found, pages)
    assert found.number_of(moved.url, moved.outline) == found.number_of(new[2].url, new[2].outline)
    strange = heard(STRANGE)
    assert found.number_of(strange.url, strange.outline) == NO_TEMPLATE
    assert found.number_of("http://made.example/", EMPTY_OUTLINE) == NO_TEMPLATE


@pytest.mark.parametrize("oddity", [one for one in Oddity if one is not Oddity.NONE])
def test_odd_pages_have_no_template(oddity: Oddity) -> None:
    """And make none, however many there are."""
    pages = outlined_pages(30)
    odd = [
        OutlinedPage(
            f"http://made.example/odd/{number}",
            Outline(("html", "p"), (-1, 0), (1, 1), (0, 9), oddity=oddity),
        )
        for number in range(50)
    ]
    found = find_templates(SiteModel([*pages, *odd]))
    only = find_templates(SiteModel(odd))

    assert found.templates == find_templates(SiteModel(pages)).templates
    assert set(numbers(found, odd).values()) == {NO_TEMPLATE}
    assert (only.templates, only.division, only.pages) == ((), None, 50)


def test_the_order_of_pages_does_not_matter() -> None:
    """Neither to what is found, nor to what is stored, byte for byte."""
    pages = outlined_pages(60)
    blobs, divisions = set(), set()
    for seed in range(5):
        random.Random(seed).shuffle(pages)
        blobs.add(encode_value(find_templates(SiteModel(pages)), "templates"))
        divisions.add(divide([facts_of_outline(page.url, page.outline) for page in pages]))

    assert len(blobs) == 1
    assert len(divisions) == 1


def test_templates_are_stored_with_how_to_find_them() -> None:
    """What is read back answers as before."""
    pages = outlined_pages(60)
    found = find_templates(SiteModel(pages))
    read = decode_value(encode_value(found, "templates"), SiteTemplates, "templates")

    assert read == found
    assert numbers(read, pages) == numbers(found, pages)


def test_no_page_no_template() -> None:
    """What was never decided has none either; the largest number is kept."""
    once = find_templates(SiteModel(outlined_pages(60)))

    assert find_templates(SiteModel()) == EMPTY_SITE
    assert find_templates(SiteModel(), once) == SiteTemplates(newest=3)
    assert EMPTY_SITE.number_of("http://made.example/", EMPTY_OUTLINE) == NO_TEMPLATE
    assert (EMPTY_SITE.template(1), EMPTY_SITE.name_of(None)) == (None, None)


@pytest.mark.parametrize(
    ("urls", "found"),
    [
        (("blog/one.html", "blog/two.html"), "/blog/….html"),
        (("blog/2024/01/a", "blog/2023/02/b", "blog/2023/03/c"), "/blog/…"),
        (("a/b/c", "a/d/e"), "/a/…"),
        (("", ""), "/"),
        (("?p=1", "?p=2"), "/?p=…"),
        (("caf%C3%A9/1", "caf%C3%A9/2"), "/café/…"),
        (("x" * 99, "x" * 99), "/" + "x" * 60 + "…"),
        (("one.html",), "/one.html"),
    ],
)
def test_an_address_is_what_most_have_in_common(urls: tuple[str, ...], found: str) -> None:
    """What differs is left out."""
    assert pattern([f"http://made.example/{url}" for url in urls]) == found


@pytest.mark.parametrize(
    ("html", "url", "name"),
    [
        ("<body><h1>Class {0}</h1>", "api/{0}.html", "class: /api/….html"),
        ("<meta property=og:type content=Recipe><body><h1>{0}</h1>", "{0}", "recipe: /…"),
        ("<meta property=og:type content=website><body>{0}", "news/{0}", "news: /news/…"),
        ("<body><h1>The {0}</h1>", "{0}", "page: /…"),
        ("<body>{0}", "", "home: /"),
    ],
)
def test_a_name_is_the_heading_or_the_type_or_the_folder(html: str, url: str, name: str) -> None:
    """Whatever most of the pages share; words that say nothing are left out."""
    pages = [
        OutlinedPage(f"http://made.example/{url.format(word)}", outline(page_of(html.format(word))))
        for word in ("one", "two", "three")
    ]

    assert template_name(pages) == name


@pytest.mark.parametrize(
    ("label", "short"),
    [
        ("div", "div"),
        ("div.post-0.post.category-news", "div.post"),
        ("div.a1.b2#c", "div"),
        ("div.@container.md:flex", "div.@container"),
        ("meta@og:title", "meta@og:title"),
        ("link@next.x", "link@next.x"),
    ],
)
def test_a_path_has_the_first_class_without_a_number(label: str, short: str) -> None:
    """Numbered classes and ids are a page's own."""
    assert short_label(label) == short


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("<ul><li>a<li>b</ul>", "<ul><li>a<ul><li>b<ul><li>c</ul></ul></ul>", True),
        ("<ul><li>a</ul>", "<ul><li>a<ul class=b><li>b</ul></ul>", False),
        ("<p id=a>x", "<p id=b>x<p>y", True),
        ("<p class='a x'>x", "<p class='a y'>x", True),
        ("<p class=a>x", "<p class=b>x", False),
        ("<p>x", "<div><p>x</div>", False),
    ],
)
def test_paths_do_not_depend_on_content(one: str, other: str, same: bool) -> None:
    """Nor on how often something comes, how deep lists nest, and on ids."""
    found = [
        facts_of_outline("http://a.example/", outline(page_of(f"<body>{html}")))
        for html in (one, other)
    ]

    assert (found[0].paths == found[1].paths) is same


def test_classes_of_the_body_do_not_tell_templates() -> None:
    """They name the page's type outright on many sites, and single pages on others."""
    plain, classed = (
        facts_of_outline("http://a.example/", outline(page_of(f"<body{text}><p>x")))
        for text in ("", " class='archive tag' id=b")
    )

    assert plain == classed
