"""Find nodes picked on one page on the other pages of its template."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from webstencil import markup
from webstencil.codec import decode_value, encode_value
from webstencil.errors import SettingsError
from webstencil.markup import Markup, Node
from webstencil.model import TEXT, Page


class Evidence(StrEnum):
    """What identifies a picked node."""

    BEFORE = "before"  # the text leaf before it
    BEFORE_2 = "before 2"
    BEFORE_3 = "before 3"
    AFTER = "after"  # the text leaf after it
    AFTER_2 = "after 2"
    PLACE = "place"  # ordinals among siblings of a tag, from the root down
    LABELS = "labels"  # ids and class tokens of all ancestors
    NEAR = "near"  # ids and class tokens of the nearest ancestor that has any
    LEAD = "lead"  # words before a colon at the start of its own text


@dataclass(frozen=True, slots=True)
class Anchor:
    """A text leaf near a picked node."""

    evidence: Evidence
    text: str
    tags: tuple[str, ...]  # from the root down to it
    there: tuple[str, ...]  # tags from below the lowest common ancestor down to the anchor
    here: tuple[str, ...]  # the same down to the picked node


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest ancestor with a label."""

    tag: str
    tokens: frozenset[str]
    below: tuple[str, ...]  # tags from there to the node, without the node's own


@dataclass(frozen=True, slots=True)
class Trust:
    """How often an evidence held on the pages where the node was found."""

    evidence: Evidence
    held: int = 0  # pages
    failed: int = 0  # pages


@dataclass(frozen=True, slots=True)
class Pick:
    """A node picked on one page, to be found on others of its template."""

    name: str
    text: str  # of a text leaf; empty for an element with several
    tags: tuple[str, ...]  # from the root down, TEXT last if it is a text leaf
    ordinals: tuple[int, ...]  # among the siblings of the same tag, from the root down
    labels: frozenset[tuple[str, str]]  # tag and token
    near: Near | None
    lead: str
    anchors: tuple[Anchor, ...]
    other_labels: frozenset[str]  # other texts at the tags of the text before it
    trust: tuple[Trust, ...] = ()
    pages: int = 0  # where it was found since
    mean: float = 0.0  # 0..1, confidence on these


class LostReason(StrEnum):
    """Why a picked node is not found on a page."""

    NO_CANDIDATE = "no candidate"  # no node at any possible position
    UNLIKE = "unlike"  # the best one is too different
    AMBIGUOUS = "ambiguous"  # the two best are too similar


@dataclass(frozen=True, slots=True)
class Found:
    """A picked node on another page."""

    name: str
    node: Node
    confidence: float  # 0..1
    held: tuple[tuple[Evidence, float], ...]  # 0..1 for each evidence


@dataclass(frozen=True, slots=True)
class Lost:
    """A picked node that is not on the page, and why."""

    name: str
    reason: LostReason
    confidence: float  # 0..1, of the best candidate


# What picks need of a page: the leaves around a node, the labels above it.
#
# Results are cached. A list of all leaves of the page would cost more than everything else, so the
# parser finds the leaves at given tags.


# Their classes describe the page (logged in, category, browser), not a position in it.
UNLABELLED = frozenset({"html", "body"})

TEXTS_BEFORE = (Evidence.BEFORE, Evidence.BEFORE_2, Evidence.BEFORE_3)
AFTER = (Evidence.AFTER, Evidence.AFTER_2)


class PickSight:
    """A page, for its picks."""

    def __init__(self, source: Markup) -> None:
        self.source = source
        self._places: dict[Anchor, list[Node]] = {}
        self._texts: dict[str, list[Node]] | None = None
        self._ordinals: dict[Node, int] = {}
        self._tokens: dict[Node, frozenset[str]] = {}

    def places(self, anchor: Anchor) -> list[Node]:
        """List the leaves with the text of an anchor at its tags."""
        known = self._places.get(anchor)
        if known is None:
            along = nodes_along(anchor.tags, self.source)
            known = [leaf for leaf in along if markup.leaf_text(leaf) == anchor.text]
            self._places[anchor] = known
        return known

    def anywhere(self, text: str) -> list[Node]:
        """List the leaves with a text anywhere on the page: slow, for pages that differ."""
        if self._texts is None:
            self._texts = {}
            for leaf in self.source.leaves():
                self._texts.setdefault(markup.leaf_text(leaf), []).append(leaf)
        return self._texts.get(text, [])

    def ordinal(self, node: Node) -> int:
        known = self._ordinals.get(node)
        if known is None:
            known = self._ordinals[node] = markup.ordinal(node)
        return known

    def tokens(self, node: Node) -> frozenset[str]:
        """Return the labels of an element that may be of the template."""
        known = self._tokens.get(node)
        if known is None:
            known = self._tokens[node] = label_tokens(node)
        return known


