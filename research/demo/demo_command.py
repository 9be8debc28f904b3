"""`webstencil demo`."""

import tempfile
from pathlib import Path

import click

from research.demo.job import run_demo
from research.demo.report import next_steps, outcome_table
from webstencil.cli import screen
from webstencil.cli.job_options import program
from webstencil.cli.shared_options import PATH


@click.command("demo")
@click.option(
    "--folder",
    type=PATH,
    help="Where to build it; a temporary folder if not given.",
)
@click.option(
    "--redesign",
    is_flag=True,
    help="Build it as it is after a redesign; with the folder of an earlier demo, in its store.",
)
def demo_command(folder: Path | None, redesign: bool) -> None:
    """Build a demo site, find the areas of all its pages, and tell what that saved."""
    place = folder or Path(tempfile.mkdtemp(prefix="webstencil-demo-"))
    screen.say(f"Building a demo site in {place} and processing it with VIPS.")
    with screen.Progress(None) as progress:
        outcome = run_demo(place, progress.show, redesign=redesign)
    screen.show(outcome_table(outcome))
    for words in next_steps(outcome, program()):
        screen.say(words)
