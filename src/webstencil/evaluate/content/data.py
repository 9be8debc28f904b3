"""Pages with their main content: made by hand in one file, by a selector in folders of sites."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from webstencil.content.choose import page_heading
from webstencil.content.run_features import look
from webstencil.content.runs import flatten
from webstencil.errors import SourceError
from webstencil.evaluate.floors import digest
from webstencil.evaluate.labelled_data import (
    REDIRECT,
    ROWS_ENDING,
    SITES_NAME,
    LeftOut,
    nobody,
    read_page,
    read_rows,
    read_sites_file,
    readable,
    row_body,
    site_labels,
    spread,
)
from webstencil.evaluate.words import words
from webstencil.markup import Node, text
from webstencil.model import Page, RawPage

SELECTED = "selected"  # the set of pages whose gold a selector gives
ARTICLES = 30  # pages taken of each site
OTHERS = 30  # pages of other kinds that a site's pages come with
LEAST_WORDS = 30  # a page with less selected text has no content to be found
NO_PAGES = (REDIRECT, "feed")  # parts of labels


@dataclass(frozen=True, slots=True)
class ContentGold:
    """A page and its main content; a sibling that is not scored has none."""

    set: str
    site: str  # unique over all sets
    name: str
    body: bytes
    gold: str | None
    page_type: str = ""  # if it is known
    address: str = ""  # its URL, if it is known and counts
    heading: str = ""  # of the page, if a selector leaves it out: it counts neither for nor against

    @property
    def url(self) -> str:
        """Return the URL, a made-up one if none is known."""
        return self.address or f"http://{self.site.replace('/', '.')}/{self.name}"


def read_gold(
    path: Path, selectors: Path | None = None, left_out: LeftOut = nobody
) -> list[ContentGold]:
    """Read labelled pages from a file of rows, or from the folder of a site."""
    if path.is_dir():
        return list(_selected(path, selectors or path.parent / SITES_NAME, left_out))
    if not path.is_file() or not path.name.endswith(ROWS_ENDING):
        raise SourceError(f"{path} is neither the folder of a site nor a {ROWS_ENDING} file")
    return list(_by_hand(path, left_out))


def _by_hand(path: Path, left_out: LeftOut) -> Iterator[ContentGold]:
    for row in read_rows(path, ("set", "site", "id", "html", "gold")):
        site = f"{row['set']}/{row['site']}"
        kind = row.get("page_type") or ""
        address = (row.get("url") or "") if kind else ""  # siblings of the older sets have none
        name = str(row["id"])
        page = ContentGold(row["set"], site, name, row_body(row), row["gold"], kind, address)
        if readable(RawPage(page.url, page.body), left_out) is not None:
            yield page


def _selected(folder: Path, selectors: Path, left_out: LeftOut) -> Iterator[ContentGold]:
    """Read pages of a site: those with content, spread evenly, and others as their siblings."""
    sites = read_sites_file(selectors)
    name = folder.resolve().name
    if name not in sites:
        raise SourceError(f"{selectors} has no site {name}; give another file by --selectors")
    labels = site_labels(selectors, name)
    wanted = frozenset(sites[name]["article_labels"])
    articles = [path for path, label in labels if label in wanted]
    others = [
        path
        for path, label in labels
        if label not in wanted and not any(word in label for word in NO_PAGES)
    ]
    selector = str(sites[name]["content_selector"])
    found = list(_with_gold(folder, articles, selector, left_out))
    yield from (found[index] for index in spread(len(found), ARTICLES))
    for index in spread(len(others), OTHERS):
        raw = read_page(folder, others[index])
        if readable(raw, left_out) is not None:
            yield ContentGold(SELECTED, name, others[index], raw.body, None)


def _with_gold(
    folder: Path, paths: Sequence[str], selector: str, left_out: LeftOut
) -> Iterator[ContentGold]:
    for index in spread(len(paths), 3 * ARTICLES):  # more than are taken: some have no content
        raw = read_page(folder, paths[index])
        page = readable(raw, left_out)
        tops = page.markup.select(selector)[:1] if page else []
        gold = text(tops)
        if page is not None and len(words(gold)) >= LEAST_WORDS:
            name, heading = folder.resolve().name, heading_outside(page, tops[0])
            yield ContentGold(SELECTED, name, paths[index], raw.body, gold, heading=heading)


def heading_outside(page: Page, top: Node) -> str:
    """Return the heading of a page if it is outside of a node, else nothing."""
    runs, title = flatten(page.markup), page.markup.titles()
    run = page_heading(runs, look(runs, title), title)
    inside = run < 0 or top in list(runs.nodes(run)[0].ancestors)
    return "" if inside else runs.texts[run]


def corpus(pages: Sequence[ContentGold]) -> str:
    """Return a digest of pages and gold, so that a change of them is noticed."""
    return digest(
        piece
        for page in pages
        for piece in (page.body, (page.gold or "").encode("utf-8", "surrogatepass"))
    )
