"""The tables of the migrations, for statements."""

import sqlalchemy as sa


def _table(name: str, *columns: str) -> sa.TableClause:
    """Name a table and its columns."""
    return sa.table(name, *[sa.column(column) for column in columns])


maker = _table("maker", "id", "made_by")
stencil = _table(
    "stencil",
    *("id", "key", "site", "maker", "made_from", "areas", "nodes", "body"),
    *("why", "state", "ended"),
)
page = _table("page", "id", "maker", "url", "status", "stencil", "digest", "version")
result = _table("result", "page", "body")
run = _table("run", "id", "maker", "began", "whole")
claim = _table("claim", "site", "maker", "owner", "until")
use = _table("use", "run", "stencil", "site", "hits", "learned", "known", "unchanged", "confidence")
kept = _table("kept", "made_by", "name", "body")
outline = _table(
    "outline",
    *("site", "key", "url", "digest", "oddity", "template", "body", "excerpts", "types"),
)
witness = _table("witness", "site", "maker", "key", "url", "digest", "body")
spool = _table("spool", "site", "key", "url", "charset", "origin", "body")

MAKER = sa.select(maker.c.id).where(maker.c.made_by == sa.bindparam("made_by"))
