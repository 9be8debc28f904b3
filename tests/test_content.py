"""Main content: what is kept, what is dropped, in what form."""

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import webstencil
from webstencil import Item, PageFile, Policy, Site, SqlStore, open_store
from webstencil.api import parsed
from webstencil.content.choose import (
    Judged,
    decide_content,
    judged_page,
    with_middle,
    with_quotes,
    without_repeats,
)
from webstencil.content.extractor import MainContent, sibling_count, sibling_shares
from webstencil.content.model import ALL_RUN_FEATURES, evened, fitted, view
from webstencil.content.run_features import (
    BLOCK_FEATURES,
    PAGE_FEATURES,
    RUN_FEATURES,
    leads_title,
    likeness,
    look,
    words_of,
)
from webstencil.content.runs import flatten
from webstencil.errors import ParseError, SettingsError
from webstencil.markup import Markup
from webstencil.markup.parse import parse
from webstencil.site.outline import OutlinedPage, hashed_texts, number_repeated, outline
from webstencil.site.site_model import SiteModel
from webstencil.site.type_votes import TYPES

MODEL = "models/content.json"
FORMATS = ("txt", "md", "html", "json", "jsonl", "xml-tei")

MENU = (
    "<nav><ul>"
    + "".join(f"<li><a href='/{n}'>Topic {n}</a></li>" for n in range(9))
    + "</ul></nav>"
)
FOOT = "<footer><p>Copyright 2020, all rights reserved. Read our terms of use.</p></footer>"
STORY = (
    "<h1>The river rose again</h1>"
    "<p>On Monday the <em>river</em> rose by <a href='/m'>two metres</a>, the town's mayor said."
    "</p>"
    "<p>Nobody was hurt, but the lower streets were closed until the evening, he added.</p>"
    "<p>More rain is expected on Tuesday, and schools in the valley will stay shut.</p>"
)
TEXT = (
    "The river rose again\n"
    "On Monday the river rose by two metres, the town's mayor said.\n"
    "Nobody was hurt, but the lower streets were closed until the evening, he added.\n"
    "More rain is expected on Tuesday, and schools in the valley will stay shut."
)


def page(inside: str, title: str = "The river rose again") -> str:
    return (
        f"<html><head><title>{title}</title></head><body>{MENU}"
        f"<div class='article-body'>{inside}</div>{FOOT}</body></html>"
    )


def test_content_is_kept_and_the_rest_is_not() -> None:
    """Menu and footer go; phrases survive inline markup; the order is that of the page."""
    found = webstencil.extract(page(STORY))

    assert found == TEXT


def test_bytes_are_read_in_their_own_encoding() -> None:
    """A page that says its charset is decoded by it."""
    text = "Vodostaj rijeke porastao je za dva metra, rekao je gradonačelnik. Škole su zatvorene."
    html = f"<html><head><meta charset='iso-8859-2'></head><body><p>{text}</p></body></html>"

    assert webstencil.extract(html.encode("iso-8859-2")) == text


def test_chinese_text_is_content() -> None:
    """A language without spaces has short paragraphs in characters, not in what they say."""
    first = (
        "去年全球共有六十例人類流感確定病例\uff0c發生於埃及、印尼、柬埔寨、中國等\uff0c"
        "並有二十個國家有疫情。"
    )
    second = (
        "衛生署提醒民眾\uff0c出國旅遊時應避免接觸禽鳥\uff0c並注意飲食衛生\uff0c"
        "回國後若有不適應儘速就醫。"
    )

    found = webstencil.extract(page(f"<p>{first}</p><p>{second}</p>", "旅遊"))

    assert found == f"{first}\n{second}"


def test_words_without_spaces_are_pairs_of_characters() -> None:
    """A headline of a script without spaces has words, too; an underscore is part of none."""
    assert words_of("the end_of it") == ["the", "end", "of", "it"]
    assert words_of("流感病例 h5n1") == ["流感", "感病", "病例", "h5n1"]
    assert words_of("naïve café") == ["naïve", "café"]


