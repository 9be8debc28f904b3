"""Ray: the same results from tasks of a cluster, whichever of its processes are killed."""

import signal
import threading
import time
from pathlib import Path

import pytest
from shared_work import SlowRenderer, articles, listing, rendered
from store_values import rows

from research.support.process_tree import descendants, send
from webstencil.errors import SettingsError
from webstencil.jobs.ray_workers import RayWorkers
from webstencil.testing import MemorySource

ray = pytest.importorskip("ray", reason="the extra `ray` is not installed")
pytestmark = pytest.mark.timeout(900)  # s; on a busy machine a cluster takes minutes to start

PAGES = {
    **articles(0, 20),
    **articles(0, 20, "other.example"),
    **{f"http://site.example/list{number}": listing(number) for number in range(9)},
    "http://site.example/empty": b"",
}


def kill_a_task(folder: Path) -> None:
    """Kill a process of Ray's that is doing a part, as soon as one renders."""
    while not rendered(folder):
        time.sleep(0.01)
    busy = {int(file.name.partition("-")[2]) for file in folder.iterdir()}
    send(signal.SIGKILL, list(busy & set(descendants()))[:1])


def test_tasks_of_a_cluster_share_a_job(tmp_path: Path) -> None:
    """Each template is learned once, and a killed process is replaced: no page is lost or twice."""
    folder = tmp_path / "rendered"
    folder.mkdir()
    path = tmp_path / "s.db"
    job = RayWorkers(path, processors=2, renderer=SlowRenderer(folder, 0.7))
    killer = threading.Thread(target=kill_a_task, args=(folder,))
    killer.start()
    results = list(job.run(MemorySource(PAGES)))
    killer.join()

    assert sorted(result.url for result in results) == sorted(PAGES)
    assert rows(path, "SELECT count(*), count(DISTINCT url) FROM page") == [(50, 50)]
    report = job.report()
    assert (report.pages, report.learned, report.failed) == (50, 7, 1)
    assert len(rendered(folder)) in (7, 8)  # one may have been lost with its process
    assert not ray.is_initialized()


def test_a_cluster_cannot_share_a_file(tmp_path: Path) -> None:
    """Who names a cluster must name a server's store, too."""
    with pytest.raises(SettingsError, match="a file, which the machines of a cluster cannot share"):
        RayWorkers(tmp_path / "s.db", address="ray://cluster:10001")
