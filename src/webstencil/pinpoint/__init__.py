"""Find nodes that were picked on one page on the other pages of its template."""

from webstencil.pinpoint.picks import learn, pick, pick_text
from webstencil.pinpoint.search import find_picks

__all__ = ["find_picks", "learn", "pick", "pick_text"]
