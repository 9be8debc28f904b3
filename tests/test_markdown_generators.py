"""Markup of further generators, as their pages have it, in Markdown."""

import pytest
from whole_markdown import written

from webstencil import extract


@pytest.mark.parametrize(
    ("block", "wanted"),
    [
        (  # MkDocs, with line numbers and the name of the file in a table
            '<div class="language-py highlight"><table><tr><th class="filename">a.py</th>'
            '</tr><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre><code>a\nb\n'
            "</code></pre></td></tr></table></div>",
            "a.py\n\n```py\na\nb\n```",
        ),
        (  # Doxygen
            '<div class="fragment"><div class="line"><span class="lineno">    1</span>int a;</div>'
            '<div class="line">int b;</div></div>',
            "```\nint a;\nint b;\n```",
        ),
        (  # LaTeXML
            '<div class="ltx_listing ltx_lst_language_Python"><div class="ltx_listing_data">'
            '<a href="data:text/plain" download="">⬇</a></div><div class="ltx_listingline">a</div>'
            '<div class="ltx_listingline">b</div></div>',
            "```python\na\nb\n```",
        ),
        (  # Hexo
            '<figure class="highlight js"><pre><span class="line">a;</span><br>'
            '<span class="line">b;</span><br></pre></figure>',
            "```js\na;\nb;\n```",
        ),
        (  # a script that draws each line as a block
            '<pre><code class="language-jsx"><span style="display:block"><span class="linenumber">1'
            '</span>a</span><span style="display: block"><span class="linenumber">2</span>b</span>'
            "</code></pre>",
            "```jsx\na\nb\n```",
        ),
        (  # Zola
            '<pre data-lang="rust"><code><table><tbody><tr><td>1</td><td>a</td></tr>'
            "<tr><td>2</td><td>b</td></tr></tbody></table></code></pre>",
            "```rust\na\nb\n```",
        ),
        (  # DocBook: `code` is a part of a line
            '<pre class="screen"><code class="prompt">$ </code><strong><code>ls</code></strong>\n'
            "a b</pre>",
            "```\n$ ls\na b\n```",
        ),
        (  # lines beside `code`
            "<pre><code>$ ls</code>\na b\n</pre>",
            "```\n$ ls\na b\n```",
        ),
        (  # a file on GitHub
            '<div class="blob-wrapper data type-ruby"><table class="js-file-line-container"><tr>'
            "<td>a</td></tr></table></div>",
            "```ruby\na\n```",
        ),
        ('<pre data-canonical-lang="elixir"><code>a</code></pre>', "```elixir\na\n```"),
        ('<div class="lua source-lua"><pre>a</pre></div>', "```lua\na\n```"),
        ("<xmp>a\nb</xmp>", "```\na\nb\n```"),
        (  # rustdoc: a link that runs the example
            '<div class="example-wrap"><pre class="rust"><code>a</code></pre>'
            '<a class="test-arrow" href="/run">Run</a></div>',
            "```rust\na\n```",
        ),
        (  # Astro: words for screen readers
            '<figure><figcaption><span class="sr-only">Terminal window</span></figcaption>'
            '<pre data-language="sh"><code>a</code></pre></figure>',
            "```sh\na\n```",
        ),
    ],
)
def test_code_of_generators_is_code(block: str, wanted: str) -> None:
    """With its language and lines, without numbers and buttons."""
    assert written(block) == wanted


def test_the_name_of_a_file_above_code_stays() -> None:
    """Sphinx names it a caption, which is no content elsewhere."""
    prose = "<p>This is a paragraph of prose, with some words more, so that it counts as text.</p>"
    code = (
        '<div class="literal-block-wrapper"><div class="code-block-caption"><span>this.py</span>'
        '</div><div class="highlight-python"><pre>a = 1</pre></div></div>'
    )
    page = f"<html><body><main><h1>Page</h1>{prose * 3}{code}{prose * 2}</main></body></html>"

    assert "this.py\n\n```python\na = 1\n```" in extract(page, format="md")


