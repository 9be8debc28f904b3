"""VIPS: known answers on small pages, step by step and as a whole."""

from dataclasses import replace
from itertools import pairwise

import pytest
from builders import (
    GREY,
    Sketch,
    element,
    image,
    inline,
    leaf_texts,
    leaves,
    line,
    paint,
    snapshot_of,
    text,
)

from webstencil.geometry import EMPTY, Rect
from webstencil.model import Area, Snapshot
from webstencil.segment import VIPS
from webstencil.segment.vips.blocks import (
    BlockLimits,
    BoxClass,
    VisualBlock,
    box_class,
    extract_blocks,
)
from webstencil.segment.vips.canvas import CanvasLine, VipsCanvas, in_columns, vips_canvas
from webstencil.segment.vips.structure import (
    BlockSeparator,
    BlockSpacing,
    Measures,
    StructureNode,
    block_separators,
    content_structure,
    cut_parts,
    degrees,
    heaviest,
    line_cover,
    split_part,
)

PAGE = Rect(0.0, 0.0, 1000.0, 1000.0)
LIMITS = BlockLimits(node_share=0.05, child_share=0.1, side=16.0)
SPACING = BlockSpacing(thickness=3.0, adjacency=2.0)
MEASURES = Measures(LIMITS, SPACING, rounds=20)
AT_A_GLANCE = 0.05 * 1366 * 768  # px²

Corners = tuple[float, float, float, float]


def paragraph(words: str, at: Corners, **style: object) -> Sketch:
    """A paragraph in the font for which gaps are weighed as they are."""
    return element(text(words, at=at), **({"font_size": 13.0} | style))


def two_columns() -> Snapshot:
    """A page with a header, a middle of two columns, and a footer."""
    return paint(
        paragraph("head", (0, 0, 1000, 80)),
        paragraph("left", (0, 120, 480, 800)),
        paragraph("right", (520, 120, 1000, 800)),
        paragraph("foot", (0, 840, 1000, 1000)),
    )


def blocks_of(snapshot: Snapshot) -> tuple[VipsCanvas, tuple[VisualBlock, ...]]:
    """Extract the blocks of a whole page, its root opened."""
    canvas = vips_canvas(snapshot)
    return canvas, extract_blocks(canvas, [0], snapshot.rect, LIMITS, opened=0)


def box_with(canvas: VipsCanvas, words: str) -> int:
    """Find the box that a text stands in."""
    return next(box.parent for box in canvas.boxes if box.text == words)


def separators_of(snapshot: Snapshot) -> tuple[BlockSeparator, ...]:
    canvas, blocks = blocks_of(snapshot)
    return block_separators(canvas, blocks, SPACING)


def names(canvas: VipsCanvas, blocks: tuple[VisualBlock, ...]) -> list[tuple[str, int]]:
    """Name blocks by their first text, with their degrees of coherence."""
    named = []
    for block in blocks:
        box = block.box
        while canvas.children[box]:
            box = canvas.children[box][0]
        named.append((canvas.boxes[box].text or "image", block.doc))
    return named


# V1 to V8


def test_columns_are_found_between_header_and_footer() -> None:
    """V1: the gutter is hidden by the header until a second round enters the middle."""
    snapshot = two_columns()

    parts = content_structure(vips_canvas(snapshot), PAGE, MEASURES)

    assert [separator.horizontal for separator in separators_of(snapshot)] == [True, True]
    assert [(part.parent, len(part.blocks)) for part in parts] == [
        *((-1, 4), (0, 1), (0, 2), (0, 1)),
        *((2, 1), (2, 1)),
    ]


def test_areas_of_columns_between_header_and_footer() -> None:
    """V1 as a whole: the areas with their rectangles and nodes, in reading order."""
    areas = VIPS().segment(two_columns())

    assert [(area.parent, area.nodes, area.rect) for area in areas] == [
        (-1, (), PAGE),
        (0, (2,), Rect(0, 0, 1000, 80)),
        (0, (), Rect(0, 120, 1000, 800)),
        (2, (4,), Rect(0, 120, 480, 800)),
        (2, (6,), Rect(520, 120, 1000, 800)),
        (0, (8,), Rect(0, 840, 1000, 1000)),
    ]


