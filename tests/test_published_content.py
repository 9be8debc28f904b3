"""ContentExtractor and FastContentExtractor."""

import pytest
from builders import page_of

from webstencil.errors import SettingsError
from webstencil.extract.published import METHODS, ContentExtractor, FastContentExtractor, detect

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
