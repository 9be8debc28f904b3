"""Code blocks of a page: their language, and their text without line numbers and buttons."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import islice

from webstencil.content.runs import TextRuns
from webstencil.markup import Element, Markup, Node, Text, attribute, closest, tag
from webstencil.model import Page

# The language of a code block, by the names that highlighters give their elements.
#
# Highlighters write it as a class with a prefix (`language-x`: Prism, highlight.js, Rouge, markdown
# renderers; `highlight-x`: Sphinx; `highlight-source-x`: GitHub; `src-x`: Org), as the word after a
# known one (`brush: x`: SyntaxHighlighter; `sourceCode x`: pandoc; `hljs x`), in an attribute
# (`data-language`, `data-lang`: Shiki, Docusaurus, Gatsby), or as a title above the code.

LANGUAGE_NAMES = (
    "abap abnf ada agda apache apex apl applescript arduino arm asciidoc asm assembly astro "
    "awk ballerina bash basic bat batch bibtex bicep blade brainfuck c c# c++ caddyfile cfml "
    "clang clj clojure cmake cobol coffee coffeescript common-lisp console coq cpp crystal cs "
    "csharp csp css csv cuda curl cypher cython d dart dax delphi diff django dlang docker "
    "dockerfile dot ebnf eex elisp elixir elm emacs-lisp erb erlang ex excel f# fish forth "
    "fortran fsharp gdscript gherkin git glsl gnuplot go golang gradle graphql groovy haml "
    "handlebars haskell haxe hbs hcl heex hlsl hs html http idris ini java javascript jinja "
    "jinja2 jq js json json5 jsonc jsonnet jsp jsx julia kotlin ksh kt kusto lasso latex lean "
    "lean4 less lisp liquid llvm log lua m4 makefile markdown mathematica matlab md mdx "
    "mermaid mips mongodb mysql nasm nginx nim nix node nushell objc objectivec objective-c "
    "ocaml octave odin opencl openscad pascal perl pgsql php plantuml plsql pl/sql postcss "
    "postgres postgresql powershell processing prolog properties proto protobuf ps1 puppet "
    "purescript py python python3 pycon qml r racket rb reason rego rescript rest rs rst ruby "
    "rust sas sass scala scheme scss sed sh shell shell-session shellsession smalltalk "
    "solidity sparql sql stan stata stylus svelte svg swift systemverilog tcl terraform tex "
    "toml ts tsql tsx turtle twig typescript typst v vb vba vbnet verilog vhdl vim viml vue "
    "wasm wgsl wolfram wat x86asm xml xquery xslt yaml yml zig zsh text plaintext txt output "
)
LANGUAGES = frozenset(LANGUAGE_NAMES.split())
SAME_LANGUAGES = {
    "c++": "cpp",
    "c#": "csharp",
    "f#": "fsharp",
    "shell session": "console",
    "doctest": "pycon",  # a session of Python, as Sphinx marks it
    **dict.fromkeys(("ipython", "ipython2", "ipython3"), "python"),
}
SESSION_CLASS = "doctest"
NO_LANGUAGE = (
    "none nohighlight no-highlight default auto undefined null plain unknown raw false true "
)
NO_LANGUAGES = frozenset(NO_LANGUAGE.split())
PREFIXED = re.compile(
    r"(?:.*[-_])?(?:language|lang|syntax|brush|highlight-source|highlight-text|highlight|src"
    r"|source|codehilite|code-lang|enlighter-l|mw-highlight-lang|hl)[-_:](?P<name>[\w+#./-]+)",
    re.IGNORECASE,
)
OF_CODE = re.compile(  # a class of `pre` or `code`, with a known language: `code-js`, `js-snippet`
    r"(?i)code(?:-snippet)?[-_]{1,2}(?P<name>[\w+#]+)|(?P<first>[\w+#]+)[-_](?:code|snippet)"
)
PHRASE = re.compile(r"(?:brush|language|lang|syntax)\s*:\s*(?P<name>[\w+#-]+)", re.IGNORECASE)
LANGUAGE_KEYS = (
    *("data-language", "data-lang", "data-code-language", "data-code-lang", "data-syntax"),
    *("data-enlighter-language", "data-highlight-language", "data-codetype", "data-code-wrap"),
    *("data-canonical-lang", "data-snippet-language", "data-code-block-lang"),
    *("language", "lang", "syntax"),
)
PARAMETERS = "data-syntaxhighlighter-params"  # Confluence
FILE, FILE_TYPE = "blob-wrapper", "type-"  # classes of a file on GitHub
LABELLED_CODE = ".crayon-syntax, .urvanov-syntax-highlighter-syntax"  # around code, with a toolbar
LANGUAGE_LABEL = ".crayon-language"
CODE_FRAMES = "figure, .example-wrap"  # around code, with what is no part of it
BESIDE_CODE = ".test-arrow, .sr-only, .visually-hidden"
LINE_NUMBERS = re.compile(r"(?i)(?:^|[\s_-])(?:line-?num(?:ber)?s?|linenos?|gutter)(?:$|[\s_-])")
NO_LETTERS = re.compile(r"[\s\d]*")
CODE_NAMES = (
    "syntaxhighlighter crayon sourcecode hljs prettyprint highlight highlighter codehilite "
    "code block literal-block shiki prism chroma hl brush programlisting listing codeblock "
    "code-block src example "
)
CODE_WORDS = frozenset(CODE_NAMES.split())
LANGUAGE_NAME = re.compile(r"[a-z][\w+#./-]{0,24}|[a-z]")
NEAR_CODE = 4  # elements around a code block that may tell its language
FEW_NAMES = 3  # classes of an element that a person has written
LONGEST_LANGUAGE_TITLE = 24  # characters of a title that may be a language


def _language_of(
    block: Node, code: Node | None, shared: Collection[Node] = (), table: Node | None = None
) -> str:
    """Return the language of a code block with its `code` element, empty if it tells none.

    Elements that are `shared` have several code blocks; a `table` puts line numbers beside it.
    """
    for node in filter(None, (code, block, table)):
        if found := _told_by(node):
            return found
    for node in islice((table or block).ancestors, NEAR_CODE):
        if tag(node) in ("body", "article", "main", "section", "li", "td") or node in shared:
            break
        if found := _told_by(node):
            return found
    return _titled(block, shared)


def language_labels(block: Node, language: str) -> list[Node]:
    """List the elements around a code block that only name its language."""
    around = closest(block, LABELLED_CODE)
    if around is not None:
        return list(around.select(LANGUAGE_LABEL))
    above = _element_before(block)
    if above is not None and _names(above, language):
        return [above]
    for node in islice(block.ancestors, 2):
        if isinstance(node, Element) and tag(node) not in ("body", "article", "main", "section"):
            found = [
                one
                for one in node.select("div, span, p, figcaption")
                if len(text := one.text.strip()) <= LONGEST_LANGUAGE_TITLE
                and text
                and known_language(text, sure=True) == language
            ]
            if found:
                return [one for one in found if one.closest("pre, code") is None]
    return []


def _element_before(block: Node) -> Element | None:
    """Return the element right before a block."""
    for before in block.previous_siblings:
        if isinstance(before, Element):
            return before
        if not isinstance(before, Text) or not before.data.isspace():
            break
    return None


def _names(node: Element, language: str) -> bool:
    """Return whether an element has the name of a language, and buttons."""
    if tag(node) not in ("div", "span") or len(node.text) > 2 * LONGEST_LANGUAGE_TITLE:
        return False
    buttons = {text for one in node.select("button") for text in one.stripped_strings}
    words = [text for text in node.stripped_strings if text not in buttons]
    return len(words) == 1 and known_language(words[0], sure=True) == language


def beside_code(block: Node) -> list[Node]:
    """List what is beside a code block and says nothing: buttons, hidden words, line numbers."""
    frame = closest(block, CODE_FRAMES)
    found = list(frame.select(BESIDE_CODE)) if frame is not None else []
    around = block.parent.children if block.parent is not None else ()
    found += [one for one in around if isinstance(one, Element) and _counts_lines(one)]
    return [one for one in found if one.closest("pre, code") is None]


def _counts_lines(node: Element) -> bool:
    """Return whether an element counts the lines of the code beside it, as VuePress writes it."""
    named = LINE_NUMBERS.search(attribute(node, "class")) is not None
    return named and NO_LETTERS.fullmatch(node.text) is not None


def _told_by(node: Node) -> str:
    """Return the language that the names of an element tell."""
    for key in LANGUAGE_KEYS:
        if (found := known_language(attribute(node, key), sure=key != "lang")) and key != "lang":
            return found
    classes = f"{attribute(node, 'class')} {attribute(node, PARAMETERS)}"
    if (phrase := PHRASE.search(classes)) and (found := known_language(phrase["name"], sure=True)):
        return found
    words = classes.split()
    if FILE in words:
        words += [f"lang-{one.removeprefix(FILE_TYPE)}" for one in words if FILE_TYPE in one]
    for word in words:
        if (prefixed := PREFIXED.fullmatch(word)) and (found := _prefixed(prefixed["name"], word)):
            return found
    if SESSION_CLASS in words:
        return SAME_LANGUAGES[SESSION_CLASS]
    if tag(node) in ("pre", "code"):
        return _compounded(words) or _called(node, words)
    return _called(node, words) if not CODE_WORDS.isdisjoint(map(str.lower, words)) else ""


def _compounded(words: Iterable[str]) -> str:
    """Return the language that a class of code names together with the word code."""
    named = filter(None, map(OF_CODE.fullmatch, words))
    found = [known_language(one["name"] or one["first"], sure=False) for one in named]
    return next(filter(None, found), "")


def _called(node: Node, words: Iterable[str]) -> str:
    """Return the language that is itself a class of an element of code, or its `lang`."""
    bare = [word for word in words if word.lower() not in CODE_WORDS]
    if len(bare) > FEW_NAMES:  # made by a program, which also makes names such as `c`
        bare = [word for word in bare if len(word) > 2]
    if len(bare) > 1:
        bare = [word for word in bare if len(word) > 1]
    found = next(filter(None, [known_language(word, sure=False) for word in bare]), "")
    return found or known_language(attribute(node, "lang"), sure=False)


def _prefixed(name: str, word: str) -> str:
    """Return a language from a class with a prefix; after `highlight-` it must be a known one."""
    sure = re.match(r"(?i)(?:.*[-_])?(?:language|lang|brush)[-_:]", word) is not None
    parts = [name, *name.split("-")] if not sure else [name]
    return next(filter(None, [known_language(part, sure=sure) for part in parts]), "")


def known_language(name: str, *, sure: bool) -> str:
    """Return a language as fences have it; a word that is not `sure` must be a known one."""
    name = name.strip().lower().removeprefix("language-")
    name = SAME_LANGUAGES.get(name, name)
    if name in NO_LANGUAGES or not LANGUAGE_NAME.fullmatch(name):
        return ""
    return name if sure or name in LANGUAGES else ""


def _titled(block: Node, shared: Collection[Node]) -> str:
    """Return the language that a title inside or above a code block names."""
    around = closest(block, LABELLED_CODE)
    label = around.select_one(LANGUAGE_LABEL) if around is not None else None
    if label is not None:
        return known_language(label.text, sure=False)
    for node in (block, *islice(block.ancestors, 2)):
        if not isinstance(node, Element) or node in shared:
            break
        first = next(iter(node.stripped_strings), "")
        if (
            len(first) <= LONGEST_LANGUAGE_TITLE
            and (found := known_language(first, sure=False))
            and _is_title(node, first)
        ):
            return found
    return ""


def _is_title(node: Element, first: str) -> bool:
    """Return whether the first text of an element stands apart from its code."""
    holders = node.select("div, span, p, figcaption, header, button")
    held = next((one for one in holders if one.text.strip() == first), None)
    if held is None or held.closest("code") is not None:
        return False
    return len(node.text.strip()) > len(first) + 1 and node.select_one("div, code, pre") is not None


EDITORS = ".cm-content, .CodeMirror-code, .view-lines, .ace_text-layer"
LISTINGS = "div.fragment:has(> .line), .ltx_listing:has(> .ltx_listingline)"  # Doxygen, LaTeXML
CODE_BOXES = f".syntaxhighlighter, .crayon-pre, table.js-file-line-container, {EDITORS}, {LISTINGS}"
BOX_NAMES = (
    *("syntaxhighlighter", "crayon-pre", "js-file-line-container", "fragment", "ltx_listingline"),
    *("cm-content", "CodeMirror-code", "view-lines", "ace_text-layer"),
)
WRITERSIDE = ("code-block", "div.code-block[data-lang]:not(:has(pre, code))")  # name and selector
DISTILL_CODE = (b"distill", "d-code[block]")  # name of its script, and selector
SCRIPTS_WITHIN = 20_000  # bytes of a page in which its scripts are named
BLOCK_CODE = "code.block, code.code-block, code[style*='display:block'], code[style*='block;']"
BLOCK_CODE += ", code[slot='code']"  # of a web component
NAMED_CODE = "code[class*='language-']"  # a block if it has lines, in `pre` or not
LINES = frozenset(["div", "p", "tr", "li", "table", "tbody", "ol", "ul", "pre"])
LINE_NAMES = re.compile(
    r"(?i)(?:^|[\s_-])(?:line|code-line|codeline|token-line|view-line|cl)(?:$|\s)"
)
NUMBER_NAMES = re.compile(
    r"(?i)(?:^|[\s_-])(?:lineno|linenos|linenums?|linenumbers?|line-?no|line-?num(?:ber)?s?|lnt?"
    r"|gutters?|ln-num|ln-numbers|blob-num|hljs-ln-n|rouge-gutter|linenodiv|line_numbers?)(?:$|[\s_-])"
)
NOT_CODE = re.compile(
    r"(?i)(?:^|[\s_-])(?:copy|clipboard|copied|toolbar|tooltip|sr-only)(?:$|[\s_-])"
)
SKIPPED_IN_CODE = frozenset(
    ["button", "svg", "style", "script", "template", "select", "textarea", "input"]
)
UNSELECTABLE = re.compile(r"user-select\s*:\s*none")
OWN_LINE = re.compile(r"display\s*:\s*block")
DOCBOOK = frozenset(["screen", "programlisting"])  # blocks in which `code` is a part of a line
MOST_CODE_BREAKS = 1_000  # of a page that are looked at, as they may nest deep
MOST_ROWS = 3  # of a table that puts line numbers beside code
CODE_LETTERS = re.compile(r"[^\W\d_]|[(){}<>=]")
ONLY_NUMBERS = re.compile(r"[\s\d]*\d[\s\d]*")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A code block: its code, and the language if it tells one."""

    code: str
    language: str

    @property
    def html(self) -> str:
        """Return it as a piece of HTML."""
        if not self.code.strip():
            return ""
        name = f' class="language-{escape(self.language)}"' if self.language else ""
        start = "\n" if self.code.startswith("\n") else ""
        return f"<pre><code{name}>{start}{escape(self.code, quote=False)}</code></pre>"


