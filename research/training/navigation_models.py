"""Training of the navigation models that the package ships."""

from collections.abc import Sequence
from pathlib import Path

from webstencil.codec import put
from webstencil.evaluate.navigation import classes, menus, pagination_links
from webstencil.evaluate.navigation.gold import MarkedPage
from webstencil.evaluate.navigation.site_blocks import SiteBlock
from webstencil.output.files import explained


def models(
    marked: Sequence[MarkedPage],
    blocks: Sequence[SiteBlock],
    paged: Sequence[pagination_links.PagedPage],
) -> dict[str, str]:
    """Train all models for which there are pages."""
    known = {system.name: system for system in classes.systems()}
    found = {}
    if marked:
        for name, system in (("navigation", known["ours"]), ("paper", known["paper, CHD-HD"])):
            found[name] = classes.train(classes.cases_of(marked, system), system)
    if blocks:
        found["menu"] = menus.train(menus.training_blocks(blocks))
    if paged:
        found["pagination"] = pagination_links.train(paged)
    return found


def write(folder: Path, fitted: dict[str, str]) -> None:
    """Write models as files."""
    for name, text in fitted.items():
        with explained(folder):
            put(folder / f"{name}.json", f"{text}\n".encode())
