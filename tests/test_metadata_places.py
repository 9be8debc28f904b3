"""Where facts of a page are looked for, and what is cut from titles and names."""

import pytest
from builders import page_of

from webstencil.evaluate.metadata import is_near_title
from webstencil.items.authors import authors, cleaned_name
from webstencil.items.dates import find_date
from webstencil.items.json_ld import folder_signs
from webstencil.items.metadata import metadata
from webstencil.items.page_dates import dates
from webstencil.items.reading import (
    ASIDE,
    OWN,
    REPLIES,
    FactCandidate,
    PagePlaces,
    heading_text,
    read_facts,
)
from webstencil.items.titles import titles
from webstencil.markup.source import mended

LD = '<script type="application/ld+json">%s</script>'
ARTICLE = '{"@type": "NewsArticle", "headline": "Rain", "datePublished": "%s"}'


def facts_of(html: str, url: str = "http://site.example/rain-in-rome.html") -> dict[str, str]:
    """Return the facts of a page."""
    return {item.kind: item.text for item in metadata(page_of(html, url))}


def dates_of(html: str) -> list[FactCandidate]:
    """Return the candidates for a page's date."""
    return list(dates(read_facts(page_of(html))))


def test_what_is_around_the_heading_is_the_page_whatever_its_name() -> None:
    """A container named after comments that holds the heading holds no replies."""
    html = (
        "<div class=with-comments><h1>Rain</h1><p>a</p><div id=comments><p>b</p></div>"
        "<aside><p>c</p></aside><article><footer><p>d</p></footer></article><footer><p>e</p></div>"
    )
    root = page_of(html).markup.root
    places = PagePlaces(root.select_one("h1"))

    assert [places.of(one) for one in root.select("p")] == [OWN, REPLIES, ASIDE, OWN, ASIDE]


def test_a_date_behind_a_label_is_found_anywhere() -> None:
    """As at the end of a text, where no element is named after dates."""
    text = "<p>It rains in Rome today, and in Milan.</p>" * 40
    head = LD % ARTICLE.replace("%s", "")
    html = f"<head>{head}<body><h1>Rain</h1>{text}<p>Published: <b>May 3, 2021</b>"

    assert facts_of(html)["date"] == "2021-05-03"


def test_a_date_of_the_page_stays_though_an_entry_repeats_it() -> None:
    """A list of others below it may have something of the same day."""
    entries = "<h2><a href=/snow>Snow in Rome</a></h2><span>3 May 2021</span>"
    line = "<p class=byline>Published on 3 May 2021 by Ann Lee</p>"

    assert facts_of(f"<h1>Rain in Rome</h1>{line}{entries}")["date"] == "2021-05-03"


def test_an_ambiguous_date_means_what_the_page_tells_elsewhere() -> None:
    """Whatever its language."""
    html = (
        f"<html lang=en-US><head>{LD % ARTICLE % '2023-10-03'}<body><h1>Rain</h1>03/10/2023<p>Text"
    )

    assert [item.hows for item in dates_of(html)] == [
        ["JSON-LD datePublished", "script", "near heading"]
    ]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2023 Jan 7", "2023-01-07"),
        ("11-29-2024", "2024-11-29"),
        ("29-11-2024, 09:01", "2024-11-29"),
    ],
)
def test_further_forms_of_dates(text: str, day: str) -> None:
    """As journals and forums write them."""
    found = find_date(text)

    assert found is not None
    assert found.iso == day


def test_a_title_keeps_its_parts_but_for_the_name_of_the_site() -> None:
    """A part of a series is no site's name."""
    name = "How we made it rain - Part One"
    html = (
        f"<title>{name} | The Site</title><meta property=og:title content='{name}'><h1>{name}</h1>"
    )

    assert facts_of(html, "http://site.example/how-we-made-it-rain-part-one")["title"] == name


