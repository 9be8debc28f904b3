"""Pieces that several templates use: cards, rows, prices, pagination."""

from html import escape

from research.demo.content_values import (
    Article,
    Author,
    DemoListPage,
    DemoSection,
    Product,
    list_path,
)
from research.demo.templates.icons import icon
from research.demo.templates.text import image, lines, price, relative, rooted, stars, time_tag


def badge(section: DemoSection) -> str:
    """Return the coloured name of a section."""
    return (
        f'<a class="badge badge-{section.slug}" style="background:{section.colour}" '
        f'href="{rooted(f"{section.slug}/index.html")}" rel="category tag">{section.name}</a>'
    )


def post_classes(article: Article) -> str:
    """Return the classes by which each article differs from all others."""
    tags = "".join(f" tag-{tag}" for tag in article.tags)
    thumb = " has-post-thumbnail" if article.hero else ""
    number, section = article.number, article.section.slug
    return f"post-{number} post type-post status-publish category-{section}{tags}{thumb}"


def card(here: str, article: Article) -> str:
    """Return an article as a card of a grid."""
    picture = image(here, article.hero, "card-image") if article.hero else ""
    return f"""<article class="card {post_classes(article)}">
{picture}<div class="card-body">{badge(article.section)}
<h3 class="card-title"><a href="{relative(here, article.path)}">{escape(article.title)}</a></h3>
<p class="card-text">{escape(article.standfirst)}</p>
<p class="meta">{time_tag(article.published)}{talk(here, article)}</p></div></article>"""


def talk(here: str, article: Article) -> str:
    """Return a link to the comments, if there are any."""
    count = len(article.comments)
    if not count:
        return ""
    href = f"{relative(here, article.path)}#comments"
    return f' <a class="talk" href="{href}">{icon("comment")}{count}</a>'


def row(here: str, article: Article) -> str:
    """Return an article as a row of a list, the picture floating at its left."""
    href = relative(here, article.path)
    hero = article.hero
    picture = f'<a class="row-image" href="{href}">{image(here, hero)}</a>' if hero else ""
    return f"""<article id="post-{article.number}" class="row {post_classes(article)}">
{picture}
<h2 class="row-title"><a href="{href}">{escape(article.title)}</a></h2>
<p class="row-text">{escape(article.standfirst)}</p>
<p class="meta">By {author_link(here, article.author)}, {time_tag(article.published)}
{talk(here, article)}</p>
</article>"""


def author_link(here: str, author: Author) -> str:
    """Return an author's name, linked to the author's page."""
    href = relative(here, author.path)
    return f'<a class="author-name" rel="author" href="{href}">{author.name}</a>'


def product_card(here: str, product: Product) -> str:
    """Return a product as a card of a grid."""
    sale = '<span class="sale">Sale</span>' if product.was else ""
    return f"""<li class="product-card product-{product.number}">{sale}
<a href="{relative(here, product.path)}">{image(here, product.pictures[0])}
<h3>{escape(product.name)}</h3></a>
{rating(product)}<p class="price">{price_tag(product)}</p></li>"""


def price_tag(product: Product) -> str:
    """Return the price, and what it was before."""
    if product.was is None:
        return f'<span class="amount">{price(product.price)}</span>'
    return f'<del>{price(product.was)}</del> <ins class="amount">{price(product.price)}</ins>'


def rating(product: Product) -> str:
    """Return the mean of the reviews, if there are any."""
    if not product.reviews:
        return ""
    mean = round(sum(review.stars for review in product.reviews) / len(product.reviews))
    return f'<p class="rating">{stars(mean)} <span>({len(product.reviews)})</span></p>'


def entry(href: str, name: str, *, current: bool) -> str:
    """Return an entry of a menu; the one of this page is marked."""
    marked = ' class="current"' if current else ""
    return f'<li{marked}><a href="{href}">{escape(name)}</a></li>'


def pagination(page: DemoListPage) -> str:
    """Return links to the pages of a list; a list of one page has none."""
    if page.count == 1:
        return ""
    before, after = pages_around(page)
    return lines(
        (
            '<nav class="pagination" aria-label="Pages">',
            page_link(page.path, before, "Previous", "prev ") if before else "",
            *(page_number(page, number) for number in range(1, page.count + 1)),
            page_link(page.path, after, "Next", "next ") if after else "",
            "</nav>",
        )
    )


def page_number(page: DemoListPage, number: int) -> str:
    """Return the number of a page, linked unless it is this one."""
    if number == page.number:
        return f'<span class="page-numbers current" aria-current="page">{number}</span>'
    return page_link(page.path, list_path(page.folder, number), str(number))


def page_link(here: str, path: str, name: str, mark: str = "") -> str:
    """Return a link of the pagination."""
    return f'<a class="{mark}page-numbers" href="{relative(here, path)}">{name}</a>'


def pages_around(page: DemoListPage) -> tuple[str, str]:
    """Return the paths of the pages before and after, empty where there is none."""
    before = list_path(page.folder, page.number - 1) if page.number > 1 else ""
    after = list_path(page.folder, page.number + 1) if page.number < page.count else ""
    return before, after


def prev_next(page: DemoListPage) -> str:
    """Return the tags in the head that name the pages before and after."""
    before, after = pages_around(page)
    return lines(
        (
            f'<link rel="prev" href="{relative(page.path, before)}">' if before else "",
            f'<link rel="next" href="{relative(page.path, after)}">' if after else "",
        )
    )
