"""Benches: speed and quality as ratios within one run. Nothing here asserts."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter


def bench_parser(name: str, doc: str | None) -> ArgumentParser:
    """Make the parser of `python -m research.bench.NAME`, whose help is the module's docstring."""
    return ArgumentParser(
        prog=f"python -m research.bench.{name}",
        description=doc,
        formatter_class=RawDescriptionHelpFormatter,
    )
