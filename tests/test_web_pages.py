"""The web pages: what a store has learned, as people see it."""

import json
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient
from store_values import rows, run
from web_store import (
    HOSTILE_URL,
    NEW_STORY,
    PAGES,
    SCRIPT,
    STORY,
    Links,
    asking,
    make_store,
    site_of,
    url_of,
)

from webstencil.jobs.job import Pipeline
from webstencil.jobs.survey import decide_templates, survey
from webstencil.model import Mode
from webstencil.output.json_lines import json_line
from webstencil.output.overlay import HUES, slot_hue
from webstencil.output.plot import chart
from webstencil.queries.drift import compare
from webstencil.queries.pages import leads_to_web
from webstencil.queries.slots import SiteSlots, site_slots, slots_facts
from webstencil.settings import Settings
from webstencil.site.templates import described_template
from webstencil.sources import Folder
from webstencil.store import open_store
from webstencil.testing import MemorySource, StackRenderer

MADE_BY = Settings().learner
PAPER = Settings(mode=Mode.PAPER).learner


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that no test changes."""
    return make_store(tmp_path_factory.mktemp("web") / "site.db")


@pytest.fixture(scope="module")
def client(path: Path) -> Iterator[TestClient]:
    with asking(path) as client:
        yield client


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of paper mode that no test changes."""
    path = tmp_path_factory.mktemp("paper") / "site.db"
    with open_store(path) as store:
        settings = Settings(mode=Mode.PAPER)
        list(Pipeline(store, StackRenderer(), settings).run(site_of(STORY)))
    return path


def own(path: Path, folder: Path) -> Path:
    """Copy a store for a test that changes it."""
    return Path(shutil.copy(path, folder / "own.db"))


def learned(path: Path, site: str = "a.example") -> SiteSlots:
    """Return what was learned of a site."""
    with open_store(path) as store:
        return site_slots(store, MADE_BY, site)


def template_place(path: Path, site: str = "a.example") -> str:
    return f"/template?name={site}&template={learned(path, site).templates[0].number}"


def paper_key(path: Path) -> str:
    with open_store(path) as store:
        return next(one.key for one in store.stencils.all() if one.made_by == PAPER)


def result_place(url: str) -> str:
    return f"/result?url={quote(url, safe='')}"


def text_of(html: str) -> str:
    """Return what is written on a page, on one line."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


class Tags(HTMLParser):
    """What a browser sees of a page besides its texts."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


def test_sites_are_listed_with_what_drift_says_of_them(client: TestClient, path: Path) -> None:
    """In the words of `sites drift`."""
    with open_store(path) as store:
        (drift, _) = compare(store.runs.past(), store.stencils.all())
    page = client.get("/")
    said = text_of(page.text)

    assert page.status_code == 200
    assert drift.drifted
    assert f"Drift: {drift.words}" in said
    assert f"{PAGES + 1} " in said
    assert "2026-03-02 12:30 UTC" in said
    assert "2 sites with 63 pages; 1 site drifted" in said


def test_a_site_shows_slots_runs_and_problems(client: TestClient, path: Path) -> None:
    """With what was rendered of what was planned, and a picture of each template."""
    html = client.get("/site?name=a.example").text
    said = text_of(html)
    known = learned(path)

    assert f"Rendered {known.outcome.rendered} {known.outcome.planned} planned first" in said
    assert "Text covered 100.0% 100.0% expected" in said
    assert [f"{slot.number} {slot.name}" in said for slot in known.slots] == [True, True]
    assert html.count('<svg class="slots"') == len(known.templates)
    assert re.search(r"parse: ParseError 1 page\b", said)
    assert "webstencil navigation SOURCE" in said
    assert "stencil" not in said.replace("webstencil", "")


