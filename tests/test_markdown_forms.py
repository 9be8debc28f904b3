"""Forms of markup that real pages of many generators have, in Markdown."""

import pytest
from whole_markdown import written

from webstencil.markup import Markup, mathml_of, tex_of

NOTES = "[^1]: The first note.\n\n[^2]: The second note."


@pytest.mark.parametrize(
    ("block", "wanted"),
    [
        ('<pre class="code-python"><code>a</code></pre>', "```python\na\n```"),
        ('<pre class="ruby-snippet"><code>a</code></pre>', "```ruby\na\n```"),
        ('<pre class="code-snippet__js"><code>a</code><code>b</code></pre>', "```js\na\nb\n```"),
        ('<pre class="menu-code"><code>a</code></pre>', "```\na\n```"),
        (
            '<pre><span data-code-block-lang="go">a<br>b</span></pre>',
            "```go\na\nb\n```",
        ),
        ('<pre syntax="Dart"><code>a</code></pre>', "```dart\na\n```"),
        (
            '<div class="doctest highlight-default"><div class="highlight"><pre>&gt;&gt;&gt; 1\n1'
            "</pre></div></div>",
            "```pycon\n>>> 1\n1\n```",
        ),
        (  # a table that is only the frame of the code
            '<figure class="highlight bash"><table><tr><td class="code"><pre>ls</pre></td></tr>'
            "</table></figure>",
            "```bash\nls\n```",
        ),
        (  # line numbers beside the code
            '<div class="language-js line-numbers-mode"><pre><code>a</code></pre>'
            '<div class="line-numbers-wrapper"><span>1</span><br></div></div>',
            "```js\na\n```",
        ),
        (  # a line that is marked ends, though its end was eaten
            '<pre><code class="language-js">a\n<span class="x-highlight-code-line">b</span>c\n'
            "</code></pre>",
            "```js\na\nb\nc\n```",
        ),
        (  # a title and a button in the block
            '<pre><div><div>python</div><button>Copy</button></div><div><code class="'
            'language-python">a</code></div></pre>',
            "```python\na\n```",
        ),
        (
            '<script src="distill/template.v2.js"></script><d-code block="" language="python">a\nb'
            "</d-code>",
            "```python\na\nb\n```",
        ),
        ('<x-code language="js"><code slot="code">a</code></x-code>', "```js\na\n```"),
        ('<div class="code-block" data-lang="kotlin">a\nb</div>', "```kotlin\na\nb\n```"),
        (  # the name of the language above the code
            '<div class="codeHeader"><span>PowerShell</span><button>Copy</button></div>'
            '<pre><code class="lang-powershell">a</code></pre>',
            "```powershell\na\n```",
        ),
    ],
)
def test_code_keeps_its_language_and_lines(block: str, wanted: str) -> None:
    """What frames or numbers the code is not written, what tells its language is used."""
    assert written(block) == wanted


@pytest.mark.parametrize(
    "box",
    [
        '<div class="hint-container warning"><p class="hint-container-title">Warning</p>Hot.</div>',
        '<div class="custom-container warning"><p>Hot.</p></div>',
        '<div class="box notices warning"><div class="box-label">Warning</div><p>Hot.</p></div>',
        '<aside class="Callout Callout--warning"><p>Hot.</p></aside>',
        '<div class="Alert_alert__x9Yz2 Alert_warning__aB3dE alert"><p>Hot.</p></div>',
        '<div class="rmdwarning"><p>Hot.</p></div>',
        '<div class="x-notice is-warning-notice"><p>Hot.</p></div>',
        '<div class="MuiAlert-root MuiAlert-standardWarning"><div>Hot.</div></div>',
        '<div data-status="warning" class="chakra-alert css-1"><p>Hot.</p></div>',
        '<div class="wiki-box wiki-box-warning"><strong>Warning:</strong> Hot.</div>',
        '<div class="x-callout"><h3>Warning</h3><p>Hot.</p></div>',
        '<div class="callout callout-warning"><div class="callout-title-container">'
        '<span class="screen-reader-only">Warning</span>Warning</div><p>Hot.</p></div>',
        '<div class="note warning flat"><p>Hot.</p></div>',
        '<blockquote class="is-warning"><p>Hot.</p></blockquote>',
        '<blockquote class="block-warning"><p>Hot.</p></blockquote>',
        '<blockquote class="attention-header attention-warning"><p><strong>Warning</strong></p>'
        "<p>Hot.</p></blockquote>",
        "<blockquote><p>[!WARNING]\nHot.</p></blockquote>",
        "<blockquote><p>[!warning]<br>Hot.</p></blockquote>",
    ],
)
def test_callouts_of_families_are_alerts(box: str) -> None:
    """Names count in any case and with what a bundler adds; a title for readers counts once."""
    assert written(f"<p>Text.</p>{box}") == "Text.\n\n> [!WARNING]\n> Hot."


