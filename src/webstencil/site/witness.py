"""A rendered page of a site, as it is kept: it can speak again when the site has grown."""

from dataclasses import dataclass

from webstencil.model import Area, RawPage, Snapshot


@dataclass(frozen=True, slots=True)
class RenderedWitness:
    """A rendered page, and its own areas."""

    url: str
    body: bytes
    charset: str | None
    digest: bytes  # of what its result depends on
    snapshot: Snapshot
    areas: tuple[Area, ...]

    @property
    def raw(self) -> RawPage:
        """Return the page."""
        return RawPage(self.url, self.body, self.charset)


@dataclass(frozen=True, slots=True)
class PlanBase:
    """What a plan was made from: a job that was killed makes the same plan again."""

    stamp: bytes = b""
    rendered: tuple[str, ...] = ()  # URLs of pages that were rendered before


@dataclass(frozen=True, slots=True)
class Learned:
    """What was made of a site, so that it is not made again for nothing."""

    stamp: bytes = b""  # of what it was made from; empty if it is to be made again
    planned: int = 0  # renderings that the first plan asked for
    covered: float = 0.0  # share of the site's text that they were to cover, 0..1
    rendered: int = 0  # witnesses
    unseen: float = 0.0  # share of the site's text where no witness has anything, 0..1
    failed: tuple[str, ...] = ()  # URLs of planned pages that could not be rendered
    reason: str = ""  # why fewer pages were rendered than planned, or none
