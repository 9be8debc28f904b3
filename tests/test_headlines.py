"""Headlines and bodies, by size and by kind."""

from dataclasses import replace

from builders import element, paint, text

from webstencil.geometry import Rect
from webstencil.items.headlines import kind_items, mark, marked_items
from webstencil.model import Area, PageArea

PAGE = paint(
    element(text("A title", at=(0, 0, 500, 40)), font_size=32.0),
    element(text("All the words of a long article " * 9, at=(0, 50, 900, 700))),
    element(text("About us", at=(0, 800, 100, 820))),
    element(text("Imprint", at=(0, 900, 100, 920))),
)
AREAS = (
    Area(Rect(0, 0, 1000, 1000), ()),
    Area(Rect(0, 0, 500, 40), (2,), 0, attributes=(("doc", 9),)),
    Area(Rect(0, 50, 900, 700), (4,), 0),
    Area(Rect(0, 800, 100, 820), (6,), 0),
    Area(Rect(0, 900, 100, 920), (8,), 0),
)


def located(number: int, words: str, kind: str | None = None) -> PageArea:
    return PageArea(number, 0, kind, words, f"#a{number}", f"/a{number}", Rect(0, 0, 9, 9), 1, 0.5)


def test_what_has_larger_letters_is_a_headline_and_what_is_larger_is_a_body() -> None:
    """CPS paper, section 7; what the segmenter says of an area stays."""
    marked = mark(PAGE, AREAS)

    names = [[name for name, _ in area.attributes] for area in marked]
    assert names == [[], ["doc", "headline"], ["body"], [], []]
    assert [replace(area, attributes=()) for area in marked] == [
        replace(area, attributes=()) for area in AREAS
    ]


def test_a_page_that_hits_has_the_headlines_and_bodies_of_its_stencil() -> None:
    """With its own words; an area without any gives no item."""
    marked = mark(PAGE, AREAS)

    areas = [located(1, "Another title"), located(2, ""), located(3, "About")]
    items = marked_items(replace(area, attributes=marked[area.id].attributes) for area in areas)

    assert [(item.kind, item.text, item.selector, item.area) for item in items] == [
        ("headline", "Another title", "#a1", 1)
    ]
    assert items[0].how == "font size 2.0 times the mean"
    assert items[0].confidence == 0.35


def test_kinds_of_areas_give_items_too() -> None:
    """Only headlines and bodies."""
    areas = [located(1, "Title", "headline"), located(2, "Words", "body"), located(3, "Us", "menu")]

    assert [(item.kind, item.text) for item in kind_items(areas)] == [
        ("headline", "Title"),
        ("body", "Words"),
    ]


def test_a_page_without_text_or_areas_has_none() -> None:
    """Nothing is divided by nothing."""
    empty = paint()

    assert mark(empty, ()) == ()
    assert mark(empty, AREAS) == AREAS
