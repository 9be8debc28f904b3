"""The default extractor of main content: a page, what its siblings repeat, and a policy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from webstencil import markup
from webstencil.content.choose import ASIDE, ContentChoice, choose_content
from webstencil.content.html import content_html
from webstencil.content.markdown import markdown
from webstencil.content.model import ContentModel, fitted, view
from webstencil.content.parts import PageParts, with_captions, with_parts
from webstencil.content.run_features import Row
from webstencil.content.runs import (
    COMMENT_NAME,
    NAME_GROUPS,
    NO_BLOCK,
    TextRuns,
    common_block,
    data_table_blocks,
    flatten,
)
from webstencil.model import Item, Page, PageArea
from webstencil.site.outline import hashed_texts, number_repeated
from webstencil.site.site_model import SiteModel, numbered_texts
from webstencil.site.type_votes import PageType, named_type

# Which parts of a page's content the user wants.

LEAST_COMMENT = 20  # units outside links; less is a button or a name
FEWEST_CARDS_ALIKE = 4  # equal blocks from which they are cards
CARD_RUNS = 12  # runs up to which a repeated block is a card
RELATED = NAME_GROUPS["related"]
DEFINITION_TAGS = frozenset({"dl", "dt", "dd"})


@dataclass(frozen=True, slots=True)
class Policy:
    """What belongs to the content besides the text itself."""

    comments: bool = False  # what readers wrote below it
    tables: bool = True  # tables of data
    captions: bool = True  # texts of images
    cards: bool = True  # repeated blocks with links: products, teasers
    related: bool = False  # links to other pages that are named as such
    specifications: bool = True  # tables and definitions of a product


def apply(policy: Policy, runs: TextRuns, choice: ContentChoice) -> tuple[int, ...]:
    """Return the runs of a choice that a policy allows, in document order."""
    marks = choice.marks
    kept = set(choice.runs)
    if policy.comments:
        kept |= _added(runs, marks, COMMENT_NAME)
    if policy.related:
        kept |= _added(runs, marks, RELATED)
    if not policy.captions:
        kept -= {run for run in kept if marks[run] & NAME_GROUPS["caption"]}
    if not policy.tables or not policy.specifications:
        kept -= _tables(policy, runs, choice)
    if not policy.cards:
        kept -= _cards(runs, choice)
    return tuple(sorted(kept))


def _added(runs: TextRuns, marks: Sequence[int], group: int) -> set[int]:
    """Find text with a name that no other name speaks against, such as comments."""
    others = ASIDE & ~group
    return {
        run
        for run, mark in enumerate(marks)
        if mark & group
        and not mark & others
        and runs.lengths[run] - (runs.links[run] if group == COMMENT_NAME else 0) >= LEAST_COMMENT
    }


def _tables(policy: Policy, runs: TextRuns, choice: ContentChoice) -> set[int]:
    """Find the tables that are not wanted, and the definitions of a product."""
    product = named_type(choice.types)[0] is PageType.PRODUCT
    if policy.tables and not product:
        return set()
    tables = data_table_blocks(runs)
    found = {run for run in choice.runs if runs.blocks[run] in tables}
    if product and not policy.specifications:
        found |= {run for run in choice.runs if runs.tags[runs.blocks[run]] in DEFINITION_TAGS}
    return found


def _cards(runs: TextRuns, choice: ContentChoice) -> set[int]:
    """Find the runs in cards: small blocks with a link that are repeated, except for posts."""
    if choice.shape is None or named_type(choice.types)[0] is PageType.FORUM:
        return set()
    found = set()
    for run in choice.runs:
        block = runs.blocks[run]
        for times, card in zip(
            choice.shape.repeats[block], (block, *choice.shape.containers[block]), strict=False
        ):
            start, end = runs.starts[card], runs.ends[card]
            if (
                times >= FEWEST_CARDS_ALIKE
                and 1 < end - start <= CARD_RUNS
                and any(runs.links[start:end])
            ):
                found.add(run)
    return found


# How many of a page's siblings say what it says, by the model of its site.
#
# Siblings are the other pages of the model: the texts of the page itself do not count against it.

DOUBTED_SIBLINGS = 2  # pages; among few siblings one may be the same article at another URL


def sibling_count(model: SiteModel, url: str) -> int:
    """Return the number of pages in a model besides the one with this URL."""
    return len(model) - (url in model)


def sibling_shares(texts: Sequence[int], model: SiteModel, url: str) -> list[float]:
    """Return the share of the siblings with each text, as if DOUBT more were without.

    The page may have changed since it was added: what it said then is what is not counted.
    """
    siblings = sibling_count(model, url)
    if siblings < 1:
        return [0.0 for _ in texts]
    known = model.page(url)
    own = numbered_texts(known.outline) if known is not None else frozenset()
    count, many = model.texts.get, siblings + DOUBTED_SIBLINGS
    return [(count(text, 0) - (text in own)) / many for text in texts]


CONTENT_KIND = "content"

ModelOfSite: TypeAlias = Callable[[str], SiteModel]  # by the name of the site
TypeVote: TypeAlias = Callable[[Page, Row], Row]  # the probabilities of types of a page in its site


def no_siblings(_site: str) -> SiteModel:
    """Return an empty model: each page is judged alone."""
    return SiteModel()


def alone(_page: Page, types: Row) -> Row:
    """Return the probabilities of types as they are: no other page votes."""
    return types


@dataclass(frozen=True, slots=True)
class Content:
    """The main content of a page, in any format."""

    page: Page
    runs: TextRuns
    chosen: tuple[int, ...]  # runs, in document order
    confidence: float  # 0..1, the expected word F1
    how: str  # what it was made from
    page_type: PageType = PageType.OTHER
    type_confidence: float = 0.0  # 0..1, the probability of the type
    captions: bool = True  # HTML and Markdown have the captions of images
    types: Row = ()  # 0..1, the probability of each of TYPES; none without text
    heading: int = NO_BLOCK  # the run that is the heading of the page, NO_BLOCK if there is none
    template: str = ""  # the name that the site has for the template of the page, if known
    parts: PageParts | None = field(default=None, compare=False, repr=False)  # those of the page

    def voted(self, types: Row) -> "Content":
        """Return it with the probabilities of types that the pages of a template agreed on."""
        kind, sure = named_type(types)
        return replace(self, page_type=kind, type_confidence=sure, types=types)

    @property
    def text(self) -> str:
        """Return it as plain text, a line for each run."""
        return "\n".join([self.runs.texts[run] for run in self.chosen])

    @property
    def html(self) -> str:
        """Return it as a piece of HTML."""
        parts = self.parts or PageParts(self.page, self.runs)
        return content_html(
            parts, with_captions(parts, self.chosen) if self.captions else self.chosen
        )

    @property
    def markdown(self) -> str:
        """Return it as Markdown."""
        return markdown(self.html)

    @property
    def item(self) -> Item:
        """Return it as an item, with the selector of the smallest element around it."""
        top = self.runs.elements[common_block(self.runs, self.chosen)] if self.chosen else None
        return Item(
            kind=CONTENT_KIND,
            text=self.text,
            selector=markup.selector(top) if top is not None else "",
            xpath=markup.xpath(top) if top is not None else "",
            confidence=round(self.confidence, 3),
            how=self.how,
            markdown=self.markdown,
            fields=self.fields,
        )

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Return what is known of the page besides its text: its type, and its template if told."""
        known = (("type", self.page_type), ("type confidence", f"{self.type_confidence:.3f}"))
        return (*known, ("template", self.template)) if self.template else known


