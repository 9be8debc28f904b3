"""A killed crawl can be resumed: nothing is lost, done twice or rendered again."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from research.support import crawl_kills
from research.support.crawl_kills import crawl_with_kills, site
from research.support.web_server import serving
from webstencil.crawl.frontier_tables import frontier_path, listed_urls
from webstencil.crawl.messages import Manners
from webstencil.processes import import_path

pytest.importorskip("scrapy", reason="crawling needs the extra `crawl`")

KILLS = 5
# Requests under way when a crawl is killed: twice the connections, robots.txt, a style sheet.
IN_FLIGHT = 2 * Manners().connections + 2


def test_killed_crawl_ends_as_an_undisturbed_one(tmp_path: Path) -> None:
    """The same output byte for byte, each page once, no stencil rendered again.

    What was fetched is not fetched again: only requests that were under way are repeated.
    """
    with serving(site) as server:
        calm = tmp_path / "calm"
        calm.mkdir()
        crawl_kills.run_crawl(server.url + "/", calm)
        repeated = crawl_with_kills(server, tmp_path / "killed", KILLS, seed=1)

    hurt = tmp_path / "killed"
    notes = (hurt / "notes").read_text().split("\n")
    assert repeated
    assert max(kill.total() for kill in repeated) <= IN_FLIGHT
    assert (hurt / "site.jsonl").read_bytes() == (calm / "site.jsonl").read_bytes()
    assert [note for note in notes if note.startswith("again")] == []
    lists = [
        list(listed_urls(frontier_path(folder / "site.db"), "visited")) for folder in (calm, hurt)
    ]
    assert lists[0] == lists[1]


def test_bench_of_kills_runs_in_any_folder(tmp_path: Path) -> None:
    """As the README has it, with a table of the requests that were repeated."""
    done = subprocess.run(
        [sys.executable, "-m", "research.bench.crawl_kills", "--kills", "1"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": ":".join(import_path())},
        check=True, capture_output=True, text=True,
    )  # fmt: skip

    assert "'pages lost': 0, 'pages too many': 0" in done.stdout
    assert re.search(r"(?m)^robots\.txt +[01] ", done.stdout)
