"""Pages that visitors try: in a process of their own, one at a time, within a time."""

import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from web_store import NEW_STORY, asking, make_store, site_of, url_of
from web_tasks import Die, Refuse, Sleep

from research.support.process_tree import browsers, descendants
from webstencil.cli.method_options import chosen_segmenters
from webstencil.errors import PageTimeout, SourceError
from webstencil.geometry import EMPTY
from webstencil.jobs.job import Pipeline
from webstencil.model import PageArea, PageResult, Problem, Status
from webstencil.segment import SEGMENTERS, VIPS, segmenter_settings
from webstencil.segment.vips import PAPER_VIPS
from webstencil.settings import Settings
from webstencil.store import open_store
from webstencil.testing import StackRenderer
from webstencil.web.app import RecentTrials
from webstencil.web.work import (
    MOST_VISITORS,
    Address,
    Busy,
    Failed,
    Given,
    Tried,
    Workplace,
    facts_of_page,
    hit_words,
    opened_page,
)

PAGE = """<!doctype html><style>nav{height:60px;background:#ccc}article{margin-top:80px}</style>
<title>T</title><nav><a href=/>Home</a> <a href=/news>News</a> <a href=/shop>Shop</a></nav>
<article><h1>A headline of the page</h1><p>%s</article>""" % ("Some words of a text. " * 40)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_store(tmp_path_factory.mktemp("try") / "site.db")
    paper = Settings(mode="paper")  # type: ignore[arg-type]  # a text will do
    with open_store(path) as store:
        list(Pipeline(store, StackRenderer(), paper).run(site_of(NEW_STORY)))
    return path


@pytest.fixture(scope="module")
def client(path: Path) -> Iterator[TestClient]:
    with asking(path) as client:
        yield client


@pytest.mark.parametrize("maker", ["1", "2"])
def test_a_learned_site_is_laid_over_a_page_without_a_browser(
    client: TestClient, maker: str
) -> None:
    """In the mode in which they were learned; the answer tells how sure it is."""
    sent = {"html": NEW_STORY.format("new"), "do": "lay", "site": f"{maker} a.example"}
    answer = client.post("/try", data={**sent, "url": "https://a.example/new.html"})
    page = client.get(answer.headers["location"]).text
    areas = client.get(answer.headers["location"].replace("tried", "tried.json"))

    assert answer.status_code == 303
    assert ("<dt>Template</dt>" in page) == (maker == "1")
    assert ('<span class="badge s-hit">hit</span>' in page) == (maker == "2")
    assert " confidence " in page
    assert "Story new" in page
    assert [area["text"] for area in areas.json() if area["text"]]
    assert areas.headers["content-disposition"] == 'attachment; filename="areas.json"'
    assert browsers() == {}


def test_the_type_of_a_page_is_shown_before_its_metadata(client: TestClient) -> None:
    """With its confidence; a page without text has no type."""
    url = "https://a.example/2020/05/04/a-headline-of-the-page"
    page, _ = opened_page(Given(url, PAGE.encode()))
    empty, _ = opened_page(Given(url, b"<html><body></body></html>"))

    sent = {"html": PAGE, "do": "lay", "site": "1 a.example", "url": url}
    shown = client.get(client.post("/try", data=sent).headers["location"]).text

    name, told = facts_of_page(page)[0]
    assert name == "type"
    assert re.fullmatch(r"article \(confidence (0\.[3-9]\d|1\.00)\)", told)
    assert "type" not in dict(facts_of_page(empty))
    assert f"<dt>Type</dt><dd>{told}</dd>" in shown


def test_areas_that_are_found_in_part_are_told_apart() -> None:
    """From those that are not there at all."""
    problems = [Problem("locate", "tag", "50 % of area 1 is on this page")]
    problems.append(Problem("locate", "count", "area 2 is not on this page"))
    area = PageArea(1, None, None, "words", "p", "/p", EMPTY, 1, 0.5)

    result = PageResult("u", "s", Status.HIT, "k", 0.5, areas=(area,), problems=tuple(problems))

    assert hit_words(result) == (
        "confidence 0.500; 1 areas are not on this page; 1 areas are found in part"
    )


