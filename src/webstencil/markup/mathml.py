"""MathML as TeX, for formulas that say nothing else (MathML Core, sections 3 and 4)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from turbohtml import Element, Node

SIGNS: Mapping[str, str] = {
    **dict(zip("αβγδεζηθικλμνξπρςστυφχψω", (
        r"\alpha \beta \gamma \delta \epsilon \zeta \eta \theta \iota \kappa \lambda \mu \nu \xi "
        r"\pi \rho \varsigma \sigma \tau \upsilon \varphi \chi \psi \omega"
    ).split(), strict=True)),
    **dict(zip("ΓΔΘΛΞΠΣΦΨΩϕϵϑ", (
        r"\Gamma \Delta \Theta \Lambda \Xi \Pi \Sigma \Phi \Psi \Omega \phi \epsilon \vartheta"
    ).split(), strict=True)),
    **dict(zip("∑∏∫∮∂∇∞ℏℓ∅∀∃∈∉⊂⊆∪∩∧∨¬", (
        r"\sum \prod \int \oint \partial \nabla \infty \hbar \ell \emptyset \forall \exists \in "
        r"\notin \subset \subseteq \cup \cap \land \lor \neg"
    ).split(), strict=True)),
    **dict(zip("≤≥≠≈≡∼≪≫×÷±∓·⋅∘⊗⊕→←⇒⇔↦↔", (
        r"\leq \geq \neq \approx \equiv \sim \ll \gg \times \div \pm \mp \cdot \cdot \circ "
        r"\otimes \oplus \to \leftarrow \Rightarrow \Leftrightarrow \mapsto \leftrightarrow"
    ).split(), strict=True)),
    **dict(zip("…⋯⋮⋱⟨⟩‖∥⊥∝≅∣", (
        r"\ldots \cdots \vdots \ddots \langle \rangle \| \parallel \perp \propto \cong \mid"
    ).split(), strict=True)),
    "−": "-", "\N{FUNCTION APPLICATION}": "", "\N{INVISIBLE TIMES}": "",
    "\N{INVISIBLE SEPARATOR}": "", "′": "'", "{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#",
    "&": r"\&", "_": r"\_", "$": r"\$", "\\": r"\backslash", "\N{NO-BREAK SPACE}": " ",
}  # fmt: skip
FUNCTIONS = frozenset(
    "arccos arcsin arctan arg cos cosh cot csc deg det dim exp gcd hom inf ker lg lim liminf limsup "
    "ln log max min Pr sec sin sinh sup tan tanh".split()
)
ALPHABETS = {
    "bold": "mathbf",
    "double-struck": "mathbb",
    "script": "mathcal",
    "fraktur": "mathfrak",
    "sans-serif": "mathsf",
    "monospace": "mathtt",
}
ACCENTS = {
    **dict.fromkeys("^ˆ\u0302", "hat"),
    **dict.fromkeys("~˜\u0303", "tilde"),
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
            if node.tag not in SKIPPED:
                stack.append(OpenFormula(node, iter(list(node.children))))
        elif node is None:
            stack.pop()
            written = _written(top)
            if not stack:
                return " ".join(written.split())
            stack[-1].parts.append(written)


def _written(closed: OpenFormula) -> str:
    tag, parts = closed.element.tag, closed.parts
    if tag in ("mi", "mn", "mo", "ms", "mtext"):
        return _token(closed.element)
    if tag in SCRIPTS and len(parts) >= 2:
        return _scripts(tag, parts)
    match tag:
        case "mfrac" if len(parts) == 2:
            bar = closed.element.attr("linethickness") not in ("0", "0px", "0pt")
            return f"\\{'frac' if bar else 'binom'}{{{parts[0]}}}{{{parts[1]}}}"
        case "msqrt":
            return f"\\sqrt{{{joined(parts)}}}"
        case "mroot" if len(parts) == 2:
            return f"\\sqrt[{parts[1]}]{{{parts[0]}}}"
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
    if element.tag in ("mtext", "ms"):
        return f"\\text{{{element.text}}}" if text else " "
    if text in FUNCTIONS:
        return f"\\{text}"
    alphabet = ALPHABETS.get(element.attr("mathvariant") or "")
    written = joined([SIGNS.get(sign, sign) for sign in text])
    if alphabet is not None:
        return f"\\{alphabet}{{{written}}}"
    if element.tag == "mi" and len(text) > 1 and text.isalpha():
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
