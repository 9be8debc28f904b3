"""Descriptors one by one: full and compact, every combination of checks, falling back."""

from dataclasses import dataclass, replace

import pytest
from builders import page_of, stencil_of
from hypothesis import given
from hypothesis import strategies as st

from webstencil import markup
from webstencil.model import Located, Miss, MissReason, Page, Tree
from webstencil.paper import descriptors
from webstencil.paper.descriptors import (
    LADDER,
    STRICTEST,
    Checks,
    Descriptor,
    Hunt,
    SearchOrder,
    Step,
    Walk,
    fall_back,
    find,
    find_start,
    hunt,
)
from webstencil.paper.locate import guide, locate

NOTHING = Checks(count=False, id=False, tag=False)
LEARNED = "<body><h1>A</h1><div id=main><p>x<p id=last>y</div>"

BODY = Step(1, 2, "", "body")
MAIN = Step(1, 2, "main", "div")
FIRST_P = Step(0, 2, "", "p")


@dataclass(frozen=True, slots=True)
class Sketch:
    """An element of a page to be written; a text if it has no tag."""

    tag: str
    name: str = ""  # its id
    inside: tuple["Sketch", ...] = ()


def written(sketch: Sketch) -> str:
    """Write a sketch as HTML."""
    if not sketch.tag:
        return "text"
    name = f" id={sketch.name}" if sketch.name else ""
    return f"<{sketch.tag}{name}>{''.join(map(written, sketch.inside))}</{sketch.tag}>"


def changed(sketch: Sketch, dice: list[int]) -> Sketch:
    """Change a sketch here and there: other tags and ids, children that go or come twice."""
    roll = dice.pop() if dice else 0
    inside = tuple(changed(child, dice) for child in sketch.inside)
    if roll == 1:
        return replace(sketch, inside=inside[1:])
    if roll == 2:
        return replace(sketch, inside=inside + inside[:1])
    if roll == 3:
        return replace(sketch, inside=inside, tag="aside" if sketch.tag else "")
    if roll == 4:
        return replace(sketch, inside=inside, name="new")
    return replace(sketch, inside=inside)


sketches = st.recursive(
    st.sampled_from([Sketch(""), Sketch("i"), Sketch("b", "a")]),
    lambda inner: st.builds(
        Sketch,
        st.sampled_from(["div", "section", "span"]),
        st.sampled_from(["", "", "a", "b", "c"]),
        st.lists(inner, max_size=4).map(tuple),
    ),
    max_leaves=20,
)
rolls = st.lists(st.integers(0, 12), max_size=30)


def sketched(sketch: Sketch) -> Page:
    return page_of(f"<body>{written(sketch)}")


def described(page: Page, tag: str, *, compact: bool = False) -> Descriptor:
    """Describe the first node with this tag."""
    describe = descriptors.compact if compact else descriptors.full
    (found,) = describe(page.tree, [page.tree.tags.index(tag)])
    return found


def test_full_descriptor_has_every_step_below_the_root() -> None:
    """Position, count, id and tag, from the root's child down to the node."""
    assert described(page_of(LEARNED), "p") == Descriptor((BODY, MAIN, FIRST_P))


def test_compact_descriptor_starts_at_the_last_node_with_an_id() -> None:
    """What is above that node is left out; a node with an id is its own start."""
    page = page_of(LEARNED)
    last = page.tree.ids.index("last")

    assert described(page, "p", compact=True) == Descriptor((FIRST_P,), MAIN)
    assert descriptors.compact(page.tree, [last]) == [Descriptor((), Step(1, 2, "last", "p"))]


def test_compact_descriptor_without_any_id_is_full() -> None:
    """There is nothing to start from but the root."""
    page = page_of(LEARNED)

    assert described(page, "h1", compact=True) == described(page, "h1")


def test_compact_descriptor_passes_over_an_id_that_came_before() -> None:
    """A search in document order would find the other node with that id."""
    page = page_of("<body><div id=a>x</div><div id=b><p id=a>y</div>")
    anchor = Step(1, 2, "b", "div")

    assert described(page, "p", compact=True) == Descriptor((Step(0, 1, "a", "p"),), anchor)


@given(sketches)
def test_page_finds_all_its_own_nodes(sketch: Sketch) -> None:
    """By full and by compact descriptors, with all checks, also where ids are repeated."""
    page = sketched(sketch)
    everything = range(len(page.tree))
    full = descriptors.full(page.tree, everything)
    compact = descriptors.compact(page.tree, everything)
    own = list(page.markup.nodes(everything))

    assert [find(descriptor, page.markup.root) for descriptor in full] == own
    assert [find(descriptor, page.markup.root) for descriptor in compact] == own


@given(sketches, rolls)
def test_joint_walk_and_single_searches_agree(sketch: Sketch, dice: list[int]) -> None:
    """On a changed page each node is found at the same place or refused for the same reason."""
    learned = sketched(sketch)
    page = sketched(changed(sketch, dice))
    everything = range(len(learned.tree))
    joint = locate(guide(stencil_of(learned, [(node,) for node in everything])), page)
    single = [
        find(descriptor, page.markup.root)
        for descriptor in descriptors.full(learned.tree, everything)
    ]

    assert joint == [
        Miss(node, node, answer)
        if isinstance(answer, MissReason)
        else Located(node, (answer,), 1.0)
        for node, answer in enumerate(single)
    ]


