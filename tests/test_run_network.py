"""The network over the runs of a page: whom a run sees, and how it learns."""

from dataclasses import replace

import numpy as np
import pytest

from research.training import network_training
from research.training.network_training import Lesson, gradient, seen_back, train, written
from webstencil.content.model import (
    SEEN_STATES,
    Layer,
    Network,
    Surroundings,
    network_of,
    probabilities,
    run_surroundings,
    seen_states,
)
from webstencil.content.page_features import Array, page_shape
from webstencil.content.run_features import RUN_FEATURES, look
from webstencil.content.runs import flatten
from webstencil.markup import Markup

CARDS = "".join(f"<li class='card'><h3>Name {n}</h3><p>Says {n}.</p></li>" for n in range(3))
PAGE = f"<body><main><h1>All</h1><ul>{CARDS}</ul></main><footer>End</footer></body>"


@pytest.fixture
def around() -> Surroundings:
    """The surroundings of a page with three cards of two runs."""
    runs = flatten(Markup(PAGE.encode()))
    return run_surroundings(runs, page_shape(runs))


def views(state: Array, around: Surroundings) -> dict[str, list[float]]:
    """Return what each run sees of states of one number."""
    return dict(
        zip(SEEN_STATES, seen_states(state[:, None], around).T.round(6).tolist(), strict=True)
    )


def test_a_run_sees_its_neighbours_its_like_and_its_containers(around: Surroundings) -> None:
    """Beyond the ends of the page there is nothing; means are over runs."""
    found = views(np.arange(8.0), around)

    assert found["own"] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert found["run +1"] == [1, 2, 3, 4, 5, 6, 7, 0]
    assert found["run -2"] == [0, 0, 0, 1, 2, 3, 4, 5]
    assert found["place"] == [0, 3, 4, 3, 4, 3, 4, 7]
    assert found["section"][:3] == [0, 1.5, 1.5]
    assert found["container 1"][1:5] == [1.5, 1.5, 3.5, 3.5]
    assert found["container 2"][1:5] == [3.5] * 4
    assert found["page"] == [3.5] * 8


def test_a_page_of_one_run_sees_itself_only() -> None:
    """No neighbours, no containers but the page."""
    runs = flatten(Markup(b"<p>One</p>"))

    found = views(np.array([2.0]), run_surroundings(runs, page_shape(runs)))

    assert {name: value for name, value in found.items() if value != [2.0]} == {
        name: [0.0] for name in SEEN_STATES if name.startswith("run")
    }


def lesson(around: Surroundings) -> Lesson:
    """Return a page whose cards are content."""
    chance = np.random.default_rng(5)
    content = np.array([0, 1, 1, 1, 1, 1, 1, 0], np.float64)
    return Lesson(chance.normal(size=(8, 3)), around, content, chance.random(8) + 0.5)


def test_what_is_sent_back_is_the_transpose_of_what_is_seen(around: Surroundings) -> None:
    """For all states a and b: seen(a) · b = a · seen_back(b)."""
    chance = np.random.default_rng(1)
    one, other = chance.normal(size=(8, 2)), chance.normal(size=(8, 2 * len(SEEN_STATES)))

    assert (seen_states(one, around) * other).sum() == pytest.approx(
        (one * seen_back(other, around)).sum()
    )


def test_gradients_are_those_of_the_loss(
    around: Surroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each gradient agrees with a small step in its direction."""
    monkeypatch.setattr(network_training, "STATE", 4)
    chance = np.random.default_rng(2)
    weights = [one.astype(np.float64) for one in network_training.starting_weights(3, chance)]
    page = lesson(around)
    lost = network_training.lost_numbers(page, chance)

    def loss() -> float:
        state = np.maximum(page.features * lost.inputs @ weights[0] + weights[1], 0)
        for place, mask in enumerate(lost.states, start=1):
            made = (seen_states(state, around) * mask) @ weights[2 * place] + weights[2 * place + 1]
            state = state + np.maximum(made, 0)
        found = probabilities((state @ weights[-2])[:, 0] + weights[-1])
        right = np.where(page.content > 0, found, 1 - found)
        return -float((page.weights * np.log(right)).sum())

    for own, slope in zip(weights, gradient(weights, page, lost), strict=True):
        place = tuple(chance.integers(0, size) for size in own.shape)
        before, step = own[place], 1e-5
        own[place] = before + step
        above = loss()
        own[place] = before - step
        below = loss()
        own[place] = before

        assert (above - below) / (2 * step) == pytest.approx(float(slope[place]), abs=1e-4)


def test_a_network_learns_and_is_written_and_read(
    around: Surroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fitted to pages whose cards are content, it finds them; what is read is what was written."""
    monkeypatch.setattr(network_training, "EPOCHS", 40)
    page = replace(lesson(around), features=np.eye(8, 3))
    names = ("a", "b", "c")
    network = train([page] * 16, np.zeros(3, np.float32), np.ones(3, np.float32))
    read = network_of(written(network, names), names)

    found = probabilities(read.odds(page.features, around))

    assert (found > 0.5).tolist() == (page.content > 0).tolist()
    assert read.odds(page.features, around) == pytest.approx(
        network.odds(page.features, around), abs=0.1
    )


def test_what_is_made_of_few_groups_is_what_is_made_of_all_views(around: Surroundings) -> None:
    """The fast way and the plain one give the same numbers."""
    chance = np.random.default_rng(3)
    layer = Layer(chance.normal(size=(len(SEEN_STATES) * 2, 2)), chance.normal(size=2))
    first = Layer(np.eye(2), np.zeros(2))
    network = Network(np.zeros(2), np.ones(2), first, (layer,), np.ones(2), 0.0)
    state = chance.random((8, 2))
    made = np.maximum(seen_states(state, around) @ layer.weights + layer.bias, 0.0)

    assert network.odds(state, around) == pytest.approx((state + made).sum(1))


def test_features_of_texts_are_those_of_each_run_alone() -> None:
    """Characters are looked up for the whole page at once; runs are told apart."""
    texts = ["Costs $5 at 10:30.", "12345", "No digits here", "Was ist das?", "見出し。", "😀 ok"]
    together = flatten(Markup("".join(f"<p>{text}</p>" for text in texts).encode()))
    single = [look(flatten(Markup(f"<p>{text}</p>".encode())), "x").rows[0] for text in texts]

    found = look(together, "x").rows

    for name in ("sentence end", "punctuation", "digits", "dated", "price", "words"):
        place = RUN_FEATURES.index(name)
        assert found[:, place].tolist() == [row[place] for row in single], name
