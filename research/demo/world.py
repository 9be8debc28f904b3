"""All content of the site: how much of what, and the lists that lead to it."""

from collections.abc import Iterator, Sequence
from random import Random

from research.demo.content_values import DemoListPage, DemoSection, World
from research.demo.newsroom import (
    AUTHORS,
    BEATS,
    Newsroom,
    choose_widgets,
    open_newsroom,
    write_articles,
)
from research.demo.statics import static_pages
from research.demo.stock import PRICES, Shop, open_shop, stock_up

ARTICLES_PER_PAGE = 10
PRODUCTS_PER_PAGE = 9
FEWEST_ARTICLES = 12  # two a section
FEWEST_PRODUCTS = 6  # one a shelf
ARTICLES_PER_PRODUCT = 2
FRONT_PAGES = 1
ODD_PAGES = 2  # the broken and the empty one
NEWS = DemoSection(
    90, "news", "All news", "Everything we have printed, the newest first.", "#12324a"
)
SHOP = DemoSection(91, "shop", "Outfitters", "Gear for the coast, made to be mended.", "#2f6f73")


def invent(seed: int, pages: int) -> World:
    """Invent content for at least `pages` pages, with as few more as the lists need."""
    statics = static_pages()
    articles, products = shares(pages, len(statics))
    room, shop = open_newsroom(seed, articles, products), open_shop(seed, products)
    return World(
        sections=room.sections,
        shelves=shop.shelves,
        authors=room.authors,
        articles=write_articles(room),
        products=stock_up(shop),
        statics=statics,
        news_lists=tuple(news_lists(room)),
        shop_lists=tuple(shop_lists(shop)),
    )


def shares(pages: int, statics: int) -> tuple[int, int]:
    """Return how many articles and products make a site of at least `pages` pages."""
    articles, products = FEWEST_ARTICLES, FEWEST_PRODUCTS
    while count_pages(articles, products, statics) < pages:
        if articles < products * ARTICLES_PER_PRODUCT:
            articles += 1
        else:
            products += 1
    return articles, products


def count_pages(articles: int, products: int, statics: int) -> int:
    """Return the number of pages of a site with so many articles and products."""
    fixed = FRONT_PAGES + ODD_PAGES + AUTHORS + statics
    news = list_count(articles, len(BEATS), ARTICLES_PER_PAGE)
    return fixed + articles + products + news + list_count(products, len(PRICES), PRODUCTS_PER_PAGE)


def list_count(items: int, sections: int, per_page: int) -> int:
    """Return the number of list pages: of all items, and of each section's."""
    shares_of = [len(range(n, items, sections)) for n in range(sections)]
    return sum(-(-share // per_page) for share in (items, *shares_of))


def news_lists(room: Newsroom) -> Iterator[DemoListPage]:
    """Yield the pages of the lists of articles: of all, and of each section."""
    count = len(room.sections)
    yield from paginate("news", NEWS, range(room.articles), ARTICLES_PER_PAGE, room.seed)
    for n, section in enumerate(room.sections):
        items = range(n, room.articles, count)
        yield from paginate(section.slug, section, items, ARTICLES_PER_PAGE, room.seed)


def shop_lists(shop: Shop) -> Iterator[DemoListPage]:
    """Yield the pages of the lists of products: of all, and of each shelf."""
    count = len(shop.shelves)
    yield from paginate("shop", SHOP, range(shop.count), PRODUCTS_PER_PAGE, shop.seed)
    for n, shelf in enumerate(shop.shelves):
        items = range(n, shop.count, count)
        yield from paginate(f"shop/{shelf.slug}", shelf, items, PRODUCTS_PER_PAGE, shop.seed)


def paginate(
    folder: str, section: DemoSection, items: Sequence[int], per_page: int, seed: int
) -> Iterator[DemoListPage]:
    """Cut a list into pages."""
    count = -(-len(items) // per_page)
    for number in range(1, count + 1):
        shown = items[(number - 1) * per_page : number * per_page]
        widgets = choose_widgets(Random(f"{seed}/{folder}/{number}"))
        yield DemoListPage(folder, section, tuple(shown), number, count, len(items), widgets)