def test_unequal_columns_have_one_separator() -> None:
    """V2: no header, so the gutter is found at once, and nothing across."""
    snapshot = paint(
        paragraph("left", (0, 0, 480, 900)),
        paragraph("right", (520, 0, 1000, 300)),
    )

    assert separators_of(snapshot) == (
        BlockSeparator(horizontal=False, start=480, end=520, weight=3 + 8),
    )


@pytest.mark.parametrize(("weight", "doc"), [(400, 10), (700, 9)])
def test_a_paragraph_is_one_block(weight: int, doc: int) -> None:
    """V3: markup in a text does not divide it, but several fonts make it less coherent."""
    snapshot = paint(
        element(
            text("plain", at=(0, 0, 400, 20)),
            inline(text("marked", at=(400, 0, 500, 20)), font_weight=weight),
            text("plain again", at=(500, 0, 900, 20)),
        ),
        paragraph("next", (0, 400, 900, 800)),
    )

    canvas, blocks = blocks_of(snapshot)

    assert names(canvas, blocks) == [("plain", doc), ("next", 10)]


def test_a_line_makes_its_separator_heavier() -> None:
    """V4: of two equal gaps the one with the HR weighs more, and it stays one gap."""
    snapshot = paint(
        paragraph("one", (0, 0, 1000, 200)),
        paragraph("two", (0, 240, 1000, 500)),
        line(at=(0, 519, 1000, 521)),
        paragraph("three", (0, 540, 1000, 900)),
    )

    assert separators_of(snapshot) == (
        BlockSeparator(horizontal=True, start=200, end=240, weight=3 + 8 - 3),
        BlockSeparator(horizontal=True, start=500, end=540, weight=3 + 8 - 3 + 2),
    )


def test_a_coloured_cell_is_kept_whole() -> None:
    """V5: rule 8 divides the row and keeps the cell of another background."""
    cells = (
        element(
            *(paragraph(f"{word} {top}", (left, top, left + 300, top + 400)) for top in (0, 450)),
            display="table-cell",
            background=ground,
        )
        for word, left, ground in (("plain", 0, ""), ("grey", 340, GREY), ("last", 680, ""))
    )
    snapshot = paint(element(element(*cells, display="table-row"), display="table"))
    canvas = vips_canvas(snapshot)
    row = canvas.boxes[canvas.boxes[box_with(canvas, "grey 0")].parent].parent

    blocks = extract_blocks(canvas, [row], canvas.rects[row], LIMITS)

    assert names(canvas, blocks) == [("plain 0", 6), ("grey 0", 6), ("last 0", 6)]
    assert [canvas.boxes[block.box].style.background for block in blocks] == ["", GREY, ""]


def test_a_flex_container_is_not_inline() -> None:
    """V6: its children break the line whatever their tags, so it follows the rules of DIVs."""
    snapshot = paint(
        element(
            paragraph("one", (0, 0, 480, 500)),
            paragraph("two", (520, 0, 1000, 500)),
            display="flex",
        ),
        element(
            paragraph("three", (0, 600, 480, 900)),
            paragraph("four", (520, 600, 1000, 900)),
            display="inline-flex",
        ),
    )

    canvas, blocks = blocks_of(snapshot)
    flex = canvas.boxes[box_with(canvas, "one")].parent
    inline_flex = canvas.boxes[box_with(canvas, "three")].parent

    assert box_class(canvas, flex) is BoxClass.OTHER
    assert box_class(canvas, inline_flex) is BoxClass.OTHER
    assert [name for name, _ in names(canvas, blocks)] == ["one", "two", "three", "four"]


def test_equal_separators_are_weighed_by_themselves() -> None:
    """V7: a page whose separators all weigh the same is split if they are heavy."""
    wide = paint(*(paragraph(str(top), (0, top, 1000, top + 200)) for top in (0, 260, 520, 780)))
    narrow = paint(*(paragraph(str(top), (0, top, 1000, top + 200)) for top in (0, 216, 432, 648)))

    assert leaf_texts(wide, VIPS().segment(wide)) == [("0",), ("260",), ("520",), ("780",)]
    assert leaf_texts(narrow, VIPS().segment(narrow)) == [("0", "216", "432", "648")]


