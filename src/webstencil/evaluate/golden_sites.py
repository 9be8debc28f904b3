"""Sites with the main content of their pages: marked by hand, or given by a selector."""

import csv
import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from webstencil import markup
from webstencil.errors import ParseError, SourceError
from webstencil.evaluate.clusters import LEFT_OUT, read_page
from webstencil.markup.parse import parse
from webstencil.model import RawPage
from webstencil.urls import url_hash

ROWS_ENDING = ".jsonl.xz"
SITES_NAME = "sites.json"
LARGEST = 240  # pages taken of a whole site
FEEDS = frozenset({"feed"})  # labels of what is no page


@dataclass(frozen=True, slots=True)
class SiteGold:
    """A page and, if it is known, its main content: as text, or as a selector of its elements."""

    raw: RawPage
    gold: str | None = None
    selector: str | None = None


@dataclass(frozen=True, slots=True)
class GoldSite:
    """The pages of a site, in an order that is mixed and always the same."""

    group: str  # the set that it is of
    name: str
    pages: tuple[SiteGold, ...]


def read_sites(path: Path, pages_root: Path | None = None) -> Iterator[GoldSite]:
    """Read the sites of a file of pages, or of a sites.json with labels beside it."""
    if not path.is_file():
        raise SourceError(f"{path} is no file; name a file of pages or {SITES_NAME}")
    try:
        if path.name == SITES_NAME:
            yield from selected_sites(path, pages_root)
        elif path.name.endswith(ROWS_ENDING):
            yield from marked_sites(path)
        else:
            raise SourceError(f"{path} is neither a file of pages ({ROWS_ENDING}) nor {SITES_NAME}")
    except (OSError, EOFError, lzma.LZMAError, ValueError, KeyError) as error:
        raise SourceError(f"{path} cannot be read: {error!r}; see what it should hold") from error


def marked_sites(path: Path) -> Iterator[GoldSite]:
    """Read pages whose content was marked by hand."""
    sites: dict[tuple[str, str], list[SiteGold]] = {}
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            url = f"http://{row['site']}/{row['id']}"
            page = SiteGold(RawPage(url, row["html"].encode("latin-1")), row["gold"])
            sites.setdefault((row["set"], row["site"]), []).append(page)
    for (group, name), pages in sites.items():
        ordered = sorted(pages, key=lambda page: url_hash(page.raw.url))
        yield GoldSite(group, name, tuple(ordered))


def selected_sites(path: Path, pages_root: Path | None) -> Iterator[GoldSite]:
    """Read pages of whole sites, where a selector tells the content of those with some labels."""
    for name, said in json.loads(path.read_text("utf-8")).items():
        folder = (pages_root or path.parent) / name
        if not folder.is_dir():
            raise SourceError(f"{folder} is no folder; say by --pages-root where {name} is")
        with (path.parent / "labels" / f"{name}.csv").open(newline="", encoding="utf-8") as table:
            labels = {
                row["path"]: row["label"]
                for row in csv.DictReader(table)
                if row["label"] not in LEFT_OUT | FEEDS
            }
        articles = frozenset(said["article_labels"])
        yield GoldSite(
            "sites",
            name,
            tuple(
                SiteGold(
                    read_page(folder, file),
                    selector=said["content_selector"] if labels[file] in articles else None,
                )
                for file in sorted(labels, key=url_hash)[:LARGEST]
            ),
        )


def gold_of(page: SiteGold) -> str | None:
    """Return the main content of a page as text, None if it is not known."""
    if page.gold is not None or page.selector is None:
        return page.gold
    try:
        root = parse(page.raw).markup.root
    except ParseError:
        return None
    return markup.text(root.select(page.selector)) or None
