"""Training of the models of main content.

Later models see the answers of earlier ones. So that these are as good as on new pages, those for
each fold of owners are given by models that were fitted to the others.
"""

from __future__ import annotations

import json
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias
from zlib import crc32

from research.training import network_training
from research.training.type_weights import NEWS_WEIGHT, TypeExample, fit_types
from webstencil.content.model import (
    ALL_RUN_FEATURES,
    FARTHEST_DEVIATION,
    MOST_TREE_LEAVES,
    ContentModel,
    PageFeatures,
    Tree,
    content_model_of,
    group_shares,
    run_feature_rows,
    run_surroundings,
    view,
)
from webstencil.content.page_types import type_weights_of
from webstencil.content.runs import TextRuns, flatten
from webstencil.errors import SettingsError
from webstencil.evaluate.content import (
    ALL_SEEN,
    IN_STREAM,
    SELECTED,
    SINGLE_PAGE,
    ContentGold,
    ContentScore,
    parsed_page,
    run_seen,
    run_single,
    run_stream,
    score_content,
)
from webstencil.evaluate.scores import words_in
from webstencil.site.type_votes import PageType
from webstencil.urls import site_of

if TYPE_CHECKING:
    from webstencil.content.page_features import Tokens

# Which runs of a page are content, by the words of its gold.


LONG = 4  # words from which a run is aligned with the gold on its own
SAME = 5  # words from which a run that repeats content is content
MOSTLY = 0.5  # of a run's words in the gold: the run is content
SLACK = 2  # words that may stand between those of a short run


NOWHERE = -1  # instead of the place of a word that the gold does not have


def content_labels(texts: Sequence[str], gold: str) -> list[bool]:
    """Align runs and gold by their longest common subsequence.

    Short runs are aligned between the long ones. A run without words goes with the one before it.
    """
    runs, wanted = [words_in(text) for text in texts], words_in(gold)
    spans = _long_runs(runs, wanted)
    found = [run in spans for run in range(len(runs))]
    edges = [
        (NOWHERE, NOWHERE, NOWHERE),
        *[(run, *span) for run, span in sorted(spans.items())],
        (len(runs), len(wanted), len(wanted)),
    ]
    for (before, _, start), (after, end, _) in pairwise(edges):
        for run in _short_runs(runs, range(before + 1, after), wanted[start + 1 : end]):
            found[run] = True
    said = {tuple(own) for own, is_content in zip(runs, found, strict=True) if is_content}
    for place, own in enumerate(runs):
        if len(own) >= SAME and tuple(own) in said:
            found[place] = True
        elif not own:
            found[place] = place > 0 and found[place - 1]
    return found


def aligned(text: Sequence[str], gold: Sequence[str]) -> list[int]:
    """Return the place in the gold of each word in the longest common subsequence, else NOWHERE.

    Rows of the table are kept as bits of integers (Hyyrö, Bit-parallel LCS, 2004).
    """
    positions: dict[str, int] = {}
    for position, word in enumerate(text):
        positions[word] = positions.get(word, 0) | 1 << position
    row = every = (1 << len(text)) - 1
    rows = [row]
    for word in gold:
        hits = row & positions.get(word, 0)
        row = (row + hits | row - hits) & every
        rows.append(row)
    places = [NOWHERE] * len(text)
    at, position = len(rows) - 1, len(text)
    while at and position:
        bit = 1 << position - 1
        if rows[at] & bit:
            position -= 1
        elif not rows[at - 1] & bit:
            at -= 1
        else:
            at -= 1
            position -= 1
            places[position] = at
    return places


def common_words(text: Sequence[str], gold: Sequence[str]) -> list[bool]:
    """Return which words of a text are in its longest common subsequence with the gold."""
    return [place != NOWHERE for place in aligned(text, gold)]


def _long_runs(runs: Sequence[list[str]], wanted: Sequence[str]) -> dict[int, tuple[int, int]]:
    """Return the long runs in the gold, with their first and last word there."""
    long = [run for run, said in enumerate(runs) if len(said) >= LONG]
    places = aligned([word for run in long for word in runs[run]], wanted)
    spans, start = {}, 0
    for run in long:
        end = start + len(runs[run])
        hits = [place for place in places[start:end] if place != NOWHERE]
        if len(hits) > MOSTLY * len(runs[run]):
            spans[run] = (hits[0], hits[-1])
        start = end
    return spans


def _short_runs(runs: Sequence[list[str]], between: range, wanted: Sequence[str]) -> list[int]:
    """List the short runs in a gap whose words are in that part of the gold, close together."""
    short = [run for run in between if 0 < len(runs[run]) < LONG]
    if not short or not wanted:
        return []
    places = aligned([word for run in short for word in runs[run]], wanted)
    found, start = [], 0
    for run in short:
        size = len(runs[run])
        hits = [place for place in places[start : start + size] if place != NOWHERE]
        start += size
        if len(hits) > MOSTLY * size and hits[-1] - hits[0] < size + SLACK:
            found.append(run)
    return found


