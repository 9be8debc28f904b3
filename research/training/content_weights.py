"""Training of the weights of main content by logistic regression."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from webstencil.errors import SettingsError
from webstencil.evaluate.content.data import SELECTED, ContentGold
from webstencil.evaluate.content.scores import (
    SEEN,
    SINGLE,
    STREAM,
    ContentScore,
    run_seen,
    run_single,
    run_stream,
    score_pages,
)
from webstencil.evaluate.words import common_words, words
from webstencil.extract.content.run_features import PAGE_FEATURES, Row, look
from webstencil.extract.content.runs import flatten
from webstencil.extract.content.scoring import ContentWeights, weights_of
from webstencil.markup import Markup

REGULARISATION = 2e-3  # C of scikit-learn, for examples that weigh 1 on average
SELECTED_WEIGHT = 0.1  # of a page whose gold a selector gives: such gold is coarse
HEAD = """The weights of the page score, made by `webstencil evaluate train-content`.

A logistic regression: each weight is of one of `PAGE_FEATURES`, in their order and unit.
"""
MOSTLY = 0.5  # of a run's words in the gold: the run is content


@dataclass(frozen=True, slots=True)
class Example:
    """The runs of a page with their gold."""

    site: str
    rows: list[Row]
    content: list[bool]
    weights: list[float]


@dataclass(frozen=True, slots=True)
class Fit:
    """Trained weights."""

    bias: float
    weights: tuple[float, ...]  # of PAGE_FEATURES

    def as_weights(self) -> ContentWeights:
        """Return the weights as the extractor takes them."""
        return weights_of(self.bias, dict(zip(PAGE_FEATURES, self.weights, strict=True)))


def example(page: ContentGold) -> Example:
    """Label the runs of a page: content has most of its words in the gold, in order."""
    markup = Markup(page.body)
    runs = flatten(markup)
    found = [words(text) for text in runs.texts]
    common = common_words([word for run in found for word in run], words(page.gold or ""))
    content, start = [], 0
    for run in found:
        content.append(sum(common[start : start + len(run)]) > MOSTLY * len(run))
        start += len(run)
    whole = sum(map(len, found)) or 1
    weight = SELECTED_WEIGHT if page.set == SELECTED else 1.0
    shares = [weight * len(run) / whole for run in found]
    return Example(page.site, look(runs, markup.titles(), menus=True).rows(runs), content, shares)


def fit(examples: Iterable[Example]) -> Fit:
    """Fit the weights; all pages have the same weight, runs by their words."""
    try:
        import numpy
        from sklearn.linear_model import LogisticRegression
        from sklearn.preprocessing import StandardScaler
    except ImportError as error:
        raise SettingsError("training needs scikit-learn: pip install webstencil[train]") from error
    known = [known for known in examples if known.rows]
    rows = numpy.array([row for known in known for row in known.rows], dtype=numpy.float64)
    content = numpy.array([label for known in known for label in known.content])
    weights = numpy.array([weight for known in known for weight in known.weights])
    scaler = StandardScaler().fit(rows)
    model = LogisticRegression(C=REGULARISATION, solver="newton-cholesky")
    model.fit(scaler.transform(rows), content, sample_weight=weights / weights.mean())
    raw = model.coef_[0] / scaler.scale_
    bias = float(model.intercept_[0] - (raw * scaler.mean_).sum())
    return Fit(bias, tuple(map(float, raw)))


def write(fitted: Fit) -> str:
    """Write weights as the module that the extractor reads."""
    lines = [f'"""{HEAD}"""', "", f"BIAS = {fitted.bias:.4f}", "WEIGHTS = {"]
    for name, weight in zip(PAGE_FEATURES, fitted.weights, strict=True):
        lines.append(f'    "{name}": {weight:.4f},')
    return "\n".join([*lines, "}", ""])


def cross_validate(pages: Sequence[ContentGold], number: int) -> Iterator[ContentScore]:
    """Score the pages of each fold of sites with weights fitted to the other folds."""
    fold_of = folds(sorted({page.site for page in pages}), number)
    known = [example(page) for page in pages if page.gold is not None]
    for fold in range(number):
        weights = fit(one for one in known if fold_of[one.site] != fold).as_weights()
        ways = {
            name: partial(run, weights=weights)
            for name, run in ((SINGLE, run_single), (STREAM, run_stream), (SEEN, run_seen))
        }
        yield from score_pages([page for page in pages if fold_of[page.site] == fold], ways)


def folds(sites: Sequence[str], number: int) -> dict[str, int]:
    """Assign sites to folds; sites of one owner get the same fold."""
    owners = sorted({owner(site) for site in sites})
    fold_of = {name: index % number for index, name in enumerate(owners)}
    return {site: fold_of[owner(site)] for site in sites}


def owner(site: str) -> str:
    """Return the owner in the name of a site: `bbc` of `set/news.bbc.co.uk`."""
    labels = site.rpartition("/")[2].replace("-", ".").split(".")
    return max(labels, key=len)
