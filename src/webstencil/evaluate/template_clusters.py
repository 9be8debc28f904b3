"""Clusters of pages against the templates that people labelled, without rendering.

In default mode, clusters are the templates read off the model of all pages of a set. Every page
with a label counts: a page that fits no template is a cluster of its own, as it would be rendered
for itself; pages that are empty, errors, frames or redirects are one cluster each, as a survey
lists them. The order of pages does not matter. Addresses are evidence, as they are on any site.

In paper mode, a page joins the cluster of the nearest first page within the threshold, or opens
one, in the order of the set.

Neither mode sees the classes of a body, from which some labels were taken.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from random import Random
from statistics import fmean

from webstencil.evaluate.labelled_data import readable
from webstencil.evaluate.labelled_sets import LabelledSet, PageLabels
from webstencil.evaluate.packed_pages import PackedPage, packed
from webstencil.evaluate.partitions import adjusted_information, purity
from webstencil.model import Page, RawPage, Stencil, Tree
from webstencil.paper.match import nearest
from webstencil.settings import THRESHOLD
from webstencil.site.outline import Oddity, outline
from webstencil.site.site_model import OutlinedPage, SiteModel
from webstencil.site.templates import NO_TEMPLATE, SiteTemplates, adjusted_rand, find_templates

NOTHING = Tree((), (), (), ())
DEFAULT, PAPER = "default", "paper"
MODES = (DEFAULT, PAPER)


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """The scores of a set."""

    name: str
    pages: float  # with a label
    left_out: float  # no label, empty, or not HTML
    ari: float  # -0.5..1
    ari_merged: float  # against labels of layouts
    ami: float  # about 0..1
    purity: float  # 0..1
    hit_ratio: float  # 0..1
    clusters: float
    alone: float  # clusters of one page
    labels: float


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
    scored = [(cluster, label) for cluster, label in joined if cluster is not None and label.type]
    scored.sort()  # sums of floats differ by their order
    clusters = [cluster for cluster, _ in scored]
    labels = [label.type for _, label in scored]
    sizes = Counter(clusters)
    return ClusterRow(
        name=known.name,
        pages=len(scored),
        left_out=len(joined) - len(scored),
        ari=adjusted_rand(clusters, labels),
        ari_merged=adjusted_rand(clusters, [label.layout for _, label in scored]),
        ami=adjusted_information(clusters, labels),
        purity=purity(clusters, labels),
        hit_ratio=1.0 - len(sizes) / len(scored) if scored else 0.0,
        clusters=len(sizes),
        alone=sum(size == 1 for size in sizes.values()),
        labels=len(set(labels)),
    )


def shuffled(
    pages: Iterable[tuple[RawPage, PageLabels]], seed: int
) -> list[tuple[RawPage, PageLabels]]:
    """Shuffle pages; the order depends on the seed alone."""
    kept = list(pages)
    Random(seed).shuffle(kept)
    return kept


def templates(
    pages: Iterable[tuple[RawPage, PageLabels]],
) -> Iterator[tuple[str | None, PageLabels]]:
    """Yield the cluster and the labels of each page; None for a page that is not HTML."""
    model = SiteModel()
    found: list[tuple[PackedPage | None, PageLabels]] = []
    for raw, labels in pages:
        page = readable(raw)
        if page is None:
            found.append((None, labels))
            continue
        outlined = OutlinedPage(page.url, outline(page))
        if outlined.url not in model:
            model.add(outlined)
        found.append((packed(outlined), labels))
    site = find_templates(model)
    for known, labels in found:
        if known is None:
            yield None, labels
        else:
            outlined = known.unpacked()
            yield cluster_of(outlined, site, learned=outlined.url in model), labels


def cluster_of(page: OutlinedPage, site: SiteTemplates, *, learned: bool) -> str:
    """Return the cluster of a page: its template, what is odd about it, else itself."""
    number = site.number_of(page.url, page.outline, learned=learned)
    if number != NO_TEMPLATE:
        return f"template {number}"
    return page.url if page.outline.oddity is Oddity.NONE else page.outline.oddity.value


def clustered(
    pages: Iterable[tuple[RawPage, PageLabels]], threshold: float
) -> Iterator[tuple[str | None, PageLabels]]:
    """Yield the cluster and the labels of each page; None for a page that is not HTML."""
    firsts: list[Stencil] = []
    for raw, labels in pages:
        page = readable(raw)
        match = nearest(page, firsts) if page is not None else None
        if page is None:
            yield None, labels
        elif match is not None and match.distance <= threshold:
            yield match.stencil.key, labels
        else:
            yield str(len(firsts)), labels
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
