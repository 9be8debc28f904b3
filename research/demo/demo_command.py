"""`webstencil demo`: the demo site, processed, and what was found in it beside what wrote it."""

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter

import click

from research.demo.demo_site import HERE, build
from webstencil.cli import screen
from webstencil.cli.jobs import PicturingRenderer, program, stored_output
from webstencil.cli.options import PATH
from webstencil.jobs.job import Pipeline
from webstencil.markup.parse import parse
from webstencil.model import Area, PageResult, RawPage, Status
from webstencil.output.overlay import overlay
from webstencil.render import ChromiumRenderer
from webstencil.site.templates import adjusted_rand
from webstencil.sources import Folder
from webstencil.stages import segment_page
from webstencil.store import open_store

SAMPLE = 12  # pages rendered, at most, to estimate the time of rendering all


@click.command("demo")
@click.option("--folder", type=PATH, help="Folder to build it in.  [default: a temporary folder]")
@click.option(
    "--redesign",
    is_flag=True,
    help="Build the site after its redesign; in the folder of an earlier demo, with its store.",
)
def demo_command(folder: Path | None, redesign: bool) -> None:
    """Build a demo site and segment its pages.

    It prints the time saved, commands to try next, and the templates it found.
    """
    folder = folder or Path(tempfile.mkdtemp(prefix="webstencil-demo-"))
    screen.say(f"Building a demo site in {folder} and segmenting it with VIPS.")
    site = build(folder / "site", redesign=redesign)
    source = Folder(site.folder, base_url=site.base_url)
    pages = {page.url: page for page in source.pages()}
    written = {site.base_url + path: template for path, template in site.gold}
    with ChromiumRenderer() as renderer, open_store(folder / "demo.db") as store:
        pipeline, began = Pipeline(store, renderer), perf_counter()
        learner = pipeline.settings.learner
        output = stored_output(folder / "results.jsonl", None, store, learner)
        with output as lines, screen.Progress(len(pages)) as progress:
            for result in pipeline.run(source):
                lines.write(result)
                progress.show(pipeline.report())
        seconds = perf_counter() - began
        results = list(store.results(learner))  # of all pages, also those that are unchanged
        hits = [pages[result.url] for result in results if result.status is Status.HIT]
        sample = hits[:: len(hits) // SAMPLE + 1]
        began = perf_counter()
        for raw in sample:
            segment_page(parse(raw), source, renderer, pipeline.settings.segmenter)
        plain = (perf_counter() - began) / max(1, len(sample)) * pipeline.report().pages
        rendered = {written[one.url]: one for one in results if one.status is Status.LEARNED}
        picturing = PicturingRenderer(renderer, folder / "look")
        for template, result in rendered.items():
            drawn = store.templates.drawn(learner, result.site)[result.template_number or 0]
            path = folder / f"pictures/{template}.png"
            draw(picturing, source, pages[result.url], drawn.areas, path)
        with stored_output(folder / "look", "html", store, learner):
            pass  # opening it writes all results of the store
    words = (HERE / "data" / "outcome.txt").read_text("utf-8")
    values = {"report": pipeline.report(), "seconds": seconds, "plain": plain}
    saved = 1 - seconds / plain if pipeline.report().hits else 0.0
    counts = {"sample": len(sample), "pictures": len(rendered), "saved": saved}
    screen.say(words.format(folder=folder, program=program(), **values, **counts))
    screen.show_rows(("written from", "pages", "found as", "pages"), beside(written, results))
    found = [result.template or result.url for result in results]  # one of none stands alone
    index = adjusted_rand(found, [written[result.url] for result in results])
    screen.say(f"\nAdjusted Rand index: {index:.3f}; 1 if they are the same.")


def draw(
    renderer: PicturingRenderer, source: Folder, page: RawPage, areas: Sequence[Area], path: Path
) -> None:
    """Draw the areas of a page over its picture."""
    snapshot = renderer.render(parse(page), source, screenshot=True)
    size = round(snapshot.rect.width), round(snapshot.rect.height)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(renderer.renderer.picture(overlay(snapshot, areas), *size))


def beside(written: Mapping[str, str], results: list[PageResult]) -> Iterator[tuple[str, ...]]:
    """Yield each template with those that were found in its pages, most pages first."""
    pairs = Counter((written[result.url], result.template or "(none)") for result in results)
    for template, pages in Counter(written.values()).most_common():
        for (name, found), number in pairs.most_common():
            if name == template:
                yield name, str(pages), found, str(number)
