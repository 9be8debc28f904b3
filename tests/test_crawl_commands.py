"""`webstencil crawl`, `webstencil frontier` and `webstencil evaluate crawl`, with a browser."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from research.support.web_server import Reply, linked, pages, serving
from webstencil.cli.jobs import without_secrets
from webstencil.cli.main import main

pytest.importorskip("scrapy", reason="crawling needs the extra `crawl`")

FAST = ("--delay", "0", "--allow-private")
SITE: dict[str, bytes | Reply] = {
    "/": linked("Home", "/1", "/2", head='<link rel="stylesheet" href="/style.css">'),
    "/1": linked("One", "/", "/2", head='<link rel="stylesheet" href="/style.css">'),
    "/2": linked("Two", "/", "/1", "/9", head='<link rel="stylesheet" href="/style.css">'),
    "/style.css": Reply(b"h1{color:red}", kind="text/css"),
}


@pytest.mark.browser
def test_crawl_writes_results_and_lists(tmp_path: Path) -> None:
    """One line per page, one rendering, the outcome of every URL; credentials nowhere."""
    files = ["--store", str(tmp_path / "site.db"), "--out", str(tmp_path / "out.jsonl")]
    with serving(pages(SITE)) as server:
        url = server.url.replace("//", "//me:very-secret@") + "/"
        crawled = CliRunner().invoke(main, ["crawl", url, *files, *FAST])
        listed = CliRunner().invoke(main, ["frontier", *files[:2]])

    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert crawled.exit_code == 0, crawled.output
    assert sorted(line["url"].removeprefix(server.url) for line in lines) == ["/", "/1", "/2"]
    assert sorted(line["status"] for line in lines) == ["hit", "hit", "learned"]
    assert re.search(r"new pages +3\b", crawled.output)
    assert listed.output == "".join(
        f"{server.url}{path} {outcome}\n"
        for outcome, path in (("page", "/"), ("page", "/1"), ("page", "/2"), ("HTTP 404", "/9"))
    )
    assert server.asked.count("/style.css") == 1
    assert set(server.logins) == {"Basic bWU6dmVyeS1zZWNyZXQ="}
    assert "very-secret" not in crawled.output
    assert [file for file in tmp_path.iterdir() if b"very-secret" in file.read_bytes()] == []


def test_an_archive_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """In one sentence that says what to do, before anything is fetched."""
    (tmp_path / "file").write_text("no folder")
    files = ["--store", str(tmp_path / "s.db"), "--warc", str(tmp_path / "file" / "a.warc.gz")]
    call = ["crawl", "", *files, *FAST]
    with serving(pages(SITE)) as server:
        call[1] = f"{server.url}/"
        told = subprocess.run(
            [sys.executable, "-m", "webstencil", *call],
            capture_output=True,
            text=True,
            check=False,
        )

    assert told.returncode == 2
    assert "cannot write" in told.stderr
    assert "name another file with --warc" in " ".join(told.stderr.split())
    assert "Traceback" not in told.stderr
    assert not server.asked


def test_start_that_may_not_be_asked_is_told_at_once(tmp_path: Path) -> None:
    """With the option that allows it."""
    told = CliRunner().invoke(
        main, ["crawl", "http://127.0.0.1:9/", "--store", str(tmp_path / "s.db")]
    )

    assert told.exit_code == 2
    assert "add --allow-private" in told.output


def test_archive_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """With the path, the reason and what to do, and before anything is asked for."""
    (tmp_path / "file").touch()
    options = [
        "--store",
        str(tmp_path / "s.db"),
        "--warc",
        str(tmp_path / "file" / "deep" / "a.gz"),
        *FAST,
    ]
    with serving(pages(SITE)) as server:
        done = CliRunner().invoke(main, ["crawl", server.url, *options])

    assert done.exit_code == 2
    assert re.search(
        r"cannot write \S+: Not a directory; name another file with --warc", done.output
    )
    assert server.asked == []


def test_robots_txt_that_fails_is_told(tmp_path: Path) -> None:
    """With the host, its answer and what to do; nothing was crawled."""
    with serving(lambda *_: Reply(status=500)) as server:
        told = CliRunner().invoke(
            main, ["crawl", f"{server.url}/", "--store", str(tmp_path / "s.db"), *FAST]
        )

    assert told.exit_code == 2
    assert "no page was fetched: robots.txt of 127.0.0.1" in told.output
    assert "HTTP 500" in told.output
    assert "add --no-robots" in told.output


def test_crawl_needs_a_start(tmp_path: Path) -> None:
    """A URL or --next-site, not both."""
    for words in ([], ["http://x.example/", "--next-site"]):
        told = CliRunner().invoke(main, ["crawl", *words, "--store", str(tmp_path / "s.db")])

        assert told.exit_code == 2
        assert "--next-site" in told.output


@pytest.mark.browser
def test_evaluation_writes_the_papers_tables(tmp_path: Path) -> None:
    """Of the chosen sites and segmenters, as Markdown, JSON and a plot."""
    files = ["--md", str(tmp_path / "t.md"), "--plot", str(tmp_path / "t.svg")]
    with serving(pages(SITE)) as server:
        command = ["evaluate", "crawl", f"mine={server.url}/", "--with", "bcs", "--sample", "2"]
        command += ["--mode", "paper"]
        told = CliRunner().invoke(main, [*command, *files, "--json"])

    assert told.exit_code == 0, told.output
    (row,) = json.loads(told.stdout)
    assert (row["site"], row["method"], row["pages"], row["clusters"]) == ("mine", "bcs", 3, 1)
    assert row["growth"] == [1, 1, 1]
    assert row["plain"] > row["plain_segmenting"] > 0
    assert "| mine | bcs | 3 | 1 | 66.7% | +0% | 0 |" in (tmp_path / "t.md").read_text()
    assert "<svg" in (tmp_path / "t.svg").read_text()


SHELL = b"<!DOCTYPE html><title>App</title><div id=app></div><script src=/app.js></script>"
APP = b"""fetch('/titles.json').then(answer => answer.json()).then(titles => {
  const links = Object.keys(titles).map(path => `<a href="${path}">${titles[path]}</a> `)
  const own = titles[location.pathname + location.search]
  document.getElementById('app').innerHTML = `<h1>${own}</h1><nav>${links.join('')}</nav>`
})"""
APP_SITE: dict[str, bytes | Reply] = {
    **dict.fromkeys(("/", "/rain", "/show?id=1", "/show?id=2"), SHELL),
    "/app.js": Reply(APP, kind="text/javascript"),
    "/titles.json": Reply(
        b'{"/": "Home", "/rain": "Rain", "/show?id=1": "Snow", "/show?id=2": "Sun"}',
        kind="application/json",
    ),
}


@pytest.mark.browser
def test_a_site_that_scripts_write_is_crawled_with_them(tmp_path: Path) -> None:
    """Links that scripts write are followed, and pages are processed as readers see them."""
    files = ["--store", str(tmp_path / "site.db"), "--out", str(tmp_path / "out.jsonl")]
    with serving(pages(APP_SITE)) as server:
        plain = CliRunner().invoke(
            main, ["crawl", f"{server.url}/", "--store", str(tmp_path / "plain.db"), *FAST]
        )
        crawled = CliRunner().invoke(
            main, ["crawl", f"{server.url}/", *files, *FAST, "--javascript"]
        )
        again = CliRunner().invoke(main, ["crawl", f"{server.url}/", *files, *FAST, "--javascript"])

    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    texts = {line["url"].removeprefix(server.url): str(line["areas"]) for line in lines}
    assert re.search(r"new pages +1\b", plain.output)
    assert crawled.exit_code == again.exit_code == 0, crawled.output
    assert sorted(texts) == ["/", "/rain", "/show?id=1", "/show?id=2"]
    assert all(title in texts[path] for path, title in (("/rain", "Rain"), ("/show?id=2", "Sun")))
    assert server.asked.count("/app.js") <= 2  # the plain crawl runs none
    assert re.search(r"new pages +0\b", again.output)


@pytest.mark.parametrize(
    ("argument", "shown"),
    [
        ("https://me:very-secret@a.example/x", "https://me:***@a.example/x"),
        ("--store=postgresql://me:very-secret@host/d", "--store=postgresql://me:***@host/d"),
        ("https://a.example:80/me@home", "https://a.example:80/me@home"),
    ],
)
def test_how_to_resume_shows_no_password(argument: str, shown: str) -> None:
    """The command that resumes a stopped job stands on the screen and in logs."""
    assert without_secrets(argument) == shown