@pytest.mark.parametrize(
    "box",
    [
        '<div class="note note_warning"><span class="note__title">Warning:</span> Hot.</div>',
        '<div class="infobox-warning"><p class="notep1">Warning:</p><p>Hot.</p></div>',
        '<div class="plugin_note notewarning">Hot.</div>',
        '<div class="wrap_warning plugin_wrap"><p>Hot.</p></div>',
        '<div class="box warningmessage"><p>Hot.</p></div>',
        '<aside class="prompt" data-type="warning"><p>Hot.</p></aside>',
        '<div class="ghd-alert ghd-alert-accent"><p class="ghd-alert-title">Warning</p><p>Hot.</p>'
        "</div>",
        '<p class="warn">Hot.</p>',
        '<div class="fern-callout callout-outlined-warning"><div>Hot.</div></div>',
        '<details class="box notices warning"><summary>Warning</summary><p>Hot.</p></details>',
        '<div class="awsdocs-note awsdocs-warning"><div class="awsdocs-note-title"><h6>Warning</h6>'
        "</div><div><p>Hot.</p></div></div>",
        '<div class="hint hint-style-warning"><p>Hot.</p></div>',
        '<div class="callout" data-callout-type="warning"><p>Hot.</p></div>',
        '<div class="callout"><p><strong>Warning</strong><br>Hot.</p></div>',
        '<dl class="section warning"><dt>Warning</dt><dd>Hot.</dd></dl>',
        '<div class="admonition warning"><div class="admonition_header">Warning</div><p>Hot.</p>'
        "</div>",
    ],
)
def test_callouts_of_generators_are_alerts(box: str) -> None:
    """A title that only says the kind is not repeated."""
    assert written(f"<p>Text.</p>{box}") == "Text.\n\n> [!WARNING]\n> Hot."


@pytest.mark.parametrize(
    "box",
    [
        '<div class="message"><p><b>Warning:</b> Hot.</p></div>',
        '<dl class="notes"><dt>Since</dt><dd>1.0</dd></dl>',
        '<table class="infobox"><tr><th>Name</th><td>Hot</td></tr></table>',
        '<div class="release-note-summary"><p>Hot.</p></div>',
    ],
)
def test_posts_and_boxes_of_facts_are_no_callouts(box: str) -> None:
    """Names that only resemble those of callouts make none."""
    assert "[!" not in written(f"<p>Text.</p>{box}")


@pytest.mark.parametrize(
    ("formula", "wanted"),
    [
        ('<p>So <img class="formulaInl" alt="$ x^2 $" src="f.png"> it</p>', "So $x^2$ it"),
        ('<p>So <img alt="$ x_1 $" src="i.png"> it</p>', "So $x_1$ it"),
        ('<p><img class="formulaDsp" alt="\\[ a \\le b \\]" src="f.png"></p>', "$$\na \\le b\n$$"),
        ('<p>So <code class="language-math math-inline">x</code> it</p>', "So $x$ it"),
        ('<pre><code class="language-math math-display">x</code></pre>', "$$\nx\n$$"),
        (
            '<script type="math/tex; mode=display">% <![CDATA[\na &= b %]]></script>',
            "$$\na &= b\n$$",
        ),
    ],
)
def test_formulas_of_generators_are_tex(formula: str, wanted: str) -> None:
    """Doxygen, LaTeX2HTML, remark and kramdown each have their own form."""
    assert written(f"<p>See:</p>{formula}") == f"See:\n\n{wanted}"


@pytest.mark.parametrize(
    "page",
    [
        "<p>Text<d-footnote>The note itself.</d-footnote> ends.</p>",
        '<p>Text<label for="m" class="margin-toggle">⊕</label><input type="checkbox" id="m">'
        '<span class="marginnote">The note itself.</span> ends.</p>',
        '<p>Text<span class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">1</sup><span '
        'class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">1</sup>'
        '<span class="ltx_tag">1</span>The note itself.</span></span></span> ends.</p>',
        '<p>Text<a epub:type="noteref" href="#n1">1</a> ends.</p>'
        '<aside epub:type="footnote" id="n1"><p>The note itself.</p></aside>',
        '<p>Text<sup>[<a id="_ref_1" href="#_footnotedef_1">1</a>]</sup> ends.</p>'
        '<div class="footnote" id="_footnotedef_1"><a href="#_ref_1">1</a>. The note itself.</div>',
    ],
)
def test_footnotes_of_generators_are_footnotes(page: str) -> None:
    """Distill, Tufte CSS, LaTeXML, EPUB, Asciidoctor."""
    assert written(page) == "Text[^1] ends.\n\n[^1]: The note itself."


@pytest.mark.parametrize(
    "box",
    [
        '<ul class="org-ul"><li class="on"><code>[X]</code> Buy</li><li class="off"><code>[&nbsp;]'
        "</code> Sell</li></ul>",
        '<ul><li class="checked" data-inline-task-id="1">Buy</li><li data-inline-task-id="2">Sell'
        "</li></ul>",
    ],
)
def test_tasks_of_editors_are_tasks(box: str) -> None:
    """Org and Confluence."""
    assert written(box) == "- [x] Buy\n- [ ] Sell"


def test_marks_of_headings_that_nobody_sees_are_left_out() -> None:
    """Docusaurus has a link without width in each heading."""
    assert written('<h2>Install<a href="#install" title="Link">\u200b</a></h2>') == "## Install"
