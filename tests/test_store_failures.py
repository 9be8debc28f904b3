"""The store when processes share it or are killed, the disk is full, or the file is no store."""

import multiprocessing
import os
import random
import resource
import sqlite3
import tempfile
import time
from contextlib import closing
from dataclasses import replace
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path
from threading import Timer

import pytest
from store_values import SITE, VIPS, numbered_page, result_of, rows, run

from webstencil.errors import StoreError
from webstencil.model import PageResult, Problem
from webstencil.protocols import Done
from webstencil.store import open_store
from webstencil.store.sql import place_named

PATIENCE = 0.05  # s, how long a test waits for a lock that is not given back
NOBODY = 65534  # the user without rights

spawn = multiprocessing.get_context("spawn")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "stencils.db"


def save_in_turn(place: str, start: Barrier, numbers: range) -> None:
    start.wait()
    with open_store(place) as store:
        for number in numbers:
            store.save(VIPS, [numbered_page(number)])


def test_processes_may_share_a_new_store(place: str) -> None:
    """Processes that make it and write to it at the same time lose nothing."""
    start = spawn.Barrier(4)
    parts = [range(first, 80, 4) for first in range(4)]
    children = [spawn.Process(target=save_in_turn, args=(place, start, part)) for part in parts]
    for child in children:
        child.start()
    for child in children:
        child.join()

    with open_store(place) as store:
        found = {result.url: result for result in store.results(VIPS)}
    assert [child.exitcode for child in children] == [0, 0, 0, 0]
    pages = [numbered_page(number) for number in range(80)]
    assert found == {page.result.url: page.result for page in pages}


