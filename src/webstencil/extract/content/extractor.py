"""The default extractor of main content: a page, what its siblings repeat, and a policy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from webstencil import markup
from webstencil.extract.content.block_sums import common_block
from webstencil.extract.content.choose import ContentChoice, choose
from webstencil.extract.content.content_model import ContentModel, fitted, view
from webstencil.extract.content.fragment import fragment
from webstencil.extract.content.page_parts import with_captions, with_parts
from webstencil.extract.content.page_types import PageType, named
from webstencil.extract.content.policy import Policy, apply
from webstencil.extract.content.run_features import Row
from webstencil.extract.content.runs import flatten
from webstencil.extract.content.sibling_shares import sibling_count, sibling_shares
from webstencil.extract.content.text_runs import NO_BLOCK, TextRuns
from webstencil.model import Item, Page, PageArea
from webstencil.site.outline import hashed_texts, number_repeated
from webstencil.site.site_model import SiteModel

KIND = "content"

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

    def voted(self, types: Row) -> "Content":
        """Return it with the probabilities of types that the pages of a template agreed on."""
        kind, sure = named(types)
        return replace(self, page_type=kind, type_confidence=sure, types=types)

    @property
    def text(self) -> str:
        """Return it as plain text, a line for each run."""
        return "\n".join([self.runs.texts[run] for run in self.chosen])

    @property
    def html(self) -> str:
        """Return it as a piece of HTML."""
        markup = self.page.markup
        chosen = with_captions(markup, self.runs, self.chosen) if self.captions else self.chosen
        return fragment(self.page, self.runs, chosen)

    @property
    def markdown(self) -> str:
        """Return it as Markdown."""
        return markup.markdown(self.html)

    @property
    def item(self) -> Item:
        """Return it as an item, with the selector of the smallest element around it."""
        top = self.runs.elements[common_block(self.runs, self.chosen)] if self.chosen else None
        return Item(
            kind=KIND,
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
        """Return what is known of the page besides its text: its type."""
        return (("type", self.page_type), ("type confidence", f"{self.type_confidence:.3f}"))


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
        choice = choose(seen, page.markup.titles(), shares, fit)
        completed = replace(choice, runs=with_parts(page, runs, choice.runs))
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
        )
        return found.voted(self.vote(page, choice.types))


def explain(choice: ContentChoice, siblings: int) -> str:
    """Return what a choice is based on."""
    pages = "siblings" if siblings != 1 else "sibling"
    made = f"page and {siblings} {pages}" if siblings > 0 else "page alone"
    if choice.fallback:
        return f"{made}; nothing scored as content, best that is left"
    return f"{made}; container taken whole" if choice.whole else made
