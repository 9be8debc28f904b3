"""Borders laid over other pages: what is promised of the default mode."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import pytest
from builders import page_of, stencil_of
from hypothesis import given
from hypothesis import strategies as st

from webstencil import markup
from webstencil.evaluate.bcubed import extended_bcubed
from webstencil.model import Page, Stencil
from webstencil.segment.boundaries import Boundary, place_between
from webstencil.site.transfer import Transfer
from webstencil.site.transfer.lessons import NOWHERE, filled, lesson_of
from webstencil.site.transfer.names import ElementLabel, Names, belongs, tokens
from webstencil.site.transfer.risk import UnitRuns, agreement, agreement_but_at, flip_loss
from webstencil.site.transfer.site import LaidPage

HEAD = '<div id="head"><a>Home</a><a>News</a></div>'
FOOT = '<div id="foot"><p>About us</p></div>'


def article(*paragraphs: str, extra: str = "") -> Page:
    """Write a page with a head, a story, and a foot."""
    story = "".join(f"<p>{text}</p>" for text in paragraphs)
    return page_of(f'{HEAD}<div class="story">{story}</div>{extra}{FOOT}')


def named(page: Page, name: str) -> list[int]:
    """Find the nodes of a tag, id or class."""
    tree = page.tree
    columns = zip(tree.tags, tree.ids, tree.classes, strict=True)
    return [node for node, names in enumerate(columns) if name in names]


def learned(page: Page, *nodes: int, url: str = "http://a.example/learned") -> Stencil:
    """Make a stencil of a page: an area for each node."""
    made = stencil_of(page, [(node,) for node in nodes], key=url)
    return replace(made, made_from=url)


def parts(page: Page, url: str = "http://a.example/learned") -> Stencil:
    """Make a stencil of an article: its three parts."""
    nodes = [node for name in ("head", "story", "foot") for node in named(page, name)]
    return learned(page, *(node for node in nodes if page.tree.tags[node] == "div"), url=url)


def texts(laid: LaidPage | None) -> list[str]:
    """Return the texts of the pieces of a page."""
    assert laid is not None
    return [" ".join(written(piece.nodes)) for piece in laid.pieces]


def test_areas_are_found_where_the_number_of_paragraphs_differs() -> None:
    """No descriptor is needed, so none can fail."""
    site = Transfer([parts(article("One", "Two"))])

    laid = site.lay(article("Uno", "Due", "Tre", "Quattro"))

    assert texts(laid) == ["Home News", "Uno Due Tre Quattro", "About us"]
    assert laid is not None
    assert [piece.area for piece in laid.pieces] == [0, 1, 2]


def test_items_of_a_list_are_areas_like_those_learned() -> None:
    """A list of any length is cut at each item; all are like the items of the learned page."""
    first = page_of("<ul><li><p>a</p><p>b</p></li><li><p>c</p><p>d</p></li></ul>")
    longer = page_of("<ul>" + "<li><p>x</p><p>y</p></li>" * 5 + "</ul>")

    laid = Transfer([learned(first, *named(first, "li"))]).lay(longer)

    assert texts(laid) == ["x y"] * 5


def test_nothing_is_known_before_a_page_is_learned() -> None:
    """The first page of a site is always a miss."""
    assert Transfer().lay(article("One")) is None


def test_pages_of_one_shape_are_safer_than_strange_ones() -> None:
    """The risk separates a page of the template from one with another structure."""
    site = Transfer([parts(article("One", "Two")), parts(article("Three", "Four"))])
    strange = page_of("<table><tr><td><b>x</b><td><i>y</i></table><dl><dt>z<dd>w</dl>")

    same, other = site.lay(article("Five", "Six")), site.lay(strange)

    assert same is not None
    assert other is not None
    assert same.risk < 0.08 < other.risk


def test_much_more_text_than_ever_seen_is_a_risk() -> None:
    """What is whole on a short page may be cut on a page that is many times as long."""
    site = Transfer([parts(article("One", "Two"))])

    short, long = site.lay(article("a", "b")), site.lay(article(*["text"] * 50))

    assert short is not None
    assert long is not None
    assert short.risk < long.risk


def test_page_with_most_of_its_text_where_no_learned_page_has_any_is_new() -> None:
    """However sure its parts may seem: nothing that was learned speaks of them."""
    site = Transfer([parts(article("One", "Two"), f"http://a.example/{n}") for n in range(9)])
    strange = f"<table><tr><td>{'Numbers that nobody has seen. ' * 9}</td></tr></table>"

    laid = site.lay(article("One", "Two", extra=strange))

    assert laid is not None
    assert laid.risk == 1.0


def test_a_learned_page_gets_its_own_areas() -> None:
    """Whatever other pages say."""
    page = page_of("<p>a</p><p>b</p><p>c</p>")
    first, _, last = named(page, "p")
    own = learned(page, first, last, url=page.url)

    laid = Transfer([own, learned(page, *named(page, "body"))]).lay(page)

    assert laid is not None
    assert (laid.stencil, laid.risk, texts(laid)) == (page.url, 0.0, ["a", "c"])


def test_page_without_text_is_like_a_learned_one_without_text() -> None:
    """It has no areas, and is not rendered again and again."""
    empty = page_of("<div><img src=x></div>")
    site = Transfer([parts(article("One"))])
    before = site.lay(empty)
    site.learn(learned(empty, url="http://a.example/empty"))

    after = site.lay(page_of("<div><img src=y></div>"))

    assert before is None
    assert after == LaidPage("http://a.example/empty", (), 0.0)


def test_same_stencils_teach_the_same() -> None:
    """A job that goes on knows what the one that was stopped knew."""
    stencils = [parts(article(*["One"] * n), url=f"http://a.example/{n}") for n in range(1, 14)]
    page = article("a", "b", "c", extra="<aside><p>new</p></aside>")
    one_by_one = Transfer()
    for stencil in stencils:
        one_by_one.learn(stencil)
        one_by_one.lay(page)

    assert one_by_one.lay(page) == Transfer(stencils).lay(page)


@pytest.mark.parametrize("depth", [300, 20_000])
def test_deep_pages_are_laid_over_and_learned(depth: int) -> None:
    """Nesting costs neither the stack nor the square of its depth."""
    deep = page_of("<div>" * depth + "text" + "</div>" * depth + "<p>after</p>")
    site = Transfer([parts(article("One"))])
    site.learn(learned(deep, *named(deep, "body"), url="http://a.example/deep"))

    laid = site.lay(page_of("<div>" * depth + "other" + "</div>" * depth + "<p>end</p>"))

    assert "".join(texts(laid)).replace(" ", "") == "otherend"


tags = st.sampled_from(["div", "p", "ul", "li", "section"])
trees = st.recursive(
    st.text("ab ", min_size=1, max_size=3),
    lambda inside: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>", tags, st.lists(inside, max_size=4)
    ),
    max_leaves=12,
)


@given(trees, trees)
def test_every_text_is_in_one_piece(one: str, other: str) -> None:
    """Pieces part a page: no text is lost, none is there twice, and their order is kept."""
    page, another = page_of(f"<body>{one}"), page_of(f"<body>{other}")
    laid = Transfer([learned(page, *named(page, "p")[:1])]).lay(another)

    pieces = laid.pieces if laid else ()
    whole = written([another.markup.root])
    assert [text for piece in pieces for text in written(piece.nodes)] == (whole if laid else [])


def written(nodes: Sequence[markup.Node]) -> list[str]:
    """List the texts below nodes."""
    return [text for node in nodes for text in markup.strings(node)]


def test_tokens_that_pages_share_belong_to_the_template() -> None:
    """Names of single posts do not."""
    pages = [frozenset(tokens(("div", f"post-{n}", f"post number-{n}"))) for n in range(10)]

    assert Names(pages).label(("div", "post-3", "post number-3")) == ElementLabel(
        "div", "div post", "div post"
    )


@pytest.mark.parametrize(
    ("token", "count", "pages", "kept"),
    [
        (("p", "lead"), 1, 1, True),  # the first page: anything without digits
        (("p", "post-17"), 1, 1, False),
        (("p", "lead"), 1, 4, False),
        (("p", "lead"), 3, 100, True),
        (("p", "lead"), 2, 100, False),
        (("p", "#main"), 9, 100, False),
        (("p", "#main"), 10, 100, True),
    ],
)
def test_evidence_that_a_token_needs(
    token: tuple[str, str], count: int, pages: int, *, kept: bool
) -> None:
    """More pages, and more still for ids and for tokens with digits."""
    assert belongs(token, count, pages) is kept


def test_place_is_where_two_texts_meet() -> None:
    """The lowest container of both, and its children with each."""
    parents = (-1, 0, 1, 2, 1, 4)  # html, body, p, text, p, text

    assert place_between(parents, 3, 5) == Boundary(container=1, ends=2, begins=4)


def test_hidden_text_goes_with_the_neighbour_that_is_nearer() -> None:
    """The one with which it shares the deeper container; else it would hide a border's evidence."""
    homes = [NOWHERE, 1, NOWHERE, 2, NOWHERE]

    assert filled(homes, [1, 2, 5, 1]) == (1, 1, 2, 2, 2)


