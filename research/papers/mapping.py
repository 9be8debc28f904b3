"""The mapping paper's Table I on other sites: every node of every area, on every hit.

A site's stencils are learned as in a job. Each node of each area is then searched for on the hits,
by its full and by its compact descriptor, and the found node is verified by its subtree. Each
search gets a freshly parsed page, so that none profits from caches. Times are processor times.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time
from typing import Literal, TypeAlias, Unpack

import click

from webstencil.cli.evaluate_commands import evaluation, with_cache
from webstencil.cli.method_options import (
    SegmenterOptions,
    chosen_segmenter,
    first_match_option,
    paper_preset_option,
    segmenter_option,
    set_option,
    settings_help,
    threshold_option,
)
from webstencil.errors import SourceError
from webstencil.evaluate.site_pages import Excerpt
from webstencil.evaluate.snapshots import KeepingRenderer
from webstencil.evaluate.tables import Evaluated, ScoreTable
from webstencil.jobs.job import Pipeline
from webstencil.markup import Node, xpath
from webstencil.markup.parse import parse
from webstencil.model import MissReason, Mode, Page, RawPage, Status, Stencil
from webstencil.paper import descriptors
from webstencil.paper.descriptors import (
    LADDER,
    Checks,
    Descriptor,
    SearchOrder,
    Walk,
    distances,
    subtree_paths,
)
from webstencil.paper.locate import Guide, guide, locate
from webstencil.protocols import Renderer, Source
from webstencil.settings import THRESHOLD, Settings
from webstencil.sources import Folder
from webstencil.store import open_store
from webstencil.urls import url_hash

Form: TypeAlias = Literal["full", "compact"]

MICRO = 1_000_000  # µs in a second
FARTHEST = THRESHOLD  # 0..1, of equivalent subtrees; the paper does not give it


def sample(source: Source, pages: int | None = None) -> Excerpt:
    """Take some pages of a source, in a mixed order that is always the same."""
    raws = sorted(source.pages(), key=lambda raw: url_hash(raw.url))[:pages]
    return Excerpt({raw.url: raw for raw in raws}, source)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A stencil, ready for the searches."""

    paths: tuple[frozenset[int], ...]  # of the subtree below each node of an area
    full: tuple[Descriptor, ...]
    compact: tuple[Descriptor, ...]
    guide: Guide


@dataclass(frozen=True, slots=True)
class Search:
    """The search for one node of a stencil on one page."""

    miss: MissReason | None  # why the strictest search fails, None if it does not
    found: bool  # also by weaker checks
    passed: tuple[Checks, ...]  # by each node inspected
    distance: float  # 0..1, of the subtrees; 1 if not found
    start_time: float  # s, until the first node of the descriptor was found
    path_time: float  # s, from there


@dataclass(frozen=True, slots=True)
class HuntRow:
    """The searches for the ids of compact descriptors, in one order."""

    order: str
    time: float  # µs a mapping
    seen: float  # nodes a mapping
    found: int  # mappings
    other: int  # mappings that found another node than depth first, since the id is repeated


@dataclass(frozen=True, slots=True)
class MappingRow:
    """One line of Table I, with figures that the paper gives in its text."""

    site: str
    form: Form
    stencils: int
    pages: int  # hits
    mappings: int
    nodes: int  # inspected
    start_time: float  # µs a mapping: the search for the id, of a compact descriptor
    path_time: float  # µs a mapping
    together_time: float | None  # µs a mapping if all are located at once, as in the pipeline
    strict: int  # mappings found by the strictest checks at all nodes
    strict_verified: int
    fallen: int  # mappings found by weaker checks
    fallen_verified: int
    misses: tuple[tuple[str, int], ...]  # mappings that the strictest checks refuse, by reason
    passed: tuple[tuple[str, int], ...]  # nodes by the strictest combination that they pass
    hunts: tuple["HuntRow", ...] = ()  # how the ids of compact descriptors were searched for

    @property
    def lost(self) -> int:
        """Return the number of mappings that find nothing even without checks."""
        return self.mappings - self.strict - self.fallen


