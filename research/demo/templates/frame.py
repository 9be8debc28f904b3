"""The frame of every page: head, header with navigation, breadcrumbs, footer, notice."""

from dataclasses import dataclass
from html import escape
from itertools import islice

from research.demo.templates.icons import icon, lighthouse
from research.demo.templates.text import absolute, lines, relative, rooted
from research.demo.values import DemoSection, World

SITE_NAME = "The Saltmere Lantern"
HEADLINES_IN_MENU = 4
TODAY = "Friday, 28 March 2025"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page before the frame is put around it."""

    path: str
    title: str
    description: str
    classes: str  # of the body tag
    main: str
    crumbs: tuple[tuple[str, str], ...] = ()  # name and path
    head: str = ""  # tags of its own
    colour: str = "#1d6a8c"  # CSS
    charset: str = "utf-8"


def frame(world: World, sheet: Sheet) -> str:
    """Put the frame around a page."""
    return lines(
        (
            "<!DOCTYPE html>",
            '<html lang="en-GB">',
            head(sheet),
            f'<body class="{sheet.classes}">',
            '<a class="skip-link" href="#content">Skip to content</a>',
            header(world, sheet.path),
            breadcrumbs(sheet),
            f'<div id="content" class="site-content">\n{sheet.main}\n</div>',
            footer(world, sheet.path),
            cookie_notice(),
            f'<script>window.lantern = {{page: "{sheet.path}", version: 7}};</script>',
            "</body>",
            "</html>\n",
        )
    )


def head(sheet: Sheet) -> str:
    """Return the head: titles, URLs, style, and what the template adds."""
    title, description = escape(sheet.title), escape(sheet.description)
    url = absolute(sheet.path)
    return f"""<head>
<meta charset="{sheet.charset}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} | {SITE_NAME}</title>
<meta name="description" content="{description}">
<link rel="canonical" href="{url}">
<meta property="og:site_name" content="{SITE_NAME}">
<meta property="og:title" content="{title}">
<meta property="og:url" content="{url}">
<meta name="generator" content="Pressroom 6.2">
<link rel="icon" type="image/svg+xml" href="{relative(sheet.path, "images/logo.svg")}">
<link rel="stylesheet" href="{relative(sheet.path, "style/site.css")}">
<style>:root {{ --accent: {sheet.colour}; }}</style>
{sheet.head}
</head>"""


def header(world: World, here: str) -> str:
    """Return the top of the page, down to the main menu."""
    return f"""<header id="masthead" class="site-header">
<div class="topbar"><div class="wrap">
<span class="topbar-date">{TODAY}</span>
<span class="topbar-weather">{icon("cloud")} 9°C, sea mist</span>
<span class="topbar-tide">{icon("wave")} High water 17.40</span>
<ul class="topbar-links"><li><a href="{relative(here, "help.html")}">Help</a></li>
<li><a href="{relative(here, "contact.html")}">Contact</a></li>
<li><a href="{relative(here, "help.html")}#the-paper">Subscribe</a></li></ul>
</div></div>
<div class="masthead wrap">
<a class="logo" href="{absolute("index.html")}" rel="home">{lighthouse()}
<span class="logo-text"><span class="logo-name">{SITE_NAME}</span>
<span class="logo-line">News and gear from the edge of the sea, since 1954</span></span></a>
<form class="search" role="search" action="{rooted("news/index.html")}">
<input type="search" name="q" placeholder="Search the paper and the shop" aria-label="Search">
<button type="submit">{icon("search")}<span class="hidden">Search</span></button></form>
<a class="basket" href="{rooted("shop/index.html")}">{icon("basket")} Basket <b>2</b></a>
</div>
{main_menu(world, here)}
</header>"""


def main_menu(world: World, here: str) -> str:
    """Return the main menu; its submenus are hidden until the pointer is over them."""
    entries = [
        menu_entry(here, section, f"{section.slug}/index.html", headlines(world, section, here))
        for section in world.sections
    ]
    shelves = lines(
        f'<li><a href="{relative(here, f"shop/{shelf.slug}/index.html")}">{shelf.name}</a></li>'
        for shelf in world.shelves
    )
    shop = (
        f'<li class="menu-item menu-shop"><a href="{relative(here, "shop/index.html")}">'
        f'Outfitters</a><ul class="sub-menu">{shelves}</ul></li>'
    )
    home = (
        f'<li class="menu-item menu-home"><a href="{relative(here, "index.html")}">Front</a></li>'
    )
    return f"""<nav id="site-navigation" class="main-nav" aria-label="Main">
