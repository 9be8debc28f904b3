"""`Page` to `Snapshot`: pages rendered by Chromium.

- `renderer` shows a page in a `tab` of a browser (`chromium`, started confined by `launch`), which
  gets its resources from us alone (`supply`); `owner` starts, shares and ends the browser;
- `scripts` and `script_tab` run the scripts of a page before it is parsed;
- `boxes` turns the browser's answer into boxes: which nodes they belong to (`identity`), how they
  look (`looks`, `colors`);
- `browser`, `packages` and `fontconfig` find and install the browser and its fonts, and `doctor`
  checks them.
"""

from webstencil.render.renderer import ChromiumRenderer

__all__ = ["ChromiumRenderer"]
