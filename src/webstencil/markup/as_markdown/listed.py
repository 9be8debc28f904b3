"""Items of lists, definitions and quotes: Markdown that begins with a mark and is indented."""

MOST_NUMBER = 999_999_999  # nine digits, as CommonMark allows


def indented(mark: str, text: str, width: int) -> str:
    """Write a mark, then lines indented by so many columns."""
    first, *rest = text.split("\n")
    return "\n".join([mark + first, *[" " * width + line if line else "" for line in rest]])


def item(sign: str, text: str) -> str:
    """Write an item of a list."""
    return indented(f"{sign} ", text, len(sign) + 1)


def definition(text: str) -> str:
    """Write what a term means, as pandoc and Markdown Extra have it; plain lines elsewhere."""
    return indented(": ", text, 2) if text else ""


def quoted(text: str) -> str:
    """Write a quote."""
    return "\n".join([f"> {line}" if line else ">" for line in text.split("\n")]) if text else ""


def whole_number(text: str) -> int | None:
    """Return the whole number that an attribute holds, None if there is none."""
    text = text.strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) <= 9 else None


def numbers(values: list[str], start: int | None, *, down: bool) -> list[str]:
    """Return the numbers of items; counting goes on from the value that one has."""
    step = -1 if down else 1
    number = (len(values) if down else 1) if start is None else start
    found = []
    for value in values:
        told = whole_number(value)
        number = number if told is None else told
        found.append(str(min(max(number, 0), MOST_NUMBER)))
        number += step
    return found
