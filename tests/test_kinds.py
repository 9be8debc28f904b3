"""Kinds of areas: the facts behind them, the rules, and who inherits what."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from builders import chain, page_of
from hypothesis import given
from hypothesis import strategies as st

from webstencil.area_kinds import (
    KIND_RULES,
    AreaKind,
    Facts,
    Mark,
    area_facts,
    area_kind,
    label_kinds,
    open_bands,
)
from webstencil.geometry import Rect, bounding
from webstencil.model import Area, BoxKind, NodeId, Page, Snapshot
from webstencil.render import ChromiumRenderer
from webstencil.testing import MemorySource, StackRenderer

DOCUMENT = Path(__file__).parents[1] / "docs" / "kinds.md"
SENTENCE = "The council met for the first time since the flood and agreed on a new bridge. "
PAGE = Rect(0.0, 0.0, 1000.0, 3000.0)
PLAIN = Facts(
    rect=Rect(0.0, 1000.0, 1000.0, 1200.0),
    page=PAGE,
    leaf=True,
    share=0.1,
    own=1.0,
    pictured=0.0,
    characters=0,
    linked=0,
    running=0,
    links=0,
    images=0,
    fields=0,
    items=0,
    size=1.0,
    largest=1.0,
    bigger=1.0,
    copyright=False,
    marks=frozenset(),
    texts=(),
)
ARTICLE = replace(PLAIN, characters=1000, running=900, linked=50, links=3)
LINKS = replace(PLAIN, characters=100, linked=95, links=9, items=9)
TOP = Rect(0.0, 20.0, 1000.0, 60.0)
BOTTOM = Rect(0.0, 2900.0, 1000.0, 2990.0)


def paint(
    html: str, looks: Mapping[str, Mapping[str, object]] | None = None
) -> tuple[Page, Snapshot]:
    """Paint a page as a stack of lines; `looks` changes the style of what has an id."""
    page = page_of(html)
    snapshot = StackRenderer().render(page, MemorySource({}))
    changes = {page.tree.ids.index(name): look for name, look in (looks or {}).items()}
    boxes = list(snapshot.boxes)
    for index, box in enumerate(boxes):
        look = changes.get(box.node, changes.get(page.tree.parents[box.node], {}))
        boxes[index] = replace(box, style=replace(box.style, **look))
    return page, replace(snapshot, boxes=tuple(boxes))


def area(page: Page, snapshot: Snapshot, *names: str, parent: int = -1) -> Area:
    """Make the area of the elements with these ids."""
    nodes = tuple(page.tree.ids.index(name) for name in names)
    return Area(around(page, snapshot, nodes), nodes, parent)


def around(page: Page, snapshot: Snapshot, nodes: tuple[NodeId, ...]) -> Rect:
    ends = page.tree.ends()
    held = {inside for node in nodes for inside in range(node, ends[node])}
    return bounding(box.clip for box in snapshot.boxes if box.node in held)


def facts_by_id(html: str, name: str) -> Facts:
    page, snapshot = paint(html)
    return area_facts(page, snapshot, (area(page, snapshot, name),))[0]


def kinds(page: Page, snapshot: Snapshot, *areas: Area) -> list[str | None]:
    return [found.kind for found in label_kinds(page, snapshot, areas)]


def test_labelling_changes_nothing_but_the_kind() -> None:
    """Rectangles, nodes, parents and attributes are the segmenter's word."""
    page, snapshot = paint(f"<body><main id=m><p>{SENTENCE * 9}</p></main><p id=p>Bye</p>")
    areas = (
        Area(snapshot.rect, (), attributes=(("doc", 1.0),)),
        replace(area(page, snapshot, "m"), parent=0, kind="of old"),
        replace(area(page, snapshot, "p"), parent=0, kind="of old"),
    )

    labelled = label_kinds(page, snapshot, areas)

    assert [found.kind for found in labelled] == [None, "body", None]
    assert [replace(found, kind=None) for found in labelled] == [
        replace(given, kind=None) for given in areas
    ]


def test_a_kind_is_a_plain_text() -> None:
    """Stencils are stored and written as JSON; they do not depend on our enum."""
    page, snapshot = paint(f"<body><p id=p>{SENTENCE * 9}</p>")

    (found,) = label_kinds(page, snapshot, (area(page, snapshot, "p"),))

    assert type(found.kind) is str


