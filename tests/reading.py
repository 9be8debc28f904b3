"""Outputs read back by other programs than ours."""

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds

from webstencil.unpack import zstd


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


def read_any(path: Path) -> list[dict[str, Any]]:
    """Read the pages of any output, told apart by its name."""
    if path.name == "parquet":
        return read_table(path, "pages")
    return read_markdown(path) if path.name == "md" else read_json_lines(path)