def test_a_chinese_headline_is_like_the_title_that_ends_with_the_site() -> None:
    """The headline is; the way to the page, which names the site, is not."""
    title = "去年全球共有六十例人類流感確定病例_新聞網"
    lines = ["去年全球共有六十例人類流感確定病例", "新聞網 > 要聞 > 正文"]

    shares, covers = likeness(lines, [30, 20], title)

    assert shares == [1.0, 0.0]
    assert covers[0] > 0.8
    assert 0 < covers[1] < 0.2


def test_a_year_between_chinese_characters_is_a_date() -> None:
    """Dates without spaces are seen as well as others; digits of a number are no year."""
    runs = flatten(Markup("<p>新聞2012年1月</p><p>May 2012</p><p>A12012</p><p>120123</p>".encode()))
    rows = look(runs, "x").rows

    assert rows[:, RUN_FEATURES.index("dated")].tolist() == [1.0, 1.0, 0.0, 0.0]


def test_a_page_without_text_has_no_content() -> None:
    """No text, no content, no item, no failure."""
    empty = "<html><body><div><img src='a.png'></div></body></html>"

    assert webstencil.extract(empty) == ""
    assert MainContent().items(webstencil.api.parsed(empty, "http://a.org/")) == ()


def test_what_is_no_page_is_refused() -> None:
    """Bytes that are no HTML are named, not guessed at."""
    with pytest.raises(ParseError, match="a PDF file"):
        webstencil.extract(b"%PDF-1.7 ...")


def test_a_page_that_is_all_content_is_kept_whole() -> None:
    """Where there is nothing but the text, nothing of it is dropped."""
    paragraphs = [
        f"This is sentence number {n}, and it says what there is to say." for n in range(9)
    ]
    html = "<html><body>" + "".join(f"<p>{text}</p>" for text in paragraphs) + "</body></html>"

    assert webstencil.extract(html) == "\n".join(paragraphs)


def test_a_page_that_is_no_prose_is_not_lost() -> None:
    """A reference page of code and short lines is taken whole from what is named as its body."""
    entries = "".join(f"<dt><code>name_{n}(x)</code></dt><dd>size {n}</dd>" for n in range(30))

    found = webstencil.extract(page(f"<dl>{entries}</dl>", "Reference"))

    assert "name_0(x)\nsize 0\nname_1(x)" in found
    assert "Topic" not in found


def test_of_a_list_of_headlines_more_than_a_number_is_kept() -> None:
    """Where nothing looks like content, what siblings do not repeat is better than the rest."""
    menu = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("News", "Sport", "Weather"))
    row = "<div class=item><h3><a href=/%s>%s</a></h3><a href=/%s#c>0</a></div>"
    site = Site()
    for word in ("rivers", "wells", "clouds", "ponds", "lakes"):
        listed = row % (word, f"What becomes of {word}", word)
        html = f"<title>{word}</title><ul>{menu}</ul><h1>About {word}</h1>{listed}"
        content = site.process(html, url=f"http://site.example/tag/{word}")

    assert content.text == "About lakes\nWhat becomes of lakes"


def test_a_page_that_siblings_repeat_as_a_whole_is_judged_alone() -> None:
    """Ten URLs of one article have its content, and not the first word of the menu."""
    site = Site()
    for number in range(10):
        again = page(STORY) + f"<!-- {number} -->"
        content = site.process(again, url=f"http://site.example/{number}")

    assert content.text == TEXT


def test_a_very_deep_page_is_no_problem() -> None:
    """Pages nest as deep as they like; nothing recurses."""
    deep = "<div>" * 20_000 + STORY + "</div>" * 20_000

    assert "Nobody was hurt" in str(webstencil.extract(page(deep), format="md"))