# Pages with gold as examples for the models of main content.


# Weights of a page by where its gold comes from, chosen by cross-validation.
TYPED_WEIGHT = 1.0  # pages of all types
HAND_WEIGHT = 0.7  # news and blogs only
SELECTED_WEIGHT = 0.4  # gold by a selector, which is coarse
_YEAR = re.compile(r"-\d+$")  # at the end of the name of a site: `bbc-05`
FEWEST_WORDS = 20  # of a gold: shorter ones weigh no more


@dataclass(frozen=True, slots=True)
class Example:
    """A page with the labels of its runs."""

    owner: str  # pages of one owner are in one fold
    page_type: str  # empty if it is not known
    hand: bool  # gold by hand: news or a blog
    view: PageFeatures
    content: list[bool]
    weights: list[float]


def examples(pages: Iterable[ContentGold]) -> Iterator[Example]:
    """Yield the pages that have gold and text."""
    for page in pages:
        if page.gold is None:
            continue
        parsed = parsed_page(page)
        runs = flatten(parsed.markup)
        if not runs.texts:
            continue
        hand = page.set != SELECTED and not page.page_type
        base = HAND_WEIGHT if hand else TYPED_WEIGHT if page.page_type else SELECTED_WEIGHT
        whole = max(len(words_in(page.gold)), FEWEST_WORDS)
        yield Example(
            owner_of(page),
            page.page_type,
            hand,
            replace(view(parsed, runs), runs=_light(runs)),
            content_labels(runs.texts, page.gold),
            [base * min(max(len(words_in(text)), 0.5) / whole, 1.0) for text in runs.texts],
        )


def _light(runs: TextRuns) -> TextRuns:
    """Return runs without the nodes of the page, which take most of the memory."""
    return replace(runs, elements=[], pieces=[])


def owner_of(page: ContentGold) -> str:
    """Return who owns a page: its registered domain, or the name of its site."""
    if page.page_type:
        return site_of(page.url)
    name = _YEAR.sub("", page.site.rpartition("/")[2])
    return site_of(f"http://{name}/").partition(".")[0]


INNER = 5  # folds for the answers that later models see
TOKEN_OWNERS, TOKENS, TOKEN_C, TOKEN_ROUNDS = 12, 1_500, 0.02, 60
TREES, RATE = 110, 0.1
LEAF_RUNS, LEAF_L2, SPLIT_SHARE, BINS = 300, 10.0, 0.35, 63
LEAST_DEVIATION = 1e-6  # of a feature: one that is always the same makes no difference

Array: TypeAlias = Any  # of numpy, which is not typed here
Written: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fit:
    """Trained models, as they are written."""

    content: Written
    types: Written

    def model(self) -> ContentModel:
        """Return the models as the extractor takes them."""
        return content_model_of(self.content, type_weights_of(self.types))


@dataclass(frozen=True, slots=True)
class Data:
    """All runs of some examples as arrays."""

    known: list[Example]
    folds: Array  # of the examples
    sizes: Array  # runs of the examples
    content: Array  # of the runs
    weights: Array  # of the runs, 1 on average

    def runs_of(self, known: Array) -> Array:
        """Return what is known of examples, for each of their runs."""
        import numpy

        return numpy.repeat(known, self.sizes, axis=0)

    @property
    def parts(self) -> list[slice]:
        """Return which runs are of each example."""
        ends = self.sizes.cumsum()
        return [slice(end - size, end) for end, size in zip(ends, self.sizes, strict=True)]


def fit(found: Iterable[Example]) -> Fit:
    """Fit the page types and the tokens, then the judges, which see the answers of both."""
    data = _data(list(found))
    types = _out_of_fold(data, partial(_fit_types, data))
    tokens = _out_of_fold(data, _token_fitter(data, types.answers), of_runs=True)
    rows = _rows(data, tokens.answers, types.answers)
    trees, network = _fit_trees(data, rows), _fit_network(data, rows)
    content = {"tokens": tokens.written, "trees": trees, "network": network}
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
    for fold in sorted(set(folds.tolist())):
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
    model = type_weights_of(written)
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


