"""Formulas of a page as TeX: MathML, KaTeX, MathJax, images, and TeX between delimiters.

An element with a formula is taken whole: what a script has drawn inside of it is the same formula
again, in pieces. TeX comes from an annotation, an attribute or the address of an image; MathML that
has none is translated.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import islice
from urllib.parse import parse_qsl, unquote, urlsplit

from webstencil.markup import (
    Element,
    Markup,
    Node,
    Text,
    attribute,
    closest,
    mathml_of,
    tag,
    tex_of,
)
from webstencil.model import Page

DRAWN_FORMULAS = (
    ".katex-display, .katex, mjx-container, .MathJax_Display, .MathJax, .MathJax_SVG, "
    ".MathJax_SVG_Display, .MathJax_CHTML, .MathJax_Preview, .mjx-chtml, .mwe-math-element, math, "
    r"mml\:math"
)
CODED = (  # for a script to draw, as remark, docutils and Gitea write it
    "code.math-inline, pre:has(> code.math-display), tt.math, code.math, pre.math, "
    "code.language-math, pre:has(> code.language-math)"
)
TOLD_FORMULAS = (
    "[data-tex], [data-latex], [data-mathml], [data-math], [data-expr], [data-formula], d-math, "
    "span.math, div.math, [data-math-style], tex-math, .arithmatex, .math-tex, .math-container, "
    f".mathjax-tex, .latex-rendered[data-attrs], em.math, .wp-katex-eq, {CODED}"
)
WRITTEN = (
    "d-math, span.math, div.math, [data-math-style], tex-math, .arithmatex, .math-tex, "
    f".math-container, .mathjax-tex, em.math, .wp-katex-eq, {CODED}"
)
MATH = ("math", "mml:math")  # the latter in pages that were made from XML, as of JATS
LABELLED = ".mjx-math[aria-label]"  # MathJax of LessWrong
# All of their text is TeX.
SURE_FORMULAS = f"d-math, [data-math-style], tex-math, .wp-katex-eq, {CODED}"
TEX_KEYS = ("data-tex", "data-latex", "data-math", "data-expr", "data-formula", "alttext")
EQUATION = "data-equation-content"  # of images, in Canvas
TOLD_PARTS = "[alttext], [data-tex], [data-latex], [data-math], img[alt]"  # inside of an element
DRAWN_PARTS = "mjx-math *, [data-mml-node='math'] *"  # of which MathJax 4 tells the TeX, too
WIRIS = str.maketrans("«»¨§`", "<>\"&'")  # signs for those of XML, in an attribute
DISPLAYED = (
    ".katex-display, .MathJax_Display, .MathJax_SVG_Display, .mwe-math-element-block, "
    'mjx-container[display="true"], mjx-container[display="block"], math[display="block"], '
    '[mode="display"], [data-math-style="display"], .math-display, .math-block, .math.display, '
    ".equation, .displaymath, .ltx_equation, .js-display-math, d-math[block], .MJXc-display, "
    "div.math, div.arithmatex, .latex-rendered, .formulaDsp, pre:has(> code.math-display), "
    "pre.math, pre:has(> code.language-math), .wp-katex-eq[data-display='true']"
)
PREVIEW = ".MathJax_Preview, mjx-container, .mjx-chtml"
ANNOTATION = 'annotation[encoding*="tex" i]'
EXPRESSION = re.compile(r'"persistentExpression":("(?:[^"\\]|\\.)*")')  # Substack
SCRIPT = re.compile(r"\w\s*[_^=]\s*\w")
COMMAND = re.compile(r"\\[a-zA-Z]+|[_^]\{|\\[,;!{}]")
NAMED_TEX = re.compile(
    r"(?i)(?:^|[\s_-])(?:tex|latex|math|formula(?:Inl|Dsp)?|equation|mwe-math\S*)(?:$|[\s_-])"
)
TEX_PAGE = (b"mathjax", b"MathJax", b"katex", b"KaTeX", b"tex-mml")  # a page that reads TeX
SERVICES = re.compile(  # that draw the TeX in an address
    r"(?i)latex\.(?:codecogs|csdn|php)|codecogs\.com/|equation\?tex=|[?&]cht=tx\b|m(?:ime|ath)tex\.cgi"
)
TEX_FIELDS = ("tex", "latex", "chl", "math")  # of such addresses
SETTING = re.compile(r"^\\(?:inline|dpi\{\d+\}|(?:bg|fg)_\w+|large|Large)(?![a-zA-Z])\s*")
DISPLAY_MARKS = ("\\[", "$$")  # at the start of a formula on a line of its own
XML_MARKS = re.compile(r"%\s*(?:<!\[CDATA\[|\]\]>)")  # around TeX, as kramdown writes it
MOST_FORMULA_BREAKS = 1_000  # of a page that are looked at
MOST_TEX = 10_000  # characters of a formula between delimiters
DELIMITED = re.compile(
    r"\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\]"
    r"|(?<![\\$])\$\$(?P<double>(?:[^$\\]|\\.)+?)\$\$"
    r"|(?<![\\$\w])\$(?P<single>[^\s$](?:[^$\n\\]|\\.)*?)(?<=[^\s\\])\$(?![\w$])"
    r"|\\begin\{(?P<name>equation|align|gather|multline|eqnarray)(?P<star>\*?)\}"
    r"(?P<inside>.+?)\\end\{(?P=name)(?P=star)\}",
    re.DOTALL,
)
BETWEEN_DELIMITERS = re.compile(
    r"\$[^$]+\$|\\\(.+\\\)|\\\[.+\\\]", re.DOTALL
)  # all of the text of an image
THREE_WORDS = re.compile(r"[^\W\d_]{3,}\s+[^\W\d_]{3,}\s+[^\W\d_]{3,}")  # three words in a row


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in TeX; `display` is one on a line of its own. One without TeX is not written."""

    tex: str
    display: bool = False

    @property
    def html(self) -> str:
        """Return it as a piece of HTML, as pandoc writes it."""
        if not self.tex:
            return ""
        kind, left, right = ("display", r"\[", r"\]") if self.display else ("inline", r"\(", r"\)")
        return f'<span class="math {kind}">{left}{escape(self.tex, quote=False)}{right}</span>'


