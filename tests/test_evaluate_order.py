"""Surveys and areas in several orders: the same bytes, and a difference is noticed."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from webstencil.cli.main import main
from webstencil.evaluate.orders import (
    AS_LISTED,
    AreaDigests,
    InOrder,
    OrderedJobs,
    OrderedSite,
    OrderRow,
    SurveyDigests,
    areas_in_orders,
    by_one,
    compared_orders,
    in_one_process,
    show_orders,
    surveys_in_orders,
)
from webstencil.evaluate.site_pages import Excerpt
from webstencil.model import RawPage
from webstencil.sources import SourcePart
from webstencil.testing import MemorySource, StackRenderer

POST = "<html><body><article class=post><h1>{0}</h1><p>post {0}</p></article></body></html>"
LIST = "<html><body><section class=list><ul><li>entry {0}</li></ul></section></body></html>"
PAGES = {
    **{f"http://a.example/post{n}": POST.format(n).encode() for n in range(12)},
    **{f"http://a.example/list{n}": LIST.format(n).encode() for n in range(12)},
    "http://b.example/": POST.encode(),
}
FOUND = SurveyDigests(2, "model", "templates", "numbers", "plan")
AREAS = AreaDigests(2, "areas", "results")


class OneWorkerSource(MemorySource):
    """Has a page less for several workers than for one reader."""

    def pages_of(self, part: SourcePart) -> Iterator[RawPage]:
        for page in list(self.pages())[: -1 if part.of > 1 else None]:
            if part.has(page.url):
                yield page


def test_surveys_are_the_same_in_any_order_and_with_workers() -> None:
    """Whichever page comes first, whoever reads it."""
    surveys = list(surveys_in_orders(MemorySource(PAGES), shuffles=3, workers=(2,)))
    first, second = compared_orders(surveys, SurveyDigests())

    assert [one.order for one in surveys] == [
        AS_LISTED,
        *("shuffle 1", "shuffle 2", "shuffle 3", "2 workers"),
    ]
    assert (first.site, first.found.pages, first.differences) == ("a.example", 24, ())
    assert (second.site, second.found.pages, second.differences) == ("b.example", 1, ())


def test_a_page_that_workers_lose_is_noticed() -> None:
    """A check that cannot fail would promise nothing."""
    pages = {url: body for url, body in PAGES.items() if "a.example" in url}
    source = OneWorkerSource(pages)
    surveys = list(surveys_in_orders(source, shuffles=1, workers=(2,)))
    (row,) = compared_orders(surveys, SurveyDigests())

    assert {"pages (2 workers)", "model (2 workers)", "numbers (2 workers)"} <= set(row.differences)
    assert not any("shuffle" in one for one in row.differences)


def test_each_digest_stands_for_its_part() -> None:
    """A page that says something else changes the model and not the templates of its site."""
    changed = {**PAGES, "http://a.example/post3": POST.format("other words").encode()}
    one, other = (
        in_one_process(MemorySource(pages).pages())["a.example"] for pages in (PAGES, changed)
    )

    assert one.differences(one) == ()
    assert "model" in one.differences(other)
    assert "numbers" not in one.differences(other)


def test_a_site_that_one_order_does_not_find_is_a_difference() -> None:
    """Neither is silently left out."""
    surveys = [
        InOrder(AS_LISTED, {"a": FOUND}),
        InOrder("shuffle 1", {"a": FOUND, "b": FOUND}),
    ]
    rows = {row.site: row for row in compared_orders(surveys, SurveyDigests())}

    assert rows["a"].differences == ()
    assert "plan (shuffle 1)" in rows["b"].differences


def test_a_difference_is_an_exit_code() -> None:
    """For scripts that run the check."""
    equal = OrderRow("a", (AS_LISTED, "shuffle 1"), FOUND, ())
    different = OrderRow("b", (AS_LISTED, "shuffle 1"), FOUND, ("plan (shuffle 1)",))
    same = OrderRow("a", (AS_LISTED, "shuffle 1"), AREAS, ())
    other = OrderRow("a", (AS_LISTED, "shuffle 1"), AREAS, ("results (shuffle 1)",))

    assert show_orders([OrderedSite(equal, None), OrderedSite(equal, same)]).holds
    for one in (OrderedSite(different, same), OrderedSite(equal, other)):
        assert not show_orders([OrderedSite(equal, same), one]).holds


def test_areas_are_the_same_in_any_order_and_with_workers() -> None:
    """Of each site: what is decided, and all results."""
    jobs = list(
        areas_in_orders(
            MemorySource(PAGES), OrderedJobs(StackRenderer()), shuffles=2, workers=(1, 2)
        )
    )
    first, second = compared_orders(jobs, AreaDigests())

    assert first.orders == (AS_LISTED, "shuffle 1", "shuffle 2", "1 workers", "2 workers")
    assert (first.site, first.found.pages, first.differences) == ("a.example", 24, ())
    assert (second.site, second.found.pages, second.differences) == ("b.example", 1, ())


def test_other_texts_are_other_results_with_the_same_areas() -> None:
    """Each hash stands for its part; a site that one job lacks is a difference."""
    source = MemorySource(PAGES)
    pages = [page for page in source.pages() if "a.example" in page.url]
    hits = [page for page in pages if "post" in page.url]
    changed = replace(hits[-1], body=POST.format("xyz").encode())
    both = [Excerpt.of(some, source) for some in (pages, [*pages[:11], changed, *pages[12:]])]
    one, other = (by_one(some, OrderedJobs(StackRenderer())) for some in both)
    rows = compared_orders([InOrder(AS_LISTED, one), InOrder("shuffle 1", {})], AreaDigests())

    assert "results" in one["a.example"].differences(other["a.example"])
    assert one["a.example"].differences(one["a.example"]) == ()
    assert [row.differences for row in rows] == [
        ("pages (shuffle 1)", "areas (shuffle 1)", "results (shuffle 1)")
    ]


def test_the_command_prints_what_it_found(tmp_path: Path) -> None:
    """A row for each site; JSON has the hashes, to compare machines by them."""
    for number in range(12):
        (tmp_path / f"{number}.html").write_text((POST, LIST)[number % 2].format(number))
    command = ["evaluate", "order", str(tmp_path), "--shuffles", "1", "--workers", "1"]
    command += ["--areas", "0"]
    table = CliRunner().invoke(main, command)
    written = CliRunner().invoke(main, [*command, "--json"])

    rows = [line.split() for line in table.stdout.splitlines()]
    assert rows[0][:4] == ["site", "pages", "orders", "surveys"]
    assert rows[1:] == [[tmp_path.name, "12", "3", "equal", "0", "-"]]
    (row,) = json.loads(written.stdout)
    assert (row["orders"], row["areas"]) == ([AS_LISTED, "shuffle 1", "1 workers"], None)
    assert len(row["found"]["plan"]) == 32
    assert (table.exit_code, written.exit_code) == (0, 0)


@pytest.mark.browser
def test_the_command_compares_areas_of_the_first_pages(tmp_path: Path) -> None:
    """With renderings of their own each time."""
    for number in range(6):
        (tmp_path / f"{number}.html").write_text(POST.format(number))
    command = ["evaluate", "order", str(tmp_path), "--shuffles", "1", "--workers", "2"]
    done = CliRunner().invoke(main, [*command, "--areas", "4", "--json"])

    (row,) = json.loads(done.stdout)
    assert (row["areas"]["found"]["pages"], row["areas"]["differences"]) == (4, [])
    assert done.exit_code == 0


def test_a_folder_without_pages_is_refused(tmp_path: Path) -> None:
    """Nothing is equal to nothing."""
    done = CliRunner().invoke(main, ["evaluate", "order", str(tmp_path), "--workers", "1"])

    assert done.exit_code != 0
    assert f"there is no page in {tmp_path.name}" in str(done.exception) + done.output
