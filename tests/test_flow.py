"""Running text stays in one piece, whatever segmenter has cut it."""

from dataclasses import replace

from builders import Sketch, element, image, inline, paint, text

from webstencil.geometry import Rect
from webstencil.model import NO_PARENT, Area, Snapshot
from webstencil.segment.tidy import tidied

WORDS = "Some words of a paragraph that is long enough. "


def title(top: int, size: float, words: str = "Title") -> Sketch:
    """Draw a title of one line."""
    return element(text(words, at=(0, top, 600, top + 20)), font_size=size)


def paragraph(top: int, words: str = WORDS * 3, left: int = 0) -> Sketch:
    """Draw a paragraph of one line."""
    return element(text(words, at=(left, top, 600, top + 20)))


def one_area_each(snapshot: Snapshot) -> tuple[Area, ...]:
    """Make an area of each text and image, below one for the page."""
    content = [box for box in snapshot.boxes if box.text or box.kind == "image"]
    return (
        Area(snapshot.rect, ()),
        *(Area(box.clip, (box.node,), 0) for box in content),
    )


def sizes(snapshot: Snapshot) -> list[int]:
    """Count the texts and images in each area after flows are kept together."""
    areas = tidied(snapshot, one_area_each(snapshot), flow=True, even=False)
    owners: dict[int, int] = {}
    given = {node: number for number, area in enumerate(areas) for node in area.nodes}
    counts = [0] * len(areas)
    for index, box in enumerate(snapshot.boxes):
        around = owners.get(box.parent, 0)
        owners[index] = given.get(box.node, around)
        counts[owners[index]] += bool(box.text or box.kind == "image")
    return counts[1:]


def test_paragraphs_below_each_other_are_one_area() -> None:
    """However the segmenter has cut them."""
    article = element(*(paragraph(30 * number) for number in range(4)))

    assert sizes(paint(article)) == [4]


def test_headings_and_lists_belong_to_the_text_around_them() -> None:
    """A heading between paragraphs, and a list after them, begin no new area."""
    items = element(*(paragraph(90 + 20 * number, "An item") for number in range(3)))
    article = element(paragraph(0), paragraph(30, "Heading"), paragraph(60), items)

    assert sizes(paint(article)) == [6]


def test_picture_between_paragraphs_is_a_part_of_the_text() -> None:
    """What stands between two runs of prose is in the flow."""
    deep = element(element(element(image(at=(0, 40, 600, 200)))))
    article = element(paragraph(0), deep, paragraph(220))

    assert sizes(paint(article)) == [3]


def test_columns_stay_apart() -> None:
    """Texts beside each other are two texts."""
    left = element(text(WORDS * 3, at=(0, 0, 300, 200)))
    right = element(text(WORDS * 3, at=(320, 0, 620, 200)))

    assert sizes(paint(element(left, right))) == [1, 1]


def test_cards_in_rows_stay_apart() -> None:
    """The first one of a row stands below the last one of the row before, but in another column."""
    places = [(left, top) for top in (0, 220, 440) for left in (0, 320)]
    cards = [element(text(WORDS * 3, at=(x, y, x + 300, y + 200))) for x, y in places]

    assert sizes(paint(element(*cards))) == [1] * 6


def test_short_lines_are_no_running_text() -> None:
    """A menu is left as the segmenter has it."""
    menu = element(*(paragraph(30 * number, "Home") for number in range(4)))

    assert sizes(paint(menu)) == [1, 1, 1, 1]


def test_stories_below_each_other_stay_apart() -> None:
    """Each story is one text; the list of them is not."""
    stories = [
        element(paragraph(top, "Title"), element(paragraph(top + 25), paragraph(top + 50)))
        for top in (0, 100)
    ]

    assert len(sizes(paint(element(*stories)))) > 1


def test_text_before_the_text_of_a_box_around_it_is_kept_together_too() -> None:
    """A chapter in boxes of its own, and what is said of it below."""
    chapter = element(element(element(paragraph(0), paragraph(30))))
    closing = (paragraph(200), paragraph(230))

    assert sizes(paint(element(chapter, *closing))) == [2, 2]


def test_block_set_in_below_a_line_belongs_to_it() -> None:
    """Definitions, nested however deep, are one text."""
    inner = element(paragraph(60, "term", 40), element(paragraph(90, WORDS * 3, 80)))
    outer = element(paragraph(30, "term"), element(inner))

    assert sizes(paint(element(paragraph(0), outer))) == [4]


