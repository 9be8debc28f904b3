"""Slots: the areas of a site, under the same number and name on every page, however it is run."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from webstencil.jobs.job import Pipeline
from webstencil.model import Area, PageResult, RawPage, Snapshot, Status
from webstencil.settings import Settings
from webstencil.site.areas import KindEvidence, SiteAreas, decided_borders
from webstencil.site.lay import LaidArea, without_hidden
from webstencil.site.slots import words_of_label
from webstencil.store import open_store
from webstencil.testing import MemorySource, StackRenderer

HOST = "http://shop.example"


@dataclass(frozen=True)
class Blocks:
    """A segmenter that makes an area of each heading, paragraph and `b`."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        found = [box for box in snapshot.boxes if snapshot.tags[box.node] in ("h1", "p", "section")]
        return tuple(Area(box.rect, (box.node,)) for box in found)


SETTINGS = Settings(Blocks())


def product_list(number: int) -> bytes:
    """Write a page with cards of a name and a price."""
    cards = "".join(
        f"<li class=card><section class=name>Thing {number}.{card}</section>"
        f"<p class=price>{card} euros</p></li>"
        for card in range(2 + number % 3)
    )
    head = f"<header><h1>Shop, page {number}</h1></header>"
    return f"<body>{head}<ul class=cards>{cards}</ul><footer><p>Imprint</p></footer>".encode()


def letter(number: int) -> bytes:
    """Write a page of another template."""
    return (
        f"<body><header><h1>Letter {number}</h1></header><article class=letter>"
        f"<p>Dear reader {number}, this is a letter.</p></article><footer><p>Imprint</p></footer>"
    ).encode()


LISTS = {f"{HOST}/list/{number}": product_list(number) for number in range(24)}
LETTERS = {f"{HOST}/letter/{number}": letter(number) for number in range(24)}


def run(place: Path, pages: dict[str, bytes], **changed: object) -> dict[str, PageResult]:
    """Process pages; return all results in the store."""
    settings = replace(SETTINGS, **changed)  # type: ignore[arg-type]  # as the caller knows
    with open_store(place) as store:
        for _ in Pipeline(store, StackRenderer(), settings).run(MemorySource(pages)):
            continue
        return {result.url: result for result in store.results(settings.learner)}


def names(results: dict[str, PageResult]) -> dict[str, int | None]:
    """Return the numbers of slots by their names."""
    return {area.name: area.slot for result in results.values() for area in result.areas}


def test_a_card_is_one_slot_that_repeats_with_its_parts_in_it(tmp_path: Path) -> None:
    """However many there are on a page."""
    results = run(tmp_path / "s.db", LISTS)
    areas = results[f"{HOST}/list/2"].areas
    cards = [area for area in areas if area.name == "card"]
    parts = {area.name for area in areas if area.parent in {card.id for card in cards}}

    assert len(cards) == 4
    assert len({card.slot for card in cards}) == 1
    assert parts == {"name", "price"}
    assert [area.text for area in areas if area.name == "price"] == [f"{n} euros" for n in range(4)]


def test_templates_share_slots(tmp_path: Path) -> None:
    """The footer has the same number and name on all of them."""
    results = run(tmp_path / "s.db", LISTS | LETTERS)
    footers = {
        (area.slot, area.name)
        for result in results.values()
        for area in result.areas
        if area.text == "Imprint"
    }

    assert len(footers) == 1
    assert {result.template for result in results.values()} != {None}


def test_numbers_and_names_stay_while_a_site_grows(tmp_path: Path) -> None:
    """What is the same as before is called the same; older pages are brought up to date."""
    before = names(run(tmp_path / "s.db", LISTS))
    after = run(tmp_path / "s.db", LISTS | LETTERS)

    assert before.items() <= names(after).items()
    assert len(names(after)) > len(before)
    assert {result.version for result in after.values()} == {2}


def test_a_larger_budget_renders_only_what_is_new(tmp_path: Path) -> None:
    """Pages that were rendered before are witnesses still."""
    run(tmp_path / "s.db", LISTS | LETTERS, budget=3)
    renderer = StackRenderer()
    with open_store(tmp_path / "s.db") as store:
        before = set(store.witnesses.known(SETTINGS.learner, "shop.example"))
        pipeline = Pipeline(store, renderer, replace(SETTINGS, budget=8))
        list(pipeline.run(MemorySource(LISTS | LETTERS)))
        after = set(store.witnesses.known(SETTINGS.learner, "shop.example"))

    assert len(before) == 3
    assert before < after
    assert sorted(renderer.rendered) == sorted(after - before)


def test_any_order_gives_the_same_results(tmp_path: Path) -> None:
    """They are a function of the set of pages."""
    pages = list((LISTS | LETTERS).items())
    found = []
    for seed in range(3):
        random.Random(seed).shuffle(pages)
        found.append(run(tmp_path / f"{seed}.db", dict(pages)))

    assert found[0] == found[1] == found[2]


class Once(MemorySource):
    """Can be read once, as a crawl."""

    read_once = True

    def pages(self) -> Iterator[RawPage]:
        yield from super().pages()
        self._pages = {}


def test_pages_read_once_wait_and_have_the_results_of_a_folder(tmp_path: Path) -> None:
    """They come when their site is known, and no page waits after that."""
    folder = run(tmp_path / "folder.db", LISTS | LETTERS)
    with open_store(tmp_path / "once.db") as store:
        pipeline = Pipeline(store, StackRenderer(), SETTINGS)
        came = [result.status for result in pipeline.run(Once(LISTS | LETTERS))]
        once = {result.url: result for result in store.results(SETTINGS.learner)}
        waiting = store.spool.sites()

    assert once == folder
    assert set(came) == {Status.HIT, Status.LEARNED}
    assert waiting == ()


def site_with(borders: float, pages: int) -> SiteAreas:
    """Make a site with one kind of neighbours."""
    evidence = KindEvidence(0, 1, 2, borders, pages)
    return SiteAreas(("html", "h1", "p"), (-1, 0, 0), (9, 9, 9), (0, 1, 2), evidence=(evidence,))


def test_a_decision_changes_on_clear_evidence_only() -> None:
    """And says which, and why."""
    before = decided_borders(site_with(6.0, 6), SiteAreas())
    unclear = decided_borders(site_with(2.0, 6), before)
    clear = decided_borders(site_with(0.0, 12), before)

    assert [one.border for one in before.evidence] == [True]
    assert [(one.border, one.held) for one in unclear.evidence] == [(True, True)]
    assert unclear.changes == ()
    assert [one.border for one in clear.evidence] == [False]
    assert "no border between h1 and p in html" in clear.changes[0]
    assert "by 12 pages" in clear.changes[0]


def test_slots_that_nobody_sees_are_no_areas() -> None:
    """What is in them belongs to what is around them."""
    laid = [
        LaidArea((), -1, 1.0, 0, False, slot=1),
        LaidArea((), 0, 1.0, 0, False, slot=2),
        LaidArea((), 1, 1.0, 0, True, slot=3),
    ]

    assert [(area.slot, area.parent) for area in without_hidden(laid, {2})] == [(1, -1), (3, 0)]


def test_names_say_what_authors_say() -> None:
    """Ids before classes; styles and numbers say nothing."""
    assert words_of_label("div.col-2#side-bar") == "side bar"
    assert words_of_label("ul.mt0") == "list"
    assert words_of_label("div") == ""
