"""Page types against labelled pages: each page alone, and with the votes of its template."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

from webstencil.content.page_features import Row
from webstencil.content.page_types import type_shares
from webstencil.errors import SourceError
from webstencil.evaluate.labelled_data import (
    ROWS_ENDING,
    LeftOut,
    nobody,
    read_rows,
    readable_page,
    row_body,
)
from webstencil.evaluate.tables import Evaluated, ScoreTable, grouped, score_table
from webstencil.model import Page, RawPage
from webstencil.site.outline import OutlinedPage, outline
from webstencil.site.site_model import SiteModel
from webstencil.site.templates import find_templates
from webstencil.site.type_votes import TYPES, PageType, agreed, has_vote, named_type, packed_types

# What a person would call the pages of templates, by their labels, where that is beyond doubt.
OF_TEMPLATES = {
    PageType.ARTICLE: (
        *("single-post", "single-post:single-feature", "single-post:single-wide", "blog-post"),
    ),
    PageType.COLLECTION: (
        *("collection", "tax-product_cat", "tax-product_tag", "archive-product"),
    ),
    PageType.DOCUMENTATION: ("docs-doc", "compound"),
    PageType.FORUM: ("topic", "forum-showthread", "lofi-thread"),
    PageType.LISTING: (
        *("category", "tag", "date", "author", "posts-index", "blog"),
        *("blog-list", "blog-tags-post-list"),
    ),
    PageType.PRODUCT: ("product", "single-product"),
    PageType.OTHER: (
        *("login", "user-login", "user-register", "register", "reminder", "user-form", "error404"),
    ),
}
TYPE_OF_TEMPLATE = {label: one.value for one, labels in OF_TEMPLATES.items() for label in labels}
PRODUCT_SETS = ("products",)
PRODUCT_VERTICALS = ("auto", "book", "camera")

PageShares: TypeAlias = Callable[[Page], Row]  # the probabilities of types of a page alone


class GoldKind(StrEnum):
    """Where the type of a page comes from."""

    LABEL = "label"  # somebody has looked at it
    SITE = "site"  # the label of its template; its file has whole sites, whose pages vote
    PRODUCT = "product"  # all pages of its set are products
    NEWS = "news"  # all pages of its set are news or blogs


@dataclass(frozen=True, slots=True)
class TypeGold:
    """A page whose type may be known."""

    set: str
    site: str
    raw: RawPage
    page_type: str  # empty if it is not known; the page votes
    kind: GoldKind


@dataclass(frozen=True, slots=True)
class TypeAnswer:
    """The type of a page as it is labelled and as it was found."""

    set: str
    site: str
    page_type: str
    alone: str
    voted: str  # the same as alone if the page has no siblings


@dataclass(frozen=True, slots=True)
class TypeRow:
    """What became of the pages of one type."""

    page_type: str
    pages: int
    right: int  # with votes
    right_alone: int
    taken_for: tuple[tuple[str, int], ...]  # other types, the most frequent first; with votes

    @property
    def alone(self) -> float:
        """Return the share that is right without votes."""
        return self.right_alone / self.pages

    @property
    def voted(self) -> float:
        """Return the share that is right with votes."""
        return self.right / self.pages

    @property
    def others(self) -> str:
        """Write what pages were taken for."""
        return ", ".join(f"{other} {count}" for other, count in self.taken_for)


def read_types(path: Path, left_out: LeftOut = nobody) -> Iterator[TypeGold]:
    """Read pages whose types are labelled, or follow from the labels of their templates."""
    if not path.is_file() or not path.name.endswith(ROWS_ENDING):
        raise SourceError(f"{path} is not a {ROWS_ENDING} file")
    for row in read_rows(path, ("set", "site", "id", "html")):
        site = str(row["site"])
        url = row.get("url") or f"http://{site.replace('/', '.')}/{row['id']}"
        raw = RawPage(url, row_body(row))
        if readable_page(raw, left_out) is not None:
            yield TypeGold(row["set"], site, raw, *row_type(row))


def row_type(row: dict[str, Any]) -> tuple[str, GoldKind]:
    """Return the type of the page of a row, empty if it is not known, and where it comes from."""
    if row.get("page_type"):
        return row["page_type"], GoldKind.LABEL
    if "template" in row:
        return TYPE_OF_TEMPLATE.get(row["template"] or "", ""), GoldKind.SITE
    if row["set"] in PRODUCT_SETS or row.get("vertical") in PRODUCT_VERTICALS:
        return PageType.PRODUCT.value, GoldKind.PRODUCT
    news = isinstance(row.get("gold"), str)
    return PageType.ARTICLE.value if news else "", GoldKind.NEWS


def type_answers(
    pages: Iterable[TypeGold], shares: PageShares = type_shares
) -> Iterator[TypeAnswer]:
    """Yield the labelled and the found types of the pages that have a label."""
    sites: dict[tuple[str, str], list[tuple[TypeGold, OutlinedPage, bytes]]] = {}
    for gold in pages:
        page = readable_page(gold.raw)
        if page is None:
            continue
        types = packed_types(shares(page))
        if gold.kind is GoldKind.SITE:
            vote = types if has_vote(page.url) else b""
            known = OutlinedPage(page.url, outline(page), b"", vote)
            sites.setdefault((gold.set, gold.site), []).append((gold, known, types))
        elif gold.page_type:
            found = _type_of(types, b"")
            yield TypeAnswer(gold.set, gold.site, gold.page_type, found, found)
    for members in sites.values():
        yield from _voted(members)


def _voted(pages: Sequence[tuple[TypeGold, OutlinedPage, bytes]]) -> Iterator[TypeAnswer]:
    """Yield the types of the pages of a site, whose templates vote."""
    model = SiteModel({page.url: page for _, page, _ in pages}.values())
    templates = find_templates(model)
    for gold, page, own in pages:
        if gold.page_type:
            number = templates.number_of(page.url, page.outline, learned=True)
            voted = _type_of(own, templates.votes_of(number))
            alone = _type_of(own, b"")
            yield TypeAnswer(gold.set, gold.site, gold.page_type, alone, voted)


def _type_of(own: bytes, template: bytes) -> str:
    return named_type(agreed(own, template))[0].value


def type_rows(answers: Iterable[TypeAnswer]) -> list[TypeRow]:
    """Count the answers by the labelled type."""
    groups = grouped(answers, "page_type")
    rows = []
    for wanted in sorted(groups, key=[*map(str, TYPES), PageType.OTHER.value].index):
        found = Counter([one.voted for one in groups[wanted]])
        alone = sum([one.alone == wanted for one in groups[wanted]])
        wrong = tuple((other, n) for other, n in found.most_common() if other != wanted)
        rows.append(TypeRow(wanted, found.total(), found[wanted], alone, wrong))
    return rows


TYPE_COLUMNS = (
    "type=page_type",
    "pages",
    "right alone=alone:.3f",
    "with votes=voted:.3f",
    "taken for=others",
)


def type_table(answers: Iterable[TypeAnswer]) -> ScoreTable:
    """Show how many types are right, by type."""
    rows = type_rows(answers)
    pages, right = (sum(getattr(row, name) for row in rows) for name in ("pages", "right"))
    whole = TypeRow("all", pages, right, sum(row.right_alone for row in rows), ())
    return score_table("", TYPE_COLUMNS, (*rows, whole))


def evaluate_types(paths: Sequence[Path]) -> Evaluated:
    """Score the types of the pages of files."""
    left_out: list[str] = []
    answers = [one for path in paths for one in type_answers(read_types(path, left_out.append))]
    if not answers:
        raise SourceError(f"{', '.join(map(str, paths))} has no page whose type is known")
    values = [asdict(row) for row in type_rows(answers)]
    return Evaluated([type_table(answers)], values, left_out=left_out)
