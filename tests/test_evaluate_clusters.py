"""Clusters against labels: the measures, the sets, the command."""

import json
import lzma
import random
from math import isclose, log
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from webstencil.cli.main import main
from webstencil.errors import SourceError
from webstencil.evaluate.partitions import (
    adjusted_information,
    adjusted_rand,
    expected_information,
    purity,
)
from webstencil.evaluate.template_clusters import (
    PAPER,
    ClusterRow,
    ClusterSettings,
    LabelledSet,
    mean_row,
    measure,
    read_sets,
)
from webstencil.model import RawPage

POST = "<html><body><article><h1>{0}</h1><p>{0}</p></article></body></html>"
LIST = "<html><body><ul><li><a href=x>{0}</a></li></ul><form><input></form></body></html>"
PARTITIONS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30)


def raw(name: str, html: str) -> RawPage:
    return RawPage(f"http://a.example/{name}", html.format(name).encode())


def test_equal_partitions_score_one_whatever_their_parts_are_called() -> None:
    """Names of clusters mean nothing; one part, or one each, is no special case."""
    for ones, others in (("aabbc", "22110"), ("aaa", "bbb"), ("abc", "123"), ("a", "b")):
        assert adjusted_rand(ones, others) == 1.0
        assert adjusted_information(ones, others) == 1.0
        assert purity(ones, others) == 1.0


def test_the_adjusted_rand_index_is_that_computed_by_hand() -> None:
    """Of aabb and aabc: 1 pair in both, 2 and 1 in each, 6 in all; (1 - 1/3) / (3/2 - 1/3)."""
    assert isclose(adjusted_rand("aabb", "aabc"), 4 / 7)
    assert isclose(adjusted_rand("aabb", "abab"), -0.5)


def test_the_adjusted_information_is_that_computed_by_hand() -> None:
    """Of aabb and abab: nothing shared; of all partitions of these sizes a third are equal."""
    expected = log(2) / 3

    assert isclose(expected_information([2, 2], [2, 2], 4), expected)
    assert isclose(adjusted_information("aabb", "abab"), (0 - expected) / (log(2) - expected))
    assert isclose(adjusted_information("aabb", "aabc"), 4 / 7)


def test_independent_partitions_score_about_nothing() -> None:
    """Both measures are adjusted for chance; purity is not."""
    lot = random.Random(1)
    ones = [lot.randrange(5) for _ in range(1000)]
    others = [lot.randrange(8) for _ in range(1000)]

    assert abs(adjusted_rand(ones, others)) < 0.01
    assert abs(adjusted_information(ones, others)) < 0.01
    assert 0.1 < purity(ones, others) < 0.25


def test_a_partition_without_information_scores_nothing() -> None:
    """All pages in one cluster, or each in its own, say nothing of two labels."""
    for clusters in ("aaaa", "abcd"):
        assert isclose(adjusted_rand(clusters, "xxyy"), 0.0, abs_tol=1e-9)
        assert isclose(adjusted_information(clusters, "xxyy"), 0.0, abs_tol=1e-9)


@given(PARTITIONS)
def test_measures_are_symmetric_and_at_most_one(pairs: list[tuple[int, int]]) -> None:
    """Neither side is the truth to them."""
    ones, others = zip(*pairs, strict=True)

    for score in (adjusted_rand, adjusted_information):
        assert isclose(score(ones, others), score(others, ones), abs_tol=1e-9)
        assert score(ones, others) <= 1.0 + 1e-9


def test_pages_join_the_nearest_first_page_or_open_a_cluster() -> None:
    """Two templates make two clusters; what is no HTML is counted, not clustered."""
    pages = [
        (raw("a", POST), "post"),
        (raw("b", LIST), "list"),
        (raw("c", POST), "post"),
        (raw("d", "plain text"), "post"),
        (raw("e", LIST), "post"),
    ]

    assert measure(LabelledSet("s", pages), ClusterSettings(PAPER)) == ClusterRow(
        name="s",
        pages=4,
        unreadable=1,
        labels=2,
        clusters=2,
        hit_ratio=0.5,
        ari=0.0,
        ari_at_once=0.0,
        ami=pytest.approx(adjusted_information("abab", "plpp")),
        purity=0.75,
    )


def test_an_empty_set_scores_without_a_fault() -> None:
    """Nothing is clustered alike."""
    assert measure(LabelledSet("s", []), ClusterSettings(PAPER)) == ClusterRow(
        "s", 0, 0, 0, 0, 0.0, 1, 1, 1, 1
    )


