"""Sites with the main content of their pages: marked by hand, or given by a selector."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from webstencil import markup
from webstencil.errors import SourceError
from webstencil.evaluate.labelled_data import (
    REDIRECT,
    ROWS_ENDING,
    SITES_NAME,
    read_page,
    read_rows,
    read_sites_file,
    readable,
    row_page,
    site_folder,
    site_labels,
)
from webstencil.model import RawPage
from webstencil.urls import url_hash

LARGEST = 240  # pages taken of a whole site
NO_PAGES = (REDIRECT, "feed")  # labels


@dataclass(frozen=True, slots=True)
class SiteGold:
    """A page and its main content, if it is known: as text, or as a selector of its elements."""

    raw: RawPage
    gold: str | None = None
    selector: str | None = None


@dataclass(frozen=True, slots=True)
class GoldSite:
    """The pages of a site, in a mixed order that is always the same."""

    group: str  # the set that it belongs to
    name: str
    pages: tuple[SiteGold, ...]


def read_sites(path: Path, pages_root: Path | None = None) -> Iterator[GoldSite]:
    """Read the sites of a file of pages, or of a sites.json with labels beside it."""
    if not path.is_file():
        raise SourceError(f"{path} is not a file; give a file of pages or {SITES_NAME}")
    if path.name == SITES_NAME:
        yield from selected_sites(path, pages_root)
    elif path.name.endswith(ROWS_ENDING):
        yield from marked_sites(path)
    else:
        raise SourceError(f"{path} is neither a file of pages ({ROWS_ENDING}) nor {SITES_NAME}")


def marked_sites(path: Path) -> Iterator[GoldSite]:
    """Read pages whose content was marked by hand."""
    sites: dict[tuple[str, str], list[SiteGold]] = {}
    for row in read_rows(path, ("set", "site", "id", "html", "gold")):
        page = SiteGold(row_page(row), row["gold"])
        sites.setdefault((row["set"], row["site"]), []).append(page)
    for (group, name), pages in sites.items():
        ordered = sorted(pages, key=lambda page: url_hash(page.raw.url))
        yield GoldSite(group, name, tuple(ordered))


def selected_sites(path: Path, pages_root: Path | None) -> Iterator[GoldSite]:
    """Read pages of whole sites, where a selector gives the content of articles."""
    for name, facts in read_sites_file(path).items():
        folder = site_folder(pages_root or path.parent, name)
        labels = {file: label for file, label in site_labels(path, name) if label not in NO_PAGES}
        articles = frozenset(facts["article_labels"])
        yield GoldSite(
            "sites",
            name,
            tuple(
                SiteGold(
                    read_page(folder, file),
                    selector=facts["content_selector"] if labels[file] in articles else None,
                )
                for file in sorted(labels, key=url_hash)[:LARGEST]
            ),
        )


def gold_of(page: SiteGold) -> str | None:
    """Return the main content of a page as text, None if it is not known."""
    if page.gold is not None or page.selector is None:
        return page.gold
    parsed = readable(page.raw)
    if parsed is None:
        return None
    return markup.text(parsed.markup.root.select(page.selector)) or None
