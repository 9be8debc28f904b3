"""The places of a site as a tree: which pages have them, and what they say there."""

from collections.abc import Mapping
from itertools import pairwise
from random import Random

import pytest

from webstencil.markup.parse import parse
from webstencil.model import RawPage
from webstencil.site import place_tree as trees
from webstencil.site.outline import Excerpts, OutlinedPage, outline_and_excerpts
from webstencil.site.place_tree import PlaceNode, PlaceTree, Saying, Says, place_tree
from webstencil.site.site_model import SiteModel

MENU = "<nav class=menu><ul><li><a href=/>Home</a><li><a href=/news>News</a></ul></nav>"
POST = (
    MENU + "<main><h1>{title}</h1><p class=date>{day} March 2020</p><p class=tag>{tag}</p>"
    "<div class=text><p>First words of {title}.</p><p>More of <a href=/{title}>{title}</a>.</p>"
    "</div></main>"
)
TITLES = ("Apples", "Bread", "Carrots", "Dates")


def url_of(name: str) -> str:
    return f"https://a.example/{name}"


def tree_of(pages: Mapping[str, str], *, said: bool = True) -> PlaceTree:
    """Survey pages, by name, and make the tree of their site."""
    model, excerpts = SiteModel(), list[tuple[str, Excerpts]]()
    for name, html in pages.items():
        page = parse(RawPage(url_of(name), html.encode(), "utf-8"))
        outlined, found = outline_and_excerpts(page)
        model.add(OutlinedPage(page.url, outlined))
        excerpts.append((page.url, found))
    return place_tree(model, sorted(excerpts) if said else ())


def named(tree: PlaceTree) -> dict[str, PlaceNode]:
    return {node.labels[-1]: node for node in tree.nodes}


def posts() -> dict[str, str]:
    tags = ("Fruit", "Food", "Vegetables", "Fruit")
    return {
        title: POST.format(title=title, day=day, tag=tag)
        for day, (title, tag) in enumerate(zip(TITLES, tags, strict=True), start=1)
    }


def test_furniture_is_told_from_data() -> None:
    """By what the pages say: the same, the same but for numbers, in part, or something else."""
    found = named(tree_of(posts()))

    assert {label: (node.says, node.links) for label, node in found.items()} == {
        "html": (Says.NOTHING, Says.NOTHING),
        "li": (Says.SAME, Says.SAME),
        "main": (Says.NOTHING, Says.NOTHING),
        "h1": (Says.VARIES, Says.NOTHING),
        "p.date": (Says.NUMBERS, Says.NOTHING),
        "p.tag": (Says.MIXED, Says.NOTHING),
        "p": (Says.VARIES, Says.VARIES),
    }


def test_a_node_has_what_is_known_of_its_place() -> None:
    """Containers that hold nothing else are one with it."""
    (found,) = [node for node in tree_of(posts()).nodes if node.labels[-1] == "p"]

    assert found == PlaceNode(
        labels=("div.text", "p"),
        depth=2,
        pages=4,
        share=1.0,
        times=2.0,
        text=found.text,
        says=Says.VARIES,
        links=Says.VARIES,
        sayings=tuple(Saying(f"First words of {title}.", url_of(title), 1) for title in TITLES[:3]),
        url=found.url,
    )
    assert found.repeats
    assert 0.3 < found.text < 0.8
    assert found.url in map(url_of, TITLES)


def test_the_tree_is_that_of_the_pages() -> None:
    """In the order of the page, with depths; the head is no part of it."""
    assert [(node.depth, node.labels) for node in tree_of(posts()).nodes] == [
        (0, ("html",)),
        (1, ("nav.menu", "ul", "li")),
        (1, ("main",)),
        (2, ("h1",)),
        (2, ("p.date",)),
        (2, ("p.tag",)),
        (2, ("div.text", "p")),
    ]


def test_what_is_said_most_often_comes_first() -> None:
    """With a page that says so, and how many do."""
    found = named(tree_of(posts()))

    assert found["p.tag"].sayings == (
        Saying("Fruit", url_of("Apples"), 2),
        Saying("Food", url_of("Bread"), 1),
        Saying("Vegetables", url_of("Carrots"), 1),
    )
    assert found["li"].sayings == (Saying("Home", url_of("Apples"), 4),)