def test_what_lies_elsewhere_does_not_change_a_coherence() -> None:
    """The scale of weights is the same for all pages: a thin gap below leaves a list whole."""
    rows = [paragraph(str(top), (0, top, 1000, top + 200)) for top in (0, 216, 432)]
    narrow = [paragraph(str(top), (0, top, 1000, top + 100)) for top in (700, 804)]
    alone, together = paint(element(*rows)), paint(element(*rows), element(*narrow))

    assert leaf_texts(alone, VIPS().segment(alone)) == [("0", "216", "432")]
    assert ("0", "216", "432") in leaf_texts(together, VIPS().segment(together))


def test_a_gap_across_two_columns_is_chance() -> None:
    """Columns that both have a gap at the same height are parted before it parts them."""
    left = [paragraph(f"left {top}", (0, top, 450, top + 300)) for top in (0, 360)]
    right = [paragraph(f"right {top}", (480, top, 930, top + 300)) for top in (0, 360)]
    snapshot = paint(element(*left), element(*right))

    areas = VIPS().segment(snapshot)

    assert [area.rect for area in areas if area.parent == 0] == [
        Rect(0, 0, 450, 660),
        Rect(480, 0, 930, 660),
    ]


def test_boxes_that_do_not_face_each_other_have_no_edge_between_them() -> None:
    """A line that ends where a coloured box begins in the next column is no border of it."""
    white = paragraph("words", (0, 0, 450, 301))
    grey = element(
        paragraph("menu", (510, 300, 960, 600)), at=(510, 300, 960, 600), background=GREY
    )
    snapshot = paint(white, grey)
    blocks = [VisualBlock(box, snapshot.boxes[box].rect, 8) for box in (2, 4)]

    found = block_separators(vips_canvas(snapshot), blocks, BlockSpacing(3.0, 2.0))

    assert [separator.horizontal for separator in found] == [False]


def test_a_larger_permitted_coherence_only_splits_further() -> None:
    """V8: from 1 to 10 each cut refines the one before, and no text is lost."""
    snapshot = two_columns_of_stories()
    texts = sorted(box.text for box in snapshot.boxes if box.text)

    cuts = [leaf_texts(snapshot, VIPS(pdoc=pdoc).segment(snapshot)) for pdoc in range(1, 11)]

    assert all(sorted(sum(cut, ())) == texts for cut in cuts)
    for coarse, fine in pairwise(cuts):
        assert all(any(set(piece) <= set(area) for area in coarse) for piece in fine)
    assert len(cuts[0]) < len(cuts[-1])


def links(left: float, top: float, count: int, words: str = "a link") -> list[Sketch]:
    """A list of links, one below the other."""
    tops = [top + 24 * number for number in range(count)]
    return [paragraph(words, (left, at, left + 90, at + 16)) for at in tops]


def test_rule_10_finds_a_row_of_lists_less_coherent_than_a_list() -> None:
    """Columns of text under one headline are several things, a list or a row of menus is one."""
    footer = element(
        paragraph("Everything we have", (0, 0, 400, 16)),
        element(*links(0, 30, 6)),
        element(*links(300, 30, 6)),
    )
    listing = element(*links(600, 0, 8))
    menus = element(*links(600, 400, 1), *links(700, 400, 1), *links(800, 400, 1))

    _, blocks = blocks_of(paint(footer, listing, menus))

    assert [block.doc for block in blocks] == [7, 8, 8]


def test_pictures_beside_a_list_make_no_columns() -> None:
    """Only text stands in columns: what is said about pictures goes with them."""
    pictures = [image(at=(0, top, 80, top + 50)) for top in (0, 60, 120, 180, 240, 300)]
    words = [paragraph("what it shows", (100, top, 300, top + 40)) for top in (0, 60, 120, 180)]
    canvas = vips_canvas(paint(element(*pictures, *words)))

    assert not in_columns(canvas, 0)