def _token_fitter(data: Data, types: Array) -> Callable[[Array], tuple[Array, Written]]:
    """Return a function that fits the weights of tokens to chosen runs, on all types of pages."""
    import numpy
    from scipy import sparse
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    everyone = numpy.ones(len(data.known), bool)
    tokens = [
        (one.owner, [*one.view.blocks, *one.view.texts, *one.view.heads.values()])
        for one in data.known
    ]
    wanted = _used_by(tokens, everyone, TOKEN_OWNERS)
    counts = _counts(_run_tokens(data.known), wanted)
    kept = _telling(counts, data)
    shares = data.runs_of(numpy.array([group_shares(own) for own in types]))
    columns = [sparse.diags(share) @ counts[:, kept] for share in shares.T]
    typed = sparse.hstack(columns).tocsr()
    weights, content = data.weights, data.content

    def fitter(chosen: Array) -> tuple[Array, Written]:
        if not len(kept):
            return numpy.zeros(len(content)), {}
        model = LogisticRegression(C=TOKEN_C, max_iter=TOKEN_ROUNDS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # to stop early is wanted
            model.fit(typed[chosen], content[chosen], sample_weight=weights[chosen])
        rows = model.coef_[0].reshape(len(columns), len(kept)).T
        names = [wanted[one] for one in kept]
        written = {name: _rounded(row, 4) for name, row in zip(names, rows, strict=True)}
        return typed @ model.coef_[0], written

    return fitter


def _telling(counts: Array, data: Data) -> Array:
    """Return the tokens that tell most of whether a run is content."""
    import numpy

    weights, content = data.weights, data.content
    held, whole = counts.T @ (weights * content), counts.T @ weights
    usual = (weights * content).sum() / weights.sum()
    gains = numpy.abs(held - usual * whole) / numpy.sqrt(whole + 1e-9)
    return numpy.sort(numpy.argsort(-gains, kind="stable")[:TOKENS])


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


def _rows(data: Data, tokens: Array, types: Array) -> list[Array]:
    """Return the features of the runs of each example."""
    return [
        run_feature_rows(one.view, tokens[part], tuple(own))
        for one, part, own in zip(data.known, data.parts, types, strict=True)
    ]


def _fit_network(data: Data, rows: Sequence[Array]) -> Written:
    """Fit the network to all examples."""
    import numpy

    everything = numpy.concatenate(rows)
    means = everything.mean(0, numpy.float64).astype(numpy.float32)
    deviations = everything.std(0, numpy.float64).astype(numpy.float32) + LEAST_DEVIATION
    lessons = [
        network_training.Lesson(
            numpy.clip((own - means) / deviations, -FARTHEST_DEVIATION, FARTHEST_DEVIATION),
            run_surroundings(one.view.runs, one.view.looks.shape),
            data.content[part].astype(numpy.float32),
            data.weights[part].astype(numpy.float32),
        )
        for one, own, part in zip(data.known, rows, data.parts, strict=True)
    ]
    network = network_training.train(lessons, means, deviations)
    return network_training.written(network, ALL_RUN_FEATURES)


def _fit_trees(data: Data, rows: Sequence[Array]) -> list[Tree]:
    """Fit the trees to all examples; the first value is what all runs begin with."""
    import numpy
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=TREES,
        max_leaf_nodes=MOST_TREE_LEAVES,
        learning_rate=RATE,
        min_samples_leaf=LEAF_RUNS,
        l2_regularization=LEAF_L2,
        max_features=SPLIT_SHARE,
        max_bins=BINS,
        early_stopping=False,
        random_state=0,
    )
    model.fit(numpy.concatenate(rows), data.content, sample_weight=data.weights)
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
                ALL_RUN_FEATURES[node["feature_idx"]],
                float(f"{float(node['num_threshold']):.6g}"),
                written[node["left"]],
                written[node["right"]],
            ]
        )
    return written[0]


def write(written: Written, indent: str = " ") -> str:
    """Write a model, one entry of each part a line."""
    parts = []
    for name, part in written.items():
        if isinstance(part, dict) and any(isinstance(value, dict) for value in part.values()):
            text = write(part, indent + " ").strip()
        elif isinstance(part, dict):
            lines = [f"{indent} {json.dumps(key)}: {json.dumps(one)}" for key, one in part.items()]
            text = "{\n" + ",\n".join(lines) + f"\n{indent}}}"
        elif isinstance(part, list):
            text = "[\n" + ",\n".join([f"{indent} {json.dumps(one)}" for one in part])
            text += f"\n{indent}]"
        else:
            text = json.dumps(part)
        parts.append(f"{indent}{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(parts) + f"\n{indent[1:]}}}\n"


def cross_validate(pages: Sequence[ContentGold], number: int) -> Iterator[ContentScore]:
    """Score the pages of each fold of owners with models fitted to the other folds."""
    fold_of = [crc32(owner_of(page).encode()) % number for page in pages]
    known = list(examples(pages))
    for fold in range(number):
        others = [one for one in known if crc32(one.owner.encode()) % number != fold]
        model = fit(others).model()
        ways = {
            name: partial(run, model=model)
            for name, run in (
                (SINGLE_PAGE, run_single),
                (IN_STREAM, run_stream),
                (ALL_SEEN, run_seen),
            )
        }
        yield from score_content(
            [page for page, own in zip(pages, fold_of, strict=True) if own == fold], ways
        )
