"""Bytes to a parsed page: their encoding, and what is taken out or put in before all else."""

import re
from collections.abc import Callable, Collection
from functools import lru_cache
from itertools import islice

import turbohtml
from turbohtml import Comment, Document, Element, Node, Text
from turbohtml.detect import detect

# Pages that were encoded twice: UTF-8 that a program read as Latin-1, and wrote as UTF-8 again.
#
# Such a page says `competitorâ€™s` or, as programs that save pages have it, the same with control
# characters. It is repaired only if all of it goes back: every character outside ASCII is one of
# the 256 that a byte can be read as, and these bytes are strict UTF-8. A page in any language that
# was encoded once has letters that stand alone, or characters that no byte is read as; so has one
# that tells of broken characters and shows whole ones. A few of them may be an example. A single
# text, such as a title in a script, is mended part by part.

FEWEST_TWICE_ENCODED = 3  # characters that were encoded twice; fewer may be an example
TWICE = re.compile(  # two characters that are the first two bytes of one; the second as in cp1252
    rb"\xc3[\x82-\xb4](?:\xc2[\x80-\xbf]|[\xc5\xc6\xcb\xe2][\x80-\xbf])"
)
UNDEFINED = frozenset([0x81, 0x8D, 0x8F, 0x90, 0x9D])  # in cp1252
BYTES = {
    ord(bytes([byte]).decode("cp1252")): byte for byte in range(0x80, 0xA0) if byte not in UNDEFINED
}
NOT_ASCII = re.compile("[^\x00-\x7f]+")
_ABOVE = "".join(map(chr, BYTES))
_READ_AS = re.compile(f"[\x80-\xff{_ABOVE}]+")  # what bytes outside ASCII are read as
_BROKEN = re.compile(f"[Â-ô][\x80-\xbf{_ABOVE}]")  # the first byte of a character, and the next


def encoded_once(body: bytes) -> bytes | None:
    """Return the bytes of a page that was encoded twice as they were before, None of any other."""
    if sum(1 for _ in islice(TWICE.finditer(body), FEWEST_TWICE_ENCODED)) < FEWEST_TWICE_ENCODED:
        return None
    try:
        text = body.decode("utf-8-sig")
        parts = {part: _back(part).decode("utf-8") for part in set(NOT_ASCII.findall(text))}
    except UnicodeError:
        return None
    return NOT_ASCII.sub(lambda found: parts[found[0]], text).encode("utf-8")


def _back(text: str) -> bytes:
    """Return the bytes that were read as a text."""
    return text.translate(BYTES).encode("latin-1")


def mended(text: str) -> str:
    """Return a text as it was before it was encoded a second time; other texts as they are.

    >>> mended("cafÃ© de la plage"), mended("le château")
    ('café de la plage', 'le château')
    """

    def decoded(found: re.Match[str]) -> str:
        try:
            return _back(found[0]).decode("utf-8")
        except UnicodeDecodeError:
            return found[0]

    return _READ_AS.sub(decoded, text) if _BROKEN.search(text) else text


UNRENDERED = ("script", "style", "template")  # they also differ between pages of a template
PRUNED = ", ".join(UNRENDERED)
FORMULA_SCRIPTS = 'script[type^="math/"]'
NEIGHBOURS = "a + a, a + span, span + a, span + span"  # what CSS may separate
FIRST_UNSPACED = "\u0e00"  # Thai; scripts without spaces between words come after it
AS_WRITTEN = frozenset({"pre", "code", "textarea"})  # elements where each space counts
NEAR_AS_WRITTEN = 3  # ancestors that are checked for these; pages nest 100,000 deep

UNICODE = ("UTF-8", "UTF-16LE", "UTF-16BE")
LATIN = "windows-1252"  # what pages say that say ISO-8859-1; in it, UTF-8 makes no words
# Characters that must be UTF-8 before any other declaration is false: in GBK, one in five is.
FEWEST_OF_UTF8 = 8


def bare_parse(body: bytes) -> Node:
    """Parse a page and do nothing else: the unit of cost."""
    return turbohtml.parse(body, detect_encoding=True, positions=False)


def scripts(body: bytes, encoding: str, kind: str) -> list[str]:
    """List the scripts of a media type; parses again, because a parsed page has none."""
    if kind.encode() not in body:
        return []
    return [script.text for script in parse_bytes(body, encoding).select(f'script[type="{kind}"]')]


def prune(page: Document, wanted: str) -> list[Element]:
    """Remove elements that are never rendered; return those with the wanted tag.

    One pass over the page: two selections would take two or three.
    """
    found = []
    for element in list(page.iter_elements((*UNRENDERED, wanted))):
        if element.tag == wanted:
            found.append(element)
        else:
            element.extract()
    return found


