"""Areas of a site: rendered pages vote, borders are decided, and laid over every page."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstencil.evaluate.landmarks import blinded, is_landmark_name, landmarks
from webstencil.evaluate.scores import partition_score
from webstencil.geometry import Rect
from webstencil.markup import text
from webstencil.markup.parse import parse
from webstencil.model import TEXT as TEXT_NODE
from webstencil.model import Area, Page, RawPage
from webstencil.site.areas import Borders, PlaceFacts, Tally, decide_areas, strength_of, sureness
from webstencil.site.lay import LaidArea, SiteSpots, lay
from webstencil.site.outline import OutlinedPage, outline
from webstencil.site.places import NeighbourKind, lay_out
from webstencil.site.plan import plan_renderings, typicality
from webstencil.site.site_model import SiteModel
from webstencil.site.votes import Witness, filled, leaves_of, voted, votes_of

FACTS = PlaceFacts(once=frozenset({1, 2, 3}), containers=frozenset({0, 4}))
PARTS, TEXT, RECORDS = (NeighbourKind(0, 1, 2), NeighbourKind(0, 5, 6), NeighbourKind(0, 4, 4))


def page_of(number: int, body: str) -> Page:
    """Make a page of the site."""
    return parse(RawPage(f"http://site.example/{number}", f"<html><body>{body}".encode()))


def article(number: int, paragraphs: int = 3) -> str:
    """Write a page with a header, text and a footer."""
    text = "".join(f"<p>Paragraph {n} of {number}.</p>" for n in range(paragraphs))
    return (
        "<div id=page><div class=top>Name of the site</div>"
        f"<div class=post><h1>Title {number}</h1>{text}</div><div class=end>Imprint</div></div>"
    )


def shop(number: int, cards: int) -> str:
    """Write a page with records of a picture, a name and a price."""
    card = (
        "<div class=card><div class=pic><img src=a.png></div><div class=name>Thing {n}</div></div>"
    )
    return (
        f"<div class=top>Shop {number}</div><div class=list>"
        + "".join(card.format(n=n) for n in range(cards))
        + "</div>"
    )


def own_areas(page: Page, *selectors: str) -> tuple[Area, ...]:
    """Make the own areas of a page: one for each element that matches."""
    nodes = page.markup.nodes(range(len(page.tree)))
    numbers = {node: number for number, node in enumerate(nodes)}
    found = [node for selector in selectors for node in page.markup.select(selector)]
    return tuple(Area(Rect(0, 0, 1, 1), (numbers[node],)) for node in found)


def decided(pages: list[Page], *selectors: str, witnesses: int | None = None) -> SiteSpots:
    """Decide the areas of a site whose witnesses are cut at these elements."""
    model = SiteModel(OutlinedPage(page.url, outline(page)) for page in pages)
    rendered = [Witness(page, own_areas(page, *selectors)) for page in pages[:witnesses]]
    laid = lay_out(model)
    return SiteSpots(decide_areas(laid, voted(laid, rendered)))


def texts(found: tuple[LaidArea, ...]) -> list[str]:
    """Return what the areas of a page say that have no areas in them."""
    return [" ".join(text(area.nodes).split()) for area in found if area.leaf]


def test_a_page_that_was_not_rendered_gets_the_areas_of_the_others() -> None:
    """Two witnesses are enough for parts that stand on every page."""
    pages = [page_of(number, article(number)) for number in range(6)]
    spots = decided(pages, ".top", ".post", ".end", witnesses=2)

    found = lay(spots, pages[5].markup.body)

    assert texts(found) == [
        "Name of the site",
        "Title 5 Paragraph 0 of 5. Paragraph 1 of 5. Paragraph 2 of 5.",
        "Imprint",
    ]


def test_text_that_one_page_cuts_stays_whole() -> None:
    """A segmenter cuts a long text by its height; the site does not."""
    pages = [page_of(number, article(number, 2 + number)) for number in range(6)]
    model = SiteModel(OutlinedPage(page.url, outline(page)) for page in pages)
    usual = [Witness(page, own_areas(page, ".top", ".post", ".end")) for page in pages[:5]]
    odd = Witness(pages[5], own_areas(pages[5], ".top", "h1", "p", ".end"))
    laid = lay_out(model)
    spots = SiteSpots(decide_areas(laid, voted(laid, [*usual, odd])))

    assert len(texts(lay(spots, pages[5].markup.body))) == 3


def test_a_record_is_one_area_with_its_parts_in_it() -> None:
    """A card is around its picture and its name, however many cards there are."""
    pages = [page_of(number, shop(number, 2 + number)) for number in range(4)]
    spots = decided(pages, ".top", ".pic", ".name")

    found = lay(spots, pages[1].markup.body)
    cards = [number for number, area in enumerate(found) if not area.leaf]
    inside = [sum(area.parent == card for area in found) for card in cards]

    assert inside == [3, 2, 2, 2]  # the list has three cards, each card two parts


def test_what_no_witness_has_is_told() -> None:
    """Its characters are counted, and the page still has its areas."""
    pages = [page_of(number, article(number)) for number in range(4)]
    strange = page_of(9, article(9) + "<div class=new>Twelve chars</div>")
    spots = decided([*pages, strange], ".top", ".post", ".end", witnesses=4)

    found = lay(spots, strange.markup.body)

    assert sum(area.unseen for area in found) == len("Twelve chars")


def test_decisions_do_not_depend_on_the_order_of_witnesses() -> None:
    """They are a function of the set."""
    pages = [page_of(number, article(number, number)) for number in range(1, 6)]
    model = lay_out(SiteModel(OutlinedPage(page.url, outline(page)) for page in pages))
    rendered = [Witness(page, own_areas(page, ".top", "p", ".end")) for page in pages]

    said = voted(model, rendered)
    assert decide_areas(model, said) == decide_areas(model, said[::-1])


def test_a_page_without_content_has_no_areas() -> None:
    """And an empty site has no borders."""
    assert lay(decided([]), page_of(0, "").markup.body) == ()


def test_deep_pages_are_walked_without_recursion() -> None:
    """What nests deeper than anything real stays whole."""
    pages = [page_of(number, "<div>" * 3_000 + f"Text {number}") for number in range(2)]

    assert texts(lay(decided(pages, "body"), pages[1].markup.body)) == ["Text 1"]


@pytest.mark.parametrize(
    ("kind", "share", "border"),
    [
        *((PARTS, 0.5, True), (PARTS, 0.2, False), (TEXT, 0.7, False), (TEXT, 1.0, True)),
        *((RECORDS, 0.8, True), (RECORDS, 0.5, False)),
    ],
)
def test_text_needs_more_evidence_than_parts(
    kind: NeighbourKind, share: float, border: bool
) -> None:
    """What stands once on a page is a part; what an author wrote as one text stays one."""
    borders = Borders({kind: Tally(share * 12, 12)}, FACTS)

    assert (borders[kind].strength > 0.5) == border


def test_one_witness_does_not_cut_text() -> None:
    """What is known of the container counts, too."""
    calm = {NeighbourKind(0, 5, n): Tally(0.0, 6) for n in range(7, 12)}
    borders = Borders({**calm, TEXT: Tally(1.0, 1)}, FACTS)

    assert borders[TEXT].strength < 0.5


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99), st.floats(0.05, 0.95))
def test_strength_grows_with_the_share(one: float, other: float, even: float) -> None:
    """So a higher grain leaves fewer borders."""
    low, high = sorted((one, other))

    assert strength_of(low, even) <= strength_of(high, even)


@given(st.floats(0.0, 1.0), st.floats(0.1, 0.9), st.floats(1.0, 14.0))
def test_more_witnesses_make_a_decision_surer(share: float, even: float, pages: float) -> None:
    """And none is worse than a coin."""
    assert 0.5 <= sureness(share, even, pages) <= sureness(share, even, pages + 1.0) + 1e-9


def test_hidden_texts_belong_to_the_neighbour_they_share_more_with() -> None:
    """Else spots beside them would get no evidence."""
    assert filled([0, -1, 1], [3, 1]) == [0, 0, 1]
    assert filled([0, -1, 1], [1, 3]) == [0, 1, 1]
    assert filled([-1, -1], [1]) == [-1, -1]


NESTED = ("div", "p", "span", "a", "picture", "object", "video", "audio", "canvas", "svg")
NESTED += ("foreignObject", "iframe", "noscript", "template", "select", "button", "table", "td")
VOID = ("img", "source", "embed", "br", "hr", "input")
ELEMENTS = st.recursive(
    st.sampled_from(("", "word", *(f"<{tag}>" for tag in VOID))),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(NESTED),
        st.lists(inner, max_size=3),
    ),
    max_leaves=20,
)


@given(ELEMENTS, st.data())
def test_any_tree_of_elements_votes(html: str, data: st.DataObject) -> None:
    """What can be looked at is never inside of something else that can, so every climb ends."""
    page = page_of(1, html)
    places = lay_out(SiteModel([OutlinedPage(page.url, outline(page))])).places
    nodes = st.sets(st.sampled_from(range(len(page.tree))), max_size=4)
    areas = tuple(Area(Rect(0, 0, 1, 1), (node,)) for node in sorted(data.draw(nodes)))
    leaves, ends = leaves_of(page.tree), page.tree.ends()

    votes = votes_of(page, areas, places)

    assert all(ends[one] <= other for one, other in pairwise(leaves))
    assert all(0 <= share <= 1 for share in votes.shares.values())


@pytest.mark.parametrize("inside", ["<img src=a.png>", "words", "<source><img>", "<p>words</p>"])
def test_what_a_picture_shows_is_looked_at_once(inside: str) -> None:
    """Its `img` shows it; the frame around that adds nothing."""
    tree = page_of(1, f"<picture>{inside}</picture>").tree

    assert [tree.tags[leaf] for leaf in leaves_of(tree)] in (["img"], [TEXT_NODE])


def test_typical_pages_are_better_witnesses() -> None:
    """Of pages alike, one of the usual length is rendered first."""
    pages = [page_of(number, article(number, count)) for number, count in enumerate([3, 3, 3, 40])]
    views = lay_out(SiteModel(OutlinedPage(page.url, outline(page)) for page in pages)).views

    assert min(typicality(views, {})) < 0.2
    assert plan_renderings(views, budget=1, templates={}).pages[0].url != "http://site.example/3"


def test_landmarks_are_what_authors_name() -> None:
    """By element, role, class and id; a text belongs to the innermost."""
    page = page_of(
        0,
        "<header>a</header><div role=main>b<div class=navfooter>c</div></div>"
        "<div id=domain>d</div>",
    )
    gold = landmarks(page)
    named = {page.texts[n]: page.tree.tags[gold[n]] for n in range(len(page.tree)) if page.texts[n]}

    assert named["a"] == "header"
    assert named["b"] == named["c"] == "div"
    assert len({gold[n] for n in range(len(page.tree)) if page.texts[n] in "abc"} - {-1}) == 3
    assert gold[-1] == -1


def test_fine_landmarks_are_pieces() -> None:
    """Cards and sections, which are no landmarks of a page."""
    assert is_landmark_name("product-card", "", fine=True)
    assert not is_landmark_name("product-card", "", fine=False)


def test_blinded_pages_have_the_same_nodes_and_no_names() -> None:
    """The program must not see what it is measured by."""
    raw = RawPage(
        "http://site.example/",
        b"<html><body><nav class='menu a' id=top role=navigation>x</nav><article>y</article>",
    )
    page = parse(raw)
    blind = parse(blinded(raw, page))

    assert blind.tree.parents == page.tree.parents
    assert set(blind.tree.tags) == {"html", "head", "body", "div", ""}
    assert b"menu" not in blind.body
    assert b"role" not in blind.body
    assert parse(blinded(raw, page)).body == blind.body


def test_agreement_with_landmarks_is_b_cubed() -> None:
    """Two areas in one landmark lower recall, not precision."""
    score = partition_score({1: 10, 2: 10}, [0, 1], [5, 5])

    assert (score.precision, score.recall) == (1.0, 0.5)
