"""Where pages come from."""

from webstencil.sources.file import PageFile
from webstencil.sources.folder import Folder
from webstencil.sources.opening import Several, open_page, open_source, open_sources
from webstencil.sources.parts import Note, Notes, Noting, PartOf, SourcePart
from webstencil.sources.warc import WarcFile
from webstencil.sources.web import WebCache, WebPage

__all__ = [
    "Folder",
    "Note",
    "Notes",
    "Noting",
    "PageFile",
    "PartOf",
    "Several",
    "SourcePart",
    "WarcFile",
    "WebCache",
    "WebPage",
    "open_page",
    "open_source",
    "open_sources",
]
