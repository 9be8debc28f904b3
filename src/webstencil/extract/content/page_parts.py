"""What a page has besides text: formulas, code blocks, callouts, footnotes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from webstencil.extract.content.callouts import Callout, callouts
from webstencil.extract.content.code_blocks import CodeBlock, code_blocks, code_elements
from webstencil.extract.content.contents_lists import with_contents
from webstencil.extract.content.footnotes import Footnotes, footnotes
from webstencil.extract.content.formulas import Formula, formulas
from webstencil.extract.content.table_parts import NO_DATA, holds_no_data, titles_rows
from webstencil.extract.content.text_runs import TextRuns
from webstencil.markup import Markup, Node, Text
from webstencil.model import Page

CODE_TITLES = ".code-block-caption"  # of the code right below, as Sphinx writes them


@dataclass(frozen=True, slots=True)
class PageParts:
    """The parts of a page that are written as a whole, by their elements."""

    formulas: Mapping[Node, Formula]
    code: Mapping[Node, CodeBlock]
    callouts: Mapping[Node, Callout]
    notes: Footnotes


def page_parts(page: Page, runs: TextRuns) -> PageParts:
    """Find the parts of a page."""
    markup = page.markup
    return PageParts(
        formulas(page), code_blocks(page, runs), callouts(page, runs), footnotes(markup)
    )


def owners_of(runs: TextRuns) -> dict[Node, int]:
    """Return the run of each text."""
    ends = [*runs.firsts[1:], len(runs.pieces)]
    sizes = zip(runs.firsts, ends, strict=False)
    numbers = [run for run, (first, end) in enumerate(sizes) for _ in range(first, end)]
    return dict(zip(runs.pieces, numbers, strict=True))


def texts_in(nodes: Iterable[Node]) -> list[Text]:
    """List the texts in some elements."""
    return [text for node in nodes for text in node.descendants if isinstance(text, Text)]


def with_parts(page: Page, runs: TextRuns, chosen: tuple[int, ...]) -> tuple[int, ...]:
    """Add the rest of code blocks, callouts and tables in the content, and its footnotes."""
    markup = page.markup
    blocks = [*code_elements(page, runs), *callouts(page, runs), *data_tables_of(markup)]
    notes = footnotes(markup)
    kept = set(chosen)
    kept |= with_contents(page, runs, kept)
    if not kept or not (blocks or notes):
        return tuple(sorted(kept))
    owners = owners_of(runs)
    parts = [held for block in blocks if (held := _runs_in([block], owners))]
    for held in (*parts, *parts):  # twice, as one may be between two others
        if not kept.isdisjoint(held) or {min(held) - 1, max(held) + 1} <= kept:
            kept.update(held)
    titles = [_runs_in([one], owners) for one in markup.select(CODE_TITLES)]
    kept.update([run for held in titles if held and max(held) + 1 in kept for run in held])
    needed = [
        note
        for reference, note in notes.references.items()
        if not kept.isdisjoint(_runs_in([reference], owners))
    ]
    for note in dict.fromkeys(needed):
        kept.update(_runs_in(note.nodes, owners))
    return tuple(sorted(kept))


def with_captions(markup: Markup, runs: TextRuns, chosen: tuple[int, ...]) -> tuple[int, ...]:
    """Add the captions of figures inside the content, which are nothing without the image."""
    captions = markup.named("figcaption")
    if not captions or not chosen:
        return chosen
    owners = owners_of(runs)
    kept = set(chosen)
    for caption in captions:
        held = _runs_in([caption], owners)
        if held and min(held) - 1 in kept and max(held) < max(kept):
            kept.update(held)
    return tuple(sorted(kept))


def data_tables_of(markup: Markup) -> list[Node]:
    """List the tables of a page that are not layout, and have nothing but text in their cells.

    Headings of their own, each in a row of its own, are no part of the page around them.
    """
    return [
        table
        for table in markup.named("table")
        if not holds_no_data(table) and all(map(titles_rows, table.select(NO_DATA)))
    ]


def _runs_in(nodes: Iterable[Node], owners: Mapping[Node, int]) -> set[int]:
    """Return the runs with text in some elements."""
    return {owners[text] for text in texts_in(nodes) if text in owners}
