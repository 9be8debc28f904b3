"""The renderer, with a real browser."""

import pickle
import struct
from collections.abc import Iterator

import pytest

from webstencil.errors import BrowserMissing, RenderError, SourceError
from webstencil.geometry import Rect
from webstencil.markup.parse import parse
from webstencil.model import (
    NO_PARENT,
    TEXT,
    Box,
    BoxKind,
    Page,
    RawPage,
    Resource,
    Snapshot,
    Viewport,
)
from webstencil.render import ChromiumRenderer, browser
from webstencil.testing import MemorySource

pytestmark = pytest.mark.browser

URL = "http://site.example/folder/page.html"


@pytest.fixture(scope="module")
def renderer() -> Iterator[ChromiumRenderer]:
    with ChromiumRenderer() as running:
        yield running


def page_of(html: str, url: str = URL) -> Page:
    return parse(RawPage(url, html.encode()))


def shown(renderer: ChromiumRenderer, html: str, **resources: Resource) -> Snapshot:
    """Render a page whose resources lie beside it, under these names without their endings."""
    beside = {f"http://site.example/folder/{name}": one for name, one in resources.items()}
    return renderer.render(page_of(html), MemorySource({}, beside))


def box_of(snapshot: Snapshot, page: Page, identifier: str) -> Box:
    node = page.tree.ids.index(identifier)
    return next(box for box in snapshot.boxes if box.node == node)


def texts(renderer: ChromiumRenderer, html: str) -> dict[str, bool]:
    """Return, for each text of a page, whether it is visible."""
    snapshot = renderer.render(page_of(html), MemorySource({}))
    return {box.text: box.visible for box in snapshot.boxes if box.kind is BoxKind.TEXT}


POSITIONED = """<!DOCTYPE html><style>
body { margin: 0 } div { position: absolute; margin: 0 }
#a { left: 10px; top: 20px; width: 300px; height: 40px }
#b { left: 5.5px; top: 7.25px; width: 100px; height: 30px; border: 2px solid red; padding: 3px }
#c { left: 0; top: 2000px; width: 10px; height: 10px }
</style><div id=a><div id=b></div></div><div id=c></div>"""


def test_boxes_are_where_the_style_sheet_puts_them(renderer: ChromiumRenderer) -> None:
    """Geometry is exact, fractions of a pixel included; the page ends where its last box does."""
    page = page_of(POSITIONED)
    snapshot = renderer.render(page, MemorySource({}))

    assert {
        page.tree.ids[box.node] or page.tree.tags[box.node]: (box.parent, box.rect)
        for box in snapshot.boxes
    } == {
        "html": (NO_PARENT, Rect(0, 0, 1366, 0)),
        "body": (0, Rect(0, 0, 1366, 0)),
        "a": (1, Rect(10, 20, 310, 60)),
        "b": (2, Rect(15.5, 27.25, 125.5, 67.25)),
        "c": (1, Rect(0, 2000, 10, 2010)),
    }
    assert (snapshot.rect, snapshot.complete) == (Rect(0, 0, 1366, 2010), True)
    assert (snapshot.url, snapshot.viewport, snapshot.screenshot) == (URL, Viewport(), None)


def test_text_has_one_rectangle_per_line_and_their_union(renderer: ChromiumRenderer) -> None:
    """Lines are not broken where white space collapsed; the text box is around all lines."""
    html = """<!DOCTYPE html><style>p { font: 20px/30px monospace; width: 130px; margin: 0;
        position: absolute; left: 0; top: 0 }</style><p>one   two
        three</p>"""
    box = next(b for b in shown(renderer, html).boxes if b.kind is BoxKind.TEXT)

    assert box.text == "one two three"
    assert len(box.lines) == 2
    assert [line.left for line in box.lines] == [0, 0]
    assert box.lines[1].top - box.lines[0].top == 30
    assert box.lines[0].width == pytest.approx(box.lines[1].width / 5 * 7, abs=1)
    assert box.rect == Rect(0, box.lines[0].top, box.lines[0].right, box.lines[1].bottom)


MALFORMED = {
    "misnested formatting": "<p><b>one<i>two</b>three</i>four",
    "block in link": "<a href=x>one<div>two<a href=y>three</a>four</div></a>five",
    "stray text in a table": "<table>lost<tr>found<td>cell<td>cell2</table>after",
    "nested form and heading": "<form>a<form>b<h1>c<h2>d</h1>e</form>f",
    "unclosed lists": "<ul><li>a<li>b<ul><li>c</ul>d<li>e<p>f<p>g",
    "comments and scripts between texts": "<p>one<!-- c -->two<script>x</script>three<br>four",
    "equal texts side by side": "<p>same<!-- -->same<!-- -->same",
    "the attribute itself": "<p data-webstencil=1>one<b data-webstencil=zero>two</b>",
    "select and buttons": "<select><option>one<option>two</select><button>three<b>four</button>",
    "noscript": "<head><noscript><style>x</style></noscript></head><noscript>a<b>b</b></noscript>c",
    "svg and math": "<svg><text>in</text><desc>d</svg>out<math><mi>x</mi></math>end",
    "no tags closed": "<div><section><article><p>one<div>two<span>three",
    "lines that start an element": "<pre>\n\n  one\n</pre><textarea>\n two</textarea>three",
    "everything after body": "<body><p>one</body></html>two<!-- x --><p>three",
    "entities": "<p>&lt;b&gt; &amp;amp; &nbsp; &#0; &shy;x\x0b",
    "template": "<p>one<template><p>two</template>three",
    "quirks": "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 3.2//EN'><table><td>one</table><p>two",
}


