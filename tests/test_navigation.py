"""Blocks of links, their kinds, and what siblings repeat."""

import json
from dataclasses import replace

import pytest
from builders import page_of
from hypothesis import given
from hypothesis import strategies as st

from webstencil import urls
from webstencil.errors import SettingsError
from webstencil.navigation.classify import LinkWeights, read_model, shipped
from webstencil.navigation.features import (
    FULL_NAMES,
    HINT_NAMES,
    full_rows,
    hint_columns,
    paper_features,
    paper_rows,
    read_hints,
    smooth,
    text_positions,
)
from webstencil.navigation.kinds import (
    BlockKind,
    SiblingLinks,
    items,
    menus,
    navigation,
    page_links,
)
from webstencil.navigation.links import (
    PaperRule,
    Spread,
    _runs_cut,
    gap_threshold,
    link_gaps,
    page_hyperlinks,
    paper_links,
    starts,
    usual_gap,
)
from webstencil.navigation.pagination import FEATURE_NAMES, Judge, link_rows, pagination_links
from webstencil.site.outline import EMPTY_OUTLINE, OutlinedPage, outline
from webstencil.site.site_model import SiteModel
from webstencil.site.targets import hashes_of, name_targets, short

MENU = (
    "<nav><ul><li><a href=/>Home</a><li><a href=/news>News</a>"
    "<li><a href=/about>About</a></ul></nav>"
)
STORY = "<p>Long running text that tells a story, <a href=/{0}>with a link</a> and goes on.</p>"
PAGE = (
    "<html><body>" + MENU + "<main><h1>Title</h1>" + 4 * STORY + "</main>"
    "<div class=pagination><a href=?page=1>1</a> <a href=?page=2>2</a> <a href=?page=3>3</a>"
    " <a href=?page=2>Next »</a></div>"
    "<footer><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></footer></body></html>"
)


def labels(html: str, blocks: tuple[range, ...]) -> list[list[str]]:
    """Return the texts of each block."""
    texts = page_hyperlinks(page_of(html)).all_texts()
    return [texts[block.start : block.stop] for block in blocks]


def test_the_threshold_is_that_of_equation_4() -> None:
    """Of 10, 2, 2, 0 the second costs 0.2 + 2/4, less than 1 + 1/4, 0.2 + 3/4 and 0 + 4/4."""
    assert gap_threshold([2, 10, 2]) == 2
    assert gap_threshold([3, 3]) == 0  # 1 + 1/3 and 1 + 2/3 cost more than 0 + 3/3
    assert gap_threshold([]) == 0


def test_links_near_each_other_are_a_block() -> None:
    """CHD parts what is far apart, and a page with one link or none is no special case."""
    far = "<p>" + "<br>" * 20 + "</p>"
    html = (
        f"<div><a href=1>a</a><a href=2>b</a></div>{far}<div><a href=3>c</a><a href=4>d</a></div>"
    )

    assert labels(html, PaperRule().blocks(page_of(html))) == [["a", "b"], ["c", "d"]]
    assert labels(html, Spread().blocks(page_of(html))) == [["a", "b"], ["c", "d"]]
    for few, found in (("<p>no link</p>", []), ("<p><a href=1>one</a></p>", [["one"]])):
        assert labels(few, PaperRule(gamma=1.0).blocks(page_of(few))) == found
        assert labels(few, Spread().blocks(page_of(few))) == found


def test_text_between_links_parts_them_by_density() -> None:
    """CHD-HD parts links that CHD joins, where running text stands between them."""
    links = "<a href=1>one two three four</a>"
    dense, far = f"<div>{links * 4}</div>", "<br>" * 20
    page = page_of(f"{dense}{far}<div>{links} {'word ' * 60}{links}</div>")

    assert [len(block) for block in PaperRule().blocks(page)] == [4, 2]
    assert [len(block) for block in PaperRule(gamma=1.0).blocks(page)] == [4, 1, 1]


def test_a_title_does_not_change_the_density_of_a_page() -> None:
    """Equation 5 compares blocks with the text of the body."""
    body = "<p><a href=a>a a</a> " + "word " * 8 + "<a href=b>b b</a></p>"
    body += "<p></p><a href=c>c c</a> <a href=d>d d</a>"
    title = "<title>" + "word " * 30 + "</title>"
    rule = PaperRule(gamma=1.0)

    assert [len(block) for block in rule.blocks(page_of(body))] == [1, 1, 2]
    assert rule.blocks(page_of(title + body)) == rule.blocks(page_of(body))


