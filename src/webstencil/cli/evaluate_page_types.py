"""`webstencil evaluate types` and `webstencil evaluate losses`."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from webstencil.cli import screen
from webstencil.cli.evaluate_content import paths_argument, selectors_option
from webstencil.cli.options import json_option
from webstencil.errors import SourceError
from webstencil.evaluate.content.losses import losses
from webstencil.evaluate.content.types import TypeAnswer, read_types, type_answers, type_rows


@click.command("types")
@paths_argument
@json_option("all counts")
def types_command(paths: tuple[Path, ...], *, as_json: bool) -> None:
    """Score the types of pages: of each page alone, and as the pages of its template vote.

    PATH is a file of pages with `page_type` (such as wcxb-dev.jsonl.xz), or of whole sites with
    labels of templates that tell the type (such as template-sites.jsonl.xz). Pages vote where the
    file has whole sites.
    """
    left_out: list[str] = []
    answers = [one for path in paths for one in type_answers(read_types(path, left_out.append))]
    screen.tell_left_out(left_out)
    if not answers:
        raise SourceError(f"{', '.join(map(str, paths))} has no page whose type is known")
    if as_json:
        screen.say(json.dumps([asdict(row) for row in type_rows(answers)], indent=1))
    else:
        show_types(answers)


def show_types(answers: Sequence[TypeAnswer]) -> None:
    """Print how many types are right, by type."""
    rows = type_rows(answers)
    cells = [
        [
            row.page_type,
            str(row.pages),
            f"{row.right_alone / row.pages:.3f}",
            f"{row.right / row.pages:.3f}",
            ", ".join(f"{other} {count}" for other, count in row.taken_for),
        ]
        for row in rows
    ]
    pages = sum(row.pages for row in rows)
    alone = f"{sum(row.right_alone for row in rows) / pages:.3f}"
    cells.append(["all", str(pages), alone, f"{sum(row.right for row in rows) / pages:.3f}", ""])
    screen.show_rows(("type", "pages", "right alone", "with votes", "taken for"), cells)


@click.command("losses")
@paths_argument
@selectors_option
@json_option("all counts")
def losses_command(paths: tuple[Path, ...], selectors: Path | None, *, as_json: bool) -> None:
    """Count the elements inside a site's content selector that the content has lost, by tag.

    PATH is the folder of a site. An element is lost if less than half of its text is in the
    content. Precision is the share of the content's characters inside the selector; the heading of
    a page counts neither for nor against it, if the selector leaves it out.
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
        if one.headings:
            cells.append([one.site, "the same, headings counted", "", "", f"{one.strict:.3f}"])
    screen.show_rows(("site", "element", "elements", "lost", "share"), cells)
