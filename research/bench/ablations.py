"""The effect of each setting and constant of the segmenters, changed one at a time.

Prints a table for each segmenter: F over nodes and over characters against the second level and the
finest grain of the labelled pages, first on the half on which defaults are chosen, then on the
other half. The first row of each table has the defaults.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from rich.console import Console

from research import DATA
from research.bench import bench_parser
from webstencil.evaluate.hand_marked import read_marked_pages
from webstencil.evaluate.labelled_data import unpacked
from webstencil.evaluate.segmentation import (
    SegmentationCase,
    SegmentationRow,
    SegmentationScore,
    average_segmentation,
    judge_page,
    render_case,
    tuning_half,
)
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.evaluate.tables import grouped
from webstencil.protocols import Segmenter
from webstencil.segment import SEGMENTERS, burget, make_segmenter, tidy
from webstencil.segment.burget import separators as burget_separators
from webstencil.segment.vips import canvas as vips_texts
from webstencil.segment.vips import structure as vips_separators
from webstencil.segment.vips import structure as vips_structure

HALVES = ("tune", "check")
GRAINS = ("2", "finest")
NEVER = 10**9  # more than any page has


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant of a segmenter, and values to try instead."""

    module: ModuleType
    name: str
    values: tuple[float, ...]


SETTINGS: dict[str, tuple[str, ...]] = {  # "name=value", several separated by blanks
    "vips": (
        "flow=false",
        "even=false",
        *(f"pdoc={value}" for value in (4, 5, 6, 8, 9)),
        *(f"child_share={value}" for value in (0.03, 0.05, 0.1, 0.15)),
        *(f"node_share={value}" for value in (0.02, 0.1)),
        *(f"frame_share={value}" for value in (0, 0.1, 0.3)),
        *(f"glance_share={value}" for value in (0, 0.05, 0.07, 0.1, 0.17)),
        *(f"min_separator={value}" for value in (0, 6)),
        *(f"windows={value}" for value in (1, 5, 1000)),
    ),
    "burget": (
        "flow=false",
        "even=false",
        *(f"snap={value}" for value in (0, 1, 6, 10)),
        *(f"separator={value}" for value in (0.5, 1.5)),
        *(f"always={value}" for value in (0, 2, 4)),
        *(f"line_gap={value}" for value in (1, 2)),
        *(f"rounds={value}" for value in (1, 3)),
        *(f"whole_share={value}" for value in (0, 0.1, 0.3)),
        "list_items=true",
        "covered=0.7",
        "covered=0.9",
    ),
    "bcs": (
        "flow=false",
        "even=false",
        *(f"threshold={value}" for value in (0.14, 0.18, 0.26, 0.3, 0.4)),
        *(f"variant=paper threshold={value}" for value in (0.22, 0.4, 0.5, 0.6)),
    ),
    "guo": (
        "flow=false",
        "even=false",
        *(f"tolerance={value}" for value in (0, 1, 6, 10)),
        *(f"size_difference={value}" for value in (0, 4)),
        *(f"common_share={value}" for value in (0.4, 0.8)),
        *(f"glance_side={value}" for value in (50, 150)),
        "partitions=false",
    ),
}

CONSTANTS: dict[str, tuple[Constant, ...]] = {
    "vips": (
        Constant(vips_separators, "LINE_WEIGHT", (0, 4)),
        Constant(vips_separators, "BACKGROUND_WEIGHT", (0, 4)),
        Constant(vips_separators, "FONT_WEIGHT", (0, 4)),
        Constant(vips_separators, "LARGER_FONT_WEIGHT", (0, 4)),
        Constant(vips_separators, "ALIKE_WEIGHT", (0, -2, -4)),
        Constant(vips_separators, "USUAL_FONT", (NEVER,)),
        Constant(vips_structure, "LIGHTEST", (3,)),
        Constant(vips_structure, "HEAVIEST", (13, 17)),
        Constant(vips_texts, "COLUMN", (3, 10, NEVER)),
        Constant(vips_texts, "PARAGRAPHS", (1, 4, NEVER)),
        Constant(vips_texts, "RUNNING_SHARE", (0.3, 0.7)),
    ),
    "burget": (
        Constant(burget_separators, "LEAST_BAND", (5, 20)),
        Constant(burget_separators, "UNUSUAL", (1, 1.5)),
        Constant(burget_separators, "RHYTHM", (2, 4)),
        Constant(burget, "LOOSE_SHARE", (0, 0.2, 0.5, 1)),
        Constant(burget, "DIVIDED_SHARE", (0.1, 0.5)),
    ),
    "bcs": (),
    "guo": (  # the last step is common to all segmenters
        Constant(tidy, "SENTENCE_LENGTH", (25, 60, 100)),
        Constant(tidy, "LEAST_PROSE", (60, 200)),
        Constant(tidy, "LONG_PROSE", (300, 1000, NEVER)),
        Constant(tidy, "SEVERAL_BOXES", (0, 2, NEVER)),
    ),
}


