"""Navigation or not, against hand-marked blocks: Tables 3 and 4 and Figure 7 of the paper.

Links of Menu and LinkList blocks are navigation, all others are not. Many unmarked links are
navigation all the same, so clear cases are also scored alone, and our models are trained on them.
The machine of the paper learns from every block, each counting once: the paper leaves none out, and
taught by clear cases alone it calls nearly every block navigation. Everything is split by site.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from statistics import fmean
from typing import TypeAlias

from webstencil.evaluate.navigation import learning
from webstencil.evaluate.navigation.gold import MarkedPage, is_clear, is_navigation, majority
from webstencil.navigation.classify import Row, read_model
from webstencil.navigation.features import full_rows, paper_features, paper_rows
from webstencil.navigation.links import PaperRule, Spread

FOLDS = 10
SEED = 0
PAPER_GAMMA = 0.1  # section 5.3.2
SHARES = (*range(1, 10), *range(10, 101, 10))  # per cent of the training links; Figure 7
GROUPS = {
    "words": (0, 7),
    "targets": (7, 12),
    "place and prose": (12, 27),
    "markup": (27, 40),
    "names": (40, 62),
}

Blocks: TypeAlias = Callable[[MarkedPage], Sequence[range]]
Rows: TypeAlias = Callable[[MarkedPage, Sequence[range]], list[Row]]
Fit: TypeAlias = Callable[[Sequence[Row], Sequence[bool], Sequence[float]], str]


@dataclass(frozen=True, slots=True)
class LinkCase:
    """A block of links with its features and gold."""

    page: int  # number of its page; a page is a site
    row: Row
    gold: tuple[bool, ...]  # of each link: navigation
    clear: bool  # most of its links have a clear mark
    label: bool  # navigation, by the majority of its clear links


@dataclass(frozen=True, slots=True)
class ClassScore:
    """The scores of a system."""

    method: str
    precision: float  # of links, mean of pages, as F1
    recall: float
    f1: float
    balanced: float  # mean of the shares of navigation and other links that are right
    auc: float  # of links in clear blocks
    auc_blocks: float  # the same, each block counting once


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """F1 after training on a share of the links."""

    method: str
    share: float  # per cent
    f1: float


@dataclass(frozen=True, slots=True)
class System:
    """A system that recognises navigation: blocks, features, model."""

    name: str
    blocks: Blocks
    rows: Rows
    fit: Fit
    published: bool = True  # it learns from every block, not from clear ones alone


def full(page: MarkedPage, blocks: Sequence[range]) -> list[Row]:
    """Return all our features."""
    return full_rows(page.page, page.links, blocks)


def published(page: MarkedPage, blocks: Sequence[range]) -> list[Row]:
    """Return the paper's features, lengths in characters."""
    return paper_rows(page.page, page.links, blocks)


def in_words(page: MarkedPage, blocks: Sequence[range]) -> list[Row]:
    """Return the paper's features, lengths in words."""
    return paper_features([float(len(text.split())) for text in page.links.all_texts()], blocks)


def marked_blocks(page: MarkedPage) -> list[range]:
    """Return the runs of links of the same marked block: a perfect clustering."""
    runs = [list(run) for _, run in groupby(range(len(page.links)), key=page.blocks.__getitem__)]
    return [range(run[0], run[-1] + 1) for run in runs]


def paper_machine(rows: Sequence[Row], labels: Sequence[bool], weights: Sequence[float]) -> str:
    """Fit the paper's support vector machine."""
    return learning.fit_svm(rows, labels, weights, gamma=PAPER_GAMMA)


def systems() -> list[System]:
    """Return the systems to compare."""
    chd, chd_hd, ours = PaperRule(), PaperRule(gamma=1.0), Spread()
    return [
        System("paper, CHD", lambda page: chd.blocks(page.page), published, paper_machine),
        System("paper, CHD-HD", lambda page: chd_hd.blocks(page.page), published, paper_machine),
        System(
            "paper, lengths in words", lambda page: chd.blocks(page.page), in_words, paper_machine
        ),
        System("paper, marked blocks", marked_blocks, published, paper_machine),
        System(
            "ours",
            lambda page: ours.blocks_of(page.links),
            full,
            learning.fit_forest,
            published=False,
        ),
        System("ours, marked blocks", marked_blocks, full, learning.fit_forest, published=False),
    ]


def cases_of(pages: Sequence[MarkedPage], system: System) -> list[LinkCase]:
    """Return the blocks of all pages with features and gold."""
    found = []
    for number, page in enumerate(pages):
        blocks = system.blocks(page)
        for block, row in zip(blocks, system.rows(page, blocks), strict=True):
            marked = [page.blocks[link] for link in block]
            clear = [is_navigation(known) for known in marked if is_clear(known)]
            found.append(
                LinkCase(
                    page=number,
                    row=row,
                    gold=tuple(map(is_navigation, marked)),
                    clear=bool(clear) and 2 * len(clear) >= len(marked),
                    label=bool(clear) and majority(clear),
                )
            )
    return found


def teaching(cases: Sequence[LinkCase], system: System) -> list[LinkCase]:
    """Return the cases that a system learns from."""
    return [case for case in cases if system.published or case.clear]


def label_of(case: LinkCase, system: System) -> bool:
    """Return what a system learns of a case."""
    return majority(case.gold) if system.published else case.label


