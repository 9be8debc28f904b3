"""Nominate the nodes that may be the picked one, weigh what speaks for each, and decide.

What speaks for a node: the texts around it are the stencil's, it stands at the same place, it has
the same labels. No evidence decides alone, and each weighs as much as it has held on the pages
where the node was found before: a text that is data stops counting, a text that is the template's
counts more, and where it is missing so, most likely, is the node. `docs/locating.md` has the
measurements behind the numbers.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from webstencil import markup
from webstencil.markup import Markup, Node
from webstencil.model import (
    TEXT,
    Anchor,
    Evidence,
    Found,
    Lost,
    LostReason,
    Near,
    Page,
    Pick,
)
from webstencil.pinpoint.leaves import SPARE_DEPTH, Leaves, all_labels, chain, climb, nearest_label
from webstencil.pinpoint.pick import lead, learn, way

WEIGHTS = {
    Evidence.BEFORE: 4.0,
    Evidence.BEFORE_2: 1.0,
    Evidence.BEFORE_3: 0.5,
    Evidence.AFTER: 2.0,
    Evidence.AFTER_2: 0.7,
    Evidence.PLACE: 3.0,
    Evidence.LABELS: 2.0,
    Evidence.NEAR: 4.0,
    Evidence.LEAD: 4.0,
}
ACCEPTED = 0.5  # confidence below which there is no answer
DROP = 0.7  # of the mean confidence so far; a page far below its like lacks the node
MARGIN = 0.05  # to the second best; below it the two are too much alike

OTHER_WAY = 0.7  # an anchor with the same text, but another way to it
OTHER_NUMBER = 0.7  # an anchor whose text differs in digits only
PER_ORDINAL = 0.4  # lost for each ordinal that differs
OTHER_DEPTH = 0.6  # the most that ordinals count for where the depth differs
OTHER_BELOW = 0.7  # the nearest label with other tags below it
REPEATED = 0.5  # of what is left to a candidate whose own text is an anchor's

# How much an anchor that is nowhere on the page counts against a candidate before any page has
# told: a text may be data. A text that ends in a colon is hardly ever.
MISSING = 0.3
MISSING_LABEL = 0.9

MOST_PLACES = 8  # occurrences of an anchor's text that nominate
MOST_CANDIDATES = 300  # a list longer than that has no picked node
CLIMBED = 3  # levels from a leaf up to a candidate element

_DIGITS = re.compile(r"\d+")


def pinpoint_all(
    picks: Iterable[Pick], page: Page
) -> tuple[tuple[Found | Lost, ...], tuple[Pick, ...]]:
    """Look for all picks on a page; return the answers, and the picks with what it taught."""
    leaves = Leaves(page.markup)
    known = tuple(picks)
    answers = tuple(pinpoint(one, leaves) for one in known)
    taught = tuple(
        learn(one, answer) if isinstance(answer, Found) else one
        for one, answer in zip(known, answers, strict=True)
    )
    return answers, taught


def pinpoint(known: Pick, page: Leaves) -> Found | Lost:
    """Look for a pick on a page."""
    weigh = Scales(known, page)
    scored = [(score, node) for node in nominees(known, page) if (score := weigh.score(node))]
    if not scored:
        return Lost(known.name, LostReason.NO_CANDIDATE, 0.0)
    (confidence, held), node = max(scored, key=lambda one: one[0][0])
    if confidence < max(ACCEPTED, DROP * known.mean):
        return Lost(known.name, LostReason.UNLIKE, confidence)
    others = [score for (score, _), other in scored if other != node]
    if others and confidence - max(others) < MARGIN:
        return Lost(known.name, LostReason.AMBIGUOUS, confidence)
    return Found(known.name, node, confidence, held)


def nominees(known: Pick, page: Leaves) -> list[Node]:
    """List the nodes that may be the picked one: by its tags, by its anchors, else by its label."""
    along = nodes_along(known.tags, page.source)
    found = [*along, *beside_anchors(known, page)]
    if not along and known.near is not None:
        found += below_label(known.near, known.tags[-1], page)
    return list(dict.fromkeys(found))[:MOST_CANDIDATES]


def nodes_along(tags: Sequence[str], source: Markup) -> list[Node]:
    """List the nodes to which tags lead from the root."""
    if tags[-1] != TEXT:
        return source.along(tags)
    return [
        child
        for element in source.along(tags[:-1])
        for child in markup.children(element)
        if markup.tag(child) == TEXT
    ]


def beside_anchors(known: Pick, page: Leaves) -> Iterator[Node]:
    """Yield what stands next to a text that stood next to the picked node."""
    for anchor in known.anchors:
        step = {Evidence.BEFORE: 1, Evidence.AFTER: -1}.get(anchor.evidence)
        if step is None:
            continue
        for place in page.places.get(anchor.text, ())[:MOST_PLACES]:
            if 0 <= place + step < len(page.nodes):
                yield from with_tag(page.nodes[place + step], known.tags[-1])


def with_tag(leaf: Node, wanted: str) -> Iterator[Node]:
    """Yield a leaf, or the nearest ancestor with the wanted tag."""
    for node in climb(leaf, CLIMBED):
        if markup.tag(node) == wanted:
            yield node
            return


def below_label(near: Near, wanted: str, page: Leaves) -> Iterator[Node]:
    """Yield the nodes that stand below a label as the picked one does."""
    for leaf in page.nodes:
        for node in with_tag(leaf, wanted):
            line = list(climb(node, len(near.below) + 2))[::-1]
            if nearest_label(line, page) == near:
                yield node


class Scales:
    """Weighs candidates of one page for one pick."""

    def __init__(self, known: Pick, page: Leaves) -> None:
        self.known = known
        self.page = page
        self.trust = {trust.evidence: (trust.held, trust.failed) for trust in known.trust}

    def score(self, node: Node) -> tuple[float, tuple[tuple[Evidence, float], ...]] | None:
        """Return the confidence in a candidate and what speaks for it; None if it cannot be."""
        line = chain(node, len(self.known.tags) + SPARE_DEPTH)
        start, end = self.page.span(node)
        if not line or start == end:
            return None
        held: list[tuple[Evidence, float]] = []
        total = reached = 0.0
        for evidence, degree, weight in self.all_evidence(line, start, end):
            held.append((evidence, degree))
            total += weight
            reached += weight * degree
        confidence = reached / total
        if self.is_anchor(start, end):
            confidence *= REPEATED
        return confidence, tuple(held)

    def all_evidence(
        self, line: list[Node], start: int, end: int
    ) -> Iterator[tuple[Evidence, float, float]]:
        """Yield what speaks for a candidate, how far it holds, and what it weighs."""
        for anchor in self.known.anchors:
            degree = self.anchor_degree(anchor, line, start, end)
            yield anchor.evidence, degree, self.anchor_weight(anchor, degree)
        for evidence, degree in self.structure(line, start, end):
            yield evidence, degree, WEIGHTS[evidence] * self.rate(evidence)

    def structure(self, line: list[Node], start: int, end: int) -> Iterator[tuple[Evidence, float]]:
        """Yield how far a candidate's place and labels are those of the picked node."""
        known = self.known
        yield Evidence.PLACE, same_place(known.ordinals, [self.page.ordinal(node) for node in line])
        yield Evidence.LABELS, overlap(known.labels, all_labels(line, self.page))
        near = nearest_label(line, self.page)
        if near is not None or known.near is not None:
            yield Evidence.NEAR, same_near(known.near, near)
        own = lead(self.page.texts[start]) if end - start == 1 else ""
        if own or known.lead:
            yield Evidence.LEAD, float(own == known.lead)

    def anchor_degree(self, anchor: Anchor, line: list[Node], start: int, end: int) -> float:
        """Return how far the text that stands where an anchor stood is the anchor."""
        place = neighbour(anchor.evidence, start, end)
        if not 0 <= place < len(self.page.texts):
            return 0.0
        text = self.page.texts[place]
        if text == anchor.text:
            degree = 1.0
        elif differs_in_digits(text, anchor.text):
            degree = OTHER_NUMBER
        else:
            return 0.0
        return degree if way(line, self.page.nodes[place]) == anchor.way else degree * OTHER_WAY

    def anchor_weight(self, anchor: Anchor, degree: float) -> float:
        """Weigh an anchor: fully if it is on the page, else by how often it was on others."""
        evidence = anchor.evidence
        held, failed = self.trust.get(evidence, (0, 0))
        steady = held / (held + failed + 1)
        weight = WEIGHTS[evidence] * self.rate(evidence)
        if evidence is Evidence.BEFORE:
            weight *= 1 + steady * steady
        if degree > 0 or self.is_on_page(anchor):
            return weight
        if evidence is Evidence.BEFORE:
            least = MISSING_LABEL if anchor.text.endswith(":") else MISSING
            return weight * max(least, steady)
        return weight * steady

    def is_on_page(self, anchor: Anchor) -> bool:
        """Tell whether an anchor stands somewhere on the page."""
        places = self.page.places.get(anchor.text, ())[:MOST_PLACES]
        limit = len(anchor.tags)
        return any(
            tuple(map(markup.tag, chain(self.page.nodes[place], limit))) == anchor.tags
            for place in places
        )

    def is_anchor(self, start: int, end: int) -> bool:
        """Tell whether a candidate's own text stood beside the picked node: it is another one."""
        text = self.page.texts[start] if end - start == 1 else ""
        return text != self.known.text and any(text == one.text for one in self.known.anchors)

    def rate(self, evidence: Evidence) -> float:
        """Return how often an evidence held, with 1.5 of 2 pages taken for granted."""
        held, failed = self.trust.get(evidence, (0, 0))
        return (held + 1.5) / (held + failed + 2)


