"""What needs scikit-learn: the paper's baselines, and training models.

A model is a JSON text of numbers; using it needs no library, and evaluations use that text.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import groupby
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import TypeAlias

from webstencil.codec import put
from webstencil.errors import WebstencilError
from webstencil.evaluate.navigation import (
    BY_MARKUP,
    BY_SIBLINGS,
    CLASSES,
    CLUSTERS,
    CONTENT_ZONE,
    CURVE,
    EACH_PAGE,
    MENU,
    OUR_METHOD,
    PAGINATION,
    REPETITION,
    BlockNumbers,
    BlockScore,
    ClusteringMethod,
    ClusterScore,
    MakeTables,
    MarkedPage,
    MenuScore,
    PagedPage,
    SequenceScore,
    SiteBlock,
    Tables,
    TrainingBlock,
    block_numbers_of,
    clustering_methods,
    clustering_score,
    is_clear,
    is_navigation,
    majority,
    mean_clusterings,
    menu_score,
    menu_tables,
    pairs_of,
    plot_clusterings,
    precision_recall,
    score_clusterings,
    sequence_score,
    training_blocks,
    with_mean_menus,
    with_shipped_pagination,
)
from webstencil.navigation.classify import Row, read_model
from webstencil.navigation.features import full_rows, paper_features, paper_rows
from webstencil.navigation.kinds import GREY, REPEATED_ON_SIBLINGS
from webstencil.navigation.links import (
    TIMES,
    PaperRule,
    Spread,
    gap_threshold,
    link_gaps,
    paper_links,
)
from webstencil.navigation.pagination import link_rows
from webstencil.output.files import writing_explained
from webstencil.output.plot import PlotLine, plot

SEED = 0
DIGITS = 5  # of the numbers of a model
TREES = 80
LEAST_ROWS = 3  # at a leaf of a tree
MOST_ROUNDS = 2000  # of fitting; it ends long before
Labels: TypeAlias = list[int]
Rows: TypeAlias = Sequence[Sequence[float]]


def require_sklearn() -> None:
    """Raise an error that names the extra if scikit-learn is missing."""
    if find_spec("sklearn") is None:
        raise WebstencilError(
            "this needs scikit-learn; install it with `pip install webstencil[train]`"
        )


def dbscan(positions: Sequence[int], gap: float) -> Labels:
    """Cluster by density (section 5.3.1); one link is a core, so none is noise."""
    from sklearn.cluster import DBSCAN  # noqa: PLC0415 - optional

    found = DBSCAN(eps=max(gap, 0.5), min_samples=1).fit_predict(
        [[position] for position in positions]
    )
    return [int(label) for label in found]


def k_means(positions: Sequence[int], count: int) -> Labels:
    """Cluster into the number of marked blocks (section 5.3.1)."""
    from sklearn.cluster import KMeans  # noqa: PLC0415 - optional

    clusters = KMeans(n_clusters=count, n_init=10, random_state=SEED)
    return [
        int(label) for label in clusters.fit_predict([[float(position)] for position in positions])
    ]


def spectral(positions: Sequence[int], count: int) -> Labels:
    """Cluster into the number of marked blocks, by affinity to the nearest link."""
    import warnings  # noqa: PLC0415 - beside its only use

    from sklearn.cluster import SpectralClustering  # noqa: PLC0415 - optional

    if count >= len(positions):
        return list(range(len(positions)))
    clusters = SpectralClustering(
        n_clusters=count, affinity="nearest_neighbors", n_neighbors=2, random_state=SEED
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the graph of nearest links is never connected
        found = clusters.fit_predict([[float(position)] for position in positions])
    return [int(label) for label in found]


def fit_svm(
    rows: Rows, labels: Sequence[bool], weights: Sequence[float], *, gamma: float, cost: float = 1.0
) -> str:
    """Fit a support vector machine with an RBF kernel (section 5.3.2) and write it as JSON."""
    from sklearn.svm import SVC  # noqa: PLC0415 - optional

    scaled, mean, deviation = standardised(rows)
    machine = SVC(kernel="rbf", C=cost, gamma=gamma).fit(
        scaled, list(labels), sample_weight=list(weights)
    )
    return written(
        model="svm",
        mean=mean,
        scale=deviation,
        gamma=gamma,
        bias=float(machine.intercept_[0]),
        vectors=machine.support_vectors_.tolist(),
        weights=machine.dual_coef_[0].tolist(),
    )


def fit_logistic(
    rows: Rows, labels: Sequence[bool], weights: Sequence[float], *, cost: float = 1.0
) -> str:
    """Fit a logistic regression and write it as JSON."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - optional

    scaled, mean, deviation = standardised(rows)
    fitted = LogisticRegression(C=cost, max_iter=MOST_ROUNDS).fit(
        scaled, list(labels), sample_weight=list(weights)
    )
    return written(
        model="logistic",
        mean=mean,
        scale=deviation,
        bias=float(fitted.intercept_[0]),
        weights=fitted.coef_[0].tolist(),
    )


