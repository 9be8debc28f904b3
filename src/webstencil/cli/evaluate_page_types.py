"""`webstencil evaluate types` and `webstencil evaluate losses`."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from webstencil.cli import screen
from webstencil.cli.evaluate_content import paths_argument, read_all, selectors_option
from webstencil.cli.shared_options import json_option
from webstencil.errors import SourceError
from webstencil.evaluate.content.losses import losses
from webstencil.evaluate.content.types import type_answers, type_rows


@click.command("types")
@paths_argument
@json_option("all counts")
def types_command(paths: tuple[Path, ...], *, as_json: bool) -> None:
    """Score the types of pages, each page alone.

    PATH is a file of pages with `page_type` (such as wcxb-dev.jsonl.xz).
    """
    left_out: list[str] = []
    rows = type_rows(type_answers(read_all(paths, None, left_out.append)))
    screen.tell_left_out(left_out)
    if not rows:
        raise SourceError(f"{', '.join(map(str, paths))} has no page with page_type")
    if as_json:
        screen.say(json.dumps([asdict(row) for row in rows], indent=1))
        return
    cells = [
        [
            row.page_type,
            str(row.pages),
            f"{row.right / row.pages:.3f}",
            ", ".join(f"{other} {count}" for other, count in row.taken_for),
        ]
        for row in rows
    ]
    pages, right = sum(row.pages for row in rows), sum(row.right for row in rows)
    cells.append(["all", str(pages), f"{right / pages:.3f}", ""])
    screen.show_rows(("type", "pages", "right", "taken for"), cells)


@click.command("losses")
@paths_argument
@selectors_option
@json_option("all counts")
def losses_command(paths: tuple[Path, ...], selectors: Path | None, *, as_json: bool) -> None:
    """Count the elements inside a site's content selector that the content has lost, by tag.

    PATH is the folder of a site. An element is lost if less than half of its text is in the
    content. Precision is the share of the content's characters inside the selector.
    """
    left_out: list[str] = []
    found = [losses(path, selectors, left_out.append) for path in paths]
    screen.tell_left_out(left_out)
    if as_json:
        screen.say(json.dumps([asdict(one) for one in found], indent=1))
        return
    cells = []
    for one in found:
        for name, number in sorted(one.found.items()):
            lost = one.lost.get(name, 0)
            cells.append([one.site, name, str(number), str(lost), f"{100 * lost / number:.1f} %"])
        cells.append([one.site, f"precision on {one.pages} pages", "", "", f"{one.precision:.3f}"])
    screen.show_rows(("site", "element", "elements", "lost", "share"), cells)
