"""What scikit-learn is needed for: the paper's baselines and the fitting of models.

The models themselves are numbers in a JSON file; predicting needs no library.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TypeAlias

from webstencil.errors import WebstencilError

SEED = 0
Labels: TypeAlias = list[int]
Rows: TypeAlias = Sequence[Sequence[float]]


def require_sklearn() -> None:
    """Raise an error that names the extra if scikit-learn is missing."""
    if find_spec("sklearn") is None:
        raise WebstencilError(
            "measuring navigation needs scikit-learn; `pip install webstencil[train]`"
        )


def dbscan(places: Sequence[int], gap: float) -> Labels:
    """Cluster by density (section 5.3.1); no link is noise, since one is enough for a core."""
    from sklearn.cluster import DBSCAN  # noqa: PLC0415 - optional

    found = DBSCAN(eps=max(gap, 0.5), min_samples=1).fit_predict([[place] for place in places])
    return [int(label) for label in found]


def k_means(places: Sequence[int], count: int) -> Labels:
    """Cluster into the true number of blocks (section 5.3.1)."""
    from sklearn.cluster import KMeans  # noqa: PLC0415 - optional

    clusters = KMeans(n_clusters=count, n_init=10, random_state=SEED)
    return [int(label) for label in clusters.fit_predict([[float(place)] for place in places])]


def spectral(places: Sequence[int], count: int) -> Labels:
    """Cluster into the true number of blocks, affinity by the one nearest neighbour."""
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