def test_markdown_keeps_what_the_marks_mean() -> None:
    """Headings, links, lists, tables, code, images and emphasis stay; classes and wrappers go."""
    inside = (
        f"{STORY}<h2 class='x'>What to do</h2><ul><li>Stay at home, if you can do so.</li>"
        "<li>Call <b>112</b> if you are in danger.</li></ul>"
        "<p>The level is read by this command, every hour, day and night:</p>"
        "<pre><code>read --level\n  --metres</code></pre>"
        "<table><tr><th>Day</th><th>Level</th></tr><tr><td>Monday</td><td>2 m</td></tr></table>"
        "<p>The photo shows the bridge at noon. <img src='b.png' alt='The bridge'> It holds.</p>"
    )

    found = webstencil.extract(page(inside), url="http://a.org/news/", format="md")

    assert found == (
        "# The river rose again\n\n"
        "On Monday the *river* rose by [two metres](http://a.org/m), the town's mayor said.\n\n"
        "Nobody was hurt, but the lower streets were closed until the evening, he added.\n\n"
        "More rain is expected on Tuesday, and schools in the valley will stay shut.\n\n"
        "## What to do\n\n"
        "- Stay at home, if you can do so.\n- Call **112** if you are in danger.\n\n"
        "The level is read by this command, every hour, day and night:\n\n"
        "```\nread --level\n  --metres\n```\n\n"
        "| Day | Level |\n| --- | --- |\n| Monday | 2 m |\n\n"
        "The photo shows the bridge at noon. ![The bridge](http://a.org/news/b.png) It holds."
    )


def test_lines_begin_and_end_without_blanks() -> None:
    """Editors leave no-break spaces there, which Markdown would spell out; inside they stay."""
    words = "Many words make a text that is long enough to be content, and this is one. " * 3
    page = f"<article><p>&nbsp; A&nbsp;b. {words}&nbsp;<br>&nbsp;{words}&nbsp; </p></article>"

    assert webstencil.extract(page, format="md").splitlines() == [
        f"A\N{NO-BREAK SPACE}b. {words.strip()}  ",
        words.strip(),
    ]


def test_html_is_a_clean_fragment() -> None:
    """Text outside of any paragraph becomes one; lines that `br` divides stay lines."""
    inside = (
        f"{STORY}<div class='wide'>The first line of the poem is here, and<br>the second one is "
        "<i class='y'>there</i>, as it <span>should</span> be.</div>"
    )

    found = webstencil.extract(page(inside), format="html")

    assert str(found).endswith(
        "<p>The first line of the poem is here, and<br>the second one is "
        "<i>there</i>, as it should be.</p>"
    )


def test_an_item_says_where_and_how_sure() -> None:
    """The item has the XPath of the smallest element around the content, and its method."""
    found = webstencil.extract(page(STORY), format="item")

    assert isinstance(found, Item)
    assert (found.kind, found.text, found.how) == ("content", TEXT, "page alone")
    assert found.xpath == "/html/body/div"
    assert 0.5 < found.confidence <= 1.0


def test_an_item_says_its_template_if_the_site_knows_it() -> None:
    """It stands beside the type; a page alone is of no template."""
    content = MainContent().content(parsed(page(STORY), None))

    known = replace(content, template="story")

    assert "template" not in dict(content.item.fields)
    assert dict(known.item.fields)["template"] == "story"


def test_a_page_without_a_url() -> None:
    """`url=None` means that it is not known, as if it was not given."""
    assert webstencil.extract(page(STORY), url=None) == TEXT
    assert Site().process(page(STORY), url=None).text == TEXT


LINKED = f"{STORY}<p>The <a href='levels/?day=1'>levels</a> of all days are on another page.</p>"
PICTURED = f"{LINKED}<figure><img src='/river.png' alt='The river'></figure>{STORY}"


def test_a_page_without_a_url_is_given_none() -> None:
    """No host is invented for it: what is relative stays so, and what is absolute too."""
    away = PICTURED + "<p>The <a href='HTTPS://Dam.example'>dam</a> upstream was opened.</p>"

    written = {form: str(webstencil.extract(page(away), format=form)) for form in FORMATS}
    content = Site().process(page(away))

    assert [form for form, text in written.items() if "localhost" in text] == []
    assert json.loads(written["json"])["url"] == content.page.url == ""
    assert "[levels](levels/?day=1)" in content.markdown
    assert "![The river](/river.png)" in written["md"]
    assert "[dam](https://dam.example/)" in written["md"]
    assert "<ptr" not in written["xml-tei"]