def card(left: float, **style: object) -> Sketch:
    """A picture with words below it, in a box."""
    return element(
        image(at=(left, 10, left + 300, 310)),
        paragraph("what it is about", (left, 360, left + 300, 500)),
        at=(left - 10, 0, left + 310, 510),
        **style,
    )


def test_rule_8_keeps_framed_boxes_whole() -> None:
    """Cards beside each other are cards, not a row of pictures over a row of texts."""
    framed = {"border": (1.0, 1.0, 1.0, 1.0), "border_color": "rgb(0, 0, 0)"}

    plain = leaves(VIPS().segment(paint(card(10), card(360), card(710))))
    cards = leaves(VIPS().segment(paint(*(card(left, **framed) for left in (10, 360, 710)))))
    grey = leaves(VIPS().segment(paint(*(card(at, background=GREY) for at in (10, 360, 710)))))

    assert len(plain) > 3
    assert [area.rect.left for area in cards] == [area.rect.left for area in grey] == [0, 350, 700]


def article(words: str) -> Sketch:
    """Paragraphs with a headline and a picture between them."""
    return element(
        paragraph(words, (0, 100, 1000, 300)),
        paragraph("Headline", (0, 330, 1000, 360), font_size=24.0),
        image(at=(0, 400, 1000, 600)),
        paragraph(words, (0, 630, 1000, 900)),
    )


def test_rule_4_keeps_running_text_whole() -> None:
    """An article is one block however large it is; a column of short things is not."""
    head = paragraph("head", (0, 0, 1000, 60))

    _, whole = blocks_of(paint(head, article("Words that make up a paragraph of some length.")))
    _, apart = blocks_of(paint(head, article("Short words.")))

    assert [block.doc for block in whole] == [10, 8]
    assert len(apart) == 5


def test_running_text_is_divided_by_the_finest_cuts() -> None:
    """What a reader takes as one text can still be had in paragraphs, without flows."""
    page = paint(
        paragraph("head", (0, 0, 1000, 60)),
        article("Words that make up a paragraph of some length."),
    )

    assert len(leaves(VIPS(flow=False).segment(page))) == 2
    assert len(leaves(VIPS(pdoc=9, flow=False).segment(page))) > 3


def two_columns_of_stories() -> Snapshot:
    """A page with separators of many weights."""
    stories = [
        element(
            paragraph(f"title {left} {top}", (left, top, left + 200, top + 30), font_size=24.0),
            paragraph(f"date {left} {top}", (left, top + 35, left + 100, top + 50)),
            paragraph(f"words {left} {top}", (left, top + 62, left + 450, top + 200)),
        )
        for left in (0, 530)
        for top in (150, 420, 690)
    ]
    return paint(
        paragraph("head", (0, 0, 1000, 60), font_size=32.0),
        element(*stories[:3]),
        element(*stories[3:]),
        paragraph("foot", (0, 960, 1000, 1000), font_size=10.0),
    )


# Blocks


def test_rules_leave_small_boxes_whole() -> None:
    """Rule 9 keeps a small box with text, rule 10 one with small children; large ones divide."""
    menu = [paragraph(f"item {top}", (0, top, 90, top + 20)) for top in (0, 30, 60)]
    snapshot = paint(
        element(*menu),
        element(text("caption", at=(200, 0, 400, 20)), paragraph("note", (200, 30, 400, 50))),
        element(
            paragraph("column", (0, 200, 490, 900)),
            paragraph("aside", (510, 200, 1000, 900)),
        ),
    )

    canvas, blocks = blocks_of(snapshot)

    assert names(canvas, blocks) == [("item 0", 8), ("caption", 5), ("column", 10), ("aside", 10)]


def test_floats_that_stick_out_divide_their_box() -> None:
    """Rule 7: a flat wrapper is not what a reader sees."""
    snapshot = paint(
        element(
            paragraph("small float", (0, 0, 100, 100), floating="left"),
            paragraph("second float", (150, 0, 250, 100), floating="left"),
            at=(0, 0, 1000, 0),
        ),
        paragraph("below", (0, 300, 1000, 900)),
    )

    canvas, blocks = blocks_of(snapshot)

    assert [name for name, _ in names(canvas, blocks)] == ["small float", "second float", "below"]