def test_few_words_that_float_beside_a_line_do_not_part_it_from_what_is_set_in() -> None:
    """A link to the source at the right of a term leaves the term a line."""
    link = element(element(text("[source]", at=(550, 30, 600, 50))), floating="right")
    term = element(text("term", at=(0, 30, 100, 50)), inline(link), at=(0, 30, 600, 50))
    outer = element(term, element(paragraph(60, WORDS * 3, 40)))

    assert sizes(paint(element(paragraph(0), outer))) == [4]


def test_a_term_and_what_is_set_in_below_it_are_one_text() -> None:
    """However much is set in, and also if there is only one such term on the page."""
    term = element(text("term", at=(0, 30, 100, 50)), at=(0, 30, 600, 50))
    code = element(element(element(text("code", at=(40, 90, 600, 110)))))
    meaning = element(paragraph(60, WORDS * 3, 40), code, at=(40, 60, 600, 110))

    assert sizes(paint(element(paragraph(0, "Title"), element(term, meaning)))) == [1, 3]


def test_posts_are_no_pieces_of_one_text_however_short_their_titles_are() -> None:
    """A title and a date that float alone in a head are no line, so a post is more than a text."""
    posts = [
        element(
            element(
                element(text("Title", at=(0, top, 200, top + 20)), floating="left"),
                element(text("June", at=(500, top, 600, top + 20)), floating="right"),
            ),
            paragraph(top + 30),
            paragraph(top + 60),
        )
        for top in (0, 100, 200)
    ]

    assert sizes(paint(element(*posts))) == [4, 4, 4]


def test_title_and_foot_of_a_box_of_paragraphs_are_not_in_the_text() -> None:
    """However deep the text is nested: a heading and a date around a box are not the box."""
    head = element(paragraph(0, "A title that is longer than forty letters in one line"))
    body = element(paragraph(30), paragraph(60))
    deep = element(paragraph(30), element(element(element(image(at=(0, 60, 600, 80))))))
    foot = element(paragraph(90, "Yesterday"))

    assert sizes(paint(element(head, body, foot))) == [1, 2, 1]
    assert sizes(paint(element(head, deep, foot))) == [1, 1, 1, 1]


def test_several_boxes_of_paragraphs_are_pieces_of_one_text() -> None:
    """A notebook has a box for each cell."""
    cells = [element(paragraph(top), paragraph(top + 30)) for top in (0, 60, 120)]

    assert sizes(paint(element(*cells))) == [6]


def section(top: int, size: float, *inside: Sketch) -> Sketch:
    """Draw a section of 60 px, and those in it below that."""
    return element(title(top, size), paragraph(top + 20), paragraph(top + 40), *inside)


def test_sections_in_sections_are_one_text() -> None:
    """However deep they are nested, and without a paragraph before the first of them."""
    inner = section(100, 20.0, section(160, 18.0))
    article = element(title(0, 30.0), section(40, 24.0, inner), section(220, 24.0))

    assert sizes(paint(element(article))) == [13]


def test_what_stands_beside_the_sections_of_a_text_is_not_in_it() -> None:
    """Links above and below a text are on a level with all of it."""
    article = element(title(30, 30.0), section(50, 24.0, section(110, 20.0)))
    above, below = element(paragraph(0, "Home")), element(paragraph(170, "Next"))

    assert sizes(paint(element(above, article, below))) == [1, 7, 1]


def test_posts_below_a_title_are_no_sections() -> None:
    """Their texts are in boxes of their own, between a title and a line about the post."""
    posts = [
        element(
            title(top, 24.0),
            element(paragraph(top + 20), paragraph(top + 40)),
            paragraph(top + 60, "Posted in June"),
        )
        for top in (40, 120, 200)
    ]

    assert sizes(paint(element(title(0, 30.0, "Archive"), *posts))) == [1, *([1, 2, 1] * 3)]


def test_columns_below_a_title_are_no_section() -> None:
    """A title over two columns does not make one text of them."""
    left = element(title(20, 24.0), paragraph(40), element(paragraph(60), paragraph(80)))
    right = element(
        *(
            element(text(WORDS * 3, at=(700, top, 1300, top + 20)), font_size=size)
            for top, size in ((20, 24.0), (40, 16.0), (60, 16.0))
        )
    )

    assert max(sizes(paint(element(title(0, 30.0), element(left, right))))) == 4


def test_pages_without_prose_are_left_alone() -> None:
    """No flow, no change."""
    snapshot = paint(element(image(at=(0, 0, 10, 10))))
    areas = one_area_each(snapshot)

    assert tidied(snapshot, areas, flow=True, even=False) is areas