def measure_mapping(
    site: str, source: Source, renderer: Renderer, settings: Settings
) -> tuple[MappingRow, MappingRow]:
    """Learn a site's stencils and locate them on all hits; return a row for full, for compact."""
    known: dict[str, Prepared] = {}
    searches: dict[Form, list[Search]] = {"full": [], "compact": []}
    hunts: dict[SearchOrder, list[TimedHunt]] = {order: [] for order in SearchOrder}
    together, pages = 0.0, 0
    for raw, stencil in hits(source, renderer, settings):
        if stencil.key not in known:
            known[stencil.key] = prepare(stencil)
        prepared = known[stencil.key]
        searches["full"] += search_page(prepared.full, prepared.paths, parse(raw))
        searches["compact"] += search_page(prepared.compact, prepared.paths, parse(raw))
        for order in SearchOrder:
            hunts[order] += hunt_page(prepared.compact, order, parse(raw).markup.root)
        together += time_together(prepared.guide, parse(raw))
        pages += 1
    mean = together * MICRO / max(len(searches["full"]), 1)
    sizes = (len(known), pages)
    return (
        sum_up_searches(site, "full", sizes, searches["full"], mean),
        replace(
            sum_up_searches(site, "compact", sizes, searches["compact"]),
            hunts=tuple(sum_up_hunts(hunts)),
        ),
    )


@dataclass(frozen=True, slots=True)
class TimedHunt:
    """A search for the id of a compact descriptor."""

    xpath: str  # of the node that was found; empty if there was none
    seen: int  # nodes
    time: float  # s


def hunt_page(wanted: Iterable[Descriptor], order: SearchOrder, root: Node) -> list[TimedHunt]:
    """Search a page for the id at which each compact descriptor starts."""
    timed = []
    for descriptor in wanted:
        if descriptor.anchor is not None:
            began = thread_time()
            hunt = descriptors.hunt(descriptor.anchor.id, root, order)
            spent = thread_time() - began
            found = "" if hunt.node is None else xpath(hunt.node)
            timed.append(TimedHunt(found, hunt.seen, spent))
    return timed


def sum_up_hunts(hunts: Mapping[SearchOrder, Sequence[TimedHunt]]) -> Iterator[HuntRow]:
    """Make a row of the searches for ids, for each order."""
    usual = [hunt.xpath for hunt in hunts[SearchOrder.DEPTH_FIRST]]
    for order, own in hunts.items():
        yield HuntRow(
            order=order.value,
            time=micro_mean(hunt.time for hunt in own),
            seen=sum(hunt.seen for hunt in own) / max(len(own), 1),
            found=sum(bool(hunt.xpath) for hunt in own),
            other=sum(hunt.xpath != known for hunt, known in zip(own, usual, strict=True)),
        )


def hits(
    source: Source, renderer: Renderer, settings: Settings
) -> Iterator[tuple[RawPage, Stencil]]:
    """Run a job; yield the hits with their stencils."""
    with (
        TemporaryDirectory() as folder,
        open_store(Path(folder) / "mapping.db") as store,
    ):
        results = list(Pipeline(store, renderer, settings).run(source))
        stencils = {
            stencil.key: stencil
            for site in {result.site for result in results}
            for stencil in store.stencils(site, settings.learner)
        }
    keys = {result.url: result.stencil for result in results if result.status is Status.HIT}
    for raw in source.pages():
        key = keys.get(raw.url)
        if key is not None:
            yield raw, stencils[key]


def prepare(stencil: Stencil) -> Prepared:
    """Describe all nodes of a stencil's areas."""
    nodes = tuple(node for area in stencil.areas for node in area.nodes)
    ends = stencil.tree.ends()
    return Prepared(
        paths=tuple(subtree_paths(stencil.tree, node, ends[node]) for node in nodes),
        full=tuple(descriptors.full(stencil.tree, nodes)),
        compact=tuple(descriptors.compact(stencil.tree, nodes)),
        guide=guide(stencil),
    )