@pytest.mark.parametrize(("bottom", "kept"), [(560.0, 1), (900.0, 8)])
def test_a_line_divides_only_where_much_lies_on_both_sides(bottom: float, kept: int) -> None:
    """Rule 6: a line before the last words of an article does not take it apart."""
    above = [paragraph(f"p {top}", (0, top, 1000, top + 80)) for top in (0, 100, 200, 300, 400)]
    below = [paragraph(f"p {top}", (0, top, 1000, top + 20)) for top in (530, 560)]
    below += [paragraph("end", (0, 600, 1000, bottom - 220))] if bottom > 600 else []
    snapshot = paint(
        element(*above, line(at=(0, 500, 1000, 502)), *below), paragraph("x", (0, 950, 1000, 990))
    )

    _, blocks = blocks_of(snapshot)

    assert len(blocks) - 1 == kept


def test_cells_of_a_row_are_divided_alike() -> None:
    """Rule 11: if one cell is divided, so is the next."""
    cells = (
        element(element(*(paragraph(f"a{top}", (0, top, 400, top + 400)) for top in (0, 450)))),
        element(*(paragraph(f"b{top}", (500, top, 900, top + 400)) for top in (0, 450))),
    )
    row = element(
        *(replace(cell, style=(("display", "table-cell"),)) for cell in cells), display="table-row"
    )
    snapshot = paint(row)

    canvas, blocks = blocks_of(snapshot)

    assert [name for name, _ in names(canvas, blocks)] == ["a0", "a450", "b0", "b450"]


def test_classes_come_from_display() -> None:
    """A DIV shown as a cell is a cell, and an inline box with a block inside is not inline."""
    snapshot = paint(
        element(paragraph("cell", (0, 0, 10, 10)), display="table-cell"),
        element(inline(text("in a line", at=(0, 20, 10, 30)))),
        inline(paragraph("block", (0, 40, 10, 50))),
        element(paragraph("item", (0, 60, 10, 70)), display="list-item"),
        element(paragraph("body", (0, 80, 10, 90)), display="table-row-group"),
    )
    canvas = vips_canvas(snapshot)
    body = canvas.children[1]

    assert [box_class(canvas, box) for box in body] == [
        BoxClass.CELL,
        BoxClass.PARAGRAPH,
        BoxClass.OTHER,
        BoxClass.ITEM,
        BoxClass.TABLE,
    ]


# What is seen


def test_what_is_not_seen_does_not_count() -> None:
    """Hidden text, tracking pixels and empty boxes are no content; what is clipped off neither."""
    snapshot = paint(
        element(text("hidden", at=(0, 0, 500, 20), visible=False)),
        image(at=(0, 40, 1, 41)),
        element(at=(0, 60, 1000, 100), background=GREY),
        element(paragraph("half seen", (0, 200, 500, 220)), at=(0, 200, 250, 220), clips=True),
    )

    canvas = vips_canvas(snapshot)

    assert canvas.rects[0] == Rect(0, 200, 250, 220)


def test_a_box_is_as_large_as_what_shows_of_it() -> None:
    """Margins are left out; a background or a frame of its own shows, a single border does not."""
    words = text("words", at=(100, 100, 200, 120))
    room: Corners = (0, 0, 1000, 500)
    looks: list[dict[str, object]] = [
        {},
        {"background": GREY},
        {"border": (1.0, 1.0, 1.0, 1.0), "border_color": GREY},
        {"border": (1.0, 0.0, 0.0, 0.0), "border_color": GREY},
    ]

    seen = [vips_canvas(paint(element(words, at=room, **look))).rects[2] for look in looks]

    tight, whole = Rect(100, 100, 200, 120), Rect(0, 0, 1000, 500)
    assert seen == [tight, whole, whole, tight]


