"""The survey of sites as one HTML page to look at: templates, plan, places."""

import math
from collections.abc import Iterable, Sequence
from html import escape
from itertools import islice

from webstencil.content.page_types import template_type
from webstencil.output.html_pages import counted, link, shortened, whole_page
from webstencil.output.place_tree_html import TREE_STYLE, tree_html
from webstencil.protocols import Store
from webstencil.site.place_tree import place_tree
from webstencil.site.plan import Plan, PlannedPage
from webstencil.site.survey_report import Misfit, MisfitCount, SiteSurvey, TemplateCount

TREES = 20  # sites whose places are shown, those with most pages
OPEN_RENDERINGS = 10  # planned pages that are not folded up
LISTED = 500  # pages of a list
LONGEST_URL = 200  # characters to show
WIDTH, HEIGHT = 1000.0, 100.0  # of the curve, stretched to the window
STEP = 0.1  # the curve's scale begins at a multiple of it

REASONS = {
    Misfit.EMPTY: "without text",
    Misfit.REDIRECT: "redirects",
    Misfit.FRAMES: "frames",
    Misfit.ERROR: "error pages",
    Misfit.ALONE: "one of a kind: no other page is like it",
    Misfit.COPY: "copies: the same bytes are at another URL; they have a template, but are not "
    "rendered",
}

STYLE = """
.figures{font-size:17px}h3{margin:1.6em 0 .4em}.sites{columns:16em}
.wide{width:100%;background:var(--paper);border:1px solid var(--line)}
.wide td,.wide th{white-space:normal;padding:6px 12px;border-top:1px solid var(--line)}
.wide thead th{border-top:0;font-weight:400;color:var(--soft);white-space:nowrap}
.wide .n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.wide tbody th{min-width:6em;overflow-wrap:anywhere}
.curve{background:var(--paper);border:1px solid var(--line);padding:12px 16px;margin:12px 0}
.curve div{display:flex;gap:8px}.curve .scale{flex-direction:column;
justify-content:space-between;text-align:right;color:var(--soft);font-size:13px;min-width:3em}
.curve svg{flex:1;min-width:0;height:150px;background:none;border:0;
border-left:1px solid var(--line);border-bottom:1px solid var(--line)}
.curve .x{justify-content:space-between;padding-left:calc(3em + 4px);color:var(--soft);
font-size:13px}
.curve path{fill:none;stroke:#1e88e5;stroke-width:2;vector-effect:non-scaling-stroke}
.curve .grid{stroke:var(--line);stroke-width:1}
@media(max-width:640px){.wide thead{display:none}.wide tr{display:block;padding:8px 12px;
border-top:1px solid var(--line)}.wide td,.wide th,.wide .n{display:block;border:0;padding:0;
text-align:left}.wide .n{display:inline-block;margin-right:14px}
.wide [data-label]:before{content:attr(data-label) " ";color:var(--soft)}}
"""


def survey_page(store: Store, found: Sequence[SiteSurvey]) -> str:
    """Return the page of surveyed sites; the store has what their pages say."""
    largest = sorted(found, key=lambda one: (-one.pages, one.site))[:TREES]
    names = ", ".join(one.site for one in found[:3]) + (" …" if len(found) > 3 else "")
    parts = [f"<h1>Survey of {escape(names or 'no site')}</h1>\n"]
    if len(found) > 1:
        parts.append(site_links(found))
    for number, one in enumerate(found):
        if len(found) > 1:
            parts.append(f'<h2 id="site-{number}">{escape(one.site or "no site")}</h2>\n')
        parts += [
            figures_html(one),
            templates_html(one),
            plan_html(one),
            misfits_html(one.misfits),
            places_html(store, one) if one in largest else places_elsewhere(),
        ]
    return whole_page(f"survey of {names}", "".join(parts), STYLE + TREE_STYLE)


def site_links(found: Sequence[SiteSurvey]) -> str:
    """List the sites of the page."""
    lines = "".join(
        f'<li><a href="#site-{number}">{escape(one.site or "no site")}</a> '
        f'<span class="soft">{counted(one.pages, "page")}</span></li>\n'
        for number, one in enumerate(found)
    )
    words = counted(len(found), "site")
    return f'<details open><summary>{words}</summary><ul class="sites">{lines}</ul></details>\n'


def figures_html(found: SiteSurvey) -> str:
    """Write what a site is in one line."""
    sample = "" if found.sampled == found.pages else f" ({found.sampled:,} of them in the model)"
    words = (
        f"{counted(found.pages, 'page')}{sample}, {counted(len(found.templates), 'template')}, "
        f"{counted(found.places, 'place')} that several pages have, {counted(found.names, 'name')} "
        "of classes and ids"
    )
    return f'<p class="figures">{words}.</p>\n'


def templates_html(found: SiteSurvey) -> str:
    """Return the templates of a site as a table."""
    if not found.templates:
        return "<h3>Templates</h3>\n<p>No two pages of this site follow the same template.</p>\n"
    rows = "".join(template_row(one, found.pages) for one in found.templates)
    return (
        '<h3>Templates</h3>\n<table class="wide"><thead><tr><th>Template</th><th class="n">Pages'
        '</th><th class="n">Share</th><th>Type</th><th>Typical page</th>'
        f"<th>What tells it apart</th></tr></thead><tbody>\n{rows}</tbody></table>\n"
    )


