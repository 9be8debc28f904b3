"""The README's promises, kept."""

import re
from pathlib import Path

import pytest

import webstencil

README = (Path(__file__).parents[1] / "README.md").read_text()
PAGE = "<!doctype html><body><h1>Story %d</h1><p>Text %d</p>"


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


def test_files_the_readme_links_to_are_there() -> None:
    """Pictures and documents."""
    links = re.findall(r"\]\(([^)#:]+)\)", README)

    assert [link for link in links if not (Path(__file__).parents[1] / link).exists()] == []


def test_every_module_has_its_place_in_the_architecture() -> None:
    """Who takes the code over finds each file and folder of the package in one table."""
    told = (Path(__file__).parents[1] / "docs" / "architecture.md").read_text()
    package = Path(webstencil.__file__).parent
    folders = [f"`{path.parent.name}/" for path in package.glob("*/__init__.py")]
    files = [f"`{path.name}`" for path in package.glob("[a-z]*.py")]

    assert [name for name in sorted(folders + files) if name not in told] == []


def test_links_of_the_documents_lead_somewhere() -> None:
    """From one to another, and to pictures."""
    docs = Path(__file__).parents[1] / "docs"
    links = [
        (path.name, link)
        for path in docs.glob("*.md")
        for link in re.findall(r"\]\(([^)#:]+)\)", path.read_text())
    ]

    assert links
    assert [pair for pair in links if not (docs / pair[1]).exists()] == []


def test_links_into_documents_lead_to_a_heading() -> None:
    """As the web shows them: in lower case, blanks as hyphens, other signs left out."""
    root = Path(__file__).parents[1]
    missing = []
    for path in (root / "README.md", *root.glob("docs/*.md")):
        for name, part in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", path.read_text()):
            there = path.parent / name if name else path
            headings = re.findall(r"(?m)^#+ (.*)$", there.read_text())
            anchors = {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}
            missing += [(path.name, name, part)] if part not in anchors else []

    assert missing == []
