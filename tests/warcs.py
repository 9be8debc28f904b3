"""WARC files for tests, made from plain bytes."""

import gzip
from collections.abc import Iterable
from itertools import accumulate

from webstencil.codec import zstd

HTML = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
CSS = b"HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n"


def record(
    url: str, body: bytes, *, http: bytes = HTML, kind: str = "response", more: bytes = b""
) -> bytes:
    """Write a record of an answer; `http` is its status line and headers."""
    answer = http + b"\r\n" + body
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n"
        "WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
        f"Content-Type: application/http; msgtype={kind}\r\nContent-Length: {len(answer)}\r\n"
    )
    return head.encode() + more + b"\r\n" + answer + b"\r\n\r\n"


PACKERS = {"plain": bytes, "gzip": gzip.compress, "zstd": zstd.compress}


def starts(records: Iterable[bytes]) -> list[int]:
    """Return the offsets of records in the file that they make."""
    return [0, *accumulate(map(len, records))][:-1]
