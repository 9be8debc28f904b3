"""Templates are prepared once and used on every page that comes later: keep them, read them."""

from webstencil.codec.values import decode_value, encode_value
from webstencil.extract.published.template import Method, Template
from webstencil.protocols import BlobStore


def keep_template(keeper: BlobStore, name: str, template: Template) -> None:
    """Keep the template of a site or a stencil."""
    keeper.keep(template.made_by, name, encode_value(template, f"the template of {name!a}"))


def kept_template(keeper: BlobStore, name: str, method: Method) -> Template | None:
    """Return the template that a method made of a site or a stencil, None if it has made none."""
    body = keeper.kept(repr(method), name)
    return None if body is None else decode_value(body, Template, f"template of {name!a}")
