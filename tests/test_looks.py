"""How boxes look in a real browser: kinds, styles, backdrops, what is visible and what is cut."""

from collections.abc import Iterator

import pytest

from webstencil.geometry import Rect
from webstencil.markup.parse import parse
from webstencil.model import Box, BoxKind, Page, RawPage, Snapshot
from webstencil.render import ChromiumRenderer
from webstencil.testing import MemorySource

pytestmark = pytest.mark.browser

WHITE = "rgb(255, 255, 255)"


@pytest.fixture(scope="module")
def renderer() -> Iterator[ChromiumRenderer]:
    with ChromiumRenderer() as running:
        yield running


def page_of(html: str) -> Page:
    return parse(RawPage("http://site.example/", html.encode()))


def shown(renderer: ChromiumRenderer, html: str) -> Snapshot:
    return renderer.render(page_of(html), MemorySource({}))


def boxes_by_id(renderer: ChromiumRenderer, html: str) -> dict[str, Box]:
    page = page_of(html)
    snapshot = renderer.render(page, MemorySource({}))
    return {page.tree.ids[box.node]: box for box in snapshot.boxes if page.tree.ids[box.node]}


def texts(renderer: ChromiumRenderer, html: str) -> dict[str, bool]:
    """Return, for each text of a page, whether it is visible."""
    snapshot = renderer.render(page_of(html), MemorySource({}))
    return {box.text: box.visible for box in snapshot.boxes if box.kind is BoxKind.TEXT}


def test_box_kinds_say_what_is_rendered_as_a_whole(renderer: ChromiumRenderer) -> None:
    """Replaced content is an image and has nothing in it; a button has its text; a break no box."""
    html = """<!DOCTYPE html><img id=img width=9 height=9><svg id=svg><g id=g><rect/></g></svg>
        <video id=video>v</video><input id=input><select id=select><option id=option>o</select>
        <textarea id=textarea>t</textarea><iframe id=iframe src=x></iframe><canvas id=canvas>c
        </canvas><object id=plain data=x width=5 height=5></object><object id=fallback data=x>
        <p id=inner>p</object><button id=button>b</button><br id=br><p id=p>p<span id=none
        style="display:none">n</span><span id=contents style="display:contents">c</span>"""
    kinds = {name: box.kind for name, box in boxes_by_id(renderer, html).items()}

    images = ("img", "svg", "video", "input", "select", "textarea", "iframe", "canvas", "plain")
    elements = ("fallback", "inner", "button", "p")
    assert kinds == {
        **dict.fromkeys(images, BoxKind.IMAGE),
        **dict.fromkeys(elements, BoxKind.ELEMENT),
    }


STYLED = """<!DOCTYPE html><style>
#a { color: #123456; background: oklch(0.627955 0.257683 29.2339); font: italic 700 20px Arial;
     border: 3px solid lime; border-top: 1px none red; border-left-color: transparent;
     float: left; text-decoration: underline }
#c { display: inline-block }
#d { background: url(x.png); position: relative }
</style><div id=a><span id=b>b</span><span id=c>c</span></div><p id=d>d</p><p id=e>e</p><p id=f>f"""


def test_style_is_the_computed_one(renderer: ChromiumRenderer) -> None:
    """Colours are rgb(), borders not drawn are 0, lines under text reach what is in them."""
    boxes = boxes_by_id(renderer, STYLED)
    style = boxes["a"].style

    assert (style.display, style.position, style.floating) == ("block", "static", "left")
    assert (style.font_family, style.font_size, style.font_weight) == ("Arial", 20.0, 700)
    assert (style.italic, style.underline) == (True, True)
    assert (style.color, style.background) == ("rgb(18, 52, 86)", "rgb(255, 0, 0)")
    assert (style.border, style.border_color) == ((0.0, 3.0, 3.0, 0.0), "rgb(0, 255, 0)")
    assert [boxes[name].style.underline for name in "bcd"] == [True, False, False]
    assert [boxes[name].style.background_image for name in "ad"] == [False, True]
    assert boxes["e"].style is boxes["f"].style


