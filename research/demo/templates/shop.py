"""The templates of the shop: product list and product."""

from collections.abc import Iterable, Sequence
from html import escape

from research.demo.templates.frame import Sheet, frame
from research.demo.templates.icons import icon
from research.demo.templates.parts import parts_html, table
from research.demo.templates.pieces import (
    entry,
    pagination,
    prev_next,
    price_tag,
    product_card,
    rating,
)
from research.demo.templates.text import absolute, image, json_ld, lines, relative, stars, time_tag
from research.demo.values import DemoListPage, Product, Review, Table, World

SHOP = ("Outfitters", "shop/index.html")
PRICE_STEPS = ("Under £25", "£25 to £75", "£75 to £150", "Over £150")
PENCE = 100


def shelf_page(world: World, page: DemoListPage) -> str:
    """Write one page of a list of products."""
    shelf = page.section
    cards = lines(product_card(page.path, world.products[item]) for item in page.items)
    main = f"""<header class="shelf-header" style="background:{shelf.colour}"><div class="wrap">
<h1 class="page-title">{shelf.name}</h1><p>{shelf.blurb}</p></div></header>
<div class="shelf-columns wrap">
{filters(world, page)}
<main id="main" class="shelf-main">{toolbar(page)}
<ul class="product-grid">{cards}</ul>
{pagination(page)}</main></div>
{promises()}"""
    crumbs = (SHOP,) if page.folder == "shop" else (SHOP, (shelf.name, page.path))
    suffix = f", page {page.number}" if page.number > 1 else ""
    sheet = Sheet(
        path=page.path,
        title=f"{shelf.name}{suffix}",
        description=shelf.blurb,
        classes=f"archive shop tax-product_cat term-{shelf.slug} term-{shelf.number + 50}",
        main=main,
        crumbs=crumbs,
        head=prev_next(page),
        colour=shelf.colour,
    )
    return frame(world, sheet)


def filters(world: World, page: DemoListPage) -> str:
    """Return the column at the left that narrows the list."""
    shelves = lines(
        entry(
            relative(page.path, f"shop/{shelf.slug}/index.html"),
            shelf.name,
            current=shelf == page.section,
        )
        for shelf in world.shelves
    )
    colours = sorted({colour for item in page.items for colour in world.products[item].colours})
    prices = lines(
        f'<li><label><input type="checkbox"> {step}</label></li>' for step in PRICE_STEPS
    )
    return f"""<aside class="filters"><h2>Shelves</h2><ul class="filter-links">{shelves}</ul>
<h2>Price</h2><ul class="filter-checks">{prices}</ul>
<h2>Colour</h2>{swatches(colours)}</aside>"""


def swatches(colours: Iterable[str]) -> str:
    """Return a dot of each colour."""
    dots = lines(f'<li class="swatch swatch-{name}" title="{name}"></li>' for name in colours)
    return f'<ul class="swatches">{dots}</ul>'


def toolbar(page: DemoListPage) -> str:
    """Return the line above the list: how many, and in what order."""
    orders = ""
    if page.number == 1:
        orders = " ".join(
            f'<a href="index.html?sort={order}">{order.capitalize()}</a>'
            for order in ("price", "name")
        )
    return f"""<div class="shelf-toolbar"><p class="result-count">Showing {len(page.items)} of
{page.total} products</p><p class="ordering">Sort by <b>New</b> {orders}</p></div>"""


def promises() -> str:
    """Return what the shop promises, in one line of icons."""
    return f"""<ul class="promises wrap"><li>{icon("van")} Free delivery along the coast</li>
<li>{icon("return")} Sixty days to change your mind</li>
<li>{icon("tool")} Mended in our own workshop</li></ul>"""


def product_page(world: World, product: Product) -> str:
    """Write a product."""
    shelf, here = product.shelf, product.path
    main = f"""<main id="main" class="product-main wrap">
<div id="product-{product.number}" class="product post-{product.number} product-{shelf.slug}">
<div class="product-top">{product_gallery(product)}
{summary(product)}</div>
<div class="product-details">{details(world, product)}</div>
{reviews(product.reviews)}
</div>
{also(world, product)}</main>
{promises()}"""
    sheet = Sheet(
        path=here,
        title=product.name,
        description=product.tagline,
        classes=f"single single-product postid-{product.number} shelf-{shelf.slug}",
        main=main,
        crumbs=(SHOP, (shelf.name, f"shop/{shelf.slug}/index.html"), (product.name, here)),
        head=product_meta(product),
        colour=shelf.colour,
    )
    return frame(world, sheet)


