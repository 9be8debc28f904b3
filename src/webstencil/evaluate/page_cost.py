"""What a page costs in the default mode: survey and apply, in bare parses of the same page.

Survey is parse, outline, and its bytes as a store keeps them; apply is parse, lay and describe.
Pages come one after the other, several times over, so that each step finds the processor's caches
as a job leaves them. Each step of a page counts with its fastest time, of the processor: slower
ones measure other load on the machine. What is decided once for a site is not in it, nor what a
store writes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from time import process_time

from webstencil import markup
from webstencil.errors import ParseError
from webstencil.jobs.sites import DecidedSite, lay_site
from webstencil.markup.parse import parse
from webstencil.model import RawPage
from webstencil.site.outline import outline
from webstencil.site.site_model import encode_outline
from webstencil.urls import site_of

ROUNDS = 5
MOST = 40  # pages of a site, from all over it
PARTS = ("parse", "outline", "parse again", "lay")


@dataclass(frozen=True, slots=True)
class PageCost:
    """The times of one page."""

    url: str
    bare: float  # s, a parse and nothing else
    parts: tuple[float, ...]  # s, in the order of `PARTS`

    @property
    def seconds(self) -> float:
        return sum(self.parts)

    @property
    def parses(self) -> float:
        return self.seconds / self.bare if self.bare else 0.0


def page_costs(
    raws: Iterable[RawPage], sites: Mapping[str, DecidedSite], most: int = MOST
) -> list[PageCost]:
    """Return the cost of some pages of sites that were learned."""
    known = [raw for raw in raws if site_of(raw.url) in sites and is_html(raw)]
    chosen = known[:: max(1, len(known) // most)][:most]
    rounds = [[step_times(raw, sites[site_of(raw.url)]) for raw in chosen] for _ in range(ROUNDS)]
    times = [
        [min(times) for times in zip(*same, strict=True)] for same in zip(*rounds, strict=True)
    ]
    return [
        PageCost(raw.url, bare, (parsed, outlined, parsed, laid))
        for raw, (bare, parsed, outlined, laid) in zip(chosen, times, strict=True)
    ]


def is_html(raw: RawPage) -> bool:
    """Return whether a page can be parsed."""
    try:
        parse(raw)
    except ParseError:
        return False
    return True


def step_times(raw: RawPage, site: DecidedSite) -> tuple[float, ...]:
    """Return the seconds of a bare parse, a parse, an outline, and of laying areas over."""
    clock = [process_time()]
    markup.bare_parse(raw.body)
    clock.append(process_time())
    page = parse(raw)
    clock.append(process_time())
    encode_outline(outline(page))
    clock.append(process_time())
    del page
    page = parse(raw)  # laying over finds nothing that the outline has prepared
    clock.append(process_time())
    lay_site(page, site, 0)
    clock.append(process_time())
    bare, parsed, outlined, _, laid = (end - begin for begin, end in pairwise(clock))
    return bare, parsed, outlined, laid