def test_an_anchor_without_a_url_is_no_link_in_the_density_of_a_page() -> None:
    """Its words are text like any other."""
    body = "<p><a href=a>a a</a> word <a href=b>b b</a></p>"
    body += "<p></p><a href=c>c c</a> <a href=d>d d</a>"
    words = "word " * 30
    rule = PaperRule(gamma=1.0)

    named = page_of(f"{body}<p><a name=x>{words}</a></p>")

    assert [len(block) for block in rule.blocks(named)] == [2, 2]
    assert rule.blocks(named) == rule.blocks(page_of(f"{body}<p><b>{words}</b></p>"))


def test_distances_can_be_counted_once_as_printed() -> None:
    """Section 3.5.1 speaks of a set of distances; as a multiset the threshold is another one."""
    links = [f"{'<i></i>' * gap}<a href={number}>x</a>" for number, gap in enumerate((1, 1, 1, 2))]
    html = f"<div><a href=y>y</a>{''.join(links)}<i></i><i></i><i></i><a href=z>z</a></div>"

    assert gap_threshold([2, 2, 2, 3, 4]) == 2
    assert gap_threshold({2, 3, 4}) == 0
    assert [len(block) for block in PaperRule().blocks(page_of(html))] == [4, 1, 1]
    assert len(PaperRule(distinct=True).blocks(page_of(html))) == 6


def test_blocks_of_a_page_by_the_rule_of_the_paper() -> None:
    """`page_links` takes either rule, and what comes after it works with both."""
    page = page_of(PAGE)

    for rule in (PaperRule(), PaperRule(gamma=1.0), Spread()):
        known = page_links(page, rule)
        assert known.blocks == rule.blocks(page)
        assert sum(len(block.block) for block in navigation(known)) == len(known.links)
    assert page_links(page_of("<p>no link</p>"), PaperRule()).blocks == ()


def test_scripts_count_for_the_paper_only() -> None:
    """The numbers of elements differ by the pruned ones; the links are the same."""
    page = page_of("<body><a href=1>a</a><script>x</script><style>y</style><a href=2>b</a></body>")

    assert link_gaps(page_hyperlinks(page).places) == [1]
    assert link_gaps(paper_links(page).places) == [3]


def test_a_list_is_one_block() -> None:
    """However far its items are apart; a list that is most of the page is not a block of it."""
    item = "<li><div><p><b><i></i></b></p></div><a href={0}>{0}</a></li>"
    rows = "".join(item.format(n) for n in range(4))
    near = "".join(f"<a href=n{n}>n{n}</a>" for n in range(12))

    html = f"<div><ul>{rows}</ul></div>{'<br>' * 20}<div>{near}</div>"
    assert [len(block) for block in labels(html, Spread().blocks(page_of(html)))] == [4, 12]
    alone = f"<ul>{rows}</ul>"
    assert Spread(times=0.5).blocks(page_of(alone)) != (range(4),)


@st.composite
def trees(draw: st.DrawFn) -> str:
    """Draw nested elements with links in them."""
    parts = draw(st.lists(st.sampled_from(["<div>", "</div>", "<a href=x>t</a>", "<br>"])))
    return "".join(parts)


@given(trees(), st.floats(0.5, 3.0))
def test_both_ways_to_cluster_agree(html: str, times: float) -> None:
    """The fast way is Algorithm 1 with another threshold."""
    links = page_hyperlinks(page_of(f"<body>{html}</body>"))
    threshold = times * usual_gap(link_gaps(links.places))

    assert Spread(times, lists=False).blocks_of(links) == _runs_cut(starts(links, threshold))


def test_deep_pages_take_no_longer_than_their_size_asks() -> None:
    """100,000 elements, each in the other, and lists too."""
    wide = "<div><a href=1>x</a><div>" + "<br>" * 12 + "<a href=2>y</a>"
    for opening in ("<div><a href=1>x</a>", "<ul><li><a href=1>x</a><br><br>", wide):
        count = 20_000 // opening.count("<a ")
        known = page_links(page_of("<body>" + opening * count))

        assert sum(map(len, known.blocks)) == 20_000
        assert len(full_rows(known.page, known.links, known.blocks)) == len(known.blocks)


