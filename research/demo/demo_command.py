"""`webstencil demo`."""

import tempfile
from pathlib import Path

import click

from research.demo.demo_report import next_steps, outcome_table
from research.demo.demo_run import run_demo
from webstencil.cli import screen
from webstencil.cli.jobs import program
from webstencil.cli.options import PATH


@click.command("demo")
@click.option(
    "--folder",
    type=PATH,
    help="Folder to build it in.  [default: a temporary folder]",
)
@click.option(
    "--redesign",
    is_flag=True,
    help="Build the site after its redesign; in the folder of an earlier demo, with its store.",
)
def demo_command(folder: Path | None, redesign: bool) -> None:
    """Build a demo site and segment its pages.

    It prints the time saved, and commands to try next.
    """
    folder = folder or Path(tempfile.mkdtemp(prefix="webstencil-demo-"))
    screen.say(f"Building a demo site in {folder} and segmenting it with VIPS.")
    with screen.Progress(None) as progress:
        outcome = run_demo(folder, progress.show, redesign=redesign)
    screen.show(outcome_table(outcome))
    for words in next_steps(outcome, program()):
        screen.say(words)
