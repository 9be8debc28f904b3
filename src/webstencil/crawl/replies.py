"""Replies of servers, kept in the frontier until their pages are settled.

Without them, a crawl that was killed would fetch all pages again that waited to be processed.
"""

import sqlite3
from dataclasses import astuple, dataclass

UNCHANGED = 304  # HTTP status; it says nothing without the result that it is about
KEPT = 8  # fields of a reply that are kept, the first ones


@dataclass(frozen=True, slots=True)
class ServerReply:
    """The outcome of a request for a page or a resource."""

    outcome: str  # "" if there is a body, else why not
    status: int = 0  # of HTTP; 0: no server has answered
    body: bytes = b""
    content_type: str = ""
    charset: str | None = None
    location: str = ""  # where the server says it is
    etag: str = ""
    modified: str = ""
    again: bool = False  # whether a later try can succeed
    closed: str = ""  # host whose robots.txt cannot be read


def keep(db: sqlite3.Connection, page: int, reply: ServerReply) -> None:
    """Keep the reply to the request for a page, if it is final."""
    if reply.status and reply.status != UNCHANGED and not reply.again:
        row = (page, *astuple(reply)[:KEPT])
        db.execute("INSERT OR REPLACE INTO reply VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def kept(db: sqlite3.Connection, page: int) -> ServerReply | None:
    """Return the reply that was kept for a page, None if there is none."""
    row = db.execute("SELECT * FROM reply WHERE page = ?", (page,)).fetchone()
    return None if row is None else ServerReply(*row[1:])
