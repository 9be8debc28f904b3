"""Store templates, which are prepared once and used on later pages."""

from webstencil.codec import decode_value, encode_value
from webstencil.extract.published.template import BlockTemplate, Method
from webstencil.protocols import BlobStore


def keep_template(keeper: BlobStore, name: str, template: BlockTemplate) -> None:
    """Store the template of a site or a stencil."""
    keeper.keep(template.made_by, name, encode_value(template, f"the template of {name!a}"))


def kept_template(keeper: BlobStore, name: str, method: Method) -> BlockTemplate | None:
    """Return a method's stored template of a site or a stencil, None if there is none."""
    body = keeper.kept(repr(method), name)
    return None if body is None else decode_value(body, BlockTemplate, f"template of {name!a}")