def test_a_page_without_a_url_may_name_its_base() -> None:
    """Then links are absolute."""
    based = page(PICTURED).replace("<head>", "<head><base href='https://town.example/river/'>")

    found = str(webstencil.extract(based, format="md"))

    assert "(https://town.example/river/levels/?day=1)" in found
    assert "(https://town.example/river.png)" in found


def test_links_of_a_single_file_stay_as_they_are_written(tmp_path: Path) -> None:
    """Whoever reads the content elsewhere has no use for a path of this machine."""
    file = tmp_path / "page.html"
    file.write_text(page(PICTURED))
    (raw,) = PageFile(file).pages()

    content = MainContent().content(parse(raw))

    assert str(tmp_path) not in content.html + content.markdown
    assert "[levels](levels/?day=1)" in content.markdown
    assert "![The river](/river.png)" in content.markdown


def test_pages_without_a_url_are_told_apart_by_their_bytes() -> None:
    """Two different ones count as two pages, the same one again as one."""
    site = Site()

    how = [site.process(html).how for html in (told(0), told(1), told(1).encode(), told(0))]

    assert how == ["page alone", "page and 1 sibling", "page and 1 sibling", "page and 1 sibling"]


def test_a_file_in_place_of_a_page_is_refused(tmp_path: Path) -> None:
    """Whoever passes a path is told what is wanted."""
    with pytest.raises(SettingsError, match="text or bytes of a page, not PosixPath"):
        webstencil.extract(tmp_path / "page.html")  # type: ignore[call-overload]  # the mistake


def test_an_unknown_format_is_refused() -> None:
    """The message names what there is."""
    with pytest.raises(SettingsError, match="not 'pdf'"):
        webstencil.extract(page(STORY), format="pdf")


NOTE = "<p>Please support our newspaper, we cannot live without the help of our many readers.</p>"


def told(number: int) -> str:
    """Write one page of a site; all have the same note in the middle of their text."""
    return page(
        f"<p>Event {'abcdefgh'[number]} took place in the old town hall, where many came to see it."
        f"</p>{NOTE}<p>It was the {'abcdefgh'[number]}th time, and certainly not the last one.</p>"
    )


def test_what_siblings_repeat_is_not_content() -> None:
    """The first page cannot know; later ones do, and so does the first when it is asked again."""
    site = Site()

    contents = [site.process(told(n), url=f"http://a.org/{n}").text for n in range(4)]
    again = site.process(told(0), url="http://a.org/0")

    assert "Please support" in contents[0]
    assert "Please support" not in contents[-1]
    assert "Please support" not in again.text
    assert again.how == "page and 3 siblings"


def test_a_store_keeps_what_the_site_teaches(tmp_path: Path) -> None:
    """The next run starts with what the last one has learned."""
    with open_store(tmp_path / "s.db") as store:
        assert isinstance(store, SqlStore)
        site = Site(store=store)
        for number in range(3):
            site.process(told(number), url=f"http://a.org/{number}")
        site.save()
    with open_store(tmp_path / "s.db") as store:
        found = Site(store=store).process(told(4), url="http://a.org/4")

    assert found.how == "page and 3 siblings"
    assert "Please support" not in found.text


def test_a_page_is_counted_once(tmp_path: Path) -> None:
    """The same job can be run again and again on the same store."""
    found = []
    for _ in range(4):
        with open_store(tmp_path / "s.db") as store:
            site = Site(store=store)
            found.append(site.process(page(STORY), url="http://a.org/"))
            site.save()

    assert [content.text for content in found] == [TEXT] * 4
    assert {content.how for content in found} == {"page alone"}


def test_a_page_that_changed_replaces_itself(tmp_path: Path) -> None:
    """In memory and in the store: siblings are compared with what it says now."""
    with open_store(tmp_path / "s.db") as store:
        site = Site(store=store)
        for number in (0, 1, 0, 2):
            site.process(told(number), url="http://a.org/")
        site.save()
        kept = store.outlines.model("a.org")
        found = site.process(told(3), url="http://a.org/3")

    assert [(one.url, one.outline) for one in kept] == [
        ("http://a.org/", outlined("http://a.org/", told(2)).outline)
    ]
    assert found.how == "page and 1 sibling"


