"""`webstencil sites`, and what `run` and `segment` say of sites that are learned."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from store_values import rows
from web_store import NEW_STORY, PAGES, STORY, make_store, site_of, url_of

from webstencil.cli.main import main
from webstencil.cli.site_outcomes import LearnedSite, SiteTally, outcome_cells, shortcomings
from webstencil.cli.sites_commands import numbers_words
from webstencil.jobs.job import Pipeline
from webstencil.jobs.learn import NO_PLAN
from webstencil.model import Mode, PageResult, Problem, Status
from webstencil.queries.slots import SiteOutcome, site_outcome
from webstencil.settings import Settings
from webstencil.store import open_store
from webstencil.testing import StackRenderer

MADE_BY = Settings().learner
OUTCOME = SiteOutcome("a", 90, 2, 7, 3, 0.5, 6, 0.98, 5, 0.97, ("u1",), "it crashes", ("x",))
PAGE = "<!doctype html><title>T{0}</title><body><h1>Story {0}</h1><p>Text {0} of a page</p>"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that no test changes."""
    return make_store(tmp_path_factory.mktemp("sites") / "site.db")


def outcome(path: Path) -> SiteOutcome:
    with open_store(path) as store:
        return site_outcome(store, MADE_BY, "a.example")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pages of one template."""
    pages = tmp_path / "mirror"
    pages.mkdir()
    for number in range(6):
        (pages / f"{number}.html").write_text(PAGE.format(number))
    return pages


def test_sites_are_listed_with_templates_and_slots(path: Path) -> None:
    """As a table and for programs."""
    listed = run("sites", "list", "--store", path).output.splitlines()
    facts = json.loads(run("sites", "list", "--store", path, "--json").output)

    assert listed[0].split() == [
        *("site", "pages", "templates", "slots", "rendered", "text", "covered", "learner")
    ]
    rendered = str(outcome(path).rendered)
    assert listed[1].split() == ["a.example", "61", "1", "2", rendered, "100.0%", "default", "VIPS"]
    assert [(one["site"], one["pages"], one["slots"]) for one in facts] == [
        ("a.example", 61, 2),
        ("b.example", 2, 1),
    ]


def test_a_site_is_shown_with_its_templates_and_slots(path: Path) -> None:
    """All of them, or one template by name or number."""
    shown = run("sites", "show", "a.example", "--store", path).output
    facts = json.loads(run("sites", "show", "a.example", "--store", path, "--json").output)
    (template,) = facts["templates"]
    by_name = run("sites", "show", "a.example", "--template", template["name"], "--store", path)

    made = outcome(path).rendered
    assert f"renderings for 100.0% of the text; rendered: {made}, covering 100.0%" in shown
    assert f"2         {template['name']}  60     {made}         3-4" in shown
    assert [(slot["number"], slot["name"], slot["pages"]) for slot in facts["slots"]] == [
        (3, "heading", PAGES),
        (4, "table", PAGES),
    ]
    assert by_name.output == shown


def test_a_slot_lists_its_texts(path: Path) -> None:
    """On all pages that have it, by number or name, in each format; or on a part of them."""
    shown = run("sites", "slot", "a.example", "3", "--store", path, "--format", "json")
    more = run("sites", "slot", "a.example", "3", "--store", path, "--page", "2")
    by_name = run("sites", "slot", "a.example", "heading", "--store", path, "--json")
    lines = run("sites", "slot", "a.example", "3", "--store", path, "--format", "csv").output
    texts = json.loads(shown.output)

    assert [(one["page"], one["text"]) for one in texts] == [
        (url_of(number), f"Story {number}") for number in range(PAGES)
    ]
    assert by_name.output == shown.output
    assert lines.splitlines()[0] == "page,template,text"
    assert len(lines.splitlines()) == 1 + PAGES
    assert len(more.stdout.splitlines()) == 1 + PAGES - 50
    assert "part 2 of 2, of 60 pages" in more.stderr


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("show", "c.example"), "there is no site 'c.example' in this store; sites: a.example"),
        (("show", "a.example", "--template", "9"), "a.example has no template '9'; it has Story"),
        (("slot", "a.example", "99"), "a.example has no slot '99'"),
        (("forget", "c.example"), "there is no site 'c.example'"),
    ],
)
def test_what_a_store_does_not_have_is_told(
    path: Path, command: tuple[str, ...], words: str
) -> None:
    """With what it has."""
    told = run("sites", *command, "--store", path)

    assert told.exit_code == 2
    assert words in told.stderr


def test_a_forgotten_site_is_learned_anew(tmp_path: Path) -> None:
    """Its rendered pages, decisions and results are gone; other sites stay."""
    path = make_store(tmp_path / "site.db")
    told = run("sites", "forget", "a.example", "--store", path).output
    with open_store(path) as store:
        left = site_outcome(store, MADE_BY, "a.example")
        kept = store.witnesses.known(MADE_BY, "a.example")
        other = site_outcome(store, MADE_BY, "b.example")
        pipeline = Pipeline(store, StackRenderer())
        again = [result.status for result in pipeline.run(site_of(NEW_STORY))]
        learned = site_outcome(store, MADE_BY, "a.example")

    assert "the next run learns it and processes 60 pages again" in told
    assert (left.version, left.slots, kept) == (0, 0, {})
    assert other.slots == 1
    assert again.count(Status.LEARNED) == learned.rendered > 0
    assert learned.version == 1


def test_a_template_is_no_stencil(path: Path) -> None:
    """A store of the default mode has none, and neither have its results."""
    listed = run("stencils", "list", "--store", path).output
    with open_store(path) as store:
        results = list(store.results(MADE_BY))

    assert "No stencils: they belong to `webstencil run --mode paper`" in listed
    assert rows(path, "SELECT * FROM stencil") == []
    assert {result.stencil for result in results} == {None}
    assert {result.template_number for result in results if result.has_areas} == {1, 2}


@pytest.mark.parametrize("command", [("list",), ("show", "a.example"), ("drift",)])
def test_every_table_is_there_as_csv_and_json(path: Path, command: tuple[str, ...]) -> None:
    """`--json` is `--format json`."""
    table, lines, short, long = (
        run("sites", *command, "--store", path, *form).stdout
        for form in ((), ("--format", "csv"), ("--json",), ("--format", "json"))
    )

    head, *others = csv.reader(lines.splitlines())

    assert json.loads(short) == json.loads(long)
    assert {len(row) for row in others} == {len(head)}
    assert table


def test_a_site_of_paper_mode_has_no_slots(tmp_path: Path) -> None:
    """It is listed, and `sites show` says where its stencils are."""
    path = tmp_path / "paper.db"
    with open_store(path) as store:
        list(Pipeline(store, StackRenderer(), Settings(mode=Mode.PAPER)).run(site_of(STORY)))
    listed = run("sites", "list", "--store", path).output
    shown = run("sites", "show", "a.example", "--store", path)

    assert listed.splitlines()[1].split() == [
        "a.example",
        "61",
        "-",
        "-",
        "1",
        "-",
        "paper",
        "VIPS",
    ]
    assert "`webstencil stencils list` has it" in shown.stderr


def test_slots_of_a_site_are_laid_over_one_page(path: Path, tmp_path: Path) -> None:
    """Without a browser; the site is the page's own, the only one, or named."""
    page = tmp_path / "new.html"
    page.write_text(NEW_STORY.format("new"))
    json_file = tmp_path / "areas.json"
    named = run("segment", page, "--store", path, "--site", "a.example", "--json", json_file)
    unnamed = run("segment", page, "--store", path)
    alone = run("segment", page, "--site", "a.example")

    assert [
        (one["slot"], one["name"], one["text"]) for one in json.loads(json_file.read_text())
    ] == [
        (3, "heading", "Story new"),
        (4, "table", "Cell new"),
    ]
    assert named.output.startswith("a.example: template ")
    assert "give --site: a.example, b.example" in unnamed.stderr
    assert "add --store" in alone.stderr