def test_buttons_and_drawings_in_a_heading_are_not_read() -> None:
    """As a documentation generator puts one behind each title."""
    page = page_of(
        "<h1>Crate rain <svg><title>Rain</title></svg><button>Copy item path</button></h1>"
    )
    heading = page.markup.root.select_one("h1")

    assert heading is not None
    assert heading_text(heading) == "Crate rain"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Rain in Rome / Weather / Cloudy Forums", "Cloudy Forums"),
        ("What rain is: a guide | Cloudy", "Cloudy"),
        ("Cloudy: the weather » Rain in Rome", "Cloudy: the weather"),
        ("Rain in Rome", ""),
    ],
)
def test_a_site_is_named_in_the_title_element(title: str, name: str) -> None:
    """By its place behind the page's own title, or by its host."""
    html = f"<html><head><title>{title}</title><body><h1>Rain in Rome</h1>"

    assert facts_of(html, "http://cloudy.example/rain-in-rome").get("site_name", "") == name


@pytest.mark.parametrize(
    ("markup", "licence"),
    [
        ("<p><a href=https://creativecommons.org/licenses/by/4.0/>CC</a>", "by/4.0/"),
        ("<figure><a href=https://creativecommons.org/licenses/by/2.0/>photo</a></figure>", ""),
        ("<p><a href=https://creativecommons.org/licenses/>what is this</a>", ""),
        ("<meta name=dc.rights content='Copyright Ann Lee 2020'>", ""),
    ],
)
def test_the_licence_is_of_the_page(markup: str, licence: str) -> None:
    """Not of a picture in it, and no claim of all rights."""
    assert facts_of(f"<h1>Rain</h1>{markup}").get("licence", "").endswith(licence)
    assert bool(facts_of(f"<h1>Rain</h1>{markup}").get("licence")) is bool(licence)


def test_a_canonical_address_has_a_host_of_the_web() -> None:
    """A slip of the pen is passed over."""
    head = "<link rel=canonical href=https://paths/17><meta property=og:url content=/rain>"

    assert facts_of(f"<head>{head}<body><h1>Rain</h1>")["canonical"] == "http://site.example/rain"


def test_a_link_to_an_entry_is_no_name() -> None:
    """Titles of entries may look like names."""
    rows = "".join(
        f"<tr><td>July {n}<td><a href=/{n}>Announcing Rust 1.{n}</a>" for n in range(1, 9)
    )

    assert "author" not in facts_of(f"<h1>The Rust Blog</h1><table>{rows}</table>")


def test_a_name_has_no_half_a_bracket() -> None:
    """It was cut from a sentence."""
    assert cleaned_name("Ann Lee (Rome)") == "Ann Lee"
    assert "author" not in facts_of("<h1>Rain</h1><p>by 9) and a talk about Rain</p><p>Text")


def test_titles_are_near_but_for_a_name() -> None:
    """Before or behind either of them."""
    pairs = [("A b", "A b | Site"), ("Site - A b", "A b"), ("A b", "A - b - c"), ("A", "B | C")]

    assert [is_near_title(*pair) for pair in pairs] == [True, True, True, False]


def test_every_part_of_a_title_is_a_candidate() -> None:
    """With what is told, and with what is shown."""
    found = [
        one.text for one in titles(read_facts(page_of("<title>A b | C d</title><h1>E f</h1>")))
    ]

    assert found == ["E f", "A b | C d", "A b", "C d"]


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("<span class='label label--blue'>News</span> Rain in Rome", "Rain in Rome"),
        ("<span class=label>Rain in Rome</span>", "Rain in Rome"),
        ("<b class=wide>Rain in Rome</b> <b class=narrow>Rain in Rome</b>", "Rain in Rome"),
        ("Bora Bora Island", "Bora Bora Island"),
    ],
)
def test_a_heading_is_said_once_and_without_labels(heading: str, said: str) -> None:
    """As forums put labels before it, and pages repeat it for another width of the screen."""
    node = page_of(f"<h1>{heading}</h1>").markup.root.select_one("h1")

    assert node is not None
    assert heading_text(node) == said


def test_a_page_of_a_book_has_the_heading_of_its_main_element() -> None:
    """The heading above is the book's."""
    html = (
        "<title>What is rain? - The Book of Weather</title><h1>The Book of Weather</h1>"
        "<main><h2>What is rain?</h2><p>Text</main>"
    )

    assert (
        facts_of(html, "http://site.example/book/ch04-what-is-rain.html")["title"]
        == "What is rain?"
    )


