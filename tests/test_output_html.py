"""Results as HTML pages: what the user finds in them, and what can do no harm."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote

import pytest

from webstencil.cli.jobs import PicturingRenderer
from webstencil.errors import PageTimeout
from webstencil.geometry import Rect
from webstencil.markup.parse import links, parse
from webstencil.model import (
    Area,
    Item,
    Page,
    PageArea,
    PageResult,
    Problem,
    RawPage,
    Snapshot,
    Status,
    Viewport,
)
from webstencil.output import HtmlFolder
from webstencil.output.html import DRAWN_STENCILS, FEW_LISTED, MOST_LISTED, SLOT_EXAMPLES
from webstencil.output.overlay import picture_file, png_size, slot_class
from webstencil.protocols import Resources
from webstencil.render import ChromiumRenderer
from webstencil.site.slots import DrawnTemplate
from webstencil.sources import Folder
from webstencil.testing import MemorySource

EVIL = "</p><script>alert('x')</script><b onclick=\"x\">&amp;"
AREA = PageArea(0, None, None, "", "body", "/html/body", Rect(0, 0, 900, 600), 1, 1.0)
TEXT = PageArea(1, 0, "body", "The story", "#s > p", "/html/p", Rect(10, 90, 800, 500), 1, 0.9)
PAGE = PageResult("http://a.example/1", "a.example", Status.LEARNED, "abc", 1.0, (AREA, TEXT))


def look(folder: Path, *results: PageResult) -> str:
    """Write results, and return the list of all."""
    with HtmlFolder(folder) as pages:
        for result in results:
            pages.write(result)
    return (folder / "index.html").read_text()


def elsewhere(page: Page) -> list[str]:
    """Return the links of a page that leave it."""
    return [link for link in links(page) if "#" not in link]


def hit(number: int) -> PageResult:
    return replace(PAGE, url=f"http://a.example/h{number:04}", status=Status.HIT, confidence=0.5)


def test_templates_come_with_their_pages_the_larger_first(tmp_path: Path) -> None:
    """Each is named after the page it was learned from; what failed says why."""
    other = replace(PAGE, url="http://a.example/other", stencil="def")
    problem = Problem("parse", "ParseError", "it is empty")
    failed = PageResult("http://a.example/0", "a.example", Status.FAILED, None, 0.0, (), (problem,))
    told = look(tmp_path, other, failed, hit(1), PAGE)

    assert re.findall("<h[123]>(.*?)</h[123]>", told) == [
        "4 pages of 1 site",
        "a.example",
        "2 pages like http://a.example/1",
        "1 page like http://a.example/other",
        "Without areas",
    ]
    assert "4 pages, 2 stencils, 1 without areas." in told
    assert "parse: ParseError: it is empty" in told
    assert told.count('<svg class="slots') == 2


def test_pages_are_listed_by_the_name_of_their_template(tmp_path: Path) -> None:
    """Beside the stencils that most of them follow; those that fit no template by stencil."""
    keys = ["k0", "k1", "k1", "k2", "k3", "k3"]
    story = [replace(hit(n), stencil=key, template="story: /…") for n, key in enumerate(keys)]
    other = replace(PAGE, url="http://a.example/other", stencil="k0")
    told = look(tmp_path, other, *story)
    page = (tmp_path / "pages" / "a.example" / "h0000.html").read_text()

    assert re.findall("<h[123]>(.*?)</h[123]>", told) == [
        "7 pages of 1 site",
        "a.example",
        "story: /…",
        "1 page like http://a.example/other",
    ]
    assert "7 pages, 1 template, 1 without a template, 0 without areas." in told
    assert "4 stencils, mean confidence 0.50" in told
    assert "stencil k0, mean confidence 1.00" in told
    assert told.count('<svg class="slots') == DRAWN_STENCILS + 1
    assert "<dt>Template</dt><dd>story: /…</dd>" in page
    assert '<dt>Stencil</dt><dd class="key">k0</dd>' in page


def test_a_made_up_host_is_no_link(tmp_path: Path) -> None:
    """It leads nowhere."""
    look(tmp_path, replace(PAGE, url="http://mirror/1", site="mirror"))
    file = tmp_path / "pages" / "mirror" / "1.html"
    page = parse(RawPage("http://here/pages/mirror/1.html", file.read_bytes()))

    assert elsewhere(page) == ["http://here/index.html"]
    assert "http://mirror/1" in page.texts


def test_page_shows_its_areas_and_items(tmp_path: Path) -> None:
    """With kind, text, selector; the way back to the list is a link."""
    item = Item("title", "A story", "", "", 0.95, "meta", fields=(("written", "so"),))
    told = look(tmp_path, replace(PAGE, items=(item,)))
    file = tmp_path / "pages" / "a.example" / "1.html"
    page = parse(RawPage("http://here/pages/a.example/1.html", file.read_bytes()))

    assert ">A story</a>" in told
    assert elsewhere(page) == ["http://here/index.html", "http://a.example/1"]
    assert {"A story", "The story", "body", "#s > p", "written", "so"} <= set(page.texts)


def test_nothing_that_a_page_says_is_markup_of_ours(tmp_path: Path) -> None:
    """Neither its text, nor its names, nor its URL."""
    area = replace(TEXT, text=EVIL, kind=EVIL, selector=EVIL)
    item = Item("title", EVIL, "", "", 0.9, EVIL, fields=((EVIL, EVIL),))
    evil = replace(PAGE, url=f'javascript:"{EVIL}', site=EVIL, areas=(area,), items=(item,))
    evil = replace(evil, areas=(replace(area, parent=None),))
    look(tmp_path, evil, replace(evil, url="javascript:2", template=EVIL))
    told = [file.read_text() for file in tmp_path.rglob("*.html")]

    assert len(told) == 3
    assert [text for text in told if re.search("<script|<b |href=.javascript", text)] == []


def test_long_lists_are_folded_and_cut(tmp_path: Path) -> None:
    """A list of all pages of a large site stays one that a browser opens at once."""
    few = look(tmp_path / "few", *[hit(number) for number in range(FEW_LISTED)])
    many = look(tmp_path / "many", *[hit(number) for number in range(MOST_LISTED + 3)])

    assert (few.count("<details open>"), many.count("<details>")) == (1, 1)
    assert (many.count("<li>"), "and 3 more" in many) == (MOST_LISTED, True)


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_pages_fit_the_screen(tmp_path: Path, width: int) -> None:
    """A telephone's, too, whatever words a page has."""
    long = replace(TEXT, text="x" * 900, selector="y" * 900)
    look(tmp_path, replace(PAGE, url=f"http://a.example/{'z' * 99}", areas=(AREA, long)))
    source = Folder(tmp_path)
    with ChromiumRenderer(viewport=Viewport(width, 800)) as renderer:
        widths = [renderer.render(parse(raw), source).rect.width for raw in source.pages()]

    assert widths == [width, width]


