"""`Page` to `Snapshot`: a page rendered by Chromium, with scripts off and without a network.

The page is written again with its nodes' numbers (`markup.stamp`), shown in a fresh tab, and read
back in one piece with its computed styles. Its resources come from its source.
"""

import math
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from webstencil import markup
from webstencil.errors import BrowserMissing, PageCrashed, PageTimeout, RenderError
from webstencil.geometry import Rect
from webstencil.model import NO_PARENT, ROOT, TEXT, NodeId, Page, Resource, Snapshot, Viewport
from webstencil.protocols import Resources
from webstencil.render import browser, chromium
from webstencil.render.boxes import (
    NO_NODE,
    NUMBER_ATTRIBUTE,
    make_boxes,
    rect_of,
    scrolled_page,
    stamps,
)
from webstencil.render.chromium import MEMORY_LIMIT, Chromium, Json
from webstencil.render.looks import CSS_PROPERTIES
from webstencil.render.tab import (
    MADE_UP,
    MAX_BODY,
    MAX_REQUESTS,
    BrowserOwner,
    Supply,
    Tab,
    refuse,
    shown_url,
)

# Pages that scroll inside an element, laid out so that all of them shows.
#
# What of elements that scroll by themselves is hidden is read from a browser's snapshot.


SCROLLING = frozenset({"auto", "scroll", "overlay"})  # overflow that a reader can scroll
SEEN_VISIBILITY = frozenset({"visible"})
PINNING = frozenset({"fixed", "sticky"})  # positions of what stays in the window
CONTROL_NAMES = frozenset({"TEXTAREA", "SELECT"})  # what lies in them is not the page's
NO_DIFFERENCE = 1.0  # px; sizes are rounded, so that less is no difference
FAINT = re.compile(r"0(\.0[0-4]\d*)?|\d(\.\d+)?e-\d+")  # opacity below 0.05 is not seen
# Shares that tell the scroller of a page from a widget in it; set by reasoning, not by a score:
TALL_PANE = 0.5  # of the window's height; a page's scroller, and a menu beside it, have more
WIDE_PANE = 0.5  # of the window's width; a menu has less
LARGE_PANE = 0.25  # of the window's area; the main one of several columns has more
STIRRED = 0.25  # of the window's height; a document that scrolls no farther hardly scrolls


@dataclass(frozen=True, slots=True)
class Scroller:
    """An element whose content is higher than itself, and can be scrolled to."""

    node: NodeId
    rect: Rect
    hidden: float  # px of its content


@dataclass(frozen=True)
class Layout:
    """A page as laid out in a window of some height, with rules of our own."""

    page: Page
    captured: Mapping[str, Any]  # DOMSnapshot with the rectangles of scrolling
    height: int  # px of the window
    css: str = ""

    @cached_property
    def _document(self) -> Mapping[str, Any]:
        document: Mapping[str, Any] = self.captured["documents"][0]
        return document

    @cached_property
    def numbers(self) -> list[NodeId]:
        """The number of each element of the snapshot on the page, or `NO_NODE`."""
        return stamps(self.page, self._document["nodes"], self.captured["strings"])

    @cached_property
    def rects(self) -> dict[NodeId, Rect]:
        """The border boxes of the page's elements."""
        layout = self._document["layout"]
        return {
            self.numbers[index]: rect_of(layout["bounds"][row])
            for row, index in enumerate(layout["nodeIndex"])
            if self.numbers[index] != NO_NODE
        }

    @cached_property
    def pinned(self) -> frozenset[NodeId]:
        """The elements that stay in the window when the page is scrolled."""
        rows = rows_with(self.captured, "position", PINNING)
        return frozenset(self.numbers[self._document["layout"]["nodeIndex"][row]] for row in rows)

    @cached_property
    def scrollers(self) -> dict[NodeId, Scroller]:
        """The elements that hide content that can be scrolled to."""
        layout = self._document["layout"]
        found = {}
        for row in _hiding_rows(self.captured):
            node = self.numbers[layout["nodeIndex"][row]]
            if node != NO_NODE and not self._faint(node):
                hidden = layout["scrollRects"][row][3] - layout["clientRects"][row][3]
                found[node] = Scroller(node, rect_of(layout["bounds"][row]), float(hidden))
        return found

    @cached_property
    def _faints(self) -> frozenset[NodeId]:
        faint = frozenset(text for text in self.captured["strings"] if FAINT.fullmatch(text))
        rows = rows_with(self.captured, "opacity", faint)
        return frozenset(self.numbers[self._document["layout"]["nodeIndex"][row]] for row in rows)

    def _faint(self, node: NodeId) -> bool:
        """Return whether an element, or one around it, is too faint to be seen."""
        while self._faints and node != NO_PARENT:
            if node in self._faints:
                return True
            node = self.page.tree.parents[node]
        return False

    @cached_property
    def panes(self) -> list[Rect]:
        """The border boxes of all elements that would scroll if they hid something."""
        bounds = self._document["layout"]["bounds"]
        return [rect_of(bounds[row]) for row in _scrolling_rows(self.captured)]

    @property
    def content_height(self) -> float:
        """The height of what the document scrolls, in px."""
        return float(self._document["contentHeight"])

    def texts_outside(self, root: NodeId) -> Iterable[Rect]:
        """Yield the lines of text that do not lie in an element."""
        layout, nodes = self._document["layout"], self._document["nodes"]
        within: list[bool] = []
        for index, parent in enumerate(nodes["parentIndex"]):
            within.append(self.numbers[index] == root or (parent >= 0 and within[parent]))
        lines = self._document["textBoxes"]
        for row, bounds in zip(lines["layoutIndex"], lines["bounds"], strict=True):
            if not within[layout["nodeIndex"][row]]:
                yield rect_of(bounds)


