"""Fakes for your own tests: a source in memory, a renderer without a browser."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Self

from webstencil.geometry import Rect, bounding
from webstencil.model import (
    NO_PARENT,
    TEXT,
    Box,
    BoxKind,
    Page,
    RawPage,
    Resource,
    Snapshot,
    Style,
    Viewport,
)
from webstencil.protocols import Resources

LINE_HEIGHT = 20.0  # px, height of a line of text
GAP = 30.0  # px between the lines of different blocks
WIDTH = 800.0  # px of the page
INLINE = frozenset({"a", "abbr", "b", "code", "em", "i", "small", "span", "strong", "u"})
WHITE_BACKDROP = "rgb(255, 255, 255)"
PLAIN_STYLE = Style(
    display="block",
    position="static",
    floating="none",
    font_family="sans-serif",
    font_size=16.0,
    font_weight=400,
    italic=False,
    underline=False,
    color="rgb(0, 0, 0)",
    background="",
    background_image=False,
    border=(0.0, 0.0, 0.0, 0.0),
    border_color="",
)


class MemorySource:
    """Pages and resources in memory, by URL."""

    def __init__(
        self, pages: Mapping[str, bytes], resources: Mapping[str, Resource] | None = None
    ) -> None:
        self._pages = dict(pages)
        self._resources = dict(resources or {})

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages in the given order."""
        for url, body in self._pages.items():
            yield RawPage(url, body)

    def count(self) -> int:
        """Return the number of pages."""
        return len(self._pages)

    def fetch(self, url: str) -> Resource | None:
        """Return the resource with this URL, None if there is none."""
        return self._resources.get(url)


class StackRenderer:
    """Renders every text as one line below the one before; remembers which pages it rendered."""

    def __init__(self) -> None:
        self.rendered: list[str] = []  # URLs, in the order of the calls

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Render `page` without its style sheets."""
        del resources, screenshot
        self.rendered.append(page.url)
        boxes = stack(page)
        whole = bounding(box.rect for box in boxes)
        return Snapshot(
            url=page.url,
            viewport=Viewport(),
            rect=Rect(0.0, 0.0, WIDTH, max(whole.bottom, LINE_HEIGHT)),
            boxes=boxes,
            complete=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        """Do nothing."""


def stack(page: Page) -> tuple[Box, ...]:
    """Lay out the body of a page: texts below each other, elements around their texts."""
    tree, ends = page.tree, page.tree.ends()
    if "body" not in tree.tags:
        return ()
    body = tree.tags.index("body")
    lines = _lines(page, range(body, ends[body]))
    indexes: dict[int, int] = {}  # of the boxes, by node
    boxes: list[Box] = []
    for node in range(body, ends[body]):
        inside = bounding(lines[text] for text in range(node, ends[node]) if text in lines)
        display = "inline" if tree.tags[node] in INLINE else "block"
        is_text = tree.tags[node] == TEXT
        indexes[node] = len(boxes)
        boxes.append(
            Box(
                node=node,
                parent=indexes.get(tree.parents[node], NO_PARENT),
                kind=BoxKind.TEXT if is_text else BoxKind.ELEMENT,
                rect=inside,
                clip=inside,
                visible=not inside.empty,
                style=replace(PLAIN_STYLE, display=display),
                backdrop=WHITE_BACKDROP,
                lines=(inside,) if is_text else (),
                text=" ".join(page.texts[node].split()),
            )
        )
    return tuple(boxes)


def _lines(page: Page, nodes: range) -> dict[int, Rect]:
    """Return a line for each text; blocks are set apart."""
    lines: dict[int, Rect] = {}
    top = 0.0
    for node in nodes:
        if page.tree.tags[node] == TEXT:
            lines[node] = Rect(0.0, top, WIDTH, top + LINE_HEIGHT)
            top += LINE_HEIGHT
        elif page.tree.tags[node] not in INLINE:
            top += GAP
    return lines