def test_a_template_is_drawn_over_the_picture_of_its_page(tmp_path: Path) -> None:
    """If there is one, in the list and on the page that it was learned from, not on others."""
    picture = picture_file(tmp_path, PAGE.url)
    picture.parent.mkdir()
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(8) + bytes((0, 0, 1, 0, 0, 0, 2, 0)))
    told = look(tmp_path, hit(1), PAGE)
    own = (tmp_path / "pages" / "a.example" / "1.html").read_text()
    other = (tmp_path / "pages" / "a.example" / "h0001.html").read_text()

    image = f'<image href="pictures/{picture.name}" width="768" height="1536" opacity="0.8"/>'
    assert image in told
    assert image.replace('href="', 'href="../../') in own
    assert "<image" not in other


@pytest.mark.browser
def test_a_renderer_for_html_keeps_small_pictures(tmp_path: Path) -> None:
    """The rendering is the same; a page without a screenshot has no picture."""
    page = parse(
        RawPage(PAGE.url, b"<!DOCTYPE html><body style='margin:0'><div style='height:1200px'>x")
    )
    nothing = MemorySource({})
    with PicturingRenderer(ChromiumRenderer(), tmp_path) as renderer:
        plain = renderer.renderer.render(page, nothing)
        painted = renderer.render(page, nothing)
        unlucky = PicturingRenderer(NoPicture(renderer.renderer), tmp_path / "none")
        spared = unlucky.render(page, nothing)

    assert painted == spared == plain
    assert png_size(picture_file(tmp_path, PAGE.url).read_bytes()) == (455, 400)
    assert not (tmp_path / "none").exists()


@dataclass(frozen=True)
class NoPicture:
    """A renderer whose screenshots take too long."""

    renderer: ChromiumRenderer

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        if screenshot:
            raise PageTimeout("no answer within the time limit")
        return self.renderer.render(page, resources)


SLOT = replace(TEXT, id=0, parent=None, slot=7, name="story text")
CARDS = (
    replace(TEXT, id=1, parent=None, slot=9, name="card", text="First", rect=Rect(0, 600, 90, 700)),
    replace(
        TEXT, id=2, parent=None, slot=9, name="card", text="Second", rect=Rect(0, 600, 90, 700)
    ),
)
SITE_PAGE = replace(
    PAGE,
    areas=(SLOT, *CARDS),
    stencil=None,
    grain=0.5,
    version=1,
    template="story",
    template_number=3,
)
DRAWN = DrawnTemplate(
    3,
    "http://a.example/typical",
    1,
    (
        Area(Rect(10, 90, 800, 500), (), attributes=(("slot", 7.0),)),
        Area(Rect(0, 600, 90, 700), (), attributes=(("slot", 9.0),)),
        Area(Rect(100, 600, 190, 700), (), attributes=(("slot", 9.0),)),
    ),
)


