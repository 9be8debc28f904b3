"""What every segmenter promises, and how segmenters are named and set."""

import pickle
from dataclasses import FrozenInstanceError

import pytest
from agreeing import wrong_attributes
from builders import (
    Sketch,
    chain,
    element,
    image,
    leaf_texts,
    leaves,
    paint,
    snapshot_of,
    text,
    text_owners,
)
from hypothesis import given
from hypothesis import strategies as st

from webstencil.errors import SettingsError
from webstencil.geometry import Rect
from webstencil.model import NO_PARENT, Area, Mode, Snapshot
from webstencil.protocols import Segmenter
from webstencil.segment import SEGMENTERS, VIPS, Setting, make_segmenter, segmenter_settings
from webstencil.settings import Settings

PAGE = Rect(0.0, 0.0, 1000.0, 1000.0)
ROUNDING = 0.5  # px
HIERARCHICAL = {"vips", "burget", "guo"}  # of these a child lies in its parent
COMPLETE = {"vips", "burget", "guo"}  # these leave no visible text out

every_segmenter = pytest.mark.parametrize("name", sorted(SEGMENTERS))


def article() -> Snapshot:
    """A header, a menu, two stories with pictures and a footer."""
    return paint(
        element(text("Daily News", at=(20, 10, 300, 60)), font_size=32.0),
        element(
            *(
                element(text(word, at=(20, top, 120, top + 20)), display="list-item")
                for word, top in (("Home", 100), ("Sport", 130), ("Arts", 160), ("About", 190))
            ),
        ),
        *(
            element(
                image(at=(200, top, 400, top + 200)),
                element(text(f"Story {top}", at=(420, top, 900, top + 30)), font_size=24.0),
                element(text(f"What happened {top}", at=(420, top + 40, 900, top + 200))),
            )
            for top in (100, 400)
        ),
        element(text("All rights reserved", at=(20, 900, 980, 920)), font_size=10.0),
    )


def sketches() -> st.SearchStrategy[Sketch]:
    """Random nested boxes, some hidden, some outside the page."""
    numbers = st.integers(-100, 1050)
    corners = st.tuples(numbers, numbers, st.integers(0, 500), st.integers(0, 300)).map(
        lambda box: (box[0], box[1], box[0] + box[2], box[1] + box[3])
    )
    displays = st.sampled_from(
        ["block", "inline", "inline-block", "flex", "list-item", "table", "table-row", "table-cell"]
    )
    atoms = st.one_of(
        st.builds(lambda at, seen: text("words", at=at, visible=seen), corners, st.booleans()),
        st.builds(lambda at: image(at=at), corners),
    )
    return st.recursive(
        atoms,
        lambda below: st.builds(
            lambda children, at, display, background, position, clips: element(
                *children,
                at=at,
                display=display,
                background=background,
                position=position,
                clips=clips,
            ),
            st.lists(below, max_size=5),
            st.one_of(st.none(), corners),
            displays,
            st.sampled_from(["", "rgb(10, 20, 30)"]),
            st.sampled_from(["static", "static", "static", "absolute", "fixed"]),
            st.booleans(),
        ),
        max_leaves=25,
    )


def check_promises(name: str, snapshot: Snapshot, areas: tuple[Area, ...]) -> None:
    known = {box.node for box in snapshot.boxes}
    leaf_numbers = set(range(len(areas))) - {area.parent for area in areas}
    for number, area in enumerate(areas):
        assert snapshot.rect.contains(area.rect, slack=ROUNDING)
        assert NO_PARENT <= area.parent < number
        assert set(area.nodes) <= known
        if name in HIERARCHICAL and area.parent != NO_PARENT:
            assert areas[area.parent].rect.contains(area.rect, slack=ROUNDING)
    for owners in text_owners(snapshot, areas).values():
        assert len(set(owners) & leaf_numbers) <= 1
        if name in COMPLETE:
            assert len(owners) == 1


