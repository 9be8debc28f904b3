"""The fields of a row of a list: title, link, date, teaser."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from webstencil import markup, urls
from webstencil.extract.dates import find_date
from webstencil.markup import Node
from webstencil.model import Item, NodeId, Page

DATE_LINE = 80  # characters of a line with a date; dates in longer ones are part of the text
TEASER = 300  # characters after which a teaser ends at the next line end
LABEL = 40  # characters of a line that is dropped if most rows have it: "Read more"


@dataclass(frozen=True, slots=True)
class RowNodes:
    """A row by its nodes."""

    link: NodeId  # the title
    nodes: tuple[NodeId, ...]


def items_of(
    page: Page, rows: Sequence[RowNodes], confidence: float, area: int | None
) -> tuple[Item, ...]:
    """Return rows as items."""
    nodes = [page.markup.nodes(row.nodes) for row in rows]
    texts = [markup.text(members) for members in nodes]
    lines = [[line.strip() for line in text.splitlines()] for text in texts]
    labels = common(lines)
    return tuple(
        Item(
            kind="row",
            text=text,
            selector=", ".join(dict.fromkeys(map(markup.selector, members))),
            xpath=" | ".join(map(markup.xpath, members)),
            confidence=confidence,
            how="repeated links",
            area=area,
            fields=fields(page, row, members, [line for line in own if line not in labels]),
        )
        for row, members, text, own in zip(rows, nodes, texts, lines, strict=True)
    )


def common(rows: Sequence[Sequence[str]]) -> frozenset[str]:
    """Return the short lines that most rows have."""
    counts = Counter(line for lines in rows for line in set(lines))
    return frozenset(
        line for line, count in counts.items() if count > len(rows) / 2 and len(line) <= LABEL
    )


def fields(
    page: Page, row: RowNodes, nodes: Sequence[Node], lines: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return the fields of a row that it has."""
    (link,) = page.markup.nodes([row.link])
    title = title_of(link)
    rest = [line for line in (without(line, title) for line in lines) if line]
    named = (
        ("title", title),
        ("link", urls.join(page.base_url, markup.attribute(link, "href").strip()) or ""),
        ("date", date_of(nodes, rest)),
        ("teaser", teaser(rest)),
    )
    return tuple((name, value) for name, value in named if value)


def title_of(link: Node) -> str:
    """Return the text of a link, or of the heading in it, without lines that are dates."""
    heading = link.select_one("h1, h2, h3, h4, h5, h6")
    said = [line.strip() for line in markup.text([heading or link]).splitlines()]
    kept = [line for line in said if not is_date(line)] or said
    return " ".join(" ".join(kept).split())


def is_date(line: str) -> bool:
    """Return whether a line is hardly more than a date."""
    found = find_date(line) if len(line) <= DATE_LINE else None
    return found is not None and len(found.written) >= len(line) / 2


def without(line: str, title: str) -> str:
    """Return a line without the title."""
    rest = line.replace(title, " ", 1) if title else line
    return " ".join(rest.split()).strip(" :|-·")


def date_of(nodes: Sequence[Node], lines: Sequence[str]) -> str:
    """Return the date of a row: from the markup, else the first one in a short line."""
    told = [markup.attribute(time, "datetime") for node in nodes for time in times(node)]
    short = [line for line in lines if len(line) <= DATE_LINE]
    for text in (*told, *short):
        found = find_date(text)
        if found is not None:
            return found.iso or found.written
    return ""


def times(node: Node) -> Sequence[Node]:
    """Return the time elements in a node."""
    return node.select("time[datetime]") if markup.tag(node) else ()


def teaser(lines: Sequence[str]) -> str:
    """Return the first lines that are not dates or bylines; if all are, those."""
    dated = [len(line) <= DATE_LINE and find_date(line) is not None for line in lines]
    told = [line for line, is_dated in zip(lines, dated, strict=True) if not is_dated]
    taken: list[str] = []
    for line in told or [line for line in lines if not is_date(line)]:
        taken.append(line)
        if sum(map(len, taken)) > TEASER:
            break
    return " ".join(taken)