def outlined(url: str, html: str) -> OutlinedPage:
    return OutlinedPage(url, outline(webstencil.api.parsed(html, url)))


def hashes(*texts: str) -> list[int]:
    return number_repeated(hashed_texts(texts)[0])


def test_shares_are_of_other_pages() -> None:
    """A page does not count for itself, nor do digits; two more pages are taken to be without."""
    model = SiteModel(
        [
            outlined("http://a.org/1", "<p>12 Comments</p><p>Home</p>"),
            outlined("http://a.org/2", "<p>3 comments</p>"),
        ]
    )
    texts = hashes("7 comments", "Home", "Elsewhere")

    assert sibling_shares(texts, model, "http://a.org/3") == [2 / 4, 1 / 4, 0]
    assert sibling_shares(texts, model, "http://a.org/1") == [1 / 3, 0, 0]
    assert [sibling_count(model, f"http://a.org/{number}") for number in (1, 3)] == [1, 2]
    assert sibling_shares(texts, SiteModel(), "http://a.org/1") == [0, 0, 0]


def test_a_page_that_changed_is_spared_what_it_said_before() -> None:
    """And nothing else: what it says since, others may have said first."""
    model = SiteModel(
        [
            outlined("http://a.org/1", "<p>Home</p><p>Old news</p>"),
            outlined("http://a.org/2", "<p>Home</p><p>New words</p>"),
        ]
    )

    found = sibling_shares(hashes("Home", "New words", "Old news"), model, "http://a.org/1")

    assert found == [1 / 3, 1 / 3, 0]


COMMENTED = STORY + (
    "<div id='comments' class='comments-area'><h3>2 comments</h3><ol class='comment-list'>"
    "<li class='comment'><div class='comment-author'>Ada, May 4</div><div class='comment-content'>"
    "<p>I saw it myself, and it was worse than you say.</p></div><a href='#1'>Reply</a></li>"
    "<li class='comment'><div class='comment-author'>Bo, May 5</div><div class='comment-content'>"
    "<p>Nobody told us anything until it was over.</p></div><a href='#2'>Reply</a></li></ol>"
    "<h3>Leave a reply</h3></div>"
)


def test_policies_choose_what_belongs_to_the_content() -> None:
    """Comments come only when they are wanted; tables and captions go when they are not."""
    table = "<table><tr><th>Day</th><th>Level</th></tr><tr><td>Monday</td><td>2 m</td></tr></table>"
    caption = (
        "<figure><figcaption>The old bridge at noon, as seen from the hill.</figcaption></figure>"
    )
    bare = Policy(tables=False, captions=False)

    assert "I saw it myself" not in webstencil.extract(page(COMMENTED))
    assert "I saw it myself" in webstencil.extract(page(COMMENTED), policy=Policy(comments=True))
    assert webstencil.extract(page(STORY + table + caption), policy=bare) == TEXT


def test_the_page_stays_as_it_is() -> None:
    """Extraction reads the parsed page and changes nothing in it."""
    parsed = webstencil.api.parsed(page(COMMENTED), "http://a.org/")
    before = parsed.markup.root.serialize()

    content = MainContent().content(parsed)
    written = (content.text, content.html, content.markdown, content.item)

    assert all(written)
    assert parsed.markup.root.serialize() == before


def test_there_is_a_weight_for_each_feature() -> None:
    """The model names the features in their order, and every run has them all."""
    known = json.loads(files("webstencil.content").joinpath(MODEL).read_text())
    runs = flatten(Markup(page(STORY).encode()))
    seen = look(runs, "x")

    assert list(known["network"]["inputs"]) == list(ALL_RUN_FEATURES)
    assert seen.rows.shape == (len(runs), len(RUN_FEATURES) + len(BLOCK_FEATURES))
    assert len(seen.page) == len(PAGE_FEATURES)


def test_a_heading_that_the_title_begins_with_is_the_page_s() -> None:
    """Though the name of the site is most of the title, as in a reference."""
    text = "<p>A widget that emits a signal when clicked on. It can hold any valid child.</p>" * 2
    html = f"<title>Button: The 3rd Reference Manual of the Kit</title><h2>Button</h2>{text}"

    assert webstencil.extract(html, format="md").startswith("## Button\n")
    assert [
        leads_title(line, "button: the manual") for line in ("button", "but", "the manual")
    ] == [*(True, False, False)]


