"""Files that are whole or not there, and errors of the file system in our words."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from webstencil.errors import WebstencilError

DRAFT = ".part"  # how the name of a file ends that is not whole yet


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn errors of the file system into ours."""
    try:
        yield
    except OSError as error:
        raise WebstencilError(
            f"cannot write {path}: {error.strerror or error}; make room or name another file, and "
            "run the same command again: what was kept before is not lost"
        ) from error


def draft_of(path: Path) -> Path:
    """Name the file in which another is made before it takes its place."""
    return path.with_name(path.name + DRAFT)


def put(path: Path, data: bytes) -> None:
    """Write a file so that it is there as a whole or as it was before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():  # a device or pipe such as /dev/stdout
        path.write_bytes(data)
        return
    draft = draft_of(path)
    try:
        draft.write_bytes(data)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
