"""A run over the demo site, and its cost without stencils."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter

from research.demo.demo_site import DemoSite, build
from webstencil.cli.stencil_pictures import PicturingRenderer
from webstencil.markup.parse import parse
from webstencil.model import PageResult, RawPage, Status
from webstencil.output import HtmlFolder, JsonLines
from webstencil.output.overlay import overlay
from webstencil.pipeline.job import Pipeline
from webstencil.pipeline.page import segment_page
from webstencil.pipeline.report import Report
from webstencil.protocols import Segmenter
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.sources import Folder
from webstencil.store import SqlStore, StencilSummary, open_store

SAMPLE = 12  # pages rendered to estimate the time of rendering all
SEED = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """The figures and files of the demo."""

    report: Report
    templates: int  # that the site was written from
    seconds: float  # with stencils, all pages
    plain_seconds: float  # estimate for rendering all pages, from the sample
    sample: int  # pages
    results: Path
    store: Path
    pictures: tuple[Path, ...]
    look: Path  # an HTML page with all results

    @property
    def saved(self) -> float:
        """Return the share of the time that stencils save."""
        return 1.0 - self.seconds / self.plain_seconds if self.plain_seconds else 0.0


def run_demo(
    folder: Path, progress: Callable[[Report, int], None], *, redesign: bool = False
) -> Outcome:
    """Build the site in `folder`, process it, and measure; call `progress` for every page."""
    site = build(folder / "site", redesign=redesign)
    source = Folder(site.folder, base_url=site.base_url)
    paths = folder / "demo.db", folder / "results.jsonl"
    with ChromiumRenderer() as renderer, open_store(paths[0]) as store:
        pipeline = Pipeline(store, renderer)
        began = perf_counter()
        results = process(pipeline, store, source, paths[1], progress)
        seconds = perf_counter() - began
        segmenter = pipeline.settings.segmenter
        plain, sample = plain_cost(renderer, segmenter, source, results)
        renderer_with_pictures = PicturingRenderer(renderer, folder / "look")
        pictures = draw(renderer_with_pictures, store, site, folder / "pictures")
        with HtmlFolder(
            renderer_with_pictures.folder,
            partial(store.results, pipeline.settings.learner),
            partial(store.templates.one_drawn, pipeline.settings.learner),
        ):
            pass  # opening it writes all results of the store
        return Outcome(
            report=pipeline.report(),
            templates=len({template for _, template in site.gold}),
            seconds=seconds,
            plain_seconds=plain * (len(results)),
            sample=sample,
            results=paths[1],
            store=paths[0],
            pictures=pictures,
            look=renderer_with_pictures.folder / "index.html",
        )


def process(
    pipeline: Pipeline,
    store: SqlStore,
    source: Folder,
    out: Path,
    progress: Callable[[Report, int], None],
) -> list[PageResult]:
    """Run the pipeline over the site into a file."""
    results = []
    total = source.count()
    with JsonLines(out, partial(store.results, pipeline.settings.learner)) as lines:
        for result in pipeline.run(source):
            lines.write(result)
            results.append(result)
            progress(pipeline.report(), total)
    return results


def plain_cost(
    renderer: ChromiumRenderer, segmenter: Segmenter, source: Folder, results: list[PageResult]
) -> tuple[float, int]:
    """Return the mean seconds to parse, render and segment a page, and the number of pages."""
    hits = {result.url for result in results if result.status == Status.HIT}
    pages = [page for page in source.pages() if page.url in hits]
    chosen = random.Random(SEED).sample(pages, min(SAMPLE, len(pages)))
    began = perf_counter()
    for raw in chosen:
        segment_page(parse(raw), source, renderer, segmenter)
    return (perf_counter() - began) / max(1, len(chosen)), len(chosen)


def draw(
    renderer: PicturingRenderer, store: SqlStore, site: DemoSite, folder: Path
) -> tuple[Path, ...]:
    """Draw the areas of the most used stencil of each template."""
    folder.mkdir(parents=True, exist_ok=True)
    source = Folder(site.folder, base_url=site.base_url)
    pages: dict[str, RawPage] = {page.url: page for page in source.pages()}
    drawn = []
    for template, summary in most_used(store, site).items():
        snapshot = renderer.render(parse(pages[summary.made_from]), source, screenshot=True)
        drawing = overlay(snapshot, store.stencils.keyed(summary.key).areas)
        size = round(snapshot.rect.width), round(snapshot.rect.height)
        path = folder / f"{template}.png"
        path.write_bytes(renderer.renderer.picture(drawing, *size))
        drawn.append(path)
    return tuple(drawn)


def most_used(store: SqlStore, site: DemoSite) -> dict[str, StencilSummary]:
    """Return the most used stencil of each template, except those from before a redesign."""
    template_of = {site.base_url + path: template for path, template in site.gold}
    current = {
        result.stencil
        for result in store.results(Settings().learner)
        if result.status == Status.LEARNED
    }
    known = [stencil for stencil in store.stencils.all() if stencil.key in current]
    stencils = sorted(known, key=lambda stencil: stencil.hits)
    return {template_of[stencil.made_from]: stencil for stencil in stencils}
