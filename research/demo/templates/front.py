"""The template of the front page."""

from html import escape

from research.demo.content_values import Article, DemoSection, World
from research.demo.templates.frame import SITE_NAME, Sheet, frame
from research.demo.templates.pieces import badge, card, product_card
from research.demo.templates.text import absolute, image, json_ld, lines, relative, time_tag
from research.demo.templates.widgets import sidebar

HERE = "index.html"
LEADS = 3  # articles of the hero
LATEST = slice(3, 9)
HEADLINES = 4  # of a section
PRODUCTS_SHOWN = 4
COLUMNISTS = 5
WIDGETS = ("most-read", "weather", "tides", "newsletter", "notices", "tags")


def front_page(world: World) -> str:
    """Write the front page: hero, newest articles, a strip for each section, the shop."""
    latest = lines(card(HERE, article) for article in pictured(world.articles)[LATEST])
    strips = lines(section_strip(world, section) for section in world.sections)
    main = f"""{hero(world)}
<section class="latest wrap"><h2 class="strip-title">Latest</h2>
<div class="card-grid">{latest}</div>
<p class="more"><a href="{relative(HERE, "news/index.html")}">All news</a></p></section>
{shop_strip(world)}
<div class="columns wrap"><main id="main" class="front-main">
{strips}
</main>
{sidebar(world, HERE, WIDGETS)}</div>
{columnists(world)}"""
    sheet = Sheet(
        path=HERE,
        title="News from the coast",
        description="News from Saltmere, its harbour and its hills, and gear for both.",
        classes="home blog front-page",
        main=main,
        head=json_ld("WebSite", name=SITE_NAME, url=absolute("index.html")),
    )
    return frame(world, sheet)


def hero(world: World) -> str:
    """Return the lead story, with two more at its side."""
    lead, *others = pictured(world.articles)[:LEADS]
    side = lines(hero_story(article, "hero-side", "h2") for article in others)
    return f"""<section class="hero wrap">{hero_story(lead, "hero-lead", "h1")}
<div class="hero-others">{side}</div></section>"""


def pictured(articles: tuple[Article, ...]) -> list[Article]:
    """Return the articles with a large picture."""
    return [article for article in articles if article.hero]


def hero_story(article: Article, name: str, heading: str) -> str:
    """Return a story set over its picture."""
    picture = image(HERE, article.hero) if article.hero else ""
    return f"""<article class="hero-story {name}">{picture}<div class="hero-text">
{badge(article.section)}
<{heading}><a href="{relative(HERE, article.path)}">{escape(article.title)}</a></{heading}>
<p>{escape(article.standfirst)}</p></div></article>"""


def section_strip(world: World, section: DemoSection) -> str:
    """Return the newest story of a section with its picture, and more headlines."""
    found = [article for article in world.articles if article.section == section]
    lead = (pictured(tuple(found)) or found)[0]
    rest = [article for article in found if article != lead][:HEADLINES]
    entries = lines(
        f'<li><a href="{relative(HERE, article.path)}">{escape(article.title)}</a> '
        f"{time_tag(article.published)}</li>"
        for article in rest
    )
    href = relative(HERE, f"{section.slug}/index.html")
    return f"""<section class="strip strip-{section.slug}" style="--accent:{section.colour}">
<h2 class="strip-title"><a href="{href}">{section.name}</a></h2>
<div class="strip-body">{card(HERE, lead)}<ul class="headlines">{entries}</ul></div></section>"""


def shop_strip(world: World) -> str:
    """Return a few products."""
    cards = lines(product_card(HERE, product) for product in world.products[:PRODUCTS_SHOWN])
    return f"""<section class="shop-strip"><div class="wrap">
<div class="shop-intro"><h2>Lantern Outfitters</h2><p>Gear for the coast, made to be mended. Every
purchase pays for a little more reporting.</p>
<p><a class="button" href="/shop/index.html?from=front">Visit the shop</a></p></div>
<ul class="product-grid">{cards}</ul></div></section>"""


def columnists(world: World) -> str:
    """Return some of those who write the paper."""
    people = lines(
        f'<li><a href="{relative(HERE, author.path)}">{image(HERE, author.picture, "avatar")}'
        f"<b>{author.name}</b></a><span>{author.role}</span></li>"
        for author in world.authors[:COLUMNISTS]
    )
    return f"""<section class="columnists wrap"><h2 class="strip-title">Who writes here</h2>
<ul>{people}</ul></section>"""