def test_borders_and_thin_boxes_are_lines() -> None:
    """HRs, thin boxes and visible borders are lines; a border as white as the page is none."""
    snapshot = paint(
        line(at=(0, 100, 1000, 102)),
        element(at=(500, 0, 501, 400), background=GREY),
        paragraph("x", (0, 200, 300, 220), border=(0, 0, 1.0, 0), border_color=GREY),
        paragraph(
            "y", (0, 300, 300, 320), border=(0, 0, 1.0, 0), border_color="rgb(255, 255, 255)"
        ),
    )

    canvas = vips_canvas(snapshot)

    assert canvas.level_lines == (CanvasLine(101, 0, 1000), CanvasLine(220, 0, 300))
    assert canvas.upright_lines == (CanvasLine(500.5, 0, 400),)


def test_lines_are_measured_without_counting_twice() -> None:
    """The borders of neighbouring cells cover a side together, once."""
    lines = [CanvasLine(10, 0, 40), CanvasLine(11, 30, 60), CanvasLine(10, 90, 200)]

    assert line_cover(lines, (0, 100)) == 60 + 10


def test_a_picture_in_the_place_of_words_is_content() -> None:
    """A background image with hidden words is a logo or a menu; one without is decoration."""
    hidden = text("Home", at=(0, 0, 100, 20), visible=False)
    menu = element(hidden, at=(0, 0, 200, 40), background_image=True)
    corner = element(at=(0, 60, 200, 100), background_image=True)
    snapshot = paint(menu, corner, paragraph("story", (0, 200, 1000, 900)))

    areas = VIPS().segment(snapshot)

    assert vips_canvas(snapshot).rects[0] == Rect(0, 0, 1000, 900)
    assert [area.nodes for area in leaves(areas)] == [(2,), (5,)]


def test_a_block_is_as_large_as_the_button_it_is_on() -> None:
    """Rule 2 goes through a coloured box to its words; the block keeps the box's rectangle."""
    buttons = (
        element(inline(text(word, at=(20, top + 20, 80, top + 40))), at=(0, top, 1000, top + 400))
        for word, top in (("one", 0), ("two", 500))
    )
    coloured = (replace(button, style=(*button.style, ("background", GREY))) for button in buttons)

    _, blocks = blocks_of(paint(*coloured))

    assert [block.rect for block in blocks] == [Rect(0, 0, 1000, 400), Rect(0, 500, 1000, 900)]


# Separators


def test_thin_gaps_part_nothing_unless_an_edge_is_seen() -> None:
    """Blocks that touch are parted by two backgrounds, or by a line between them."""
    one, two = (0, 0, 1000, 300), (0, 300, 1000, 900)

    plain = separators_of(paint(paragraph("1", one), paragraph("2", two)))
    coloured = separators_of(paint(paragraph("1", one), paragraph("2", two, background=GREY)))
    ruled = separators_of(
        paint(paragraph("1", one, border=(0, 0, 1.0, 0), border_color=GREY), paragraph("2", two))
    )

    assert plain == ()
    assert coloured == (BlockSeparator(horizontal=True, start=300, end=300, weight=3 + 1 + 2 - 3),)
    assert ruled == (BlockSeparator(horizontal=True, start=300, end=300, weight=3 + 1 + 2 - 3),)


def test_a_larger_font_below_begins_something_new() -> None:
    """A heading is farther from the text above it than from its own."""
    snapshot = paint(
        paragraph("text", (0, 0, 1000, 400)),
        paragraph("heading", (0, 420, 1000, 450), font_size=15.0),
        paragraph("more text", (0, 470, 1000, 900)),
    )

    above, below = separators_of(snapshot)

    assert above.weight == 3 + 4 + 2 + 2 - 3
    assert below.weight == 3 + 4 + 2 - 3


def test_gaps_are_measured_by_the_print() -> None:
    """In a font twice as large, a gap twice as wide says the same."""

    def weight(font: float, gap: float) -> int:
        one = paragraph("one", (0, 0, 1000, 400), font_size=font)
        two = paragraph("two", (0, 400 + gap, 1000, 900), font_size=font)
        (separator,) = separators_of(paint(one, two))
        return separator.weight

    assert weight(26.0, 60.0) == weight(13.0, 30.0) == 3 + 6 - 3
    assert weight(8.0, 30.0) == weight(13.0, 30.0)


