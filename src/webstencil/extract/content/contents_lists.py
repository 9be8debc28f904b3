"""Lists of contents in the text: links to the pages below a page.

The page of a chapter lists its sections (Sphinx: `toctree`), that of a department its offices. Such
a list stands among other content, and is content of the page; a menu leads elsewhere, or stands
beside the content. A list of links into the page itself says nothing that its headings do not say:
hand-made gold mostly leaves it out, so it is judged by its score alone.
"""

from collections.abc import Iterator
from urllib.parse import urlsplit

from webstencil.extract.content.text_runs import TextRuns
from webstencil.markup import attribute
from webstencil.model import Page
from webstencil.urls import join

LISTS = frozenset({"ul", "ol", "dl"})
MOSTLY = 0.5  # of the text of a list is links; of the text around it is content
NEARLY_ALL = 0.9  # of the links lead below the page
FEWEST = 2  # links
TITLE_RUNS = 1  # runs around a list that may be its title
INDEX = ("index", "default", "readme", "main")  # names of the page of a folder


def with_contents(page: Page, runs: TextRuns, kept: set[int]) -> set[int]:
    """Add lists of contents that stand in the content."""
    found: set[int] = set()
    for block in _linked_lists(runs, kept):
        whole = _with_title(runs, block)
        around = runs.parents[whole]
        if around >= 0 and _is_in_content(runs, kept, whole, around) and _leads(page, runs, block):
            found.update(range(runs.starts[whole], runs.ends[whole]))
    return found


def _linked_lists(runs: TextRuns, kept: set[int]) -> Iterator[int]:
    """Yield the outermost lists of links that are not content yet."""
    end = 0
    for block, name in enumerate(runs.tags):
        if name not in LISTS or runs.starts[block] < end:
            continue
        held = range(runs.starts[block], runs.ends[block])
        end = held.stop
        sizes, links = runs.lengths[held.start : end], runs.links[held.start : end]
        if len(held) >= FEWEST and sum(links) > MOSTLY * sum(sizes) and not kept.issuperset(held):
            yield block


def _with_title(runs: TextRuns, block: int) -> int:
    """Return the outermost block that has a list, and at most its title."""
    start, end = runs.starts[block], runs.ends[block]
    around = runs.parents[block]
    while around >= 0 and runs.ends[around] == end and start - runs.starts[around] <= TITLE_RUNS:
        block, around = around, runs.parents[around]
    return block


def _is_in_content(runs: TextRuns, kept: set[int], block: int, around: int) -> bool:
    """Return whether most of the text beside a block is content, before it or after it."""
    held = range(runs.starts[block], runs.ends[block])
    beside = [run for run in range(runs.starts[around], runs.ends[around]) if run not in held]
    own = sum([runs.lengths[run] for run in beside if run in kept])
    near = held.start - 1 in kept or held.stop in kept
    return near and own > MOSTLY * sum([runs.lengths[run] for run in beside])


def _leads(page: Page, runs: TextRuns, block: int) -> bool:
    """Return whether the links of a list lead to pages below this one; numbers of pages do not."""
    below, here = below_of(page.base_url), _bare(page.base_url)
    links = runs.elements[block].select("a[href]")
    if not below or len(links) < FEWEST:
        return False
    count = 0
    for link in links:
        address = _bare(join(page.base_url, attribute(link, "href")) or "")
        named = any(map(str.isalpha, link.text))
        count += named and address.startswith(below) and address != here
    return count >= NEARLY_ALL * len(links)


def below_of(url: str) -> str:
    """Return how the addresses of pages below a page begin, empty if all of the site's do."""
    folder, _, name = _bare(url).rpartition("/")
    stem = name.rpartition(".")[0] or name
    below = f"{folder}/" if stem.lower() in ("", *INDEX) else f"{folder}/{stem}"
    return below if urlsplit(below).path.strip("/") else ""


def _bare(url: str) -> str:
    """Return an address without what follows its path."""
    return url.partition("#")[0].partition("?")[0]
