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

from webstencil.cli import main
from webstencil.model import RawPage
from webstencil.parse import parse
from webstencil.templates import SiteTemplates, TemplatesState, outline, outline_of
from webstencil.templates.groups import Join, heads, joins
from webstencil.templates.outline import Outline, short_name
from webstencil.templates.site import SAMPLES_KEPT
from webstencil.templates.weights import PathCounts, distance, variety

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
    """Numbered classes are a page's own; a body's tell what the page is about."""
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


def test_the_distance_is_the_weight_not_in_common() -> None:
    """Sets that are equal where it counts are at distance 0, empty ones too."""
    weights = {1: 3.0, 2: 1.0, 3: 1.0}

    assert distance(frozenset({1, 2}), frozenset({1, 3}), weights) == pytest.approx(0.4)
    assert distance(frozenset(), frozenset(), weights) == 0.0


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
    """A person sees how many pages each has; a program gets all addresses."""
    for number in range(4):
        story = f"<html><body><div class=story><h1>S{number}</h1><p>a<p>b</div></body></html>"
        listing = f"<html><body><table class=list><tr><td>L{number}</table></body></html>"
        (tmp_path / f"story{number}.html").write_text(story)
        (tmp_path / f"list{number}.html").write_text(listing)

    table = CliRunner().invoke(main, ["templates", str(tmp_path)])
    told = json.loads(CliRunner().invoke(main, ["templates", str(tmp_path), "--json"]).stdout)

    assert [len(template["pages"]) for template in told] == [4, 4]
    assert len(table.stdout.splitlines()) == 3
