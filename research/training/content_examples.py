"""Pages with gold as examples for the models of main content."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from research.training.content_labels import content_labels
from webstencil.content.model import PageFeatures, view
from webstencil.content.runs import TextRuns, flatten
from webstencil.evaluate.content.data import SELECTED, ContentGold
from webstencil.evaluate.content.scores import parsed_page
from webstencil.evaluate.words import words
from webstencil.urls import site_of

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
        whole = max(len(words(page.gold)), FEWEST_WORDS)
        yield Example(
            owner_of(page),
            page.page_type,
            hand,
            replace(view(parsed, runs), runs=_light(runs)),
            content_labels(runs.texts, page.gold),
            [base * min(max(len(words(text)), 0.5) / whole, 1.0) for text in runs.texts],
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
