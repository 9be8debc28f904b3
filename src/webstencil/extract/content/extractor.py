"""The default extractor of main content: a page, what its siblings repeat, and a policy."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from webstencil import markup
from webstencil.codec import values as codec
from webstencil.extract.content.area_hints import outside
from webstencil.extract.content.block_sums import common_block
from webstencil.extract.content.choose import ContentChoice, choose
from webstencil.extract.content.fragment import fragment
from webstencil.extract.content.policy import Policy, apply
from webstencil.extract.content.runs import flatten
from webstencil.extract.content.scoring import FITTED, ContentWeights
from webstencil.extract.content.site_counts import (
    SiteCounts,
    SiteTexts,
    knowledge_of,
    page_hash,
    text_hashes,
    together,
)
from webstencil.extract.content.text_runs import TextRuns
from webstencil.model import Item, Page, PageArea
from webstencil.protocols import BlobStore

KIND = "content"
KEPT_AS = "main content, texts of sites, 3"  # key of the counts in the store
HELD = 2_000  # sites in memory, from 20 kB each; others are in the store


@dataclass(frozen=True, slots=True)
class Content:
    """The main content of a page, in any format."""

    page: Page
    runs: TextRuns
    chosen: tuple[int, ...]  # runs, in document order
    confidence: float  # 0..1, the expected word F1
    how: str  # what it was made from

    @property
    def text(self) -> str:
        """Return it as plain text, a line for each run."""
        return "\n".join([self.runs.texts[run] for run in self.chosen])

    @property
    def html(self) -> str:
        """Return it as a piece of HTML."""
        return fragment(self.page.markup, self.runs, self.chosen, self.page.base_url)

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
        )


@dataclass(slots=True)
class MainContent:
    """Extracts main content, page by page; see `protocols.Extractor`.

    It learns from every page; `save` adds what it learned to the counts in the store, which others
    may have changed meanwhile.
    """

    policy: Policy = Policy()
    keeper: BlobStore | None = None
    weights: ContentWeights = FITTED
    _sites: dict[str, SiteCounts] = field(default_factory=dict)  # the last one used at the end
    _kept: dict[str, bytes | None] = field(default_factory=dict)  # as read from the store

    def items(self, page: Page, areas: Sequence[PageArea] = ()) -> tuple[Item, ...]:
        """Return the main content of a page, if it has any, without areas that are menus."""
        content = self.content(page)
        left = outside(page.markup, content.runs, content.chosen, areas)
        if len(left) < len(content.chosen):
            how = f"{content.how}; menus and footers by their areas"
            content = replace(content, chosen=left, how=how)
        return (content.item,) if content.chosen else ()

    def content(self, page: Page, *, counted: bool = False) -> Content:
        """Extract the content of a page and learn from it.

        A page that was learned from before is judged by the others only; `counted` says so for a
        page whose bytes have changed since.
        """
        runs = flatten(page.markup)
        hashes = text_hashes(runs.texts)
        known = self.knowledge(page.site)
        hashed = 0 if counted else page_hash(page.body)
        counted = counted or hashed in known.seen
        shares = known.shares(hashes, counted=counted)
        siblings = known.pages - (1 if counted else 0)
        if not counted:
            known.add(hashes)
            known.seen.add(hashed)
        choice = choose(runs, page.markup.titles(), shares, self.weights)
        chosen = apply(self.policy, runs, choice)
        return Content(page, runs, chosen, choice.confidence, explain(choice, siblings))

    def learn(self, page: Page) -> None:
        """Learn from a page without extracting anything."""
        known = self.knowledge(page.site)
        hashed = page_hash(page.body)
        if hashed not in known.seen:
            known.add(text_hashes(flatten(page.markup).texts))
            known.seen.add(hashed)

    def knowledge(self, site: str) -> SiteCounts:
        """Return the counts of a site, on first use from the store."""
        known = self._sites.pop(site, None)
        if known is None:
            if len(self._sites) >= HELD and self.keeper:
                self._put_away(next(iter(self._sites)), self.keeper)
            self._kept[site] = self.keeper.kept(KEPT_AS, site) if self.keeper else None
            known = read(self._kept[site], site)
        self._sites[site] = known
        return known

    def save(self) -> None:
        """Write what was learned to the store."""
        if self.keeper is not None:
            for site in self._sites:
                self._save(site, self.keeper)

    def _put_away(self, site: str, keeper: BlobStore) -> None:
        """Write a site to the store and drop it from memory."""
        self._save(site, keeper)
        del self._sites[site], self._kept[site]

    def _save(self, site: str, keeper: BlobStore) -> None:
        update = partial(self._added, site, self._sites[site])
        self._kept[site] = keeper.change(KEPT_AS, site, update)

    def _added(self, site: str, known: SiteCounts, body: bytes | None) -> bytes:
        """Add what was learned of a site to what the store has now."""
        if body != self._kept[site]:
            known = together(read(body, site), known, read(self._kept[site], site))
            self._sites[site] = known
        return codec.encode_value(known.frozen(), f"the texts of {site}")


def read(body: bytes | None, site: str) -> SiteCounts:
    """Read the counts of a site."""
    if body is None:
        return SiteCounts()
    return knowledge_of(codec.decode_value(body, SiteTexts, f"counts of {site}"))


def explain(choice: ContentChoice, siblings: int) -> str:
    """Return what a choice is based on."""
    pages = "siblings" if siblings != 1 else "sibling"
    made = f"page and {siblings} {pages}" if siblings > 0 else "page alone"
    if choice.fallback:
        return f"{made}; nothing scored as content, best that is left"
    return f"{made}; container taken whole" if choice.whole else made
