"""Whole pages, from their HTML to the areas of each segmenter, against what they were once.

A case is a folder of `golden/`: a page, and for each segmenter the areas that it finds. Where they
are others now, what was found and a picture of it are put into `build/golden/`; if that is better,
`WEBSTENCIL_GOLDEN=new pytest tests/test_golden.py` makes it what is expected.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from webstencil.area_kinds import label_kinds
from webstencil.markup.parse import parse
from webstencil.model import PageArea, RawPage
from webstencil.output.overlay import overlay
from webstencil.render import ChromiumRenderer, browser
from webstencil.segment import SEGMENTERS
from webstencil.site.lay import describe_own
from webstencil.testing import MemorySource

pytestmark = pytest.mark.browser

CASES = sorted((Path(__file__).parent / "golden").iterdir())
REPORT = Path(__file__).parents[1] / "build" / "golden"
WORDS = 60  # characters of a text that are compared
RENEW = os.environ.get("WEBSTENCIL_GOLDEN") == "new"


@pytest.fixture(scope="module")
def renderer() -> Iterator[ChromiumRenderer]:
    if browser.fonts_folder() is None:
        pytest.skip("lines break elsewhere with other fonts; `webstencil browser install` has ours")
    with ChromiumRenderer() as running:
        yield running


@pytest.mark.parametrize("name", sorted(SEGMENTERS))
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_areas_are_what_they_were(renderer: ChromiumRenderer, case: Path, name: str) -> None:
    """Rectangles, kinds and texts, in their order and depth."""
    page = parse(RawPage(f"http://{case.name}.example/", (case / "page.html").read_bytes()))
    snapshot = renderer.render(page, MemorySource({}), screenshot=True)
    areas = label_kinds(page, snapshot, SEGMENTERS[name]().segment(snapshot))
    found = "".join(map(line, describe_own(page, areas)))
    expected = case / f"{name}.txt"
    if RENEW:
        expected.write_text(found)
    if found != expected.read_text():
        REPORT.mkdir(parents=True, exist_ok=True)
        (REPORT / f"{case.name}-{name}.txt").write_text(found)
        (REPORT / f"{case.name}-{name}.svg").write_text(overlay(snapshot, areas))

    assert found == expected.read_text(), f"see {REPORT}/{case.name}-{name}.svg"


def line(area: PageArea) -> str:
    """Write an area as a line: its number and its parent's, what it is, where, its first words."""
    rect = area.rect
    sides = " ".join(f"{side:.0f}" for side in (rect.left, rect.top, rect.right, rect.bottom))
    inside = "-" if area.parent is None else str(area.parent)
    words = " ".join(area.text.split())[:WORDS]
    return f"{area.id} in {inside} | {area.kind or ''} | {sides} | {words}".rstrip() + "\n"