def code_blocks(page: Page, runs: TextRuns) -> dict[Node, CodeBlock]:
    """Return the code blocks of a page by their outermost element."""
    boxes = _boxes(page, runs)
    coded = [node for node in boxes if not _holds_line_numbers(node)]
    around = Counter([one for node in coded for one in islice(node.ancestors, NEAR_CODE)])
    shared: set[Node] = {node for node, count in around.items() if count > 1}
    return {block: _code(block, node, shared) for block, node in _with_owners(boxes).items()}


def _boxes(page: Page, runs: TextRuns) -> list[Node]:
    """List the elements that hold code or line numbers beside it, the outermost ones."""
    markup = page.markup
    classes = " ".join(runs.classes)
    boxed = any(name in classes for name in BOX_NAMES)
    boxes = markup.select(f"pre, xmp, {CODE_BOXES}") if boxed else markup.named("pre", "xmp")
    drawn = markup.select(DISTILL_CODE[1]) if DISTILL_CODE[0] in page.body[:SCRIPTS_WITHIN] else []
    if WRITERSIDE[0] in classes:
        drawn += markup.select(WRITERSIDE[1])
    every = dict.fromkeys([*boxes, *drawn, *_block_code(markup)])
    outer = {
        True: f"pre, code, {CODE_BOXES}",
        False: f"pre, {CODE_BOXES}",
    }  # by whether it is `code`
    return [node for node in every if closest_other(node, outer[tag(node) == "code"]) is None]


