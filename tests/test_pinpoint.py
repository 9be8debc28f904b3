"""Nodes picked on one page, found on others of its template."""

import pytest
from builders import page_of

from webstencil import markup
from webstencil.errors import SettingsError
from webstencil.model import Page
from webstencil.picks import (
    Evidence,
    Found,
    Lost,
    LostReason,
    Pick,
    decode_picks,
    encode_picks,
    find_picks,
    pick,
    pick_text,
)

DEEP = 100_000


def book(title: str, rows: str, notice: str = "") -> Page:
    """A page of a book shop's template."""
    return page_of(
        f"<html><body>{notice}<div id=main><h1 class=title>{title}</h1>"
        f"<table class=facts>{rows}</table></div><div id=foot>Imprint</div></body></html>"
    )


def row(name: str, value: str) -> str:
    return f"<tr><th>{name}</th><td>{value}</td></tr>"


FIRST = book("Emma", row("Author:", "Jane Austen") + row("Pages:", "474") + row("Year:", "1815"))


def words(answer: Found | Lost) -> str | LostReason:
    """What an answer reads, or why there is none."""
    return markup.leaf_text(answer.node) if isinstance(answer, Found) else answer.reason


def find(known: Pick, page: Page) -> Found | Lost:
    (answer,), _ = find_picks([known], page)
    return answer


def test_a_picked_text_is_found_on_its_own_page_without_doubt() -> None:
    """All evidence holds where it was taken."""
    answer = find(pick_text(FIRST, "Jane Austen", "author"), FIRST)

    assert isinstance(answer, Found)
    assert (words(answer), answer.confidence) == ("Jane Austen", 1.0)


def test_a_node_is_followed_by_its_label_when_rows_come_and_go() -> None:
    """Its place is another row's now; the words before it tell."""
    page = book(
        "Ulysses",
        row("Author:", "James Joyce") + row("Editor:", "Sylvia Beach") + row("Pages:", "730"),
    )

    assert words(find(pick_text(FIRST, "474", "pages"), page)) == "730"


def test_a_node_is_found_behind_something_that_stands_above_it() -> None:
    """A notice moves all ordinals, but neither labels nor texts."""
    page = book("Ulysses", row("Author:", "James Joyce"), notice="<div>Sale!</div>")

    assert words(find(pick_text(FIRST, "Emma", "title"), page)) == "Ulysses"


def test_a_node_is_found_in_a_wrapper_that_the_first_page_did_not_have() -> None:
    """The words before it nominate what stands after them, whatever the tags."""
    page = book("Ulysses", row("Author:", "<b>James Joyce</b>") + row("Pages:", "730"))

    assert words(find(pick_text(FIRST, "Jane Austen", "author"), page)) == "James Joyce"


def test_a_node_is_found_by_its_label_at_another_depth() -> None:
    """Where nothing stands at its tags, its label is looked for on the whole page."""
    deeper = FIRST.body.decode().replace("<div id=main>", "<center><div id=main>")

    answer = find(pick_text(FIRST, "1815", "year"), page_of(deeper.replace("1815", "1922")))

    assert words(answer) == "1922"


def test_no_answer_is_given_where_the_row_is_missing() -> None:
    """A wrong answer is far worse than none."""
    page = book("Beowulf", row("Pages:", "213") + row("Year:", "1000"))

    answer = find(pick_text(FIRST, "Jane Austen", "author"), page)

    assert isinstance(answer, Lost)


def test_no_answer_is_given_between_two_that_are_alike() -> None:
    """Two cells of the same label differ in nothing but their place, and that is another's."""
    twice = "<p>{}</p><ul><li>{}</li></ul><ul><li>{}</li></ul>"
    known = pick_text(page_of(twice.format("x", "one", "two").replace("<ul>", "", 1)), "one", "n")

    answer = find(known, page_of("<div></div>" + twice.format("y", "three", "four")))

    assert isinstance(answer, Lost)


def test_an_element_can_be_picked_too() -> None:
    """An area is an element with many texts."""
    facts = next(node for node in FIRST.markup.along(("html", "body", "div", "table")))
    page = book("Ulysses", row("Author:", "James Joyce"), notice="<p>Sale!</p>")

    answer = find(pick(FIRST, facts, "facts"), page)

    assert isinstance(answer, Found)
    assert markup.attribute(answer.node, "class") == "facts"


def test_what_cannot_be_picked_is_named() -> None:
    """No text, or several that read alike: the message says which and what to do."""
    empty = page_of("<html><body><p></p>a</body></html>")
    node = empty.markup.along(("html", "body", "p"))[0]

    with pytest.raises(SettingsError, match=r"'x'.*element with text"):
        pick(empty, node, "x")
    with pytest.raises(SettingsError, match=r"2 texts of .* read 'a'"):
        pick_text(page_of("<p>a</p><p>a</p>"), "a", "x")
    with pytest.raises(SettingsError, match="0 texts"):
        pick_text(empty, "b", "x")


def test_a_pick_learns_which_texts_are_the_templates() -> None:
    """A title stands before the first label on each page, but it is never the same."""
    known = (pick_text(FIRST, "Author:", "label"),)
    for title in ("Ulysses", "Walden", "Persuasion"):
        facts = row("Author:", title[::-1]) + row("Pages:", "7") + row("Year:", "1900")
        (answer,), known = find_picks(known, book(title, facts))

        assert words(answer) == "Author:"

    trust = {one.evidence: (one.held, one.failed) for one in known[0].trust}
    assert trust[Evidence.BEFORE] == (0, 3)
    assert trust[Evidence.AFTER_2] == (3, 0)
    assert known[0].pages == 3


def test_a_page_without_the_node_teaches_nothing() -> None:
    """Only what was found is evidence."""
    known = (pick_text(FIRST, "Jane Austen", "author"),)

    answers, taught = find_picks(known, page_of("<html><body><p>404</p></body></html>"))

    assert answers == (Lost("author", LostReason.NO_CANDIDATE, 0.0),)
    assert taught == known


def test_picks_survive_being_stored() -> None:
    """With all they have learned."""
    _, taught = find_picks([pick_text(FIRST, "474", "pages")], FIRST)

    blob = encode_picks(taught)

    assert decode_picks(blob) == taught


def test_labels_with_quotes_and_tags_without_names_do_no_harm() -> None:
    """Attributes and tags are whatever the source has."""
    odd = "<html><body><a:b[ class='x\"\\y' id='\"]'><i>{}</i></a:b[></body></html>"
    known = pick_text(page_of(odd.format("one")), "one", "odd")

    assert words(find(known, page_of(odd.format("two")))) in ("two", LostReason.NO_CANDIDATE)


def test_deep_and_wide_pages_end() -> None:
    """Climbing is bounded by the depth of the picked node."""
    known = pick_text(FIRST, "Jane Austen", "author")
    deep = page_of("<div>" * DEEP + "<table><tr><th>Author:</th><td>x</td></tr></table>")
    wide = book("All", row("Author:", "x") * 20_000)

    assert isinstance(find(known, deep), Lost)
    assert isinstance(find(known, wide), Found | Lost)


def test_the_same_page_gives_the_same_answer() -> None:
    """No order of sets or memory addresses is in it."""
    page = book("Ulysses", row("Author:", "James Joyce"), notice="<p>Sale!</p>")
    known = pick_text(FIRST, "Jane Austen", "author")

    assert find(known, page).confidence == find(known, page).confidence
    again = pick_text(FIRST, "Jane Austen", "author")
    assert encode_picks((known,)) == encode_picks((again,))
