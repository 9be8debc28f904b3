"""The tables of a store, as the steps that made them.

Step n turns a store of version n - 1 into one of version n; a new store runs them all. A step that
was released is never changed: it says what its version's tables looked like, not what today's do.
"""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Protocol, TypeAlias

import sqlalchemy as sa

from webstencil.codec import decode_stencil, encode_value
from webstencil.errors import StoreError
from webstencil.model import Area
from webstencil.urls import site_of

# The tables of the migrations, for statements.


def _table(name: str, *columns: str) -> sa.TableClause:
    """Name a table and its columns."""
    return sa.table(name, *[sa.column(column) for column in columns])


maker = _table("maker", "id", "made_by", "mode")
stencil = _table(
    "stencil",
    *("id", "key", "site", "maker", "made_from", "areas", "nodes", "body"),
    *("why", "state", "ended"),
)
template = _table("template", "maker", "site", "number", "typical", "version", "body")
page = _table(
    "page",
    *("id", "maker", "site", "url", "status", "stencil", "template", "digest", "version"),
)
result = _table("result", "page", "body")
run = _table("run", "id", "maker", "began", "whole")
claim = _table("claim", "site", "maker", "owner", "until")
use = _table(
    "used",
    *("run", "site", "name", "hits", "learned", "known", "unchanged", "confidence"),
)
kept = _table("kept", "made_by", "name", "body")
outline = _table(
    "outline",
    *("site", "key", "url", "digest", "oddity", "template", "body", "excerpts", "types"),
)
witness = _table("witness", "site", "maker", "key", "url", "digest", "body")
spool = _table("spool", "site", "key", "url", "charset", "origin", "body")

# What the areas of a page come from: a stencil in paper mode, else a template by its number.
FOLLOWED = sa.func.coalesce(page.c.stencil, sa.cast(page.c.template, sa.Text))

MAKER = sa.select(maker.c.id).where(maker.c.made_by == sa.bindparam("made_by"))


Migration: TypeAlias = Callable[[sa.Connection], None]

VERSION_TABLE = "webstencil_schema"
_version = sa.table(VERSION_TABLE, sa.column("version", sa.Integer))
_number = sa.Integer().with_variant(sa.BigInteger(), "postgresql")  # SQLite's are that large


class StoreLocation(Protocol):
    """Where a store is; its text names it."""

    @property
    def instead(self) -> str:
        """What to do if there is something else."""


def create_tables(db: sa.Connection) -> None:
    """Make the tables of version 1."""
    tables = sa.MetaData()
    number, text, blob = _number, sa.Text, sa.LargeBinary
    version = sa.Column("version", number, primary_key=True, autoincrement=False)
    sa.Table(VERSION_TABLE, tables, version)
    sa.Table(
        "maker",
        tables,
        sa.Column("id", number, sa.Identity(), primary_key=True),
        sa.Column("made_by", text, nullable=False, unique=True),
    )
    sa.Table(
        "stencil",
        tables,
        sa.Column("id", number, sa.Identity(), primary_key=True),
        sa.Column("key", text, nullable=False, unique=True),
        sa.Column("site", text, nullable=False),
        sa.Column("maker", sa.ForeignKey("maker.id"), nullable=False),
        sa.Column("made_from", text, nullable=False),
        sa.Column("areas", number, nullable=False),
        sa.Column("nodes", number, nullable=False),
        sa.Column("body", blob, nullable=False),
        sa.Index("stencil_site", "site", "maker"),
    )
    sa.Table(
        "page",
        tables,
        sa.Column("id", number, sa.Identity(), primary_key=True),
        sa.Column("maker", sa.ForeignKey("maker.id"), nullable=False),
        sa.Column("url", text, nullable=False),
        sa.Column("status", text, nullable=False),
        sa.Column("stencil", text),
        sa.Column("digest", blob, nullable=False),
        sa.UniqueConstraint("maker", "url").ddl_if(dialect="sqlite"),
        sa.Index("page_order", "maker", "id").ddl_if(dialect="sqlite"),
        # PostgreSQL's usual indexes take no address longer than 2,704 bytes. It has none that
        # begins with the maker: before it has counted the rows, it would read all of a maker's.
        sa.Index("page_url", "url", postgresql_using="hash").ddl_if(dialect="postgresql"),
        sa.Index("page_stencil", "stencil", "status"),
    )
    sa.Table(
        "result",
        tables,
        sa.Column("page", sa.ForeignKey("page.id"), primary_key=True),
        sa.Column("body", blob, nullable=False),
    )
    tables.create_all(db, checkfirst=False)


