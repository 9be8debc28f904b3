"""Pick a node, and learn from the pages where it was found."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from webstencil import markup
from webstencil.errors import SettingsError
from webstencil.markup import Node
from webstencil.model import Anchor, Evidence, Found, Page, Pick, Trust
from webstencil.site.picks.sight import (
    PickSight,
    PickSpot,
    all_labels,
    nearest_label,
    nodes_along,
    spot,
)

DEEPEST = 1000  # levels; no template is deeper
MOST_LABELS = 200  # a longer column is not labels
HOLDS = 0.9  # degree from which an evidence counts as held
LONGEST_LEAD = 30  # characters; labels are shorter, sentences with a colon are longer

_LEAD = re.compile(rf"[^:\d]{{2,{LONGEST_LEAD}}}:")


def pick_text(page: Page, text: str, name: str) -> Pick:
    """Pick the only text leaf of a page with this text, white space collapsed."""
    wanted = " ".join(text.split())
    found = [leaf for leaf in page.markup.leaves() if markup.leaf_text(leaf) == wanted]
    if len(found) != 1:
        raise SettingsError(
            f"cannot pick {name!r}: {len(found)} texts of {page.url} read {wanted!r}; pick the node"
        )
    return pick(page, found[0], name)


def pick(page: Page, node: Node, name: str) -> Pick:
    """Describe a node of a page, so that it can be found on other pages of the template."""
    return describe(PickSight(page.markup), node, name)


def describe(page: PickSight, node: Node, name: str) -> Pick:
    """Describe a node by its position, its labels and the texts around it."""
    here = spot(node, DEEPEST)
    if here is None:
        raise SettingsError(f"cannot pick {name!r}: pick a text, or an element with text in it")
    around = tuple(anchors(here))
    return Pick(
        name=name,
        text=here.text,
        tags=tuple(map(markup.tag, here.line)),
        ordinals=tuple(map(page.ordinal, here.line)),
        labels=all_labels(here.line, page),
        near=nearest_label(here.line, page),
        lead=lead(here.text),
        anchors=around,
        other_labels=frozenset(other_labels(around, page)),
    )


def lead(text: str) -> str:
    """Return the label at the start of a text, as in "Author: ..."; empty if there is none."""
    found = _LEAD.match(text)
    return found[0] if found else ""


def anchors(here: PickSpot) -> Iterator[Anchor]:
    """Describe the leaves around a node."""
    for evidence, leaf in here.around.items():
        line = markup.line(leaf, DEEPEST)
        common = common_start(here.line, line)
        yield Anchor(
            evidence,
            text=markup.leaf_text(leaf),
            tags=tuple(map(markup.tag, line)),
            there=tuple(map(markup.tag, line[common:])),
            here=tuple(map(markup.tag, here.line[common:])),
        )


def other_labels(around: Iterable[Anchor], page: PickSight) -> Iterator[str]:
    """Yield the texts of other rows at the position of the text before the node."""
    for anchor in around:
        if anchor.evidence is Evidence.BEFORE:
            for leaf in nodes_along(anchor.tags, page.source)[:MOST_LABELS]:
                text = markup.leaf_text(leaf)
                if text != anchor.text:
                    yield text


def common_start(values: Sequence[object], others: Sequence[object]) -> int:
    """Return the length of the common start of two sequences."""
    equal = 0
    for one, other in zip(values, others, strict=False):
        if one != other:
            break
        equal += 1
    return equal


def learn(known: Pick, found: Found) -> Pick:
    """Return the pick with what was learned from a page where it was found."""
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
