"""The language of a code block, by the names that highlighters give their elements.

Highlighters write it as a class with a prefix (`language-x`: Prism, highlight.js, Rouge, markdown
renderers; `highlight-x`: Sphinx; `highlight-source-x`: GitHub; `src-x`: Org), as the word after a
known one (`brush: x`: SyntaxHighlighter; `sourceCode x`: pandoc; `hljs x`), in an attribute
(`data-language`, `data-lang`: Shiki, Docusaurus, Gatsby), or as a title above the code.
"""

import re
from collections.abc import Collection, Iterable
from itertools import islice

from webstencil.markup import Element, Node, Text, attribute, closest, tag

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
SAME = {
    "c++": "cpp",
    "c#": "csharp",
    "f#": "fsharp",
    "shell session": "console",
    "doctest": "pycon",  # a session of Python, as Sphinx marks it
    **dict.fromkeys(("ipython", "ipython2", "ipython3"), "python"),
}
SESSION = "doctest"
NO_LANGUAGE = (
    "none nohighlight no-highlight default auto undefined null plain unknown raw false true "
)
NONE = frozenset(NO_LANGUAGE.split())
PREFIXED = re.compile(
    r"(?:.*[-_])?(?:language|lang|syntax|brush|highlight-source|highlight-text|highlight|src"
    r"|source|codehilite|code-lang|enlighter-l|mw-highlight-lang|hl)[-_:](?P<name>[\w+#./-]+)",
    re.IGNORECASE,
)
OF_CODE = re.compile(  # a class of `pre` or `code`, with a known language: `code-js`, `js-snippet`
    r"(?i)code(?:-snippet)?[-_]{1,2}(?P<name>[\w+#]+)|(?P<first>[\w+#]+)[-_](?:code|snippet)"
)
PHRASE = re.compile(r"(?:brush|language|lang|syntax)\s*:\s*(?P<name>[\w+#-]+)", re.IGNORECASE)
KEYS = (
    *("data-language", "data-lang", "data-code-language", "data-code-lang", "data-syntax"),
    *("data-enlighter-language", "data-highlight-language", "data-codetype", "data-code-wrap"),
    *("data-canonical-lang", "data-snippet-language", "data-code-block-lang"),
    *("language", "lang", "syntax"),
)
PARAMETERS = "data-syntaxhighlighter-params"  # Confluence
FILE, FILE_TYPE = "blob-wrapper", "type-"  # classes of a file on GitHub
LABELS = ".crayon-syntax, .urvanov-syntax-highlighter-syntax"  # around code, with a toolbar
LABEL = ".crayon-language"
FRAMES = "figure, .example-wrap"  # around code, with what is no part of it
BESIDE = ".test-arrow, .sr-only, .visually-hidden"
LINE_NUMBERS = re.compile(r"(?i)(?:^|[\s_-])(?:line-?num(?:ber)?s?|linenos?|gutter)(?:$|[\s_-])")
NO_LETTERS = re.compile(r"[\s\d]*")
CODE_NAMES = (
    "syntaxhighlighter crayon sourcecode hljs prettyprint highlight highlighter codehilite "
    "code block literal-block shiki prism chroma hl brush programlisting listing codeblock "
    "code-block src example "
)
CODE_WORDS = frozenset(CODE_NAMES.split())
NAME = re.compile(r"[a-z][\w+#./-]{0,24}|[a-z]")
NEAR = 4  # elements around a code block that may tell its language
FEW_NAMES = 3  # classes of an element that a person has written
TITLE = 24  # characters of a title that may be a language


def language_of(
    block: Node, code: Node | None, shared: Collection[Node] = (), table: Node | None = None
) -> str:
    """Return the language of a code block with its `code` element, empty if it tells none.

    Elements that are `shared` have several code blocks; a `table` puts line numbers beside it.
    """
    for node in filter(None, (code, block, table)):
        if found := _told_by(node):
            return found
    for node in islice((table or block).ancestors, NEAR):
        if tag(node) in ("body", "article", "main", "section", "li", "td") or node in shared:
            break
        if found := _told_by(node):
            return found
    return _titled(block, shared)


def labels_of(block: Node, language: str) -> list[Node]:
    """List the elements around a code block that only name its language."""
    around = closest(block, LABELS)
    if around is not None:
        return list(around.select(LABEL))
    above = element_before(block)
    if above is not None and _names(above, language):
        return [above]
    for node in islice(block.ancestors, 2):
        if isinstance(node, Element) and tag(node) not in ("body", "article", "main", "section"):
            found = [
                one
                for one in node.select("div, span, p, figcaption")
                if len(text := one.text.strip()) <= TITLE
                and text
                and known(text, sure=True) == language
            ]
            if found:
                return [one for one in found if one.closest("pre, code") is None]
    return []


