"""A job on many machines: parts of a source as tasks of a Ray cluster.

Ray distributes the tasks over its machines, and restarts those whose process or machine died. They
share the store, so that a template is rendered once, not once per task.
"""

import logging
import os
import signal
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from threading import current_thread, main_thread

from webstencil.errors import SettingsError, SourceError, WebstencilError
from webstencil.jobs.work import LostPage, Phase, Said, WorkerJob, WorkerProgress, WorkersBroken
from webstencil.jobs.workers import Crew, Shared
from webstencil.processes import import_path
from webstencil.protocols import Renderer, Store
from webstencil.settings import Settings
from webstencil.sources import SourcePart
from webstencil.store import StorePlace, open_store
from webstencil.store.postgres import PostgresDatabase
from webstencil.store.sql import database_of

LOCAL = "local"  # instead of an address: start Ray on this machine
PARTS = 4  # per processor: small enough that all end at about the same time
RETRIES = 3  # of a part whose process died; Ray's own default, made explicit
BROWSER = "browser"  # name of the cluster resource that limits the browsers of a machine
ON_ITS_OWN = "127.0.0.1"  # else Ray would be open to the network


class RayWorkers(Shared):
    """Processes pages as a `Pipeline` does, as tasks of a Ray cluster."""

    def __init__(
        self,
        store: StorePlace,
        settings: Settings | None = None,
        *,
        address: str = LOCAL,
        processors: int | None = None,
        renderer: Renderer | None = None,
        items: Sequence[str] = (),
    ) -> None:
        """Use a store that all machines can reach, on the cluster at an address.

        `processors` is for Ray on this machine only, by default all that it has.
        """
        if find_spec("ray") is None:
            raise SettingsError(
                "jobs on a cluster need Ray; install it with `pip install webstencil[ray]`"
            )
        if address != LOCAL and not isinstance(database_of(store), PostgresDatabase):
            raise SettingsError(
                f"{store} is a file, which the machines of a cluster cannot share: use a store on "
                "a PostgreSQL server, or leave out the address of the cluster"
            )
        super().__init__(store, settings, renderer=renderer, items=items)
        self._address = address
        self._processors = processors

    def _said(self, job: WorkerJob, store: Store) -> Generator[tuple[int, Said]]:
        """Run all parts; yield the messages of each when it is done."""
        import ray  # noqa: PLC0415 - takes a second to load

        del store  # a task that is restarted ends the claims of its predecessor
        connect(self._address, self._processors)
        met = 0
        try:
            for number, said in parts_done(job):
                met += pages_in(said)
                yield number, said
        except ray.exceptions.RayError as error:
            raise WebstencilError(
                f"the cluster gave up a part: {error}; finished pages are kept, run again to resume"
            ) from error
        finally:
            ray.shutdown()
        if job.phase is Phase.PROCESS:
            self._refuse_too_few(job, met)

    def _refuse_too_few(self, job: WorkerJob, met: int) -> None:
        """Raise if the cluster found fewer pages in the source than this machine."""
        total = job.source.count()
        if total is not None and met + self.repeated < total:
            raise SourceError(
                f"the cluster found only {met + self.repeated} of {total} pages: all its machines "
                "must reach the sources at the same paths, as in a shared folder"
            )


def connect(address: str, processors: int | None) -> None:
    """Connect to a cluster, or start one that only this machine can reach."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray  # noqa: PLC0415 - takes a second to load

    handler = signal.getsignal(signal.SIGTERM)
    environment = {"env_vars": {"PYTHONPATH": os.pathsep.join(import_path())}}
    try:
        if address == LOCAL:
            ray.init(
                address=LOCAL,
                num_cpus=processors,
                include_dashboard=False,
                runtime_env=environment,
                logging_level=logging.ERROR,
                _node_ip_address=ON_ITS_OWN,
            )
        else:
            ray.init(address=address, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise SettingsError(
            f"cannot connect to a Ray cluster at {address}: {error}; check the address"
        ) from error
    if current_thread() is main_thread():
        signal.signal(signal.SIGTERM, handler)  # Ray's own would end this process silently


def parts_done(job: WorkerJob) -> Iterator[tuple[int, Said]]:
    """Run all parts; yield the messages of each when it is done, with a number per worker."""
    import ray  # noqa: PLC0415 - takes a second to load

    resources = ray.cluster_resources()
    number = PARTS * max(1, int(resources.get("CPU", 1)))
    needs = {BROWSER: 1} if BROWSER in resources else {}
    do = ray.remote(told_of).options(num_cpus=1, max_retries=RETRIES, resources=needs)
    given = ray.put(job)
    waiting = [do.remote(given, SourcePart(part, number)) for part in range(number)]
    numbers: dict[tuple[object, int], int] = {}  # of workers, by task and number in it
    try:
        while waiting:
            done, waiting = ray.wait(waiting)
            for worker, said in ray.get(done[0]):
                yield numbers.setdefault((done[0], worker), len(numbers)), said
    finally:
        for task in waiting:
            ray.cancel(task, force=True)


def told_of(job: WorkerJob, part: SourcePart) -> tuple[tuple[int, Said], ...]:
    """Process a part and return its messages; results stay in the store.

    The work is done in a process of its own, so that a page that crashes it is known.
    """
    said: list[tuple[int, Said]] = []
    try:
        with open_store(job.store) as store:
            ended = partial(end_claims, store, job)
            with Crew(job, [part], ended) as crew:
                said += crew.said()
            if job.phase is Phase.PROCESS:
                crew.check()
    except WebstencilError as error:
        said.append((0, WorkersBroken(error)))
    return tuple(merged(said))


def end_claims(store: Store, job: WorkerJob, part: SourcePart, _why: str) -> None:
    """Release the claims of a dead worker."""
    store.end_claims(job.owner(part))


def merged(said: Sequence[tuple[int, Said]]) -> Iterator[tuple[int, Said]]:
    """Merge the progress messages of each worker into one."""
    told: dict[int, list[WorkerProgress]] = {}
    for worker, one in said:
        if isinstance(one, WorkerProgress):
            told.setdefault(worker, []).append(one)
    for worker, pieces in told.items():
        pages = tuple(page for piece in pieces for page in piece.pages)
        yield worker, WorkerProgress(pages, pieces[-1].report, pieces[-1].repeated)
    yield from ((worker, one) for worker, one in said if not isinstance(one, WorkerProgress))


def pages_in(said: Said) -> int:
    """Return how many pages a message reports."""
    return len(said.pages) if isinstance(said, WorkerProgress) else int(isinstance(said, LostPage))