def test_smoothing_keeps_a_level_and_spreads_a_peak() -> None:
    """Weights are renormalised at the ends."""
    assert smooth([3.0, 3.0, 3.0]) == pytest.approx([3.0, 3.0, 3.0])
    peak = smooth([0.0] * 8 + [1.0] + [0.0] * 8)
    assert max(peak) == peak[8] < 0.25
    assert sum(peak) == pytest.approx(1.0, abs=0.01)


def test_features_have_a_name_each() -> None:
    """Rows are as long as their names; the paper has three."""
    known = page_links(page_of(PAGE))

    assert {len(row) for row in full_rows(known.page, known.links, known.blocks)} == {
        len(FULL_NAMES)
    }
    assert {len(row) for row in paper_rows(known.page, known.links, known.blocks)} == {3}
    assert paper_features([4.0, 4.0], [range(2)]) == [(2.0, pytest.approx(4.0), pytest.approx(0.0))]


def test_names_give_hints() -> None:
    """Parts of names count, whatever joins them."""
    assert hint_columns(read_hints("siteHeader main-nav")) == tuple(
        float(name in {"navigation", "header", "content"}) for name in HINT_NAMES
    )


@pytest.mark.parametrize(
    ("href", "name"),
    [
        ("", "#"),
        ("#top", "#top"),
        ("index.html#top", "#top"),
        ("?page=2", "#?page=2"),
        ("../z.html", "a.example/x/z.html"),
        ("../../../z/index.html", "a.example/z"),
        ("/z/", "a.example/z"),
        ("https://www.a.example/z/index.html", "a.example/z"),
        ("//b.example/q?k=1", "b.example/q?k=1"),
        ("./f", "a.example/x/y/f"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("http://[bad", "[bad"),
    ],
)
def test_a_target_has_one_name(href: str, name: str) -> None:
    """Whatever a page calls it, and within the page it is the same on all pages."""
    url = "http://www.a.example/x/y/index.html"

    assert name_targets(url, url, [href]) == [name]


def test_a_page_names_its_own_parts_whatever_was_seen_before() -> None:
    """A link with a query leads within the page that it names, and elsewhere from all others."""
    page, other = "http://a.example/x/page.php", "http://a.example/x/other.php"

    assert [name_targets(url, url, ["page.php?q=1#m"]) for url in (other, page, other)] == [
        ["a.example/x/page.php?q=1"],
        ["#m?q=1"],
        ["a.example/x/page.php?q=1"],
    ]


ADDRESSES = st.lists(
    st.sampled_from(
        ["/", "../", "./", "a", "b.html", "index.html", "x:y", "?q=1", "#m", "//", "%20", " ", "é"]
    ),
    max_size=5,
).map(lambda parts: "".join(parts).strip())


@given(
    ADDRESSES, st.sampled_from(["http://a.org/", "http://a.org/a/b.html", "http://a.org/a/?q=2"])
)
def test_what_is_remembered_changes_no_name(href: str, url: str) -> None:
    """A target is named as a browser resolves it, whatever pages were seen before."""
    for other in ("http://a.org/a/", "http://a.org/a/b.html", "http://a.org/b.html"):
        name_targets(other, other, [href])
    (name,) = name_targets(url, url, [href])

    joined = urls.join_url(url, href)
    if joined is not None and joined.startswith("http") and href[:1] not in ("", "#"):
        address, _, mark = joined.partition("#")
        place, sign, query = address.partition("://")[2].partition("?")
        here = short(url.partition("?")[0]) == short(place)
        if here and (query or mark):
            assert name.startswith("#")
        else:
            assert name == short(place) + sign + query


def test_texts_of_links_are_read_when_asked_for() -> None:
    """Once each, white space collapsed."""
    links = page_hyperlinks(page_of("<body><a href=1> one\n two </a><a href=2>three</a></body>"))

    assert links.texts([1]) == ["three"]
    assert (links.text(0), links.all_texts()) == ("one two", ["one two", "three"])


def test_a_link_of_a_sequence_needs_more_than_a_date() -> None:
    """Dates and counts are none; of a number in brackets a name around it, or a relation, tells.

    The weights are such that all links count that are asked of.
    """
    html = (
        "<p><a href=/a>May 2009</a> <a href=/b>3 comments</a> <a href=/c>[3]</a></p>"
        "<p class=pager><a href=/d>Page 2</a> <a href=/e></a> <a href=/f>Next</a></p>"
    )
    page = page_of(f"<body>{html}</body>")
    judge = Judge(LinkWeights(1.0, (0.0,) * len(FEATURE_NAMES)))

    assert judge.found(page, page_hyperlinks(page), range(6)) == {3, 4, 5}


def test_what_is_left_out_changes_no_verdict_on_a_sequence() -> None:
    """A link is one of a sequence if all that describes it says so."""
    page = page_of(
        "<body><p><a href=/a?page=2>2</a> <a href=/b>3</a> <a href=/c rel=next>»</a></p>"
        "<p><a href=/d>Next</a> <a href=/e class=pager>12</a> <a href=/f>Read more »</a></p></body>"
    )
    links, model = page_hyperlinks(page), shipped("pagination")
    rows = link_rows(page, links, range(len(links)))

    assert pagination_links(page, links, range(len(links))) == {
        link for link, row in rows.items() if model.score(row) > 0
    }


def linking(url: str, *targets: str) -> OutlinedPage:
    """Make a page with links to these targets."""
    return OutlinedPage(url, replace(EMPTY_OUTLINE, links=tuple(hashes_of(targets))))


def share(siblings: SiblingLinks, url: str, *targets: str) -> float | None:
    """Return the share of the siblings of a page that have these links."""
    shares = siblings.shares(url, targets, [range(len(targets))])
    return shares[0] if shares else None


def test_siblings_tell_what_is_repeated() -> None:
    """A page is not its own sibling; too few siblings say nothing; a template has its own."""
    pages = [linking(f"post {n}", "menu", f"own {n}") for n in range(4)]
    templates = {page.url: "post" for page in pages} | {"front": "front", "new": "post"}
    known = SiblingLinks(SiteModel([*pages, linking("front", "menu", "front")]), templates)

    assert share(known, "post 1", "menu") == 1.0
    assert share(known, "post 1", "menu", "own 1") == 0.5
    assert share(known, "new", "menu", "own 1") == (4 + 1) / (2 * 4)
    assert share(known, "front", "front") == 0.0
    assert share(known, "of no template", "menu", "front") == (5 + 1) / (2 * 5)
    assert share(SiblingLinks(SiteModel(pages[:3])), "post 1", "menu") is None
    assert share(SiblingLinks(SiteModel(pages[:3])), "new", "menu") == 1.0


def test_a_page_that_changed_is_not_its_own_sibling() -> None:
    """What only its older version in the model has, and what only the new one has, is its own."""
    pages = [linking(f"post {n}", "menu", f"own {n}") for n in range(4)]
    known = SiblingLinks(SiteModel(pages))

    assert share(known, "post 1", "menu", "own 1", "new") == 1 / 3


def test_siblings_do_not_depend_on_the_order_of_pages() -> None:
    """Nor on how many came: those with the smallest keys are counted."""
    pages = [linking(f"post {n}", "menu", f"tag {n % 3}", f"own {n}") for n in range(40)]
    models = [SiteModel(some, most=16) for some in (pages, pages[::-1], pages[20:] + pages[:20])]

    answers = [
        [share(SiblingLinks(model), page.url, "menu", "tag 1") for page in pages]
        for model in models
    ]
    assert answers[0] == answers[1] == answers[2]


def test_links_are_hashed_as_in_outlines() -> None:
    """What navigation looks for is what a model has."""
    page = page_of(PAGE)

    assert set(hashes_of(page_links(page).targets)) == set(outline(page).links)


def test_damaged_models_are_refused() -> None:
    """The message says what to do."""
    with pytest.raises(SettingsError, match="train it again"):
        read_model('{"model": "svm"}')


def test_models_say_what_their_numbers_say() -> None:
    """Each form is a formula that can be done by hand."""
    svm = {"model": "svm", "mean": [1.0], "scale": [2.0], "gamma": 0.5, "bias": -0.5}
    machine = read_model(json.dumps({**svm, "vectors": [[1.0]], "weights": [2.0]}))
    tree = [[0, -1, -1], [3.0, 0.25, 0.75], [1, -1, -1], [2, -1, -1]]
    forest = read_model(json.dumps({"model": "forest", "trees": [tree]}))
    line = {"model": "logistic", "mean": [1.0], "scale": [2.0], "bias": 0.5, "weights": [3.0]}

    assert machine.score((3.0,)) == pytest.approx(1.5)
    assert [forest.score((value,)) for value in (3.0, 4.0)] == [-0.25, 0.25]
    assert read_model(json.dumps(line)).score((2.0,)) == pytest.approx(2.0)


def test_shipped_models_read_the_features_there_are() -> None:
    """A model of other features would not say so."""
    known = page_links(page_of(PAGE))
    full, paper = (
        full_rows(known.page, known.links, known.blocks),
        paper_rows(known.page, known.links, known.blocks),
    )

    assert all(isinstance(shipped(name).score(full[0]), float) for name in ("menu", "navigation"))
    assert isinstance(shipped("paper").score(paper[0]), float)


def test_a_page_alone_has_its_kinds() -> None:
    """Menus, pagination and links in text are told without any other page."""
    known = page_links(page_of(PAGE))
    found = {block.links(known)[0].label: block.kind for block in navigation(known)}

    assert found["Home"] == BlockKind.MENU
    assert found["1"] == BlockKind.PAGINATION
    assert found["with a link"] == BlockKind.CONTENT


def test_siblings_tell_menus_from_lists() -> None:
    """The same block is a menu where siblings repeat it and none where they do not."""
    html = "<body><div>{0}</div>" + STORY + "</body>"
    own = "".join(f"<a href=/{n}>Story number {n}</a> " for n in range(5))
    known = page_links(page_of(html.format(own)))
    same, other = (
        SiblingLinks(SiteModel(linking(f"sibling {n}", *targets) for n in range(4)))
        for targets in (known.targets, ["elsewhere"])
    )

    assert navigation(known, same)[0].kind == BlockKind.MENU
    assert navigation(known, other)[0].kind != BlockKind.MENU
    assert menus(known, same) == list(known.blocks)
    assert menus(known, other) == []


def test_a_breadcrumb_is_told_by_its_name() -> None:
    """The name may stand a few elements further up."""
    html = "<div class=breadcrumbs><ul><li><a href=/>A</a><li><a href=/b>B</a></ul></div>"
    (block,) = navigation(page_links(page_of(f"<body>{html}</body>")))

    assert (block.kind, block.how) == (BlockKind.BREADCRUMB, "named so")


def test_the_papers_features_stay_available() -> None:
    """They do not distinguish menus and lists."""
    found = navigation(page_links(page_of(PAGE)), features="paper")

    assert {block.kind for block in found} <= {
        BlockKind.LIST,
        BlockKind.OTHER,
        BlockKind.PAGINATION,
    }


def test_blocks_become_items() -> None:
    """With selector, labels and URLs; links in running text are left out."""
    known = page_links(page_of(PAGE))
    found = items(known, navigation(known))

    menu = next(item for item in found if item.kind == "menu")
    site = "http://site.example"
    assert menu.fields == (
        ("Home", f"{site}/"),
        ("News", f"{site}/news"),
        ("About", f"{site}/about"),
    )
    assert known.page.markup.select(menu.selector)
    assert "content" not in {item.kind for item in found}


def test_reading_links_leaves_the_page_as_it_is() -> None:
    """The tree, its texts and its paths are the same afterwards."""
    page, fresh = page_of(PAGE), page_of(PAGE)
    navigation(page_links(page))

    assert (page.tree, page.texts, page.paths) == (fresh.tree, fresh.texts, fresh.paths)


def test_links_are_found_in_the_text_of_their_page() -> None:
    """In their order, each after the one before, though their words occur elsewhere too."""
    known = page_links(page_of("<body><p>one two</p><a href=1>two</a> <a href=2>one</a></body>"))
    text = text_positions(known.page, known.links)

    assert (text.starts, text.ends, text.linked) == ([4, 11], [7, 14], [0, 3, 6])
