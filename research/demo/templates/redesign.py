"""The templates of the site after its redesign: the same stories, other markup, another order."""

from collections.abc import Iterator
from html import escape

from research.demo.templates.frame import SITE_NAME
from research.demo.templates.parts import parts_html, table
from research.demo.templates.text import absolute, date, image, lines, price, relative
from research.demo.templates.widgets import BROKEN_PATH, EMPTY_PATH
from research.demo.values import (
    Article,
    Author,
    DemoListPage,
    Product,
    StaticPage,
    World,
    list_path,
)

FRONT = "index.html"
ON_FRONT = 12  # articles


def redesigned_pages(world: World) -> Iterator[tuple[str, str, str]]:
    """Yield path, template and HTML of each page that the redesign touched.

    Longreads were in a new look before, and nobody touches the broken and the empty page.
    """
    yield FRONT, "new-front", new_front(world)
    for article in world.articles:
        if not article.longread:
            yield article.path, "new-article", new_article(world, article)
    for product in world.products:
        yield product.path, "new-product", new_product(world, product)
    for page in world.news_lists:
        yield page.path, "new-section", new_section(world, page)
    for page in world.shop_lists:
        yield page.path, "new-product-list", new_shelf(world, page)
    for author in world.authors:
        yield author.path, "new-author", new_author(world, author)
    for static in world.statics:
        yield static.path, "new-static", new_static(world, static)


def surround(world: World, path: str, title: str, inner: str) -> str:
    """Put the new frame around a page: the content first, then one rail with all links."""
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{escape(title)} - {SITE_NAME}</title>
<link rel="canonical" href="{absolute(path)}">
<link rel="stylesheet" href="{relative(path, "style/redesign.css")}"></head>
<body data-release="8">
<div class="n-grid">
<div class="n-stage">
{inner}
</div>
{rail(world, path)}
</div>
<div class="n-imprint"><small>Lantern Readers&rsquo; Cooperative, Saltmere</small>
<a href="/imprint.html">Imprint</a> <a href="/privacy.html">Privacy</a></div>
</body>
</html>
"""


def rail(world: World, here: str) -> str:
    """Return the rail at the right: name of the paper, sections, shelves, service."""
    sections = [(section.name, f"{section.slug}/index.html") for section in world.sections]
    shelves = [(shelf.name, f"shop/{shelf.slug}/index.html") for shelf in world.shelves]
    service = [(page.title, page.path) for page in world.statics]
    notices = [("Harbour notices", BROKEN_PATH), ("Council minutes (draft)", EMPTY_PATH)]
    return f"""<section class="n-rail">
<p class="n-brand"><a href="{relative(here, FRONT)}">{SITE_NAME}</a></p>
{links(here, "Read", [("All news", "news/index.html"), *sections])}
{links(here, "Buy", [("Everything", "shop/index.html"), *shelves])}
{links(here, "Ask", [*service, *notices])}
</section>"""


def links(here: str, title: str, targets: list[tuple[str, str]]) -> str:
    """Return a titled group of links."""
    entries = lines(
        f'<dd><a href="{relative(here, path)}">{escape(name)}</a></dd>' for name, path in targets
    )
    return f'<dl class="n-links"><dt>{title}</dt>{entries}</dl>'


def teaser(here: str, article: Article) -> str:
    """Return an article as an entry of a list: the date first, the picture last."""
    picture = image(here, article.hero, "n-thumb") if article.hero else ""
    return f"""<div class="n-teaser"><span class="n-day">{date(article.published)}</span>
<h4><a href="{relative(here, article.path)}">{escape(article.title)}</a></h4>
<div class="n-words">{escape(article.standfirst)}</div>{picture}</div>"""


def ware(here: str, product: Product) -> str:
    """Return a product as an entry of a list."""
    return f"""<div class="n-ware"><span class="n-price">{price(product.price)}</span>
<h4><a href="{relative(here, product.path)}">{escape(product.name)}</a></h4>
{image(here, product.pictures[0], "n-thumb")}</div>"""


def new_front(world: World) -> str:
    """Write the front page: the newest articles, and all who write."""
    newest = lines(teaser(FRONT, article) for article in world.articles[:ON_FRONT])
    people = [(author.name, author.path) for author in world.authors]
    inner = f"""<h1 class="n-title">Today on the coast</h1>
