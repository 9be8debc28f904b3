"""Pages that scroll inside an element are rendered whole, with a real browser."""

import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from webstencil import markup
from webstencil.errors import PageTimeout
from webstencil.geometry import Rect
from webstencil.markup.parse import parse
from webstencil.model import BoxKind, Page, RawPage, Resource, Snapshot, Viewport
from webstencil.render import ChromiumRenderer, browser, chromium
from webstencil.render.boxes import NUMBER_ATTRIBUTE, scrolled_page
from webstencil.render.chromium import Json
from webstencil.render.renderer import LONGEST_MENU, SHOWN_HTML_TYPE, TALLEST_WINDOW, capture_whole
from webstencil.render.tab import Tab, refuse
from webstencil.testing import MemorySource

pytestmark = pytest.mark.browser

NONE = MemorySource({})
URL = "http://site.example/page.html"
START = "<!DOCTYPE html><style>*{box-sizing:border-box}html,body{margin:0}p{margin:0;height:100px}"


@pytest.fixture(scope="module")
def renderer() -> Iterator[ChromiumRenderer]:
    with ChromiumRenderer() as running:
        yield running


def page_with(css: str, body: str) -> Page:
    return parse(RawPage(URL, f"{START}{css}</style>{body}".encode()))


class Shown:
    """A page with its snapshot."""

    def __init__(self, renderer: ChromiumRenderer, css: str, body: str) -> None:
        self.page: Page = page_with(css, body)
        self.snapshot: Snapshot = renderer.render(self.page, NONE)

    @property
    def height(self) -> float:
        return self.snapshot.rect.height

    def rect(self, identifier: str) -> Rect:
        node = self.page.tree.ids.index(identifier)
        return next(box.rect for box in self.snapshot.boxes if box.node == node)

    def hidden(self) -> list[str]:
        """Return the texts that are not seen."""
        texts = [box for box in self.snapshot.boxes if box.kind is BoxKind.TEXT]
        assert texts
        return [box.text for box in texts if not box.visible]


def lines(count: int, name: str = "line") -> str:
    """Return paragraphs of 100 px each."""
    return "".join(f"<p>{name} {number}</p>" for number in range(count))


IN_ONE_ELEMENT = {
    "body": ("html,body{height:100%}html{overflow:hidden}body{overflow:auto}", "{}"),
    "body and root": ("html,body{height:100%;overflow:auto}", "{}"),
    "a child of the window's height": ("main{height:100vh;overflow:auto}", "<main>{}</main>"),
    "a child in percent": (
        "html,body,main{height:100%}body{overflow:hidden}main{overflow-y:scroll}",
        "<main>{}</main>",
    ),
    "a child that is fixed": ("main{position:fixed;inset:0;overflow:auto}", "<main>{}</main>"),
    "a fixed column": (
        "div{position:fixed;display:flex;flex-direction:column;height:100%;width:100%}"
        "main{flex:1 1 auto;overflow-y:auto}",
        "<div><main>{}</main></div>",
    ),
    "nested scrollers": (
        "div{height:100vh;overflow:auto}main{height:100%;overflow:auto}",
        "<div><main>{}</main></div>",
    ),
    "a box in what has none": (
        "div{display:contents}main{height:100vh;overflow:auto}",
        "<div><main>{}</main></div>",
    ),
    "a table": (
        "table{width:100%;border-spacing:0}td{padding:0}main{height:100vh;overflow:auto}",
        "<table><td><main>{}</main></table>",
    ),
}


@pytest.mark.parametrize(("css", "body"), IN_ONE_ELEMENT.values(), ids=IN_ONE_ELEMENT.keys())
def test_page_that_scrolls_in_an_element_shows_whole(
    renderer: ChromiumRenderer, css: str, body: str
) -> None:
    """All texts have boxes, and the page is as high as they are."""
    shown = Shown(renderer, css, body.format(lines(40)))

    assert shown.hidden() == []
    assert shown.height == pytest.approx(4000, abs=1)


SHELL = """body{display:flex;flex-direction:column;height:100vh}header{height:60px}
footer{height:40px}section{flex:1;display:flex;min-height:0}nav{width:300px;overflow:auto}
main{flex:1;overflow:auto}"""