def _with_owners(boxes: Iterable[Node]) -> dict[Node, Node | None]:
    """Return the boxes by the outermost element of their code block, None for line numbers."""
    found: dict[Node, Node | None] = {}
    for node in boxes:
        block = _with_numbers(node)
        if _holds_line_numbers(node):
            found.setdefault(node, None)
        elif block not in found:
            found[block] = node
    return found


def _code(block: Node, node: Node | None, shared: set[Node]) -> CodeBlock:
    """Return the code in a box; line numbers are none."""
    if node is None:
        return CodeBlock("", "")
    inside = node.select_one("code, [data-code-block-lang]") if tag(node) == "pre" else node
    names = block if block is not node else None
    return CodeBlock(_text(_code_of(node)), _language_of(node, inside, shared, names))


def _block_code(markup: Markup) -> list[Node]:
    """List `code` elements that are blocks: by their names, or by the lines in them."""
    if not markup.named("code"):
        return []
    broken = [closest(one, "code") for one in markup.select("code br")[:MOST_CODE_BREAKS]]
    lined = [one for one in markup.select(NAMED_CODE) if "\n" in one.text.strip()]
    return [*markup.select(BLOCK_CODE), *[one for one in broken if one is not None], *lined]


def closest_other(node: Node, selector: str) -> Node | None:
    """Return the nearest element around a node that matches a selector."""
    return closest(node.parent, selector) if isinstance(node.parent, Element) else None


