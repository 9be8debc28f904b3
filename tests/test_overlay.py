"""Overlays: areas drawn so that the user can judge them."""

from base64 import b64encode
from xml.etree import ElementTree

from webstencil.geometry import Rect
from webstencil.model import Area, PageArea, Snapshot, Viewport
from webstencil.output.overlay import COLOURS, DrawnArea, outlines, overlay, page_outlines

PAGE = Rect(0.0, 0.0, 200.0, 100.0)
SNAPSHOT = Snapshot("http://a.example/?x=1&y=<2>", Viewport(), PAGE, (), complete=True)
AREAS = (
    Area(PAGE, ()),
    Area(Rect(10.0, 10.0, 190.0, 40.0), (3,), parent=0),
    Area(Rect(10.0, 50.0, 190.0, 90.0), (4,), parent=0, kind="menu & more"),
)
SVG = "{http://www.w3.org/2000/svg}"


def test_every_area_is_framed_in_the_colour_of_its_level() -> None:
    """The drawing is well-formed and as large as the page."""
    drawing = ElementTree.fromstring(overlay(SNAPSHOT, AREAS))
    frames = [rect for rect in drawing.iter(f"{SVG}rect") if rect.get("stroke")]

    assert (drawing.get("width"), drawing.get("height")) == ("200", "100")
    assert [frame.get("stroke") for frame in frames] == [COLOURS[0], COLOURS[1], COLOURS[1]]


def test_leaves_are_labelled_with_number_and_kind() -> None:
    """Inner areas are not, so that labels do not pile up."""
    drawing = ElementTree.fromstring(overlay(SNAPSHOT, AREAS))

    assert [text.text for text in drawing.iter(f"{SVG}text")] == ["1", "2 menu & more"]


def test_labels_hide_nothing_in_narrow_frames() -> None:
    """There they stand on top of the frame, where the page has room for them."""
    wide = Area(Rect(10.0, 50.0, 990.0, 90.0), (3,))
    narrow = Area(Rect(10.0, 50.0, 90.0, 90.0), (4,))
    top = Area(Rect(10.0, 5.0, 90.0, 90.0), (5,))
    drawing = ElementTree.fromstring(overlay(SNAPSHOT, (wide, narrow, top)))
    labels = [rect for rect in drawing.iter(f"{SVG}rect") if rect.get("fill-opacity") == "0.85"]

    assert [label.get("y") for label in labels] == ["48", "34", "3"]


def test_screenshot_is_part_of_the_drawing_in_its_own_size() -> None:
    """One file shows the page and its areas; the screenshot of a giant page is not stretched."""
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (150).to_bytes(4) + (90).to_bytes(4)
    picture = Snapshot("u", Viewport(), PAGE, (), complete=True, screenshot=png)
    (image,) = ElementTree.fromstring(overlay(picture, AREAS)).iter(f"{SVG}image")

    assert image.get("href") == "data:image/png;base64," + b64encode(png).decode()
    assert (image.get("width"), image.get("height")) == ("150", "90")


def test_areas_of_a_page_are_drawn_where_they_have_a_place() -> None:
    """Those that are like no area of the stencil have none; what is left nests as before."""
    nowhere = Rect(0.0, 0.0, 0.0, 0.0)
    rects = {0: PAGE, 1: nowhere, 4: AREAS[1].rect, 5: nowhere}
    parents = {0: None, 1: 0, 4: 0, 5: 4}
    areas = [
        PageArea(number, parents[number], "list", "", "p", "/p", rect, 1, 1.0)
        for number, rect in rects.items()
    ]

    assert page_outlines(areas) == [
        DrawnArea(0, PAGE, "list", depth=0, leaf=False),
        DrawnArea(4, AREAS[1].rect, "list", depth=1, leaf=True),
    ]
    assert [one.number for one in outlines(AREAS)] == [0, 1, 2]
