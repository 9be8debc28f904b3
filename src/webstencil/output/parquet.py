"""Results as Parquet: tables with a row for each page, area and item, partitioned by site.

    FOLDER/pages/site=a.example/part-00001.parquet
    FOLDER/areas/site=a.example/part-00001.parquet
    FOLDER/items/site=a.example/part-00001.parquet

A part is written outside of the tables and moved there when finished, that of the pages last: an
area or item without its page was left by a crash, and the next run removes it. Rows of pages that
were processed again are removed from their part before new ones are written, so no page is there
twice.
"""

from collections.abc import Iterator
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import quote

from webstencil.codec import result_json
from webstencil.errors import WebstencilError
from webstencil.model import PageResult
from webstencil.output.files import Known, Output, claimed_folder, writing_explained
from webstencil.output.markdown import content_of, place_in_warc, reason_of

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]  # it has no types

Row: TypeAlias = dict[str, object]
Part: TypeAlias = tuple[str, str]  # the folder of a site, the name of a file in it

PAGE_TABLE, AREA_TABLE, ITEM_TABLE = "pages", "areas", "items"

# The columns in order, texts unless they have a type; docs/output.md describes them. A new column
# goes to the end of its table; none is ever renamed.
WRITTEN_COLUMNS = {
    PAGE_TABLE: "url status reason stencil confidence:double content content_from areas:int32 "
    "items:int32 problems:list<struct<stage,kind,message>> origin warc_file warc_offset:int64 "
    "digest version:int32 template grain:double type type_confidence:double template_number:int32",
    AREA_TABLE: "url id:int32 parent:int32 kind text selector xpath left:double top:double "
    "right:double bottom:double nodes:int32 confidence:double slot:int32 "
    "attributes:list<struct<name,number>> name",
    ITEM_TABLE: "url kind text markdown selector xpath confidence:double how area:int32 "
    "fields:list<struct<name,value>>",
}
TABLE_COLUMNS: dict[str, tuple[tuple[str, str], ...]] = {  # name and type
    table: tuple(
        (name, kind.replace(",", ", ") or "string")
        for name, _, kind in (column.partition(":") for column in columns.split())
    )
    for table, columns in WRITTEN_COLUMNS.items()
}

RECT_SIDES = ("left", "top", "right", "bottom")
AREA_FIELDS = tuple(
    name for name, _ in TABLE_COLUMNS[AREA_TABLE] if name not in ("url", "attributes", *RECT_SIDES)
)
ITEM_FIELDS = tuple(name for name, _ in TABLE_COLUMNS[ITEM_TABLE] if name not in ("url", "fields"))

NO_SITE = "__HIVE_DEFAULT_PARTITION__"  # Hive's name for a missing value
UNFINISHED_PART = ".draft.parquet"  # outside of the tables, whose readers take all files
ZSTD_LEVEL = 3  # of zstd, its default
LARGEST_PART = 16_000_000  # characters of text in a part, about 2 MB as Parquet
MOST_WAITING_TEXT = 64_000_000  # characters of text in memory, in parts that are not full
NUMBER_FIELD = "number"  # the field of a nested value that is a number; others are texts
ROW_SIZE = 200  # characters of a row besides its text, roughly


def page_row(result: PageResult) -> Row:
    """Return the row of a page."""
    content = content_of(result)
    file, offset = place_in_warc(result)
    row: Row = {
        "status": result.status.value,
        "reason": reason_of(result),
        "content": content.text,
        "content_from": content.made_from,
        "areas": len(result.areas),
        "items": len(result.items),
        "problems": [
            {"stage": problem.stage, "kind": problem.kind, "message": problem.message}
            for problem in result.problems
        ],
        "warc_file": file,
        "warc_offset": offset,
        "digest": result_digest(result),
    }
    names = [name for name, _ in TABLE_COLUMNS[PAGE_TABLE]]
    return {name: row[name] if name in row else getattr(result, name) for name in names}


def _rows(table: str, result: PageResult) -> Iterator[Row]:
    """Yield the rows of a result in a table."""
    if table == PAGE_TABLE:
        yield page_row(result)
    elif table == AREA_TABLE:
        for area in result.areas:
            row: Row = {name: getattr(area, name) for name in AREA_FIELDS}
            row |= {side: float(getattr(area.rect, side)) for side in RECT_SIDES}
            numbers = [{"name": name, "number": number} for name, number in area.attributes]
            yield row | {"url": result.url, "attributes": numbers}
    else:
        for item in result.items:
            row = {name: getattr(item, name) for name in ITEM_FIELDS}
            values = [{"name": name, "value": value} for name, value in item.fields]
            yield row | {"url": result.url, "fields": values}


def result_digest(result: PageResult) -> str:
    """Hash a result; one with the same digest need not be written again."""
    return blake2b(result_json(result), digest_size=8).hexdigest()


