"""Templates of a site: outlines, weights, groups, and pages as they come by."""

import json
import logging
import random
from itertools import combinations, pairwise
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from webstencil.cli.main import main
from webstencil.markup.parse import parse
from webstencil.model import RawPage
from webstencil.site.templates import SiteTemplates, TemplatesState, outline, outline_of
from webstencil.site.templates.groups import Join, heads, joins
from webstencil.site.templates.outline import Outline, short_name
from webstencil.site.templates.site import SAMPLES_KEPT
from webstencil.site.templates.weights import (
    SETS_KEPT,
    PathCounts,
    distance,
    least_distance,
    variety,
    view_of,
)

PROSE = ("p", "h2", "ul", "pre", "blockquote", "table", "figure", "ol")  # what an author may use
HEAD = "<header class=top><nav class=menu><a href=x>x</a></nav></header>"
POST = (
    '<main class=post><h1>t</h1><div class="by-line"><b>n</b></div><div class=text>{}</div></main>'
)
LISTING = "<section class=list><h2>t</h2><ol class=rows>{}</ol></section><aside class=tags></aside>"


def post(lot: random.Random) -> Outline:
    """Make a post: a few of the things that an author may write, in any order."""
    kinds = lot.sample(PROSE, lot.randrange(1, len(PROSE)))
    return outlined(POST.format("".join(f"<{kind}>x</{kind}>" for kind in kinds)))


def listing(lot: random.Random) -> Outline:
    """Make a list of some rows."""
    return outlined(LISTING.format("<li class=row><a href=y>y</a></li>" * lot.randrange(1, 9)))


def outlined(body: str) -> Outline:
    html = f"<html><body>{HEAD}{body}</body></html>"
    return outline(parse(RawPage("http://a.example/", html.encode())))


def crawl(pages: int, seed: int = 1) -> list[tuple[str, Outline]]:
    """Make the pages of a site with two templates."""
    lot = random.Random(seed)
    kinds = [lot.choice((post, listing)) for _ in range(pages)]
    return [(kind.__name__, kind(lot)) for kind in kinds]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("div", "div"),
        ("div.post-17 post category-news", "div.post"),
        ("div.a1 b2", "div"),
        ("body.single postid-4", "body"),
        ("meta@og:title", "meta@og:title"),
        ("div. ", "div"),
    ],
)
def test_a_name_keeps_the_first_class_without_a_digit(name: str, short: str) -> None:
    """Numbered classes are a page's own; a body's describe the page."""
    assert short_name(name) == short


def test_an_outline_has_each_path_once_with_its_container() -> None:
    """A list of many rows has the outline of a list of one; containers come first."""
    long = outline_of(["html", "ul", "li", "li"], [-1, 0, 1, 1])

    assert long == outline_of(["html", "ul", "li"], [-1, 0, 1])
    root, inner, row = long
    assert long == {root: 0, inner: root, row: inner}


def test_a_nested_list_has_the_outline_of_a_flat_one() -> None:
    """How deep a table of contents goes hangs on the text; lists of another name are kept."""
    flat = outline_of(["html", "ul", "li", "a"], [-1, 0, 1, 2])

    assert outline_of(["html", "ul", "li", "a", "ul", "li", "a"], [-1, 0, 1, 2, 2, 4, 5]) == flat
    assert len(outline_of(["html", "ul", "li", "a", "ul.b", "li"], [-1, 0, 1, 2, 2, 4])) == 6


def headed(*body: str, head: str = "") -> Outline:
    html = f"<html><head>{head}</head><body>{''.join(body)}</body></html>"
    return outline(parse(RawPage("http://a.example/", html.encode())))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("<h1>Category: News</h1>", "<h1><b>Category</b> of 7</h1>", True),
        ("<h1>Category: News</h1>", "<h1>Tag: News</h1>", False),
        ("<h1>2024</h1>", "<h1>7.</h1>", True),
        ("<h1>One</h1><h1>Two</h1>", "<h1>Three</h1><h1>Four</h1>", True),
    ],
)
def test_the_first_word_of_a_heading_is_in_the_outline(one: str, other: str, same: bool) -> None:
    """Unless there are several alike; then they head the items of a list."""
    words = [{path for path in headed(html) if path < 0} for html in (one, other)]

    assert (words[0] == words[1]) is same


def test_what_meta_elements_say_is_in_the_outline() -> None:
    """Addresses are not."""
    article, website = (
        headed(head=f"<meta property=og:type content={kind}>") for kind in ("article", "website")
    )
    here, there = (
        headed(head=f"<meta property=og:url content=http://a.example/{name}>") for name in "ab"
    )

    assert len(article.keys() - website.keys()) == 1
    assert here == there