def test_a_run_says_forecast_and_fact(folder: Path, tmp_path: Path) -> None:
    """What was planned and what came of it; nothing is said of stencils."""
    told = run("run", folder, "--store", tmp_path / "s.db")
    again = run("run", folder, "--store", tmp_path / "s.db", "--log-json")
    with open_store(tmp_path / "s.db") as store:
        known = site_outcome(store, MADE_BY, "mirror")
    row = told.stdout.splitlines()[-1].split()

    assert row == ["mirror", "6", "1", str(known.slots), "1", "1", "100.0%", "100.0%", "0"]
    assert "stencil" not in told.output
    assert json.loads(again.stderr.splitlines()[-1])["sites"] == []  # nothing was to do


def test_a_run_without_a_browser_goes_on_and_says_what_to_do(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In paper mode, which cannot do without, it ends at once."""
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setenv("WEBSTENCIL_HOME", str(tmp_path / "empty"))
    monkeypatch.delenv("WEBSTENCIL_CHROMIUM", raising=False)
    told = run("run", folder, "--store", tmp_path / "s.db", "--quiet")
    paper = run("run", folder, "--store", tmp_path / "p.db", "--mode", "paper")

    assert told.exit_code == 0
    assert told.stderr.startswith(
        "No page of mirror was rendered, so areas follow the markup alone"
    )
    assert "run `webstencil browser install`" in told.stderr
    assert "Then run the same command again." in told.stderr
    assert (paper.exit_code, "no browser was found" in paper.stderr) == (2, True)


def test_budget_and_grain_are_options_of_the_default_mode(folder: Path, tmp_path: Path) -> None:
    """A budget of 0 renders nothing, and says so; they are refused in paper mode."""
    store = tmp_path / "s.db"
    told = run("run", folder, "--store", store, "--budget", "0", "--grain", "0.7", "--log-json")
    paper = run("run", folder, "--store", store, "--mode", "paper", "--grain", "0.7")
    (site,) = json.loads(told.stderr.splitlines()[-1])["sites"]

    assert (site["rendered"], site["reason"], site["grain"]) == (0, NO_PLAN, 0.7)
    assert "--grain belongs to the default mode" in paper.stderr


def test_changes_are_told_by_the_job_that_made_them() -> None:
    """Not again by one that found the site as it was; a later result replaces an earlier one."""
    tally = SiteTally()
    unseen = Problem("lay", "unseen", "9 characters")
    page = PageResult("http://a/1", "a", Status.HIT, "k", 1.0, problems=(unseen,))
    other = PageResult("http://a/2", "a", Status.HIT, "k", 1.0, problems=(unseen,))
    for result in (page, other, PageResult("http://a/1", "a", Status.HIT, "k", 1.0)):
        tally.add(result)

    assert {site: sorted(urls) for site, urls in tally.unseen.items()} == {"a": ["http://a/2"]}
    assert LearnedSite(OUTCOME, 1, is_new=True).changes == ("x",)
    assert LearnedSite(OUTCOME, 1, is_new=False).facts()["changes"] == ()
    assert outcome_cells(LearnedSite(OUTCOME, 1, is_new=True)) == (
        *("a", "90", "2", "7", "6", "5", "98.0%", "97.0%", "1"),
    )


def test_what_could_not_be_rendered_is_told_with_the_next_step() -> None:
    """Sites with the same reason in one sentence."""
    bare = [
        SiteOutcome(site, 9, 1, 0, 1, 0.5, 6, 0.9, 0, 0.0, (), reason, ())
        for site, reason in (("b", "no browser"), ("c", "no browser"), ("d", NO_PLAN))
    ]

    assert shortcomings([OUTCOME, *bare]) == [
        "a: 1 planned page could not be rendered and others were taken instead, first u1: "
        "it crashes",
        "No page of b and 1 more sites was rendered, so areas follow the markup alone: no browser. "
        "Then run the same command again.",
        "No page of d was rendered, so areas follow the markup alone: a budget of 0 allows no "
        "rendering. Run the same command with a larger --budget.",
    ]


def test_numbers_that_follow_each_other_are_written_as_ranges() -> None:
    """So that long lists of slots fit into a line."""
    assert numbers_words((1, 2, 3, 7, 9, 10)) == "1-3 7 9-10"
    assert numbers_words(()) == ""
