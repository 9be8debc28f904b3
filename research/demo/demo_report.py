"""The output of `webstencil demo`."""

from rich.table import Table

from research.demo.demo_run import Outcome
from webstencil.cli.screen import plain_table


def outcome_table(outcome: Outcome) -> Table:
    """Show the figures of the demo."""
    report = outcome.report
    rows = (
        ("pages", str(report.pages)),
        ("templates of the site", str(outcome.templates)),
        ("pages rendered", str(report.rendered)),
        ("hits", f"{report.hits} (hit ratio {report.hit_ratio:.1%})"),
        ("pages failed", f"{report.failed} (one is empty on purpose)"),
        ("seconds", f"{outcome.seconds:.1f}"),
        (
            "seconds if every page were rendered",
            f"{outcome.plain_seconds:.1f} (estimated from {outcome.sample} pages)",
        ),
        ("time saved", f"{outcome.saved:.1%}"),
    )
    table = plain_table("", "")
    for row in rows:
        table.add_row(*row)
    return table


def next_steps(outcome: Outcome, program: str) -> tuple[str, ...]:
    """Write the paths of the results and commands to try."""
    folder = outcome.results.parent
    return (
        "",
        f"Results, one page a line:    {outcome.results}",
        f"Results as HTML:             {outcome.look}",
        f"Areas of rendered pages:     {folder / 'pictures'} ({len(outcome.pictures)} pictures)",
        "",
        "Next:",
        f"  {program} sites list --store {outcome.store}",
        f"  {program} demo --redesign --folder {folder}",
        f"  {program} sites drift --store {outcome.store}",
        f"  {program} segment {folder / 'site' / 'index.html'} --png areas.png",
        f"  {program} run YOUR_FOLDER --store site.db --out results.jsonl",
    )
