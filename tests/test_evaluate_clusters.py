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
from webstencil.evaluate.clusters import (
    PAPER_CLUSTERS,
    ClusterRow,
    ClusterSettings,
    LabelledSet,
    PageLabels,
    body_label,
    measure_set,
    read_sets,
    self_labelled,
)
from webstencil.evaluate.scores import adjusted_information, expected_information, purity
from webstencil.evaluate.tables import mean_row
from webstencil.model import RawPage
from webstencil.site.templates import adjusted_rand

POST = (
    "<html><body class=single><article class=post><header><h1>{0}</h1><time>x</time></header>"
    "<div class=text><p>{0}</p></div><footer class=tags><b>t</b></footer></article></body></html>"
)
LIST = (
    "<html><body class=archive><section class=list><h2>{0}</h2><ul class=rows><li><a href=x>{0}</a>"
    "</li></ul></section><form class=search><input></form><nav class=pages>1</nav></body></html>"
)
ERROR = "<html><head><title>404 {0}</title></head><body><p>gone</p></body></html>"
ODD = "<html><body>" + "".join(f"<div class={one}-x><p>x</p></div>" for one in "abcdefgh")
PARTITIONS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30)


def raw(name: str, html: str) -> RawPage:
    return RawPage(f"http://a.example/{name}", html.format(name).encode())


def labelled(name: str, html: str, label: str, layout: str = "") -> tuple[RawPage, PageLabels]:
    return raw(name, html), PageLabels(label, layout or label)


def two_templates(pages: int = 10) -> list[tuple[RawPage, PageLabels]]:
    """Make a site with so many pages of each of two templates."""
    kinds = {"post": POST, "list": LIST}
    return [labelled(f"{kind}{n}", kinds[kind], kind) for n in range(pages) for kind in kinds]


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
        labelled("a", POST, "post"),
        labelled("b", LIST, "list"),
        labelled("c", POST, "post"),
        labelled("d", "plain text", "post"),
        labelled("e", LIST, "post"),
    ]

    assert measure_set(LabelledSet("s", pages), ClusterSettings(PAPER_CLUSTERS)) == ClusterRow(
        name="s",
        pages=4,
        left_out=1,
        ari=0.0,
        ari_merged=0.0,
        ami=pytest.approx(adjusted_information("abab", "plpp")),
        purity=0.75,
        hit_ratio=0.5,
        clusters=2,
        alone=0,
        labels=2,
    )


def test_an_empty_set_scores_without_a_fault() -> None:
    """Nothing is clustered alike."""
    for settings in (ClusterSettings(PAPER_CLUSTERS), ClusterSettings()):
        assert measure_set(LabelledSet("s", []), settings) == ClusterRow(
            "s", 0, 0, 1, 1, 1, 1, 0.0, 0, 0, 0
        )


def test_templates_are_told_apart_in_any_order() -> None:
    """The model of a set of pages does not know their order: nothing changes, to the last bit."""
    site = two_templates()
    rows = [
        measure_set(LabelledSet("s", site), ClusterSettings(seed=seed)) for seed in (None, 1, 2)
    ]

    assert rows[0] == ClusterRow("s", 20, 0, 1.0, 1.0, 1.0, 1.0, 0.9, 2, 0, 2)
    assert rows[0] == rows[1] == rows[2]


def test_every_labelled_page_counts() -> None:
    """A page like no other is a cluster of its own; errors are one, as a survey lists them."""
    odd = [labelled("odd1", ODD, "about"), labelled("odd2", ODD.replace("-x", "-y"), "about")]
    errors = [labelled(f"gone{n}", ERROR, "error") for n in range(3)]

    row = measure_set(LabelledSet("s", [*two_templates(), *odd, *errors]), ClusterSettings())

    assert (row.pages, row.labels, row.clusters, row.alone) == (25, 4, 5, 2)
    assert row.purity == 1.0
    assert row.ari == pytest.approx(
        adjusted_rand("a" * 10 + "b" * 10 + "cdeee", "a" * 10 + "b" * 10 + "ccddd")
    )


def test_merged_labels_are_scored_beside_the_others() -> None:
    """Two types of one layout are one template, which is right for one column only."""
    types = [labelled(f"{kind}{n}", LIST, kind, "archive") for kind in "ab" for n in range(10)]

    row = measure_set(LabelledSet("s", [*types, *two_templates()[::2]]), ClusterSettings())

    assert (row.clusters, row.labels, row.ari_merged) == (2, 3, 1.0)
    assert row.ari == pytest.approx(
        adjusted_rand("l" * 20 + "p" * 10, "a" * 10 + "b" * 10 + "p" * 10)
    )
    assert row.ari < 0.7


def test_pages_without_a_label_are_clustered_and_not_scored() -> None:
    """They are pages of the site; without them there would be too few to tell it apart."""
    site = [
        (page, labels if n < 4 else PageLabels("", ""))
        for n, (page, labels) in enumerate(two_templates())
    ]

    known = measure_set(LabelledSet("s", site), ClusterSettings())
    alone = measure_set(LabelledSet("s", site[:4]), ClusterSettings())

    assert (known.pages, known.left_out, known.clusters, known.ari) == (4, 16, 2, 1.0)
    assert alone.clusters == 1


