"""Use the kinds of areas: text in a menu, header or footer is not content.

Kinds come from the rendered page, which neither its words nor its names show.
"""

from collections.abc import Iterable, Sequence

from webstencil.extract.content.text_runs import TextRuns
from webstencil.markup import Markup, Node
from webstencil.model import PageArea

AWAY = frozenset({"menu", "footer", "header"})  # kinds of areas that have no content
TEXT_STEP = "/text()"  # in the XPath of an area that is a part of an element


def outside(
    markup: Markup, runs: TextRuns, chosen: tuple[int, ...], areas: Iterable[PageArea]
) -> tuple[int, ...]:
    """Drop the runs in menus, headers and footers, unless nothing would be left."""
    elements = _elements(markup, areas)
    if not elements:
        return chosen
    return tuple([run for run in chosen if not _is_in(runs.nodes(run), elements)]) or chosen


def _elements(markup: Markup, areas: Iterable[PageArea]) -> frozenset[Node]:
    known = [
        area.selector
        for area in areas
        if area.kind in AWAY and area.selector and TEXT_STEP not in area.xpath
    ]
    return frozenset([element for selector in known for element in markup.select(selector)])


def _is_in(nodes: Sequence[Node], elements: frozenset[Node]) -> bool:
    return any(node in elements for node in nodes[0].ancestors)
