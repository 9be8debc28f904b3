"""Locating against known values: the choice of nodes, the judgement, the command."""

import json
import lzma
import os
from pathlib import Path

import pytest
from builders import page_of
from click.testing import CliRunner

from webstencil import markup
from webstencil.cli.main import main
from webstencil.errors import SourceError
from webstencil.evaluate.locating import (
    AnswerVerdict,
    AttributePage,
    AttributePick,
    AttributeSite,
    JudgedPage,
    choose_picks,
    locating_rows,
    measure_descriptors,
    measure_picks,
    read_attribute_sites,
    row_around,
)
from webstencil.model import RawPage

DATA = Path(os.environ.get("WEBSTENCIL_DATA", "../shared/data"))
SHOP = (
    "<html><body><ul><li>Canon</li><li>Nikon</li></ul><h1>{0}</h1>"
    "<p>Brand:</p><p class=brand>{1}</p><p>Price:</p><p class=price>{2}</p></body></html>"
)
GOODS = (("A1", "Nikon", "1 &amp; 2"), ("B2", "Canon", "2"), ("C3", "Nikon", "3"))


def shop(name: str = "shop") -> AttributeSite:
    pages = [
        AttributePage(
            RawPage(f"http://{name}/{title}", SHOP.format(title, brand, price).encode()),
            {"brand": frozenset({brand}), "price": frozenset({price.replace("&amp;", "&")})},
        )
        for title, brand, price in GOODS
    ]
    return AttributeSite(name, "camera", tuple(pages))


def test_the_field_is_picked_and_not_the_menu() -> None:
    """A menu has the brand's name on all pages, also on those of other brands."""
    assert choose_picks(shop()) == [AttributePick("brand", 0, 4), AttributePick("price", 0, 6)]
    assert choose_picks(shop(), first=True) == [
        AttributePick("brand", 0, 1),
        AttributePick("price", 0, 6),
    ]


def test_a_page_that_is_not_html_is_left_out(tmp_path: Path) -> None:
    """The others are searched; products are found on them, too."""
    path = tmp_path / "x.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as lines:
        for number, goods in enumerate([None, *GOODS]):
            html = SHOP.format(*goods) if goods else ""
            row = {"site": "shop", "vertical": "camera", "id": number, "html": html}
            lines.write(json.dumps({**row, "gold": {"brand": [goods[1] if goods else ""]}}) + "\n")

    located = CliRunner().invoke(main, ["evaluate", "locating", str(path), "--format", "csv"])
    products = CliRunner().invoke(main, ["evaluate", "products", str(path), "--format", "csv"])

    assert located.exit_code == products.exit_code == 0
    assert located.stdout.startswith("method,pages of,answers,right,wrong,lost\ndefault,camera,")
    assert products.stdout.splitlines()[1].startswith("shop,3,")
    told = "left out, since empty or not HTML: 1 page, first http://shop/0\n"
    assert located.stderr == products.stderr == told


def test_an_attribute_that_no_page_has_is_not_picked() -> None:
    """There is nothing to pick, and nothing to count."""
    site = AttributeSite("s", "v", (AttributePage(shop().pages[0].raw, {"colour": frozenset()}),))

    assert choose_picks(site) == []


def test_answers_are_right_wrong_or_lost() -> None:
    """None is right on a page that has none; a node with more than the value is wrong."""
    site = AttributeSite(
        "s", "v", (AttributePage(shop().pages[0].raw, {"a": frozenset({"x"}), "b": frozenset()}),)
    )
    leaves = page_of("<p>x</p><p>x y</p>").markup.leaves()
    asked = JudgedPage(site, 0)

    found = [asked.judge("m", "a", node).verdict for node in (*leaves, None)]
    absent = [asked.judge("m", "b", node).verdict for node in (leaves[0], None)]

    assert found == [AnswerVerdict.RIGHT, AnswerVerdict.WRONG, AnswerVerdict.LOST]
    assert absent == [AnswerVerdict.WRONG, AnswerVerdict.RIGHT]


def test_a_row_is_the_value_with_its_label() -> None:
    """Or the value's own element, where the label is among many."""
    page = page_of("<table><tr><td>a</td><td><b>b</b></td></tr></table>" + "<p>c" * 9)
    leaves = page.markup.leaves()

    assert markup.tag(row_around(leaves[1])) == "tr"
    assert markup.tag(row_around(leaves[5])) == "p"


def test_picks_of_the_first_page_are_found_on_the_others() -> None:
    """Both attributes on both other pages, by both methods."""
    site = shop()
    choices = choose_picks(site)

    answers, timings = measure_picks(site, choices)
    rows = {
        (row.method, row.what): row
        for row in locating_rows([*answers, *measure_descriptors(site, choices)])
    }

    assert rows["default", "all"].right == 1.0
    assert rows["default", "all"].answers == 4
    assert rows["paper, full", "camera"].right == 1.0
    assert [timing.picks for timing in timings] == [2, 2]


def test_the_command_prints_tables_and_json(tmp_path: Path) -> None:
    """For each vertical and for all; the paper's four searches on demand."""
    file = tmp_path / "shop.jsonl.xz"
    lines = [
        json.dumps(
            {
                "site": "shop",
                "vertical": "camera",
                "id": page.raw.url,
                "html": page.raw.body.decode("latin-1"),
                "gold": {name: sorted(values) for name, values in page.gold.items()},
            }
        )
        for page in shop().pages
    ]
    file.write_bytes(lzma.compress("\n".join(lines).encode()))

    table = CliRunner().invoke(main, ["evaluate", "locating", str(file)])
    told = CliRunner().invoke(
        main, ["evaluate", "locating", str(file), "--mode", "paper", "--json"]
    )

    assert "100.00%" in table.output
    assert "bare parses" in table.output
    rows = [row for row in json.loads(told.output)["rows"] if row["what"] == "all"]
    assert [row["method"] for row in rows] == [
        "paper, full",
        "paper, full, falling back",
        "paper, compact",
        "paper, compact, falling back",
    ]


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    """With its name, and what it should hold."""
    file = tmp_path / "x.jsonl.xz"
    file.write_bytes(lzma.compress(b'{"site": 1}\n'))

    with pytest.raises(SourceError, match=r"x\.jsonl\.xz cannot be read: a line has no gold"):
        read_attribute_sites(file)
    with pytest.raises(SourceError, match="missing"):
        read_attribute_sites(tmp_path / "missing")


@pytest.mark.skipif(not (DATA / "swde.jsonl.xz").is_file(), reason="no swde.jsonl.xz in the data")
def test_real_attributes_are_found_and_not_mistaken() -> None:
    """One site of each kind of goods: at least 97 % right, at most 1 % wrong."""
    answers = [
        answer
        for site in read_attribute_sites(DATA / "swde.jsonl.xz")[::10]
        for answer in measure_picks(site, choose_picks(site))[0]
    ]

    row = next(
        row for row in locating_rows(answers) if (row.method, row.what) == ("default", "all")
    )
    assert row.right >= 0.97
    assert row.wrong <= 0.01
