"""The screenshots of learned pages in an HTML output."""

from dataclasses import dataclass
from pathlib import Path

from webstencil.output.file_names import short_name
from webstencil.output.overlay import png_size

FOLDER = "pictures"  # in the output folder
SHRUNK = 3  # px of a page per px of its picture: 455 px wide, 0.1 to 0.3 MB


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A picture, and the size of its page."""

    file: str  # relative to the list of all pages
    width: float  # px
    height: float  # px

    def svg(self, home: str = "") -> str:
        """Return it as a backdrop in SVG; `home` is the path to the folder of the list."""
        size = f'width="{self.width:g}" height="{self.height:g}"'
        return f'<image href="{home}{self.file}" {size} opacity="0.8"/>'


def picture_file(folder: Path, url: str) -> Path:
    """Return the file of a page's picture."""
    return folder / FOLDER / f"{short_name(url)}.png"


def find_picture(folder: Path, url: str) -> PagePicture | None:
    """Return the picture of a page, None if there is none."""
    file = picture_file(folder, url)
    try:
        width, height = png_size(file.read_bytes())
    except OSError:
        return None
    return PagePicture(f"{FOLDER}/{file.name}", SHRUNK * width, SHRUNK * height)
