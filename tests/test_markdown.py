# ruff: noqa: E501, RUF001 - HTML as pages have it
"""Markdown that loses nothing: every kind of markup that pages have, and that readers read it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from whole_markdown import html_of, written

from webstencil.api import parsed
from webstencil.content.html import content_html
from webstencil.content.markdown import markdown
from webstencil.content.parts import PageParts
from webstencil.content.runs import flatten
from webstencil.markup import Markup

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def read(text: str) -> str:
    """Return the text that a reader of Markdown sees, blocks divided by lines."""
    page = Markup(READER.render(text).encode(), "utf-8")
    return " ".join(page.body.text.split())  # type: ignore[attr-defined]  # an element


@pytest.mark.parametrize(
    "code",
    [
        '<pre><code class="language-rust">x</code></pre>',
        '<pre class="language-rust"><code class="hljs">x</code></pre>',
        '<pre><code class="hljs rust">x</code></pre>',
        '<pre><code class="lang-rust">x</code></pre>',
        '<pre class="lang:rust decode:true">x</pre>',
        '<pre class="brush: rust; toolbar: false">x</pre>',
        '<div class="highlight-rust notranslate"><div class="highlight"><pre>x</pre></div></div>',
        '<div class="highlight highlight-source-rust"><pre>x</pre></div>',
        '<div class="sourceCode"><pre class="sourceCode rust"><code>x</code></pre></div>',
        '<div class="language-rust highlighter-rouge"><div class="highlight"><pre>x</pre></div></div>',
        '<div class="mw-highlight mw-highlight-lang-rust mw-content-ltr"><pre>x</pre></div>',
        '<div class="gatsby-highlight" data-language="rust"><pre><code>x</code></pre></div>',
        '<div class="language-rust codeBlockContainer_a theme-code-block"><pre><code>x</code></pre>'
        "</div>",
        '<pre data-lang="rust">x</pre>',
        '<code><pre class="language-rust">x</pre></code>',
        '<pre class="EnlighterJSRAW" data-enlighter-language="rust">x</pre>',
        '<div class="code-block" language="rust"><pre><code>x</code></pre></div>',
        '<pre class="src src-rust">x</pre>',
        '<pre class="prettyprint lang-rust">x</pre>',
        '<figure class="highlight rust"><table><tr><td class="gutter"><pre><span class="line">1</span>'
        '</pre></td><td class="code"><pre><span class="line">x</span></pre></td></tr></table></figure>',
        '<div class="chroma"><table class="lntable"><tr><td class="lntd"><pre class="chroma"><code>'
        '<span class="lnt">1\n</span></code></pre></td><td class="lntd"><pre class="chroma">'
        '<code class="language-rust" data-lang="rust">x</code></pre></td></tr></table></div>',
        '<div class="syntaxhighlighter rust"><table><tr><td class="gutter"><div class="line">1</div>'
        '</td><td class="code"><div class="container"><div class="line"><code>x</code></div></div></td>'
        "</tr></table></div>",
        '<div class="language-rust vp-code"><button>Copy</button><span class="lang">rust</span>'
        '<pre class="shiki"><code><span class="line">x</span></code></pre></div>',
        '<div class="code-box"><div class="head"><span>Rust</span><button>Copy</button></div>'
        "<pre><code>x</code></pre></div>",
        '<pre data-syntaxhighlighter-params="brush: rust; gutter: false">x</pre>',
        '<pre data-code-wrap="rust"><code>x</code></pre>',
        '<div class="crayon-syntax"><div><span class="crayon-language">Rust</span></div><table><tr>'
        '<td><div>1</div></td><td><div class="crayon-pre"><div>x</div></div></td></tr></table></div>',
        '<div class="highlight hl-rust"><pre>x</pre></div>',
    ],
)
def test_code_blocks_keep_their_language(code: str) -> None:
    """Whatever highlighter wrote the names."""
    assert written(f"<p>Text.</p>{code}<p>End.</p>").endswith("```rust\nx\n```\n\nEnd.")


@pytest.mark.parametrize(
    "code",
    [
        "<pre><code>x</code></pre>",
        '<pre class="wide c dark nice z1">x</pre>',
        '<pre><code class="language-none">x</code></pre>',
        '<div class="highlight"><pre>x</pre></div>',
        '<section class="rust"><p>Text.</p><pre>x</pre></section>',
    ],
)
def test_code_without_a_language_gets_none(code: str) -> None:
    """A name that only looks like one is not taken."""
    assert "```\nx\n```" in written(code)


@pytest.mark.parametrize(
    "code",
    [
        "<pre>a\n  b</pre>",
        "<pre>a<br>&nbsp; b</pre>",
        "<pre><code><span class='line'>a</span><span class='line'>  b</span></code></pre>",
        "<pre><code><span class=line>a</span>\n<span class=line>  b</span>\n</code></pre>",
        "<pre><div>a</div><div>  b</div></pre>",
        "<pre><code>a</code>\n<code>  b</code></pre>",
        "<pre><span class='lineno'>1</span>a\n<span class='lineno'>2</span>  b</pre>",
        "<pre><span class='ln'>1</span>a\n<span class='ln'>2</span>  b</pre>",
        "<pre><span style='user-select:none'>1 </span>a\n<span style='user-select:none'>2 </span>"
        "  b</pre>",
        "<table class='highlighttable'><tr><td class='linenos'><pre>1\n2</pre></td>"
        "<td class='code'><pre>a\n  b</pre></td></tr></table>",
        "<pre><code>a\n  b</code><button>Copy</button></pre>",
        "<div class='gutter'><pre>1\n2\n</pre></div><pre>a\n  b</pre>",
        "<pre><code><table class='hljs-ln'><tr><td class='hljs-ln-numbers'>1</td><td>a</td></tr>"
        "<tr><td class='hljs-ln-numbers'>2</td><td>  b</td></tr></table></code></pre>",
    ],
)
def test_code_keeps_its_lines_and_nothing_else(code: str) -> None:
    """Line numbers and buttons are not code."""
    assert written(code) == "```\na\n  b\n```"


def test_code_is_written_as_it_is() -> None:
    """Fences are longer than those inside; inline code keeps its backticks."""
    assert written("<pre>```\nx\n```</pre>") == "````\n```\nx\n```\n````"
    assert written("<p>Use <code>`a`</code> and <code>b|*c*</code>.</p>") == (
        "Use `` `a` `` and `b|*c*`."
    )


X2 = "<math><msup><mi>x</mi><mn>2</mn></msup></math>"


@pytest.mark.parametrize(
    "formula",
    [
        X2,
        '<math alttext="x^2"><mi>?</mi></math>',
        "<math><semantics><mi>?</mi><annotation encoding='application/x-tex'>x^2</annotation>"
        "</semantics></math>",
        "<span class='katex'><span class='katex-mathml'><math><semantics><mi>?</mi>"
        "<annotation encoding='application/x-tex'>x^2</annotation></semantics></math></span>"
        "<span class='katex-html' aria-hidden='true'><span>x</span><span>2</span></span></span>",
        '<script type="math/tex">x^2</script>',
        '<span class="MathJax_Preview">x2</span><span class="MathJax">x2</span>'
        '<script type="math/tex">x^2</script>',
        f"<mjx-container><mjx-math>x2</mjx-math><mjx-assistive-mml>{X2}</mjx-assistive-mml>"
        "</mjx-container>",
        "<span class='MathJax' data-mathml='<math><msup><mi>x</mi><mn>2</mn></msup></math>'>x2</span>",
        "<span class='math inline'>\\(x^2\\)</span>",
        "\\(x^2\\)",
        "<img class='latex' alt='x^2' src='a.png'>",
        "<span class='mwe-math-element'><span style='display:none'>"
        "<math alttext='{\\displaystyle x^2}'><mi>?</mi></math></span><img alt='x^2' src='a.svg'></span>",
        "<span data-tex='x^2'>x2</span>",
        "<span class='math inline'>x^2</span>",
        "<code class='code math' data-math-style='inline'>x^2</code>",
        "<span class='arithmatex'>\\(x^2\\)</span>",
        "<span class='math-container'>$x^2$</span>",
        "<span class='math'>x^2</span>",
        "<span class='mjx-chtml'><span class='mjx-math' aria-label='x^2'><span>x2</span></span></span>",
        "<img src='https://latex.codecogs.com/svg.latex?x%5E2'>",
        "<img src='https://site.example/equation?tex=x%5E2' alt='x^2'>",
    ],
)
def test_formulas_are_tex(formula: str) -> None:
    """What a script has drawn of a formula is not written a second time."""
    assert written(f"<p>If {formula} holds.</p>") == "If $x^2$ holds."


@pytest.mark.parametrize(
    ("formula", "tex"),
    [
        ('<script type="math/tex; mode=display">\na\n= b\n</script>', "a\n= b"),
        ('<math display="block"><mi>a</mi></math>', "a"),
        ("<p>\\[a = b\\]</p>", "a = b"),
        ("<div><span class='katex-display'><span class='katex'><math><semantics><mi>?</mi>"
         "<annotation encoding='application/x-tex'>a</annotation></semantics></math></span></span>"
         "</div>", "a"),
    ],
)  # fmt: skip
def test_formulas_on_lines_of_their_own_stay_there(formula: str, tex: str) -> None:
    """Between two signs of two dollars."""
    assert written(f"<p>See:</p>{formula}<p>End.</p>") == f"See:\n\n$$\n{tex}\n$$\n\nEnd."


def test_tex_in_a_text_is_a_formula_if_the_page_reads_it_so() -> None:
    """Prices are not, nor is code."""
    text = "<p>Let $n$ be $a_1+b$, for $5 or $6.</p><pre>$a$</pre>"

    assert written(text, head="<script src='mathjax.js'></script>").startswith(
        "Let $n$ be $a_1+b$, for $5 or $6.\n\n"
    )
    assert 'class="math' not in html_of("<p>It is $5 now and $6 then, in $n$ years.</p>")


@pytest.mark.parametrize(
    ("source", "tex"),
    [
        ("https://latex.codecogs.com/svg.image?%5Cfrac%7Ba%7D%7Bb%7D", r"\frac{a}{b}"),
        ("https://chart.apis.google.com/chart?cht=tx&chl=%5Calpha%2B1", r"\alpha+1"),
        ("https://s0.wp.com/latex.php?latex=%5Calpha+x&bg=ffffff", r"\alpha+x"),
    ],
)
def test_images_of_formulas_tell_their_tex(source: str, tex: str) -> None:
    """Services that draw formulas have it in the address."""
    assert written(f"<p>It is <img src='{source}'>.</p>") == f"It is ${tex}$."


@pytest.mark.parametrize(
    ("math", "tex"),
    [
        ("<mfrac><mi>a</mi><mrow><mn>2</mn><mi>b</mi></mrow></mfrac>", r"\frac{a}{2b}"),
        ("<msqrt><mi>α</mi><mi>x</mi></msqrt>", r"\sqrt{\alpha x}"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>", r"\sum_i^n"),
        ("<mi>sin</mi><mo>&#8289;</mo><mi>x</mi>", r"\sin x"),
        ("<mover><mi>v</mi><mo>→</mo></mover>", r"\vec{v}"),
        ("<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable>",
         r"\begin{matrix} a & b \end{matrix}"),
        ("<mi mathvariant='double-struck'>R</mi>", r"\mathbb{R}"),
        ("<mtext>if</mtext>", r"\text{if}"),
    ],
)  # fmt: skip
def test_mathml_alone_is_translated(math: str, tex: str) -> None:
    """Pages without TeX have formulas, too."""
    assert written(f"<p>Let <math>{math}</math>.</p>") == f"Let ${tex}$."


NOTED = "One.[^1]\n\nTwo.[^2]\n\n[^1]: First note here.\n\n[^2]: Second note here."
TWO = '<p>One.<sup><a id="r1" href="#f1">1</a></sup></p><p>Two.<sup><a id="r2" href="#f2">2</a></sup></p>'


@pytest.mark.parametrize(
    "page",
    [
        f'{TWO}<section class="footnotes"><ol><li id="f1"><p>First note here. <a href="#r1">↩</a></p></li>'
        '<li id="f2"><p>Second note here. <a href="#r2">↩</a></p></li></ol></section>',
        f'{TWO}<h2>Notes</h2><ol><li id="f1">First note here.</li><li id="f2">Second note here.</li></ol>',
        f'{TWO}<p id="f1"><a href="#r1">[1]</a> First note here.</p>'
        '<p id="f2"><a href="#r2">[2]</a> Second note here.</p>',
        f'{TWO}<dl class="footnotes"><dt id="f1">1</dt><dd>First note here.</dd>'
        '<dt id="f2">2</dt><dd>Second note here.</dd></dl>',
        f'{TWO}<div><h5><a id="f1" href="#r1">(1)</a></h5><p>First note here.</p>'
        '<h5><a id="f2" href="#r2">(2)</a></h5><p>Second note here.</p></div>',
        f'{TWO}<hr><div class="footnote-definition" id="f1"><sup>1</sup><p>First note here.</p></div>'
        '<div class="footnote-definition" id="f2"><sup>2</sup><p>Second note here.</p></div>',
        '<p>One.<sup>1</sup></p><p>Two.<sup>2</sup></p><hr><p><sup>1</sup> First note here.</p>'
        "<p><sup>2</sup> Second note here.</p>",
        '<p>One.<sup>1</sup></p><p>Two.<sup>2</sup></p><div class="footnotes"><ol>'
        "<li>First note here.</li><li>Second note here.</li></ol></div>",
        '<p>One.<sup>1</sup></p><p>Two.<sup>2</sup></p><p class="footnote">1. First note here.</p>'
        '<p class="footnote">2. Second note here.</p>',
        '<p>One.<a href="#f1">¹</a></p><p>Two.<a href="#f2">²</a></p><h3>Notes</h3>'
        '<table><tr><td><a name="f1">1</a></td><td>First note here.</td></tr>'
        '<tr><td><a name="f2">2</a></td><td>Second note here.</td></tr></table>',
        f'{TWO}<h3>Footnotes</h3><p><a name="f1">1.</a></p><p>First note here.</p>'
        '<p><a name="f2">2.</a></p><p>Second note here.</p>',
        '<p>One.<sup><a href="#_ftn1">[1]</a></sup></p><p>Two.<sup><a href="#_ftn2">[2]</a></sup></p><hr>'
        '<p><span><sup><a href="//X-1#_ftnref1">[1]</a> </sup>First note here.</span></p>'
        '<p><span><sup><a href="//X-1#_ftnref2">[2]</a> </sup>Second note here.</span></p>',
        '<p>One.<label for="a" class="margin-toggle"></label><input type="checkbox" id="a">'
        '<span class="sidenote">First note here.</span></p>'
        '<p>Two.<span class="sidenote">Second note here.</span></p>',
        '<p>One.<sup class="reference" id="r1"><a href="#n-1"><span>[</span>1<span>]</span></a></sup></p>'
        '<p>Two.<sup class="reference" id="r2"><a href="#n-2">[2]</a></sup></p><div class="reflist"><ol>'
        '<li id="n-1"><span class="mw-cite-backlink"><b><a href="#r1">^</a></b></span> '
        '<span class="reference-text">First note here.</span></li><li id="n-2"><span>^ '
        '<a href="#r2"><sup><i><b>a</b></i></sup></a></span> <span>Second note here.</span></li></ol></div>',
        '<p>One.<a href="#i1" id="j1">[1]</a></p><p>Two.<a href="#i2" id="j2">[2]</a></p>'
        '<table class="docutils footnote" id="i1"><tr><td><a href="#j1">[1]</a></td>'
        '<td>First note here.</td></tr></table><table class="docutils footnote" id="i2"><tr>'
        '<td><a href="#j2">[2]</a></td><td>Second note here.</td></tr></table>',
        '<p>One.<sup>1</sup><span class="modern-footnotes-footnote__note">First note here.</span></p>'
        '<p>Two.<sup>2</sup><span class="modern-footnotes-footnote__note">Second note here.</span></p>',
    ],
)  # fmt: skip
def test_footnotes_are_footnotes(page: str) -> None:
    """However they are marked up, linked or only numbered."""
    assert written(page).replace("^ Second", "Second") == NOTED


def test_a_number_inside_a_note_is_no_label() -> None:
    """Only one at its beginning is left out."""
    page = (
        '<p>One.<a href="#fn3">3</a></p><ol class="notes"><li id="fn3">3. In (2023). It.</li></ol>'
    )

    assert written(page) == "One.[^3]\n\n[^3]: In (2023). It."


def test_notes_keep_their_blocks() -> None:
    """Lists and further paragraphs of a footnote are indented; one that is referred to twice is one."""
    page = (
        '<p>One<a href="#fn1">1</a> two<a href="#fn1">1</a>.</p><ol class="footnotes"><li id="fn1">'
        "<p>Note.</p><ul><li>a</li></ul></li></ol>"
    )

    assert written(page) == "One[^1] two[^1].\n\n[^1]: Note.\n\n    - a"


@pytest.mark.parametrize(
    "page",
    [
        '<p>See (<a href="#t1">1</a>).</p><h3><a name="t1"></a>Theorem 1</h3><p>Text.</p>',
        "<p>10<sup>2</sup> m and x<sup>1</sup>.</p><hr><p><sup>1</sup> Note.</p>",
        '<p>Go to <a href="#s2">2</a>.</p><div id="s2"><p>Part two.</p></div>',
    ],
)
def test_other_links_and_powers_are_no_footnotes(page: str) -> None:
    """A number that leads somewhere is not a note, nor is one above the line."""
    assert "[^" not in written(page)


@pytest.mark.parametrize(
    "box",
    [
        '<div class="admonition warning"><p class="admonition-title">Warning</p><p>Hot.</p></div>',
        '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning'
        "</p><p>Hot.</p></div>",
        '<div data-callout="warning" class="callout"><div class="callout-title">'
        '<div class="callout-title-inner">Warning</div></div><p>Hot.</p></div>',
        '<div class="alert alert-warning" role="alert">Hot.</div>',
        '<div class="theme-admonition theme-admonition-warning alert alert--warning">'
        '<div class="admonitionHeading_x">warning</div><div><p>Hot.</p></div></div>',
        '<div class="warning custom-block"><p class="custom-block-title">WARNING</p><p>Hot.</p></div>',
        '<div class="admonitionblock warning"><table><tr><td class="icon"><div class="title">Warning'
        '</div></td><td class="content">Hot.</td></tr></table></div>',
        '<div class="notecard warning"><p><strong>Warning:</strong> Hot.</p></div>',
        '<aside class="warning"><p>Hot.</p></aside>',
        '<blockquote class="prompt-warning"><p>Hot.</p></blockquote>',
        '<div class="bs-callout bs-callout-warning"><h4>Warning</h4><p>Hot.</p></div>',
        '<aside class="starlight-aside starlight-aside--warning"><p class="title">Warning</p>'
        "<p>Hot.</p></aside>",
        '<div class="confluence-information-macro confluence-information-macro-warning"><div>'
        "<p>Hot.</p></div></div>",
        '<div data-panel-type="warning" class="ak-editor-panel"><div><p>Hot.</p></div></div>',
        '<blockquote class="blockquote-tag blockquote-tag-warning"><p class="blockquote-tag-title">'
        "Warning</p><p>Hot.</p></blockquote>",
        '<p class="notice--warning">Hot.</p>',
        '<div class="notices warning"><div class="label">Warning</div><p>Hot.</p></div>',
    ],
)
def test_callouts_are_alerts(box: str) -> None:
    """A title that only says the kind is not repeated."""
    assert written(f"<p>Text.</p>{box}") == "Text.\n\n> [!WARNING]\n> Hot."


def test_a_callout_keeps_its_title() -> None:
    """In bold, since GitHub reads no alert with other words in its first line."""
    box = '<div class="admonition tip"><p class="admonition-title">Be quick</p><p>Use it.</p></div>'

    assert written(box) == "> [!TIP]\n> **Be quick**\n>\n> Use it."


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<ul><li><input type=checkbox checked> Done</li><li><input type=checkbox>Open</li></ul>",
         "- [x] Done\n- [ ] Open"),
        ("<dl><dt>Term</dt><dd>Meaning</dd><dd>Other</dd></dl>", "Term\n: Meaning\n: Other"),
        ("<p>x<sub>i</sub> and y<sup>2</sup></p>", "x<sub>i</sub> and y<sup>2</sup>"),
        ("<p>Press <kbd>Ctrl</kbd>.</p>", "Press <kbd>Ctrl</kbd>."),
        ("<figure><img src=/a.png alt=A><figcaption>The <b>a</b>.</figcaption></figure>",
         "![A](https://x.org/a.png)\n\nThe **a**."),
        ("<ol start=3><li>c</li><li>d<ol><li>e</li></ol></li></ol>", "3. c\n4. d\n   1. e"),
        ("<ol reversed><li>b</li><li>a</li></ol>", "2. b\n1. a"),
        ("<ol><li>a</li><li value=7>g</li><li>h</li></ol>", "1. a\n7. g\n8. h"),
        ("<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n* b"),
        ("<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n\n- c"),
        ("<details><summary>More &amp; more</summary><p>Text.</p></details>",
         "<details>\n<summary>More &amp; more</summary>\n\nText.\n\n</details>"),
        ("<div role=heading aria-level=3>Part</div><p>Text.</p>", "### Part\n\nText."),
        ("<h2>Long<br>title #</h2>", "## Long title \\#"),
        ("<p>One</p><hr><p>two</p>", "One\n\n---\n\ntwo"),
        ("<p><em>list</em><em>(</em><b>a</b><b>b</b>)</p>", "*list*(**ab**)"),
        ("<p><del>a</del> <q>b</q></p>", '~~a~~ "b"'),
        ("<p><b>a<br>b</b></p>", "**a**  \n**b**"),
        ("<blockquote><p>a</p><pre>b</pre></blockquote>", "> a\n>\n> ```\n> b\n> ```"),
    ],
)  # fmt: skip
def test_marks_keep_their_meaning(html: str, wanted: str) -> None:
    """Each kind of markup has one form in Markdown, or HTML that Markdown allows."""
    assert written(html) == wanted


def test_tables_keep_spans_and_lists() -> None:
    """Spanned cells are empty ones; lists stay lists; a caption is a line above."""
    table = (
        "<table><caption>Prices</caption><tr><th colspan=2>A</th><th>B</th></tr>"
        "<tr><td rowspan=2>1|2</td><td><ul><li>x</li><li>y</li></ul></td><td>3</td></tr>"
        "<tr><td>4</td><td><p>5</p><p>6</p></td></tr></table>"
    )

    assert written(table) == (
        "Prices\n\n"
        "| A |  | B |\n"
        "| --- | --- | --- |\n"
        "| 1\\|2 | <ul><li>x</li><li>y</li></ul> | 3 |\n"
        "|  | 4 | 5<br>6 |"
    )


def test_tables_with_a_head_are_tables() -> None:
    """Whatever is in their cells, and with a single column, too."""
    head = "<tr><th>A</th><th>B</th></tr>"
    titled = f"<table>{head}<tr><td><h4>x</h4></td><td>y</td></tr></table>"
    single = "<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>x</td></tr></tbody></table>"

    assert written(titled) == "| A | B |\n| --- | --- |\n| x | y |"
    assert written(single) == "| A |\n| --- |\n| x |"


@pytest.mark.parametrize(
    "box",
    [
        '<input type="checkbox" checked disabled>',
        '<div class="checkbox checkbox-on"></div>',
        '<span role="checkbox" aria-checked="true"></span>',
        '<i class="fa fa-check-square-o"></i>',
    ],
)
def test_check_boxes_are_tasks(box: str) -> None:
    """Also those that are drawn."""
    assert written(f"<ul><li>{box} done</li></ul>") == "- [x] done"


def test_a_list_between_items_stays_there() -> None:
    """Below the item before it, as browsers show it."""
    html = "<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>"

    assert written(html) == "- a\n  - b\n- c"


def test_a_formula_that_an_editor_has_broken_is_whole() -> None:
    """Breaks between its lines are no part of it."""
    head = "<script src='katex.js'></script>"

    assert written("<p>a</p><p>$$<br>x^2<br>$$</p>", head=head) == "a\n\n$$\nx^2\n$$"


def test_small_tables_with_headings_are_tables() -> None:
    """A row with a heading and a value is data; a box around a text is not."""
    assert written("<table><tr><th>Width</th><td>3 m</td></tr></table>") == (
        "| Width | 3 m |\n| --- | --- |"
    )
    assert written("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>") == (
        "a\n\nb\n\nc\n\nd"
    )


@pytest.mark.parametrize(
    "image",
    [
        '<img src="data:image/gif;base64,R0" data-src="/a.png" alt="A">',
        '<img src="/img/placeholder.gif" data-original="/a.png" alt="A">',
        '<img alt="A" srcset="/s.png 100w, /a.png 900w">',
        '<img src="data:image/gif;base64,R0" alt="A"><noscript><img src="/a.png" alt="A"></noscript>',
        '<picture><source srcset="/a.png 2x"><img alt="A"></picture>',
        '<img src="/small/a.png" alt="A"><img src="/a.png" alt="A">',
    ],
)
def test_lazy_images_have_their_address(image: str) -> None:
    """Also if a script would load it, or the page has it for browsers without scripts."""
    found = written(f"<p>See</p><p>{image}</p><p>it.</p>", url="http://b.org/x/")

    assert found == "See\n\n![A](http://b.org/a.png)\n\nit."


@pytest.mark.parametrize(
    ("around", "stays"),
    [
        ('<a href="/u/ann"><img src="/a.png"></a>', True),
        ('<figure><img src="/a.png"><p>Photo: Ann</p></figure>', True),
        ('<div><img src="/a.png"><a href="/u/ann">Ann</a></div>', False),
        ('<div class="reactions"><img src="/a.png"></div>', False),
        ('<a href="/u/ann"><img class="user-avatar" src="/a.png"></a>', False),
    ],
)
def test_images_go_with_the_text_around_them(around: str, *, stays: bool) -> None:
    """Portraits beside links that are left out, and buttons, say nothing without these."""
    page = parsed(f"<body><p>First of all.</p>{around}<p>And the last.</p></body>", "http://b.org/")
    runs = flatten(page.markup)
    chosen = [run for run, text in enumerate(runs.texts) if text.endswith(".")]

    assert ("a.png" in content_html(PageParts(page, runs), chosen)) == stays


@pytest.mark.parametrize("name", ["emoji", "wp-smiley", "bbcodeEmoticon", "ipsEmoji", "smilies"])
def test_smileys_are_what_they_stand_for(name: str) -> None:
    """They are images in forums, whose text a reader would write."""
    image = f'<img class="{name}" src="/s.gif" alt=":)">'

    assert written(f"<p>Well {image} done</p>") == "Well :) done"


def test_links_lead_somewhere() -> None:
    """They are absolute, by the base of the page; scripts and data are no address."""
    links = (
        '<p><a href="b">B</a> <a href="JavaScript:x()">s</a> <a href=" data:text/html,x">d</a> '
        '<a href="#">n</a> <a href="/c (d">C</a> Wow!<a href="//e.org/">E</a></p>'
    )

    found = written(links, url="http://a.org/", head='<base href="http://b.org/x/">')

    assert found == (
        "[B](http://b.org/x/b) s d n [C](http://b.org/c%20%28d) Wow\\![E](http://e.org/)"
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("snake_case and 2 * 3 * 4", "snake_case and 2 * 3 * 4"),
        ("*a* _b_", "\\*a\\* \\_b\\_"),
        ("1. one", "1\\. one"),
        ("1.5 litres - or + more", "1.5 litres - or + more"),
        ("- a", "\\- a"),
        ("#tag", "#tag"),
        ("# a", "\\# a"),
        ("a < b, <b>, &amp;", "a < b, \\<b>, \\&amp;"),
        ("[a](b) [c] [^1]", "[a\\](b) [c] \\[^1]"),
        ("AT&T and C:\\new", "AT&T and C:\\new"),
        ("[x] done", "\\[x] done"),
        ("---", "\\---"),
    ],
)
def test_only_what_markdown_would_read_is_escaped(text: str, wanted: str) -> None:
    """A text reads as it stands on the page."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")

    assert written(f"<p>{escaped}</p>") == wanted
    assert read(wanted) == text


