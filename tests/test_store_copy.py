"""A store is copied as it is, between databases of any kind, whole or not at all."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from store_values import VIPS, numbered_page, result_of, rows

from webstencil.cli.main import main
from webstencil.geometry import Rect
from webstencil.model import RawPage, Snapshot, Viewport
from webstencil.protocols import Done
from webstencil.site.outline import EMPTY_OUTLINE, OutlinedPage
from webstencil.site.plan import RenderedWitness
from webstencil.site.site_model import SurveyedPage
from webstencil.site.slots import DrawnTemplate
from webstencil.store import open_store

NOT_COPIED = {"claim", "webstencil_schema"}
PAGES = 500  # more than are read at once


def witness_of(url: str) -> RenderedWitness:
    """Make a rendered page."""
    whole = Rect(0.0, 0.0, 10.0, 10.0)
    return RenderedWitness(url, b"<p>x", None, b"d", Snapshot(url, Viewport(), whole, (), True), ())


@pytest.fixture
def full(new_place: Callable[[], str]) -> str:
    """Make a store with something in each of its tables."""
    place = new_place()
    with open_store(place) as store:
        run = store.runs.begin(VIPS, datetime(2026, 1, 1, tzinfo=UTC))
        store.save(VIPS, [numbered_page(number) for number in range(PAGES)], run)
        store.save(VIPS, [numbered_page(3)], run)  # the numbers have a gap
        store.runs.end(run, frozenset(), 10)
        store.blobs.keep("content", "example.org", b"\x00texts")
        told = SurveyedPage(OutlinedPage("https://example.org/0", EMPTY_OUTLINE, b"d"))
        raw = RawPage("https://example.org/0", b"<p>x")
        store.save(VIPS, [replace(numbered_page(0), surveyed=told, waiting=raw)], run)
        store.templates.draw(VIPS, "example.org", [DrawnTemplate(1)])
        store.witnesses.save(VIPS, witness_of("https://example.org/0"))
    return place


def copied(source: str | Path, target: str | Path) -> str:
    """Copy a store by the command; return what it says."""
    told = CliRunner().invoke(main, ["store", "copy", str(source), str(target)])
    return told.stdout if told.exit_code == 0 else f"{told.exit_code}: {told.stderr}"


def contents(place: str | Path, tables: list[str]) -> dict[str, list[tuple[object, ...]]]:
    return {name: sorted(rows(place, f"SELECT * FROM {name}"), key=repr) for name in tables}


@pytest.fixture
def tables(tmp_path: Path) -> list[str]:
    """Name what there is to copy in any store."""
    path = tmp_path / "empty.db"
    open_store(path).close()
    names = rows(path, "SELECT name FROM sqlite_master WHERE type = 'table'")
    return sorted({str(name) for (name,) in names} - NOT_COPIED)


def test_a_copy_has_all_that_the_store_has(
    full: str, new_place: Callable[[], str], tmp_path: Path, tables: list[str]
) -> None:
    """From any kind to a file and back to that kind: each row of each table."""
    back = new_place()
    said = copied(full, tmp_path / "file.db")
    copied(tmp_path / "file.db", back)

    kept = contents(full, tables)
    assert contents(tmp_path / "file.db", tables) == kept
    assert contents(back, tables) == kept
    assert all(kept.values())
    assert said.startswith(f"Copied {sum(map(len, kept.values())):,} rows from ")


def test_a_job_goes_on_with_a_copy(full: str, new_place: Callable[[], str]) -> None:
    """What is learned and done next comes after what was."""
    back = new_place()
    copied(full, back)
    with open_store(back) as store:
        known = store.stencils.news("example.org", VIPS)
        store.save(VIPS, [numbered_page(PAGES + 1), Done(result_of("last"), b"d")])
        store.save("another", [Done(result_of("x"), b"d")])

        assert [result.url for result in store.results(VIPS)][-1] == "https://example.org/last"
        now = store.stencils.news("example.org", VIPS)
        assert now.version == known.version + 1
        assert now.stencils[:-1] == known.stencils


def test_a_store_that_has_something_is_not_copied_into(full: str, tmp_path: Path) -> None:
    """It stays as it is, also if it is the one to be copied."""
    with open_store(tmp_path / "other.db") as store:
        store.blobs.keep("content", "example.org", b"own")
    said = copied(full, tmp_path / "other.db"), copied(full, full)

    assert all("is not empty: name a store that does not exist yet" in words for words in said)
    with open_store(tmp_path / "other.db") as store:
        assert (store.tables.size(), store.blobs.kept("content", "example.org")) == (1, b"own")


def test_a_copy_that_is_stopped_leaves_nothing(full: str, new_place: Callable[[], str]) -> None:
    """So it can be made again."""
    place = new_place()
    with open_store(full) as source, open_store(place) as target:
        parts = target.tables.fill(source.tables.rows())
        begun = [next(parts), next(parts)]
        parts.close()

        assert min(begun) > 0
        assert target.tables.size() == 0
        assert (
            sum(target.tables.fill(source.tables.rows()))
            == target.tables.size()
            == source.tables.size()
        )


def test_there_must_be_something_to_copy(tmp_path: Path) -> None:
    """No store is made for nothing."""
    said = copied(tmp_path / "none.db", tmp_path / "new.db")

    assert said.startswith("2: Error: there is no store ")
    assert list(tmp_path.iterdir()) == []


def test_what_is_read_is_of_one_moment(full: str) -> None:
    """Whatever a job saves meanwhile."""
    with open_store(full) as store:
        reading = store.tables.rows()
        parts = [next(reading)]
        total = store.tables.size()
        store.save(VIPS, [Done(result_of("new"), b"d")])
        parts += reading

    assert sum(len(part.values) for part in parts) == total
