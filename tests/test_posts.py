"""Posts of forum threads, on pages made up for each way of writing them."""

import pytest

from webstencil.content.extractor import MainContent
from webstencil.items.posts import day_of, days_first, looks_like_thread, posts, posts_of
from webstencil.markup.parse import parse
from webstencil.model import Item, RawPage

SAID = (
    "My pump has been leaking since I changed the seal, and the basement is wet every morning.",
    "Did you clean the groove before you put the new seal in? A little grit is all that it takes.",
    "I had the same last year, and in the end it was the bolt that was not tight enough at all.",
    "Thank you both, it was the bolt, and now the floor stays dry for the first time in a week.",
)
NAMES = ("wet_anna", "Boris42", "clara.k", "wet_anna")
DAYS = ("2020-03-04", "2020-03-05", "2020-03-17", "2021-01-02")


def thread(post: str) -> str:
    """Write a page with a post for each text; `post` has places for name, day and text."""
    written = "".join(
        post.format(name=name, day=day, said=said, us=us_day(day))
        for name, day, said in zip(NAMES, DAYS, SAID, strict=True)
    )
    menu = "<nav><a href=/>Home</a> <a href=/new>New posts</a></nav>"
    return f"<title>Pump leaks</title>{menu}<h1>Pump leaks</h1><main>{written}</main>"


def us_day(day: str) -> str:
    year, month, of_month = day.split("-")
    return f"{month}-{of_month}-{year}"


def found(html: str) -> tuple[Item, ...]:
    """Return the posts, whatever type the page is of."""
    page = parse(RawPage("https://forum.example/t/pump-leaks/12", html.encode()))
    return posts_of(MainContent().content(page))


@pytest.mark.parametrize(
    "post",
    [
        # told to programs
        "<div class=post itemprop=comment><span itemprop=author><span itemprop=name>{name}</span>"
        "</span><time itemprop=datePublished datetime={day}>a while ago</time><p>{said}</p></div>",
        # classes, and the day on which the author came
        "<article class=message><div class=user><a class=avatar href=/members/1/>X</a>"
        "<a class=username href=/members/1/>{name}</a><dl><dt>Joined</dt><dd>Mar 1, 2009</dd></dl>"
        "</div><div class=head><time datetime={day}T10:00:00Z>old</time></div>"
        "<div class=text><p>{said}</p></div></article>",
        # links, and a day that only the other posts explain
        "<table class=tborder><tr><td>{us}, 08:14 PM</td></tr><tr><td>"
        "<a href='member.php?u=7'>{name}</a></td><td><p>{said}</p></td></tr></table>",
        # a byline
        "<div class=box><p class=author>by <a href=/users/x>{name}</a> » {day}</p>"
        "<div class=content>{said}</div></div>",
        # quotes and comments name others
        "<div class=answer><blockquote><a class=username href=/u/z>Zoe</a> <time "
        "datetime=1999-01-01>1999</time></blockquote><p>{said}</p><a class=username "
        "href=/u/1>{name}</a> <time datetime={day}>old</time><ul class=comments><li class=comment>"
        "<a class=username href=/u/y>Yves</a><time datetime=2001-01-01>2001</time></ul></div>",
    ],
)
def test_each_post_has_its_author_and_its_day(post: str) -> None:
    """However the forum tells them."""
    items = found(thread(post))

    assert [dict(item.fields) for item in items] == [
        {"author": name, "date": day} for name, day in zip(NAMES, DAYS, strict=True)
    ]
    assert all(said in item.text for said, item in zip(SAID, items, strict=True))
    assert {item.kind for item in items} == {"post"}


def test_a_post_can_be_found_again_and_does_not_begin_with_its_byline() -> None:
    """Selector and XPath lead to the post; the text is what its author wrote."""
    html = thread("<div class=box><p class=by><a href=/users/x>{name}</a> {day}</p>{said}</div>")
    page = parse(RawPage("https://forum.example/t/1", html.encode()))

    items = posts_of(MainContent().content(page))

    for item, said, name in zip(items, SAID, NAMES, strict=True):
        (element,) = page.markup.select(item.selector)
        assert element.attr("class") == "box"
        assert name in element.text
        assert item.text == said
        assert item.xpath.startswith("/html")


def test_a_post_may_lack_its_day() -> None:
    """What is not told is not guessed, and the confidence is lower."""
    items = found(thread("<div class=post><b class=username>{name}</b><p>{said}</p></div>"))

    assert [dict(item.fields) for item in items] == [{"author": name} for name in NAMES]
    assert {item.confidence for item in items} == {0.7}


def test_pages_without_posts_give_none() -> None:
    """Articles, one post, nothing at all, and what is nested deeply."""
    article = "<h1>A walk</h1><p class=author>Ann Lee</p>" + "".join(f"<p>{text}" for text in SAID)
    deep = "<div class=post>" * 5_000 + "<b class=username>anna</b> 2020-03-04 hello there"
    for html in (article, "<p>", "<div class=post><b class=username>anna</b> hello</div>", deep):
        assert found(html) == ()
    assert posts(parse(RawPage("https://a.example/a-walk.html", article.encode()))) == ()


def test_a_thread_is_told_from_other_pages() -> None:
    """By its type, or by posts that make up a page which may be a forum; a menu is no post."""
    post = (
        "<article class='message message--post'><a class=username href=/members/1/>{name}</a>"
        "<time datetime={day}>old</time><div class=message-body>{said}</div>"
        "<a href=/reply>Reply</a></article>"
    )
    told = '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>'
    url = "https://forum.example/threads/pump-leaks.12/"
    page = parse(RawPage(url, (told + thread(post)).encode()))

    assert [dict(item.fields)["author"] for item in posts(page)] == list(NAMES)
    content = MainContent().content(page)
    assert looks_like_thread(content, posts_of(content))
    assert not looks_like_thread(content, ())
    assert not looks_like_thread(content, posts_of(content)[:1])


def test_days_are_read_as_the_whole_thread_allows() -> None:
    """3/4/2020 is in March if another post is of 3/17/2020; alone it stays as it is."""
    assert days_first(["3-4-2020", "3/17/2020"]) is False
    assert days_first(["3/4/2020", "17/3/2020"]) is True
    assert days_first(["3/4/2020"]) is None
    assert days_first(["3/4/2020"], "en-US") is None
    assert days_first(["3/4/2020"], "fr") is True
    assert day_of("03-04-2020, 08:14 PM", day_first=True) == "2020-04-03"
    assert day_of("03-04-2020", day_first=None) == "03/04/2020"
    assert day_of("two hours ago", day_first=None) == ""