@pytest.mark.parametrize(("menu", "content", "tallest"), [(3, 40, 40), (50, 40, 50), (50, 3, 50)])
def test_shell_of_an_application_grows_by_its_longest_column(
    renderer: ChromiumRenderer, menu: int, content: int, tallest: int
) -> None:
    """Menus that scroll by themselves show whole beside the content; bars keep their heights."""
    body = (
        f"<header id=header>top</header><section><nav id=nav>{lines(menu, 'link')}</nav>"
        f"<main id=main>{lines(content)}</main></section><footer id=footer>end</footer>"
    )
    shown = Shown(renderer, SHELL, body)
    end = 60 + tallest * 100

    assert shown.hidden() == []
    assert shown.height == end + 40
    assert shown.rect("header") == Rect(0, 0, 1366, 60)
    assert shown.rect("nav") == Rect(0, 60, 300, end)
    assert shown.rect("main") == Rect(300, 60, 1366, end)
    assert shown.rect("footer") == Rect(0, end, 1366, end + 40)
    assert (shown.snapshot.viewport.width, shown.snapshot.viewport.height) == (1366, 768)


def test_fixed_bars_keep_their_place(renderer: ChromiumRenderer) -> None:
    """A bar above and one beside the scroller are where they were; the one beside is as long."""
    css = """#top{position:fixed;top:0;left:0;right:0;height:50px}
        #side{position:fixed;top:50px;bottom:0;left:0;width:200px}
        main{position:fixed;top:50px;left:200px;right:0;bottom:0;overflow:auto}"""
    body = f"<div id=top>top</div><div id=side>side</div><main id=main>{lines(40)}</main>"
    shown = Shown(renderer, css, body)

    assert shown.hidden() == []
    assert shown.rect("top") == Rect(0, 0, 1366, 50)
    assert shown.rect("side") == Rect(0, 50, 200, 4050)
    assert shown.rect("main") == Rect(200, 50, 1366, 4050)


def test_sticky_header_in_a_scroller_stays_on_top(renderer: ChromiumRenderer) -> None:
    """It takes its place once, above the content."""
    css = "main{height:100vh;overflow:auto}header{position:sticky;top:0;height:60px}"
    shown = Shown(renderer, css, f"<main><header id=header>top</header>{lines(40)}</main>")

    assert shown.hidden() == []
    assert shown.height == 4060
    assert shown.rect("header") == Rect(0, 0, 1366, 60)


def test_hero_keeps_its_height_where_the_document_scrolls(renderer: ChromiumRenderer) -> None:
    """The window does not grow, neither for the page nor for a small scroller in it."""
    css = "#hero{height:100vh}pre{max-height:300px;overflow:auto}"
    body = f"<div id=hero>hero</div>{lines(20)}<pre id=code>{lines(10, 'code')}</pre>"
    shown = Shown(renderer, css, body)

    assert shown.height == pytest.approx(768 + 2000 + 300, abs=30)
    assert shown.rect("hero").height == 768
    assert shown.rect("code").height == 300
    assert shown.hidden() == [f"code {number}" for number in range(3, 10)]


def test_window_does_not_grow_for_a_part_of_a_page_that_scrolls(renderer: ChromiumRenderer) -> None:
    """Not even if that part is large, and would follow the window."""
    css = "#hero{height:100vh}#part{max-height:80vh;overflow:auto}"
    body = f"<div id=part>{lines(30, 'part')}</div><div id=hero>hero</div>{lines(20)}"
    shown = Shown(renderer, css, body)

    assert shown.rect("hero").height == 768
    assert shown.rect("part").height == pytest.approx(0.8 * 768, abs=1)


def test_body_whose_overflow_is_the_windows_is_no_scroller(renderer: ChromiumRenderer) -> None:
    """A bar at the lower edge stays at that of the usual window."""
    css = "body{height:100vh;overflow:auto}#bar{position:fixed;bottom:0;height:20px;width:99px}"
    shown = Shown(renderer, css, f"{lines(9)}<div id=bar>bar</div>")

    assert (shown.hidden(), shown.height) == ([], 900)
    assert shown.rect("bar") == Rect(0, 748, 99, 768)


def test_hero_in_a_scroller_keeps_its_height(renderer: ChromiumRenderer) -> None:
    """The window grows, and what would grow with it inside of the scroller does not."""
    css = "main{height:100vh;overflow:auto}#hero{min-height:100vh}#hero *{height:100%}"
    body = f"<main><div id=around><div id=hero><b>hero</b></div></div>{lines(20)}</main>"
    shown = Shown(renderer, css, body)

    assert shown.hidden() == []
    assert shown.height == 2768
    assert shown.rect("hero") == shown.rect("around") == Rect(0, 0, 1366, 768)


