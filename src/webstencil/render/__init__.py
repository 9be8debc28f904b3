"""`Page` to `Snapshot`: pages painted by Chromium.

- `renderer` shows a page in a `tab` of a browser (`chromium`, started confined by `launch`), which
  asks only us (`supply`) for what the page needs;
- `boxes` makes values of ours of the browser's answer: whose boxes they are (`identity`), how they
  look (`looks`, `colors`);
- `browser`, `packages` and `fontconfig` tell which browser and fonts are used and get them, and
  `doctor` whether they work.
"""

from webstencil.render.renderer import ChromiumRenderer

__all__ = ["ChromiumRenderer"]
