"""Pages that were encoded twice: UTF-8 that a program read as Latin-1, and wrote as UTF-8 again.

Such a page says `competitorâ€™s` or, as programs that save pages have it, the same with control
characters. It is repaired only if all of it goes back: every character outside ASCII is one of the
256 that a byte can be read as, and these bytes are strict UTF-8. A page in any language that was
encoded once has letters that stand alone, or characters that no byte is read as; so has one that
tells of broken characters and shows whole ones. A few of them may be an example. A single text,
such as a title in a script, is mended part by part.
"""

import re
from itertools import islice

FEWEST = 3  # characters that were encoded twice; fewer may be an example
TWICE = re.compile(  # two characters that are the first two bytes of one; the second as in cp1252
    rb"\xc3[\x82-\xb4](?:\xc2[\x80-\xbf]|[\xc5\xc6\xcb\xe2][\x80-\xbf])"
)
UNDEFINED = frozenset([0x81, 0x8D, 0x8F, 0x90, 0x9D])  # in cp1252
BYTES = {
    ord(bytes([byte]).decode("cp1252")): byte for byte in range(0x80, 0xA0) if byte not in UNDEFINED
}
NOT_ASCII = re.compile("[^\x00-\x7f]+")
_ABOVE = "".join(map(chr, BYTES))
_READ = re.compile(f"[\x80-\xff{_ABOVE}]+")  # what bytes outside ASCII are read as
_BROKEN = re.compile(f"[Â-ô][\x80-\xbf{_ABOVE}]")  # the first byte of a character, and the next


def encoded_once(body: bytes) -> bytes | None:
    """Return the bytes of a page that was encoded twice as they were before, None of any other."""
    if sum(1 for _ in islice(TWICE.finditer(body), FEWEST)) < FEWEST:
        return None
    try:
        text = body.decode("utf-8-sig")
        parts = {part: _back(part).decode("utf-8") for part in set(NOT_ASCII.findall(text))}
    except UnicodeError:
        return None
    return NOT_ASCII.sub(lambda found: parts[found[0]], text).encode("utf-8")


def _back(text: str) -> bytes:
    """Return the bytes that were read as a text."""
    return text.translate(BYTES).encode("latin-1")


def mended(text: str) -> str:
    """Return a text as it was before it was encoded a second time; other texts as they are.

    >>> mended("cafÃ© de la plage"), mended("le château")
    ('café de la plage', 'le château')
    """
    return _READ.sub(_decoded, text) if _BROKEN.search(text) else text


def _decoded(found: re.Match[str]) -> str:
    try:
        return _back(found[0]).decode("utf-8")
    except UnicodeDecodeError:
        return found[0]
