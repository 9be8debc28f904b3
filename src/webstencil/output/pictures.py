"""Where an HTML output has the pictures of the pages that its templates were learned from."""

from dataclasses import dataclass
from pathlib import Path

from webstencil.output.names import short_name
from webstencil.output.overlay import png_size

FOLDER = "pictures"  # in the folder of the output
SHRUNK = 3  # px of a page for one of its picture: 455 across, 0.1 to 0.3 MB


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A picture, and the size of the page on it."""

    file: str  # seen from the list of all pages
    width: float  # px
    height: float  # px

    def svg(self, home: str = "") -> str:
        """Put it behind a drawing; `home` leads to the folder of the list."""
        size = f'width="{self.width:g}" height="{self.height:g}"'
        return f'<image href="{home}{self.file}" {size} opacity="0.8"/>'


def picture_file(folder: Path, url: str) -> Path:
    """Name the picture of a page."""
    return folder / FOLDER / f"{short_name(url)}.png"


def find_picture(folder: Path, url: str) -> PagePicture | None:
    """Find the picture of a page, None if there is none."""
    file = picture_file(folder, url)
    try:
        width, height = png_size(file.read_bytes())
    except OSError:
        return None
    return PagePicture(f"{FOLDER}/{file.name}", SHRUNK * width, SHRUNK * height)