def train(cases: Sequence[LinkCase], system: System) -> str:
    """Fit a model; a clear block has the square root of its links as weight in ours."""
    used = teaching(cases, system)
    return system.fit(
        [case.row for case in used],
        [label_of(case, system) for case in used],
        [1.0 if system.published else sqrt(len(case.gold)) for case in used],
    )


def cross_validate(cases: Sequence[LinkCase], system: System) -> list[float]:
    """Score each block by a model that has seen no page of its fold."""
    scores = [0.0] * len(cases)
    for fold in range(FOLDS):
        seen = [case for case in cases if case.page % FOLDS != fold]
        tested = [index for index, case in enumerate(cases) if case.page % FOLDS == fold]
        if len({label_of(case, system) for case in teaching(seen, system)}) == 2 and tested:
            model = read_model(train(seen, system))
            for index in tested:
                scores[index] = model.score(cases[index].row)
    return scores


def score(name: str, cases: Sequence[LinkCase], scores: Sequence[float]) -> ClassScore:
    """Compare scores with the gold: above 0 is navigation."""
    pages: dict[int, list[tuple[bool, bool]]] = {}
    for case, value in zip(cases, scores, strict=True):
        pages.setdefault(case.page, []).extend((value > 0, gold) for gold in case.gold)
    means = [shares(pairs) for pairs in pages.values() if any(gold for _, gold in pairs)]
    everything = [pair for pairs in pages.values() for pair in pairs]
    clear = [(case, value) for case, value in zip(cases, scores, strict=True) if case.clear]
    values, labels = [value for _, value in clear], [case.label for case, _ in clear]
    return ClassScore(
        method=name,
        precision=fmean(mean[0] for mean in means),
        recall=fmean(mean[1] for mean in means),
        f1=fmean(mean[2] for mean in means),
        balanced=balanced(everything),
        auc=learning.auc(values, labels, [float(len(case.gold)) for case, _ in clear]),
        auc_blocks=learning.auc(values, labels, [1.0] * len(clear)),
    )


def shares(pairs: Sequence[tuple[bool, bool]]) -> tuple[float, float, float]:
    """Return precision, recall and F1 of pairs of answer and gold."""
    both = sum(answer and gold for answer, gold in pairs)
    answers, golds = sum(answer for answer, _ in pairs), sum(gold for _, gold in pairs)
    precision, recall = both / answers if answers else 0.0, both / golds if golds else 0.0
    f1 = 2 * both / (answers + golds) if answers + golds else 0.0
    return precision, recall, f1


def balanced(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Return the mean of the accuracies where the gold is true and where it is false."""
    yes = [answer for answer, gold in pairs if gold]
    no = [not answer for answer, gold in pairs if not gold]
    return (fmean(yes) if yes else 0.0) / 2 + (fmean(no) if no else 0.0) / 2


def compare(pages: Sequence[MarkedPage]) -> list[ClassScore]:
    """Score all systems by cross-validation, and the baseline that everything is navigation."""
    found: list[ClassScore] = []
    for system in systems():
        cases = cases_of(pages, system)
        if not found:
            found.append(score("everything is navigation", cases, [1.0] * len(cases)))
        found.append(score(system.name, cases, cross_validate(cases, system)))
    return found


def halves(pages: Sequence[MarkedPage]) -> list[ClassScore]:
    """Score by the paper's protocol: train on half of the sites, test on the others."""
    training = frozenset(random.Random(SEED).sample(range(len(pages)), len(pages) // 2))
    found: list[ClassScore] = []
    for system in systems():
        cases = cases_of(pages, system)
        model = read_model(train([case for case in cases if case.page in training], system))
        tested = [case for case in cases if case.page not in training]
        if not found:
            found.append(score("everything is navigation", tested, [1.0] * len(tested)))
        found.append(score(system.name, tested, [model.score(case.row) for case in tested]))
    return found


def learning_curve(pages: Sequence[MarkedPage], system: System) -> list[CurvePoint]:
    """Return F1 on half of the sites by the share of links used of the others (Figure 7)."""
    rng = random.Random(SEED)
    training = frozenset(rng.sample(range(len(pages)), len(pages) // 2))
    cases = cases_of(pages, system)
    known = teaching([case for case in cases if case.page in training], system)
    tested = [case for case in cases if case.page not in training]
    rng.shuffle(known)
    total = sum(len(case.gold) for case in known)
    curve = []
    for share in SHARES:
        used: list[LinkCase] = []
        links = 0
        for case in known:
            if links >= share * total / 100 and len({label_of(one, system) for one in used}) == 2:
                break
            used.append(case)
            links += len(case.gold)
        model = read_model(train(used, system))
        f1 = score("", tested, [model.score(case.row) for case in tested]).f1
        curve.append(CurvePoint(system.name, float(share), f1))
    return curve


def ablation(pages: Sequence[MarkedPage]) -> list[ClassScore]:
    """Score our features without one group of them at a time."""
    system = next(known for known in systems() if known.name == "ours")
    cases = cases_of(pages, system)
    found = []
    for name, (start, end) in GROUPS.items():
        cut = [
            LinkCase(
                case.page, case.row[:start] + case.row[end:], case.gold, case.clear, case.label
            )
            for case in cases
        ]
        found.append(score(f"ours without {name}", cut, cross_validate(cut, system)))
    return found