<ul id="menu-main" class="menu wrap">
{lines((home, *entries, shop))}
</ul></nav>"""


def menu_entry(here: str, section: DemoSection, path: str, submenu: str) -> str:
    """Return one entry of the main menu."""
    current = " current-menu-item" if here.startswith(f"{section.slug}/") else ""
    return (
        f'<li id="menu-item-{31 + section.number}" '
        f'class="menu-item menu-item-has-children{current}">'
        f'<a href="{relative(here, path)}">{section.name}</a>\n'
        f'<ul class="sub-menu">{submenu}</ul></li>'
    )


def headlines(world: World, section: DemoSection, here: str) -> str:
    """Return the newest headlines of a section, for its submenu."""
    newest = (article for article in world.articles if article.section.number == section.number)
    return lines(
        f'<li><a href="{relative(here, article.path)}">{escape(article.title)}</a></li>'
        for article in islice(newest, HEADLINES_IN_MENU)
    )


def breadcrumbs(sheet: Sheet) -> str:
    """Return the way from the front page to this one; the front page has none."""
    if not sheet.crumbs:
        return ""
    steps = [("Front", "index.html"), *sheet.crumbs[:-1]]
    links = lines(
        f'<li><a href="{relative(sheet.path, path)}">{escape(name)}</a></li>'
        for name, path in steps
    )
    last = f'<li aria-current="page">{escape(sheet.crumbs[-1][0])}</li>'
    return f'<nav class="breadcrumbs wrap" aria-label="You are here"><ol>{links}\n{last}</ol></nav>'


def footer(world: World, here: str) -> str:
    """Return the bottom of the page."""
    sections = [(section.name, f"{section.slug}/index.html") for section in world.sections]
    shelves = [(shelf.name, f"shop/{shelf.slug}/index.html") for shelf in world.shelves]
    pages = [(page.title, page.path) for page in world.statics]
    return f"""<footer id="colophon" class="site-footer">
<div class="footer-columns wrap">
<div class="footer-about"><p class="footer-name">{SITE_NAME}</p>
<p>A newspaper that belongs to its readers, and a shop that pays for it. Printed on Fridays, mended
on Saturdays.</p><p><a class="footer-mail" href="mailto:newsroom@demo.example">{icon("mail")}
newsroom@demo.example</a></p></div>
{footer_column("The paper", [("All news", "news/index.html"), *sections])}
{footer_column("Outfitters", [("Everything", "shop/index.html"), *shelves])}
{footer_column("Service", pages)}
</div>
<div class="footer-bottom"><div class="wrap">
<p class="copyright">&copy; 1954&ndash;2025 Lantern Readers&rsquo; Cooperative</p>
<p class="footer-legal"><a href="{relative(here, "imprint.html")}">Imprint</a>
<a href="{relative(here, "privacy.html")}">Privacy</a>
<a href="{relative(here, "terms.html")}">Terms</a></p></div></div>
</footer>"""


def footer_column(title: str, links: list[tuple[str, str]]) -> str:
    """Return a column of links, with URLs from the root."""
    entries = lines(f'<li><a href="{rooted(path)}">{escape(name)}</a></li>' for name, path in links)
    return f'<div class="footer-column"><h2>{title}</h2><ul>{entries}</ul></div>'


def cookie_notice() -> str:
    """Return the notice over the bottom of the window."""
    return """<!-- cookie notice, version 3 -->
<div id="cookie-notice" class="cookie-notice" role="dialog" aria-label="Cookies">
<p>This site sets one cookie. It remembers that you have read this.
<a href="/privacy.html">More</a></p>
<button type="button" class="button">Fair enough</button></div>"""