def element_before(block: Node) -> Element | None:
    """Return the element right before a block."""
    before = block.previous_sibling
    while before is not None and not isinstance(before, Element):
        if not isinstance(before, Text) or not before.data.isspace():
            return None
        before = before.previous_sibling
    return before


def _names(node: Element, language: str) -> bool:
    """Return whether an element has the name of a language, and buttons."""
    if tag(node) not in ("div", "span") or len(node.text) > 2 * TITLE:
        return False
    buttons = {text for one in node.select("button") for text in one.stripped_strings}
    words = [text for text in node.stripped_strings if text not in buttons]
    return len(words) == 1 and known(words[0], sure=True) == language


def beside(block: Node) -> list[Node]:
    """List what is beside a code block and says nothing: buttons, hidden words, line numbers."""
    frame = closest(block, FRAMES)
    found = list(frame.select(BESIDE)) if frame is not None else []
    around = block.parent.children if block.parent is not None else ()
    found += [one for one in around if isinstance(one, Element) and _is_numbers(one)]
    return [one for one in found if one.closest("pre, code") is None]


def _is_numbers(node: Element) -> bool:
    """Return whether an element counts the lines of the code beside it, as VuePress writes it."""
    named = LINE_NUMBERS.search(attribute(node, "class")) is not None
    return named and NO_LETTERS.fullmatch(node.text) is not None


def _told_by(node: Node) -> str:
    """Return the language that the names of an element tell."""
    for key in KEYS:
        if (found := known(attribute(node, key), sure=key != "lang")) and key != "lang":
            return found
    classes = f"{attribute(node, 'class')} {attribute(node, PARAMETERS)}"
    if (phrase := PHRASE.search(classes)) and (found := known(phrase["name"], sure=True)):
        return found
    words = classes.split()
    if FILE in words:
        words += [f"lang-{one.removeprefix(FILE_TYPE)}" for one in words if FILE_TYPE in one]
    for word in words:
        if (prefixed := PREFIXED.fullmatch(word)) and (found := _prefixed(prefixed["name"], word)):
            return found
    if SESSION in words:
        return SAME[SESSION]
    if tag(node) in ("pre", "code"):
        return _compounded(words) or _called(node, words)
    return _called(node, words) if not CODE_WORDS.isdisjoint(map(str.lower, words)) else ""


def _compounded(words: Iterable[str]) -> str:
    """Return the language that a class of code names together with the word code."""
    named = filter(None, map(OF_CODE.fullmatch, words))
    found = [known(one["name"] or one["first"], sure=False) for one in named]
    return next(filter(None, found), "")


def _called(node: Node, words: Iterable[str]) -> str:
    """Return the language that is itself a class of an element of code, or its `lang`."""
    bare = [word for word in words if word.lower() not in CODE_WORDS]
    if len(bare) > FEW_NAMES:  # made by a program, which also makes names such as `c`
        bare = [word for word in bare if len(word) > 2]
    if len(bare) > 1:
        bare = [word for word in bare if len(word) > 1]
    found = next(filter(None, [known(word, sure=False) for word in bare]), "")
    return found or known(attribute(node, "lang"), sure=False)


def _prefixed(name: str, word: str) -> str:
    """Return a language from a class with a prefix; after `highlight-` it must be a known one."""
    sure = re.match(r"(?i)(?:.*[-_])?(?:language|lang|brush)[-_:]", word) is not None
    parts = [name, *name.split("-")] if not sure else [name]
    return next(filter(None, [known(part, sure=sure) for part in parts]), "")


def known(name: str, *, sure: bool) -> str:
    """Return a language as fences have it; a word that is not `sure` must be a known one."""
    name = name.strip().lower().removeprefix("language-")
    name = SAME.get(name, name)
    if name in NONE or not NAME.fullmatch(name):
        return ""
    return name if sure or name in LANGUAGES else ""


def _titled(block: Node, shared: Collection[Node]) -> str:
    """Return the language that a title inside or above a code block names."""
    around = closest(block, LABELS)
    label = around.select_one(LABEL) if around is not None else None
    if label is not None:
        return known(label.text, sure=False)
    for node in (block, *islice(block.ancestors, 2)):
        if not isinstance(node, Element) or node in shared:
            break
        first = next(iter(node.stripped_strings), "")
        if len(first) <= TITLE and (found := known(first, sure=False)) and _is_title(node, first):
            return found
    return ""


def _is_title(node: Element, first: str) -> bool:
    """Return whether the first text of an element stands apart from its code."""
    holders = node.select("div, span, p, figcaption, header, button")
    held = next((one for one in holders if one.text.strip() == first), None)
    return held is not None and held.closest("code") is None and _has_more(node, first)


def _has_more(node: Element, first: str) -> bool:
    return len(node.text.strip()) > len(first) + 1 and node.select_one("div, code, pre") is not None
