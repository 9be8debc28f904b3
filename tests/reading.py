"""Outputs read back by other programs than ours."""

import gzip
import json
import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyarrow.dataset as ds

from webstencil.codec import zstd


def read_json_lines(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    elif path.suffix == ".zst":
        data = zstd.decompress(data)
    return [json.loads(line) for line in data.splitlines()]


def read_table(folder: Path, table: str) -> list[dict[str, Any]]:
    """Read a Parquet table as Arrow does, in the order of its addresses."""
    if not (folder / table).exists():
        return []
    rows = ds.dataset(folder / table, partitioning="hive").to_table().to_pylist()
    return sorted(rows, key=lambda row: row["url"])


def front_matter(path: Path) -> dict[str, Any]:
    """Read the facts of a Markdown file, and its text."""
    _, facts, text = path.read_text().split("---\n", 2)
    pairs = (line.split(": ", 1) for line in facts.splitlines())
    return {name: json.loads(value) for name, value in pairs} | {"text": text.strip()}


def read_markdown(folder: Path) -> list[dict[str, Any]]:
    return [front_matter(path) for path in sorted(folder.rglob("*.md"))]


def read_web(folder: Path) -> list[dict[str, Any]]:
    """Read the pages that a list in HTML leads to, each once."""
    list_of_all = (folder / "index.html").read_text() if folder.exists() else ""
    files = [unquote(unescape(name)) for name in re.findall(r'<li><a href="([^"]*)"', list_of_all)]
    return [web_page((folder / file).read_text()) for file in files]


def web_page(html: str) -> dict[str, Any]:
    """Read a page without a title, whose URL stands in its place; one that failed is not sure."""
    (url,) = re.findall(r'<h1 class="address"[^>]*>([^<]*)</h1>', html)
    (status,) = re.findall(r"<dt>Status</dt><dd><span [^>]*>(\w+)<", html)
    sure = re.findall(r"<dt>Confidence</dt><dd>([\d.]+)<", html)
    return {"url": unescape(url), "status": status, "confidence": float(*sure)}


def read_any(path: Path) -> list[dict[str, Any]]:
    """Read the pages of any output, told apart by its name."""
    if path.name == "parquet":
        return read_table(path, "pages")
    if path.name == "html":
        return read_web(path)
    return read_markdown(path) if path.name == "md" else read_json_lines(path)
