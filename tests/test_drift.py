"""Drift: what stencils did is kept by run, idle ones are retired, a redesigned site is noticed."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from store_values import SITE, VIPS, result_of, stencil_of

from research.demo import DemoSite, build
from webstencil.cli.main import main
from webstencil.errors import SettingsError
from webstencil.jobs.job import Pipeline
from webstencil.model import Mode, PageResult, RawPage, Status
from webstencil.protocols import Done, Source
from webstencil.queries.drift import SiteDrift, compare
from webstencil.queries.lists import learner_words
from webstencil.segment import VIPS as VIPS_SEGMENTER
from webstencil.settings import Settings
from webstencil.sources import Folder
from webstencil.store import (
    Past,
    SqlStore,
    StencilHistory,
    StencilState,
    StencilSummary,
    open_store,
)
from webstencil.store import schema as tables
from webstencil.testing import MemorySource, StackRenderer

FIRST_DAY = datetime(2025, 3, 28, 6, 0, tzinfo=UTC)
PAGES = 60
SOON = Settings(retire_after=30)
PAPER = replace(SOON, mode=Mode.PAPER)
FIRST = "first page of the site"
ASIDE = b"<aside><h2>More</h2><ul><li>One <b>more</b></li><li>Two <i>more</i></li></ul></aside>"


def daily() -> Callable[[], datetime]:
    """Return a clock by which each run begins a day after the one before."""
    days = iter(range(1000))
    return lambda: FIRST_DAY + timedelta(days=next(days))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    with open_store(tmp_path / "s.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> DemoSite:
    return build(tmp_path_factory.mktemp("old"), pages=PAGES)


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> DemoSite:
    return build(tmp_path_factory.mktemp("new"), pages=PAGES, redesign=True)


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> DemoSite:
    """Return the same site with a few pages more, all lists and teasers changed."""
    return build(tmp_path_factory.mktemp("grown"), pages=PAGES + 6)


def folder(site: DemoSite) -> Folder:
    return Folder(site.folder, base_url=site.base_url)


def run(
    store: SqlStore,
    source: Source,
    settings: Settings = SOON,
    now: Callable[[], datetime] = lambda: FIRST_DAY,
) -> list[PageResult]:
    return list(Pipeline(store, StackRenderer(), settings, now=now).run(source))


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory, old: DemoSite) -> Path:
    """Learn the old site once for all tests."""
    path = tmp_path_factory.mktemp("first") / "s.db"
    with open_store(path) as store:
        run(store, folder(old))
    return path


@pytest.fixture
def seen(tmp_path: Path, first_run: Path) -> Iterator[SqlStore]:
    """Return a store that knows the old site."""
    with open_store(shutil.copy(first_run, tmp_path / "seen.db")) as opened:
        yield opened


def drift_of(store: SqlStore) -> SiteDrift:
    (found,) = compare(store.runs.past(), store.stencils.all())
    return found


def states(store: SqlStore) -> Counter[str]:
    return Counter(stencil.state for stencil in store.stencils.all())


@pytest.mark.parametrize("mode", list(Mode))
def test_a_redesign_is_noticed_once(
    store: SqlStore, old: DemoSite, new: DemoSite, mode: Mode
) -> None:
    """The site after its redesign has drifted; the same again has not."""
    settings = replace(SOON, mode=mode)
    drifted = []
    for site in (old, old, new, new):
        run(store, folder(site), settings)
        drifted.append(drift_of(store).drifted)

    assert drifted == [False, False, True, False]
    assert (states(store)[StencilState.RETIRED] > 0) == (mode is Mode.PAPER)  # templates do not end


def test_what_changed_is_said_in_words(seen: SqlStore, old: DemoSite, new: DemoSite) -> None:
    """How many known pages follow new templates, and how many old ones are left without hits."""
    run(seen, folder(new))

    found = drift_of(seen)
    assert found.words == (
        f"redesigned: {found.known_anew} of {found.known} pages known before no longer follow the "
        f"templates of then ({found.learned} templates learned); {found.unused} templates that "
        "had hits before had none"
    )
    assert found.known == len(old.gold) - 1  # all but the empty page
    assert found.known_anew >= found.known - 3  # longreads and the broken page are as they were


def test_a_site_that_grows_has_not_drifted(seen: SqlStore, grown: DemoSite) -> None:
    """Pages that are new, and known ones with other words in them, follow the old stencils."""
    before = states(seen)
    results = run(seen, folder(grown))

    assert len(results) > PAGES / 2
    assert not drift_of(seen).drifted
    assert states(seen)[StencilState.RETIRED] == 0
    assert before[StencilState.TEACHING] <= states(seen)[StencilState.TEACHING]


def test_a_redesign_that_came_in_two_runs_is_noticed(seen: SqlStore, new: DemoSite) -> None:
    """A run that was stopped is taken together with the one that went on."""
    stopped = Pipeline(seen, StackRenderer(), SOON).run(folder(new))
    for _ in range(25):
        next(stopped)
    stopped.close()
    run(seen, folder(new))

    found = drift_of(seen)
    assert (found.drifted, found.lately.runs) == (True, 2)


def article(words: str) -> bytes:
    return (
        f"<body><h1>{words}</h1><div><p>{words} again</p></div><footer>Fine print</footer>".encode()
    )


def listing(words: str) -> bytes:
    rows = "".join(f"<tr><td>{words} {row}</td></tr>" for row in range(3))
    return f"<body><table>{rows}</table><form><input></form>".encode()


def test_a_page_learned_again_replaces_its_stencil(store: SqlStore) -> None:
    """The older stencil is kept and listed, but teaches no more, also after a restart."""
    url = "http://a.example/1"
    (first,) = run(store, MemorySource({url: article("One")}), PAPER)
    (second,) = run(store, MemorySource({url: listing("One")}), PAPER)

    assert (first.status, second.status) == (Status.LEARNED, Status.LEARNED)
    teaching = store.stencils("a.example", PAPER.learner)
    assert [stencil.key for stencil in teaching] == [second.stencil]
    assert [(one.key, one.state) for one in store.stencils.all()] == [
        (first.stencil, "replaced"),
        (second.stencil, "teaching"),
    ]


def test_a_replaced_stencil_is_not_hit_by_the_job_that_replaced_it(store: SqlStore) -> None:
    """A running job knows what one that goes on would know."""
    pipeline = Pipeline(store, StackRenderer(), PAPER)
    visits = (("1", article("One")), ("1", listing("One")), ("2", article("Two")))
    statuses = [
        pipeline.process(RawPage(f"http://a.example/{name}", body)).status for name, body in visits
    ]

    assert statuses == [Status.LEARNED, Status.LEARNED, Status.LEARNED]
    assert states(store) == {"replaced": 1, "teaching": 2}


def test_a_result_tells_the_version_it_was_made_with(store: SqlStore) -> None:
    """The number of stencils learned of its site until then, kept over runs."""
    pages = {
        "http://a.example/1": article("One"),
        "http://a.example/2": article("Two"),
        "http://a.example/list": listing("Row"),
    }
    first = run(store, MemorySource(pages), PAPER)
    second = run(store, MemorySource({"http://a.example/3": article("Three")}), PAPER)

    assert [result.version for result in first + second] == [1, 1, 2, 2]
    assert store.runs.versions(PAPER.learner, Status.HIT) == {
        "http://a.example/2": 1,
        "http://a.example/3": 2,
    }


def test_upgrading_does_hits_of_older_versions_again(store: SqlStore) -> None:
    """Only these, and each once."""
    pages = {
        "http://a.example/1": article("One"),
        "http://a.example/2": article("Two"),
        "http://a.example/list": listing("Row"),
        "http://a.example/3": article("Three"),
    }
    run(store, MemorySource(pages), PAPER)
    upgrade = replace(PAPER, upgrade=True)
    runs = [run(store, MemorySource(pages), upgrade) for _ in range(2)]

    assert [[(one.url, one.version) for one in results] for results in runs] == [
        [("http://a.example/2", 2)],
        [],
    ]


def test_a_stencil_tells_why_it_was_learned(store: SqlStore) -> None:
    """The reason of the moment is kept with it."""
    pages = {
        "http://a.example/1": article("One"),
        "http://a.example/list": listing("Row"),
        "http://a.example/story": article("Two").replace(b"</div>", b"</div>" + ASIDE),
    }
    results = run(store, MemorySource(pages), PAPER)

    first = str(results[0].stencil)
    found = [
        store.runs.history(str(result.stencil)).why.replace(first, "the first")
        for result in results
    ]
    far = "distance 0.nnn above 0.4"
    assert [re.sub(r"0\.\d\d\d", "0.nnn", why) for why in found] == [FIRST, far, far]


def test_a_stencil_has_a_history(store: SqlStore) -> None:
    """When it was learned and last used, by the clock that the pipeline was given."""
    now = daily()
    pages = {"http://a.example/1": article("One"), "http://a.example/2": article("Two")}
    learned, hit = run(store, MemorySource(pages), PAPER, now)
    run(store, MemorySource(pages), PAPER, now)

    assert store.runs.history(str(learned.stencil)) == StencilHistory(
        state=StencilState.TEACHING,
        why="first page of the site",
        learned="2025-03-28T06:00:00+00:00",
        used="2025-03-29T06:00:00+00:00",
        hits=1,
        confidence=hit.confidence,
    )
    assert [
        (one.hits, one.learned, one.known, one.unchanged) for one in store.runs.past().runs
    ] == [
        (1, 1, 0, 0),
        (0, 0, 0, 2),
    ]


def save_run(store: SqlStore, hits: int, key: str, *, learn: bool = False, day: int = 0) -> int:
    """Save a run in which a stencil was hit, and perhaps learned."""
    number = store.runs.begin(VIPS, FIRST_DAY + timedelta(days=day))
    if learn:
        page = result_of(f"of-{key}", Status.LEARNED, stencil=key)
        store.save(VIPS, [Done(page, b"d", stencil_of(key), "because")], number)
    for page in range(hits):
        store.save(VIPS, [Done(result_of(f"{number}-{page}", stencil=key), b"d")], number)
    return number


def test_a_stencil_is_retired_after_a_while_without_hits(store: SqlStore) -> None:
    """Enough pages of its site were done since, and another stencil was learned."""
    save_run(store, 5, "a", learn=True)
    few = save_run(store, 8, "b", learn=True)
    assert store.runs.end(few, set(), 10) == ()

    enough = save_run(store, 1, "b")

    assert store.runs.end(enough, set(), 10) == ("a",)
    assert store.stencils.all()[0].state == StencilState.RETIRED
    assert store.stencils(SITE, VIPS) == (stencil_of("b"),)
    assert store.stencils.news(SITE, VIPS).version == 2


def test_a_stencil_is_not_retired_while_nothing_else_is_learned(store: SqlStore) -> None:
    """A run may have met none of its pages by chance."""
    save_run(store, 1, "a", learn=True)
    save_run(store, 1, "b", learn=True)
    save_run(store, 1, "a")
    last = save_run(store, 50, "b")

    assert store.runs.end(last, set(), 10) == ()


def test_a_stencil_is_not_retired_while_its_pages_stay_as_they_are(store: SqlStore) -> None:
    """A page met unchanged still follows its stencil, though it is not done again."""
    save_run(store, 0, "a", learn=True)
    last = save_run(store, 50, "b", learn=True)

    assert store.runs.end(last, {"https://example.org/of-a"}, 10) == ()


Row = dict[str, str | int | float]


def use(number: int, stencil: str, sure: float = 0.95, **counts: int) -> Row:
    """Write what a stencil did in a run as the store has it."""
    counted = {"hits": 0, "learned": 0, "known": 0, "unchanged": 0} | counts
    confidence = sure * counted["hits"]
    return {"run": number, "name": stencil, "site": SITE, "confidence": confidence, **counted}


def past_of(store: SqlStore, *uses: Row) -> Past:
    """Let stencils have done this, a run a day."""
    for day in range(3):
        store.runs.begin(VIPS, FIRST_DAY + timedelta(days=day))
    with store.database.writing("use stencils") as db:
        db.execute(sa.insert(tables.use), list(uses))
        db.execute(sa.update(tables.run).values(whole=1))
    return store.runs.past()


BEFORE = use(1, "a", hits=99, learned=1)


@pytest.mark.parametrize(
    ("lately", "drifted"),
    [
        ([use(2, "a", hits=20, known=20), use(2, "b", hits=19, learned=1, known=20)], True),
        ([use(2, "a", hits=21, known=21), use(2, "b", hits=18, learned=1, known=19)], False),
        ([use(2, "a", unchanged=21), use(2, "b", hits=18, learned=1, known=19)], False),
        ([use(2, "a", hits=2), use(2, "b", hits=17, learned=1)], True),
        ([use(2, "a", hits=3), use(2, "b", hits=17, learned=1)], False),
        ([use(2, "a", hits=39, learned=1, known=40)], False),
        ([use(2, "b", hits=10, learned=1)], False),
        ([use(2, "b", hits=9, learned=1), use(3, "b", hits=10)], True),
        ([use(2, "a", 0.91, hits=40, known=40)], True),
        ([use(2, "a", 0.93, hits=40, known=40)], False),
    ],
    ids=[
        "half of the known pages follow a new stencil",
        "less than half",
        "less than half, the others unchanged",
        "nearly all of the new pages follow a new stencil",
        "some new pages follow an old one",
        "an old stencil is learned again",
        "too few pages to tell",
        "enough pages in two runs",
        "hits are less sure",
        "hits are a little less sure",
    ],
)
def test_drift_is_judged_by_the_stencils_that_pages_follow(
    store: SqlStore, lately: list[Row], drifted: bool
) -> None:
    """What counts is whether pages follow stencils that were known before."""
    (found,) = compare(past_of(store, BEFORE, *lately), [])

    assert found.drifted is drifted


def test_the_time_to_compare_with_can_be_given(store: SqlStore) -> None:
    """All runs since then are taken together."""
    late = use(2, "b", hits=29, learned=1, known=30), use(3, "b", hits=30, known=30)
    past = past_of(store, BEFORE, *late)
    ended = StencilSummary("a", SITE, VIPS, "", 1, 1, 99, 100, StencilState.RETIRED, ended=2)
    (newest,) = compare(past, [ended])
    (since,) = compare(past, [ended], since="2025-03-29")

    assert (newest.drifted, newest.retired, newest.lately.runs) == (False, 0, 1)
    assert (since.drifted, since.retired, since.lately.runs) == (True, 1, 2)


def test_the_command_tells_a_cron_job_by_its_exit_code(
    seen: SqlStore, tmp_path: Path, new: DemoSite
) -> None:
    """0 while sites are as they were, 1 when one has drifted; words or JSON."""
    asked = ["sites", "drift", "--store", str(tmp_path / "seen.db")]
    before = CliRunner().invoke(main, asked)
    run(seen, folder(new))
    after = CliRunner().invoke(main, asked)
    as_json = CliRunner().invoke(main, [*asked, "--json"])
    answers = [
        (told.exit_code, told.output.splitlines()[-1].split(": ")[:2]) for told in (before, after)
    ]

    assert answers == [
        (0, ["demo.example", "nothing to compare with yet"]),
        (1, ["demo.example", "redesigned"]),
    ]
    assert as_json.exit_code == 1
    assert [(site["site"], site["drifted"]) for site in json.loads(as_json.output)] == [
        ("demo.example", True)
    ]


@pytest.mark.parametrize("arguments", [[], ["--since", "soon"], ["--json"]])
def test_drift_that_cannot_be_told_is_no_drift(arguments: list[str], tmp_path: Path) -> None:
    """A cron job sees by the exit code 2 that something else is wrong."""
    asked = ["sites", "drift", "--store", str(tmp_path / "none.db"), *arguments]

    assert CliRunner().invoke(main, asked).exit_code == 2


def test_lists_and_details_show_the_life_of_a_stencil(tmp_path: Path) -> None:
    """`stencils list` has the state, `stencils show` the reason, the times and the hits."""
    path = tmp_path / "s.db"
    with open_store(path) as store:
        pages = {"http://a.example/1": article("One"), "http://a.example/2": article("Two")}
        learned, _ = run(store, MemorySource(pages), PAPER)
    shown = CliRunner().invoke(
        main, ["stencils", "show", str(learned.stencil), "--store", str(path)]
    )
    listed = CliRunner().invoke(main, ["stencils", "list", "--store", str(path)])

    assert "because: first page of the site" in shown.output
    assert "learned in the run of 2025-03-28 06:00 UTC" in shown.output
    assert "teaching, 1 hits, mean confidence 1.000" in shown.output
    assert re.search(r"teaching +http://a\.example/1 +paper VIPS *\n", listed.output)


def test_lists_and_details_are_told_to_programs(tmp_path: Path) -> None:
    """The same as the tables tell people, as JSON; an empty store is an empty list."""
    path = tmp_path / "s.db"
    with open_store(path) as store:
        empty = json.loads(stencils("list", "--store", path, "--json"))
        pages = {"http://a.example/1": article("One"), "http://a.example/2": article("Two")}
        run(store, MemorySource(pages), PAPER)
        (kept,) = store.stencils.all()
        stencil = store.stencils.keyed(kept.key)
    (listed,) = json.loads(stencils("list", "--store", path, "--json"))
    shown = json.loads(stencils("show", kept.key, "--store", path, "--json"))
    areas = shown.pop("areas")

    assert empty == []
    assert [area["attributes"] for area in areas] == [
        dict(area.attributes) for area in stencil.areas
    ]
    assert listed == {
        "key": kept.key,
        "site": "a.example",
        "made_by": PAPER.learner,
        "made_from": "http://a.example/1",
        "areas": len(stencil.areas),
        "nodes": len(stencil.tree),
        "hits": 1,
        "pages": 2,
        "state": "teaching",
        "ended": 0,
    }
    assert shown == {
        "key": kept.key,
        "site": "a.example",
        "made_by": PAPER.learner,
        "made_from": "http://a.example/1",
        "state": "teaching",
        "why": FIRST,
        "learned": "2025-03-28T06:00:00+00:00",
        "used": "2025-03-28T06:00:00+00:00",
        "hits": 1,
        "confidence": 1.0,
    }
    assert [(area["id"], area["rect"]["bottom"], area["nodes"]) for area in areas] == [
        (number, area.rect.bottom, len(area.nodes)) for number, area in enumerate(stencil.areas)
    ]
    assert areas[0]["parent"] is None


def stencils(*arguments: str | Path) -> str:
    """Return what a `stencils` command prints."""
    told = CliRunner().invoke(main, ["stencils", *map(str, arguments)], catch_exceptions=False)
    return told.stdout


def test_lists_name_settings_that_are_not_the_usual_ones() -> None:
    """All of them would fill the screen."""
    assert learner_words(Settings().learner) == "default VIPS"
    ours = Settings(VIPS_SEGMENTER(pdoc=9), Mode.PAPER)
    assert learner_words(ours.learner) == "paper VIPS(preset default, pdoc=9)"
    assert learner_words("default Older(pdoc=7, gone=1.0)") == "default Older(pdoc=7, gone=1.0)"


def test_pages_until_a_stencil_is_retired_must_be_a_number() -> None:
    """None at all would retire every stencil at once."""
    with pytest.raises(SettingsError, match="retire_after must be 1 or more, not 0"):
        Settings(retire_after=0)
