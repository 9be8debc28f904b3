"""Zeleny, Burget: Isomorphic mapping of DOM trees for Cluster-Based Page Segmentation."""

from pathlib import Path

import pytest
from builders import page_of, stencil_of
from click.testing import CliRunner

from research.papers import mapping
from webstencil.cli.main import main
from webstencil.model import Located, Miss, MissReason
from webstencil.paper.descriptors import (
    LADDER,
    STRICTEST,
    Checks,
    SearchOrder,
    compact,
    fall_back,
    find,
    full,
    hunt,
    subtree_paths,
    told_mappings,
)
from webstencil.paper.locate import SearchRule, guide, search
from webstencil.paper.match import distance

PATTERN = page_of("<body><div id=head>H</div><div id=main><ul><li>a<li>b</ul><p>text</p></div>")
TAGS = PATTERN.tree.tags
P = TAGS.index("p")
SAME = "<body><div id=head>X</div><div id=main><ul><li>c<li>d</ul><p>other</p></div>"


def test_section_4_a_path_of_positions_is_one_number_a_level() -> None:
    """Each number is the position of a node among its siblings."""
    (descriptor,) = full(PATTERN.tree, [P])

    assert [step.position for step in descriptor.steps] == [1, 1, 1]


def test_section_4_b_fingerprints_are_element_type_and_id() -> None:
    """For each node on the path, not only for the last."""
    (descriptor,) = full(PATTERN.tree, [P])

    assert [(step.tag, step.id) for step in descriptor.steps] == [
        ("body", ""),
        ("div", "main"),
        ("p", ""),
    ]


def test_section_4_c_subtrees_are_compared_by_their_path_sets() -> None:
    """Definition 1: content is equivalent if the subtrees are."""
    other = page_of("<body><p>x</p><ul><li>1<li>2<li>3</ul><ol><li>1</ol>")
    ends, others = PATTERN.tree.ends(), other.tree.ends()
    mine, same = TAGS.index("ul"), other.tree.tags.index("ul")
    ordered = other.tree.tags.index("ol")

    paths = subtree_paths(PATTERN.tree, mine, ends[mine])

    assert distance(paths, subtree_paths(other.tree, same, others[same])) == 0.0
    assert distance(paths, subtree_paths(other.tree, ordered, others[ordered])) == 1.0


def test_definition_2_a_descriptor_has_position_count_id_and_type() -> None:
    """N = (p, cnt, id, type), a structure for each level below the root."""
    (descriptor,) = full(PATTERN.tree, [P])
    last = descriptor.steps[-1]

    assert (last.position, last.count, last.id, last.tag) == (1, 2, "", "p")


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        (SAME, None),
        (SAME.replace("<p>other</p>", ""), MissReason.POSITION),
        (SAME.replace("<p>other</p>", "<p>other</p><p>new"), MissReason.COUNT),
        (SAME.replace("id=main", "id=side"), MissReason.ID),
        (SAME.replace("<p>other</p>", "<b>other</b>"), MissReason.TAG),
    ],
)
def test_algorithm_1_any_failed_check_returns_nothing(html: str, reason: MissReason | None) -> None:
    """Its inverted test is repaired: there must be children, and as many as expected."""
    (descriptor,) = full(PATTERN.tree, [P])

    answer = find(descriptor, page_of(html).markup.root)

    assert (answer if isinstance(answer, MissReason) else None) == reason


def test_algorithm_2_compact_search_starts_at_an_id() -> None:
    """What is new above the node with the id does not matter."""
    (descriptor,) = compact(PATTERN.tree, [P])
    moved = page_of(f"<body><nav>new</nav><section>{SAME[6:]}</section>")

    assert descriptor.anchor is not None
    assert [step.tag for step in descriptor.steps] == ["p"]
    assert not isinstance(find(descriptor, moved.markup.root), MissReason)
    (whole,) = full(PATTERN.tree, [P])
    assert isinstance(find(whole, moved.markup.root), MissReason)


