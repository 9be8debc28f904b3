"""What `from webstencil import ...` gives, for type checkers; `__init__.py` loads it."""

from webstencil.api import Format, Site, extract
from webstencil.content import Content, MainContent, Policy
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
from webstencil.geometry import Rect
from webstencil.jobs.job import Pipeline
from webstencil.jobs.ray_workers import RayWorkers
from webstencil.jobs.workers import Workers
from webstencil.model import (
    Area,
    Item,
    Mode,
    Page,
    PageArea,
    PageResult,
    Problem,
    RawPage,
    Resource,
    Snapshot,
    Status,
    Stencil,
    Viewport,
)
from webstencil.output import HtmlFolder, JsonLines, MarkdownFolder, ParquetFolder, open_output
from webstencil.picks import Found, Lost, Pick, find_picks, pick, pick_text
from webstencil.render import ChromiumRenderer
from webstencil.render.scripts import ScriptLimits, ScriptRunner
from webstencil.report import Report
from webstencil.segment import BCS, PUBLISHED, SEGMENTERS, VIPS, Burget, Guo
from webstencil.settings import Settings
from webstencil.site.outline import Outline, OutlinedPage
from webstencil.site.site_model import SiteModel
from webstencil.site.survey_report import SiteSurvey, survey_site
from webstencil.site.templates import SiteTemplates, Template, find_templates
from webstencil.sources import (
    Folder,
    PageFile,
    Several,
    WarcFile,
    WebCache,
    WebPage,
    open_page,
    open_source,
    open_sources,
)
from webstencil.store import SqlStore, open_store

__version__: str

__all__ = [
    "BCS",
    "PUBLISHED",
    "SEGMENTERS",
    "VIPS",
    "Area",
    "BrowserMissing",
    "Burget",
    "ChromiumRenderer",
    "Content",
    "Folder",
    "Format",
    "Found",
    "Guo",
    "HtmlFolder",
    "Item",
    "JsonLines",
    "Lost",
    "MainContent",
    "MarkdownFolder",
    "Mode",
    "Outline",
    "OutlinedPage",
    "Page",
    "PageArea",
    "PageCrashed",
    "PageFile",
    "PageResult",
    "PageTimeout",
    "ParquetFolder",
    "ParseError",
    "Pick",
    "Pipeline",
    "Policy",
    "Problem",
    "RawPage",
    "RayWorkers",
    "Rect",
    "RenderError",
    "Report",
    "Resource",
    "ScriptLimits",
    "ScriptRunner",
    "SegmentError",
    "Settings",
    "SettingsError",
    "Several",
    "Site",
    "SiteModel",
    "SiteSurvey",
    "SiteTemplates",
    "Snapshot",
    "SourceError",
    "SqlStore",
    "Status",
    "Stencil",
    "StoreError",
    "Template",
    "Viewport",
    "WarcFile",
    "WebCache",
    "WebPage",
    "WebstencilError",
    "Workers",
    "extract",
    "find_picks",
    "find_templates",
    "open_output",
    "open_page",
    "open_source",
    "open_sources",
    "open_store",
    "pick",
    "pick_text",
    "survey_site",
]
