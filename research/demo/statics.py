"""The static pages, read from a file in a small markup.

`# ` starts the title, `> ` the introduction, `## ` a heading, `- ` a point of a list, `| ` a row of
a table (the first has the heads), `? ` a question with its answer after a bar, `@ ` a form with
its topics; anything else is a paragraph.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from research.demo.prose import polish, read_words, slugify
from research.demo.values import (
    Enquiry,
    Heading,
    Paragraph,
    Part,
    Points,
    Question,
    StaticPage,
    Table,
)

MARKS = ("##", "-", "|", "?", "@")


def static_pages() -> tuple[StaticPage, ...]:
    """Read all static pages."""
    return tuple(static_page(slug, lines) for slug, lines in read_words("statics").items())


def static_page(slug: str, lines: Sequence[str]) -> StaticPage:
    """Read one page: title, introduction, then its parts."""
    title, intro, *rest = (polish(line) for line in lines)
    return StaticPage(slug, title.removeprefix("# "), intro.removeprefix("> "), tuple(parts(rest)))


def parts(lines: Sequence[str]) -> Iterator[Part]:
    """Yield the parts; lines of the same mark that follow each other make one list or table."""
    for sign, group in groupby(lines, key=mark):
        texts = [line.removeprefix(sign).strip() for line in group]
        if sign == "-":
            yield Points(tuple(texts))
        elif sign == "|":
            yield table(texts)
        else:
            yield from (single(sign, text) for text in texts)


def mark(line: str) -> str:
    """Return the mark a line starts with, nothing for a paragraph."""
    first = line.split(" ", 1)[0]
    return first if first in MARKS else ""


def table(texts: Sequence[str]) -> Table:
    """Read a table whose first row has the heads."""
    heads, *rows = (tuple(cell.strip() for cell in text.split("|")) for text in texts)
    return Table("", heads, tuple(rows))


def single(sign: str, text: str) -> Part:
    """Read a part that is a line of its own."""
    match sign:
        case "##":
            return Heading(text, slugify(text))
        case "?":
            question, answer = text.split("|")
            return Question(question, answer)
        case "@":
            return Enquiry(tuple(text.split("|")))
        case _:
            return Paragraph(text)