def test_a_run_knows_the_texts_it_is_made_of() -> None:
    """With the blank ones between them; what is not read is none of them."""
    runs = flatten(Markup(b"<p>a <b>b</b> <i>c</i><button>no</button>d</p><p>e</p>"))

    assert [[node.data for node in runs.nodes(run)] for run in range(len(runs))] == [
        ["a ", "b", " ", "c", "d"],
        ["e"],
    ]


def test_buttons_that_show_a_text_are_its_headings() -> None:
    """The questions of an FAQ are often buttons, in a heading or not; others are not read."""
    html = """<h3><span><button>Opening hours</button></span></h3><p>From nine to five.</p>
    <div><button aria-expanded="false">The way to us <svg></svg></button><p>By bus.</p></div>
    <div><button>Is it free?</button><p>It is. <button>Share</button></p></div>"""

    assert flatten(Markup(html.encode())).texts == [
        *("Opening hours", "From nine to five.", "The way to us", "By bus."),
        *("Is it free?", "It is."),
    ]


def test_runs_follow_blocks_and_line_breaks() -> None:
    """A run is the inline text between two borders; a blank between elements parts words."""
    runs = flatten(Markup(b"<div>a <b>b</b><i>c</i><br>d<p>e <span> f</span></p> g</div>"))

    assert runs.texts == ["a bc", "d", "e f", "g"]
    assert [runs.tags[block] for block in runs.blocks] == ["div", "div", "p", "div"]


def test_a_headline_that_siblings_link_to_is_kept() -> None:
    """What the title says is the headline, though half of the siblings have it in a menu."""
    name = "The river rose again"
    site = Site()
    for number in range(6):
        menu = f"<ul><li><a href='/r'>{name}</a></li></ul>" if number < 4 else ""
        html = told(number).replace("<body>", f"<body>{menu}")
        site.process(html, url=f"http://a.org/{number}")

    found = site.process(page(STORY, name), url="http://a.org/river")

    assert found.text == TEXT


@pytest.mark.parametrize("above", ["", "<h1>River Blog</h1>"])
@pytest.mark.parametrize("tag", ["h2", "h3"])
def test_the_heading_of_a_page_is_content(tag: str, above: str) -> None:
    """Where `h1` is missing or the name of the site; the byline below does not come along."""
    name = "The river rose again"
    head = f"<{tag}>{name}</{tag}><div class='byline'>By Ann Bly, 3 May</div>"
    top = f"<header class='masthead'>{above}<a href='/'>Home</a>{head}</header>"
    story = STORY.replace(f"<h1>{name}</h1>", "")
    html = page(story, f"{name} | River Blog").replace("<body>", f"<body>{top}")

    assert webstencil.extract(html) == TEXT


def test_a_quote_of_what_was_said_is_left_out_as_a_whole() -> None:
    """In threads a text is said once; a quote with holes would be of no use."""
    said = "<p>I think that the river will rise again in May.</p><p>Really.</p>"
    answer = "<p>So do I, and nobody is ready for it.</p>"
    page = f"<div>{said}</div><div><blockquote>{said}</blockquote>{answer}</div>"
    runs = flatten(Markup(page.encode(), "utf-8"))

    assert without_repeats(runs, range(len(runs))) == [0, 1, 4]


def test_a_quote_inside_an_article_is_content() -> None:
    """A post from elsewhere between two texts is read with them, if it is more than links."""
    text = "<p>The mayor wrote of it.</p>"
    quote = "<blockquote class='twitter-tweet'><p>{}</p>Ann (@ann)</blockquote>"
    inside = (
        text
        + quote.format("So wet!")
        + text
        + quote.format("<a href='/a'>Further reading on rain</a>")
        + text
    )
    runs = flatten(Markup(inside.encode(), "utf-8"))

    assert with_quotes(runs, [0, 3, 6], inside=True) == [0, 1, 2, 3, 6]
    assert with_quotes(runs, [0, 3, 6], inside=False) == [0, 3, 6]


