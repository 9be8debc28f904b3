"""Growth of the number of stencils over a run: Table 1 and Figure 3 of the CPS paper."""

from dataclasses import dataclass
from pathlib import Path

from webstencil.cli.progress import STENCILS
from webstencil.cli.site_outcomes import SiteTally
from webstencil.model import PageResult, Status
from webstencil.output.plot import PlotLine, plot

ALL = "all sites"
PAPER_PAGES = 500  # after which Table 1 has the hit ratio
MOST_LINES = 10  # in a plot, of the sites with the most pages
STEPS = (1, 2, 5)  # growth is reported after 1, 2, 5, 10, 20, 50, ... pages


@dataclass(frozen=True, slots=True)
class GrowthRow:
    """The counts of a site (CPS paper, Table 1)."""

    site: str
    pages: int  # with areas
    templates: int  # that these pages follow
    stencils: int
    hit_ratio: float  # 0..1
    hit_ratio_at_500: float | None  # 0..1, of the first 500 pages; None if there are fewer


class _Site:
    """The counts of one site."""

    def __init__(self) -> None:
        self.pages = 0
        self.hits = 0
        self.early_hits = 0
        self.stencils: set[str] = set()
        self.templates: set[str] = set()
        self.points: list[tuple[float, float]] = []  # pages and stencils, where their number grew

    def add(self, stencil: str, template: str | None, hit: bool) -> None:
        self.pages += 1
        if template is not None:
            self.templates.add(template)
        self.hits += hit
        self.early_hits += hit and self.pages <= PAPER_PAGES
        if stencil not in self.stencils:
            self.stencils.add(stencil)
            self.points.append((self.pages, len(self.stencils)))

    def row(self, name: str) -> GrowthRow:
        enough = self.pages >= PAPER_PAGES
        return GrowthRow(
            site=name,
            pages=self.pages,
            templates=len(self.templates),
            stencils=len(self.stencils),
            hit_ratio=self.hits / max(1, self.pages),
            hit_ratio_at_500=self.early_hits / PAPER_PAGES if enough else None,
        )

    def line(self, name: str) -> PlotLine:
        return PlotLine(name, (*self.points, (self.pages, len(self.stencils))))


class Growth:
    """Counts stencils over the results of a run."""

    def __init__(self, thing: str = STENCILS) -> None:
        """Count what pages follow: stencils, in the default mode one for each template."""
        self._thing = thing
        self._all = _Site()
        self._sites: dict[str, _Site] = {}
        self.sites = SiteTally()

    @property
    def stencils(self) -> int:
        """Return the number of stencils so far."""
        return len(self._all.stencils)

    def add(self, result: PageResult) -> None:
        """Count a page, if it has areas."""
        self.sites.add(result)
        if result.stencil is not None:
            hit = result.status == Status.HIT
            for site in (self._all, self._sites.setdefault(result.site, _Site())):
                site.add(result.stencil, result.template, hit)

    def rows(self) -> tuple[GrowthRow, ...]:
        """Return Table 1: a row for each site, those with the most pages first."""
        return tuple(site.row(name) for name, site in self._largest())

    def steps(self) -> tuple[tuple[int, int], ...]:
        """Return the number of stencils after 1, 2, 5, 10, ... and all pages."""
        reported = []
        scale = 1
        while scale <= self._all.pages:
            reported += [scale * step for step in STEPS if scale * step < self._all.pages]
            scale *= 10
        return tuple((pages, self._after(pages)) for pages in (*reported, self._all.pages) if pages)

    def draw(self, path: Path) -> None:
        """Draw Figure 3 into a file."""
        lines = [site.line(name) for name, site in self._largest()[:MOST_LINES]]
        if len(self._sites) > 1:
            lines.append(self._all.line(ALL))
        title = f"Growth of {self._thing}"
        plot(path, lines, title=title, x="pages", y=self._thing, counts=True)

    def _after(self, pages: int) -> int:
        return sum(1 for at, _ in self._all.points if at <= pages)

    def _largest(self) -> list[tuple[str, _Site]]:
        return sorted(self._sites.items(), key=lambda pair: (-pair[1].pages, pair[0]))