@pytest.mark.parametrize(
    "box",
    [
        '<div class="post-box-note">Original post</div>',
        '<div class="author-box author-box-info"><p>Ann writes.</p></div>',
        "<blockquote><p>[!] Look.</p></blockquote>",
        '<div class="columns is-warning"><p>Hot.</p></div>',
    ],
)
def test_boxes_that_are_no_callouts(box: str) -> None:
    """A part of a box that is called note is no box that is a note."""
    assert "> [!" not in written(f"<p>Text.</p>{box}").replace("> [!]", "")


def test_a_callout_that_is_only_a_title_says_it() -> None:
    """MkDocs lets a page say no more than since when something is there."""
    box = '<div class="admonition new"><p class="admonition-title">New in 1.4</p></div>'

    assert written(box) == "> [!NOTE]\n> New in 1.4"


def test_an_alert_typed_with_a_title_keeps_it() -> None:
    """Obsidian has a title behind the kind, up to the end of the line."""
    box = "<blockquote><p>[!tip]- My title<br>Do it.</p></blockquote>"

    assert written(box) == "> [!TIP]\n> **My title**\n>\n> Do it."


@pytest.mark.parametrize(
    ("formula", "wanted"),
    [
        ('<p>So <tt class="math">x_1</tt> it</p>', "So $x_1$ it"),
        ('<pre class="math">\\int x</pre>', "$$\n\\int x\n$$"),
        ('<p>So <code class="language-math">x^2</code> it</p>', "So $x^2$ it"),
        ('<pre><code class="language-math">x^2\n</code></pre>', "$$\nx^2\n$$"),
        ('<p>So <em class="math">2^{31}</em> it</p>', "So $2^{31}$ it"),
        ('<p>So <em class="math">four</em> it</p>', "So *four* it"),
        ('<p>So <span class="wp-katex-eq" data-display="false">x</span> it</p>', "So $x$ it"),
        (
            "<p>So <mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math>"
            " it</p>",
            "So $x^2$ it",
        ),
        (
            '<p>So <img class="Wirisformula" alt="x squared" data-mathml="«math»«msup»«mi»x«/mi»'
            '«mn»2«/mn»«/msup»«/math»"> it</p>',
            "So $x^2$ it",
        ),
        ('<p>So <img alt="LaTeX: x^2" data-equation-content="x^2"> it</p>', "So $x^2$ it"),
        ("<p>So <math><msup><mi>f</mi><mo>&prime;</mo></msup></math> it</p>", "So $f'$ it"),
    ],
)
def test_formulas_that_are_told_are_tex(formula: str, wanted: str) -> None:
    """Code that is called math is a formula, and so is MathML with a prefix."""
    assert written(formula) == wanted


def svg(inside: str, display: str = "false") -> str:
    return (
        f'<mjx-container display="{display}"><svg><g data-mml-node="math">{inside}</g></svg>'
        "</mjx-container>"
    )


def sign(tag: str, *codes: str) -> str:
    paths = "".join([f'<path data-c="{code}"></path>' for code in codes])
    return f'<g data-mml-node="{tag}">{paths}</g>'