@dataclass(frozen=True, slots=True)
class MainContent:
    """Extracts main content, page by page; see `protocols.Extractor`.

    `models` returns the model of a site, which has the page's siblings and may have the page;
    `vote` asks the pages of its template for its type.
    """

    policy: Policy = Policy()
    models: ModelOfSite = no_siblings
    model: ContentModel | None = None  # the one that comes with the package
    vote: TypeVote = alone

    def items(self, page: Page, areas: Sequence[PageArea] = ()) -> tuple[Item, ...]:
        """Return the main content of a page, if it has any; areas make no difference."""
        del areas  # which were found by few pages of the site; the model knows all of them
        content = self.content(page)
        return (content.item,) if content.chosen else ()

    def content(self, page: Page) -> Content:
        """Extract the content of a page."""
        runs = flatten(page.markup)
        if not runs.texts:
            return Content(page, runs, (), 0.0, "page without text")
        model = self.models(page.site)
        shares: Sequence[float] = ()
        if len(model):
            texts = number_repeated(hashed_texts(runs.texts)[0])
            shares = sibling_shares(texts, model, page.url)
        fit = self.model or fitted()
        seen = view(page, runs, fit.known)
        choice = choose_content(seen, page.markup.titles(), shares, fit)
        parts = PageParts(page, runs)
        completed = replace(choice, runs=with_parts(parts, choice.runs))
        chosen = apply(self.policy, runs, completed)
        if choice.heading >= 0:  # last, or what stands between it and the content would come along
            chosen = tuple(sorted({*chosen, choice.heading}))
        how = explain(choice, sibling_count(model, page.url))
        found = Content(
            page,
            runs,
            chosen,
            choice.confidence,
            how,
            captions=self.policy.captions,
            heading=choice.heading,
            parts=parts,
        )
        return found.voted(self.vote(page, choice.types))


def explain(choice: ContentChoice, siblings: int) -> str:
    """Return what a choice is based on."""
    pages = "siblings" if siblings != 1 else "sibling"
    made = f"page and {siblings} {pages}" if siblings > 0 else "page alone"
    if choice.fallback:
        return f"{made}; nothing scored as content, best that is left"
    return f"{made}; container taken whole" if choice.whole else made