<div class="n-feed">{newest}</div>
{links(FRONT, "Who writes here", people)}"""
    return surround(world, FRONT, "Today", inner)


def new_article(world: World, article: Article) -> str:
    """Write an article: picture, headline, text, author, what to read next, comments."""
    here = article.path
    picture = image(here, article.hero, "n-wide") if article.hero else ""
    nearby = lines(teaser(here, world.articles[n]) for n in article.related)
    talk = lines(
        f"<dt>{escape(comment.name)}</dt><dd>{escape(comment.text)}</dd>"
        for comment in article.comments
    )
    inner = f"""{picture}
<div class="n-head"><span class="n-day">{date(article.published)}</span>
<h1 class="n-title">{escape(article.title)}</h1>
<div class="n-words">{escape(article.standfirst)}</div></div>
<div class="n-copy">
{parts_html(world, here, article.parts)}
</div>
<div class="n-by">Written by <a href="{relative(here, article.author.path)}">
{article.author.name}</a></div>
<div class="n-feed">{nearby}</div>
<div class="n-talk" id="comments"><h3>What readers say</h3><dl>{talk}</dl></div>"""
    return surround(world, here, article.title, inner)


def new_product(world: World, product: Product) -> str:
    """Write a product: name and price, pictures, figures, then the description."""
    here = product.path
    figures = lines(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in product.specs)
    pictures = lines(image(here, picture, "n-thumb") for picture in product.pictures)
    opinions = lines(
        f"<dt>{escape(review.title)}</dt><dd>{escape(review.text)}</dd>"
        for review in product.reviews
    )
    sizes = f'<div id="sizes">{table(product.sizes, "n-table")}</div>' if product.sizes else ""
    inner = f"""<div class="n-head"><h1 class="n-title">{escape(product.name)}</h1>
<span class="n-price">{price(product.price)}</span>
<div class="n-words">{escape(product.tagline)}</div></div>
<div class="n-shots">{pictures}</div>
<dl class="n-figures">{figures}</dl>
<div class="n-copy">
{parts_html(world, here, product.parts)}
</div>{sizes}
<div class="n-talk"><h3>What buyers say</h3><dl>{opinions}</dl></div>"""
    return surround(world, here, product.name, inner)


def new_section(world: World, page: DemoListPage) -> str:
    """Write one page of a list of articles."""
    entries = lines(teaser(page.path, world.articles[item]) for item in page.items)
    return new_list(world, page, f'<div class="n-feed">{entries}</div>')


def new_shelf(world: World, page: DemoListPage) -> str:
    """Write one page of a list of products."""
    entries = lines(ware(page.path, world.products[item]) for item in page.items)
    return new_list(world, page, f'<div class="n-wares">{entries}</div>')


def new_list(world: World, page: DemoListPage, entries: str) -> str:
    """Write a page of a list, links to the list's other pages above the entries."""
    pages = lines(
        f'<a href="{relative(page.path, list_path(page.folder, number))}">{number}</a>'
        for number in range(1, page.count + 1)
    )
    inner = f"""<h1 class="n-title">{page.section.name}</h1>
<div class="n-pages">{pages}</div>
{entries}
<div class="n-words">{page.section.blurb}</div>"""
    return surround(world, page.path, page.section.name, inner)


def new_author(world: World, author: Author) -> str:
    """Write the page of an author: the articles first, then who it is."""
    written = [article for article in world.articles if article.author == author]
    entries = lines(teaser(author.path, article) for article in written)
    inner = f"""<h1 class="n-title">{author.name}</h1>
<div class="n-feed">{entries}</div>
<div class="n-copy">{image(author.path, author.picture)}
{lines(f"<p>{escape(text)}</p>" for text in author.bio)}</div>"""
    return surround(world, author.path, author.name, inner)


def new_static(world: World, page: StaticPage) -> str:
    """Write a static page."""
    inner = f"""<h1 class="n-title">{escape(page.title)}</h1>
<div class="n-copy">
{parts_html(world, page.path, page.parts)}
</div>
<div class="n-words">{escape(page.intro)}</div>"""
    return surround(world, page.path, page.title, inner)