def test_pages_without_anything_have_no_kinds() -> None:
    """No areas, no boxes, areas without nodes: no kind, and no error."""
    page, snapshot = paint("<body><p>Hello</p>")
    nothing = replace(snapshot, boxes=())
    empty = Area(snapshot.rect, ())

    assert label_kinds(page, snapshot, ()) == ()
    assert kinds(page, nothing, empty) == [None]
    assert kinds(page, snapshot, empty) == [None]


def test_facts_of_an_area_are_counted_over_its_boxes() -> None:
    """The whole value, for a small area beside another text."""
    html = f"""<body><div id=d><h2>News</h2><p>{SENTENCE}<a href=/a>more</a></p>
        <p>© 2024</p></div><p>Outside</p>"""
    page, snapshot = paint(html, {"d": {"font_size": 16.0}})
    held = area(page, snapshot, "d")

    (found,) = area_facts(page, snapshot, (held,))

    assert found == Facts(
        rect=held.rect,
        page=bounding(box.clip for box in snapshot.boxes if box.kind is BoxKind.TEXT),
        leaf=True,
        share=0.8,
        own=1.0,
        pictured=0.0,
        characters=4 + len(SENTENCE) - 1 + 4 + 6,
        linked=4,
        running=len(SENTENCE) - 1 + 4,
        links=1,
        images=0,
        fields=0,
        items=0,
        size=1.0,
        largest=1.0,
        bigger=1.0,
        copyright=True,
        marks=frozenset(),
        texts=("News", SENTENCE.strip(), "more", "© 2024"),
    )


def test_an_area_counts_what_is_in_its_areas() -> None:
    """The same nodes give the same sums, in one area or in two areas of an area."""
    html = f"<body><div id=a><a href=/x>Link</a></div><div id=b><p>{SENTENCE}</p></div>"
    page, snapshot = paint(html)
    flat = area(page, snapshot, "a", "b")
    nested = (
        Area(flat.rect, ()),
        area(page, snapshot, "a", parent=0),
        area(page, snapshot, "b", parent=0),
    )

    (alone,) = area_facts(page, snapshot, (flat,))
    outer = area_facts(page, snapshot, nested)[0]

    assert replace(outer, leaf=True, own=1.0, bigger=alone.bigger) == alone
    assert (outer.leaf, outer.own) == (False, 0.0)


@given(st.lists(st.tuples(st.integers(0, 5), st.text("ab ", max_size=9)), max_size=12))
def test_areas_share_out_the_page(cuts: list[tuple[int, str]]) -> None:
    """Whatever the nesting, the outermost areas have all characters of the areas in them."""
    html = "<body>" + "".join(f"<p id=p{index}>{text}</p>" for index, (_, text) in enumerate(cuts))
    page, snapshot = paint(html)
    areas = tuple(
        replace(area(page, snapshot, f"p{index}"), parent=min(up, index) - 1)
        for index, (up, _) in enumerate(cuts)
    )

    found = area_facts(page, snapshot, areas)

    outer = [fact for fact, held in zip(found, areas, strict=True) if held.parent == -1]
    written = sum(len(box.text) for box in snapshot.boxes if box.kind is BoxKind.TEXT)
    assert sum(fact.characters for fact in outer) == written
    assert sum(fact.share for fact in outer) == pytest.approx(1.0 if written else 0.0)


def test_images_and_fields_are_told_apart() -> None:
    """Both are replaced content; one is to look at, the other to fill in."""
    page, snapshot = paint("<body><div id=d><img><input><select></select>Go</div>")
    shown = {"img": Rect(0.0, 20.0, 100.0, 120.0), "input": Rect(0.0, 0.0, 100.0, 10.0)}
    boxes = tuple(
        replace(box, kind=BoxKind.IMAGE, rect=shown[tag], clip=shown[tag], visible=True)
        if (tag := page.tree.tags[box.node]) in shown
        else box
        for box in snapshot.boxes
    )

    (found,) = area_facts(page, replace(snapshot, boxes=boxes), (area(page, snapshot, "d"),))

    assert (found.images, found.fields) == (1, 1)
    assert found.pictured == pytest.approx(10000 / (10000 + 1000 + 800 * 20))


