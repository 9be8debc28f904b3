"""Growth of plans: steps, what is judged, what is timed, the command."""

import json
from pathlib import Path
from statistics import median

import pytest
from click.testing import CliRunner

from webstencil.cli.evaluate_sites import short_names
from webstencil.cli.main import main
from webstencil.errors import SourceError
from webstencil.evaluate.growth import (
    PageTimes,
    PlanStep,
    RunGrowth,
    RunStep,
    SiteGrowth,
    SomePages,
    TimedPage,
    added_times,
    at_random,
    kept_model,
    pages_by_site,
    site_growth,
    step_of,
    step_sizes,
    timed_pages,
)
from webstencil.markup.parse import parse
from webstencil.model import RawPage
from webstencil.site.outline import outline
from webstencil.site.site_model import MOST_PAGES
from webstencil.testing import MemorySource
from webstencil.urls import sampling_key

POST = "<html><body><article class=post><h1>{0}</h1><p>post {0}</p></article></body></html>"
LIST = "<html><body><section class=list><ul><li>entry {0}</li></ul></section></body></html>"


def timed(pages: list[tuple[str, str]]) -> list[TimedPage]:
    """Read pages, given by name and HTML."""
    raws = [RawPage(f"http://a.example/{name}", html.encode()) for name, html in pages]
    return list(timed_pages(raws))


def posts(number: int) -> list[tuple[str, str]]:
    return [(f"post{n}", POST.format(n)) for n in range(number)]


def lists(number: int) -> list[tuple[str, str]]:
    return [(f"list{n}", LIST.format(n)) for n in range(number)]


@pytest.mark.parametrize(
    ("total", "expected"),
    [
        (1, [1]),
        (100, [50, 100]),
        (250, [125, 250]),
        (600, [250, 300, 500, 600]),
        (5_000, [250, 500, 1_000, 2_000, 2_500, 4_000, 5_000]),
    ],
)
def test_sites_are_surveyed_with_twice_as_many_pages_each_time(
    total: int, expected: list[int]
) -> None:
    """Half of the pages and all of them are always among the steps."""
    assert step_sizes(total) == expected


def test_a_plan_is_judged_by_pages_that_it_was_made_without() -> None:
    """Its own forecast knows nothing of them: half of the site is of a template not seen yet."""
    pages = timed([*posts(20), *lists(20)])

    half, whole = site_growth("a", [pages]).steps

    assert (half.pages, half.forecast, half.covered, half.doubtful) == (20, 1.0, 0.5, 20)
    assert (whole.pages, whole.forecast, whole.covered, whole.doubtful) == (40, 1.0, 1.0, 0)
    assert whole.renderings > half.renderings


def test_pages_without_text_have_nothing_to_cover() -> None:
    """They lower no share."""
    empty = [(f"empty{n}", "<html><body><div></div></body></html>") for n in range(30)]

    assert step_of("a", timed([*posts(10), *empty]), 10).covered == 1.0


def test_growth_is_that_from_the_median_half_to_all() -> None:
    """Not from the step before, and one odd half does not matter."""
    none = PageTimes(0.0, 0.0, 0.0, 0.0)
    steps = [
        PlanStep(pages, renderings, 1.0, 1.0, 0, 1, 1, 1.0, none, 0.0)
        for pages, renderings in ((250, 8), (300, 11), (500, 11), (600, 12))
    ]

    assert SiteGrowth("a", tuple(steps), (1, 10, 11), 1.0).growth == pytest.approx(0.2)


def test_a_plan_is_made_of_half_of_the_pages_in_each_order() -> None:
    """A half without text needs fewer renderings than one with posts."""
    empty = [(f"empty{n}", "<html><body><div></div></body></html>") for n in range(20)]
    pages = timed([*empty, *posts(20)])
    mixed = [page for pair in zip(pages[:20], pages[20:], strict=True) for page in pair]

    found = site_growth("a", [pages, mixed, mixed])

    few, many = found.steps[0].renderings, found.halves[-1]
    assert found.halves == (few, many, many)
    assert few < many


def test_cost_is_in_bare_parses_and_leaves_reading_and_parsing_apart() -> None:
    """Both sides of the ratio come from the same pages."""
    times = added_times([PageTimes(5.0, 1.0, 2.0, 3.0), PageTimes(5.0, 1.0, 2.0, 1.0)])
    step = PlanStep(2, 1, 1.0, 1.0, 0, 1, 1, 1.0, times, 2.0)

    assert times == PageTimes(10.0, 2.0, 4.0, 4.0)
    assert (step.parses, step.seconds) == (3.0, 20.0)


def test_pages_keep_their_outlines_and_what_they_cost() -> None:
    """What is not HTML is left out, and told."""
    raws = [
        RawPage("http://a.example/1", POST.encode()),
        RawPage("http://a.example/2", b"no page"),
        RawPage("http://b.example/3", LIST.encode()),
    ]
    left_out: list[str] = []
    one, other = timed_pages(raws, left_out.append)

    assert left_out == ["http://a.example/2"]
    assert one.page.unpacked().outline == outline(parse(raws[0]))
    assert min(one.times.bare, one.times.parse, one.times.outline) > 0.0
    assert pages_by_site([other, one]) == {"a.example": [one], "b.example": [other]}


