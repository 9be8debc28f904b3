"""Chosen runs as a piece of HTML, reduced to meaningful markup.

Headings, lists, tables, code, quotes, emphasis, links, images, formulas, footnotes and callouts
stay; wrappers, classes and styles go. Text outside of such elements becomes a paragraph.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from webstencil.extract.content.code_languages import beside, labels_of
from webstencil.extract.content.footnotes import Footnote
from webstencil.extract.content.fragment_writer import CHECK_BOX, CHECKED, FragmentWriter, PageSigns
from webstencil.extract.content.page_parts import PageParts, owners_of, page_parts, texts_in
from webstencil.extract.content.pictures import is_badge
from webstencil.extract.content.text_runs import TextRuns
from webstencil.markup import Comment, Element, Node, Text, closest, tag
from webstencil.model import Page

DRAWN_BOXES = "li .checkbox-on, li .checkbox-off, li [role=checkbox], li .fa-check-square-o"
ORG_BOXES = "ul.org-ul > li.on > code:first-child, ul.org-ul > li.off > code:first-child"
ITEM_BOX = f'li input[type="checkbox" i], {DRAWN_BOXES}, li .fa-square-o, {ORG_BOXES}'
TICKED = "[checked], .checkbox-on, [aria-checked=true], .fa-check-square-o, li.on > code"
MOST_LINKS = 0.5  # of the text of a block: if so much is links, an image in it leads somewhere else
LEAVES = f"img, amp-img, hr, br, {ITEM_BOX}"


def fragment(page: Page, runs: TextRuns, chosen: Collection[int]) -> str:
    """Return chosen runs, and what is between them that is no text, as HTML."""
    if not chosen:
        return ""
    walk = _FragmentWalk(page, runs, frozenset(chosen), page_parts(page, runs))
    return walk.main() + walk.notes()


@dataclass(slots=True)
class _FragmentWalk:
    """Writes the chosen texts of a page, and the parts between them, in document order."""

    page: Page
    runs: TextRuns
    chosen: frozenset[int]
    parts: PageParts
    _signs: PageSigns = field(init=False)
    _owners: Mapping[Node, int] = field(default_factory=dict)  # texts: their runs
    _starts: frozenset[Node] = frozenset()  # texts that begin a run
    _silent: set[Node] = field(default_factory=set)  # texts that parts stand for
    _aside: set[Node] = field(default_factory=set)  # all that is in footnotes
    _noted: dict[Footnote, int] = field(default_factory=dict)  # how often, in order of references
    _covered: set[Node] = field(default_factory=set)  # elements inside formulas and code blocks
    _labels: dict[Node, Footnote] = field(default_factory=dict)  # references that are kept
    _blocks: Mapping[Node, int] = field(default_factory=dict)  # elements with text: their blocks
    _order: Sequence[int] = ()  # the chosen runs

    def __post_init__(self) -> None:
        """Find out which texts are written, and where."""
        runs, parts = self.runs, self.parts
        self._signs = PageSigns(self.page, self.runs)
        self._owners = owners_of(runs)
        self._blocks = dict(zip(runs.elements, range(len(runs.elements)), strict=True))
        self._order = sorted(self.chosen)
        self._starts = frozenset([runs.pieces[first] for first in runs.firsts])
        for reference, note in parts.notes.references.items():
            if self._is_chosen(reference):
                self._labels[reference] = note
        notes = dict.fromkeys(self._labels.values())
        held = [node for note in notes for node in note.nodes]
        self._aside.update([node for root in held for node in (root, *root.descendants)])
        titles = [one.title for one in parts.callouts.values() if one.title is not None]
        outside = [node for node in self._labels if node not in self._aside]
        unwritten = parts.notes.unwritten if notes else ()
        named = [(node, code.language) for node, code in parts.code.items() if code.language]
        titles += [label for node, language in named for label in labels_of(node, language)]
        titles += [one for node in parts.code for one in beside(node)]
        signs = self.page.markup.select(ORG_BOXES)
        silent = texts_in([*parts.formulas, *parts.code, *outside, *titles, *unwritten, *signs])
        self._silent.update(silent)
        for node in (*parts.formulas, *parts.code):
            self._covered.update([one for one in node.descendants if isinstance(one, Element)])

    def main(self) -> str:
        """Write all but footnotes."""
        writer = self._writer()
        chosen, owners, silent = self.chosen, self._owners, self._silent | self._aside
        elements, starts, blocks = self.runs.elements, self._starts, self.runs.blocks
        leaves = self._leaves()
        last, first, end = -1, min(chosen), self.runs.nodes(max(chosen))[-1]
        ended = False
        for node in self.page.markup.body.descendants:
            if type(node) is Text:
                run = owners.get(node)
                if run is None:
                    continue
                last = run
                ended = ended or node is end
                if run in chosen and node not in silent:
                    writer.text(node, elements[blocks[run]], starts_run=node in starts)
            elif node in leaves:
                near = last in chosen or last + 1 in chosen
                self._leaf(node, writer, near=near, between=first <= last and not ended)
        return writer.html()

    def _leaves(self) -> set[Node]:
        """Return what may be written besides texts."""
        parts = self.parts
        found = {*parts.formulas, *parts.code, *self.page.markup.select(LEAVES)}
        return (found - self._aside) | self._labels.keys()

    def _leaf(self, node: Node, writer: FragmentWriter, *, near: bool, between: bool) -> None:
        if node in self._labels:
            self._refer(node, writer)
        else:
            self._part(node, writer, near=near, between=between)

    def notes(self) -> str:
        """Write the footnotes that the rest refers to, those in footnotes too."""
        written: list[str] = []
        while len(written) < len(self._noted):
            note = list(self._noted)[len(written)]
            written.append(self._note(note))
        return (
            f'<section role="doc-endnotes"><ol>{"".join(written)}</ol></section>' if written else ""
        )

    def _note(self, note: Footnote) -> str:
        writer = self._writer(note.nodes)
        start: re.Pattern[str] | None = re.compile(
            rf"\A\s*(?:[\[(]?{re.escape(note.label)}[\]).:]+\s+|[.:)\]]\s+)"
        )
        for root in note.nodes:
            for node in (root, *root.descendants):
                if isinstance(node, Text):
                    blank = node.data.isspace() or node in self._silent
                    data = start.sub("", node.data, count=1) if start and not blank else None
                    self._text(node, writer, data=data)
                    start = start if blank else None
                elif node in self._labels and node is not root:
                    self._refer(node, writer)
                elif isinstance(node, Element | Comment):
                    self._part(node, writer, near=True, between=True)
        label = escape(note.label)
        return f'<li id="fn-{label}" role="doc-endnote" data-label="{label}">{writer.html()}</li>'

    def _writer(self, within: Sequence[Node] = ()) -> FragmentWriter:
        return FragmentWriter(self.page.base_url, self._signs, self.parts.callouts, within)

    def _text(self, node: Text, writer: FragmentWriter, *, data: str | None = None) -> None:
        run = self._owners.get(node, -1)
        if run in self.chosen and node not in self._silent:
            block = self.runs.elements[self.runs.blocks[run]]
            writer.text(node, block, starts_run=node in self._starts, data=data)

    def _part(self, node: Node, writer: FragmentWriter, *, near: bool, between: bool) -> None:
        """Write an element that is no text: near chosen text, or between such."""
        parts, name = self.parts, tag(node)
        if node in self._covered:
            return
        if node in parts.formulas:
            if near or self._is_chosen(node):
                writer.inline(node, parts.formulas[node].html)
        elif node in parts.code:
            if self._is_chosen(node):
                writer.block(node, parts.code[node].html)
        elif name == "br":
            writer.line_end()
        elif name in ("img", "amp-img"):
            figured = near and closest(node, "figure") is not None
            if (between or figured) and self._shows_content(node):
                writer.image(node)
        elif name == "hr":
            if near and between:
                writer.rule(node)
        elif near and isinstance(node, Element) and node.matches(ITEM_BOX):
            writer.inline(node, CHECKED if node.matches(TICKED) else CHECK_BOX)

    def _shows_content(self, image: Node) -> bool:
        """Return whether an image goes with the content.

        The smallest block around it that has text has some of the content, or is no link; and
        nothing between tells that the image is the sign of a person or a button.
        """
        node: Node | None = image
        while node is not None and node not in self._blocks:
            if tag(node) == "noscript" or is_badge(node):
                return False
            node = node.parent
        if node is None:
            return True
        runs, block = self.runs, self._blocks[node]
        held = slice(runs.starts[block], runs.ends[block])
        place = bisect_left(self._order, held.start)
        if place < len(self._order) and self._order[place] < held.stop:
            return True
        return sum(runs.links[held]) < MOST_LINKS * sum(runs.lengths[held])

    def _is_chosen(self, node: Node) -> bool:
        """Return whether a text of an element is chosen."""
        return any(self._owners.get(text, -1) in self.chosen for text in texts_in([node]))

    def _refer(self, node: Node, writer: FragmentWriter) -> None:
        """Write a reference to a footnote."""
        note = self._labels[node]
        count = self._noted[note] = self._noted.get(note, 0) + 1
        label = escape(note.label)
        place = f"fnref-{label}" if count == 1 else f"fnref-{label}-{count}"
        link = f'<a href="#fn-{label}" id="{place}" role="doc-noteref"><sup>{label}</sup></a>'
        writer.inline(node, link)
