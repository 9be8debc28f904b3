"""What looks alike is cut alike, whatever segmenter has cut it."""

from dataclasses import replace

from builders import Sketch, element, image, paint, text

from webstencil.model import Area, Snapshot
from webstencil.segment.tidy import tidied


def item(number: int, *, font_size: float = 16.0) -> Sketch:
    """Draw an item of a list."""
    top = 30 * number
    return element(text(f"item {number}", at=(0, top, 200, top + 20)), font_size=font_size)


def cut(snapshot: Snapshot, *runs: tuple[int, ...]) -> tuple[Area, ...]:
    """Make areas of some contents each, counted in document order, below one for the page."""
    nodes = [box.node for box in snapshot.boxes if box.text or box.kind == "image"]
    own = [tuple(nodes[number] for number in run) for run in runs]
    return (Area(snapshot.rect, ()), *(Area(snapshot.rect, run, 0) for run in own))


def texts(snapshot: Snapshot, areas: tuple[Area, ...]) -> list[tuple[str, ...]]:
    """List the texts of each area that has any, as it is after the last step."""
    tidy = tidied(snapshot, areas, flow=False, even=True)
    given = {node: number for number, area in enumerate(tidy) for node in area.nodes}
    owners: dict[int, int] = {}
    found: dict[int, list[str]] = {}
    for index, box in enumerate(snapshot.boxes):
        owners[index] = given.get(box.node, owners.get(box.parent, 0))
        if box.text:
            found.setdefault(owners[index], []).append(box.text)
    return [tuple(own) for own in found.values()]


def test_items_that_most_are_cut_between_are_all_cut() -> None:
    """Three of four gaps in a list have a border; the fourth gets one."""
    snapshot = paint(element(*map(item, range(5))))
    areas = cut(snapshot, (0,), (1,), (2,), (3, 4))

    assert texts(snapshot, areas) == [(f"item {number}",) for number in range(5)]


def test_items_that_few_are_cut_between_stay_together() -> None:
    """One of four gaps has a border; it goes."""
    snapshot = paint(element(*map(item, range(5))))
    areas = cut(snapshot, (0, 1, 2, 3), (4,))

    assert texts(snapshot, areas) == [tuple(f"item {number}" for number in range(5))]


def test_items_stay_as_they_are_if_as_many_are_cut_as_are_not() -> None:
    """Of two gaps one has a border: nothing decides which is right."""
    snapshot = paint(element(*map(item, range(3))))

    assert texts(snapshot, cut(snapshot, (0,), (1, 2))) == [("item 0",), ("item 1", "item 2")]


def test_what_looks_different_is_not_asked() -> None:
    """A title in large print above a list is no item of it."""
    snapshot = paint(element(item(0, font_size=30.0), *map(item, range(1, 4))))

    assert texts(snapshot, cut(snapshot, (0,), (1, 2, 3))) == [
        ("item 0",),
        ("item 1", "item 2", "item 3"),
    ]


def test_inner_parts_of_alike_things_are_cut_alike() -> None:
    """What is cut into picture and caption twice is so the third time."""
    cards = [
        element(
            image(at=(0, top, 100, top + 60)), element(text(name, at=(0, top + 60, 100, top + 80)))
        )
        for top, name in ((0, "one"), (100, "two"), (200, "three"))
    ]
    snapshot = paint(element(*cards))
    areas = cut(snapshot, (0,), (1,), (2,), (3,), (4, 5))

    tidy = tidied(snapshot, areas, flow=False, even=True)

    assert sorted(len(area.nodes) for area in tidy) == [0, 1, 1, 1, 1, 1, 1]


def test_area_in_two_places_stays_one() -> None:
    """What is in one area though it is apart, as box clustering may have it, is not parted."""
    snapshot = paint(element(*map(item, range(5))), element(item(9, font_size=10.0)))
    areas = cut(snapshot, (0, 5), (1,), (2,), (3, 4))

    assert texts(snapshot, areas)[0] == ("item 0", "item 9")


def test_new_area_stands_beside_the_one_that_was_cut() -> None:
    """It has the same parent; what the segmenter said holds only for areas that stay the same."""
    snapshot = paint(element(*map(item, range(5))))
    areas = tuple(
        replace(area, attributes=(("doc", 8.0),))
        for area in cut(snapshot, (0,), (1,), (2,), (3, 4))
    )

    tidy = tidied(snapshot, areas, flow=False, even=True)

    said = (("doc", 8.0),)
    assert [(area.parent, area.attributes) for area in tidy[1:]] == [
        *((0, said), (0, said), (0, said)),
        *((0, ()), (0, ())),
    ]


def test_areas_that_are_even_are_left_alone() -> None:
    """No difference, no change."""
    snapshot = paint(element(*map(item, range(4))))
    areas = cut(snapshot, (0,), (1,), (2,), (3,))

    assert tidied(snapshot, areas, flow=True, even=True) is areas
