"""Data in tar archives."""

import shutil
import tarfile
from hashlib import blake2b
from pathlib import Path

from webstencil.errors import SourceError

KEY_BYTES = 8


def unpacked(path: Path, cache: Path) -> Path:
    """Return `path` if it is a folder; else unpack the tar archive into the cache once."""
    if path.is_dir():
        return path
    if not path.is_file() or not tarfile.is_tarfile(path):
        raise SourceError(f"{path} is neither a folder nor a tar archive of one")
    folder = cache / "unpacked" / f"{path.name.partition('.')[0]}-{state(path)}"
    if not folder.is_dir():
        unpack(path, folder)
    inside = sorted(folder.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


def state(path: Path) -> str:
    """Hash path, size and time of a file, so that a changed one is unpacked again."""
    known = path.stat()
    words = f"{path.resolve()} {known.st_size} {known.st_mtime_ns}"
    return blake2b(words.encode("utf-8", "surrogateescape"), digest_size=KEY_BYTES).hexdigest()


def unpack(path: Path, folder: Path) -> None:
    """Unpack an archive; the folder appears when it is complete."""
    growing = folder.with_name(f"{folder.name}.part")
    try:
        shutil.rmtree(growing, ignore_errors=True)
        growing.mkdir(parents=True)
        with tarfile.open(path) as archive:
            archive.extractall(growing, filter="data")
        growing.rename(folder)
    except (OSError, tarfile.TarError) as error:
        raise SourceError(f"cannot unpack {path} into {folder}: {error}") from error
