"""Where pages come from."""

from webstencil.sources.file import PageFile
from webstencil.sources.folder import Folder
from webstencil.sources.notes import Note, Notes, Noting
from webstencil.sources.opening import open_page, open_source, open_sources
from webstencil.sources.parts import PartOf, SourcePart
from webstencil.sources.several import Several
from webstencil.sources.warc import WarcFile
from webstencil.sources.web import WebPage
from webstencil.sources.web_cache import WebCache

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
