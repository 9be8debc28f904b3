"""`Page` to `Snapshot`: pages rendered by Chromium.

- `renderer` shows a page in a `tab` of a browser (`chromium`, started confined by `launch`), which
  gets its resources from us alone; `scripts` runs the scripts of a page before it is parsed;
- `boxes` turns the browser's answer into boxes, `looks` reads how they look, `scrolling` lays out
  what scrolls inside a page;
- `browser` finds and installs the browser and its fonts, and `doctor` checks them.
"""

from webstencil.render.renderer import ChromiumRenderer

__all__ = ["ChromiumRenderer"]
