"""Page types against labelled pages."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from webstencil.evaluate.content.data import ContentGold
from webstencil.evaluate.content.scores import parsed_page
from webstencil.extract.content.content_model import ContentModel
from webstencil.extract.content.extractor import MainContent


@dataclass(frozen=True, slots=True)
class TypeRow:
    """What became of the pages of one type."""

    page_type: str
    pages: int
    right: int
    taken_for: tuple[tuple[str, int], ...]  # other types, the most frequent first


def type_answers(
    pages: Iterable[ContentGold], model: ContentModel | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the labelled and the found type of each page that has a label."""
    extractor = MainContent(model=model)
    for page in pages:
        if page.page_type:
            yield page.page_type, str(extractor.content(parsed_page(page)).page_type)


def type_rows(answers: Iterable[tuple[str, str]]) -> list[TypeRow]:
    """Count the answers by the labelled type."""
    counts = Counter(answers)
    rows = []
    for wanted in sorted({wanted for wanted, _ in counts}):
        found = Counter({other: n for (one, other), n in counts.items() if one == wanted})
        wrong = tuple((other, n) for other, n in found.most_common() if other != wanted)
        rows.append(TypeRow(wanted, found.total(), found[wanted], wrong))
    return rows
