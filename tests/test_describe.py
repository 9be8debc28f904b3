"""Describing: areas as the user gets them."""

from dataclasses import FrozenInstanceError, replace

import pytest

from webstencil.geometry import Rect
from webstencil.model import PageArea, make_page_area


def test_quickly_made_values_are_like_others() -> None:
    """Same class, same fields, frozen as well."""
    values = (1, None, "menu", "text", "#a", "/a", Rect(0, 0, 9, 9), 2, 0.5, 3, (("doc", 7.0),))
    quick, usual = make_page_area(*values), PageArea(*values)

    assert (quick, type(quick), hash(quick)) == (usual, PageArea, hash(usual))
    assert replace(quick, id=2) == replace(usual, id=2)
    with pytest.raises(FrozenInstanceError):
        quick.id = 2  # type: ignore[misc]  # it must not