def test_making_a_store_waits_for_who_reads_the_empty_file(path: Path) -> None:
    """A file that another process looks at is made a store as soon as that one is through."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM sqlite_master").fetchall()
        with pytest.raises(StoreError, match="database is locked"):
            open_store(path, wait=PATIENCE)
        through = Timer(PATIENCE, other.rollback)
        through.start()
        open_store(path).close()
        through.join()

    assert rows(path, "PRAGMA journal_mode") == [("wal",)]


def save_until_killed(place: str, first: int, reports: Connection) -> None:
    with open_store(place) as store:
        for number in count(first):
            store.save(VIPS, [numbered_page(number)])
            reports.send(number)


def reported_until_killed(place: str, first: int, pause: random.Random) -> list[int]:
    """Return the numbers of the pages that a process said it had saved before it was killed."""
    receiver, sender = spawn.Pipe(duplex=False)
    child = spawn.Process(target=save_until_killed, args=(place, first, sender))
    child.start()
    sender.close()
    reported = [receiver.recv() for _ in range(pause.randint(1, 60))]
    time.sleep(pause.uniform(0, 0.002))  # s, to hit any moment of a save
    child.kill()
    child.join()
    try:
        while True:
            reported.append(receiver.recv())
    except EOFError:
        return reported


def test_what_was_saved_survives_kill_9(place: str) -> None:
    """Each page that save() returned from is there, whole, with the stencil learned from it."""
    pause = random.Random(9)
    first = 0
    for _ in range(6):
        reported = reported_until_killed(place, first, pause)
        with open_store(place) as store:
            results = list(store.results(VIPS))
            done = store.results.done(VIPS)
            stencils = store.stencils(SITE, VIPS)

        assert len(results) in (reported[-1] + 1, reported[-1] + 2)  # one may lack its report
        pages = [numbered_page(number) for number in range(len(results))]
        assert results == [page.result for page in pages]
        assert done == {page.result.url: page.digest for page in pages}
        assert stencils == tuple(page.learned for page in pages if page.learned)
        first = len(results)


def save_until_refused(path: Path, limit: int, reports: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    with open_store(path) as store:
        try:
            for number in count():
                store.save(VIPS, [Done(large_result(number), b"d")])
        except StoreError as error:
            reports.send((str(error), number, list(store.results(VIPS))))


def large_result(number: int) -> PageResult:
    """Make a result that compression does not shorten much."""
    noise = random.Random(number).randbytes(10_000).hex()
    return replace(result_of(number), problems=(Problem("render", "noise", noise),))


def test_a_full_disk_is_named_and_costs_nothing_that_was_saved(path: Path) -> None:
    """The save that did not fit says so; the ones before it are there, then and later."""
    receiver, sender = spawn.Pipe(duplex=False)
    child = spawn.Process(target=save_until_refused, args=(path, 260_000, sender))
    child.start()
    sender.close()
    message, number, results = receiver.recv()
    child.join()

    with open_store(path) as store:
        found = list(store.results(VIPS))
        store.save(VIPS, [Done(large_result(number), b"d")])
    assert message == (
        f"cannot save the result of https://example.org/{number}: disk I/O error ({path}); "
        "the disk is full, over its quota, or faulty: free some space and run again, what is saved "
        "stays saved"
    )
    assert number > 2
    assert found == results == [large_result(saved) for saved in range(number)]


def test_a_locked_store_is_named(path: Path) -> None:
    """A save that waited in vain for another process says so, and can be tried again."""
    with open_store(path, wait=PATIENCE) as store:
        store.save(VIPS, [Done(result_of("a"), b"d")])
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError) as caught:
                store.save(VIPS, [Done(result_of("b"), b"d")])
        store.save(VIPS, [Done(result_of("c"), b"d")])
        done = list(store.results.done(VIPS))

    assert str(caught.value) == (
        f"cannot save the result of https://example.org/b: database is locked ({path}); another "
        "process is writing to it: wait for it, or end it, and run again"
    )
    assert done == ["https://example.org/a", "https://example.org/c"]


def open_without_rights(folder: Path, name: str, mode: int, reports: Connection) -> None:
    """Make a store, change the mode of the named file, and report what opening the store says."""
    path = folder / "stencils.db"
    open_store(path).close()
    (folder / name).chmod(mode)
    if os.geteuid() == 0:  # root may do anything
        os.setuid(NOBODY)
    try:
        open_store(path).close()
    except StoreError as error:
        reports.send(str(error))


@pytest.mark.parametrize(
    ("name", "mode", "failure", "next_step"),
    [
        pytest.param(
            "stencils.db",
            0o444,
            "attempt to write a readonly database",
            "the file or its folder is read-only: make both writable, or copy the store elsewhere",
            id="read-only file",
        ),
        pytest.param(
            ".",
            0o000,
            "unable to open database file",
            "this user may not use the file or its folder: change the permissions",
            id="closed folder",
        ),
    ],
)
def test_missing_rights_are_named(name: str, mode: int, failure: str, next_step: str) -> None:
    """A store that may not be written is refused when it is opened, not after hours."""
    receiver, sender = spawn.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as temporary:  # not in tmp_path: that is its owner's only
        folder = Path(temporary)
        folder.chmod(0o755)
        child = spawn.Process(target=open_without_rights, args=(folder, name, mode, sender))
        child.start()
        sender.close()
        message = receiver.recv()
        child.join()
        folder.chmod(0o755)

    assert message == f"cannot open the store: {failure} ({folder}/stencils.db); {next_step}"


def look_without_rights(folder: Path, reports: Connection) -> None:
    """Make a store that nobody can write, and report what is read of it, and what a save says."""
    path = folder / "stencils.db"
    with open_store(path) as store:
        store.save(VIPS, [numbered_page(0)])
    path.chmod(0o444)
    folder.chmod(0o555)
    if os.geteuid() == 0:  # root may do anything
        os.setuid(NOBODY)
    with open_store(path, read_only=True) as store:
        found = list(store.results(VIPS))
        try:
            store.save(VIPS, [numbered_page(1)])
        except StoreError as error:
            reports.send((found, str(error)))


def test_a_store_that_cannot_be_written_can_be_read() -> None:
    """As on a read-only disk: what is there is told, and only what has to be written fails."""
    receiver, sender = spawn.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as temporary:  # not in tmp_path: that is its owner's only
        folder = Path(temporary)
        child = spawn.Process(target=look_without_rights, args=(folder, sender))
        child.start()
        sender.close()
        found, message = receiver.recv()
        child.join()
        folder.chmod(0o755)

    assert found == [numbered_page(0).result]
    assert message == (
        "cannot save the result of https://example.org/1: attempt to write a readonly database "
        f"({folder}/stencils.db); the file or its folder is read-only: make both writable, or copy "
        "the store elsewhere"
    )


def read_what_a_killed_process_left(folder: Path, reports: Connection) -> None:
    """Take all rights to write away, and report what is read."""
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    if os.geteuid() == 0:  # root may do anything
        os.setuid(NOBODY)
    with open_store(folder / "stencils.db", read_only=True) as store:
        reports.send(list(store.results(VIPS)))


def test_a_store_that_cannot_be_written_is_read_with_its_log() -> None:
    """What a killed process saved last is in the file's log, and is not overlooked."""
    receiver, sender = spawn.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        reported = reported_until_killed(str(folder / "stencils.db"), 0, random.Random(1))
        child = spawn.Process(target=read_what_a_killed_process_left, args=(folder, sender))
        child.start()
        sender.close()
        found = receiver.recv()
        child.join()
        folder.chmod(0o755)

    assert len(found) in (reported[-1] + 1, reported[-1] + 2)  # one may lack its report


