"""Landscapes of the coast, painted from a random number generator.

A picture is painted in two passes: columns for what stands on top of each other (sky, hills, sea),
then rows for what lies across (clouds, glitter, boats). Each pass is a few slices of bytes per
column or row, so a picture takes milliseconds without any library.
"""

import math
from dataclasses import dataclass
from random import Random

from research.demo.png import Colour, blend, mix, png, rgb

SKY_SHADES = 56  # colours of a gradient: enough that no bands are seen
SEA_SHADES = 32
HILL_SHADES = 12
HILLS = 3
WAVES = 6  # each half as high and half as long as the one before
SKY = 0  # first palette index of each gradient
SEA = SKY + SKY_SHADES
HILL = SEA + SEA_SHADES
BLACK = (0, 0, 0)
PAPER = (246, 244, 238)
SUN, SAIL, DARK, RED, WHITE, GLITTER, CLOUD = range(HILL + HILLS * HILL_SHADES, 131)


@dataclass(frozen=True, slots=True)
class Mood:
    """The colours of an hour of the day, as six hexadecimal digits."""

    view: str
    zenith: str
    horizon: str
    land: str
    sea: str
    sun: str
    night: bool = False


MOODS = (
    Mood("First light", "4a689e", "fad6b2", "3a4a62", "34587a", "fff0cc"),
    Mood("A clear noon", "2c76ba", "cae4f0", "3e6854", "1a628a", "fffde8"),
    Mood("Low sun", "5c4680", "fa965c", "422c4a", "603e62", "ffe296"),
    Mood("Rain over the hills", "60707e", "bec8cc", "3e4e54", "465e68", "dee4e4"),
    Mood("After dark", "0c1430", "3a4e78", "0e162a", "102040", "f4f0d8", True),
    Mood("Sea mist", "8ea8b2", "e8eae2", "6c8486", "7e9ca4", "faf8ec"),
    Mood("A golden hour", "4284a8", "fcd480", "5c5432", "3e6e78", "fff6c4"),
)


def landscape(rng: Random, size: tuple[int, int], mood: Mood) -> bytes:
    """Paint a stretch of coast as a PNG file of `size` (width, height)."""
    rows = paint_columns(rng, size)
    paint_rows(rng, rows, size, mood)
    return png(size, palette(mood), [bytes(row) for row in rows])


def palette(mood: Mood) -> list[Colour]:
    """Return the colours of a mood, at the indexes named above."""
    horizon, land, sea, sun = map(rgb, (mood.horizon, mood.land, mood.sea, mood.sun))
    colours = blend(rgb(mood.zenith), horizon, SKY_SHADES)
    colours += blend(mix(sea, horizon, 0.45), mix(sea, BLACK, 0.35), SEA_SHADES)
    for hill in range(HILLS):
        top = mix(horizon, land, (hill + 1) / HILLS)
        colours += blend(top, mix(top, horizon, 0.3), HILL_SHADES)
    dark, glitter = mix(land, BLACK, 0.55), mix(sea, sun, 0.6)
    return [
        *colours,
        sun,
        rgb("faf7f0"),
        dark,
        rgb("be342c"),
        PAPER,
        glitter,
        mix(horizon, PAPER, 0.5),
    ]


def paint_columns(rng: Random, size: tuple[int, int]) -> list[bytearray]:
    """Paint sky, sun, hills and sea, column by column, and return the picture's rows."""
    width, height = size
    shore = round(height * rng.uniform(0.58, 0.68))
    backdrop = ramp(SKY, SKY_SHADES, shore) + ramp(SEA, SEA_SHADES, height - shore)
    sun = (rng.uniform(0.15, 0.85) * width, rng.uniform(0.5, 0.8) * shore, height * 0.055)
    ridges = [ridge(rng, width, shore * level, height * 0.07) for level in (0.72, 0.84, 0.97)]
    hills = [(min(tops), tops) for tops in ridges]
    mists = [
        ramp(HILL + hill * HILL_SHADES, HILL_SHADES, max(1, shore - peak))
        for hill, (peak, _) in enumerate(hills)
    ]
    rock = ridge(rng, width, height * rng.uniform(0.95, 1.03), height * 0.07)
    columns = bytearray()
    for x in range(width):
        column = bytearray(backdrop)
        paint_sun(column, x, sun)
        for (peak, tops), mist in zip(hills, mists, strict=True):
            top = min(tops[x], shore)
            column[top:shore] = mist[top - peak :] if top < shore else b""
        foot = min(rock[x], height)
        column[foot:] = bytes([DARK]) * (height - foot)
        columns += column
    return [columns[y::height] for y in range(height)]