def test_font_sizes_are_set_against_the_page() -> None:
    """The page's mean is weighted by characters: one large title does not move it."""
    page, snapshot = paint(
        f"<body><h1 id=t>Tall</h1><p id=p>{'x' * 96}</p>",
        {"t": {"font_size": 40.0}, "p": {"font_size": 15.0}},
    )

    title, text = area_facts(page, snapshot, (area(page, snapshot, "t"), area(page, snapshot, "p")))

    assert (title.size, title.largest) == (2.5, 2.5)
    assert (text.size, text.largest) == (0.9375, 0.9375)


def test_texts_of_long_areas_are_not_kept() -> None:
    """Only short areas are judged by their words; pages may be huge."""
    found = facts_by_id(f"<body><div id=d><p>One</p><p>{SENTENCE * 4}</p></div>", "d")

    assert found.texts == ()
    assert found.characters > 300


@pytest.mark.parametrize(
    ("html", "marks"),
    [
        ("<nav id=x>A</nav>", {Mark.NAVIGATION}),
        ("<div role=navigation><p id=x>A</p></div>", {Mark.NAVIGATION}),
        ("<nav role=search id=x>A</nav>", {Mark.FORM}),
        ("<header id=x>A</header>", {Mark.HEADER}),
        ("<article><header id=x>A</header></article>", {Mark.ARTICLE}),
        ("<main><footer id=x>A</footer></main>", {Mark.MAIN}),
        ("<div class=site-footer><p id=x>A</p></div>", {Mark.FOOTER}),
        ("<div class=siteFooter><p id=x>A</p></div>", {Mark.FOOTER}),
        ("<div class=footerless><p id=x>A</p></div>", set()),
        ("<div aria-label='Breadcrumb'><p id=x>A</p></div>", {Mark.BREADCRUMB}),
        ("<a href=/ id=x>A</a>", {Mark.LINK}),
        ("<a name=top id=x>A</a>", set()),
        ("<table id=x><tr><th>A<td>B</table>", {Mark.TABLE}),
        ("<table id=x><tr><td>A<td>B</table>", set()),
        ("<table id=x><tr><th>A<td><table><tr><td>B</table></table>", set()),
    ],
)
def test_markup_says_what_an_area_is(html: str, marks: set[Mark]) -> None:
    """Landmarks, roles (which outweigh tags) and names; those in sections are not the page's."""
    assert facts_by_id(f"<body>{html}", "x").marks == marks


def test_classes_of_the_body_say_nothing_of_its_parts() -> None:
    """They describe other parts of the page: `<body class="has-sidebar comments-open">`."""
    assert facts_by_id("<body class='sidebar comments'><p id=x>A</p>", "x").marks == set()


def test_a_mark_holds_for_nearly_all_of_an_area() -> None:
    """A navigation with a word beside it is no navigation if the word is half of it."""
    mixed = facts_by_id("<body><div id=x><nav>A</nav><p>B</p></div>", "x")
    nearly = facts_by_id(f"<body><div id=x><nav>{'<p>A</p>' * 30}</nav><p>B</p></div>", "x")

    assert (mixed.marks, nearly.marks) == (set(), {Mark.NAVIGATION})


def test_what_stays_in_the_window_is_pinned() -> None:
    """With all that is in it."""
    page, snapshot = paint(
        "<body><div id=bar><p id=text>We use cookies</p></div>", {"bar": {"position": "fixed"}}
    )

    (found,) = area_facts(page, snapshot, (area(page, snapshot, "bar"),))

    assert found.marks == {Mark.PINNED}


@pytest.mark.parametrize(
    ("html", "items"),
    [
        ("<ul id=x><li>A<li>B<li>C</ul>", 3),
        ("<div id=x><h2>Title</h2><ul><li>A<li>B<li>C</ul></div>", 3),
        ("<div id=x><p>A</p><p>B</p><p>C</p></div>", 0),
        ("<div id=x><div>A</div><section>B</section></div>", 0),
        ("<div id=x><div class='t-1 a'>A</div><div class='t-2'>B</div></div>", 2),
        ("<div id=x><div class=lead>A</div><div class=more>B</div></div>", 0),
        ("<div id=x><ul><li>A<li>B</ul><p>1</p><p>2</p></div>", 0),
    ],
)
def test_items_are_children_that_are_alike(html: str, items: int) -> None:
    """They make up most of the area; paragraphs are no items."""
    assert facts_by_id(f"<body>{html}", "x").items == items


