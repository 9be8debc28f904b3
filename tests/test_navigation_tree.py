"""The navigation of a whole site: nesting, merging, the command."""

import json
import os
import random
from collections.abc import Mapping
from pathlib import Path

import pytest
from builders import page_of
from click.testing import CliRunner

from webstencil.cli.main import main
from webstencil.cli.navigation_commands import site_maps, templates_of
from webstencil.errors import SettingsError
from webstencil.evaluate.labelled_data import unpacked
from webstencil.evaluate.snapshots import cache_folder
from webstencil.navigation import merge
from webstencil.navigation.kinds import page_links
from webstencil.navigation.merge import MenuEntry, MenuReader, entries_of
from webstencil.navigation.tree import (
    Aside,
    Extra,
    Merger,
    SiteMap,
    TreeEntry,
    aside_of,
    site_map_json,
    site_map_lines,
)
from webstencil.site.site_model import SiteModel
from webstencil.sources import Folder
from webstencil.store import open_store
from webstencil.testing import MemorySource
from webstencil.urls import sampling_key

DATA = Path(os.environ.get("WEBSTENCIL_DATA", "../shared/data"))
REAL = DATA / "sites" / "rust-blog.tar.xz"
SHUFFLES = 5

MENU = (
    "<ul><li><a href=/>Home</a>"
    "<li><a href=/shop>Shop</a><ul hidden><li><a href=/shop/hats>Hats</a>"
    "<li><a href=/shop/gloves>Gloves</a></ul>"
    "<li><button>About</button><ul style=display:none><li><a href=/team>Team</a></ul></ul>"
)
PAGE = (
    "<html><body><nav>{menu}</nav><p>{text} <a href=/{own}>of its own</a> text.</p></body></html>"
)


def site(count: int) -> dict[str, str]:
    """Write the pages of a small site."""
    return {
        f"http://a.example/posts/{n}.html": PAGE.format(menu=MENU, text="Words " * 60, own=n)
        for n in range(count)
    }


def test_submenus_are_below_what_opens_them() -> None:
    """Hidden ones too; a button without a URL is an entry without a target."""
    links = page_links(page_of(f"<body>{MENU}</body>")).links

    assert entries_of(links, range(5)) == [
        MenuEntry("Home", 0, -1),
        MenuEntry("Shop", 1, -1),
        MenuEntry("Hats", 2, 1),
        MenuEntry("Gloves", 3, 1),
        MenuEntry("About", None, -1),
        MenuEntry("Team", 4, 4),
    ]


def test_a_link_before_a_list_opens_it() -> None:
    """The name of a site before its menu is one entry, not a link and a label that say the same."""
    menu = "<ul><li><a href=/install>Install</a><li><a href=/learn>Learn</a></ul>"
    html = f"<nav><div><a href=/><img alt=Logo>The Daily</a></div>{menu}</nav>"
    links = page_links(page_of(f"<body>{html}</body>")).links

    assert entries_of(links, range(3)) == [
        MenuEntry("The Daily", 0, -1),
        MenuEntry("Install", 1, 0),
        MenuEntry("Learn", 2, 0),
    ]


def test_pictures_say_what_they_show() -> None:
    """A link without text has the words of its label, its title or its picture."""
    html = "<a href=1 title=Start></a><a href=2><img alt=Logo></a><a href=3></a>"
    links = page_links(page_of(f"<body>{html}</body>")).links

    assert [entry.label for entry in entries_of(links, range(3))] == ["Start", "Logo", ""]


