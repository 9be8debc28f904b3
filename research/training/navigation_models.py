"""The models that come with the package, made from labelled pages."""

from collections.abc import Sequence
from pathlib import Path

from webstencil.errors import SourceError
from webstencil.evaluate.navigation import classes, menus, sequences
from webstencil.evaluate.navigation.gold import MarkedPage
from webstencil.evaluate.navigation.sites import SiteBlock


def models(
    marked: Sequence[MarkedPage],
    blocks: Sequence[SiteBlock],
    paged: Sequence[sequences.PagedPage],
) -> dict[str, str]:
    """Fit all models for which there are pages."""
    known = {system.name: system for system in classes.systems()}
    found = {}
    if marked:
        for name, system in (("navigation", known["ours"]), ("paper", known["paper, CHD"])):
            found[name] = classes.train(classes.cases_of(marked, system), system.fit)
    if blocks:
        found["menu"] = menus.teach(menus.lessons(blocks))
    if paged:
        found["pagination"] = sequences.teach(paged)
    return found


def write(folder: Path, fitted: dict[str, str]) -> None:
    """Write models as files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in fitted.items():
            (folder / f"{name}.json").write_text(text + "\n")
    except OSError as error:
        raise SourceError(f"cannot write to {folder}: {error.strerror}") from error
