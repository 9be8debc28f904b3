"""Headlines and bodies of articles: by size, as in the CPS paper, and by kinds of areas.

A headline is right if it contains the page's title from its metadata; bodies are compared word by
word with the content that a selector gives. Pages are rendered; hits have the same headlines and
bodies, as far as their areas are located.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

from webstencil.errors import RenderError
from webstencil.evaluate.golden_sites import gold_of, read_sites
from webstencil.evaluate.labelled_data import LeftOut, nobody, readable
from webstencil.evaluate.words import WordScore, compare, words_and_signs
from webstencil.items.headlines import BODY, HEADLINE, kind_items, marked_items
from webstencil.items.metadata import metadata
from webstencil.model import Item, Page, Snapshot
from webstencil.protocols import Renderer, Segmenter
from webstencil.site.lay import describe_own
from webstencil.sources import Folder
from webstencil.stages import find_areas

COLUMNS = ("segmenter", "rule", "pages", "headlines", "title in one", "bodies", "P", "R", "F")
SIZE, KIND = "size", "kind"


@dataclass(frozen=True, slots=True)
class HeadlineScore:
    """The headlines and bodies of a page."""

    segmenter: str
    rule: str
    headlines: int
    titled: bool  # one of them has the page's title
    bodies: int
    word: WordScore


@dataclass(frozen=True, slots=True)
class HeadlineRow:
    """The scores of a rule on the areas of a segmenter: means over pages."""

    segmenter: str
    rule: str
    pages: int
    headlines: float
    titled: float  # 0..1
    bodies: float
    precision: float  # 0..1, over words of bodies
    recall: float  # 0..1
    f: float  # 0..1


@dataclass(frozen=True, slots=True)
class Articles:
    """Some articles of each site of a sites.json."""

    path: Path
    pages_root: Path | None  # folder of the sites, that of the file if there is none
    pages: int  # of each site


def evaluate(
    articles: Articles,
    segmenters: Mapping[str, Segmenter],
    renderer: Renderer,
    left_out: LeftOut = nobody,
) -> list[HeadlineRow]:
    """Judge some articles of each site of a sites.json."""
    scores: list[HeadlineScore] = []
    for site in read_sites(articles.path, articles.pages_root):
        source = Folder((articles.pages_root or articles.path.parent) / site.name)
        for known in [known for known in site.pages if known.selector][: articles.pages]:
            page, gold = readable(known.raw, left_out), gold_of(known)
            if page is not None and gold:
                try:
                    snapshot = renderer.render(page, source)
                except RenderError:
                    continue
                scores += judged(page, snapshot, gold, segmenters)
    return averaged(scores)


def judged(
    page: Page, snapshot: Snapshot, gold: str, segmenters: Mapping[str, Segmenter]
) -> Iterator[HeadlineScore]:
    """Find headlines and bodies in the areas of each segmenter, by each rule."""
    title = next((item.text for item in metadata(page) if item.kind == "title"), "")
    for name, segmenter in segmenters.items():
        described = describe_own(page, find_areas(page, snapshot, segmenter))
        yield score(name, SIZE, marked_items(described), title, gold)
        yield score(name, KIND, kind_items(described), title, gold)


def score(segmenter: str, rule: str, items: Sequence[Item], title: str, gold: str) -> HeadlineScore:
    """Judge the items of a page."""
    headlines = [item.text for item in items if item.kind == HEADLINE]
    bodies = [item.text for item in items if item.kind == BODY]
    wanted = plain(title)
    return HeadlineScore(
        segmenter=segmenter,
        rule=rule,
        headlines=len(headlines),
        titled=bool(wanted) and any(wanted in plain(text) for text in headlines),
        bodies=len(bodies),
        word=compare(words_and_signs("\n".join(bodies)), words_and_signs(gold)),
    )


def plain(text: str) -> str:
    """Write the words of a text with one space around each."""
    words = words_and_signs(text)
    return f" {' '.join(words)} " if words else ""


def averaged(scores: Sequence[HeadlineScore]) -> list[HeadlineRow]:
    """Average the scores of each segmenter and rule."""
    rows = []
    for segmenter, rule in dict.fromkeys((score.segmenter, score.rule) for score in scores):
        own = [score for score in scores if (score.segmenter, score.rule) == (segmenter, rule)]
        rows.append(
            HeadlineRow(
                segmenter=segmenter,
                rule=rule,
                pages=len(own),
                headlines=fmean(score.headlines for score in own),
                titled=fmean(score.titled for score in own),
                bodies=fmean(score.bodies for score in own),
                precision=fmean(score.word.precision for score in own),
                recall=fmean(score.word.recall for score in own),
                f=fmean(score.word.f1 for score in own),
            )
        )
    return rows


def report(rows: Sequence[HeadlineRow]) -> str:
    """Write all scores as JSON."""
    return json.dumps([asdict(row) for row in rows])


def cells(row: HeadlineRow) -> list[str]:
    """Write a row."""
    means = (f"{row.headlines:.1f}", f"{row.titled:.2f}", f"{row.bodies:.1f}")
    words = (f"{value:.3f}" for value in (row.precision, row.recall, row.f))
    return [row.segmenter, row.rule, str(row.pages), *means, *words]
