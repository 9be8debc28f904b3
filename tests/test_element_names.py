"""What the names of elements say about the text in them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from webstencil.content.runs import (
    BODY_NAME,
    GROUP_PATTERNS,
    HIDDEN_NAME,
    NAME_GROUPS,
    TITLE_NAME,
    BlockNames,
    name_marks,
)

WORDS = sorted(
    {word for patterns in GROUP_PATTERNS.values() for word in re.findall("[a-z]+", patterns)}
)
NAMES = st.lists(st.sampled_from([*WORDS, "x", "2", "-", "_", " ", "@"]), max_size=6).map("".join)


@given(NAMES, NAMES)
def test_the_groups_of_names_are_those_whose_patterns_match(classes: str, identifier: str) -> None:
    """Words are looked up for all groups at once; the answer is that of each pattern."""
    names = [*classes.split(), f"#{identifier.replace(' ', '')}"]

    found = name_marks(BlockNames("div", classes, identifier.replace(" ", "")))

    assert found & ~TITLE_NAME == sum(
        bit
        for group, bit in NAME_GROUPS.items()
        if any(re.search(GROUP_PATTERNS[group], name) for name in names)
    )


def test_tags_roles_and_hiding_are_names() -> None:
    """A tag, a role and the attribute `hidden` say what an element is for, too."""
    assert name_marks(BlockNames("nav", "", "")) == NAME_GROUPS["nav"]
    assert name_marks(BlockNames("div", "", "", " @main", " @hidden")) == BODY_NAME | HIDDEN_NAME
