"""Pages that wait to be told and saved together."""

import pytest
from store_values import result_of

from webstencil.jobs import work
from webstencil.jobs.work import Together
from webstencil.model import Status
from webstencil.protocols import Done


def hit(name: int) -> Done:
    return Done(result_of(name), b"d")


def test_hits_wait_until_there_are_many() -> None:
    """They are taken in the order in which they came, once."""
    pages = Together()
    due = []
    for number in range(work.MOST_TOGETHER):
        pages.add(hit(number))
        due.append(pages.is_due())

    assert due == [False] * (work.MOST_TOGETHER - 1) + [True]
    assert pages.take() == tuple(hit(number) for number in range(work.MOST_TOGETHER))
    assert pages.take() == ()


def test_a_page_that_cost_more_than_a_hit_is_due_at_once() -> None:
    """And those before it with it."""
    pages = Together()
    pages.add(hit(1))
    pages.add(Done(result_of(2, Status.LEARNED), b"d"))

    assert pages.is_due()
    assert len(pages.take()) == 2
    pages.add(hit(3))
    assert not pages.is_due()


def test_a_hit_waits_no_longer_than_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one tells since when."""
    now = [100.0]
    monkeypatch.setattr(work, "monotonic", lambda: now[0])
    pages = Together()
    pages.add(hit(1))
    now[0] += work.LONGEST_TOGETHER / 2
    pages.add(hit(2))

    assert not pages.is_due()
    now[0] += work.LONGEST_TOGETHER / 2
    assert pages.is_due()


def test_who_waits_is_known_by_address() -> None:
    """So that a page that comes again is not done with the one that waits."""
    pages = Together()
    pages.add(hit(1))

    assert result_of(1).url in pages
    assert result_of(2).url not in pages