def rows_with(captured: Mapping[str, Any], name: str, values: frozenset[str]) -> list[int]:
    """Return the rows of a snapshot's layout whose computed style has one of these values."""
    column = CSS_PROPERTIES.index(name)
    wanted = {index for index, text in enumerate(captured["strings"]) if text in values}
    styles = captured["documents"][0]["layout"]["styles"]
    return [row for row, style in enumerate(styles) if style and style[column] in wanted]


def _hiding_rows(captured: Mapping[str, Any]) -> list[int]:
    """Return the rows of what is seen in part and can be scrolled, the window apart."""
    layout = captured["documents"][0]["layout"]
    return [
        row
        for row in _scrolling_rows(captured)
        if layout["scrollRects"][row][3] > layout["clientRects"][row][3] + NO_DIFFERENCE
    ]


def _scrolling_rows(captured: Mapping[str, Any]) -> list[int]:
    """Return the rows of what is seen and can be scrolled if need be, the window apart."""
    document, strings = captured["documents"][0], captured["strings"]
    layout, names = document["layout"], document["nodes"]["nodeName"]
    scrolling = rows_with(captured, "overflow-y", SCROLLING)
    visible = set(rows_with(captured, "visibility", SEEN_VISIBILITY)) if scrolling else ()
    rows = [row for row in scrolling if row in visible and layout["scrollRects"][row]]
    tags = {row: strings[names[layout["nodeIndex"][row]]] for row in rows}
    window = _window_row(captured) if "BODY" in tags.values() else -1
    return [r for r in rows if r != window and tags[r] != "HTML" and tags[r] not in CONTROL_NAMES]


def _window_row(captured: Mapping[str, Any]) -> int:
    """Return the row of the body if its overflow is the window's, -1 if the root's is.

    CSS Overflow 3, section 3.3.
    """
    document, strings = captured["documents"][0], captured["strings"]
    layout, names = document["layout"], document["nodes"]["nodeName"]
    column = CSS_PROPERTIES.index("overflow-y")
    for row, index in enumerate(layout["nodeIndex"]):
        tag = strings[names[index]]
        if tag == "HTML" and strings[layout["styles"][row][column]] != "visible":
            return -1
        if tag == "BODY":
            return row
    return -1


def main_scrollers(layout: Layout, viewport: Viewport) -> tuple[Scroller, ...]:
    """Return what scrolls in place of the document, with the menus beside it; none if it does."""
    if layout.content_height > (1 + STIRRED) * viewport.height:
        return ()
    tall = tuple(one for one in layout.scrollers.values() if _in_window(one.rect, viewport))
    area = LARGE_PANE * viewport.width * viewport.height
    return tall if any(pane.width * pane.height >= area for pane in layout.panes) else ()


def fixed_menus(layout: Layout, viewport: Viewport) -> dict[NodeId, tuple[NodeId, ...]]:
    """Return what scrolls beside the content and stays in the window, with what it lies in.

    That are the ancestors down from the one that is kept in the window.
    """
    parents = layout.page.tree.parents
    found = {}
    for node, one in layout.scrollers.items():
        chain = [node]
        while chain[-1] not in layout.pinned and parents[chain[-1]] != NO_PARENT:
            chain.append(parents[chain[-1]])
        narrow = one.rect.width <= WIDE_PANE * viewport.width
        if narrow and _in_window(one.rect, viewport) and chain[-1] in layout.pinned:
            found[node] = tuple(reversed(chain))
    return found


def _in_window(rect: Rect, viewport: Viewport) -> bool:
    return (
        rect.height >= TALL_PANE * viewport.height
        and rect.top < viewport.height
        and rect.left < viewport.width
        and rect.right > 0
    )