class ParquetFolder(Output):
    """Parquet tables in step with a store."""

    def __init__(self, path: str | Path, known: Known = tuple) -> None:
        """Write the results of `known` that are not there yet, and drop all others."""
        path = Path(path)
        self._files = _Files(path)
        self._waiting: dict[str, dict[str, PageResult]] = {}  # by folder of a site, then URL
        self._sizes: dict[str, int] = {}  # characters, by folder of a site
        with writing_explained(path):
            self._claim = claimed_folder(path, "Parquet")
            there = self._files.read()
            self._parts = {url: part for url, (part, _) in there.items()}
            gone = set(there)
            for result in known():
                gone.discard(result.url)
                if result.url not in there or there[result.url][1] != result_digest(result):
                    self.write(result)
            self._drop(gone)

    def write(self, result: PageResult) -> None:
        """Take a result; it is written with others of its site, at the latest at the end."""
        # A colon, as before a port, is escaped.
        folder = f"site={quote(result.site, safe='') or NO_SITE}"
        self._waiting.setdefault(folder, {})[result.url] = result
        size = ROW_SIZE * (1 + len(result.areas) + len(result.items))
        size += sum(len(area.text) for area in result.areas)
        size += sum(len(item.text) + len(item.markdown) for item in result.items)
        self._sizes[folder] = self._sizes.get(folder, 0) + size
        if self._sizes[folder] > LARGEST_PART:
            self._flush(folder)
        elif sum(self._sizes.values()) > MOST_WAITING_TEXT:
            self._flush(max(self._sizes, key=lambda one: self._sizes[one]))

    def close(self) -> None:
        for folder in sorted(self._waiting):
            self._flush(folder)
        self._claim.release()

    def _flush(self, folder: str) -> None:
        results = self._waiting.pop(folder)
        del self._sizes[folder]
        with writing_explained(self._files.top / PAGE_TABLE / folder):
            self._drop(set(results))
            part = self._files.add(folder, list(results.values()))
        self._parts |= dict.fromkeys(results, part)

    def _drop(self, urls: set[str]) -> None:
        """Remove pages from the files they are in."""
        places = sorted((self._parts.pop(url), url) for url in urls if url in self._parts)
        for part, group in groupby(places, key=itemgetter(0)):
            self._files.drop(part, {url for _, url in group})


class _Files:
    """The files of the tables; the only user of pyarrow."""

    def __init__(self, top: Path) -> None:
        try:
            import pyarrow  # noqa: PLC0415 - optional
            import pyarrow.compute  # type: ignore[import-untyped]  # noqa: PLC0415 - optional
            import pyarrow.parquet  # type: ignore[import-untyped]  # noqa: PLC0415 - optional
        except ImportError as error:
            raise WebstencilError(
                "Parquet needs pyarrow; install it with `pip install webstencil[parquet]`"
            ) from error
        self.top = top
        self._pa: Any = pyarrow
        self._schemas = {
            table: pyarrow.schema([(name, self._type(kind)) for name, kind in columns])
            for table, columns in TABLE_COLUMNS.items()
        }

    def read(self) -> dict[str, tuple[Part, str]]:
        """Remove what a crash left; return the part and digest of each page."""
        (self.top / PAGE_TABLE).mkdir(parents=True, exist_ok=True)
        (self.top / UNFINISHED_PART).unlink(missing_ok=True)
        for table in (AREA_TABLE, ITEM_TABLE):
            for path in self.top.glob(f"{table}/site=*/part-*.parquet"):
                if not (self.top / PAGE_TABLE / path.parent.name / path.name).exists():
                    path.unlink()
        there = {}
        for path in sorted(self.top.glob(f"{PAGE_TABLE}/site=*/part-*.parquet")):
            columns = self._read(path, ["url", "digest"]).to_pydict()
            for url, digest in zip(columns["url"], columns["digest"], strict=True):
                there[url] = ((path.parent.name, path.name), digest)
        return there

    def add(self, folder: str, results: list[PageResult]) -> Part:
        """Write a new part of a site."""
        numbers = [path.stem for path in (self.top / PAGE_TABLE / folder).glob("part-*.parquet")]
        last = max((int(stem.removeprefix("part-")) for stem in numbers), default=0)
        name = f"part-{last + 1:05}.parquet"
        for table in (ITEM_TABLE, AREA_TABLE, PAGE_TABLE):
            rows = [row for result in results for row in _rows(table, result)]
            path = self.top / table / folder / name
            if rows:
                self._put(path, self._pa.Table.from_pylist(rows, schema=self._schemas[table]))
            else:
                path.unlink(missing_ok=True)  # left by a crash
        return folder, name

    def drop(self, part: Part, urls: set[str]) -> None:
        """Remove the rows of pages from a part, those in `pages` last."""
        for table in (ITEM_TABLE, AREA_TABLE, PAGE_TABLE):
            path = self.top.joinpath(table, *part)
            if not path.exists():
                continue
            rows = self._read(path)
            out = self._pa.compute.is_in(rows["url"], value_set=self._pa.array(sorted(urls)))
            kept = rows.filter(self._pa.compute.invert(out))
            if kept.num_rows:
                self._put(path, kept)
            else:
                path.unlink()

    def _put(self, path: Path, table: "pa.Table") -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.top / UNFINISHED_PART
        self._pa.parquet.write_table(table, draft, compression="zstd", compression_level=ZSTD_LEVEL)
        draft.replace(path)

    def _read(self, path: Path, columns: list[str] | None = None) -> "pa.Table":
        try:
            return self._pa.parquet.ParquetFile(path).read(columns=columns)
        except self._pa.ArrowException as error:
            raise WebstencilError(
                f"{path} was not written by webstencil: {error}; choose another folder"
            ) from error

    def _type(self, kind: str) -> "pa.DataType":
        if not kind.startswith("list<struct<"):
            return self._pa.type_for_alias(kind)
        names = kind.removeprefix("list<struct<").removesuffix(">>").split(", ")
        numbers, texts = self._pa.float64(), self._pa.string()
        parts = [(name, numbers if name == NUMBER_FIELD else texts) for name in names]
        return self._pa.list_(self._pa.struct(parts))
