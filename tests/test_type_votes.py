"""Pages of one template vote on the type of each."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_site import site_pages

from webstencil.jobs.survey import decide_templates, survey
from webstencil.model import RawPage
from webstencil.site.site_model import SiteModel
from webstencil.site.templates import described_template, find_templates
from webstencil.site.type_votes import (
    EACH,
    agreed,
    decides,
    has_vote,
    is_readable,
    mean_of_votes,
    packed_types,
)
from webstencil.store import open_store

SURE, UNSURE = (0.94, 0.02, 0.02, 0.02), (0.2, 0.4, 0.2, 0.2)

shares = st.lists(st.floats(0, 1), min_size=4, max_size=4)


@given(st.lists(shares, max_size=9), st.randoms())
def test_the_order_of_voters_makes_no_difference(pages: list[list[float]], random: object) -> None:
    """Sums are of whole numbers."""
    votes = [packed_types(one) for one in pages]
    shuffled = sorted(votes, key=lambda _: random.random())  # type: ignore[attr-defined]  # its own

    assert mean_of_votes(votes) == mean_of_votes(shuffled)


def test_a_sure_template_decides_alone() -> None:
    """One vote is not enough: then a page has its own type."""
    votes = mean_of_votes([packed_types(SURE), packed_types(SURE)])

    assert (
        agreed(packed_types(UNSURE), votes) == agreed(b"", votes) == pytest.approx(SURE, abs=0.02)
    )
    assert decides(votes)
    assert mean_of_votes([packed_types(SURE)]) == b""
    assert not decides(b"")
    assert agreed(packed_types(UNSURE), b"") == pytest.approx(UNSURE, abs=0.02)
    assert agreed(b"", b"") == ()


def test_pages_of_a_template_that_is_not_sure_are_asked() -> None:
    """Two kinds of pages in one template: each page has its say, and none takes the other's."""
    votes = mean_of_votes([packed_types(SURE), packed_types(SURE[::-1])])
    one, other = agreed(packed_types(SURE), votes), agreed(packed_types(SURE[::-1]), votes)

    assert not decides(votes)
    assert one.index(max(one)) == 0
    assert other.index(max(other)) == 3
    assert agreed(b"", votes)[0] == pytest.approx(agreed(b"", votes)[3])


def test_pages_that_say_nothing_do_not_vote() -> None:
    """Error pages of a template of their own have no type."""
    flat, sure = packed_types([0.25] * 4), packed_types(SURE)

    assert mean_of_votes([flat, sure, sure]) == mean_of_votes([sure, sure])
    assert mean_of_votes([flat, flat, b"", b"\x00abcd"]) == b""
    assert agreed(flat, b"") == pytest.approx([0.25] * 4)


def test_some_pages_have_a_vote() -> None:
    """One in EACH, by the hash of its URL."""
    voters = [has_vote(f"http://a.org/{number}") for number in range(4_000)]

    assert sum(voters) == pytest.approx(4_000 / EACH, rel=0.1)


def test_a_survey_tells_the_type_of_each_template(tmp_path: Path) -> None:
    """From whatever order of pages, and in a store as in memory."""
    pages = [RawPage(url, body) for url, body in site_pages(30).items()]
    found = [told(tmp_path / f"{turn}.db", pages[::turn]) for turn in (1, -1)]

    assert found[0] == found[1]
    assert any(is_readable(types) for _, types in found[0])


def told(store: Path, pages: list[RawPage]) -> list[tuple[str, bytes]]:
    """Survey pages; return what the templates say of their types."""
    with open_store(store) as opened:
        for _ in survey(pages, opened.outlines):
            pass
        (site,) = decide_templates(opened)
        known = opened.templates.of(site)
        model: SiteModel = opened.outlines.model(site)
        assert find_templates(model).templates == known.templates
        assert all(
            bool(described_template(one)["type"]) == bool(one.types) for one in known.templates
        )
        return [(one.name, one.types) for one in known.templates]


def test_pages_of_an_older_store_are_read_again(tmp_path: Path) -> None:
    """They have no types; other uses of their outlines go on."""
    pages = [RawPage(url, body) for url, body in site_pages(12).items()]
    with open_store(tmp_path / "site.db") as store:
        for _ in survey(pages, store.outlines):
            pass
        (site,) = decide_templates(store)
        with store.database.writing("forget types") as db:
            db.exec_driver_sql("UPDATE outline SET types = NULL")
        urls = [page.url for page in pages]

        assert len(store.outlines.known(site, urls)) == 12
        left = store.outlines.known(site, urls, typed=True)
        assert left.keys() == {url for url in urls if not has_vote(url)}
        assert len(left) < 12
        for _ in survey(pages, store.outlines):
            pass
        assert len(store.outlines.known(site, urls, typed=True)) == 12
