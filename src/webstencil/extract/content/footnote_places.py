"""Where the labels and the texts of footnotes are on a page, and what is around them."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from urllib.parse import unquote

from webstencil.markup import Element, Node, Text, attribute, tag
from webstencil.markup.text_units import STRUCTURE

LABEL = re.compile(
    r"[\[(\s]*(?:(?:note|fn|footnote|n|ref)(?:[.\s]+|(?=\d)))?(?P<label>\d{1,3}[a-z]?|[a-z]|[ivxlc]{1,6}"
    r"|[⁰¹²³⁴-⁹]{1,3}|\*{1,4}|[†‡§¶‖#]{1,3})[\s\])]*\.?",
    re.IGNORECASE,
)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
NUMBER = re.compile(r"[\[(\s]*(\d{1,3})[\])\s.:]*")
BRACKETED = re.compile(r"[\[(]\d{1,3}[\])]\s")  # before a text
NAMED = re.compile(
    r"(?i)foot-?note|end-?note|side-?note|\bfn\b|\bfns?[-_:\d]|ftn|\bedn|cite[-_]?note|reflist|"
    r"\breferences?\b|\brefs?\b|easy-footnote|bibliograph|\bnotes?\b|\bnote[-_]?\d|doc-endnote|FOOT\d"
)
MOVED = re.compile(r"\(['\"](?P<place>[\w-]+)['\"]\)")  # there by a script
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
INLINE_AROUND = frozenset(["sup", "span", "b", "strong", "i", "em", "small", "font", "cite"])
NEAR = 5  # elements around a note that may be named
MOST_LETTERS = 5  # that are labels in one element
MOST_NOTES = 500  # below one heading
MOST_FOLLOWING = 20  # blocks of one note
POWER = re.compile(r"(?:^|[^\w])(?:\w|[kcdmµn]m|ft|in|mi|yd|sec|min)$|\d$")  # before it
ARROWS = "↑↩^⬆\ufe0e\ufe0f \n\t"  # back to the text, beside a label
LONG = 12  # characters: an element in the text with fewer is a label


def fragment_of(link: Node) -> str:
    """Return the part of the page that a link leads to, empty if to another page."""
    href = attribute(link, "href").strip()
    if (not href or href.startswith("javascript:")) and (
        moved := MOVED.search(attribute(link, "onclick"))
    ):
        return moved["place"]
    address, _, fragment = href.partition("#")
    if address and not NAMED.search(f"{fragment} {attribute(link, 'class')}"):
        return ""
    return unquote(fragment)


def names_of(node: Node) -> str:
    keys = ("class", "id", "role", "epub:type")
    return " ".join([attribute(node, key) for key in keys])


def near_elements(node: Node, count: int = NEAR) -> list[Node]:
    """List the nearest elements around a node."""
    found: list[Node] = []
    around = node.parent
    while (
        around is not None and tag(around) not in ("body", "html", "#text") and len(found) < count
    ):
        found.append(around)
        around = around.parent
    return found


def block_of(target: Node) -> Node | None:
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
        label = LABEL.fullmatch(link.text) if isinstance(link, Element) else None
        if label is not None:
            found.append((link, label["label"].translate(RAISED)))
    letters = Counter([link.parent for link, label in found if label.isalpha()])
    return [(link, label) for link, label in found if letters[link.parent] <= MOST_LETTERS]


def places_of(link: Node) -> set[str]:
    """Return the names by which a note could link back to its label."""
    here = {attribute(one, "id") for one in (link, *near_elements(link))} | {
        attribute(link, "name")
    }
    beside = link.previous_sibling
    return (here | {attribute(beside, "id")} if beside is not None else here) - {""}


def heading_above(block: Node) -> Element | None:
    """Return the heading before a block or the blocks around it."""
    for one in (block, *near_elements(block)[:3]):
        before = one.previous_sibling
        for _ in range(200):
            if before is None:
                break
            if isinstance(before, Element) and before.tag in HEADINGS:
                return before
            before = before.previous_sibling
    return None


def element_before(node: Node) -> Element | None:
    """Return the element before a node, rules left out."""
    before = node.previous_sibling
    while before is not None and (not isinstance(before, Element) or before.tag == "hr"):
        before = before.previous_sibling
    return before


def elements_after(node: Node) -> Iterator[Node]:
    """Yield the elements after a node, as many as a page may have notes."""
    following, count = node.next_sibling, 0
    while following is not None and count < MOST_NOTES:
        if isinstance(following, Element):
            yield following
            count += 1
        following = following.next_sibling


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
    only_label = NUMBER.fullmatch(text.strip(ARROWS)) is not None
    if only_label and (target is not None or name == "dt"):
        for count, one in enumerate(following_elements(block, HEADINGS - {name})):
            if count and (tag(one) == name != "td" or begins_note(one)):
                break
            if tag(one) == name and name in ("dt", *HEADINGS):
                break
            yield one
    else:
        yield block
        if name == "p" and follows_rule(block):
            for one in following_elements(block, HEADINGS | {"hr"}):
                if begins_note(one):
                    break
                yield one


def following_elements(block: Node, until: Iterable[str]) -> Iterator[Node]:
    """Yield the elements after a block, up to one with such a tag."""
    following, count = block.next_sibling, 0
    while following is not None and count < MOST_FOLLOWING:
        if isinstance(following, Element):
            if following.tag in until:
                break
            yield following
            count += 1
        following = following.next_sibling


def begins_with(block: Node, label: str) -> bool:
    """Return whether a block that is no heading begins with a label in brackets or before a dot."""
    if tag(block) in HEADINGS or not isinstance(block, Element):
        return False
    text = block.text.translate(RAISED).strip()
    return re.match(rf"(?i)[\[(]?{re.escape(label)}(?:[\])]|\.\s)\.?\s*\w", text) is not None


def begins_note(node: Node) -> bool:
    """Return whether a block begins with a number that stands apart."""
    if not isinstance(node, Element):
        return False
    first = next(iter(node.stripped_strings), "")
    return NUMBER.fullmatch(first) is not None or BRACKETED.match(first) is not None


def is_section(block: Node) -> bool:
    """Return whether a block begins with a heading, as a section of the text does."""
    first = next((one for one in block.children if isinstance(one, Element)), None)
    return first is not None and tag(first) in ("h1", "h2", "h3", "h4")


def follows_rule(block: Node) -> bool:
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


def leads(mark: Node, block: Node, unwritten: Collection[Node] = ()) -> bool:
    """Return whether nothing that is written comes before an element in its block."""
    node: Node | None = mark
    while node is not None and node is not block:
        before = node.previous_sibling
        while before is not None:
            text = before.data if isinstance(before, Text) else getattr(before, "text", "")
            if text and text.strip() and before not in unwritten:
                return False
            before = before.previous_sibling
        node = node.parent
    return True


def is_power(sup: Node) -> bool:
    """Return whether a number above the line belongs to a number, a variable or a unit."""
    before = sup.previous_sibling
    text = before.data if isinstance(before, Text) else getattr(before, "text", "") or ""
    return POWER.search(text) is not None


def text_of(nodes: Iterable[Node]) -> str:
    return " ".join(" ".join([node.text for node in nodes if isinstance(node, Element)]).split())


def says_same(text: str, other: str) -> bool:
    """Return whether a note in the text says what one below it says."""
    bare = re.sub(r"^\W*\d{0,3}\W*", "", text)
    return len(bare) >= LONG and (bare[:60] in other or other[:60] in text)
