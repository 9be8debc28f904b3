"""Kill a crawl many times at random moments and compare with an undisturbed one.

    python -m research.bench.crawl_kills [--kills 50] [--seed 1]

A crawl that is complete before so many kills is made again in a new folder. Prints pages lost and
pages twice in the output, stencils rendered again, and requests that were repeated after a kill.
"""

import argparse
import json
import tempfile
from collections import Counter
from pathlib import Path

from research.support import crawl_kills
from research.support.crawl_kills import crawl_with_kills, site
from research.support.web_server import serving
from webstencil.crawl.frontier_tables import frontier_path, listed_urls

ALL = "all"  # kinds together
KILLS_AT_ONCE = 8  # of one crawl; it makes progress between them


def addresses(folder: Path) -> Counter[str]:
    """Count the lines of each page in the output."""
    lines = (folder / "site.jsonl").read_text().splitlines()
    return Counter(json.loads(line)["url"] for line in lines)


def compare(calm: Path, hurt: Path) -> Counter[str]:
    """Count the differences to an undisturbed crawl."""
    expected, found = addresses(calm), addresses(hurt)
    notes = (hurt / "notes").read_text().splitlines()
    lists = [
        list(listed_urls(frontier_path(folder / "site.db"), "visited")) for folder in (calm, hurt)
    ]
    same = (calm / "site.jsonl").read_bytes() == (hurt / "site.jsonl").read_bytes()
    return Counter(
        {
            "pages": len(expected),
            "pages lost": len(expected - found),
            "pages too many": len(found - expected),
            "stencils rendered again": sum(note.startswith("again") for note in notes),
            "renderings begun": len(notes),
            "outputs that differ": int(not same),
            "lists that differ": int(lists[0] != lists[1]),
        }
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    total: Counter[str] = Counter()
    repeated: list[Counter[str]] = []  # after each kill, requests by kind
    with serving(site) as server, tempfile.TemporaryDirectory() as name:
        calm = Path(name) / "calm"
        calm.mkdir()
        crawl_kills.run_crawl(server.url + "/", calm)
        while len(repeated) < asked.kills:
            hurt = Path(name) / str(total["crawls"])
            kills = min(KILLS_AT_ONCE, asked.kills - len(repeated))
            repeated += crawl_with_kills(server, hurt, kills, asked.seed + total["crawls"])
            total.update({"crawls": 1, **compare(calm, hurt)})
            print(f"{len(repeated)} kills, {dict(total)}", flush=True)  # noqa: T201
    print(table(repeated))  # noqa: T201


def table(repeated: list[Counter[str]]) -> str:
    """Write the repeated requests as a table: a line for each kind."""
    rows = [f"{'repeated requests':20} {'in all':>8} {'a kill':>8} {'most':>8}"]
    for kind in (*sorted({kind for kill in repeated for kind in kill}), ALL):
        counts = [kill.total() if kind == ALL else kill[kind] for kill in repeated]
        mean = sum(counts) / len(counts)
        rows.append(f"{kind:20} {sum(counts):8} {mean:8.1f} {max(counts):8}")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
