"""The templates of the paper: section list, article, author."""

from collections.abc import Iterator, Sequence
from html import escape

from research.demo.templates.frame import Sheet, frame
from research.demo.templates.icons import icon
from research.demo.templates.parts import parts_html
from research.demo.templates.pieces import (
    author_link,
    badge,
    card,
    pagination,
    post_classes,
    prev_next,
    row,
)
from research.demo.templates.text import absolute, image, json_ld, lines, relative, rooted, time_tag
from research.demo.templates.widgets import sidebar
from research.demo.values import Article, Author, Comment, DemoListPage, World

NOTICES = "notices"


def section_page(world: World, page: DemoListPage) -> str:
    """Write one page of a list of articles."""
    section = page.section
    rows = lines(row(page.path, world.articles[item]) for item in page.items)
    widgets = page.widgets if NOTICES in page.widgets else (*page.widgets, NOTICES)
    main = f"""<header class="section-header" style="border-color:{section.colour}">
<div class="wrap"><h1 class="page-title">{section.name}</h1>
<p class="section-blurb">{section.blurb}</p>
<p class="section-count">{page.total} articles, page {page.number} of {page.count}</p></div>
</header>
<div class="columns wrap"><main id="main" class="list-main">
{rows}
{pagination(page)}
</main>
{sidebar(world, page.path, widgets)}</div>"""
    suffix = f", page {page.number}" if page.number > 1 else ""
    sheet = Sheet(
        path=page.path,
        title=section.name + suffix,
        description=section.blurb,
        classes=f"archive category category-{section.slug} paged-{page.number}",
        main=main,
        crumbs=((section.name, page.path),),
        head=prev_next(page),
        colour=section.colour,
    )
    return frame(world, sheet)


def article_page(world: World, index: int) -> str:
    """Write an article."""
    article = world.articles[index]
    section, here = article.section, article.path
    main = f"""<div class="columns wrap"><main id="main" class="article-main">
<article id="post-{article.number}" class="{post_classes(article)}">
{article_head(article)}
{hero(article)}
<div class="entry-content">
{parts_html(world, here, article.parts)}
</div>
{article_foot(article)}
</article>
{next_articles(world, index)}
{related(world, article)}
{comments(article.comments)}
</main>
{sidebar(world, here, article.widgets)}</div>"""
    number = article.number
    sheet = Sheet(
        path=here,
        title=article.title,
        description=article.standfirst,
        classes=f"single single-post postid-{number} single-format-standard in-{section.slug}",
        main=main,
        crumbs=((section.name, f"{section.slug}/index.html"), (article.title, here)),
        head=article_meta(article),
        colour=section.colour,
        charset=article.charset,
    )
    return frame(world, sheet)


def article_meta(article: Article) -> str:
    """Return the metadata of an article for programs."""
    published = article.published.isoformat()
    changed = (article.updated or article.published).isoformat()
    picture = (
        f'<meta property="og:image" content="{absolute(article.hero.path)}">\n'
        if article.hero
        else ""
    )
    data = json_ld(
        "NewsArticle",
        headline=article.title,
        datePublished=published,
        dateModified=changed,
        author={"@type": "Person", "name": article.author.name},
        articleSection=article.section.name,
    )
    return f"""<meta property="og:type" content="article">
{picture}<meta name="author" content="{article.author.name}">
<meta property="article:published_time" content="{published}">
<meta property="article:section" content="{article.section.name}">
{data}"""


def article_head(article: Article) -> str:
    """Return headline, standfirst, byline and the buttons beside it."""
    author, here = article.author, article.path
    updated = f", updated {time_tag(article.updated, 'updated')}" if article.updated else ""
    return f"""<header class="entry-header">{badge(article.section)}
<h1 class="entry-title">{escape(article.title)}</h1>
<p class="standfirst">{escape(article.standfirst)}</p>
<div class="byline">{image(here, author.picture, "avatar")}
<p>By {author_link(here, author)}<br>
<span class="meta">{time_tag(article.published)}{updated}</span></p>
<ul class="share"><li><a href="#post-{article.number}">{icon("share")}
<span class="hidden">Share</span></a></li>
<li><a href="mailto:?subject=The%20Saltmere%20Lantern">{icon("mail")}
<span class="hidden">Mail</span></a></li>
<li><a href="#comments">{icon("comment")}
{len(article.comments)}</a></li></ul></div></header>"""


def hero(article: Article) -> str:
    """Return the large picture, if there is one."""
    if article.hero is None:
        return ""
    caption = f"<figcaption>{article.hero.alt}, Saltmere. Photo: The Lantern</figcaption>"
    return f'<figure class="hero-figure">{image(article.path, article.hero)}{caption}</figure>'