def test_a_site_of_paper_mode_shows_stencils(paper: Path) -> None:
    """With why each was learned, and what became of it."""
    with asking(paper) as client:
        html = client.get("/site?name=a.example").text

    assert paper_key(paper) in text_of(html)
    assert "teaching" in text_of(html)
    assert "first page of the site" in text_of(html)
    assert html.count('class="thumbnail"') == len(rows(paper, "select 1 from stencil"))
    assert "Slots" not in text_of(html)


def test_a_site_that_was_not_rendered_says_why(tmp_path: Path) -> None:
    """And what the next run does."""
    with open_store(tmp_path / "bare.db") as store:
        list(Pipeline(store, StackRenderer(), Settings(budget=0)).run(site_of(STORY)))
    with asking(tmp_path / "bare.db") as client:
        said = text_of(client.get("/site?name=a.example").text)

    assert "No page was rendered, so areas follow the markup alone: a budget of 0" in said


def test_a_site_shows_its_templates(client: TestClient, path: Path) -> None:
    """Each leads to its pages, which come in parts; JSON has the same."""
    with open_store(path) as store:
        (known,) = store.templates.of("a.example").templates
    html = client.get("/site?name=a.example").text
    (place,) = re.findall(r'href="(pages\?site=a.example&amp;template=\d+)"', html)
    first = client.get("/" + place.replace("&amp;", "&")).text
    (more,) = re.findall(r'rel="next" href="([^"]*)"', first)
    second = client.get("/" + more.replace("&amp;", "&")).text
    pages = [re.findall(r'<a href="result\?url=([^&"]*)', html) for html in (first, second)]
    facts = client.get("/templates.json?name=a.example").json()

    assert f"{known.name} {PAGES} 100.0%" in text_of(html)
    assert f"Pages of the template {known.name}" in text_of(first)
    assert [len(part) for part in pages] == [50, PAGES - 50]
    assert {*pages[0], *pages[1]} == {quote(url_of(n), safe="") for n in range(PAGES)}
    assert facts["templates"] == [{**described_template(known), "pages": PAGES}]


def test_pages_of_a_template_are_searched(client: TestClient, path: Path) -> None:
    """Those of other sites and templates are not found; the form keeps the template."""
    with open_store(path) as store:
        (number,) = [one.number for one in store.templates.of("a.example").templates]
    place = f"/pages?site=a.example&template={number}"
    found = client.get(f"{place}&q=story/01").text

    assert found.count('<a href="result?') == 10
    assert f'<input type="hidden" name="template" value="{number}">' in found
    assert "No page" in client.get(f"{place}&q=b.example").text
    assert client.get(f"/pages?site=b.example&template={number + 7}").status_code == 404


def test_places_of_a_site_are_a_tree(client: TestClient) -> None:
    """With what each says on three pages, which lead to their results; JSON has the same."""
    html = client.get("/places?name=a.example").text
    said = text_of(html)
    nodes = client.get("/places.json?name=a.example").json()["nodes"]
    (cell,) = [node for node in nodes if node["labels"][-1] == "td"]
    examples = {quote(one["url"], safe="") for one in cell["sayings"]}

    assert [node["labels"][-1] for node in nodes] == ["main", "h2", "td"]
    assert (cell["pages"], cell["share"], cell["says"]) == (PAGES, 1.0, "numbers")
    assert len(examples) == 3
    assert examples <= set(re.findall(r'href="result\?url=([^"]*)"', html))
    assert all(f"{one['text']} on {one['url']}" in said for one in cell["sayings"])
    assert html.count("<details") == html.count("</details>") == 3


def test_a_store_of_an_older_version_says_how_to_survey_its_sites(
    path: Path, tmp_path: Path
) -> None:
    """Its results are shown as ever."""
    older = own(path, tmp_path)
    run(older, "delete from outline; delete from kept;")
    with asking(older) as client:
        site, places = (client.get(f"/{place}?name=a.example") for place in ("site", "places"))
        result = client.get(result_place(url_of(7)))
        facts = client.get("/templates.json?name=a.example").json()

    assert "webstencil survey SOURCE --store" in text_of(site.text)
    assert "Places of the site" not in site.text
    assert "webstencil survey SOURCE --store" in text_of(places.text)
    assert (result.status_code, "<dt>Template</dt>" in result.text) == (200, False)
    assert facts == {"pages": 0, "without": 0, "undecided": 0, "templates": []}


