"""Pick a node, and learn from the pages on which it was found."""

import re
from collections.abc import Iterator
from dataclasses import replace

from webstencil import markup
from webstencil.errors import SettingsError
from webstencil.markup import Node
from webstencil.model import Anchor, Evidence, Found, Pick, Trust
from webstencil.pinpoint.leaves import Leaves, all_labels, chain, nearest_label

DEEPEST = 1000  # levels; no template nests that deep
BEFORE = (Evidence.BEFORE, Evidence.BEFORE_2, Evidence.BEFORE_3)
AFTER = (Evidence.AFTER, Evidence.AFTER_2)
TURN = "^"  # where a way turns from the node to the anchor
HOLDS = 0.9  # an evidence that holds to this degree counts as held
LONGEST_LEAD = 30  # characters; labels are shorter, sentences with a colon are longer

_LEAD = re.compile(rf"[^:\d]{{2,{LONGEST_LEAD}}}:")


def pick(page: Leaves, node: Node, name: str) -> Pick:
    """Describe a node of a page, so that it can be found on other pages of the template."""
    start, end = page.span(node)
    line = chain(node, DEEPEST)
    if start == end or not line:
        raise SettingsError(f"cannot pick {name!r}: pick a text, or an element with text in it")
    text = page.texts[start] if end - start == 1 else ""
    return Pick(
        name=name,
        text=text,
        tags=tuple(map(markup.tag, line)),
        ordinals=tuple(map(page.ordinal, line)),
        labels=all_labels(line, page),
        near=nearest_label(line, page),
        lead=lead(text),
        anchors=tuple(anchors(page, line, start, end)),
    )


def lead(text: str) -> str:
    """Return the label at the start of a text, as in "Author: ..."; empty if there is none."""
    found = _LEAD.match(text)
    return found[0] if found else ""


def anchors(page: Leaves, line: list[Node], start: int, end: int) -> Iterator[Anchor]:
    """Yield the leaves around those from `start` to `end`."""
    places = [(evidence, start - 1 - far) for far, evidence in enumerate(BEFORE)]
    places += [(evidence, end + far) for far, evidence in enumerate(AFTER)]
    for evidence, place in places:
        if 0 <= place < len(page.nodes):
            node = page.nodes[place]
            tags = tuple(map(markup.tag, chain(node, DEEPEST)))
            yield Anchor(evidence, page.texts[place], tags, way(line, node))


def way(line: list[Node], other: Node) -> tuple[str, ...]:
    """Return the tags from the lowest common ancestor down to a line's end, and to `other`."""
    depths = {node: depth for depth, node in enumerate(line)}
    down: list[str] = []
    above: Node | None = other
    while above is not None and above not in depths and len(down) < DEEPEST:
        down.append(markup.tag(above))
        above = markup.parent(above)
    common = depths[above] if above is not None and above in depths else -1
    return (*map(markup.tag, line[common + 1 :]), TURN, *reversed(down))


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
