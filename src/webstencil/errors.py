"""The error tree: every error that a caller can get is one of these.

    WebstencilError
    ├── ParseError          a page's bytes are not an HTML page
    ├── RenderError         a page cannot be rendered; the next one may
    │   ├── PageTimeout     it took longer than the limit
    │   ├── PageCrashed     it crashed the browser's page process
    │   └── BrowserMissing  no browser was found, or it does not start
    ├── SegmentError        a segmenter broke one of its promises on this page
    ├── StoreError          the store cannot be read or written
    ├── SourceError         a source of pages cannot be read
    └── SettingsError       a setting has an invalid value

A message says what failed, on what, and what to do next. An answer ("this area is not on this
page") is a value, never an exception.
"""


class WebstencilError(Exception):
    """Any error of webstencil."""


class ParseError(WebstencilError):
    """A page's bytes are not an HTML page."""


class RenderError(WebstencilError):
    """A page cannot be rendered."""


class PageTimeout(RenderError):
    """A page took longer to render than the limit allows."""


class PageCrashed(RenderError):
    """A page crashed its browser process."""


class BrowserMissing(RenderError):
    """No browser was found, or the one found does not start."""


class SegmentError(WebstencilError):
    """A segmenter broke one of its promises."""


class StoreError(WebstencilError):
    """The store cannot be read or written."""


class SourceError(WebstencilError):
    """A source of pages cannot be read."""


class SettingsError(WebstencilError):
    """A setting has an invalid value."""
