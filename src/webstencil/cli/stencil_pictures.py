"""A renderer that keeps a small picture of each page it paints, for people who look at results."""

from base64 import b64encode
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from webstencil.codec.files import put
from webstencil.errors import BrowserMissing, RenderError
from webstencil.model import Page, Snapshot
from webstencil.output.files import explained
from webstencil.output.overlay import png_size
from webstencil.output.pictures import SHRUNK, picture_file
from webstencil.protocols import Resources
from webstencil.render import ChromiumRenderer


@dataclass(frozen=True, slots=True)
class PicturingRenderer:
    """Paints pages as its renderer does; a page of which no picture can be made has none."""

    renderer: ChromiumRenderer
    folder: Path  # of the HTML output

    def __enter__(self) -> Self:
        self.renderer.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self.renderer.close()

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Paint a page and keep its picture."""
        try:
            snapshot = self.renderer.render(page, resources, screenshot=True)
            picture = shrunk(self.renderer, snapshot.screenshot or b"")
        except BrowserMissing:
            raise
        except RenderError:
            return self.renderer.render(page, resources, screenshot=screenshot)
        path = picture_file(self.folder, page.url)
        with explained(path):
            put(path, picture)
        return snapshot if screenshot else replace(snapshot, screenshot=None)


def shrunk(renderer: ChromiumRenderer, picture: bytes) -> bytes:
    """Make a picture smaller."""
    width, height = (max(1, side // SHRUNK) for side in png_size(picture))
    data = b64encode(picture).decode("ascii")
    image = f'<image width="{width}" height="{height}" href="data:image/png;base64,{data}"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{image}</svg>'
    return renderer.picture(svg, width, height)
