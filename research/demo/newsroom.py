"""The paper: its authors, and the articles they write."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random

from research.demo.album import scene_pictures
from research.demo.drawings import PORTRAIT_SIZE
from research.demo.prose import Rules, deal, read_words, say, slugify
from research.demo.story import Desk, cast, compose, discuss
from research.demo.values import Article, Author, DemoSection, ImageFile, Paragraph

BEATS = ("harbour", "town", "nature", "culture", "sport", "kitchen")
AUTHORS = 10
LENGTHS = (2, 2, 3, 4, 5, 5, 6, 7, 8, 9, 11, 13, 16, 20, 26, 34, 45, 60)  # paragraphs
TALKS = (0, 0, 0, 1, 2, 3, 4, 6, 9, 13, 18, 25, 40)  # comments below an article
LETTER = 3  # index of the letter in a legacy charset: a culture article
LETTER_CHARSET = "windows-1252"
LONGREADS = (6, 8)  # indexes of the articles in the redesigned template
LONGREAD_LENGTH = 18  # paragraphs
NOW = datetime(2025, 3, 28, 17, 30, tzinfo=UTC)  # the newest article
DAWN, DUSK = 6, 21  # hours between which articles appear
FIRST_POST = 1200  # number of the oldest article
HERO_STEP = 5  # prime to the numbers of scenes and of moods, so that all are used
WIDGETS = ("most-read", "tides", "newsletter", "notices", "gear", "tags", "weather")


@dataclass(frozen=True, slots=True)
class Newsroom:
    """What all articles are written from."""

    seed: int
    articles: int
    products: int
    words: Rules  # what all sections share
    beats: tuple[Rules, ...]  # the words of each section
    sections: tuple[DemoSection, ...]
    authors: tuple[Author, ...]


@dataclass(frozen=True, slots=True)
class Assignment:
    """The facts of an article before it is written."""

    index: int
    thing: str
    title: str
    standfirst: str  # with open slots
    published: datetime
    length: int  # paragraphs
    comments: int


def open_newsroom(seed: int, articles: int, products: int) -> Newsroom:
    """Gather words, people and pictures."""
    words = read_words("shared") | read_words("people") | read_words("story")
    beats = tuple(read_words(name) for name in BEATS)
    sections = tuple(
        DemoSection(n, beat["slug"][0], beat["name"][0], beat["blurb"][0], beat["colour"][0])
        for n, beat in enumerate(beats)
    )
    return Newsroom(seed, articles, products, words, beats, sections, hire(seed, words))


def hire(seed: int, words: Rules) -> tuple[Author, ...]:
    """Return the authors; no two share a name."""
    rng = Random(f"{seed}/authors")
    firsts = rng.sample(words["first_names"], AUTHORS)
    lasts = rng.sample(words["last_names"], AUTHORS)
    names = [f"{first} {last}" for first, last in zip(firsts, lasts, strict=True)]
    people = zip(names, words["author_roles"], strict=True)
    return tuple(introduce(rng, words, n, *person) for n, person in enumerate(people))


def introduce(rng: Random, words: Rules, number: int, name: str, role: str) -> Author:
    """Return an author with a life of one to three paragraphs."""
    first, slug = name.split(maxsplit=1)[0], slugify(name)
    rules = {**words, "name": (name,), "first": (first,)}
    lines = [say(rng, rules, line) for line in words["author_bio"]]
    rest = rng.sample(lines[1:], rng.randrange(2, 6))
    bio = (" ".join([lines[0], *rest[:2]]), *(" ".join(rest[n : n + 2]) for n in (2, 4)))
    picture = ImageFile(f"images/people/{slug}.svg", *PORTRAIT_SIZE, f"Portrait of {name}")
    return Author(number, slug, name, role, tuple(text for text in bio if text), picture)


def write_articles(room: Newsroom) -> tuple[Article, ...]:
    """Write all articles, the newest first."""
    articles = [write(room, assignment) for assignment in assign(room)]
    return tuple(with_own_slugs(articles))


def assign(room: Newsroom) -> Iterator[Assignment]:
    """Choose title, date and length of every article."""
    rng = Random(f"{room.seed}/assignments")
    lengths, talks = deal(rng, LENGTHS), deal(rng, TALKS)
    standfirsts = deal(rng, room.words["standfirsts"])
    titles = [deal(rng, beat["titles"]) for beat in room.beats]
    things = [deal(rng, beat["thing"]) for beat in room.beats]
    when = NOW
    for index in range(room.articles):
        n = index % len(room.beats)
        thing = next(things[n])
        rules = {**room.words, **room.beats[n], "thing": (thing,)}
        title = say(rng, rules, next(titles[n]))
        length = LONGREAD_LENGTH if index in LONGREADS else next(lengths)
        printed = when.replace(hour=DAWN + when.hour * (DUSK - DAWN) // 24)
        yield Assignment(index, thing, title, next(standfirsts), printed, length, next(talks))
        when -= timedelta(minutes=rng.randrange(200, 1900))


def with_own_slugs(articles: list[Article]) -> Iterator[Article]:
    """Add its number to the slug of an article that would have another's URL."""
    taken: set[str] = set()
    for article in articles:
        slug = article.slug if article.path not in taken else f"{article.slug}-{article.number}"
        taken.add(article.path)
        yield replace(article, slug=slug)


