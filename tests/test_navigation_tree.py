"""The navigation of a whole site: nesting, merging, the command."""

import json
from pathlib import Path

import pytest
from builders import page_of
from click.testing import CliRunner

from webstencil.cli.main import main
from webstencil.navigation.asides import Aside, aside_of
from webstencil.navigation.kinds import page_links
from webstencil.navigation.nesting import MenuEntry, entries_of
from webstencil.navigation.sitemap import lines_of
from webstencil.navigation.tree import Extra, Merger, TreeEntry
from webstencil.store import open_store

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
    assert found.templates == (("post", 4, "http://a.example/posts/0.html"),)


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
    assert "  RSS  http://a.example/feed  (feed)" in lines_of(found)


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


def test_a_site_map_is_readable() -> None:
    """Depth is indentation."""
    merger = Merger()
    for url, html in site(3).items():
        merger.add(page_links(page_of(html, url)), [range(5)], "post")

    assert list(lines_of(merger.site_map("a.example")))[:9] == [
        "a.example: pages 3, stencils 1",
        "",
        "menu 1: pages 3, stencils 1",
        "  Home  http://a.example/",
        "  Shop  http://a.example/shop",
        "    Hats  http://a.example/shop/hats",
        "    Gloves  http://a.example/shop/gloves",
        "  About",
        "    Team  http://a.example/team",
    ]


def test_the_command_reads_a_folder_and_its_store(tmp_path: Path) -> None:
    """As a tree and as JSON; a missing store is named with what makes it."""
    folder = tmp_path / "a.example"
    folder.mkdir()
    for number, html in enumerate(site(6).values()):
        (folder / f"{number}.html").write_text(html)
    (folder / "empty.html").write_text("")
    store = tmp_path / "site.db"
    open_store(store).close()
    asked = ["navigation", str(tmp_path), "--store", str(store)]

    tree = CliRunner().invoke(main, asked)
    written = CliRunner().invoke(main, [*asked, "--format", "json"])
    missing = CliRunner().invoke(main, ["navigation", str(folder), "--store", "gone.db"])
    assert "    Hats  http://a.example/shop/hats" in tree.stdout.splitlines()
    (menu,) = json.loads(written.stdout)["menus"]
    assert [entry["label"] for entry in menu["entries"]] == ["Home", "Shop", "About"]
    assert "webstencil run" in missing.stderr
