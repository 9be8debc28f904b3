"""Run the command line by `python -m webstencil`."""

from webstencil.cli.main import main

main()