def test_home_is_no_title_if_there_is_another() -> None:
    """As start pages are named by those who make them."""
    html = "<title>Home - The Weather Blog</title><meta property=og:title content=Home><p>Text"
    found = [one.text for one in titles(read_facts(page_of(html)))]

    assert found == ["Home - The Weather Blog", "The Weather Blog"]
    assert facts_of("<h1>Home</h1><p>Text")["title"] == "Home"


def test_a_reply_has_the_title_of_its_thread() -> None:
    """Without the word before it."""
    html = "<title>Rain in Rome - Cloudy Forums</title><h3>Re: Rain in Rome</h3><p>Text"

    assert facts_of(html)["title"] == "Rain in Rome"


def test_what_was_encoded_twice_is_mended() -> None:
    """In titles and names, also beside letters that were encoded once."""
    heading = "Fenêtre d'été".encode().decode("cp1252")
    html = f"<title>{heading} | Météo</title><h1>{heading}</h1><p>Text"

    assert heading == "FenÃªtre d'Ã©tÃ©"
    assert facts_of(html)["title"] == "Fenêtre d'été"


def test_texts_that_only_look_as_if_they_were_encoded_twice_stay() -> None:
    """Letters with accents are letters."""
    names = ["NÃO", "château", "Â", "Ô Canada", "Ångström", "It's"]

    assert [mended(name) for name in names] == names


def test_a_thread_without_marked_dates_is_dated_by_its_first_line_with_a_time() -> None:
    """Not by the day on which a member joined."""
    post = "<div><b>ann</b><p>Joined: Jul 24, 2017</p><p>{} May 2021, 16:26</p><p>Rain.</p></div>"
    posts = "".join(post.format(day) for day in (3, 4, 5))
    page = page_of(f"<p>{'Cloudy<br>' * 30}</p>{posts}", "http://site.example/viewtopic.php?t=7")
    found = {day: one.signs for day, one in dates(read_facts(page)).known.items()}

    assert list(found) == ["2021-05-03"]
    assert found["2021-05-03"] >= {"line with time", "first of thread"}


def test_dates_of_data_in_attributes_are_read() -> None:
    """As programs of pages leave their state, with quotes written as entities."""
    state = "{&quot;datePublished&quot;:&quot;2025-11-17T09:00&quot;}"
    (found,) = dates_of(f"<h1>Rain</h1><div data-state='{state}'></div><p>Text")

    assert (found.text, found.hows) == ("2025-11-17", ["script"])


def test_dates_of_journals_are_dates_of_publication() -> None:
    """As the elements for search engines of scholars tell them."""
    (found,) = dates_of("<head><meta name=citation_date content=2019/06/25><body><h1>Rain</h1>")

    assert (found.text, found.signs) == ("2019/06/25", {"meta published"})


def test_dates_of_scripts_do_not_make_a_list_of_a_page() -> None:
    """What other articles are in the page's data, no reader sees."""
    data = ",".join(f'{{"publishedAt":"2020-0{n % 9 + 1}-1{n % 7}"}}' for n in range(20))
    page = f"<h1>Rain in Rome</h1><p>Updated May 3, 2021</p><p>Text</p><script>[{data}]</script>"

    assert facts_of(page)["date"] == "2021-05-03"


def test_a_byline_in_a_heading_is_no_entry_of_a_list() -> None:
    """Though it is a link in a heading, what follows is about the page."""
    line = "<h4 class=author-name>By <a href=/editors>Ann Lee</a></h4><p>12.12.2020</p>"
    facts = facts_of(f"<h1>Rain in Rome</h1>{line}<p>It rains.")

    assert (facts["author"], facts["date"]) == ("Ann Lee", "2020-12-12")


@pytest.mark.parametrize(
    "box",
    [
        "<div class=author><b>AL</b><span>Ann Lee</span><i>12 posts</i></div>",
        f"<div class=author-info><p>Ann Lee</p><p>{'She writes about rain. ' * 20}</p></div>",
    ],
)
def test_a_box_about_an_author_has_the_name_in_one_of_its_texts(box: str) -> None:
    """Beside initials, roles or a biography."""
    known = {one.text for one in authors(read_facts(page_of(f"<h1>Rain</h1><p>Text</p>{box}")))}

    assert "Ann Lee" in known