def test_a_site_that_was_only_surveyed_is_shown(path: Path, tmp_path: Path) -> None:
    """With templates, places and the URLs of their pages; there are no stencils to try."""
    shown = own(path, tmp_path)
    host = "https://www.debian.org"
    pages = {f"{host}/{number}": STORY.format(number).encode() for number in range(60)}
    empty = {f"{host}/empty": b"<body></body>"}
    with open_store(shown) as store:
        list(survey(MemorySource({**pages, **empty}).pages(), store.outlines))
        decide_templates(store)
    with asking(shown) as client:
        sites = text_of(client.get("/").text)
        site = client.get("/site?name=debian.org").text
        first, none = re.findall(r'href="(pages\?site=[^"]*)"', site)
        listed = [client.get(f"/{first}&page={n}".replace("&amp;", "&")).text for n in (1, 2)]
        odd = client.get("/" + none.replace("&amp;", "&")).text
        places = client.get("/places?name=debian.org").text
        trying = client.post("/try", data={"do": "lay", "html": "<p>", "site": "0 debian.org"})

    assert "debian.org surveyed only 61" in sites
    assert "Surveyed, not processed" in site
    assert [html.count(f'href="{host}/') for html in listed] == [50, 10]
    assert "60 pages, part 2 of 2" in text_of(listed[1])
    assert f'href="{host}/empty"' in odd
    assert f'href="{host}/' in places
    assert (trying.status_code, "choose the site to lay over" in trying.text.lower()) == (
        400,
        True,
    )


def test_problems_are_told_page_by_page(client: TestClient) -> None:
    """With the reason, and by kind."""
    said = text_of(client.get("/problems?name=a.example&kind=parse: ParseError").text)

    assert "https://a.example/empty.html failed parse: ParseError" in said
    assert "None of this kind" in client.get("/problems?name=a.example&kind=x").text


def test_a_template_shows_a_box_and_a_row_for_each_slot(client: TestClient, path: Path) -> None:
    """They lead to each other, so that it works without a script, too."""
    known = learned(path)
    html = client.get(template_place(path)).text
    numbers = {str(slot.number) for slot in known.slots}
    with open_store(path) as store:
        page = store.lookups.result_of(known.templates[0].typical, 1)

    assert numbers
    assert set(re.findall(r'id="row-(\d+)"', html)) == numbers
    assert set(re.findall(r'id="box-(\d+)"', html)) == set(re.findall(r'href="#row-(\d+)"', html))
    assert page is not None
    assert all(area.selector.replace(">", "&gt;") in html for area in page.areas)


def test_a_slot_has_one_colour_on_all_pages(client: TestClient, path: Path) -> None:
    """The same class of the style sheet, which has the hues of pictures."""
    places = ("/site?name=a.example", template_place(path), result_place(url_of(7)))
    number = learned(path).slots[0].number
    css = client.get("/static/style.css").text
    shown = [client.get(place).text for place in places]

    assert all(f'<span class="slot c-{number % HUES}">{number}</span>' in html for html in shown)
    assert [f".c-{slot} {{ --h: {slot_hue(slot)}; }}" in css for slot in range(HUES)] == [True] * 24


def test_a_slot_shows_what_it_says_on_pages(client: TestClient, path: Path) -> None:
    """In parts, each text with its page; on one template, or on all that have it."""
    slot = learned(path).slots[0]
    place = f"/slot?name=a.example&slot={slot.number}"
    first, second = (client.get(f"{place}&page={part}").text for part in (1, 2))
    of_template = client.get(f"{place}&template={learned(path).templates[0].number}").text
    row = f"#row-{slot.number}"

    assert [html.count(row) for html in (first, second)] == [52, 12]  # two lead to the template
    assert all(f"Story {number}" in text_of(first) for number in range(50))
    assert result_place(url_of(59))[1:] in second.replace("&amp;maker=1", "")
    assert "What it says on pages of Story" in text_of(of_template)
    assert client.get(f"{place}9").status_code == 404