def _with_numbers(node: Node) -> Node:
    """Return the table around a code block if its other cells are line numbers, else the block.

    If the table has the name of a file above the code, it is the row. A table of one cell is only
    the frame of the code.
    """
    table = closest_other(node, "table")
    if table is None or table.select_one(f"tr:nth-of-type({MOST_ROWS})") is not None:
        return node
    cells = [cell for cell in table.select("td") if cell.text.strip()]
    own = [cell for cell in cells if not ONLY_NUMBERS.fullmatch(cell.text)]
    if len(own) != 1 or node not in own[0].descendants:
        return node
    if len(cells) < 2 and (own[0].text.strip() != node.text.strip() or table.select_one("th")):
        return node
    return table if table.select_one("th") is None else own[0].parent or node


def _holds_line_numbers(node: Node) -> bool:
    """Return whether a block holds line numbers, beside the one with the code."""
    cell = closest(node, "td, .gutter, .linenos, .lineno, .line-numbers")
    if cell is None or not isinstance(cell, Element) or not ONLY_NUMBERS.fullmatch(cell.text):
        return False
    row = cell.parent
    return row is not None and len(row.select("pre")) > 1


def _code_of(node: Node) -> list[Node]:
    """Return the elements with the code: an editor's lines, `code` elements, or the block."""
    editor = node.select_one(EDITORS)
    if editor is not None:
        return [editor]
    if tag(node) != "pre":
        return [node]
    codes = [one for one in node.select("code") if closest_other(one, "code") is None]
    own = "".join([one.data for one in node.children if isinstance(one, Text)])
    has_lines = "\n" in own and bool(own.strip())  # that are in none of the elements in it
    if has_lines or not DOCBOOK.isdisjoint(attribute(node, "class").split()):
        return [node]
    outside = len(node.text.strip()) - sum(len(one.text.strip()) for one in codes)
    if codes and (outside <= 0 or node.select_one("pre > code") is not None):
        return [*codes]
    return [*codes] if len(codes) == 1 and _is_titled(node, codes[0]) else [node]