@dataclass(frozen=True, slots=True)
class PickSpot:
    """A node with its surroundings."""

    line: Sequence[Node]  # from the root down to the node
    text: str  # of its only leaf; empty if it has several
    around: dict[Evidence, Node]  # the leaves before and after it


def spot(node: Node, deepest: int) -> PickSpot | None:
    """Return a node with its surroundings, None if it has no text or is too deep."""
    line = markup.line(node, deepest)
    inside = [node] if markup.leaf_text(node) else markup.text_leaves(node)
    if not line or not inside:
        return None
    before = zip(TEXTS_BEFORE, markup.leaves_before(node, len(TEXTS_BEFORE)), strict=False)
    after = zip(AFTER, markup.leaves_after(node, len(AFTER)), strict=False)
    text = markup.leaf_text(inside[0]) if len(inside) == 1 else ""
    return PickSpot(line, text, {**dict(before), **dict(after)})


def nodes_along(
    tags: Sequence[str], source: Markup, tokens: frozenset[str] = frozenset()
) -> list[Node]:
    """List the nodes at a path of tags from the root, or from an element with these labels."""
    if tags[-1] != TEXT:
        return source.along(tags, tokens)
    return [text for element in source.along(tags[:-1], tokens) for text in own_texts(element)]


def own_texts(element: Node) -> list[Node]:
    """List the texts that are children of an element."""
    return [child for child in markup.children(element) if markup.tag(child) == TEXT]


def label_tokens(node: Node) -> frozenset[str]:
    """Return the id and class tokens of an element that may be of the template."""
    if markup.tag(node) in UNLABELLED:
        return frozenset()
    return without_digits(markup.attribute(node, "class"), markup.identifier(node))


@lru_cache(maxsize=1 << 12)
def without_digits(classes: str, identifier: str) -> frozenset[str]:
    """Return class tokens and an id without those with digits, which are of single pages."""
    tokens = [*classes.split(), f"#{identifier}"] if identifier else classes.split()
    return frozenset(token for token in tokens if not any(map(str.isdigit, token)))


def nearest_label(line: Sequence[Node], page: PickSight) -> Near | None:
    """Return the last labelled node of a line, without the last node."""
    below: list[str] = []
    for node in reversed(line[:-1]):
        tokens = page.tokens(node)
        if tokens:
            return Near(markup.tag(node), tokens, tuple(reversed(below)))
        below.append(markup.tag(node))
    return None


def all_labels(line: Iterable[Node], page: PickSight) -> frozenset[tuple[str, str]]:
    """Return the labels of all nodes of a line."""
    found: set[tuple[str, str]] = set()
    for node in line:
        tokens = page.tokens(node)
        if tokens:
            tag = markup.tag(node)
            found.update((tag, token) for token in tokens)
    return frozenset(found)


# Pick a node, and learn from the pages where it was found.


DEEPEST_PICK = 1000  # levels; no template is deeper
MOST_COLUMN_LABELS = 200  # a longer column is not labels
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
    return describe_pick(PickSight(page.markup), node, name)


def describe_pick(page: PickSight, node: Node, name: str) -> Pick:
    """Describe a node by its position, its labels and the texts around it."""
    here = spot(node, DEEPEST_PICK)
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
        line = markup.line(leaf, DEEPEST_PICK)
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
            for leaf in nodes_along(anchor.tags, page.source)[:MOST_COLUMN_LABELS]:
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


# Find a picked node: nominate candidates, weigh the evidence for each, and decide.
#
# Evidence is the texts around a node, its position and its labels. None decides alone, and each
# weighs as much as it held on the pages where the node was found before: a text that is data stops
# counting, a text of the template counts more, and if it is missing, so most likely is the node.
# `notebook/picks.md` has the measurements behind the numbers.


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
LABELLING = frozenset({Evidence.BEFORE})  # a value's label is before it
ACCEPTED_FROM = 0.5  # confidence below which there is no answer
SURE_PICK = 0.9  # confidence to take a node before all candidates are weighed
DROP = 0.7  # of the mean confidence so far; a page far below it lacks the node
PICK_MARGIN = 0.05  # to the second best; below it the two are too similar