def test_slots_are_told_to_programs(client: TestClient, path: Path) -> None:
    """As `sites show --json` prints them."""
    facts = client.get("/slots.json?name=a.example").json()

    assert facts == json.loads(json.dumps(slots_facts(learned(path))))
    assert [slot["pages"] for slot in facts["slots"]] == [PAGES, PAGES]


def test_a_stencil_shows_a_box_and_a_row_for_each_area(paper: Path) -> None:
    """They lead to each other, so that it works without a script, too."""
    key = paper_key(paper)
    with open_store(paper) as store:
        stencil, page = store.stencils.keyed(key), store.lookups.result_of(url_of(0), 1)
    with asking(paper) as client:
        html = client.get(f"/stencil?key={key}").text
    numbers = {str(number) for number in range(len(stencil.areas))}

    assert numbers
    assert set(re.findall(r'id="row-(\d+)"', html)) == numbers
    assert set(re.findall(r'href="#box-(\d+)"', html)) == numbers
    assert set(re.findall(r'id="box-(\d+)"', html)) == set(re.findall(r'href="#row-(\d+)"', html))
    assert page is not None
    assert all(area.selector.replace(">", "&gt;") in html for area in page.areas if area.nodes)


def test_a_template_is_found_by_its_name(client: TestClient, path: Path) -> None:
    """As by its number."""
    (template, *_) = learned(path).templates
    by_name = client.get(f"/template?name=a.example&template={quote(template.name)}").text

    assert by_name == client.get(template_place(path)).text


def test_the_number_of_templates_is_the_same_everywhere(client: TestClient, path: Path) -> None:
    """In the list of sites, among the figures of one, above its drawings and its table."""
    known = learned(path)
    listed = text_of(client.get("/").text)
    html = client.get("/site?name=a.example").text

    assert known.outcome.templates == 1
    assert re.search(r"a\.example (Drift:.*)?61 1 ", listed)
    assert "Templates 1 Slots" in text_of(html)
    assert "Slots over templates 1 " in text_of(html)
    assert "Templates 1 Templates of the site" in text_of(html)
    assert client.get("/templates.json?name=a.example").json()["templates"][0]["pages"] == PAGES


@pytest.mark.parametrize("mode", list(Mode))
def test_pages_of_a_template_or_stencil_come_in_parts_and_are_filtered(
    client: TestClient, path: Path, paper: Path, mode: Mode
) -> None:
    """Fifty at once."""
    by_mode = {Mode.DEFAULT: template_place(path), Mode.PAPER: f"/stencil?key={paper_key(paper)}"}
    place = by_mode[mode]
    with asking(paper) as asked:
        one = client if mode is Mode.DEFAULT else asked
        htmls = [one.get(f"{place}{more}").text for more in ("", "&page=2", "&q=story/01")]
    first, second, found = (html[html.index('id="pages"') :] for html in htmls)
    links = [re.findall(r'href="result\?[^"]*"', html) for html in (first, second)]

    assert [len(part) for part in links] == [50, PAGES - 50]
    assert not set(links[0]) & set(links[1])
    assert 'rel="next"' in first
    assert 'rel="next"' not in second
    assert found.count('href="result?') == 10


