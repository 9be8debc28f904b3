"""The parts of an article: text, what is between the paragraphs, and comments."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from random import Random

from research.demo.album import chart_pictures, scene_pictures
from research.demo.prose import Rules, deal, say, slugify
from research.demo.tables import gauge_log, section_table
from research.demo.values import (
    Comment,
    Figure,
    Gallery,
    Heading,
    ImageFile,
    Newsletter,
    Paragraph,
    Part,
    Points,
    Promo,
    Quote,
)

HEADINGS_FROM = 6  # paragraphs: shorter articles have no headings
DEEPEST_REPLY = 3
FLOWING = 2  # paragraphs beside a floating picture
SIDES = ("wide", "left", "right")


@dataclass(frozen=True, slots=True)
class Desk:
    """What the parts of one article are made from."""

    rng: Random
    rules: Rules
    section: str
    articles: int
    products: int

    def say(self, name: str) -> str:
        """Write a sentence by the rule of this name."""
        return say(self.rng, self.rules, self.rng.choice(self.rules[name]))

    def chance(self, share: float) -> bool:
        """Return True with the probability `share` (0..1)."""
        return self.rng.random() < share


def cast(rng: Random, words: Rules, beat: Rules, thing: str) -> dict[str, tuple[str, ...]]:
    """Return the rules of one story, whose thing and people stay the same throughout."""
    firsts, lasts = rng.sample(words["first_names"], 4), rng.sample(words["last_names"], 4)
    names = tuple(f"{first} {last}" for first, last in zip(firsts, lasts, strict=True))
    place, group = rng.choice(beat["place"]), rng.choice(beat["group"])
    rules = {name: tuple(entries) for name, entries in {**words, **beat}.items()}
    return rules | {
        "thing": (thing,),
        "person": names[:1],
        "surname": (lasts[0],),
        "other": names[1:],
        "role": (rng.choice(beat["role"]),),
        "place": (place, place, *beat["place"]),
        "group": (group, group, group, *beat["group"]),
    }


def compose(desk: Desk, length: int) -> tuple[Part, ...]:
    """Write `length` paragraphs, with headings, pictures and boxes between them."""
    parts: list[Part] = [Paragraph(text) for text in paragraphs(desk, length)]
    if length > 3 and desk.chance(0.6):
        parts[-2] = Paragraph(desk.say("link_leads"), desk.rng.randrange(desk.articles))
    for extra in extras(desk, length):
        parts.insert(desk.rng.randrange(1, len(parts) + 1), extra)
    if length >= HEADINGS_FROM:
        parts = list(with_headings(desk, parts))
    return tuple(settle(parts))


def paragraphs(desk: Desk, count: int) -> Iterator[str]:
    """Yield an opening, then reports and quotes; a sentence returns only when all were used."""
    rng, rules = desk.rng, desk.rules
    reports = deal(rng, (*rules["reports"], *rules["general_reports"]))
    quotes = deal(rng, rules["quotes"])
    yield f"{desk.say('openings')} {say(rng, rules, next(reports))}"
    for _ in range(count - 1):
        sentences = list(islice(reports, rng.randrange(1, 5)))
        if desk.chance(0.4):
            sentences.append(next(quotes))
        yield " ".join(say(rng, rules, sentence) for sentence in sentences)


def extras(desk: Desk, length: int) -> Iterator[Part]:
    """Yield the parts between the paragraphs; long articles have more."""
    if desk.chance(0.25):
        yield section_table(desk.rng, desk.section)
    if desk.section == "kitchen" and desk.chance(0.6):
        yield steps(desk)
    elif desk.chance(0.3):
        yield points(desk)
    if desk.section in {"harbour", "nature"} and desk.chance(0.25):
        yield gauge_log(desk.rng)
    if desk.chance(0.3):
        yield Newsletter("The week in Saltmere, every Friday morning, in one short letter.")
    if desk.chance(0.25):
        yield Promo(desk.rng.randrange(desk.products))
    if length >= HEADINGS_FROM:
        yield from pictures(desk, length)


def pictures(desk: Desk, length: int) -> Iterator[Part]:
    """Yield figures, a gallery, a chart and a pull quote for a longer article."""
    rng, scenes = desk.rng, scene_pictures()
    for picture in rng.sample(scenes, rng.randrange(0, 2 + length // 12)):
        yield Figure(picture, caption(desk, picture), rng.choice(SIDES))
    if desk.chance(0.3):
        shown = tuple(rng.sample(scenes, rng.randrange(2, 7)))
        yield Gallery(shown, caption(desk, shown[0]))
    if desk.chance(0.2):
        chart = rng.choice(chart_pictures())
        yield Figure(chart, f"{chart.alt}. Source: the harbour office.", "wide")
    if desk.chance(0.5):
        yield Quote(desk.say("pull_quotes"), desk.rules["person"][0])


def caption(desk: Desk, picture: ImageFile) -> str:
    """Write the caption of a picture."""
    rules = {**desk.rules, "view": (picture.alt,)}
    return say(desk.rng, rules, desk.rng.choice(rules["captions"]))


def points(desk: Desk) -> Points:
    """Return a list of what one should know."""
    chosen = desk.rng.sample(desk.rules["points"], desk.rng.randrange(3, 8))
    return Points(tuple(say(desk.rng, desk.rules, point) for point in chosen))


def steps(desk: Desk) -> Points:
    """Return a recipe; steps may be left out, but their order stays."""
    kept = [step for step in desk.rules["steps"] if desk.chance(0.8)]
    return Points(tuple(say(desk.rng, desk.rules, step) for step in kept), ordered=True)


def with_headings(desk: Desk, parts: list[Part]) -> Iterator[Part]:
    """Yield the parts with a heading before every few; each has a slug of its own."""
    headings = deal(desk.rng, (*desk.rules["headings"], *desk.rules["general_headings"]))
    taken: set[str] = set()
    pause = desk.rng.randrange(3, 6)
    for part in parts:
        if pause == 0:
            text = say(desk.rng, desk.rules, next(headings))
            slug = slugify(text)
            yield Heading(text, slug if slug not in taken else f"{slug}-{len(taken)}")
            taken.add(slug)
            pause = desk.rng.randrange(4, 8)
        pause -= 1
        yield part


def settle(parts: list[Part]) -> Iterator[Part]:
    """Yield the parts; a picture floats only where enough text follows to flow around it."""
    for n, part in enumerate(parts):
        text = parts[n + 1 : n + 1 + FLOWING]
        flows = len(text) == FLOWING and all(isinstance(one, Paragraph) for one in text)
        yield part if flows or not isinstance(part, Figure) else replace(part, side="wide")


def discuss(desk: Desk, count: int, published: datetime) -> Iterator[Comment]:
    """Yield the comments in reading order; a reply follows what it replies to."""
    depth, when = -1, published
    rng, rules = desk.rng, desk.rules
    comments, replies = deal(rng, rules["comments"]), deal(rng, rules["replies"])
    number = published.toordinal() % 1000 * 100
    for n in range(count):
        depth = rng.randrange(min(depth + 1, DEEPEST_REPLY) + 1)
        when += timedelta(minutes=rng.randrange(3, 240))
        name = rng.choice((*rules["nicknames"], *rules["other"]))
        text = say(rng, rules, next(replies if depth else comments))
        yield Comment(number + n, name, when, depth, text)
