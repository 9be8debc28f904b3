"""What the names of elements say about the text in them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from webstencil.content.runs import BITS, BODY, GROUPS, HIDDEN, TITLE, BlockNames, marks_of

WORDS = sorted({word for patterns in GROUPS.values() for word in re.findall("[a-z]+", patterns)})
NAMES = st.lists(st.sampled_from([*WORDS, "x", "2", "-", "_", " ", "@"]), max_size=6).map("".join)


@given(NAMES, NAMES)
def test_the_groups_of_names_are_those_whose_patterns_match(classes: str, identifier: str) -> None:
    """Words are looked up for all groups at once; the answer is that of each pattern."""
    names = [*classes.split(), f"#{identifier.replace(' ', '')}"]

    found = marks_of(BlockNames("div", classes, identifier.replace(" ", "")))

    assert found & ~TITLE == sum(
        bit for group, bit in BITS.items() if any(re.search(GROUPS[group], name) for name in names)
    )


def test_tags_roles_and_hiding_are_names() -> None:
    """A tag, a role and the attribute `hidden` say what an element is for, too."""
    assert marks_of(BlockNames("nav", "", "")) == BITS["nav"]
    assert marks_of(BlockNames("div", "", "", " @main", " @hidden")) == BODY | HIDDEN
