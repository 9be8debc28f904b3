"""Chosen runs as a piece of HTML, reduced to meaningful markup.

Headings, lists, tables, code, quotes, emphasis, links, images, formulas, footnotes and callouts
stay; wrappers, classes and styles go. Text outside of such elements becomes a paragraph.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from itertools import takewhile
from typing import TypeAlias

from webstencil.content.callouts import Callout
from webstencil.content.code_blocks import beside_code, language_labels
from webstencil.content.footnotes import Footnote
from webstencil.content.formulas import has_tex, split_tex
from webstencil.content.markdown_lines import attribute_number
from webstencil.content.parts import (
    GRID_NAMES,
    TABLE_PARTS,
    TABLE_TAGS,
    PageParts,
    grid_part,
    holds_no_data,
    image_address,
    image_html,
    is_badge,
    table_around,
    texts_in,
    titles_rows,
)
from webstencil.content.runs import TextRuns
from webstencil.markup import Comment, Element, Node, Text, attribute, closest, tag
from webstencil.markup.text_units import HEADING_LEVELS, STRUCTURE, TABLE_CELLS
from webstencil.model import Page
from webstencil.urls import written_link

KEPT_BLOCKS = HEADING_LEVELS | {
    "p",
    "li",
    "td",
    "th",
    "dt",
    "dd",
    "pre",
    "blockquote",
    "figcaption",
}
KEPT_BLOCKS |= {"caption", "summary"}
FRAME_BLOCKS = TABLE_PARTS | {"ul", "ol", "dl", "figure", "details"}
FORMATTING = frozenset(
    ["b", "strong", "i", "em", "code", "kbd", "samp", "tt", "sub", "sup", "del", "s", "ins", "mark"]
)
INLINE_KEPT = FORMATTING | {"a", "q", "cite", "var", "dfn"}
CODE_TAGS = frozenset(["code", "kbd", "samp", "tt"])
DEFINITION_PARTS = frozenset(["dt", "dd"])
EMPTY_CELL = "<td></td>"
TRIMMED = KEPT_BLOCKS - {"pre"}  # blocks whose text is stripped
BREAK, RULE = "<br>", "<hr>"
BLANK = " \t\n\r\f\N{NO-BREAK SPACE}"  # Markdown would have the last as &#160; at an end
WRITTEN_BLOCKS = KEPT_BLOCKS | FRAME_BLOCKS
DEEPEST_KEPT = 40  # kept elements around a text; deeper nesting is an attack
PARAGRAPH_TAG = "p"
CALLOUT_TAG = "blockquote"
HIDDEN_STYLE = re.compile(r"display\s*:\s*none")
CLASSIFIER = b"classifier"
TASK = "data-inline-task-id"  # of items that are tasks, in Confluence
UNTICKED_BOX = '<input type="checkbox" disabled>'
TICKED_BOX = '<input type="checkbox" checked disabled>'
NO_LINKS = ("javascript:", "data:", "vbscript:", "about:", "blob:")
KEPT_ATTRIBUTES = {"ol": ("start", "reversed"), "td": ("colspan", "rowspan")}
KEPT_ATTRIBUTES["th"] = KEPT_ATTRIBUTES["td"]

Around: TypeAlias = tuple[tuple[Node, str], ...]  # elements and their output tags


class PageSigns:
    """What a page tells of its forms; its bytes are searched where names allow them."""

    def __init__(self, page: Page, runs: TextRuns) -> None:
        self._body = page.body
        self.grids = any(GRID_NAMES.search(f"{one.classes}{one.said}") for one in runs.names)
        self.classifiers = bool(page.markup.named("dt")) and CLASSIFIER in page.body

    @cached_property
    def tex(self) -> bool:
        """Return whether the text may have TeX between delimiters."""
        return has_tex(self._body)


@dataclass(slots=True)
class FragmentWriter:
    """Writes texts and other parts in document order, with the kept elements around them."""

    base: str  # base URL of links
    signs: PageSigns
    callouts: Mapping[Node, Callout] = field(default_factory=dict)
    within: Sequence[Node] = ()  # elements that are written without themselves
    _parts: list[str] = field(default_factory=list)
    _open: Around = ()
    _known: dict[Node, Around] = field(default_factory=dict)
    _cells: set[Node] = field(default_factory=set)  # written so far
    _layouts: dict[Node, bool] = field(default_factory=dict)  # tables: whether they are layout
    _fresh: bool = True  # a line has just begun
    _broken: bool = False  # the page has ended the line since the last text
    _after_text: bool = False  # nothing is between the last text and here
    _last_image: str = ""  # its file name, if it was just written

    def __post_init__(self) -> None:
        """Forget what is around the elements that are written without themselves."""
        for node in self.within:
            if (
                tag(node) in (PARAGRAPH_TAG, *FRAME_BLOCKS, "pre", CALLOUT_TAG)
                and node.parent is not None
            ):
                self._known[node.parent] = ()
            else:
                self._known[node] = ()

    def text(self, node: Text, block: Node, *, starts_run: bool, data: str | None = None) -> None:
        """Write a text; `block` is the nearest block around it."""
        if self.signs.grids and node.data.isspace() and grid_part(node.parent):
            return
        around = self._with_paragraph(node, block)
        if _in_table(around) and HIDDEN_STYLE.search(attribute(node.parent or block, "style")):
            return  # what a column is sorted by
        stays = bool(self._open) and _blocks(around) == _blocks(self._open)
        if stays and not self._fresh and (self._broken or (starts_run and self._after_text)):
            self._break()
        self._enter(around)
        self._after_text = True
        data = node.data if data is None else data
        if self.signs.classifiers and _is_classifier(node):
            data = f" : {data}"
        if ("$" in data or "\\" in data) and not any(name in CODE_TAGS for _, name in around):
            for part in split_tex(data, told=self.signs.tex):
                self._add(escape(part, quote=False) if isinstance(part, str) else part.html)
        else:
            self._add(escape(data, quote=False))

    def inline(self, node: Node, html: str) -> None:
        """Write a part that stands in a line: a formula, a reference, a check box."""
        if html:
            block = node.parent
            while block is not None and tag(block) not in STRUCTURE:
                block = block.parent
            around = self._with_paragraph(node, block if block is not None else node)
            if self._broken and not self._fresh and _blocks(around) == _blocks(self._open):
                self._break()
            self._enter(around)
            self._parts.append(html)
            self._fresh = self._after_text = self._broken = False

    def line_end(self) -> None:
        """Remember that the page ends a line here."""
        self._broken = True

    def block(self, node: Node, html: str) -> None:
        """Write a part that has lines of its own."""
        around = _blocks(self._around(node.parent))
        while around and around[-1][1] in HEADING_LEVELS | {PARAGRAPH_TAG}:
            around = around[:-1]
        self._enter(around)
        self._parts.append(html)

    def image(self, node: Node) -> None:
        """Write an image; of copies that follow each other, as in a light box, the last."""
        html = image_html(node, self.base)
        name = (
            image_address(node).partition("?")[0].rpartition("/")[2] if html.startswith("<") else ""
        )
        if name and name == self._last_image:  # a small copy, until the image is loaded
            self._parts[-1] = html
        elif html:
            self._enter(self._around(node.parent))
            self._parts.append(html)
            self._fresh = False
            self._last_image = name

    def rule(self, node: Node) -> None:
        """Write a line across the page."""
        if not any(name in TABLE_TAGS or name == "li" for _, name in self._around(node.parent)):
            self._enter(())
            self._parts.append(RULE)

    def html(self) -> str:
        """Return the HTML."""
        self._enter(())
        while self._parts and self._parts[-1] == RULE:  # it parted the text from something else
            self._parts.pop()
        return "".join(self._parts)

    def _break(self) -> None:
        """End the line."""
        self._parts += [self._parts.pop().rstrip(BLANK), BREAK]
        self._fresh = True

    def _add(self, html: str) -> None:
        if self._fresh:
            html = html.lstrip(BLANK)
        if html:
            self._parts.append(html)
            self._fresh = self._broken = False
            self._last_image = ""

    def _with_paragraph(self, node: Node, block: Node) -> Around:
        """Return the kept elements around a node, at least a paragraph."""
        around = self._around(node.parent)
        if any(name in KEPT_BLOCKS and name != CALLOUT_TAG for _, name in around):
            return around
        quote = next((place for place, one in enumerate(around) if one[1] == CALLOUT_TAG), None)
        if quote is not None and not any(one[0] in self.callouts for one in around):
            return around
        return _with_block(around, block, PARAGRAPH_TAG)

    def _around(self, node: Node | None) -> Around:
        """Return the kept elements around the content of a node, outermost first."""
        path: list[Node] = []
        while node is not None and node not in self._known:
            path.append(node)
            node = node.parent
        around = self._known[node] if node is not None else ()
        for inner in reversed(path):
            name = self._name(inner)
            if name in INLINE_KEPT and (name != "a" or self._href(inner)):
                around = (*around, (inner, name))[-DEEPEST_KEPT:]
            elif name in HEADING_LEVELS and _in_table(around) and titles_rows(inner):
                around = (*[one for one in around if one[1] not in TABLE_TAGS], (inner, name))
            elif name in WRITTEN_BLOCKS and not (name in TABLE_TAGS and self._is_layout(inner)):
                around = _with_block(around, inner, name)[-DEEPEST_KEPT:]
            self._known[inner] = around
        return around

    def _name(self, node: Node) -> str:
        """Return the tag that an element is written with."""
        if node in self.callouts:
            return CALLOUT_TAG
        if tag(node) in DEFINITION_PARTS and node.parent in self.callouts:
            return "div"  # a callout that is a definition list, as Doxygen writes it
        name = tag(node)
        if name == "summary" and node.parent is not None and tag(node.parent) != "details":
            return "div"  # the body of a section, as GTK's manuals have it
        if self.signs.grids and (part := grid_part(node)):
            return part
        if tag(node) == "cite" and "citation" in attribute(node, "class"):
            return "span"  # a whole reference, as in MediaWiki, not the title of a work
        level = attribute(node, "aria-level") if attribute(node, "role") == "heading" else ""
        return f"h{level}" if f"h{level}" in HEADING_LEVELS else tag(node)

    def _enter(self, around: Around) -> None:
        """Close and open elements until exactly these are open."""
        same = 0
        for wanted, known in zip(around, self._open, strict=False):
            # It goes on, or the same formatting does that touches it.
            if wanted != known and (wanted[1] != known[1] or wanted[1] not in FORMATTING):
                break
            same += 1
        if any(name in TRIMMED for _, name in self._open[same:]):
            self._parts[-1] = self._parts[-1].rstrip(BLANK)
        if len(self._open) > same or len(around) > same:
            self._last_image = ""
        for node, name in reversed(self._open[same:]):
            if name == "tr":
                self._parts.append(self._empty_cells(reversed(node.children)))
            self._parts.append(f"</{name}>")
        for node, name in around[same:]:
            if name in TABLE_CELLS:
                self._parts.append(self._empty_cells(node.previous_siblings))
                self._cells.add(node)
            self._parts.append(self._start(node, name))
            self._fresh = self._fresh or name in TRIMMED
        self._open = around

    def _empty_cells(self, before: Iterable[Node]) -> str:
        """Write the cells of a row that were left out, from the last one back."""
        left_out = takewhile(lambda one: one not in self._cells, before)
        grids = self.signs.grids
        return EMPTY_CELL * sum(
            tag(one) in TABLE_CELLS or (grids and grid_part(one) in TABLE_CELLS) for one in left_out
        )

    def _is_layout(self, node: Node) -> bool:
        """Return whether the table at or around a node is layout."""
        table = table_around(node)
        if table is None:
            return False
        if table not in self._layouts:
            self._layouts[table] = holds_no_data(table)
        return self._layouts[table]

    def _href(self, node: Node) -> str:
        """Return where a link leads, empty if nowhere that a reader could go."""
        href = attribute(node, "href").strip()
        bare = "".join(href.split()).lower()
        if not href or href == "#" or bare.startswith(NO_LINKS):
            return ""
        return written_link(self.base, href) or href

    def _start(self, node: Node, name: str) -> str:
        if name == "a":
            return f'<a href="{escape(self._href(node))}">'
        if name == CALLOUT_TAG and node in self.callouts:
            callout = self.callouts[node]
            title = f"<p><strong>{escape(callout.words)}</strong></p>" if callout.words else ""
            return f'<{CALLOUT_TAG} data-callout="{callout.kind}">{title}'
        written = "".join([_attribute(node, key) for key in KEPT_ATTRIBUTES.get(name, ())])
        if name == "li" and (number := _number(node)):
            written = f' value="{number}"'
        if name == "li" and attribute(node, TASK):
            return (
                f"<{name}>{TICKED_BOX if 'checked' in attribute(node, 'class') else UNTICKED_BOX}"
            )
        return f"<{name}{written}>"


def _is_classifier(node: Text) -> bool:
    """Return whether a text says what a term is, of docutils, where a style sheet parts the two."""
    around = node.parent
    if around is None or "classifier" not in attribute(around, "class").split():
        return False
    before = around.previous_sibling
    delimited = isinstance(before, Element) and "delimiter" in attribute(before, "class")
    return node.previous_sibling is None and not delimited and tag(around) == "span"


def _attribute(node: Node, key: str) -> str:
    """Return an attribute with a whole number as HTML, empty if there is none."""
    value = attribute(node, key).strip()
    if attribute_number(value) is not None and value != "1":
        return f' {key}="{value}"'
    return ' reversed=""' if key == "reversed" and node.matches(f"[{key}]") else ""


def _number(node: Node) -> int | None:
    """Return the number of an item if the list around it would count otherwise."""
    around = node.parent
    if around is None or tag(around) != "ol":
        return None
    items = [one for one in around.children if tag(one) == "li"]
    told = [one for one in items if attribute(one, "value")]
    if not told and not around.matches("[reversed]"):
        return None
    step = -1 if around.matches("[reversed]") else 1
    start = attribute(around, "start").strip()
    number = int(start) if re.fullmatch(r"-?\d{1,9}", start) else (len(items) if step < 0 else 1)
    for one in items:
        value = attribute(one, "value").strip()
        number = int(value) if re.fullmatch(r"-?\d{1,9}", value) else number
        if one is node:
            return number
        number += step
    return None


def _with_block(around: Around, node: Node, name: str) -> Around:
    """Put a block around the inline elements: a link around a heading goes inside it."""
    place = len(_blocks(around))
    return (*around[:place], (node, name), *around[place:])


def _in_table(around: Around) -> bool:
    return any(name in TABLE_CELLS for _, name in around)


def _blocks(around: Around) -> Around:
    """Return the elements before the first inline one."""
    for place, (_, name) in enumerate(around):
        if name in INLINE_KEPT:
            return around[:place]
    return around


DRAWN_BOXES = "li .checkbox-on, li .checkbox-off, li [role=checkbox], li .fa-check-square-o"
ORG_BOXES = "ul.org-ul > li.on > code:first-child, ul.org-ul > li.off > code:first-child"
ITEM_BOX = f'li input[type="checkbox" i], {DRAWN_BOXES}, li .fa-square-o, {ORG_BOXES}'
TICKED = "[checked], .checkbox-on, [aria-checked=true], .fa-check-square-o, li.on > code"
# Of the text of a block: if so much is links, an image in it leads somewhere else.
MOST_LINKED_TEXT = 0.5
WRITTEN_LEAVES = f"img, amp-img, hr, br, {ITEM_BOX}"


def content_html(parts: PageParts, chosen: Collection[int]) -> str:
    """Return chosen runs of a page, and what is between them that is no text, as HTML."""
    if not chosen:
        return ""
    walk = _FragmentWalk(parts, frozenset(chosen))
    return walk.main() + walk.notes()


class _FragmentWalk:
    """Writes the chosen texts of a page, and the parts between them, in document order."""

    def __init__(self, parts: PageParts, chosen: frozenset[int]) -> None:
        """Find out which texts are written, and where."""
        self.page, self.runs, self.parts, self.chosen = parts.page, parts.runs, parts, chosen
        runs, notes = self.runs, parts.notes
        self._signs = PageSigns(self.page, runs)
        self._blocks: dict[Node, int] = dict(
            zip(runs.elements, range(len(runs.elements)), strict=True)
        )
        self._order = sorted(chosen)
        self._starts = frozenset([runs.pieces[first] for first in runs.firsts])  # of a run
        self._noted: dict[Footnote, int] = {}  # how often, in order of references
        kept = {mark: note for mark, note in notes.references.items() if self._is_chosen(mark)}
        self._labels: dict[Node, Footnote] = kept  # references that are kept
        held = [node for note in dict.fromkeys(kept.values()) for node in note.nodes]
        self._aside = {node for root in held for node in (root, *root.descendants)}
        # Texts that parts stand for, and elements inside formulas and code blocks.
        titles = [one.title for one in parts.callouts.values() if one.title is not None]
        outside = [node for node in kept if node not in self._aside]
        unwritten = notes.unwritten if kept else ()
        named = [(node, code.language) for node, code in parts.code.items() if code.language]
        titles += [label for node, language in named for label in language_labels(node, language)]
        titles += [one for node in parts.code for one in beside_code(node)]
        wholes = (*parts.formulas, *parts.code)
        signs = self.page.markup.select(ORG_BOXES)
        self._silent = set(texts_in([*wholes, *outside, *titles, *unwritten, *signs]))
        inside = [node.descendants for node in wholes]
        self._covered = {one for nodes in inside for one in nodes if isinstance(one, Element)}

    def main(self) -> str:
        """Write all but footnotes."""
        writer = self._writer()
        chosen, owners, silent = self.chosen, self.parts.owners, self._silent | self._aside
        elements, starts, blocks = self.runs.elements, self._starts, self.runs.blocks
        parts = self.parts
        leaves = {*parts.formulas, *parts.code, *self.page.markup.select(WRITTEN_LEAVES)}
        leaves = (leaves - self._aside) | self._labels.keys()
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
                if node in self._labels:
                    self._refer(node, writer)
                else:
                    near = last in chosen or last + 1 in chosen
                    self._part(node, writer, near=near, between=first <= last and not ended)
        return writer.html()

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
        run = self.parts.owners.get(node, -1)
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
            writer.inline(node, TICKED_BOX if node.matches(TICKED) else UNTICKED_BOX)

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
        return sum(runs.links[held]) < MOST_LINKED_TEXT * sum(runs.lengths[held])

    def _is_chosen(self, node: Node) -> bool:
        """Return whether a text of an element is chosen."""
        return any(self.parts.owners.get(text, -1) in self.chosen for text in texts_in([node]))

    def _refer(self, node: Node, writer: FragmentWriter) -> None:
        """Write a reference to a footnote."""
        note = self._labels[node]
        count = self._noted[note] = self._noted.get(note, 0) + 1
        label = escape(note.label)
        place = f"fnref-{label}" if count == 1 else f"fnref-{label}-{count}"
        link = f'<a href="#fn-{label}" id="{place}" role="doc-noteref"><sup>{label}</sup></a>'
        writer.inline(node, link)
