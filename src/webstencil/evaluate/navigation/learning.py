"""What needs scikit-learn: the paper's baselines, and training models.

A model is a JSON text of numbers; using it needs no library, and evaluations use that text.
"""

import json
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TypeAlias

from webstencil.errors import WebstencilError

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


def dbscan(places: Sequence[int], gap: float) -> Labels:
    """Cluster by density (section 5.3.1); one link is a core, so none is noise."""
    from sklearn.cluster import DBSCAN  # noqa: PLC0415 - optional

    found = DBSCAN(eps=max(gap, 0.5), min_samples=1).fit_predict([[place] for place in places])
    return [int(label) for label in found]


def k_means(places: Sequence[int], count: int) -> Labels:
    """Cluster into the number of marked blocks (section 5.3.1)."""
    from sklearn.cluster import KMeans  # noqa: PLC0415 - optional

    clusters = KMeans(n_clusters=count, n_init=10, random_state=SEED)
    return [int(label) for label in clusters.fit_predict([[float(place)] for place in places])]


def spectral(places: Sequence[int], count: int) -> Labels:
    """Cluster into the number of marked blocks, by affinity to the nearest link."""
    import warnings  # noqa: PLC0415 - beside its only use

    from sklearn.cluster import SpectralClustering  # noqa: PLC0415 - optional

    if count >= len(places):
        return list(range(len(places)))
    clusters = SpectralClustering(
        n_clusters=count, affinity="nearest_neighbors", n_neighbors=2, random_state=SEED
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the graph of nearest neighbours is never connected
        found = clusters.fit_predict([[float(place)] for place in places])
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