def test_a_folder_is_named(tmp_path: Path) -> None:
    """A folder's path is not taken for a file's."""
    with pytest.raises(StoreError) as caught:
        open_store(tmp_path)

    assert str(caught.value) == (
        f"cannot open the store: unable to open database file ({tmp_path}); it is a folder: give "
        "the path of a file in it"
    )


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """No folders are made for a path that may be a typing mistake."""
    with pytest.raises(StoreError) as caught:
        open_store(tmp_path / "no" / "such.db")

    assert str(caught.value) == (
        f"cannot open the store: unable to open database file ({tmp_path}/no/such.db); there is "
        f"no folder {tmp_path}/no: create it first"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_text_file_is_named_and_left_alone(path: Path) -> None:
    """A file of another kind is neither read nor changed."""
    path.write_text("<html>" * 1000)

    with pytest.raises(StoreError) as caught:
        open_store(path)

    assert str(caught.value) == (
        f"cannot open the store: file is not a database ({path}); it is not a webstencil store: "
        "give the path of a store, or of a file that does not exist yet"
    )
    assert path.read_text() == "<html>" * 1000


def test_another_programs_database_is_named_and_left_alone(path: Path) -> None:
    """A database without our tables is not made a store, not even switched to another journal."""
    run(path, "CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()

    with pytest.raises(StoreError, match="is not a webstencil store but a database with other"):
        open_store(path)

    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "address", ["mysql://me:secret@host/stencils", "sqlite://", "sqlite:///:memory:", "://"]
)
def test_a_url_of_another_kind_is_refused(address: str) -> None:
    """What is no kind of store is refused with the way out, and no password is shown."""
    with pytest.raises(StoreError, match="give a file's path") as caught:
        open_store(address)

    assert "secret" not in str(caught.value)


def test_a_damaged_result_is_named(place: str) -> None:
    """A result whose bytes were changed is not given out; the message says which it is."""
    with open_store(place) as store:
        store.save(VIPS, [Done(result_of("a"), b"d")])
    run(place, "UPDATE result SET body = substr(body, 1, 40)")

    with open_store(place) as store, pytest.raises(StoreError) as caught:
        list(store.results(VIPS))

    assert str(caught.value).startswith(
        f"cannot read https://example.org/a from {place_named(place)}: a stored result is damaged: "
    )