def test_menus_of_pages_are_merged() -> None:
    """An entry stands where most pages have it; links of single pages are left out."""
    merger = Merger()
    for url, html in site(4).items():
        known = page_links(page_of(html, url))
        merger.add(known, [range(5)], "post")
    found = merger.site_map("a.example")

    (menu,) = found.menus
    assert (menu.pages, menu.templates) == (4, 1)
    assert menu.entries[1] == TreeEntry(
        "Shop",
        "http://a.example/shop",
        4,
        (
            TreeEntry("Hats", "http://a.example/shop/hats", 4),
            TreeEntry("Gloves", "http://a.example/shop/gloves", 4),
        ),
    )
    assert [section.path for section in found.sections] == ["/posts/"]
    assert found.templates == (("post", 4, min(site(4), key=sampling_key)),)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://www.example.org/news/", None),
        ("https://shop.example.org/?sort=new", None),
        ("http://example.org/blog/what-is-rss", None),
        ("http://example.org/feed/", Aside.FEED),
        ("http://example.org/comments.rss", Aside.FEED),
        ("http://example.org/?feed=rss2", Aside.FEED),
        ("https://feeds.example.com/a", Aside.FEED),
        ("https://example.com/sharer.php?u=http%3A%2F%2Fexample.org%2F1", Aside.SHARE),
        ("https://example.com/share", Aside.SHARE),
        ("https://example.com/a", Aside.ELSEWHERE),
        ("mailto:me@example.org", Aside.CONTACT),
        ("javascript:void(0)", Aside.ACTION),
        ("http://[", Aside.ELSEWHERE),
    ],
)
def test_what_leads_nowhere_in_a_site_is_told_by_its_address(url: str, why: Aside | None) -> None:
    """Feeds, sharing, contact, scripts and other sites."""
    assert aside_of(url, "example.org") == why


def test_what_is_no_navigation_is_put_aside() -> None:
    """Feeds and buttons out of a menu; and a block that leads elsewhere as a whole."""
    menu = (
        "<ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=https://b.example/>B</a>"
        "<li><a href=/feed>RSS</a></ul><ul><li><a href=https://c.example/>C</a>"
        "<li><a href=https://d.example/share?u=http://a.example/>Share</a></ul>"
    )
    merger = Merger()
    for number in range(3):
        known = page_links(page_of(f"<body>{menu}</body>", f"http://a.example/{number}"))
        merger.add(known, [range(4), range(4, 6)], "post")
    found = merger.site_map("a.example")

    assert [[entry.label for entry in menu.entries] for menu in found.menus] == [
        ["Home", "News", "B"]
    ]
    assert found.also == (
        Extra("RSS", "http://a.example/feed", 3, Aside.FEED),
        Extra("C", "https://c.example/", 3, Aside.ELSEWHERE),
        Extra("Share", "https://d.example/share?u=http://a.example/", 3, Aside.SHARE),
    )
    assert "  RSS  http://a.example/feed  (feed)" in site_map_lines(found)


def test_steps_from_page_to_page_are_no_menu() -> None:
    """Next and back lead elsewhere from each page; what is in a menu is not told again."""
    merger = Merger()
    for n in range(8):
        steps = f"<a href=/{n - 1}>Back</a> <a href=/{n + 1}>Next</a>"
        html = (
            f"<nav>{steps} <a href=/>Home</a></nav>{'words ' * 60}<p>{steps} <a href=/>Home</a></p>"
        )
        known = page_links(page_of(f"<body>{html}</body>", f"http://a.example/{n}"))
        merger.add(known, [range(3), range(3, 6)], f"chapter {n // 4}")
    found = merger.site_map("a.example")

    assert [[entry.label for entry in menu.entries] for menu in found.menus] == [["Home"]]


def test_most_pages_say_where_an_entry_leads_and_stands() -> None:
    """An index that comes first, with places on the pages and in another order, does not."""
    merger = Merger()
    menus = ["<a href=/b#x>B</a> <a href=/a#y>A</a>", *["<a href=/a>A</a> <a href=/b>B</a>"] * 3]
    for n, menu in enumerate(menus):
        known = page_links(page_of(f"<body>{menu}</body>", f"http://a.example/{n}"))
        merger.add(known, [range(2)], "page")
    (found,) = merger.site_map("a.example").menus

    assert [entry.url for entry in found.entries] == ["http://a.example/a", "http://a.example/b"]


def test_templates_of_one_page_count_as_one() -> None:
    """Else what two pages of a manual refer to would be a menu, if each is its own template."""
    merger = Merger()
    html = "<body><a href=/t>Types</a> <a href=/>Home</a></body>"
    for n in range(12):
        known = page_links(page_of(html, f"http://a.example/{n}"))
        merger.add(known, [range(1, 2), *[range(1)] * (n < 2)], f"template {n}")
    found = merger.site_map("a.example")

    assert [[entry.label for entry in menu.entries] for menu in found.menus] == [["Home"]]