def test_labels_are_read_from_the_classes_of_bodies(tmp_path: Path) -> None:
    """In a folder of pages; classes with a digit name single pages, and a body may have none."""
    (tmp_path / "a.html").write_text(POST.replace("class=single", "class='single post-7'"))
    (tmp_path / "b.html").write_text(ERROR)
    (tmp_path / "c.html").write_text("plain text")

    known = self_labelled(tmp_path)
    labels = [labels for _, labels in known.pages]

    assert known.name == tmp_path.name
    assert labels == [PageLabels("single", "single"), PageLabels("", ""), PageLabels("", "")]
    assert body_label(" b  page-2 a b ") == "a b"


def test_templates_do_not_see_the_classes_of_bodies(tmp_path: Path) -> None:
    """Pages that differ in nothing else are one template, whatever their labels say."""
    for number in range(20):
        page = POST.replace("class=single", f"class={'ab'[number % 2]}")
        (tmp_path / f"{number}.html").write_text(page)

    row = measure_set(self_labelled(tmp_path), ClusterSettings())

    assert (row.pages, row.labels, row.clusters, row.ari) == (20, 2, 1, 0.0)


def test_labels_are_read_with_the_pages_beside_them(tmp_path: Path) -> None:
    """In the order of the table, redirects left out; a lost page comes with its fault."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.html").write_text(POST)
    table = tmp_path / "site.csv"
    table.write_text("path,label\ngone.html,list\na.html,post\nb.html,redirect\n")

    (known,) = read_sets(table)
    (gone, _), (page, labels) = known.pages
    assert (known.name, gone.fault, page.body, labels) == (
        "site",
        "No such file or directory",
        POST.encode(),
        PageLabels("post", "post"),
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
        {"set": "t", "site": "x", "id": "3", "template": "tag", "merged": "list", "html": "e"},
    )

    found = [
        (known.name, [(page.url, page.body, *labels) for page, labels in known.pages])
        for known in read_sets(path)
    ]
    assert found == [
        ("rows v", [("http://x/1", b"\xff", "x", "x"), ("http://y/1", b"b", "y", "y")]),
        (
            "rows t",
            [
                ("http://x/1", b"c", "x/post", "x/post"),
                ("http://x/3", b"e", "x/tag", "x/list"),
            ],
        ),
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

    for path in (broken, headless, homeless, other, tmp_path / "gone.csv", tmp_path / "b"):
        with pytest.raises(SourceError, match=path.stem.split(".")[0]):
            [list(known.pages) for known in read_sets(path)]
    with pytest.raises(SourceError, match="label-body-class needs folders"):
        self_labelled(headless)


@pytest.mark.parametrize(
    ("files", "options", "words"),
    [
        ({"a.html": ERROR}, ["--label-body-class"], "has a label"),
        ({}, [], "--label-body-class"),
    ],
)
def test_the_command_refuses_pages_without_labels(
    files: dict[str, str], options: list[str], words: str, tmp_path: Path
) -> None:
    """A score of nothing would be 1."""
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    done = CliRunner().invoke(main, ["evaluate", "clusters", str(tmp_path), *options])

    assert isinstance(done.exception, SourceError | SystemExit)
    assert done.exit_code != 0
    assert words in done.output + str(done.exception)


def test_the_command_prints_a_table_csv_or_json(tmp_path: Path) -> None:
    """All hold the same rows and their mean."""
    rows = [
        {"set": "s", "site": "x", "id": str(n), "template": name, "html": html.format(n)}
        for n, (name, html) in enumerate([("post", POST), ("list", LIST), ("post", POST)])
    ]
    path = str(write_rows(tmp_path / "rows.jsonl.xz", *rows))
    table, written, listed = (
        CliRunner().invoke(main, ["evaluate", "clusters", path, *options])
        for options in ((), ("--json",), ("--format", "csv", "--mode", "paper"))
    )

    expected = ClusterRow("rows s", 3, 0, 1.0, 1.0, 1.0, 1.0, pytest.approx(1 / 3), 2, 1, 2)
    cells = ["rows s", "3", "0", *["1.000"] * 4, "0.333", "2", "1", "2"]
    found = json.loads(written.stdout)
    assert list(found) == ["default", "paper"]
    assert [ClusterRow(**row) for row in found["paper"]["rows"]] == [expected]
    assert found["paper"]["mean"] == {**found["paper"]["rows"][0], "name": "mean"}
    assert " ".join(cells).split() in [line.split() for line in table.stdout.splitlines()]
    assert listed.stdout.splitlines()[1] == ",".join(["paper", *cells])


def test_the_seed_changes_nothing_in_default_mode(tmp_path: Path) -> None:
    """Whoever doubts it can check it on pages of their own."""
    rows = [
        {"site": "x", "id": page.url[-5:], "template": labels.type, "html": page.body.decode()}
        for page, labels in two_templates()
    ]
    path = str(write_rows(tmp_path / "rows.jsonl.xz", *rows))
    command = ["evaluate", "clusters", path, "--mode", "default", "--json"]
    written = [CliRunner().invoke(main, [*command, *seed]).stdout for seed in ((), ("--seed", "7"))]

    assert json.loads(written[0])["default"]["rows"][0]["clusters"] == 2
    assert written[0] == written[1]


def test_the_mean_is_that_of_the_sets() -> None:
    """A large set counts no more than a small one."""
    rows = [
        ClusterRow("a", 100, 0, 0.0, 0.0, 0.2, 0.5, 1.0, 2, 0, 2),
        ClusterRow("b", 10, 2, 1.0, 0.5, 0.4, 1.0, 0.5, 6, 3, 4),
    ]

    assert mean_row(rows) == ClusterRow(
        "mean", 55, 1, 0.5, 0.25, pytest.approx(0.3), 0.75, 0.75, 4, 1.5, 3
    )