OTHER_WAY = 0.7  # an anchor with the same text, but another path to it
OTHER_NUMBER = 0.7  # an anchor whose text differs in digits only
PER_ORDINAL = 0.4  # lost for each ordinal that differs
OTHER_DEPTH = 0.6  # most of ordinals if the depth differs
OTHER_BELOW = 0.7  # the nearest label with other tags below it
REPEATED_ANCHOR = 0.5  # factor for a candidate whose own text is an anchor's

# Weight of an anchor that is missing on the page, before anything was learned: a text may be data.
# A text that ends in a colon hardly ever is.
MISSING_PART = 0.3
MISSING_LABEL = 0.9

MOST_OCCURRENCES = 8  # occurrences of an anchor's text that nominate
FEW_CANDIDATES = 8  # candidates cost less than a list of all leaves
MOST_CANDIDATES = 300  # a longer list is of no use
CLIMBED = 3  # levels from a leaf up to a candidate element

# A node this much deeper than the picked one is no candidate, for pages that nest 100,000 deep.
# Wrappers that come with content are one or two levels.
SPARE_DEPTH = 16  # levels

_PICK_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Weighed:
    """A candidate, and the evidence for it."""

    node: Node
    text: str
    confidence: float  # 0..1
    held: tuple[tuple[Evidence, float], ...]


def find_picks(
    picks: Iterable[Pick], page: Page
) -> tuple[tuple[Found | Lost, ...], tuple[Pick, ...]]:
    """Find all picks on a page; return the results, and the picks with what was learned."""
    sight = PickSight(page.markup)
    known = tuple(picks)
    answers = tuple(find_pick(one, sight) for one in known)
    taught = tuple(
        learn(one, answer) if isinstance(answer, Found) else one
        for one, answer in zip(known, answers, strict=True)
    )
    return answers, taught


def find_pick(known: Pick, page: PickSight) -> Found | Lost:
    """Find a pick on a page: at its position, then at its tags, then anywhere."""
    scales = Scales(known, page)
    for candidates in (at_home, few_along):
        cautious = [scales.weigh(node, bold=False) for node in candidates(known, page.source)]
        answer = decide_pick(known, [one for one in cautious if one])
        if isinstance(answer, Found) and answer.confidence >= SURE_PICK:
            return answer
    answer = decide_pick(known, scales.weigh_all(nominees(known, page)))
    if isinstance(answer, Found):
        return answer
    return decide_pick(known, scales.weigh_all(nominees(known, page, anywhere=True)))


def decide_pick(known: Pick, weighed: Sequence[Weighed]) -> Found | Lost:
    """Take the best candidate if it is good enough and no other is nearly as good.

    Candidates with the same text count as one.
    """
    if not weighed:
        return Lost(known.name, LostReason.NO_CANDIDATE, 0.0)
    best = max(weighed, key=lambda one: one.confidence)
    if best.confidence < max(ACCEPTED_FROM, DROP * known.mean):
        return Lost(known.name, LostReason.UNLIKE, best.confidence)
    rivals = [
        one for one in weighed if one is not best and not (one.text and one.text == best.text)
    ]
    if any(best.confidence - rival.confidence < PICK_MARGIN for rival in rivals):
        return Lost(known.name, LostReason.AMBIGUOUS, best.confidence)
    return Found(known.name, best.node, best.confidence, best.held)


def at_home(known: Pick, source: Markup) -> list[Node]:
    """Return the node at the position of the picked one, if there is one."""
    if known.tags[-1] != TEXT:
        element = source.at(known.tags, known.ordinals)
        return [] if element is None else [element]
    element = source.at(known.tags[:-1], known.ordinals[:-1])
    place = known.ordinals[-1]
    return [] if element is None else own_texts(element)[place : place + 1]


def few_along(known: Pick, source: Markup) -> list[Node]:
    """Return the nodes at the tags of the picked one, if they are few."""
    found = nodes_along(known.tags, source)
    return found if len(found) <= FEW_CANDIDATES else []