MARKS = st.text(st.sampled_from("ab1 *_`[](){}<>#+-.!~|\\&;:=^\"'$/é中"), min_size=1, max_size=30)


@given(MARKS, st.sampled_from(["p", "li", "h2", "td", "em", "b", "a", "blockquote"]))
def test_a_reader_of_markdown_sees_the_text_of_the_page(text: str, tag: str) -> None:
    """Whatever signs are in it, and wherever it stands."""
    words = " ".join(text.split())
    escaped = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    around = {
        "li": f"<ul><li>{escaped}</li></ul>",
        "td": f"<table><tr><th>A</th><th>B</th></tr><tr><td>{escaped}</td><td>c</td></tr></table>",
        "em": f"<p>Go <em>{escaped}</em> on</p>",
        "b": f"<p>Go <b>{escaped}</b> on</p>",
        "a": f'<p>Go <a href="http://a.org/">{escaped}</a> on</p>',
    }.get(tag, f"<{tag}>{escaped}</{tag}>")

    found = read(markdown(around))

    expected = {"td": f"A B {words} c", "em": f"Go {words} on", "b": f"Go {words} on"}
    expected["a"] = f"Go {words} on"
    assert found == " ".join(expected.get(tag, words).split())


def test_structure_survives_reading() -> None:
    """A reader of Markdown finds the same blocks as the page has."""
    html = (
        "<h2>T</h2><p>a <b>b</b> <i>c</i></p><ol><li>x<ul><li>y</li></ul></li><li><pre>z</pre></li>"
        "</ol><blockquote><p>q</p></blockquote><table><tr><th>A</th><th>B</th></tr>"
        "<tr><td>1</td><td>2</td></tr></table><hr><p>e</p>"
    )
    page = Markup(READER.render(written(html)).encode(), "utf-8")

    tags = [node.tag for node in page.body.iter_elements()]  # type: ignore[attr-defined]

    kinds = ["h2", "strong", "em", "ol", "ul", "pre", "blockquote", "table", "th", "td", "hr"]
    assert [tags.count(kind) for kind in kinds] == [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 1]


@pytest.mark.parametrize(
    "unit",
    [
        "<div class='note'>",
        "<ul><li>",
        "<blockquote>",
        "<span class='sidenote'>",
        "<em><b>",
        "<pre>",
        "<math><mrow>",
        "<table><tr><td>",
        "<details>",
        "<a href='#f1'>1</a><sup>",
    ],
)
def test_deep_nesting_is_written(unit: str) -> None:
    """Loops, not calls: nothing recurses."""
    page = f"<p>Before it.</p>{unit * 3_000}The text inside is here.<p id=f1>After it.</p>"

    assert "Before it." in written(page)
