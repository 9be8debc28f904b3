"""Learn the sites of a job in one process: from its source, or from pages that wait."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from webstencil.model import Mode, PageResult, RawPage, Status
from webstencil.pipeline.learning import PageAndResources, PageRendering, learn_sites
from webstencil.pipeline.page import PageStages
from webstencil.pipeline.report import unwatched
from webstencil.pipeline.survey import decide_templates, digest, ignore, settled
from webstencil.protocols import Done, Resources, Store


class SiteLearning:
    """Learns the sites of a job, and finishes pages that waited for that."""

    def __init__(self, store: Store, stages: PageStages) -> None:
        self._store = store
        self._stages = stages
        self.at_hand: Callable[[RawPage | None], None] = ignore
        self.watch: Callable[[int, int], None] = unwatched  # with pages rendered, and wanted

    def learn(self, sites: Iterable[str], pages: Callable[[], Iterable[PageAndResources]]) -> None:
        """Learn sites; `pages` reads what may be rendered, as often as it is called."""
        stages = self._stages
        if stages.settings.mode is not Mode.DEFAULT:
            return
        stages.clock.begin("learn")
        rendering = PageRendering(stages.renderer, self._store, stages.settings, stages.clock)
        rendering.at_hand, rendering.watch = self.at_hand, self.watch
        stages.rendered += learn_sites(
            self._store, stages.settings, sites, lambda wanted: rendering.render(pages(), wanted)
        )
        stages.sites.decided.clear()
        stages.clock.end()

    def learn_waiting(self, sites: Iterable[str], resources: Resources) -> None:
        """Decide on templates, and learn sites from the pages that wait."""
        decide_templates(self._store)
        self._stages.sites.surveyed.clear()
        spool = self._store.spool
        self.learn(sites, lambda: ((raw, resources) for pages in spool.pages() for raw in pages))

    def settled(self, pages: Sequence[RawPage]) -> Iterator[tuple[PageResult, Done]]:
        """Yield the old and the new results of pages that waited, where they differ."""
        learner = self._stages.settings.learner
        known = self._store.results.of(learner, [raw.url for raw in pages])
        for raw in pages:
            before = known.get(raw.url)
            if before is None or before.status is Status.FAILED:
                continue
            result = settled(raw, before, self._stages.again)
            if result != before:
                yield before, Done(result, digest(raw), settled=True)