def write(room: Newsroom, task: Assignment) -> Article:
    """Write one article; what it has besides its text is random."""
    rng = Random(f"{room.seed}/article/{task.index}")
    section = room.sections[task.index % len(room.sections)]
    beat = room.beats[section.number]
    rules = cast(rng, room.words, beat, task.thing)
    desk = Desk(rng, rules, section.slug, room.articles, room.products)
    longread = task.index in LONGREADS
    later = task.published + timedelta(minutes=rng.randrange(20, 900))
    article = Article(
        number=FIRST_POST + 3 * (room.articles - task.index),
        slug=slugify(task.title),
        section=section,
        title=task.title,
        standfirst=say(rng, rules, task.standfirst),
        author=room.authors[task.index * 7 % AUTHORS],
        published=task.published,
        updated=later if rng.random() < 0.3 else None,
        tags=tuple(rng.sample(beat["tags"], rng.randrange(1, 5))),
        hero=hero(task.index) if longread or rng.random() < 0.85 else None,
        parts=compose(desk, task.length),
        comments=tuple(discuss(desk, task.comments, task.published)),
        related=relate(rng, task.index, len(room.sections), room.articles),
        widgets=choose_widgets(rng),
        signed=rng.random() < 0.6,
        longread=longread,
    )
    return letter(article) if task.index == LETTER else article


def hero(index: int) -> ImageFile:
    """Return the large picture of an article, unlike those of the articles around it."""
    scenes = scene_pictures()
    return scenes[index * HERO_STEP % len(scenes)]


def relate(rng: Random, index: int, sections: int, articles: int) -> tuple[int, ...]:
    """Choose other articles of the same section, or none."""
    others = [n for n in range(index % sections, articles, sections) if n != index]
    wanted = rng.choice((0, 0, 2, 3, 3, 4, 6))
    return tuple(rng.sample(others, min(wanted, len(others))))


def choose_widgets(rng: Random) -> tuple[str, ...]:
    """Choose the widgets beside the text, always in the same order."""
    chosen = set(rng.sample(WIDGETS, rng.randrange(2, 6)))
    return tuple(widget for widget in WIDGETS if widget in chosen)


def letter(article: Article) -> Article:
    """Turn an article into the letter from the twin town, which has a legacy charset."""
    words = read_words("letter")
    title = words["title"][0]
    return replace(
        article,
        slug=slugify(title),
        title=title,
        standfirst=words["standfirst"][0],
        parts=tuple(Paragraph(text) for text in words["text"]),
        charset=LETTER_CHARSET,
    )