def fit_forest(rows: Rows, labels: Sequence[bool], weights: Sequence[float]) -> str:
    """Fit a random forest and write it as JSON."""
    from sklearn.ensemble import RandomForestClassifier  # noqa: PLC0415 - optional

    forest = RandomForestClassifier(
        n_estimators=TREES, min_samples_leaf=LEAST_ROWS, random_state=SEED
    ).fit(list(rows), list(labels), sample_weight=list(weights))
    trees = []
    for grown in forest.estimators_:
        tree, yes = grown.tree_, list(forest.classes_).index(True)
        features = [max(int(feature), -1) for feature in tree.feature]
        answers = [float(value[0][yes] / sum(value[0])) for value in tree.value]
        values = [
            answer if feature < 0 else float(border)
            for feature, border, answer in zip(features, tree.threshold, answers, strict=True)
        ]
        trees.append([features, values, tree.children_left.tolist(), tree.children_right.tolist()])
    return written(model="forest", trees=trees)


def standardised(rows: Rows) -> tuple[list[list[float]], list[float], list[float]]:
    """Scale each feature to mean 0 and deviation 1."""
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415 - optional

    scaler = StandardScaler().fit(list(rows))
    return scaler.transform(list(rows)).tolist(), scaler.mean_.tolist(), scaler.scale_.tolist()


def written(**parts: object) -> str:
    """Write the parts of a model as JSON with short numbers."""
    return json.dumps({name: rounded(part) for name, part in parts.items()})


def rounded(part: object) -> object:
    """Round all numbers of a part."""
    if isinstance(part, float):
        return float(f"{part:.{DIGITS}g}")
    return [rounded(inner) for inner in part] if isinstance(part, list) else part


def auc(scores: Sequence[float], labels: Sequence[bool], weights: Sequence[float]) -> float:
    """Return the area under the ROC curve; 0.5 if there is only one class."""
    from sklearn.metrics import roc_auc_score  # noqa: PLC0415 - optional

    if len(set(labels)) < 2:
        return 0.5
    return float(roc_auc_score(list(labels), list(scores), sample_weight=list(weights)))


# Navigation or not, against hand-marked blocks: Tables 3 and 4 and Figure 7 of the paper.
#
# Links of Menu and LinkList blocks are navigation, all others are not. Many unmarked links are
# navigation all the same, so clear cases are also scored alone, and our models are trained on them.
# The machine of the paper learns from every block, each counting once: the paper leaves none out,
# and taught by clear cases alone it calls nearly every block navigation. All is split by site.


SITE_FOLDS = 10
HALVES_SEED = 0
PAPER_GAMMA = 0.1  # section 5.3.2
SHARES = (*range(1, 10), *range(10, 101, 10))  # per cent of the training links; Figure 7
GROUPS = {
    "words": (0, 7),
    "targets": (7, 12),
    "place and prose": (12, 27),
    "markup": (27, 40),
    "names": (40, 62),
}


CURVES_OF = ("paper, CHD-HD", "ours")  # the systems whose learning curves are drawn


Blocks: TypeAlias = Callable[[MarkedPage], Sequence[range]]
RowsOf: TypeAlias = Callable[[MarkedPage, Sequence[range]], list[Row]]
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
    rows: RowsOf
    fit: Fit
    published: bool = True  # it learns from every block, not from clear ones alone


def full_features(page: MarkedPage, blocks: Sequence[range]) -> list[Row]:
    """Return all our features."""
    return full_rows(page.page, page.links, blocks)


def published_features(page: MarkedPage, blocks: Sequence[range]) -> list[Row]:
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
    return fit_svm(rows, labels, weights, gamma=PAPER_GAMMA)


