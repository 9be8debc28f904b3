"""Pick the node of an attribute on one page, find it on the other pages of the site, and judge.

Pages come one at a time in the order of their file. An answer is right if it is a leaf whose whole
text is one of the page's values of the attribute, or if there is no answer on a page without the
attribute. It is lost if there is no answer on a page with the attribute, else wrong. Few pages of
the data lack a node, so some pages are also searched with the row of the node removed.
"""

import html
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from statistics import fmean, median
from time import thread_time

from webstencil import markup
from webstencil.evaluate.labelled_data import LeftOut, nobody, read_rows, readable_page, row_page
from webstencil.evaluate.tables import Evaluated, ScoreTable, grouped, score_table
from webstencil.markup import Node
from webstencil.markup.parse import parse
from webstencil.model import TEXT, MissReason, Page, RawPage
from webstencil.paper import descriptors
from webstencil.paper.descriptors import Descriptor
from webstencil.picks import Found, Lost, Pick, find_picks, nodes_along, pick

# Pages of one template with the values of their attributes: SWDE.
#
# Its file has one page a line: site, vertical, html (bytes as Latin-1), and the texts of each
# attribute. On every page such a text is a whole text leaf, so a leaf is what is picked.


@dataclass(frozen=True, slots=True)
class AttributePage:
    """A page and the texts of its attributes."""

    raw: RawPage
    gold: dict[str, frozenset[str]]  # no texts: the page does not have the attribute


@dataclass(frozen=True, slots=True)
class AttributeSite:
    """The pages of one template, in the order of their file."""

    name: str
    vertical: str
    pages: tuple[AttributePage, ...]


@dataclass(frozen=True, slots=True)
class AttributePick:
    """The node that a user who knows the attribute would pick, and on which page."""

    attribute: str
    page: int
    leaf: int  # among the text leaves of the page


def read_attribute_sites(path: Path, left_out: LeftOut = nobody) -> tuple[AttributeSite, ...]:
    """Read all sites of a file."""
    sites: dict[tuple[str, str], list[AttributePage]] = {}
    for row in read_rows(path, ("site", "vertical", "id", "html", "gold")):
        raw = row_page(row)
        if readable_page(raw, left_out) is not None:
            gold = {name: frozenset(map(as_leaf, row["gold"][name])) for name in row["gold"]}
            sites.setdefault((row["site"], row["vertical"]), []).append(AttributePage(raw, gold))
    return tuple(AttributeSite(*key, tuple(pages)) for key, pages in sites.items())


def as_leaf(value: str) -> str:
    """Write a value as a leaf has it: entities decoded, white space collapsed."""
    return " ".join(html.unescape(value).split())


def choose_picks(site: AttributeSite, *, first: bool = False) -> list[AttributePick]:
    """Choose the node of each attribute on the first page that has it.

    With `first` it is the first node of the page with the value, even in a menu.
    """
    pages = [parse(page.raw) for page in site.pages]
    choices = []
    for attribute in sorted({name for page in site.pages for name in page.gold}):
        values = [page.gold.get(attribute, frozenset()) for page in site.pages]
        start = next((number for number, texts in enumerate(values) if texts), None)
        if start is None:
            continue
        leaves = pages[start].markup.leaves()
        holding = [n for n, leaf in enumerate(leaves) if markup.leaf_text(leaf) in values[start]]
        others = [pair for pair in zip(pages, values, strict=True) if pair[0] is not pages[start]]
        if holding:
            merits = {n: (0,) if first else pick_merit(leaves[n], others) for n in holding}
            choices.append(AttributePick(attribute, start, max(holding, key=merits.__getitem__)))
    return choices


def pick_merit(node: Node, others: Sequence[tuple[Page, frozenset[str]]]) -> tuple[bool, int, int]:
    """Return how likely a leaf with a page's value is the field and not the same words elsewhere.

    A field changes its words on pages with other values, a menu does not; on other pages with the
    attribute, a leaf below the same tags holds it; and few leaves are below those tags.
    """
    text, tags = markup.leaf_text(node), tags_above(node)
    kept = changed = support = crowd = 0
    for page, values in others:
        if not values:
            continue
        texts = [markup.leaf_text(leaf) for leaf in nodes_along(tags, page.markup)]
        changed += text not in values
        kept += text not in values and text in texts
        support += not values.isdisjoint(texts)
        crowd += len(texts)
    return kept * 2 <= changed, support, -crowd