def test_unlike_neighbours_are_farther_apart() -> None:
    """Text beside text is lighter than text beside a picture."""
    texts = paint(paragraph("1", (0, 0, 1000, 400)), paragraph("2", (0, 420, 1000, 900)))
    mixed = paint(paragraph("1", (0, 0, 1000, 400)), image(at=(0, 420, 1000, 900)))

    assert [it.weight for it in separators_of(texts)] == [3 + 4 - 3]
    assert [it.weight for it in separators_of(mixed)] == [3 + 4]


# Structure


def part(*rects: Corners) -> StructureNode:
    blocks = tuple(VisualBlock(box, Rect(*rect), 8) for box, rect in enumerate(rects))
    return StructureNode(-1, blocks, PAGE, PAGE)


def test_the_heaviest_separators_split_first() -> None:
    """A page is split along its heaviest separators; each part is then split along lighter ones."""
    whole = part((0, 0, 100, 10), (0, 20, 100, 30), (0, 60, 100, 70))
    light, heavy = BlockSeparator(True, 10, 20, 5), BlockSeparator(True, 30, 60, 9)

    tree = split_part(whole, [light, heavy])

    assert [(it.parent, it.weight, len(it.blocks)) for it in tree] == [
        *((-1, 9, 3), (0, 5, 2), (0, 0, 1)),
        *((1, 0, 1), (1, 0, 1)),
    ]
    assert [it.cell.top for it in tree] == [0, 0, 30, 0, 10]
    assert [it.cell.bottom for it in tree] == [1000, 60, 1000, 20, 60]


def test_rows_come_before_columns_where_weights_are_equal() -> None:
    """A grid is read row by row."""
    grid = part((0, 0, 40, 40), (60, 0, 100, 40), (0, 60, 40, 100), (60, 60, 100, 100))
    across, down = BlockSeparator(True, 40, 60, 7), BlockSeparator(False, 40, 60, 7)

    tree = split_part(grid, [down, across])

    assert [[block.box for block in it.blocks] for it in tree] == [
        *([0, 1, 2, 3], [0, 1], [2, 3]),
        *([0], [1], [2], [3]),
    ]


def test_degrees_rise_from_parent_to_child() -> None:
    """The heaviest separator inside decides, on a scale from 10 down to 1, above the floor."""
    parts = [
        StructureNode(-1, (), PAGE, PAGE, weight=5),
        StructureNode(0, (), PAGE, PAGE, weight=23),
        StructureNode(0, (), PAGE, PAGE, weight=14, floor=8),
        StructureNode(1, (), PAGE, PAGE),
        StructureNode(1, (), Rect(0, 0, 10, 10), PAGE, weight=14),
    ]

    assert heaviest(parts) == [23, 23, 14, 0, 14]
    assert degrees(parts, AT_A_GLANCE) == [1, 1, 8, 10, 9]


def test_a_cut_leaves_coherent_parts_whole() -> None:
    """Parts are entered as long as they are not more coherent than permitted."""
    parts = [StructureNode(parent, (), PAGE, PAGE, weight=5) for parent in (-1, 0, 0, 1, 1, 2)]
    docs = [1, 6, 7, 10, 10, 10]

    assert cut_parts(parts, docs, 6) == [0, 1, 3, 4, 2]


# Pages


def test_overlapping_blocks_do_not_keep_a_page_in_one_piece() -> None:
    """A logo over a coloured menu hides all separators; they are looked for behind colours."""
    snapshot = paint(
        element(paragraph("menu", (200, 10, 900, 40)), at=(0, 0, 1000, 50), background=GREY),
        image(at=(0, 0, 180, 990), position="absolute"),
        paragraph("story", (200, 100, 990, 500)),
        paragraph("comment", (200, 560, 990, 990)),
    )

    areas = VIPS().segment(snapshot)

    assert leaf_texts(snapshot, areas) == [(), ("menu",), ("story",), ("comment",)]


def test_a_wrapper_over_which_something_lies_is_opened() -> None:
    """What lies over a column does not hide what is in the column."""
    stories = [paragraph(f"story {top}", (0, top, 1000, top + 200)) for top in (0, 300, 600)]
    badge = image(at=(950, 150, 1000, 350), position="absolute")
    snapshot = paint(element(*stories, at=(0, 0, 1000, 1000)), badge)

    areas = VIPS().segment(snapshot)

    assert ("story 600",) in leaf_texts(snapshot, areas)


