"""The survey as an HTML page: what people find on it, and what can do no harm."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from webstencil.jobs.survey import decide_templates, survey
from webstencil.markup.parse import links, parse
from webstencil.model import RawPage, Viewport
from webstencil.output.html import MOST_LISTED, OPEN_RENDERINGS, survey_page
from webstencil.output.plot import steps
from webstencil.output.templates import BETWEEN_PLACES
from webstencil.queries.surveys import survey_of
from webstencil.render import ChromiumRenderer
from webstencil.site.plan import Plan, PlannedPage
from webstencil.site.survey_report import SiteSurvey
from webstencil.store import SqlStore, open_store
from webstencil.testing import MemorySource

MENU = "<nav class=menu><ul><li><a href=/>Home</a><li><a href=/news>News</a></ul></nav>"
STORY = MENU + "<main class=story><h1>Story {0}</h1><p>What happened in {0}, and why.</p></main>"
LIST = MENU + "<div class=archive><table class=rows><tr><td>Row {0}<td>Next {0}</table></div>"
EVIL = "<script>window.stolen=1</script><img src=x onerror=stolen()>"
QUOTED = EVIL.replace("<", "&lt;")
EVIL_CLASS = "<script>alert('x')</script>"
HOSTILE = (
    f'<title>{QUOTED}</title><div class="{EVIL_CLASS}" id=\'"><b\'>'
    f"<h1>{QUOTED}</h1><p title='{QUOTED}'>{QUOTED} {{0}}</p></div>"
)
WORDS = ("one", "two", "three", "four", "five", "six")


def stories(host: str) -> dict[str, str]:
    """Return the pages of a site with two templates, an empty page and a page of its own."""
    start = f"https://{host}"
    return {
        **{f"{start}/story/{word}": STORY.format(word) for word in WORDS},
        **{f"{start}/list/{word}": LIST.format(word) for word in WORDS},
        f"{start}/empty": "<body></body>",
        f"{start}/odd": "<form id=only><fieldset>Nobody else<legend>has this</form>",
    }


def surveyed(store: SqlStore, pages: Mapping[str, str]) -> list[SiteSurvey]:
    source = MemorySource({url: html.encode() for url, html in pages.items()})
    list(survey(source.pages(), store.outlines))
    decide_templates(store)
    return [survey_of(store, count.site) for count in store.outlines.sites()]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    with open_store(tmp_path / "survey.db") as opened:
        yield opened


class Shape(HTMLParser):
    """The elements of a page as they are written, which must be closed in turn."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in ("meta", "br", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_page_shows_templates_plan_misfits_and_places(store: SqlStore) -> None:
    """Each with what the survey says of it."""
    (found,) = surveyed(store, stories("a.example"))
    html = survey_page(store, [found])
    said = " ".join(" ".join(Shape(html).texts).split())

    assert re.findall("<h[12]>(.*?)</h[12]>", html) == [
        "Survey of a.example",
        "Templates",
        "Plan",
        "Pages that fit nowhere",
        "Places",
    ]
    assert "14 pages, 2 templates" in said
    for one in found.templates:
        assert f"{one.template.name} 6 42.9% {one.template.typical} {one.template.tells}" in said
    assert f"{len(found.plan.pages)} renderings" in said
    assert f"cover {found.plan.covered:.2%}" in said
    assert all(
        f"{page.url} {page.gain:.2%} {page.covered:.2%}" in said for page in found.plan.pages
    )
    assert "1 page: without text https://a.example/empty" in said
    assert "one of a kind: no other page is like it https://a.example/odd" in said


def opened(html: str, *labels: str) -> str:
    """Return what a place without others in it shows, by the last of its labels."""
    found = re.search(
        f"<code>[^<]*{BETWEEN_PLACES.join(labels)}</code>.*?</details>", html, re.DOTALL
    )
    assert found is not None
    return found[0]


def test_a_place_shows_what_it_says_on_three_pages(store: SqlStore) -> None:
    """And who says the same; furniture is told from data."""
    html = survey_page(store, surveyed(store, stories("a.example")))
    menu, cell = opened(html, "ul", "li"), opened(html, "tr", "td")

    assert '<span class="badge says-same">same</span>' in menu
    assert "Its links lead to the same pages everywhere." in menu
    assert "About 2 on a page." in menu
    assert "and 11 others" in menu
    assert '<span class="badge says-data">data</span>' in cell
    assert "42.9%" in cell
    assert len(re.findall(r"<li><span dir=\"auto\">Row \w+</span>", cell)) == 3


