"""Evaluation of the published extractors and of rows, on sites made up for it."""

import csv
import json
import lzma
from pathlib import Path

import pytest
from click.testing import CliRunner

from research import items
from research.papers import published_content
from webstencil.cli.main import main
from webstencil.evaluate.scores import WordScore, compare_words, words_and_signs
from webstencil.segment import SEGMENTERS, make_segmenter
from webstencil.testing import StackRenderer

PAGE = (
    "<body><div id=menu><p>Home and menu</p></div><article><h1>Story {n}</h1>"
    "<p>It rained in town {n} for {n} days.</p></article><div><p>All rights reserved</p></div>"
)


def pages_file(folder: Path, pages: int) -> Path:
    """Write a file of pages with their content."""
    path = folder / "content.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as lines:
        for number in range(pages):
            n = chr(ord("a") + number) * 3
            gold = f"Story {n}\nIt rained in town {n} for {n} days."
            row = {"set": "made-up", "site": "a.example", "id": number, "gold": gold}
            lines.write(json.dumps({**row, "html": PAGE.format(n=n)}) + "\n")
    return path


def site_folder(folder: Path) -> Path:
    """Write a site of articles with a list page, its labels and a sites.json."""
    (folder / "labels").mkdir()
    (folder / "blog").mkdir()
    labels = {f"{number}.html": "post" for number in range(8)} | {"index.html": "index"}
    for number in range(8):
        (folder / "blog" / f"{number}.html").write_text(PAGE.format(n="xyz"[number % 3] * 3))
    links = "".join(f"<li><a href={n}.html>The story number {n}</a>" for n in range(8))
    (folder / "blog" / "index.html").write_text(f"<body><ul>{links}</ul>")
    with (folder / "labels" / "blog.csv").open("w", newline="") as table:
        csv.writer(table).writerows([("path", "label"), *labels.items()])
    said = {"article_labels": ["post"], "content_selector": "article"}
    (folder / "sites.json").write_text(json.dumps({"blog": said}))
    return folder / "sites.json"


def test_both_methods_are_measured_with_templates_of_site_and_stencil(tmp_path: Path) -> None:
    """On pages that the template was not made of; what is perfect gets 1."""
    rows = list(published_content.published_rows(pages_file(tmp_path, 6)))

    told = [(row.method, str(row.scope), row.pages, row.own, row.empty) for row in rows]
    assert told == [
        ("ce", "site", 6, 0.0, 0),
        ("ce", "stencil", 6, 1.0, 0),
        ("fastce", "site", 6, 0.0, 0),
        ("fastce", "stencil", 6, 1.0, 0),
    ]
    assert [(row.f, row.block_f) for row in rows] == [(1.0, 1.0)] * 4
    assert all(row.time > 0 for row in rows)


def test_fastce_compares_fewer_blocks_with_fewer(tmp_path: Path) -> None:
    """The paper's NumBlockTemp and NumBlock, and why it is faster."""
    ce, _, fast, _ = published_content.published_rows(pages_file(tmp_path, 6))

    assert (ce.compared, ce.blocks) == (2.0, 4.0)
    assert (fast.compared, fast.blocks) == (0.0, 2.0)


def test_tables_and_json_are_printed(tmp_path: Path) -> None:
    """The paper's own figures are beside ours."""
    path = str(pages_file(tmp_path, 6))

    words = ["evaluate", "content", path, "--method"]
    plain = CliRunner().invoke(main, [*words, "ce,fastce"])
    written = CliRunner().invoke(main, [*words, "ce", "--json"])

    assert plain.exit_code == 0
    assert {"kenh14.vn", "a.example", "CE / FastCE"} <= set(
        plain.output.replace("  ", "\n").split("\n")
    )
    assert [row["method"] for row in json.loads(written.output)["rows"]] == ["ce", "ce"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["absent.jsonl.xz", "--method", "ce"], "is not a file"),
        (["few.jsonl.xz", "--method", "fastce"], "no site with 6 pages"),
        (["few.jsonl.xz", "--method", "magic"], "no method 'magic'"),
        (["broken.jsonl.xz", "--method", "ce"], "cannot be read"),
    ],
)
def test_bad_input_is_named(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one sentence."""
    monkeypatch.chdir(tmp_path)
    pages_file(tmp_path, 3).rename("few.jsonl.xz")
    Path("broken.jsonl.xz").write_bytes(b"nothing of that kind")

    result = CliRunner().invoke(main, ["evaluate", "content", *arguments])

    assert result.exit_code == 2
    assert words in result.output


def test_whole_sites_are_measured_by_a_selector(tmp_path: Path) -> None:
    """Pages without a label that has content are for preparation only."""
    rows = list(published_content.published_rows(site_folder(tmp_path)))

    assert {(row.site, row.pages) for row in rows} == {("blog", 8)}


def test_rows_are_measured_by_links_to_articles(tmp_path: Path) -> None:
    """Of a list page with eight of them."""
    (row,) = items.listing_rows(site_folder(tmp_path))

    assert (row.site, row.pages, row.f, row.alarms) == ("blog", 1, 1.0, 0.0)


def test_words_are_compared_as_bags() -> None:
    """Here each Chinese character is a word."""

    def score(found: str, gold: str) -> WordScore:
        return compare_words(words_and_signs(found), words_and_signs(gold))

    assert score("The rain, the town", "the town the") == WordScore(0.75, 1.0, 6 / 7)
    assert score("新闻", "闻新网") == WordScore(1.0, 2 / 3, 0.8)


def test_headlines_and_bodies_are_measured(tmp_path: Path) -> None:
    """With every segmenter, by both rules, on pages whose content a selector gives."""
    articles = items.Articles(site_folder(tmp_path), None, pages=2)
    segmenters = {name: make_segmenter(name) for name in sorted(SEGMENTERS)}

    rows = items.headline_rows(articles, segmenters, StackRenderer())

    assert [(row.segmenter, row.rule, row.pages) for row in rows] == [
        (name, rule, 2) for name in sorted(SEGMENTERS) for rule in ("size", "kind")
    ]
    assert all(0.0 <= row.f <= 1.0 for row in rows)


@pytest.mark.browser
@pytest.mark.parametrize("options", [[], ["--with", "vips"], ["--with", "vips", "--blunt"]])
def test_items_of_a_page_are_shown(options: list[str], tmp_path: Path) -> None:
    """With and without rendering it."""
    page = tmp_path / "page.html"
    links = "".join(f"<li><a href={n}.html>The [story] number {n}</a>" for n in range(4))
    page.write_text(f"<title>All stories</title><body><h1>All stories</h1><ul>{links}</ul>")

    plain = CliRunner().invoke(main, ["items", str(page), *options])
    written = CliRunner().invoke(main, ["items", str(page), *options, "--json"])

    assert plain.exit_code == 0
    assert "title: The [story] number 3" in plain.output
    kinds = [item["kind"] for item in json.loads(written.output)]
    assert [kind for kind in kinds if kind in {"title", "row"}] == ["title", *["row"] * 4]
    assert ("headline" in kinds) == bool(options)