def put_formulas_aside(page: Document) -> dict[Node, tuple[str, str]]:
    """Replace the scripts with formulas, as MathJax reads them, by comments.

    Return the media type and the TeX of each by its comment. A comment is not rendered, has no
    number, and keeps the place.
    """
    found: dict[Node, tuple[str, str]] = {}
    for script in list(page.select(FORMULA_SCRIPTS)):
        comment = Comment("")
        script.replace_with(comment)
        found[comment] = (script.attr("type") or "", script.text)
    return found


def part_words(page: Document) -> None:
    """Put a space between adjacent links in a row that has only links, and between touching words.

    A style sheet separates them, but an unrendered page has none: "1 2 Next" would read "12Next".
    Words touch at the border of spans. Blank texts have no number and do not affect
    matching.
    """
    close = [one for one in page.select(NEIGHBOURS) if isinstance(one.previous_sibling, Element)]
    rows = {row: _has_only_links(row) for row in {one.parent for one in close} if row is not None}
    for one in close:
        row, before = one.parent, one.previous_sibling
        if row is None or before is None:
            continue
        if one.tag == getattr(before, "tag", "") == "a":
            parted = rows[row]
        else:
            # One word ends and another begins at the border of the two.
            last, first = before.text[-1:], one.text[:1]
            parted = last.isalnum() and first.isalnum() and max(last, first) < FIRST_UNSPACED
            parted = parted and not _is_as_written(row)
        if parted:
            one.insert_before(Text(" "))


def _is_as_written(node: Node) -> bool:
    """Return whether each space in an element counts."""
    around = {getattr(one, "tag", "") for one in (node, *islice(node.ancestors, NEAR_AS_WRITTEN))}
    return not AS_WRITTEN.isdisjoint(around)


def _has_only_links(row: Node) -> bool:
    """Return whether an element has no text of its own, and its white space collapses."""
    texts = [child.data for child in row.children if isinstance(child, Text)]
    return all(map(str.isspace, texts)) and not _is_as_written(row)


def main_text(body: bytes) -> str:
    """Extract the main text of a page by the parser's own rules, for comparison."""
    return turbohtml.parse(body, detect_encoding=True).main_text() or ""


def parse_bytes(body: bytes, charset: str | None) -> Document:
    label = charset if charset and _known(charset) else None
    page = turbohtml.parse(body, encoding=label, positions=False)
    if page.encoding_confidence == "tentative" and page.encoding != "UTF-8":
        # no declared encoding; detection takes far longer than parsing
        page = turbohtml.parse(body, detect_encoding=True, positions=False)
    if page.encoding not in UNICODE and _is_utf8(body, page.encoding):
        page = turbohtml.parse(body, encoding="utf-8", positions=False)
    if page.encoding == "UTF-8" and not body.isascii():
        if (before := encoded_once(body)) is not None:
            return turbohtml.parse(before, encoding="utf-8", positions=False)
        if _is_not_utf8(body):
            guess = detect(re.sub(rb"(?i)charset", b"-------", body)).encoding
            if guess and guess != "UTF-8":
                return turbohtml.parse(body, encoding=guess, positions=False)
    return page


@lru_cache
def _known(charset: str) -> bool:
    try:
        turbohtml.parse(b"", encoding=charset)
    except LookupError:
        return False
    return True


def _is_utf8(body: bytes, declared: str | None) -> bool:
    """Return whether a page is UTF-8, whatever it or its server declares."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return sum(map(len, NOT_ASCII.findall(text))) >= (1 if declared == LATIN else FEWEST_OF_UTF8)


def _is_not_utf8(body: bytes) -> bool:
    """Return whether most non-ASCII characters of declared UTF-8 are broken."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        decoded = body.decode("utf-8", "replace")
        broken = decoded.count("\ufffd")
        return broken > sum(character > "\x7f" for character in decoded) - broken
    return False


def rewritten(
    body: bytes, encoding: str, plain: Collection[str], rename: Callable[[str], str]
) -> bytes:
    """Return a page with `div` for `plain` tags, and other names for classes and ids.

    Roles and ARIA attributes, scripts and style sheets are left out.
    """
    page = parse_bytes(body, encoding)
    prune(page, "base")
    for element in page.iter_elements():
        attributes = element.attrs
        for name in [name for name in attributes if name == "role" or name.startswith("aria-")]:
            del attributes[name]
        for name in ("class", "id"):
            if name in attributes:
                attributes[name] = " ".join(map(rename, (element.attr(name) or "").split()))
    written = "".join(part.serialize() for part in page.children if isinstance(part, Element))
    tags = re.compile(f"<(/?)(?:{'|'.join(sorted(plain))})(?=[\\s>/])")
    return ("<!DOCTYPE html>" + tags.sub(r"<\1div", written)).encode("utf-8", "replace")
