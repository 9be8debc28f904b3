"""Scores of main content: of one page alone, in stream order, and after all siblings."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean, median
from time import process_time
from typing import TypeVar

from webstencil.api import parsed
from webstencil.content.extractor import MainContent
from webstencil.content.model import ContentModel
from webstencil.evaluate.content.data import SELECTED, ContentGold
from webstencil.evaluate.words import WordScore, compare, mean, words
from webstencil.markup import Markup, text
from webstencil.model import Page
from webstencil.site.outline import outline
from webstencil.site.site_model import OutlinedPage, SiteModel

ALL_BY_HAND = "all by hand"
ALL_TYPED = "all types"
ALL_SELECTED = "mean of selected"
SINGLE, STREAM, SEEN = "single page", "stream", "all seen"
WAYS = (SINGLE, STREAM, SEEN)
FLOOR_STEPS = 1000  # a floor is F1, rounded down to 1/1000: nothing in it is random
OUTLINES_KEPT = 4_096  # cached

Given = TypeVar("Given", str, bytes)  # what an extractor takes
Way = Callable[[Sequence[ContentGold]], Iterable[tuple[ContentGold, str, float]]]


@dataclass(frozen=True, slots=True)
class ContentScore:
    """The score of a method on a page."""

    method: str
    set: str
    site: str
    name: str
    score: WordScore
    seconds: float  # processor time of parsing and extracting
    page_type: str = ""  # if it is known


@dataclass(frozen=True, slots=True)
class SetRow:
    """The mean score of a method on a set of pages."""

    method: str
    set: str
    pages: int
    score: WordScore
    milliseconds: float  # processor time with parsing: median of a page
    mean_milliseconds: float  # the same, mean of a page


def run_single(
    pages: Sequence[ContentGold], model: ContentModel | None = None
) -> Iterable[tuple[ContentGold, str, float]]:
    """Extract each page as if it were the only one."""
    for page in pages:
        if page.gold is not None:
            yield _timed(page, SiteModel(), model)


def run_stream(
    pages: Sequence[ContentGold], model: ContentModel | None = None
) -> Iterable[tuple[ContentGold, str, float]]:
    """Extract the pages in order; each sees those of its site before it."""
    models: defaultdict[str, SiteModel] = defaultdict(SiteModel)
    for page in pages:
        if page.gold is not None:
            yield _timed(page, models[page.site], model)
        _add(models[page.site], page)


def run_seen(
    pages: Sequence[ContentGold], model: ContentModel | None = None
) -> Iterable[tuple[ContentGold, str, float]]:
    """Extract each page after all pages of its site were seen."""
    models: defaultdict[str, SiteModel] = defaultdict(SiteModel)
    for page in pages:
        _add(models[page.site], page)
    for page in pages:
        if page.gold is not None:
            yield _timed(page, models[page.site], model)


def _timed(
    page: ContentGold, siblings: SiteModel, model: ContentModel | None
) -> tuple[ContentGold, str, float]:
    """Extract a page; what its siblings say is counted before the time is taken."""
    extractor = MainContent(models=lambda _: siblings, model=model)
    _ = siblings.texts
    start = process_time()
    found = extractor.content(parsed_page(page)).text
    return page, found, process_time() - start


def _add(model: SiteModel, page: ContentGold) -> None:
    """Add a page to the model of its site, once."""
    known = _outlined(page)
    if known.url not in model:
        model.add(known)


@lru_cache(maxsize=OUTLINES_KEPT)
def _outlined(page: ContentGold) -> OutlinedPage:
    """Return a page as the models have it; each way has models of its own."""
    read = parsed_page(page)
    return OutlinedPage(read.url, outline(read))


def parsed_page(page: ContentGold) -> Page:
    """Parse a page as if it came from its URL."""
    return parsed(page.body, page.url)


def run_peer(extract: Callable[[Given], str], read: Callable[[bytes], Given]) -> Way:
    """Make a way of an extractor that sees one page at a time.

    `read` makes what it takes of the bytes of a page; a peer is not charged for that.
    """

    def run(pages: Sequence[ContentGold]) -> Iterable[tuple[ContentGold, str, float]]:
        for page in pages:
            if page.gold is not None:
                given = read(page.body)
                start = process_time()
                found = extract(given)
                yield page, found, process_time() - start

    return run


def all_text(body: bytes) -> str:
    """Return all text of a page: the baseline."""
    return text([Markup(body).root])


def score_pages(pages: Sequence[ContentGold], methods: Mapping[str, Way]) -> Iterable[ContentScore]:
    """Score the methods on all pages that have gold."""
    for name, run in methods.items():
        for page, found, seconds in run(pages):
            if page.gold is not None:
                score = compare(words(without_heading(found, page.heading)), words(page.gold))
                yield ContentScore(
                    name, page.set, page.site, page.name, score, seconds, page.page_type
                )


def without_heading(found: str, heading: str) -> str:
    """Return a text without its first line if that is a heading that the gold leaves out."""
    first, _, rest = found.lstrip().partition("\n")
    return rest if heading and " ".join(first.strip("# ").split()) == heading else found


def summarise(scores: Iterable[ContentScore]) -> list[SetRow]:
    """Average the scores by set, and by site where a selector made the gold."""
    groups: defaultdict[tuple[str, str], list[ContentScore]] = defaultdict(list)
    for score in scores:
        selected = score.set == SELECTED
        if score.page_type:
            groups[score.method, f"{score.set}: {score.page_type}"].append(score)
            groups[score.method, ALL_TYPED].append(score)
            continue
        groups[score.method, score.site if selected else score.set].append(score)
        if not selected:
            groups[score.method, ALL_BY_HAND].append(score)
    rows = [_row(method, name, group) for (method, name), group in groups.items()]
    sites = {score.site for group in groups.values() for score in group if score.set == SELECTED}
    return rows + _means(rows, sites)


def _row(method: str, name: str, group: Sequence[ContentScore]) -> SetRow:
    spent = [score.seconds * 1000 for score in group]
    found = mean([score.score for score in group])
    return SetRow(method, name, len(group), found, median(spent), fmean(spent))


def _means(rows: Sequence[SetRow], sites: set[str]) -> list[SetRow]:
    """Average over sites, each counting the same."""
    found = []
    for method in dict.fromkeys(row.method for row in rows):
        of_sites = [row for row in rows if row.method == method and row.set in sites]
        if of_sites:
            pages = sum(row.pages for row in of_sites)
            score = mean([row.score for row in of_sites])
            middle = fmean([row.milliseconds for row in of_sites])
            spent = fmean([row.mean_milliseconds for row in of_sites])
            found.append(SetRow(method, ALL_SELECTED, pages, score, middle, spent))
    return found


def held_scores(rows: Iterable[SetRow]) -> dict[tuple[str, ...], float]:
    """Return the F1 of our own ways that may not fall, by way and set."""
    return {(row.method, row.set): row.score.f1 for row in rows if row.method in WAYS}