def test_items_may_be_areas_or_share_an_area() -> None:
    """A list cut into pieces is a list; a piece with three of its items is one, too."""
    html = "<body><ul>" + "".join(f"<li id=i{n}>Item</li>" for n in range(5)) + "</ul>"
    page, snapshot = paint(html)
    areas = (
        Area(snapshot.rect, ()),
        area(page, snapshot, "i0", "i1", "i2", parent=0),
        area(page, snapshot, "i3", parent=0),
        area(page, snapshot, "i4", parent=0),
    )

    assert [found.items for found in area_facts(page, snapshot, areas)] == [5, 3, 0, 0]


EXAMPLES = {
    AreaKind.NOTICE: replace(PLAIN, characters=90, marks=frozenset({Mark.NOTICE, Mark.PINNED})),
    AreaKind.PAGINATION: replace(
        LINKS, rect=TOP, items=0, texts=("« Prev", "4", "5", "6", "…", "Next »")
    ),
    AreaKind.BREADCRUMB: replace(
        PLAIN,
        rect=Rect(0.0, 150.0, 400.0, 170.0),
        characters=20,
        linked=10,
        links=2,
        texts=("Home", ">", "News", "> Bridge"),
    ),
    AreaKind.FOOTER: replace(LINKS, rect=BOTTOM),
    AreaKind.HEADER: replace(LINKS, rect=TOP, pictured=0.4, images=1),
    AreaKind.FORM: replace(PLAIN, characters=40, fields=3, marks=frozenset({Mark.FORM})),
    AreaKind.COMMENTS: replace(ARTICLE, marks=frozenset({Mark.COMMENTS})),
    AreaKind.TABLE: replace(PLAIN, characters=400, items=6, marks=frozenset({Mark.TABLE})),
    AreaKind.IMAGE: replace(PLAIN, images=1, pictured=0.95, characters=60),
    AreaKind.HEADLINE: replace(PLAIN, characters=40, size=1.9, largest=1.9),
    AreaKind.MENU: replace(LINKS, rect=TOP),
    AreaKind.SIDEBAR: replace(
        ARTICLE, rect=Rect(750.0, 200.0, 1000.0, 1200.0), marks=frozenset({Mark.ASIDE})
    ),
    AreaKind.LIST: LINKS,
    AreaKind.BODY: ARTICLE,
}


