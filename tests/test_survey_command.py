"""`webstencil survey`: the templates of a source and the plan of its renderings, for users."""

import csv
import io
import json
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from made_site import HOST, post, site_pages
from warcs import record

from webstencil.cli import screen
from webstencil.cli.main import main
from webstencil.sources.opening import REPEATED_PAGE
from webstencil.store import open_store

START = f"http://{HOST}"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["survey", *map(str, arguments)])


def facts(*arguments: str | Path) -> list[dict]:  # type: ignore[type-arg]  # JSON
    told = run(*arguments, "--json")
    assert told.exit_code == 0, told.output
    found: list[dict] = json.loads(told.stdout)  # type: ignore[type-arg]  # the same
    return found


def written(folder: Path, number: int, site: str = HOST) -> Path:
    """Write the pages of a site into a folder named after it."""
    for url, body in site_pages(number, site).items():
        path = folder / site / "/".join(url.split("/")[3:])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return folder / site


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    return written(tmp_path, 30)


def test_tables_tell_templates_and_plan(mirror: Path) -> None:
    """What they are, where, how many; which pages to render, and what that covers."""
    told = run(mirror)

    lines = [" ".join(line.split()) for line in told.stdout.splitlines() if line]
    assert told.exit_code == 0, told.output
    assert lines[0].startswith(f"{HOST}: 30 pages, 3 templates, ")
    assert lines[1] == "template pages type typical page what tells it apart"
    assert {" ".join(line.split()[:3]) for line in lines[2:5]} == {
        "article: /posts/….html 10",
        "category: /categories/….html 10",
        "product: /shop/….html 10",
    }
    assert lines[5].startswith("plan: ")
    assert " pages stay in doubt" in lines[5]
    assert lines[6] == "render page gain text covered"
    assert lines[7].startswith(f"1 {START}/")


def test_pages_that_fit_nowhere_are_told_with_an_example(mirror: Path) -> None:
    """By reason."""
    (mirror / "empty.html").write_text("<body></body>")
    (mirror / "posts" / "copy.html").write_bytes(post(0))
    told = run(mirror)

    lines = [" ".join(line.split()) for line in told.stdout.splitlines()]
    assert "fits nowhere pages example" in lines
    assert f"empty 1 {START}/empty.html" in lines
    assert [line for line in lines if line.startswith(f"copy 1 {START}/posts/")]


def test_a_program_gets_all(mirror: Path) -> None:
    """All pages of each template, the whole plan, and the misfits."""
    (mirror / "empty.html").write_text("<body></body>")
    (found,) = facts(mirror)

    urls = sorted(url for one in found["templates"] for url in one["urls"])
    plan = found["plan"]
    assert urls == sorted(site_pages(30))
    assert [one["pages"] for one in found["templates"]] == [10, 10, 10]
    assert {one["number"] for one in found["templates"]} == {1, 2, 3}
    assert all(one["typical"] in one["urls"] for one in found["templates"])
    assert (found["site"], found["pages"], found["sampled"]) == (HOST, 31, 31)
    assert plan["renderings"] == len(plan["pages"]) > 0
    assert plan["covered"] == plan["pages"][-1]["covered"] > 0.9
    assert found["misfits"] == [
        {"reason": "empty", "pages": 1, "examples": [f"{START}/empty.html"]}
    ]


def test_json_is_a_format_like_others(mirror: Path) -> None:
    """The same by both options."""
    assert json.loads(run(mirror, "--format", "json").stdout) == facts(mirror)


def test_a_sheet_gets_a_row_for_each_template(tmp_path: Path) -> None:
    """Of all sites."""
    written(tmp_path, 30)
    written(tmp_path, 12, "other.example")
    told = run(tmp_path, "--format", "csv")

    rows = list(csv.DictReader(io.StringIO(told.stdout)))
    assert told.exit_code == 0, told.output
    assert list(rows[0]) == ["site", "number", "template", "pages", "typical page", "type"]
    assert [(row["site"], row["pages"]) for row in rows] == [
        *[(HOST, "10")] * 3,
        *[("other.example", "4")] * 3,
    ]
    assert {row["template"] for row in rows if row["site"] == HOST} == {
        "article: /posts/….html",
        "category: /categories/….html",
        "product: /shop/….html",
    }


@pytest.mark.parametrize("budget", [0, 2])
def test_a_budget_ends_the_plan(mirror: Path, budget: int) -> None:
    """With the best pages; what they do not cover is left in doubt."""
    (cut,), (whole,) = facts(mirror, "--budget", str(budget)), facts(mirror)
    told = run(mirror, "--budget", str(budget))

    assert cut["plan"]["pages"] == whole["plan"]["pages"][:budget]
    assert len(cut["plan"]["doubtful"]) >= len(whole["plan"]["doubtful"])
    assert f"plan: {budget} renderings" in told.stdout
    if not budget:
        assert cut["plan"]["covered"] == 0.0
        assert set(cut["plan"]["doubtful"]) == set(site_pages(30))


def test_a_negative_budget_is_refused(mirror: Path) -> None:
    """With the range."""
    told = run(mirror, "--budget", "-1")

    assert told.exit_code == 2
    assert "-1 is not in the range x>=0" in told.output