def template_row(one: TemplateCount, pages: int) -> str:
    """Return the row of a template."""
    known = one.template
    return (
        f'<tr><th dir="auto">{shortened(known.name)}</th>'
        f'<td class="n" data-label="pages">{one.pages:,}</td>'
        f'<td class="n" data-label="share">{one.pages / max(1, pages):.1%}</td>'
        f'<td data-label="type">{template_type(known)[0] or ""}</td>'
        f"<td>{page_link(known.typical)}</td>"
        f'<td class="soft" dir="auto">{shortened(known.tells)}</td></tr>\n'
    )


def plan_html(found: SiteSurvey) -> str:
    """Return the pages to render, what they cover, and how sure that is."""
    plan = found.plan
    if not plan.pages:
        return "<h3>Plan</h3>\n<p>There is nothing to render.</p>\n"
    first, more = plan.pages[:OPEN_RENDERINGS], plan.pages[OPEN_RENDERINGS:]
    folded = ""
    if more:
        words = counted(len(more), "more rendering")
        table = renderings_html(more, len(first) + 1)
        folded = f"<details><summary>{words}</summary>\n{table}</details>\n"
    return (
        f"<h3>Plan</h3>\n<p>{plan_words(found)}</p>\n{curve(plan)}"
        f"{renderings_html(first, 1)}{folded}{doubtful_html(plan)}"
    )


def plan_words(found: SiteSurvey) -> str:
    """Write what a plan costs and covers."""
    plan = found.plan
    return (
        f"<strong>{counted(len(plan.pages), 'rendering')}</strong>, about "
        f"{max(found.minutes, 0.1):.1f} minutes, cover <strong>{plan.covered:.2%}</strong> of the "
        f"text: it stands at places that a rendered page has. Of a page that is not seen yet, "
        f"about {1 - plan.unseen:.1%} of the text will stand at known places."
    )


def curve(plan: Plan) -> str:
    """Draw how much of the text is covered by so many renderings, as steps."""
    covered = [page.covered for page in plan.pages]
    low = min(math.floor(covered[0] / STEP) * STEP, 1.0 - STEP)
    width = WIDTH / len(covered)
    steps = [
        f"H{number * width:.1f}V{(1.0 - share) / (1.0 - low) * HEIGHT:.2f}"
        for number, share in enumerate(covered)
    ]
    words = f"text covered by 1 to {len(covered)} renderings: {covered[0]:.1%} to {covered[-1]:.1%}"
    return (
        f'<figure class="curve"><figcaption class="soft">Text covered</figcaption><div>'
        f'<div class="scale"><span>100%</span><span>{(1 + low) / 2:.0%}</span>'
        f'<span>{low:.0%}</span></div><svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" '
        f'preserveAspectRatio="none" role="img" aria-label="{words}">'
        f'<path class="grid" d="M0 0H{WIDTH:g}M0 {HEIGHT / 2:g}H{WIDTH:g}"/>'
        f'<path d="M0 {HEIGHT:g}{"".join(steps)}H{WIDTH:g}"/></svg></div>'
        f'<div class="x"><span>1</span><span>{counted(len(covered), "rendering")}</span></div>'
        "</figure>\n"
    )


def renderings_html(pages: Iterable[PlannedPage], start: int) -> str:
    """Return planned pages as a table."""
    rows = "".join(
        f'<tr><td class="n" data-label="rendering">{number}</td><td>{page_link(page.url)}</td>'
        f'<td class="n" data-label="gain">{page.gain:.2%}</td>'
        f'<td class="n" data-label="covered">{page.covered:.2%}</td></tr>\n'
        for number, page in enumerate(pages, start=start)
    )
    return (
        '<table class="wide"><thead><tr><th class="n"></th><th>Page to render</th>'
        '<th class="n">Gain</th><th class="n">Text covered</th></tr></thead>'
        f"<tbody>\n{rows}</tbody></table>\n"
    )


def doubtful_html(plan: Plan) -> str:
    """List the pages in doubt, folded up."""
    if not plan.doubtful:
        return "<p>No page stays in doubt.</p>\n"
    words = counted(len(plan.doubtful), "page") + " in doubt"
    return (
        f"<details><summary>{words}: much of their text stands where no planned page has any"
        f"</summary>{url_list(plan.doubtful)}</details>\n"
    )


def misfits_html(misfits: Sequence[MisfitCount]) -> str:
    """Return the pages that fit nowhere, by reason."""
    if not misfits:
        return ""
    parts = "".join(
        f"<li>{counted(one.pages, 'page')}: {REASONS[one.reason]}{url_list(one.examples)}</li>\n"
        for one in misfits
    )
    return f"<h3>Pages that fit nowhere</h3>\n<ul>{parts}</ul>\n"


def places_html(store: Store, found: SiteSurvey) -> str:
    """Return the places of a site as a tree."""
    said = store.outlines.excerpts(found.site)
    tree = place_tree(
        store.outlines.model(found.site), ((one.page.url, one.excerpts) for one in said)
    )
    return f"<h3>Places</h3>\n{tree_html(tree, page_link)}"


def places_elsewhere() -> str:
    """Say why the places of a site are not shown."""
    return (
        f"<h3>Places</h3>\n<p>Shown for the {TREES} largest sites only; survey this one alone to "
        "see its places.</p>\n"
    )


def url_list(urls: Sequence[str]) -> str:
    """List pages."""
    lines = "".join(f"<li>{page_link(url)}</li>\n" for url in islice(urls, LISTED))
    more = f"<p>and {len(urls) - LISTED:,} more</p>" if len(urls) > LISTED else ""
    return f"<ul>{lines}</ul>{more}"


def page_link(url: str) -> str:
    """Show the URL of a page, as a link if it leads anywhere."""
    return link(url, url if len(url) <= LONGEST_URL else url[:LONGEST_URL] + "…")
