"""URLs, dates, prices and texts as pages have them."""

import json
from collections.abc import Iterable
from datetime import datetime
from html import escape

from research.demo.values import BASE_URL, ImageFile

# Not strftime: its names follow the machine's language.
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
STARS = 5


def relative(here: str, target: str) -> str:
    """Return the URL of `target`, relative to the page at `here`."""
    folder = here[: here.rfind("/") + 1]
    if target.startswith(folder):
        return target.removeprefix(folder)
    return "../" * folder.count("/") + target


def rooted(target: str) -> str:
    """Return the URL of `target` from the root of the site."""
    return f"/{target}"


def absolute(target: str) -> str:
    """Return the full URL of `target`."""
    return BASE_URL + target


def date(when: datetime) -> str:
    """Write a day."""
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}"


def time_tag(when: datetime, name: str = "entry-date") -> str:
    """Return a time tag, with the hour for programs and the day for readers."""
    return f'<time class="{name}" datetime="{when.isoformat()}">{date(when)}</time>'


def price(pence: int) -> str:
    """Write a price."""
    return f"£{pence // 100}.{pence % 100:02}"


def stars(count: int) -> str:
    """Draw a rating."""
    drawn = "★" * count + "☆" * (STARS - count)
    return f'<span class="stars" title="{count} of {STARS} stars">{drawn}</span>'


def image(here: str, picture: ImageFile, name: str = "") -> str:
    """Return an image tag with the size of the file."""
    marked = f' class="{name}"' if name else ""
    return (
        f'<img{marked} src="{relative(here, picture.path)}" alt="{escape(picture.alt)}" '
        f'width="{picture.width}" height="{picture.height}" loading="lazy">'
    )


def lines(parts: Iterable[str]) -> str:
    """Join pieces of HTML, one a line; empty ones are left out."""
    return "\n".join(part for part in parts if part)


def json_ld(kind: str, **fields: object) -> str:
    """Return a script tag with data for programs."""
    data = json.dumps({"@context": "https://schema.org", "@type": kind, **fields})
    closed = data.replace("</", "<\\/")
    return f'<script type="application/ld+json">{closed}</script>'
