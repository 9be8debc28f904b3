"""A renderer that keeps a small picture of each page, for the HTML output."""

from base64 import b64encode
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from webstencil.codec import put
from webstencil.errors import BrowserMissing, RenderError
from webstencil.model import Page, Snapshot
from webstencil.output.files import explained
from webstencil.output.overlay import png_size
from webstencil.output.pictures import SHRUNK, picture_file
from webstencil.protocols import Resources
from webstencil.render import ChromiumRenderer


@dataclass(frozen=True, slots=True)
class PicturingRenderer:
    """Renders pages and keeps their pictures, if they can be made."""

    renderer: ChromiumRenderer
    folder: Path  # of the HTML output

    def __enter__(self) -> Self:
        self.renderer.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self.renderer.close()

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Render a page and keep its picture."""
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
    """Scale a picture down."""
    width, height = (max(1, side // SHRUNK) for side in png_size(picture))
    data = b64encode(picture).decode("ascii")
    image = f'<image width="{width}" height="{height}" href="data:image/png;base64,{data}"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{image}</svg>'
    return renderer.picture(svg, width, height)
