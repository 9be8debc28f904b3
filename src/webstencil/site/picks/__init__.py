"""Find nodes picked on one page on the other pages of its template."""

from webstencil.site.picks.picks import learn, pick, pick_text
from webstencil.site.picks.search import find_picks

__all__ = ["find_picks", "learn", "pick", "pick_text"]
