"""Find a node that was picked on one page on the other pages of its template."""

from webstencil.pinpoint.leaves import Leaves
from webstencil.pinpoint.pick import learn, pick
from webstencil.pinpoint.search import pinpoint, pinpoint_all

__all__ = ["Leaves", "learn", "pick", "pinpoint", "pinpoint_all"]
