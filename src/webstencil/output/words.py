"""Figures in words, the same on web pages and in the terminal."""


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
