"""What a site has taught so far, and how it is laid over a page.

All of it follows from the site's stencils, in their order: a job that is stopped and goes on, or
runs elsewhere, knows the same. A page that is learned again takes the place of what it was before;
that stays in the counts until the names are chosen anew.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from webstencil.markup import Node
from webstencil.model import Page, Stencil
from webstencil.site.describe import LaidPiece
from webstencil.site.transfer.knowledge import TemplateKnowledge
from webstencil.site.transfer.lessons import NOWHERE, Lesson, lesson_of
from webstencil.site.transfer.names import Name, Names, Token
from webstencil.site.transfer.risk import risk_of
from webstencil.site.transfer.walk import PageUnits, walk
from webstencil.site.transfer.ways import Ways

ANEW = 8  # pages; up to so many, each learned page may change all names
GROWTH = 1.3  # times the pages after which the names are chosen anew
MOST_PAGES = 150  # learned pages that are kept; older ones stay in the counts until these are new
MOST_SIGNATURES = 10_000  # pages whose nearest stencil is remembered
NOMINATED = 5  # learned pages that are looked at closely to find the most similar one

path_of = attrgetter("path")  # of a way
doubt_of = attrgetter("doubt")  # about a meeting


@dataclass(frozen=True, slots=True)
class LaidPage:
    """A page with the borders of its site's learned pages laid over it."""

    stencil: str  # key of the most similar learned page
    pieces: tuple[LaidPiece, ...]
    risk: float  # 0..1, expected distance from the page's own areas


@dataclass(frozen=True, slots=True)
class Learned:
    """A learned page and where its areas are."""

    stencil: Stencil
    paths: frozenset[int]  # coarse, of what is looked at on pages like it
    homes: dict[int, int]  # the area with most of the texts of a coarse path


class Transfer:
    """The learned pages of a site."""

    def __init__(self, stencils: Iterable[Stencil] = ()) -> None:
        self._lessons: list[tuple[Stencil, Lesson]] = []
        self._made_from: dict[str, Stencil] = {}  # by URL
        self._named = 0  # pages from which the names are chosen: the first of the lessons
        self._knowledge = TemplateKnowledge(Names(()))  # of as many lessons as `_along` has
        self._ways = Ways(self._knowledge)
        self._along: list[tuple[int, ...]] = []  # coarse paths of each lesson's nodes
        self._paths: list[frozenset[int]] = []  # the same, each once
        self._same = Same({}, {})
        self._learned: dict[int, Learned] = {}  # those looked at, by number of the lesson
        self._nearest: dict[frozenset[int], Learned] = {}
        for stencil in stencils:
            self.learn(stencil)

    def learn(self, stencil: Stencil) -> None:
        """Add a learned page; it replaces what was learned from its URL before.

        Its consequences are computed with the next page: many stencils that come together, as from
        a store, take a third of the time.
        """
        if stencil.made_from in self._made_from:
            self._unlearn(stencil.made_from)
        self._lessons.append((stencil, sharing(lesson_of(stencil), self._same)))
        self._made_from[stencil.made_from] = stencil
        known = len(self._lessons)
        if known <= ANEW or known >= GROWTH * self._named:
            self._name_anew()

    def lay(self, page: Page) -> LaidPage | None:
        """Cut a page as the learned pages are cut; None if there are none, or nothing to cut."""
        own = self._own(page)
        if own is not None:
            return own
        if not self._lessons:
            return None
        if len(self._along) < len(self._lessons):
            self._catch_up()
        cut = walk(self._ways, page.markup.root)
        if cut is None:
            return self._like_other_empty_ones()
        like = self._most_similar(cut)
        return LaidPage(like.stencil.key, tuple(pieces(cut, like)), min(1.0, risk_of(cut)))

    def _own(self, page: Page) -> LaidPage | None:
        """Return the areas of a page that is itself a learned one."""
        stencil = self._made_from.get(page.url)
        if stencil is None or stencil.tree != page.tree:
            return None
        areas = enumerate(stencil.areas)
        own = [LaidPiece(page.markup.nodes(area.nodes), number, 1.0) for number, area in areas]
        return LaidPage(stencil.key, tuple(piece for piece in own if piece.nodes), 0.0)

    def _like_other_empty_ones(self) -> LaidPage | None:
        """Return the areas of a page without text: none, if such a page was learned before."""
        for stencil, lesson in self._lessons:
            if not lesson.leaves:
                return LaidPage(stencil.key, (), 0.0)
        return None

    def _unlearn(self, url: str) -> None:
        """Start again without a page, so that the same stencils always teach the same."""
        others = [stencil for stencil, _ in self._lessons if stencil.made_from != url]
        self._lessons, self._made_from, self._named = [], {}, 0
        self._along = []
        for stencil in others:
            self.learn(stencil)

    def _name_anew(self) -> None:
        """Forget what follows from the lessons; older ones are forgotten as well."""
        del self._lessons[:-MOST_PAGES]
        self._named = len(self._lessons)
        self._made_from = {stencil.made_from: stencil for stencil, _ in self._lessons}
        self._same = Same({}, {})
        self._along = []

    def _catch_up(self) -> None:
        """Find out what follows from the lessons that came since a page was laid over."""
        if not self._along:
            named = self._lessons[: self._named]
            self._knowledge = TemplateKnowledge(Names(lesson.tokens for _, lesson in named))
            self._paths = []
        for _, lesson in self._lessons[len(self._along) :]:
            self._add(lesson)
        self._ways = Ways(self._knowledge)
        self._learned = {}
        self._nearest = {}

    def _add(self, lesson: Lesson) -> None:
        along = tuple([spot.coarse for spot in self._knowledge.learn(lesson)])
        self._along.append(along)
        self._paths.append(frozenset(along))

    def _most_similar(self, cut: PageUnits) -> Learned:
        signature = frozenset(map(path_of, cut.ways))
        known = self._nearest.get(signature)
        if known is None:
            common = [len(signature & paths) for paths in self._paths]
            nominated = sorted(range(len(common)), key=lambda number: (-common[number], number))
            looked_at = [self._look(number) for number in nominated[:NOMINATED]]
            known = max(looked_at, key=lambda page: similarity(signature, page.paths))
            if len(self._nearest) < MOST_SIGNATURES:
                self._nearest[signature] = known
        return known

    def _look(self, number: int) -> Learned:
        if number not in self._learned:
            self._learned[number] = self._look_at(*self._lessons[number], self._along[number])
        return self._learned[number]

    def _look_at(self, stencil: Stencil, lesson: Lesson, along: Sequence[int]) -> Learned:
        """Find which units a learned page would have, and the area of each."""
        inside: list[int] = []  # the unit around each node, else the node itself
        wholes = {path: self._knowledge.whole(path) for path in set(along)}
        for node, parent in enumerate(lesson.parents):
            around = inside[parent] if node else node
            inside.append(around if node and wholes[along[around]] else node)
        units = [along[inside[leaf]] for leaf in lesson.leaves]
        votes = Counter(zip(units, lesson.homes, strict=True))
        held = [vote for vote in votes if vote[1] != NOWHERE]
        # Of several areas with texts of a path, the one that comes last here has most of them.
        homes = dict(sorted(held, key=lambda vote: (votes[vote], -vote[1])))
        return Learned(stencil, frozenset(units), homes)