@contextmanager
def changed(constant: Constant, value: float) -> Iterator[None]:
    """Change a constant for a while."""
    known = getattr(constant.module, constant.name)
    setattr(constant.module, constant.name, value)
    try:
        yield
    finally:
        setattr(constant.module, constant.name, known)


SWEEPS = {  # the setting that decides how fine the areas are, and the values to try
    "vips": ("pdoc", tuple(range(1, 11))),
    "bcs": ("threshold", tuple(number / 100 for number in range(5, 65, 5))),
}


def best_settings(
    case: SegmentationCase, name: str, start: Segmenter
) -> Iterator[SegmentationScore]:
    """Score a page with its best value of one setting, by F over nodes, for each grain."""
    setting, values = SWEEPS.get(name, ("", ()))
    scores = [
        score
        for value in values
        for score in judge_page(
            case,
            f"{name}, best {setting}",
            make_segmenter(name, [f"{setting}={value}"], start=start),
        )
    ]
    for tried in grouped(scores, "grain").values():
        yield max(tried, key=lambda score: score.agreement.nodes.f)


def rows_of(name: str, cases: dict[str, list[SegmentationCase]]) -> Iterator[str]:
    """Yield the rows of a segmenter's table, the defaults first."""
    yield row("defaults", name, (), cases)
    for texts in SETTINGS[name]:
        yield row(texts, name, texts.split(), cases)
    for constant in CONSTANTS[name]:
        for value in constant.values:
            with changed(constant, value):
                shown = "off" if value == NEVER else f"{value:g}"
                yield row(f"{constant.name} {shown}", name, (), cases)


def row(
    label: str, name: str, texts: Sequence[str], cases: dict[str, list[SegmentationCase]]
) -> str:
    """Score one change on both halves."""
    segmenter = make_segmenter(name, texts)
    cells: list[str] = []
    for which in HALVES:
        found = average_segmentation(
            score for case in cases[which] for score in judge_page(case, name, segmenter)
        )
        cells.extend(cell(next(it for it in found if it.grain == grain)) for grain in GRAINS)
    return f"| `{label}` | " + " | ".join(cells) + " |"


def cell(found: SegmentationRow) -> str:
    return f"{found.nodes.f:.3f} {found.characters.f:.3f}"


def main() -> None:
    """Print the tables."""
    parser = bench_parser("ablations", __doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SEGMENTERS))
    parser.add_argument(
        "--data", type=Path, default=DATA / "kreuzer-popular.tar.xz", help="labelled pages"
    )
    wanted = parser.parse_args()
    console = Console(width=200, markup=False, highlight=False)
    with tempfile.TemporaryDirectory() as scratch:
        pages = tuple(read_marked_pages(unpacked(wanted.data, Path(scratch))))
        with KeepingRenderer(cache_folder() / "snapshots") as renderer:
            cases = {
                w: [render_case(page, renderer) for page in tuning_half(pages, w)] for w in HALVES
            }
        for name in wanted.names or SEGMENTERS:
            console.print(f"\n| {name} | tune: level 2 | finest | check: level 2 | finest |")
            console.print("|---|---|---|---|---|")
            for line in rows_of(name, cases):
                console.print(line)


if __name__ == "__main__":
    main()