@given(sketches, rolls, st.sampled_from(["full", "compact"]))
def test_falling_back_finds_what_no_checks_find(sketch: Sketch, dice: list[int], form: str) -> None:
    """The ladder ends with no checks; a walk is strict where the strictest search succeeds."""
    learned = sketched(sketch)
    root = sketched(changed(sketch, dice)).markup.root
    describe = descriptors.full if form == "full" else descriptors.compact
    for descriptor in describe(learned.tree, range(len(learned.tree))):
        start = find_start(descriptor, root)
        walk = Walk(None, ()) if start is None else fall_back(descriptor, start)
        unchecked = find(descriptor, root, NOTHING)
        strict = find(descriptor, root)

        assert walk.node == (None if isinstance(unchecked, MissReason) else unchecked)
        assert walk.strict == (not isinstance(strict, MissReason))


def test_a_repeated_id_is_another_node_breadth_first() -> None:
    """Depth first finds the first one of the page, breadth first the highest."""
    root = page_of("<body><div><p><b id=x>1</b></p></div><i id=x>2</i>").markup.root
    deep, broad = (hunt("x", root, order) for order in SearchOrder)

    assert (deep.node is not None and markup.tag(deep.node), deep.seen) == ("b", 6)
    assert (broad.node is not None and markup.tag(broad.node), broad.seen) == ("i", 5)
    assert hunt("y", root) == Hunt(None, 9)


def test_ladder_leads_from_all_checks_to_none() -> None:
    """Every combination once, never from fewer checks to more."""
    assert [str(checks) for checks in LADDER] == [
        *("count+id+tag", "count+id", "count+tag", "id+tag", "count", "id", "tag", "none")
    ]


@pytest.mark.parametrize("checks", LADDER, ids=str)
@pytest.mark.parametrize(
    ("html", "check", "reason"),
    [
        (LEARNED.replace("</div>", "</div><b>"), "count", "count"),
        (LEARNED.replace("id=main", "id=other"), "id", "id"),
        (LEARNED.replace("div", "form"), "tag", "tag"),
    ],
    ids=["one sibling more", "another id", "another tag"],
)
def test_an_error_is_detected_by_its_check_alone(
    html: str, check: str, reason: str, checks: Checks
) -> None:
    """In every combination with that check, and in no other."""
    answer = find(described(page_of(LEARNED), "div"), page_of(html).markup.root, checks)

    assert (answer == MissReason(reason)) == getattr(checks, check)


def test_walk_tells_what_each_node_passed() -> None:
    """The check that failed is missing at its node and there only."""
    root = page_of(LEARNED.replace("id=main", "id=other") + "<b>").markup.root
    walk = fall_back(described(page_of(LEARNED), "p"), root)

    assert walk.passed == (STRICTEST, Checks(count=False, id=False), STRICTEST)
    assert not walk.strict


def test_no_child_at_the_position_ends_every_search() -> None:
    """Without any check there must still be a node; what was inspected before it is told."""
    root = page_of("<body><h1>A</h1>").markup.root
    descriptor = described(page_of(LEARNED), "p")

    assert find(descriptor, root, NOTHING) is MissReason.POSITION
    assert fall_back(descriptor, root) == Walk(None, (STRICTEST,))


def test_compact_search_bears_what_is_new_above_its_start() -> None:
    """A banner moves the node: the full descriptor is refused, the compact one finds it."""
    learned = page_of(LEARNED)
    page = page_of(LEARNED.replace("<h1>", "<nav>New</nav><h1>"))

    assert find(described(learned, "p"), page.markup.root) is MissReason.COUNT
    assert (
        find(described(learned, "p", compact=True), page.markup.root)
        == (page.markup.nodes([page.tree.tags.index("p")])[0])
    )


def test_compact_search_checks_its_start() -> None:
    """An id that is gone, or is another element's now, is an error with its reason."""
    descriptor = described(page_of(LEARNED), "p", compact=True)
    gone = page_of(LEARNED.replace("id=main", "")).markup.root
    moved = page_of(LEARNED.replace("div", "form")).markup.root

    assert find(descriptor, gone) is MissReason.ID
    assert find(descriptor, moved) is MissReason.TAG
    assert fall_back(descriptor, find_start(descriptor, moved) or moved).passed == (
        *(Checks(tag=False), STRICTEST),
    )


def test_deep_nodes_are_described() -> None:
    """A tree may nest deeper than Python's stack."""
    depth = 100_000
    blank = ("",) * depth
    tree = Tree(("div",) * depth, tuple(range(-1, depth - 1)), blank, blank)

    assert descriptors.full(tree, [depth - 1]) == [
        Descriptor((Step(0, 1, "", "div"),) * (depth - 1))
    ]