def grown_inside(first: Layout, now: Layout, followers: Iterable[NodeId]) -> dict[NodeId, float]:
    """Return what has grown in scrollers that follow the window, with the heights to keep, in px.

    Each keeps the height it had; a scroller, and what is around it, gets what it hides in addition.
    """
    parents = first.page.tree.parents
    outer = frozenset(followers)
    more: dict[NodeId, float] = {}
    for node in outer:
        hidden, here = first.scrollers[node].hidden, node
        while here != NO_PARENT:
            more[here] = max(more.get(here, 0.0), hidden)
            here = parents[here]
    inside: list[bool] = []
    kept = {}
    for node, parent in enumerate(parents):
        inside.append(parent != NO_PARENT and (inside[parent] or parent in outer))
        before, after = first.rects.get(node), now.rects.get(node)
        if inside[node] and before and after and after.height > before.height + NO_DIFFERENCE:
            kept[node] = before.height + more.get(node, 0.0)
    return kept


def unrolled(layout: Layout, chain: Sequence[NodeId], longest: float) -> dict[NodeId, float]:
    """Return the heights at which a menu shows whole, in px.

    There are none if it would cover texts, or end below `longest` px.
    """
    scroller = layout.scrollers[chain[-1]]
    rect, bottom = scroller.rect, scroller.rect.bottom + scroller.hidden
    added = Rect(rect.left, rect.bottom, rect.right, bottom)
    if bottom > longest or any(
        not added.clip(text).empty for text in layout.texts_outside(chain[0])
    ):
        return {}
    laid = (node for node in chain if node in layout.rects)
    heights = {node: layout.rects[node].height + scroller.hidden for node in laid}
    return {ROOT: bottom, **heights}


# The window grows by what its main scroller hides, as layouts of `100vh` expect. What grows with it
# inside of the scroller, such as a hero, keeps the height it had. A menu that stays in the window
# beside the content gets the height of its content. Pages whose document scrolls, and small
# scrollers in a page, stay as they are.


TALLEST_WINDOW = 1_000_000  # px; the longest page of Java's manual that was tried has 570,760
# px; a longer menu has all pages of a reference, which scripts would fold, beside one of them
LONGEST_MENU = 16_384
MOST_WINDOWS = 5  # a page that needs more windows than that follows no rule of ours

STRONG = ":not(#_#_#_)"  # outweighs the rules of the page


def capture_whole(tab: Tab, page: Page, viewport: Viewport, *, until: float) -> Json:
    """Return the snapshot of a page; it is laid out so that what scrolls inside shows whole."""
    captured = tab.capture(CSS_PROPERTIES, until=until)
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
    for _ in range(MOST_WINDOWS):
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
    return tuple(one for one in some if _growth(first, now, one.node) > NO_DIFFERENCE)


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
    return replace(layout, captured=tab.capture(CSS_PROPERTIES, until=until))


def _unroll_menus(tab: Tab, layout: Layout, viewport: Viewport, until: float) -> Layout:
    """Give menus that stay in the window the height of their content, if nothing is in the way."""
    found = fixed_menus(layout, viewport)
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
    return bool(old and new and new.top < old.top - NO_DIFFERENCE)


def rules(heights: Mapping[NodeId, float]) -> str:
    """Write rules that give elements a height, and the root at least one."""
    return "".join(
        f"html{STRONG}{{min-height:{height}px!important}}"
        if node == ROOT
        else f'[{NUMBER_ATTRIBUTE}="{node}"]{STRONG}{{height:{height}px!important;'
        "min-height:0!important;max-height:none!important;box-sizing:border-box!important}"
        for node, height in sorted(heights.items())
    )


SHOWN_HTML_TYPE = "text/html; charset=utf-8"
SVG_TYPE = "image/svg+xml"
TALLEST_SCREENSHOT = 16_384  # px of a screenshot; Chromium makes no taller ones in one piece
WIDEST_SCREENSHOT = 2  # windows of a screenshot; boxes far to the right are hidden as a rule
CHECK_TIMEOUT = 20.0  # s
ONE_LETTER = Resource(b"<!DOCTYPE html><p>x", SHOWN_HTML_TYPE)