@every_segmenter
@given(boxes=st.lists(sketches(), max_size=6))
def test_promises_hold_on_any_page(name: str, boxes: list[Sketch]) -> None:
    """Areas lie in the page and in their parents, and share out its texts."""
    snapshot = paint(*boxes)

    areas = make_segmenter(name).segment(snapshot)

    check_promises(name, snapshot, areas)


@every_segmenter
def test_promises_hold_on_an_ordinary_page(name: str) -> None:
    """The same on a usual page, with more than one area."""
    snapshot = article()

    areas = make_segmenter(name).segment(snapshot)

    check_promises(name, snapshot, areas)
    assert len(leaves(areas)) > 1


@every_segmenter
@given(boxes=st.lists(sketches(), max_size=6))
def test_attributes_say_what_is_in_an_area(name: str, boxes: list[Sketch]) -> None:
    """Grid, depth, texts and fonts are measured on the areas that the user gets."""
    snapshot = paint(*boxes)
    segmenter = make_segmenter(name)

    areas = segmenter.segment(snapshot)

    assert wrong_attributes(snapshot, areas, snap=getattr(segmenter, "snap", 0.0)) == []


def test_an_area_of_spacers_has_boxes() -> None:
    """The last steps part a spacer from the image beside it; it is an area with one box."""
    images = [(0, 0, 0, 0), (0, 0, 4, 4), (0, 0, 1, 1), (0, 11, 33, 15), (32, 14, 36, 47)]

    areas = make_segmenter("bcs").segment(paint(element(*[image(at=at) for at in images])))

    assert [dict(area.attributes)["boxes"] for area in areas] == [1.0] * 4


def test_attributes_are_measured_after_the_last_steps() -> None:
    """Running text that is joined says how much text it is, and where it is on the grid."""
    sentence = "This sentence has some words more than an entry of a menu has. " * 2
    gaps = (100, 150, 330, 380, 560, 760, 800)
    snapshot = paint(
        element(text("A title", at=(20, 10, 300, 60)), font_size=32.0),
        element(*(element(text(sentence, at=(20, top, 600, top + 40))) for top in gaps)),
        element(text("Beside it", at=(700, 100, 900, 120))),
    )
    segmenter = make_segmenter("burget")

    areas = segmenter.segment(snapshot)

    loose = make_segmenter("burget", ("flow=no", "even=no")).segment(snapshot)
    assert len(areas) < len(loose)
    assert wrong_attributes(snapshot, areas, snap=getattr(segmenter, "snap", 0.0)) == []


@every_segmenter
def test_same_page_gives_same_areas(name: str) -> None:
    """A segmenter keeps nothing from one page to the next."""
    segmenter = make_segmenter(name)

    first = segmenter.segment(article())

    assert segmenter.segment(article()) == first
    assert make_segmenter(name).segment(article()) == first


@every_segmenter
def test_a_page_without_boxes_has_no_content(name: str) -> None:
    """An empty page is an answer, not a failure."""
    areas = make_segmenter(name).segment(snapshot_of((), PAGE))

    assert [area.nodes for area in areas] in ([], [()])


@every_segmenter
def test_a_page_with_nothing_but_its_root_has_no_texts(name: str) -> None:
    """A blank page is segmented without complaint."""
    snapshot = paint()

    assert text_owners(snapshot, make_segmenter(name).segment(snapshot)) == {}


@every_segmenter
def test_a_single_text_is_in_one_area(name: str) -> None:
    """The smallest page with content has one leaf area that holds it."""
    snapshot = paint(element(text("Hello", at=(10, 10, 100, 30))))

    areas = make_segmenter(name).segment(snapshot)

    assert [texts for texts in leaf_texts(snapshot, areas) if texts] == [("Hello",)]


