"""The slots of a template on a typical page of it, as a stencil.

A store keeps one for each template of a site, so that pages, runs and pictures of a template are
found in the same way as those of paper mode's stencils.
"""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from webstencil.model import Area, Page, Stencil, Tree
from webstencil.site.lay import LaidArea

TEMPLATE_KEY_BYTES = 6  # a site has at most thousands of stencils and templates
SLOT = "slot"  # attribute: the number of an area's slot
EMPTY_TREE = Tree((), (), (), ())


def template_key(site: str, learner: str, template: int) -> str:
    """Return the key of a template's stencil: the same in all runs."""
    name = f"{site}\n{learner}\ntemplate {template}".encode("utf-8", "surrogatepass")
    return blake2b(name, digest_size=TEMPLATE_KEY_BYTES).hexdigest()


def template_stencil(
    page: Page, laid: Sequence[LaidArea], drawn: Sequence[Area], learner: str, template: int
) -> Stencil:
    """Return the stencil of a template, by the slots laid over a typical page."""
    areas = [
        replace(area, attributes=((SLOT, float(one.slot)), *area.attributes))
        if one.slot is not None
        else area
        for one, area in zip(laid, drawn, strict=True)
    ]
    return Stencil(
        key=template_key(page.site, learner, template),
        site=page.site,
        tree=page.tree,
        paths=page.paths,
        areas=tuple(map(Area.with_floats, areas)),
        made_by=learner,
        made_from=page.url,
    )


def bare_stencil(site: str, learner: str, template: int, url: str) -> Stencil:
    """Return the stencil of a template of which no page was rendered."""
    key = template_key(site, learner, template)
    return Stencil(key, site, EMPTY_TREE, frozenset(), (), learner, url)
