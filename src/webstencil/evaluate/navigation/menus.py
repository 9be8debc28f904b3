"""Menus by what siblings repeat, and by a model that siblings have taught.

What siblings say of a block costs nobody any labelling: with most of its links on most siblings it
is a menu, with hardly any it is not. A model is taught that on all sites but one, and asked there.
It is judged twice: by what the siblings of that site say, and by what the markup says (`sites`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from webstencil.evaluate.navigation import learning
from webstencil.evaluate.navigation.sites import CONTENT, MENU, SiteBlock
from webstencil.navigation.classify import Row, read_model
from webstencil.navigation.features import full_rows
from webstencil.navigation.repetition import GREY, REPEATED

COST = 0.01  # of a mistake, for standardised features: few sites teach; 0.003 to 0.1 do as well
AT_MOST = 300  # blocks of a site that teach: enough, and no page of it counts for much
MEAN = "mean of sites"


@dataclass(frozen=True, slots=True)
class MenuScore:
    """How well menus were told from content on a site."""

    site: str
    blocks: float
    menus: float
    found: float  # share of the menus that are called so
    contents: float
    called: float  # share of the content blocks that are called menus
    grey: float  # share of all blocks that siblings neither repeat nor do not


@dataclass(frozen=True, slots=True)
class Taught:
    """A block with its features."""

    site: str
    row: Row
    share: float
    zone: str


def by_repetition(blocks: Sequence[SiteBlock]) -> list[MenuScore]:
    """Score repetition, site by site."""
    return with_mean(
        [
            judged(site, [(b.share, b.zone, b.share >= REPEATED) for b in blocks if b.site == site])
            for site in sorted({block.site for block in blocks})
        ]
    )


def judged(site: str, answers: Sequence[tuple[float, str, bool]]) -> MenuScore:
    """Score answers, each given with what siblings and the markup say of the block."""
    menus = [called for _, zone, called in answers if zone == MENU]
    contents = [called for _, zone, called in answers if zone == CONTENT]
    grey = [GREY[0] < share < GREY[1] for share, _, _ in answers]
    return MenuScore(
        site=site,
        blocks=len(answers),
        menus=len(menus),
        found=fmean(menus) if menus else 1.0,
        contents=len(contents),
        called=fmean(contents) if contents else 0.0,
        grey=fmean(grey) if grey else 0.0,
    )


def with_mean(rows: Sequence[MenuScore]) -> list[MenuScore]:
    """Add the mean of the sites, and the sum over all blocks."""
    if not rows:
        return []
    menus, contents = sum(row.menus for row in rows), sum(row.contents for row in rows)
    blocks = sum(row.blocks for row in rows)
    mean = MenuScore(
        MEAN,
        fmean(row.blocks for row in rows),
        fmean(row.menus for row in rows),
        fmean(row.found for row in rows),
        fmean(row.contents for row in rows),
        fmean(row.called for row in rows),
        fmean(row.grey for row in rows),
    )
    pooled = MenuScore(
        "all blocks",
        blocks,
        menus,
        sum(row.found * row.menus for row in rows) / max(1, menus),
        contents,
        sum(row.called * row.contents for row in rows) / max(1, contents),
        sum(row.grey * row.blocks for row in rows) / max(1, blocks),
    )
    return [*rows, mean, pooled]


def lessons(blocks: Sequence[SiteBlock]) -> list[Taught]:
    """Describe blocks by their features, page by page."""
    pages: dict[tuple[str, str], list[SiteBlock]] = {}
    for block in blocks:
        pages.setdefault((block.site, block.page), []).append(block)
    found = []
    for group in pages.values():
        known = group[0].known
        rows = full_rows(known.page, known.links, [block.block for block in group])
        found += [
            Taught(block.site, row, block.share, block.zone)
            for block, row in zip(group, rows, strict=True)
        ]
    return found


def teach(blocks: Sequence[Taught]) -> str:
    """Fit a model to what siblings say, sites and classes weighing the same."""
    kept = [block for site in sorted({b.site for b in blocks}) for block in sample(blocks, site)]
    sizes: dict[tuple[str, bool], int] = {}
    for block in kept:
        group = (block.site, block.share >= REPEATED)
        sizes[group] = sizes.get(group, 0) + 1
    labels = [block.share >= REPEATED for block in kept]
    weights = [
        len(kept) / len(sizes) / sizes[block.site, label]
        for block, label in zip(kept, labels, strict=True)
    ]
    return learning.fit_logistic([block.row for block in kept], labels, weights, cost=COST)


def sample(blocks: Sequence[Taught], site: str) -> list[Taught]:
    """Take blocks of a site that siblings are sure of, evenly over its pages."""
    sure = [b for b in blocks if b.site == site and not GREY[0] < b.share < GREY[1]]
    step = max(1, -(-len(sure) // AT_MOST))
    return sure[::step]


def leave_one_out(blocks: Sequence[Taught]) -> tuple[list[MenuScore], list[MenuScore]]:
    """Teach on all sites but one and ask there: judged by the markup, and by siblings."""
    by_markup, by_siblings = [], []
    for site in sorted({block.site for block in blocks}):
        model = read_model(teach([block for block in blocks if block.site != site]))
        asked = [block for block in blocks if block.site == site]
        called = [model.score(block.row) > 0 for block in asked]
        pairs = list(zip(asked, called, strict=True))
        by_markup.append(judged(site, [(b.share, b.zone, answer) for b, answer in pairs]))
        by_siblings.append(judged(site, [(b.share, verdict(b), answer) for b, answer in pairs]))
    return with_mean(by_markup), with_mean(by_siblings)


def verdict(block: Taught) -> str:
    """Return what siblings say of a block; nothing where they are not sure."""
    if block.share >= GREY[1]:
        return MENU
    return CONTENT if block.share <= GREY[0] else ""