def nominees(known: Pick, page: PickSight, *, anywhere: bool = False) -> list[Node]:
    """List the candidates: by its tags, by its anchors, else by its label.

    Anchors are searched at their tags, or `anywhere`.
    """
    along = nodes_along(known.tags, page.source)
    found = [*along, *beside_anchors(known, page, anywhere=anywhere)]
    if not along and known.near is not None:
        tags = (known.near.tag, *known.near.below, known.tags[-1])
        found += nodes_along(tags, page.source, known.near.tokens)
    return list(dict.fromkeys(found))[:MOST_CANDIDATES]


def beside_anchors(known: Pick, page: PickSight, *, anywhere: bool) -> Iterator[Node]:
    """Yield the nodes beside a text that was beside the picked node."""
    sides = {Evidence.BEFORE: markup.leaves_after, Evidence.AFTER: markup.leaves_before}
    for anchor in known.anchors:
        if anchor.evidence in sides:
            places = page.anywhere(anchor.text) if anywhere else page.places(anchor)
            for place in places[:MOST_OCCURRENCES]:
                for leaf in sides[anchor.evidence](place, 1):
                    yield from with_tag(leaf, known.tags[-1])


def with_tag(leaf: Node, wanted: str) -> Iterator[Node]:
    """Yield a leaf, or the nearest ancestor with the wanted tag."""
    above: Node | None = leaf
    for _ in range(CLIMBED):
        if above is None:
            return
        if markup.tag(above) == wanted:
            yield above
            return
        above = markup.parent(above)


class Scales:
    """Weighs candidates of one page for one pick."""

    def __init__(self, known: Pick, page: PickSight) -> None:
        self.known = known
        self.page = page
        self.trust = {trust.evidence: (trust.held, trust.failed) for trust in known.trust}
        self._weights: dict[Evidence, float] = {}  # of missing anchors

    def weigh_all(self, nodes: Iterable[Node]) -> list[Weighed]:
        """Weigh the candidates that can be the picked node."""
        return [weighed for node in nodes if (weighed := self.weigh(node))]

    def weigh(self, node: Node, *, bold: bool = True) -> Weighed | None:
        """Return the confidence in a candidate and its evidence; None if it cannot be the node.

        Without `bold`, missing anchors count as if they were elsewhere on the page.
        """
        here = spot(node, len(self.known.tags) + SPARE_DEPTH)
        if here is None:
            return None
        total = reached = 0.0
        held = []
        for evidence, degree, weight in self.all_evidence(here, bold=bold):
            held.append((evidence, degree))
            total += weight
            reached += weight * degree
        taken = REPEATED_ANCHOR if self.is_another(here) else 1.0
        return Weighed(node, here.text, taken * reached / total, tuple(held))

    def all_evidence(
        self, here: PickSpot, *, bold: bool
    ) -> Iterator[tuple[Evidence, float, float]]:
        """Yield the evidence for a candidate, how far it holds, and its weight."""
        for anchor in self.known.anchors:
            degree = anchor_degree(anchor, here)
            missing = bold and degree == 0
            weight = self.missing_weight(anchor) if missing else self.weight(anchor.evidence)
            yield anchor.evidence, degree, weight
        for evidence, degree in self.structure(here):
            yield evidence, degree, self.weight(evidence)

    def structure(self, here: PickSpot) -> Iterator[tuple[Evidence, float]]:
        """Yield how far a candidate's position and labels are those of the picked node."""
        known = self.known
        ordinals = tuple(map(self.page.ordinal, here.line))
        yield (
            Evidence.PLACE,
            1.0 if ordinals == known.ordinals else same_place(known.ordinals, ordinals),
        )
        yield Evidence.LABELS, common_labels(known.labels, all_labels(here.line, self.page))
        near = nearest_label(here.line, self.page)
        if near is not None or known.near is not None:
            yield Evidence.NEAR, same_near(known.near, near)
        own = lead(here.text)
        if own or known.lead:
            yield Evidence.LEAD, float(own == known.lead)

    def weight(self, evidence: Evidence) -> float:
        """Weigh an evidence by how often it held, starting with 1.5 of 2 pages."""
        held, failed = self.trust.get(evidence, (0, 0))
        weight = WEIGHTS[evidence] * (held + 1.5) / (held + failed + 2)
        return weight * (1 + self.steady(evidence) ** 2) if evidence in LABELLING else weight

    def steady(self, evidence: Evidence) -> float:
        """Return how often an evidence held, starting with 0."""
        held, failed = self.trust.get(evidence, (0, 0))
        return held / (held + failed + 1)

    def missing_weight(self, anchor: Anchor) -> float:
        """Weigh an anchor that is not beside a candidate; the same for all of a page."""
        evidence = anchor.evidence
        if evidence not in self._weights:
            least = 0.0
            if evidence in LABELLING:
                least = MISSING_LABEL if anchor.text.endswith(":") else MISSING_PART
            share = 1.0 if self.page.places(anchor) else max(least, self.steady(evidence))
            self._weights[evidence] = self.weight(evidence) * share
        return self._weights[evidence]

    def is_another(self, here: PickSpot) -> bool:
        """Return whether a candidate is another node of the picked one's page.

        Its own text was beside the picked node, or the text before it labelled another row; the
        latter only if the text before the picked node has not proved to be data.
        """
        known = self.known
        if here.text != known.text and any(here.text == one.text for one in known.anchors):
            return True
        held, failed = self.trust.get(Evidence.BEFORE, (0, 0))
        before = here.around.get(Evidence.BEFORE)
        return (
            failed <= held and before is not None and markup.leaf_text(before) in known.other_labels
        )


