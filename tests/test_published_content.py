"""ContentExtractor and FastContentExtractor."""

from dataclasses import replace
from pathlib import Path

import pytest
from builders import page_of

from webstencil.errors import SettingsError
from webstencil.paper.content import (
    METHODS,
    BlockText,
    ContentExtractor,
    FastContentExtractor,
    are_similar,
    block_of,
    detect,
    keep_template,
    kept_template,
    similar_pairs,
    vector_of,
)
from webstencil.store import open_store

PHRASE = "the US House of Representatives"  # section II: CE's text does not have it
FIGURE_2 = """<p> On Sept. 27, the US <span
class="yshortcuts" id="lw_0">House of Representatives</span> unanimously passed
a resolution recognizing <span id="lw_1">The Christian Science Monitor</span> on its centennial.
The measure was sponsored by <span id="lw_2">Rep. Lamar Smith</span> (R) of Texas who once served
on the Monitor staff. It was cosponsored by 40 other <span id="lw_3">members of Congress</span>.</p>
"""
FIGURE_3 = """House of Representatives
The Christian Science Monitor
Rep. Lamar Smith
members of Congress
On Sept. 27, the US unanimously passed a resolution recognizing on its centennial. The measure was \
sponsored by (R) of Texas who once served on the Monitor staff. It was cosponsored by 40 other ."""
FIGURE_1 = """On Sept. 27, the US House of Representatives unanimously passed a resolution \
recognizing The Christian Science Monitor on its centennial. The measure was sponsored by Rep. \
Lamar Smith (R) of Texas who once served on the Monitor staff. It was cosponsored by 40 other \
members of Congress."""
MENU = "<ul><li><a href=/>Home</a><li><a href=/news>News</a></ul>"
SITE = (
    "<body>" + MENU + "<div><p>Rain is <span>expected</span> on %s.</p></div>"
    "<div><p>All rights reserved by us.</p></div>"
)


def test_figures_1_to_3_of_the_paper() -> None:
    """A phrase that goes through a sub-block is in FastCE's text and not in CE's."""
    news = page_of("<body>" + MENU + FIGURE_2)
    others = [page_of(f"<body>{MENU}<p>Story {n}a by <span>{n}b {n}c</span></p>") for n in "xyz"]

    texts = {}
    for name, method in METHODS.items():
        texts[name] = detect(method.ready(method.prepare(others)), news)

    assert texts == {"ce": FIGURE_3, "fastce": FIGURE_1}
    assert PHRASE in texts["fastce"]
    assert PHRASE not in texts["ce"]


@pytest.mark.parametrize("name", METHODS)
def test_what_repeats_is_dropped_and_what_varies_is_kept(name: str) -> None:
    """Also on a page that was not prepared on, and if what repeats lies on a path of content."""
    method = METHODS[name]
    detector = method.ready(method.prepare([page_of(SITE % day) for day in ("Monday", "Friday")]))

    text = detect(detector, page_of(SITE % "Sunday evening"))

    assert text == "Rain is on Sunday evening."


def test_a_sub_block_off_the_paths_is_left_out_unless_there_is_one_on_them_in_it() -> None:
    """The extraction rules of section III."""
    pages = [
        page_of(f"<body><div>Own {word}<section><p>Deep {word}</p></section></div>")
        for word in ("one", "two", "three")
    ]
    news = page_of(
        "<body><div>A start<ul>a list</ul><section>between <p>deep down</p></section></div>"
        "<section>outside of all</section>"
    )
    method = FastContentExtractor()

    template = method.prepare(pages)

    assert template.paths == ("html.body.div", "html.body.div.section.p")
    assert detect(method.ready(template), news) == "A start\nbetween\ndeep down"