@pytest.mark.parametrize(
    "line", ["Written by Ann Lee", "Author: Ann Lee", "Posted by Ann Lee at 9"]
)
def test_a_name_behind_a_label_is_found_anywhere(line: str) -> None:
    """As at the end of a text, where no element is named after authors."""
    text = "<p>It rains in Rome today, and in Milan.</p>" * 40

    assert facts_of(f"<h1>Rain in Rome</h1>{text}<p>{line}</p>")["author"] == "Ann Lee"


def test_a_name_may_have_a_role_before_its_date() -> None:
    """In one line."""
    line = "<p>Ann Lee | Senior Writer | July 2, 2020</p>"

    assert facts_of(f"<h1>Rain in Rome</h1>{line}<p>Text")["author"] == "Ann Lee"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Ann Lee, Trial Attorney at Rain & Sons", "Ann Lee"),
        ("Ann Lee, rain expert and educator", "Ann Lee"),
        ("Ann Lee Senior Autos Reporter", "Ann Lee"),
        ("Bo d'Antras", "Bo d'Antras"),
    ],
)
def test_roles_are_no_part_of_a_name(line: str, name: str) -> None:
    """Behind a comma, or a word of rank."""
    assert cleaned_name(line) == name


def test_lists_of_the_same_names_are_one() -> None:
    """However they are joined."""
    article = '{"@type": "Article", "author": ["Ann Lee", "Bo Ray", "Cy Fox"]}'
    line = "<p class=byline>By Ann Lee, Bo Ray, and Cy Fox</p>"
    known = list(authors(read_facts(page_of(f"{LD % article}<h1>Rain</h1>{line}"))))

    assert [one.hows for one in known if one.text.endswith("Cy Fox")] == [
        ["JSON-LD author", "class", "near heading"]
    ]


def test_the_folder_of_a_country_has_no_people() -> None:
    """/us/ is no beginning of the addresses of users."""
    links = "<a href=/us/rain>Rain Today</a><a href=/u/ann>ann</a>"

    assert [one.text for one in read_facts(page_of(f"<h1>Rain</h1>{links}")).signed] == ["ann"]


@pytest.mark.parametrize(
    ("path", "signs"),
    [
        ("/blog/rain-in-rome/", ["path of articles"]),
        ("/blog/index.html", []),
        ("/blog/page/3/", ["path of offers"]),
        ("/news/tags/rain.html", ["path of offers"]),
        ("/2020/03/", ["path of offers"]),
        ("/services", ["path of offers"]),
        ("/rain.html", []),
    ],
)
def test_folders_tell_articles_from_lists(path: str, signs: list[str]) -> None:
    """A page in a folder of articles, not the folder itself or a part of its list."""
    assert list(folder_signs(f"http://site.example{path}")) == signs


def test_an_archive_has_no_author_and_no_date() -> None:
    """Those of its entries are not its own."""
    entries = "".join(
        f"<h3><a href=/{day}>Rain</a></h3><b class=author>Ann Lee</b> <time>{day} May 2021</time>"
        for day in range(1, 10)
    )
    facts = facts_of(f"<h1>Archives: 2021</h1>{entries}", "http://site.example/2021/05/")

    assert "author" not in facts
    assert "date" not in facts


def test_the_questions_of_an_faq_make_no_thread() -> None:
    """Those of a page of questions and answers do."""
    told = '{"@type": "KIND", "mainEntity": [{"@type": "Question", "name": "Does it rain?"}]}'
    pages = [
        page_of(f"{LD % told.replace('KIND', kind)}<h1>Rain</h1>") for kind in ("FAQPage", "QAPage")
    ]

    assert ["thread" in read_facts(page).signs for page in pages] == [False, True]


@pytest.mark.parametrize("times", [1, 2, 3, 4])
def test_a_heading_for_several_widths_is_said_once(times: int) -> None:
    """In an element for each."""
    root = page_of(f"<h1>{'<span>Rain in Rome</span> ' * times}</h1>").markup.root
    heading = root.select_one("h1")

    assert heading is not None
    assert heading_text(heading) == "Rain in Rome"
