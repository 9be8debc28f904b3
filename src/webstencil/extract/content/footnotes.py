"""Footnotes of a page: where a text refers to one, and what it says.

Three forms cover what generators and editors write:

- *Linked.* A short label links to an element of the page that comes later, and that is a note: it
  links back, it or a list around it is named so, or it is below a heading such as "Notes".
- *Numbered.* `<sup>1</sup>` without a link, and a list or paragraphs with these numbers: in a
  container named so, in an `aside`, or after a rule.
- *In the text.* An element beside the words, called `sidenote` or `footnote`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from webstencil.markup import Element, Markup, Node, Text, attribute, tag
from webstencil.markup.text_units import STRUCTURE

LABEL = re.compile(
    r"[\[(\s]*(?:(?:note|fn|footnote|n|ref)\.?\s*)?(?P<label>\d{1,3}[a-z]?|[a-z]|[ivxlc]{1,6}"
    r"|[⁰¹²³⁴-⁹]{1,3}|\*{1,4}|[†‡§¶‖#]{1,3})[\s\])]*\.?",
    re.IGNORECASE,
)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
NUMBER = re.compile(r"[\[(\s]*(\d{1,3})[\])\s.:]*")
NAMED = re.compile(
    r"(?i)foot-?note|end-?note|side-?note|\bfn\b|\bfns?[-_:\d]|ftn|\bedn|cite[-_]?note|reflist|"
    r"\breferences?\b|\brefs?\b|easy-footnote|bibliograph|\bnotes?\b|\bnote[-_]?\d|doc-endnote|FOOT\d"
)
BACK = re.compile(
    r"(?i)back-?link|back-?ref|cite-backlink|reverse-?footnote|footnote-back|to-top|jump|return|fn-back"
)
BACK_SIGNS = re.compile(
    r"[\s↩↑↵⏎⤴^⬆↥\ufe0e\ufe0f\u200b\[\]a-z]{0,6}|(?i:back|return|\[?(?:jump|go) (?:up|back).*)"
)
HEADING = re.compile(
    r"(?i)\W*(?:foot ?notes?|end ?notes?|notes?(?: and references)?|references?(?: and notes)?"
    r"|citations?|sources|bibliography|fußnoten|anmerkungen|einzelnachweise|quellen"
    r"|notes de bas de page|notes et références|références|notas|referencias|note|riferimenti"
    r"|przypisy|примечания|сноски|脚注|注釈|注释|参考文献|参考资料)\W*"
)
ONLY_NOTES = re.compile(
    r"(?i)\W*(?:foot ?notes?|end ?notes?|notes?|fußnoten|anmerkungen|notas|脚注)\W*"
)
INSIDE = re.compile(
    r"(?i)(?:^|[\s_-])(?:side-?note|margin-?note|inline-?footnote|footnote)(?:$|\s|[_-](?:content|text|body)(?:$|\s))"
)
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
INLINE_AROUND = frozenset(["sup", "span", "b", "strong", "i", "em", "small", "font", "cite"])
MOST_LABELS = 2_000  # links of a page that are looked at
DEEP = 64  # elements around a label; pages nest 100,000 deep
NEAR = 5  # elements around a note that may be named
MOST_FOLLOWING = 20  # blocks of one note
LONG = 12  # characters: an element in the text with fewer is a label


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
    found = _Search(markup)
    if markup.select('a[href*="#"]'):
        found.linked()
    if markup.select("sup"):
        found.numbered()
    found.in_text()
    found.tidy()
    return Footnotes(found.references, found.unwritten)


class _Search:
    """Collects the footnotes of a page."""

    def __init__(self, markup: Markup) -> None:
        self.markup = markup
        self.references: dict[Node, Footnote] = {}
        self.unwritten: set[Node] = set()
        self._order: Mapping[Node, int] = markup.table().numbers
        self._by_block: dict[Node, Footnote] = {}
        self._labels: set[str] = set()
        self._back: dict[Node, set[str]] = {}  # where the links of a block lead

    def linked(self) -> None:
        """Find labels that link to notes."""
        targets = {attribute(node, "name"): node for node in self.markup.select("a[name]")}
        targets |= {attribute(node, "id"): node for node in self.markup.select("[id]")}
        for link, label in _labels(self.markup)[:MOST_LABELS]:
            target = targets.get(_fragment(link))
            if target is None or self._order[target] < self._order[link]:
                continue
            around = _near(link, DEEP)
            block = _block_of(target)
            if block is None or block in around or any(one in self._by_block for one in around):
                continue
            if block in self._by_block or self._is_note(target, block, link):
                self._add(_outermost(link, label), label, block, target)

    def _is_note(self, target: Node, block: Node, link: Node) -> bool:
        """Return whether a block that a label links to is a footnote."""
        if tag(block) in ("h1", "h2", "table", "body", "main", "article", "figure"):
            return False
        own = f"{_names(target)} {_names(link)} {_names(link.parent) if link.parent else ''}"
        if NAMED.search(f"{own} {attribute(target, 'name')} {_fragment(link)}"):
            return True
        if any(NAMED.search(_names(one)) for one in (block, *_near(block)[:3])):
            return True
        if block not in self._back:
            links = block.select('a[href*="#"]')
            self._back[block] = {_fragment(one) for one in links} - {""}
        if not self._back[block].isdisjoint(_places(link)):
            return True
        heading = _heading_above(block)
        return heading is not None and HEADING.fullmatch(heading.text) is not None

    def _add(self, reference: Node, label: str, block: Node, target: Node | None) -> None:
        note = self._by_block.get(block)
        if note is None:
            nodes = tuple(_parts(block, target))
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
            label = next(
                f"{label}-{n}" for n in range(2, 10_000) if f"{label}-{n}" not in self._labels
            )
        self._labels.add(label)
        return label

    def _hide_marks(self, node: Node, label: str) -> None:
        """Find the label at the beginning of a note, and its links back."""
        if not isinstance(node, Element):
            return
        for link in node.select("a, [class*='back' i]"):
            text = link.text.strip()
            named = BACK.search(f"{attribute(link, 'class')} {attribute(link, 'rev')}") is not None
            into = _fragment(link) != "" or not attribute(link, "href")
            same = (found := LABEL.fullmatch(text)) is not None and found[
                "label"
            ].lower() == label.lower()
            if into and (named or same or BACK_SIGNS.fullmatch(text)):
                self.unwritten.add(link)
        for first in node.select("sup, strong, b, span, dt, em, i, label"):
            found = NUMBER.fullmatch(first.text)
            if found is not None and found[1] == label and _leads(first, node):
                self.unwritten.add(first)

    def numbered(self) -> None:
        """Find superscript numbers and the notes with these numbers."""
        marks = []
        for sup in self.markup.select("sup")[:MOST_LABELS]:
            if sup in self.references or any(one in self._by_block for one in _near(sup)):
                continue
            if (number := NUMBER.fullmatch(sup.text)) and sup.select_one("a[href]") is None:
                marks.append((sup, number[1]))
        if not marks or self.references:
            return
        blocks = dict(self._numbered_blocks())
        for sup, label in marks:
            block = blocks.get(label)
            if block is None or block in _near(sup, DEEP) or _is_power(sup):
                continue
            if self._order[block] > self._order[sup]:
                self._add(_outermost(sup, label), label, block, None)

    def _numbered_blocks(self) -> Iterator[tuple[str, Node]]:
        """Yield the blocks that may be notes, with their numbers."""
        for listed in self.markup.select("ol"):
            around = [listed, *_near(listed)]
            if any(NAMED.search(_names(one)) or tag(one) == "aside" for one in around[:3]):
                start = attribute(listed, "start")
                first = int(start) if start.isascii() and start.isdecimal() else 1
                items = [one for one in listed.children if tag(one) == "li"]
                yield from ((str(number), one) for number, one in enumerate(items, start=first))
        for mark in self.markup.select("p > sup, p > strong, p > b, li > sup, div > sup, p > span"):
            block = mark.parent
            number = NUMBER.fullmatch(mark.text)
            if number is None or block is None or not _leads(mark, block):
                continue
            if tag(mark) == "sup" or _follows_rule(block) or NAMED.search(_names(block)):
                yield number[1], block
        for one in self.markup.select("p[class*='note'], div[class*='footnote'], p[id*='fn']"):
            if told := re.match(r"\s*[\[(]?(\d{1,3})[\]).:]*\s+\S", _said([one])):
                yield told[1], one

    def in_text(self) -> None:
        """Find notes that stand in the text itself."""
        known = {_said(note.nodes) for note in self._by_block.values()}
        for node in self.markup.select("[class*='note' i]")[:MOST_LABELS]:
            if tag(node) not in ("span", "small", "aside", "label") or not INSIDE.search(
                _names(node)
            ):
                continue
            around = node.parent
            if around is None or not any(
                tag(one) in ("p", "li", "dd", "td") for one in _near(node)
            ):
                continue
            text = " ".join(node.text.split())
            if len(text) < LONG or any(one in self.references for one in (node, *_near(node))):
                continue
            if any(one in self._by_block for one in _near(node)):
                continue
            if any(_same(text, other) for other in known):
                self.unwritten.add(node)
            else:
                number = re.match(r"\d{1,3}(?=[\s.:])", text)
                label = number[0] if number else str(len(self._by_block) + 1)
                self._add(node, label, node, None)

    def tidy(self) -> None:
        """Find the headings of notes, which have nothing else below them."""
        for first in self._by_block:
            for one in (first, *_near(first)[:3]):
                before = _before(one)
                if before is not None and tag(before) in HEADINGS:
                    if ONLY_NOTES.fullmatch(before.text):
                        self.unwritten.add(before)
                    break


def _fragment(link: Node) -> str:
    """Return the part of the page that a link leads to, empty if to another page."""
    href = attribute(link, "href").strip()
    address, _, fragment = href.partition("#")
    if address and not NAMED.search(f"{fragment} {attribute(link, 'class')}"):
        return ""
    return unquote(fragment)


def _names(node: Node) -> str:
    return f"{attribute(node, 'class')} {attribute(node, 'id')} {attribute(node, 'role')}"


def _near(node: Node, count: int = NEAR) -> list[Node]:
    """List the nearest elements around a node."""
    found: list[Node] = []
    around = node.parent
    while (
        around is not None and tag(around) not in ("body", "html", "#text") and len(found) < count
    ):
        found.append(around)
        around = around.parent
    return found


def _block_of(target: Node) -> Node | None:
    """Return the block that a link leads to."""
    if tag(target) in STRUCTURE:
        return target
    return next((one for one in _near(target) if tag(one) in STRUCTURE), None)


def _labels(markup: Markup) -> list[tuple[Node, str]]:
    """List the links of a page with a text that can be the label of a footnote."""
    found = []
    for link in markup.select('a[href*="#"]'):
        label = LABEL.fullmatch(link.text) if isinstance(link, Element) else None
        if label is not None:
            found.append((link, label["label"].translate(RAISED)))
    return found


def _places(link: Node) -> set[str]:
    """Return the names by which a note could link back to its label."""
    here = {attribute(one, "id") for one in (link, *_near(link))} | {attribute(link, "name")}
    beside = link.previous_sibling
    return (here | {attribute(beside, "id")} if beside is not None else here) - {""}


def _heading_above(block: Node) -> Element | None:
    """Return the heading before a block or the blocks around it."""
    for one in (block, *_near(block)[:3]):
        before = one.previous_sibling
        for _ in range(200):
            if before is None:
                break
            if isinstance(before, Element) and before.tag in HEADINGS:
                return before
            before = before.previous_sibling
    return None


def _before(node: Node) -> Element | None:
    """Return the element before a node, rules left out."""
    before = node.previous_sibling
    while before is not None and (not isinstance(before, Element) or before.tag == "hr"):
        before = before.previous_sibling
    return before


def _outermost(node: Node, label: str) -> Node:
    """Return the outermost inline element that has nothing but a label."""
    while node.parent is not None and tag(node.parent) in INLINE_AROUND:
        if (
            node.parent.text.translate(RAISED).strip("[]() \n\t,.:\N{NO-BREAK SPACE}").lower()
            != label.lower()
        ):
            break
        node = node.parent
    return node


def _parts(block: Node, target: Node | None) -> Iterator[Node]:
    """Yield the elements of a note: its block, or what follows a label that is a block."""
    name = tag(block)
    text = block.text.strip() if isinstance(block, Element) else ""
    only_label = NUMBER.fullmatch(text) is not None
    if only_label and (target is not None or name == "dt"):
        for count, one in enumerate(_following(block, HEADINGS - {name})):
            if count and (tag(one) == name != "td" or _begins_note(one)):
                break
            if tag(one) == name and name in ("dt", *HEADINGS):
                break
            yield one
    else:
        yield block
        if name == "p" and _follows_rule(block):
            for one in _following(block, HEADINGS | {"hr"}):
                if _begins_note(one):
                    break
                yield one


def _following(block: Node, until: Iterable[str]) -> Iterator[Node]:
    """Yield the elements after a block, up to one with such a tag."""
    following, count = block.next_sibling, 0
    while following is not None and count < MOST_FOLLOWING:
        if isinstance(following, Element):
            if following.tag in until:
                break
            yield following
            count += 1
        following = following.next_sibling


def _begins_note(node: Node) -> bool:
    """Return whether a block begins with a number that stands apart."""
    if not isinstance(node, Element):
        return False
    first = next(
        (one for one in node.children if not (isinstance(one, Text) and one.data.isspace())), None
    )
    number = isinstance(first, Element) and NUMBER.fullmatch(first.text) is not None
    return number or any(_fragment(one) for one in node.select("a[name], a[id]"))


def _follows_rule(block: Node) -> bool:
    """Return whether a rule is before a block, among its siblings."""
    before = block.previous_sibling
    for _ in range(200):
        if before is None:
            return False
        if tag(before) == "hr":
            return True
        if tag(before) in HEADINGS:
            return False
        before = before.previous_sibling
    return False


def _leads(mark: Node, block: Node) -> bool:
    """Return whether nothing but blank text comes before an element in its block."""
    node: Node | None = mark
    while node is not None and node is not block:
        before = node.previous_sibling
        while before is not None:
            text = before.data if isinstance(before, Text) else getattr(before, "text", "")
            if text and text.strip():
                return False
            before = before.previous_sibling
        node = node.parent
    return True


def _is_power(sup: Node) -> bool:
    """Return whether a number above the line belongs to a number or a variable."""
    before = sup.previous_sibling
    text = before.data if isinstance(before, Text) else getattr(before, "text", "") or ""
    return re.search(r"(?:^|[^\w])\w$|\d$", text) is not None


def _said(nodes: Iterable[Node]) -> str:
    return " ".join(" ".join([node.text for node in nodes if isinstance(node, Element)]).split())


def _same(text: str, other: str) -> bool:
    """Return whether a note in the text says what one below it says."""
    bare = re.sub(r"^\W*\d{0,3}\W*", "", text)
    return len(bare) >= LONG and (bare[:60] in other or other[:60] in text)
