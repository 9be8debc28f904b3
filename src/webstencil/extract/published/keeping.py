"""Store templates, which are prepared once and used on later pages."""

from typing import Protocol

from webstencil.codec.values import decode_value, encode_value
from webstencil.extract.published.template import Method, Template


class ByteStore(Protocol):
    """Stores bytes."""

    def keep(self, made_by: str, name: str, body: bytes) -> None:
        """Store bytes, replacing earlier ones."""

    def kept(self, made_by: str, name: str) -> bytes | None:
        """Return stored bytes, None if there are none."""


def keep_template(keeper: ByteStore, name: str, template: Template) -> None:
    """Store the template of a site or a stencil."""
    keeper.keep(template.made_by, name, encode_value(template, f"the template of {name!a}"))


def kept_template(keeper: ByteStore, name: str, method: Method) -> Template | None:
    """Return a method's stored template of a site or a stencil, None if there is none."""
    body = keeper.kept(repr(method), name)
    return None if body is None else decode_value(body, Template, f"template of {name!a}")
