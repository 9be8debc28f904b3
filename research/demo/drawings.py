"""Drawings in SVG: the shop's gear, portraits of the authors, charts, the logo."""

import math
from collections.abc import Mapping
from random import Random

GEAR_SIZE = (600, 600)  # px
PORTRAIT_SIZE = (240, 240)  # px
CHART_SIZE = (760, 380)  # px

# Main colour, darker shade, background.
GEAR_COLOURS: Mapping[str, tuple[str, str, str]] = {
    "rust": ("#c2542d", "#8f3a1c", "#f7e9e1"),
    "pine": ("#3c6e57", "#27503d", "#e6efe9"),
    "slate": ("#566573", "#3a4651", "#e9edf0"),
    "mustard": ("#d9a22b", "#a87812", "#faf2dc"),
    "plum": ("#7b4468", "#572c49", "#f2e7ee"),
    "sea": ("#2b7a95", "#1a576c", "#e2eff3"),
}

# The shapes of each kind of gear, on a canvas of 600 by 600; {c} and {d} are colour and shade.
GEAR: Mapping[str, str] = {
    "tent": """
<path fill="{c}" d="M300 150 90 440h420z"/><path fill="{d}" d="M300 150 510 440H390z"/>
<path fill="#2b2b2b" opacity=".8" d="m300 210-70 230h140z"/>
<path fill="{c}" d="m300 210-70 230h34z"/>
<path stroke="#7a6a55" stroke-width="5" d="m90 440-40 30m460-30 40 30M300 150v-26"/>
<path fill="{d}" d="M300 124h52l-14 12 14 12h-52z"/>""",
    "pack": """
<path fill="none" stroke="{d}" stroke-width="26" d="M240 170q0-60 60-60t60 60"/>
<rect x="170" y="160" width="260" height="320" rx="70" fill="{c}"/>
<path fill="{d}" d="M170 230q0-70 70-70h120q70 0 70 70v60H170z"/>
<rect x="210" y="340" width="180" height="110" rx="26" fill="{d}"/>
<rect x="210" y="340" width="180" height="34" rx="17" fill="{c}" stroke="#fff" stroke-opacity=".4"/>
<path stroke="#e9dcc3" stroke-width="14" d="M238 160v190M362 160v190"/>
<rect x="226" y="268" width="24" height="34" rx="5" fill="#c9b78f"/>
<rect x="350" y="268" width="24" height="34" rx="5" fill="#c9b78f"/>""",
    "boot": """
<path fill="{c}" d="M190 130h140l10 170 110 50q50 22 50 70v20H180V300z"/>
<path fill="{d}" d="M190 130h140l4 50H188z"/>
<path fill="#33302c" d="M170 436h340v30q0 16-16 16H186q-16 0-16-16z"/>
<path fill="#4a453f" d="M190 482h44v14h-44zm66 0h44v14h-44zm66 0h44v14h-44zm66 0h44v14h-44z"/>
<path stroke="#efe3c8" stroke-width="9" stroke-linecap="round"
d="m300 210 46-8m-42 46 46-8m-42 48 54-4m-30 40 62-14"/>
<path fill="{d}" d="M430 436q0-50 34-70 36 18 36 70z"/>""",
    "jacket": """
<path fill="{d}" d="m170 190-80 230 70 24 60-150zm260 0 80 230-70 24-60-150z"/>
<path fill="{c}" d="M220 150h160l60 50-24 80 4 200H180l4-200-24-80z"/>
<path fill="{d}" d="M232 150q68-70 136 0l-20 50h-96z"/>
<path stroke="#f3ead6" stroke-width="7" d="M300 200v280"/>
<path stroke="{d}" stroke-width="8" d="M206 370h66m56 0h66"/>
<circle cx="330" cy="250" r="9" fill="#f3ead6"/><circle cx="330" cy="310" r="9" fill="#f3ead6"/>""",
    "lamp": """
<circle cx="300" cy="310" r="190" fill="#fff3c4" opacity=".7"/>
<path fill="none" stroke="{d}" stroke-width="12" d="M210 210q0-110 90-110t90 110"/>
<path fill="{c}" d="M230 190h140l20 40H210z"/><path fill="{d}" d="M260 160h80v30h-80z"/>
<rect x="222" y="230" width="156" height="180" rx="30" fill="#fff9e3"
stroke="{d}" stroke-width="8"/>
<path fill="#f2a93b" d="M300 280q44 56 0 100-44-44 0-100z"/>
<path fill="#fde7a5" d="M300 322q20 30 0 54-20-24 0-54z"/>
<path fill="{c}" d="M204 410h192l24 74H180z"/>
<rect x="180" y="470" width="240" height="22" rx="8" fill="{d}"/>""",
    "mug": """
<path fill="none" stroke="#d8d2c6" stroke-width="9" stroke-linecap="round"
d="M250 170q-24-30 0-60t0-60m60 120q-24-30 0-60t0-60"/>
<path fill="none" stroke="{d}" stroke-width="28" d="M400 270h40q50 0 50 60t-50 60h-40"/>
<path fill="{c}" d="M160 210h250v230q0 50-50 50H210q-50 0-50-50z"/>
<path fill="{d}" d="M360 210h50v230q0 50-50 50h-30q30-20 30-60z"/>
<rect x="150" y="200" width="270" height="22" rx="11" fill="#f5efe2"/>
<path fill="#f5efe2" opacity=".85" d="m250 320 36-44 36 44v70h-72z"/>""",
}

