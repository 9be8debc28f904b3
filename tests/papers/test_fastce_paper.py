"""Nguyen et al.: A Fast Template-based Approach to Automatically Identify Primary Text Content."""

from pathlib import Path

import pytest
from builders import page_of
from click.testing import CliRunner

from research.papers import published_content
from research.papers.published_content import ContentRow, Scope
from webstencil.cli.main import main
from webstencil.evaluate.scores import WordScore, score_counts
from webstencil.evaluate.tables import cells_of
from webstencil.paper.content import (
    ONLY_PUBLISHED,
    BlockText,
    ContentExtractor,
    FastContentExtractor,
    are_similar,
    block_of,
    cut,
    detect,
    vector_of,
)

PHRASE = "the US House of Representatives"
FIGURE_2 = """<p> On Sept. 27, the US <span>House of Representatives</span> unanimously passed
a resolution recognizing <span>The Christian Science Monitor</span> on its centennial. The measure
was sponsored by <span>Rep. Lamar Smith</span> (R) of Texas who once served on the Monitor staff.
It was cosponsored by 40 other <span>members of Congress</span>.</p>"""
SITE = "<body><ul>Home News</ul><div><p>Rain is <span>seen {0}</span> on {0}.</p></div>"
PAGES = [page_of(SITE.format(day)) for day in ("Monday", "Tuesday", "Wednesday")]


def test_section_1_blocks_have_the_published_tags() -> None:
    """TABLE, TR, HR, UL, P, DIV, SPAN; an element of later HTML is none of them."""
    page = page_of("<body><section><p>a</p></section><table><tr><td>b</table>")

    paths = cut(page, blocks=ONLY_PUBLISHED).paths

    assert paths == ["html", "html.body", "html.body.p", "html.body.table", "html.body.table.tr"]
    assert "html.body.section.p" in cut(page).paths


def test_section_2_similar_blocks_have_a_cosine_above_nine_tenths() -> None:
    """Of counts of terms, images and links."""

    def vector(words: str) -> object:
        return vector_of(block_of(BlockText("p", words, 0, 0)))

    ten = "a b c d e f g h i j"
    assert are_similar(vector(ten), vector(ten.replace("j", "")))  # type: ignore[arg-type]
    assert not are_similar(vector("a b c d"), vector("a b c x"))  # type: ignore[arg-type]


def test_section_2_content_extractor_drops_what_many_pages_have() -> None:
    """An atomic block on many pages is not content."""
    method = ContentExtractor()

    text = detect(method.ready(method.prepare(PAGES)), page_of(SITE.format("Sunday")))

    assert "Home" not in text
    assert "Sunday" in text


def test_section_2_and_figure_3_a_block_is_cut_into_atomic_ones() -> None:
    """Four sub-blocks, and the original block with these removed."""
    blocks = [part for part in cut(page_of(f"<body>{FIGURE_2}")).parts() if not part.empty]

    assert sorted(part.path.rpartition(".")[2] for part in blocks) == ["p", *["span"] * 4]
    (rest,) = (part.text for part in blocks if part.path.endswith("p"))
    assert rest.startswith("On Sept. 27, the US unanimously passed a resolution recognizing on its")
    assert rest.endswith("It was cosponsored by 40 other .")


def test_figures_1_to_3_the_phrase_is_found_as_a_phrase() -> None:
    """FastContentExtractor keeps "the US House of Representatives", ContentExtractor does not."""
    pages = [page_of(f"<body><p>Page {n} <span>says {n}</span></p>") for n in range(3)]
    news = page_of(f"<body>{FIGURE_2}")

    texts = {
        type(method): detect(method.ready(method.prepare(pages)), news)
        for method in (ContentExtractor(), FastContentExtractor())
    }

    assert PHRASE in " ".join(texts[FastContentExtractor].split())
    assert PHRASE not in " ".join(texts[ContentExtractor].split())
    assert texts[ContentExtractor].splitlines()[0] == "House of Representatives"


def test_figure_4_preparation_keeps_paths_and_other_blocks_on_them() -> None:
    """Traversal paths without positions, as HTML.BODY.DIV.P."""
    pages = [
        page_of(f"<body><div><p>Rain on {day}</p><p>All rights reserved</p></div>")
        for day in ("Monday", "Tuesday", "Wednesday")
    ]

    template = FastContentExtractor().prepare(pages)

    assert template.paths == ("html.body.div.p",)
    assert [dict(block.counts)["reserved"] for block in template.blocks] == [1]


def test_figure_5_detection_looks_at_paths_of_content_only() -> None:
    """A block on another path is never extracted, one like a stored block is dropped."""
    method = FastContentExtractor()
    detector = method.ready(method.prepare(PAGES))

    found = detect(detector, page_of(SITE.format("Sunday") + "<table><tr><td>new</table>"))

    assert found == "Rain is seen Sunday on Sunday."


def test_section_3_extraction_rules() -> None:
    """B without B' if nothing in B' is on a path; with B' otherwise; whole if all are."""
    pages = [
        page_of(f"<body><div>Own {word}<ul><p>Deep {word}</p></ul></div>")
        for word in ("one", "two", "three")
    ]
    method = FastContentExtractor(published_tags=True)
    template = method.prepare(pages)
    news = page_of("<body><div>Start <span>left out</span><ul>with<p>deep</p></ul></div>")

    assert template.paths == ("html.body.div", "html.body.div.ul.p")
    assert detect(method.ready(template), news).split() == ["Start", "with", "deep"]


def row(method: str, time: float) -> ContentRow:
    """Make a row of a table."""
    scores = (0.9, 0.9, 0.9, 0.8, 0.8, 0.8)
    return ContentRow("set", "a.example", method, Scope.SITE, 10, 0.0, 12.0, 34.0, time, *scores, 0)


def test_table_2_and_figure_6_compare_the_times(tmp_path: Path) -> None:
    """NumBlockTemp / NumBlock / time of both methods, and how many times faster."""
    rows = [row("ce", 4.0), row("fastce", 2.0)]

    (cells,) = published_content.time_cells(rows, Scope.SITE)

    assert cells[3:] == ["12 / 34 / 4.00", "12 / 34 / 2.00", "2.00"]
    pytest.importorskip("matplotlib")
    published_content.plot_times(tmp_path / "figure.svg", rows)
    assert (tmp_path / "figure.svg").stat().st_size > 0


def test_tables_3_and_4_are_f_over_blocks_and_words() -> None:
    """2PR/(P+R), of blocks and of words."""
    assert score_counts(4, 2, 2) == WordScore(0.5, 1.0, pytest.approx(2 / 3))
    assert (
        cells_of(row("ce", 1.0), published_content.ACCURACY_COLUMNS)[-7:-1]
        == ["0.800"] * 3 + ["0.900"] * 3
    )


def test_section_4_a_template_is_prepared_on_a_folder_and_used_on_other_pages(
    tmp_path: Path,
) -> None:
    """By command, on the user's own pages."""
    (tmp_path / "site").mkdir()
    for day in ("Monday", "Tuesday", "Wednesday"):
        (tmp_path / "site" / f"{day}.html").write_text(SITE.format(day))
    (tmp_path / "new.html").write_text(SITE.format("Sunday"))

    told = CliRunner().invoke(
        main, ["papers", "content", str(tmp_path / "site"), str(tmp_path / "new.html")]
    )

    assert told.exit_code == 0
    assert "Rain is seen Sunday on Sunday." in told.output
    assert "Home" not in told.output
