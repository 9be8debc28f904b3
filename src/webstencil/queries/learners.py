"""Learners in words."""

from webstencil.model import Mode
from webstencil.segment import PUBLISHED, SEGMENTERS


def learner_words(learner: str) -> str:
    """Write a learner without the settings that have the usual values of its mode."""
    head, _, settings = learner.removesuffix(")").partition("(")
    mode, _, name = head.rpartition(" ")
    presets = PUBLISHED if mode == Mode.PAPER else {key: made() for key, made in SEGMENTERS.items()}
    usual = {type(preset).__name__: repr(preset) for preset in presets.values()}
    known = usual.get(name, "").removesuffix(")").partition("(")[2].split(", ")
    own = [pair for pair in settings.split(", ") if pair not in known]
    return f"{head}({', '.join(own)})" if own else head
