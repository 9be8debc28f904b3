"""Divide the pages of a site into templates by a tree of yes/no tests.

Pages written from one source file share most of what they are made of. So the pages are divided by
the token (a path of the outline, what a meta element or a heading says) that explains most of all
other tokens: many come with it, and many others go. Each half is divided again, while what changes
is a good part of a page. A leaf is a template, and the tests that lead to it say what tells it from
the others. A page that comes later follows the tests.

The division is a function of the set of pages. Addresses are evidence for a test, never a test:
pages are moved, and copies of a site have other addresses.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from math import log2, sqrt
from statistics import median

from webstencil.site.evidence import (
    ADDRESS,
    FEWEST,
    HEADING,
    NOWHERE,
    PATH,
    SAID,
    SMALLEST,
    ChosenTest,
    Token,
    as_bits,
    best_test,
    columns_of,
    path_shares,
)

REPLACED = 0.3  # pieces that usually must change with a test, times the root of a page's paths
LEAST_SCORE = 1.0  # pieces that must change, however short the pages are
TOKENS_KEPT = 20_000  # of each kind, those that tell most by the number of their pages
TRUST = 0.5  # how much more a test needs where addresses tell all templates apart
MOST_LEAVES = 200  # templates of a site; what is left then is not divided any further
USUAL = 0.9  # share of a leaf's pages that have what is usual there
# Share of the usual that a page lacks, or of its paths that are unknown, whichever is more:
STRANGE = 0.1  # from this on, a page that comes later is new
ALONE = 0.5  # from this on, a page that was divided with the others is one of a kind


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What is known of a page: tokens are ints that mean the same on all pages of a site."""

    paths: Mapping[int, int]  # path to that of its container, 0 for the root
    said: Mapping[int, int]  # what a meta element says, to its path
    headings: Mapping[int, int]  # the first word of a heading, to its path
    address: frozenset[int]
    key: int = 0  # hash of its URL: it puts the page into one or the other half of the site


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """A test and its outcome, on the way to a leaf."""

    token: int
    has: bool


@dataclass(frozen=True, slots=True)
class Branch:
    """A test and where to go on: the index of a branch, or -1 minus that of a leaf."""

    token: int
    yes: int
    no: int


@dataclass(frozen=True, slots=True)
class TemplateLeaf:
    """A template: pages that take the same way through the tests."""

    steps: tuple[TestOutcome, ...]
    pages: int  # when it was learned
    usual: tuple[int, ...]  # paths that nearly all of them have, outside running text


@dataclass(frozen=True, slots=True)
class Division:
    """The templates of a site."""

    branches: tuple[Branch, ...]
    leaves: tuple[TemplateLeaf, ...]  # at least one
    known: tuple[int, ...]  # paths that several pages have, sorted

    def leaf_of(self, page: PageFacts) -> int:
        """Return the number of a page's leaf."""
        at = 0 if self.branches else -1
        while at >= 0:
            branch = self.branches[at]
            at = branch.yes if has_token(page, branch.token) else branch.no
        return -1 - at

    def strangeness(self, page: PageFacts) -> float:
        """Return how badly a page fits its leaf, 0..1.

        That is the share of its paths that are unknown at the site, or the share of what is usual
        in the leaf that it lacks, whichever is more.
        """
        usual = self.leaves[self.leaf_of(page)].usual
        lacking = len(usual) - sum(path in page.paths for path in usual)
        unknown = sum(not is_in(path, self.known) for path in page.paths)
        return max(lacking / max(1, len(usual)), unknown / max(1, len(page.paths)))

    def fits(self, page: PageFacts, *, learned: bool) -> bool:
        """Return whether a page follows its leaf; `learned` if it was among the divided pages.

        One that was is one of a kind if it hardly has anything of the others.
        """
        return self.strangeness(page) < (ALONE if learned else STRANGE)


@dataclass(frozen=True, slots=True)
class RatedTest:
    """A test, and the number of pieces up to which it divides pages (see `divide_by`)."""

    test: ChosenTest
    replaced: float


@dataclass(frozen=True, slots=True)
class SiteTokens:
    """The pages to divide, by what tells them apart."""

    tokens: tuple[Token, ...]
    lengths: tuple[int, ...]  # paths of each page
    cost: float  # bits to name a token
    trust: float = 0.0  # how well addresses agree with what divides the site best, 0..1
    tests: dict[int, RatedTest | None] = field(default_factory=dict)  # found so far, by pages

    def best(self, node: int) -> RatedTest | None:
        """Return the best test of some pages, and up to what it divides them."""
        if node not in self.tests:
            self.tests[node] = self._rated(node)
        return self.tests[node]

    def _rated(self, node: int) -> RatedTest | None:
        """Rate the best test by the pieces that change, for pages as rich as these.

        Where addresses tell templates apart, a test that they do not confirm needs more.
        """
        total = node.bit_count()
        if total < 2 * SMALLEST:
            return None
        test = best_test(columns_of(self.tokens, node), total, self.cost)
        if test is None or test.score < LEAST_SCORE * (needed := 1.0 + TRUST * self.trust):
            return None
        length = median(compress(self.lengths, chosen(node, len(self.lengths))))
        return RatedTest(test, test.score / needed / sqrt(length))