def test_section_5_c_depth_first_and_breadth_first() -> None:
    """Both find an id; they see different numbers of nodes on the way."""
    root = page_of(SAME).markup.root

    found = [hunt("main", root, order) for order in SearchOrder]

    assert found[0].node is found[1].node is not None
    assert hunt("nobody", root).node is None


def test_section_6_all_combinations_of_checks_from_the_strictest() -> None:
    """Eight combinations of id, type and count; each node falls back as far as it must."""
    (descriptor,) = full(PATTERN.tree, [P])
    changed = page_of(SAME.replace("<p>other</p>", "<b>other</b>"))

    walk = fall_back(descriptor, changed.markup.root)

    assert len(LADDER) == len(set(LADDER)) == 8
    assert (LADDER[0], LADDER[-1]) == (STRICTEST, Checks(count=False, id=False, tag=False))
    assert [str(checks) for checks in walk.passed] == ["count+id+tag", "count+id+tag", "count+id"]
    assert walk.node is not None


def test_section_6_verification_in_a_job() -> None:
    """A node with another subtree is refused, if asked for."""
    stencil = stencil_of(PATTERN, [(TAGS.index("ul"),)])
    other = page_of(SAME.replace("<li>c<li>d", "<b>c</b><i>d</i>"))

    plain = search(stencil, guide(stencil), other, SearchRule())
    verified = search(stencil, guide(stencil), other, SearchRule(farthest=0.4))

    assert [type(answer) for answer in plain] == [Located]
    assert verified == [Miss(0, TAGS.index("ul"), MissReason.SUBTREE)]


def test_section_5_c_compact_descriptors_in_a_job() -> None:
    """They find what full ones miss below something new, if asked for."""
    stencil = stencil_of(PATTERN, [(P,)])
    moved = page_of(f"<body><nav>new</nav>{SAME[6:]}")

    full_answer = search(stencil, guide(stencil), moved, SearchRule())
    compact_answer = search(stencil, guide(stencil), moved, SearchRule(compact=True))

    assert [type(answer) for answer in (*full_answer, *compact_answer)] == [Miss, Located]


def test_section_3_one_area_is_mapped_with_every_check_told() -> None:
    """Both descriptors, the checks that each node passes, and the verification."""
    other = page_of(SAME.replace("id=head>", "id=head class=x>"))

    whole, short = told_mappings(PATTERN, other, "#main p", 0.4)

    assert [step.passed for step in whole.steps] == ["count+id+tag"] * 3
    assert (whole.form, short.form) == ("full", "compact")
    assert (whole.xpath, whole.text, whole.verified) == ("/html/body/div[2]/p", "other", True)
    assert whole.node == whole.xpath


def test_section_3_all_nodes_of_an_area_are_mapped(tmp_path: Path) -> None:
    """By command; what is found of the area is told, and so is a selector that is none."""
    one, other = tmp_path / "one.html", tmp_path / "other.html"
    one.write_text("<body><ul><li>a<li>b</ul><p>c<div><p>deep</div>")
    other.write_text("<body><ul><li>x<li>y</ul><p>z<div><b>deep</b></div>")

    told = CliRunner().invoke(main, ["papers", "map", str(one), "ul, p", str(other)])
    wrong = CliRunner().invoke(main, ["papers", "map", str(one), "p[[", str(other)])
    hidden = CliRunner().invoke(main, ["papers", "map", str(one), "head", str(other), "--json"])

    assert "full descriptors: the area is in part on the other page (2 of 3 nodes)" in told.output
    assert told.output.count("found by the strictest checks; /html/body/ul, subtree 0.00") == 2
    assert (wrong.exit_code, hidden.exit_code) == (2, 0)
    assert "p[[" in wrong.output


def test_table_1_is_printed_beside_the_published_one() -> None:
    """Sites, types, mappings, nodes and times of the paper."""
    assert mapping.COLUMNS[:5] == mapping.PAPER_COLUMNS
    assert len(mapping.PAPER_ROWS) == 10
    assert ("iDnes.cz", "full", "5024", "59499", "7.6 ms") in mapping.PAPER_ROWS
