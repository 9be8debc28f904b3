"""Pages on which the site's areas and the page's own differ, drawn side by side for a blind test.

    python -m research.bench.side_by_side SITE... --out FOLDER [--pages N] [--sample N] [--number N]

Every page of the sample is rendered. Of the hits whose areas agree with the page's own at less than
.9 some are drawn at random over all sites. A picture has both, left and right by lot; texts of one
area have one colour, and a frame. Which is which is told in `key.csv`: look first, then open it.
`pages.csv` has the addresses.
"""

import csv
import random
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from research.bench import bench_parser
from webstencil.cli.evaluate_sites import open_sites
from webstencil.evaluate.fidelity import SiteFidelitySettings, SitePageScore, measure_site
from webstencil.evaluate.scores import told_apart
from webstencil.evaluate.site_pages import SiteSample
from webstencil.evaluate.snapshots import (
    AREAS_FOLDER,
    KeepingRenderer,
    KeepingSegmenter,
    cache_folder,
)
from webstencil.geometry import Rect, bounding
from webstencil.markup.parse import parse
from webstencil.model import BoxKind, RawPage, Snapshot, innermost_areas
from webstencil.protocols import Source
from webstencil.settings import Settings
from webstencil.stages import numbers, owners, visible_texts

ALIKE = 0.9  # agreement from which the two are too alike to be judged
TALLEST = 2_600  # px of a page that are drawn
SCALE = 0.6
GAP = 20  # px between the two
OWN, SITE = "own", "site"
COLOURS = (
    *("#d81b60", "#1e88e5", "#2e7d32", "#e65100", "#6a1b9a", "#00838f", "#c0a000", "#5d4037"),
    *("#ff1744", "#00b8d4", "#64dd17", "#aa00ff"),
)


@dataclass(frozen=True, slots=True)
class Difference:
    """A page on which the two differ."""

    site: str
    source: Source
    score: SitePageScore


@dataclass(frozen=True, slots=True)
class DividedPage:
    """A rendered page, and the areas of its visible texts."""

    snapshot: Snapshot
    own: dict[int, int]  # by number of the text
    site: dict[int, int]


def differences(
    sites: Sequence[str], sample: SiteSample, cache: Path, renderer: KeepingRenderer
) -> Iterator[Difference]:
    """Yield the hits of sites on which the two differ."""
    settings = Settings()
    segmenter = KeepingSegmenter(settings.segmenter, cache / AREAS_FOLDER)
    wanted = SiteFidelitySettings(settings, segmenter, sample)
    for name, source in open_sites(sites).items():
        _, scores = measure_site(wanted, name, source, renderer, renderer)
        found = [score for score in scores if score.hit and score.own < ALIKE]
        yield from (Difference(name, source, score) for score in found)


def divided(raw: RawPage, one: Difference, renderer: KeepingRenderer) -> DividedPage:
    """Render a page, and return both ways to divide it."""
    page = parse(raw)
    snapshot = renderer.renderer.render(page, raw.resources or one.source, screenshot=True)
    texts = visible_texts(snapshot)
    areas = Settings().segmenter.segment(snapshot.tagged(page))
    own = innermost_areas(areas, range(len(page.tree)), page.tree.parents)
    laid = owners(page, one.score.areas, numbers(page))
    return DividedPage(
        snapshot,
        dict(zip(texts, told_apart(texts, own), strict=True)),
        dict(zip(texts, told_apart(texts, laid), strict=True)),
    )


def half(snapshot: Snapshot, areas: dict[int, int]) -> str:
    """Draw one way to divide a page."""
    colours: dict[int, str] = {}
    inside: dict[int, list[Rect]] = {}
    tints = []
    for box in snapshot.boxes:
        if box.kind is BoxKind.TEXT and box.node in areas and box.visible:
            area = areas[box.node]
            colour = colours.setdefault(area, COLOURS[len(colours) % len(COLOURS)])
            inside.setdefault(area, []).append(box.clip)
            tints.append(rect(box.clip, f'fill="{colour}" fill-opacity=".28"'))
    frames = [
        rect(bounding(found), f'fill="none" stroke="{colours[area]}" stroke-width="4"')
        for area, found in inside.items()
    ]
    return "".join((*tints, *frames))


def rect(where: Rect, look: str) -> str:
    """Draw a rectangle."""
    return (
        f'<rect x="{where.left:.0f}" y="{where.top:.0f}" width="{where.width:.0f}" '
        f'height="{where.height:.0f}" {look}/>'
    )


def picture(shown: DividedPage, *, own_left: bool) -> tuple[str, int, int]:
    """Draw both ways side by side; return the drawing, its width and its height."""
    width, height = shown.snapshot.rect.width, min(shown.snapshot.rect.height, TALLEST)
    png = b64encode(shown.snapshot.screenshot or b"").decode()
    image = (
        f'<image href="data:image/png;base64,{png}" width="{width:.0f}" '
        f'height="{shown.snapshot.rect.height:.0f}" opacity=".75" preserveAspectRatio="xMinYMin"/>'
    )
    sides = [shown.own, shown.site] if own_left else [shown.site, shown.own]
    halves = [
        f'<svg x="{number * (width + GAP):.0f}" width="{width:.0f}" height="{height:.0f}">'
        f"{image}{half(shown.snapshot, side)}</svg>"
        for number, side in enumerate(sides)
    ]
    whole = 2 * width + GAP
    size = round(whole * SCALE), round(height * SCALE)
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
        f'viewBox="0 0 {whole:.0f} {height:.0f}">{"".join(halves)}</svg>'
    )
    return drawing, *size


def draw(chosen: Sequence[Difference], out: Path, seed: int, renderer: KeepingRenderer) -> None:
    """Draw pages, and write the list and the key."""
    lots = random.Random(seed)
    out.mkdir(parents=True, exist_ok=True)
    with (out / "pages.csv").open("w") as listed, (out / "key.csv").open("w") as key:
        pages, keys = csv.writer(listed), csv.writer(key)
        for number, one in enumerate(chosen):
            own_left = lots.random() < 0.5
            raw = next(raw for raw in one.source.pages() if raw.url == one.score.url)
            drawing = picture(divided(raw, one, renderer), own_left=own_left)
            (out / f"{number:02}.png").write_bytes(renderer.renderer.picture(*drawing))
            pages.writerow([number, one.site, one.score.url, f"{one.score.own:.3f}"])
            keys.writerow([number, OWN if own_left else SITE, SITE if own_left else OWN])


def main() -> None:
    """Draw pages of the sites."""
    parser = bench_parser("side_by_side", __doc__)
    parser.add_argument("sites", nargs="+", metavar="SITE", help="sources of webstencil run")
    parser.add_argument("--out", type=Path, required=True, help="folder of the pictures")
    parser.add_argument("--pages", type=int, help="of a site, the first ones")
    parser.add_argument("--sample", type=int, help="random ones of these")
    parser.add_argument("--number", type=int, default=60, help="pages to draw")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    cache = cache_folder()
    sample = SiteSample(wanted.pages, wanted.sample)
    with KeepingRenderer(cache / "snapshots") as renderer:
        found = list(differences(wanted.sites, sample, cache, renderer))
        lots = random.Random(wanted.seed)
        chosen = lots.sample(found, min(wanted.number, len(found)))
        draw(chosen, wanted.out, wanted.seed, renderer)
    print(f"{len(chosen)} of {len(found)} pages that differ: {wanted.out}")  # noqa: T201


if __name__ == "__main__":
    main()