SUM, ONE, TWO, ITALIC_X = (
    sign("mo", "2211"),
    sign("mn", "31"),
    sign("mn", "32"),
    sign("mi", "1D465"),
)
ROOT = sign("mo", "221A")


def chtml(inside: str) -> str:
    return f"<mjx-container><mjx-math>{inside}</mjx-math></mjx-container>"


def drawn(name: str, code: str) -> str:
    return f'<mjx-{name}><mjx-c class="mjx-c{code} TEX-I"></mjx-c></mjx-{name}>'


@pytest.mark.parametrize(
    ("drawing", "tex"),
    [
        (svg(f'<g data-mml-node="msup">{ITALIC_X}{TWO}</g>'), "x^2"),
        (svg(f'<g data-mml-node="mfrac">{ONE}{ITALIC_X}<rect></rect></g>'), r"\frac{1}{x}"),
        (svg(f'<g data-mml-node="msqrt"><g>{ITALIC_X}</g>{ROOT}</g>'), r"\sqrt{x}"),
        (svg(f'<g data-mml-node="msubsup">{SUM}{TWO}{ONE}</g>'), r"\sum_1^2"),
        (svg(f'<g data-mml-node="munderover">{SUM}{ONE}{TWO}</g>', "true"), r"\sum_1^2"),
        (svg(sign("mi", "1D431") + sign("mi", "211D")), r"\mathbf{x}\mathbb{R}"),
        (
            svg(f'<g data-mml-node="munder">{ITALIC_X}{sign("mo", "E152", "E153")}</g>'),
            r"\underbrace{x}",
        ),
        (svg(f"{ITALIC_X}{sign('mo', 'zz')}"), "x"),
        (
            chtml(
                f"<mjx-msup>{drawn('mi', '1D465')}<mjx-script>{drawn('mn', '32')}</mjx-script>"
                "</mjx-msup>"
            ),
            "x^2",
        ),
        (
            chtml(
                "<mjx-munderover><mjx-over>" + drawn("mn", "32") + "</mjx-over><mjx-box>"
                "<mjx-munder><mjx-row><mjx-base>" + drawn("mo", "2211") + "</mjx-base></mjx-row>"
                "<mjx-row><mjx-under>" + drawn("mn", "31") + "</mjx-under></mjx-row>"
                "</mjx-munder></mjx-box></mjx-munderover>"
            ),
            r"\sum_1^2",
        ),
        (
            chtml(
                "<mjx-mroot><mjx-root>"
                + drawn("mn", "33")
                + "</mjx-root><mjx-sqrt><mjx-surd>"
                + drawn("mo", "221A")
                + "</mjx-surd><mjx-box>"
                + drawn("mi", "1D465")
                + "</mjx-box></mjx-sqrt></mjx-mroot>"
            ),
            r"\sqrt[3]{x}",
        ),
    ],
)
def test_formulas_that_mathjax_has_drawn_are_tex(drawing: str, tex: str) -> None:
    """The drawing names its parts and signs, though in an order of its own."""
    (container,) = Markup(drawing.encode(), "utf-8").named("mjx-container")
    math = mathml_of(container)

    assert math is not None
    assert tex_of(math) == tex


def test_a_drawing_stands_in_its_line() -> None:
    """A formula without any text is not lost."""
    assert written(f"<p>So {svg(ITALIC_X)} it</p>") == "So $x$ it"


