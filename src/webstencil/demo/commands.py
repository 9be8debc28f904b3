"""`webstencil demo`."""

import tempfile
from pathlib import Path

import click

from webstencil import screen
from webstencil.demo.job import run_demo
from webstencil.option_commands import PATH
from webstencil.run.commands import program


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
    screen.show(screen.outcome_table(outcome))
    for words in screen.next_steps(outcome, program()):
        screen.say(words)