def tags_above(node: Node) -> tuple[str, ...]:
    """Return the tags from the root to a node."""
    tags = []
    above: Node | None = node
    while above is not None:
        tags.append(markup.tag(above))
        above = markup.parent(above)
    return tuple(reversed(tags))


CUT_EVERY = 6  # one page in so many is also searched with the row removed
MILLI = 1000.0  # ms in a second
ROW_LEAVES = 4  # a row has at most so many text leaves


class AnswerVerdict(StrEnum):
    """The verdict on an answer."""

    RIGHT = "right"
    WRONG = "wrong"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class AttributeAnswer:
    """The answer for one attribute on one page."""

    vertical: str
    site: str
    attribute: str
    page: int
    method: str
    verdict: AnswerVerdict
    confidence: float  # 0..1, of what was found
    found: str  # its text; empty if there was none
    cut: bool = False  # searched with the row removed

    @property
    def named(self) -> str:
        """Return the method, and whether the row was removed."""
        return f"{self.method}, row removed" if self.cut else self.method


@dataclass(frozen=True, slots=True)
class LocatingRow:
    """Shares of a method's answers."""

    method: str
    what: str  # a vertical, or all
    answers: int
    right: float  # 0..1
    wrong: float  # 0..1
    lost: float  # 0..1


@dataclass(frozen=True, slots=True)
class SearchCost:
    """The cost of searching a page, beside a bare parse of it."""

    pages: int
    picks: float  # a page, mean
    parse: float  # ms, median
    search: float  # ms, median, all picks
    ratio: float  # median over the pages


@dataclass(frozen=True, slots=True)
class Timing:
    """Processor times on one page."""

    picks: int
    parse: float  # s
    search: float  # s


def measure_picks(
    site: AttributeSite, choices: Sequence[AttributePick]
) -> tuple[list[AttributeAnswer], list[Timing]]:
    """Find the picks of a site on all later pages."""
    answers: list[AttributeAnswer] = []
    timings: list[Timing] = []
    picks: tuple[Pick, ...] = ()
    for number, gold_page in enumerate(site.pages):
        page = parse(gold_page.raw)
        if picks:
            asked = JudgedPage(site, number)
            began = thread_time()
            found, taught = find_picks(picks, page)
            searched = thread_time() - began
            timings.append(Timing(len(picks), parse_time(page), searched))
            for one, answer in zip(picks, found, strict=True):
                node = answer.node if isinstance(answer, Found) else None
                answers.append(asked.judge("default", one.name, node, answer.confidence))
            answers += cut_answers(asked, picks, page, found)
            picks = taught
        picks += tuple(made_here(choices, number, page))
    return answers, timings


def made_here(choices: Iterable[AttributePick], number: int, page: Page) -> Iterator[Pick]:
    """Yield the picks that start on a page."""
    for choice in choices:
        if choice.page == number:
            yield pick(page, page.markup.leaves()[choice.leaf], choice.attribute)