def test_the_order_of_pages_does_not_matter() -> None:
    """A tree is read off the model, which is a function of the set of pages."""
    pages = list(posts().items())
    first = tree_of(dict(pages))
    for seed in range(5):
        Random(seed).shuffle(pages)
        assert tree_of(dict(pages)) == first


def test_what_one_page_has_alone_is_left_out() -> None:
    """So is what has no text; a page that fits nowhere does no harm."""
    pages = posts()
    pages["Apples"] += "<aside>Only here</aside>"
    lost = {f"<{name}>": f"<section id={name}><b>{name}</b><hr></section>" for name in "ab"}
    found = tree_of({**pages, **lost})

    assert "aside" not in named(found)
    assert named(found)["main"].share == pytest.approx(4 / 6)
    assert (found.counted, found.pages, found.more) == (6, 6, 0)


def test_text_in_containers_is_that_of_their_places() -> None:
    """The root has all, and nobody more than its container."""
    nodes = tree_of(posts()).nodes

    assert nodes[0].text == pytest.approx(1.0)
    assert sum(node.text for node in nodes if node.depth == 1) == pytest.approx(1.0)
    assert sum(node.text for node in nodes if node.depth == 2) == pytest.approx(nodes[2].text)


def test_excerpts_of_pages_that_are_not_in_the_model_are_left_out() -> None:
    """They were deleted or changed in between."""
    outlined, said = outline_and_excerpts(parse(RawPage(url_of("x"), b"<p>Gone</p>")))
    model = SiteModel(OutlinedPage(url_of(name), outlined) for name in "ab")
    gone, there = (url_of("x"), said), (url_of("a"), said)

    assert named(place_tree(model, [gone]))["p"].sayings == ()
    assert named(place_tree(model, [gone, there]))["p"].sayings == (Saying("Gone", there[0], 1),)


def test_a_site_without_pages_has_no_tree() -> None:
    """Nor has one whose pages have nothing in common."""
    assert place_tree(SiteModel(), ()) == PlaceTree()
    assert tree_of({"a": "<p>A", "b": "<h1>B"}).nodes[1:] == ()


def test_pages_that_nest_without_end_are_cut() -> None:
    """No browser nests as deep, and no reader."""
    deep = "".join(f"<div>{number}" for number in range(300))
    found = tree_of({"a": deep, "b": deep})

    assert max(node.depth for node in found.nodes) == trees.DEEPEST_NODES - 1
    assert found.nodes[0].labels == ("html", "div")
    assert found.more == 300 - trees.DEEPEST_NODES


def test_a_tree_is_bounded_by_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has most of it stays, with its containers."""
    monkeypatch.setattr(trees, "MOST_NODES", 40)
    html = "".join(
        f"<section class=s{chr(97 + one)}><p>{'word ' * (one + 1)}</p></section>"
        for one in range(26)
    )
    found = tree_of({"a": html, "b": html})
    labels = [node.labels for node in found.nodes]

    assert sum(map(len, labels)) == 40
    assert found.more == 26 * 2 + 1 - 40
    assert ("section.sz", "p") in labels
    assert not any("section.sa" in label for label in labels)
    assert all(after.depth <= before.depth + 1 for before, after in pairwise(found.nodes))


@pytest.mark.parametrize(
    ("agreeing", "said", "word"),
    [
        (None, (), Says.NOTHING),
        (1.0, ("Home",), Says.SAME),
        (0.9, ("Home", "News"), Says.SAME),
        (1.0, ("Home", "HOME"), Says.SAME),
        (1.0, ("7 comments", "12 comments"), Says.NUMBERS),
        (0.5, ("7 comments", "12 comments"), Says.MIXED),
        (0.0, ("A", "B"), Says.VARIES),
    ],
)
def test_agreement_in_words(agreeing: float | None, said: tuple[str, ...], word: Says) -> None:
    """Case and an entry that is current do not make data of a menu."""
    assert trees.says_of(agreeing, [Saying(text, "", 1) for text in said]) is word
