"""Clusters of pages against the templates that people labelled, without rendering.

Pages come in the order of their set. In paper mode, a page joins the cluster of the nearest first
page within the threshold, or opens one. In default mode, clusters are the templates found as
pages come; a page has the template that its sample has at the end. Neither mode sees the
classes of a body or the URLs, from which some labels were taken.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from random import Random
from statistics import fmean
from typing import TypeAlias

from webstencil.errors import SourceError
from webstencil.evaluate.labelled_data import (
    REDIRECT,
    ROWS_ENDING,
    read_labels,
    read_page,
    read_rows,
    readable,
    row_page,
    site_folder,
)
from webstencil.evaluate.partitions import adjusted_information, adjusted_rand, purity
from webstencil.model import Page, RawPage, Stencil, Tree
from webstencil.settings import THRESHOLD
from webstencil.site.paper.match import nearest
from webstencil.site.templates import SiteTemplates

LABELS_ENDING = ".csv"
NOTHING = Tree((), (), (), ())
DEFAULT, PAPER = "default", "paper"
MODES = (DEFAULT, PAPER)
Cluster: TypeAlias = tuple[str, str]  # as known when the page came, and at the end


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """Pages to cluster together, each with the label of its template."""

    name: str
    pages: Iterable[tuple[RawPage, str]]


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """The scores of a set."""

    name: str
    pages: float
    unreadable: float  # left out, since they are empty or not HTML
    labels: float
    clusters: float
    hit_ratio: float  # 0..1
    ari: float  # -0.5..1
    ari_at_once: float  # by the clusters as they were known when each page came
    ami: float  # about 0..1
    purity: float  # 0..1


def read_sets(path: Path, pages_root: Path | None = None) -> Iterator[LabelledSet]:
    """Read the sets of a file: one from a table of labels, one or more from a file of pages."""
    if not path.is_file():
        raise SourceError(f"{path} is not a file; give a table of labels or a file of pages")
    if path.name.endswith(LABELS_ENDING):
        folder = site_folder(pages_root or path.parent, path.stem)
        yield LabelledSet(path.stem, labelled_files(path, folder))
    elif path.name.endswith(ROWS_ENDING):
        yield from pooled(path)
    else:
        raise SourceError(f"{path} must end in {LABELS_ENDING} or {ROWS_ENDING}")


def labelled_files(labels: Path, folder: Path) -> Iterator[tuple[RawPage, str]]:
    """Yield the pages of a table of labels in its order."""
    for path, label in read_labels(labels):
        if label != REDIRECT:
            yield read_page(folder, path), label


def pooled(path: Path) -> Iterator[LabelledSet]:
    """Read the sets of a file of pages: the pages of a vertical, or else of a set.

    A template belongs to one site; where a site has several, the row names it.
    """
    pools: dict[str, list[tuple[RawPage, str]]] = {}
    for row in read_rows(path, ("site", "id", "html")):
        label = "/".join(filter(None, (row["site"], row.get("template"))))
        if row.get("template") != REDIRECT:
            pool = row.get("vertical") or row.get("set") or ""
            pools.setdefault(pool, []).append((row_page(row), label))
    for name, pages in pools.items():
        yield LabelledSet(f"{path.name.removesuffix(ROWS_ENDING)} {name}".strip(), pages)


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """How to cluster."""

    mode: str = DEFAULT  # or PAPER
    threshold: float = THRESHOLD  # for paper mode
    seed: int | None = None  # of the page order; None: as they come


def measure(known: LabelledSet, settings: ClusterSettings) -> ClusterRow:
    """Cluster a set and compare its clusters with its labels."""
    pages = known.pages if settings.seed is None else shuffled(known.pages, settings.seed)
    paper = settings.mode == PAPER
    joined = list(clustered(pages, settings.threshold) if paper else templates(pages))
    pairs = [(cluster, label) for cluster, label in joined if cluster is not None]
    clusters = [cluster[-1] for cluster, _ in pairs]
    labels = [label for _, label in pairs]
    return ClusterRow(
        name=known.name,
        pages=len(pairs),
        unreadable=len(joined) - len(pairs),
        labels=len(set(labels)),
        clusters=len(set(clusters)),
        hit_ratio=1.0 - len(set(clusters)) / len(pairs) if pairs else 0.0,
        ari=adjusted_rand(clusters, labels),
        ari_at_once=adjusted_rand([cluster[0] for cluster, _ in pairs], labels),
        ami=adjusted_information(clusters, labels),
        purity=purity(clusters, labels),
    )


def shuffled(pages: Iterable[tuple[RawPage, str]], seed: int) -> list[tuple[RawPage, str]]:
    """Shuffle pages; the order depends on the seed alone."""
    kept = list(pages)
    Random(seed).shuffle(kept)
    return kept


def templates(pages: Iterable[tuple[RawPage, str]]) -> Iterator[tuple[Cluster | None, str]]:
    """Yield the template and the label of each page; None for a page that is not HTML."""
    site = SiteTemplates()
    found = [
        (site.assign(page) if page is not None else None, label)
        for page, label in ((readable(raw), label) for raw, label in pages)
    ]
    site.regroup()
    for assigned, label in found:
        if assigned is None:
            yield None, label
        else:
            yield (assigned.template, site.template_of(assigned.sample)), label


def clustered(
    pages: Iterable[tuple[RawPage, str]], threshold: float
) -> Iterator[tuple[Cluster | None, str]]:
    """Yield the cluster and the label of each page; None for a page that is not HTML."""
    firsts: list[Stencil] = []
    for raw, label in pages:
        page = readable(raw)
        match = nearest(page, firsts) if page is not None else None
        if page is None:
            yield None, label
        elif match is not None and match.distance <= threshold:
            yield (match.stencil.key, match.stencil.key), label
        else:
            key = str(len(firsts))
            yield (key, key), label
            firsts.append(path_stencil(page, len(firsts)))


def path_stencil(page: Page, number: int) -> Stencil:
    """Make a stencil that can only be matched: it has nothing but the paths of a page."""
    return Stencil(str(number), page.site, NOTHING, page.paths, (), "", page.url)


def mean_row(rows: Sequence[ClusterRow]) -> ClusterRow:
    """Average over sets."""
    figures = [field.name for field in fields(ClusterRow) if field.name != "name"]
    return ClusterRow("mean", *(fmean(getattr(row, name) for row in rows) for name in figures))


def report(tables: Mapping[str, Sequence[ClusterRow]]) -> str:
    """Write all rows as JSON, by mode."""
    return json.dumps(
        {
            mode: {"rows": [asdict(row) for row in rows], "mean": asdict(mean_row(rows))}
            for mode, rows in tables.items()
        },
        indent=1,
    )
