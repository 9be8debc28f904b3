"""Tables of data, told from those that arrange a page, and what is a table without its tags."""

import re

from webstencil.markup import Node, attribute, closest, tag

HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
CELLS = frozenset(["td", "th"])
TABLE_PARTS = frozenset(["table", "thead", "tbody", "tfoot", "tr"])
TABLE = CELLS | TABLE_PARTS | {"caption"}
FEWEST_CELLS = 4  # two rows of two; a note in a manual has three: a sign, a title, a text
NO_DATA = "table, h1, h2, h3, h4, h5, h6"  # not in tables of data
NO_CELL = "h1, :is(td, th) :is(p, div, ul, ol, dl, form, table)"  # in tables with such headings
HEAD = ":scope > thead > tr > th"  # of a table of data, whatever is in its cells
FEWEST_ROWS = 2  # with the head
LAYOUT_NAMES = re.compile(r"(?i)ltx_eqn_table|ltx_equation|\bequation\b")
GRID_ROLES = {"table": "table", "grid": "table", "row": "tr", "cell": "td", "gridcell": "td"}
GRID_ROLES |= {"columnheader": "th", "rowheader": "th"}
GRID_CLASSES = {"ltx_tabular": "table", "ltx_tr": "tr", "ltx_td": "td", "ltx_th": "th"}
GRIDS = "[role='table'], [role='grid'], .ltx_tabular"
GRID_ROWS = "[role='row'] > [role] ~ [role], .ltx_tr > [class*='ltx_t'] ~ [class*='ltx_t']"
GRID_NAMES = re.compile(r"@(?:table|grid)\b|\bltx_")  # of blocks on pages that have such tables


def table_around(node: Node) -> Node | None:
    """Return the table at or around a node, also one without a table's tags."""
    return closest(node, f"table, {GRIDS}") if grid_part(node) else closest(node, "table")


def holds_no_data(table: Node) -> bool:
    """Return whether a table is layout: without a head, with parts of pages or few cells in it."""
    if attribute(table, "role") in ("presentation", "none"):
        return True
    if tag(table) != "table":
        return table.select_one(GRID_ROWS) is None
    if LAYOUT_NAMES.search(attribute(table, "class")):
        return True
    if _has_head(table) and not _is_page(table):
        return False
    if not all(map(titles_rows, table.select(NO_DATA))):
        return True
    if table.select_one("td ~ td, td ~ th, th ~ td, th ~ th") is None:
        return True
    return len(table.select("td, th")) < FEWEST_CELLS and not _is_headed(table)


def titles_rows(node: Node) -> bool:
    """Return whether a node is a heading that is alone in its row, above rows of plain cells."""
    cell, table = closest(node, "td, th"), closest(node, "table")
    if tag(node) not in HEADINGS or cell is None or table is None or cell.parent is None:
        return False
    alone = [tag(one) for one in cell.parent.children if tag(one) in CELLS]
    wide = attribute(cell, "colspan") not in ("", "1")
    return len(alone) == 1 and wide and table.select_one(NO_CELL) is None


def _has_head(table: Node) -> bool:
    """Return whether the first row of a table has several headings and nothing else."""
    if table.select_one(HEAD) is not None:
        return True
    row = table.select_one("tr")
    cells = [tag(one) for one in row.children if tag(one) in CELLS] if row is not None else []
    return len(cells) > 1 and set(cells) == {"th"}


def _is_page(table: Node) -> bool:
    """Return whether a table has so few rows, or such headings, that it is the frame of a page."""
    return len(table.select("tr")) < FEWEST_ROWS or table.select_one("h1, nav, form") is not None


def _is_headed(table: Node) -> bool:
    """Return whether a small table has headings, and two cells or more in each row."""
    if table.select_one("th, caption") is None:
        return False
    rows = [[tag(cell) in CELLS for cell in row.children] for row in table.select("tr")]
    return all(sum(cells) > 1 for cells in rows)


def grid_part(node: Node | None) -> str:
    """Return what an element is in a table that has no table's tags, empty if it is none."""
    if node is None or tag(node) in TABLE:
        return ""
    role = GRID_ROLES.get(attribute(node, "role"), "")
    if role:
        return role if closest(node, GRIDS) is not None else ""
    if tag(node) != "span":
        return ""
    names = attribute(node, "class").split()
    return next((GRID_CLASSES[name] for name in names if name in GRID_CLASSES), "")