def systems() -> list[System]:
    """Return the systems to compare."""
    chd, chd_hd, ours = PaperRule(), PaperRule(gamma=1.0), Spread()
    return [
        System("paper, CHD", lambda page: chd.blocks(page.page), published_features, paper_machine),
        System(
            "paper, CHD-HD",
            lambda page: chd_hd.blocks(page.page),
            published_features,
            paper_machine,
        ),
        System(
            "paper, lengths in words", lambda page: chd.blocks(page.page), in_words, paper_machine
        ),
        System("paper, marked blocks", marked_blocks, published_features, paper_machine),
        System(
            "ours",
            lambda page: ours.blocks_of(page.links),
            full_features,
            fit_forest,
            published=False,
        ),
        System("ours, marked blocks", marked_blocks, full_features, fit_forest, published=False),
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


def train_system(cases: Sequence[LinkCase], system: System) -> str:
    """Fit a model; a clear block has the square root of its links as weight in ours."""
    used = teaching(cases, system)
    return system.fit(
        [case.row for case in used],
        [label_of(case, system) for case in used],
        [1.0 if system.published else sqrt(len(case.gold)) for case in used],
    )


def cross_validate_system(cases: Sequence[LinkCase], system: System) -> list[float]:
    """Score each block by a model that has seen no page of its fold."""
    scores = [0.0] * len(cases)
    for fold in range(SITE_FOLDS):
        seen = [case for case in cases if case.page % SITE_FOLDS != fold]
        tested = [index for index, case in enumerate(cases) if case.page % SITE_FOLDS == fold]
        if len({label_of(case, system) for case in teaching(seen, system)}) == 2 and tested:
            model = read_model(train_system(seen, system))
            for index in tested:
                scores[index] = model.score(cases[index].row)
    return scores


def class_score(name: str, cases: Sequence[LinkCase], scores: Sequence[float]) -> ClassScore:
    """Compare scores with the gold: above 0 is navigation."""
    pages: dict[int, list[tuple[bool, bool]]] = {}
    for case, value in zip(cases, scores, strict=True):
        pages.setdefault(case.page, []).extend((value > 0, gold) for gold in case.gold)
    means = [precision_recall(pairs) for pairs in pages.values() if any(gold for _, gold in pairs)]
    everything = [pair for pairs in pages.values() for pair in pairs]
    clear = [(case, value) for case, value in zip(cases, scores, strict=True) if case.clear]
    values, labels = [value for _, value in clear], [case.label for case, _ in clear]
    return ClassScore(
        method=name,
        precision=fmean(mean[0] for mean in means),
        recall=fmean(mean[1] for mean in means),
        f1=fmean(mean[2] for mean in means),
        balanced=balanced(everything),
        auc=auc(values, labels, [float(len(case.gold)) for case, _ in clear]),
        auc_blocks=auc(values, labels, [1.0] * len(clear)),
    )


def balanced(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Return the mean of the accuracies where the gold is true and where it is false."""
    yes = [answer for answer, gold in pairs if gold]
    no = [not answer for answer, gold in pairs if not gold]
    return (fmean(yes) if yes else 0.0) / 2 + (fmean(no) if no else 0.0) / 2


def compare_systems(pages: Sequence[MarkedPage]) -> list[ClassScore]:
    """Score all systems by cross-validation, and the baseline that everything is navigation."""
    found: list[ClassScore] = []
    for system in systems():
        cases = cases_of(pages, system)
        if not found:
            found.append(class_score("everything is navigation", cases, [1.0] * len(cases)))
        found.append(class_score(system.name, cases, cross_validate_system(cases, system)))
    return found


def half_the_sites(pages: Sequence[MarkedPage]) -> list[ClassScore]:
    """Score by the paper's protocol: train on half of the sites, test on the others."""
    training = frozenset(random.Random(HALVES_SEED).sample(range(len(pages)), len(pages) // 2))
    found: list[ClassScore] = []
    for system in systems():
        cases = cases_of(pages, system)
        model = read_model(train_system([case for case in cases if case.page in training], system))
        tested = [case for case in cases if case.page not in training]
        if not found:
            found.append(class_score("everything is navigation", tested, [1.0] * len(tested)))
        found.append(class_score(system.name, tested, [model.score(case.row) for case in tested]))
    return found


def learning_curve(pages: Sequence[MarkedPage], system: System) -> list[CurvePoint]:
    """Return F1 on half of the sites by the share of links used of the others (Figure 7)."""
    rng = random.Random(HALVES_SEED)
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
        model = read_model(train_system(used, system))
        f1 = class_score("", tested, [model.score(case.row) for case in tested]).f1
        curve.append(CurvePoint(system.name, float(share), f1))
    return curve


def without_groups(pages: Sequence[MarkedPage]) -> list[ClassScore]:
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
        found.append(class_score(f"ours without {name}", cut, cross_validate_system(cut, system)))
    return found


# Training of the navigation models that the package ships.


def navigation_models(
    marked: Sequence[MarkedPage],
    blocks: Sequence[SiteBlock],
    paged: Sequence[PagedPage],
) -> dict[str, str]:
    """Train all models for which there are pages."""
    known = {system.name: system for system in systems()}
    found = {}
    if marked:
        for name, system in (("navigation", known["ours"]), ("paper", known["paper, CHD-HD"])):
            found[name] = train_system(cases_of(marked, system), system)
    if blocks:
        found["menu"] = train_menus(training_blocks(blocks))
    if paged:
        found["pagination"] = train_pagination(paged)
    return found


def write_models(folder: Path, fitted: dict[str, str]) -> None:
    """Write models as files."""
    for name, text in fitted.items():
        with writing_explained(folder):
            put(folder / f"{name}.json", f"{text}\n".encode())


# What has to be trained of the other parts: methods that know the number of blocks, models of
# menus and of pagination links that have seen none of the pages they are tested on.


PAGINATION_FOLDS = 5  # a site is in one of them


def train_pagination(pages: Sequence[PagedPage]) -> str:
    """Fit a model to all links of some pages."""
    rows: list[Row] = []
    labels: list[bool] = []
    for known in pages:
        for link, row in link_rows(known.page, known.links, range(len(known.links))).items():
            rows.append(row)
            labels.append(link in known.gold)
    return fit_logistic(rows, labels, [1.0] * len(rows))


def cross_validate_pagination(pages: Sequence[PagedPage]) -> SequenceScore:
    """Score models that have seen no page of the fold's sites."""
    names = sorted({page.site for page in pages})
    fold = {name: number % PAGINATION_FOLDS for number, name in enumerate(names)}
    pairs: list[tuple[bool, bool]] = []
    for number in range(PAGINATION_FOLDS):
        model = train_pagination([page for page in pages if fold[page.site] != number])
        for page in pages:
            if fold[page.site] == number:
                pairs += pairs_of(model, page)
    return sequence_score("cross-validated by site", pages, pairs)


MENU_COST = (
    0.01  # of a mistake, for standardised features: few sites train it; 0.003 to 0.1 are as good
)


MOST_OF_SITE = 300  # training blocks of a site


def train_menus(blocks: Sequence[TrainingBlock]) -> str:
    """Fit a model to repetition; sites and classes have the same weight."""
    kept = [
        block for site in sorted({b.site for b in blocks}) for block in clear_blocks(blocks, site)
    ]
    sizes: dict[tuple[str, bool], int] = {}
    for block in kept:
        group = (block.site, block.share >= REPEATED_ON_SIBLINGS)
        sizes[group] = sizes.get(group, 0) + 1
    labels = [block.share >= REPEATED_ON_SIBLINGS for block in kept]
    weights = [
        len(kept) / len(sizes) / sizes[block.site, label]
        for block, label in zip(kept, labels, strict=True)
    ]
    return fit_logistic([block.row for block in kept], labels, weights, cost=MENU_COST)


def clear_blocks(blocks: Sequence[TrainingBlock], site: str) -> list[TrainingBlock]:
    """Take clear blocks of a site, evenly over its pages."""
    sure = [b for b in blocks if b.site == site and not GREY[0] < b.share < GREY[1]]
    step = max(1, -(-len(sure) // MOST_OF_SITE))
    return sure[::step]


def leave_one_out(blocks: Sequence[TrainingBlock]) -> tuple[list[MenuScore], list[MenuScore]]:
    """Train on all sites but one and test there, against the markup and against siblings."""
    by_markup, by_siblings = [], []
    for site in sorted({block.site for block in blocks}):
        model = read_model(train_menus([block for block in blocks if block.site != site]))
        tested = [block for block in blocks if block.site == site]
        called = [model.score(block.row) > 0 for block in tested]
        pairs = list(zip(tested, called, strict=True))
        by_markup.append(menu_score(site, [(b.share, b.zone, answer) for b, answer in pairs]))
        by_siblings.append(
            menu_score(site, [(b.share, zone_by_repetition(b), answer) for b, answer in pairs])
        )
    return with_mean_menus(by_markup), with_mean_menus(by_siblings)


def zone_by_repetition(block: TrainingBlock) -> str:
    """Return the zone of a block by repetition; nothing where that is unclear."""
    if block.share >= GREY[1]:
        return MENU
    return CONTENT_ZONE if block.share <= GREY[0] else ""


FACTORS = (1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 4.0)  # tried for the threshold


def by_density(page: MarkedPage) -> BlockNumbers:
    """Run DBSCAN at the paper's threshold."""
    positions = paper_links(page.page).places
    return dbscan(positions, gap_threshold(link_gaps(positions)))


def with_true_k(
    page: MarkedPage, method: Callable[[Sequence[int], int], list[int]]
) -> BlockNumbers:
    """Run a method that is given the number of blocks and the judged links only."""
    positions, judged = paper_links(page.page).places, page.marked
    count = len({page.blocks[link] for link in judged})
    found = method([positions[link] for link in judged], count)
    labels = [-1] * len(positions)
    for link, label in zip(judged, found, strict=True):
        labels[link] = label
    return labels


def cross_validated_clusterings(pages: Sequence[MarkedPage]) -> list[BlockScore]:
    """Score our rule with its factor chosen, for each fold of sites, on the other folds."""
    judged = [page for page in pages if len(page.marked) > 1]
    table = {
        factor: [
            clustering_score("", page, block_numbers_of(Spread(factor).blocks(page.page)))
            for page in judged
        ]
        for factor in FACTORS
    }
    found = []
    for number, page in enumerate(judged):
        others = [
            index for index in range(len(judged)) if index % SITE_FOLDS != number % SITE_FOLDS
        ]
        means = {
            factor: fmean(scores[index].ari for index in others) for factor, scores in table.items()
        }
        best = max(means, key=means.__getitem__) if others else TIMES
        chosen = table[best][number]
        found.append(
            BlockScore("ours, cross-validated", page.name, chosen.ari, chosen.ami, chosen.blocks)
        )
    return found


def with_factors(pages: Sequence[MarkedPage]) -> list[ClusterScore]:
    """Score our rule with each factor, with and without whole lists."""
    rules = [Spread(factor, lists) for lists in (True, False) for factor in FACTORS]
    scores = [
        clustering_score(str(rule), page, block_numbers_of(rule.blocks(page.page)))
        for rule in rules
        for page in pages
        if len(page.marked) > 1
    ]
    return mean_clusterings(scores)


def all_clusterings() -> dict[str, ClusteringMethod]:
    """Return the methods that learn nothing, and those of scikit-learn before ours."""
    known = clustering_methods()
    ours = known.pop(OUR_METHOD)
    return {
        **known,
        "DBSCAN": by_density,
        "K-Means, true K": lambda page: with_true_k(page, k_means),
        "spectral, true K": lambda page: with_true_k(page, spectral),
        OUR_METHOD: ours,
    }


def trained_clusters(pages: Sequence[MarkedPage], plots: Path | None) -> Tables:
    """Score all methods to cluster links, ours also with another threshold."""
    scores = score_clusterings(pages, all_clusterings()) + cross_validated_clusterings(pages)
    if plots is not None:
        plot_clusterings(scores, plots)
    return {
        CLUSTERS: mean_clusterings(scores),
        "our threshold with other factors": with_factors(pages),
        EACH_PAGE: scores,
    }


def trained_classes(pages: Sequence[MarkedPage], plots: Path | None) -> Tables:
    """Score the systems that recognise navigation."""
    curves = {
        system.name: learning_curve(pages, system)
        for system in systems()
        if system.name in CURVES_OF
    }
    if plots is not None:
        lines = [
            PlotLine(name, tuple((point.share, point.f1) for point in curve))
            for name, curve in curves.items()
        ]
        file = plots / "figure-7-learning.svg"
        plot(file, lines, title="Learning curve", x="training links (%)", y="F1")
    return {
        CLASSES: compare_systems(pages),
        "navigation or not, one half of the sites teaches": half_the_sites(pages),
        "what groups of features bring, cross-validated": without_groups(pages),
        CURVE: [point for curve in curves.values() for point in curve],
    }


def trained_menus(blocks: Sequence[SiteBlock], _plots: Path | None = None) -> Tables:
    """Score menus by repetition, and by models trained on repetition."""
    by_markup, by_siblings = leave_one_out(training_blocks(blocks))
    known = menu_tables(blocks)
    repetition = known.pop(REPETITION)
    return {REPETITION: repetition, BY_MARKUP: by_markup, BY_SIBLINGS: by_siblings, **known}


def trained_pagination(pages: Sequence[PagedPage], _plots: Path | None = None) -> Tables:
    """Score pagination links."""
    return {PAGINATION: [cross_validate_pagination(pages), with_shipped_pagination(pages)]}


def trained_tables() -> dict[str, MakeTables]:
    """Return what makes the tables of each part; raise if scikit-learn is missing."""
    require_sklearn()
    return {
        "clusters": trained_clusters,
        "classes": trained_classes,
        "menus": trained_menus,
        "pagination": trained_pagination,
    }
