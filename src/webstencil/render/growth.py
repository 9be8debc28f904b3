"""Pages that scroll inside an element, laid out so that all of them shows.

The window grows by what its main scroller hides, as layouts of `100vh` expect. What grows with it
inside of the scroller, such as a hero, keeps the height it had. A menu that stays in the window
beside the content gets the height of its content. Pages whose document scrolls, and small
scrollers in a page, stay as they are.
"""

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from webstencil.errors import PageCrashed, PageTimeout
from webstencil.model import ROOT, NodeId, Page, Viewport
from webstencil.render.chromium import Json
from webstencil.render.identity import ATTRIBUTE
from webstencil.render.looks import PROPERTIES
from webstencil.render.scrolling import (
    NOTHING,
    Layout,
    Scroller,
    grown_inside,
    main_scrollers,
    menus,
    unrolled,
)
from webstencil.render.tab import Tab

TALLEST_WINDOW = 1_000_000  # px; the longest page of Java's manual that was tried has 570,760
# px; a longer menu has all pages of a reference, which scripts would fold, beside one of them
LONGEST_MENU = 16_384
ROUNDS = 5  # a page that needs more windows than that follows no rule of ours

STRONG = ":not(#_#_#_)"  # outweighs the rules of the page


def capture_whole(tab: Tab, page: Page, viewport: Viewport, *, until: float) -> Json:
    """Return the snapshot of a page; it is laid out so that what scrolls inside shows whole."""
    captured = tab.capture(PROPERTIES, until=until)
    first = Layout(page, captured, viewport.height)
    if not first.scrollers:
        return captured
    try:
        grown = _unroll_menus(tab, _grow_window(tab, first, viewport, until), viewport, until)
    except (PageTimeout, PageCrashed):  # the page is taken as it was
        with suppress(PageTimeout, PageCrashed):
            tab.lay_out(first.height, first.css, until=until)
        return captured
    return dict(grown.captured)


def _grow_window(tab: Tab, first: Layout, viewport: Viewport, until: float) -> Layout:
    """Try windows until the main scrollers hide nothing; return the best layout."""
    main = main_scrollers(first, viewport)
    if not main:
        return first
    best, least = first, (math.inf, 0)
    now = replace(first, height=_window(first.height + _most_hidden(main)))
    for _ in range(ROUNDS):
        now = _again(tab, now, until)
        following = _following(first, now)
        if not any(one in following for one in main):
            break
        worst = _worst(first, now, following)
        left = worst.hidden if worst else 0.0
        if (left, now.height) < min(least, (_most_hidden(following), 0)):
            best, least = now, (left, now.height)
        after = _next(first, now, following, worst)
        if (after.height, after.css) == (now.height, now.css):
            break
        now = after
    if best is not now:
        tab.lay_out(best.height, best.css, until=until)
    return best


def _window(height: float) -> int:
    return min(math.ceil(height), TALLEST_WINDOW)


def _most_hidden(some: tuple[Scroller, ...]) -> float:
    return max(one.hidden for one in some)


def _following(first: Layout, now: Layout) -> tuple[Scroller, ...]:
    """Return the scrollers that have grown with the window."""
    some = first.scrollers.values()
    return tuple(one for one in some if _growth(first, now, one.node) > NOTHING)


def _growth(first: Layout, now: Layout, node: NodeId) -> float:
    before, after = first.rects.get(node), now.rects.get(node)
    return after.height - before.height if before and after else 0.0


def _worst(first: Layout, now: Layout, following: tuple[Scroller, ...]) -> Scroller | None:
    """Return what still hides most of all that follows the window, or has begun to hide."""
    follow = {one.node for one in following}
    some = (
        one for node, one in now.scrollers.items() if node in follow or node not in first.scrollers
    )
    return max(some, key=lambda one: one.hidden, default=None)


def _next(
    first: Layout, now: Layout, following: tuple[Scroller, ...], worst: Scroller | None
) -> Layout:
    """Return the window to try after this one, and the heights to keep; the same at the end."""
    needed = _window(first.height + _most_hidden(following))
    if worst is None:
        exceeds = not now.css and now.height > needed
        return replace(now, height=needed) if exceeds else now
    css = now.css or rules(grown_inside(first, now, (one.node for one in following)))
    if css != now.css:
        return replace(now, height=needed, css=css)
    pace = _growth(first, now, worst.node) / (now.height - first.height)
    return replace(now, height=_window(now.height + worst.hidden / (pace or 1.0)))


def _again(tab: Tab, layout: Layout, until: float) -> Layout:
    """Lay the page out anew, and read it."""
    tab.lay_out(layout.height, layout.css, until=until)
    return replace(layout, captured=tab.capture(PROPERTIES, until=until))


def _unroll_menus(tab: Tab, layout: Layout, viewport: Viewport, until: float) -> Layout:
    """Give menus that stay in the window the height of their content, if nothing is in the way."""
    found = menus(layout, viewport)
    heights: dict[NodeId, float] = {}
    for chain in found.values():
        for node, height in unrolled(layout, chain, LONGEST_MENU).items():
            heights[node] = max(height, heights.get(node, 0.0))
    if not heights:
        return layout
    now = _again(tab, replace(layout, css=layout.css + rules(heights)), until)
    if any(_rises(layout, now, node) for node in heights):  # it hangs at its lower edge
        tab.lay_out(layout.height, layout.css, until=until)
        return layout
    return now


def _rises(before: Layout, now: Layout, node: NodeId) -> bool:
    old, new = before.rects.get(node), now.rects.get(node)
    return bool(old and new and new.top < old.top - NOTHING)


def rules(heights: Mapping[NodeId, float]) -> str:
    """Write rules that give elements a height, and the root at least one."""
    return "".join(
        f"html{STRONG}{{min-height:{height}px!important}}"
        if node == ROOT
        else f'[{ATTRIBUTE}="{node}"]{STRONG}{{height:{height}px!important;'
        "min-height:0!important;max-height:none!important;box-sizing:border-box!important}"
        for node, height in sorted(heights.items())
    )
