"""MathML as TeX (MathML Core, sections 3 and 4), and what MathJax has drawn as MathML."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from unicodedata import category, name, normalize

import turbohtml
from turbohtml import Element, Node

NAMED_SIGNS = (  # a sign and its command in TeX
    "α alpha, β beta, γ gamma, δ delta, ε epsilon, ζ zeta, η eta, θ theta, ι iota, κ kappa, λ "
    "lambda, μ mu, ν nu, ξ xi, π pi, ρ rho, ς varsigma, σ sigma, τ tau, υ upsilon, φ varphi, "
    "χ chi, ψ psi, ω omega, Γ Gamma, Δ Delta, Θ Theta, Λ Lambda, Ξ Xi, Π Pi, Σ Sigma, Φ Phi, "
    "Ψ Psi, Ω Omega, ϕ phi, ϵ epsilon, ϑ vartheta, ∑ sum, ∏ prod, ∫ int, ∮ oint, ∂ partial, ∇ "
    "nabla, ∞ infty, ℏ hbar, ℓ ell, ∅ emptyset, ∀ forall, ∃ exists, ∈ in, ∉ notin, ⊂ subset, "
    "⊆ subseteq, \u222a cup, ∩ cap, ∧ land, \u2228 lor, ¬ neg, ≤ leq, ≥ geq, ≠ neq, ≈ approx, "
    "≡ equiv, \u223c sim, ≪ ll, ≫ gg, \u00d7 times, ÷ div, ± pm, ∓ mp, · cdot, ⋅ cdot, ∘ "
    "circ, ⊗ otimes, ⊕ oplus, → to, ← leftarrow, ⇒ Rightarrow, ⇔ Leftrightarrow, ↦ mapsto, ↔ "
    "leftrightarrow, … ldots, ⋯ cdots, ⋮ vdots, ⋱ ddots, ⟨ langle, ⟩ rangle, ‖ Vert, ∥ "
    "parallel, ⊥ perp, ∝ propto, ≅ cong, \u2223 mid "
)
TEX_OF_SIGNS: Mapping[str, str] = {
    **{sign: f"\\{name}" for sign, name in map(str.split, NAMED_SIGNS.strip().split(", "))},
    "\N{MINUS SIGN}": "-",
    "\N{PRIME}": "'",
    "\N{NO-BREAK SPACE}": " ",
    **dict.fromkeys("\N{FUNCTION APPLICATION}\N{INVISIBLE TIMES}\N{INVISIBLE SEPARATOR}", ""),
    **{sign: f"\\{sign}" for sign in "{}%#&_$"},
    "\\": r"\backslash",
}
FUNCTION_NAMES = (
    "arccos arcsin arctan arg cos cosh cot csc deg det dim exp gcd hom inf ker lg lim liminf "
    "limsup ln log max min Pr sec sin sinh sup tan tanh"
)
FUNCTIONS = frozenset(FUNCTION_NAMES.split())
ALPHABETS = {
    "bold": "mathbf",
    "double-struck": "mathbb",
    "script": "mathcal",
    "fraktur": "mathfrak",
    "sans-serif": "mathsf",
    "monospace": "mathtt",
}
ACCENTS = {
    **dict.fromkeys("^\u02c6\u0302", "hat"),
    **dict.fromkeys("~\u02dc\u0303", "tilde"),
    **dict.fromkeys("→⃗", "vec"),
    **dict.fromkeys("¯‾_\u0304", "bar"),
    **dict.fromkeys("˙.\u0307", "dot"),
    **dict.fromkeys("¨\u0308", "ddot"),
    r"\to": "vec",
    "⏞": "overbrace",
    "⏟": "underbrace",
}
SIGNS_WITH_LIMITS = {r"\sum", r"\prod", r"\int", r"\oint", r"\lim", r"\max", r"\min", r"\sup"}
SIGNS_WITH_LIMITS |= {r"\inf", r"\limsup", r"\liminf", r"\det", r"\gcd", r"\cup", r"\cap"}
SKIPPED_IN_MATH = {"annotation", "annotation-xml", "mphantom", "maligngroup", "malignmark"}
COMMAND_END = re.compile(r"\\[a-zA-Z]+$")


@dataclass(slots=True)
class OpenFormula:
    """A MathML element whose content is being written."""

    element: Element
    children: Iterator[Node]
    parts: list[str] = field(default_factory=list)  # of its child elements


def tex_of(math: Element) -> str:
    """Write a `math` element as TeX."""
    stack = [OpenFormula(math, iter(list(math.children)))]
    while True:
        top = stack[-1]
        node = next(top.children, None)
        if isinstance(node, Element):
            if local_name(node) not in SKIPPED_IN_MATH:
                stack.append(OpenFormula(node, iter(list(node.children))))
        elif node is None:
            stack.pop()
            written = _written(top)
            if not stack:
                return " ".join(written.split())
            stack[-1].parts.append(written)


def local_name(element: Element) -> str:
    """Return the tag of an element without a prefix, as in `mml:mi`."""
    return element.tag.rpartition(":")[2]


def _written(closed: OpenFormula) -> str:
    tag, parts = local_name(closed.element), closed.parts
    if tag in ("mi", "mn", "mo", "ms", "mtext"):
        return _token_as_tex(closed.element)
    if tag in SCRIPTS and len(parts) >= 2:
        return _scripts(tag, parts)
    if tag == "mroot" and len(parts) == 2:
        return f"\\sqrt[{parts[1]}]{{{parts[0]}}}"
    if tag == "mfrac" and len(parts) == 2:
        bar = closed.element.attr("linethickness") not in ("0", "0px", "0pt")
        return f"\\{'frac' if bar else 'binom'}{{{parts[0]}}}{{{parts[1]}}}"
    return _layout(closed)


def _layout(closed: OpenFormula) -> str:
    parts = closed.parts
    match local_name(closed.element):
        case "msqrt":
            return f"\\sqrt{{{_joined(parts)}}}"
        case "mspace":
            return " "
        case "semantics":
            return parts[0] if parts else ""
        case "mfenced":
            return _fenced(closed)
        case "mtr" | "mlabeledtr":
            return " & ".join(parts)
        case "mtable":
            rows = r" \\ ".join(parts)
            return f"\\begin{{matrix}} {rows} \\end{{matrix}}"
    return _joined(parts)


def _fenced(closed: OpenFormula) -> str:
    opening, closing = closed.element.attr("open"), closed.element.attr("close")
    left = "(" if opening is None else TEX_OF_SIGNS.get(opening, opening)
    right = ")" if closing is None else TEX_OF_SIGNS.get(closing, closing)
    return f"{left}{', '.join(closed.parts)}{right}"


def _token_as_tex(element: Element) -> str:
    text = " ".join(element.text.split())
    tag = local_name(element)
    if tag in ("mtext", "ms"):
        return f"\\text{{{element.text}}}" if text else " "
    if text in FUNCTIONS:
        return f"\\{text}"
    alphabet = ALPHABETS.get(element.attr("mathvariant") or "")
    written = _joined([TEX_OF_SIGNS.get(sign, sign) for sign in text])
    if alphabet is not None:
        return f"\\{alphabet}{{{written}}}"
    if tag == "mi" and len(text) > 1 and text.isalpha():
        return f"\\mathrm{{{written}}}"
    return written


SCRIPTS: Mapping[str, str] = {
    "msub": "_",
    "msup": "^",
    "msubsup": "_^",
    "munder": "_",
    "mover": "^",
    "munderover": "_^",
    "mmultiscripts": "_^",
}


def _scripts(tag: str, parts: list[str]) -> str:
    """Write a base with what is below and above it."""
    base, *others = parts
    accent = ACCENTS.get(others[0].strip()) if tag in ("mover", "munder") else None
    if accent is not None:
        return f"\\{accent}{{{base}}}"
    if tag in ("mover", "munder") and base.strip() not in SIGNS_WITH_LIMITS:
        return f"\\{'overset' if tag == 'mover' else 'underset'}{{{others[0]}}}{{{base}}}"
    # Whether a script after it belongs to all of it.
    is_one = len(base) <= 1 or re.fullmatch(r"\\[a-zA-Z]+(\{[^{}]*\})?|\d+|[)\]|]", base)
    head = base if is_one else f"{{{base}}}"
    if SCRIPTS[tag] == "^" and set(others[0]) == {"'"}:
        return head + others[0]
    for mark, part in zip(SCRIPTS[tag], others, strict=False):
        if part.strip():
            head += mark + (part if len(part) == 1 else f"{{{part}}}")
    return head


def _joined(parts: list[str]) -> str:
    """Join pieces of TeX, with a space after a command before a letter."""
    written = ""
    for part in parts:
        if part[:1].isalpha() and COMMAND_END.search(written):
            written += " "
        written += part
    return written


# Formulas that MathJax 3 has drawn, as MathML: it names each part it draws, and each sign.
#
# The SVG has `data-mml-node` for the element of MathML and `data-c` for the sign; the CHTML has an
# element `mjx-x` for each `x` of MathML, and the sign in a class. Some parts are drawn in another
# order than MathML has them: what is above comes before what is below.

DRAWN_MATH = "mjx-math, [data-mml-node='math']"
TOKENS = frozenset(["mi", "mn", "mo", "ms", "mtext"])
DRAWN_NAMES = TOKENS | {"math", "mrow", "mfrac", "msqrt", "mroot", "mstyle", "mspace"}
DRAWN_NAMES |= {"msub", "msup", "msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd"}
DRAWN_PLACES = {"base", "under", "over", "root"}  # of CHTML, around the parts of an element
SURD = "surd"  # the root sign of CHTML
ORDERS = {  # places of parts in MathML
    "munder": ("base", "under"),
    "mover": ("base", "over"),
    "munderover": ("base", "under", "over"),
    "mroot": ("", "root"),
}
SWAPPED = frozenset(["msubsup", "munderover"])  # drawn as base, above, below
BOTH_LIMITS = "munderover"  # drawn in order if the formula has a line of its own
ROOTS = frozenset(["msqrt", "mroot"])
ROOT_SIGN = "<mo>√</mo>"
SIGN = re.compile(r"(?:^|\s)mjx-c(?P<code>[0-9A-F]{2,5})(?:$|\s)")
VARIANTS = {
    "BOLD": "bold",
    "DOUBLE-STRUCK": "double-struck",
    "SCRIPT": "script",
    "FRAKTUR": "fraktur",
    "BLACK-LETTER": "fraktur",
    "SANS-SERIF": "sans-serif",
    "MONOSPACE": "monospace",
}
FONT_VARIANTS = {"TEX-C": "script", "TEX-B": "bold", "TEX-FR": "fraktur", "TEX-SS": "sans-serif"}
BRACES = {0xE150: "⏞", 0xE151: "⏞", 0xE152: "⏟", 0xE153: "⏟"}  # pieces of long braces


@dataclass(slots=True)
class OpenPart:
    """A part of a drawing whose content is being written."""

    name: str  # of MathML, or a place, or empty
    children: Iterator[Node]
    parts: list[tuple[str, str]] = field(default_factory=list)  # places and MathML
    signs: list[tuple[str, str]] = field(default_factory=list)  # and their variants


def mathml_of(drawing: Element) -> Element | None:
    """Return the formula that an element shows as a `math` element, None if it shows none."""
    top = drawing if drawing.matches(DRAWN_MATH) else drawing.select_one(DRAWN_MATH)
    if top is None:
        return None
    displayed = (drawing.attr("display") or "") in ("true", "block")
    swapped = SWAPPED - {BOTH_LIMITS} if displayed else SWAPPED
    written = "".join([part for _, part in _read(top, swapped)])
    return turbohtml.parse_fragment(f"<math>{written}</math>").select_one("math")


def _read(top: Element, swapped: frozenset[str]) -> list[tuple[str, str]]:
    """Return the parts of a drawing, in one loop over its elements."""
    stack = [OpenPart("math", iter(list(top.children)))]
    while True:
        around = stack[-1]
        node = next(around.children, None)
        if isinstance(node, Element):
            sign = _sign(node)
            if sign is not None:
                around.signs.append(sign)
            elif (named := _name(node)) != SURD:
                stack.append(OpenPart(named, iter(list(node.children))))
        elif node is None:
            stack.pop()
            if not stack:
                return around.parts
            _close(around, stack[-1], swapped)


def _name(node: Element) -> str:
    """Return what an element draws: an element of MathML, or what is at a place, or nothing."""
    told = node.attr("data-mml-node") or ""
    if not told and node.tag.startswith("mjx-"):
        told = node.tag.removeprefix("mjx-")
    if told.lower() == "texatom":
        return "mrow"
    if told == "munder" and node.matches(f"mjx-{BOTH_LIMITS} > mjx-box > *"):
        return ""
    return told if told in DRAWN_NAMES or told in DRAWN_PLACES or told == SURD else ""


def _sign(node: Element) -> tuple[str, str] | None:
    """Return the sign that an element draws and its variant, None if it draws none."""
    code, names = node.attr("data-c"), node.attr("class") or ""
    if code is None:
        found = SIGN.search(names)
        code = found["code"] if found is not None else None
    if code is None or not re.fullmatch(r"[0-9A-Fa-f]{2,5}", code):
        return None
    number = int(code, 16)
    sign = BRACES.get(number) or chr(number)
    if category(sign) in ("Co", "Cs", "Cn", "Cc"):
        return "", ""
    words = name(sign, "").split()
    variant = next((VARIANTS[word] for word in words if word in VARIANTS), "")
    font = next((FONT_VARIANTS[one] for one in names.split() if one in FONT_VARIANTS), "")
    letter = normalize("NFKC", sign) if sign.isalpha() or variant else sign
    return letter, (variant or font) if letter.isalnum() else ""


def _close(closed: OpenPart, around: OpenPart, swapped: frozenset[str]) -> None:
    """Write a part into the one around it."""
    if closed.name in TOKENS:
        around.parts.append(("", _token_as_mathml(closed)))
    elif closed.name in DRAWN_PLACES:
        inside = "".join([part for _, part in closed.parts])
        around.parts.append((closed.name, f"<mrow>{inside}</mrow>"))
    elif closed.name:
        around.parts.append(("", f"<{closed.name}>{_ordered(closed, swapped)}</{closed.name}>"))
    else:
        around.parts += closed.parts
        around.signs += closed.signs


def _token_as_mathml(closed: OpenPart) -> str:
    signs = [sign for sign, _ in closed.signs]
    drawn_in_pieces = not set(signs).isdisjoint(BRACES.values())
    text = "".join(dict.fromkeys(signs) if drawn_in_pieces else signs)
    variant = next((variant for _, variant in closed.signs if variant), "")
    told = f' mathvariant="{variant}"' if variant else ""
    return f"<{closed.name}{told}>{escape(text)}</{closed.name}>"


def _ordered(closed: OpenPart, swapped: frozenset[str]) -> str:
    """Write the parts of an element in the order that MathML has."""
    places = [place for place, _ in closed.parts]
    if any(places) and closed.name in ORDERS:
        order = ORDERS[closed.name]
        rows = ([part for place, part in closed.parts if place == wanted] for wanted in order)
        return "".join(map(_row, rows))
    parts = [part for _, part in closed.parts]
    if closed.name in ROOTS:
        parts = [part for part in parts if part != ROOT_SIGN]
        if closed.name == "mroot" and len(parts) > 1:
            parts = [_row(parts[:-1]), parts[-1]]
    if closed.name in swapped and len(parts) == 3:
        parts = [parts[0], parts[2], parts[1]]
    return "".join(parts)


def _row(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"
