"""Apply what the learned pages of a site teach to another page: borders, not descriptors."""

from webstencil.site.transfer.site import Transfer

__all__ = ["Transfer"]
