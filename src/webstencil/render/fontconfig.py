"""The browser's fonts: a page must be laid out alike on every machine.

The browser uses the fonts that `webstencil browser install` puts into our data folder, and the
machine's own for scripts that these lack. Without ours, it uses all of the machine's.
"""

from pathlib import Path
from xml.sax.saxutils import escape

SYSTEM_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
FONT_FILES = ("*.ttf", "*.otf", "*.ttc", "*.pfb")

# The fonts that most pages name, and those of the same widths, or nearly so, that stand for them.
SANS = ("Arimo", "Liberation Sans", "DejaVu Sans", "Open Sans")
SERIF = ("Tinos", "Liberation Serif", "DejaVu Serif")
MONO = ("Cousine", "Liberation Mono", "DejaVu Sans Mono")
WIDE = ("DejaVu Sans", *SANS)
SUBSTITUTES = (
    (SANS, ("sans-serif", "Arial", "Helvetica", "Helvetica Neue", "Liberation Sans")),
    (SANS, ("system-ui", "ui-sans-serif", "-apple-system", "BlinkMacSystemFont", "Segoe UI")),
    (SERIF, ("serif", "Times", "Times New Roman", "Liberation Serif", "Georgia", "ui-serif")),
    (MONO, ("monospace", "Courier", "Courier New", "Liberation Mono", "ui-monospace")),
    (MONO, ("Consolas", "Menlo", "Monaco")),
    (WIDE, ("Verdana", "Geneva", "Bitstream Vera Sans")),
)
# Scripts that none of the fonts above has, so that a machine's own font cannot move other text.
ACCEPTED = ("CJK", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Tamil", "Telugu", "Thai")

# With hinting, glyphs have whole-pixel widths and lines break elsewhere.
RENDERING = """\
<match target="font">
  <edit name="hinting" mode="assign"><bool>false</bool></edit>
  <edit name="autohint" mode="assign"><bool>false</bool></edit>
  <edit name="hintstyle" mode="assign"><const>hintnone</const></edit>
  <edit name="antialias" mode="assign"><bool>true</bool></edit>
  <edit name="rgba" mode="assign"><const>none</const></edit>
  <edit name="embeddedbitmap" mode="assign"><bool>false</bool></edit>
</match>"""


def font_config(ours: Path | None, cache: Path) -> str:
    """Write a fontconfig file; `ours` is the folder of our own fonts, None without them."""
    folders = SYSTEM_FOLDERS if ours is None else (ours, *SYSTEM_FOLDERS)
    parts = (
        '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
        "<fontconfig>",
        *(f"<dir>{escape(str(folder))}</dir>" for folder in folders),
        f"<cachedir>{escape(str(cache))}</cachedir>",
        "" if ours is None else _selection(),
        RENDERING,
        *(_alias(name, families) for families, names in SUBSTITUTES for name in names),
        "</fontconfig>\n",
    )
    return "\n".join(parts)


def _selection() -> str:
    rejected = "".join(f"<glob>{folder}/*</glob>" for folder in SYSTEM_FOLDERS)
    accepted = "".join(f"<glob>*/NotoSans{script}*</glob>" for script in ACCEPTED)
    return (
        f"<selectfont><rejectfont>{rejected}</rejectfont>"
        f"<acceptfont>{accepted}</acceptfont></selectfont>"
    )


def _alias(name: str, families: tuple[str, ...]) -> str:
    preferred = "".join(f"<family>{family}</family>" for family in families)
    return f'<alias binding="same"><family>{name}</family><prefer>{preferred}</prefer></alias>'


def count_fonts(folder: Path) -> int:
    """Count the font files in a folder and below."""
    return sum(1 for pattern in FONT_FILES for _ in folder.rglob(pattern))
