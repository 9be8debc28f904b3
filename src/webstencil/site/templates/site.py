"""The templates of a site, found while its pages come by.

Few pages are kept: a *sample* stands for all pages that were as good as equal to it when they came.
Templates are groups of samples. Weights and groups are made anew each time the site has grown by a
part, so templates are merged and split as the site becomes known, and a page follows its sample.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from webstencil.model import Page
from webstencil.site.templates.groups import FARTHEST, Join, heads, joins
from webstencil.site.templates.outline import Outline, outline
from webstencil.site.templates.weights import (
    FEW_PAGES,
    CountedPath,
    PathCounts,
    View,
    distance,
    least_distance,
    view_of,
)

log = logging.getLogger(__name__)

# Distances are 0..1. The cut and the share of new paths were chosen over sites (docs/templates.md
# has the tables); the others were set once, by looking at samples, and not varied.
SAME = 0.1  # up to this a sample stands for a page
CUT = 0.45  # up to this, in the mean, samples are of one template
EQUAL = 0.02  # up to this one sample is given up for another
NOVEL = 0.03  # above this share of paths unknown when weights were made, a page is a sample
SAMPLES_KEPT = 64
SAMPLES_LEFT = 48  # when there are more, the nearest are joined until so many are left

GROWTH = 1.3  # groups are made anew after each of the first few pages, then at this growth


@dataclass(frozen=True, slots=True)
class Assigned:
    """Where a page belongs."""

    template: str  # as known when the page came
    sample: int  # stays; its template may change


@dataclass(frozen=True, slots=True)
class Sample:
    """A page that stands for others."""

    number: int
    template: int  # the oldest sample of its template
    pages: int  # that it stands for
    paths: frozenset[int]


@dataclass(frozen=True, slots=True)
class TemplatesState:
    """All that is known of a site's templates, to be kept between runs."""

    pages: int = 0
    born: int = 0  # samples ever made
    due: int = 1  # pages at which groups are made anew
    counted: tuple[CountedPath, ...] = ()
    shares: tuple[tuple[int, float], ...] = ()  # as they were when groups were made
    weights: tuple[tuple[int, float], ...] = ()  # the same
    samples: tuple[Sample, ...] = ()
    joined: tuple[tuple[int, int], ...] = ()  # a sample given up, and the one it was given up for


