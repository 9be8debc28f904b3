"""Dates in short texts."""

import pytest

from webstencil.items.dates import find_date


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2017-06-25T15:58:40-05:00", "2017-06-25"),
        ("Posted on 2014/9/2 by me", "2014-09-02"),
        ("2019年3月5日", "2019-03-05"),
        ("22.08.2014", "2014-08-22"),
        ("Mon 1st of March 2021", "2021-03-01"),
        ("5 de mayo de 2018", "2018-05-05"),
        ("12. Januar 2020", "2020-01-12"),
        ("le 14 juillet 1999", "1999-07-14"),
        ("September 14, 2016 | Office of the Mayor", "2016-09-14"),
        ("Dec. 3 2009", "2009-12-03"),
        ("24/02/2013", "2013-02-24"),
        ("02/24/2013", "2013-02-24"),
        ("5/5/2013", "2013-05-05"),
    ],
)
def test_a_date_is_read(text: str, iso: str) -> None:
    """In the forms of people and of programs."""
    found = find_date(text)

    assert found is not None
    assert found.iso == iso


@pytest.mark.parametrize("text", ["3/4/2020", "July 13", "Sept. 26"])
def test_a_date_that_is_not_clear_is_found_and_not_read(text: str) -> None:
    """It may be in March or in April, or of any year."""
    found = find_date(text)

    assert found is not None
    assert (found.written, found.iso) == (text, "")


@pytest.mark.parametrize("text", ["", "Version 1.71.0", "2020-13-45", "Mark 5"])
def test_what_is_no_date_is_none(text: str) -> None:
    """Numbers alone do not make one."""
    assert find_date(text) is None
