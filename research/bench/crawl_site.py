"""A site of one template on 127.0.0.1, of any size, as fast as Python can serve it."""

import asyncio
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

LINKS = 32  # on a page
WORDS = [
    "stencil",
    "template",
    "page",
    "area",
    "margin",
    "border",
    "column",
    "headline",
    "footer",
    "caption",
]
STYLE = "body{font:16px serif;width:960px}nav{float:left;width:200px}footer{border-top:1px solid}"


def page(number: int, pages: int, paragraphs: int) -> bytes:
    """Write a page; it links to pages of higher numbers, so that a crawl is wide."""
    rng = random.Random(number)
    links = [(number * LINKS + step + 1) % pages for step in range(LINKS)]
    menu = "".join(f'<li><a href="/page/{link}">Page {link}</a>' for link in links)
    text = "".join(f"<p>{' '.join(rng.choices(WORDS, k=60))}</p>" for _ in range(paragraphs))
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><title>Page {number}</title>'
        '<link rel="stylesheet" href="/style.css"></head><body><header><h1>Site</h1></header>'
        f'<nav><ul>{menu}</ul></nav><main id="main"><h2>Page {number}</h2>{text}</main>'
        "<footer><p>All of it made up</p></footer></body></html>"
    ).encode()


def answer(path: str, pages: int, paragraphs: int) -> bytes:
    """Return the response to a request."""
    kind, status, body = "text/html; charset=utf-8", "200 OK", b""
    if path == "/style.css":
        kind, body = "text/css", STYLE.encode()
    elif path == "/" or path.startswith("/page/"):
        body = page(int(path.rpartition("/")[2] or 0), pages, paragraphs)
    else:
        status = "404 Not Found"
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def serve(pages: int, paragraphs: int) -> None:
    """Serve until killed; print the URL."""
    cache: dict[str, bytes] = {}

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while request := await reader.readline():
            while (await reader.readline()).strip():
                pass
            path = request.split()[1].decode()
            if path not in cache:
                cache[path] = answer(path, pages, paragraphs)
            writer.write(cache[path])
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)  # noqa: T201
    await server.serve_forever()


@contextmanager
def running_site(pages: int, paragraphs: int) -> Iterator[str]:
    """Serve a site in another process; yield its URL."""
    command = [sys.executable, __file__, str(pages), str(paragraphs)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2])))
