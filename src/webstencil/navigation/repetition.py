"""Menus by repetition: the links on most pages of a template.

Counts are by template and grow with the distinct repeated links, not with the pages: when a table
is full, links on the fewest pages are dropped (Manku and Motwani 2002, lossy counting), and count
as not repeated.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, repeat

REPEATED = 0.5  # share of the siblings: a block with more is a menu
GREY = (0.1, 0.9)  # share of the siblings; in between, it is not certain whether a block is a menu
FEWEST = 3  # siblings that are needed for an answer
CAPACITY = 20_000  # distinct links of a template
WHOLE_SITE = ""  # key of the counts of all templates together


@dataclass(slots=True)
class LinkTally:
    """The pages seen of a template, and those with each link."""

    pages: int = 0
    links: Counter[str] = field(default_factory=Counter)

    def add(self, targets: frozenset[str]) -> None:
        """Count the links of one more page."""
        self.pages += 1
        self.links.update(targets)
        while len(self.links) > CAPACITY:
            least = min(self.links.values())
            self.links = Counter(
                {target: seen for target, seen in self.links.items() if seen > least}
            )


class Siblings:
    """Counts the links of the pages of one site, template by template."""

    def __init__(self) -> None:
        self._tallies: defaultdict[str, LinkTally] = defaultdict(LinkTally)

    def add(self, template: str, targets: Sequence[str]) -> None:
        """Count the links of a page, named by `targets.Targets`."""
        distinct = frozenset(targets)
        self._tallies[template].add(distinct)
        if template != WHOLE_SITE:
            self._tallies[WHOLE_SITE].add(distinct)

    def shares(
        self, template: str, targets: Sequence[str], blocks: Sequence[range], *, counted: bool
    ) -> list[float] | None:
        """Return the share of the siblings with each block; None if too few were seen.

        `counted` means that the page of the links was added: it is not its own sibling. If a
        template has too few pages, those of the whole site are its siblings.
        """
        own = int(counted)
        for name in (template, WHOLE_SITE):
            tally = self._tallies.get(name)
            if tally is not None and (siblings := tally.pages - own) >= FEWEST:
                found = map(tally.links.get, targets, repeat(own))
                before = list(accumulate(found, initial=0))
                return [
                    (before[block.stop] - before[block.start] - own * len(block))
                    / (len(block) * siblings)
                    for block in blocks
                ]
        return None

    def share(self, template: str, targets: Sequence[str], *, counted: bool) -> float | None:
        """Return the share of the siblings with these links; None if too few were seen."""
        whole = [range(len(targets))] if targets else []
        shares = self.shares(template, targets, whole, counted=counted)
        return shares[0] if shares else None