def anchor_degree(anchor: Anchor, here: PickSpot) -> float:
    """Return how far the text at the position of an anchor is the anchor."""
    leaf = here.around.get(anchor.evidence)
    if leaf is None:
        return 0.0
    text = markup.leaf_text(leaf)
    if text == anchor.text:
        degree = 1.0
    elif differs_in_digits(text, anchor.text):
        degree = OTHER_NUMBER
    else:
        return 0.0
    return degree if same_way(anchor, here.line, leaf) else degree * OTHER_WAY


def same_way(anchor: Anchor, line: Sequence[Node], leaf: Node) -> bool:
    """Return whether a leaf is related to the end of a line as the anchor to the picked node."""
    below, above = len(line) - len(anchor.here), len(anchor.there)
    passed = markup.line_end(leaf, above + 1)
    if below < 1 or len(passed) <= above or passed[0] != line[below - 1]:
        return False
    if len(line) > below and above and passed[1] == line[below]:
        return False  # they diverge lower down
    tags = tuple(map(markup.tag, passed[1:])), tuple(map(markup.tag, line[below:]))
    return tags == (anchor.there, anchor.here)


def differs_in_digits(text: str, other: str) -> bool:
    """Return whether two texts differ in numbers only; labels ("ISBN-10:") never do."""
    if other.endswith(":") or not any(map(str.isalpha, other)):
        return False
    return _PICK_DIGITS.sub("0", text) == _PICK_DIGITS.sub("0", other)


def same_place(ordinals: Sequence[int], others: Sequence[int]) -> float:
    """Return how far two sequences of ordinals agree; of different length, at both ends."""
    if len(ordinals) == len(others):
        differ = sum(one != other for one, other in zip(ordinals, others, strict=True))
        return max(0.0, 1 - PER_ORDINAL * differ)
    shorter = min(len(ordinals), len(others))
    first = common_start(ordinals, others)
    last = common_start(ordinals[::-1], others[::-1])
    return OTHER_DEPTH * min(first + last, shorter) / max(len(ordinals), len(others))


def common_labels(labels: frozenset[object], others: frozenset[object]) -> float:
    """Return the share of common labels of two sets."""
    together = labels | others
    return len(labels & others) / len(together) if together else 1.0


def same_near(near: Near | None, other: Near | None) -> float:
    """Return how far two nearest labels agree."""
    if near is None or other is None or near.tag != other.tag:
        return 0.0
    shared = common_labels(near.tokens, other.tokens)
    return shared if near.below == other.below else shared * OTHER_BELOW


def encode_picks(picks: tuple[Pick, ...]) -> bytes:
    """Encode picks, to keep what they have learned of a template."""
    return encode_value(picks, "the picks")


def decode_picks(blob: bytes) -> tuple[Pick, ...]:
    """Decode picks; raise a `StoreError` if they are damaged."""
    return decode_value(blob, tuple[Pick, ...], "set of picks")
