"""Escape what Markdown would read as markup, and nothing else (CommonMark 0.31, GFM 0.29)."""

import re

MARKS = re.compile(r"[\\`*_\[\]<&~]")
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
TAG_LIKE = re.compile(r"<(?:[a-zA-Z/!?][^<]*>|[^\s<>]+@[^\s<>]+>)")
CHECK_BOX = re.compile(r"\[[ xX]\](?=\s|$)")
STARTS = re.compile(  # what begins a block at the start of a line, up to the character to escape
    r"""
    (?=\#{1,6}(?:\s|$))            # a heading
    | (?=[-+*](?:\s|$))            # an item of a list
    | \d{1,9}(?=[.)](?:\s|$))      # a numbered item
    | (?=>)                        # a quote
    | (?=(?:=+|-+)\s*$)            # an underline: the line before would be a heading
    | (?=~~~)                      # a fence
    | (?=\[[^\]]+\]:)              # a definition of a link
    """,
    re.VERBOSE,
)
RULE = re.compile(r"([-_*])(?:\s*\1){2,}\s*$")
SPACE = re.compile(r"[ \t\n\r\f]+")


def collapsed(text: str) -> str:
    """Collapse white space as a browser does; spaces that do not break stay."""
    return SPACE.sub(" ", text)


def escaped(text: str, before: str = "", after: str = "") -> str:
    """Escape a text inside a line; `before` and `after` are the characters around it."""
    if MARKS.search(text) is None:
        return text
    last = len(text) - 1

    def write(found: re.Match[str]) -> str:
        place, mark = found.start(), found[0]
        left = text[place - 1] if place else before
        right = text[place + 1] if place < last else after
        return f"\\{mark}" if _means(mark, left, right, text, place) else mark

    return MARKS.sub(write, text)


def _means(mark: str, left: str, right: str, text: str, place: int) -> bool:
    """Return whether a character between two others would be read as markup."""
    match mark:
        case "\\":
            return not right or (right.isascii() and not right.isalnum() and not right.isspace())
        case "*":
            return not (_blank(left) and _blank(right))
        case "_":
            return not ((_blank(left) and _blank(right)) or (left.isalnum() and right.isalnum()))
        case "[" | "]":
            return right == ("^" if mark == "[" else "(")
        case "<":
            return TAG_LIKE.match(text, place) is not None
        case "&":
            return ENTITY.match(text, place) is not None
        case "~":
            return "~" in (left, right) or text.count("~") > 1
    return True


def _blank(character: str) -> bool:
    return not character or character.isspace()


def line_start(line: str) -> str:
    """Escape a text at the start of a line that would begin a block."""
    if RULE.match(line) or CHECK_BOX.match(line):
        return f"\\{line}"
    found = STARTS.match(line)
    if found is None:
        return line
    return f"{line[: found.end()]}\\{line[found.end() :]}"


def in_link(text: str) -> str:
    """Escape brackets of a link's text that have no partner."""
    if text.count("[") == text.count("]"):
        return text
    return re.sub(r"(?<!\\)([\[\]])", r"\\\1", text)


def target(url: str) -> str:
    """Write a URL as the target of a link."""
    url = re.sub(r"\s", lambda found: f"%{ord(found[0]):02X}", url)
    url = url.replace("<", "%3C").replace(">", "%3E")
    if url.count("(") != url.count(")"):
        url = url.replace("(", "%28").replace(")", "%29")
    return url.replace("\\", "%5C")


def code_span(code: str) -> str:
    """Write inline code: more backticks around it than in it."""
    code = " ".join(code.split("\n"))
    longest = max([len(run) for run in re.findall(r"`+", code)], default=0)
    fence = "`" * (longest + 1) if longest else "`"
    needs_space = code.startswith("`") or code.endswith("`")
    needs_space = needs_space or (code[:1] == code[-1:] == " " and bool(code.strip()))
    return f"{fence} {code} {fence}" if needs_space else f"{fence}{code}{fence}"


def code_block(code: str, language: str) -> str:
    """Write a block of code in a fence that is longer than any in it."""
    longest = max([len(run) for run in re.findall(r"`{3,}", code)], default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"
