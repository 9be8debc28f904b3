"""Scores that may not fall: how they are kept, rounded and compared."""

from pathlib import Path

import pytest

from webstencil.errors import SourceError
from webstencil.evaluate.floors import Measured, corpus_digest, fallen, read_floors, write_floors

FOUND, CALLED = ("menus", "found"), ("menus", "called")


def menus(found: float, called: float, corpus: str = "x") -> Measured:
    """Make scores of a part: one to be high, one to be low."""
    return Measured(corpus, {FOUND: found, CALLED: called}, "menus")


def test_floors_are_rounded_to_what_was_surely_reached(tmp_path: Path) -> None:
    """Floors down and ceilings up, so that what was measured holds; names nest as deep as told."""
    file = tmp_path / "eval" / "floors.json"
    measured = Measured("x", {("m", "1", "nodes"): 0.519, ("m", "1", "called"): 0.511})
    write_floors(file, [measured], 100)

    assert read_floors(file) == {
        "": Measured("x", {("m", "1", "nodes"): 0.51, ("m", "1", "called"): 0.52})
    }
    assert fallen(file, [measured]) == ()


def test_what_got_worse_is_told(tmp_path: Path) -> None:
    """And so are a score that is not measured any more, and other pages."""
    file = tmp_path / "floors.json"
    write_floors(file, [menus(0.9, 0.1)], 100)

    assert fallen(file, [menus(0.95, 0.05)]) == ()
    assert fallen(file, [menus(0.8, 0.2)]) == (
        "menus, called: 0.2000, floor 0.1",
        "menus, found: 0.8000, floor 0.9",
    )
    assert fallen(file, [Measured("x", {FOUND: 1.0}, "menus")]) == (
        "menus, called was not measured",
    )
    assert fallen(file, [menus(0.9, 0.1, corpus="y")]) == (
        "the floors of menus were measured on other pages (x, not y)",
    )


def test_parts_are_held_one_by_one(tmp_path: Path) -> None:
    """A part that is not measured is neither held nor written anew."""
    file = tmp_path / "floors.json"
    lists = Measured("y", {("lists", "f1"): 0.5}, "lists")
    write_floors(file, [menus(0.9, 0.1)], 100)
    missing = fallen(file, [lists])
    write_floors(file, [lists], 100)

    assert missing == ("the file has no floors of lists",)
    assert read_floors(file) == {"lists": lists, "menus": menus(0.9, 0.1)}


@pytest.mark.parametrize("damaged", ["", "[]", "7", '{"corpus": "x"}', '{"menus": {"scores": {}}}'])
def test_a_file_without_floors_is_named(damaged: str, tmp_path: Path) -> None:
    """Whatever it holds instead."""
    file = tmp_path / "floors.json"
    file.write_text(damaged)

    with pytest.raises(SourceError, match=r"floors\.json has no floors"):
        read_floors(file)


def test_the_digest_hangs_on_all_bytes_and_their_order() -> None:
    """However they are cut."""
    assert (
        corpus_digest([b"ab", b"c"]) == corpus_digest([b"a", b"bc"]) != corpus_digest([b"c", b"ab"])
    )
