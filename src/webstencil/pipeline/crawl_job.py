"""Pages of a crawl through the pipeline: what is new or changed is processed, what is gone goes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from webstencil.crawl.messages import Gone, Spared, Visited
from webstencil.crawl.source import CrawlSource
from webstencil.model import PageResult, RawPage, Status
from webstencil.pipeline.job import Pipeline, digest
from webstencil.protocols import StencilStore
from webstencil.sources import Notes

PAGE, FAILED, GONE = "page", "failed", "gone"  # outcomes, as the lists have them
EXAMPLES = 20  # addresses named in a summary


@dataclass(slots=True)
class CrawlOutcome:
    """What a crawl has done so far."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0  # fetched, or said by the server to be as before
    gone: int = 0
    queued: int = 0  # known and not visited yet
    examples: list[tuple[str, str]] = field(default_factory=list)  # "changed" or "gone", address
    visits: list[Visited] = field(default_factory=list)
    failures: Notes = field(default_factory=Notes)  # of pages that were fetched


def crawl(
    source: CrawlSource,
    pipeline: Pipeline,
    store: StencilStore,
    outcome: CrawlOutcome,
    note: Callable[[CrawlOutcome], None] = lambda _: None,
) -> Iterator[PageResult]:
    """Process what a crawl fetches; each result is in the store when it comes."""
    made_by = pipeline.settings.made_by
    done = store.done(made_by)
    for said in source.events():
        if isinstance(said, Visited):
            outcome.visits.append(said)
        elif isinstance(said, Spared):
            outcome.queued = said.queued
            outcome.unchanged += 1
        elif isinstance(said, Gone):
            store.remove(made_by, said.url)
            outcome.gone += 1
            remember(outcome, GONE, said.url)
            source.settle(said.number, GONE)
        else:
            outcome.queued = said.queued
            raw = source.raw(said)
            if done.get(raw.url) == digest(raw):
                outcome.unchanged += 1
                source.settle(said.number, PAGE)
            else:
                result = pipeline.process(raw, source)
                count(outcome, raw, done)
                yield result
                source.settle(said.number, FAILED if result.status is Status.FAILED else PAGE)
        note(outcome)


def remember(outcome: CrawlOutcome, what: str, url: str) -> None:
    """Keep the first addresses that changed, for people."""
    if len(outcome.examples) < EXAMPLES:
        outcome.examples.append((what, url))


def count(outcome: CrawlOutcome, raw: RawPage, done: dict[str, bytes]) -> None:
    """Count a processed page as new or changed."""
    if raw.url in done:
        outcome.changed += 1
        remember(outcome, "changed", raw.url)
    else:
        outcome.new += 1