@pytest.mark.parametrize("kind", AreaKind)
def test_each_kind_has_a_rule_and_an_example(kind: AreaKind) -> None:
    """What is typical of a kind is of this kind."""
    assert area_kind(EXAMPLES[kind]) is kind
    assert kind in dict(KIND_RULES)


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        (replace(EXAMPLES[AreaKind.NOTICE], marks=frozenset({Mark.PINNED})), None),
        (replace(EXAMPLES[AreaKind.NOTICE], characters=9000), None),
        (
            replace(EXAMPLES[AreaKind.PAGINATION], texts=("Next steps", "in the", "valley")),
            AreaKind.MENU,
        ),
        (
            replace(EXAMPLES[AreaKind.PAGINATION], texts=("1", "3 birthdays", "2", "4 in May")),
            AreaKind.MENU,
        ),
        (replace(EXAMPLES[AreaKind.BREADCRUMB], rect=Rect(0.0, 2000.0, 400.0, 2020.0)), None),
        (replace(EXAMPLES[AreaKind.BREADCRUMB], texts=("Home", "News")), None),
        (replace(EXAMPLES[AreaKind.FOOTER], marks=frozenset({Mark.ARTICLE})), AreaKind.LIST),
        (replace(EXAMPLES[AreaKind.FOOTER], rect=Rect(0.0, 2900.0, 200.0, 2990.0)), AreaKind.LIST),
        (replace(EXAMPLES[AreaKind.HEADER], rect=Rect(0.0, 300.0, 1000.0, 450.0)), AreaKind.LIST),
        (replace(EXAMPLES[AreaKind.FORM], marks=frozenset()), None),
        (replace(EXAMPLES[AreaKind.FORM], characters=2000), None),
        (replace(EXAMPLES[AreaKind.COMMENTS], running=0), None),
        (replace(EXAMPLES[AreaKind.TABLE], items=0), None),
        (replace(EXAMPLES[AreaKind.IMAGE], images=9), None),
        (replace(EXAMPLES[AreaKind.HEADLINE], size=1.1, largest=1.1), None),
        (replace(EXAMPLES[AreaKind.HEADLINE], size=1.2, largest=1.8), AreaKind.HEADLINE),
        (replace(EXAMPLES[AreaKind.HEADLINE], characters=900), None),
        (replace(EXAMPLES[AreaKind.HEADLINE], marks=frozenset({Mark.ASIDE})), None),
        (replace(EXAMPLES[AreaKind.MENU], rect=Rect(0.0, 900.0, 200.0, 1100.0)), AreaKind.LIST),
        (replace(EXAMPLES[AreaKind.SIDEBAR], rect=Rect(0.0, 200.0, 900.0, 1200.0)), None),
        (replace(EXAMPLES[AreaKind.LIST], links=2, items=0), None),
        (replace(EXAMPLES[AreaKind.BODY], linked=700), None),
        (replace(EXAMPLES[AreaKind.BODY], bigger=0.1), None),
        (replace(EXAMPLES[AreaKind.BODY], bigger=0.1, marks=frozenset({Mark.MAIN})), AreaKind.BODY),
        (replace(EXAMPLES[AreaKind.BODY], marks=frozenset({Mark.ASIDE})), None),
    ],
)
def test_near_misses_have_no_kind_or_another(facts: Facts, kind: AreaKind | None) -> None:
    """A wrong kind is worse than none."""
    assert area_kind(facts) is kind


@pytest.mark.parametrize(
    ("facts", "around", "kind"),
    [
        (replace(LINKS, rect=BOTTOM), AreaKind.FOOTER, AreaKind.LIST),
        (replace(PLAIN, characters=9), AreaKind.FOOTER, AreaKind.FOOTER),
        (replace(PLAIN, characters=9, marks=frozenset({Mark.MAIN})), AreaKind.FOOTER, None),
        (replace(LINKS, rect=TOP), AreaKind.HEADER, AreaKind.MENU),
        (replace(PLAIN, rect=TOP, characters=9), AreaKind.HEADER, AreaKind.HEADER),
        (
            replace(PLAIN, characters=9, marks=frozenset({Mark.COMMENTS})),
            AreaKind.COMMENTS,
            "comments",
        ),
        (replace(PLAIN, characters=9), AreaKind.COMMENTS, None),
        (replace(PLAIN, characters=9), AreaKind.LIST, None),
        (ARTICLE, AreaKind.BODY, AreaKind.BODY),
    ],
)
def test_parts_of_a_band_are_something_or_the_band(
    facts: Facts, around: AreaKind, kind: AreaKind | None
) -> None:
    """The links in a footer are a list, its imprint is footer; an article there stays out of it."""
    assert area_kind(facts, around) == kind


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (("£34.50", "£29.32", "Sale"), None),
        (("1.299 €",), None),
        (("£4,000 for the playground",), AreaKind.HEADLINE),
        (("2024",), AreaKind.HEADLINE),
    ],
)
def test_a_price_in_large_letters_is_no_headline(
    texts: tuple[str, ...], kind: AreaKind | None
) -> None:
    """A title may speak of money, and be a year."""
    size = sum(map(len, texts))
    large = replace(PLAIN, characters=size, size=2.0, largest=2.0, texts=texts)

    assert area_kind(large) is kind


def test_the_page_itself_has_no_kind() -> None:
    """An area that holds nearly all and is divided is the page; one that is not divided is not."""
    assert area_kind(replace(ARTICLE, share=0.95, leaf=False, own=0.0)) is None
    assert area_kind(replace(ARTICLE, share=0.95)) is AreaKind.BODY


