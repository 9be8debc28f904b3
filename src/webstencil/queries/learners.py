"""Learners in words."""

from webstencil.segment import SEGMENTERS


def learner_words(learner: str) -> str:
    """Write a learner without the settings that have their default values."""
    head, _, settings = learner.removesuffix(")").partition("(")
    names = {segmenter.__name__: repr(segmenter()) for segmenter in SEGMENTERS.values()}
    usual = names.get(head.rpartition(" ")[2], "").removesuffix(")").partition("(")[2].split(", ")
    own = [pair for pair in settings.split(", ") if pair not in usual]
    return f"{head}({', '.join(own)})" if own else head
