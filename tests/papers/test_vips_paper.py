"""VIPS as the CPS paper sums it up (section 4.1): Ω = (O, Φ, δ)."""

from builders import element, leaf_texts, paint, text

from webstencil.model import NO_PARENT, Snapshot
from webstencil.segment import VIPS
from webstencil.segment.vips import PAPER_VIPS


def page() -> Snapshot:
    """A head over two columns, with wide gaps between all three."""
    column = "Some words of a column that is as high as the other one. " * 4
    return paint(
        element(text("The head of the page", at=(0, 0, 1000, 40)), font_size=30.0),
        element(
            element(text(f"left {column}", at=(0, 140, 440, 800))),
            element(text(f"right {column}", at=(560, 140, 1000, 800))),
        ),
    )


def test_section_4_1_blocks_do_not_overlap() -> None:
    """O: the blocks of a page, each again made of blocks, share nothing."""
    snapshot = page()
    areas = PAPER_VIPS.segment(snapshot)

    leaves = leaf_texts(snapshot, areas)

    assert [words[0].split()[0] for words in leaves] == ["The", "left", "right"]
    for number, area in enumerate(areas):
        for other in areas[:number]:
            assert other.parent != area.parent or not other.rect.overlaps(area.rect)


def test_section_4_1_separators_have_weights() -> None:
    """Φ: a level band below the head, an upright one between the columns."""
    snapshot = page()

    found = PAPER_VIPS.structure(snapshot)

    bands = [(it.horizontal, it.start, it.end) for each in found for it in each.separators]
    assert bands == [(True, 40.0, 140.0), (False, 440.0, 560.0)]
    assert all(it.weight > 0 for each in found for it in each.separators)
    assert [len(each.separators) for each in found] == [1, 0, 1, 0, 0]


def test_section_4_1_adjacent_blocks_are_related() -> None:
    """δ: the head and what is below it, then the two columns."""
    found = PAPER_VIPS.structure(page())

    assert [each.neighbours for each in found] == [((1, 2),), (), ((3, 4),), (), ()]


def test_section_4_1_relations_name_areas_of_the_result() -> None:
    """Neighbours have the same parent: the area that they are told of."""
    for segmenter in (PAPER_VIPS, VIPS()):
        areas = segmenter.segment(page())
        for number, each in enumerate(segmenter.structure(page())):
            for one, other in each.neighbours:
                assert areas[one].parent == areas[other].parent == number


def test_section_4_1_the_root_is_the_page() -> None:
    """The result is a tree."""
    areas = PAPER_VIPS.segment(page())

    assert [area.parent for area in areas].count(NO_PARENT) == 1
    assert areas[0].rect == page().rect