@pytest.mark.parametrize(
    "page",
    [
        (  # superscripts without links, and a list below a heading
            "<p>One<sup>1</sup> two<sup>2</sup> km<sup>3</sup>.</p><h2>References</h2>"
            "<ol><li>The first note.</li><li>The second note.</li><li>Third.</li></ol>"
        ),
        (  # the same with paragraphs
            "<p>One<sup>[1]</sup> two<sup>[2]</sup> km<sup>3</sup>.</p><h3>Notes</h3>"
            "<p>[1] The first note.</p><p>[2] The second note.</p>"
        ),
        (  # links to paragraphs that begin with the same label, below a rule
            '<p>One<a href="#1">[1]</a> two<a href="#2">[2]</a> km<sup>3</sup>.</p><hr>'
            '<p id="1">[1] The first note.</p><p id="2">[2] The second note.</p>'
        ),
        (  # the same without a rule, as the brackets are the label's
            '<p>One<a href="#a1">[1]</a> two<a href="#a2">[2]</a> km<sup>3</sup>.</p>'
            '<p id="a1">[1] The first note.</p><p id="a2">[2] The second note.</p>'
        ),
        (  # MediaWiki, with links back that are numbers
            '<p>One<sup><a href="./A#cite_note-1">[1]</a></sup> two<sup><a href="./A#cite_note-2">'
            '[2]</a></sup> km<sup>3</sup>.</p><ol class="references"><li id="cite_note-1"><a '
            'href="./A#cite_ref-1">↑ </a> <span>The first note.</span></li><li id="cite_note-2">'
            '<a href="./A#cite_ref-2-0">1 </a><a href="./A#cite_ref-2-1">2 </a> <span>The second '
            "note.</span></li></ol>"
        ),
        (  # Wikidot
            '<p>One<sup><a href="javascript:;" onclick="go(\'footnote-1\')">1</a></sup> two<sup>'
            '<a href="javascript:;" onclick="go(\'footnote-2\')">2</a></sup> km<sup>3</sup>.</p>'
            '<div class="footnotes-footer"><div id="footnote-1"><a href="javascript:;" '
            'onclick="go(\'ref-1\')">1</a>. The first note.</div><div id="footnote-2"><a '
            'href="javascript:;" onclick="go(\'ref-2\')">2</a>. The second note.</div></div>'
        ),
        (  # rows with an arrow before the label
            '<p>One<a href="#f1"><sup>1</sup></a> two<a href="#f2"><sup>2</sup></a> km<sup>3</sup>.'
            '</p><table class="footnotes"><tr><th><a id="f1" class="footnote_backlink">↑ 1</a></th>'
            '<td>The first note.</td></tr><tr><th><a id="f2" class="footnote_backlink">↑ 2</a></th>'
            "<td>The second note.</td></tr></table>"
        ),
        (  # a script moves the reader, and a tip shows the note
            "<p>One<span><a onclick=\"footnote_go('f1')\"><sup>1</sup></a><span "
            'class="footnote_tooltip">The first note.</span></span> two<span><a onclick="'
            "footnote_go('f2')\"><sup>2</sup></a></span> km<sup>3</sup>.</p><ol "
            'class="footnotes"><li id="f1">The first note.</li><li id="f2">The second note.</li>'
            "</ol>"
        ),
        (  # the number stands before the note and in it
            '<p>One<label class="margin-toggle">1</label><span class="sidenote">'
            '<span class="sidenote-number">1</span> The first note.</span>'
            ' two<sup>2</sup><small class="sidenote"><sup>2</sup> The second note.</small>'
            " km<sup>3</sup>.</p>"
        ),
    ],
)
def test_footnotes_of_blogs_are_footnotes(page: str) -> None:
    """Labels count where a heading, a rule or a script leads to the notes; powers do not."""
    text = written(page)

    assert text.startswith("One[^1] two[^2] km<sup>3</sup>.\n\n")
    assert NOTES in text


@pytest.mark.parametrize("link", ["Notes", "Ref. c", "Nb"])
def test_a_section_that_is_called_notes_is_none(link: str) -> None:
    """A list of contents links to sections, whatever their names begin with."""
    page = (
        f'<ul><li><a href="#notes">{link}</a></li></ul><section id="notes"><h2>Notes</h2><p>A.</p>'
    )

    assert written(page + "</section>").endswith("## Notes\n\nA.")


def test_the_letters_of_an_index_are_no_references() -> None:
    """Texinfo links each letter of an index to the row where it begins."""
    letters = "".join([f'<a href="#fn-{one}">{one}</a> ' for one in "ABCDEF"])
    rows = "".join([f'<tr><th id="fn-{one}">{one}</th><td>word</td></tr>' for one in "ABCDEF"])

    assert "[^" not in written(f"<p>{letters}</p><table>{rows}</table>")


