"""Visual-quality page segmentation of whole web sites at the cost of parsing HTML.

A job is a `Pipeline` with a store, a renderer and `Settings`; its `run` takes a source (`Folder`,
`WarcFile`, `open_source`, ...) and yields a `PageResult` for each page that is new or changed.
`Workers` do the same in several processes, `RayWorkers` on several machines.
`extract` and `Site` give main content without a store or a browser. `pick_text` and `find_picks`
find on other pages what was picked on one. A `SiteModel` adds up what the pages of a site tell;
`find_templates` and `survey_site` read its templates and the plan of renderings off it. All errors
are `WebstencilError`s; what can be swapped is in `webstencil.protocols`.

A name's module is loaded when the name is first used: `extract` needs no database and no browser.
"""

from importlib import import_module

__version__ = "0.1.0"

_NAMES = {  # by the module that has them; `__init__.pyi` tells type checkers the same
    "api": ("Format", "Site", "extract"),
    "errors": (
        "BrowserMissing",
        "PageCrashed",
        "PageTimeout",
        "ParseError",
        "RenderError",
        "SegmentError",
        "SettingsError",
        "SourceError",
        "StoreError",
        "WebstencilError",
    ),
    "content": ("Content", "MainContent", "Policy"),
    "geometry": ("Rect",),
    "model": (
        "Area",
        "Item",
        "Mode",
        "Page",
        "PageArea",
        "PageResult",
        "Problem",
        "RawPage",
        "Resource",
        "Snapshot",
        "Status",
        "Stencil",
        "Viewport",
    ),
    "output": ("JsonLines", "MarkdownFolder", "ParquetFolder", "HtmlFolder", "open_output"),
    "picks": ("Found", "Lost", "Pick", "find_picks", "pick", "pick_text"),
    "site.outline": ("Outline", "OutlinedPage"),
    "site.site_model": ("SiteModel",),
    "site.survey_report": ("SiteSurvey", "survey_site"),
    "site.templates": ("SiteTemplates", "Template", "find_templates"),
    "jobs.job": ("Pipeline",),
    "render": ("ChromiumRenderer",),
    "report": ("Report",),
    "jobs.ray_workers": ("RayWorkers",),
    "render.scripts": ("ScriptLimits", "ScriptRunner"),
    "segment": ("BCS", "PUBLISHED", "SEGMENTERS", "VIPS", "Burget", "Guo"),
    "settings": ("Settings",),
    "sources": (
        "Folder",
        "WebCache",
        "PageFile",
        "Several",
        "WarcFile",
        "WebPage",
        "open_page",
        "open_source",
        "open_sources",
    ),
    "store": ("SqlStore", "open_store"),
    "jobs.workers": ("Workers",),
}
_HOMES = {name: f"webstencil.{module}" for module, names in _NAMES.items() for name in names}

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """Load a public name."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