def search_page(
    wanted: Sequence[Descriptor], paths: Sequence[frozenset[int]], page: Page
) -> list[Search]:
    """Search for the node of each descriptor on a page, and verify it by its `paths`."""
    root = page.markup.root
    timed = [time_walk(descriptor, root) for descriptor in wanted]
    far = distances([walk.node for walk, _, _ in timed], paths, page)
    return [
        Search(
            miss=strict_miss(descriptor, root),
            found=walk.node is not None,
            passed=walk.passed,
            distance=apart,
            start_time=start_time,
            path_time=path_time,
        )
        for descriptor, (walk, start_time, path_time), apart in zip(wanted, timed, far, strict=True)
    ]


def time_walk(descriptor: Descriptor, root: Node) -> tuple[Walk, float, float]:
    """Follow a descriptor; also return the seconds to its start and from there."""
    began = thread_time()
    start = descriptors.find_start(descriptor, root)
    started = thread_time()
    walk = Walk(None, ()) if start is None else descriptors.fall_back(descriptor, start)
    return walk, started - began, thread_time() - started


def strict_miss(descriptor: Descriptor, root: Node) -> MissReason | None:
    """Return why the strictest search does not find a node, None if it does."""
    answer = descriptors.find(descriptor, root)
    return answer if isinstance(answer, MissReason) else None


def time_together(known: Guide, page: Page) -> float:
    """Return the seconds to locate all areas of a stencil at once."""
    began = thread_time()
    locate(known, page)
    return thread_time() - began


def sum_up_searches(
    site: str,
    form: Form,
    sizes: tuple[int, int],
    searches: Sequence[Search],
    together_time: float | None = None,
) -> MappingRow:
    """Make a row of searches; `sizes` are the numbers of stencils and pages."""
    strict = [search for search in searches if search.miss is None]
    fallen = [search for search in searches if search.miss is not None and search.found]
    misses = Counter(search.miss for search in searches if search.miss is not None)
    passed = Counter(checks for search in searches for checks in search.passed)
    return MappingRow(
        site=site,
        form=form,
        stencils=sizes[0],
        pages=sizes[1],
        mappings=len(searches),
        nodes=passed.total(),
        start_time=micro_mean(search.start_time for search in searches),
        path_time=micro_mean(search.path_time for search in searches),
        together_time=together_time,
        strict=len(strict),
        strict_verified=verified(strict),
        fallen=len(fallen),
        fallen_verified=verified(fallen),
        misses=tuple((reason.value, misses[reason]) for reason in MissReason),
        passed=tuple((str(checks), passed[checks]) for checks in LADDER),
    )


def micro_mean(seconds: Iterable[float]) -> float:
    """Return the mean in microseconds, 0 if there is nothing."""
    known = list(seconds)
    return sum(known) * MICRO / len(known) if known else 0.0


def verified(searches: Iterable[Search]) -> int:
    """Count the searches that found a node with an equivalent subtree."""
    return sum(search.distance <= FARTHEST for search in searches)


# Table I of the mapping paper: ours, and the paper's own.


COLUMNS = (
    *("site", "type", "mappings", "nodes", "avg. time", "at once"),
    *("strictest", "verified", "fell back", "verified", "lost"),
)
LADDER_TITLE = "nodes by the checks that they pass, mappings by the check that refuses them"
LADDER_COLUMNS = ("site", "type", *map(str, LADDER), *(f"by {reason}" for reason in MissReason))

HUNT_TITLE = "the search for the id at which a compact descriptor starts, a mapping"
HUNT_COLUMNS = ("site", "order", "nodes seen", "avg. time", "found", "another node")

