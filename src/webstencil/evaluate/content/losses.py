"""What is missing from the content of a site's pages: elements by tag, by the site's selector."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from webstencil.content.extractor import Content, MainContent
from webstencil.evaluate.labelled_data import (
    SITES_NAME,
    LeftOut,
    nobody,
    read_page,
    read_sites_file,
    readable,
    site_labels,
)
from webstencil.markup import Element, Node, Text
from webstencil.model import Page
from webstencil.site.outline import outline
from webstencil.site.site_model import OutlinedPage, SiteModel

COUNTED = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "headings"),
    **dict.fromkeys(("li", "p", "pre", "table", "dt", "dd", "blockquote", "figcaption"), ""),
}
HALF = 0.5  # of an element's text: with less it is lost


@dataclass(frozen=True, slots=True)
class Losses:
    """The elements inside the content selector of a site, and those that are missing."""

    site: str
    pages: int
    found: dict[str, int]  # elements by tag
    lost: dict[str, int]
    inside: int  # characters of the output inside the selector
    outside: int  # and outside of it
    headings: int = 0  # and of headings of pages outside of it, which count neither for nor against

    @property
    def precision(self) -> float:
        """Return the share of the output that is inside the selector."""
        return self.inside / (self.inside + self.outside or 1)

    @property
    def strict(self) -> float:
        """Return the same if headings outside of the selector are wrong."""
        return self.inside / (self.inside + self.outside + self.headings or 1)


def losses(folder: Path, selectors: Path | None = None, left_out: LeftOut = nobody) -> Losses:
    """Count what the content of a site's pages has lost; each page is compared with all others."""
    path = selectors or folder.parent / SITES_NAME
    name = folder.resolve().name
    known = read_sites_file(path)[name]
    wanted, selector = frozenset(known["article_labels"]), str(known["content_selector"])
    paths = [one for one, label in site_labels(path, name) if label in wanted]
    model = SiteModel()
    for page in _pages(folder, paths, left_out):
        if page.url not in model:
            model.add(OutlinedPage(page.url, outline(page)))
    extractor = MainContent(models=lambda _: model)
    found, lost = Counter[str](), Counter[str]()
    inside = outside = headings = pages = 0
    for page in _pages(folder, paths, nobody):
        top = next(iter(page.markup.select(selector)), None)
        if top is None:
            continue
        content = extractor.content(page)
        kept = _sizes(content)
        within = _count(top, kept, found, lost)
        heading = _heading_outside(content, top, kept)
        pages, inside, headings = pages + 1, inside + within, headings + heading
        outside += sum(kept.values()) - within - heading
    return Losses(name, pages, dict(found), dict(lost), inside, outside, headings)


def _pages(folder: Path, paths: Sequence[str], left_out: LeftOut) -> Iterator[Page]:
    for path in paths:
        page = readable(read_page(folder, path), left_out)
        if page is not None:
            yield page


def _sizes(content: Content) -> dict[Node, int]:
    """Return the characters of each text of the content."""
    nodes = [node for run in content.chosen for node in content.runs.nodes(run)]
    return {node: len(node.data.strip()) for node in nodes}


def _heading_outside(content: Content, top: Node, kept: dict[Node, int]) -> int:
    """Return the characters of the page's heading that are outside of a node."""
    nodes = content.runs.nodes(content.heading) if content.heading >= 0 else []
    return sum([kept.get(node, 0) for node in nodes if top not in list(node.ancestors)])


def _count(top: Node, kept: dict[Node, int], found: Counter[str], lost: Counter[str]) -> int:
    """Count the elements in a node, and those that are lost; return the characters kept in it."""
    for element in top.iter_elements(COUNTED):
        texts = list(_texts(element))
        whole = sum([len(text.data.strip()) for text in texts])
        if not whole:
            continue
        name = COUNTED[element.tag] or element.tag
        found[name] += 1
        lost[name] += sum([kept.get(text, 0) for text in texts]) < HALF * whole
    return sum([kept.get(text, 0) for text in _texts(top)])


def _texts(node: Node) -> Iterable[Text]:
    return [one for one in node.descendants if isinstance(one, Text) and not _is_unread(one)]


def _is_unread(text: Text) -> bool:
    """Return whether a text is a mark of a heading, which no content has."""
    around = text.parent
    return isinstance(around, Element) and around.tag == "a" and len(text.data.strip()) < 2