def _is_titled(node: Node, code: Node) -> bool:
    """Return whether a block begins with the name of a language, beside its only `code`."""
    first = next(iter(node.stripped_strings), "")
    return known_language(first, sure=False) != "" and not code.text.strip().startswith(first)


def _text(nodes: list[Node]) -> str:
    """Return the code in some elements, one line after the other."""
    written: list[str] = []
    for number, node in enumerate(nodes):
        if number:
            _end_line(written)
        _write(node, written)
    code = "".join(written).replace("\r\n", "\n").replace("\N{NO-BREAK SPACE}", " ")
    lines = [line.rstrip() for line in code.replace("\u200b", "").split("\n")]
    code = "\n".join(lines).strip("\n")
    if any(tag(node) != "code" or closest_other(node, "pre") is not None for node in nodes):
        return code
    return code.strip()  # not preformatted: the indentation is that of the page's source


def _end_line(written: list[str]) -> None:
    if written and not written[-1].endswith("\n"):
        written.append("\n")


def _write(top: Node, written: list[str]) -> None:
    """Add the code of an element, in one loop over what is in it."""
    stack: list[tuple[Node, Iterator[Node]]] = [(top, iter(list(top.children)))]
    while stack:
        element, children = stack[-1]
        node = next(children, None)
        if node is None:
            stack.pop()
            if stack and _is_line(element):
                _end_line(written)
        elif isinstance(node, Text):
            written.append(node.data)
        elif tag(node) == "br":
            written.append("\n")
        elif isinstance(node, Element) and not _is_beside(node):
            if _is_line(node):
                _end_line(written)
            stack.append((node, iter(list(node.children))))


