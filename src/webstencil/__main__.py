"""Run the command line by `python -m webstencil`."""

from webstencil.cli import main

main()