def divide_by(site: SiteTokens, replaced: float) -> Division:
    """Divide pages into templates; the order of the pages does not matter.

    `replaced` is how many pieces must change with a test, times the root of the paths of a page.
    """
    branches: list[Branch] = []
    leaves: list[TemplateLeaf] = []
    todo: list[tuple[int, tuple[TestOutcome, ...], int, bool]] = [
        ((1 << len(site.lengths)) - 1, (), -1, False)
    ]
    while todo:
        node, steps, above, has = todo.pop()
        full = len(leaves) + len(todo) >= MOST_LEAVES
        rated = None if full else site.best(node)
        if rated is None or rated.replaced < replaced:
            here = -1 - len(leaves)
            leaves.append(TemplateLeaf(steps, node.bit_count(), usual_paths(site.tokens, node)))
        else:
            found = rated.test
            here = len(branches)
            branches.append(Branch(found.token, here, here))
            rest = node & ~found.pages
            todo.append((rest, (*steps, TestOutcome(found.token, has=False)), here, False))
            todo.append((found.pages, (*steps, TestOutcome(found.token, has=True)), here, True))
        if above >= 0:
            branches[above] = joined(branches[above], here, has=has)
    known = sorted(one.token for one in site.tokens if one.kind == PATH)
    return Division(tuple(branches), tuple(leaves), tuple(known))


def joined(branch: Branch, here: int, *, has: bool) -> Branch:
    """Return a branch that leads on to what was made of one of its halves."""
    return Branch(branch.token, here, branch.no) if has else Branch(branch.token, branch.yes, here)


def site_of(pages: Sequence[PageFacts]) -> SiteTokens:
    """Collect the tokens that several pages have, by their pages."""
    tokens = sorted(tokens_of(pages), key=lambda one: (one.kind, one.token))
    lengths = tuple(len(page.paths) for page in pages)
    site = SiteTokens(tuple(tokens), lengths, log2(max(2, len(tokens))))
    best = site.best((1 << len(pages)) - 1)
    trust = best.test.addressed if best is not None and best.replaced >= REPLACED else 0.0
    return SiteTokens(site.tokens, lengths, site.cost, trust)


def tokens_of(pages: Sequence[PageFacts]) -> Iterator[Token]:
    """Yield the tokens that several pages have; running text weighs nothing."""
    shares = path_shares([page.paths for page in pages])
    for kind, facts in (
        (PATH, [page.paths for page in pages]),
        (SAID, [page.said for page in pages]),
        (HEADING, [page.headings for page in pages]),
        (ADDRESS, [dict.fromkeys(page.address, NOWHERE) for page in pages]),
    ):
        places: dict[int, int] = {}
        for one in facts:
            places.update(one)
        for token, numbers in shared_tokens(facts).items():
            weight = shares.get(token if kind == PATH else places[token], 1.0)
            yield Token(token, kind, places[token], as_bits(numbers, len(pages)), weight)


def shared_tokens(facts: Sequence[Iterable[int]]) -> dict[int, list[int]]:
    """Return the numbers of the pages that have a token, of tokens that several have."""
    seen = Counter[int]()
    for one in facts:
        seen.update(iter(one))
    shared = [token for token, pages in seen.items() if pages >= FEWEST]
    if len(shared) > TOKENS_KEPT:
        shared.sort(key=lambda token: (-min(seen[token], len(facts) - seen[token]), token))
    found: dict[int, list[int]] = {token: [] for token in shared[:TOKENS_KEPT]}
    for number, one in enumerate(facts):
        for token in one:
            if token in found:
                found[token].append(number)
    return found


def usual_paths(tokens: Iterable[Token], node: int) -> tuple[int, ...]:
    """Return the paths outside running text that nearly all pages of a leaf have."""
    least = USUAL * node.bit_count()
    return tuple(
        one.token
        for one in tokens
        if one.kind == PATH and one.weight > 0.0 and (one.pages & node).bit_count() >= least
    )


def chosen(node: int, size: int) -> list[bool]:
    """Return of each page whether it is in a node."""
    packed = node.to_bytes(size // 8 + 1, "little")
    return [bool(packed[number >> 3] >> (number & 7) & 1) for number in range(size)]


def has_token(page: PageFacts, token: int) -> bool:
    """Return whether a page has the token of a test."""
    return token in page.paths or token in page.said or token in page.headings


def is_in(number: int, ordered: Sequence[int]) -> bool:
    """Return whether a number is in a sorted sequence."""
    at = bisect_left(ordered, number)
    return at < len(ordered) and ordered[at] == number
