"""Attributes of areas on pages of real sites agree with what is in these areas."""

import os
from pathlib import Path

import pytest
from agreeing import wrong_attributes

from webstencil.evaluate.labelled_data import unpacked
from webstencil.evaluate.snapshots import cache_folder
from webstencil.markup.parse import parse
from webstencil.model import NO_PARENT, Area, Snapshot
from webstencil.render import ChromiumRenderer
from webstencil.segment import SEGMENTERS, make_segmenter
from webstencil.sources import Folder
from webstencil.urls import url_hash

DATA = Path(os.environ.get("WEBSTENCIL_DATA", "../shared/data"))
SITES = (
    "annacurra-gaa",
    "flink",
    "freepressokc",
    "insertcredit",
    "jakevdp-blog",
    "rust-blog",
    "veganyumyum",
)
PAGES = 4  # of each site
SMALLEST = 5_000  # bytes; shorter pages are redirects


@pytest.fixture(scope="module")
def snapshots() -> list[Snapshot]:
    """Render four pages of each of seven sites."""
    archives = [DATA / "sites" / f"{name}.tar.xz" for name in SITES]
    if missing := [archive for archive in archives if not archive.is_file()]:
        pytest.skip(f"{missing[0]} is not there; set WEBSTENCIL_DATA")
    found = []
    with ChromiumRenderer() as renderer:
        for archive in archives:
            folder = Folder(unpacked(archive, cache_folder()))
            pages = [raw for raw in folder.pages() if len(raw.body) >= SMALLEST]
            chosen = sorted(pages, key=lambda raw: url_hash(raw.url))[:PAGES]
            found += [renderer.render(parse(raw), folder) for raw in chosen]
    return found


@pytest.mark.parametrize("published", [False, True], ids=["default", "paper"])
@pytest.mark.parametrize("name", sorted(SEGMENTERS))
def test_no_attribute_is_wrong(snapshots: list[Snapshot], name: str, published: bool) -> None:
    """Grid, depth, counts and styles on 28 pages; what contains more coheres less."""
    segmenter = make_segmenter(name, published=published)
    snap = getattr(segmenter, "snap", 0.0)
    areas = [segmenter.segment(snapshot) for snapshot in snapshots]

    assert len(snapshots) == len(SITES) * PAGES
    assert sum(map(len, areas)) > len(snapshots)
    pairs = list(zip(snapshots, areas, strict=True))
    assert [wrong_attributes(snapshot, own, snap=snap) for snapshot, own in pairs] == [[]] * len(
        snapshots
    )
    assert [number for own in areas for number in out_of_order(own)] == []


def out_of_order(areas: tuple[Area, ...]) -> list[int]:
    """Return the areas that cohere less than the area around them, or have heavier separators."""
    said = [dict(area.attributes) for area in areas]
    found = []
    for number, area in enumerate(areas):
        if area.parent == NO_PARENT or not ("doc" in said[number] and "doc" in said[area.parent]):
            continue
        own, around = said[number], said[area.parent]
        if own["doc"] < around["doc"] or (
            own["max_separator_weight"] > around["max_separator_weight"]
        ):
            found.append(number)
    return found