@dataclass(frozen=True, slots=True)
class Same:
    """Names and tokens that were met before."""

    names: dict[Name, Name]
    tokens: dict[Token, Token]


def sharing(lesson: Lesson, same: Same) -> Lesson:
    """Return a lesson that has names and tokens in common with others, to take less memory."""
    names = [same.names.setdefault(name, name) for name in lesson.names]
    tokens = [same.tokens.setdefault(token, token) for token in lesson.tokens]
    return replace(lesson, names=tuple(names), tokens=frozenset(tokens))


def similarity(one: frozenset[int], other: frozenset[int]) -> float:
    """Return the share of what two sets have in common."""
    return len(one & other) / len(one | other)


def pieces(cut: PageUnits, like: Learned) -> list[LaidPiece]:
    """Make a piece of each run of units without a border between them."""
    starts, ends = cut.starts, [*cut.starts[1:], len(cut.nodes)]
    homes = list(map(like.homes.get, map(path_of, cut.ways)))
    edges = [0.0, *map(doubt_of, cut.befores[1:]), 0.0]
    return [
        LaidPiece(
            tuple(nodes),
            area_of(homes[start:end], cut.characters[start:end]),
            # It begins and ends there, and has no border in it.
            (1.0 - max(cut.doubts[start:end] + edges[start + 1 : end]))
            * (1.0 - edges[start])
            * (1.0 - edges[end]),
        )
        for nodes, start, end in zip(nodes_of(cut, ends), starts, ends, strict=True)
    ]


def nodes_of(cut: PageUnits, ends: Sequence[int]) -> list[list[Node]]:
    """Return the nodes of each run: the highest ones that have nothing of another run in them."""
    tops = {}  # by the first unit in them
    taken = len(cut.nodes)  # the first unit of what was taken last; from the end on, outer first
    for node, first, last in reversed(cut.containers):
        if last < taken and bisect_right(ends, first) == bisect_right(ends, last):
            tops[first] = node, last + 1
            taken = first
    found: list[list[Node]] = []
    number = 0
    for end in ends:
        nodes = []
        while number < end:
            node, number = tops.get(number) or (cut.nodes[number], number + 1)
            nodes.append(node)
        found.append(nodes)
    return found


def area_of(homes: Sequence[int | None], characters: Sequence[int]) -> int | None:
    """Return the area of the learned page that has most of what is in some units."""
    if len(set(homes)) == 1:
        return homes[0]
    votes: dict[int, int] = {}
    for home, count in zip(homes, characters, strict=True):
        if home is not None:
            votes[home] = votes.get(home, 0) + count + 1
    return max(votes, key=lambda area: (votes[area], -area))