@pytest.mark.parametrize("html", MALFORMED.values(), ids=MALFORMED.keys())
def test_boxes_belong_to_the_nodes_that_the_parser_has_numbered(
    renderer: ChromiumRenderer, html: str
) -> None:
    """Every rendered text is where the parser has it, whatever the markup."""
    page = page_of(f"<!DOCTYPE html><title>t</title>{html}")
    snapshot = renderer.render(page, MemorySource({}))
    rendered = {box.node: box for box in snapshot.boxes}
    hidden = {"head", "svg", "select", "textarea"}

    assert [box.node for box in snapshot.boxes] == sorted(rendered)
    for node, (tag, parent) in enumerate(zip(page.tree.tags, page.tree.parents, strict=True)):
        if tag == TEXT and not hidden & set(ancestors(page, node)):
            assert rendered[node].text == " ".join(page.texts[node].split())
        if node in rendered and parent in rendered:
            assert rendered[node].parent == [box.node for box in snapshot.boxes].index(parent)


def ancestors(page: Page, node: int) -> Iterator[str]:
    while (node := page.tree.parents[node]) != NO_PARENT:
        yield page.tree.tags[node]


def test_page_gets_what_its_source_has(renderer: ChromiumRenderer) -> None:
    """Style sheets, what they import, and images come from the source, by absolute URL."""
    base = "http://site.example"
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>'
    source = MemorySource(
        {},
        {
            f"{base}/folder/a.css": Resource(b"@import '/b.css';", "text/css"),
            f"{base}/b.css": Resource(b"#p { width: 77px }", ""),
            "https://cdn.example/i.svg": Resource(svg, "image/svg+xml"),
        },
    )
    html = """<!DOCTYPE html><link rel=stylesheet href=a.css><p id=p>x</p>
        <img id=i src="http://cdn.example/i.svg"><img id=j src=missing.png>"""
    page = page_of(html)
    snapshot = renderer.render(page, source)

    assert box_of(snapshot, page, "p").rect.width == 77
    assert (box_of(snapshot, page, "i").rect.width, box_of(snapshot, page, "i").rect.height) == (
        40,
        30,
    )
    assert box_of(snapshot, page, "j").rect.width == 16
    assert snapshot.complete


def test_web_font_is_in_use_before_the_page_is_read(renderer: ChromiumRenderer) -> None:
    """A font's widths hold from the first snapshot on, every time."""
    fonts = browser.fonts_folder()
    if fonts is None:
        pytest.skip("needs the fonts of `webstencil browser install`")
    html = "<!DOCTYPE html><link rel=stylesheet href=style><b id=p>iiiiiiii</b>"
    style = b"@font-face { font-family: F; src: url(font) } b { font: 20px F, serif }"
    face = Resource((fonts / "Cousine_400Regular.ttf").read_bytes(), "font/ttf")
    beside = {"style": Resource(style, "text/css"), "font": face}
    widths = [shown(renderer, html, **beside).boxes[-1].rect.width for _ in range(5)]

    assert widths == [pytest.approx(8 * 20 * 0.6, abs=0.5)] * 5


def test_nothing_of_a_page_runs(renderer: ChromiumRenderer) -> None:
    """Scripts are off from the first moment: what is for browsers without them is shown."""
    html = """<!DOCTYPE html><p id=p>stays</p><noscript>no <b>scripts</b></noscript>
        <script>document.getElementById('p').remove()</script>
        <img src=x onerror="document.body.remove()"><body onload="document.body.remove()">"""

    assert [list(texts(renderer, html)) for _ in range(5)] == [["stays", "no", "scripts"]] * 5


@pytest.mark.parametrize(
    "folder", ["file:///srv/my%20pages/", "pages/", "https://site.example:8443/", "http://[::1]/"]
)
def test_page_may_live_anywhere(renderer: ChromiumRenderer, folder: str) -> None:
    """The source is asked for what the page means, also where a browser could not go."""
    source = MemorySource({}, {f"{folder}a.css": Resource(b"p { width: 77px }", "text/css")})
    page = page_of("<!DOCTYPE html><link rel=stylesheet href=a.css><p id=p>x", f"{folder}p.html#x")

    assert box_of(renderer.render(page, source), page, "p").rect.width == 77


def test_source_that_cannot_be_read_leaves_the_page_as_it_is(renderer: ChromiumRenderer) -> None:
    """A resource that fails is a resource that is missing."""

    class Broken(MemorySource):
        def fetch(self, url: str) -> Resource | None:
            raise SourceError(f"{url} cannot be read")

    page = page_of("<!DOCTYPE html><link rel=stylesheet href=a.css><p id=p>x")

    assert renderer.render(page, Broken({})).complete