def test_a_page_that_is_no_hit_says_what_a_run_would_do(client: TestClient) -> None:
    """In paper mode it would be rendered."""
    sent = {"html": PAGE, "do": "lay", "site": "2 a.example"}
    answer = client.post("/try", data=sent)
    page = client.get(answer.headers["location"]).text

    assert "no hit</span> distance " in page
    assert "a run would render it" in page


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"do": "segment"}, "there is no page:"),
        ({"html": "<p>x", "do": "lay"}, "choose the site"),
        ({"html": "<p>x", "do": "lay", "site": "9 a.example"}, "choose the site"),
        ({"html": "<p>x", "with": "magic"}, "there is no segmenter"),
        ({"html": "<p>x", "with": "vips", "vips.pdoc": "99"}, "pdoc must be 1..10, not 99"),
        ({"html": "<p>x", "with": "vips", "vips.x": "1"}, "there is no setting"),
        ({"html": "<p>x", "url": "javascript:alert(1)"}, "is not a URL"),
        ({"html": "<p>x", "url": "http://[::1"}, "is not a URL"),
        ({"address": "https://a.example/"}, "there is no page:"),
    ],
)
def test_a_form_that_cannot_be_done_says_why(
    client: TestClient, sent: dict[str, str], words: str
) -> None:
    """And keeps what was typed; a URL is ignored unless the server may fetch."""
    answer = client.post("/try", data=sent)

    assert answer.status_code == 400
    assert words in answer.text
    assert ("&lt;p&gt;x</textarea>" in answer.text) == ("html" in sent)


def test_the_form_has_a_field_for_each_setting(client: TestClient) -> None:
    """Of each segmenter, with its range and its meaning."""
    html = client.get("/try").text
    names = [f"{name}.{known.name}" for name in SEGMENTERS for known in segmenter_settings(name)]

    assert names
    assert [name for name in names if html.count(f'name="{name}"') != 1] == []
    assert [name for name in names if f'label for="{name}"' not in html] == []
    assert 'name="vips.pdoc" type="number" step="1" min="1" max="10"' in html
    assert 'name="address"' not in html


def test_a_site_is_chosen_in_the_form_by_a_link(client: TestClient) -> None:
    """As on the page of the site."""
    assert '<option value="2 a.example" selected>' in client.get("/try?site=2+a.example").text


def test_settings_start_from_a_preset(client: TestClient) -> None:
    """Chosen by a link; what is published is in the fields."""
    form = client.get("/try?preset=paper").text

    assert (
        f'name="vips.pdoc" type="number" step="1" min="1" max="10" value="{PAPER_VIPS.pdoc}"'
        in form
    )
    assert '<select id="vips.flow" name="vips.flow"><option>true</option><option selected>' in form
    assert '<a href="try?preset=paper' in client.get("/try").text
    assert client.get("/try?preset=magic").status_code == 400


def test_settings_start_from_those_of_the_server(path: Path) -> None:
    """As its command was told."""
    chosen = chosen_segmenters((), ("vips.pdoc=3", "guo.even=no"), published=False)
    with asking(path, segmenters=chosen) as client:
        form = client.get("/try").text
        again = client.get("/try?preset=default").text

    assert 'name="vips.pdoc" type="number" step="1" min="1" max="10" value="3"' in form
    assert 'name="guo.even"><option>true</option><option selected>' in form
    assert f'step="1" min="1" max="10" value="{VIPS().pdoc}"' in again


def test_a_page_that_is_no_html_is_told(client: TestClient) -> None:
    """In the words of the parser."""
    sent = {"do": "lay", "site": "1 a.example"}
    answer = client.post("/try", data=sent, files={"file": ("a.html", b"%PDF-1.4 x")})

    assert answer.status_code == 422
    assert "Error." in answer.text


