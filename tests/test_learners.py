"""Learners in words."""

import pytest

from webstencil.model import Mode
from webstencil.queries.lists import learner_words
from webstencil.segment import PUBLISHED, SEGMENTERS, make_segmenter
from webstencil.settings import Settings


@pytest.mark.parametrize("name", sorted(SEGMENTERS))
def test_usual_settings_are_left_out(name: str) -> None:
    """Ours of a segmenter and in default mode, the published ones in paper mode."""
    kind = SEGMENTERS[name].__name__
    ours, published = make_segmenter(name), PUBLISHED[name]

    assert learner_words(repr(ours)) == kind
    assert learner_words(Settings(ours).learner) == f"default {kind}"
    assert learner_words(Settings(published, Mode.PAPER).learner) == f"paper {kind}"
    assert learner_words(repr(published)) == f"{kind}(preset paper)"
    assert learner_words(f"paper {ours!r}") == f"paper {kind}(preset default)"


def test_other_settings_are_named() -> None:
    """Those that differ from the usual ones, with their values."""
    assert learner_words(repr(make_segmenter("vips", ["pdoc=9"]))) == "VIPS(pdoc=9)"
    published = make_segmenter("vips", ["pdoc=9"], published=True)
    assert learner_words(f"paper {published!r}") == "paper VIPS(pdoc=9)"
