"""The weights of title, date and author, made by `webstencil evaluate train-metadata`.

Each is of a sign of a candidate; a candidate's score is the sum over its signs.
"""

import json
from functools import lru_cache
from importlib.resources import files

Weights = dict[str, float]  # by sign


@lru_cache(maxsize=1)
def fitted_metadata() -> dict[str, Weights]:
    """Read the weights that come with the package, by field."""
    file = files("webstencil.extract.about").joinpath("models", "metadata.json")
    known: dict[str, Weights] = json.loads(file.read_text())
    return known
