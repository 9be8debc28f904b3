"""Footnotes of a page: where a text refers to one, and what it says.

Three forms cover what generators and editors write:

- *Linked.* A short label links to an element of the page that comes later, and that is a note: it
  links back, it or a list around it is named so, or it is below a heading such as "Notes".
- *Numbered.* `<sup>1</sup>` without a link, and a list or paragraphs with these numbers: in a
  container named so, in an `aside`, or after a rule.
- *In the text.* An element beside the words, called `sidenote` or `footnote`.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice, takewhile
from urllib.parse import unquote

from webstencil.markup import Element, Markup, Node, Text, attribute, tag
from webstencil.markup.text_units import HEADING_LEVELS, STRUCTURE

# Where the labels and the texts of footnotes are on a page, and what is around them.

NOTE_LABEL = re.compile(
    r"[\[(\s]*(?:(?:note|fn|footnote|n|ref)(?:[.\s]+|(?=\d)))?(?P<label>\d{1,3}[a-z]?|[a-z]|[ivxlc]{1,6}"
    r"|[⁰¹²³⁴-⁹]{1,3}|\*{1,4}|[†‡§¶‖#]{1,3})[\s\])]*\.?",
    re.IGNORECASE,
)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
NOTE_NUMBER = re.compile(r"[\[(\s]*(\d{1,3})[\])\s.:]*")
BRACKETED = re.compile(r"[\[(]\d{1,3}[\])]\s")  # before a text
NOTE_NAMES = re.compile(
    r"(?i)foot-?note|end-?note|side-?note|\bfn\b|\bfns?[-_:\d]|ftn|\bedn|cite[-_]?note|reflist|"
    r"\breferences?\b|\brefs?\b|easy-footnote|bibliograph|\bnotes?\b|\bnote[-_]?\d|doc-endnote|FOOT\d"
)
MOVED = re.compile(r"\(['\"](?P<place>[\w-]+)['\"]\)")  # there by a script
INLINE_AROUND = frozenset(["sup", "span", "b", "strong", "i", "em", "small", "font", "cite"])
NEAR_NOTE = 5  # elements around a note that may be named
MOST_LETTERS = 5  # that are labels in one element
MOST_NOTES = 500  # below one heading
MOST_FOLLOWING = 20  # blocks of one note
MOST_BEFORE = 200  # siblings of a block that are searched for a rule or a heading
POWER = re.compile(r"(?:^|[^\w])(?:\w|[kcdmµn]m|ft|in|mi|yd|sec|min)$|\d$")  # before it
BACK_ARROWS = "↑↩^⬆\ufe0e\ufe0f \n\t"  # back to the text, beside a label
LONGEST_LABEL_TEXT = 12  # characters: an element in the text with fewer is a label


def fragment_of(link: Node) -> str:
    """Return the part of the page that a link leads to, empty if to another page."""
    href = attribute(link, "href").strip()
    if (not href or href.startswith("javascript:")) and (
        moved := MOVED.search(attribute(link, "onclick"))
    ):
        return moved["place"]
    address, _, fragment = href.partition("#")
    if address and not NOTE_NAMES.search(f"{fragment} {attribute(link, 'class')}"):
        return ""
    return unquote(fragment)


def _names_of(node: Node) -> str:
    keys = ("class", "id", "role", "epub:type")
    return " ".join([attribute(node, key) for key in keys])


def near_elements(node: Node, count: int = NEAR_NOTE) -> list[Node]:
    """List the nearest elements around a node."""
    inside = takewhile(lambda one: tag(one) not in ("body", "html", "#text"), node.ancestors)
    return list(islice(inside, count))


def _block_of(target: Node) -> Node | None:
    """Return the block that a link leads to."""
    if tag(target) in STRUCTURE:
        return target
    return next((one for one in near_elements(target) if tag(one) in STRUCTURE), None)


def label_links(links: Iterable[Node]) -> list[tuple[Node, str]]:
    """List the links with a text that can be the label of a footnote, and the label.

    Many letters side by side are the letters of an index.
    """
    found = []
    for link in links:
        label = NOTE_LABEL.fullmatch(link.text) if isinstance(link, Element) else None
        if label is not None:
            found.append((link, label["label"].translate(RAISED)))
    letters = Counter([link.parent for link, label in found if label.isalpha()])
    return [(link, label) for link, label in found if letters[link.parent] <= MOST_LETTERS]


def _places_of(link: Node) -> set[str]:
    """Return the names by which a note could link back to its label."""
    here = {attribute(one, "id") for one in (link, *near_elements(link))} | {
        attribute(link, "name")
    }
    beside = link.previous_sibling
    return (here | {attribute(beside, "id")} if beside is not None else here) - {""}


def heading_above(block: Node) -> Element | None:
    """Return the heading before a block or the blocks around it."""
    for one in (block, *near_elements(block)[:3]):
        for before in islice(one.previous_siblings, MOST_BEFORE):
            if isinstance(before, Element) and before.tag in HEADING_LEVELS:
                return before
    return None


def elements_after(node: Node, most: int, until: Collection[str] = ()) -> Iterator[Element]:
    """Yield some elements after a node, up to one with such a tag."""
    following = islice((one for one in node.next_siblings if isinstance(one, Element)), most)
    return takewhile(lambda one: one.tag not in until, following)


def outermost(node: Node, label: str) -> Node:
    """Return the outermost inline element that has nothing but a label."""
    while node.parent is not None and tag(node.parent) in INLINE_AROUND:
        if (
            node.parent.text.translate(RAISED).strip("[]() \n\t,.:\N{NO-BREAK SPACE}").lower()
            != label.lower()
        ):
            break
        node = node.parent
    return node


def note_parts(block: Node, target: Node | None) -> Iterator[Node]:
    """Yield the elements of a note: its block, or what follows a label that is a block."""
    name = tag(block)
    text = block.text.strip() if isinstance(block, Element) else ""
    only_label = NOTE_NUMBER.fullmatch(text.strip(BACK_ARROWS)) is not None
    if only_label and (target is not None or name == "dt"):
        for count, one in enumerate(elements_after(block, MOST_FOLLOWING, HEADING_LEVELS - {name})):
            if count and (tag(one) == name != "td" or begins_note(one)):
                break
            if tag(one) == name and name in ("dt", *HEADING_LEVELS):
                break
            yield one
    else:
        yield block
        if name == "p" and follows_rule(block):
            for one in elements_after(block, MOST_FOLLOWING, HEADING_LEVELS | {"hr"}):
                if begins_note(one):
                    break
                yield one


def begins_with(block: Node, label: str) -> bool:
    """Return whether a block that is no heading begins with a label in brackets or before a dot."""
    if tag(block) in HEADING_LEVELS or not isinstance(block, Element):
        return False
    text = block.text.translate(RAISED).strip()
    return re.match(rf"(?i)[\[(]?{re.escape(label)}(?:[\])]|\.\s)\.?\s*\w", text) is not None


def begins_note(node: Node) -> bool:
    """Return whether a block begins with a number that stands apart."""
    if not isinstance(node, Element):
        return False
    first = next(iter(node.stripped_strings), "")
    return NOTE_NUMBER.fullmatch(first) is not None or BRACKETED.match(first) is not None


def _is_section(block: Node) -> bool:
    """Return whether a block begins with a heading, as a section of the text does."""
    first = next((one for one in block.children if isinstance(one, Element)), None)
    return first is not None and tag(first) in ("h1", "h2", "h3", "h4")


def follows_rule(block: Node) -> bool:
    """Return whether a rule is before a block, among its siblings."""
    before = (tag(one) for one in islice(block.previous_siblings, MOST_BEFORE))
    return next((one for one in before if one == "hr" or one in HEADING_LEVELS), "") == "hr"


def _leads(mark: Node, block: Node, unwritten: Collection[Node] = ()) -> bool:
    """Return whether nothing that is written comes before an element in its block."""
    for node in (mark, *mark.ancestors):
        if node is block:
            break
        for before in node.previous_siblings:
            text = before.data if isinstance(before, Text) else getattr(before, "text", "")
            if text and text.strip() and before not in unwritten:
                return False
    return True


def is_power(sup: Node) -> bool:
    """Return whether a number above the line belongs to a number, a variable or a unit."""
    before = sup.previous_sibling
    text = before.data if isinstance(before, Text) else getattr(before, "text", "") or ""
    return POWER.search(text) is not None


def _text_of(nodes: Iterable[Node]) -> str:
    return " ".join(" ".join([node.text for node in nodes if isinstance(node, Element)]).split())


def says_same(text: str, other: str) -> bool:
    """Return whether a note in the text says what one below it says."""
    bare = re.sub(r"^\W*\d{0,3}\W*", "", text)
    return len(bare) >= LONGEST_LABEL_TEXT and (bare[:60] in other or other[:60] in text)


BACK = re.compile(
    r"(?i)back-?link|back-?ref|cite-backlink|reverse-?footnote|footnote-back|to-top|jump"
    r"|return|fn-back"
)
BACK_SIGNS = re.compile(
    r"[\s↩↑↵⏎⤴^⬆↥\ufe0e\ufe0f\u200b\[\]]{0,6}[a-z]?\]?|(?i:back|return|\[?(?:jump|go)"
    r" (?:up|back).*)"
)
NOTES_HEADING = re.compile(
    r"(?i)\W*(?:foot ?notes?|end ?notes?|notes?(?: and references)?|references?(?: and notes)?"
    r"|citations?|sources|bibliography|fußnoten|anmerkungen|einzelnachweise|quellen"
    r"|notes de bas de page|notes et références|références|notas|referencias|note|riferimenti"
    r"|przypisy|примечания|сноски|脚注|注釈|注释|参考文献|参考资料)\W*"
)
ONLY_NOTES = re.compile(
    r"(?i)\W*(?:foot ?notes?|end ?notes?|notes?|fußnoten|anmerkungen|notas|脚注)\W*"
)
INSIDE = re.compile(
    r"(?i)(?:^|[\s_-])(?:side-?note|margin-?note|inline-?footnote|footnote)"
    r"(?:$|\s|[_-]{1,2}(?:content|text|body|note|tooltip)(?:$|\s))"
)
DISTILL_NOTE = "d-footnote"  # the element that Distill has for a footnote
INTO = 'a[href*="#"], a[onclick*="footnote"]'  # links into the page
NOTES_BESIDE = f"[class*='note' i], {DISTILL_NOTE}"
TOGGLE = "label.margin-toggle"  # Tufte CSS: shows a note on small screens
CITED = re.compile(r"#cite_ref-")  # where MediaWiki's notes lead back to, with numbers or letters
MOST_SIGNS = 3  # characters of such a link
NO_NOTES = frozenset(["h1", "h2", "table", "body", "main", "article", "figure"])
MOST_NOTE_LABELS = 2_000  # links of a page that are looked at
DEEP = 64  # elements around a label; pages nest 100,000 deep


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: its label, and the elements that hold it."""

    label: str
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The footnotes of a page."""

    references: dict[Node, Footnote] = field(default_factory=dict)  # by element, outermost
    unwritten: set[Node] = field(default_factory=set)  # labels, links back, headings of notes

    def __bool__(self) -> bool:
        return bool(self.references)


def footnotes(markup: Markup) -> Footnotes:
    """Find the footnotes of a page."""
    into = markup.select(INTO)
    raised = markup.named("sup")
    beside = markup.select(NOTES_BESIDE)
    if not (into or raised or beside):
        return Footnotes()
    found = _Search(markup)
    found.linked(label_links(into)[:MOST_NOTE_LABELS])
    if raised:
        found.numbered()
    found.in_text(beside[:MOST_NOTE_LABELS])
    found.tidy()
    return Footnotes(found.references, found.unwritten)


class _Search:
    """Collects the footnotes of a page."""

    def __init__(self, markup: Markup) -> None:
        self.markup = markup
        self.references: dict[Node, Footnote] = {}
        self.unwritten: set[Node] = set()
        self._by_block: dict[Node, Footnote] = {}
        self._labels: set[str] = set()
        self._back: dict[Node, set[str]] = {}  # where the links of a block lead

    @property
    def _order(self) -> Mapping[Node, int]:
        return self.markup.table().numbers

    def linked(self, links: Sequence[tuple[Node, str]]) -> None:
        """Find labels that link to notes."""
        if not links:
            return
        targets = {attribute(node, "name"): node for node in self.markup.select("a[name]")}
        targets |= {attribute(node, "id"): node for node in self.markup.select("[id]")}
        unnamed = self._unnamed(links, targets)
        for link, label in links:
            target = targets.get(fragment_of(link)) or unnamed.get(label)
            if target is None or self._order[target] < self._order[link]:
                continue
            around = near_elements(link, DEEP)
            block = self._without_label(_block_of(target))
            if block is None or block in around or any(one in self._by_block for one in around):
                continue
            if block in self._by_block or self._is_note(target, block, link, label):
                self._add(outermost(link, label), label, block, target)

    def _without_label(self, block: Node | None) -> Node | None:
        """Return the cell with the text of a note that is a table, as docutils wrote it."""
        if block is None or tag(block) != "table" or not NOTE_NAMES.search(_names_of(block)):
            return block
        cells = block.select("td")
        if len(cells) != 2:
            return block
        self.unwritten.add(cells[0])
        return cells[1]

    def _unnamed(
        self, links: Sequence[tuple[Node, str]], targets: Mapping[str, Node]
    ) -> dict[str, Node]:
        """Return the labels that begin notes which nothing names, as word processors write them.

        Both labels are links named so, and lead nowhere.
        """
        found: dict[str, Node] = {}
        for link, label in links:
            lost = fragment_of(link) not in targets and NOTE_NAMES.search(fragment_of(link))
            block = _block_of(link)
            if lost and block is not None and _leads(link, block):
                found[label] = link
        return found

    def _is_note(self, target: Node, block: Node, link: Node, label: str) -> bool:
        """Return whether a block that a label links to is a footnote."""
        if tag(block) in NO_NOTES or _is_section(block):
            return False
        own = (
            f"{_names_of(target)} {_names_of(link)} {_names_of(link.parent) if link.parent else ''}"
        )
        if NOTE_NAMES.search(f"{own} {attribute(target, 'name')} {fragment_of(link)}"):
            return True
        if any(NOTE_NAMES.search(_names_of(one)) for one in (block, *near_elements(block)[:3])):
            return True
        if block not in self._back:
            links = block.select('a[href*="#"]')
            self._back[block] = {fragment_of(one) for one in links} - {""}
        if not self._back[block].isdisjoint(_places_of(link)):
            return True
        sure = follows_rule(block) or link.text.strip().startswith("[")
        if sure and label.isdecimal() and begins_with(block, label):
            return True
        return self._is_headed(block)

    def _is_headed(self, block: Node) -> bool:
        """Return whether the heading above a block says that notes follow."""
        heading = heading_above(block)
        return heading is not None and NOTES_HEADING.fullmatch(heading.text) is not None

    def _add(self, reference: Node, label: str, block: Node, target: Node | None) -> None:
        note = self._by_block.get(block)
        if note is None:
            nodes = tuple(note_parts(block, target))
            if not nodes:
                return
            note = self._by_block[block] = Footnote(self._unique(label), nodes)
            if block not in nodes:
                self.unwritten.add(block)  # it has the label only
            for node in nodes:
                self._hide_marks(node, label)
        self.references[reference] = note

    def _unique(self, label: str) -> str:
        """Return a label that no other note has, of letters and digits."""
        label = label.lower() if re.fullmatch(r"\w+", label) else str(len(self._by_block) + 1)
        if label in self._labels:
            more = (f"{label}-{number}" for number in count(2))
            label = next(one for one in more if one not in self._labels)
        self._labels.add(label)
        return label

    def _hide_marks(self, node: Node, label: str) -> None:
        """Find the label at the beginning of a note, and its links back."""
        if not isinstance(node, Element):
            return
        for link in node.select("a, [class*='back' i]"):
            text = link.text.strip()
            named = BACK.search(f"{attribute(link, 'class')} {attribute(link, 'rev')}") is not None
            into = fragment_of(link) != "" or not attribute(link, "href")
            if CITED.search(attribute(link, "href")) and len(text) <= MOST_SIGNS:
                self.unwritten.add(link)
            found = NOTE_LABEL.fullmatch(text)
            same = found is not None and found["label"].lower() == label.lower()
            if into and (named or same or BACK_SIGNS.fullmatch(text)):
                self.unwritten.add(link)
        for first in node.select("sup, strong, b, span, dt, em, i, label"):
            found = NOTE_NUMBER.fullmatch(first.text)
            if found is not None and found[1] == label and _leads(first, node, self.unwritten):
                self.unwritten.add(first)

    def numbered(self) -> None:
        """Find superscript numbers and the notes with these numbers."""
        marks = []
        for sup in self.markup.select("sup")[:MOST_NOTE_LABELS]:
            if sup in self.references or any(one in self._by_block for one in near_elements(sup)):
                continue
            if (number := NOTE_NUMBER.fullmatch(sup.text)) and sup.select_one("a[href]") is None:
                marks.append((sup, number[1]))
        if not marks or self.references:
            return
        begun = any(label == "1" and not is_power(sup) for sup, label in marks)
        blocks = dict(self._numbered_blocks(headed=begun))
        for sup, label in marks:
            block = blocks.get(label)
            if block is None or block in near_elements(sup, DEEP) or is_power(sup):
                continue
            if self._order[block] > self._order[sup]:
                self._add(outermost(sup, label), label, block, None)

    def _numbered_blocks(self, *, headed: bool) -> Iterator[tuple[str, Node]]:
        """Yield the blocks that may be notes, with their numbers; `headed` if by a heading, too."""
        for listed in self.markup.select("ol"):
            around = [listed, *near_elements(listed)]
            named = any(
                NOTE_NAMES.search(_names_of(one)) or tag(one) == "aside" for one in around[:3]
            )
            if named or (headed and self._is_headed(listed)):
                start = attribute(listed, "start")
                first = int(start) if start.isascii() and start.isdecimal() else 1
                items = [one for one in listed.children if tag(one) == "li"]
                yield from ((str(number), one) for number, one in enumerate(items, start=first))
        for mark in self.markup.select("p > sup, p > strong, p > b, li > sup, div > sup, p > span"):
            block = mark.parent
            number = NOTE_NUMBER.fullmatch(mark.text)
            if number is None or block is None or not _leads(mark, block):
                continue
            if tag(mark) == "sup" or follows_rule(block) or NOTE_NAMES.search(_names_of(block)):
                yield number[1], block
        called = self.markup.select("p[class*='note'], div[class*='footnote'], p[id*='fn']")
        for one in (*called, *(self._below_headings() if headed else ())):
            if told := re.match(r"\s*[\[(]?(\d{1,3})[\]).:]*\s+\S", _text_of([one])):
                yield told[1], one

    def _below_headings(self) -> Iterator[Node]:
        """Yield the paragraphs right below headings of notes."""
        for heading in self.markup.named("h2", "h3", "h4", "h5"):
            if NOTES_HEADING.fullmatch(heading.text):
                yield from takewhile(
                    lambda one: tag(one) == "p", elements_after(heading, MOST_NOTES)
                )

    def in_text(self, named: Iterable[Node]) -> None:
        """Find notes that stand in the text itself."""
        known = {_text_of(note.nodes) for note in self._by_block.values()}
        for node in named:
            if tag(node) != DISTILL_NOTE and (
                tag(node) not in ("span", "small", "aside", "label")
                or not INSIDE.search(_names_of(node))
            ):
                continue
            around = node.parent
            if around is None or not any(
                tag(one) in ("p", "li", "dd", "td") for one in near_elements(node)
            ):
                continue
            text = " ".join(node.text.split())
            if len(text) < LONGEST_LABEL_TEXT or any(
                one in self.references for one in (node, *near_elements(node))
            ):
                continue
            if any(one in self._by_block for one in near_elements(node)):
                continue
            if any(says_same(text, other) for other in known):
                self.unwritten.add(node)
            else:
                before = self._mark_before(node)
                number = re.match(r"\d{1,3}(?=[\s.:])", text) or before
                label = number[0].strip("[]") if number else str(len(self._by_block) + 1)
                self._add(node, label, node, None)

    def _mark_before(self, node: Node) -> re.Match[str] | None:
        """Find the number that stands before a note in the text, and do not write it twice."""
        if node.parent is not None:
            toggles = [one for one in node.parent.children if isinstance(one, Element)]
            self.unwritten.update([one for one in toggles if one.matches(TOGGLE)])
        before = node.previous_sibling
        if not isinstance(before, Element) or before.tag not in ("sup", "a"):
            return None
        number = re.fullmatch(r"\[?\d{1,3}\]?", before.text.strip())
        self.unwritten.update([before] if number is not None else [])
        return number

    def tidy(self) -> None:
        """Find the headings of notes, which have nothing else below them."""
        for first in self._by_block:
            for one in (first, *near_elements(first)[:3]):
                elements = (near for near in one.previous_siblings if isinstance(near, Element))
                before = next((near for near in elements if near.tag != "hr"), None)
                if before is not None and before.tag in HEADING_LEVELS:
                    if ONLY_NOTES.fullmatch(before.text):
                        self.unwritten.add(before)
                    break
