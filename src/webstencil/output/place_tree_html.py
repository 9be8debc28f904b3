"""The places of a site as HTML: a tree to open, without scripts."""

from collections.abc import Callable
from html import escape

from webstencil.output.html_pages import counted
from webstencil.site.place_tree import PlaceNode, PlaceTree, Says

TRUNK = 0.25  # share of the site's text; places with more are open at first
INDENTED = 12  # levels; deeper ones would leave no room on narrow screens
LONGEST_LABEL = 100  # characters
WITHIN = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "  # between labels
LEAST = 0.0005  # a share that is not written as 0.0%

WORDS = {
    Says.NOTHING: "",
    Says.SAME: "same",
    Says.NUMBERS: "numbers",
    Says.MIXED: "mixed",
    Says.VARIES: "data",
}
LINKS = {
    Says.SAME: "Its links lead to the same pages everywhere.",
    Says.MIXED: "Its links lead to the same pages in part.",
    Says.VARIES: "Its links lead elsewhere on each page.",
}
LEGEND = """<p class="soft">Where things stand on the pages of this site. Names are tags with the
classes and ids that the site uses again and again; open a place to see what it says and holds. Text
is its share of the site's text. A place says the <b class="says same">same</b> on all pages, or the
same but for <b class="says numbers">numbers</b>, or it is <b class="says mixed">mixed</b>: the same
on some pages; <b class="says data">data</b> is something else on each.</p>
"""
HEAD = (
    '<div class="row head"><span class="name">Place</span><span class="p">Pages</span>'
    '<span class="t">Text</span><span class="s">Says</span></div>\n'
)

TREE_STYLE = """
.tree{background:var(--paper);border:1px solid var(--line);padding:4px 10px 10px}
.tree .row{display:grid;grid-template-columns:12px minmax(0,1fr) 130px 60px 70px;gap:0 8px;
padding:2px 0;list-style:none;align-items:baseline}
.tree .row::-webkit-details-marker{display:none}
.tree .row:before{content:"";color:var(--soft)}.tree summary.row:hover{background:var(--back)}
.tree summary.row:before{content:"▸"}.tree [open]>summary.row:before{content:"▾"}
.tree .in{margin-left:5px;padding-left:10px;border-left:1px solid var(--line)}
.tree .in.deep{margin-left:0;padding-left:0}
.name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.name code{font-weight:600;font-size:14px}.said{color:var(--soft);margin-left:8px}
.tree [open]>.row>.name{white-space:normal}.tree [open]>.row .said{display:none}
.tree .p,.tree .t{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.tree .head{color:var(--soft);font-size:13px;border-bottom:1px solid var(--line);padding-bottom:4px}
.says{border-radius:9px;padding:0 7px;font-size:13px;font-weight:400;background:#e2e2e2;color:#333}
.says.data{background:#c8e6c9;color:#1b5e20}.says.mixed{background:#fff0c2;color:#6d4c00}
.says.numbers{background:#cfe4fb;color:#0d47a1}
.tree .more{margin:0 0 6px 20px;font-size:14px}.more ul{margin:2px 0;padding-left:18px}
.more p{margin:2px 0}
@media(max-width:640px){.tree .row{grid-template-columns:12px auto auto 1fr;gap:0 12px}
.tree .row>.name{grid-column:2/-1}.tree .row>.p{grid-column:2}.tree .head{display:none}
.tree .in{margin-left:4px;padding-left:4px}.tree .p,.tree .t{font-size:13px;text-align:left}
.tree .t:after{content:" of the text"}}
@media(prefers-color-scheme:dark){.says{background:#3a3a3a;color:#ddd}
.says.data{background:#1f3d23;color:#a5d6a7}.says.mixed{background:#41350f;color:#ffe08a}
.says.numbers{background:#16324f;color:#a9cdf5}}
"""


def tree_html(tree: PlaceTree, page_link: Callable[[str], str]) -> str:
    """Return the tree; `page_link` shows the URL of a page."""
    if not tree.nodes:
        return "<p>No two pages of this site have text at the same place.</p>\n"
    parts = [LEGEND, notes_html(tree), '<div class="tree">\n', HEAD]
    depths = [node.depth for node in tree.nodes]
    for node, following in zip(tree.nodes, [*depths[1:], 0], strict=True):
        parts.append(node_html(node, page_link, holds=following > node.depth))
        parts.append("</div></details>\n" * (node.depth - following))
    return "".join([*parts, "</div>\n"])


def notes_html(tree: PlaceTree) -> str:
    """Say what the tree leaves out."""
    notes = []
    if tree.counted < tree.pages:
        notes.append(f"Counted on {tree.counted:,} of {counted(tree.pages, 'page')}.")
    if tree.more:
        notes.append(f"{counted(tree.more, 'place')} with less text or deeper down left out.")
    return f'<p class="soft">{" ".join(notes)}</p>\n' if notes else ""


def node_html(node: PlaceNode, page_link: Callable[[str], str], *, holds: bool) -> str:
    """Return a place; one that `holds` others is left open for them."""
    row = row_html(node)
    more = more_html(node, page_link)
    if not holds and not node.sayings:
        return f'<div class="row">{row}</div>\n'
    opened = " open" if holds and node.text >= TRUNK else ""
    start = f'<details{opened}><summary class="row">{row}</summary>{more}'
    if not holds:
        return f"{start}</details>\n"
    deep = " deep" if node.depth >= INDENTED else ""
    return f'{start}<div class="in{deep}">\n'


def row_html(node: PlaceNode) -> str:
    """Return the label of a place, its figures, and the first thing that it says."""
    label = WITHIN.join(shown_label(one) for one in node.labels)
    said = f'<span class="said">{escape(node.sayings[0].text)}</span>' if node.sayings else ""
    word = WORDS[node.says]
    pill = f'<b class="says {word}">{word}</b>' if word else ""
    return (
        f'<span class="name" dir="auto"><code>{label}</code>{said}</span>'
        f'<span class="p">{node.pages:,} ({escape(share_words(node.share))})</span>'
        f'<span class="t">{escape(share_words(node.text))}</span><span class="s">{pill}</span>'
    )


def share_words(share: float) -> str:
    """Write a share, 0..1; a small one is not nothing."""
    return f"{share:.1%}" if share >= LEAST or not share else "<0.1%"


def times_words(times: float) -> str:
    """Write how many elements a page has."""
    return f"{times:,.1f}".removesuffix(".0")


def shown_label(label: str) -> str:
    """Escape a label, cut if it is very long."""
    return escape(label if len(label) <= LONGEST_LABEL else label[:LONGEST_LABEL] + "…")


def more_html(node: PlaceNode, page_link: Callable[[str], str]) -> str:
    """Return what a place says, how often it is on a page, and where its links lead."""
    lines = "".join(
        f'<li><span dir="auto">{escape(one.text)}</span> <span class="soft">on '
        f"{page_link(one.url)}{others(one.pages)}</span></li>\n"
        for one in node.sayings
    )
    facts = [f"About {times_words(node.times)} on a page."] if node.repeats else []
    if node.links in LINKS:
        facts.append(LINKS[node.links])
    told = f'<p class="soft">{" ".join(facts)}</p>' if facts else ""
    listed = f"<ul>{lines}</ul>" if lines else ""
    return f'<div class="more">{told}{listed}</div>' if told or listed else ""


def others(pages: int) -> str:
    """Say that further pages say the same."""
    return f" and {counted(pages - 1, 'other')}" if pages > 1 else ""