SKINS = ("#f0cfb0", "#dba97c", "#b07a4f", "#7d5236", "#f5dcc6")
HAIRS = ("#2b211c", "#5a3a22", "#a8672e", "#c9a24f", "#8d8d8d", "#d9d4cc")
CLOTHES = ("#35507e", "#3c6e57", "#8b3a3a", "#5b4a78", "#8c6a12", "#1d6a8c")
BACKGROUNDS = ("#dfe9ee", "#efe6d8", "#e6ecdf", "#eee0e4")


def svg(size: tuple[int, int], body: str) -> bytes:
    """Wrap shapes into an SVG file of `size` (width, height)."""
    width, height = size
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
    return f'{head} viewBox="0 0 {width} {height}">{body}</svg>\n'.encode()


def gear(kind: str, colour: str) -> bytes:
    """Draw a piece of gear in one of the `GEAR_COLOURS`."""
    main, shade, ground = GEAR_COLOURS[colour]
    shapes = GEAR[kind].replace("{c}", main).replace("{d}", shade)
    floor = '<ellipse cx="300" cy="492" rx="230" ry="22" fill="#000" opacity=".1"/>'
    return svg(GEAR_SIZE, f'<rect width="600" height="600" fill="{ground}"/>{floor}{shapes}')


def portrait(rng: Random) -> bytes:
    """Draw somebody's head and shoulders."""
    skin, hair, cloth = rng.choice(SKINS), rng.choice(HAIRS), rng.choice(CLOTHES)
    length = rng.choice((96, 108, 140, 156))  # px: where the hair ends
    glasses = (
        '<g fill="none" stroke="#333" stroke-width="3"><circle cx="102" cy="110" r="13"/>'
        '<circle cx="138" cy="110" r="13"/><path d="M115 110h10"/></g>'
    )
    return svg(
        PORTRAIT_SIZE,
        f'<rect width="240" height="240" fill="{rng.choice(BACKGROUNDS)}"/>'
        f'<path fill="{hair}" d="M68 {length}V96q0-56 52-56t52 56v{length - 96}z"/>'
        f'<path fill="{cloth}" d="M30 240q4-66 90-66t90 66z"/>'
        f'<path fill="{skin}" d="M102 140h36v40q-18 20-36 0z"/>'
        f'<ellipse cx="120" cy="112" rx="42" ry="50" fill="{skin}"/>'
        f'<path fill="{hair}" d="M76 104q2-54 44-54t44 54q-12-30-44-30t-44 30z"/>'
        '<g fill="#2a2a2a"><circle cx="103" cy="111" r="4"/><circle cx="137" cy="111" r="4"/></g>'
        '<path d="M106 138q14 10 28 0" fill="none" stroke="#8a4b3a" stroke-width="3"/>'
        f"{glasses if rng.random() < 0.4 else ''}",
    )


def bar_chart(rng: Random) -> bytes:
    """Draw a chart of twelve bars, one a month."""
    lines = "".join(
        f'<path stroke="#d9dee2" d="M50 {y}h680"/><text x="12" y="{y + 4}">{(320 - y) // 5}</text>'
        for y in range(70, 321, 50)
    )
    bars = ""
    for month, letter in enumerate("JFMAMJJASOND"):
        tall = rng.randrange(40, 250)
        x = 66 + month * 56
        bars += f'<rect x="{x}" y="{320 - tall}" width="34" height="{tall}" rx="3" fill="#1d6a8c"/>'
        bars += f'<text x="{x + 12}" y="346">{letter}</text>'
    return svg(CHART_SIZE, chart_ground() + lines + bars)


def tide_chart(rng: Random) -> bytes:
    """Draw the height of the water over a day and a half."""
    phase, swing = rng.uniform(0, math.tau), rng.uniform(70, 120)
    curve = " ".join(
        f"{x},{190 - swing * math.sin(x / 680 * math.tau * 3 + phase):.1f}"
        for x in range(50, 731, 8)
    )
    hours = "".join(
        f'<path stroke="#e3e7ea" d="M{x} 40v290"/><text x="{x - 8}" y="352">{hour % 24:02d}</text>'
        for hour, x in zip(range(6, 43, 6), range(50, 731, 113), strict=True)
    )
    line = f'<polyline points="{curve}" fill="none" stroke="#1d6a8c" stroke-width="4"/>'
    fill = f'<polygon points="50,330 {curve} 730,330" fill="#1d6a8c" opacity=".15"/>'
    return svg(CHART_SIZE, chart_ground() + hours + fill + line)


def chart_ground() -> str:
    """Return the background of a chart and the face of its labels."""
    face = "<style>text{font:14px sans-serif;fill:#5c6a75}</style>"
    return f'{face}<rect width="760" height="380" fill="#fbfaf7"/>'


def logo() -> bytes:
    """Draw the lighthouse that stands for the paper."""
    return svg(
        (64, 64),
        '<rect width="64" height="64" rx="14" fill="#12324a"/>'
        '<path fill="#f3c14b" d="M32 20 6 10v20zm0 0 26-10v20z" opacity=".55"/>'
        '<path fill="#f6f2ea" d="M26 24h12l4 30H22z"/>'
        '<path fill="#e4572e" d="M25.2 30h13.6l.9 7H24.300zm-1.700 14h17l.9 7H22.600z"/>'
        '<path fill="#f3c14b" d="M27 14h10v10H27z"/><path fill="#e4572e" d="m24 14 8-7 8 7z"/>',
    )
