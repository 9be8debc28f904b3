"""All answers of a crawl as a WARC file (ISO 28500, version 1.1), one gzip member per record."""

import gzip
import os
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from errno import EDQUOT, EFBIG, ENOSPC
from http.client import responses
from pathlib import Path
from uuid import uuid4

from webstencil.codec import beginning
from webstencil.errors import SourceError

# Twisted decodes the transfer encoding of the body and leaves its header.
TAKEN_OFF = frozenset({b"transfer-encoding", b"connection", b"content-length"})
GZIP_LEVEL = 6  # of gzip
INFO = b"software: webstencil\r\nformat: WARC File Format 1.1\r\n"
LOOKED_AT = 4096  # bytes of a file, to recognise its type


class WarcWriter:
    """Appends records to a file; an incomplete last record is removed first."""

    def __init__(self, path: Path, known: int | None) -> None:
        """Append after the `known` bytes that are complete records; None: after all."""
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists():
                with path.open("rb") as file:
                    start = file.read(LOOKED_AT)
                if start and not beginning(start, "gzip", LOOKED_AT).startswith(b"WARC/"):
                    raise SourceError(
                        f"{path} exists and is no compressed WARC file; name another file"
                    )
            self._file = path.open("ab", buffering=0)
            if known is not None and known < self.size:
                os.truncate(path, known)
        except OSError as error:
            raise SourceError(self._trouble(error)) from error
        if not self.size:
            self._add({"WARC-Type": "warcinfo", "Content-Type": "application/warc-fields"}, INFO)

    @property
    def size(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    def write(
        self, url: str, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes
    ) -> None:
        """Append an answer, its body as it came."""
        kept = [pair for pair in headers if pair[0].lower() not in TAKEN_OFF]
        kept.append((b"Content-Length", str(len(body)).encode()))
        lines = [f"HTTP/1.1 {status} {responses.get(status, 'Unknown')}".encode()]
        lines += [name + b": " + value for name, value in kept]
        fields = {
            "WARC-Type": "response",
            "WARC-Target-URI": url,
            "Content-Type": "application/http;msgtype=response",
        }
        self._add(fields, b"\r\n".join(lines) + b"\r\n\r\n" + body)

    def close(self) -> None:
        self._file.close()

    def _add(self, fields: dict[str, str], block: bytes) -> None:
        named = {
            **fields,
            "WARC-Record-ID": f"<urn:uuid:{uuid4()}>",
            "WARC-Date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "Content-Length": str(len(block)),
        }
        lines = ["WARC/1.1", *(f"{name}: {value}" for name, value in named.items())]
        head = "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n"
        record = gzip.compress(head + block + b"\r\n\r\n", GZIP_LEVEL, mtime=0)
        whole, rest = self.size, memoryview(record)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            with suppress(OSError):  # a whole record or nothing; else the next opening truncates
                os.truncate(self._file.fileno(), whole)
            raise SourceError(self._trouble(error)) from error

    def _trouble(self, error: OSError) -> str:
        room = "free some disk space or " if error.errno in (EDQUOT, ENOSPC, EFBIG) else ""
        return (
            f"cannot write {self._path}: {error.strerror}; {room}name another file with --warc, "
            "and run the same command again"
        )
