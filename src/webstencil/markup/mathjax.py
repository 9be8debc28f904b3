"""Formulas that MathJax 3 has drawn, as MathML: it names each part it draws, and each sign.

The SVG has `data-mml-node` for the element of MathML and `data-c` for the sign; the CHTML has an
element `mjx-x` for each `x` of MathML, and the sign in a class. Some parts are drawn in another
order than MathML has them: what is above comes before what is below.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from unicodedata import category, name, normalize

import turbohtml
from turbohtml import Element, Node

DRAWN = "mjx-math, [data-mml-node='math']"
TOKENS = frozenset(["mi", "mn", "mo", "ms", "mtext"])
NAMES = TOKENS | {"math", "mrow", "mfrac", "msqrt", "mroot", "mstyle", "mspace"}
NAMES |= {"msub", "msup", "msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd"}
PLACES = frozenset(["base", "under", "over", "root"])  # of CHTML, around the parts of an element
SURD = "surd"  # the root sign of CHTML
ORDERS = {  # places of parts in MathML
    "munder": ("base", "under"),
    "mover": ("base", "over"),
    "munderover": ("base", "under", "over"),
    "mroot": ("", "root"),
}
SWAPPED = frozenset(["msubsup", "munderover"])  # drawn as base, above, below
LIMITS = "munderover"  # drawn in order if the formula has a line of its own
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
FONTS = {"TEX-C": "script", "TEX-B": "bold", "TEX-FR": "fraktur", "TEX-SS": "sans-serif"}
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
    top = drawing if drawing.matches(DRAWN) else drawing.select_one(DRAWN)
    if top is None:
        return None
    displayed = (drawing.attr("display") or "") in ("true", "block")
    swapped = SWAPPED - {LIMITS} if displayed else SWAPPED
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
    if told == "munder" and node.matches(f"mjx-{LIMITS} > mjx-box > *"):
        return ""
    return told if told in NAMES or told in PLACES or told == SURD else ""


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
    font = next((FONTS[one] for one in names.split() if one in FONTS), "")
    letter = normalize("NFKC", sign) if sign.isalpha() or variant else sign
    return letter, (variant or font) if letter.isalnum() else ""


def _close(closed: OpenPart, around: OpenPart, swapped: frozenset[str]) -> None:
    """Write a part into the one around it."""
    if closed.name in TOKENS:
        around.parts.append(("", _token(closed)))
    elif closed.name in PLACES:
        inside = "".join([part for _, part in closed.parts])
        around.parts.append((closed.name, f"<mrow>{inside}</mrow>"))
    elif closed.name:
        around.parts.append(("", f"<{closed.name}>{_ordered(closed, swapped)}</{closed.name}>"))
    else:
        around.parts += closed.parts
        around.signs += closed.signs


def _token(closed: OpenPart) -> str:
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
        written = [
            _row([part for place, part in closed.parts if place == wanted]) for wanted in order
        ]
        return "".join(written)
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