def formulas(page: Page) -> dict[Node, Formula]:
    """Return the formulas of a page by their outermost element, or by the place of their script."""
    markup = page.markup
    found: dict[Node, Formula] = {}
    for place, (kind, tex) in markup.formula_scripts.items():
        written = _parsed_tex(tex) if "mml" in kind else tex
        found[place] = Formula(_clean(written), "mode=display" in kind.replace(" ", ""))
    scripted = frozenset(markup.formula_scripts)
    drawn: set[Node] = set()  # by scripts that tell the TeX
    for node in markup.select(f"{DRAWN_FORMULAS}, {TOLD_FORMULAS}"):
        if (
            not isinstance(node.parent, Element)
            or closest(node.parent, f"{DRAWN_FORMULAS}, {TOLD_FORMULAS}") is None
        ):
            found[node] = Formula("") if _is_drawn(node, scripted) else _formula(node)
            drawn.update([node] if _is_drawn(node, scripted) else [])
    for node in markup.named("img"):
        if node not in found and (tex := image_tex(node)):
            alone = attribute(node, "alt").lstrip().startswith(DISPLAY_MARKS)
            found[node] = Formula(tex, alone or _is_displayed(node))
    broken = dict(_broken(markup))
    if broken and has_tex(page.body):
        found.update(broken)
    return {
        node: one for node, one in found.items() if one.tex or node in drawn or _is_a_copy(node)
    }


def _broken(markup: Markup) -> Iterator[tuple[Node, Formula]]:
    """Yield paragraphs that are one formula, with breaks that an editor put into it."""
    for paragraph in dict.fromkeys(
        [one.parent for one in markup.select("p > br")[:MOST_FORMULA_BREAKS]]
    ):
        if paragraph is None or any(
            isinstance(one, Element) and one.tag != "br" for one in paragraph
        ):
            continue
        text = "".join([one.data for one in paragraph.children if isinstance(one, Text)]).strip()
        delimited = DELIMITED.fullmatch(text)
        formula = _delimited(delimited, told=True) if delimited is not None else None
        if formula is not None:
            yield paragraph, formula


def _is_drawn(node: Node, scripted: frozenset[Node]) -> bool:
    """Return whether an element is what a script after it has drawn."""
    if not scripted:
        return False
    for one in (node, *([node.parent] if node.parent is not None else [])):
        if not scripted.isdisjoint(islice(one.next_siblings, 3)):
            return True
    return any(child in scripted for child in node.descendants)


def _is_a_copy(node: Node) -> bool:
    """Return whether an element without TeX says nothing: a preview, or signs that are drawn."""
    if not isinstance(node, Element) or tag(node) == "img":
        return False
    return node.matches(PREVIEW) or not node.text.strip()


def _formula(node: Node) -> Formula:
    tex = _tex(node)
    return Formula(_clean(tex), tex.lstrip().startswith(DISPLAY_MARKS) or _is_displayed(node))


def _tex(node: Node) -> str:
    """Return the TeX of an element, empty if it has none."""
    annotation = node.select_one(ANNOTATION)
    if annotation is not None:
        return str(annotation.text)
    written = attribute(node, "data-mathml")
    if written.startswith("«"):
        return _parsed_tex(written.translate(WIRIS))
    for one in (node, *node.select(TOLD_PARTS)):
        if one is not node and isinstance(one, Element) and one.matches(DRAWN_PARTS):
            continue
        told = next(filter(None, [attribute(one, key) for key in TEX_KEYS]), "")
        if told:
            return told
        if tag(one) == "img" and attribute(one, "alt"):
            return attribute(one, "alt")
    math = node if tag(node) in MATH else node.select_one("math")
    if isinstance(math, Element):
        return tex_of(math)
    if not written:
        held = node.select_one("[data-mathml]")
        written = attribute(held, "data-mathml") if held is not None else ""
    return _parsed_tex(written) if written else _written_tex(node) or _other_tex(node)


