"""One page that came without its site, as on standard input."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from webstencil.codec.compression import LARGEST
from webstencil.errors import SourceError
from webstencil.model import RawPage, Resource

NOWHERE = "http://localhost/"  # stands for an unknown URL
ORIGIN = "standard input"
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # how pages in it begin


@dataclass(frozen=True, slots=True)
class GivenPage:
    """A page in memory; it brings no style sheets and images along."""

    body: bytes
    url: str = NOWHERE

    def pages(self) -> Iterator[RawPage]:
        """Yield the page."""
        yield RawPage(self.url, self.body, origin=ORIGIN)

    def count(self) -> int:
        """Return 1."""
        return 1

    def fetch(self, url: str) -> Resource | None:
        """Return None: there is nothing but the page."""
        del url
        return None


def read_stdin() -> bytes:
    """Read all of standard input; raise `SourceError` if it is empty or larger than any page."""
    body = sys.stdin.buffer.read(LARGEST + 1)
    if not body.strip():
        raise SourceError(
            "there is nothing on standard input; pipe a page or a list of names to it"
        )
    if len(body) > LARGEST:
        raise SourceError(f"standard input has more than {LARGEST:,} bytes, which no page has")
    return body


def is_markup(body: bytes) -> bool:
    """Return whether bytes are a page, and no list of names: they begin with a tag."""
    return body.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<" or body[:2] in UTF_16
