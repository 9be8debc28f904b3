"""The templates of a site: groups of pages with a number, a name, a typical page.

They are read off the model (`divide.py`). A site that grows is divided again; a template that is
the same keeps its number and its name, however its pages changed meanwhile. A new page gets its
template without the other pages at hand.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webstencil.site.divide import Division, PageFacts
from webstencil.site.facts import facts_of
from webstencil.site.outline import Oddity, Outline
from webstencil.site.site_model import OutlinedPage, SiteModel
from webstencil.site.stability import divide
from webstencil.site.template_names import name_templates, sentence
from webstencil.site.type_votes import mean_of

NO_TEMPLATE = 0  # number of pages that fit nowhere
FEWEST = 2  # pages of a template; a single page is one of a kind
SAME = 0.5  # share of the pages of two templates that both have; above, they are the same


@dataclass(frozen=True, slots=True)
class Template:
    """A template of a site."""

    number: int  # stays the same while the site grows
    name: str  # what people see; no two templates of a site have the same
    pages: int  # of the model
    typical: str  # URL of a page that is most like the others
    tells: str  # what tells it from the others
    types: bytes = b""  # what its pages say of their type (`type_votes`)


@dataclass(frozen=True, slots=True)
class SiteTemplates:
    """The templates of a site, and how to find that of a page."""

    templates: tuple[Template, ...] = ()  # those with most pages first
    division: Division | None = None  # None if there is no page
    numbers: tuple[int, ...] = ()  # of each leaf of the division
    pages: int = 0  # of the site, when it was divided
    newest: int = 0  # the largest number that was ever used

    def number_of(self, url: str, outline: Outline, *, learned: bool = False) -> int:
        """Return the number of a page's template, NO_TEMPLATE if it fits none.

        `learned` means that the page is in the model that the templates were found in.
        """
        if self.division is None or outline.oddity is not Oddity.NONE:
            return NO_TEMPLATE
        facts = facts_of(url, outline)
        if not self.division.fits(facts, learned=learned):
            return NO_TEMPLATE
        return self.numbers[self.division.leaf_of(facts)]

    def numbers_of(self, model: SiteModel) -> dict[str, int]:
        """Return the numbers of the templates of the pages that they were found in, by URL."""
        return {page.url: self.number_of(page.url, page.outline, learned=True) for page in model}

    def template(self, number: int | None) -> Template | None:
        """Return a template by its number."""
        return next((one for one in self.templates if one.number == number), None)

    def votes_of(self, number: int | None) -> bytes:
        """Return what the pages of a template say of their type, nothing if there is none."""
        found = self.template(number)
        return found.types if found else b""

    def name_of(self, number: int | None) -> str | None:
        """Return the name of a template, None if there is none with that number."""
        found = self.template(number)
        return found.name if found else None


EMPTY_SITE = SiteTemplates()


def find_templates(model: SiteModel, before: SiteTemplates = EMPTY_SITE) -> SiteTemplates:
    """Divide a site; what is the same as before keeps its number and name."""
    pages = [page for page in model if page.outline.oddity is Oddity.NONE]
    words: dict[int, str] = {}
    facts = [facts_of(page.url, page.outline, words) for page in pages]
    if not pages:
        return SiteTemplates(pages=model.pages, newest=before.newest)
    division = divide(facts)
    groups: dict[int, list[int]] = {}
    for number, page in enumerate(facts):
        if division.fits(page, learned=True):  # as when it is asked for its template
            groups.setdefault(division.leaf_of(page), []).append(number)
    kept = {leaf: members for leaf, members in groups.items() if len(members) >= FEWEST}
    numbers, newest = same_numbers(pages, kept, before)
    names = name_templates(
        {leaf: [pages[member] for member in members] for leaf, members in kept.items()},
        {leaf: before.name_of(numbers[leaf]) for leaf in kept},
    )
    templates = [
        Template(
            number=numbers[leaf],
            name=names[leaf],
            pages=len(members),
            typical=pages[most_typical([facts[member] for member in members], members)].url,
            tells=sentence(division.leaves[leaf].steps, words),
            types=mean_of(pages[member].types for member in members),
        )
        for leaf, members in kept.items()
    ]
    return SiteTemplates(
        templates=tuple(sorted(templates, key=lambda one: (-one.pages, one.number))),
        division=division,
        numbers=tuple(numbers.get(leaf, NO_TEMPLATE) for leaf in range(len(division.leaves))),
        pages=model.pages,
        newest=newest,
    )


def same_numbers(
    pages: Sequence[OutlinedPage], groups: dict[int, list[int]], before: SiteTemplates
) -> tuple[dict[int, int], int]:
    """Number the groups of pages: as before where most pages are the same; new ones by size."""
    old = [before.number_of(page.url, page.outline) for page in pages]
    sizes = Counter(old)
    shared = [
        (count / (len(members) + sizes[number] - count), number, leaf)
        for leaf, members in groups.items()
        for number, count in Counter(old[member] for member in members).items()
        if number != NO_TEMPLATE
    ]
    numbers: dict[int, int] = {}
    for share, number, leaf in sorted(shared, key=lambda one: (-one[0], one[1], one[2])):
        if share > SAME and leaf not in numbers and number not in numbers.values():
            numbers[leaf] = number
    newest = before.newest
    for leaf in sorted(groups.keys() - numbers.keys(), key=lambda leaf: (-len(groups[leaf]), leaf)):
        newest += 1
        numbers[leaf] = newest
    return numbers, newest


def most_typical(facts: Iterable[PageFacts], members: Sequence[int]) -> int:
    """Return the member that has what most have, and little else; the first of equals."""
    pages = list(facts)
    often = Counter(path for page in pages for path in page.paths)
    half = len(pages) / 2
    scores = [sum(often[path] - half for path in page.paths) for page in pages]
    return members[scores.index(max(scores))]