def test_nothing_that_a_site_says_is_markup_of_ours(store: SqlStore) -> None:
    """Neither its classes, nor its texts, nor its URLs, nor its name."""
    pages = {f'https://b.example/"><{EVIL}/{word}': HOSTILE.format(word) for word in WORDS}
    found = surveyed(store, pages)
    html = survey_page(store, [replace(found[0], site="b.example"), *found])
    shape = Shape(html)

    assert shape.open == []
    assert shape.tags & {"script", "img", "b"} == set()
    assert {name for name in shape.attributes if name.startswith("on")} == set()
    assert any(f"div.{EVIL_CLASS}" in text for text in shape.texts)
    assert any(text.startswith("<script>window.stolen=1</script>") for text in shape.texts)


def test_a_made_up_host_is_no_link(store: SqlStore) -> None:
    """The pages of a folder that is not named after a host are nowhere on the web."""
    real, made_up = (
        survey_page(store, [one])
        for one in surveyed(store, {**stories("a.example"), **stories("mirror")})
    )

    assert "https://a.example/story/one" in links(parse(RawPage("http://x.org/", real.encode())))
    assert links(parse(RawPage("http://x.org/", made_up.encode()))) == ("http://x.org/#main",)
    assert "https://mirror/" in made_up


def test_a_curve_climbs_to_what_is_covered() -> None:
    """One step for each rendering, from the lowest line to the top."""
    drawn = steps("Text covered", [0.72, 0.9, 0.95, 1.0], "rendering")

    assert drawn.line == "M0 84H0.0V78.8H80.0V32H160.0V19H240.0V6H320"
    assert drawn.scale == (1.0, 0.85, 0.7)
    assert drawn.words == "1 to 4 renderings: 72.0% to 100.0%"


def test_a_plan_that_covers_all_at_once_is_drawn() -> None:
    """So is one that covers nothing."""
    for share in (1.0, 0.0):
        drawn = steps("Text covered", [share], "rendering")
        assert re.findall(r"V([\d.]+)", drawn.line) == ["6" if share else "84"]


def test_long_lists_are_folded_and_cut(store: SqlStore) -> None:
    """A page of a large site stays one that a browser opens at once."""
    (found,) = surveyed(store, stories("a.example"))
    urls = [f"https://a.example/{number:04}" for number in range(MOST_LISTED + 7)]
    pages = tuple(PlannedPage(url, 0.01, 0.5) for url in urls[: OPEN_RENDERINGS + 5])
    html = survey_page(store, [replace(found, plan=Plan(pages, 0.1, tuple(urls)))])

    assert "<summary>5 more renderings</summary>" in html
    assert "507 pages in doubt" in html
    assert "and 7 more" in html
    assert urls[-8] in html
    assert urls[-7] not in html


def test_of_many_sites_the_largest_show_their_places(store: SqlStore) -> None:
    """And all of them are listed at the top."""
    (found,) = surveyed(store, stories("a.example"))
    small = [replace(found, site=f"s{number}.example", pages=13) for number in range(30)]
    html = survey_page(store, [*small, found])

    assert html.count("<h3>Places</h3>") == 31
    assert html.count("Shown for the 20 largest sites only") == 11
    assert html.count('<div class="tree">') == 1  # the others are not in this store
    assert [f'href="#site-{number}"' in html for number in range(32)] == [True] * 31 + [False]


def test_a_site_that_has_nothing_to_show_says_so(store: SqlStore) -> None:
    """Of no source, or of one page."""
    alone = surveyed(store, {"https://c.example/": "<p>Alone"})
    html = survey_page(store, alone)

    assert "No two pages of this site follow the same template" in html
    assert "Survey of no site" in survey_page(store, [])
    assert "There is nothing to render" in survey_page(store, [replace(alone[0], plan=Plan())])


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1366])
def test_a_page_fits_the_screen(store: SqlStore, width: int) -> None:
    """A telephone's, too, whatever names a site uses."""
    name = "x" * 39
    html = "".join(f"<div class={name}{letter}>{'y' * 90}" for letter in "abcdefgh")
    pages = {f"https://a.example/{'z' * 300}/{word}": html for word in WORDS}
    told = survey_page(store, surveyed(store, pages)).replace("<details", "<details open")
    page = parse(RawPage("https://x.org/", told.encode()))
    with ChromiumRenderer(viewport=Viewport(width, 800)) as renderer:
        assert renderer.render(page, MemorySource({})).rect.width == width
