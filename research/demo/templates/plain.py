"""The template of static pages."""

from html import escape

from research.demo.templates.frame import Sheet, frame
from research.demo.templates.parts import parts_html
from research.demo.templates.pieces import entry
from research.demo.templates.text import image, lines, relative
from research.demo.values import Heading, StaticPage, World


def static_page(world: World, page: StaticPage) -> str:
    """Write a static page."""
    staff = team(world, page.path) if page.slug == "about" else ""
    main = f"""<div class="static-columns wrap">
{side_menu(world, page)}
<main id="main" class="static-main"><article class="page type-page page-{page.slug}">
<h1 class="page-title">{escape(page.title)}</h1>
<p class="standfirst">{escape(page.intro)}</p>
{contents(page)}
<div class="entry-content">
{parts_html(world, page.path, page.parts)}
{staff}
</div></article></main></div>"""
    sheet = Sheet(
        path=page.path,
        title=page.title,
        description=page.intro,
        classes=f"page page-template-default page-{page.slug}",
        main=main,
        crumbs=((page.title, page.path),),
    )
    return frame(world, sheet)


def side_menu(world: World, page: StaticPage) -> str:
    """Return links to the other pages of this kind."""
    entries = lines(
        entry(relative(page.path, other.path), other.title, current=other == page)
        for other in world.statics
    )
    return f'<aside class="side-menu"><h2>Service</h2><ul>{entries}</ul></aside>'


def contents(page: StaticPage) -> str:
    """Return links to the headings of the page."""
    headings = [part for part in page.parts if isinstance(part, Heading)]
    links = lines(f'<li><a href="#{part.slug}">{escape(part.text)}</a></li>' for part in headings)
    return f'<nav class="toc" aria-label="Contents"><ul>{links}</ul></nav>'


def team(world: World, here: str) -> str:
    """Return all who write the paper."""
    people = lines(
        f'<li><a href="{relative(here, author.path)}">{image(here, author.picture)}'
        f"<b>{author.name}</b></a> {author.role}</li>"
        for author in world.authors
    )
    return f'<h2 id="team">The team</h2><ul class="team">{people}</ul>'