def test_only_public_hosts_are_fetched(path: Path) -> None:
    """A visitor must not make the server ask machines of its own network."""
    sent = {"address": "http://127.0.0.1:9/", "do": "lay", "site": "1 a.example"}
    with asking(path, fetch=True) as client:
        form = client.get("/try").text
        answer = client.post("/try", data=sent)

    assert 'name="address"' in form
    assert answer.status_code == 422
    assert "is no public address" in answer.text
    with pytest.raises(SourceError, match="cannot be fetched"):
        opened_page(Address("http://nowhere.invalid/"))


def test_what_takes_too_long_is_ended_and_the_next_is_done() -> None:
    """Whatever a page did to the process."""
    before = descendants()
    place = Workplace(longest=1.0)
    try:
        first = place.do(Sleep(0.0)).told
        with pytest.raises(PageTimeout, match="longer than 1 s"):
            place.do(Sleep(60.0))
        with pytest.raises(Failed, match="ended the process"):
            place.do(Die())
        with pytest.raises(Failed, match="no HTML"):
            place.do(Refuse())
    finally:
        place.close()

    assert first == "slept 0 s"
    left = {number: line for number, line in descendants().items() if number not in before}
    assert [line for line in left.values() if "spawn_main" in line] == []


def test_too_many_at_once_are_refused() -> None:
    """Those that wait get their turn."""
    place = Workplace()
    try:
        with ThreadPoolExecutor(MOST_VISITORS) as visitors:
            done = [visitors.submit(place.do, Sleep(0.3)) for _ in range(MOST_VISITORS)]
            time.sleep(0.2)
            with pytest.raises(Busy, match="4 pages wait already"):
                place.do(Sleep(0.0))
            told = [one.result().told for one in done]
    finally:
        place.close()

    assert told == ["slept 0.3 s"] * MOST_VISITORS


def test_a_page_in_work_does_not_hold_up_the_end() -> None:
    """Who waits for it is told."""
    place = Workplace()
    place.do(Sleep(0.0))
    with ThreadPoolExecutor(1) as visitor:
        waiting = visitor.submit(place.do, Sleep(50.0))
        time.sleep(0.2)
        place.close()

        with pytest.raises(Failed, match="ended the process"):
            waiting.result(timeout=10.0)


def test_only_the_last_tries_are_kept() -> None:
    """By keys that are long and not alike."""
    kept = RecentTrials(most=2)
    keys = [kept.add(Tried(url_of(number), "", ())) for number in range(3)]

    assert [kept.find(key).url for key in keys[1:]] == [url_of(1), url_of(2)]
    assert min(map(len, keys)) >= 16
    with pytest.raises(Exception, match="no longer kept"):
        kept.find(keys[0])


@pytest.mark.browser
def test_a_page_is_rendered_and_shown_with_its_areas(client: TestClient) -> None:
    """Pasted or uploaded, by the segmenter and the settings that are chosen."""
    sent = {"html": PAGE, "do": "segment", "with": "vips", "vips.pdoc": "9"}
    answer = client.post("/try", data=sent)
    place = answer.headers["location"]
    page = client.get(place).text
    picture = client.get(place.replace("tried", "tried.png"))
    areas = json.loads(client.get(place.replace("tried", "tried.json")).content)

    assert "rendered, and cut by VIPS(pdoc=9)" in page
    assert f'<image href="{place.replace("tried", "tried.png").replace("&", "&amp;")}"' in page
    assert picture.content.startswith(b"\x89PNG")
    assert picture.headers["content-type"] == "image/png"
    assert {"menu", "body"} < {area["kind"] for area in areas}
    assert page.count('class="box ') == len(areas)
    assert [area["separators"] for area in areas if area["neighbours"]]

    uploaded = client.post("/try", data={"with": "bcs"}, files={"file": ("a.html", PAGE.encode())})

    assert "cut by BCS" in client.get(uploaded.headers["location"]).text

    published = client.post("/try", data={"html": PAGE, "with": "bcs", "preset": "paper"})

    assert "cut by BCS(preset paper)" in client.get(published.headers["location"]).text
