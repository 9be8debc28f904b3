"""Errors of Scrapy's downloader, in a few words each."""

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    NotSupported,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)
from twisted.internet.error import ConnectError, ConnectionClosed

MAY_PASS: dict[type[Exception], str] = {  # a later try can succeed
    DownloadTimeoutError: "timeout",
    DownloadConnectionRefusedError: "connection refused",
    DownloadFailedError: "connection lost",
    ResponseDataLossError: "connection lost",
    ConnectError: "no connection",
    ConnectionClosed: "connection lost",
    CannotResolveHostError: "unknown host",
}
FINAL: dict[type[Exception], str] = {
    DownloadCancelledError: "too large",
    UnsupportedURLSchemeError: "not a web URL",
    NotSupported: "not a web URL",
}
NO_ANSWER: tuple[type[Exception], ...] = (IgnoreRequest, *FINAL, *MAY_PASS)


def reason(error: Exception) -> str:
    """Say why there is no answer."""
    for kind, words in (FINAL | MAY_PASS).items():
        if isinstance(error, kind):
            return words
    if "robots.txt" in str(error):
        return "forbidden by robots.txt"
    return "too large" if "MAXSIZE" in str(error) else str(error) or "refused"
