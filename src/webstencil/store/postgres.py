"""Stores in PostgreSQL: their URLs, how transactions begin, errors and the next step.

The tables stand in a schema of their own, `webstencil` unless the URL says `?schema=NAME`, so
that a database may have other tables, and several stores. Only one writer of a store is active at
a time, as in an SQLite file: it takes an advisory lock that ends with its transaction, so pages are
numbered in the order of their commits, and what a writer has read stays true until it has written.
Readers never wait: they see the store as it was when they began.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self
from zlib import crc32

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from webstencil.errors import StoreError
from webstencil.store.database import explained
from webstencil.store.schema import MIGRATIONS, VERSION_TABLE, Migration, migrate, stored_version

ADDRESS = re.compile(r"postgres(ql)?(\+psycopg)?://", re.IGNORECASE)
DRIVER = "postgresql+psycopg"
SCHEMA = "webstencil"
NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")  # of a schema that needs no quotes
LOCKS = 0x77656273  # first key of our advisory locks; "webs"
MILLISECONDS = 1000
LOOK_WAIT = 10.0  # s, for a lock, while checking whether there is a store
# Without these, giving up a host that does not answer takes two to fifteen minutes.
PATIENCE = {
    "connect_timeout": "10",  # s
    "keepalives_idle": "30",  # s
    "keepalives_interval": "10",  # s
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",  # ms
}
# What of a URL may be shown; other options could be secrets.
SHOWN = ("host", "port", "user", "dbname", "schema", "sslmode", "sslrootcert", "options")
HIDDEN = "..."
# Whatever the server's default is; `_begin` says why.
WRITERS = r"-c default_transaction_isolation=read\ committed"

_IS_SCHEMA = sa.text("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = :name")
_NEXT_NUMBER = (
    "SELECT setval(pg_get_serial_sequence('{table}', 'id'), coalesce(max(id), 0) + 1, false) "
    "FROM {table}"
)
_PATH = sa.text("SELECT current_setting('search_path')")
_READ = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"

LOST = (
    "the connection was lost: what was saved stays saved; check that the server runs, then rerun "
    "the command"
)
ABSENT = "no server answers: start it, or correct host and port in the URL"
WHO = (
    "correct user and password in the URL (write @ : / and % as %40 %3A %2F %25), or put the "
    "password into ~/.pgpass or PGPASSWORD"
)
NO_SUCH_TEXT = "PostgreSQL cannot store this character: leave the page out"
# By PostgreSQL's error codes (Appendix A); classes come after single codes.
STEPS = {
    "22021": NO_SUCH_TEXT,
    "25006": "the server is a read-only replica: use the primary server",
    "3F000": "this user may not use the schema: grant the rights listed in docs/store.md",
    "42501": "this user lacks a right: grant the rights listed in docs/store.md",
    "53100": "the server's disk is full: free some space and run again, what is saved stays saved",
    "53300": "the server has too many connections: run fewer jobs at once, or raise its "
    "max_connections",
    "55P03": "another process is writing to it: wait for it, or end it, and run again",
    "57014": "the statement took too long: raise the server's statement_timeout for this user",
    "08": LOST,
    "57": LOST,
    "53": "the server lacks memory or disk space: free some and run again",
    "58": "the server's disk is faulty or full: see its log",
    "XX": "the server's files are damaged: see its log, restore a backup, or start a new store",
}
# A failed connection has no code, only a message; these are parts of the English ones.
CONNECTING = {
    "nul (0x00)": NO_SUCH_TEXT,  # refused before it is sent, so it has no code either
    "password": WHO,
    "authentication": WHO,
    "role ": WHO,
    "pg_hba.conf": "the server refuses connections from here: add a line to its pg_hba.conf",
    "too many": STEPS["53300"],
    "starting up": "the server is starting: wait a moment and run again",
    "shutting down": "the server is shutting down: start it and run again",
    "timeout": ABSENT,
    "resolve host": ABSENT,
    "refused": ABSENT,
    "no such file": ABSENT,
    "unreachable": ABSENT,
    "no route": ABSENT,
}


@dataclass(frozen=True, slots=True)
class PostgresDatabase:
    """A schema of a database that is a store, or becomes one; its text never has the password."""

    url: sa.URL = field(repr=False)
    schema: str = SCHEMA

    @classmethod
    def at(cls, address: str) -> Self:
        """Return the store at a URL; refuse an invalid one."""
        try:
            url = sa.make_url(ADDRESS.sub(f"{DRIVER}://", address, count=1))
        except (SQLAlchemyError, ValueError):  # not shown: it may contain a password
            url = None
        if url is None or "@" in (url.host or ""):
            raise StoreError(
                "this is not a PostgreSQL URL: give postgresql://user:password@host/database, "
                "with @ : / and % of the password as %40 %3A %2F %25"
            )
        schema = url.query.get("schema", SCHEMA)
        if not isinstance(schema, str) or not NAME.fullmatch(schema):
            raise StoreError(
                f"schema must be a name of lower-case letters, digits and _, not {schema!r}"
            )
        return cls(url.difference_update_query(["schema"]), schema)

    def __str__(self) -> str:
        query = {name: value if name in SHOWN else HIDDEN for name, value in self.url.query.items()}
        if self.schema != SCHEMA:
            query["schema"] = self.schema
        return self.url.set(drivername="postgresql", query=query).render_as_string()

    @property
    def instead(self) -> str:
        """What to do if the schema is not a store."""
        return f"name a schema for the store in the URL, as in {self._with_schema('NAME')}"

    @property
    def file_name(self) -> str:
        """The name for files that belong to the store."""
        of_schema = "" if self.schema == SCHEMA else f".{self.schema}"
        return Path(self.url.database or "postgresql").name + of_schema

    def engine(self, wait: float) -> sa.Engine:
        """Make an engine."""
        given = self.url.query.get("options", "")
        options = (
            f"-c search_path={self.schema} -c lock_timeout={int(wait * MILLISECONDS)} {WRITERS} "
            f"{given if isinstance(given, str) else ' '.join(given)}"
        )
        unseen = [name for name in self.url.query if name not in SHOWN]  # engines show their URL
        arguments = {
            "application_name": "webstencil",
            **PATIENCE,
            **{name: self.url.query[name] for name in unseen},
            "options": options,
        }
        try:
            url = self.url.difference_update_query(unseen)
            engine = sa.create_engine(url, connect_args=arguments)
        except ModuleNotFoundError as error:
            raise StoreError(
                "a store in PostgreSQL needs psycopg; install it with "
                "`pip install webstencil[postgres]`"
            ) from error
        sa.event.listen(engine, "begin", self._begin)
        return engine

    def prepare(
        self, engine: sa.Engine, wait: float, migrations: Sequence[Migration] = MIGRATIONS
    ) -> None:
        """Bring the tables up to date; touch nothing before the schema is known to be a store."""
        del wait  # the engine has told it to the server
        with engine.connect() as db:
            self._refuse_other_path(db)
            if stored_version(db, len(migrations), self) == len(migrations):
                return
        with engine.connect().execution_options(write=True) as db, db.begin():
            if db.scalar(_IS_SCHEMA, {"name": self.schema}) is None:
                db.execute(sa.schema.CreateSchema(self.schema))
            migrate(db, migrations, self)

    def to_read(self) -> "PostgresDatabase":
        """Return itself: reading needs no rights to write."""
        return self

    def is_there(self) -> bool:
        """Return whether it holds a store."""
        engine = self.engine(LOOK_WAIT)
        try:
            with explained("open the store", self), engine.connect() as db:
                return VERSION_TABLE in sa.inspect(db).get_table_names()
        finally:
            engine.dispose()

    def go_on_numbering(self, db: sa.Connection, tables: Sequence[str]) -> None:
        """Set the sequence of each table to its largest number."""
        for table in tables:
            db.execute(sa.text(_NEXT_NUMBER.format(table=table)))

    def next_step(self, error: DBAPIError) -> str:
        """Say what to do about an error."""
        code = getattr(error.orig, "sqlstate", None)
        if code is not None:
            return STEPS.get(code) or STEPS.get(code[:2]) or f"see PostgreSQL's error code {code}"
        if error.connection_invalidated:
            return LOST
        words = str(error.orig).lower()
        if "database" in words and "does not exist" in words:
            return f"create it on the server: createdb {self.url.database}"
        return _first(CONNECTING, words) or "see the PostgreSQL documentation for what it means"

    def _begin(self, db: sa.Connection) -> None:
        """Let one writer at a time write, and readers see one moment.

        A writer must see what is there when it gets the lock, so it must not read a snapshot: that
        would be of the moment at which it asked for the lock.
        """
        if db.get_execution_options().get("write"):
            number = crc32(self.schema.encode()) - 2**31  # in the range of the key
            db.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCKS}, {number})")
        else:
            db.exec_driver_sql(_READ)

    def _refuse_other_path(self, db: sa.Connection) -> None:
        """Touch no other schema: a connection pooler may drop our settings."""
        path = db.scalar(_PATH)
        if path != self.schema:
            raise StoreError(
                f"{self} looks for tables in {path}, not in {self.schema}: take search_path out of "
                "the URL, or connect to the server directly instead of through a pooler"
            )

    def _with_schema(self, name: str) -> str:
        return str(PostgresDatabase(self.url, name))


def _first(steps: Mapping[str, str], words: str) -> str | None:
    """Return the first step whose name is part of a message."""
    return next((step for name, step in steps.items() if name in words), None)