def test_a_result_is_shown_with_its_areas(client: TestClient, path: Path) -> None:
    """And as the line that `run --out` writes."""
    with open_store(path) as store:
        result = store.results.of(MADE_BY, [url_of(7)])[url_of(7)]
    html = client.get(result_place(url_of(7))).text
    line = client.get(result_place(url_of(7)).replace("result", "result.json", 1))

    assert line.content == json_line(result)
    assert line.headers["content-type"] == "application/json"
    assert result.stencil is None
    place = f"template?name=a.example&amp;maker=1&amp;template={result.template_number}"
    assert f'href="{place}"' in html
    assert result.template is not None
    assert f"Template {result.template}" in text_of(html)
    assert all(f"{area.slot} {area.name}" in text_of(html) for area in result.areas)
    assert f"{result.confidence:.3f}" in html
    assert all(area.text.split("\n")[0] in html for area in result.areas)
    assert f'href="{url_of(7)}" rel="noopener noreferrer nofollow"' in html


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of a folder that nobody gave a base URL: one page of it says where it is from."""
    folder = tmp_path_factory.mktemp("links") / "mirror"
    folder.mkdir()
    canonical = '<link rel="canonical" href="https://blog.example.org/a/">'
    (folder / "a.html").write_text(STORY.format("a").replace("<title>", f"{canonical}<title>"))
    (folder / "b.html").write_text(STORY.format("b"))
    with open_store(folder.with_suffix(".db")) as store:
        list(Pipeline(store, StackRenderer(), extractors=[Links()]).run(Folder(folder)))
    return folder.with_suffix(".db")


def links_out(client: TestClient, place: str) -> set[str]:
    """Return the links to other servers."""
    found = Tags()
    found.feed(client.get(place).text)
    return {value for name, value in found.attributes if name == "href" and "://" in value}


def test_an_invented_host_is_not_linked(mirror: Path) -> None:
    """The page's canonical URL is, if its file has one; the store of another machine has no files.

    Neither are links of items that lead to the invented host.
    """
    with asking(mirror) as client:
        canonical = links_out(client, result_place("http://mirror/a.html"))
        invented = links_out(client, result_place("http://mirror/b.html"))
        mirror.with_suffix("").rename(mirror.with_suffix(".away"))
        gone = links_out(client, result_place("http://mirror/a.html"))
        said = text_of(client.get(result_place("http://mirror/a.html")).text)

    assert canonical == {"https://blog.example.org/a/"}
    assert invented == gone == set()
    assert "http://mirror/a.html" in said


@pytest.mark.parametrize(
    ("url", "real"),
    [
        ("https://blog.rust-lang.org/2020/", True),
        ("http://me.github.io/", True),
        ("http://bücher.de/", True),
        ("http://rust-blog/2020/", False),
        ("http://localhost/tmp/page.html", False),
        ("http://127.0.0.1:8000/", False),
        ("http://a.example/", False),
        ("http://page.invalid/", False),
        ("http://printer.local/", False),
        ("javascript:alert(1)//x.org", False),
        ("http://[::1", False),
    ],
)
def test_a_link_from_a_file_leads_to_a_real_host(url: str, *, real: bool) -> None:
    """What came from the web is a link whatever its host, if it is one of the web at all."""
    assert leads_to_web(url, "/mirror/page.html") is real
    assert leads_to_web(url) is (url.startswith("http") and "[" not in url)


def test_pages_are_found_by_a_part_of_their_url(client: TestClient) -> None:
    """In any case of letters, with or without a status; signs of the database mean themselves."""

    def found(query: str) -> list[str]:
        return re.findall(r'<a href="result\?url=([^&"]*)', client.get(f"/pages?{query}").text)

    assert found("q=STORY/007") == [quote(url_of(7), safe="")]
    assert found("status=failed") == [quote("https://a.example/empty.html", safe="")]
    assert found("q=%25") == [quote("https://b.example/?q=1&r=%2F", safe="")]
    assert found("q=_") == []
    assert len(found("")) == 50
    assert len(found("page=2")) == PAGES + 3 - 50


@pytest.mark.parametrize(
    "place",
    ["/", "/site?name=b.example", "/pages?q=b.example", "/places?name=b.example", "t", "s", "r"],
)
def test_texts_of_pages_are_texts_and_nothing_else(
    client: TestClient, path: Path, place: str
) -> None:
    """A stranger's markup is shown, not executed; what is no URL of the web is no link."""
    places = {
        "t": template_place(path, "b.example"),
        "s": "/slot?name=b.example&slot=1",
        "r": result_place(HOSTILE_URL),
    }
    found = Tags()
    found.feed(client.get(places.get(place, place)).text)

    assert "img" not in found.names
    assert found.names.count("script") == 1
    assert ("src", "static/page.js") in found.attributes
    assert [name for name, _ in found.attributes if name.startswith("on") or name == "style"] == []
    assert [value for name, value in found.attributes if "javascript:" in value] == []