def _parsed_tex(mathml: str) -> str:
    """Return the TeX of MathML that stands in an attribute."""
    parsed = next(iter(Markup(mathml.encode(), "utf-8").named("math")), None)
    return tex_of(parsed) if isinstance(parsed, Element) else ""


def _written_tex(node: Node) -> str:
    """Return the TeX that is the text of an element, or the only formula in it."""
    if not isinstance(node, Element) or not node.matches(WRITTEN):
        return ""
    text = node.text.strip()
    found = list(DELIMITED.finditer(text))
    if len(found) == 1:
        return found[0][0]
    if found or node.matches(SURE_FORMULAS):
        return "" if found else text
    alone = all(not isinstance(one, Element) for one in node.children)
    return text if alone and (COMMAND.search(text) or SCRIPT.search(text)) else ""


def _other_tex(node: Node) -> str:
    """Return the TeX that an element tells in a way of its own."""
    labelled = node.select_one(LABELLED)
    if labelled is not None:
        return attribute(labelled, "aria-label")
    if told := EXPRESSION.search(attribute(node, "data-attrs")):
        return str(json.loads(told[1]))
    drawn = mathml_of(node) if isinstance(node, Element) else None
    if drawn is not None:
        return tex_of(drawn)
    copied = node.select_one(".katex-mathml")  # without its elements, TeX is the last line
    return copied.text.strip().rpartition("\n")[2] if copied is not None else ""


def _is_displayed(node: Node) -> bool:
    if closest(node, DISPLAYED) is not None:
        return True
    inside = node.select_one(DISPLAYED) if isinstance(node, Element) else None
    return inside is not None


def _clean(tex: str) -> str:
    """Return TeX without delimiters and the wrapper that Wikipedia writes around it."""
    tex = XML_MARKS.sub("", tex).strip()
    for left, right in (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")):
        if tex.startswith(left) and tex.endswith(right) and len(tex) > len(left) + len(right):
            tex = tex[len(left) : -len(right)].strip()
            break
    if tex.startswith(r"{\displaystyle ") and tex.endswith("}"):
        tex = tex[len(r"{\displaystyle ") : -1].strip()
    return "\n".join([line for line in map(str.rstrip, tex.split("\n")) if line])


def image_tex(node: Node) -> str:
    """Return the TeX that an image shows, empty if it shows something else."""
    if told := attribute(node, EQUATION):
        return _clean(told)
    alt, names = attribute(node, "alt").strip(), attribute(node, "class")
    named = NAMED_TEX.search(names) is not None or BETWEEN_DELIMITERS.fullmatch(alt) is not None
    if alt and (named or COMMAND.search(alt)) and not THREE_WORDS.search(COMMAND.sub(" ", alt)):
        return _clean(alt)
    source = attribute(node, "src") or attribute(node, "data-src")
    if SERVICES.search(source) or "%5C" in source.upper() or "\\" in source or "latex" in source:
        return _clean(_tex_in(source))
    return ""


def _tex_in(url: str) -> str:
    """Return the TeX in the address of an image that a service draws."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    fields = dict(parse_qsl(parts.query.replace("+", "%2B")))
    told = [fields[name] for name in TEX_FIELDS if name in fields]
    if SERVICES.search(url) and (told or "=" not in parts.query):
        return SETTING.sub("", told[0] if told else unquote(parts.query))
    for text in (*fields.values(), unquote(parts.query), unquote(parts.path.rpartition("/")[2])):
        if re.search(r"\\[a-zA-Z]", text):
            return SETTING.sub("", text)
    return ""


def has_tex(body: bytes) -> bool:
    """Return whether a page says that its text has TeX between delimiters."""
    return any(word in body for word in TEX_PAGE)


def split_tex(text: str, *, told: bool) -> Iterator[str | Formula]:
    """Divide a text into texts and formulas; `told` if the page says that it has some."""
    last = 0
    for found in DELIMITED.finditer(text):
        formula = _delimited(found, told=told)
        if formula is not None:
            yield text[last : found.start()]
            yield formula
            last = found.end()
    yield text[last:]


def _delimited(found: re.Match[str], *, told: bool) -> Formula | None:
    """Return the formula between delimiters, None if it is none."""
    named, parts = found["name"], found.groupdict()
    if named is not None:
        return Formula(found[0], display=True) if told else None
    kind = next(key for key in ("round", "square", "double", "single") if parts[key] is not None)
    tex = parts[kind].strip()
    sure = COMMAND.search(tex) is not None or SCRIPT.search(tex) is not None
    short = kind == "single" and re.fullmatch(r"[a-zA-Z]\w?'?", tex) is not None
    if not tex or len(tex) > MOST_TEX or not (sure or (told and (kind != "single" or short))):
        return None
    if kind in ("double", "single") and not told and not COMMAND.search(tex):
        return None
    return Formula(tex, kind in ("square", "double"))
