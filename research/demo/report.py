"""What the demo tells the user."""

from rich.table import Table

from research.demo.job import Outcome
from webstencil.cli.tables import plain_table


def outcome_table(outcome: Outcome) -> Table:
    """Tell what the demo showed."""
    report = outcome.report
    rows = (
        ("pages", str(report.pages)),
        ("templates the site was written from", str(outcome.templates)),
        ("templates found (stencils learned)", str(report.learned)),
        ("pages rendered", str(report.learned)),
        ("pages that hit a stencil", f"{report.hits} (hit ratio {report.hit_ratio:.1%})"),
        ("pages that failed", f"{report.failed} (one is empty on purpose)"),
        ("seconds with stencils", f"{outcome.seconds:.1f}"),
        (
            "seconds if every page were rendered",
            f"{outcome.plain_seconds:.1f} (estimated from {outcome.sample} pages, rendered now)",
        ),
        ("time saved", f"{outcome.saved:.1%}"),
    )
    table = plain_table("", "")
    for row in rows:
        table.add_row(*row)
    return table


def next_steps(outcome: Outcome, program: str) -> tuple[str, ...]:
    """Say where the results are and what to try."""
    folder = outcome.results.parent
    return (
        "",
        f"Results, one line a page:    {outcome.results}",
        f"All of them, in a browser:   {outcome.look}",
        f"Areas of rendered pages:     {folder / 'pictures'} ({len(outcome.pictures)} pictures)",
        "",
        "Next:",
        f"  {program} stencils list --store {outcome.store}",
        f"  {program} demo --redesign --folder {folder}",
        f"  {program} stencils drift --store {outcome.store}",
        f"  {program} segment {folder / 'site' / 'index.html'} --png areas.png",
        f"  {program} run YOUR_FOLDER --store site.db --out results.jsonl",
    )
