"""The wheel: built, installed beside nothing of the repository, and used."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as a release does."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT)], check=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Unpack it; return an environment that has it and its dependencies, and no clone."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    # Files named .pth, which lead to the clone, count in neither of these.
    path = os.pathsep.join([str(folder), sysconfig.get_path("purelib")])
    return {**os.environ, "PYTHONPATH": path}


def run(installed: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-S", *arguments]
    return subprocess.run(
        command, env=installed, capture_output=True, text=True, check=False, cwd="/"
    )


def test_the_wheel_has_the_package_and_its_data_alone(wheel: Path) -> None:
    """No research, no tests; types, web pages and models are there."""
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/", maxsplit=1)[0] for name in names}

    assert {top for top in tops if not top.endswith(".dist-info")} == {"webstencil"}
    pages = ("output/templates/base.html", "output/static/style.css")
    for name in ("py.typed", "__init__.pyi", *pages):
        assert f"webstencil/{name}" in names
    assert any(name.startswith("webstencil/navigation/models/") for name in names)


def test_the_wheel_extracts(installed: dict[str, str]) -> None:
    """Without a browser and without a store."""
    page = "<html><body><main><h1>Tide</h1><p>" + "The tide came in. " * 40 + "</p></main></body>"
    told = run(installed, "-c", f"import webstencil; print(webstencil.extract({page!r}))")

    assert "The tide came in." in told.stdout, told.stderr


def test_the_wheel_has_its_commands_and_not_those_of_research(installed: dict[str, str]) -> None:
    """One that needs a clone says so in one sentence."""
    helped = run(installed, "-m", "webstencil", "evaluate", "--help")
    refused = run(installed, "-m", "webstencil", "evaluate", "mapping", "pages/")

    assert (helped.returncode, refused.returncode) == (0, 2), helped.stderr + refused.stderr
    assert "segmentation" in helped.stdout
    assert "mapping" not in helped.stdout
    assert "clone of the repository" in refused.stderr
    assert "Traceback" not in refused.stderr
