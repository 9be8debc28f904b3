"""What a crawl has done, for its summary."""

from dataclasses import dataclass, field

from webstencil.crawl.crawl_messages import Visited
from webstencil.protocols import PageEvent, Removed, Unchanged

EXAMPLES = 20  # URLs named in a summary


@dataclass(slots=True)
class CrawlOutcome:
    """What became of the pages of a crawl so far."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0  # fetched, or said by the server to be as before
    gone: int = 0
    visits: list[Visited] = field(default_factory=list)  # of sites, as they end
    examples: list[tuple[str, str]] = field(default_factory=list)  # "changed" or "gone", URL

    def add(self, event: PageEvent) -> None:
        """Count what became of a page; remember the first that changed."""
        if isinstance(event, Unchanged):
            self.unchanged += 1
        elif isinstance(event, Removed):
            self.gone += 1
            self._remember("gone", event.url)
        elif event.changed:
            self.changed += 1
            self._remember("changed", event.url)
        elif not event.settled:
            self.new += 1

    def _remember(self, what: str, url: str) -> None:
        if len(self.examples) < EXAMPLES:
            self.examples.append((what, url))