def ramp(first: int, shades: int, length: int) -> bytes:
    """Return `length` palette indexes that rise evenly through a gradient."""
    return bytes(first + y * shades // length for y in range(length))


def ridge(rng: Random, width: int, level: float, swing: float) -> list[int]:
    """Return the height of a range of hills at each column: a few waves added up."""
    heights = [level] * width
    for octave in range(WAVES):
        rate = rng.uniform(0.4, 1.1) * 2**octave * math.tau / width
        turn, share = rng.uniform(0, math.tau), swing * 0.5**octave
        heights = [y + share * math.sin(rate * x + turn) for x, y in enumerate(heights)]
    return [max(0, round(y)) for y in heights]


def paint_sun(column: bytearray, x: int, sun: tuple[float, float, float]) -> None:
    """Paint the part of the sun (centre and radius) that falls into column `x`."""
    across, down, radius = sun
    reach = radius**2 - (x - across) ** 2
    if reach > 0:
        half = round(math.sqrt(reach))
        column[round(down) - half : round(down) + half] = bytes([SUN]) * (2 * half)


def paint_rows(rng: Random, rows: list[bytearray], size: tuple[int, int], mood: Mood) -> None:
    """Paint what lies across the picture."""
    width, height = size
    if mood.night:
        for _ in range(width // 5):
            star = (rng.randrange(width), rng.randrange(round(height * 0.35)))
            fill(rows, star[1], star[0], star[0] + rng.choice((1, 2)), SUN)
    else:
        for _ in range(rng.randrange(4)):
            paint_cloud(rng, rows, size)
    for _ in range(width // 9):
        y = rng.randrange(round(height * 0.72), round(height * 0.88))
        start = rng.randrange(width)
        fill(rows, y, start, start + rng.randrange(6, 40), GLITTER)
    for _ in range(rng.randrange(4)):
        paint_boat(rng, rows, size)
    if rng.random() < 0.4:
        paint_lighthouse(rng, rows, size)


def fill(rows: list[bytearray], y: int, start: int, end: int, colour: int) -> None:
    """Paint a run of one row; what lies outside the picture is cut off."""
    start, end = max(0, start), min(len(rows[0]), end)
    if 0 <= y < len(rows) and start < end:
        rows[y][start:end] = bytes([colour]) * (end - start)


def paint_cloud(rng: Random, rows: list[bytearray], size: tuple[int, int]) -> None:
    """Paint a few flat ellipses that overlap."""
    width, height = size
    x, y = rng.randrange(width), round(height * rng.uniform(0.1, 0.3))
    for _ in range(4):
        half, rise = width * rng.uniform(0.05, 0.11), round(height * rng.uniform(0.015, 0.035))
        middle = x + round(width * rng.uniform(-0.09, 0.09))
        for dy in range(-rise, rise // 2):
            reach = round(half * math.sqrt(1 - (dy / rise) ** 2))
            fill(rows, y + dy, middle - reach, middle + reach, CLOUD)


def paint_boat(rng: Random, rows: list[bytearray], size: tuple[int, int]) -> None:
    """Paint a small boat: one sail, one hull."""
    width, height = size
    sail = round(height * rng.uniform(0.05, 0.11))
    x, y = rng.randrange(width), round(height * rng.uniform(0.74, 0.82))
    colour = rng.choice((SAIL, SAIL, RED))
    for dy in range(sail):
        fill(rows, y - sail + dy, x, x + dy * 3 // 5, colour)
        fill(rows, y - sail + dy, x - 2 - dy * 2 // 5, x - 2, SAIL)
    for dy in range(sail // 6 + 2):
        fill(rows, y + 2 + dy, x - sail // 2 + dy, x + sail * 2 // 3 - dy, DARK)


def paint_lighthouse(rng: Random, rows: list[bytearray], size: tuple[int, int]) -> None:
    """Paint a striped tower on a rock at the edge of the picture."""
    width, height = size
    x, tall = round(width * rng.choice((0.12, 0.88))), round(height * 0.42)
    foot, half = round(height * 0.86), height * 0.03
    for dy in range(tall):
        reach = round(half * (0.6 + 0.4 * dy / tall))
        stripe = RED if dy * 5 // tall % 2 else WHITE
        fill(rows, foot - tall + dy, x - reach, x + reach, stripe)
    for dy in range(round(half * 1.6)):
        lamp = SUN if dy > half * 0.6 else RED
        reach = round(half * 0.5) if lamp == SUN else round(dy * 0.9)
        fill(rows, foot - tall - round(half * 1.6) + dy, x - reach, x + reach, lamp)
    fill(rows, foot - tall, x - round(half), x + round(half), DARK)
    fill(rows, foot - tall + 1, x - round(half), x + round(half), DARK)
    for dy in range(height - foot):
        reach = round(half * (1.6 + 6 * dy / height * 4))
        fill(rows, foot + dy, x - reach, x + reach, DARK)
