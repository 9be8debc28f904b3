"""Which URLs are the same page, and which are none."""

import pytest

from webstencil.crawl.addresses import (
    cleaned,
    credentials,
    identity,
    moved_to,
    refusal,
    same_but_for_form,
    shape,
)

SESSION = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("written", "fetched"),
    [
        ("HTTP://Example.COM:80/a/../b#part", "http://example.com/b"),
        ("https://example.com:443", "https://example.com/"),
        ("https://example.com/?", "https://example.com/"),
        ("https://user:secret@example.com/a", "https://example.com/a"),
        ("https://example.com/a?utm_source=x&id=7&fbclid=y", "https://example.com/a?id=7"),
        (f"https://example.com/a;jsessionid={SESSION}?x=1", "https://example.com/a?x=1"),
        (f"https://example.com/a?PHPSESSID={SESSION}&x=1", "https://example.com/a?x=1"),
        (
            "https://example.com/article.pl?sid=04/07/11",
            "https://example.com/article.pl?sid=04/07/11",
        ),
        ("https://example.com/(S(0123456789abcdef01234567))/a.aspx", "https://example.com/a.aspx"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
    ],
)
def test_address_is_fetched_without_what_makes_no_other_page(written: str, fetched: str) -> None:
    """Fragments, default ports, tracking, sessions, credentials."""
    assert cleaned(written) == fetched


@pytest.mark.parametrize(
    "words", ["mailto:a@b.example", "javascript:go()", "ftp://x/", "http://[::", ""]
)
def test_what_is_no_address_of_the_web_is_none(words: str) -> None:
    """It is never requested."""
    assert cleaned(words) is None


def test_order_of_parameters_and_needless_escapes_make_no_other_page() -> None:
    """The key is the same; other differences make another page."""
    one = identity("https://x.example/%7Eme/%2f?b=2&a=1")

    assert one == identity("https://x.example/~me/%2F?a=1&b=2")
    assert one != identity("https://x.example/~me/%2F?a=1&b=3")
    assert identity("https://x.example/?a=1&s=9", frozenset({"s"})) == "https://x.example/?a=1"


def test_addresses_that_lead_nowhere_are_not_asked_for() -> None:
    """Each for a reason that is counted."""
    assert refusal("https://x.example/photo.JPG") == "not a page by its name"
    assert refusal("https://x.example/File:photo.jpg") == ""
    assert refusal("https://x.example/a/b/a/b/a/b/a/b/") == "path repeats itself"
    assert refusal("https://x.example/?q=" + "x" * 3000) == "URL too long"
    assert refusal("https://x.example/2024/05/06/a-story") == ""


def test_shape_is_the_same_for_pages_of_a_calendar() -> None:
    """And another for another list."""
    assert shape("https://x.example/cal/2024/05?view=day&d=1") == shape(
        "https://x.example/cal/1999/12?d=3&view=day"
    )
    assert shape("https://x.example/cal/1") != shape("https://x.example/list/1")


def test_canonical_address_counts_where_it_names_the_same_page() -> None:
    """Not where all pages name the home page."""
    assert same_but_for_form("https://www.x.example/a/?sort=up", "http://x.example/a/index.html")
    assert not same_but_for_form("https://x.example/", "https://x.example/a")


def test_credentials_are_taken_out_of_an_address() -> None:
    """They are used, and written nowhere."""
    assert credentials("https://me:secret@x.example/a?b#c") == (
        "https://x.example/a?b#c",
        "me",
        "secret",
    )


def test_refresh_is_a_redirect_only_if_it_comes_at_once() -> None:
    """A page that reloads itself later is a page."""
    assert moved_to("0; URL='/new'", "https://x.example/old") == "https://x.example/new"
    assert moved_to("30; url=/new", "https://x.example/old") == ""
    assert moved_to("5", "https://x.example/old") == ""
