"""The model of a site: the laws of a sum; its vocabulary, its places, the plan of renderings."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise

import pytest
from builders import page_of
from hypothesis import given, settings
from hypothesis import strategies as st

from webstencil.errors import SettingsError
from webstencil.site.outline import EMPTY_OUTLINE, NO_PLACE, Outline, OutlinedPage, outline
from webstencil.site.places import (
    LabelToken,
    NeighbourKind,
    PageView,
    Places,
    Vocabulary,
    count_tokens,
    label_parts,
    lay_out,
    names_among,
    text_shares,
)
from webstencil.site.plan import ENOUGH_COVERED, Plan, elsewhere, plan_renderings, text_alone
from webstencil.site.site_model import MOST_PAGES, SiteModel, numbered_texts
from webstencil.site.templates import find_templates
from webstencil.urls import sampling_key

MENU = "<nav><a href=/>Home</a></nav>"
KINDS = (
    "<div class=post><h1>Post {0}</h1><p>{1}</p><p>{1} again</p></div>",
    "<ul class=list><li>{1}</li><li>{1} too</li></ul><p>Page {0}</p>",
    "<table><tr><td>{1}</td><td>{0}</td></tr></table>",
)
WORDS = ("ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen", "ibis", "jay", "kite", "lynx")


def made(number: int) -> OutlinedPage:
    """Make a small page of one of three kinds; the last is empty."""
    body = MENU + KINDS[number % 3].format(number, WORDS[number])
    url = f"http://site.example/{WORDS[number]}"
    html = "<body>" if number == len(WORDS) - 1 else f"<body>{body}"
    return OutlinedPage(url, outline(page_of(html, url)), bytes((number,)))


POOL = tuple(map(made, range(len(WORDS))))
IN_ORDER = tuple(sorted(POOL, key=lambda page: page.key))


def recounted(model: SiteModel) -> Counter[int]:
    """Count the pages with each text anew."""
    return Counter(text for page in model for text in numbered_texts(page.outline))


def told(model: SiteModel) -> tuple[object, ...]:
    """Return what is read off a model."""
    return find_templates(model), plan_renderings(lay_out(model).views)


parts_of_site = st.lists(st.integers(0, 3), min_size=len(POOL), max_size=len(POOL))


@given(parts_of_site, st.integers(1, len(POOL) + 1), st.integers(0, 999))
@settings(max_examples=10_000)
def test_a_model_is_a_sum(chosen: list[int], most: int, seed: int) -> None:
    """Whatever the order and the hands; beyond its bound it keeps the smallest keys.

    Merging is commutative and associative, and nothing adds nothing. What was added can be
    subtracted while nothing had to go. Counts of texts are those of a recount. Templates and plan
    are the same for the same pages.
    """
    groups = [[page for page, at in zip(POOL, chosen, strict=True) if at == n] for n in (1, 2, 3)]
    pages = list(chain(*groups))
    left = [page for page, at in zip(POOL, chosen, strict=True) if not at]
    random.Random(seed).shuffle(pages)
    one, two, three = (SiteModel(group, most=most) for group in groups)
    whole = SiteModel(pages, most=most)
    in_order = SiteModel((page for page in IN_ORDER if page in pages), most=most)
    both = one.merge(two)

    assert both == two.merge(one)
    assert both.merge(three) == one.merge(two.merge(three)) == whole == in_order
    assert one.merge(SiteModel(most=most)) == one
    assert whole.pages == len(pages)
    assert list(whole) == [page for page in IN_ORDER if page in pages][:most]
    assert whole.texts == recounted(whole)
    for page in left:
        whole.add(page)
    assert whole.texts == recounted(whole)
    for page in left:
        whole.subtract(page.url)
    assert whole.texts == recounted(whole)
    assert whole.pages == len(pages)
    if len(pages) + len(left) <= most:
        assert whole == in_order
    assert told(both.merge(three)) == told(in_order)


@given(st.lists(st.integers(0, len(POOL) - 1), max_size=40), st.integers(1, len(POOL)))
def test_texts_are_counted_as_pages_come_and_go(steps: list[int], most: int) -> None:
    """Also while pages have to go because of the bound."""
    model = SiteModel(most=most)
    counts = [dict(model.texts)]
    for number in steps:
        page = POOL[number]
        if page.url in model:
            model.subtract(page.url)
        elif model.takes(page.url):
            model.add(page)
        counts.append(dict(model.texts))
        assert counts[-1] == recounted(model)

    assert len(model) <= most


def test_a_model_of_many_pages_stays_at_its_bound() -> None:
    """It counts all pages, and keeps those that a model of the kept ones alone would have."""
    many = [
        OutlinedPage(f"http://site.example/{number}", EMPTY_OUTLINE) for number in range(100_000)
    ]
    model = SiteModel(many)
    smallest = sorted(many, key=lambda page: page.key)[:MOST_PAGES]

    assert (model.pages, len(model)) == (100_000, MOST_PAGES)
    assert list(model) == smallest == list(SiteModel(smallest))
    assert all(model.takes(page.url) is (page.key < smallest[-1].key) for page in many[:2_000])


def test_a_page_in_the_model_is_not_added_again() -> None:
    """Who changes a page subtracts it first; two models of one page are no sum."""
    model = SiteModel(POOL[:1])

    with pytest.raises(ValueError, match=r"ant is in the model; subtract it first"):
        model.add(POOL[0])
    with pytest.raises(ValueError, match=r"ant is in the model; subtract it first"):
        model.merge(model)


def test_a_changed_page_is_subtracted_and_added() -> None:
    """The model is then that of the site as it is now."""
    new = OutlinedPage(POOL[0].url, POOL[1].outline)
    model = SiteModel(POOL)
    before = dict(model.texts)
    model.subtract(new.url)
    model.add(new)

    assert model == SiteModel([new, *POOL[1:]])
    assert before == recounted(SiteModel(POOL))
    assert model.texts == recounted(model)


def test_room_for_no_page_is_refused() -> None:
    """The message has the number."""
    with pytest.raises(SettingsError, match="must keep 1 or more pages, not 0"):
        SiteModel(most=0)


def test_keys_are_the_same_everywhere() -> None:
    """They are in stores, as positive numbers of 63 bits."""
    assert sampling_key("http://site.example/") == 615374644041319074
    assert all(0 <= sampling_key(f"http://site.example/{n}") < 1 << 63 for n in range(1_000))
    assert [page.url for page in SiteModel(POOL)] == [page.url for page in IN_ORDER]


# Vocabulary


def site_of(*pages: str) -> list[Outline]:
    return [
        outline(page_of(f"<body>{html}", f"http://a.example/{n}")) for n, html in enumerate(pages)
    ]


def named(outlines: Sequence[Outline]) -> set[str]:
    """Return the names of a site, as they are written in labels."""
    return {"".join(token) for token in Vocabulary.of(outlines).names}


def letters(number: int) -> str:
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


def test_names_of_parts_are_told_from_names_of_things() -> None:
    """In a manual each page has a sidebar, and methods whose ids one or two pages have."""
    pages = []
    for number in range(30):
        ids = [letters(number * 20 + one) for one in range(20)] + [f"get{letters(number // 2)}"]
        methods = "".join(f"<h3 id={one} class=method>{one}</h3>" for one in ids)
        tags = f"tag-{letters(number)} tag-{letters(number % 7)}x d-2024-01-{number}"
        pages.append(f"<div class=sidebar id=menu>x</div><article class='post {tags}'>{methods}")
    found = site_of(*pages)

    assert named(found) >= {
        "div.sidebar",
        "div#menu",
        "h3.method",
        "article.post",
        "article.d-0-0-0",
    }
    assert not {name for name in named(found) if name.startswith("h3#")}
    assert "article.tag-a" not in named(found)
    assert Vocabulary.of(found).label(found[0].labels[-2]) == "h3.method"


def test_a_name_needs_two_pages() -> None:
    """A site of one page has none; pages that have nothing in common have none either."""
    parts = "<div class=a id=b><p class=c>x</p></div>"

    assert named(site_of(parts)) == set()
    assert (
        named(site_of(*(f"<div class={letters(n)} id=x{letters(n)}>x" for n in range(9)))) == set()
    )
    assert named([]) == set()


def test_all_tokens_of_pages_that_are_alike_are_names() -> None:
    """Whatever they are called."""
    alike = site_of(*["<div class='a b' id=c><p class=d>x</p></div>"] * 3)

    assert named(alike) == {"div.a", "div.b", "div#c", "p.d"}
    assert Vocabulary.of(alike).names[LabelToken("p", ".", "d")] == 3


def test_a_label_is_named_by_its_id_and_its_most_frequent_class() -> None:
    """A name of one tag is none of another; what is no name is left out."""
    found = site_of(*["<div class='a b' id=c>x</div>"] * 2, "<div class=b>x</div>", "<p class=b>x")
    vocabulary = Vocabulary.of(found)

    assert vocabulary.label("div.a.b.x#c") == "div.b#c"
    assert vocabulary.label("div.x#y") == "div"
    assert vocabulary.label("p.b") == "p"
    assert vocabulary.label("meta@og:type") == "meta@og:type"


@pytest.mark.parametrize(
    ("label", "found"),
    [
        ("div", ("div", ())),
        ("div.a.b#c", ("div", (("div", ".", "a"), ("div", ".", "b"), ("div", "#", "c")))),
        ("div.@container.a", ("div", (("div", ".", "@container"), ("div", ".", "a")))),
        ("meta@a.b#c", ("meta@a.b#c", ())),
        ("p..", ("p", ())),
        ("", ("", ())),
    ],
)
def test_a_label_is_a_tag_and_tokens(label: str, found: tuple[str, tuple[object, ...]]) -> None:
    """Labels of the head are one word."""
    assert label_parts(label) == found


def test_a_token_is_a_name_if_the_next_one_is_less_likely_new() -> None:
    """By the tokens that one page has, of the same tag and kind."""
    pages = [("div.all.two" if n < 2 else f"div.all.{letters(n)}") for n in range(10)]
    outlines = [Outline(("html", label), (NO_PLACE, 0), (1, 1), (0, 0)) for label in pages]
    counts = count_tokens(outlines)

    assert counts.tokens[LabelToken("div", ".", "two")] == 2
    assert counts.slots == {("div", "."): 10}
    assert names_among(counts) == {LabelToken("div", ".", "all"): 10}  # two: 2 * 20 < 8 * 10


# Places


def laid(*pages: str) -> tuple[Places, list[PageView]]:
    """Lay pages over each other."""
    outlines = site_of(*pages)
    places = Places(Vocabulary.of(outlines))
    return places, [places.add(f"/{number}", one) for number, one in enumerate(outlines)]


def chains(html: str) -> set[str]:
    """Return the places of a site of two pages alike."""
    places, _ = laid(html, html)
    return {"/".join(places.chain(place)) for place in range(len(places))} - {"html", "html/head"}


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<ul><li>a<ul><li>b<ul><li>c</ul></ul></ul>", {"html/ul", "html/ul/li"}),
        ("<section>a<section>b<section>c", {"html/section"}),
        ("<div>a<div>b<div>c", {"html/div", "html/div/div", "html/div/div/div"}),
        ("<div class=a>a<div class=a>b", {"html/div.a"}),
        ("<ul class=a><li>a<ul class=b><li>b", {"html/ul.a", "html/ul.a/li", "html/ul.a/li/ul.b"}),
        ("<dl><dd>a<dl><dd>b<p>c", {"html/dl", "html/dl/dd", "html/dl/dd/p"}),
    ],
)
def test_chains_that_repeat_a_label_fold(html: str, found: set[str]) -> None:
    """How deep lists and sections nest is content; a bare `div` may stand for anything."""
    assert chains(html) >= found
    assert len(chains(html)) - len(found) == ("ul.b" in html)  # its own item


def test_a_page_that_was_added_is_seen_as_it_was_then() -> None:
    """Whatever pages came after it."""
    model = SiteModel(POOL)
    found = lay_out(model)
    again = [found.places.view(page.url, page.outline) for page in model]

    assert tuple(again) == found.views
    assert {view.unknown for view in again} == {0}


def test_what_stands_where_no_known_page_has_anything_is_counted() -> None:
    """With all that is in it, although it looks like what is elsewhere; the page is not added."""
    places, _ = laid("<div><p>Known</p></div>", "<div><p>Known</p></div>")
    before = len(places)
    strange = outline(page_of("<body><div><p>Known</p></div><table><tr><td>new<p>other"))
    view = places.view("/new", strange)

    known = sum(view.sizes.values())
    assert (known, view.unknown, view.size) == (len("Known"), len("newother"), len("Knownnewother"))
    assert (view.unknown, view.size) == (8, 13)
    assert [strange.labels[n] for n, place in enumerate(view.numbers) if place == NO_PLACE] == [
        *("table", "tbody", "tr", "td", "p")
    ]
    assert len(places) == before


def test_a_page_without_text_is_seen() -> None:
    """Nothing of it is unknown."""
    view = Places(Vocabulary.of([])).view("/", EMPTY_OUTLINE)

    assert (view.size, view.unknown, view.places, view.kinds) == (0, 0, {}, {})


def test_neighbours_weigh_by_the_text_of_the_smaller_side() -> None:
    """A border matters as much as it can cut off."""
    places, (view, _) = laid(*["<div><h2>four</h2><p>sixteen letters.</p></div>"] * 2)
    kind = NeighbourKind(
        *(
            next(n for n in range(len(places)) if places.labels[n] == tag)
            for tag in ("div", "h2", "p")
        )
    )

    assert view.kinds == {kind: pytest.approx(4 / 20)}


# Plan


def views_of(*pages: str) -> tuple[PageView, ...]:
    return tuple(laid(*pages)[1])


def subset(chosen: int) -> tuple[PageView, ...]:
    """Return the views of some pages of the pool."""
    return lay_out(SiteModel(page for n, page in enumerate(POOL) if chosen >> n & 1)).views


@given(st.integers(0, 2 ** len(POOL) - 1), st.integers(0, len(POOL)))
def test_a_plan_is_worth_what_it_says(chosen: int, budget: int) -> None:
    """Each page covers what is told of it; a budget cuts the plan, and changes nothing before."""
    views = subset(chosen)
    plan = plan_renderings(views)
    cut = plan_renderings(views, budget=budget)

    assert cut.pages == plan.pages[:budget]
    assert cut.unseen == plan.unseen
    known = {view.url: view for view in views}
    shares = text_shares(views)
    seen: set[int] = set()
    for page in plan.pages:
        seen.update(known[page.url].sizes)
        share = sum(shares[place] for place in seen) / shares.total()
        assert page.covered == pytest.approx(share, abs=1e-6)
    assert plan.doubtful == tuple(view.url for view in views if elsewhere(view, seen) > 0.05)
    assert len({page.url for page in plan.pages}) == len(plan.pages)
    covering = [page.covered for page in plan.pages]
    assert covering == sorted(covering)
    assert plan.covered == (covering[-1] if covering else 0.0)


@given(st.integers(0, 2 ** len(POOL) - 1))
def test_the_best_page_comes_first(chosen: int) -> None:
    """What a page adds never rises, but for those that stand for themselves alone."""
    views = subset(chosen)
    alone = dict(zip((view.url for view in views), text_alone(views), strict=True))
    gains = [page.gain for page in plan_renderings(views).pages if not alone[page.url]]

    assert all(one >= two - 1e-6 for one, two in pairwise(gains))


def test_typical_pages_come_before_extreme_ones() -> None:
    """A page with much text where no other has any is a poor witness for the others."""
    plain = "<div class=post><h1>Title</h1><p>Some text of the usual length.</p></div>"
    odd = plain + "<table><tr><td>" + "Much that is nowhere else. " * 50 + "</table>"
    plan = plan_renderings(views_of(odd, plain, plain, odd.replace("table", "form")))

    assert [page.url for page in plan.pages][:2] == ["/1", "/2"]


def test_loners_are_rendered_only_while_little_is_covered() -> None:
    """A site of which no two pages are alike is rendered; an odd page of a large site is not."""
    tags = ("p", "table", "ul", "ol", "dl", "form", "pre", "h2")
    strangers = views_of(*(f"<{tag} class=x{n}>Text" for n, tag in enumerate(tags)))
    large = views_of(*["<div class=post><p>Usual text</p></div>"] * 200, "<form>An odd page</form>")

    assert {page.url for page in plan_renderings(strangers).pages} == {
        view.url for view in strangers
    }
    assert plan_renderings(strangers).unseen == 1.0
    assert plan_renderings(large).covered >= ENOUGH_COVERED
    assert plan_renderings(large).doubtful == ("/200",)


@pytest.mark.parametrize("views", [(), views_of("<body>"), views_of("<body>", "<img src=x>")])
def test_nothing_to_render_is_an_empty_plan(views: Sequence[PageView]) -> None:
    """No page, or no text on any."""
    assert plan_renderings(views) == Plan()
    assert Plan().covered == 0.0


def test_a_plan_of_nothing_costs_nothing() -> None:
    """All pages stay in doubt."""
    views = views_of("<p>One", "<p>Two")

    assert plan_renderings(views, budget=0) == Plan((), 0.0, ("/0", "/1"))


def test_pages_alike_need_few_renderings_however_many_there_are() -> None:
    """Witnesses after the third add nothing."""
    plan = plan_renderings(views_of(*["<div class=post><h1>A</h1><p>Text</p></div>"] * 500))

    assert len(plan.pages) <= 3
    assert plan.covered == 1.0
    assert plan.doubtful == ()
