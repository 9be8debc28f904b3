"""A made-up site of three templates: posts, categories and products, each page with its own words.

Pages are functions of their numbers: the same on every machine and in every process.
"""

import random

from webstencil.markup.parse import parse
from webstencil.model import RawPage
from webstencil.site.outline import OutlinedPage, outline

HOST = "made.example"
NOUNS = (
    "lamp",
    "table",
    "river",
    "garden",
    "engine",
    "letter",
    "window",
    "bridge",
    "winter",
    "ship",
)
VERBS = ("holds", "carries", "follows", "remembers", "leaves", "mends", "finds", "paints", "loses")
PROSE = ("p", "h2", "ul", "pre", "blockquote", "figure", "ol")  # what an author may use
TOP = (
    "<header class=top><nav class=menu><ul><li><a href=/>Home</a></li><li><a href=/posts/>Posts</a>"
    "</li><li><a href=/shop/>Shop</a></li></ul></nav></header>"
)
BOTTOM = "<footer class=bottom><p>Made by nobody in particular, for tests only</p></footer>"


def words(lot: random.Random, number: int) -> str:
    """Write some words."""
    return " ".join(lot.choice((*NOUNS, *VERBS)) for _ in range(number))


def page(kind: str, title: str, body: str) -> bytes:
    head = f"<title>{title}</title><meta property=og:type content={kind}>"
    html = f"<!DOCTYPE html><html><head>{head}</head><body>{TOP}{body}{BOTTOM}</body></html>"
    return html.encode()


def post(number: int) -> bytes:
    """Make a post: running text of any elements, and comments."""
    lot = random.Random(f"post {number}")
    text = "".join(f"<{tag}>{words(lot, 30)}</{tag}>" for tag in lot.choices(PROSE, k=6))
    comments = "".join(f"<li><cite>{words(lot, 1)}</cite><p>{words(lot, 9)}</p></li>" for _ in "ab")
    title = words(lot, 4)
    body = (
        f"<main class='post post-{number}'><h1>{title}</h1><div class=byline><p class=author>By "
        f"{words(lot, 2)}</p><p class=date>{number % 28 + 1} May</p></div><div class=text>{text}"
        f"</div><section class=comments><h2>Comments</h2><ol>{comments}</ol></section></main>"
    )
    return page("article", title, body)


def category(number: int) -> bytes:
    """Make a list of posts."""
    lot = random.Random(f"category {number}")
    rows = "".join(
        f"<li class=row><h2><a href=/posts/{lot.randrange(99)}.html>{words(lot, 3)}</a></h2>"
        f"<p class=teaser>{words(lot, 12)}</p></li>"
        for _ in range(lot.randrange(2, 7))
    )
    body = (
        f"<section class=archive><h1>Category: {words(lot, 2)}</h1><ol class=rows>{rows}</ol>"
        "<div class=pager><p class=older>Older</p><p class=newer>Newer</p></div></section>"
        f"<aside class=cloud><h3>Tags</h3><ul class=tags><li>{words(lot, 1)}</li></ul></aside>"
    )
    return page("website", f"Category {number}", body)


def product(number: int) -> bytes:
    """Make a thing to buy."""
    lot = random.Random(f"product {number}")
    facts = "".join(f"<tr><th>{words(lot, 1)}</th><td>{words(lot, 2)}</td></tr>" for _ in "abc")
    title = words(lot, 2)
    body = (
        f"<div class=product id=product-{number}><div class=gallery><figure><img src=a.png>"
        f"<figcaption>{words(lot, 3)}</figcaption></figure></div><div class=offer><h1>{title}</h1>"
        f"<p class=price>{lot.randrange(999)} crowns</p><form class=buy><fieldset><p>How many?</p>"
        f"</fieldset></form></div><table class=facts>{facts}</table><div class=reviews>"
        f"<blockquote>{words(lot, 20)}</blockquote></div></div>"
    )
    return page("product", title, body)


KINDS = {"posts": post, "categories": category, "shop": product}  # by folder


def kind_of(url: str) -> str:
    """Return the folder of a page, which tells its template."""
    return url.split("/")[3]


def site_pages(number: int, site: str = HOST) -> dict[str, bytes]:
    """Return so many pages, as many of each template, by URL."""
    chosen = [(folder, each) for each in range(-(-number // 3)) for folder in KINDS][:number]
    return {f"http://{site}/{folder}/{each}.html": KINDS[folder](each) for folder, each in chosen}


def outlined(url: str, body: bytes) -> OutlinedPage:
    """Return a page as a model has it."""
    return OutlinedPage(url, outline(parse(RawPage(url, body))))


def outlined_pages(number: int, site: str = HOST) -> list[OutlinedPage]:
    """Return the pages of a site as a model has them."""
    return [outlined(url, body) for url, body in site_pages(number, site).items()]
