"""Markup: numbers, texts, selectors and the way back to HTML."""

import re

from builders import page_of
from hypothesis import given
from hypothesis import strategies as st

from webstencil import markup
from webstencil.markup import Markup

MALFORMED = "<p>a<div>b</p>c</div><table>d<tr><td>e</table><b><p>f</b>g<form><form>h<li>i<ul></li>j"


def stamped(html: str) -> str:
    return markup.stamp(html.encode(), "utf-8", attribute="data-n")


def test_stamped_numbers_are_the_trees_numbers() -> None:
    """An element's stamp is its number in the tree, on malformed pages too."""
    page = page_of(MALFORMED)
    found = re.findall(r'<([a-z0-9]+)[^>]* data-n="(\d+)"', stamped(MALFORMED))

    assert found == [(tag, str(number)) for number, tag in enumerate(page.tree.tags) if tag != ""]


def test_a_bare_parse_keeps_all_of_the_page() -> None:
    """Nothing is pruned, nothing is numbered."""
    parsed = markup.bare_parse(b"<script>x</script><p>y")

    assert [markup.tag(node) for node in parsed.descendants] == [
        *("html", "head", "script", "", "body", "p", "")
    ]


def test_stamping_keeps_the_doctype() -> None:
    """The doctype decides over quirks mode, so it comes back as it was."""
    loose = (
        '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" '
        '"http://www.w3.org/TR/html4/loose.dtd">'
    )

    assert stamped(loose + "<p>x").startswith(loose)
    assert stamped("<p>x").startswith("<html")
    assert stamped("<!doctype html><p>x").startswith("<!DOCTYPE html><html")


def test_stamping_adds_to_the_head() -> None:
    """At its start, before the page can forbid it by a policy of its own."""
    assert "<head><style>x</style><title>t</title></head>" in re.sub(
        r' data-n="\d+"',
        "",
        markup.stamp(b"<title>t</title>", "utf-8", attribute="data-n", head="<style>x</style>"),
    )


def test_text_runs_on_through_inline_markup() -> None:
    """A phrase survives the elements in it, and blocks stand on their own lines."""
    page = page_of("<body><p>One <b>big</b>, <i>old</i>\n  house</p><p>two</p>")
    body = page.tree.tags.index("body")
    first = page.tree.tags.index("p")
    inside = page.tree.children().of(first)

    assert markup.text(page.markup.nodes([body])) == "One big, old house\n\ntwo"
    assert markup.text(page.markup.nodes(inside)) == "One big, old house"


def test_selectors_and_xpaths_lead_back_to_their_nodes() -> None:
    """Both find the node they were made from; a text's selector is its parent's."""
    source = Markup(b"<body><div><p>a<p id=x>b<b>c</b>d</div><p>e")
    nodes = source.nodes(range(len(source.tree)))

    assert [source.root.xpath_one(markup.xpath(node)) for node in nodes] == [
        node if markup.tag(node) else node.text for node in nodes
    ]
    assert [source.root.select_one(f":is({markup.selector(node)})") for node in nodes[1:]] == [
        node if markup.tag(node) else node.parent for node in nodes[1:]
    ]


def test_nodes_are_described_together_as_one_by_one() -> None:
    """Texts of one parent have one selector and an XPath each."""
    source = Markup(b"<body><p id=x>a<b>b</b>c<i>d</i>e</p><p>f</p>")
    nodes = markup.text_leaves(source.root)

    text, selector, xpath = markup.described(nodes)

    assert text == "abcdef"
    assert selector == ", ".join(dict.fromkeys(map(markup.selector, nodes)))
    assert xpath == " | ".join(map(markup.xpath, nodes))


def test_hyperlinks_have_addresses() -> None:
    """An anchor without one is none; one with an empty URL links to its own page."""
    source = Markup(b"<a href=' x '>a</a><a name=n>b</a><a href>c</a><svg><a href=y>d</a></svg>")

    nodes, hrefs = source.hyperlinks()

    assert ([node.text for node in nodes], hrefs) == (["a", "c", "d"], ["x", "", "y"])


@given(
    st.recursive(
        st.sampled_from(["x", " ", "<!--c-->"]),
        lambda inner: st.builds(
            lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
            st.sampled_from(["div", "p", "b", "table", "script", "li"]),
            st.lists(inner, max_size=4),
        ),
        max_leaves=20,
    )
)
def test_live_children_are_the_trees_children(html: str) -> None:
    """Walking the parsed page and walking its columns meet the same nodes."""
    source = Markup(f"<body>{html}".encode())
    children = source.tree.children()

    for number in range(len(source.tree)):
        (node,) = source.nodes([number])
        assert tuple(markup.children(node)) == source.nodes(children.of(number))


def test_the_innermost_element_around_two_is_found_however_deep_they_are() -> None:
    """It may be one of the two, and may be far above the one and close to the other."""
    deep = "<div>" * 200 + "<b>deep</b>" + "</div>" * 200
    page = Markup(f"<body><main>{deep}<p><i>near</i></p></main></body>".encode())
    (main,), (bold,), (italic,) = map(page.named, ("main", "b", "i"))

    assert markup.common_ancestor(bold, italic) is main
    assert markup.common_ancestor(italic, bold) is main
    assert markup.common_ancestor(main, italic) is main
    assert markup.common_ancestor(bold, bold) is bold


def test_links_in_a_row_are_parted() -> None:
    """As a reader sees them; not in running text, nor where each space counts."""
    row = page_of("<nav><a href=1>1</a><a href=2>2</a><a href=3>Next</a></nav>")
    same = ("<p>On <a>web</a><a>stencil</a>", "<pre><b><a>x</a><a>.y</a></b></pre>")

    assert markup.text([row.markup.root]) == "1 2 Next"
    assert [markup.text([page_of(html).markup.root]) for html in same] == ["On webstencil", "x.y"]
    assert row.tree.tags == ("html", "head", "body", "nav", *("a", "") * 3)


def test_very_many_links_in_a_row_or_deep_down_are_no_problem() -> None:
    """Each row and a few elements around it are looked at once."""
    wide = page_of("<a>x</a>" * 50_000)
    deep = page_of("<div><a>x</a><a>y</a>" * 20_000)

    assert markup.text([wide.markup.root]).count(" ") == 49_999
    assert markup.text([deep.markup.root]).startswith("x y")
