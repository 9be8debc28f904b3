"""The product of a page that sells one."""

import json
import lzma
from pathlib import Path

import pytest
from builders import page_of
from click.testing import CliRunner

from research.demo import build
from research.demo.demo_site import FEWEST_PAGES
from webstencil.cli.main import main
from webstencil.items.products import Price, find_prices, product
from webstencil.markup.parse import parse
from webstencil.model import RawPage

LD = '<script type="application/ld+json">%s</script>'
BOOTS = (
    '{"@type": "Product", "name": "Boots", "sku": "7", "brand": {"name": "Ann & Co"}, "image":'
    ' ["/b.png"], "offers": [{"price": 59.5, "priceCurrency": "GBP", "availability":'
    ' "https://schema.org/InStock"}]}'
)


def told(html: str) -> dict[str, str]:
    """Return the parts of a page's product."""
    found = product(page_of(html))
    return dict(found[0].fields) | {"how": found[0].how} if found else {}


def boots(price: str, currency: str, how: str, **more: str) -> dict[str, str]:
    """Return what should be told of the product that most tests sell."""
    return {"name": "Boots", "price": price, "currency": currency, "how": how} | more


def test_json_ld_is_asked_first() -> None:
    """Offers, brands and images may be lists or things with names."""
    html = f"<head>{LD % BOOTS}<body><h1>Boots!</h1><p class=price>£70</p>"
    more = {"availability": "InStock", "brand": "Ann & Co", "sku": "7"}

    assert told(html) == boots("59.5", "GBP", "JSON-LD", image="http://site.example/b.png", **more)


def test_sources_complete_each_other() -> None:
    """What the surer way does not find, the next may."""
    html = (
        "<head><meta property=og:type content=product><meta property=og:title content='Boots | A'>"
        "<meta property=og:image content=/o.png></head>"
        "<div itemscope itemtype='http://schema.org/Product'><h1 itemprop=name>Boots</h1>"
        "<span itemprop=brand itemscope><b itemprop=name>Ann</b></span>"
        "<div itemprop=offers itemscope><meta itemprop=priceCurrency content=EUR>"
        "<span itemprop=price content='59.00'>59 €</span></div></div>"
    )

    assert told(html) == boots(
        "59.00", "EUR", "microdata, Open Graph", brand="Ann", image="http://site.example/o.png"
    )


def test_open_graph_needs_a_price() -> None:
    """A title alone makes no product of a page."""
    head = "<head><meta property=og:type content=product><meta property=og:title content=Boots>"
    price = (
        "<meta property=product:price:amount content='1,059.00'>"
        "<meta property=product:price:currency content=USD>"
    )

    assert told(f"{head}<body><p>Text") == {}
    assert told(f"{head}{price}<body><p>Text") == boots("1059.00", "USD", "Open Graph")


def test_the_price_that_a_page_asks_is_taken() -> None:
    """Not the former one, and not that of another product further down."""
    other = "<ul><li><h3>Socks</h3><p class=price>£5</p></li></ul>"
    html = (
        "<body><div><div><h1>Boots</h1><p class=price><del class=was>£80.00</del>"
        f"<b class=price-now>£59.00</b></p></div></div>{other}"
    )

    assert told(html) == boots("59.00", "GBP", "price that is asked")


@pytest.mark.parametrize(
    "html",
    [
        "<p>Our price: £59.00</p>",
        "<table><tr><td>RRP:<td>£80.00<tr><td>Price:<td>£59.00<tr><td>You save:<td>£21.00</table>",
        "<p class=priceBox><b>£</b><b>59</b><sup>00</sup></p><p class=price-shipping>£4.00</p>",
        "<div class=listPrice>£80.00</div><div class=salePrice>£59.00</div>",
        "<p>Price: <b>£59.00</b></p><ul><li>Socks <i class=cost>Price: £5<li>Laces Price: £3</ul>",
    ],
)
def test_words_and_names_tell_which_price_is_asked(html: str) -> None:
    """A former price, what is saved, shipping and the prices of other things are not."""
    assert told(f"<body><h1>Boots</h1>{html}") == boots("59.00", "GBP", "price that is asked")


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Boots</h1><p>Shipping: £5</p><p>£7 per month</p><p>under £9 now</p>",
        "<h1>Boots</h1><div>Red <i class=price>£5</i></div><div>Tan <i class=price>£7</i></div>",
        "<h1>Boots</h1><ul><li><b>Socks</b> now £5</ul>",
        "<h1>Boots</h1><p class=price>£0.00</p>",
        "<h1>Boots</h1><p class=price>£5</p><p class=price>£7</p>",
        "<h1>Boots</h1><p>They cost £5 in 1980.</p>",
        f"{LD % BOOTS}{LD % BOOTS.replace('Boots', 'Socks')}<p>Text",
        "<p class=price>£5</p>",
        f"{LD % '[{'}<p>Text",
    ],
)
def test_where_there_is_doubt_there_is_no_product(html: str) -> None:
    """Rates, lists, nothing to pay, a price in a text, several products, no name, broken JSON."""
    assert told(f"<body>{html}") == {}


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("£1,299.00", Price("1299.00", "GBP")),
        ("1.299,00 €", Price("1299.00", "EUR")),
        ("nur 1 299 EUR", Price("1299", "EUR")),
        ("US$ 20", Price("20", "USD")),
        ("$20.50 each", Price("20.50", "$")),
        ("CHF 1'200.50", Price("1200.50", "CHF")),
    ],
)
def test_prices_are_read_as_people_write_them(text: str, price: Price) -> None:
    """With points, commas or spaces between digits, the currency before or after."""
    assert find_prices(text) == [price]


def test_what_is_no_price_is_not_read_as_one() -> None:
    """Numbers without a currency, and shares."""
    assert find_prices("12 of 400, 5 %, 2020, €5%") == []


def test_all_products_of_the_demo_site_are_found(tmp_path: Path) -> None:
    """Each product page gives its own; no other page gives any."""
    site = build(tmp_path, pages=FEWEST_PAGES)

    found = set()
    for path in sorted({path for path, _ in site.gold} - {site.empty}):
        page = parse(RawPage(f"http://a.org/{path}", (tmp_path / path).read_bytes()))
        found |= {(path, len(item.fields)) for item in product(page)}

    assert {path for path, _ in found} == {
        path for path, template in site.gold if template == "product"
    }
    assert min(number for _, number in found) >= 5


def test_products_are_compared_with_gold(tmp_path: Path) -> None:
    """The command counts what was found, and what of it is right."""
    path = tmp_path / "swde.jsonl.xz"
    html = "<body><div><h1>Boots</h1><p class=price>$5.00</p></div>"
    row = {"site": "a", "vertical": "shoe", "html": html}
    pages = [({"price": ["$5"], "model": ["Boots"]}, 1), ({"price": ["$6"]}, 2), ({}, 3)]
    with lzma.open(path, "wt") as lines:
        for gold, number in pages:
            lines.write(json.dumps(row | {"id": number, "gold": gold}) + "\n")

    done = CliRunner().invoke(main, ["evaluate", "products", str(path), "--json"])

    counts = {"pages": 3, "found": 3, "priced": 2, "right": 1, "wrong": 1, "named": 1}
    assert json.loads(done.output) == [{"name": "a"} | counts, {"name": "all of shoe"} | counts]
