"""Training of the models of main content.

Later models see the answers of earlier ones. So that these are as good as on new pages, those for
each fold of owners are given by models that were fitted to the others.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias
from zlib import crc32

from research.training.content_examples import Example, examples, owner_of
from research.training.type_weights import NEWS_WEIGHT, TypeExample, fit_types
from webstencil.errors import SettingsError
from webstencil.evaluate.content.data import ContentGold
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
from webstencil.extract.content.content_model import (
    FIRST_FEATURES,
    SECOND_FEATURES,
    ContentModel,
    Tree,
    again,
    model_of,
)
from webstencil.extract.content.page_types import PageType, types_of

if TYPE_CHECKING:
    from webstencil.extract.content.name_tokens import Tokens

INNER = 5  # folds for the answers that later models see
TOKEN_OWNERS, TOKENS, TOKEN_C = 12, 1_500, 0.02
FIRST_C = 0.01
TREES, LEAVES, RATE = 110, 16, 0.1
LEAF_RUNS, LEAF_L2, SPLIT_SHARE, BINS = 300, 10.0, 0.35, 63

Array: TypeAlias = Any  # of numpy, which is not typed here
Written: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fit:
    """Trained models, as they are written."""

    content: Written
    types: Written

    def model(self) -> ContentModel:
        """Return the models as the extractor takes them."""
        return model_of(self.content, types_of(self.types))


@dataclass(frozen=True, slots=True)
class Data:
    """All runs of some examples as arrays."""

    known: list[Example]
    folds: Array  # of the examples
    sizes: Array  # runs of the examples
    content: Array  # of the runs
    weights: Array  # of the runs, 1 on average

    def runs_of(self, chosen: Array) -> Array:
        """Return which runs are of chosen examples."""
        import numpy

        return numpy.repeat(chosen, self.sizes)


def fit(found: Iterable[Example]) -> Fit:
    """Fit both passes and the page types."""
    numpy = _numpy()
    data = _data(list(found))
    types = _out_of_fold(data, partial(_fit_types, data))
    shares = numpy.repeat(types.answers, data.sizes, axis=0)
    tokens = _out_of_fold(data, _token_fitter(data), of_runs=True)
    rows = numpy.column_stack([_rows(data, tokens.answers), shares]).astype(numpy.float32)
    first = _out_of_fold(data, partial(_fit_first, data, rows), of_runs=True)
    rows = numpy.column_stack([rows, _again(data, first.answers)]).astype(numpy.float32)
    content = {**first.written, "tokens": tokens.written, "trees": _fit_trees(data, rows)}
    return Fit(content, types.written)


def _numpy() -> Any:
    try:
        import numpy
        import sklearn  # noqa: F401 - is it there?
    except ImportError as error:
        raise SettingsError("training needs scikit-learn: pip install webstencil[train]") from error
    return numpy


def _data(known: list[Example]) -> Data:
    numpy = _numpy()
    weights = numpy.array([weight for one in known for weight in one.weights])
    return Data(
        known,
        numpy.array([crc32(one.owner.encode()) % INNER for one in known]),
        numpy.array([len(one.content) for one in known]),
        numpy.array([label for one in known for label in one.content]),
        weights / weights.mean(),
    )


@dataclass(frozen=True, slots=True)
class _Fitted:
    """The answers of models to examples or runs they were not fitted to, and the model of all."""

    answers: Array
    written: Written


def _out_of_fold(
    data: Data, fitter: Callable[[Array], tuple[Array, Written]], *, of_runs: bool = False
) -> _Fitted:
    """Fit to all folds but one, and answer for that one; then fit to all."""
    folds = data.runs_of(data.folds) if of_runs else data.folds
    answers = None
    for fold in range(INNER):
        found, _ = fitter(folds != fold)
        answers = found.copy() if answers is None else answers
        answers[folds == fold] = found[folds == fold]
    return _Fitted(answers, fitter(folds == folds)[1])  # noqa: PLR0124 - all of them


def _fit_types(data: Data, chosen: Array) -> tuple[Array, Written]:
    """Fit the page types; return the shares of all examples."""
    import numpy

    known = [
        TypeExample(
            one.owner,
            one.page_type or PageType.ARTICLE.value,
            1.0 if one.page_type else NEWS_WEIGHT,
            frozenset(one.view.about),
            tuple(one.view.numbers),
            bool(one.page_type),
        )
        for one, is_chosen in zip(data.known, chosen, strict=True)
        if is_chosen and (one.page_type or one.hand)
    ]
    written = fit_types(known)
    model = types_of(written)
    return numpy.array(
        [model.shares(one.view.about, one.view.numbers) for one in data.known]
    ), written


def _rounded(values: Iterable[float], digits: int) -> list[float]:
    return [round(float(value), digits) for value in values]


def _used_by(
    tokens: Sequence[tuple[str, Iterable[Iterable[str]]]], chosen: Array, owners: int
) -> list[str]:
    """List the tokens that enough owners of chosen examples use."""
    users: defaultdict[str, set[str]] = defaultdict(set)
    for (owner, lists), is_chosen in zip(tokens, chosen, strict=True):
        for token in {token for some in lists for token in some} if is_chosen else ():
            users[token].add(owner)
    return sorted(token for token, known in users.items() if len(known) >= owners)


def _counts(lists: Iterable[Iterable[str]], wanted: Sequence[str]) -> Array:
    """Return how often each list has each wanted token, as a sparse matrix."""
    import numpy
    from scipy import sparse

    places = {token: place for place, token in enumerate(wanted)}
    found: list[int] = []
    ends = [0]
    for tokens in lists:
        found.extend([places[token] for token in tokens if token in places])
        ends.append(len(found))
    ones = numpy.ones(len(found), numpy.float32)
    matrix = sparse.csr_matrix((ones, found, ends), shape=(len(ends) - 1, len(wanted)))
    matrix.sum_duplicates()
    return matrix


def _token_fitter(data: Data) -> Callable[[Array], tuple[Array, Written]]:
    """Return a function that fits the weights of tokens to chosen runs."""
    import numpy
    from sklearn.linear_model import LogisticRegression

    everyone = numpy.ones(len(data.known), bool)
    tokens = [
        (one.owner, [*one.view.blocks, *one.view.texts, *one.view.heads.values()])
        for one in data.known
    ]
    wanted = _used_by(tokens, everyone, TOKEN_OWNERS)
    counts = _counts(_run_tokens(data.known), wanted)
    weights, content = data.weights, data.content
    held, whole = counts.T @ (weights * content), counts.T @ weights
    usual = (weights * content).sum() / weights.sum()
    gains = numpy.abs(held - usual * whole) / numpy.sqrt(whole + 1e-9)
    kept = numpy.sort(numpy.argsort(-gains, kind="stable")[:TOKENS])
    counts = counts[:, kept].tocsr()

    def fitter(chosen: Array) -> tuple[Array, Written]:
        if not len(kept):
            return numpy.zeros(len(content)), {}
        model = LogisticRegression(C=TOKEN_C, max_iter=60)
        model.fit(counts[chosen], content[chosen], sample_weight=weights[chosen])
        found = counts @ model.coef_[0]
        names = [wanted[one] for one in kept]
        return found, dict(zip(names, _rounded(model.coef_[0], 4), strict=True))

    return fitter


def _run_tokens(known: Iterable[Example]) -> Iterator[Tokens]:
    """Yield the tokens of each run: those of all blocks around it, of its text and heading."""
    for one in known:
        seen = one.view
        around: list[Tokens] = []
        for parent, own in zip(seen.runs.parents, seen.blocks, strict=True):
            around.append((around[parent] if parent >= 0 else ()) + own)
        headings = seen.looks.shape.headings
        for block, text, head in zip(seen.runs.blocks, seen.texts, headings, strict=True):
            yield around[block] + text + seen.heads.get(head, ())


def _rows(data: Data, tokens: Array) -> Array:
    """Return the features of all runs but for the types, in the order of FIRST_FEATURES."""
    import numpy

    found, start = [], 0
    for one in data.known:
        looks, end = one.view.looks, start + len(one.content)
        found.append(
            numpy.column_stack(
                [
                    numpy.array(looks.runs, numpy.float32),
                    tokens[start:end],
                    numpy.array(
                        [looks.blocks[block] for block in one.view.runs.blocks], numpy.float32
                    ),
                    numpy.tile(numpy.array(looks.page, numpy.float32), (end - start, 1)),
                ]
            )
        )
        start = end
    return numpy.concatenate(found)


def _fit_first(data: Data, rows: Array, chosen: Array) -> tuple[Array, Written]:
    """Fit the first pass; return the probabilities of all runs."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(rows)
    model = LogisticRegression(C=FIRST_C, solver="newton-cholesky", max_iter=8, tol=1e-3)
    scaled = scaler.transform(rows)
    model.fit(scaled[chosen], data.content[chosen], sample_weight=data.weights[chosen])
    weights = model.coef_[0] / scaler.scale_
    bias = float(model.intercept_[0] - (weights * scaler.mean_).sum())
    named = dict(zip(FIRST_FEATURES, _rounded(weights, 5), strict=True))
    return model.predict_proba(scaled)[:, 1], {"bias": round(bias, 5), "weights": named}


