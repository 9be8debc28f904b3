"""How well pages are grouped by template, without rendering, against labels.

Pages come in the order of their set. By the papers, a page joins the cluster of the nearest first
page within the threshold, or opens one. By default, the clusters are the templates that are told
apart as pages come by; a page has the template that its sample has in the end. Neither looks at the
classes of a body, from which some labels were taken, nor at addresses, from which others were.
"""

import csv
import json
import lzma
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import comb, exp, lgamma, log
from pathlib import Path
from random import Random
from statistics import fmean
from typing import TypeAlias

from webstencil.errors import ParseError, SourceError
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage, Stencil, Tree
from webstencil.settings import THRESHOLD
from webstencil.site.paper.match import nearest
from webstencil.site.templates import SiteTemplates

LEFT_OUT = frozenset({"redirect"})  # labels of stubs that have no template
LABELS_ENDING = ".csv"
ROWS_ENDING = ".jsonl.xz"
NOTHING = Tree((), (), (), ())
COLUMNS = (
    "set",
    "pages",
    "unreadable",
    "labels",
    "clusters",
    "hit ratio",
    "ARI",
    "ARI at once",
    "AMI",
    "purity",
)
DEFAULT, PAPER = "default", "paper"
MODES = (DEFAULT, PAPER)
Cluster: TypeAlias = tuple[str, str]  # as known when the page came, and in the end
SAME = 1e-12  # differences of information (nats) below this come from rounding


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """Pages to be clustered together, each with the label of its template."""

    name: str
    pages: Iterable[tuple[RawPage, str]]


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """How a set did."""

    name: str
    pages: float
    unreadable: float  # not clustered, since they are no HTML
    labels: float
    clusters: float
    hit_ratio: float  # 0..1
    ari: float  # -0.5..1
    ari_at_once: float  # by the clusters as they were known when each page came
    ami: float  # about 0..1
    purity: float  # 0..1


def read_sets(path: Path, pages_root: Path | None = None) -> Iterator[LabelledSet]:
    """Read the sets of a file: one of a table of labels, one or more of a file of pages."""
    if not path.is_file():
        raise SourceError(f"{path} does not exist or is no file; name a table or a file of pages")
    if path.name.endswith(LABELS_ENDING):
        yield LabelledSet(path.stem, labelled_files(path, site_folder(path, pages_root)))
    elif path.name.endswith(ROWS_ENDING):
        yield from pooled(path)
    else:
        raise SourceError(f"{path} ends neither in {LABELS_ENDING} nor in {ROWS_ENDING}")


def site_folder(labels: Path, pages_root: Path | None) -> Path:
    """Find the folder of the site that labels are of; it has their name."""
    folder = (pages_root or labels.parent) / labels.stem
    if not folder.is_dir():
        raise SourceError(f"{folder} is no folder; say by --pages-root where {labels.stem} is")
    return folder


def labelled_files(labels: Path, folder: Path) -> Iterator[tuple[RawPage, str]]:
    """Yield the pages of a table of labels in its order."""
    with labels.open(newline="", encoding="utf-8") as table:
        rows = csv.DictReader(table)
        if not {"path", "label"} <= set(rows.fieldnames or ()):
            raise SourceError(f"{labels} has no columns path and label")
        for row in rows:
            if row["label"] not in LEFT_OUT:
                yield read_page(folder, row["path"]), row["label"]


def read_page(folder: Path, path: str) -> RawPage:
    """Read a page; one that cannot be read comes with its fault."""
    url, origin = f"http://{folder.name}/{path}", str(folder / path)
    try:
        return RawPage(url, (folder / path).read_bytes(), origin=origin)
    except OSError as error:
        return RawPage(url, b"", origin=origin, fault=error.strerror or str(error))


def pooled(path: Path) -> Iterator[LabelledSet]:
    """Read the sets of a file of pages: those of a vertical, or else of a set, in one pool.

    A template is one site's, and where a site has several the row names it.
    """
    pools: dict[str, list[tuple[RawPage, str]]] = {}
    try:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                raw = RawPage(f"http://{row['site']}/{row['id']}", row["html"].encode("latin-1"))
                label = "/".join(filter(None, (row["site"], row.get("template"))))
                if row.get("template") not in LEFT_OUT:
                    pools.setdefault(row.get("vertical") or row["set"], []).append((raw, label))
    except (lzma.LZMAError, EOFError, ValueError, KeyError) as error:
        raise SourceError(f"{path} does not hold a labelled page a line: {error!r}") from error
    for name, pages in pools.items():
        yield LabelledSet(f"{path.name.removesuffix(ROWS_ENDING)} {name}", pages)


@dataclass(frozen=True, slots=True)
class ClusterPlan:
    """How to cluster."""

    mode: str = DEFAULT  # or PAPER
    threshold: float = THRESHOLD  # of the papers
    seed: int | None = None  # to shuffle the pages; None: as they come


