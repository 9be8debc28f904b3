"""The pictures of the site: which there are, and their files."""

from collections.abc import Iterable, Iterator
from random import Random

from research.demo import drawings
from research.demo.content_values import Author, ImageFile
from research.demo.drawings import CHART_SIZE, GEAR, GEAR_COLOURS, GEAR_SIZE
from research.demo.scenes import MOODS, Mood, landscape

SCENES = 26
CHARTS = 6
SCENE_SIZES = ((800, 450), (640, 480), (960, 400), (560, 560), (1200, 600))  # px


def scene_pictures() -> tuple[ImageFile, ...]:
    """Name the landscapes."""
    return tuple(
        ImageFile(f"images/bay-{n:02}.png", *SCENE_SIZES[n % len(SCENE_SIZES)], _mood(n).view)
        for n in range(SCENES)
    )


def chart_pictures() -> tuple[ImageFile, ...]:
    """Name the charts: bars and tides in turn."""
    names = ("Bar chart, by month", "Curve of the tide")
    return tuple(
        ImageFile(f"images/chart-{n}.svg", *CHART_SIZE, names[n % 2]) for n in range(CHARTS)
    )


def gear_picture(kind: str, colour: str, name: str) -> ImageFile:
    """Name the drawing of a product in one of its colours."""
    return ImageFile(f"images/gear/{kind}-{colour}.svg", *GEAR_SIZE, f"{name}, {colour}")


def picture_files(seed: int, authors: Iterable[Author]) -> Iterator[tuple[str, bytes]]:
    """Draw all pictures; yield path and content of each."""
    for n, picture in enumerate(scene_pictures()):
        size = (picture.width, picture.height)
        yield picture.path, landscape(Random(f"{seed}/scene/{n}"), size, _mood(n))
    for n, picture in enumerate(chart_pictures()):
        draw = drawings.tide_chart if n % 2 else drawings.bar_chart
        yield picture.path, draw(Random(f"{seed}/chart/{n}"))
    for kind in GEAR:
        for colour in GEAR_COLOURS:
            yield gear_picture(kind, colour, "").path, drawings.gear(kind, colour)
    for author in authors:
        yield author.picture.path, drawings.portrait(Random(f"{seed}/portrait/{author.number}"))
    yield "images/logo.svg", drawings.logo()


def _mood(n: int) -> Mood:
    return MOODS[n % len(MOODS)]
