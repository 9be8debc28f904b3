"""The boxes at the side of a page."""

from collections.abc import Callable, Iterable, Mapping
from html import escape

from research.demo.content_values import World
from research.demo.templates.icons import icon
from research.demo.templates.pieces import price_tag
from research.demo.templates.text import image, lines, relative, rooted
from research.demo.templates.text_parts import newsletter

BROKEN_PATH = "harbour/notices.html"
EMPTY_PATH = "town/minutes-draft.html"
MOST_READ = 5
GEAR_SHOWN = 3
TIDES = (("Fri", "05.15", "17.40"), ("Sat", "05.55", "18.20"), ("Sun", "06.35", "18.55"))
FORECAST = (("Sat", "8°"), ("Sun", "10°"), ("Mon", "11°"), ("Tue", "9°"))


def sidebar(world: World, here: str, names: Iterable[str]) -> str:
    """Return the column of widgets at the right."""
    boxes = lines(widget(world, here, name) for name in names)
    return f'<aside id="secondary" class="sidebar widget-area">\n{boxes}\n</aside>'


def widget(world: World, here: str, name: str) -> str:
    """Return one widget in its box."""
    title, body = WIDGETS[name](world, here)
    heading = f'<h2 class="widget-title">{title}</h2>' if title else ""
    return f"""<!-- widget: {name} -->
<section id="widget-{name}" class="widget widget-{name}">{heading}
{body}</section>"""


def most_read(world: World, here: str) -> tuple[str, str]:
    """Return the articles with the most comments."""
    ranked = sorted(world.articles, key=lambda article: (-len(article.comments), -article.number))
    entries = lines(
        f'<li><a href="{relative(here, article.path)}">{escape(article.title)}</a></li>'
        for article in ranked[:MOST_READ]
    )
    return "Most discussed", f'<ol class="ranking">{entries}</ol>'


def tides(world: World, here: str) -> tuple[str, str]:
    """Return the times of high water."""
    rows = lines(f"<tr><th>{day}</th><td>{am}</td><td>{pm}</td></tr>" for day, am, pm in TIDES)
    href = relative(here, f"{world.sections[0].slug}/index.html")
    more = f'<p class="more"><a href="{href}">Harbour news</a></p>'
    return "High water", f'<table class="tides">{rows}</table>{more}'


def letter_box(_world: World, _here: str) -> tuple[str, str]:
    """Return the newsletter box, which brings its own title."""
    return "", newsletter("One short letter on Friday morning. No fish jokes.", "side-newsletter")


def notices(world: World, here: str) -> tuple[str, str]:
    """Return links to the pages that fit into no section."""
    letters = [article for article in world.articles if article.charset != "utf-8"]
    links = [("Harbour notices", BROKEN_PATH), ("Council minutes (draft)", EMPTY_PATH)]
    links += [(article.title, article.path) for article in letters]
    entries = lines(
        f'<li><a href="{relative(here, path)}">{escape(name)}</a></li>' for name, path in links
    )
    return "Notice board", f'<ul class="links">{entries}</ul>'


def gear(world: World, here: str) -> tuple[str, str]:
    """Return a few products that are on sale."""
    sale = [product for product in world.products if product.was] or list(world.products)
    entries = lines(
        f'<li>{image(here, product.pictures[0])}<a href="{rooted(product.path)}">'
        f'{product.name}</a><span class="price">{price_tag(product)}</span></li>'
        for product in sale[:GEAR_SHOWN]
    )
    return "From the shop", f'<ul class="gear">{entries}</ul>'


def tags(world: World, here: str) -> tuple[str, str]:
    """Return the tags of the newest articles, each linked to its section."""
    found = {tag: article.section.slug for article in world.articles for tag in article.tags}
    entries = lines(
        f'<a class="tag-link" href="{relative(here, f"{slug}/index.html")}?tag={tag}">{tag}</a>'
        for tag, slug in sorted(found.items())[:18]
    )
    return "Topics", f'<div class="tag-cloud">{entries}</div>'


def weather(_world: World, _here: str) -> tuple[str, str]:
    """Return the weather of the next days."""
    days = lines(
        f"<li><b>{day}</b>{icon('cloud')}<span>{heat}</span></li>" for day, heat in FORECAST
    )
    return "Weather", f'<ul class="forecast">{days}</ul>'


WIDGETS: Mapping[str, Callable[[World, str], tuple[str, str]]] = {
    "most-read": most_read,
    "tides": tides,
    "newsletter": letter_box,
    "notices": notices,
    "gear": gear,
    "tags": tags,
    "weather": weather,
}