def neighbour(evidence: Evidence, start: int, end: int) -> int:
    """Return the place of the leaf that an evidence looks at."""
    return {
        Evidence.BEFORE: start - 1,
        Evidence.BEFORE_2: start - 2,
        Evidence.BEFORE_3: start - 3,
        Evidence.AFTER: end,
        Evidence.AFTER_2: end + 1,
    }[evidence]


def differs_in_digits(text: str, other: str) -> bool:
    """Tell whether two texts with letters are equal but for numbers; labels as "ISBN-10:" count."""
    if other.endswith(":") or not any(map(str.isalpha, other)):
        return False
    return _DIGITS.sub("0", text) == _DIGITS.sub("0", other)


def same_place(ordinals: Sequence[int], others: Sequence[int]) -> float:
    """Return how far two rows of ordinals agree; of different length, at their two ends."""
    if len(ordinals) == len(others):
        differ = sum(one != other for one, other in zip(ordinals, others, strict=True))
        return max(0.0, 1 - PER_ORDINAL * differ)
    shorter = min(len(ordinals), len(others))
    first = common_start(ordinals, others)
    last = common_start(ordinals[::-1], others[::-1])
    return OTHER_DEPTH * min(first + last, shorter) / max(len(ordinals), len(others))


def common_start(ordinals: Sequence[int], others: Sequence[int]) -> int:
    """Return how many ordinals agree from the start on."""
    equal = 0
    for one, other in zip(ordinals, others, strict=False):
        if one != other:
            break
        equal += 1
    return equal


def overlap(labels: frozenset[object], others: frozenset[object]) -> float:
    """Return the share of labels that two sets have in common."""
    together = labels | others
    return len(labels & others) / len(together) if together else 1.0


def same_near(near: Near | None, other: Near | None) -> float:
    """Return how far two nearest labels agree."""
    if near is None or other is None or near.tag != other.tag:
        return 0.0
    shared = overlap(near.tokens, other.tokens)
    return shared if near.below == other.below else shared * OTHER_BELOW