def _again(data: Data, first: Array) -> Array:
    """Return the features of the second pass that the first one gives."""
    import numpy

    found, start = [], 0
    for one in data.known:
        end = start + len(one.content)
        runs = one.view.runs
        rows, held, whole = again(runs, one.view.looks.shape, first[start:end].tolist())
        found.append(
            numpy.column_stack(
                [
                    numpy.array(rows, numpy.float32),
                    numpy.array([held[block] for block in runs.blocks], numpy.float32),
                    numpy.tile(numpy.array(whole, numpy.float32), (end - start, 1)),
                ]
            )
        )
        start = end
    return numpy.concatenate(found)


def _fit_trees(data: Data, rows: Array) -> list[Tree]:
    """Fit the second pass; the first value is what all runs begin with."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=TREES,
        max_leaf_nodes=LEAVES,
        learning_rate=RATE,
        min_samples_leaf=LEAF_RUNS,
        l2_regularization=LEAF_L2,
        max_features=SPLIT_SHARE,
        max_bins=BINS,
        early_stopping=False,
        random_state=0,
    )
    model.fit(rows, data.content, sample_weight=data.weights)
    start = float(model._baseline_prediction.ravel()[0])  # noqa: SLF001 - it has no public name
    trees = [of_class[0].nodes for of_class in model._predictors]  # noqa: SLF001 - the same
    return [round(start, 5), *[_tree(nodes) for nodes in trees]]


def _tree(nodes: Array) -> Tree:
    """Write a tree: children come after their parent, so from the last to the first."""
    written: list[Tree] = [0.0] * len(nodes)
    for place in range(len(nodes) - 1, -1, -1):
        node = nodes[place]
        written[place] = (
            round(float(node["value"]), 5)
            if node["is_leaf"]
            else [
                SECOND_FEATURES[node["feature_idx"]],
                float(f"{float(node['num_threshold']):.6g}"),
                written[node["left"]],
                written[node["right"]],
            ]
        )
    return written[0]


def write(written: Written) -> str:
    """Write a model, one entry of each part a line."""
    parts = []
    for name, part in written.items():
        if isinstance(part, dict):
            lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in part.items()]
            parts.append(f" {json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n }")
        elif isinstance(part, list):
            lines = [f"  {json.dumps(value)}" for value in part]
            parts.append(f" {json.dumps(name)}: [\n" + ",\n".join(lines) + "\n ]")
        else:
            parts.append(f" {json.dumps(name)}: {json.dumps(part)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def cross_validate(pages: Sequence[ContentGold], number: int) -> Iterator[ContentScore]:
    """Score the pages of each fold of owners with models fitted to the other folds."""
    fold_of = [crc32(owner_of(page).encode()) % number for page in pages]
    for fold in range(number):
        others = [page for page, own in zip(pages, fold_of, strict=True) if own != fold]
        model = fit(examples(others)).model()
        ways = {
            name: partial(run, model=model)
            for name, run in ((SINGLE, run_single), (STREAM, run_stream), (SEEN, run_seen))
        }
        yield from score_pages(
            [page for page, own in zip(pages, fold_of, strict=True) if own == fold], ways
        )
