"""How many of a page's siblings say what it says, by the model of its site.

Siblings are the other pages of the model: the texts of the page itself do not count against it.
"""

from collections.abc import Sequence

from webstencil.site.site_model import SiteModel, numbered_texts

DOUBT = 2  # pages; among few siblings one may be the same article at another URL


def sibling_count(model: SiteModel, url: str) -> int:
    """Return the number of pages in a model besides the one with this URL."""
    return len(model) - (url in model)


def sibling_shares(texts: Sequence[int], model: SiteModel, url: str) -> list[float]:
    """Return the share of the siblings with each text, as if DOUBT more were without.

    The page may have changed since it was added: what it said then is what is not counted.
    """
    siblings = sibling_count(model, url)
    if siblings < 1:
        return [0.0 for _ in texts]
    known = model.page(url)
    own = numbered_texts(known.outline) if known is not None else frozenset()
    count, many = model.texts.get, siblings + DOUBT
    return [(count(text, 0) - (text in own)) / many for text in texts]
