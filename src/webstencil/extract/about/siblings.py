"""What siblings say at a place: a byline changes from page to page, the site's own name does not.

The place of a text is the chain of labels of the blocks around it, as in outlines (`site/outline`).
Some siblings are asked what they say there: if it is the same on most, it is no byline; if it
changes, it may be one.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from zlib import crc32

from webstencil import markup
from webstencil.markup import Node
from webstencil.markup.text_units import STRUCTURE
from webstencil.site.outline import NO_PLACE, Outline, label_of
from webstencil.site.site_model import SiteModel

ASKED = 64  # siblings, those of the smallest keys
FEWEST = 3  # siblings that have a place, to tell anything of it
MOST = 0.6  # 0..1, share of the siblings with a place that say the same there
DEEPEST = 60  # blocks of a place
TOP = crc32(b"html")


@dataclass(frozen=True, slots=True)
class SiblingPlaces:
    """How many siblings have a place, and how many of them say the most frequent thing there."""

    pages: dict[int, int] = field(default_factory=dict)  # by place
    same: dict[int, int] = field(default_factory=dict)  # by place

    def changes(self, node: Node) -> bool | None:
        """Return whether the text at a node's place changes; None if too few siblings have it."""
        if not self.pages:
            return None
        place = place_of(node)
        count = self.pages.get(place, 0)
        return None if count < FEWEST else self.same[place] < MOST * count


def places_of(model: SiteModel, url: str) -> SiblingPlaces:
    """Ask some siblings of a page what they say at each place."""
    asked = islice((page for page in model if page.url != url), ASKED)
    return summed(page.outline for page in asked)


def summed(outlines: Iterable[Outline]) -> SiblingPlaces:
    """Count what outlines say at each place."""
    said: dict[int, Counter[int]] = {}
    pages: dict[int, int] = {}
    for outline in outlines:
        hashes = place_hashes(outline)
        texts = {
            (hashes[at], text) for at, text in zip(outline.text_places, outline.texts, strict=True)
        }
        for place in {place for place, _ in texts}:
            pages[place] = pages.get(place, 0) + 1
        for place, text in texts:
            said.setdefault(place, Counter())[text] += 1
    return SiblingPlaces(pages, {place: max(texts.values()) for place, texts in said.items()})


def place_hashes(outline: Outline) -> list[int]:
    """Hash the chain of labels of each place; a container comes before what it holds."""
    hashes: list[int] = []
    for label, container in zip(outline.labels, outline.containers, strict=True):
        hashes.append(TOP if container == NO_PLACE else crc32(label.encode(), hashes[container]))
    return hashes


def place_of(node: Node) -> int:
    """Hash the place of a node as outlines have it."""
    labels = []
    for one in islice((node, *islice(node.ancestors, 4 * DEEPEST)), 4 * DEEPEST):
        name = markup.tag(one)
        if name in STRUCTURE and name not in ("html", "body"):
            labels.append(label_of(name, markup.attribute(one, "class"), markup.identifier(one)))
    place = TOP
    for label in reversed(labels[:DEEPEST]):
        place = crc32(label.encode(), place)
    return place