def parse_time(page: Page) -> float:
    """Return the seconds of a bare parse."""
    began = thread_time()
    markup.bare_parse(page.body)
    return thread_time() - began


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page whose answers are judged."""

    site: AttributeSite
    page: int

    def judge(
        self,
        method: str,
        attribute: str,
        node: Node | None,
        confidence: float = 1.0,
        *,
        cut: bool = False,
    ) -> AttributeAnswer:
        """Compare a found node, or None, with the values of the page."""
        values = self.site.pages[self.page].gold.get(attribute, frozenset())
        text = "" if node is None else markup.leaf_text(node)
        if node is None:
            verdict = AnswerVerdict.LOST if values and not cut else AnswerVerdict.RIGHT
        else:
            verdict = AnswerVerdict.RIGHT if text in values else AnswerVerdict.WRONG
        site = self.site
        return AttributeAnswer(
            site.vertical, site.name, attribute, self.page, method, verdict, confidence, text, cut
        )


def cut_answers(
    asked: JudgedPage, picks: Sequence[Pick], page: Page, found: Sequence[Found | Lost]
) -> Iterator[AttributeAnswer]:
    """Yield the answers on pages from which the row of a rightly found node is removed."""
    numbers = {node: number for number, node in enumerate(page.markup.leaves())}
    for number, (one, answer) in enumerate(zip(picks, found, strict=True)):
        if (asked.page + number) % CUT_EVERY or not isinstance(answer, Found):
            continue
        if asked.judge("default", one.name, answer.node).verdict is not AnswerVerdict.RIGHT:
            continue
        without = parse(asked.site.pages[asked.page].raw)
        markup.take_out(row_around(without.markup.leaves()[numbers[answer.node]]))
        (again,), _ = find_picks([one], without)
        node = again.node if isinstance(again, Found) else None
        yield asked.judge("default", one.name, node, again.confidence, cut=True)


def row_around(leaf: Node) -> Node:
    """Return the row of a leaf: the smallest element around it with a few leaves.

    If that element has many leaves, return the largest one with this leaf alone.
    """
    alone = leaf
    above = markup.parent(leaf)
    while above is not None:
        leaves = len(markup.text_leaves(above))
        if leaves > 1:
            return above if leaves <= ROW_LEAVES else alone
        alone, above = above, markup.parent(above)
    return alone


def measure_descriptors(
    site: AttributeSite, choices: Sequence[AttributePick]
) -> Iterator[AttributeAnswer]:
    """Find the chosen nodes of a site as the mapping paper does."""
    described = [(choice, paper_descriptors(site, choice)) for choice in choices]
    for number, gold_page in enumerate(site.pages):
        root = parse(gold_page.raw).markup.root
        for choice, forms in described:
            if number <= choice.page:
                continue
            for form, descriptor in forms:
                for method, node in paper_searches(form, descriptor, root):
                    yield JudgedPage(site, number).judge(method, choice.attribute, node)


def paper_descriptors(
    site: AttributeSite, choice: AttributePick
) -> tuple[tuple[str, Descriptor], ...]:
    """Describe a chosen node fully and compactly."""
    tree = parse(site.pages[choice.page].raw).tree
    number = [number for number, tag in enumerate(tree.tags) if tag == TEXT][choice.leaf]
    full, compact = descriptors.full(tree, [number]), descriptors.compact(tree, [number])
    return ("full", full[0]), ("compact", compact[0])


def paper_searches(
    form: str, descriptor: Descriptor, root: Node
) -> Iterator[tuple[str, Node | None]]:
    """Search with the strictest checks, and with weaker ones."""
    start = descriptors.find_start(descriptor, root)
    strict = None if start is None else descriptors.find_node(descriptor, start)
    yield f"paper, {form}", None if isinstance(strict, MissReason) else strict
    walk = None if start is None else descriptors.fall_back(descriptor, start)
    yield f"paper, {form}, falling back", None if walk is None else walk.node


def locating_rows(answers: Sequence[AttributeAnswer]) -> list[LocatingRow]:
    """Make the rows of each method, for each vertical and for all."""
    rows = []
    for method, own in grouped(answers, "named").items():
        rows += [locating_row(method, *one) for one in grouped(own, "vertical").items()]
        rows.append(locating_row(method, "all", own))
    return rows


def locating_row(method: str, what: str, answers: Sequence[AttributeAnswer]) -> LocatingRow:
    """Make the row of some answers."""
    shares = [fmean(answer.verdict is verdict for answer in answers) for verdict in AnswerVerdict]
    return LocatingRow(method, what, len(answers), *shares)


def search_cost(timings: Sequence[Timing]) -> SearchCost:
    """Average processor times."""
    return SearchCost(
        pages=len(timings),
        picks=fmean(timing.picks for timing in timings),
        parse=median(timing.parse for timing in timings) * MILLI,
        search=median(timing.search for timing in timings) * MILLI,
        ratio=median(timing.search / timing.parse for timing in timings),
    )


PICK_COLUMNS = ("method", "pages of=what", "answers", "right:.2%", "wrong:.2%", "lost:.2%")


def evaluate_picks(
    sites: Iterable[AttributeSite], left_out: Sequence[str], *, paper: bool, first: bool
) -> Evaluated:
    """Pick the attributes of sites and find them again, by evidence or as in the mapping paper."""
    answers: list[AttributeAnswer] = []
    timings: list[Timing] = []
    for site in sites:
        choices = choose_picks(site, first=first)
        if paper:
            answers += measure_descriptors(site, choices)
        else:
            found, times = measure_picks(site, choices)
            answers += found
            timings += times
    spent = search_cost(timings) if timings else None
    rows = locating_rows(answers)
    parts: list[ScoreTable | str] = [score_table("", PICK_COLUMNS, rows)]
    if spent:
        parts.append(
            f"{spent.picks:.1f} picks a page take {spent.search:.2f} ms, "
            f"{spent.ratio:.1f} bare parses (median of {spent.pages} pages)"
        )
    values = {
        "rows": [asdict(row) for row in rows],
        "cost": asdict(spent) if spent else None,
        "answers": [asdict(answer) for answer in answers],
    }
    return Evaluated(parts, values, left_out=left_out)
