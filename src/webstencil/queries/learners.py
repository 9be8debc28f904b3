"""Learners in words."""

from collections.abc import Mapping

from webstencil.model import Mode
from webstencil.protocols import Segmenter
from webstencil.segment import PUBLISHED, SEGMENTERS

DEFAULT, PAPER = "default", "paper"  # presets


def learner_words(learner: str) -> str:
    """Write a learner, or a segmenter, by what differs from the nearest preset.

    The preset is named if it is not the usual one of the mode.
    """
    head, _, settings = learner.removesuffix(")").partition("(")
    name = head.rpartition(" ")[2]
    presets = {DEFAULT: {key: made() for key, made in SEGMENTERS.items()}, PAPER: PUBLISHED}
    usual = PAPER if head.partition(" ")[0] == Mode.PAPER else DEFAULT
    others = {preset: unlike(settings, name, known) for preset, known in presets.items()}
    near = min(others, key=lambda preset: (len(others[preset]), preset != usual))
    told = [*([] if near == usual else [f"preset {near}"]), *others[near]]
    return f"{head}({', '.join(told)})" if told else head


def unlike(settings: str, name: str, presets: Mapping[str, Segmenter]) -> list[str]:
    """Return the settings that differ from those of a segmenter among some."""
    usual = {type(preset).__name__: repr(preset) for preset in presets.values()}
    known = usual.get(name, "").removesuffix(")").partition("(")[2].split(", ")
    return [pair for pair in settings.split(", ") if pair not in known]
