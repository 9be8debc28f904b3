"""The templates of a site: groups of pages with a number, a name, a typical page.

They are read off the model: its pages are divided, the parts are named, and numbered. A site that
grows is divided again; a template that is the same keeps its number and its name, however its pages
changed meanwhile. A new page gets its template without the other pages at hand.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import compress, zip_longest
from math import comb, log2, sqrt
from statistics import median
from urllib.parse import unquote, urlsplit

from webstencil.model import PageResult
from webstencil.site.outline import Oddity, Outline, OutlinedPage
from webstencil.site.site_model import SiteModel
from webstencil.site.template_evidence import (
    ABOVE_ROOT,
    ADDRESS,
    FEWEST_IN_COLUMN,
    HEADING,
    PATH,
    SAID,
    SMALLEST_SIDE,
    ChosenTest,
    PageFacts,
    TestOutcome,
    Token,
    as_bits,
    best_test,
    columns_of_tokens,
    facts_of_outline,
    path_shares,
)
from webstencil.site.type_votes import TypedPage, decides, mean_of_votes, voted_type

# Divide the pages of a site into templates by a tree of yes/no tests.
#
# Pages written from one source file share most of what they are made of. So the pages are divided
# by the token (a path of the outline, what a meta element or a heading says) that explains most of
# all other tokens: many come with it, and many others go. Each half is divided again, while what
# changes is a good part of a page. A leaf is a template, and the tests that lead to it say what
# tells it from the others. A page that comes later follows the tests.
#
# The division is a function of the set of pages. Addresses are evidence for a test, never a test:
# pages are moved, and copies of a site have other addresses.

REPLACED = 0.3  # pieces that usually must change with a test, times the root of a page's paths
LEAST_SCORE = 1.0  # pieces that must change, however short the pages are
TOKENS_KEPT = 20_000  # of each kind, those that tell most by the number of their pages
TRUST_IN_ADDRESSES = 0.5  # how much more a test needs where addresses tell all templates apart
MOST_LEAVES = 200  # templates of a site; what is left then is not divided any further
USUAL_IN_LEAF = 0.9  # share of a leaf's pages that have what is usual there
# Share of the usual that a page lacks, or of its paths that are unknown, whichever is more:
STRANGE = 0.1  # from this on, a page that comes later is new
ALONE = 0.5  # from this on, a page that was divided with the others is one of a kind


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
            token = branch.token
            has = token in page.paths or token in page.said or token in page.headings
            at = branch.yes if has else branch.no
        return -1 - at

    def fits(self, page: PageFacts, *, learned: bool) -> bool:
        """Return whether a page follows its leaf; `learned` if it was among the divided pages.

        It is strange by the share of its paths that are unknown at the site, or the share of what
        is usual in the leaf that it lacks, whichever is more. A page that was learned is one of a
        kind if it hardly has anything of the others.
        """
        usual = self.leaves[self.leaf_of(page)].usual
        lacking = len(usual) - sum(path in page.paths for path in usual)
        unknown = sum(not is_in(path, self.known) for path in page.paths)
        strange = max(lacking / max(1, len(usual)), unknown / max(1, len(page.paths)))
        return strange < (ALONE if learned else STRANGE)


@dataclass(frozen=True, slots=True)
class SiteTokens:
    """The pages to divide, by what tells them apart."""

    tokens: tuple[Token, ...]
    lengths: tuple[int, ...]  # paths of each page
    cost: float  # bits to name a token
    trust: float = 0.0  # how well addresses agree with what divides the site best, 0..1
    # Found so far, by pages: tests, and the number of pieces up to which they divide (`divide_by`).
    tests: dict[int, tuple[ChosenTest, float] | None] = field(default_factory=dict)

    def best(self, node: int) -> tuple[ChosenTest, float] | None:
        """Return the best test of some pages, and up to what it divides them.

        That is rated by the pieces that change, for pages as rich as these. Where addresses tell
        templates apart, a test that they do not confirm needs more.
        """
        if node in self.tests:
            return self.tests[node]
        total, size = node.bit_count(), len(self.lengths)
        needed = 1.0 + TRUST_IN_ADDRESSES * self.trust
        test = None
        if total >= 2 * SMALLEST_SIDE:
            test = best_test(columns_of_tokens(self.tokens, node), total, self.cost)
        rated = None
        if test is not None and test.score >= LEAST_SCORE * needed:
            packed = node.to_bytes(size // 8 + 1, "little")
            chosen = [packed[number >> 3] >> (number & 7) & 1 for number in range(size)]
            rated = test, test.score / needed / sqrt(median(compress(self.lengths, chosen)))
        self.tests[node] = rated
        return rated


def divide_by(site: SiteTokens, replaced: float) -> Division:
    """Divide pages into templates; the order of the pages does not matter.

    `replaced` is how many pieces must change with a test, times the root of the paths of a page.
    """
    paths = [one for one in site.tokens if one.kind == PATH]
    branches: list[Branch] = []
    leaves: list[TemplateLeaf] = []
    todo: list[tuple[int, tuple[TestOutcome, ...], int, bool]] = [
        ((1 << len(site.lengths)) - 1, (), -1, False)
    ]
    while todo:
        node, steps, above, has = todo.pop()
        full = len(leaves) + len(todo) >= MOST_LEAVES
        rated = None if full else site.best(node)
        if rated is None or rated[1] < replaced:
            here = -1 - len(leaves)
            least = USUAL_IN_LEAF * node.bit_count()
            usual = tuple(  # outside running text
                one.token
                for one in paths
                if one.weight > 0.0 and (one.pages & node).bit_count() >= least
            )
            leaves.append(TemplateLeaf(steps, node.bit_count(), usual))
        else:
            test = rated[0]
            here = len(branches)
            branches.append(Branch(test.token, here, here))
            rest = node & ~test.pages
            todo.append((rest, (*steps, TestOutcome(test.token, has=False)), here, False))
            todo.append((test.pages, (*steps, TestOutcome(test.token, has=True)), here, True))
        if above >= 0:
            branch = branches[above]
            branches[above] = replace(branch, yes=here) if has else replace(branch, no=here)
    return Division(tuple(branches), tuple(leaves), tuple(sorted(one.token for one in paths)))


def tokens_of_site(pages: Sequence[PageFacts]) -> SiteTokens:
    """Collect the tokens that several pages have, by their pages; running text weighs nothing."""
    shares = path_shares([page.paths for page in pages])
    tokens: list[Token] = []
    for kind, facts in (
        (PATH, [page.paths for page in pages]),
        (SAID, [page.said for page in pages]),
        (HEADING, [page.headings for page in pages]),
        (ADDRESS, [dict.fromkeys(page.address, ABOVE_ROOT) for page in pages]),
    ):
        places: dict[int, int] = {}
        for one in facts:
            places.update(one)
        for token, numbers in sorted(shared_tokens(facts).items()):
            weight = shares.get(token if kind == PATH else places[token], 1.0)
            bits = as_bits(numbers, len(pages))
            tokens.append(Token(token, kind, places[token], bits, weight))
    lengths = tuple(len(page.paths) for page in pages)
    site = SiteTokens(tuple(tokens), lengths, log2(max(2, len(tokens))))
    best = site.best((1 << len(pages)) - 1)
    trust = best[0].addressed if best is not None and best[1] >= REPLACED else 0.0
    return SiteTokens(site.tokens, lengths, site.cost, trust)


def shared_tokens(facts: Sequence[Iterable[int]]) -> dict[int, list[int]]:
    """Return the numbers of the pages that have a token, of tokens that several have."""
    seen = Counter[int]()
    for one in facts:
        seen.update(iter(one))
    shared = [token for token, pages in seen.items() if pages >= FEWEST_IN_COLUMN]
    if len(shared) > TOKENS_KEPT:
        shared.sort(key=lambda token: (-min(seen[token], len(facts) - seen[token]), token))
    found: dict[int, list[int]] = {token: [] for token in shared[:TOKENS_KEPT]}
    for number, one in enumerate(facts):
        for token in one:
            if token in found:
                found[token].append(number)
    return found


def is_in(number: int, ordered: Sequence[int]) -> bool:
    """Return whether a number is in a sorted sequence."""
    at = bisect_left(ordered, number)
    return at < len(ordered) and ordered[at] == number


# Divide a site so that the division would be found again with other pages.
#
# How much must change between two templates differs from site to site, and a fixed measure falls
# off a cliff on some: a division that hangs by a thread is another one as soon as a few pages are
# missing. So the site is divided by several measures, and so are random halves of it; the measure
# is taken whose halves agree most on all pages.


# Of what must change, see `divide_by`; the range was chosen over sites (notebook/sites.md).
REPLACED_MEASURES = (0.27, 0.285, 0.3, 0.315, 0.33, 0.345, 0.36)
HALVINGS = 2  # ways to part the pages into two halves; 2 to 4 score within .01 of each other
FIRST_BIT = 5  # of a page's key: models keep pages by the highest bits
FEWEST_TO_HALVE = 24  # pages; halves of fewer say nothing


def divide(pages: Sequence[PageFacts]) -> Division:
    """Divide pages into templates; the order of the pages does not matter."""
    site = tokens_of_site(pages)
    if len(pages) < FEWEST_TO_HALVE:
        return divide_by(site, REPLACED)
    agreement = dict.fromkeys(REPLACED_MEASURES, 0.0)
    for bit in range(FIRST_BIT, FIRST_BIT + HALVINGS):
        parts = [[page for page in pages if page.key >> bit & 1 == side] for side in (0, 1)]
        halves = [tokens_of_site(part) for part in parts]
        for measure in REPLACED_MEASURES:
            divisions = [divide_by(half, measure) for half in halves]
            leaves = [[division.leaf_of(page) for page in pages] for division in divisions]
            agreement[measure] += adjusted_rand(*leaves)
    best = max(REPLACED_MEASURES, key=lambda measure: (round(agreement[measure], 2), -measure))
    return divide_by(site, best)


def adjusted_rand(ones: Sequence[Hashable], others: Sequence[Hashable]) -> float:
    """Return the adjusted Rand index (Hubert and Arabie 1985): 1 for equal, about 0 by chance."""
    together = pairs_in(Counter(zip(ones, others, strict=True)).values())
    left, right = pairs_in(Counter(ones).values()), pairs_in(Counter(others).values())
    everything = comb(len(ones), 2)
    expected = left * right / everything if everything else 0.0
    most = (left + right) / 2
    return (together - expected) / (most - expected) if most != expected else 1.0


def pairs_in(sizes: Iterable[int]) -> int:
    """Count the pairs in the same part."""
    return sum(comb(size, 2) for size in sizes)


# Names of templates, from what their pages say and where they are; what tells them apart.
#
# A name has two parts: what the pages are ("class", "product", "category") and where they are
# ("/api/…"). What they are is the first word of their heading if most of them share it, else what
# they call themselves (`og:type`), else the folder that they are in.

MOST_AGREE = 0.6  # share of the pages that must agree
DIFFERS = "…"  # stands for what differs
HOME_NAME = "home"
PAGE_NAME = "page"
TYPE = "meta@og:type"
DULL = frozenset({"website", "object", "the", "a", "an", "how", "what"}) | frozenset(
    {"index", "page", "pages", "content", "html", "htm", "php", "asp", "aspx", "jsp", "action"}
)  # words that say nothing
SHOWN_STEPS = 4  # tests of a sentence
SHOWN_LETTERS = 60
LETTERS_OF_SHORT_WORD = 2  # letters; a word has more
LONGEST_ENDING = 6  # of a file name, with its dot

_NUMBER_IN_STEP = re.compile(r"\d+")
# With what follows it: where an address can go on otherwise.
_WORD_OF_STEP = re.compile(r"[^\W_]+[\W_]+")
_LETTERS_OF_STEP = re.compile(r"[^\W\d_]+")


def name_templates(
    groups: Mapping[int, Sequence[OutlinedPage]], before: Mapping[int, str | None]
) -> dict[int, str]:
    """Name groups of pages; those that had a name before keep it, and no two have the same."""
    names = {leaf: name for leaf, name in before.items() if name}
    taken = set(names.values())
    # Words that most of several templates share tell none of them.
    words = Counter(word for group in groups.values() for word in set(_words_of(group)))
    common = frozenset(word for word, count in words.items() if 2 * count > len(groups) > 1)
    fresh = groups.keys() - names.keys()
    for leaf in sorted(fresh, key=lambda one: (-len(groups[one]), one)):
        plain = template_name(groups[leaf], common)
        number = 1
        name = plain
        while name in taken:
            number += 1
            name = f"{plain} ({number})"
        taken.add(name)
        names[leaf] = name
    return names


def template_name(pages: Sequence[OutlinedPage], common: frozenset[str] = frozenset()) -> str:
    """Name a group of pages, but not by words that are common at the site.

    The parts of the address that most of the pages share are written as they are.
    """
    where = pattern([page.url for page in pages])
    what = next((word for word in _words_of(pages) if word not in common), "")
    return f"{what or _folder(where)}: {where}"


def pattern(urls: Sequence[str]) -> str:
    """Return what most addresses have in common, step by step.

    >>> pattern(["https://a.example/blog/one.html", "https://a.example/blog/two.html"])
    '/blog/….html'
    """
    split = []
    for parts in map(urlsplit, urls):
        steps = unquote(parts.path).removeprefix("/").split("/")
        if parts.query:
            steps[-1] += f"?{unquote(parts.query)}"
        split.append([_NUMBER_IN_STEP.sub(DIFFERS, step) for step in steps])
    depth = Counter(map(len, split)).most_common(1)[0][0]
    usual = [steps for steps in split if len(steps) == depth] or split
    steps = [_common(column) for column in zip_longest(*usual, fillvalue="")]
    merged: list[str] = []
    for step in steps:
        if not (step == DIFFERS and merged and merged[-1] == DIFFERS):
            merged.append(step)
    return "/" + "/".join(merged)


def _common(column: Sequence[str]) -> str:
    """Return a step that most addresses share, or how most of them begin and end."""
    fewest = MOST_AGREE * len(column)
    step, count = max(Counter(column).items(), key=lambda known: (known[1], known[0]))
    if count >= fewest:
        return step if len(step) <= SHOWN_LETTERS else step[:SHOWN_LETTERS] + DIFFERS
    begins = Counter(step[: word.end()] for step in column for word in _WORD_OF_STEP.finditer(step))
    begin = max((one for one, count in begins.items() if count >= fewest), key=len, default="")
    endings = Counter(f".{step.rpartition('.')[2]}" for step in column if "." in step)
    ending, count = max(endings.items(), key=lambda known: (known[1], known[0]), default=("", 0))
    ending = ending if count >= fewest and len(ending) <= LONGEST_ENDING else ""
    return f"{begin[:SHOWN_LETTERS].rstrip(DIFFERS)}{DIFFERS}{ending}"


def _words_of(pages: Sequence[OutlinedPage]) -> list[str]:
    """Return the first word of the heading, and what pages call themselves, if most have it."""
    headings: Counter[str] = Counter()
    types: Counter[str] = Counter()
    for outline in [page.outline for page in pages]:
        heard = [(outline.labels[place], word.lower()) for place, word in outline.heard]
        headings.update({word for label, word in heard if re.split("[.#]", label)[0] == "h1"})
        types.update({word for label, word in heard if label == TYPE})
    words = []
    for counts in (headings, types):
        word, count = max(counts.items(), key=lambda one: (one[1], one[0]), default=("", 0))
        if word and count >= MOST_AGREE * len(pages) and word not in DULL:
            words.append(word)
    return words


def _folder(where: str) -> str:
    """Return the last word of an address that says something."""
    words = [
        word
        for word in _LETTERS_OF_STEP.findall(where.replace(DIFFERS, " "))
        if len(word) > LETTERS_OF_SHORT_WORD
    ]
    named = [word for word in words if word.lower() not in DULL]
    if named:
        return str(named[-1])
    return HOME_NAME if where in ("/", "/index.html") else PAGE_NAME


def sentence(steps: Sequence[TestOutcome], words: Mapping[int, str]) -> str:
    """Say what tells a template from the others: the tests that lead to it, the last ones first."""
    said = [(words.get(step.token, "?"), step.has) for step in reversed(steps)]
    has = list(dict.fromkeys(word for word, there in said if there))
    lacks = list(dict.fromkeys(word for word, there in said if not there and word not in has))
    parts = []
    if has:
        parts.append("has " + ", ".join(has[:SHOWN_STEPS]))
    if lacks:
        parts.append("no " + ", ".join(lacks[:SHOWN_STEPS]))
    return "; ".join(parts) or "all pages"


NO_TEMPLATE = 0  # number of pages that fit nowhere
FEWEST_OF_TEMPLATE = 2  # pages of a template; a single page is one of a kind
SAME_TEMPLATE = 0.5  # share of the pages of two templates that both have; above, they are the same


@dataclass(frozen=True, slots=True)
class Template:
    """A template of a site."""

    number: int  # stays the same while the site grows
    name: str  # what people see; no two templates of a site have the same
    pages: int  # of the model
    typical: str  # URL of a page that is most like the others
    tells: str  # what tells it from the others
    types: bytes = b""  # what its pages say of their type (`type_votes`)


@dataclass(frozen=True, slots=True)
class SiteTemplates:
    """The templates of a site, and how to find that of a page."""

    templates: tuple[Template, ...] = ()  # those with most pages first
    division: Division | None = None  # None if there is no page
    numbers: tuple[int, ...] = ()  # of each leaf of the division
    pages: int = 0  # of the site, when it was divided
    newest: int = 0  # the largest number that was ever used

    def number_of(self, url: str, outline: Outline, *, learned: bool = False) -> int:
        """Return the number of a page's template, NO_TEMPLATE if it fits none.

        `learned` means that the page is in the model that the templates were found in.
        """
        if self.division is None or outline.oddity is not Oddity.NONE:
            return NO_TEMPLATE
        facts = facts_of_outline(url, outline)
        if not self.division.fits(facts, learned=learned):
            return NO_TEMPLATE
        return self.numbers[self.division.leaf_of(facts)]

    def numbers_of(self, model: SiteModel) -> dict[str, int]:
        """Return the numbers of the templates of the pages that they were found in, by URL."""
        return {page.url: self.number_of(page.url, page.outline, learned=True) for page in model}

    def template(self, number: int | None) -> Template | None:
        """Return a template by its number."""
        return next((one for one in self.templates if one.number == number), None)

    def votes_of(self, number: int | None) -> bytes:
        """Return what the pages of a template say of their type, nothing if there is none."""
        found = self.template(number)
        return found.types if found else b""

    def name_of(self, number: int | None) -> str | None:
        """Return the name of a template, None if there is none with that number."""
        found = self.template(number)
        return found.name if found else None


EMPTY_SITE = SiteTemplates()


def find_templates(model: SiteModel, before: SiteTemplates = EMPTY_SITE) -> SiteTemplates:
    """Divide a site; what is the same as before keeps its number and name."""
    pages = [page for page in model if page.outline.oddity is Oddity.NONE]
    words: dict[int, str] = {}
    facts = [facts_of_outline(page.url, page.outline, words) for page in pages]
    if not pages:
        return SiteTemplates(pages=model.pages, newest=before.newest)
    division = divide(facts)
    groups: dict[int, list[int]] = {}
    for number, page in enumerate(facts):
        if division.fits(page, learned=True):  # as when it is asked for its template
            groups.setdefault(division.leaf_of(page), []).append(number)
    kept = {leaf: members for leaf, members in groups.items() if len(members) >= FEWEST_OF_TEMPLATE}
    numbers, newest = same_numbers(pages, kept, before)
    names = name_templates(
        {leaf: [pages[member] for member in members] for leaf, members in kept.items()},
        {leaf: before.name_of(numbers[leaf]) for leaf in kept},
    )
    templates = [
        Template(
            number=numbers[leaf],
            name=names[leaf],
            pages=len(members),
            typical=pages[most_typical([facts[member] for member in members], members)].url,
            tells=sentence(division.leaves[leaf].steps, words),
            types=mean_of_votes(pages[member].types for member in members),
        )
        for leaf, members in kept.items()
    ]
    return SiteTemplates(
        templates=tuple(sorted(templates, key=lambda one: (-one.pages, one.number))),
        division=division,
        numbers=tuple(numbers.get(leaf, NO_TEMPLATE) for leaf in range(len(division.leaves))),
        pages=model.pages,
        newest=newest,
    )


def same_numbers(
    pages: Sequence[OutlinedPage], groups: dict[int, list[int]], before: SiteTemplates
) -> tuple[dict[int, int], int]:
    """Number the groups of pages: as before where most pages are the same; new ones by size."""
    old = [before.number_of(page.url, page.outline) for page in pages]
    sizes = Counter(old)
    shared = [
        (count / (len(members) + sizes[number] - count), number, leaf)
        for leaf, members in groups.items()
        for number, count in Counter(old[member] for member in members).items()
        if number != NO_TEMPLATE
    ]
    numbers: dict[int, int] = {}
    for share, number, leaf in sorted(shared, key=lambda one: (-one[0], one[1], one[2])):
        if share > SAME_TEMPLATE and leaf not in numbers and number not in numbers.values():
            numbers[leaf] = number
    newest = before.newest
    for leaf in sorted(groups.keys() - numbers.keys(), key=lambda leaf: (-len(groups[leaf]), leaf)):
        newest += 1
        numbers[leaf] = newest
    return numbers, newest


def most_typical(facts: Iterable[PageFacts], members: Sequence[int]) -> int:
    """Return the member that has what most have, and little else; the first of equals."""
    pages = list(facts)
    often = Counter(path for page in pages for path in page.paths)
    half = len(pages) / 2
    scores = [sum(often[path] - half for path in page.paths) for page in pages]
    return members[scores.index(max(scores))]


# The template and the type of a page in its result, as its site knows them now.


def described_result(result: PageResult, templates: SiteTemplates, page: TypedPage) -> PageResult:
    """Return a result with the name of its template and the type of its page.

    If the template does not decide and the page is not asked now, the type stays as it was told
    when the page was processed.
    """
    name = templates.name_of(page.template)
    votes = templates.votes_of(page.template)
    kind, sure = result.type, result.type_confidence
    if page.types or kind is None or decides(votes):
        kind, sure = voted_type(page.types, votes)
    number = result.template_number if page.template is None else page.template or None
    named = replace(result, template=name, template_number=number, type=kind, type_confidence=sure)
    return result if named == result else named


def template_type(template: Template) -> tuple[str | None, float | None]:
    """Return the type that the pages of a template have together, and its probability."""
    return voted_type(b"", template.types)


def described_template(template: Template) -> dict[str, object]:
    """Describe a template for JSON."""
    facts = asdict(template)
    del facts["types"]
    kind, sure = template_type(template)
    return {**facts, "type": kind, "type_confidence": sure}
