"""A crawl that is killed at random moments, and the site it crawls."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from research.support import crawl_job
from research.support.process_tree import descendants, send
from research.support.web_server import Reply, Server, linked

PAGES = 40
WINDOW = 64 + 16  # pages in flight at most, and those settled since the last commit
PAUSE = 0.004  # s that the server takes for a page
MOST_REQUESTS = 100  # that a crawl makes before it is killed
LONGEST_WAIT = 0.1  # s between the last of them and the kill


def site(path: str, _headers: dict[str, str]) -> Reply:
    """Answer for a site of three templates with redirects and dead links."""
    time.sleep(PAUSE)
    name, _, number = path.strip("/").partition("/")
    if path == "/style.css":
        return Reply(b"p{}", kind="text/css")
    if name == "old":
        return Reply(status=301, headers=(("Location", f"/story/{number}"),))
    if path != "/" and not (number.isdecimal() and int(number) < PAGES):
        return Reply(b"no", 404)
    first = int(number or 0) * 4 + 1
    links = [f"/{kind}/{first + step}" for step in range(4) for kind in ("story", "shop")]
    return Reply(linked(path, *links, f"/old/{first + 4}", text=template(name, first)))


def template(name: str, number: int) -> str:
    """Write the part of a page in which the templates differ; a shop has three kinds of goods."""
    goods = (["h3", "q", "s"], ["dl", "i"], ["pre"])[number % 3]
    tags = {"story": ["h2", "em", "b"], "shop": goods}
    rows = "".join(f"<div><{tag}><span>x</span></{tag}></div>" for tag in tags.get(name, []))
    return (
        f"</p><section id={name or 'home'}{number % 3 if name == 'shop' else ''}>{rows}</section>"
    )


def killed_once(server: Server, folder: Path, lot: random.Random) -> bool:
    """Start a crawl and kill it at a random moment; False if it had ended before."""
    process = subprocess.Popen([sys.executable, crawl_job.__file__, server.url + "/", str(folder)])
    until = len(server.asked) + lot.randrange(MOST_REQUESTS)
    while process.poll() is None and len(server.asked) < until:
        time.sleep(PAUSE)
    time.sleep(lot.random() * LONGEST_WAIT)
    fetching = list(descendants(process.pid))
    ended = process.poll() is not None
    process.kill()
    process.wait()
    if lot.random() < 0.3:  # else it has to notice that its parent is gone
        send(signal.SIGKILL, fetching)
    return not ended


def crawl_with_kills(server: Server, folder: Path, kills: int, seed: int) -> int:
    """Kill a crawl so often, then let it end; return how often it was killed."""
    lot = random.Random(seed)
    folder.mkdir()
    killed = sum(killed_once(server, folder, lot) for _ in range(kills))
    crawl_job.run(server.url + "/", folder)
    return killed
