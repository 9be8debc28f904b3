"""Figures in words, the same on pages and in the terminal."""

LEAST_SHOWN_SHARE = 0.0005  # a smaller one is not written as 0.0%


def plural(number: int, thing: str) -> str:
    """Write a number of things."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def percent(share: float | None) -> str:
    """Write a share of 0 to 1."""
    return "-" if share is None else f"{share:.1%}"


def share_words(share: float) -> str:
    """Write a share of 0 to 1; a small one is not nothing."""
    return f"{share:.1%}" if share >= LEAST_SHOWN_SHARE or not share else "<0.1%"


def times_words(times: float) -> str:
    """Write how many elements a page has."""
    return f"{times:,.1f}".removesuffix(".0")


def sure(confidence: float | None) -> str:
    """Write a confidence."""
    return "-" if confidence is None else f"{confidence:.3f}"


def when(iso: str) -> str:
    """Write a time of a store; all are UTC."""
    return iso[:16].replace("T", " ") + " UTC" if iso else "unknown"
