"""Table I of the mapping paper: ours, and the paper's own."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from research.papers.mapping import MappingRow
from webstencil.cli import screen
from webstencil.model import MissReason
from webstencil.paper.descriptors import LADDER

COLUMNS = (
    *("site", "type", "mappings", "nodes", "avg. time", "at once"),
    *("strictest", "verified", "fell back", "verified", "lost"),
)
LADDER_TITLE = "nodes by the checks that they pass, mappings by the check that refuses them"
LADDER_COLUMNS = ("site", "type", *map(str, LADDER), *(f"by {reason}" for reason in MissReason))

HUNT_TITLE = "the search for the id at which a compact descriptor starts, a mapping"
HUNT_COLUMNS = ("site", "order", "nodes seen", "avg. time", "found", "another node")

PAPER = "the paper's own figures, 1,500 pages a site: other sites and another machine"
PAPER_COLUMNS = COLUMNS[:5]
PAPER_ROWS = (
    ("iDnes.cz", "full", "5024", "59499", "7.6 ms"),
    ("iDnes.cz", "compact", "5024", "19375", "0.64 s + 4.7 ms"),
    ("novinky.cz", "full", "5130", "40592", "7.3 ms"),
    ("novinky.cz", "compact", "5130", "17741", "1.1 s + 5.7 ms"),
    ("theregister.co.uk", "full", "323", "2044", "30.7 ms"),
    ("theregister.co.uk", "compact", "323", "752", "0.5 s + 20.1 ms"),
    ("telegraph.co.uk", "full", "7140", "66107", "8.4 ms"),
    ("telegraph.co.uk", "compact", "7140", "31736", "0.7 s + 4.1 ms"),
    ("penize.cz", "full", "17537", "177020", "4 ms"),
    ("penize.cz", "compact", "17537", "80500", "0.2 s + 2.2 ms"),
)


def report(rows: Sequence[MappingRow]) -> str:
    """Write all counters as JSON."""
    paper = {"source": PAPER, "columns": PAPER_COLUMNS, "rows": PAPER_ROWS}
    return json.dumps({"rows": [asdict(row) for row in rows], "paper": paper}, indent=1)


def show(rows: Sequence[MappingRow]) -> None:
    """Print the mappings, the fall-back ladder and the paper's own table."""
    screen.show_table("mappings", COLUMNS, map(cells, rows))
    screen.show_table(LADDER_TITLE, LADDER_COLUMNS, map(ladder_cells, rows))
    screen.show_table(HUNT_TITLE, HUNT_COLUMNS, (line for row in rows for line in hunt_lines(row)))
    screen.show_table(PAPER, PAPER_COLUMNS, PAPER_ROWS)


def cells(row: MappingRow) -> list[str]:
    """Write a row of our Table I."""
    start = f"{row.start_time:.1f} + " if row.form == "compact" else ""
    together = "" if row.together_time is None else f"{row.together_time:.1f} µs"
    return [
        row.site,
        row.form,
        str(row.mappings),
        str(row.nodes),
        f"{start}{row.path_time:.1f} µs",
        together,
        share(row.strict, row.mappings),
        share(row.strict_verified, row.strict),
        share(row.fallen, row.mappings),
        share(row.fallen_verified, row.fallen),
        share(row.lost, row.mappings),
    ]


def share(part: int, whole: int) -> str:
    """Write a part in percent."""
    return f"{part / whole:.1%}" if whole else "-"


def hunt_lines(row: MappingRow) -> Iterator[list[str]]:
    """Write the searches for ids, a line for each order."""
    for hunt in row.hunts:
        figures = (f"{hunt.seen:.1f}", f"{hunt.time:.1f} µs", str(hunt.found), str(hunt.other))
        yield [row.site, hunt.order, *figures]


def ladder_cells(row: MappingRow) -> list[str]:
    """Write the nodes by checks passed, and the mappings by checks failed."""
    return [row.site, row.form, *(str(number) for _, number in (*row.passed, *row.misses))]
