"""Scores of title, date and author against gold, by field and page type."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from time import process_time
from typing import TypeAlias

from webstencil.evaluate.metadata_gold import (
    FIELDS,
    MetadataGold,
    is_near,
    is_right,
    title_words,
)
from webstencil.evaluate.words import compare
from webstencil.items.metadata import metadata
from webstencil.markup.parse import parse
from webstencil.model import RawPage

OURS = "webstencil"
ALL = "all"

Facts: TypeAlias = dict[str, str]
FactsOf: TypeAlias = Callable[[MetadataGold], Facts]  # with parsing


@dataclass(frozen=True, slots=True)
class FieldScore:
    """What a method found for a field of a page."""

    method: str
    field: str
    type: str
    name: str
    gold: str | None
    found: str | None

    @property
    def right(self) -> bool:
        """Return whether it is what people say."""
        return bool(self.gold and self.found and is_right(self.field, self.found, self.gold))


@dataclass(frozen=True, slots=True)
class FieldRow:
    """The counts of a method for a field, on pages of a type."""

    method: str
    field: str
    type: str
    pages: int
    gold: int  # pages that have one
    found: int
    right: int
    alike: float | None  # of titles: mean word F1 where there is gold
    near: float | None = None  # of titles: share right but for a name before or behind

    @property
    def wrong(self) -> int:
        """Count what was found and is not what people say, or where they say nothing."""
        return self.found - self.right

    @property
    def precision(self) -> float:
        """Return the share of what was found that is right."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """Return the share of the gold that was found."""
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Return the harmonic mean of both."""
        return 2 * self.right / (self.found + self.gold) if self.found + self.gold else 0.0


def own_facts(page: MetadataGold) -> Facts:
    """Extract the metadata of a page, alone."""
    return {item.kind: item.text for item in metadata(parse(RawPage(page.url, page.body)))}


def score_metadata(
    pages: Sequence[MetadataGold], methods: Mapping[str, FactsOf]
) -> tuple[list[FieldScore], dict[str, float]]:
    """Score methods on pages; return also the processor time of each in ms a page."""
    scores = []
    spent = {}
    for method, facts_of in methods.items():
        start = process_time()
        found = [facts_of(page) for page in pages]
        spent[method] = (process_time() - start) * 1000 / max(len(pages), 1)
        scores += [
            FieldScore(method, field, page.type, page.name, page.wanted(field), facts.get(field))
            for page, facts in zip(pages, found, strict=True)
            for field in FIELDS
        ]
    return scores, spent


def field_rows(scores: Iterable[FieldScore]) -> list[FieldRow]:
    """Count by method and field, over all pages and by type."""
    groups: defaultdict[tuple[str, str, str], list[FieldScore]] = defaultdict(list)
    for one in scores:
        groups[one.field, ALL, one.method].append(one)
        groups[one.field, one.type, one.method].append(one)
    order = [(field, kind, method) for field in FIELDS for f, kind, method in groups if f == field]
    return [_row(key, groups[key]) for key in order]


def _row(key: tuple[str, str, str], group: Sequence[FieldScore]) -> FieldRow:
    field, kind, method = key
    alike = [
        compare(title_words(one.found or ""), title_words(one.gold)).f1
        for one in group
        if field == "title" and one.gold
    ]
    near = [is_near(one.found or "", one.gold) for one in group if field == "title" and one.gold]
    return FieldRow(
        method=method,
        field=field,
        type=kind,
        pages=len(group),
        gold=sum(bool(one.gold) for one in group),
        found=sum(bool(one.found) for one in group),
        right=sum(one.right for one in group),
        alike=fmean(alike) if alike else None,
        near=fmean(near) if near else None,
    )