def _is_line(node: Node) -> bool:
    """Return whether an element is a line of code."""
    if tag(node) in LINES:
        return True
    if attribute(node, "data-line") or LINE_NAMES.search(attribute(node, "class")):
        sibling = node.next_sibling
        if isinstance(sibling, Text):  # Gatsby takes away the end of a line that it marks
            return sibling.data[:1] not in "\r\n" and "highlight" in attribute(node, "class")
        return isinstance(sibling, Element) and sibling.tag != "br" and "\n" not in node.text
    return OWN_LINE.search(attribute(node, "style")) is not None


def _is_beside(node: Node) -> bool:
    """Return whether an element is not code: a line number, a button, a hint."""
    if (
        tag(node) in SKIPPED_IN_CODE
        or attribute(node, "role") == "button"
        or (tag(node) == "a" and isinstance(node, Element) and node.attr("download") is not None)
    ):
        return True
    names = attribute(node, "class")
    if (
        NUMBER_NAMES.search(names)
        and isinstance(node, Element)
        and not CODE_LETTERS.search(node.text)
    ):
        return True
    alone = tag(node) == "td" and node.matches("td:first-child:nth-last-child(2)")
    if alone and ONLY_NUMBERS.fullmatch(node.text):
        return True  # beside the cell with the line
    if UNSELECTABLE.search(attribute(node, "style")) or "select-none" in names.split():
        return not _holds_code(node)
    return NOT_CODE.search(names) is not None and not _holds_code(node)


def _holds_code(node: Node) -> bool:
    """Return whether an element has more than a number or a word."""
    if not isinstance(node, Element):
        return False
    text = node.text.strip()
    return (
        bool(text)
        and not ONLY_NUMBERS.fullmatch(text)
        and (len(text.split()) > 3 or node.select_one("code, span span") is not None)
    )