def test_scroller_in_a_scroller_shows_whole(renderer: ChromiumRenderer) -> None:
    """Both follow the window; the inner one ends where its content ends."""
    css = "main{height:100vh;overflow:auto}#inner{height:80vh;overflow:auto}"
    body = f"<main>{lines(10)}<div id=inner>{lines(20, 'inner')}</div>{lines(10)}</main>"
    shown = Shown(renderer, css, body)

    assert shown.hidden() == []
    assert shown.height == pytest.approx(4000, abs=1)
    assert shown.rect("inner").top == 1000
    assert shown.rect("inner").height == pytest.approx(2000, abs=1)  # 80vh is no whole number


def test_small_scrollers_in_a_shell_stay_as_they_are(renderer: ChromiumRenderer) -> None:
    """A block of code hides what it hid."""
    css = "main{height:100vh;overflow:auto}pre{margin:0;max-height:300px;overflow:auto}"
    shown = Shown(
        renderer, css, f"<main>{lines(20)}<pre id=code>{lines(10, 'code')}</pre>{lines(9)}</main>"
    )

    assert shown.height == 3200
    assert shown.rect("code") == Rect(0, 2000, 1366, 2300)
    assert shown.hidden() == [f"code {number}" for number in range(3, 10)]


def test_window_does_not_grow_for_what_does_not_follow_it(renderer: ChromiumRenderer) -> None:
    """A large scroller of a height of its own is taken as it is."""
    css = "main{height:700px;overflow:auto}#hero{height:100vh;position:absolute}"
    shown = Shown(renderer, css, f"<div id=hero></div><main id=main>{lines(20)}</main>")

    assert (shown.height, shown.rect("hero").height) == (768, 768)
    assert shown.hidden() == [f"line {number}" for number in range(7, 20)]


def test_scroller_that_is_lower_than_the_window_needs_a_higher_one(
    renderer: ChromiumRenderer,
) -> None:
    """The window grows until a share of it is enough."""
    shown = Shown(renderer, "main{height:55vh;overflow:auto}", f"<main id=main>{lines(40)}</main>")

    assert shown.hidden() == []
    assert shown.rect("main").height == pytest.approx(4000, abs=2)
    assert shown.height == pytest.approx(4000 / 0.55, abs=2)


def test_endless_page_ends_at_the_limit(renderer: ChromiumRenderer) -> None:
    """What lies below the tallest window is not seen."""
    css = f"main{{height:100vh;overflow:auto}}div{{height:{2 * TALLEST_WINDOW}px}}"
    shown = Shown(renderer, css, "<main><p>first</p><div></div><p>last</p></main>")

    assert shown.height == TALLEST_WINDOW
    assert shown.hidden() == ["last"]


def test_content_that_grows_with_the_window_ends(renderer: ChromiumRenderer) -> None:
    """What is always a little higher than the window keeps the height it had."""
    css = "main{height:100vh;overflow:auto}#more{height:150vh}"
    shown = Shown(renderer, css, "<main><div id=more>first</div><p>last</p></main>")

    assert shown.hidden() == []
    assert (shown.height, shown.rect("more").height) == (1252, 1152)


MENUS = {
    "fixed": "nav{position:fixed;top:0;bottom:0;left:0;width:300px;overflow:auto}",
    "sticky": "nav{position:sticky;top:0;float:left;width:300px;max-height:100vh;overflow:auto}",
    "inside of what has no box": "aside{display:contents}nav{position:fixed;top:0;bottom:0;"
    "width:300px;overflow:auto}",
    "inside of what is fixed": "aside{position:fixed;top:0;height:100vh;width:300px;"
    "overflow:hidden}nav{height:100%;overflow:auto}",
}


@pytest.mark.parametrize("css", MENUS.values(), ids=MENUS.keys())
@pytest.mark.parametrize("content", [20, 60])
def test_menu_shows_whole_where_the_document_scrolls(
    renderer: ChromiumRenderer, css: str, content: int
) -> None:
    """The window stays, the menu becomes as long as its content, and so does a shorter page."""
    more = "#hero{height:100vh}main{margin-left:300px}"
    menu = f"<aside><nav id=nav>{lines(40, 'link')}</nav></aside>"
    body = f"{menu}<main id=main><div id=hero>hero</div>{lines(content)}</main>"
    shown = Shown(renderer, css + more, body)

    assert shown.hidden() == []
    assert shown.rect("nav") == Rect(0, 0, 300, 4000)
    assert shown.rect("hero") == Rect(300, 0, 1366, 768)
    assert shown.rect("main") == Rect(300, 0, 1366, 768 + content * 100)
    assert shown.height == max(4000, 768 + content * 100)


