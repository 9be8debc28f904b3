"""The names of elements in a template, as far as the learned pages tell.

Ids and classes name parts of a template, but also single posts, categories and dates. A token that
many learned pages share belongs to the template; the others are left out. An element has two
labels: the fine one with all its tokens that belong to the template, the coarse one with the most
frequent of them.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

Name: TypeAlias = tuple[str, str, str]  # tag, id, classes as written
Token: TypeAlias = tuple[str, str]  # tag, and a class or "#" with an id

FEW = 4  # pages; with so few, two that share a token are evidence enough
LEAST = 2  # pages that must share a token
SHARE = 0.03  # of the pages that must share a class
LEAST_SUSPECT = 3  # pages that must share an id, or a class with digits
SHARE_SUSPECT = 0.1
UNNAMED = frozenset({"html", "body"})  # their classes name the page, not the template


@dataclass(frozen=True, slots=True)
class ElementLabel:
    """The labels of an element."""

    tag: str
    coarse: str
    fine: str


class Names:
    """The tokens of a template, taken from the tokens of its learned pages."""

    def __init__(self, pages: Iterable[frozenset[Token]]) -> None:
        found = list(pages)
        counts = Counter(token for page in found for token in page)
        self._kept = {
            token: count for token, count in counts.items() if belongs(token, count, len(found))
        }
        ids = {token for token in self._kept if token[1].startswith("#")}
        self.with_ids = frozenset(tag for tag, _ in ids)  # tags whose ids may be names
        self.with_classes = frozenset(tag for tag, _ in self._kept.keys() - ids)
        self._labels: dict[Name, ElementLabel] = {}

    def label(self, name: Name) -> ElementLabel:
        """Return the labels of an element with this name."""
        known = self._labels.get(name)
        if known is None:
            known = self._labels[name] = self._label(name)
        return known

    def _label(self, name: Name) -> ElementLabel:
        tag, *_ = name
        kept = {token: self._kept[token] for token in tokens(name) if token in self._kept}
        if not kept:
            return ElementLabel(tag, tag, tag)
        fine = tag + "".join(sorted(f" {token}" for _, token in kept))
        identifier = [token for _, token in kept if token.startswith("#")]
        often = max(kept, key=lambda token: (kept[token], token))[1]
        return ElementLabel(tag, f"{tag} {identifier[0] if identifier else often}", fine)


def tokens(name: Name) -> list[Token]:
    """List the tokens of an element."""
    tag, identifier, classes = name
    if tag in UNNAMED:
        classes = ""
    named = [(tag, token) for token in dict.fromkeys(classes.split())]
    return [*named, (tag, f"#{identifier}")] if identifier else named


def belongs(token: Token, count: int, pages: int) -> bool:
    """Return whether a token that so many of the learned pages have belongs to the template."""
    text = token[1]
    dated = any(map(str.isdigit, text))
    if pages <= FEW:
        return count >= min(LEAST, pages) and not dated
    if dated or text.startswith("#"):
        return count >= LEAST_SUSPECT and count >= SHARE_SUSPECT * pages
    return count >= LEAST and count >= SHARE * pages
