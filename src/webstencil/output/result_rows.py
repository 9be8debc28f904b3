"""Results as rows of tables: one per page, area and item."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import TypeAlias

from webstencil.codec import result_json
from webstencil.model import PageResult
from webstencil.output.content import content_of, place_in_warc, reason_of

Row: TypeAlias = dict[str, object]

PAGES, AREAS, ITEMS = TABLES = ("pages", "areas", "items")

# Name and type of each column, in order; docs/output.md describes them. A new column goes to the
# end of its table; none is ever renamed.
COLUMNS: dict[str, tuple[tuple[str, str], ...]] = {
    PAGES: (
        ("url", "string"),
        ("status", "string"),
        ("reason", "string"),
        ("stencil", "string"),
        ("confidence", "double"),
        ("content", "string"),
        ("content_from", "string"),
        ("areas", "int32"),
        ("items", "int32"),
        ("problems", "list<struct<stage, kind, message>>"),
        ("origin", "string"),
        ("warc_file", "string"),
        ("warc_offset", "int64"),
        ("digest", "string"),
        ("version", "int32"),
        ("template", "string"),
        ("grain", "double"),
        ("type", "string"),
        ("type_confidence", "double"),
        ("template_number", "int32"),
    ),
    AREAS: (
        ("url", "string"),
        ("id", "int32"),
        ("parent", "int32"),
        ("kind", "string"),
        ("text", "string"),
        ("selector", "string"),
        ("xpath", "string"),
        ("left", "double"),
        ("top", "double"),
        ("right", "double"),
        ("bottom", "double"),
        ("nodes", "int32"),
        ("confidence", "double"),
        ("slot", "int32"),
        ("attributes", "list<struct<name, number>>"),
        ("name", "string"),
    ),
    ITEMS: (
        ("url", "string"),
        ("kind", "string"),
        ("text", "string"),
        ("markdown", "string"),
        ("selector", "string"),
        ("xpath", "string"),
        ("confidence", "double"),
        ("how", "string"),
        ("area", "int32"),
        ("fields", "list<struct<name, value>>"),
    ),
}

SIDES = ("left", "top", "right", "bottom")
AREA_FIELDS = tuple(name for name, _ in COLUMNS[AREAS] if name not in ("url", "attributes", *SIDES))
ITEM_FIELDS = tuple(name for name, _ in COLUMNS[ITEMS] if name not in ("url", "fields"))


def page_row(result: PageResult) -> Row:
    """Return the row of a page."""
    content = content_of(result)
    file, offset = place_in_warc(result)
    return {
        "url": result.url,
        "status": result.status.value,
        "reason": reason_of(result),
        "stencil": result.stencil,
        "confidence": result.confidence,
        "content": content.text,
        "content_from": content.made_from,
        "areas": len(result.areas),
        "items": len(result.items),
        "problems": [
            {"stage": problem.stage, "kind": problem.kind, "message": problem.message}
            for problem in result.problems
        ],
        "origin": result.origin,
        "warc_file": file,
        "warc_offset": offset,
        "digest": result_digest(result),
        "version": result.version,
        "template": result.template,
        "grain": result.grain,
        "type": result.type,
        "type_confidence": result.type_confidence,
        "template_number": result.template_number,
    }


def area_rows(result: PageResult) -> Iterator[Row]:
    """Yield the rows of a page's areas."""
    for area in result.areas:
        row: Row = {name: getattr(area, name) for name in AREA_FIELDS}
        row |= {side: float(getattr(area.rect, side)) for side in SIDES}
        said = [{"name": name, "number": number} for name, number in area.attributes]
        yield row | {"url": result.url, "attributes": said}


def item_rows(result: PageResult) -> Iterator[Row]:
    """Yield the rows of a page's items."""
    for item in result.items:
        row: Row = {name: getattr(item, name) for name in ITEM_FIELDS}
        named = [{"name": name, "value": value} for name, value in item.fields]
        yield row | {"url": result.url, "fields": named}


def rows_of(table: str, results: Iterable[PageResult]) -> list[Row]:
    """Return the rows of results in a table."""
    if table == PAGES:
        return [page_row(result) for result in results]
    rows = area_rows if table == AREAS else item_rows
    return [row for result in results for row in rows(result)]


def result_digest(result: PageResult) -> str:
    """Hash a result; one with the same digest need not be written again."""
    return blake2b(result_json(result), digest_size=8).hexdigest()
