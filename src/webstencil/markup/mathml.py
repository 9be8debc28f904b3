"""MathML as TeX, for formulas that say nothing else (MathML Core, sections 3 and 4)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

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
SIGNS: Mapping[str, str] = {
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
LIMITS = frozenset([r"\sum", r"\prod", r"\int", r"\oint", r"\lim", r"\max", r"\min", r"\sup"])
LIMITS |= {r"\inf", r"\limsup", r"\liminf", r"\det", r"\gcd", r"\cup", r"\cap"}
SKIPPED = frozenset(["annotation", "annotation-xml", "mphantom", "maligngroup", "malignmark"])
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
            if local_name(node) not in SKIPPED:
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
        return _token(closed.element)
    if tag in SCRIPTS and len(parts) >= 2:
        return _scripts(tag, parts)
    if tag in ("mfrac", "mroot") and len(parts) == 2:
        return _pair(closed)
    return _layout(closed)


def _pair(closed: OpenFormula) -> str:
    """Write a fraction or a root."""
    first, second = closed.parts
    if local_name(closed.element) == "mroot":
        return f"\\sqrt[{second}]{{{first}}}"
    bar = closed.element.attr("linethickness") not in ("0", "0px", "0pt")
    return f"\\{'frac' if bar else 'binom'}{{{first}}}{{{second}}}"


def _layout(closed: OpenFormula) -> str:
    parts = closed.parts
    match local_name(closed.element):
        case "msqrt":
            return f"\\sqrt{{{joined(parts)}}}"
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
    return joined(parts)


def _fenced(closed: OpenFormula) -> str:
    opening, closing = closed.element.attr("open"), closed.element.attr("close")
    left = "(" if opening is None else SIGNS.get(opening, opening)
    right = ")" if closing is None else SIGNS.get(closing, closing)
    return f"{left}{', '.join(closed.parts)}{right}"


def _token(element: Element) -> str:
    text = " ".join(element.text.split())
    tag = local_name(element)
    if tag in ("mtext", "ms"):
        return f"\\text{{{element.text}}}" if text else " "
    if text in FUNCTIONS:
        return f"\\{text}"
    alphabet = ALPHABETS.get(element.attr("mathvariant") or "")
    written = joined([SIGNS.get(sign, sign) for sign in text])
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
    if tag in ("mover", "munder") and base.strip() not in LIMITS:
        return f"\\{'overset' if tag == 'mover' else 'underset'}{{{others[0]}}}{{{base}}}"
    head = base if _is_one(base) else f"{{{base}}}"
    if SCRIPTS[tag] == "^" and set(others[0]) == {"'"}:
        return head + others[0]
    marks = zip(SCRIPTS[tag], others, strict=False)
    return head + "".join([f"{mark}{_group(part)}" for mark, part in marks if part.strip()])


def _is_one(base: str) -> bool:
    """Return whether a script after it belongs to all of it."""
    return len(base) <= 1 or re.fullmatch(r"\\[a-zA-Z]+(\{[^{}]*\})?|\d+|[)\]|]", base) is not None


def _group(part: str) -> str:
    return part if len(part) == 1 else f"{{{part}}}"


def joined(parts: list[str]) -> str:
    """Join pieces of TeX, with a space after a command before a letter."""
    written = ""
    for part in parts:
        if part[:1].isalpha() and COMMAND_END.search(written):
            written += " "
        written += part
    return written