def measure(known: LabelledSet, plan: ClusterPlan) -> ClusterRow:
    """Cluster a set and compare its clusters with its labels."""
    pages = known.pages if plan.seed is None else shuffled(known.pages, plan.seed)
    paper = plan.mode == PAPER
    joined = list(clustered(pages, plan.threshold) if paper else templates(pages))
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
    """Put pages in an order that hangs on the seed alone."""
    kept = list(pages)
    Random(seed).shuffle(kept)
    return kept


def templates(pages: Iterable[tuple[RawPage, str]]) -> Iterator[tuple[Cluster | None, str]]:
    """Yield the template and the label of each page; the template is None if it is no HTML."""
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
    """Yield the cluster and the label of each page; the cluster is None if it is no HTML."""
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
            firsts.append(first(page, len(firsts)))


def readable(raw: RawPage) -> Page | None:
    """Parse a page; None if it is no HTML."""
    try:
        return parse(raw)
    except ParseError:
        return None


def first(page: Page, number: int) -> Stencil:
    """Make a stencil for matching only: a page's paths."""
    return Stencil(str(number), page.site, NOTHING, page.paths, (), "", page.url)


def adjusted_rand(ones: Sequence[Hashable], others: Sequence[Hashable]) -> float:
    """Return the adjusted Rand index (Hubert and Arabie 1985): 1 for equal, about 0 by chance."""
    together = pairs_in(Counter(zip(ones, others, strict=True)).values())
    left, right = pairs_in(Counter(ones).values()), pairs_in(Counter(others).values())
    everything = comb(len(ones), 2)
    expected = left * right / everything if everything else 0.0
    most = (left + right) / 2
    return (together - expected) / (most - expected) if most != expected else 1.0


def pairs_in(sizes: Iterable[int]) -> int:
    """Count the pairs that are in the same part."""
    return sum(comb(size, 2) for size in sizes)


def adjusted_information(ones: Sequence[Hashable], others: Sequence[Hashable]) -> float:
    """Return the adjusted mutual information (Vinh et al. 2010), by the mean of the entropies."""
    left, right = Counter(ones), Counter(others)
    shared = Counter(zip(ones, others, strict=True))
    if len(shared) == len(left) == len(right):
        return 1.0  # the same partition; where nothing can vary the formula is 0 / 0
    total = len(ones)
    entropies = [entropy(sizes, total) for sizes in (left.values(), right.values())]
    mutual = sum(entropies) - entropy(shared.values(), total)
    expected = expected_information(left.values(), right.values(), total)
    most = sum(entropies) / 2
    return (mutual - expected) / (most - expected) if most - expected > SAME else 0.0


def entropy(sizes: Iterable[int], total: int) -> float:
    """Return the entropy of a partition in nats."""
    return -sum(size / total * log(size / total) for size in sizes)


def expected_information(left: Iterable[int], right: Iterable[int], total: int) -> float:
    """Return the mean mutual information of all partitions with parts of these sizes (nats)."""
    others = Counter(right)
    return sum(
        many * more * expected_part(one, other, total)
        for one, many in Counter(left).items()
        for other, more in others.items()
    )


def expected_part(one: int, other: int, total: int) -> float:
    """Return what two parts of these sizes add to the expected mutual information.

    How much they share by chance is hypergeometric; factorials are too large save as logarithms.
    """
    fixed = sum(map(log_factorial, (one, other, total - one, total - other)))
    found = 0.0
    for both in range(max(1, one + other - total), min(one, other) + 1):
        rest = (both, one - both, other - both, total - one - other + both)
        chance = exp(fixed - log_factorial(total) - sum(map(log_factorial, rest)))
        found += chance * both / total * log(total * both / (one * other))
    return found


def log_factorial(number: int) -> float:
    """Return the natural logarithm of a factorial."""
    return lgamma(number + 1)


def purity(clusters: Sequence[Hashable], labels: Sequence[Hashable]) -> float:
    """Return the share of the pages that have the most frequent label of their cluster."""
    most: dict[Hashable, int] = {}
    for (cluster, _), size in Counter(zip(clusters, labels, strict=True)).items():
        most[cluster] = max(size, most.get(cluster, 0))
    return sum(most.values()) / len(clusters) if clusters else 1.0


def mean_row(rows: Sequence[ClusterRow]) -> ClusterRow:
    """Average over sets."""
    return ClusterRow(
        name="mean",
        pages=fmean(row.pages for row in rows),
        unreadable=fmean(row.unreadable for row in rows),
        labels=fmean(row.labels for row in rows),
        clusters=fmean(row.clusters for row in rows),
        hit_ratio=fmean(row.hit_ratio for row in rows),
        ari=fmean(row.ari for row in rows),
        ari_at_once=fmean(row.ari_at_once for row in rows),
        ami=fmean(row.ami for row in rows),
        purity=fmean(row.purity for row in rows),
    )


def report(tables: Mapping[str, Sequence[ClusterRow]]) -> str:
    """Write all rows as JSON, by mode."""
    return json.dumps(
        {
            mode: {"rows": [asdict(row) for row in rows], "mean": asdict(mean_row(rows))}
            for mode, rows in tables.items()
        },
        indent=1,
    )