# What appears later, or moves, is shown at once in its final state.
FINAL_STATE = (
    "<style>*,::before,::after{content-visibility:visible!important;animation-delay:-1ms!important;"
    "animation-duration:1ms!important;animation-iteration-count:1!important;"
    "animation-fill-mode:both!important;transition:none!important}</style>"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChromiumRenderer(BrowserOwner):
    """Renders pages in a browser that it starts with the first one. Close it, or use `with`.

    Threads may share it: they render one page after the other.
    """

    viewport: Viewport = Viewport()
    page_timeout: float = 20.0  # s to load a page; then it is taken as it is
    snapshot_timeout: float = 15.0  # s to read it, and as many for a screenshot
    memory_limit: int = MEMORY_LIMIT  # bytes of each process of the browser
    max_elements: int = 60_000
    max_body: int = MAX_BODY  # bytes of the page, and of each resource
    max_requests: int = MAX_REQUESTS

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Render `page` with `resources`; raise a `RenderError` if that fails."""
        self._refuse_giants(page)
        html = markup.stamp(page.body, page.encoding, attribute=NUMBER_ATTRIBUTE, head=FINAL_STATE)
        shown = Resource(html.encode("utf-8", "replace"), SHOWN_HTML_TYPE)
        try:
            return self._persist(lambda: self._render(page, shown, resources, screenshot))
        except BrowserMissing:
            raise
        except RenderError as error:
            raise type(error)(f"{page.url}: {error}") from error

    def picture(self, content: str, width: int, height: int) -> bytes:
        """Return a PNG of an SVG picture or HTML page of our own, at most `TALLEST` px a side."""
        size = Viewport(
            min(max(width, 1), TALLEST_SCREENSHOT), min(max(height, 1), TALLEST_SCREENSHOT)
        )
        kind = SVG_TYPE if content.lstrip().startswith(("<svg", "<?xml")) else SHOWN_HTML_TYPE
        shown = Resource(content.encode(), kind)
        return self._persist(lambda: self._photograph(shown, size))

    def _refuse_giants(self, page: Page) -> None:
        self._refuse(page, len(page.body), self.max_body, "bytes")
        elements = len(page.tree) - page.tree.tags.count(TEXT)
        self._refuse(page, elements, self.max_elements, "elements")

    def _refuse(self, page: Page, size: int, limit: int, unit: str) -> None:
        if size > limit:
            raise RenderError(
                f"{page.url} has {size} {unit}, and at most {limit} are rendered; leave it out, or "
                "take its content with `webstencil extract`, which renders nothing"
            )

    def _start(self) -> Chromium:
        running = chromium.start(browser.find_browser(), memory_limit=self.memory_limit)
        try:
            _check_fonts(running)
        except RenderError:
            running.close()
            raise
        return running

    def _tab(self) -> Tab:
        """Take the spare tab, or make one."""
        running = self._chromium()
        spare, self._held.spare = self._held.spare, None
        if spare and not spare.usable():
            spare.close()
            spare = None
        return spare or Tab(running, self.viewport)

    def _render(
        self, page: Page, shown: Resource, resources: Resources, screenshot: bool
    ) -> Snapshot:
        with closing(self._tab()) as tab:
            until = time.monotonic() + self.page_timeout
            supply = Supply(page.url, resources, self.max_requests, self.max_body, until)
            tab.show(shown, shown_url(page.url), supply, until=until)
            self._held.spare = Tab(self._chromium(), self.viewport)
            captured = capture_whole(tab, page, self.viewport, until=self._read_until())
            whole = scrolled_page(captured)
            picture = self._screenshot(tab, whole) if screenshot else None
        boxes = make_boxes(page, captured, self.viewport)
        return Snapshot(page.url, self.viewport, whole, boxes, tab.complete, picture)

    def _screenshot(self, tab: Tab, whole: Rect) -> bytes:
        width = min(math.ceil(whole.width), WIDEST_SCREENSHOT * self.viewport.width)
        height = min(math.ceil(whole.height), TALLEST_SCREENSHOT)
        return tab.screenshot(width, height, until=self._read_until())

    def _photograph(self, shown: Resource, size: Viewport) -> bytes:
        with closing(Tab(self._chromium(), size)) as tab:
            tab.show(shown, MADE_UP, refuse, until=time.monotonic() + self.page_timeout)
            return tab.screenshot(size.width, size.height, until=self._read_until())

    def _read_until(self) -> float:
        return time.monotonic() + self.snapshot_timeout


def _check_fonts(running: Chromium) -> None:
    """Raise `BrowserMissing` if letters get no box: a browser without fonts does not complain."""
    with closing(Tab(running, Viewport())) as tab:
        tab.show(ONE_LETTER, MADE_UP, refuse, until=time.monotonic() + CHECK_TIMEOUT)
        captured = tab.capture((), until=time.monotonic() + CHECK_TIMEOUT)
    if len(captured["documents"][0]["textBoxes"]["layoutIndex"]) != 1:
        raise BrowserMissing(
            "the browser finds no fonts, so that texts have no boxes; run `webstencil browser "
            "install`, or install fonts such as the package fonts-liberation"
        )
