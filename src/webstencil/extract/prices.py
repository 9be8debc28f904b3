"""Prices as people write them: `£1,299.00`, `1.299,00 EUR`, `US$ 20`."""

import re
from dataclasses import dataclass

CODES = "USD|EUR|GBP|JPY|CNY|INR|CAD|AUD|NZD|CHF|SEK|NOK|DKK|PLN|CZK|RUB|BRL|KRW|ZAR|MXN|TRY"
SIGNS = {"£": "GBP", "€": "EUR", "₹": "INR", "₽": "RUB", "₩": "KRW", "zł": "PLN"}
SIGNS |= {"US$": "USD", "C$": "CAD", "A$": "AUD", "R$": "BRL", "NZ$": "NZD"}
# $ and ¥ are of several countries, so they stay as they are.
_SIGN = rf"(?:US|NZ|[CAR])?\$|[£€₹₽₩¥]|zł|\b(?:{CODES})\b"
_NUMBER = r"\d{1,3}(?:[.,' \N{NO-BREAK SPACE}]\d{3})+(?:[.,]\d{2})?|\d+(?:[.,]\d{2})?"
PRICE = re.compile(
    rf"(?P<before>{_SIGN})\s?(?P<first>{_NUMBER})(?![\d%])|"
    rf"(?<![\d.,])(?P<second>{_NUMBER})\s?(?P<after>{_SIGN})"
)
_SIGNED = re.compile(r"[$£€₹₽₩¥]|zł|[A-Z]{3}")  # fast, because most texts have none
_SIGN_ALONE = re.compile(_SIGN)
_CENTS = re.compile(r"[.,]\d{1,2}$")
_NO_DIGIT = re.compile(r"\D")


@dataclass(frozen=True, slots=True)
class Price:
    """An amount of money."""

    amount: str  # digits, with a point before cents
    currency: str  # ISO 4217 if unambiguous, else the sign; empty if there is none


def has_sign(text: str) -> bool:
    """Return whether a text has the sign or the code of a currency."""
    return _SIGNED.search(text) is not None and _SIGN_ALONE.search(text) is not None


def find_prices(text: str) -> list[Price]:
    """List the prices in a text that have a currency."""
    found = []
    for match in PRICE.finditer(text):
        sign = match["before"] or match["after"]
        found.append(Price(amount(match["first"] or match["second"]), SIGNS.get(sign, sign)))
    return found


def amount(number: str) -> str:
    """Return a number without grouping; its last point or comma may be before cents."""
    cents = _CENTS.search(number)
    whole = _NO_DIGIT.sub("", number[: cents.start()] if cents else number)
    return f"{whole}.{cents[0][1:]}" if cents else whole
