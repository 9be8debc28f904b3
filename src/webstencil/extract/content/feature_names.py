"""The names of the features of runs, blocks and pages, in their order."""

from webstencil.extract.content.element_names import BITS
from webstencil.extract.content.page_shape import LEVELS

SIZES = (
    "length",
    "length before",
    "length after",
    "length 2 before",
    "length 2 after",
    "links",
    "bold",
    "links near",
    "length near",
    "good near",
    "links around",
    "length around",
    "good around",
)
PLACES = (
    "good before",
    "none before",
    "none after",
    "share of good",
    "good",
    "far from good before",
    "far from good after",
    "place",
    "runs before",
    "runs after",
    "far from heading",
    "far from title",
)
WORDS = (
    "sentence end",
    "punctuation",
    "repeated",
    "legal",
    "digits",
    "address",
    "markup",
    "title",
    "title words",
    "named title",
    "dated",
    "price",
    "words",
)
ALIKE = (
    "alike",
    "share alike",
    "text alike",
    "length alike",
    "links alike",
    "good alike",
)
RUN_FEATURES = SIZES + PLACES + WORDS + ALIKE
BLOCK_FEATURES = (
    "heading",
    "h1",
    "p",
    "list",
    "cell",
    "set off",
    "div",
    *[f"named {group}" for group in BITS],
    "names against",
    "depth",
    "in heading",
    *[
        f"{name} {level}"
        for level in range(1, LEVELS + 1)
        for name in ("good in", "links in", "runs in", "text in", "good runs in")
    ],
    "repeats",
    "repeats 1",
    "repeats 2",
)
PAGE_FEATURES = (
    "page runs",
    "page text",
    "page links",
    "page good",
    "page p",
    "page lists",
    "page cells",
    "page headings",
    "page prices",
    "page good runs",
    "page alike",
    "page dates",
    "page titled",
)