def test_areas_without_a_common_parent_keep_their_own_rectangles() -> None:
    """A segmenter may give areas beside each other and none around them."""
    pictures = element(image(at=(700, 0, 800, 50)), image(at=(700, 500, 800, 550)))
    snapshot = paint(element(paragraph(0), paragraph(30)), pictures)
    flat = tuple(replace(area, parent=NO_PARENT) for area in one_area_each(snapshot)[1:])

    areas = tidied(snapshot, flat, flow=True, even=False)

    assert [(area.rect, area.parent) for area in areas] == [
        (Rect(0, 0, 600, 50), NO_PARENT),
        (Rect(700, 0, 800, 50), NO_PARENT),
        (Rect(700, 500, 800, 550), NO_PARENT),
    ]


def test_area_that_gave_all_its_text_away_is_gone() -> None:
    """Also if it was the first or the last one."""
    article = element(paragraph(0, "Heading"), paragraph(30), paragraph(60, "The end"))
    snapshot = paint(article)
    flat = tuple(replace(area, parent=NO_PARENT) for area in one_area_each(snapshot)[1:])

    (area,) = tidied(snapshot, flat, flow=True, even=False)

    assert area == Area(snapshot.rect, (0,))


def test_area_out_of_which_text_went_shrinks_to_what_it_still_holds() -> None:
    """The picture and the first paragraph below it were in one area."""
    article = element(*(paragraph(100 + 30 * number) for number in range(3)))
    snapshot = paint(element(element(element(image(at=(0, 0, 50, 50))))), article)
    picture, first, second, third = one_area_each(snapshot)[1:]
    areas = (
        Area(snapshot.rect, ()),
        Area(Rect(0, 0, 600, 120), (), 0),
        replace(picture, parent=1),
        replace(first, parent=1),
        Area(Rect(0, 130, 600, 180), second.nodes + third.nodes, 0),
    )

    found = tidied(snapshot, areas, flow=True, even=False)

    assert [(area.rect, area.parent) for area in found] == [
        (snapshot.rect, NO_PARENT),
        (Rect(0, 0, 50, 50), 0),
        (Rect(0, 0, 50, 50), 1),
        (Rect(0, 100, 600, 180), 0),
    ]


def picture_and_text() -> tuple[Snapshot, Area, Area]:
    """Paint a picture far above three paragraphs; the first two of them are in its area."""
    article = element(*(paragraph(500 + 30 * number) for number in range(3)))
    snapshot = paint(element(element(element(image(at=(0, 0, 50, 50))))), article)
    picture, first, second, third = one_area_each(snapshot)[1:]
    nodes = picture.nodes + first.nodes + second.nodes
    return snapshot, Area(Rect(0, 0, 600, 550), nodes, 0, "teaser"), third


def test_text_is_an_area_of_its_own_if_the_one_with_most_of_it_holds_other_things() -> None:
    """So that no area reaches over what lies between these and the text."""
    snapshot, mixed, third = picture_and_text()
    areas = tidied(snapshot, (Area(snapshot.rect, ()), mixed, third), flow=True, even=False)

    assert [(area.rect, area.parent, area.kind) for area in areas] == [
        (snapshot.rect, NO_PARENT, None),
        (Rect(0, 0, 50, 50), 0, "teaser"),
        (Rect(0, 500, 600, 580), 0, None),
    ]


def test_text_of_the_area_around_all_is_an_area_within_it() -> None:
    """A page that had one area around all has one still."""
    snapshot, mixed, third = picture_and_text()
    areas = tidied(
        snapshot,
        (replace(mixed, parent=NO_PARENT), replace(third, parent=0)),
        flow=True,
        even=False,
    )

    assert [(area.rect, area.parent, area.kind) for area in areas] == [
        (Rect(0, 0, 600, 580), NO_PARENT, "teaser"),
        (Rect(0, 500, 600, 580), 0, None),
    ]


def test_what_is_in_no_area_stays_in_none() -> None:
    """A picture that the segmenter passed over is not taken by the area around it."""
    teaser = element(element(element(image(at=(0, 0, 50, 50)), paragraph(300, "More"))))
    snapshot = paint(teaser, element(paragraph(500), paragraph(530)))
    picture, *texts = one_area_each(snapshot)[1:]
    flat = tuple(replace(area, parent=NO_PARENT) for area in texts)

    areas = tidied(snapshot, flat, flow=True, even=False)

    assert not any(area.rect.contains(picture.rect) for area in areas)
    assert areas[0] == replace(flat[0], nodes=areas[0].nodes)
