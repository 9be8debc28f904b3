"""The address of an image, also of one that a script loads when it comes into view."""

import re
from collections.abc import Iterator
from html import escape

from webstencil.markup import Element, Node, attribute, tag
from webstencil.urls import join

LAZY = (
    *("data-src", "data-original", "data-lazy-src", "data-lazy", "data-orig-file"),
    *("data-full-url", "data-original-src", "data-actualsrc", "data-url", "data-image"),
    *("data-lazyload", "data-img-url", "data-cfsrc", "data-ezsrc", "nitro-lazy-src"),
    "data-pagespeed-lazy-src",
)
LAZY_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
PLACEHOLDER = re.compile(
    r"(?i)^data:|(?:^|[/_.-])(?:placeholder|blank|spacer|transparent|lazy(?:load)?|loading|pixel"
    r"|grey|gray|1x1|empty)(?:[_.-][^/]*)?\.(?:gif|png|svg|jpe?g|webp)"
)
BADGE = re.compile(r"(?i)avatar|user-?pic|reactions")  # signs of persons, and buttons
SMILEY = re.compile(r"(?i)emoji|emoticon|smil(?:ey|ie)s?(?![a-z])")
SIZE = re.compile(r"(\d+(?:\.\d+)?)([wx])$")
LARGEST = 2000  # px: a larger copy than this is not better
FEWEST = 3  # px: a smaller image counts visitors


def image_html(node: Node, base: str) -> str:
    """Return an image as HTML, empty if it has no address or shows nothing."""
    if _is_counter(node):
        return ""
    if SMILEY.search(attribute(node, "class")):
        return escape(attribute(node, "alt"), quote=False)
    source = address(node)
    if not source:
        return ""
    alt = attribute(node, "alt") or attribute(node, "title")
    return f'<img src="{escape(join(base, source) or source)}" alt="{escape(alt)}">'


def address(node: Node) -> str:
    """Return the best address of an image, as written; empty if it has none."""
    own = attribute(node, "src").strip()
    lazy = [attribute(node, key).strip() for key in LAZY]
    for one in (*lazy, own, *_from_sets(node), *_from_noscript(node)):
        if one and not PLACEHOLDER.search(one) and not one.startswith(("{", "[")):
            return one
    return ""


def _from_sets(node: Node) -> Iterator[str]:
    """Yield the best address of each set of copies, of the image or of the `picture` around it."""
    for key in LAZY_SETS:
        yield largest(attribute(node, key))
    around = node.parent
    if around is not None and tag(around) == "picture":
        for source in around.select("source"):
            for key in LAZY_SETS:
                yield largest(attribute(source, key))


def _from_noscript(node: Node) -> Iterator[str]:
    """Yield the address of the copy for browsers without scripts, which follows the image."""
    following = node.next_sibling
    while following is not None and not isinstance(following, Element):
        following = following.next_sibling
    if following is not None and tag(following) == "noscript":
        for image in following.select("img"):
            yield attribute(image, "src").strip()


def largest(written: str) -> str:
    """Return the largest copy in a `srcset`, up to a size that is enough."""
    found: list[tuple[float, str]] = []
    for part in re.split(r",\s+|,(?=https?://|/)", written.strip()):
        words = part.split()
        if words:
            size = SIZE.fullmatch(words[-1]) if len(words) > 1 else None
            width = float(size[1]) * (1000 if size[2] == "x" else 1) if size else 0.0
            found.append((width if width <= LARGEST else LARGEST / width, words[0]))
    return max(found)[1].rstrip(",") if found else ""


def is_badge(node: Node) -> bool:
    """Return whether an image, or what is around it, is named as the sign of a person or a button.

    So are avatars and reactions in threads: without the name beside them they mean nothing.
    """
    return bool(BADGE.search(attribute(node, "class")) or BADGE.search(attribute(node, "id")))


def _is_counter(node: Node) -> bool:
    """Return whether an image is too small to show anything."""
    sizes = [attribute(node, key).removesuffix("px") for key in ("width", "height")]
    return any(size.isascii() and size.isdecimal() and int(size) < FEWEST for size in sizes)