def test_lists_that_some_pages_share_are_no_menus() -> None:
    """A block on few pages of a template is left out, and so is one that changes from page to page.

    Neither takes the entries of the menu that both stand beside.
    """
    merger = Merger()
    for number in range(12):
        few = "".join(f"<li><a href=/few/{number // 2}/{step}>{step}</a>" for step in range(6))
        own = "".join(
            f"<li><a href=/own/{number if step else 0}/{step}>{step}</a>" for step in range(6)
        )
        html = f"<body><nav>{MENU}</nav><ul>{few}</ul><ul>{own}</ul></body>"
        blocks = [range(5), range(5, 11), range(11, 17)]
        merger.add(page_links(page_of(html, f"http://a.example/p/{number}")), blocks, "post")
    (menu,) = merger.site_map("a.example").menus

    assert (menu.pages, [entry.label for entry in menu.entries]) == (12, ["Home", "Shop", "About"])


def written(found: SiteMap) -> tuple[str, str]:
    """Write a site map in both forms."""
    return site_map_json(found), "\n".join(site_map_lines(found))


def shuffled(pages: Mapping[str, str], seed: int) -> dict[str, str]:
    """Return pages in another order."""
    urls = sorted(pages)
    random.Random(seed).shuffle(urls)
    return {url: pages[url] for url in urls}


def varied_site() -> dict[str, str]:
    """Write a site whose menus overlap, change, and have as many labels and URLs of each kind."""
    pages = {}
    for n in range(24):
        head = [f"<a href=/{name}{'#x' * (n % 2)}>{name} {n % 2}</a>" for name in "abcd"]
        some = [f"<a href=/{name}>{name}</a>" for name in ("cdef", "efgh")[n % 2]]
        foot = [f"<a href=/f{step}>{step}</a>" for step in range(n % 5, n % 5 + 4)]
        nested = ("<ul><li>{}<ul><li>{}</ul></ul>", "<div><p>{}</p><b><i>{}</i></b></div>")[n % 2]
        html = (
            f"<body><nav>{' '.join(head)}</nav><p>{'Words ' * 30}</p><div>{' '.join(some)}</div>"
            f"<p>{'Words ' * 30} <a href=/own/{n}>own</a></p><div>{nested.format(*some[:2])}</div>"
            f"<p>{'Words ' * 30}</p><footer>{' '.join(foot)}</footer></body>"
        )
        pages[f"http://a.example/{'xyz'[n % 3]}/{n}.html"] = html
    return pages


def trees_of(pages: Mapping[str, str], *, most: int) -> set[tuple[str, str]]:
    """Return the different trees of shuffles of a site, all blocks taken for menus."""
    trees = set()
    for seed in range(SHUFFLES):
        merger = Merger(most=most)
        for url, html in shuffled(pages, seed).items():
            known = page_links(page_of(html, url))
            merger.add(known, known.blocks, url.split("/")[3])
        trees.add(written(merger.site_map("a.example")))
    return trees


def test_the_order_of_pages_changes_nothing() -> None:
    """Five shuffles of a site have the same tree, byte for byte, with templates and without."""

    def by_section(_site: str, model: SiteModel) -> dict[str, str]:
        return {page.url: page.url.split("/")[3] for page in model}

    pages = varied_site()
    for templates in (templates_of, by_section):
        trees = set()
        for seed in range(SHUFFLES):
            bodies = {url: html.encode() for url, html in shuffled(pages, seed).items()}
            (found,) = site_maps(MemorySource(bodies), templates)
            trees.add(written(found))
        assert found.menus
        assert len(trees) == 1


@pytest.mark.skipif(not REAL.is_file(), reason=f"{REAL} is not there; set WEBSTENCIL_DATA")
def test_the_order_of_the_pages_of_a_real_site_changes_nothing() -> None:
    """Five shuffles have the same tree."""
    pages = {raw.url: raw.body for raw in Folder(unpacked(REAL, cache_folder())).pages()}
    trees = set()
    for seed in range(SHUFFLES):
        urls = sorted(pages)
        random.Random(seed).shuffle(urls)
        (found,) = site_maps(MemorySource({url: pages[url] for url in urls}))
        trees.add(written(found))

    assert found.menus
    assert len(trees) == 1


