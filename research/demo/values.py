"""The content of the demo site, without its looks.

The templates turn these values into HTML; another set of templates can turn the same values into
another look. Articles and products are named by their index in `World`.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

BASE_URL = "http://demo.example/"


@dataclass(frozen=True, slots=True)
class ImageFile:
    """An image file of the site."""

    path: str
    width: int  # px
    height: int  # px
    alt: str


@dataclass(frozen=True, slots=True)
class DemoSection:
    """A part of the site: a news section or a shelf of the shop."""

    number: int
    slug: str
    name: str
    blurb: str
    colour: str  # CSS


@dataclass(frozen=True, slots=True)
class Author:
    """Someone who writes for the paper."""

    number: int
    slug: str
    name: str
    role: str
    bio: tuple[str, ...]
    picture: ImageFile

    @property
    def path(self) -> str:
        return f"authors/{self.slug}.html"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text, which may end in a reference to another article."""

    text: str
    article: int | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a text, with the slug that is its id."""

    text: str
    slug: str


@dataclass(frozen=True, slots=True)
class Quote:
    """A pull quote."""

    text: str
    by: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with its caption."""

    picture: ImageFile
    caption: str
    side: str  # "wide", "left" or "right"


@dataclass(frozen=True, slots=True)
class Gallery:
    """Several pictures side by side."""

    pictures: tuple[ImageFile, ...]
    caption: str


@dataclass(frozen=True, slots=True)
class Points:
    """A list of points."""

    items: tuple[str, ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table with one row of heads."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Lines set in a fixed-width face."""

    text: str


@dataclass(frozen=True, slots=True)
class Newsletter:
    """A box that asks for the reader's address."""

    text: str


@dataclass(frozen=True, slots=True)
class Promo:
    """A box that points to a product of the paper's own shop."""

    product: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question with an answer that is folded away."""

    text: str
    answer: str


@dataclass(frozen=True, slots=True)
class Enquiry:
    """A form to write to the paper."""

    topics: tuple[str, ...]


Part: TypeAlias = (
    Paragraph
    | Heading
    | Quote
    | Figure
    | Gallery
    | Points
    | Table
    | Code
    | Newsletter
    | Promo
    | Question
    | Enquiry
)


@dataclass(frozen=True, slots=True)
class Comment:
    """A reader's comment; comments come in reading order, a reply after what it replies to."""

    number: int
    name: str
    when: datetime
    depth: int  # 0 for a comment on the article itself
    text: str


@dataclass(frozen=True, slots=True)
class Article:
    """A piece of news."""

    number: int
    slug: str
    section: DemoSection
    title: str
    standfirst: str
    author: Author
    published: datetime
    updated: datetime | None
    tags: tuple[str, ...]
    hero: ImageFile | None
    parts: tuple[Part, ...]
    comments: tuple[Comment, ...]
    related: tuple[int, ...]
    widgets: tuple[str, ...]
    signed: bool  # the author's box is below the text
    longread: bool = False  # set in the redesigned template
    charset: str = "utf-8"

    @property
    def path(self) -> str:
        return f"{self.section.slug}/{self.slug}.html"


@dataclass(frozen=True, slots=True)
class Review:
    """A customer's opinion of a product."""

    name: str
    when: datetime
    stars: int  # 1..5
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Product:
    """A thing the shop sells."""

    number: int
    slug: str
    shelf: DemoSection
    name: str
    tagline: str
    price: int  # pence
    was: int | None  # pence, before the discount
    colours: tuple[str, ...]
    pictures: tuple[ImageFile, ...]
    parts: tuple[Part, ...]
    specs: tuple[tuple[str, str], ...]
    sizes: Table | None
    reviews: tuple[Review, ...]
    stock: str
    related: tuple[int, ...]

    @property
    def path(self) -> str:
        return f"shop/{self.shelf.slug}/{self.slug}.html"


@dataclass(frozen=True, slots=True)
class StaticPage:
    """A static page."""

    slug: str
    title: str
    intro: str
    parts: tuple[Part, ...]

    @property
    def path(self) -> str:
        return f"{self.slug}.html"


@dataclass(frozen=True, slots=True)
class DemoListPage:
    """One page of a list of articles or products."""

    folder: str
    section: DemoSection
    items: tuple[int, ...]
    number: int  # from 1
    count: int
    total: int  # items on all pages of the list
    widgets: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return list_path(self.folder, self.number)


@dataclass(frozen=True, slots=True)
class World:
    """All content of the site."""

    sections: tuple[DemoSection, ...]
    shelves: tuple[DemoSection, ...]
    authors: tuple[Author, ...]
    articles: tuple[Article, ...]
    products: tuple[Product, ...]
    statics: tuple[StaticPage, ...]
    news_lists: tuple[DemoListPage, ...]
    shop_lists: tuple[DemoListPage, ...]


def list_path(folder: str, number: int) -> str:
    """Return the path of a list's page; the first is the folder's index."""
    return f"{folder}/index.html" if number == 1 else f"{folder}/page-{number}.html"
