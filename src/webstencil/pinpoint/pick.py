"""Pick a node, and learn from the pages on which it was found."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from webstencil import markup
from webstencil.errors import SettingsError
from webstencil.markup import Node
from webstencil.model import Anchor, Found, Pick, Trust
from webstencil.pinpoint.leaves import Leaves, Spot, all_labels, nearest_label, spot

DEEPEST = 1000  # levels; no template nests that deep
TURN = "^"  # where a way turns from the node to the anchor
HOLDS = 0.9  # an evidence that holds to this degree counts as held
LONGEST_LEAD = 30  # characters; labels are shorter, sentences with a colon are longer

_LEAD = re.compile(rf"[^:\d]{{2,{LONGEST_LEAD}}}:")


def pick(page: Leaves, node: Node, name: str) -> Pick:
    """Describe a node of a page, so that it can be found on other pages of the template."""
    here = spot(node, DEEPEST)
    if here is None:
        raise SettingsError(f"cannot pick {name!r}: pick a text, or an element with text in it")
    return Pick(
        name=name,
        text=here.text,
        tags=tuple(map(markup.tag, here.line)),
        ordinals=tuple(map(page.ordinal, here.line)),
        labels=all_labels(here.line, page),
        near=nearest_label(here.line, page),
        lead=lead(here.text),
        anchors=tuple(anchors(here)),
    )


def lead(text: str) -> str:
    """Return the label at the start of a text, as in "Author: ..."; empty if there is none."""
    found = _LEAD.match(text)
    return found[0] if found else ""


def anchors(here: Spot) -> Iterator[Anchor]:
    """Describe the leaves around a node."""
    for evidence, leaf in here.around.items():
        tags = tuple(map(markup.tag, markup.line(leaf, DEEPEST)))
        yield Anchor(evidence, markup.leaf_text(leaf), tags, way(here.line, leaf))


def way(line: Sequence[Node], other: Node) -> tuple[str, ...]:
    """Return the tags from the lowest common ancestor down to a line's end, and to `other`."""
    passed = markup.line(other, DEEPEST)
    common = 0
    while common < min(len(line), len(passed)) and line[common] == passed[common]:
        common += 1
    return (*map(markup.tag, line[common:]), TURN, *map(markup.tag, passed[common:]))


def learn(known: Pick, found: Found) -> Pick:
    """Return the pick with what a page on which it was found has taught."""
    counts = {trust.evidence: (trust.held, trust.failed) for trust in known.trust}
    for evidence, degree in found.held:
        held, failed = counts.get(evidence, (0, 0))
        counts[evidence] = (held + 1, failed) if degree > HOLDS else (held, failed + 1)
    pages = known.pages + 1
    return replace(
        known,
        trust=tuple(Trust(evidence, *counts[evidence]) for evidence in sorted(counts)),
        pages=pages,
        mean=known.mean + (found.confidence - known.mean) / pages,
    )
