"""The template of articles after the redesign: another layout, other markup, another style."""

from html import escape

from research.demo.content_values import Article, Comment, Heading, Part, World
from research.demo.templates.frame import SITE_NAME
from research.demo.templates.text import absolute, date, image, json_ld, lines, relative
from research.demo.templates.text_parts import part_html


def longread_page(world: World, index: int) -> str:
    """Write an article in the new look."""
    article = world.articles[index]
    return f"""<!doctype html>
<html lang="en" class="lr">
{longread_head(article)}
<body data-layout="longread" data-id="{article.number}">
{bar(world, article)}
{cover(article)}
<div class="lr-shell" role="main">
{lines(chapters(world, article))}
</div>
{closing(world, article)}
{voices(article)}
<div class="lr-end"><p>{SITE_NAME}</p><p><a href="/about.html">About</a> <a href="/imprint.html">
Imprint</a> <a href="/privacy.html">Privacy</a> <a href="/contact.html">Contact</a></p></div>
</body>
</html>
"""


def longread_head(article: Article) -> str:
    """Return the head."""
    here = article.path
    data = json_ld("Article", headline=article.title, datePublished=article.published.isoformat())
    return f"""<head><meta charset="utf-8"><title>{escape(article.title)}</title>
<meta name="viewport" content="width=device-width">
<link rel="canonical" href="{absolute(here)}">
<link rel="stylesheet" href="{relative(here, "style/longread.css")}">
{data}</head>"""


def bar(world: World, article: Article) -> str:
    """Return the thin bar at the top."""
    links = lines(
        f'<a href="{relative(article.path, f"{section.slug}/index.html")}">{section.name}</a>'
        for section in world.sections
    )
    home = relative(article.path, "index.html")
    return f"""<div class="lr-bar"><a class="lr-home" href="{home}">Lantern <i>longreads</i></a>
<div class="lr-links">{links}</div></div>"""


def cover(article: Article) -> str:
    """Return the cover: the picture across the whole window, the title upon it."""
    picture = image(article.path, article.hero) if article.hero else ""
    return f"""<div class="lr-cover">{picture}<div class="lr-title">
<div class="lr-kicker">{article.section.name}</div><h1>{escape(article.title)}</h1>
<div class="lr-deck">{escape(article.standfirst)}</div>
<div class="lr-by">Words by <a href="/{article.author.path}">{article.author.name}</a>
<span>{date(article.published)}</span></div></div></div>"""


def chapters(world: World, article: Article) -> list[str]:
    """Return the text, cut into chapters at its headings."""
    cut: list[tuple[str, list[Part]]] = [("", [])]
    for part in article.parts:
        if isinstance(part, Heading):
            cut.append((part.text, []))
        else:
            cut[-1][1].append(part)
    return [
        chapter(world, article, number, title, parts) for number, (title, parts) in enumerate(cut)
    ]


def chapter(world: World, article: Article, number: int, title: str, parts: list[Part]) -> str:
    """Return one chapter: its number at the side, then its text."""
    heading = f"<h3>{escape(title)}</h3>" if title else ""
    body = lines(part_html(world, article.path, part) for part in parts)
    return f"""<section class="lr-chapter" data-chapter="{number}">
<div class="lr-number">{number + 1}</div>
<div class="lr-text">{heading}
{body}</div></section>"""


def closing(world: World, article: Article) -> str:
    """Return what to read next."""
    tiles = lines(
        f'<a class="lr-tile" href="{relative(article.path, other.path)}">'
        f"<span>{other.section.name}</span><b>{escape(other.title)}</b></a>"
        for other in (world.articles[n] for n in article.related)
    )
    return f'<div class="lr-next"><h4>Keep reading</h4><div>{tiles}</div></div>' if tiles else ""


def voices(article: Article) -> str:
    """Return the comments, without their nesting."""
    entries = lines(voice(comment) for comment in article.comments)
    title = "<h4>Voices</h4>"
    return f'<div class="lr-voices" id="comments">{title}{entries}</div>' if entries else ""


def voice(comment: Comment) -> str:
    """Return one comment."""
    return f"<div><b>{escape(comment.name)}</b> <q>{escape(comment.text)}</q></div>"