def test_a_list_is_not_split_because_of_what_is_in_its_items() -> None:
    """The gap beside each picture says nothing about the list: what is small is seen as one."""
    items = [
        element(image(at=(0, top, 100, top + 80)), paragraph(f"{top}", (160, top, 600, top + 80)))
        for top in range(0, 1000, 96)
    ]
    snapshot = paint(element(*items), size=(1000.0, 1060.0))

    assert len(leaves(VIPS().segment(snapshot))) == 1
    assert len(leaves(VIPS(pdoc=10).segment(snapshot))) == 2 * len(items)


def test_what_is_fixed_to_the_window_is_an_area_of_its_own() -> None:
    """A cookie bar over an article does not cut it in two."""
    snapshot = paint(
        element(
            paragraph("one", (0, 0, 1000, 450)),
            element(text("cookies", at=(0, 430, 1000, 520)), position="fixed", background=GREY),
            paragraph("two", (0, 465, 1000, 950)),
        )
    )

    areas = VIPS().segment(snapshot)

    assert leaf_texts(snapshot, areas) == [("one", "two"), ("cookies",)]


def test_areas_are_named_by_the_highest_nodes() -> None:
    """An area has the node of all its boxes where there is one, and never one with other areas."""
    menu = element(*(paragraph(f"item {top}", (0, top, 200, top + 20)) for top in (0, 30, 60)))
    bare = text("bare words", at=(0, 800, 1000, 980))
    snapshot = paint(element(element(menu), paragraph("story", (0, 200, 1000, 700)), bare))

    areas = VIPS().segment(snapshot)

    nodes = {area.nodes for area in leaves(areas)}
    assert nodes == {(3,), (11,), (13,)}
    assert [box.text for box in snapshot.boxes if box.node == 13] == ["bare words"]


def test_an_area_reaches_as_far_as_its_colour() -> None:
    """The rectangle of a coloured band is the band, though its box was divided long before."""
    snapshot = paint(
        paragraph("story", (0, 0, 1000, 600)),
        element(
            paragraph("imprint", (100, 720, 400, 940)),
            paragraph("contact", (600, 720, 900, 940)),
            at=(0, 700, 1000, 1000),
            background=GREY,
        ),
    )

    areas = VIPS(pdoc=1).segment(snapshot)

    assert [area.rect for area in leaves(areas)] == [
        Rect(0, 0, 1000, 600),
        Rect(0, 700, 1000, 1000),
    ]


def test_attributes_tell_coherence_weight_and_depth() -> None:
    """Each area says how coherent it is, what separates it inside, and how deep it lies."""
    areas = VIPS().segment(two_columns())

    assert [dict(area.attributes) for area in areas[:4]] == [
        {"doc": 3, "max_separator_weight": 11, "depth": 0},
        {"doc": 10, "max_separator_weight": 0, "depth": 1},
        {"doc": 3, "max_separator_weight": 11, "depth": 1},
        {"doc": 10, "max_separator_weight": 0, "depth": 2},
    ]


def test_an_empty_page_is_one_area() -> None:
    """Nothing to see is an answer as well."""
    assert VIPS().segment(snapshot_of((), EMPTY)) == (
        Area(
            EMPTY,
            (),
            attributes=(("doc", 10), ("max_separator_weight", 0), ("depth", 0)),
        ),
    )


def test_large_pages_are_no_problem() -> None:
    """Many boxes beside each other are done without recursion."""
    rows = [
        element(
            image(at=(0, top, 80, top + 80)),
            *(paragraph(f"{top}", (100, top + at, 900, top + at + 20)) for at in (0, 30, 60)),
        )
        for top in range(0, 60_000, 100)
    ]
    wide = paint(element(*rows), size=(1000.0, 60_000.0))

    assert sum(len(texts) for texts in leaf_texts(wide, VIPS(pdoc=10).segment(wide))) == 1800
