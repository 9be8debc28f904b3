"""Scores of navigation as tables and plots."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from research.training import navigation
from webstencil.cli import screen
from webstencil.evaluate import navigation
from webstencil.evaluate.navigation import MarkedPage, SiteBlock
from webstencil.navigation.classify import read_model
from webstencil.output.plot import PlotLine, plot

CLUSTERS = "blocks of links against marked ones"
CLASSES = "navigation or not, cross-validated by site"
REPETITION = "menus by repetition on siblings"
BY_MARKUP = "menus by one page, other sites teach, against the markup"
BY_SIBLINGS = "menus by one page, other sites teach, against siblings"
PAGINATION = "pagination links"
PAGES, CURVE = "each page", "learning curve"  # long tables, for JSON and plots only
LEARNED = ("paper, CHD-HD", "ours")  # whose learning curves are drawn
FLOOR_STEPS = 100  # a floor is the score, rounded to 1/100: training libraries differ a little


@dataclass(frozen=True, slots=True)
class FloorRows:
    """Rows of a table that have floors, by their first field, and their measures."""

    part: str
    table: str
    rows: tuple[str, ...]
    measures: tuple[str, ...]


HELD = (
    FloorRows("clusters", CLUSTERS, ("CHD", "ours"), ("ari", "ami")),
    FloorRows("classes", CLASSES, ("ours",), ("f1", "auc", "auc_blocks")),
    FloorRows("menus", REPETITION, ("mean of sites",), ("found", "called")),
    FloorRows("menus", BY_MARKUP, ("mean of sites",), ("found", "called")),
    FloorRows("menus", BY_SIBLINGS, ("mean of sites",), ("found", "called")),
    FloorRows("pagination", PAGINATION, ("cross-validated by site",), ("f1",)),
)


def clusters_part(pages: Sequence[MarkedPage], plots: Path | None) -> dict[str, list[Any]]:
    """Score the methods to cluster links."""
    scores = navigation.score_clusterings(pages, navigation.clustering_methods())
    scores += navigation.cross_validated_clusterings(pages)
    if plots is not None:
        for measure, figure in (("ari", 5), ("ami", 6)):
            plot(
                plots / f"figure-{figure}-{measure}.svg",
                navigation.cumulative(scores, measure),
                title=f"Share of pages below {measure.upper()}",
                x=measure.upper(),
                y="share of pages",
            )
    return {
        CLUSTERS: navigation.mean_clusterings(scores),
        "our threshold with other factors": navigation.with_factors(pages),
        PAGES: scores,
    }


def classes_part(pages: Sequence[MarkedPage], plots: Path | None) -> dict[str, list[Any]]:
    """Score the systems that recognise navigation."""
    curve = [
        point
        for system in navigation.systems()
        if system.name in LEARNED
        for point in navigation.learning_curve(pages, system)
    ]
    if plots is not None:
        lines = [
            PlotLine(
                name, tuple((point.share, point.f1) for point in curve if point.method == name)
            )
            for name in LEARNED
        ]
        file = plots / "figure-7-learning.svg"
        plot(file, lines, title="Learning curve", x="training links (%)", y="F1")
    return {
        CLASSES: navigation.compare_systems(pages),
        "navigation or not, one half of the sites teaches": navigation.half_the_sites(pages),
        "what groups of features bring, cross-validated": navigation.without_groups(pages),
        CURVE: curve,
    }


def menus_part(blocks: Sequence[SiteBlock], shipped: str) -> dict[str, list[Any]]:
    """Score menus by repetition, and by a model trained on repetition."""
    known = navigation.training_blocks(blocks)
    by_markup, by_siblings = navigation.leave_one_out(known)
    model = read_model(shipped)
    answers = {
        site: [
            (block.share, block.zone, model.score(block.row) > 0)
            for block in known
            if block.site == site
        ]
        for site in sorted({block.site for block in known})
    }
    shipped_scores = [navigation.menu_score(site, found) for site, found in answers.items()]
    return {
        REPETITION: navigation.menus_by_repetition(blocks),
        BY_MARKUP: by_markup,
        BY_SIBLINGS: by_siblings,
        "menus by one page, shipped model, against the markup": navigation.with_mean_menus(
            shipped_scores
        ),
    }


def pagination_part(pages: Sequence[navigation.PagedPage], shipped: str) -> dict[str, list[Any]]:
    """Score pagination links."""
    return {
        PAGINATION: [
            navigation.cross_validate_pagination(pages),
            navigation.with_shipped_pagination(pages, shipped),
        ]
    }


def show(tables: dict[str, list[Any]]) -> None:
    """Print all tables except the long ones."""
    for title, rows in tables.items():
        if rows and title not in {PAGES, CURVE}:
            names = [known.name.replace("_", " ") for known in fields(rows[0])]
            cells = [list(map(cell, asdict(row).values())) for row in rows]
            screen.show_table(title, names, cells)


def cell(value: object) -> str:
    """Write a value of a table."""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def held_scores(part: str, tables: Mapping[str, Sequence[Any]]) -> dict[tuple[str, ...], float]:
    """Return the scores of a part that have floors, by table and row, and measure."""
    found: dict[tuple[str, ...], float] = {}
    for held in (held for held in HELD if held.part == part):
        for values in map(asdict, tables.get(held.table, ())):
            name = next(iter(values.values()))
            if name in held.rows:
                title = f"{held.table}: {name}"
                found |= {(title, measure): values[measure] for measure in held.measures}
    return found
