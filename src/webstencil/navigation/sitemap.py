"""A site's navigation for people, as indented text, and for programs, as JSON."""

import json
from collections.abc import Iterator
from dataclasses import asdict

from webstencil.navigation.tree import SiteMap

LISTED = 20  # sections shown


def lines_of(known: SiteMap) -> Iterator[str]:
    """Write a site map as indented text."""
    kept = [key for key, _, _ in known.templates if key]
    yield f"{known.site}: pages {known.pages}, templates {len(kept)}"
    for number, menu in enumerate(known.menus, start=1):
        yield ""
        yield f"menu {number}: pages {menu.pages}, templates {menu.templates}"
        waiting = [(entry, 1) for entry in reversed(menu.entries)]
        while waiting:
            entry, depth = waiting.pop()
            target = f"  {entry.url}" if entry.url else ""
            yield f"{'  ' * depth}{entry.label or '(no text)'}{target}"
            waiting.extend((child, depth + 1) for child in reversed(entry.children))
    yield ""
    yield "sections"
    for section in known.sections[:LISTED]:
        used = ", ".join(f"{key or 'no template'} ({pages})" for key, pages in section.templates)
        yield f"  {section.path}  pages {section.pages}: {used}"
    if len(known.sections) > LISTED:
        yield f"  and {len(known.sections) - LISTED} more"
    yield ""
    yield "templates"
    for key, pages, url in known.templates:
        yield f"  {key or 'no template'}  pages {pages}, e.g. {url}"


def to_json(known: SiteMap) -> str:
    """Write a site map as JSON."""
    written = asdict(known)
    for section in written["sections"]:
        section["templates"] = dict(section["templates"])
    written["templates"] = [
        {"key": key, "pages": pages, "example": url} for key, pages, url in known.templates
    ]
    return json.dumps(written, indent=1, ensure_ascii=False)
