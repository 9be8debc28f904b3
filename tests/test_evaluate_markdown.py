"""The evaluation of Markdown: features, pages, totals."""

import json
import lzma
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from webstencil.cli.main import main
from webstencil.evaluate.markdown import (
    MARKDOWN_FEATURES,
    KeptFeature,
    compare_features,
    features_of,
)

DATA = Path(os.environ.get("WEBSTENCIL_DATA", "../shared/data")) / "markdown.jsonl.xz"
TEXT = "The words of this page are many, and they are about a river that rose again. " * 4
EXPECTED = """```json
{
  "title": "A"
}
```

Text.[^1] So $x^2$.

```py
a
```

> [!note] Title
> b

| A | B |
| --- | --- |
| [c](http://a.org) | d |

[^1]: The note.
"""


def test_features_are_found_however_they_are_written() -> None:
    """Spaces, delimiters, links and synonyms of languages make no difference."""
    other = (
        "Text.[^a] So $$ x ^ 2 $$.\n\n```python\na\n```\n\n> [!NOTE]\n> b\n\n"
        "| A | B |\n| :-: | - |\n| *c* | d |\n\n[^a]: The *note*."
    )

    found = compare_features("p", EXPECTED, other)

    assert [feature.name for feature in found.features] == list(MARKDOWN_FEATURES)
    assert all(feature.is_whole for feature in found.features)


def test_what_is_missing_is_told() -> None:
    """A footnote that nothing refers to, a lost language, a lost cell."""
    other = "So $x^2$.\n\n```\na\n```\n\n> [!tip]\n\n| A | B |\n| - | - |\n\n[^1]: The note."

    found = {feature.name: feature for feature in compare_features("p", EXPECTED, other).features}

    assert found["footnotes"] == KeptFeature("footnotes", 1, 0, ("thenote",))
    assert found["code languages"].missing == ("python",)
    assert found["callouts"].missing == ("note",)
    assert found["tables"].missing == ("a b c d",)
    assert found["math"].is_whole


def test_prices_and_code_are_no_formulas() -> None:
    """Nor are the addresses of links."""
    text = "It is $5 or $6. `$a$` [b](http://a.org/$c$d)\n\n```sh\n$e$\n```\n"

    assert features_of(text)["math"] == {}


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """Two pages with the Markdown that is expected of them."""
    code = "<pre><code class='language-py'>print(1)</code></pre>"
    rows = [
        {"id": "whole", "html": f"<article><p>{TEXT}</p>{code}<p>{TEXT}!</p></article>"},
        {
            "id": "lost",
            "html": f"<article><p>{TEXT}</p><pre>print(1)</pre><p>{TEXT}!</p></article>",
        },
    ]
    path = tmp_path / "pairs.jsonl.xz"
    with lzma.open(path, "wt") as lines:
        for row in rows:
            line = row | {"site": "a", "markdown": "Text\n\n```python\nprint(1)\n```\n"}
            lines.write(json.dumps(line) + "\n")
        lines.write(json.dumps({"id": "none", "site": "a", "html": "", "markdown": "x"}) + "\n")
    return path


@pytest.mark.parametrize("options", [[], ["--whole"]])
def test_pages_count_if_all_is_there(pairs: Path, options: list[str]) -> None:
    """In total and page by page, as JSON; empty pages are left out."""
    done = CliRunner().invoke(main, ["evaluate", "markdown", str(pairs), "--json", *options])
    report = json.loads(done.stdout)

    totals = {row["name"]: row for row in report["totals"]}
    assert totals["code languages"]["pages"] == 2
    assert totals["code languages"]["share"] == 0.5
    assert totals["code blocks"]["share"] == 1.0
    assert [page["page"] for page in report["pages"]] == ["whole", "lost"]
    assert report["pages"][1]["features"][0]["missing"] == ["python"]
    assert report["left_out"] == ["none"]


def test_the_table_names_what_is_missing(pairs: Path) -> None:
    """With `--missing`, page by page."""
    done = CliRunner().invoke(main, ["evaluate", "markdown", str(pairs), "--missing"])

    assert "lost: code languages: python" in done.output
    assert done.exit_code == 0


@pytest.mark.skipif(not DATA.is_file(), reason=f"{DATA} is not there; set WEBSTENCIL_DATA")
def test_real_pages_keep_their_features() -> None:
    """Written whole, so that only the writer is judged."""
    done = CliRunner().invoke(main, ["evaluate", "markdown", str(DATA), "--whole", "--json"])
    shares = {row["name"]: row["share"] for row in json.loads(done.stdout)["totals"]}

    assert shares["code languages"] >= 0.9
    assert shares["math"] >= 0.9
    assert shares["footnotes"] >= 0.9
    assert shares["callouts"] >= 0.8
    assert shares["tables"] >= 0.8
