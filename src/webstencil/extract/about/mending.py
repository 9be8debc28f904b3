"""Mend texts that were encoded twice: UTF-8 that a program took for Windows-1252."""

import re

_ABOVE = bytes(range(128, 160)).decode("cp1252", "ignore")  # what stands for these bytes
_HIGH = f"[\x80-\xff{_ABOVE}]"
# The first of two, three or four bytes, and one that follows it.
BROKEN = re.compile(f"[Â-ô][\x80-\xbf{_ABOVE}]")
RUN = re.compile(f"{_HIGH}+")


def mended(text: str) -> str:
    """Return a text as it was before it was encoded a second time; other texts as they are.

    >>> mended("cafÃ© de la plage"), mended("le château")
    ('café de la plage', 'le château')
    """
    return RUN.sub(_decoded, text) if BROKEN.search(text) else text


def _decoded(found: re.Match[str]) -> str:
    try:
        return b"".join(map(_byte, found[0])).decode("utf-8")
    except UnicodeDecodeError:
        return found[0]


def _byte(letter: str) -> bytes:
    """Return the byte that a program took for a letter; Windows-1252 leaves five out."""
    return bytes((ord(letter),)) if ord(letter) < 256 else letter.encode("cp1252")
