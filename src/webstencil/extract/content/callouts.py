"""Callouts: notes, tips and warnings that stand apart from the text, and their titles.

Sphinx, Docusaurus, MkDocs, Hugo: `admonition`; GitHub: `markdown-alert`; Obsidian: `callout`;
Bootstrap: `alert`; VuePress: `custom-block`; GitBook: `hint`; MDN: `notecard`; Asciidoctor:
`admonitionblock`; and plain elements that are called `note` or `warning`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from webstencil.extract.content.text_runs import TextRuns
from webstencil.markup import Element, Node, attribute, closest, tag
from webstencil.model import Page

KIND_NAMES = (
    "note info tip hint important warning caution danger error success question abstract "
    "summary todo bug example quote seealso attention failure check tldr help faq missing "
    "fail done cite deprecated versionadded versionchanged critical notice remember "
)
KINDS = frozenset(KIND_NAMES.split())
SURE_KINDS = frozenset(["note", "tip", "warning", "caution", "important", "danger", "attention"])
SAME = {"warn": "warning", "primary": "note", "secondary": "note", "information": "info"}
MARKS = (
    r"admonition|admonitionblock|callout|markdown-alert|custom-block|notecard|alert|hint|notice"
    r"|prompt|message|notification|docs-alert|theme-admonition|aside|information-macro"
    r"|blockquote-tag|callout-card"
)
MARK = re.compile(
    rf"(?i)^(?:{MARKS})$|(?:^|[-_])(?:{MARKS})[-_]{{1,2}}(?P<kind>[a-z]+)$|[-_](?:{MARKS})$"
)
FAMILIES = (
    *("admonition", "callout", "custom-block", "notecard", "alert", "hint", "notice"),
    *("prompt-", "-aside", "message", "notification", "information-macro", "blockquote-tag"),
)
PLAIN = ("note", "tip", "warning", "caution", "important", "danger")  # and in capitals
MAY_MARK = re.compile(
    "|".join([*FAMILIES, *[rf"(?:^|\s)(?:{name}|{name.upper()})(?:\s|$)" for name in PLAIN]])
)
MAY_HAVE = (*FAMILIES, *PLAIN, *map(str.upper, PLAIN))  # what MAY_MARK looks for
TOLD = "[data-callout], [data-panel-type], [role='note']"
BOXES = frozenset(
    ["div", "aside", "section", "blockquote", "details", "article", "table", "figure", "p"]
)
SURE_NAME = re.compile(
    r"(?i)^(?:admonition|admonitionblock|callout|notecard|(?:kg|notion|nextra)-callout(?:-card)?)$"
)
TITLES = (
    "[class*='admonition-title'], [class*='admonitionHeading'], [class*='admonition-heading'], "
    "[class*='callout-title-inner'], [class*='callout-title'], [class*='callout-heading'], "
    ".markdown-alert-title, .blockquote-tag-title, "
    "[class*='alert-title'], [class*='alert-heading'], .custom-block-title, .hint-title, "
    "summary, td.icon .title, .title"
)
TITLE = 80  # characters; more is text
PARTS = "h1, article, nav"  # not in callouts
NEAR = 64  # elements around a callout; pages nest 100,000 deep
SIDES = "nav, header, footer, form"


@dataclass(frozen=True, slots=True)
class Callout:
    """A callout, and the element with its title if it has one."""

    kind: str
    title: Node | None
    words: str  # of the title, empty if it only says the kind


def callouts(page: Page, runs: TextRuns) -> dict[Node, Callout]:
    """Return the callouts of a page by their elements; one inside another is text."""
    found: dict[Node, Callout] = {}
    told = frozenset(page.markup.select(TOLD))
    marked = _marked(runs.classes)
    if not marked and not told:
        return found
    named = {number for number, one in enumerate(runs.names) if one.classes in marked}
    blocks = zip(runs.elements, runs.named, strict=True)
    for node in [one for one, names in blocks if names in named or one in told]:
        kind = kind_of(node)
        if kind and not _is_inside(node, found) and closest(node, SIDES) is None and _says(node):
            title = _title(node)
            words = " ".join(title.text.split()) if title is not None else ""
            said = words.strip("!:. ").lower().replace(" ", "")
            found[node] = Callout(kind, title, "" if said == kind else words)
    return found


def _marked(classes: Sequence[str]) -> frozenset[str]:
    """Return those class attributes that may mark a callout; most pages have none."""
    whole = "\n".join(classes)
    words = [word for word in MAY_HAVE if word in whole]
    return frozenset(
        [
            names
            for names in classes
            if any(word in names for word in words) and MAY_MARK.search(names)
        ]
    )


def kind_of(node: Node) -> str:
    """Return the kind of a callout, empty if an element is none."""
    if tag(node) not in BOXES:
        return ""
    keys = ("data-callout", "data-admonition", "data-panel-type")
    told = next(filter(None, [attribute(node, key) for key in keys]), "")
    names = attribute(node, "class").split()
    marked = bool(told) or attribute(node, "role") == "note"
    kinds = [told.lower(), *([attribute(node, "data-type").lower()] if marked else [])]
    bare = []
    for name in names:
        mark = MARK.search(name)
        if mark is not None:
            marked = True
            kinds.append((mark["kind"] or "").lower())
        else:
            bare += [name.lower(), *re.findall(r"(?i)(?:^is-|--|type-)([a-z]+)$", name)]
    kinds += [name.lower() for name in bare] if marked or _is_only_called(names) else []
    known = [SAME.get(kind, kind) for kind in kinds]
    return next((kind for kind in known if kind in KINDS), "note" if _is_sure(names, told) else "")


def _is_only_called(names: list[str]) -> bool:
    """Return whether an element is called a note and nothing else."""
    return len(names) <= 2 and any(name.lower() in SURE_KINDS for name in names)


def _is_sure(names: list[str], told: str) -> bool:
    """Return whether a callout of no known kind is one."""
    return bool(told) or any(SURE_NAME.match(name) for name in names)


def _is_inside(node: Node, found: dict[Node, Callout]) -> bool:
    return bool(found) and any(one in found for one in islice(node.ancestors, NEAR))


def _says(node: Node) -> bool:
    """Return whether an element has text, and is no part of a page with its own title."""
    return isinstance(node, Element) and bool(node.text.strip()) and node.select_one(PARTS) is None


def _title(node: Node) -> Node | None:
    """Return the title of a callout: a short line at its beginning."""
    first = next(iter(node.stripped_strings), "")
    for one in node.select(TITLES):
        text = " ".join(one.text.split())
        if text and len(text) <= TITLE and one.text.strip().startswith(first):
            return one
    for one in node.select("strong, b, h2, h3, h4, h5, h6, dt, th, p, .label"):
        text = " ".join(one.text.split()).strip("!:. ")
        if one.text.strip().startswith(first) and text.lower() in KINDS:
            return one
    return None
