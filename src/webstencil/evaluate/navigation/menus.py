"""Menus by repetition on siblings, and by a model that was trained on repetition.

Repetition needs no labels: a block with most of its links on most siblings is a menu, one with
hardly any is not. A model is trained on that on all sites but one, and tested there, against the
siblings of that site and against its markup (`site_blocks`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from webstencil.evaluate.navigation import learning
from webstencil.evaluate.navigation.site_blocks import CONTENT, MENU, SiteBlock
from webstencil.navigation.classify import Row, read_model
from webstencil.navigation.features import full_rows
from webstencil.navigation.kinds import GREY, REPEATED_ON_SIBLINGS

COST = 0.01  # of a mistake, for standardised features: few sites train it; 0.003 to 0.1 are as good
AT_MOST = 300  # training blocks of a site
MEAN = "mean of sites"


@dataclass(frozen=True, slots=True)
class MenuScore:
    """The scores of menus on a site."""

    site: str
    blocks: float
    menus: float
    found: float  # share of the menus that are called menus
    contents: float
    called: float  # share of the content blocks that are called menus
    grey: float  # share of all blocks that are neither repeated nor unique


@dataclass(frozen=True, slots=True)
class TrainingBlock:
    """A block with its features."""

    site: str
    row: Row
    share: float
    zone: str


def by_repetition(blocks: Sequence[SiteBlock]) -> list[MenuScore]:
    """Score repetition, site by site."""
    return with_mean(
        [
            judged(
                site,
                [
                    (b.share, b.zone, b.share >= REPEATED_ON_SIBLINGS)
                    for b in blocks
                    if b.site == site
                ],
            )
            for site in sorted({block.site for block in blocks})
        ]
    )


def judged(site: str, answers: Sequence[tuple[float, str, bool]]) -> MenuScore:
    """Score answers, each with the share of siblings and the zone of its block."""
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


def training_blocks(blocks: Sequence[SiteBlock]) -> list[TrainingBlock]:
    """Return blocks with their features."""
    pages: dict[tuple[str, str], list[SiteBlock]] = {}
    for block in blocks:
        pages.setdefault((block.site, block.page), []).append(block)
    found = []
    for group in pages.values():
        known = group[0].known
        rows = full_rows(known.page, known.links, [block.block for block in group])
        found += [
            TrainingBlock(block.site, row, block.share, block.zone)
            for block, row in zip(group, rows, strict=True)
        ]
    return found


def train(blocks: Sequence[TrainingBlock]) -> str:
    """Fit a model to repetition; sites and classes have the same weight."""
    kept = [block for site in sorted({b.site for b in blocks}) for block in sample(blocks, site)]
    sizes: dict[tuple[str, bool], int] = {}
    for block in kept:
        group = (block.site, block.share >= REPEATED_ON_SIBLINGS)
        sizes[group] = sizes.get(group, 0) + 1
    labels = [block.share >= REPEATED_ON_SIBLINGS for block in kept]
    weights = [
        len(kept) / len(sizes) / sizes[block.site, label]
        for block, label in zip(kept, labels, strict=True)
    ]
    return learning.fit_logistic([block.row for block in kept], labels, weights, cost=COST)


def sample(blocks: Sequence[TrainingBlock], site: str) -> list[TrainingBlock]:
    """Take clear blocks of a site, evenly over its pages."""
    sure = [b for b in blocks if b.site == site and not GREY[0] < b.share < GREY[1]]
    step = max(1, -(-len(sure) // AT_MOST))
    return sure[::step]


def leave_one_out(blocks: Sequence[TrainingBlock]) -> tuple[list[MenuScore], list[MenuScore]]:
    """Train on all sites but one and test there, against the markup and against siblings."""
    by_markup, by_siblings = [], []
    for site in sorted({block.site for block in blocks}):
        model = read_model(train([block for block in blocks if block.site != site]))
        tested = [block for block in blocks if block.site == site]
        called = [model.score(block.row) > 0 for block in tested]
        pairs = list(zip(tested, called, strict=True))
        by_markup.append(judged(site, [(b.share, b.zone, answer) for b, answer in pairs]))
        by_siblings.append(judged(site, [(b.share, verdict(b), answer) for b, answer in pairs]))
    return with_mean(by_markup), with_mean(by_siblings)


def verdict(block: TrainingBlock) -> str:
    """Return the zone of a block by repetition; nothing where that is unclear."""
    if block.share >= GREY[1]:
        return MENU
    return CONTENT if block.share <= GREY[0] else ""
