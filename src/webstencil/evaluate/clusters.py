"""Clusters of pages against the templates that people labelled, without rendering.

In default mode, clusters are the templates read off the model of all pages of a set. Every page
with a label counts: a page that fits no template is a cluster of its own, as it would be rendered
for itself; pages that are empty, errors, frames or redirects are one cluster each, as a survey
lists them. The order of pages does not matter. Addresses are evidence, as they are on any site.

In paper mode, a page joins the cluster of the nearest first page within the threshold, or opens
one, in the order of the set.

Neither mode sees the classes of a body, from which some labels were taken.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

from webstencil import markup
from webstencil.errors import SourceError
from webstencil.evaluate.labelled_data import (
    REDIRECT,
    ROWS_ENDING,
    existing_folder,
    read_labels,
    read_page,
    read_rows,
    readable_page,
    row_page,
)
from webstencil.evaluate.scores import adjusted_information, purity
from webstencil.evaluate.site_pages import PackedPage, packed_page
from webstencil.evaluate.tables import Evaluated, joined_tables, mean_row, score_table
from webstencil.model import Page, RawPage, Stencil, Tree
from webstencil.paper.match import nearest
from webstencil.settings import THRESHOLD
from webstencil.site.outline import Oddity, OutlinedPage, outline
from webstencil.site.site_model import SiteModel
from webstencil.site.templates import NO_TEMPLATE, SiteTemplates, adjusted_rand, find_templates
from webstencil.sources import Folder

# Sets of pages with the labels of their templates.
#
# Labels come from a table, from a file of pages, or from the pages themselves: many programs write
# the type of a page into the classes of its `body`.


LABELS_ENDING = ".csv"


class PageLabels(NamedTuple):
    """The labels of a page; empty if it has none: then it is clustered, and not scored."""

    type: str  # as the site has it
    layout: str  # types that a person would call one layout have the same


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """Pages to cluster together, each with its labels."""

    name: str
    pages: Iterable[tuple[RawPage, PageLabels]]


def read_sets(path: Path, pages_root: Path | None = None) -> Iterator[LabelledSet]:
    """Read the sets of a file: one from a table of labels, one or more from a file of pages."""
    if path.is_dir():
        raise SourceError(
            f"{path} is a folder; give its table of labels, or read the labels from its pages by "
            "--label-body-class"
        )
    if not path.is_file():
        raise SourceError(f"{path} is not a file; give a table of labels or a file of pages")
    if path.name.endswith(LABELS_ENDING):
        folder = existing_folder((pages_root or path.parent) / path.stem)
        yield LabelledSet(path.stem, labelled_files(path, folder))
    elif path.name.endswith(ROWS_ENDING):
        yield from pooled_sets(path)
    else:
        raise SourceError(f"{path} must end in {LABELS_ENDING} or {ROWS_ENDING}")


def labelled_files(labels: Path, folder: Path) -> Iterator[tuple[RawPage, PageLabels]]:
    """Yield the pages of a table of labels in its order."""
    for path, label in read_labels(labels):
        if label != REDIRECT:
            yield read_page(folder, path), PageLabels(label, label)


def pooled_sets(path: Path) -> Iterator[LabelledSet]:
    """Read the sets of a file of pages: the pages of a vertical, or else of a set.

    A template belongs to one site; where a site has several, the row names it.
    """
    pools: dict[str, list[tuple[RawPage, PageLabels]]] = {}
    for row in read_rows(path, ("site", "id", "html")):
        kind = row.get("template")
        if kind != REDIRECT:
            names = (kind, row.get("merged") or kind)
            labels = PageLabels(*["/".join(filter(None, (row["site"], name))) for name in names])
            pool = row.get("vertical") or row.get("set") or ""
            pools.setdefault(pool, []).append((row_page(row), labels))
    for name, pages in pools.items():
        yield LabelledSet(f"{path.name.removesuffix(ROWS_ENDING)} {name}".strip(), pages)


def self_labelled(folder: Path) -> LabelledSet:
    """Read the pages of a folder, labelled by the classes of their bodies."""
    if not folder.is_dir():
        raise SourceError(f"{folder} is not a folder; --label-body-class needs folders of pages")
    return LabelledSet(folder.resolve().name, _self_labelled_files(folder))


def read_all_sets(
    paths: Iterable[Path], pages_root: Path | None = None, *, by_body: bool = False
) -> Iterator[LabelledSet]:
    """Yield the sets of files, or of folders whose pages say their labels themselves."""
    for path in paths:
        if by_body:
            yield self_labelled(path)
        else:
            yield from read_sets(path, pages_root)


def _self_labelled_files(folder: Path) -> Iterator[tuple[RawPage, PageLabels]]:
    for raw in Folder(folder).pages():
        page = readable_page(raw)
        body = page.markup.body if page is not None else None
        label = body_label(markup.attribute(body, "class")) if body is not None else ""
        yield raw, PageLabels(label, label)


def body_label(classes: str) -> str:
    """Return the label that the classes of a body make; those with a digit name single pages.

    >>> body_label("single-post postid-17 single")
    'single single-post'
    """
    kept = {name for name in classes.split() if not any(map(str.isdigit, name))}
    return " ".join(sorted(kept))


NO_TREE = Tree((), (), (), ())
DEFAULT_CLUSTERS, PAPER_CLUSTERS = "default", "paper"
MODES = (DEFAULT_CLUSTERS, PAPER_CLUSTERS)


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


CLUSTER_COLUMNS = (
    *("set=name", "pages:n", "left out:n", "ARI=ari:.3f", "ARI merged=ari_merged:.3f"),
    *("AMI=ami:.3f", "purity:.3f", "hit ratio:.3f", "clusters:n", "alone:n", "labels:n"),
)


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """How to cluster."""

    mode: str = DEFAULT_CLUSTERS  # or PAPER
    threshold: float = THRESHOLD  # for paper mode
    seed: int | None = None  # of the page order; None: as they come


def measure_set(known: LabelledSet, settings: ClusterSettings) -> ClusterRow:
    """Cluster a set and compare its clusters with its labels."""
    pages = known.pages if settings.seed is None else shuffled(known.pages, settings.seed)
    paper = settings.mode == PAPER_CLUSTERS
    joined = list(path_clusters(pages, settings.threshold) if paper else template_clusters(pages))
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


def template_clusters(
    pages: Iterable[tuple[RawPage, PageLabels]],
) -> Iterator[tuple[str | None, PageLabels]]:
    """Yield the cluster and the labels of each page; None for a page that is not HTML."""
    model = SiteModel()
    found: list[tuple[PackedPage | None, PageLabels]] = []
    for raw, labels in pages:
        page = readable_page(raw)
        if page is None:
            found.append((None, labels))
            continue
        outlined = OutlinedPage(page.url, outline(page))
        if outlined.url not in model:
            model.add(outlined)
        found.append((packed_page(outlined), labels))
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


def path_clusters(
    pages: Iterable[tuple[RawPage, PageLabels]], threshold: float
) -> Iterator[tuple[str | None, PageLabels]]:
    """Yield the cluster and the labels of each page; None for a page that is not HTML."""
    firsts: list[Stencil] = []
    for raw, labels in pages:
        page = readable_page(raw)
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
    return Stencil(str(number), page.site, NO_TREE, page.paths, (), "", page.url)


def cluster_report(modes: Mapping[str, Sequence[ClusterRow]], threshold: float) -> Evaluated:
    """Show the rows of each mode, and their mean."""
    tables = []
    for mode, rows in modes.items():
        limit = f", distance at most {threshold:g}" if mode == PAPER_CLUSTERS else ""
        tables.append(score_table(f"mode {mode}{limit}", CLUSTER_COLUMNS, (*rows, mean_row(rows))))
    values = {
        mode: {"rows": [asdict(row) for row in rows], "mean": asdict(mean_row(rows))}
        for mode, rows in modes.items()
    }
    return Evaluated(tables, values, joined_tables("mode", *zip(modes, tables, strict=True)))