def test_what_is_alike_is_taken_alike() -> None:
    """In cards and posts one that differs is drawn to the others, whatever siblings repeat."""
    odds, places = np.array([2.0, 2.0, -1.0, 0.5]), np.array([0, 0, 0, 1])

    found = evened(odds, places, np.array([True, True, True, True])).round(1).tolist()
    repeated = evened(odds, places, np.array([True, True, False, True])).round(1).tolist()

    assert found == [1.2, 1.2, 0.6, 0.5]
    assert repeated == [2.0, 2.0, 1.4, 0.5]


def test_what_is_below_the_heading_of_a_page_is_not_in_its_middle() -> None:
    """It is the place of bylines; what stands between two texts is in the middle."""
    lines = ["<h1>Rain</h1>", "<div>Ann, 8.30 h</div>", "<p>It rained on the town all day.</p>"]
    runs = flatten(Markup("".join([*lines, "<div>Sunday</div>", lines[-1]]).encode(), "utf-8"))

    assert with_middle(runs, [0, 2, 4], [False] * 5, heading=0) == [0, 2, 3, 4]


@pytest.mark.parametrize(
    ("around", "stays"),
    [
        ("<div>{}</div>", True),
        ("<div role='dialog'><div>{}</div></div>", False),
        ("<div role='alert'>{}</div>", False),
        ("<footer>{}</footer>", False),
        ("<section role='region'>{}</section>", True),
    ],
)
def test_what_stands_apart_is_no_content(around: str, *, stays: bool) -> None:
    """Dialogs and alerts are not shown unless something happens, however they read."""
    text = "<p>You can bring it back within thirty days, and we pay for it.</p>"
    page = parsed(f"<body>{STORY}{around.format(text)}</body>", "http://a.org/")
    seen = view(page, flatten(page.markup), fitted().known)
    sure = replace(fitted().network, bias=99.0)

    found = judged_page(seen, "", [0.0] * len(seen.runs), replace(fitted(), network=sure)).scores

    assert [score > 0.5 for score in found] == [True] * 4 + [stays]


@pytest.mark.parametrize("above", ["<a href='http://c.org/'>A map of all rivers</a>", STORY])
def test_a_page_about_what_readers_say_has_it_as_content(above: str) -> None:
    """Below a bare link comments are all there is to read; below an article they stay out."""
    said = [f"That is what {name} had to say of it, and at some length." for name in ("Ann", "Bo")]
    comments = "".join([f"<div class='comment'><p>{text}</p></div>" for text in said])
    runs = flatten(Markup(f"<body>{above}{comments}</body>".encode(), "utf-8"))
    scores = [0.0 if text in said else 0.9 for text in runs.texts]

    nobody = (0.0,) * len(TYPES)
    chosen = decide_content(Judged(runs, [0.0] * len(runs), look(runs, ""), scores, nobody)).runs

    assert ([runs.texts[run] for run in chosen][-2:] == said) == (above != STORY)


def test_a_heading_of_another_page_is_no_heading() -> None:
    """It is not like the title, or it stands below the content."""
    name = "The river rose again"
    html = page(STORY, name).replace("</body>", "<h2>The harbour closed again</h2></body>")

    assert "The harbour closed again" not in webstencil.extract(html)


def test_a_text_of_the_menu_can_be_content_too() -> None:
    """What all pages have once, in their menu, is not repeated where a page says it again."""
    line = "<li><a href='/4'>Topic 4</a> and all that belongs to it, as of today.</li>"
    site = Site()
    for number in range(5):
        site.process(told(number), url=f"http://a.org/{number}")
    three = hashes("Topic 4", "Other", "topic 5")

    found = site.process(page(STORY + f"<ul>{line}</ul>"), url="http://a.org/river")

    assert "Topic 4 and all that belongs to it" in found.text
    assert len(set(three)) == 3
    assert three[0] == hashes("Topic 7")[0]


