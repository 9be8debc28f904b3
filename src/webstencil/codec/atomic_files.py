"""Files that are there as a whole or not at all."""

import os
from pathlib import Path


def put(path: Path, data: bytes) -> None:
    """Write a file so that it is there as a whole or as it was before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():  # a device or pipe such as /dev/stdout
        path.write_bytes(data)
        return
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")  # others may write the same file
    try:
        draft.write_bytes(data)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
