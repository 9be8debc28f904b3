"""What is decided of a site's areas, as a value that lays them over any of its pages.

It needs nothing else: the vocabulary and the places of the site are in it, and what the rendered
pages say of them.
"""

from dataclasses import dataclass

from webstencil.site.borders import GRAIN


@dataclass(frozen=True, slots=True)
class KindEvidence:
    """What witnesses say of a kind of neighbours."""

    container: int  # places
    ends: int
    begins: int
    borders: float  # sum over pages of the share of such spots with a border
    pages: int  # witnesses


@dataclass(frozen=True, slots=True)
class SiteAreas:
    """The areas of a site."""

    labels: tuple[str, ...] = ()  # of each place
    containers: tuple[int, ...] = ()  # of each place
    seen: tuple[int, ...] = ()  # of each place: witnesses that have it
    once: tuple[int, ...] = ()  # places that stand once on a page
    names: tuple[tuple[str, str, str, int], ...] = ()  # vocabulary: tag, sign, name, pages
    evidence: tuple[KindEvidence, ...] = ()
    witnesses: tuple[str, ...] = ()  # URLs of the rendered pages, sorted
    grain: float = GRAIN  # strength from which there is a border
