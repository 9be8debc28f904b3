"""One stencil: its history, its areas, the pages that follow it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from webstencil.model import Area, PageArea, PageResult, Status, Stencil
from webstencil.output.overlay import BoxPicture, outlines, picture_of
from webstencil.queries.lists import ListPart, NotStored
from webstencil.queries.outside_links import page_link
from webstencil.queries.sites import SiteKey
from webstencil.store import PageFilter, PageRow, SqlStore, StencilHistory

AREAS = 500  # shown of a page or a stencil
UNKNOWN = "?"  # origin of a page without a result: its host may be invented


@dataclass(frozen=True, slots=True)
class StencilDetail:
    """A stencil, and a part of the pages that follow it."""

    stencil: Stencil
    site: SiteKey
    history: StencilHistory
    link_to: str  # URL of the learned page on the web, empty if unknown
    picture: BoxPicture
    areas: tuple[Area, ...]  # the first ones
    texts: Mapping[int, PageArea]  # areas on the learned page, by number; empty if not stored
    pages: tuple[PageRow, ...]  # of this part of the list
    part: ListPart


def stencil_detail(store: SqlStore, key: str, text: str = "", number: int = 1) -> StencilDetail:
    """Return a stencil, and a part of the pages that follow it and have a text in their URLs."""
    summary = next((one for one in store.all_stencils() if one.key == key), None)
    if summary is None:
        raise NotStored(f"there is no stencil {key!r}; choose one from its site's page")
    makers = store.lookups.makers().items()
    maker = next(known for known, learner in makers if learner == summary.made_by)
    stencil = store.stencil(key)
    learned = store.lookups.result_of(summary.made_from, maker)
    origin = learned.origin if learned else UNKNOWN
    skipped = ListPart(number, 0).skipped
    total, pages = store.lookups.find_pages(PageFilter(text, stencil=key, skipped=skipped))
    return StencilDetail(
        stencil=stencil,
        site=SiteKey(summary.site, maker),
        history=store.usage.history(key),
        link_to=page_link(stencil.made_from, origin),
        picture=picture_of(outlines(stencil.areas)),
        areas=stencil.areas[:AREAS],
        texts=texts_of(learned, key),
        pages=pages,
        part=ListPart(number, total),
    )


def texts_of(result: PageResult | None, key: str) -> dict[int, PageArea]:
    """Return the areas of the learned page by number, if the store still has its result."""
    if result is None or result.stencil != key or result.status is not Status.LEARNED:
        return {}
    return {area.id: area for area in result.areas}


def stencil_facts(stencil: Stencil, history: StencilHistory) -> dict[str, object]:
    """Describe a stencil for JSON, with the names that results and summaries use."""
    areas = [
        {
            "id": number,
            "parent": area.around,
            "kind": area.kind,
            "rect": asdict(area.rect),
            "nodes": len(area.nodes),
            "attributes": dict(area.attributes),
        }
        for number, area in enumerate(stencil.areas)
    ]
    made = {"made_by": stencil.made_by, "made_from": stencil.made_from}
    return {"key": stencil.key, "site": stencil.site, **made, **asdict(history), "areas": areas}
