"""Figures and settings in words, the same on web pages and in the terminal."""

from webstencil.segment import SEGMENTERS


def count(number: int, thing: str) -> str:
    """Write a number of things."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def percent(share: float | None) -> str:
    """Write a share of 0 to 1."""
    return "-" if share is None else f"{share:.1%}"


def sure(confidence: float | None) -> str:
    """Write a confidence."""
    return "-" if confidence is None else f"{confidence:.3f}"


def when(iso: str) -> str:
    """Write a time of a store; all are UTC."""
    return iso[:16].replace("T", " ") + " UTC" if iso else "unknown"


def maker_words(made_by: str) -> str:
    """Write a fingerprint without the settings that have their default values."""
    head, _, settings = made_by.removesuffix(")").partition("(")
    names = {segmenter.__name__: repr(segmenter()) for segmenter in SEGMENTERS.values()}
    usual = names.get(head.rpartition(" ")[2], "").removesuffix(")").partition("(")[2].split(", ")
    own = [pair for pair in settings.split(", ") if pair not in usual]
    return f"{head}({', '.join(own)})" if own else head