def test_a_sub_block_goes_with_the_refused_block_that_it_came_with() -> None:
    """B' is extracted as a part of B; if B is no content, neither is the text of B' itself."""
    pages = [
        page_of(
            f"<body><div>About {word}<section>of {word}<p>Deep {word}</p></section></div>"
            "<div>Follow us<section>on all networks</section></div>"
        )
        for word in ("one", "two", "three")
    ]
    method = FastContentExtractor()
    template = replace(method.prepare(pages), paths=("html.body.div", "html.body.div.section.p"))
    news = page_of("<body><div>Follow us<section>on every network<p>And news</p></section></div>")

    assert detect(method.ready(template), news) == "And news"


def test_blocks_are_compared_by_the_cosine_of_their_features() -> None:
    """More than 0.9 is similar (section II)."""
    many, more, other = (
        vector_of(block_of(BlockText("html.body.p", text, 0, 0)))
        for text in ("a b c d e f g h i j", "a b c d e f g h i j k", "a b c d e f g h i z")
    )

    assert (are_similar(many, more), are_similar(many, other)) == (True, False)


def test_only_pairs_that_can_be_similar_are_compared_and_none_is_missed() -> None:
    """The filter finds what comparing all with all finds."""
    words = [f"w{number}" for number in range(12)]
    texts = [" ".join(words[: size % 13] + words[size // 3 :]) for size in range(40)]
    blocks = [
        block_of(BlockText("p", text, len(text) % 3, 0)) for text in dict.fromkeys(texts) if text
    ]

    found = set(similar_pairs(blocks))

    assert found == {
        (one, other)
        for one in blocks
        for other in blocks
        if one is not other and are_similar(vector_of(one), vector_of(other))
    }
    assert 0 < len(found) < len(blocks) ** 2 / 2


@pytest.mark.parametrize("name", METHODS)
def test_a_template_is_kept_in_a_store_and_used_again(name: str, tmp_path: Path) -> None:
    """What was prepared once serves every later page; another method's is not taken for it."""
    method = METHODS[name]
    template = method.prepare([page_of(SITE % day) for day in ("Monday", "Friday")])
    with open_store(tmp_path / "site.db") as store:
        keep_template(store, "site.example", replace(template, pages=1))
        keep_template(store, "site.example", template)

    with open_store(tmp_path / "site.db") as store:
        found = kept_template(store, "site.example", method)
        others = kept_template(store, "site.example", FastContentExtractor(share=0.5))

    assert (found, others) == (template, None)


@pytest.mark.parametrize("name", METHODS)
def test_any_page_is_cut(name: str) -> None:
    """Empty, without a body, or nested deeper than anyone would."""
    method = METHODS[name]
    odd = ["<html>", "<p>", "<frameset><frame></frameset>", "<div>" * 20_000 + "deep"]
    detector = method.ready(method.prepare([page_of(SITE % "one"), page_of(odd[3] + "er")]))

    texts = [detect(detector, page_of(html)) for html in odd]

    assert texts == ["", "", "", "deep"]


def test_blocks_can_be_those_of_the_published_tags_alone() -> None:
    """Then a SECTION is no block: its text belongs to the block around it."""
    html = "<body><div>Own {0}<section>Part {0}</section><p>More {0}</p></div>"
    pages = [page_of(html.format(word)) for word in ("one", "two", "three")]

    paths = {
        published: FastContentExtractor(published_tags=published).prepare(pages).paths
        for published in (False, True)
    }

    assert paths[False] == ("html.body.div", "html.body.div.p", "html.body.div.section")
    assert paths[True] == ("html.body.div", "html.body.div.p")


def test_a_template_of_one_page_is_refused() -> None:
    """On one page nothing is seen to repeat."""
    with pytest.raises(SettingsError, match="needs 2 pages or more, not 1"):
        ContentExtractor().prepare([page_of(SITE % "one")])


def test_a_share_that_is_none_is_refused() -> None:
    """With its value in the message."""
    with pytest.raises(SettingsError, match=r"share must be .* not 1\.5"):
        ContentExtractor(share=1.5)
