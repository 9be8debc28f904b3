"""Icons, drawn inside the page."""

from collections.abc import Mapping

SHAPES: Mapping[str, str] = {
    "search": '<circle cx="10" cy="10" r="6"/><path d="m15 15 6 6"/>',
    "basket": '<path d="M3 9h18l-2 11H5zM8 9l3-6m5 6-3-6"/>',
    "cloud": '<path d="M7 18h10a4 4 0 0 0 0-8 6 6 0 0 0-11-1 4.500 4.500 0 0 0 1 9z"/>',
    "comment": '<path d="M4 5h16v11H10l-4 4v-4H4z"/>',
    "clock": '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l4 2"/>',
    "share": '<path d="M12 3v12M7 8l5-5 5 5M5 13v7h14v-7"/>',
    "mail": '<path d="M3 6h18v13H3zm0 0 9 7 9-7"/>',
    "print": '<path d="M7 8V3h10v5M5 17H3V8h18v9h-2M7 14h10v7H7z"/>',
    "van": '<path d="M2 6h12v11H2zm12 4h5l3 4v3h-8"/><circle cx="7" cy="18" r="2"/>'
    '<circle cx="18" cy="18" r="2"/>',
    "return": '<path d="M4 9h11a5 5 0 0 1 0 10H8M8 5 4 9l4 4"/>',
    "tool": '<path d="m4 20 9-9m2-7a5 5 0 1 0 5 7l-3 1-3-3 1-4z"/>',
    "wave": '<path d="M2 9q3-4 6 0t6 0 6 0M2 16q3-4 6 0t6 0 6 0"/>',
}


def icon(name: str) -> str:
    """Return an icon as an inline drawing of 24 by 24."""
    return (
        f'<svg class="icon icon-{name}" viewBox="0 0 24 24" width="20" height="20" '
        f'aria-hidden="true">{SHAPES[name]}</svg>'
    )


def lighthouse() -> str:
    """Return the paper's sign."""
    return (
        '<svg class="logo-sign" viewBox="0 0 64 64" width="58" height="58" aria-hidden="true">'
        '<rect width="64" height="64" rx="14" fill="#12324a"/>'
        '<path fill="#f3c14b" opacity=".55" d="M32 20 6 10v20zm0 0 26-10v20z"/>'
        '<path fill="#f6f2ea" d="M26 24h12l4 30H22z"/>'
        '<path fill="#e4572e" d="M25 30h14l1 7H24zm-2 14h18l1 7H22z"/>'
        '<path fill="#f3c14b" d="M27 14h10v10H27z"/>'
        '<path fill="#e4572e" d="m24 14 8-7 8 7z"/></svg>'
    )
