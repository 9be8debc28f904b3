"""Training of the weights of title, date and author: a softmax over the candidates of a page.

The right candidates of a page share its probability; where people say nothing, "none of them" is
right. Pages whose gold is no candidate teach nothing. AdaGrad, in a fixed order.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import exp, sqrt

from webstencil.evaluate.metadata import (
    METADATA_FIELDS,
    OWN_METHOD,
    FieldScore,
    MetadataGold,
    is_right,
)
from webstencil.items.authors import authors
from webstencil.items.metadata import TOLD_DAYS, against, against_days
from webstencil.items.page_dates import dates
from webstencil.items.reading import NONE_RIGHT, FactCandidate, best, read_facts
from webstencil.items.titles import titles
from webstencil.model import Page
from webstencil.urls import site_of

Weights = dict[str, float]

EPOCHS = 30
RATE = 0.1  # of AdaGrad
# L2, over all pages. What is a title is a matter of taste on many pages: weights have to be small.
DECAY = {"title": 25.0, "date": 4.0, "author": 4.0}
FEWEST = 6  # candidates with a sign
# Weight of pages where people say nothing. Chosen by cross-validation, so that four of five facts
# that are found are right: the lower, the more are found.
SILENT = {"date": 0.25, "author": 0.15}  # every page has a title


@dataclass(frozen=True, slots=True)
class Choice:
    """The candidates for a field of a page, and which are right."""

    texts: tuple[str, ...]
    signs: tuple[frozenset[str], ...]
    right: tuple[bool, ...]
    against: frozenset[str]  # the signs of "none of them"


@dataclass(frozen=True, slots=True)
class MetadataExample:
    """A page with its choices by field."""

    gold: MetadataGold
    choices: dict[str, Choice]

    @property
    def part(self) -> int:
        """Return a number from the hash of its site."""
        return int.from_bytes(blake2b(site_of(self.gold.url).encode(), digest_size=4).digest())


def example(gold: MetadataGold, page: Page) -> MetadataExample:
    """Gather the candidates of a page and label them."""
    reading = read_facts(page)
    known: dict[str, Mapping[str, FactCandidate]] = {
        "title": {one.text: one for one in titles(reading)},
        "date": dates(reading).known,
        "author": {one.text: one for one in authors(reading)},
    }
    opposed = {field: against(reading, len(found)) for field, found in known.items()}
    opposed["date"] = against_days(reading, known["date"].values())
    choices = {}
    for field in METADATA_FIELDS:
        wanted = gold.wanted(field)
        found = known[field]
        choices[field] = Choice(
            texts=tuple(found),
            signs=tuple(frozenset(one.signs) for one in found.values()),
            right=tuple(bool(wanted) and is_right(field, text, wanted or "") for text in found),
            against=frozenset((NONE_RIGHT, *opposed[field])),
        )
    return MetadataExample(gold, choices)


def fit_all(pages: Sequence[MetadataExample]) -> dict[str, Weights]:
    """Train the weights of all fields."""
    return {field: fit(field, pages) for field in METADATA_FIELDS}


def fit(field: str, pages: Sequence[MetadataExample]) -> Weights:
    """Train the weights of a field."""
    counts = Counter(
        sign
        for page in pages
        for signs in (*page.choices[field].signs, page.choices[field].against)
        for sign in signs
    )
    rows = [row for page in pages if (row := _row(field, page, counts)) is not None]
    weights: Weights = {}
    squares: dict[str, float] = {}
    for _ in range(EPOCHS):
        for signs, right, weight in rows:
            _step(
                weights, squares, _slopes(weights, signs, right, weight), DECAY[field] / len(rows)
            )
    return {sign: round(value, 3) for sign, value in sorted(weights.items())}


def _row(
    field: str, page: MetadataExample, counts: Counter[str]
) -> tuple[list[list[str]], list[bool], float] | None:
    """Return the signs of a page's candidates, which are right, and its weight; None if none is."""
    choice = page.choices[field]
    # If people say nothing where the page tells programs, they overlooked it.
    if page.gold.wanted(field) is None and any(TOLD_DAYS & signs for signs in choice.signs):
        return None
    known = [sorted(s for s in signs if counts[s] >= FEWEST) for signs in choice.signs]
    right = list(choice.right)
    silent = page.gold.wanted(field) is None
    if field != "title":  # every page has one
        known.append(sorted(s for s in choice.against if counts[s] >= FEWEST))
        right.append(silent)
    return (
        (known, right, SILENT[field] if silent else 1.0) if any(right) and len(right) > 1 else None
    )


def _slopes(
    weights: Weights, signs: list[list[str]], right: list[bool], weight: float
) -> dict[str, float]:
    """Return the gradient of a page's loss."""
    scores = [sum(weights.get(sign, 0.0) for sign in one) for one in signs]
    top = max(scores)
    raised = [exp(score - top) for score in scores]
    total = sum(raised)
    good = sum(value for value, is_good in zip(raised, right, strict=True) if is_good) or 1e-300
    slopes: dict[str, float] = {}
    for one, value, is_good in zip(signs, raised, right, strict=True):
        slope = weight * (value / total - (value / good if is_good else 0.0))
        for sign in one:
            slopes[sign] = slopes.get(sign, 0.0) + slope
    return slopes


def _step(
    weights: Weights, squares: dict[str, float], slopes: dict[str, float], decay: float
) -> None:
    """Move the weights against the gradient."""
    for sign, slope in slopes.items():
        value = weights.get(sign, 0.0)
        full = slope + decay * value
        if full:
            squares[sign] = squares.get(sign, 0.0) + full * full
            weights[sign] = value - RATE * full / sqrt(squares[sign])


def cross_validate(pages: Sequence[MetadataExample], folds: int) -> Iterator[FieldScore]:
    """Score each fold of sites with the weights of the others."""
    for fold in range(folds):
        inside = [page for page in pages if page.part % folds != fold]
        outside = [page for page in pages if page.part % folds == fold]
        yield from scored(outside, fit_all(inside))


def scored(pages: Iterable[MetadataExample], fitted: Mapping[str, Weights]) -> Iterator[FieldScore]:
    """Score pages with weights."""
    for page in pages:
        for field in METADATA_FIELDS:
            choice = page.choices[field]
            known = [
                FactCandidate(text, set(signs))
                for text, signs in zip(choice.texts, choice.signs, strict=True)
            ]
            chosen = best(known, fitted[field], choice.against - {NONE_RIGHT})
            found = chosen.candidate.text if chosen else None
            gold = page.gold
            yield FieldScore(OWN_METHOD, field, gold.type, gold.name, gold.wanted(field), found)