LIST = "<main class=list><h1>{} {}</h1><ol class=rows></ol>{}</main>"
CARD = ("<b class=feed></b>", "<b class=card></b>")


@pytest.mark.parametrize(
    ("words", "extras", "templates"),
    [
        (("Category", "Author"), CARD, 2),
        (("Category", "Category"), CARD, 1),
        (("Category", "Author"), ("", ""), 1),
    ],
)
def test_headings_and_layout_together_tell_templates_apart(
    words: tuple[str, str], extras: tuple[str, str], templates: int
) -> None:
    """Lists that differ in a line, or in the first word of their headings, may be one template."""
    site = SiteTemplates()
    given = []
    for number in range(40):
        word, extra = words[number % 2], extras[number % 2]
        post = f"<main class=post><h1>x</h1>{number % 3 * '<p>x'}</main>"
        site.assign_outline(headed(HEAD, post))
        given.append(site.assign_outline(headed(HEAD, LIST.format(word, number, extra))))
    site.regroup()

    assert len({site.template_of(assigned.sample) for assigned in given}) == templates


def test_a_page_that_brings_something_new_is_not_taken_for_a_known_one() -> None:
    """Also if it comes after many pages of another template and before groups are made anew."""
    head = "<meta name=description content='{}'>"
    site = SiteTemplates()
    for number in range(100):
        site.assign_outline(headed(HEAD, "<p>x" * (number % 3), head=head.format("Our blog")))
    before = site.state().born
    site.assign_outline(headed(HEAD, "<p>x", head=head.format("Our other blog")))

    assert site.state().born == before + 1


def test_body_classes_do_not_change_the_outline() -> None:
    """They name the page's type outright on many sites."""
    plain, classed = (
        outline(parse(RawPage("http://a.example/", f"<body{text}><p>x".encode())))
        for text in ("", " class='archive tag'")
    )

    assert plain == classed


def test_running_text_weighs_nothing_and_templates_do() -> None:
    """Which tags an author has used does not count; the frame around them does."""
    counts = PathCounts()
    for _, page in crawl(200):
        counts.add(page)
    weights = counts.weights(counts.shares())
    written, framed = outlined(POST.format("<p>x</p>")), outlined(POST.format(""))

    prose = written.keys() - framed.keys()
    assert prose
    assert not prose & weights.keys()
    assert framed.keys() & weights.keys()
    assert not outlined("").keys() & weights.keys()  # on all pages


def test_variety_is_less_where_children_come_together() -> None:
    """Four equal sets of children have two bits; if eight children make them, they are bundles."""
    assert variety([25] * 4, 100, apart=2.0) == pytest.approx(2.0)
    assert variety([25] * 4, 100, apart=8.0) == pytest.approx(1.0)


def test_pages_without_children_have_one_set_unless_sets_were_too_many() -> None:
    """Where not all sets could be kept, the others are taken for different ones."""
    assert variety([50], 100, apart=1.0) == pytest.approx(1.0)
    assert variety([1] * SETS_KEPT, 256, apart=8.0) == pytest.approx(8.0)


def test_the_distance_is_the_weight_not_in_common() -> None:
    """Pages that are equal where it counts are at distance 0, empty ones too."""
    weights = {1: 3.0, 2: 1.0, 3: 1.0}
    left, right = view_of({1, 2, 7}, weights), view_of({1, 3}, weights)

    assert distance(left, right, weights) == pytest.approx(0.4)
    assert distance(left, view_of({1, 2}, weights), weights) == 0.0
    assert distance(view_of((), weights), view_of({9}, weights), weights) == 0.0


def test_what_only_one_page_has_counts_half() -> None:
    """It may be an option; what each has instead of the other's is no option."""
    weights = {1: 3.0, 2: 1.0, 3: 1.0}
    bare, more = view_of({1}, weights), view_of({1, 2, 3}, weights)

    assert distance(bare, more, weights) == pytest.approx(1.0 / 4.0)
    assert distance(more, bare, weights) == pytest.approx(1.0 / 4.0)


def test_words_of_headings_count_a_half_of_the_rest_at_most() -> None:
    """A section's name in a heading is not yet a template."""
    weights = {1: 2.0, -1: 10.0, -2: 10.0}
    one, other = view_of({1, -1}, weights), view_of({1, -2}, weights)

    assert distance(one, other, weights) == pytest.approx(1.0 / 3.0)


