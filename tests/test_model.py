"""The values that stages pass to each other."""

import inspect
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, dataclass, replace

import pytest

from webstencil.geometry import Rect
from webstencil.model import PageArea, quick

AREA = PageArea(1, None, "menu", "text", "#a", "/a", Rect(0, 0, 9, 9), 2, 0.5, 3, (("doc", 7.0),))


@dataclass(frozen=True, slots=True)
class Plain:
    """A dataclass with the usual constructor."""

    kind: str
    self_made: bool
    numbers: tuple[int, ...] = (7,)


@quick
@dataclass(frozen=True, slots=True)
class Quick:
    """The same with a quick one."""

    kind: str
    self_made: bool
    numbers: tuple[int, ...] = (7,)


def test_quick_values_are_like_others() -> None:
    """Equal, hashable, written, copied and pickled as all frozen dataclasses are."""
    values = (Quick("a", True), Quick("a", self_made=True), Quick("a", True, numbers=(7,)))

    assert len(set(values)) == 1
    assert {type(value) for value in values} == {Quick}
    assert repr(values[0]) == repr(Plain("a", True)).replace("Plain", "Quick")
    assert replace(values[0], kind="b") == Quick("b", True)
    assert pickle.loads(pickle.dumps(AREA)) == replace(AREA, id=1) == AREA


def test_quick_values_are_frozen() -> None:
    """No field can be set or deleted once a value is made."""
    with pytest.raises(FrozenInstanceError):
        AREA.id = 2  # type: ignore[misc]  # it must not
    with pytest.raises(FrozenInstanceError):
        del AREA.id


def test_quick_constructors_take_the_same_arguments() -> None:
    """A missing, surplus or misspelt one is refused."""
    assert inspect.signature(Quick) == inspect.signature(Plain)
    for arguments in ({"kind": "a"}, {"kind": "a", "self_made": True, "number": 1}):
        with pytest.raises(TypeError):
            Quick(**arguments)  # type: ignore[arg-type]


def test_the_model_needs_nothing_of_ours_but_geometry() -> None:
    """To read it, one need not read more."""
    lines = "import sys, webstencil; before = set(sys.modules); import webstencil.model"
    asked = f"{lines}; print(*sorted(set(sys.modules) - before))"
    answer = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    ).stdout

    assert [name for name in answer.split() if name.startswith("webstencil")] == [
        "webstencil.geometry",
        "webstencil.model",
    ]