class SiteTemplates:
    """Finds the templates of one site, page by page."""

    def __init__(self, state: TemplatesState | None = None) -> None:
        state = state or TemplatesState()
        self._counts = PathCounts(state.pages, state.counted)
        self._born = state.born
        self._due = state.due
        self._shares = dict(state.shares)
        self._weights = dict(state.weights)
        self._paths = {sample.number: sample.paths for sample in state.samples}
        self._sizes = {sample.number: sample.pages for sample in state.samples}
        self._templates = {sample.number: sample.template for sample in state.samples}
        self._joined = dict(state.joined)
        self._look()

    def assign(self, page: Page) -> Assigned:
        """Count a page and return its template."""
        return self.assign_outline(outline(page))

    def assign_outline(self, found: Outline) -> Assigned:
        """Count a page by its outline, and return its template."""
        self._counts.add(found)
        number = self._place(found)
        if self._counts.pages >= self._due or len(self._paths) > SAMPLES_KEPT:
            self.regroup()
        return Assigned(self.template_of(number), number)

    def template_of(self, sample: int) -> str:
        """Return the template of a page as known now, by the sample it was assigned to."""
        while sample in self._joined:
            sample = self._joined[sample]
        return str(self._templates[sample])

    def state(self) -> TemplatesState:
        """Return the state; a new object made of it continues as this one would."""
        return TemplatesState(
            pages=self._counts.pages,
            born=self._born,
            due=self._due,
            counted=self._counts.counted(),
            shares=tuple(self._shares.items()),
            weights=tuple(self._weights.items()),
            samples=tuple(
                Sample(number, self._templates[number], self._sizes[number], paths)
                for number, paths in self._paths.items()
            ),
            joined=tuple(self._joined.items()),
        )

    def _look(self) -> None:
        """See the samples by the paths that have a weight."""
        self._views = {
            number: view_of(paths, self._weights) for number, paths in self._paths.items()
        }
        self._nearest: dict[frozenset[int], tuple[float, int]] = {}  # of paths that came

    def _place(self, found: Outline) -> int:
        """Return the sample that stands for a page, which may be the page itself."""
        if not self._weights:
            return self._keep(found, self._born)
        view = view_of(found.keys(), self._weights)
        if view.paths not in self._nearest:
            self._nearest[view.paths] = self._find_nearest(view)
        gap, near = self._nearest[view.paths]
        if gap > SAME or self._is_novel(found):
            return self._keep(found, self._templates[near] if gap <= CUT else self._born)
        self._sizes[near] += 1
        return near

    def _find_nearest(self, view: View) -> tuple[float, int]:
        """Return the nearest sample, the oldest of those as near, after its distance."""
        best = (FARTHEST, self._born)
        for number, seen in self._views.items():
            if least_distance(view, seen) < best[0]:
                best = min(best, (distance(view, seen, self._weights), number))
        return best

    def _is_novel(self, found: Outline) -> bool:
        """Return whether many paths were unknown when weights were made, running text left out."""
        shares = self._shares
        if found.keys() <= shares.keys():
            return False
        known = fresh = 0.0
        inherited: dict[int, float] = {}  # of new paths: what is in running text is running text
        for path, container in found.items():
            if path in shares:
                known += shares[path]
            else:
                share = inherited[container] if container in inherited else shares[container]
                inherited[path] = share
                fresh += share
        return fresh > NOVEL * (known + fresh)

    def _keep(self, found: Outline, template: int) -> int:
        """Make a page a sample."""
        number = self._born
        self._born += 1
        self._paths[number] = frozenset(found)
        self._views[number] = view_of(found.keys(), self._weights)
        self._sizes[number] = 1
        self._templates[number] = template
        self._nearest.clear()
        return number

    def regroup(self) -> None:
        """Make weights and groups anew, and give up samples that are as good as others.

        This happens by itself as the site grows; at the end of a run it takes in the last pages.
        """
        pages = self._counts.pages
        self._due = pages + 1 if pages < FEW_PAGES else int(pages * GROWTH)
        self._shares = self._counts.shares()
        self._weights = self._counts.weights(self._shares)
        self._look()
        numbers = list(self._paths)
        gaps = self._gaps([self._views[number] for number in numbers])
        done = joins(gaps, [self._sizes[number] for number in numbers])
        heads_of = heads(numbers, done, CUT)
        self._log_changes(heads_of)
        self._templates = heads_of
        self._give_up(numbers, done)

    def _gaps(self, views: Sequence[View]) -> list[list[float]]:
        """Return the distances of all views to all."""
        gaps = [[0.0] * len(views) for _ in views]
        for (one, view), (other, seen) in combinations(enumerate(views), 2):
            gaps[one][other] = gaps[other][one] = distance(view, seen, self._weights)
        return gaps

    def _log_changes(self, heads_of: dict[int, int]) -> None:
        changed = {(self._templates[number], head) for number, head in heads_of.items()}
        for old, new in sorted(changed):
            if old != new:
                reason = "joined" if heads_of.get(old) == new else "parted"
                log.info(
                    "template=%d %s template=%d pages=%d", old, reason, new, self._counts.pages
                )

    def _give_up(self, numbers: Sequence[int], done: Sequence[Join]) -> None:
        """Give up samples in the order of joins."""
        spare = len(numbers) - SAMPLES_LEFT if len(numbers) > SAMPLES_KEPT else 0
        few = self._counts.pages <= FEW_PAGES  # what seems equal may turn out not to be
        for place, join in enumerate(done):
            if place >= spare and (few or join.distance > EQUAL):
                break
            kept, gone = numbers[join.kept], numbers[join.gone]
            self._joined[gone] = kept
            self._sizes[kept] += self._sizes.pop(gone)
            del self._paths[gone], self._views[gone]
        self._templates = {number: self._templates[number] for number in self._paths}
