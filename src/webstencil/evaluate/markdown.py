"""Features of Markdown: which of those that are expected of a page its Markdown has.

There are several ways to write a thing, so what counts is that it is there: the language of a code
block, the TeX of a formula, the text of a footnote and a reference to it, the kind of a callout,
the cells of a table. Spaces, delimiters, emphasis, and braces in TeX make no difference.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from webstencil.content.extractor import MainContent
from webstencil.content.html import content_html
from webstencil.content.markdown import markdown
from webstencil.content.parts import PageParts
from webstencil.content.runs import flatten
from webstencil.errors import ParseError
from webstencil.evaluate.labelled_data import LeftOut, nobody, row_page
from webstencil.evaluate.tables import Evaluated, score_table
from webstencil.markup.parse import parse
from webstencil.model import Page

MARKDOWN_KEYS = ("site", "id", "html", "markdown")
CODE_LANGUAGES, FORMULAS, FOOTNOTES = "code languages", "math", "footnotes"
CALLOUTS, TABLE_CELLS, CODE_BLOCKS = "callouts", "tables", "code blocks"
MARKDOWN_FEATURES = (CODE_LANGUAGES, FORMULAS, FOOTNOTES, CALLOUTS, TABLE_CELLS, CODE_BLOCKS)
FENCE = re.compile(
    r"^(?P<indent>[ >]*)(?P<fence>`{3,}|~{3,})[ ]*(?P<language>[^\s`]*)[^\n`]*\n"
    r"(?P<code>.*?)^[ >]*(?P=fence)[`~]*[ ]*$",
    re.DOTALL | re.MULTILINE,
)
FACTS = re.compile(r"\A\s*```json\n\{.*?\n\}\n```\s*", re.DOTALL)  # metadata before the text
SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)", re.DOTALL)
FORMULA_TEXT = re.compile(
    r"(?<!\\)\$\$(?P<display>.+?)\$\$"
    r"|(?<![\\$])\$(?P<inline>(?=\S)[^$]*?(?<=[^\s\\]))\$(?![\d$])",
    re.DOTALL,
)
NOTE_LINE = re.compile(r"^\[\^([^\]\s]+)\]:[ \t]*(.*)$", re.MULTILINE)
NOTE_REFERENCE = re.compile(r"(?<=[^\n])\[\^([^\]\s]+)\]|(?<![^\n])\[\^([^\]\s]+)\](?!:)")
CALLOUT_LINE = re.compile(r"^[ >]*>[ ]*\[!([\w-]+)\]", re.MULTILINE)
TABLE_ROW = re.compile(r"^[ >]*\|(.*)\|[ ]*$")
TABLE_RULE = re.compile(r"^[\s|:-]+$")
LINK_TEXT = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
TARGET = re.compile(r"\]\((?:[^()\n]|\([^()\n]*\))*\)")
NOT_WORDS = re.compile(r"<[^>]+>|[\W_]+")
SAME_LANGUAGE = {
    "js": "javascript",
    "py": "python",
    "ts": "typescript",
    "sh": "bash",
    "shell": "bash",
    "c++": "cpp",
    "yml": "yaml",
    "rs": "rust",
    "rb": "ruby",
    "golang": "go",
    "md": "markdown",
}
NO_MEANING = re.compile(r"\\(?:displaystyle|left|right|mathrm|operatorname|,|;|!)(?![a-zA-Z])")
FIRST_WORDS = 60  # letters and digits of a footnote that are compared


@dataclass(frozen=True, slots=True)
class KeptFeature:
    """How much of one feature a page's Markdown has."""

    name: str
    expected: int
    kept: int
    missing: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Return whether nothing is missing."""
        return self.kept == self.expected


@dataclass(frozen=True, slots=True)
class MarkdownFeatures:
    """The features that are expected of a page, and what its Markdown has of them."""

    page: str
    features: tuple[KeptFeature, ...]  # of those in FEATURES that the page should have


@dataclass(frozen=True, slots=True)
class FeatureRow:
    """A feature over all pages."""

    name: str
    pages: int  # that should have it
    whole: int  # that have all of it
    expected: int
    kept: int

    @property
    def share(self) -> float:
        """Return the share of the pages that have all of it."""
        return self.whole / self.pages if self.pages else 0.0

    @property
    def of_expected(self) -> str:
        """Write how many of those that are expected are kept."""
        return f"{self.kept}/{self.expected}"


def features_of(text: str) -> dict[str, Counter[str]]:
    """Return the features of a Markdown text."""
    blocks = list(FENCE.finditer(text))
    languages = [one["language"].lower() for one in blocks if one["language"]]
    prose = FENCE.sub("\n", text)
    plain = TARGET.sub("] ", SPAN.sub(" ", prose))
    formulas = [one["display"] or one["inline"] for one in FORMULA_TEXT.finditer(plain)]
    return {
        CODE_LANGUAGES: Counter(SAME_LANGUAGE.get(one, one) for one in languages),
        FORMULAS: Counter(_bare_tex(one) for one in formulas),
        FOOTNOTES: Counter(_notes(prose)),
        CALLOUTS: Counter(one.lower() for one in CALLOUT_LINE.findall(prose)),
        TABLE_CELLS: Counter(_tables(prose)),
        CODE_BLOCKS: Counter(_bare_code(one["code"], one["indent"]) for one in blocks),
    }


def _bare_code(code: str, indent: str) -> str:
    """Return code without white space, and without the marks of the quote around it."""
    lines = code.split("\n")
    if ">" in indent:
        lines = [line.lstrip(" ").removeprefix(">") for line in lines]
    return "".join("".join(lines).split())


def _bare_tex(tex: str) -> str:
    """Return TeX without spaces, braces, and commands that only change sizes and letters."""
    return re.sub(r"[\s{}]", "", re.sub(NO_MEANING, "", tex))


def _bare(text: str) -> str:
    """Return the letters and digits of a text, without addresses of links."""
    return NOT_WORDS.sub("", LINK_TEXT.sub(r"\1", text.replace("\\", ""))).lower()


def _notes(text: str) -> Iterator[str]:
    """Yield the beginning of each footnote that is referred to."""
    referred = {label for found in NOTE_REFERENCE.findall(text) for label in found}
    for label, words in NOTE_LINE.findall(text):
        if label in referred:
            yield _bare(words)[:FIRST_WORDS]


def _tables(text: str) -> Iterator[str]:
    """Yield the cells of each table."""
    cells: list[str] = []
    rows = 0
    for line in [*text.split("\n"), ""]:
        row = TABLE_ROW.match(line)
        if row is not None:
            rows += 1
            if not TABLE_RULE.match(line):
                cells += filter(None, map(_bare, re.split(r"(?<!\\)\|", row[1])))
        elif rows:
            if rows > 1:
                yield " ".join(cells)
            cells, rows = [], 0


def compare_features(page: str, expected: str, written: str) -> MarkdownFeatures:
    """Compare what is expected of a page with its Markdown."""
    wanted, found = features_of(FACTS.sub("", expected)), features_of(written)
    rows = []
    for name in MARKDOWN_FEATURES:
        if wanted[name]:
            missing = wanted[name] - found[name]
            count = wanted[name].total()
            kept = count - missing.total()
            rows.append(KeptFeature(name, count, kept, tuple(sorted(missing.elements()))))
    return MarkdownFeatures(page, tuple(rows))


def score_rows(
    rows: Iterable[dict[str, str]], *, whole: bool = False, left_out: LeftOut = nobody
) -> Iterator[MarkdownFeatures]:
    """Compare pages with their expected Markdown; `whole` writes all of a page, not its content."""
    extractor = MainContent()
    for row in rows:
        try:
            page = parse(row_page(row))
        except ParseError:
            left_out(row["id"])
            continue
        written = whole_markdown(page) if whole else extractor.content(page).markdown
        yield compare_features(row["id"], row["markdown"], written)


def whole_markdown(page: Page) -> str:
    """Return all text of a page as Markdown: what the writer does, apart from the choice."""
    runs = flatten(page.markup)
    return markdown(content_html(PageParts(page, runs), range(len(runs))))


def feature_rows(pages: Sequence[MarkdownFeatures]) -> list[FeatureRow]:
    """Sum up each feature over all pages."""
    rows = []
    for name in MARKDOWN_FEATURES:
        found = [one for page in pages for one in page.features if one.name == name]
        rows.append(
            FeatureRow(
                name,
                len(found),
                sum(one.is_whole for one in found),
                sum(one.expected for one in found),
                sum(one.kept for one in found),
            )
        )
    return rows


FEATURE_COLUMNS = ("feature=name", "pages", "with all=whole", "share:.3f", "kept=of_expected")
MOST_SHOWN = 70  # characters of something missing


def evaluate_markdown(
    pages: Sequence[MarkdownFeatures], left_out: Sequence[str], *, missing: bool
) -> Evaluated:
    """Show the features that pages keep, and what is missing page by page."""
    rows = feature_rows(pages)
    values = {
        "totals": [{**asdict(row), "share": round(row.share, 4)} for row in rows],
        "pages": [asdict(page) for page in pages],
        "left_out": list(left_out),
    }
    lost = [
        f"{page.page}: {feature.name}: {one[:MOST_SHOWN]}"
        for page in (pages if missing else ())
        for feature in page.features
        for one in feature.missing
    ]
    shown = score_table(f"features of Markdown, {len(pages)} pages", FEATURE_COLUMNS, rows)
    return Evaluated([shown, *lost], values, left_out=left_out)