def product_meta(product: Product) -> str:
    """Return the metadata of a product for programs."""
    offer = {
        "@type": "Offer",
        "price": f"{product.price / PENCE:.2f}",
        "priceCurrency": "GBP",
        "url": absolute(product.path),
    }
    data = json_ld("Product", name=product.name, sku=str(product.number), offers=offer)
    return f"""<meta property="og:type" content="product">
<meta property="og:image" content="{absolute(product.pictures[0].path)}">
{data}"""


def product_gallery(product: Product) -> str:
    """Return the large picture, and small ones of the other colours."""
    large, *others = product.pictures
    small = lines(f"<li>{image(product.path, picture)}</li>" for picture in (large, *others))
    thumbs = f'<ul class="thumbs">{small}</ul>' if others else ""
    return f'<div class="product-gallery">{image(product.path, large, "large")}{thumbs}</div>'


def summary(product: Product) -> str:
    """Return the panel at the right: name, price, choices, button."""
    sale = '<span class="sale">Sale</span>' if product.was else ""
    shipping = relative(product.path, "shipping.html")
    return f"""<div class="summary"><p class="sku">No. {product.number}</p>
<h1 class="product-title">{escape(product.name)}</h1>{rating(product)}
<p class="tagline">{escape(product.tagline)}</p>
<p class="price">{price_tag(product)} {sale}</p>
<form class="cart" action="/shop/index.html"><p class="label">Colour</p>
{swatches(product.colours)}{size_choice(product.sizes)}
<p class="buy"><input type="number" name="quantity" value="1" min="1" aria-label="Quantity">
<button class="button button-large" type="submit">{icon("basket")} Put in the basket</button></p>
</form>
<ul class="buy-notes"><li>{icon("clock")} {escape(product.stock)}</li>
<li>{icon("van")} <a href="{shipping}#rates">Shipping from £3.50</a></li>
<li>{icon("return")} <a href="/shipping.html#returns">Sixty days to send it back</a></li>
</ul></div>"""


def size_choice(sizes: Table | None) -> str:
    """Return the choice of a size, for products that have sizes."""
    if sizes is None:
        return ""
    options = lines(f"<option>{row[0]}</option>" for row in sizes.rows)
    return (
        f'<p class="label">Size</p><p><select name="size" aria-label="Size">{options}</select></p>'
    )


def details(world: World, product: Product) -> str:
    """Return the description, the measures and, for some, the table of sizes."""
    rows = lines(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in product.specs)
    sizes = (
        f'<h2 id="sizes">Find your size</h2>{table(product.sizes, "sizes")}'
        if product.sizes
        else ""
    )
    return f"""<div class="description"><h2>About the {escape(product.name)}</h2>
{parts_html(world, product.path, product.parts)}</div>
<div class="measures"><h2>In figures</h2><table class="specs"><tbody>{rows}</tbody></table>
{sizes}</div>"""


def reviews(opinions: Sequence[Review]) -> str:
    """Return what customers think, if anybody has said it."""
    if not opinions:
        return ""
    entries = lines(
        f'<li class="review">{stars(review.stars)}<h3>{escape(review.title)}</h3>'
        f'<p class="meta">{review.name}, {time_tag(review.when)}</p>'
        f"<p>{escape(review.text)}</p></li>"
        for review in opinions
    )
    return f"""<section id="reviews" class="reviews"><h2>Reviews ({len(opinions)})</h2>
<ol>{entries}</ol></section>"""


def also(world: World, product: Product) -> str:
    """Return other products, if any are chosen."""
    if not product.related:
        return ""
    cards = lines(product_card(product.path, world.products[n]) for n in product.related)
    return f"""<section class="also"><h2>Goes well with</h2>
<ul class="product-grid product-grid-{len(product.related)}">{cards}</ul></section>"""
