"""Templates are prepared once and used on every page that comes later: keep them, read them."""

from typing import Protocol

from webstencil.codec.values import decode_value, encode_value
from webstencil.extract.published.template import Method, Template


class ByteStore(Protocol):
    """Where bytes are kept; a store is one."""

    def keep(self, made_by: str, name: str, body: bytes) -> None:
        """Keep bytes, in place of those kept before."""

    def kept(self, made_by: str, name: str) -> bytes | None:
        """Return the bytes kept, None if there are none."""


def keep_template(keeper: ByteStore, name: str, template: Template) -> None:
    """Keep the template of a site or a stencil."""
    keeper.keep(template.made_by, name, encode_value(template, f"the template of {name!a}"))


def kept_template(keeper: ByteStore, name: str, method: Method) -> Template | None:
    """Return the template that a method made of a site or a stencil, None if it has made none."""
    body = keeper.kept(repr(method), name)
    return None if body is None else decode_value(body, Template, f"template of {name!a}")