def test_labels_are_read_with_the_pages_beside_them(tmp_path: Path) -> None:
    """In the order of the table, redirects left out; a lost page comes with its fault."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.html").write_text(POST)
    table = tmp_path / "site.csv"
    table.write_text("path,label\ngone.html,list\na.html,post\nb.html,redirect\n")

    (known,) = read_sets(table)
    (gone, _), (page, label) = known.pages
    assert (known.name, gone.fault, page.body, label) == (
        "site",
        "No such file or directory",
        POST.encode(),
        "post",
    )


def write_rows(path: Path, *rows: dict[str, str]) -> Path:
    """Write a packed file of labelled pages."""
    with lzma.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def test_rows_are_pooled_by_vertical_or_set(tmp_path: Path) -> None:
    """A template is one site's; pages keep their bytes, which are not always UTF-8."""
    path = write_rows(
        tmp_path / "rows.jsonl.xz",
        {"set": "s", "site": "x", "id": "1", "vertical": "v", "html": "\xff"},
        {"set": "s", "site": "y", "id": "1", "vertical": "v", "html": "b"},
        {"set": "t", "site": "x", "id": "1", "template": "post", "html": "c"},
        {"set": "t", "site": "x", "id": "2", "template": "redirect", "html": "d"},
    )

    found = [
        (known.name, [(page.url, page.body, label) for page, label in known.pages])
        for known in read_sets(path)
    ]
    assert found == [
        ("rows v", [("http://x/1", b"\xff", "x"), ("http://y/1", b"b", "y")]),
        ("rows t", [("http://x/1", b"c", "x/post")]),
    ]


def test_files_that_hold_no_labelled_pages_are_refused(tmp_path: Path) -> None:
    """The message names the file and what is wrong with it."""
    broken = tmp_path / "a.jsonl.xz"
    broken.write_bytes(b"no archive")
    headless = tmp_path / "b.csv"
    headless.write_text("url,label\nx,post\n")
    (tmp_path / "b").mkdir()
    homeless = tmp_path / "c.csv"
    homeless.write_text("path,label\n")
    other = tmp_path / "d.txt"
    other.write_text("")

    for path in (broken, headless, homeless, other, tmp_path / "gone.csv"):
        with pytest.raises(SourceError, match=path.stem.split(".")[0]):
            [list(known.pages) for known in read_sets(path)]


def test_the_command_prints_a_table_or_json(tmp_path: Path) -> None:
    """Both hold the same rows and their mean."""
    rows = [
        {"set": "s", "site": "x", "id": str(n), "template": name, "html": html.format(n)}
        for n, (name, html) in enumerate([("post", POST), ("list", LIST), ("post", POST)])
    ]
    path = str(write_rows(tmp_path / "rows.jsonl.xz", *rows))
    table = CliRunner().invoke(main, ["evaluate", "clusters", path])
    written = CliRunner().invoke(main, ["evaluate", "clusters", path, "--json"])

    expected = ClusterRow("rows s", 3, 0, 2, 2, pytest.approx(1 / 3), 1.0, 1.0, 1.0, 1.0)
    found = json.loads(written.stdout)
    assert list(found) == ["default", "paper"]
    assert [ClusterRow(**row) for row in found["paper"]["rows"]] == [expected]
    assert found["paper"]["mean"] == {**found["paper"]["rows"][0], "name": "mean"}
    assert [line.split() for line in table.stdout.splitlines() if "rows s" in line][1] == [
        *("rows", "s", "3", "0", "2", "2", "0.333", "1.000", "1.000", "1.000", "1.000")
    ]


def test_the_default_mode_tells_templates_apart_in_any_order() -> None:
    """The order depends on the seed alone."""
    pages = [(raw(str(n), html), html) for n in range(10) for html in (POST, LIST)]
    rows = [measure(LabelledSet("s", pages), ClusterSettings(seed=seed)) for seed in (None, 1, 1)]

    assert [(row.clusters, row.ari, row.ari_at_once) for row in rows] == [(2, 1.0, 1.0)] * 3
    assert rows[1] == rows[2]


def test_the_mean_is_that_of_the_sets() -> None:
    """A large set counts no more than a small one."""
    rows = [
        ClusterRow("a", 100, 0, 2, 2, 1.0, 0.0, 0.0, 0.2, 0.5),
        ClusterRow("b", 10, 2, 4, 6, 0.5, 1.0, 0.5, 0.4, 1.0),
    ]

    assert mean_row(rows) == ClusterRow(
        "mean", 55, 1, 3, 4, 0.75, 0.5, 0.25, pytest.approx(0.3), 0.75
    )