@every_segmenter
def test_deep_nesting_is_no_problem(name: str) -> None:
    """Pages nest as deep as they like."""
    snapshot = chain(20_000)

    areas = make_segmenter(name).segment(snapshot)

    assert [texts for texts in leaf_texts(snapshot, areas) if texts] == [("deep down",)]


@every_segmenter
def test_a_segmenter_is_its_settings(name: str) -> None:
    """It can go to any worker and serve as a key: equal settings are equal segmenters."""
    segmenter = make_segmenter(name)

    assert pickle.loads(pickle.dumps(segmenter)) == segmenter
    assert hash(make_segmenter(name)) == hash(segmenter)
    assert SEGMENTERS[name]() == segmenter


@every_segmenter
def test_settings_are_listed_with_all_that_a_form_needs(name: str) -> None:
    """Each setting has its type, its default, its range and its meaning."""
    for setting in segmenter_settings(name):
        assert setting.allows(setting.default)
        assert setting.range
        assert setting.meaning


@every_segmenter
def test_settings_cannot_be_changed(name: str) -> None:
    """What a stencil was made with stays what it was."""
    segmenter = make_segmenter(name)
    first, *_ = segmenter_settings(name)

    with pytest.raises(FrozenInstanceError):
        setattr(segmenter, first.name, first.default)


def test_settings_are_read_in_the_type_of_their_field() -> None:
    """What comes from a command line becomes numbers."""
    made: Segmenter = make_segmenter("vips", ["pdoc=7", " min_separator = 4.5 "])

    assert made == VIPS(pdoc=7, min_separator=4.5)


def test_a_setting_is_described() -> None:
    """The list has the fields in their order, the first of VIPS being its granularity."""
    first = segmenter_settings("vips")[0]

    assert first == Setting(
        name="pdoc",
        type=int,
        default=7,
        meaning="permitted degree of coherence: the larger, the more areas",
        low=1,
        high=10,
    )
    assert first.range == "1..10"


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["pdoc=12"], "pdoc must be 1..10, not 12"),
        (["pdoc=six"], "pdoc must be a whole number 1..10, not six"),
        (["pdoc=6.5"], "pdoc must be a whole number 1..10, not 6.5"),
        (["child_share=nan"], "child_share must be 0..1, not nan"),
        (["pdoc"], "a setting is written name=value, not 'pdoc'"),
        (["pdoc=5", "pdoc=6"], "pdoc is given twice"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_value(texts: list[str], message: str) -> None:
    """The message names the setting, what it may be, and what it was."""
    with pytest.raises(SettingsError) as caught:
        make_segmenter("vips", texts)

    assert str(caught.value) == message


def test_an_unknown_setting_is_answered_with_the_known_ones() -> None:
    """A slip of the pen is easily mended."""
    with pytest.raises(SettingsError, match="there is no setting 'pdok'; there are pdoc, "):
        make_segmenter("vips", ["pdok=6"])


def test_an_unknown_segmenter_is_answered_with_the_known_ones() -> None:
    """The same for names of segmenters."""
    with pytest.raises(SettingsError, match=r"^there is no segmenter 'vip'; there are .*vips"):
        make_segmenter("vip")


def test_wrong_values_are_refused_in_code_too() -> None:
    """The check is the segmenter's own, not the reader's."""
    with pytest.raises(SettingsError, match=r"^pdoc must be 1..10, not 0$"):
        VIPS(pdoc=0)


def test_settings_of_a_job_take_segmenters_not_names() -> None:
    """The mistake is told at once, not page by page."""
    with pytest.raises(SettingsError, match=r"as in VIPS\(pdoc=6\), not 'vips'"):
        Settings(segmenter="vips")  # type: ignore[arg-type]  # the usual mistake
    with pytest.raises(SettingsError, match="mode must be default or paper, not 'fast'"):
        Settings(mode="fast")  # type: ignore[arg-type]  # the same
    assert Settings(mode="paper").mode is Mode.PAPER  # type: ignore[arg-type]  # the same