def test_a_hostile_search_is_written_back_as_text(client: TestClient) -> None:
    """What a link to us brings along cannot run."""
    html = client.get("/pages", params={"q": f'"><{SCRIPT}'}).text

    assert SCRIPT not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize(
    ("place", "status", "words"),
    [
        ("/nowhere", 404, "there is no page at this URL"),
        ("/a/b/c", 404, "there is no page at this URL"),
        ("/site?name=c.example", 404, "there is no site &#39;c.example&#39;"),
        ("/site?name=a.example&maker=7", 404, "there is no site"),
        ("/problems?name=", 404, "there is no site"),
        ("/stencil?key=k", 404, "there is no stencil &#39;k&#39;"),
        ("/template?name=a.example&template=k", 404, "has no template &#39;k&#39;"),
        ("/slot?name=a.example&slot=99", 404, "a.example has no slot &#39;99&#39;"),
        ("/slot?name=a.example&slot=x", 404, "a.example has no slot &#39;x&#39;"),
        ("/slot?name=c.example&slot=1", 404, "there is no site"),
        ("/slot?name=a.example&slot=3&template=zz", 404, "has no template &#39;zz&#39;"),
        ("/result?url=x", 404, "there is no result"),
        ("/result.json?url=x", 404, "there is no result"),
        ("/tried?key=x", 404, "no longer kept"),
        ("/tried.png?key=x", 404, "no longer kept"),
        ("/static/../app.py", 404, "there is no page"),
        ("/static/nothing.css", 404, "there is no page"),
        ("/pages?page=0", 400, "from 1"),
        ("/pages?page=-1", 400, "whole number"),
        ("/pages?page=99999999999999999999", 400, "whole number"),
        ("/pages?page=²", 400, "whole number"),
        ("/pages?status=gone", 400, "there is no status"),
        ("/pages?site=a.example&template=99", 404, "there is no template 99 of"),
        ("/pages?site=c.example&template=0", 404, "there is no template 0 of"),
        ("/pages?template=x", 400, "whole number"),
        ("/places?name=c.example", 404, "there is no site"),
        ("/places.json?name=c.example", 404, "there is no site"),
        (f"/pages?q={'x' * 11_000}", 400, "11,000 characters"),
    ],
)
def test_what_is_not_there_is_told_with_the_next_step(
    client: TestClient, place: str, status: int, words: str
) -> None:
    """On a page like the others."""
    answer = client.get(place)

    assert answer.status_code == status
    assert words.lower() in answer.text.lower()
    assert "List of sites" in answer.text


def test_an_error_deep_below_finds_its_style_sheet(client: TestClient) -> None:
    """Addresses are relative: the pages may stand below any folder of another server."""
    assert 'href="../../static/style.css"' in client.get("/a/b/c").text
    assert 'href="static/style.css"' in client.get("/pages").text
    assert client.get("/static/style.css").headers["content-type"].startswith("text/css")


def test_an_empty_store_says_how_to_fill_it(tmp_path: Path) -> None:
    """On all pages that would have a list."""
    open_store(tmp_path / "empty.db").close()
    with asking(tmp_path / "empty.db") as client:
        said = [client.get(place).text for place in ("/", "/pages", "/try")]

    assert "webstencil run SOURCE --store" in said[0]
    assert "webstencil run SOURCE --store" in said[1]
    assert "Nothing was learned in this store yet" in said[2]


