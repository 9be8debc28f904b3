"""Products of pages against their prices (SWDE)."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from webstencil.evaluate.swde import AttributeSite
from webstencil.items.products import amount, find_prices, product
from webstencil.markup.parse import parse

PRICE = "price"
NAMES = ("model", "title")  # attributes of SWDE that name the product
COLUMNS = ("site", "pages", "found", "priced", "right", "wrong", "named")

_LOOSE = re.compile(r"\d[\d.,]*\d|\d")


@dataclass(frozen=True, slots=True)
class ProductRow:
    """Counts of a site, or of all sites of a vertical."""

    name: str
    pages: int
    found: int  # pages with a product
    priced: int  # pages whose gold has a price
    right: int  # pages whose product has that price
    wrong: int  # pages whose product has another price than the gold
    named: int  # pages whose product has the name of the gold, or a part of it


def cells(row: ProductRow) -> list[str]:
    """Write a row."""
    return [str(value) for value in asdict(row).values()]


def report(rows: Sequence[ProductRow]) -> str:
    """Write the counts as JSON."""
    return json.dumps([asdict(row) for row in rows], indent=1)


def measure(sites: Sequence[AttributeSite]) -> list[ProductRow]:
    """Count for each site, and for all sites of each vertical."""
    by_site = [(site.vertical, measure_site(site)) for site in sites]
    verticals = sorted({vertical for vertical, _ in by_site})
    return [row for _, row in by_site] + [
        total(f"all of {kind}", [row for vertical, row in by_site if vertical == kind])
        for kind in verticals
    ]


def measure_site(site: AttributeSite) -> ProductRow:
    """Look for a product on each page of a site."""
    rows = []
    for page in site.pages:
        found = product(parse(page.raw))
        prices = frozenset(map(plain_price, page.gold.get(PRICE, ())))
        names = [name.lower() for known in NAMES for name in page.gold.get(known, ())]
        price = plain_price(dict(found[0].fields).get(PRICE, "")) if found else ""
        name = found[0].text.lower() if found else ""
        rows.append(
            ProductRow(
                name=site.name,
                pages=1,
                found=len(found),
                priced=bool(prices),
                right=price != "" and price in prices,
                wrong=price != "" and bool(prices) and price not in prices,
                named=name != "" and any(one in name or name in one for one in names),
            )
        )
    return total(site.name, rows)


def plain_price(text: str) -> str:
    """Write a price as digits without zero cents."""
    known = find_prices(text)
    loose = _LOOSE.search(text)
    digits = known[0].amount if known else amount(loose[0]) if loose else ""
    return digits.removesuffix(".00")


def total(name: str, rows: Iterable[ProductRow]) -> ProductRow:
    """Add up counts."""
    counts = [[int(value) for key, value in asdict(row).items() if key != "name"] for row in rows]
    return ProductRow(name, *[sum(column) for column in zip(*counts, strict=True)])
