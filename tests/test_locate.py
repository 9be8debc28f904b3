"""Locating: full descriptors find an area where it is, and say why where it is not."""

import pytest
from builders import page_of, stencil_of
from hypothesis import given
from hypothesis import strategies as st

from webstencil import markup
from webstencil.model import Located, Miss, MissReason, Page
from webstencil.paper.locate import guide, locate

LEARNED = "<body><h1 id=top>A</h1><ul><li>1<li>2</ul><div><p>x<p>y</div>"

html_trees = st.recursive(
    st.sampled_from(["text", "<img>", "<i>text</i>"]),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "section", "ul", "span"]),
        st.lists(inner, max_size=5),
    ),
    max_leaves=25,
)


def found(learned: Page, nodes: tuple[int, ...], page: Page) -> Located | Miss:
    """Locate the area that holds `nodes` of `learned` on another page."""
    (answer,) = locate(guide(stencil_of(learned, (nodes,))), page)
    return answer


@given(html_trees)
def test_page_locates_all_its_own_areas(html: str) -> None:
    """Every node of a page is found on the page itself, at its own place."""
    page = page_of(f"<body>{html}")
    everything = tuple((node,) for node in range(len(page.tree)))
    answers = locate(guide(stencil_of(page, everything)), page)

    assert [answer.nodes for answer in answers if isinstance(answer, Located)] == [
        page.markup.nodes(nodes) for nodes in everything
    ]


def test_area_is_found_on_a_page_with_other_content() -> None:
    """Texts, attributes, scripts and blank space may differ."""
    learned = page_of(LEARNED)
    page = page_of(
        "<body class=c>\n<h1 id=top>B</h1><script>1</script>\n<ul> <li>3 <li>4</ul>"
        "<!-- c --><div><p>z<p>w</div>"
    )
    answer = found(learned, (learned.tree.tags.index("div"),), page)

    assert isinstance(answer, Located)
    assert markup.text(answer.nodes) == "z\n\nw"


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("<body><h1 id=top>A</h1><ul><li>1<li>2</ul>", MissReason.POSITION),
        ("<body><h1 id=top>A</h1><ul><li>1<li>2</ul><div>x</div><p>y", MissReason.COUNT),
        ("<body><h1 id=top>A</h1><ul><li>1<li>2</ul><form>x</form>", MissReason.TAG),
    ],
)
def test_miss_tells_the_check_that_failed(html: str, reason: MissReason) -> None:
    """An area that is not there is an answer with its reason."""
    learned = page_of(LEARNED)
    div = learned.tree.tags.index("div")

    assert found(learned, (div,), page_of(html)) == Miss(0, div, reason)


def test_another_id_is_a_miss_and_a_missing_one_on_the_stencil_is_not() -> None:
    """Ids are compared where the stencil's node has one."""
    learned = page_of(LEARNED)
    h1 = learned.tree.tags.index("h1")
    renamed = page_of(LEARNED.replace("id=top", "id=head"))
    named = page_of(LEARNED.replace("<ul>", "<ul id=menu>"))

    assert found(learned, (h1,), renamed) == Miss(0, h1, MissReason.ID)
    assert isinstance(found(learned, (learned.tree.tags.index("ul"),), named), Located)


def test_area_is_found_in_part_with_some_of_its_nodes() -> None:
    """Half an area is half an area, with the reason why the other half is missing."""
    learned = page_of(LEARNED)
    one, two = (node for node, tag in enumerate(learned.tree.tags) if tag == "p")
    page = page_of(LEARNED.replace("<p>y", "</p><b>y</b>"))

    answer = found(learned, (one, two), page)

    assert isinstance(answer, Located)
    assert markup.text(answer.nodes) == "x"
    assert (answer.confidence, answer.missed) == (0.5, MissReason.TAG)


def test_difference_high_in_the_tree_is_the_reason_for_all_below_it() -> None:
    """The search ends at the first difference."""
    learned = page_of(LEARNED)
    deep = learned.tree.tags.index("p") + 1
    page = page_of(LEARNED + "<footer>f</footer>")

    assert found(learned, (deep,), page) == Miss(0, deep, MissReason.COUNT)