def create_kept(db: sa.Connection) -> None:
    """Make the table of what methods learned."""
    tables = sa.MetaData()
    sa.Table(
        "kept",
        tables,
        sa.Column("made_by", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    tables.create_all(db, checkfirst=False)


def create_uses(db: sa.Connection) -> None:
    """Make the tables of what stencils did in each run, and the columns that belong to them."""
    tables = sa.MetaData()
    number, text = _number, sa.Text
    sa.Table(
        "run",
        tables,
        sa.Column("id", number, primary_key=True, autoincrement=False),
        sa.Column("maker", number, nullable=False),
        sa.Column("began", text, nullable=False),
        sa.Column("whole", number, nullable=False),
    )
    sa.Table(
        "use",
        tables,
        sa.Column("run", number, primary_key=True),
        sa.Column("stencil", text, primary_key=True),
        sa.Column("site", text, nullable=False),
        sa.Column("hits", number, nullable=False),
        sa.Column("learned", number, nullable=False),
        sa.Column("known", number, nullable=False),
        sa.Column("unchanged", number, nullable=False),
        sa.Column("confidence", sa.Float, nullable=False),
    )
    tables.create_all(db, checkfirst=False)
    for column in (
        "stencil ADD COLUMN why TEXT NOT NULL DEFAULT ''",
        "stencil ADD COLUMN state TEXT NOT NULL DEFAULT 'teaching'",
        "stencil ADD COLUMN ended INTEGER NOT NULL DEFAULT 0",
        "page ADD COLUMN version INTEGER NOT NULL DEFAULT 0",
    ):
        db.execute(sa.text(f"ALTER TABLE {column}"))


def create_claims(db: sa.Connection) -> None:
    """Make the table of who is learning from which site."""
    tables = sa.MetaData()
    sa.Table(
        "claim",
        tables,
        sa.Column("site", sa.Text, primary_key=True),
        sa.Column("maker", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("until", sa.Double, nullable=False),  # s since 1970
    )
    tables.create_all(db, checkfirst=False)


def create_outlines(db: sa.Connection) -> None:
    """Make the tables of what pages tell of their sites, and of pages that wait for their site."""
    tables = sa.MetaData()
    blob = sa.LargeBinary
    sa.Table(
        "outline",
        tables,
        sa.Column("site", sa.Text, primary_key=True),
        # The hash of the URL, which may be too long for an index.
        sa.Column("key", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("digest", blob, nullable=False),
        sa.Column("oddity", sa.Text, nullable=False),
        sa.Column("template", sa.BigInteger),  # not decided yet if there is none
        sa.Column("body", blob, nullable=False),
        sa.Column("excerpts", blob),
    )
    sa.Table(
        "spool",
        tables,
        sa.Column("site", sa.Text, primary_key=True),
        sa.Column("key", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("charset", sa.Text),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("body", blob, nullable=False),
    )
    tables.create_all(db, checkfirst=False)
    db.execute(sa.text("DELETE FROM kept WHERE made_by LIKE 'main content, texts of sites%'"))


def create_witnesses(db: sa.Connection) -> None:
    """Make the table of rendered pages; what was learned by default before is learned anew."""
    tables = sa.MetaData()
    sa.Table(
        "witness",
        tables,
        sa.Column("site", sa.Text, primary_key=True),
        sa.Column("maker", _number, primary_key=True, autoincrement=False),
        sa.Column("key", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    tables.create_all(db, checkfirst=False)
    by_default = "maker IN (SELECT id FROM maker WHERE made_by LIKE 'default %')"
    nothing = {"nothing": b""}
    db.execute(sa.text(f"UPDATE page SET digest = :nothing WHERE {by_default}"), nothing)
    db.execute(sa.text(f"UPDATE stencil SET state = 'retired' WHERE {by_default}"))


def add_types(db: sa.Connection) -> None:
    """Make the column of what pages say of their type; it is filled when pages are read again."""
    kind = sa.LargeBinary().compile(db.dialect)
    db.execute(sa.text(f"ALTER TABLE outline ADD COLUMN types {kind}"))


def create_templates(db: sa.Connection) -> None:
    """Make the table of templates: their rows were among the stencils, named by keys of their own.

    The mode of a learner becomes a column, and pages and uses tell site and template.
    """
    for column in (
        "maker ADD COLUMN mode TEXT NOT NULL DEFAULT 'paper'",
        "page ADD COLUMN site TEXT NOT NULL DEFAULT ''",
        "page ADD COLUMN template BIGINT",
    ):
        db.execute(sa.text(f"ALTER TABLE {column}"))
    db.execute(sa.text("UPDATE maker SET mode = 'default' WHERE made_by LIKE 'default %'"))
    tables = sa.MetaData()
    number, text = _number, sa.Text
    sa.Table(
        "template",
        tables,
        sa.Column("maker", number, primary_key=True, autoincrement=False),
        sa.Column("site", text, primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("typical", text, nullable=False),  # URL, empty if no page was rendered
        sa.Column("version", number, nullable=False),  # of the areas of its site
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    sa.Table(
        "used",
        tables,
        sa.Column("run", number, primary_key=True, autoincrement=False),
        sa.Column("site", text, primary_key=True),
        sa.Column("name", text, primary_key=True),  # key of a stencil, or number of a template
        sa.Column("hits", number, nullable=False),
        sa.Column("learned", number, nullable=False),
        sa.Column("known", number, nullable=False),
        sa.Column("unchanged", number, nullable=False),
        sa.Column("confidence", sa.Float, nullable=False),
    )
    tables.create_all(db, checkfirst=False)
    columns = "hits, learned, known, unchanged, confidence"
    copied = f'SELECT run, site, stencil, {columns} FROM "use"'
    db.execute(sa.text(f"INSERT INTO used (run, site, name, {columns}) {copied}"))
    db.execute(sa.text('DROP TABLE "use"'))
    _fill_sites(db)
    _turn_stencils_into_templates(db)
    db.execute(sa.text("CREATE INDEX page_site ON page (maker, site, template, status)"))


def _fill_sites(db: sa.Connection) -> None:
    """Fill the column of pages' sites."""
    db.execute(
        sa.text(
            "UPDATE page SET site = COALESCE((SELECT stencil.site FROM stencil "
            "WHERE stencil.key = page.stencil), '') WHERE stencil IS NOT NULL"
        )
    )
    some = sa.text(
        "SELECT id, url FROM page WHERE id > :after AND site = '' ORDER BY id LIMIT 1000"
    )
    after = 0
    while rows := db.execute(some, {"after": after}).all():
        sites = [{"of": site_of(url), "same": number} for number, url in rows]
        db.execute(sa.text("UPDATE page SET site = :of WHERE id = :same"), sites)
        after = rows[-1].id


def _turn_stencils_into_templates(db: sa.Connection) -> None:
    """Move the stencils that stood for templates to their own table."""
    stood = sa.text(
        "SELECT stencil.key, site, maker, made_by, made_from, body FROM stencil "
        "JOIN maker ON maker.id = stencil.maker WHERE mode = 'default' ORDER BY stencil.id"
    )
    for key, site, learner, made_by, made_from, body in db.execute(stood).all():
        numbers = (one for one in range(_NUMBERS) if _template_key(site, made_by, one) == key)
        number = next(numbers, None)
        of = {"key": key, "site": site, "maker": learner, "number": number, "name": str(number)}
        if number is not None:  # otherwise it is of the time before templates, and long retired
            _add_template(db, of, made_from, decode_stencil(body).areas)
        moved = "SET template = :number, stencil = NULL WHERE stencil = :key"
        db.execute(sa.text(f"UPDATE page {moved}"), of)
        db.execute(sa.text("DELETE FROM stencil WHERE key = :key"), of)


def _add_template(
    db: sa.Connection, of: dict[str, object], made_from: str, areas: tuple[Area, ...]
) -> None:
    """Add a template that was a stencil; what it did is told of it."""
    newest = sa.text("SELECT MAX(version) FROM page WHERE stencil = :key")
    row = {
        "typical": made_from if areas else "",
        "version": db.scalar(newest, of) or 0,
        "body": encode_value(areas, f"a template of {of['site']}"),
    }
    values = "(:maker, :site, :number, :typical, :version, :body)"
    db.execute(sa.text(f"INSERT INTO template VALUES {values}"), of | row)
    db.execute(sa.text("UPDATE used SET name = :name WHERE name = :key"), of)


_NUMBERS = 10_000  # of templates that are tried: a site has dozens


def _template_key(site: str, made_by: str, number: int) -> str:
    """Return the key that a template had as a stencil."""
    name = f"{site}\n{made_by}\ntemplate {number}".encode("utf-8", "surrogatepass")
    return blake2b(name, digest_size=6).hexdigest()


MIGRATIONS: tuple[Migration, ...] = (
    create_tables,
    create_kept,
    create_uses,
    create_claims,
    create_outlines,
    create_witnesses,
    add_types,
    create_templates,
)


def stored_version(db: sa.Connection, newest: int, place: StoreLocation) -> int:
    """Return the version of the store that the database is, 0 if it is empty.

    Raise a `StoreError` if it is no store, or one of a version beyond the newest that is known.
    """
    names = sa.inspect(db).get_table_names()
    if not names:
        return 0
    if VERSION_TABLE not in names:
        raise StoreError(
            f"{place} is not a webstencil store but a database with other tables: {place.instead}"
        )
    version: int = db.scalar(sa.select(sa.func.max(_version.c.version))) or 0
    if version > newest:
        raise StoreError(
            f"{place} was made by a newer webstencil: its store has version {version}, the newest "
            f"that this one knows is {newest}; upgrade webstencil"
        )
    return version


def migrate(db: sa.Connection, migrations: Sequence[Migration], place: StoreLocation) -> None:
    """Run the steps that the store lacks, in the caller's transaction."""
    version = stored_version(db, len(migrations), place)
    for number, step in enumerate(migrations[version:], version + 1):
        step(db)
        db.execute(sa.insert(_version).values(version=number))