def test_lesson_tells_where_areas_end() -> None:
    """Between the texts of two areas, and nowhere else."""
    lesson = lesson_of(parts(article("One", "Two")))

    assert lesson.homes == (0, 0, 1, 1, 2)
    assert lesson.borders == (False, True, False, True)


runs = st.lists(st.tuples(st.integers(0, 50), st.booleans(), st.booleans()), min_size=1, max_size=9)


@given(runs)
def test_agreement_is_b_cubed_f(units: list[tuple[int, bool, bool]]) -> None:
    """The quick way for runs gives what the general way gives."""
    weights = [weight + 1 for weight, _, _ in units]
    ones = [number for number, (_, border, _) in enumerate(units) if number and border]
    others = [number for number, (_, _, border) in enumerate(units) if number and border]
    masks: dict[tuple[int, int], float] = {}
    for number, weight in enumerate(weights):
        place = sum(border <= number for border in ones)
        where = sum(border <= number for border in others)
        masks[1 << place, 1 << where] = masks.get((1 << place, 1 << where), 0) + weight

    found = agreement([0, *accumulate(weights)], ones, others)
    assert found == pytest.approx(extended_bcubed(masks).f)


def test_flipping_nothing_loses_nothing() -> None:
    """And flipping the one border between two halves loses a third."""
    halves = UnitRuns([0, 5, 10], [1])

    assert flip_loss(halves, []) == 0.0
    assert flip_loss(halves, [1]) == pytest.approx(1 / 3)


@given(runs, st.integers(0, 8))
def test_flipping_one_place_is_compared_as_any_two_partitions_are(
    units: list[tuple[int, bool, bool]], drawn: int
) -> None:
    """The quick way for one place gives the very same number."""
    weights = [weight + 1 for weight, _, _ in units]
    sums = [0, *accumulate(weights)]
    borders = [number for number, (_, border, _) in enumerate(units) if number and border]
    place = drawn % len(units)

    found = agreement_but_at(UnitRuns(sums, borders), place)

    assert found == agreement(sums, borders, sorted(set(borders) ^ {place}))
