"""The segmenters: each finds the areas of a rendered page in its own way."""

from collections.abc import Iterable

from webstencil.errors import SettingsError
from webstencil.protocols import Segmenter
from webstencil.segment import bcs, burget, guo, vips
from webstencil.segment.bcs import BCS
from webstencil.segment.burget import Burget
from webstencil.segment.field_settings import Setting, Value, read_settings, settings_of
from webstencil.segment.guo import Guo
from webstencil.segment.vips import VIPS

__all__ = [
    "BCS",
    "PUBLISHED",
    "SEGMENTERS",
    "VIPS",
    "Burget",
    "Guo",
    "Setting",
    "make_segmenter",
    "published_values",
    "segmenter_settings",
]

SEGMENTERS: dict[str, type[Segmenter]] = {
    "vips": VIPS,
    "burget": Burget,
    "bcs": BCS,
    "guo": Guo,
}


# With the settings closest to their papers: what was added to them is off.
PUBLISHED: dict[str, Segmenter] = {
    "vips": vips.PAPER_VIPS,
    "burget": burget.PAPER_BURGET,
    "bcs": bcs.PAPER_BCS,
    "guo": guo.PAPER_GUO,
}


def make_segmenter(
    name: str,
    settings: Iterable[str] = (),
    *,
    published: bool = False,
    start: Segmenter | None = None,
) -> Segmenter:
    """Make the segmenter of this name, with settings such as `pdoc=7`.

    All others have their defaults, are as published, or as `start` has them.
    """
    segmenter = _known(name)
    given = read_settings(segmenter, settings)
    if published:
        return segmenter(**(published_values(name) | given))
    return segmenter(**given) if start is None else segmenter(**(values_of(name, start) | given))


def published_values(name: str) -> dict[str, Value]:
    """Return the published settings of the segmenter of this name."""
    return values_of(name, PUBLISHED[name])


def values_of(name: str, segmenter: Segmenter) -> dict[str, Value]:
    """Return the settings of a segmenter of this name."""
    return {known.name: getattr(segmenter, known.name) for known in settings_of(_known(name))}


def segmenter_settings(name: str) -> tuple[Setting, ...]:
    """List the settings of the segmenter of this name, in field order."""
    return settings_of(_known(name))


def _known(name: str) -> type[Segmenter]:
    if name not in SEGMENTERS:
        raise SettingsError(f"there is no segmenter {name!r}; there are {', '.join(SEGMENTERS)}")
    return SEGMENTERS[name]
