"""Training of the model of page types.

It sees pages of all types, and in smaller numbers pages of whole sites, products, news and blogs,
so that no set decides alone. Weights of sets, of types, and the number of tokens were chosen by
cross-validation over domains and by leaving out whole sites.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from zlib import crc32

from webstencil.content.page_features import PAGE_NUMBERS, block_tokens, numbers_of_page, run_tokens
from webstencil.content.page_types import page_tokens, type_weights_of
from webstencil.content.runs import flatten
from webstencil.errors import SettingsError, SourceError
from webstencil.evaluate.labelled_data import readable_page
from webstencil.evaluate.page_types import GoldKind, TypeAnswer, TypeGold, type_answers
from webstencil.site.type_votes import TYPES, PageType
from webstencil.urls import site_of

FEWEST_TYPES = 2  # of the pages
OWNERS, TOKENS, C = 5, 5_000, 0.1  # fewest owners of a token, most tokens, inverse of the penalty
NUMBER_SCALE = 0.5  # of numbers beside tokens, which are 0 or 1
EVEN = 0.25  # power by which rare types weigh more
SITE_WEIGHT = 2.0  # of all pages of a type of one site, in pages
PRODUCT_WEIGHT, PRODUCTS_WEIGHT = 0.3, 0.5  # of a page of a product, of all of one shop
NEWS_WEIGHT = 0.2  # of a page of news or a blog
ROUNDS = 300  # most of the fit
_YEAR = re.compile(r"-\d+$")  # at the end of the name of a site: `bbc-05`

Array: TypeAlias = Any  # of numpy, which is not typed here
Written: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TypeExample:
    """A page whose type is known."""

    owner: str  # pages of one owner are in one fold
    page_type: str
    weight: float
    tokens: frozenset[str]
    numbers: tuple[float, ...]
    common: bool = True  # its tokens count among those that several owners have


def type_examples(pages: Iterable[TypeGold]) -> list[TypeExample]:
    """Return the pages that have a type and text."""
    known = [gold for gold in pages if gold.page_type in TYPES]
    sizes = Counter([(gold.site, gold.page_type) for gold in known])
    return [
        one
        for gold in known
        for one in _example(gold, _weight(gold, sizes[gold.site, gold.page_type]))
    ]


def _example(gold: TypeGold, weight: float) -> Iterator[TypeExample]:
    """Yield a page as an example, if it has text."""
    page = readable_page(gold.raw)
    runs = flatten(page.markup) if page is not None else None
    if page is None or runs is None or not runs.texts:
        return
    yield TypeExample(
        owner_of(gold),
        gold.page_type,
        weight,
        frozenset(page_tokens(page, runs, block_tokens(runs), run_tokens(runs))),
        tuple(numbers_of_page(page, runs)),
        gold.kind is not GoldKind.NEWS,
    )


def _weight(gold: TypeGold, pages: int) -> float:
    """Return the weight of a page; its site has so many of its type."""
    match gold.kind:
        case GoldKind.SITE:
            return SITE_WEIGHT / pages
        case GoldKind.PRODUCT:
            return min(PRODUCT_WEIGHT, PRODUCTS_WEIGHT / pages)
        case GoldKind.NEWS:
            return NEWS_WEIGHT
    return 1.0


def owner_of(gold: TypeGold) -> str:
    """Return who owns a page: its registered domain, or the name of its site."""
    if gold.kind is GoldKind.SITE:
        return gold.site
    if gold.kind is GoldKind.NEWS:
        name = _YEAR.sub("", gold.site.rpartition("/")[2])
        return site_of(f"http://{name}/").partition(".")[0]
    return site_of(gold.raw.url)


def fit_types(known: Sequence[TypeExample]) -> Written:
    """Fit the model; return it as it is written."""
    try:
        import numpy
        from scipy import sparse
        from sklearn.linear_model import LogisticRegression
        from sklearn.preprocessing import StandardScaler
    except ImportError as error:
        raise SettingsError("training needs scikit-learn: pip install webstencil[train]") from error
    labels = numpy.array([one.page_type for one in known])
    if len(set(labels)) < FEWEST_TYPES:
        raise SourceError("training needs pages with page_type, of two types or more")
    own = numpy.array([one.weight for one in known])
    names = _telling(known, labels, own)
    numbers = numpy.array([one.numbers for one in known], float)
    scaler = StandardScaler().fit(numbers, sample_weight=own)
    rows = [_counts(known, names), scaler.transform(numbers) * NUMBER_SCALE]
    model = LogisticRegression(C=C, max_iter=ROUNDS)
    model.fit(sparse.hstack(rows).tocsr(), labels, sample_weight=own * _evened(labels, own))
    places = [TYPES.index(PageType(one)) for one in model.classes_]
    weights = numpy.zeros((len(TYPES), len(names) + len(PAGE_NUMBERS)))
    bias = numpy.full(len(TYPES), -30.0)
    bias[places] = 0.0
    fitted = places[-len(model.coef_) :]  # of two types, only the second has weights
    weights[fitted], bias[fitted] = model.coef_, model.intercept_
    of_numbers = weights[:, len(names) :] * NUMBER_SCALE / scaler.scale_
    bias -= (of_numbers * scaler.mean_).sum(1)
    return {
        "bias": {"bias": _rounded(bias, 4), "usual": _rounded(_usual(known), 3)},
        "tokens": {name: _rounded(weights[:, at], 2) for at, name in enumerate(names)},
        "numbers": {name: _rounded(of_numbers[:, at], 4) for at, name in enumerate(PAGE_NUMBERS)},
    }


def _usual(known: Iterable[TypeExample]) -> list[float]:
    """Return how frequent the types are among pages that were not chosen by type."""
    counts = Counter([one.page_type for one in known if one.weight == 1.0])
    return [counts[one] / (counts.total() or 1) for one in TYPES]


def _rounded(values: Iterable[float], digits: int) -> list[float]:
    return [round(float(value), digits) for value in values]


def _evened(labels: Array, weights: Array) -> Array:
    """Return by how much the pages of each type weigh more, because there are few."""
    import numpy

    sizes: defaultdict[str, float] = defaultdict(float)
    for label, weight in zip(labels, weights, strict=True):
        sizes[label] += weight
    mean = sum(sizes.values()) / len(sizes)
    return numpy.array([(mean / sizes[label]) ** EVEN for label in labels])


def _telling(known: Sequence[TypeExample], labels: Array, weights: Array) -> list[str]:
    """List the tokens of enough owners that tell most about the type, sorted."""
    import numpy

    users: defaultdict[str, set[str]] = defaultdict(set)
    for one in known:
        for token in one.tokens if one.common else ():
            users[token].add(one.owner)
    wanted = sorted(token for token, owners in users.items() if len(owners) >= OWNERS)
    counts = _counts(known, wanted)
    gold = numpy.stack([labels == one for one in TYPES], 1) * weights[:, None]
    held, usual = counts.T @ gold, gold.sum(0)[None] / gold.sum()
    expected = (counts.T @ weights)[:, None] * usual
    gains = (numpy.abs(held - expected) / numpy.sqrt(expected + 1)).max(1)
    return [wanted[at] for at in numpy.sort(numpy.argsort(-gains, kind="stable")[:TOKENS])]


def _counts(known: Iterable[TypeExample], names: Sequence[str]) -> Array:
    """Return which examples have which tokens, as a sparse matrix."""
    import numpy
    from scipy import sparse

    places = {name: place for place, name in enumerate(names)}
    found: list[int] = []
    ends = [0]
    for one in known:
        found.extend(sorted([places[token] for token in one.tokens if token in places]))
        ends.append(len(found))
    ones = numpy.ones(len(found))
    return sparse.csr_matrix((ones, found, ends), shape=(len(ends) - 1, len(names)))


def cross_validate_types(pages: Sequence[TypeGold], folds: int) -> Iterator[TypeAnswer]:
    """Score single pages by folds of domains, and each whole site by a model of all others."""
    known = type_examples(pages)
    sites = sorted({page.site for page in pages if page.kind is GoldKind.SITE})
    for fold in range(folds):
        wanted = [
            page
            for page in pages
            if page.page_type
            and page.kind is not GoldKind.SITE
            and _fold(owner_of(page), folds) == fold
        ]
        others = [one for one in known if one.owner in sites or _fold(one.owner, folds) != fold]
        yield from _answers(wanted, others)
    for site in sites:
        wanted = [page for page in pages if page.kind is GoldKind.SITE and page.site == site]
        yield from _answers(wanted, [one for one in known if one.owner != site])


def _fold(owner: str, folds: int) -> int:
    return crc32(owner.encode()) % folds


def _answers(pages: Sequence[TypeGold], known: Sequence[TypeExample]) -> Iterator[TypeAnswer]:
    """Score pages by a model that is fitted to others."""
    if pages:
        yield from type_answers(pages, type_weights_of(fit_types(known)).shares_of)
