"""Which pages of a site are measured."""

import random
from dataclasses import dataclass
from itertools import islice

from webstencil.jobs.survey import with_storable_names
from webstencil.model import RawPage
from webstencil.protocols import Source


@dataclass(frozen=True, slots=True)
class SiteSample:
    """Which pages of a site to take."""

    pages: int | None = None  # the first ones; None for all
    sample: int | None = None  # random ones of these; None for all
    seed: int = 0


def sampled(source: Source, wanted: SiteSample) -> list[RawPage]:
    """Return pages of a source, each once."""
    pages = map(with_storable_names, islice(source.pages(), wanted.pages))
    raws = list({raw.url: raw for raw in pages}.values())
    if wanted.sample is None or wanted.sample >= len(raws):
        return raws
    return random.Random(wanted.seed).sample(raws, wanted.sample)