def test_menu_stays_as_it_is_where_it_would_cover_texts(renderer: ChromiumRenderer) -> None:
    """Below it is a footer as wide as the page."""
    css = MENUS["fixed"] + "main{margin-left:300px}"
    body = f"<nav id=nav>{lines(40, 'link')}</nav><main>{lines(20)}</main><p id=foot>foot</p>"
    shown = Shown(renderer, css, body)

    assert shown.rect("nav") == Rect(0, 0, 300, 768)
    assert shown.rect("foot") == Rect(0, 2000, 1366, 2100)
    assert shown.height == 2100


def test_menu_of_a_whole_reference_stays_as_it_is(renderer: ChromiumRenderer) -> None:
    """A page is not lost beside a menu that is much longer."""
    count = int(LONGEST_MENU / 100) + 1
    body = f"<nav id=nav>{lines(count, 'link')}</nav><main>{lines(20)}</main>"
    shown = Shown(renderer, MENUS["fixed"] + "main{margin-left:300px}", body)

    assert (shown.height, shown.rect("nav").height) == (2000, 768)


UNSEEN = {
    "drawer beside the window": "position:fixed;top:0;height:768px;transform:translateX(-300px)",
    "hidden": "visibility:hidden",
    "faint": "opacity:0",
}


@pytest.mark.parametrize("style", UNSEEN.values(), ids=UNSEEN.keys())
def test_scrollers_that_are_not_seen_change_nothing(renderer: ChromiumRenderer, style: str) -> None:
    """Menus that wait for a click stay as they are."""
    css = f"{MENUS['fixed']}aside{{{style}}}main{{margin-left:300px}}"
    menu = f"<aside><nav id=nav>{lines(40, 'link')}</nav></aside>"
    shown = Shown(renderer, css, f"{menu}<main>{lines(20)}</main>")

    assert shown.height == 2000
    assert shown.rect("nav").height == 768


@pytest.mark.parametrize("count", [40, 600])
def test_picture_is_that_of_a_page_whose_document_scrolls(
    renderer: ChromiumRenderer, count: int
) -> None:
    """It shows the whole page as laid out, also if the window is higher than any picture."""
    text = lines(count, "many words fill the lines of a page " * 20)
    shell = IN_ONE_ELEMENT["a fixed column"][0]
    pictures = [
        renderer.render(page_with(css, f"<div><main>{text}</main></div>"), NONE, screenshot=True)
        for css in (shell, "")
    ]

    assert [one.rect.height for one in pictures] == [count * 100] * 2
    sizes = [len(one.screenshot or b"") for one in pictures]
    assert sizes[0] == pytest.approx(sizes[1], rel=0.01)  # layers differ in the last bit of colours


def test_next_page_has_the_usual_window(renderer: ChromiumRenderer) -> None:
    """A window grows for one page only."""
    Shown(renderer, "main{height:100vh;overflow:auto}", f"<main>{lines(40)}</main>")
    after = Shown(renderer, "#hero{height:100vh}", f"<div id=hero>hero</div>{lines(9)}")

    assert after.rect("hero").height == 768


class Impatient(Tab):
    """A tab that answers once, and no longer after that."""

    captures = 0

    def capture(self, styles: tuple[str, ...], *, until: float) -> Json:
        self.captures += 1
        if self.captures > 1:
            raise PageTimeout("it takes too long")
        return super().capture(styles, until=until)


def test_page_whose_growth_fails_is_taken_as_it_was() -> None:
    """Its first layout is the answer, and the window has its size again."""
    page = page_with("main{height:100vh;overflow:auto}", f"<main>{lines(40)}</main>")
    html = Resource(
        markup.stamp(page.body, page.encoding, attribute=NUMBER_ATTRIBUTE).encode(), SHOWN_HTML_TYPE
    )
    until = time.monotonic() + 20
    with closing(chromium.start(browser.find_browser(), memory_limit=2 << 30)) as running:
        tab = Impatient(running, Viewport())
        tab.show(html, URL, refuse, until=until)
        captured = capture_whole(tab, page, Viewport(), until=until)
        after = Tab.capture(tab, (), until=until)

    assert tab.captures == 2
    assert (scrolled_page(captured), scrolled_page(after)) == (Rect(0, 0, 1366, 768),) * 2
