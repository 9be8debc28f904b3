"""What a person sees of stencils: their list, the life of one, the drift of their sites."""

from collections.abc import Sequence

from rich.table import Table

from webstencil.cli.tables import holder, place, plain_table
from webstencil.model import Stencil
from webstencil.queries.drift import RunSpan, SiteDrift
from webstencil.segment import SEGMENTERS
from webstencil.store import StencilHistory, StencilSummary


def stencil_table(stencil: Stencil, history: StencilHistory) -> Table:
    """Show a stencil, its life and its areas."""
    title = (
        f"{stencil.key}  {stencil.site}",
        f"learned from {stencil.made_from}",
        f"by {stencil.made_by}",
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
    """Say when and why a stencil was learned, and what came of it."""
    sure = "" if history.confidence is None else f", mean confidence {history.confidence:.3f}"
    return (
        f"learned in the run of {history.learned or 'an unknown time'}",
        f"because: {history.why or 'not noted'}",
        f"last used in the run of {history.used or 'an unknown time'}",
        f"{history.state}, {history.hits} hits{sure}",
    )


def stencils_table(stencils: Sequence[StencilSummary]) -> Table:
    """List stencils."""
    table = plain_table(
        "key", "site", "pages", "areas", "nodes", "state", "learned from", "made by"
    )
    for known in stencils:
        table.add_row(
            known.key,
            known.site,
            str(known.pages),
            str(known.areas),
            str(known.nodes),
            known.state,
            known.made_from,
            maker_words(known.made_by),
        )
    return table


def maker_words(made_by: str) -> str:
    """Say what made stencils, with those of its settings that are not the usual ones."""
    head, _, settings = made_by.removesuffix(")").partition("(")
    names = {segmenter.__name__: repr(segmenter()) for segmenter in SEGMENTERS.values()}
    usual = names.get(head.rpartition(" ")[2], "").removesuffix(")").partition("(")[2].split(", ")
    own = [pair for pair in settings.split(", ") if pair not in usual]
    return f"{head}({', '.join(own)})" if own else head


def drift_table(found: Sequence[SiteDrift]) -> Table:
    """Show the figures of each site, before and lately."""
    table = plain_table(
        *("site", "runs", "pages", "hit ratio", "confidence"),
        *("learned", "retired", "replaced", "without hits", "made by"),
    )
    for site in found:
        before = span_cells(site.before) if site.before else ("-",) * 4
        both = zip(before, span_cells(site.lately), strict=True)
        cells = [f"{then} > {lately}" for then, lately in both]
        stencils = (site.learned, site.retired, site.replaced, site.unused)
        table.add_row(site.site, *cells, *map(str, stencils), maker_words(site.made_by))
    return table


def span_cells(span: RunSpan) -> tuple[str, str, str, str]:
    """Write runs, pages, hit ratio and confidence."""
    sure = "-" if span.confidence is None else f"{span.confidence:.3f}"
    return str(span.runs), str(span.pages), f"{span.hit_ratio:.1%}", sure