PAPER = "the paper's own figures, 1,500 pages a site: other sites and another machine"
PAPER_COLUMNS = COLUMNS[:5]
PAPER_ROWS = (
    ("iDnes.cz", "full", "5024", "59499", "7.6 ms"),
    ("iDnes.cz", "compact", "5024", "19375", "0.64 s + 4.7 ms"),
    ("novinky.cz", "full", "5130", "40592", "7.3 ms"),
    ("novinky.cz", "compact", "5130", "17741", "1.1 s + 5.7 ms"),
    ("theregister.co.uk", "full", "323", "2044", "30.7 ms"),
    ("theregister.co.uk", "compact", "323", "752", "0.5 s + 20.1 ms"),
    ("telegraph.co.uk", "full", "7140", "66107", "8.4 ms"),
    ("telegraph.co.uk", "compact", "7140", "31736", "0.7 s + 4.1 ms"),
    ("penize.cz", "full", "17537", "177020", "4 ms"),
    ("penize.cz", "compact", "17537", "80500", "0.2 s + 2.2 ms"),
)


def show_mapping(rows: Sequence[MappingRow]) -> Evaluated:
    """Show the mappings, the fall-back ladder and the paper's own table."""
    hunts = [line for row in rows for line in hunt_lines(row)]
    tables = [
        ScoreTable("mappings", COLUMNS, tuple(map(mapping_cells, rows))),
        ScoreTable(LADDER_TITLE, LADDER_COLUMNS, tuple(map(ladder_cells, rows))),
        ScoreTable(HUNT_TITLE, HUNT_COLUMNS, tuple(hunts)),
        ScoreTable(PAPER, PAPER_COLUMNS, PAPER_ROWS),
    ]
    paper = {"source": PAPER, "columns": PAPER_COLUMNS, "rows": PAPER_ROWS}
    return Evaluated(tables, {"rows": [asdict(row) for row in rows], "paper": paper})


def mapping_cells(row: MappingRow) -> list[str]:
    """Write a row of our Table I."""
    start = f"{row.start_time:.1f} + " if row.form == "compact" else ""
    together = "" if row.together_time is None else f"{row.together_time:.1f} µs"
    return [
        row.site,
        row.form,
        str(row.mappings),
        str(row.nodes),
        f"{start}{row.path_time:.1f} µs",
        together,
        percent(row.strict, row.mappings),
        percent(row.strict_verified, row.strict),
        percent(row.fallen, row.mappings),
        percent(row.fallen_verified, row.fallen),
        percent(row.lost, row.mappings),
    ]


def percent(part: int, whole: int) -> str:
    """Write a part in percent."""
    return f"{part / whole:.1%}" if whole else "-"


def hunt_lines(row: MappingRow) -> Iterator[list[str]]:
    """Write the searches for ids, a line for each order."""
    for hunt in row.hunts:
        figures = (f"{hunt.seen:.1f}", f"{hunt.time:.1f} µs", str(hunt.found), str(hunt.other))
        yield [row.site, hunt.order, *figures]


def ladder_cells(row: MappingRow) -> list[str]:
    """Write the nodes by checks passed, and the mappings by checks failed."""
    return [row.site, row.form, *(str(number) for _, number in (*row.passed, *row.misses))]


# `webstencil evaluate mapping`.


@evaluation("mapping", "all counters")
@click.option("--pages", type=click.IntRange(min=2), help="Largest number of pages of a site.")
@segmenter_option
@paper_preset_option
@set_option
@settings_help
@threshold_option
@first_match_option
@with_cache
def mapping_command(
    paths: Sequence[Path],
    pages: int | None,
    threshold: float | None,
    first_match: bool,
    cache: Path,
    **options: Unpack[SegmenterOptions],
) -> Evaluated:
    """Locate areas by descriptors and print Table I of the mapping paper.

    Each PATH is a folder with the pages of a site.
    """
    settings = Settings(
        chosen_segmenter(options, Mode.PAPER),
        Mode.PAPER,
        THRESHOLD if threshold is None else threshold,
        first_match=first_match,
    )
    rows: list[MappingRow] = []
    with KeepingRenderer(cache / "snapshots") as renderer:
        for path in paths:
            site, source = path.resolve().name, Folder(path)
            if not source.count():
                raise SourceError(f"there is no page in {site}; give the folder of a site")
            rows += measure_mapping(site, sample(source, pages), renderer, settings)
    return show_mapping(rows)
