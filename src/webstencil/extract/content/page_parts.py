"""What a page has besides text: formulas, code blocks, callouts, footnotes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from webstencil.extract.content.callouts import Callout, callouts
from webstencil.extract.content.code_blocks import CodeBlock, code_blocks
from webstencil.extract.content.footnotes import Footnote, Footnotes, footnotes
from webstencil.extract.content.formulas import Formula, formulas
from webstencil.extract.content.text_runs import TextRuns
from webstencil.markup import Markup, Node, Text


@dataclass(frozen=True, slots=True)
class PageParts:
    """The parts of a page that are written as a whole, by their elements."""

    formulas: Mapping[Node, Formula]
    code: Mapping[Node, CodeBlock]
    callouts: Mapping[Node, Callout]
    notes: Footnotes


def page_parts(markup: Markup) -> PageParts:
    """Find the parts of a page."""
    return PageParts(
        formulas(markup), code_blocks(markup), callouts(markup), footnotes(markup)
    )


def texts_in(nodes: Iterable[Node]) -> list[Text]:
    """List the texts in some elements."""
    return [text for node in nodes for text in node.descendants if isinstance(text, Text)]


def with_notes(markup: Markup, runs: TextRuns, chosen: tuple[int, ...]) -> tuple[int, ...]:
    """Add the footnotes that chosen runs refer to."""
    notes = footnotes(markup)
    if not notes or not chosen:
        return chosen
    owners = {node: run for run in range(len(runs)) for node in runs.nodes(run)}
    taken = frozenset(chosen)
    needed: dict[Footnote, None] = {}
    for reference, note in notes.references.items():
        if any(owners.get(text) in taken for text in texts_in([reference])):
            needed[note] = None
    said = {owners.get(text) for note in needed for text in texts_in(note.nodes)} - {None}
    return tuple(sorted({*chosen, *[run for run in said if run is not None]}))
