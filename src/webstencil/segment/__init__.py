"""The segmenters: each finds the areas of a rendered page in its own way."""

from collections.abc import Iterable

from webstencil.errors import SettingsError
from webstencil.protocols import Segmenter
from webstencil.segment.bcs import BCS
from webstencil.segment.burget import Burget
from webstencil.segment.field_settings import Setting, read_settings, settings_of
from webstencil.segment.guo import Guo
from webstencil.segment.vips import VIPS

__all__ = [
    "BCS",
    "SEGMENTERS",
    "VIPS",
    "Burget",
    "Guo",
    "Setting",
    "make_segmenter",
    "segmenter_settings",
]

SEGMENTERS: dict[str, type[Segmenter]] = {
    "vips": VIPS,
    "burget": Burget,
    "bcs": BCS,
    "guo": Guo,
}


def make_segmenter(name: str, settings: Iterable[str] = ()) -> Segmenter:
    """Make the segmenter of this name, with settings such as `pdoc=7`."""
    segmenter = _known(name)
    return segmenter(**read_settings(segmenter, settings))


def segmenter_settings(name: str) -> tuple[Setting, ...]:
    """List the settings of the segmenter of this name, in field order."""
    return settings_of(_known(name))


def _known(name: str) -> type[Segmenter]:
    if name not in SEGMENTERS:
        raise SettingsError(f"there is no segmenter {name!r}; there are {', '.join(SEGMENTERS)}")
    return SEGMENTERS[name]
