"""What authors say their pages are made of: landmarks, as a gold over many pages of a site.

Authors mark their own segmentation: `header`, `nav`, `main`, `article`, `aside`, `footer`, ARIA
roles, and classes and ids with such names. Segmenters see none of that. A text belongs to the
innermost landmark around it; the *fine* gold adds what authors name as a piece, as `section`,
`figure`, cards, posts, comments.

The program may use such names and the measure may not, so pages are blinded first: landmarks become
`div`, roles are removed, and each class and id is replaced by a hash of itself. Pages of a site
still align, and the names mean nothing.
"""

import re
from functools import lru_cache
from hashlib import blake2b

from webstencil.markup import attribute
from webstencil.markup.source import rewritten
from webstencil.model import NO_PARENT, TEXT, NodeId, Page, RawPage

ELEMENTS = frozenset({"header", "nav", "main", "article", "aside", "footer"})
PIECES = ELEMENTS | {"section", "form", "figure"}
ROLES = frozenset(
    {"banner", "navigation", "main", "complementary", "contentinfo", "article", "search"}
)
# In a class: names that are found in longer ones, as in "navheader", and names that are words.
PARTS = frozenset(
    {"header", "footer", "sidebar", "menu", "navigation", "navbar", "comments", "breadcrumb"}
)
WORDS = frozenset({"nav", "main", "aside", "toc", "content", "article"})
FINE_PARTS = PARTS | {
    *("widget", "card", "module", "panel", "comment", "teaser", "entry", "product", "related"),
    *("share", "author", "section"),
}
FINE_WORDS = WORDS | {"block", "item", "post", "meta", "tags"}
NAMED = frozenset(  # elements whose names count; rows of tables have headers, too
    {"div", "ul", "ol", "dl", "table", "form", "section", "article", "aside", "nav", "main"}
    | {"header", "footer", "details", "fieldset", "center"}
)
WHOLE = frozenset({TEXT, "html", "body"})  # they name the page
HASH_BYTES = 5
LETTERS = str.maketrans("0123456789", "ghijklmnop")  # numbers in names count for nothing

_WORD = re.compile(r"[-_]+|(?<=[a-z])(?=[A-Z])")


def landmarks(page: Page, *, fine: bool = False) -> list[NodeId]:
    """Return the innermost landmark around each node of a page, NO_PARENT if there is none."""
    tree = page.tree
    elements = page.markup.nodes(range(len(tree)))
    found: list[NodeId] = []
    for node, (tag, parent) in enumerate(zip(tree.tags, tree.parents, strict=True)):
        above = found[parent] if parent != NO_PARENT else NO_PARENT
        is_one = tag not in WHOLE and (
            tag in (PIECES if fine else ELEMENTS)
            or attribute(elements[node], "role").lower() in ROLES
            or (
                (tag in NAMED or (fine and tag == "p"))
                and is_named(tree.classes[node], tree.ids[node], fine=fine)
            )
        )
        found.append(node if is_one else above)
    return found


@lru_cache(maxsize=1 << 16)
def is_named(classes: str, identifier: str, *, fine: bool) -> bool:
    """Return whether an element has the name of a landmark.

    >>> is_named("navheader", "", fine=False), is_named("", "domain", fine=False)
    (True, False)
    """
    parts, words = (FINE_PARTS, FINE_WORDS) if fine else (PARTS, WORDS)
    for token in classes.split():
        if any(part in token.lower() for part in parts) or _has_word(token, words):
            return True
    return any(_has_word(token, words | parts) for token in identifier.split())


def _has_word(token: str, words: frozenset[str]) -> bool:
    return any(word.lower() in words for word in _WORD.split(token))


def blinded(raw: RawPage, page: Page) -> RawPage:
    """Return a page without the names of its parts; its nodes have the same numbers."""
    body = rewritten(page.body, page.encoding, PIECES, hashed)
    return RawPage(raw.url, body, "utf-8", raw.origin, resources=raw.resources)


@lru_cache(maxsize=1 << 16)
def hashed(token: str) -> str:
    """Return a name that means nothing, the same for the same token."""
    name = blake2b(token.encode("utf-8", "replace"), digest_size=HASH_BYTES).hexdigest()
    return "x" + name.translate(LETTERS)
