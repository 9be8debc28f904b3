"""The parts of a text: paragraphs, headings, figures, lists, tables and boxes."""

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

from research.demo.templates.icons import icon
from research.demo.templates.pieces import price_tag
from research.demo.templates.text import absolute, image, lines, relative, rooted
from research.demo.values import (
    Code,
    Enquiry,
    Figure,
    Gallery,
    Heading,
    Newsletter,
    Paragraph,
    Part,
    Points,
    Promo,
    Question,
    Quote,
    Table,
    World,
)

Boxed: TypeAlias = Quote | Figure | Gallery | Newsletter | Promo | Question | Enquiry


def parts_html(world: World, here: str, parts: Iterable[Part]) -> str:
    """Write the parts of a text, one after the other."""
    return lines(part_html(world, here, part) for part in parts)


def part_html(world: World, here: str, part: Part) -> str:
    """Write one part of a text."""
    match part:
        case Paragraph():
            return paragraph(world, part)
        case Heading(text, slug):
            return f'<h2 id="{slug}">{escape(text)}</h2>'
        case Points():
            return points(part)
        case Table():
            return table(part)
        case Code(text):
            return f'<pre class="listing"><code>{escape(text)}</code></pre>'
        case _:
            return box_html(world, here, part)


def box_html(world: World, here: str, part: Boxed) -> str:
    """Write a part beside the text."""
    match part:
        case Quote(text, by):
            cite = f"<cite>{escape(by)}</cite>"
            return f'<blockquote class="pull-quote"><p>{escape(text)}</p>{cite}</blockquote>'
        case Figure():
            return figure(here, part)
        case Gallery():
            return gallery(here, part)
        case Newsletter(text):
            return newsletter(text, "inline-newsletter")
        case Promo(product):
            return promo(world, here, product)
        case Question(text, answer):
            fold = f"<summary>{escape(text)}</summary><p>{escape(answer)}</p>"
            return f'<details class="question">{fold}</details>'
        case Enquiry():
            return enquiry(part)


def paragraph(world: World, part: Paragraph) -> str:
    """Write a paragraph; one that refers to an article names it at its end."""
    if part.article is None:
        return f"<p>{escape(part.text)}</p>"
    article = world.articles[part.article]
    # Editors paste URLs as they find them: full ones, and ones from the root.
    href = absolute(article.path) if part.article % 3 == 0 else rooted(article.path)
    link = f'<a href="{href}"><em>{escape(article.title)}</em></a>'
    return f'<p class="read-more"><strong>{escape(part.text)}</strong> {link}.</p>'


def figure(here: str, part: Figure) -> str:
    """Write a picture with its caption, across the text or floating at its side."""
    caption = f"<figcaption>{escape(part.caption)}</figcaption>"
    return (
        f'<figure class="figure figure-{part.side}">{image(here, part.picture)}{caption}</figure>'
    )


def gallery(here: str, part: Gallery) -> str:
    """Write several pictures side by side."""
    count = len(part.pictures)
    items = lines(f"<li>{image(here, picture)}</li>" for picture in part.pictures)
    caption = f"<figcaption>{escape(part.caption)}</figcaption>"
    return f'<figure class="gallery gallery-{count}"><ul>{items}</ul>{caption}</figure>'


def points(part: Points) -> str:
    """Write a list."""
    tag = "ol" if part.ordered else "ul"
    items = lines(f"<li>{escape(item)}</li>" for item in part.items)
    return f"<{tag}>\n{items}\n</{tag}>"


def table(part: Table, name: str = "data") -> str:
    """Write a table."""
    caption = f"<caption>{escape(part.caption)}</caption>" if part.caption else ""
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in part.heads)
    rows = lines(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in part.rows
    )
    return f"""<table class="{name}">{caption}
<thead><tr>{heads}</tr></thead>
<tbody>
{rows}
</tbody></table>"""


def newsletter(text: str, name: str) -> str:
    """Write the box that asks for the reader's address."""
    return f"""<aside class="newsletter {name}">
<h3>{icon("mail")} The Friday letter</h3><p>{escape(text)}</p>
<form action="/contact.html"><input type="email" name="mail" placeholder="you@example.com"
aria-label="Your address"><button class="button" type="submit">Sign up</button></form></aside>"""


def promo(world: World, here: str, product: int) -> str:
    """Write the box that points to a product."""
    shown = world.products[product]
    href = f"{relative(here, shown.path)}"
    return f"""<!-- promo: {shown.number} -->
<aside class="promo"><a href="{href}">{image(here, shown.pictures[0])}</a>
<p class="promo-label">From our shop</p><p class="promo-name"><a href="{href}">{shown.name}</a></p>
<p>{escape(shown.tagline)}</p><p class="price">{price_tag(shown)}</p></aside>"""


def enquiry(part: Enquiry) -> str:
    """Write the form to write to the paper."""
    topics = lines(f"<option>{escape(topic)}</option>" for topic in part.topics)
    return f"""<form class="enquiry" action="/contact.html">
<p><label for="enquiry-name">Your name</label><input id="enquiry-name" name="name"></p>
<p><label for="enquiry-mail">Your address</label><input id="enquiry-mail" name="mail"></p>
<p><label for="enquiry-topic">It is about</label><select id="enquiry-topic" name="topic">{topics}
</select></p>
<p><label for="enquiry-text">Your message</label><textarea id="enquiry-text" name="text" rows="6">
</textarea></p>
<p><button class="button" type="submit">Send</button></p></form>"""
