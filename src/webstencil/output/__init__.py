"""Results as files: JSON lines, Parquet, Markdown, HTML; docs/output.md describes them."""

from webstencil.output.files import Output
from webstencil.output.formats import OUTPUTS, format_of, open_output
from webstencil.output.html import HtmlFolder
from webstencil.output.json_lines import JsonLines, json_areas, json_line
from webstencil.output.markdown import MarkdownFolder
from webstencil.output.parquet import ParquetFolder

__all__ = [
    "OUTPUTS",
    "HtmlFolder",
    "JsonLines",
    "MarkdownFolder",
    "Output",
    "ParquetFolder",
    "format_of",
    "json_areas",
    "json_line",
    "open_output",
]