def test_a_long_plan_is_shown_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table says how many more there are."""
    monkeypatch.setattr("webstencil.cli.survey_commands.SHOWN", 1)
    mirror = written(tmp_path, 30)
    number = facts(mirror)[0]["plan"]["renderings"]
    told = run(mirror)

    assert f"and {number - 1} more (--json lists all)" in told.stdout


def test_a_store_is_kept_and_used_again(mirror: Path, tmp_path: Path) -> None:
    """A site that grows keeps numbers and names; pages of other sites in it are not told."""
    store = tmp_path / "s.db"
    other = written(tmp_path / "more", 12, "other.example")
    run(other, "--store", store)
    (first,) = facts(mirror, "--store", store)
    (mirror / "shop" / "more").mkdir()
    for url, body in site_pages(90).items():
        (mirror / "/".join(url.split("/")[3:])).write_bytes(body)
    (second,) = facts(mirror, "--store", store)
    with open_store(store) as opened:
        sites = [(count.site, count.pages, count.undecided) for count in opened.outlines.sites()]

    assert sites == [(HOST, 90, 0), ("other.example", 12, 0)]
    assert (first["pages"], second["pages"]) == (30, 90)
    assert {one["number"]: one["name"] for one in first["templates"]} == {
        one["number"]: one["name"] for one in second["templates"]
    }


def test_without_a_store_nothing_stays(
    mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither among the pages, nor in the working folder, nor where temporary files are."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = sorted(tmp_path.rglob("*"))
    told = run(mirror)

    assert told.exit_code == 0, told.output
    assert sorted(tmp_path.rglob("*")) == before


def test_an_archive_tells_the_same_as_a_folder(mirror: Path, tmp_path: Path) -> None:
    """If its pages have the same URLs."""
    archive = tmp_path / "a.warc"
    archive.write_bytes(b"".join(record(url, body) for url, body in site_pages(30).items()))

    assert facts(archive) == facts(mirror) == facts(mirror, "--base-url", START)


def test_a_page_to_look_at_is_written(mirror: Path, tmp_path: Path) -> None:
    """With what the terminal shows, besides it."""
    page = tmp_path / "survey.html"
    told = run(mirror, "--html", page)

    html = page.read_text()
    assert told.exit_code == 0, told.output
    assert told.stdout == run(mirror).stdout
    assert html.lower().startswith("<!doctype html>")
    assert "/categories/….html" in html
    assert f"{START}/shop/" in html


@pytest.mark.parametrize("files", [{}, {"notes.md": b"# none"}])
def test_a_source_without_pages_is_refused(tmp_path: Path, files: dict[str, bytes]) -> None:
    """With what counts as a page."""
    for name, body in files.items():
        (tmp_path / name).write_bytes(body)
    told = run(tmp_path)

    assert told.exit_code != 0
    assert told.stdout == ""
    assert told.stderr.startswith(f"Error: there is no page in {tmp_path}; pages are files named ")


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    """By its name."""
    told = run(tmp_path / "nowhere")

    assert told.exit_code != 0
    assert told.stderr.startswith(f"Error: {tmp_path / 'nowhere'} does not exist; ")


def test_bad_files_are_told(mirror: Path) -> None:
    """Counted by reason, with the first of each; the others are surveyed."""
    (mirror / "a.html").write_bytes(b"")
    (mirror / "b.html").write_bytes(b"%PDF-1.7")
    (mirror / "c.html").write_bytes(b"%PDF-1.7")
    told = run(mirror)

    said = [" ".join(line.split()) for line in told.stderr.splitlines()]
    assert told.exit_code == 0
    assert said[0] == "why pages failed pages first"
    assert set(said[1:]) == {
        f"parse: is empty (N bytes) 1 {START}/a.html is empty (0 bytes); nothing to segment",
        f"parse: is a PDF file, not an HTML page 2 {START}/b.html is a PDF file, not an HTML page; "
        "leave it out",
    }
    assert told.stdout.startswith(f"{HOST}: 30 pages, 3 templates, ")


def test_a_source_of_bad_files_is_refused(tmp_path: Path) -> None:
    """After they were told."""
    (tmp_path / "a.html").write_bytes(b"")
    told = run(tmp_path, "--json")

    assert told.exit_code != 0
    assert told.stdout == ""
    assert "is empty (0 bytes)" in told.stderr
    assert told.stderr.endswith("Error: no page has a result: 1 failed, see above\n")


def test_warnings_of_sources_are_told(mirror: Path) -> None:
    """As by other commands: a page that is named twice is surveyed once."""
    told = run(mirror, mirror)

    assert told.exit_code == 0
    assert REPEATED_PAGE in told.stderr
    assert told.stdout.startswith(f"{HOST}: 30 pages, 3 templates, ")


def test_long_surveys_tell_how_far_they_are(mirror: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not if a program reads the output."""
    monkeypatch.setattr(screen, "EVERY", -1.0)

    assert "30 pages surveyed of 30" in run(mirror).stderr
    assert run(mirror, "--json").stderr == ""


def test_a_damaged_store_is_told_in_a_sentence(mirror: Path, tmp_path: Path) -> None:
    """Instead of a traceback."""
    store = tmp_path / "s.db"
    store.write_bytes(b"no database" * 100)
    told = run(mirror, "--store", store)

    assert told.exit_code != 0
    assert told.stderr.startswith("Error: ")
    assert str(store) in told.stderr
