"""The option of commands that can run the scripts of pages."""

import click

javascript_option = click.option(
    "--javascript",
    is_flag=True,
    help="Run the scripts of every page first, in a browser: for sites that need them.",
)
