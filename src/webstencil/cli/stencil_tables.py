"""Tables of stencils: their list, one of them, the drift of their sites."""

from collections.abc import Sequence

from rich.table import Table

from webstencil.cli.screen import holder, place, plain_table
from webstencil.model import Stencil
from webstencil.output.words import percent, sure, when
from webstencil.queries.drift import RunSpan, SiteDrift
from webstencil.queries.learners import learner_words
from webstencil.store import StencilHistory, StencilSummary

STENCIL_COLUMNS = ("key", "site", "pages", "areas", "nodes", "state", "learned from", "learner")


def stencil_table(stencil: Stencil, history: StencilHistory) -> Table:
    """Show a stencil, its history and its areas."""
    title = (
        f"{stencil.key}  {stencil.site}",
        f"learned from {stencil.made_from}",
        f"with {stencil.made_by}",
        *history_words(history),
    )
    table = plain_table(
        *("area", "in", "kind", "left, top, width x height", "nodes", "attributes"),
        title="\n".join(title),
    )
    for number, area in enumerate(stencil.areas):
        said = " ".join(f"{name}={value:g}" for name, value in area.attributes)
        nodes = str(len(area.nodes))
        table.add_row(
            str(number), holder(area.around), area.kind or "", place(area.rect), nodes, said
        )
    return table


def history_words(history: StencilHistory) -> tuple[str, ...]:
    """Say when and why a stencil was learned, and how often it was used."""
    mean = "" if history.confidence is None else f", mean confidence {sure(history.confidence)}"
    return (
        f"learned in the run of {when(history.learned)}",
        f"because: {history.why or 'not recorded'}",
        f"last used in the run of {when(history.used)}",
        f"{history.state}, {history.hits} hits{mean}",
    )


def stencil_rows(stencils: Sequence[StencilSummary]) -> list[tuple[str, ...]]:
    """List stencils."""
    return [
        (
            known.key,
            known.site,
            str(known.pages),
            str(known.areas),
            str(known.nodes),
            known.state,
            known.made_from,
            learner_words(known.made_by),
        )
        for known in stencils
    ]


def drift_table(found: Sequence[SiteDrift]) -> Table:
    """Show the figures of each site, before and lately."""
    table = plain_table(
        *("site", "runs", "pages", "hit ratio", "confidence"),
        *("learned", "retired", "replaced", "without hits", "learner"),
    )
    for site in found:
        before = span_cells(site.before) if site.before else ("-",) * 4
        both = zip(before, span_cells(site.lately), strict=True)
        cells = [f"{then} > {lately}" for then, lately in both]
        stencils = (site.learned, site.retired, site.replaced, site.unused)
        table.add_row(site.site, *cells, *map(str, stencils), learner_words(site.made_by))
    return table


def span_cells(span: RunSpan) -> tuple[str, str, str, str]:
    """Write runs, pages, hit ratio and confidence."""
    return str(span.runs), str(span.pages), percent(span.hit_ratio), sure(span.confidence)