@given(st.sets(st.integers(-4, 8)), st.sets(st.integers(-4, 8)))
def test_the_least_distance_is_never_above_the_distance(one: set[int], other: set[int]) -> None:
    """So a sample that it rules out cannot be the nearest."""
    weights = {path: 1.0 / path if path > 0 else 3.0 for path in range(-4, 9)}
    left, right = view_of(one, weights), view_of(other, weights)

    assert least_distance(left, right) <= distance(left, right, weights) + 1e-9


def test_groups_join_nearest_first_by_the_mean_over_pages() -> None:
    """A point that stands for three pages counts three times."""
    apart = [[0.0, 0.1, 0.8], [0.1, 0.0, 0.4], [0.8, 0.4, 0.0]]
    done = joins(apart, [1, 3, 1])

    assert done == [Join(0, 1, 0.1), Join(0, 2, pytest.approx(0.5))]
    assert heads([7, 8, 9], done, 0.3) == {7: 7, 8: 7, 9: 9}
    assert heads([7, 8, 9], done, 0.6) == {7: 7, 8: 7, 9: 7}


@given(st.lists(st.floats(0, 1), min_size=15, max_size=15))
def test_joins_make_one_group_and_never_come_nearer(values: list[float]) -> None:
    """Each point but the oldest goes once; the distances of average linkage do not fall."""
    apart = [[0.0] * 6 for _ in range(6)]
    for (one, other), value in zip(combinations(range(6), 2), values, strict=True):
        apart[one][other] = apart[other][one] = value
    done = joins(apart, [1, 2, 3, 1, 2, 3])

    assert sorted(join.gone for join in done) == [1, 2, 3, 4, 5]
    assert all(one.distance <= two.distance + 1e-9 for one, two in pairwise(done))


def test_pages_are_told_apart_by_template_whatever_their_text() -> None:
    """Early pages follow what is learned later."""
    site = SiteTemplates()
    given = [(kind, site.assign_outline(page)) for kind, page in crawl(300)]
    site.regroup()
    final = {(kind, site.template_of(assigned.sample)) for kind, assigned in given}

    assert sorted(kind for kind, _ in final) == ["listing", "post"]
    assert len({template for _, template in final}) == 2


def test_a_site_goes_on_from_its_stored_state_as_if_never_stopped() -> None:
    """Through bytes and back, after any number of pages."""
    pages = [page for _, page in crawl(120)]
    whole = SiteTemplates()
    expected = [whole.assign_outline(page) for page in pages]
    site = SiteTemplates()
    found = []
    for number, page in enumerate(pages):
        if number % 7 == 0:
            blob = msgspec.msgpack.encode(site.state())
            site = SiteTemplates(msgspec.msgpack.decode(blob, type=TemplatesState))
        found.append(site.assign_outline(page))

    assert found == expected
    assert site.state() == whole.state()


def test_samples_are_bounded_on_a_site_of_which_no_two_pages_are_alike() -> None:
    """Pages that follow no template do not fill the memory."""
    site = SiteTemplates()
    for number in range(300):
        names = [
            "html",
            "body",
            *(f"x{chr(97 + number % 26)}{number // 26 * 'y'}{n}" for n in "ab"),
        ]
        site.assign_outline(outline_of(names, [-1, 0, 1, 1]))

    assert len(site.state().samples) <= SAMPLES_KEPT


def test_an_empty_outline_and_a_deep_page_have_a_template() -> None:
    """Bad input is normal."""
    site = SiteTemplates()
    deep = outlined("<div>" * 5000)

    assert site.assign_outline({}).template == "0"
    assert site.assign_outline(deep).sample == 1
    assert site.assign_outline({}).template == site.template_of(0)


def test_changes_of_templates_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Each merge and split is one line with both templates."""
    site = SiteTemplates()
    with caplog.at_level(logging.INFO):
        for _, page in crawl(60):
            site.assign_outline(page)

    assert any(" joined template=" in message for message in caplog.messages)


def test_the_command_tells_templates_and_their_pages(tmp_path: Path) -> None:
    """The user sees the number of pages of each; a program gets all URLs."""
    for number in range(4):
        story = f"<html><body><div class=story><h1>S{number}</h1><p>a<p>b</div></body></html>"
        listing = f"<html><body><table class=list><tr><td>L{number}</table></body></html>"
        (tmp_path / f"story{number}.html").write_text(story)
        (tmp_path / f"list{number}.html").write_text(listing)

    table = CliRunner().invoke(main, ["templates", str(tmp_path)])
    told = json.loads(CliRunner().invoke(main, ["templates", str(tmp_path), "--json"]).stdout)

    assert [len(template["pages"]) for template in told] == [4, 4]
    assert len(table.stdout.splitlines()) == 3
