"""Callouts: notes, tips and warnings that stand apart from the text, and their titles.

Sphinx, Docusaurus, MkDocs, Hugo: `admonition`; GitHub: `markdown-alert`; Obsidian: `callout`;
Bootstrap: `alert`; VuePress: `custom-block`; GitBook: `hint`; MDN: `notecard`; Asciidoctor:
`admonitionblock`; DITA: `note note_tip`; DokuWiki: `plugin_note notetip`; Doxygen: a definition
list `section note`; and plain elements that are called `note` or `warning`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from webstencil.content.runs import TextRuns
from webstencil.markup import Element, Node, Text, attribute, closest, tag
from webstencil.model import Page

KIND_NAMES = (
    "note info tip hint important warning caution danger error success question abstract "
    "summary todo bug example quote seealso attention failure check tldr help faq missing "
    "fail done cite deprecated versionadded versionchanged critical notice remember "
)
CALLOUT_KINDS = frozenset(KIND_NAMES.split())
NOTE_KIND_NAME = "note"  # the kind of a callout that tells no other
SURE_NAMES = ("note", "tip", "warning", "warn", "caution", "important", "danger", "attention")
SURE_KINDS = frozenset(SURE_NAMES)
SAME_KINDS = {"warn": "warning", "primary": "note", "secondary": "note", "information": "info"}
CALLOUT_MARKS = (
    r"admonition|admonitionblock|callout|markdown-alert|custom-block|notecard|alert|hint|notice"
    r"|prompt|message|notification|docs-alert|theme-admonition|aside|information-macro"
    r"|blockquote-tag|callout-card|notices|infobox|awsdocs-note|plugin_note|plugin_wrap|su-note"
    r"|MuiAlert-root|custom-container|hint-container"
)
MARK = re.compile(
    rf"(?i)^(?:{CALLOUT_MARKS})$|(?:^|[-_])(?:{CALLOUT_MARKS})[-_]{{1,2}}(?P<kind>[a-z]+)$|[-_](?:{CALLOUT_MARKS})$"
)
KIND_ENDS = "note|tip|info|warning|warn|caution|danger|important|hint|success|error"
OWN_KIND = re.compile(  # that a class ends with, in an element that is marked
    rf"(?i)^(?:is-|note|wrap_|MuiAlert-\w+?)(?P<kind>{KIND_ENDS})(?:[-_]notice)?$"
    rf"|(?:--|type-)(?P<typed>[a-z]+)$|[-_](?P<last>{KIND_ENDS})$|^(?P<box>{KIND_ENDS})message$"
)
MODIFIED_BOX = re.compile(rf"(?i)^(?P<base>[\w-]*box)[-_]{{1,2}}(?P<kind>{'|'.join(SURE_NAMES)})$")
NAMED_BOX = re.compile(rf"(?i)^(?:rmd|infobox)(?P<kind>{KIND_ENDS})$")  # bookdown, Oracle
QUOTE_KIND = re.compile(rf"(?i)^(?:is|block|attention)-(?P<kind>{KIND_ENDS})$")  # of a `blockquote`
NOTE_KIND = re.compile(rf"(?i)^note[-_]{{1,2}}(?:{KIND_ENDS})$|^(?:{KIND_ENDS})message$")
MODULE = re.compile(r"_{1,2}(?=[\w-]*[A-Z\d])[\w-]{4,8}$")  # what CSS modules add to a name
FAMILIES = (
    *("admonition", "callout", "custom-block", "notecard", "alert", "hint", "notice"),
    *("prompt", "-aside", "message", "notification", "information-macro", "blockquote-tag"),
    *("infobox-", "infoboxnote", "awsdocs-note", "plugin_note", "plugin_wrap", "note_", "note-"),
    *("custom-container", "su-note", "muialert", "rmd", "attention-", "block-tip", "block-warning"),
    *("block-danger", "is-info", "is-success", "is-warning", "is-danger"),
    *("box-note", "box-tip", "box-warning", "box-danger", "box-caution", "box-important"),
)
MAY_MARK = re.compile("|".join([*FAMILIES, *[rf"(?:^|\s){name}(?:\s|$)" for name in SURE_NAMES]]))
MAY_HAVE = (*FAMILIES, *SURE_NAMES)  # what MAY_MARK looks for, in small letters
TOLD_CALLOUTS = "[data-callout], [data-callout-type], [data-panel-type], [role='note']"
KIND_KEYS = ("data-callout", "data-callout-type", "data-admonition", "data-panel-type")
MARKED_KEYS = ("data-type", "data-status", "data-severity")  # of what its names mark
CALLOUT_TAGS = frozenset(
    ["div", "aside", "section", "blockquote", "details", "article", "table", "figure", "p", "dl"]
)
SURE_NAME = re.compile(
    r"(?i)^(?:admonition|admonitionblock|callout|notecard|awsdocs-note|plugin_note"
    r"|(?:kg|notion|nextra|hextra|fern)-callout(?:-card)?|su-note)$"
)
CALLOUT_TITLES = (
    "[class*='admonition-title'], [class*='admonitionHeading'], [class*='admonition-heading'], "
    "[class*='callout-title-inner'], [class*='callout-title'], [class*='callout-heading'], "
    ".markdown-alert-title, .blockquote-tag-title, "
    "[class*='alert-title'], [class*='alert-heading'], .custom-block-title, .hint-title, "
    "[class*='note-title'], .note__title, .notetitle, [class*='aside__title'], .admonition_header, "
    ".admonition-header, .box-label, "
    "summary, td.icon .title, .title"
)
# In titles; Quarto says the kind twice.
UNSEEN_WORDS = ".screen-reader-only, .sr-only, .visually-hidden"
LONGEST_CALLOUT_TITLE = 80  # characters; more is text
NOT_IN_CALLOUTS = "h1, article, nav"  # not in callouts
NEAR_CALLOUT = 64  # elements around a callout; pages nest 100,000 deep
PAGE_SIDES = "nav, header, footer, form"


@dataclass(frozen=True, slots=True)
class Callout:
    """A callout, and the element with its title if it has one."""

    kind: str
    title: Node | None
    words: str  # of the title, empty if it only says the kind


def callouts(page: Page, runs: TextRuns) -> dict[Node, Callout]:
    """Return the callouts of a page by their elements; one inside another is text."""
    found: dict[Node, Callout] = {}
    told = frozenset(page.markup.select(TOLD_CALLOUTS))
    marked = _marked(runs.classes)
    if not marked and not told:
        return found
    named = {number for number, one in enumerate(runs.names) if one.classes in marked}
    blocks = zip(runs.elements, runs.named, strict=True)
    for node in [one for one, names in blocks if names in named or one in told]:
        kind = _kind_of(node)
        if (
            kind
            and not any(one in found for one in islice(node.ancestors, NEAR_CALLOUT))
            and closest(node, PAGE_SIDES) is None
            and _says(node)
        ):
            title = _title(node)
            if title is not None and title.text.strip() == node.text.strip():
                title = None  # it is all that the callout says
            words = _words(title) if title is not None else ""
            found[node] = Callout(kind, title, "" if _said(words) == kind else words)
    return found


def _marked(classes: Sequence[str]) -> frozenset[str]:
    """Return those class attributes that may mark a callout; most pages have none."""
    whole = "\n".join(classes).lower()
    words = [word for word in MAY_HAVE if word in whole]
    found = [names for names in classes if any(word in names.lower() for word in words)]
    return frozenset([names for names in found if MAY_MARK.search(names.lower())])


def _kind_of(node: Node) -> str:
    """Return the kind of a callout, empty if an element is none."""
    if tag(node) not in CALLOUT_TAGS:
        return ""
    told = next(filter(None, [attribute(node, key) for key in KIND_KEYS]), "")
    names = [MODULE.sub("", name) for name in attribute(node, "class").split()]
    marks = [mark for name in names if (mark := MARK.search(name)) is not None]
    if boxed := _boxed_kind(names, tag(node)):
        return boxed
    marked = bool(told or marks) or attribute(node, "role") == "note"
    kinds = [told, *[mark["kind"] or "" for mark in marks]]
    if marked:
        kinds += [attribute(node, key) for key in MARKED_KEYS]
    if marked or _is_only_called(names):
        kinds += [kind for name in names for kind in _kinds_in(name)]
    known = [SAME_KINDS.get(kind, kind) for kind in map(str.lower, kinds)]
    found = [kind for kind in known if kind in CALLOUT_KINDS]
    if found:
        return next((kind for kind in found if kind != NOTE_KIND_NAME), NOTE_KIND_NAME)
    return _titled_kind(node, sure=bool(told) or any(map(SURE_NAME.match, names))) if marked else ""


def _kinds_in(name: str) -> list[str]:
    """List what may be the kind of a callout in one of its class names."""
    own = OWN_KIND.search(name)
    if MARK.search(name):
        return [own["kind"] or ""] if own is not None else []
    return [name, *filter(None, own.groups() if own is not None else ())]


def _boxed_kind(names: list[str], tag: str) -> str:
    """Return the kind that a name for boxes tells: beside `box` a `box-note`, or of a family."""
    told = [mark for mark in map(MODIFIED_BOX.match, names) if mark and mark["base"] in names]
    told += [mark for mark in map(NAMED_BOX.match, names) if mark]
    if tag == "blockquote":
        told += [mark for mark in map(QUOTE_KIND.match, names) if mark]
    return SAME_KINDS.get(told[0]["kind"], told[0]["kind"]).lower() if told else ""


def _is_only_called(names: list[str]) -> bool:
    """Return whether an element is called a note and nothing else."""
    different = {name.lower() for name in names if not NOTE_KIND.match(name)}
    if NOTE_KIND_NAME in different and not different.isdisjoint(KIND_ENDS.split("|")[1:]):
        return True
    if len(different) < len(set(names)):
        return True
    return len(different) <= 2 and not different.isdisjoint(SURE_KINDS)


def _titled_kind(node: Node, *, sure: bool) -> str:
    """Return the kind that the title of a callout names; a note if it names none.

    An element that is not surely one, as a post called `message`, must name its title so.
    """
    title = _title(node) if isinstance(node, Element) else None
    if title is not None and (sure or "title" in attribute(title, "class") or _is_heading(title)):
        said = _said(title.text)
        if said in CALLOUT_KINDS:
            return said
    return NOTE_KIND_NAME if sure else ""


def _is_heading(title: Node) -> bool:
    return re.fullmatch("h[2-6]", tag(title)) is not None


def _words(title: Node) -> str:
    """Return the words of a title that readers see."""
    unseen = title.select(UNSEEN_WORDS)
    hidden = {text for one in unseen for text in one.descendants}
    texts = [one.data for one in title.descendants if isinstance(one, Text) and one not in hidden]
    return " ".join("".join(texts).split()) or " ".join(title.text.split())


def _said(title: str) -> str:
    """Return a title as kinds are written."""
    return title.strip("!:. \n\t").lower().replace(" ", "")


def _says(node: Node) -> bool:
    """Return whether an element has text, and is no part of a page with its own title."""
    return (
        isinstance(node, Element)
        and bool(node.text.strip())
        and node.select_one(NOT_IN_CALLOUTS) is None
    )


def _title(node: Node) -> Node | None:
    """Return the title of a callout: a short line at its beginning."""
    first = next(iter(node.stripped_strings), "")
    for one in node.select(CALLOUT_TITLES):
        text = " ".join(one.text.split())
        if text and len(text) <= LONGEST_CALLOUT_TITLE and one.text.strip().startswith(first):
            return one
    for one in node.select("strong, b, h2, h3, h4, h5, h6, dt, th, p, .label"):
        text = " ".join(one.text.split()).strip("!:. ")
        if one.text.strip().startswith(first) and text.lower() in CALLOUT_KINDS:
            return one
    return None
