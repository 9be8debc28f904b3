"""Page types, the models behind content, and what belongs to it."""

from math import log1p

import pytest

import webstencil
from webstencil.api import parsed
from webstencil.content.choose import best_part
from webstencil.content.page_features import PAGE_NUMBERS, numbers_of_page, page_shape
from webstencil.content.page_types import type_shares, type_weights_of, url_tokens
from webstencil.content.runs import flatten
from webstencil.markup import Markup
from webstencil.site.type_votes import PageType, named_type, packed_types, voted_type

SENTENCE = "This is a long enough sentence about the matter at hand, and it ends here. "


def test_the_best_part_is_not_bound_to_a_threshold() -> None:
    """If nothing is sure, much is taken; if something is, only that."""
    unsure = best_part([10, 10, 10], [0.4, 0.3, 0.01])
    sure = best_part([10, 10, 10], [0.99, 0.3, 0.01])

    assert unsure == [0, 1]
    assert sure == [0]
    assert best_part([10], [0.0]) == []


def test_equal_blocks_have_one_place() -> None:
    """Numbers and states in class names do not count."""
    cards = "".join(f"<div class='card c{one}'><p>a</p><p>b</p></div>" for one in range(3))
    runs = flatten(Markup(f"<main>{cards}<div class='note'><p>c</p></div></main>".encode()))
    found = page_shape(runs)

    assert found.places[:6] == [found.places[0]] * 6
    assert found.places[6] != found.places[0]
    assert found.repeats[runs.blocks[0]][:2].tolist() == [2, 3]


def test_a_url_says_what_a_page_is_about() -> None:
    """Words of host, path and query; a file or a local server says nothing."""
    found = set(url_tokens("https://forum.example.org/t/some-topic/1234?page=2"))

    assert {"uh:forum", "us:t", "us:some", "us:topic", "un:long", "uq:page", "ud:3"} <= found
    assert not set(url_tokens("file:///home/forum/x.html"))
    assert not set(url_tokens("http://localhost:8000/forum/"))
    assert not set(url_tokens("http://[broken/"))


def test_a_page_of_no_sure_type_is_other() -> None:
    """The most probable type counts if it is probable enough."""
    nothing, flat = [0.0] * len(PAGE_NUMBERS), dict.fromkeys(PAGE_NUMBERS, [0.0] * 7)
    told = {"j:Product": [0, 0, 0, 0, 0, 5.0, 0]}
    types = type_weights_of({"bias": {"bias": [0.0] * 7}, "tokens": told, "numbers": flat})

    assert named_type(types.shares([], nothing))[0] is PageType.OTHER
    assert named_type(types.shares(["j:Product"], nothing)) == (
        PageType.PRODUCT,
        pytest.approx(0.961, abs=0.01),
    )


def test_the_item_has_the_type_of_the_page() -> None:
    """With its confidence, as fields."""
    html = f"<html><title>News</title><article><h1>News</h1><p>{SENTENCE * 5}</p></article></html>"

    fields = dict(webstencil.extract(html, format="item").fields)

    assert fields["type"] in {str(one) for one in PageType}
    assert 0 < float(fields["type confidence"]) <= 1


def test_text_for_readers_without_scripts_is_read() -> None:
    """Some forums have their posts only there."""
    html = f"<body><noscript><article><p>{SENTENCE * 4}</p></article></noscript></body>"

    assert SENTENCE.strip() in webstencil.extract(f"<html>{html}</html>")


def test_touching_words_of_two_spans_are_parted() -> None:
    """A style sheet separates them; code and Chinese stay as they are."""
    shown = Markup(b"<p><span>Name</span><span>Value</span></p>").text()
    code = Markup(b"<pre><span>de</span><span>f</span></pre>").text()
    chinese = Markup("<p><span>中</span><span>文</span></p>".encode()).text()

    assert (shown.strip(), code.strip(), chinese.strip()) == ("Name Value", "def", "中文")


def cards(number: int) -> str:
    """Return equal cards with a link and a text."""
    return "".join(
        f"<div class='card'><h3><a href='/{one}'>Lamp {one}</a></h3><p>{SENTENCE}{one}</p></div>"
        for one in range(number)
    )


def test_the_policy_leaves_cards_out() -> None:
    """Repeated blocks with a link; the text around them stays."""
    html = f"<html><main><h1>Lamps</h1><p>{SENTENCE * 6}</p>{cards(6)}</main></html>"
    whole = webstencil.extract(html)
    without = webstencil.extract(html, policy=webstencil.Policy(cards=False))

    assert f"{SENTENCE}3" in whole
    assert f"{SENTENCE}3" not in without
    assert SENTENCE.strip() in without


def test_an_announced_list_of_links_is_content() -> None:
    """A text of the content that ends with a colon announces it."""
    items = "".join(f"<li><a href='/{one}'>Api::call_{one}</a></li>" for one in range(5))
    html = (
        f"<html><article><h1>Release</h1><p>{SENTENCE * 3}</p><p>{SENTENCE}The new APIs are:</p>"
        f"<ul>{items}</ul><p>{SENTENCE * 3}</p></article></html>"
    )

    assert "Api::call_3" in webstencil.extract(html)


LOGIN = "<form>Name <input name=n> Password <input type=password></form>"


@pytest.mark.parametrize(
    "html",
    [
        f"<title>404 Not Found</title><h1>Oh no</h1><p>{SENTENCE * 3}</p>",
        f"<title>Log in - Shop</title><p>{SENTENCE}</p>{LOGIN}",
        "<title>Forum</title><div id=app></div><p>Loading</p>",
        "<title>Shop</title>",
    ],
)
def test_a_page_that_says_nothing_is_other(html: str) -> None:
    """Errors, logins and empty shells, whatever their URL."""
    own = packed_types(type_shares(parsed(html, "https://example.org/forum/t/12")))

    assert voted_type(own, b"") == ("other", pytest.approx(1 / 7, abs=0.01))


def test_a_page_with_a_login_beside_its_text_has_a_type() -> None:
    """Forums have one on every page."""
    page = parsed(f"<title>Log in or read</title>{LOGIN}<p>{SENTENCE * 20}</p>", None)

    assert named_type(type_shares(page))[0] is not PageType.OTHER


def test_repeated_blocks_are_measured() -> None:
    """Posts have a date each; a wrapper around all of them is none."""
    posts = "".join(
        f"<div class=post><a href=/u>Ann {n}</a><p>{n} May 2019</p><p>{SENTENCE}</p></div>"
        for n in range(4)
    )
    page = parsed(f"<main><div><p>{SENTENCE}</p>{posts}</div><div><p>Foot</p></div></main>", None)
    found = dict(zip(PAGE_NUMBERS, numbers_of_page(page, flatten(page.markup)), strict=True))

    assert found["posts number"] == pytest.approx(log1p(4))
    assert found["posts dated"] == 1.0
    assert found["products number"] == 0.0
