"""Visual-quality page segmentation of whole web sites at the cost of parsing HTML."""

from webstencil.api import Format, Site, extract
from webstencil.errors import (
    BrowserMissing,
    PageCrashed,
    PageTimeout,
    ParseError,
    RenderError,
    SegmentError,
    SettingsError,
    SourceError,
    StoreError,
    WebstencilError,
)
from webstencil.extract.content import Content, MainContent, Policy
from webstencil.geometry import Rect
from webstencil.model import (
    Area,
    Item,
    Page,
    PageArea,
    PageResult,
    Problem,
    RawPage,
    Snapshot,
    Status,
    Stencil,
    Viewport,
)
from webstencil.output import JsonLines
from webstencil.pipeline import Pipeline, Report
from webstencil.render import ChromiumRenderer
from webstencil.segment import SEGMENTERS, VIPS
from webstencil.settings import Mode, Settings
from webstencil.sources import Folder, PageFile, WebPage
from webstencil.store import SqlStore, open_store

__version__ = "0.1.0"

__all__ = [
    "SEGMENTERS",
    "VIPS",
    "Area",
    "BrowserMissing",
    "ChromiumRenderer",
    "Content",
    "Folder",
    "Format",
    "Item",
    "JsonLines",
    "MainContent",
    "Mode",
    "Page",
    "PageArea",
    "PageCrashed",
    "PageFile",
    "PageResult",
    "PageTimeout",
    "ParseError",
    "Pipeline",
    "Policy",
    "Problem",
    "RawPage",
    "Rect",
    "RenderError",
    "Report",
    "SegmentError",
    "Settings",
    "SettingsError",
    "Site",
    "Snapshot",
    "SourceError",
    "SqlStore",
    "Status",
    "Stencil",
    "StoreError",
    "Viewport",
    "WebPage",
    "WebstencilError",
    "extract",
    "open_store",
]
