"""The FastContentExtractor paper's tables on other sites: time, blocks and words.

A template is prepared on some pages and judged on others. A site of 60 pages or more is split once,
a smaller one five times, so that each of its pages is judged. Every page is judged with the one
template of its site, as in the paper, and again with the template of the pages that match it.
Times are processor times of cutting a parsed page and comparing its blocks, the best of three.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from statistics import fmean
from time import thread_time

from webstencil.errors import SourceError
from webstencil.evaluate.golden_sites import GoldSite, SiteGold, gold_of, read_sites
from webstencil.evaluate.labelled_data import LeftOut, nobody, readable
from webstencil.evaluate.template_clusters import path_stencil
from webstencil.evaluate.words import WordScore, compare, score_counts, words_and_signs
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage, Stencil
from webstencil.paper.blocks import BLOCK_TAGS, cut, tags_of
from webstencil.paper.content import (
    FEWEST,
    METHODS,
    BlockTemplate,
    Chosen,
    Detector,
    Method,
    Sorted,
    distinct,
    sort_out,
)
from webstencil.paper.match import nearest
from webstencil.settings import THRESHOLD

PREPARED = 30  # pages at most, as in the paper (section IV: 20 to 30)
LARGE = 60  # pages of a site that is split once
FOLDS = 5
JUDGED = 30  # pages at most of a large site
SMALLEST = 6  # pages of a site: each has five others
ROUNDS = 3  # of timing
MILLI = 1000  # ms in a second


class Scope(StrEnum):
    """Which pages share a template."""

    SITE = "site"
    STENCIL = "stencil"


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """The score of a method on a page."""

    method: str
    scope: Scope
    own: bool  # it has a template of its stencil, not only that of the site
    compared: int  # blocks of the template: the paper's NumBlockTemp
    blocks: int  # of the page: NumBlock
    time: float  # ms
    word: WordScore
    block: WordScore
    empty: bool  # nothing was found


@dataclass(frozen=True, slots=True)
class ContentRow:
    """The scores of a method on a site: means over its pages."""

    group: str
    site: str
    method: str
    scope: Scope
    pages: int
    own: float  # 0..1, share of pages with a template of their stencil
    compared: float
    blocks: float
    time: float  # ms a page
    precision: float  # 0..1, over words; likewise the next two
    recall: float
    f: float
    block_precision: float  # 0..1, over blocks
    block_recall: float
    block_f: float
    empty: int  # pages without any result


@dataclass(frozen=True, slots=True)
class Kit:
    """A template in use, and the pages that it is for."""

    first: Stencil | None  # None for all of the site
    template: BlockTemplate
    detector: Detector


def evaluate(
    path: Path,
    methods: Mapping[str, Method] = METHODS,
    pages_root: Path | None = None,
    left_out: LeftOut = nobody,
) -> Iterator[ContentRow]:
    """Yield the rows of each site with enough pages, site by site."""
    found = False
    for site in read_sites(path, pages_root):
        if len(site.pages) >= SMALLEST:
            found = True
            yield from measure(site, methods, left_out)
    if not found:
        raise SourceError(f"{path} has no site with {SMALLEST} pages or more")


def measure(
    site: GoldSite, methods: Mapping[str, Method], left_out: LeftOut = nobody
) -> list[ContentRow]:
    """Judge the pages of a site."""
    scores: list[PublishedScore] = []
    for pool, judged in splits(site.pages):
        pages = [page for known in pool if (page := readable(known.raw, left_out)) is not None]
        kits = kits_of(methods, pages)
        for known in judged:
            scores += score(known, kits, left_out)
    return [
        row_of(site, name, scope, chosen)
        for name in methods
        for scope in Scope
        if (chosen := [score for score in scores if (score.method, score.scope) == (name, scope)])
    ]


def splits(pages: Sequence[SiteGold]) -> Iterator[tuple[list[SiteGold], list[SiteGold]]]:
    """Yield pages to prepare on and pages to judge."""
    if len(pages) >= LARGE:
        half = len(pages) // 2
        known = [page for page in pages[half:] if page.gold or page.selector]
        yield list(pages[:half]), known[:JUDGED]
        return
    for fold in range(FOLDS):
        yield (
            [page for index, page in enumerate(pages) if index % FOLDS != fold],
            [page for index, page in enumerate(pages) if index % FOLDS == fold],
        )


def kits_of(methods: Mapping[str, Method], pages: Sequence[Page]) -> dict[str, list[Kit]]:
    """Prepare the templates of a site for each method, that of the whole site first."""
    groups: list[tuple[Stencil | None, list[Page]]] = [(None, list(pages)), *clusters(pages)]
    kits: dict[str, list[Kit]] = {name: [] for name in methods}
    for stencil, members in groups:
        if len(members) < FEWEST:
            continue
        known: dict[tuple[float, bool], Sorted] = {}
        for name, method in methods.items():
            kind = method.share, method.published_tags
            if kind not in known:
                tags = tags_of(published=method.published_tags)
                known[kind] = sort_out(members[:PREPARED], method.share, tags)
            template = method.learn(known[kind])
            kits[name].append(Kit(stencil, template, method.ready(template)))
    return kits


def clusters(pages: Sequence[Page]) -> list[tuple[Stencil, list[Page]]]:
    """Group pages by the first page that is near enough."""
    found: dict[str, tuple[Stencil, list[Page]]] = {}
    for page in pages:
        match = nearest(page, (stencil for stencil, _ in found.values()))
        if match is None or match.distance > THRESHOLD:
            stencil = path_stencil(page, len(found))
            found[stencil.key] = (stencil, [page])
        else:
            found[match.stencil.key][1].append(page)
    return list(found.values())


def score(
    known: SiteGold, kits: Mapping[str, Sequence[Kit]], left_out: LeftOut = nobody
) -> Iterator[PublishedScore]:
    """Judge a page with all methods, if its content is known and there is a template."""
    gold = gold_of(known)
    page = readable(known.raw, left_out)
    if not gold or page is None:
        return
    uses = [
        (name, scope, prepared[0] if scope is Scope.SITE else kit_for(page, prepared))
        for name, prepared in kits.items()
        for scope in (Scope if prepared else ())
    ]
    times = timed([kit.detector for _, _, kit in uses], known.raw)
    for (name, scope, used), time in zip(uses, times, strict=True):
        chosen = used.detector.choose(page)
        text = used.detector.text(chosen)
        yield PublishedScore(
            method=name,
            scope=scope,
            own=used.first is not None,
            compared=len(distinct(used.template.blocks)),
            blocks=chosen.made,
            time=time * MILLI,
            word=compare(words_and_signs(text), words_and_signs(gold)),
            block=block_overlap(page, chosen, gold, used.detector.tags),
            empty=not text,
        )


def kit_for(page: Page, kits: Sequence[Kit]) -> Kit:
    """Return the template of the pages that match this one, else that of the site."""
    match = nearest(page, (kit.first for kit in kits if kit.first is not None))
    if match is None or match.distance > THRESHOLD:
        return kits[0]
    return next(kit for kit in kits if kit.first is match.stencil)


def timed(detectors: Sequence[Detector], raw: RawPage) -> list[float]:
    """Return the least time (s) of each detector for a page; they take turns on fresh pages."""
    least = [float("inf")] * len(detectors)
    for _ in range(ROUNDS):
        for index, detector in enumerate(detectors):
            page = parse(raw)
            start = thread_time()
            detector.choose(page)
            least[index] = min(least[index], thread_time() - start)
    return least


def block_overlap(
    page: Page, chosen: Chosen, gold: str, tags: frozenset[str] = BLOCK_TAGS
) -> WordScore:
    """Compare blocks; one is content if its words follow each other in the gold as well."""
    found = cut(page, blocks=tags)
    whole = f" {' '.join(words_and_signs(gold))} "
    said = {
        node: words
        for node, part in zip(found.nodes, found.parts(), strict=True)
        if (words := " ".join(words_and_signs(part.text)))
    }
    wanted = {node for node, words in said.items() if f" {words} " in whole}
    taken = chosen.nodes & said.keys()
    return score_counts(len(taken), len(wanted), len(taken & wanted))


def row_of(
    site: GoldSite, method: str, scope: Scope, scores: Sequence[PublishedScore]
) -> ContentRow:
    """Average the scores of a site's pages."""
    return ContentRow(
        group=site.group,
        site=site.name,
        method=method,
        scope=scope,
        pages=len(scores),
        own=fmean(score.own for score in scores),
        compared=fmean(score.compared for score in scores),
        blocks=fmean(score.blocks for score in scores),
        time=fmean(score.time for score in scores),
        precision=fmean(score.word.precision for score in scores),
        recall=fmean(score.word.recall for score in scores),
        f=fmean(score.word.f1 for score in scores),
        block_precision=fmean(score.block.precision for score in scores),
        block_recall=fmean(score.block.recall for score in scores),
        block_f=fmean(score.block.f1 for score in scores),
        empty=sum(score.empty for score in scores),
    )