def test_random_pages_do_not_depend_on_the_order_and_are_no_sample_of_a_model() -> None:
    """Beyond the bound, a model would otherwise be the same with half of the pages as with all."""
    pages = timed(posts(40))
    taken = at_random(pages)
    sampled = sorted(pages, key=lambda page: sampling_key(page.page.url))

    assert taken == at_random(reversed(pages))
    assert sorted(page.page.url for page in taken) == sorted(page.page.url for page in pages)
    others = [at_random(pages, 1), sampled]
    halves = [{page.page.url for page in order[:20]} for order in (taken, *others)]
    assert halves[0] != halves[1] != halves[2] != halves[0]


def test_a_model_keeps_as_many_pages_as_that_of_a_store() -> None:
    """Those with the smallest keys; it knows how many there are."""
    pages = [page.page for page in timed(posts(MOST_PAGES + 10))]
    model = kept_model(pages)

    smallest = sorted(pages, key=lambda page: sampling_key(page.url))[:MOST_PAGES]
    assert (model.pages, len(model)) == (MOST_PAGES + 10, MOST_PAGES)
    assert [page.url for page in model] == [page.url for page in smallest]


def test_names_of_sites_are_short_and_differ() -> None:
    """Manuals are often in folders of the same name."""
    paths = ["/m/erlang/html", "/m/grass/html/", "sites/blog", "html"]

    assert list(short_names(paths).values()) == ["erlang/html", "grass/html", "blog", "html"]
    assert short_names(["a/b", "b"]) == {"a/b": "a/b", "b": "b"}


@pytest.mark.browser
def test_jobs_over_more_pages_are_run_and_measured(site: Path) -> None:
    """With renderings, at each size; the last has all pages."""
    words = ["evaluate", "growth", str(site), "--render"]
    table = CliRunner().invoke(main, words)
    found = json.loads(CliRunner().invoke(main, [*words, "--size", "24", "--json"]).stdout)

    rows = [line.split() for line in table.stdout.splitlines()]
    assert [row[1] for row in rows[1:]] == ["12", "25"]
    (step,) = found[0]["steps"]
    assert step["pages"] == 24
    assert 0 < step["rendered"] < 12
    assert step["covered"] > 0.9
    assert step["peak"] > 10.0


def test_growth_is_told_where_half_of_the_pages_were_run() -> None:
    """From 5 renderings of 50 pages to 6 of 100."""
    half, whole = (RunStep(*step, 0, 1.0, 1.0, 1.0, 1.0) for step in ((50, 5), (100, 6)))
    growth = RunGrowth("a", (half, whole))

    assert growth.growth_at(half) is None
    assert growth.growth_at(whole) == pytest.approx(0.2)


def test_some_pages_of_a_source_are_read_in_its_order() -> None:
    """By their URLs; resources are those of the source."""
    source = MemorySource({f"http://a.example/{n}": POST.encode() for n in range(9)})
    some = SomePages(source, frozenset({"http://a.example/7", "http://a.example/2"}))

    assert [page.url[-1] for page in some.pages()] == ["2", "7"]
    assert (some.count(), some.fetch("http://a.example/style.css")) == (2, None)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write a site of two templates, and a file that is no page."""
    folder = tmp_path / "site"
    folder.mkdir()
    for name, html in [*posts(12), *lists(12), ("broken", "no page")]:
        (folder / f"{name}.html").write_text(html)
    return folder


def test_the_command_prints_a_table_csv_or_json(site: Path) -> None:
    """All hold the same steps; the table ends with the growth of each site."""
    table, written, listed = (
        CliRunner().invoke(main, ["evaluate", "growth", str(site), *options])
        for options in ((), ("--json",), ("--format", "csv"))
    )

    (found,) = json.loads(written.stdout)
    steps = [(step["pages"], step["renderings"], step["places"]) for step in found["steps"]]
    rows = [line.split(",") for line in listed.stdout.splitlines()]
    at = [rows[0].index(name) for name in ("pages", "renderings", "places")]
    assert [pages for pages, _, _ in steps] == [12, 24]
    assert steps == [tuple(int(row[n]) for n in at) for row in rows[1:]]
    assert found["growth"] == pytest.approx(steps[1][1] / median(found["halves"]) - 1)
    assert steps[0][1] in found["halves"]
    last = table.stdout.strip().splitlines()[-1].split()
    assert last[:4] == ["site", "24", str(steps[1][1]), f"{median(found['halves']):g}"]
    assert "left out, since empty or not HTML: 1 page" in table.stderr


def test_the_first_pages_can_be_surveyed_instead(site: Path) -> None:
    """Lists come first in the folder: a plan of them covers no post."""
    done = CliRunner().invoke(
        main, ["evaluate", "growth", str(site), "--order", "listed", "--json"]
    )

    assert json.loads(done.stdout)[0]["steps"][0]["covered"] == 0.5


def test_the_command_plots_each_site(site: Path, tmp_path: Path) -> None:
    """Renderings and coverage are two lines; a wrong name of the file is refused at once."""
    pytest.importorskip("matplotlib")
    path = tmp_path / "growth.svg"
    done = CliRunner().invoke(main, ["evaluate", "growth", str(site), "--plot", str(path)])
    wrong = CliRunner().invoke(main, ["evaluate", "growth", str(site), "--plot", "growth.txt"])

    assert done.exit_code == 0
    assert path.read_text().startswith("<?xml")
    assert "must end in .png or .svg" in str(wrong.exception) + wrong.output


def test_a_folder_without_pages_is_refused(tmp_path: Path) -> None:
    """The message names it."""
    done = CliRunner().invoke(main, ["evaluate", "growth", str(tmp_path)])

    assert isinstance(done.exception, SourceError | SystemExit)
    assert done.exit_code != 0
    assert f"there is no page in {tmp_path.name}" in str(done.exception) + done.output