def test_a_power_is_no_reference() -> None:
    """Below a heading of notes a list may be anything, if no label begins with one."""
    page = "<p>It has 3 km<sup>2</sup>.</p><h2>Notes</h2><ol><li>A.</li><li>B.</li></ol>"

    assert written(page) == "It has 3 km<sup>2</sup>.\n\n## Notes\n\n1. A.\n2. B."


@pytest.mark.parametrize(
    "table",
    [
        '<div role="table"><div role="row"><span role="columnheader">A</span><span '
        'role="columnheader">B</span></div> <div role="row"><span role="cell">1</span>'
        '<span role="cell"></span></div></div>',
        '<div class="ltx_para"><span class="ltx_tabular"><span class="ltx_tr"><span class="ltx_td">'
        "A</span> "
        '<span class="ltx_td">B</span></span> <span class="ltx_tr"><span class="ltx_td">1</span>'
        '<span class="ltx_td"></span></span></span></div>',
    ],
)
def test_tables_without_the_tags_of_tables(table: str) -> None:
    """Roles make a table, and so do the names of LaTeXML."""
    assert written(f"<p>Text.</p>{table}") == "Text.\n\n| A | B |\n| --- | --- |\n| 1 |  |"


def test_a_single_column_of_roles_is_no_table() -> None:
    """Without two cells in a row, roles arrange a page."""
    page = '<div role="table"><div role="row"><div role="cell">A</div></div></div>'

    assert written(page) == "A"


def test_a_heading_alone_in_its_row_parts_a_table() -> None:
    """Doxygen puts the headings of its lists of members into their tables."""
    page = (
        '<table><tr><td colspan="2"><h2>Types</h2></td></tr><tr><td>int</td><td>a</td></tr>'
        '<tr><td>int</td><td>b</td></tr><tr><td colspan="2"><h2>Functions</h2></td></tr>'
        "<tr><td>void</td><td>f</td></tr></table>"
    )

    assert written(page) == (
        "## Types\n\n| int | a |\n| --- | --- |\n| int | b |\n\n## Functions\n\n"
        "| void | f |\n| --- | --- |"
    )


def test_the_frame_of_a_page_stays_one() -> None:
    """A heading above columns of paragraphs does not make them a table."""
    page = (
        '<table><tr><td colspan="2"><h2>Site</h2></td></tr><tr><td><p>Left.</p></td>'
        "<td><p>Right.</p></td></tr></table>"
    )

    assert written(page) == "## Site\n\nLeft.\n\nRight."


def test_what_a_column_is_sorted_by_is_not_written() -> None:
    """Hidden keys are no part of a cell."""
    row = '<tr><td><span style="display: none">01</span>one</td><td>two</td></tr>'

    assert written(f"<table><tr><th>A</th><th>B</th></tr>{row}</table>").endswith("| one | two |")


def test_the_type_of_a_term_stands_apart() -> None:
    """Docutils leaves the colon to the style sheet."""
    page = '<dl><dt><b>x</b><span class="classifier">int</span></dt><dd>A.</dd></dl>'

    assert written(page) == "**x** : int\n: A."


def test_a_summary_outside_of_details_is_text() -> None:
    """Some manuals have the body of a section in it."""
    page = "<section><summary><p>A.</p><pre>b</pre></summary></section>"

    assert written(page) == "A.\n\n```\nb\n```"


def test_emphasis_after_a_star_is_stars() -> None:
    """A star that is escaped is punctuation, beside which a star opens an emphasis."""
    assert written("<p>Widget *<i>parent</i> = 0</p>") == "Widget \\**parent* = 0"


@pytest.mark.parametrize("key", ["nitro-lazy-src", "data-lazyload", "data-cfsrc", "data-ezsrc"])
def test_images_that_services_load_have_their_address(key: str) -> None:
    """What a page shows until then is no image."""
    image = f'<img {key}="a.jpg" src="data:image/svg+xml,x" alt="A">'

    assert written(f"<p>B {image} c</p>") == "B ![A](https://x.org/a.jpg) c"
