"""Where pages come from."""

from webstencil.sources.file import PageFile
from webstencil.sources.folder import Folder
from webstencil.sources.web import WebPage

__all__ = ["Folder", "PageFile", "WebPage"]
