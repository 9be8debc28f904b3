"""The promises of the README and of the entry page of the documents, kept."""

import gzip
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import pytest
from warcs import record

import webstencil

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
ENTRY = (ROOT / "docs" / "README.md").read_text()
TEXTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("research/notebook/*.md")])
PAGE = "<!doctype html><body><h1>Story %d</h1><p>Text %d</p>"
STORY = """<!doctype html><title>Story %d</title><body><nav><a href=0.html>One</a>
<a href=1.html>Two</a></nav><main id=main><h1>Story %d</h1><p>It rained in town all day.</main>"""
EXAMPLE = "https://example.com/"
WAIT = 120  # s


@pytest.mark.browser
def test_python_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As it stands there, on a folder of pages."""
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (tmp_path / "mirror").mkdir()
    for number in range(3):
        (tmp_path / "mirror" / f"{number}.html").write_text(PAGE % (number, number))
    monkeypatch.chdir(tmp_path)

    exec(compile(code, "README.md", "exec"), {})

    told = capsys.readouterr().out
    assert told.endswith("3 pages, 1 rendered, hit ratio 66.7%\n")
    assert "'Story 2\\n\\nText 2'" in told or "'Story 2'" in told


def documented() -> list[str]:
    """List the command lines of both, without comments and continued lines joined."""
    blocks = re.findall(r"```sh\n(.*?)```", README + ENTRY, re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    found = [line.split(" #")[0].strip().removeprefix("$ ") for line in lines]
    return [line for line in found if line.startswith("webstencil ")]


@pytest.fixture
def example_url(tmp_path: Path) -> Iterator[str]:
    """Serve the pages that the commands are given, and yield their URL."""
    mirror, marked = tmp_path / "mirror", tmp_path / "marked-pages" / "a.example" / "a.example"
    mirror.mkdir()
    marked.mkdir(parents=True)
    for number in range(3):
        (mirror / f"{number}.html").write_text(STORY % (number, number))
    (mirror / "index.html").write_text(STORY % (9, 9))
    (tmp_path / "page.html").write_text(STORY % (5, 5))
    packed = record("http://warc.example/", (STORY % (7, 7)).encode())
    (tmp_path / "crawl.warc.gz").write_bytes(gzip.compress(packed))
    (marked / "index.dom.html").write_text(STORY % (1, 1))
    (marked / "index.blocks.html").write_text(
        (STORY % (1, 1)).replace("id=main", 'id=main data-block="1" data-block-type="Content"')
    )
    handler = partial(SimpleHTTPRequestHandler, directory=mirror)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def arguments(line: str, example_url: str) -> list[str]:
    """Return the arguments of a command line, with a local server in place of the web."""
    words = [word for word in shlex.split(line)[1:] if word != "--open"]
    words = [example_url if word == EXAMPLE else word for word in words]
    local = {"crawl": ["--allow-private", "--delay", "0"], "web": ["--port", "0"]}
    return [sys.executable, "-m", "webstencil", *words, *local.get(words[0], [])]


@pytest.mark.browser
@pytest.mark.timeout(1200)
def test_commands_of_the_readme_run(
    tmp_path: Path, example_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As they stand there and in the entry page, in a folder with the files they name."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert documented()
    for line in documented():
        command = arguments(line, example_url)
        if command[3] == "web":
            serve_once(command, tmp_path)
        else:
            done = subprocess.run(
                command, cwd=tmp_path, capture_output=True, text=True, timeout=WAIT, check=False
            )
            assert done.returncode == 0, f"{line}: {done.stderr}"


def serve_once(command: list[str], folder: Path) -> None:
    """Start a server, fetch its first page, and stop it."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        (url,) = re.findall(r"http://\S+", server.stdout.readline())
        with urlopen(url, timeout=WAIT) as page:
            assert page.status == 200
        server.terminate()


def test_files_the_readme_links_to_are_there() -> None:
    """Pictures and documents."""
    links = re.findall(r"\]\(([^)#:]+)\)", README)

    assert [link for link in links if not (ROOT / link).exists()] == []


def test_python_of_the_entry_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """As it stands there: the content of one page."""
    (code,) = re.findall(r"```python\n(.*?)```", ENTRY, re.DOTALL)

    exec(compile(code, "docs/README.md", "exec"), {})

    assert "It rained in town all day" in capsys.readouterr().out


def test_every_module_has_its_place_in_the_architecture() -> None:
    """Who takes the code over finds each file and folder of the package in one table."""
    told = (ROOT / "docs" / "architecture.md").read_text()
    package = Path(webstencil.__file__).parent
    folders = [f"`{path.parent.name}/" for path in package.glob("*/__init__.py")]
    files = [f"`{path.name}`" for path in package.glob("[a-z]*.py")]

    assert [name for name in sorted(folders + files) if name not in told] == []


def test_links_of_the_documents_lead_somewhere() -> None:
    """From one to another, to pictures, and to and from the notebook."""
    links = [
        (path, link) for path in TEXTS for link in re.findall(r"\]\(([^)#:]+)\)", path.read_text())
    ]

    assert links
    assert [pair for pair in links if not (pair[0].parent / pair[1]).exists()] == []


def test_links_into_documents_lead_to_a_heading() -> None:
    """As the web shows them: in lower case, blanks as hyphens, other signs left out."""
    missing = []
    for path in TEXTS:
        for name, part in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", path.read_text()):
            there = path.parent / name if name else path
            headings = re.findall(r"(?m)^#+ (.*)$", there.read_text())
            anchors = {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}
            missing += [(path.name, name, part)] if part not in anchors else []

    assert missing == []
