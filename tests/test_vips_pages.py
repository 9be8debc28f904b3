"""VIPS on known-answer pages, rendered by the real browser."""

from collections.abc import Iterator

import pytest
from builders import page_of

from webstencil import markup
from webstencil.geometry import Rect
from webstencil.model import Area
from webstencil.render import ChromiumRenderer
from webstencil.segment import VIPS
from webstencil.testing import MemorySource

pytestmark = pytest.mark.browser

STYLE = (
    "<!doctype html><style>body{margin:0;position:relative;width:800px}"
    "div{position:absolute;font:16px/20px monospace;white-space:nowrap}</style>"
)


@pytest.fixture(scope="module")
def renderer() -> Iterator[ChromiumRenderer]:
    with ChromiumRenderer() as running:
        yield running


def block(left: int, top: int, width: int, height: int, words: str, more: str = "") -> str:
    """Write a box with a background, so that its rectangle is exact."""
    place = f"left:{left}px;top:{top}px;width:{width}px;height:{height}px"
    return f"<div style='{place};background:#eef;{more}'>{words}</div>"


def segmented(
    renderer: ChromiumRenderer, body: str, pdoc: int = 10
) -> tuple[tuple[Area, ...], dict[str, Area]]:
    """Segment a page; return its areas, and its leaves by their text."""
    page = page_of(f"{STYLE}<body>{body}")
    areas = VIPS(pdoc=pdoc).segment(renderer.render(page, MemorySource({})))
    inner = {area.parent for area in areas}
    leaves = [area for number, area in enumerate(areas) if number not in inner]
    return areas, {markup.text(page.markup.nodes(leaf.nodes)): leaf for leaf in leaves}


def test_v1_header_columns_and_footer(renderer: ChromiumRenderer) -> None:
    """The gutter between the columns is found inside the middle, once header and footer are off."""
    areas, leaves = segmented(
        renderer,
        block(0, 0, 800, 100, "head")
        + block(0, 140, 300, 400, "left")
        + block(340, 140, 460, 400, "right")
        + block(0, 580, 800, 100, "foot"),
    )

    assert {words: leaf.rect for words, leaf in leaves.items()} == {
        "head": Rect(0.0, 0.0, 800.0, 100.0),
        "left": Rect(0.0, 140.0, 300.0, 540.0),
        "right": Rect(340.0, 140.0, 800.0, 540.0),
        "foot": Rect(0.0, 580.0, 800.0, 680.0),
    }
    middle = areas[leaves["left"].parent]
    assert middle == areas[leaves["right"].parent]
    assert middle.rect == Rect(0.0, 140.0, 800.0, 540.0)


def test_v2_columns_of_unequal_height(renderer: ChromiumRenderer) -> None:
    """One vertical cut, no horizontal one."""
    _, leaves = segmented(
        renderer, block(0, 0, 300, 500, "left") + block(340, 0, 460, 300, "right")
    )

    assert set(leaves) == {"left", "right"}


def test_v5_coloured_cell_is_kept_whole(renderer: ChromiumRenderer) -> None:
    """A table with one cell of another colour is divided, and that cell is one area."""
    cells = "".join(
        f"<td style='width:200px;height:100px;{colour}'>{words}"
        for words, colour in (("a", ""), ("b<br>c", "background:#fc9"), ("d", ""))
    )
    _, leaves = segmented(renderer, f"<table cellspacing=20><tr>{cells}</table>", pdoc=9)

    assert "b\nc" in leaves


def test_v6_flex_container_of_blocks_is_divided(renderer: ChromiumRenderer) -> None:
    """Flex items are boxes like others, not inline text."""
    items = "".join(
        f"<p style='width:200px;height:300px;margin:0;background:#eef'>{words}</p>"
        for words in ("one", "two", "three")
    )
    _, leaves = segmented(
        renderer, f"<section style='display:flex;gap:60px;width:800px'>{items}</section>"
    )

    assert set(leaves) == {"one", "two", "three"}


def test_v8_finer_cuts_give_more_areas_and_lose_no_text(renderer: ChromiumRenderer) -> None:
    """PDoC 1 to 10 on a page with nested parts: leaf counts never fall, all text stays."""
    body = "".join(
        block(0, 200 * row, 380, 40, f"title {row}", "font-size:30px;line-height:40px")
        + block(0, 200 * row + 60, 180, 100, f"text {row}")
        + block(200, 200 * row + 60, 180, 100, f"more {row}")
        for row in range(3)
    )
    counts = []
    for pdoc in range(1, 11):
        _, leaves = segmented(renderer, body, pdoc)
        counts.append(len(leaves))
        assert sorted(" ".join(leaves).split()) == sorted(
            word
            for row in range(3)
            for name in ("title", "text", "more")
            for word in (name, str(row))
        )

    assert counts == sorted(counts)
    assert counts[0] < counts[-1] == 9