def test_source_that_breaks_spoils_no_other_page(renderer: ChromiumRenderer) -> None:
    """Its page has the error; the browser goes on with the next one."""

    class Broken(MemorySource):
        def fetch(self, url: str) -> Resource | None:
            raise RuntimeError(f"{url} breaks everything")

    links = "".join(f"<link rel=stylesheet href={number}.css>" for number in range(20))
    page = page_of(f"<!DOCTYPE html>{links}<p id=p>x")
    with pytest.raises(RuntimeError, match="breaks everything"):
        renderer.render(page, Broken({}))

    assert renderer.render(page, MemorySource({})).complete


@pytest.mark.parametrize("content_type", ["", "text/css\r\nRefresh: 0", "text/cß", "x" * 9999])
def test_odd_content_types_do_not_hold_a_page_up(
    renderer: ChromiumRenderer, content_type: str
) -> None:
    """What a server called a style sheet is used as one if the name makes no sense."""
    sheet = Resource(b"p { width: 77px }", content_type)
    snapshot = shown(renderer, "<!DOCTYPE html><link rel=stylesheet href=a><p>x", a=sheet)

    assert snapshot.complete
    assert snapshot.boxes[-1].parent == len(snapshot.boxes) - 2
    assert snapshot.boxes[-2].rect.width == 77


def test_same_page_gives_the_same_snapshot(renderer: ChromiumRenderer) -> None:
    """Same input, same output, in another browser, too."""
    page = page_of(POSITIONED + "<p>some <b>text</b> that is <i>in lines</i>" * 50)
    with ChromiumRenderer() as other:
        snapshots = [one.render(page, MemorySource({})) for one in (renderer, renderer, other)]

    assert snapshots[0] == snapshots[1] == snapshots[2]


def test_screenshot_shows_the_whole_page(renderer: ChromiumRenderer) -> None:
    """A PNG as large as the page, down to a limit."""
    page = page_of("<!DOCTYPE html><body style='margin:0'><div style='height:3000px'>x")
    tall = page_of("<!DOCTYPE html><body style='margin:0'><div style='height:30000px'>x")
    sizes = [
        png_size(renderer.render(one, MemorySource({}), screenshot=True).screenshot or b"")
        for one in (page, tall)
    ]

    assert sizes == [(1366, 3000), (1366, 16384)]


def png_size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_picture_shows_what_we_have_drawn(renderer: ChromiumRenderer) -> None:
    """SVG and HTML of our own become pictures of the wanted size."""
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="30" height="20"/></svg>'
    pictures = [renderer.picture(drawing, 300, 1200) for drawing in (svg, "<p>x", "<p>")]

    assert [png_size(picture) for picture in pictures] == [(300, 1200)] * 3
    assert len(set(pictures)) == 3


@pytest.mark.parametrize(
    ("limits", "unit"), [({"max_body": 100}, "bytes"), ({"max_elements": 20}, "elements")]
)
def test_pages_beyond_the_limits_are_refused(limits: dict[str, int], unit: str) -> None:
    """A page that is too large is refused before any browser starts."""
    page = page_of("<!DOCTYPE html>" + "<p>x</p>" * 40)

    with pytest.raises(RenderError, match=rf"{URL} has \d+ {unit}"):
        ChromiumRenderer(**limits).render(page, MemorySource({}))


def test_more_requests_than_allowed_are_refused() -> None:
    """A page cannot ask without end."""
    asked = []

    class Asked(MemorySource):
        def fetch(self, url: str) -> Resource | None:
            asked.append(url)
            return Resource(b"", "image/png")

    page = page_of("<!DOCTYPE html>" + "".join(f"<img src={n}.png>" for n in range(30)))
    with ChromiumRenderer(max_requests=10) as limited:
        limited.render(page, Asked({}))

    assert len(asked) == 10


def test_renderer_is_its_settings(renderer: ChromiumRenderer) -> None:
    """Equal settings, equal renderers; a copy sent to another process starts its own browser."""
    copy = pickle.loads(pickle.dumps(renderer))

    assert copy == renderer == ChromiumRenderer()
    assert ChromiumRenderer(max_requests=1) != renderer
    assert repr(ChromiumRenderer(max_requests=1)).count("max_requests=1") == 1


def test_window_can_have_another_size() -> None:
    """Pages are laid out for the wanted viewport."""
    narrow = Viewport(400, 300)
    page = page_of("<!DOCTYPE html><body style='margin:0'><p id=p style='height:100vh'>x")
    with ChromiumRenderer(viewport=narrow) as phone:
        snapshot = phone.render(page, MemorySource({}))

    assert snapshot.viewport == narrow
    assert box_of(snapshot, page, "p").rect.width == 400
    assert box_of(snapshot, page, "p").rect.height == 300


def test_missing_browser_is_reported_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening a renderer without a browser fails, not the first page an hour later."""
    monkeypatch.setenv("WEBSTENCIL_CHROMIUM", "/nowhere/chromium")

    with pytest.raises(BrowserMissing, match="/nowhere/chromium"), ChromiumRenderer():
        pass