def test_a_refrain_is_kept_and_a_copy_is_not() -> None:
    """A line that comes again in the text is part of it; the whole text once more is not."""
    line = "<p>Stir it well, and let it stand for five minutes before you go on.</p>"
    steps = "".join(
        f"<p>Step {word}: take a spoon of it and add it to the {word} bowl on the table.</p>{line}"
        for word in ("first", "second", "third")
    )

    refrain = str(webstencil.extract(page(STORY + steps)))
    copied = str(webstencil.extract(page(STORY + f"<div>{STORY}</div>")))

    assert refrain.count("Stir it well") == 3
    assert copied.count("Nobody was hurt") == 1


def test_a_hidden_copy_in_one_piece_is_left_out() -> None:
    """A text that machines get once more, hidden and without paragraphs, is given once."""
    copy = " ".join(TEXT.split("\n")[1:])
    hidden = f"<div style='display:none'><div itemprop='articleBody'>{copy}</div></div>"

    assert webstencil.extract(page(STORY + hidden)) == TEXT


def test_links_of_headings_to_themselves_are_left_out() -> None:
    """Manuals have them, as a sign; other links into the page are words like all others."""
    sign = STORY.replace("</h1>", "<a href='#river'> ¶</a></h1>")
    word = STORY.replace("The river rose", "The <a href='#river'>river</a> rose")

    assert webstencil.extract(page(sign)) == webstencil.extract(page(word)) == TEXT
    assert webstencil.extract(page(sign), format="md").startswith("# The river rose again\n")


def test_short_items_of_a_list_come_with_the_rest() -> None:
    """A list that is mostly content is taken whole, whatever its short items score."""
    items = "".join(
        f"<li>{text}</li>"
        for text in (
            "The lower streets, which were closed on Monday evening, are open again.",
            "Salt",
            "The bridge stays closed, as the police said, until the end of the week.",
        )
    )

    assert "\nSalt\n" in str(webstencil.extract(page(f"{STORY}<ul>{items}</ul>")))


def test_tables_of_short_cells_are_data() -> None:
    """A table need not say that it holds data if all its cells are short."""
    rows = "".join(f"<tr><td>{day}</td><td>2 m</td></tr>" for day in ("Mon", "Tue", "Wed"))

    assert "Tue\n2 m" in str(webstencil.extract(page(f"{STORY}<table>{rows}</table>")))


def test_links_to_related_articles_are_no_content() -> None:
    """Teasers of other articles are articles too; their section says that they are related."""
    teasers = "".join(f"<li><a href='/{n}'>Story {n} of the year</a></li>" for n in range(6))
    related = f"<aside class='related-stories'><h3>Related</h3><ul>{teasers}</ul></aside>"

    assert webstencil.extract(page(f"{STORY}{related}")) == TEXT


APIS = "".join(f'<li><a href="https://docs.example/{name}">{name}</a></li>' for name in "abcdef")


@pytest.mark.parametrize("lead", ["<h3>Stabilized APIs</h3>", "<p>These are new:</p>"])
def test_a_list_of_links_between_content_is_kept(lead: str) -> None:
    """It stands below a heading or a paragraph of the content, and content follows."""
    html = page(f"{STORY}{lead}<ul>{APIS}</ul>{STORY.replace('snow', 'rain')}")

    assert "a\nb\nc\nd\ne\nf" in str(webstencil.extract(html))


def test_a_list_of_the_pages_below_is_content() -> None:
    """A chapter lists its sections; a list of other pages is a menu."""
    names = ("reader", "writer", "viewer", "parser")
    below = "".join(f'<li><a href="corpus.{one}.html">corpus.{one}</a></li>' for one in names)
    html = page(f"{STORY}<div><h3>Modules</h3><div><ul>{below}</ul></div></div>{STORY}")
    found = str(webstencil.extract(html, url="http://site.example/api/corpus.html"))

    assert "corpus.reader\ncorpus.writer\ncorpus.viewer\ncorpus.parser" in found


def test_tables_that_are_not_wanted_stay_out() -> None:
    """Also those between content."""
    rows = "".join(f"<tr><td>{day}</td><td>2 m</td></tr>" for day in ("Mon", "Tue", "Wed"))
    html = page(f"{STORY}<table>{rows}</table><p>{'The snow will melt, they say. ' * 4}</p>")

    assert "2 m" not in str(webstencil.extract(html, policy=Policy(tables=False)))
