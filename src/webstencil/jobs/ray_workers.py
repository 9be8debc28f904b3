"""A job on many machines: parts of a source as actors of a Ray cluster.

Ray distributes the actors over its machines; each does its part, and the driver, which alone writes
to the store, asks it for one message after the other.
"""

import logging
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from threading import current_thread, main_thread
from typing import Any

from webstencil.errors import SettingsError, SourceError, WebstencilError
from webstencil.jobs.job import Hands, Taking
from webstencil.jobs.work import Order, Phase, Said, WorkerProgress, WorkersBroken
from webstencil.jobs.workers import (
    LAST_WAIT,
    MOST_STARTS,
    Crew,
    PartWork,
    WorkerJob,
    WorkerProcess,
    Workers,
    with_result,
)
from webstencil.processes import import_path
from webstencil.protocols import PageEvent, Renderer, Source
from webstencil.settings import Settings
from webstencil.sources import SourcePart
from webstencil.store import StorePlace
from webstencil.store.postgres import PostgresDatabase
from webstencil.store.sql import database_of

LOCAL = "local"  # instead of an address: start Ray on this machine
BROWSER = "browser"  # name of the cluster resource that limits the browsers of a machine
ON_ITS_OWN = "127.0.0.1"  # else Ray would be open to the network
MOST_WORKERS = 1_000_000  # that an actor starts, one after the other


class RayWorkers(Workers):
    """Processes pages as a `Pipeline` does, by actors of a Ray cluster."""

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
        super().__init__(store, settings, number=1, renderer=renderer, items=items)
        self._address = address
        self._processors = processors

    @contextmanager
    def _hands(self, source: Source) -> Iterator[Hands]:
        """Connect to the cluster; refuse what it made of the source if it has too few pages."""
        job = self._job(source)
        job.packed()  # raises if it cannot be sent
        connect(self._address, self._processors)
        try:
            yield RayCrew(job, self._parts, self._note_death, bare=self.bare)
            self._refuse_too_few(source)
        finally:
            import ray  # noqa: PLC0415 - takes a second to load

            ray.shutdown()

    def _refuse_too_few(self, source: Source) -> None:
        """Raise if the cluster found fewer pages in the source than this machine."""
        total, report = source.count(), self.report()
        met = report.pages + report.unchanged
        if total is not None and met + self.repeated < total:
            raise SourceError(
                f"the cluster found only {met + self.repeated} of {total} pages: all its machines "
                "must reach the sources at the same paths, as in a shared folder"
            )


class RayCrew(Hands):
    """One actor for each part of a job; each waits until what it said is saved.

    An actor has a crew of one worker, so that a page that crashes it is known. An actor that dies
    with its machine is replaced, and its part is done from where the store has it.
    """

    def __init__(
        self,
        job: WorkerJob,
        parts: Callable[[int], list[SourcePart]],
        note_death: Callable[[str], None],
        *,
        bare: bool = False,
    ) -> None:
        """Divide a job by the processors of the cluster."""
        import ray  # noqa: PLC0415 - takes a second to load

        self._ray = ray
        resources = ray.cluster_resources()
        number = max(1, int(resources.get("CPU", 1)))
        needs = {BROWSER: 1} if BROWSER in resources else {}
        self._make = ray.remote(PartActor).options(num_cpus=1, resources=needs).remote
        self._job = ray.put(job)
        self._work = [PartWork(part) for part in parts(number)]
        self._actors: dict[SourcePart, Any] = {}
        self._note_death = note_death
        self._bare = bare

    def do(self, order: Order, take: Taking) -> Iterator[PageEvent]:
        """Let an order be done by all actors."""
        asked: dict[Any, PartWork] = {}  # by what is to come
        for work in self._work:
            work.starts = 1
            work.told.clear()
            asked[self._begin(work, order)] = work
        while asked:
            ready, _ = self._ray.wait(list(asked))
            work = asked.pop(ready[0])
            try:
                heard: Heard | None = self._ray.get(ready[0])
            except self._ray.exceptions.RayActorError as error:
                asked[self._replace(work, order, error)] = work
                continue
            except self._ray.exceptions.RayError as error:
                raise gave_up(error) from error
            if heard is not None:
                for death in heard.deaths:
                    self._note_death(death)
                yield from take(self._number(work, heard), self._whole(work, heard.said))
                asked[self._actors[work.part].next.remote()] = work

    def stop(self, take: Taking) -> None:
        """Let all actors say what they have done and end."""
        for actor in self._actors.values():
            with suppress(self._ray.exceptions.RayError):
                for said in self._ray.get(actor.stop.remote(), timeout=LAST_WAIT):
                    take(0, said)
            self._ray.kill(actor)
        self._actors.clear()

    def _begin(self, work: PartWork, order: Order) -> Any:
        """Give an order to the actor of a part; return what is to come."""
        if work.part not in self._actors:
            self._actors[work.part] = self._make(self._job, work.part)
        return self._actors[work.part].begin.remote(order)

    def _replace(self, work: PartWork, order: Order, error: Exception) -> Any:
        """Start an actor in place of a dead one."""
        del self._actors[work.part]
        work.starts += 1
        if work.starts > MOST_STARTS:
            raise gave_up(error) from error
        return self._begin(work, order)

    def _number(self, work: PartWork, heard: "Heard") -> int:
        """Return a number for a worker, unique among those of all actors."""
        return 1 + work.part.number + work.part.of * (heard.number + MOST_WORKERS * work.starts)

    def _whole(self, work: PartWork, said: Said) -> Said:
        if not isinstance(said, WorkerProgress):
            return said
        said = work.fresh(said)
        return said if self._bare else replace(said, events=tuple(map(with_result, said.events)))


@dataclass(frozen=True, slots=True)
class Heard:
    """What an actor passes on."""

    said: Said
    number: int  # of its worker
    deaths: tuple[str, ...]  # of its workers since the last message


class PartActor:
    """Does a part of a job on a machine of the cluster."""

    def __init__(self, job: WorkerJob, part: SourcePart) -> None:
        self._deaths: list[str] = []
        self._crew = Crew(job, [part], self._deaths.append, bare=True)
        self._crew.__enter__()
        self._heard: Iterator[tuple[WorkerProcess, Said]] = iter(())
        self._last: WorkerProcess | None = None  # it waits until what it said is saved

    def begin(self, order: Order) -> Heard | None:
        """Begin what is ordered; return what its worker says first."""
        self._order = order
        self._heard = self._crew.hear(order)
        return self.next()

    def next(self) -> Heard | None:
        """Return what the worker says next, now that all is saved; None if it has ended."""
        if self._last is not None:
            self._crew.saved(self._last)
        for worker, said in self._heard:
            self._last = worker
            deaths = tuple(self._deaths)
            self._deaths.clear()
            return Heard(said, worker.number, deaths)
        self._last = None
        if self._order.phase is Phase.PROCESS:
            try:
                self._crew.check()
            except WebstencilError as error:
                return Heard(WorkersBroken(error), 0, ())
        return None

    def stop(self) -> list[Said]:
        """End the worker; return what it had done."""
        found: list[Said] = []

        def take(_number: int, said: Said) -> tuple[PageEvent, ...]:
            found.append(said)
            return ()

        self._crew.stop(take)
        self._crew.__exit__()
        return found


def gave_up(error: Exception) -> WebstencilError:
    """Return the error of a cluster that cannot go on."""
    return WebstencilError(
        f"the cluster gave up a part: {error}; finished pages are kept, run again to resume"
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
