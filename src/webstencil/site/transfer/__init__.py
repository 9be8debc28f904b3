"""Lay what the learned pages of a site teach over another page: borders instead of addresses."""

from webstencil.site.transfer.site import Transfer

__all__ = ["Transfer"]