def article_foot(article: Article) -> str:
    """Return the tags and, for signed articles, a word about the author."""
    slug = article.section.slug
    tags = lines(
        f'<a rel="tag" href="{rooted(f"{slug}/index.html")}?tag={tag}">{tag}</a>'
        for tag in article.tags
    )
    about = author_box(article) if article.signed else ""
    return f'<footer class="entry-footer"><p class="tags">{tags}</p>{about}</footer>'


def author_box(article: Article) -> str:
    """Return a few words about the author."""
    author = article.author
    return f"""<div class="author-box">{image(article.path, author.picture, "avatar")}
<p><b>{author_link(article.path, author)}</b>, {author.role.lower()}.
{escape(author.bio[0])}</p></div>"""


def next_articles(world: World, index: int) -> str:
    """Return links to the articles before and after."""
    here = world.articles[index].path
    links = [
        f'<a class="nav-{name}" rel="{name}" href="{relative(here, world.articles[n].path)}">'
        f"<small>{label}</small> {escape(world.articles[n].title)}</a>"
        for n, name, label in ((index + 1, "prev", "Earlier"), (index - 1, "next", "Later"))
        if 0 <= n < len(world.articles)
    ]
    return f'<nav class="post-navigation" aria-label="Articles">{lines(links)}</nav>'


def related(world: World, article: Article) -> str:
    """Return cards of related articles, if there are any."""
    if not article.related:
        return ""
    cards = lines(card(article.path, world.articles[n]) for n in article.related)
    return (
        f'<section class="related"><h2>Read on</h2><div class="card-grid">{cards}</div></section>'
    )


def comments(talk: Sequence[Comment]) -> str:
    """Return the comments with their replies, and the form for another one."""
    title = f"{len(talk)} comments" if len(talk) > 1 else "One comment" if talk else "Comments"
    thread = "".join(comment_tree(talk)) if talk else '<p class="no-comments">None yet.</p>'
    return f"""<section id="comments" class="comments-area"><h2 class="comments-title">{title}</h2>
{thread}
<form id="respond" class="comment-form" action="#comments"><h3>Leave a comment</h3>
<textarea name="comment" rows="4" aria-label="Comment"></textarea>
<input name="author" placeholder="Your name" aria-label="Name">
<button class="button" type="submit">Post it</button></form></section>"""


def comment_tree(talk: Sequence[Comment]) -> Iterator[str]:
    """Yield the comments as nested lists, opening and closing a list as the depth changes."""
    depth = -1
    for n, comment in enumerate(talk):
        if comment.depth > depth:
            yield f'\n<ol class="{"children" if comment.depth else "comment-list"}">'
        else:
            yield "</li>\n</ol>" * (depth - comment.depth) + "</li>\n"
        yield one_comment(comment, "odd" if n % 2 else "even")
        depth = comment.depth
    yield "</li>\n</ol>" * (depth + 1)


def one_comment(comment: Comment, parity: str) -> str:
    """Return a comment, its list item left open for the replies."""
    number = comment.number
    return f"""<li id="comment-{number}" class="comment {parity} depth-{comment.depth + 1}">
<article id="div-comment-{number}" class="comment-body"><p class="comment-meta"><b class="fn">
{escape(comment.name)}</b>
<a href="#comment-{number}">{time_tag(comment.when, "comment-date")}</a></p>
<p>{escape(comment.text)}</p><a class="reply" href="#respond">Reply</a></article>"""


def author_page(world: World, author: Author) -> str:
    """Write the page of an author, with all articles."""
    here = author.path
    written = [article for article in world.articles if article.author == author]
    bio = lines(f"<p>{escape(text)}</p>" for text in author.bio)
    main = f"""<header class="author-header">
<div class="wrap">{image(here, author.picture, "portrait")}
<div class="author-text"><p class="author-role">{author.role}</p>
<h1 class="page-title">{author.name}</h1>
{bio}
<ul class="author-facts"><li><b>{len(written)}</b> articles</li>
<li><a href="mailto:{author.slug}@demo.example">{icon("mail")} Write to {author.name.split()[0]}</a>
</li></ul></div></div></header>
<main id="main" class="author-main wrap"><h2 class="strip-title">Articles by {author.name}</h2>
<div class="card-grid">{lines(card(here, article) for article in written)}</div>
{colleagues(world, author)}</main>"""
    sheet = Sheet(
        path=here,
        title=author.name,
        description=f"{author.name}, {author.role.lower()} of the Lantern.",
        classes=f"archive author author-{author.slug} author-{author.number + 2}",
        main=main,
        crumbs=(("About the Lantern", "about.html"), (author.name, here)),
        head=json_ld("Person", name=author.name, jobTitle=author.role),
    )
    return frame(world, sheet)


def colleagues(world: World, author: Author) -> str:
    """Return links to the other authors."""
    links = lines(
        f'<li><a href="{relative(author.path, other.path)}">'
        f"{image(author.path, other.picture, 'avatar')} {other.name}</a></li>"
        for other in world.authors
        if other != author
    )
    return f'<section class="colleagues"><h2>Colleagues</h2><ul>{links}</ul></section>'