def test_nested_and_flat_areas_get_the_same_kinds() -> None:
    """Segmenters that build trees and those that do not are labelled alike."""
    html = f"""<body><header id=head>Daily <a href=/>Home</a> News</header>
        <main><h1 id=title>Bridge</h1><div id=text><p>{SENTENCE * 5}</p></div></main>
        <footer id=foot>© Daily News</footer>"""
    page, snapshot = paint(html, {"title": {"font_size": 32.0}})
    names = ("head", "title", "text", "foot")
    flat = tuple(area(page, snapshot, name) for name in names)
    nested = (
        Area(snapshot.rect, ()),
        *(area(page, snapshot, name, parent=0) for name in names),
    )

    assert kinds(page, snapshot, *flat) == ["header", "headline", "body", "footer"]
    assert kinds(page, snapshot, *nested) == [None, "header", "headline", "body", "footer"]


def test_a_band_around_running_text_is_none() -> None:
    """A segmenter may join the header of a page and the text below it; only the header is one."""
    areas = tuple(Area(PAGE, (), parent=parent) for parent in (-1, 0, 1, 1, 0))
    found: list[AreaKind | None] = [
        None,
        AreaKind.HEADER,
        AreaKind.HEADER,
        AreaKind.BODY,
        AreaKind.FOOTER,
    ]

    open_bands(areas, found, areas[3].parent)

    assert found == [None, None, AreaKind.HEADER, AreaKind.BODY, AreaKind.FOOTER]


def test_pages_nest_a_hundred_thousand_deep() -> None:
    """Loops, not recursion."""
    page = page_of("<html><body>" + "<div>" * 100_000 + "deep down")
    snapshot = chain(len(page.tree) - 1)

    assert kinds(page, snapshot, Area(snapshot.rect, (1,))) == [None]


def test_the_document_explains_every_kind() -> None:
    """docs/kinds.md has a row for each, in the order of the code."""
    rows = re.findall(r"^\| `(\w+)` \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)

    assert rows == [kind.value for kind in AreaKind]


STYLED = f"""<!DOCTYPE html><title>x</title><style>
body {{ margin: 0; font: 16px/24px sans-serif }}
#top {{ height: 60px; background: #eee }} #top b {{ font-size: 30px }}
#menu a {{ display: inline-block; padding: 8px 16px }}
#page {{ display: flex }} #story {{ width: 800px }} #side {{ width: 300px; height: 500px }}
h1 {{ font-size: 36px; line-height: 40px }}
#more img {{ width: 200px; height: 100px; display: block }}
#cookies {{ position: fixed; bottom: 0; left: 0; width: 100% }}
</style>
<div id=top><b>The Valley Post</b> <a href=/login>Log in</a> <form><input name=q></form></div>
<div id=menu><a href=/1>Home</a><a href=/2>Politics</a><a href=/3>Sport</a></div>
<p id=path><a href=/>Home</a> &gt; <a href=/news>News</a> &gt; Bridge</p>
<div id=page><main id=story><h1 id=title>A bridge for the valley</h1>
<p id=text>{SENTENCE * 6}</p></main>
<aside id=side><p>Weather: rain until Sunday, then snow</p></aside></div>
<table id=table><tr><th>Year<th>Floods<tr><td>2023<td>3<tr><td>2024<td>5</table>
<ul id=more><li><a href=/a>A flood in May</a><li><a href=/b>Ferry is back</a>
<li><a href=/c>A mayor resigns</a></ul>
<p id=pages><a href=/p1>1</a> <b>2</b> <a href=/p3>3</a> <a href=/p3>Next</a></p>
<div style="height: 500px"></div>
<div id=foot><a href=/imprint>Imprint</a> © 2024 The Valley Post, all rights reserved</div>
<div id=cookies class=cookie-bar>We use cookies. <button>Fine</button></div>"""


@pytest.mark.browser
def test_a_styled_page_is_labelled_as_a_reader_would() -> None:
    """From a real browser's boxes; each element with an id is an area."""
    page = page_of(STYLED)
    with ChromiumRenderer() as renderer:
        snapshot = renderer.render(page, MemorySource({}))
    names = ("top", "menu", "path", "title", "text", "side", "table", "more", "pages", "foot")
    areas = [area(page, snapshot, name) for name in (*names, "cookies")]

    assert kinds(page, snapshot, *areas) == [
        "header",
        "menu",
        "breadcrumb",
        "headline",
        "body",
        "sidebar",
        "table",
        "list",
        "pagination",
        "footer",
        "notice",
    ]