def test_bounds_do_not_depend_on_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of pages, menus and entries: what is left out is the same in any order."""
    pages = varied_site()

    assert len(trees_of(pages, most=24)) == 1
    assert len(trees_of(pages, most=7)) == 1
    monkeypatch.setattr(merge, "MOST_MENUS", 2)
    monkeypatch.setattr(merge, "MOST_ENTRIES", 3)
    monkeypatch.setattr(merge, "PAGES_FOR_URL", 2)
    assert len(trees_of(pages, most=24)) == 1


def test_pages_with_the_smallest_keys_are_counted() -> None:
    """Of a site that is too large; the number of all its pages is told."""
    pages = site(12)
    merger = Merger(most=5)
    for url, html in pages.items():
        merger.add(page_links(page_of(html, url)), [range(5)], url)
    found = merger.site_map("a.example")

    assert [url for _, _, url in found.templates] == sorted(sorted(pages, key=sampling_key)[:5])
    assert (found.pages, found.counted, found.menus[0].pages) == (12, 5, 5)
    assert next(site_map_lines(found)) == "a.example: pages 12 (5 counted), templates 5"
    assert [merger.takes(url) for url in ("", max(pages, key=sampling_key))] == [
        sampling_key("") < max(map(sampling_key, sorted(pages, key=sampling_key)[:5])),
        False,
    ]


def test_a_page_is_added_once() -> None:
    """Else the result would depend on which version came first; a tree needs a page."""
    merger, known = Merger(), page_links(page_of("<a href=/>Home</a>"))
    merger.add(known, [])

    with pytest.raises(ValueError, match="added before"):
        merger.add(known, [])
    with pytest.raises(SettingsError, match="not 0"):
        Merger(most=0)


def test_an_entry_is_counted_once_on_a_page() -> None:
    """However often a page has it; what comes first on the page comes first in the menu."""
    merger = Merger()
    head, foot = "<a href=/a>A</a> <a href=/b>B</a>", "<a href=/b>B</a> <a href=/a>A</a>"
    for n in range(3):
        html = f"<body>{head} {head}<p>{'words ' * 60}</p>{foot} <a href=/c>C</a></body>"
        known = page_links(page_of(html, f"http://a.example/{n}"))
        merger.add(known, [range(4), range(4, 7)])
    (menu,) = merger.site_map("a.example").menus

    assert [(entry.label, entry.pages) for entry in menu.entries] == [("A", 3), ("B", 3), ("C", 3)]


def test_equal_menus_are_kept_once() -> None:
    """So memory grows with what differs, not with the pages."""
    reader = MenuReader()
    read = [
        reader.read(page_links(page_of(html, url)), [range(5)], "") for url, html in site(3).items()
    ]

    assert {id(page.menus[0]) for page in read} == {id(read[0].menus[0])}


def test_a_site_map_is_readable() -> None:
    """Depth is indentation."""
    merger = Merger()
    for url, html in site(3).items():
        merger.add(page_links(page_of(html, url)), [range(5)], "post")

    assert list(site_map_lines(merger.site_map("a.example")))[:9] == [
        "a.example: pages 3, templates 1",
        "",
        "menu 1: pages 3, templates 1",
        "  Home  http://a.example/",
        "  Shop  http://a.example/shop",
        "    Hats  http://a.example/shop/hats",
        "    Gloves  http://a.example/shop/gloves",
        "  About",
        "    Team  http://a.example/team",
    ]


def test_the_command_reads_a_folder(tmp_path: Path) -> None:
    """As a tree and as JSON, with or without a store; a missing one is named with what makes it."""
    folder = tmp_path / "a.example"
    folder.mkdir()
    for number, html in enumerate(site(6).values()):
        (folder / f"{number}.html").write_text(html)
    (folder / "empty.html").write_text("")
    store = tmp_path / "site.db"
    open_store(store).close()
    asked = ["navigation", str(tmp_path), "--store", str(store)]

    tree = CliRunner().invoke(main, asked[:2])
    written = CliRunner().invoke(main, [*asked, "--format", "json"])
    missing = CliRunner().invoke(main, ["navigation", str(folder), "--store", "gone.db"])
    assert "    Hats  http://a.example/shop/hats" in tree.stdout.splitlines()
    (menu,) = json.loads(written.stdout)["menus"]
    assert [entry["label"] for entry in menu["entries"]] == ["Home", "Shop", "About"]
    assert "webstencil run" in missing.stderr