def test_text_has_the_style_of_its_element(renderer: ChromiumRenderer) -> None:
    """A text box has its parent element's style, an ancestor's underline included."""
    snapshot = shown(renderer, "<!DOCTYPE html><a href=x style='float:left'><b>bold</b></a>")
    text = next(box for box in snapshot.boxes if box.kind is BoxKind.TEXT)

    assert text.style is snapshot.boxes[text.parent].style
    assert (text.style.font_weight, text.style.underline) == (700, True)


def test_backdrop_is_the_colour_behind_a_box(renderer: ChromiumRenderer) -> None:
    """White by default; the nearest ancestor's; thin colours are mixed with what is below."""
    html = """<!DOCTYPE html><body style="background:#000"><div id=a><div id=b
        style="background:rgb(0,0,255)"><p id=c>c<i id=d style="background:rgba(255,255,255,.5)">"""
    boxes = boxes_by_id(renderer, html)
    plain = shown(renderer, "<!DOCTYPE html><p>x")

    assert {name: box.backdrop for name, box in boxes.items()} == {
        "a": "rgb(0, 0, 0)",
        "b": "rgb(0, 0, 255)",
        "c": "rgb(0, 0, 255)",
        "d": "rgb(128, 128, 255)",
    }
    assert {box.backdrop for box in plain.boxes} == {WHITE}


HIDING = """<!DOCTYPE html><style>
div { height: 20px } .up { position: absolute }
.sr { width: 1px; height: 1px; overflow: hidden; position: absolute }
.box { overflow: hidden; width: 100px; height: 20px; white-space: nowrap }
.wide { margin-left: 150px; position: static }
</style>
<div>plain</div>
<div style="visibility:hidden">hidden <span style="visibility:visible">shown again</span></div>
<div style="opacity:.2">faint <span style="opacity:.2">too faint</span></div>
<div style="text-indent:-9999px">indented</div>
<div class=up style="left:-500px">off to the left</div>
<div class=up style="top:-100px">above the page</div>
<div class=up style="clip:rect(0,0,0,0)">clip</div>
<div style="clip-path:inset(50%)">clip-path</div>
<div class=sr>for screen readers</div>
<div style="font-size:0">no size</div>
<div class=box>inside <span class=wide>outside</span></div>
<div class=box><div class=up style="left:300px">held by nobody</div></div>
<div class=box style="position:relative"><div class=up style="left:300px">held</div></div>
<div class=box><div style="position:fixed;left:600px;top:0">fixed</div></div>
<div class=box style="height:0"><p>closed</p></div>
<div style="transform:translateX(-2000px)">moved away</div>
"""


def test_visible_is_what_a_reader_can_see(renderer: ChromiumRenderer) -> None:
    """Style, opacity, size, clipping by ancestors and the page's edges all count."""
    seen = texts(renderer, HIDING)

    assert {text for text, visible in seen.items() if visible} == {
        "plain", "shown again", "faint", "inside", "held by nobody", "fixed"
    }  # fmt: skip
    assert {text for text, visible in seen.items() if not visible} == {
        "hidden", "too faint", "indented", "off to the left", "above the page", "clip",
        "clip-path", "for screen readers", "no size", "outside", "held", "closed", "moved away",
    }  # fmt: skip


def test_clip_is_what_ancestors_and_the_page_leave(renderer: ChromiumRenderer) -> None:
    """An ancestor's overflow cuts at its padding; the body's overflow is the window's."""
    html = """<!DOCTYPE html><style>body { margin: 0; overflow-x: hidden; height: 50px }
        #out { position: absolute; left: 10px; top: 10px; width: 100px; height: 40px;
               border: 5px solid red; overflow: hidden }
        #in { width: 300px; height: 300px } #right { position: absolute; left: 1300px; top: 100px;
               width: 200px; height: 10px }</style>
        <div id=out><div id=in></div></div><div id=right></div>"""
    boxes = boxes_by_id(renderer, html)

    assert (boxes["in"].rect, boxes["in"].clip) == (Rect(15, 15, 315, 315), Rect(15, 15, 115, 55))
    assert boxes["right"].rect == Rect(1300, 100, 1500, 110)
    assert boxes["right"].clip == Rect(1300, 100, 1366, 110)
