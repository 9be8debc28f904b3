"""The Scrapy add-on: the example spider does what its docstring says."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from research.support.web_server import linked, pages, serving

pytest.importorskip("scrapy", reason="crawling needs the extra `crawl`")

EXAMPLE = Path(__file__).parents[1] / "examples" / "spider.py"
STORY = "</p><p>" + "A long sentence of a story that people read to its end. " * 12
UNREACHABLE = {
    "http://127.0.0.1:9/a.css": "connection refused",
    "http://x.invalid/a.css": "unknown host",
}


@pytest.mark.browser
def test_example_spider_gets_areas_and_content(tmp_path: Path) -> None:
    """Of every page, also of those that waited for their site."""
    site = {
        "/": linked("One", "/2", "/3", text=STORY, head='<link rel="stylesheet" href="/x.css">'),
        "/2": linked("Two", "/", "/3", text=STORY, head='<link rel="stylesheet" href="/x.css">'),
        "/3": linked("Three", "/", "/2", text=STORY, head='<link rel="stylesheet" href="/x.css">'),
    }
    with serving(pages(site)) as server:
        options = ["--out", tmp_path / "out.jsonl", "--store", tmp_path / "s.db", "--delay", "0"]
        subprocess.run(
            [sys.executable, EXAMPLE, server.url + "/", *options], check=True, cwd=tmp_path
        )

    items = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert {item["title"] for item in items} == {"One", "Two", "Three"}
    assert {item["webstencil"]["status"] for item in items} == {"hit", "learned"}
    assert all("A long sentence" in str(item["webstencil"]["areas"]) for item in items)
    assert "/x.css" in server.asked
    lines = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert {line["url"] for line in lines} == {item["url"] for item in items}
    assert all(line["template"] and line["areas"] for line in lines)


@pytest.mark.browser
def test_resources_that_cannot_be_fetched_take_a_line_of_the_log(tmp_path: Path) -> None:
    """With the URL and the reason, and without a traceback."""
    head = "".join(f'<link rel="stylesheet" href="{url}">' for url in UNREACHABLE)
    with serving(pages({"/": linked("One", head=head)})) as server:
        options = ["--out", tmp_path / "out.jsonl", "--store", tmp_path / "s.db", "--delay", "0"]
        done = subprocess.run(
            [sys.executable, EXAMPLE, server.url + "/", *options],
            check=True, cwd=tmp_path, capture_output=True, text=True,
        )  # fmt: skip

    for url, reason in UNREACHABLE.items():
        assert done.stderr.count(f"no resource url={url} reason={reason}\n") == 1
    assert "Traceback" not in done.stderr
