"""From boxes to nodes: an area names the highest nodes of which it has everything."""

from builders import element, image, inline, paint, text

from webstencil.segment.boxes import area_holders, contents_below, roots

SNAPSHOT = paint(
    element(  # 2
        element(text("a", at=(0, 0, 10, 10)), inline(text("b", at=(20, 0, 30, 10)))),  # 3 to 6
        element(text("c", at=(0, 20, 10, 30))),  # 7, 8
    ),
    element(  # 9
        text("hidden", at=(0, 40, 10, 50), visible=False),  # 10
        image(at=(0, 60, 50, 90)),  # 11
    ),
)


def owned(*pairs: tuple[int, int]) -> list[int | None]:
    """Give boxes to areas."""
    given = dict(pairs)
    return [given.get(index) for index in range(len(SNAPSHOT.boxes))]


def test_area_that_has_everything_is_named_by_the_root() -> None:
    """The one node stands for all below it."""
    held = area_holders(SNAPSHOT.boxes, owned((0, 0)))

    assert roots(SNAPSHOT.boxes, held, 1) == [(0,)]


def test_roots_go_up_until_another_area_begins() -> None:
    """A box given to another area is not below any root of the first one."""
    held = area_holders(SNAPSHOT.boxes, owned((2, 0), (7, 1), (11, 2)))

    assert roots(SNAPSHOT.boxes, held, 3) == [(3,), (7,), (9,)]


def test_what_nobody_has_is_in_no_area() -> None:
    """The text beside it is named by itself, not by the element round both."""
    held = area_holders(SNAPSHOT.boxes, owned((4, 0), (6, 1)))

    assert roots(SNAPSHOT.boxes, held, 2) == [(4,), (5,)]


def test_contents_are_the_visible_texts_and_images_below_the_roots() -> None:
    """Also those that were given to no area but lie below its root."""
    held = area_holders(SNAPSHOT.boxes, owned((2, 0), (9, 1)))

    assert contents_below(SNAPSHOT.boxes, held, 2) == [[4, 6, 8], [11]]
