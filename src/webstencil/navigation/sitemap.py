"""A site's navigation as indented text or as JSON."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from webstencil.navigation.tree import Section, SiteMap

LISTED = 20  # sections and templates shown; JSON has all
NAMED = 4  # templates of a section
NONE = "no template"
NO_TEXT = "(no text)"


def lines_of(known: SiteMap) -> Iterator[str]:
    """Yield a site map as lines of indented text."""
    named = [name for name, _, _ in known.templates if name]
    sample = f" ({known.counted} counted)" if known.counted < known.pages else ""
    yield f"{known.site}: pages {known.pages}{sample}, templates {len(named)}"
    for number, menu in enumerate(known.menus, start=1):
        yield ""
        yield f"menu {number}: pages {menu.pages}, templates {menu.templates}"
        waiting = [(entry, 1) for entry in reversed(menu.entries)]
        while waiting:
            entry, depth = waiting.pop()
            target = f"  {entry.url}" if entry.url else ""
            yield f"{'  ' * depth}{entry.label or NO_TEXT}{target}"
            waiting.extend((child, depth + 1) for child in reversed(entry.children))
    if known.also:
        yield ""
        yield "also on many pages"
        rows = [f"{one.label or NO_TEXT}  {one.url}  ({one.why})" for one in known.also]
        yield from listed(rows)
    yield ""
    yield "sections"
    yield from listed([line_of(section) for section in known.sections])
    yield ""
    yield "templates"
    rows = [f"{key or NONE}  pages {pages}, e.g. {url}" for key, pages, url in known.templates]
    yield from listed(rows)


def line_of(section: Section) -> str:
    """Return a section with the templates of most of its pages."""
    shown = [f"{key or NONE} ({pages})" for key, pages in section.templates[:NAMED]]
    more = len(section.templates) - len(shown)
    used = ", ".join([*shown, f"{more} more"] if more else shown)
    return f"{section.path}  pages {section.pages}: {used}"


def listed(rows: Sequence[str]) -> Iterator[str]:
    """Yield rows, indented, and the number of those not shown."""
    yield from (f"  {row}" for row in rows[:LISTED])
    if len(rows) > LISTED:
        yield f"  and {len(rows) - LISTED} more"


def to_json(known: SiteMap) -> str:
    """Return a site map as JSON."""
    written = asdict(known)
    for section in written["sections"]:
        section["templates"] = dict(section["templates"])
    written["templates"] = [
        {"key": key, "pages": pages, "example": url} for key, pages, url in known.templates
    ]
    return json.dumps(written, indent=1, ensure_ascii=False)