def test_a_damaged_result_is_told(path: Path, tmp_path: Path) -> None:
    """The other pages still work."""
    damaged = own(path, tmp_path)
    run(damaged, "update result set body = x'0100' where page = (select max(id) from page)")
    (url,) = rows(damaged, "select url from page order by id desc limit 1")[0]
    with asking(damaged) as client:
        answer = client.get(result_place(str(url)))
        sites = client.get("/")

    assert answer.status_code == 503
    assert "a stored result is damaged" in answer.text
    assert "put back a copy of the store" in answer.text
    assert sites.status_code == 200


def test_a_store_that_is_gone_is_told_and_shown_when_it_is_back(path: Path, tmp_path: Path) -> None:
    """Also if another one has replaced it."""
    shown = own(path, tmp_path)
    with asking(shown) as client:
        client.get("/")
        shown.rename(tmp_path / "away.db")
        gone = client.get("/")
        open_store(shown).close()
        other = client.get("/")
        (tmp_path / "away.db").replace(shown)
        back = client.get("/")

    assert gone.status_code == 503
    assert "the store is gone" in gone.text.lower()
    assert "This store has no pages yet" in other.text
    assert "a.example" in back.text


def test_a_run_may_write_while_the_store_is_looked_at(tmp_path: Path) -> None:
    """Each page shows what is saved by then."""
    shown = tmp_path / "busy.db"
    with open_store(shown) as store, asking(shown) as client:
        results = Pipeline(store, StackRenderer()).run(site_of(STORY))
        next(results)
        during = client.get("/")
        list(results)
        after = client.get("/")

    assert during.status_code == 200
    assert "not finished" in during.text
    assert "1 site with 61 pages" in after.text
    assert "not finished" not in after.text


def test_looking_changes_nothing(path: Path, tmp_path: Path) -> None:
    """No page writes to the store."""
    shown = own(path, tmp_path)
    before = shown.read_bytes()
    with asking(shown) as client:
        site = [f"/{place}?name=a.example" for place in ("site", "places", "problems")]
        for place in ("/", *site, "/pages", "/pages?site=a.example&template=2", "/try"):
            assert client.get(place).status_code == 200
        assert client.get(template_place(path)).status_code == 200
        assert client.get("/slot?name=a.example&slot=3").status_code == 200

    assert shown.read_bytes() == before


def test_two_segmenters_of_a_site_are_told_apart(path: Path, tmp_path: Path) -> None:
    """Each has its row, its page, and its results."""
    shown = own(path, tmp_path)
    paper = Settings(mode="paper")  # type: ignore[arg-type]  # a text will do
    with open_store(shown) as store:
        list(Pipeline(store, StackRenderer(), paper).run(site_of(NEW_STORY)))
    with asking(shown) as client:
        sites = client.get("/").text
        site = client.get("/site?name=a.example&maker=2").text
        result = client.get(result_place(url_of(1))).text

    assert sites.count('href="site?name=a.example') == 2
    assert "paper VIPS, see also" in text_of(site)
    assert "paper VIPS, see also default VIPS" in text_of(result)


def test_a_line_stays_in_its_picture() -> None:
    """Whatever the shares; runs that did nothing have no point."""
    drawn = chart("Hit ratio", [("a", 0.0), ("b", None), ("c", 1.0), ("d", 0.55)], low=0.9)

    assert [(dot.x, dot.words) for dot in drawn.dots] == [
        (6.0, "a: 0.0%"),
        (160.0, "c: 100.0%"),
        (314.0, "d: 55.0%"),
    ]
    assert drawn.low == 0.0
    assert [dot.y for dot in drawn.dots] == [84.0, 6.0, 41.1]
    assert chart("Hit ratio", []).line == ""
