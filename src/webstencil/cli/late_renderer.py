"""A renderer that misses its browser only when a page is to be rendered.

In the default mode a job goes on without a browser: areas then follow the markup alone, and the
summary says so.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from webstencil.errors import BrowserMissing
from webstencil.model import Mode, Page, Snapshot
from webstencil.protocols import Renderer, Resources
from webstencil.settings import Settings


@dataclass(frozen=True, slots=True)
class LateRenderer:
    """Renders pages; without a browser it can be opened all the same."""

    renderer: Renderer

    def __enter__(self) -> Self:
        with suppress(BrowserMissing):  # the first page to render says so
            self.renderer.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self.renderer.__exit__(*exc)

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Render a page."""
        return self.renderer.render(page, resources, screenshot=screenshot)


def renderer_of_mode(renderer: Renderer, settings: Settings) -> Renderer:
    """Return a renderer that misses its browser at once in paper mode, which needs one."""
    return renderer if settings.mode is Mode.PAPER else LateRenderer(renderer)
