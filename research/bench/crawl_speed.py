"""Pages per second of `webstencil crawl` on hits, beside a bare Scrapy crawl of the same site.

Both crawl a site on 127.0.0.1 without delays. The bare crawl follows links with its own set of seen
URLs and keeps nothing: the fastest that Scrapy can do. Memory is that of our two processes without
the browser, read once a second.
"""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from research.bench import bench_parser
from research.bench.crawl_site import running_site

BARE = """
import sys, re
import scrapy
from scrapy.crawler import AsyncCrawlerProcess
class Bare(scrapy.Spider):
    name = "bare"
    seen = set()
    async def start(self):
        yield scrapy.Request(sys.argv[1])
    def parse(self, response):
        for href in re.findall(rb'<a href="([^"]+)"', response.body):
            if href not in self.seen:
                self.seen.add(href)
                yield scrapy.Request(sys.argv[1] + href.decode()[1:], dont_filter=True)
process = AsyncCrawlerProcess({
    "LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False,
    "ROBOTSTXT_OBEY": True, "CONCURRENT_REQUESTS": 16, "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "DOWNLOAD_DELAY": 0, "COOKIES_ENABLED": False,
})
process.crawl(Bare)
process.start()
"""
MEGABYTE = 1024  # kB


def timed(command: list[str], watch: bool = False) -> tuple[float, float, list[float]]:
    """Run a command; return its seconds, processor seconds, and memory (MB) over time."""
    start, used = time.perf_counter(), processor_seconds()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    memory = []
    while process.poll() is None:
        time.sleep(1.0 if watch else 0.02)
        if watch:
            memory.append(resident(process.pid))
    if process.returncode:
        sys.exit(f"{command} ended with {process.returncode}")
    return time.perf_counter() - start, processor_seconds() - used, memory


def processor_seconds() -> float:
    """Return the processor seconds of all ended child processes."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def resident(process: int) -> float:
    """Return the memory of a process and its Python children in MB."""
    total = 0.0
    children = Path(f"/proc/{process}/task/{process}/children")
    for number in [str(process), *(children.read_text().split() if children.exists() else [])]:
        try:
            command = Path(f"/proc/{number}/cmdline").read_text()
            status = Path(f"/proc/{number}/status").read_text()
        except OSError:
            continue
        if "webstencil" in command and "VmRSS" in status:
            total += int(status.partition("VmRSS:")[2].split()[0]) / MEGABYTE
    return total


def ours(url: str, store: Path) -> list[str]:
    """Return the command of our crawl."""
    options = ["--delay", "0", "--connections", "16", "--allow-private", "--pages", "1000000"]
    files = ["--store", str(store), "--out", str(store.with_suffix(".jsonl"))]
    return [sys.executable, "-m", "webstencil", "crawl", url, *files, *options]


def main() -> None:
    """Measure and print."""
    parser = bench_parser("crawl_speed", __doc__)
    parser.add_argument("--pages", type=int, default=2000, help="of the site")
    parser.add_argument("--paragraphs", type=int, default=40, help="of a page; 40 are 24 kB")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", action="store_true", help="print memory over time")
    asked = parser.parse_args()
    bare, full, bare_cpu, full_cpu = [], [], [], []
    with running_site(asked.pages, asked.paragraphs) as url, tempfile.TemporaryDirectory() as name:
        for number in range(asked.rounds):
            seconds, used, _ = timed([sys.executable, "-c", BARE, url])
            bare.append(seconds)
            bare_cpu.append(used)
            store = Path(name) / f"{number}.db"
            seconds, used, memory = timed(ours(url, store), asked.memory)
            full.append(seconds)
            full_cpu.append(used)
            print(  # noqa: T201
                f"bare {bare[-1]:.1f} s ({bare_cpu[-1]:.1f} s of processors), "
                f"ours {full[-1]:.1f} s ({full_cpu[-1]:.1f} s, browser included)",
                flush=True,
            )
            if memory:
                steps = max(1, len(memory) // 10)
                print("MB:", [round(mb) for mb in memory[::steps]])  # noqa: T201
    one, other = statistics.median(bare), statistics.median(full)
    print(  # noqa: T201
        f"{asked.pages} pages: bare Scrapy {asked.pages / one:.0f} pages/s, "
        f"ours {asked.pages / other:.0f} pages/s, {other / one:.2f} times its time"
    )


if __name__ == "__main__":
    main()