def site_look(folder: Path, *results: PageResult, drawn: DrawnTemplate | None = DRAWN) -> str:
    """Write results of a site that was learned, and return the list of all."""
    kept = {("a.example", 3): drawn}
    with HtmlFolder(folder, templates=lambda *of: kept.get(of)) as pages:
        for result in results:
            pages.write(result)
    return (folder / "index.html").read_text()


def test_slots_are_drawn_where_they_stand_on_the_typical_page(tmp_path: Path) -> None:
    """Each of many cards in the same colour, with the same number, in the list and on pages."""
    told = site_look(tmp_path, SITE_PAGE)
    page = (tmp_path / "pages" / "a.example" / "1.html").read_text()

    assert re.findall(r"<text [^>]*>(\d+)</text>", told) == ["7", "9", "9"]
    assert re.findall(r"<text [^>]*>(\d+)</text>", page) == ["7", "9", "9"]
    assert told.count(f'<g class="{slot_class(9)} leaf">') == 2
    assert page.count(f'class="box {slot_class(9)} leaf"') == 2
    assert f'<span class="slot {slot_class(7)}">7</span> story text' in told
    assert "1 page, 1 rendered" in told
    assert "stencil" not in told.replace("webstencil", "")


def test_a_slot_has_a_page_with_what_it_says(tmp_path: Path) -> None:
    """Which leads to the files of pages, and they to it; a later result replaces an earlier one."""
    other = replace(SITE_PAGE, url="http://a.example/2", areas=(replace(SLOT, text=EVIL),))
    gone = replace(other, areas=CARDS)
    told = site_look(tmp_path, SITE_PAGE, gone, other)
    story, card = ((tmp_path / "slots" / "a.example" / f"{n}.html").read_text() for n in (7, 9))
    page = (tmp_path / "pages" / "a.example" / "2.html").read_text()

    assert 'href="slots/a.example/7.html"' in told
    assert 'href="../../slots/a.example/7.html"' in page
    assert re.findall(r'<a href="([^"]*)">http:', story) == [
        "../../pages/a.example/1.html",
        "../../pages/a.example/2.html",
    ]
    assert "2 pages of story" in story
    assert "1 page of story" in card
    assert "<script>alert" not in story
    assert re.findall(r'<div class="words" dir="auto">(.*?)</div>', card) == ["First", "Second"]


def test_a_template_without_a_rendered_page_is_drawn_by_one_of_its_pages(tmp_path: Path) -> None:
    """With slots where they typically stand: those that repeat once."""
    told = site_look(tmp_path, SITE_PAGE, drawn=None)

    assert re.findall(r"<text [^>]*>(\d+)</text>", told) == ["7", "9"]


def test_a_new_version_of_a_site_is_drawn_anew(tmp_path: Path) -> None:
    """Its pages come again in the same run."""
    kept = {("a.example", 3): replace(DRAWN, areas=DRAWN.areas[:1])}
    with HtmlFolder(tmp_path, templates=lambda *of: kept.get(of)) as pages:
        pages.write(SITE_PAGE)
        kept["a.example", 3] = DRAWN
        pages.write(replace(SITE_PAGE, version=2))

    told = (tmp_path / "index.html").read_text()
    assert re.findall(r"<text [^>]*>(\d+)</text>", told) == ["7", "9", "9"]


def test_texts_of_slots_are_those_of_the_first_urls(tmp_path: Path) -> None:
    """In whichever order the pages come."""
    pages = [replace(SITE_PAGE, url=f"http://a.example/{number:03}") for number in range(130)]
    written = []
    for order in (pages, pages[::-1]):
        site_look(tmp_path / str(len(written)), *order)
        file = tmp_path / str(len(written)) / "slots" / "a.example" / "7.html"
        written.append(file.read_text())

    assert written[0] == written[1]
    assert written[0].count('class="words"') == SLOT_EXAMPLES
    assert "http://a.example/049" in written[0]


def test_files_need_nothing_from_elsewhere(tmp_path: Path) -> None:
    """The style sheet is in each of them; what they lead to and show is in the folder."""
    picture = picture_file(tmp_path, DRAWN.typical)
    picture.parent.mkdir()
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(8) + bytes((0, 0, 1, 0, 0, 0, 2, 0)))
    site_look(tmp_path, SITE_PAGE, replace(SITE_PAGE, url="http://a.example/x?y=<z>&w"))
    files = sorted(tmp_path.rglob("*.html"))
    told = {file: file.read_text() for file in files}
    own = [
        file.parent / unquote(place.partition("#")[0])
        for file, html in told.items()
        for place in re.findall(r' href="([^"]*)"', html)
        if not place.startswith(("http://", "#"))
    ]

    assert len(files) == 5
    assert picture in {place.resolve() for place in own}
    assert [place for place in own if not place.is_file()] == []
    assert [html for html in told.values() if re.search("<script|<link| src=|url\\(", html)] == []
    assert [html.count("<style>:root{") for html in told.values()] == [1] * 5
