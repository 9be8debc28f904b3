"""What a job is told: one frozen value."""

from dataclasses import dataclass, field, fields

from webstencil.errors import SettingsError
from webstencil.model import Mode
from webstencil.protocols import Segmenter
from webstencil.segment.vips import PAPER_VIPS, VIPS
from webstencil.site.areas import GRAIN

# Neither paper gives it. On SWDE, with one template a site, it gives a hit ratio of 94.7 % (the
# paper: 91.6 to 97.8 %) and no hit on a page of another site.
THRESHOLD = 0.4  # 0..1
# Pages of a site; a stencil that was retired too early costs one rendering in so many pages.
RETIRE_AFTER = 200

USUAL = VIPS()  # stands for the segmenter of the mode, if none is named

JOB_ONLY = "job only"  # marks settings that change what a job does, and no result


@dataclass(frozen=True, slots=True)
class Settings:
    """How pages are processed."""

    segmenter: Segmenter = USUAL  # in paper mode VIPS as published, if none is named
    mode: Mode = Mode.DEFAULT
    threshold: float = THRESHOLD  # 0..1, paper mode: farthest distance of a page from its stencil
    first_match: bool = False  # paper mode: the first stencil near enough, not the nearest one
    compact: bool = False  # paper mode: compact descriptors instead of full ones
    verify: bool = False  # paper mode: verify each node that is found by its subtree
    grain: float = GRAIN  # 0..1, default mode: strength from which there is a border
    min_pages_per_template: int = 1  # templates with fewer pages in the source are not rendered
    # Pages done since a stencil was used; docs/paper-mode.md.
    retire_after: int = field(default=RETIRE_AFTER, metadata={JOB_ONLY: True})
    # Default mode: most pages of a site to render; None for a share of its pages.
    budget: int | None = field(default=None, metadata={JOB_ONLY: True})
    audit: int = 0  # one hit in so many, by its address, is rendered to check it; 0 for none
    # Keep results of pages that are not in their folder any more.
    keep_gone: bool = field(default=False, metadata={JOB_ONLY: True})
    # Process hits again that were made with fewer stencils than there are now.
    upgrade: bool = field(default=False, metadata={JOB_ONLY: True})

    def __post_init__(self) -> None:
        if not hasattr(self.segmenter, "segment"):
            raise SettingsError(
                f"segmenter must be one, as in VIPS(pdoc=6), not {self.segmenter!r}"
            )
        if self.mode not in set(Mode):
            raise SettingsError(f"mode must be {' or '.join(Mode)}, not {self.mode!r}")
        object.__setattr__(self, "mode", Mode(self.mode))  # also if it is given as a text
        if self.segmenter is USUAL and self.mode is Mode.PAPER:
            object.__setattr__(self, "segmenter", PAPER_VIPS)
        if not 0.0 <= self.threshold <= 1.0:
            raise SettingsError(f"threshold must be 0..1, not {self.threshold}")
        if not 0.0 <= self.grain <= 1.0:
            raise SettingsError(f"grain must be 0..1, not {self.grain}")
        if self.budget is not None and self.budget < 0:
            raise SettingsError(f"budget must be 0 or more, not {self.budget}")
        if self.min_pages_per_template < 1:
            raise SettingsError(
                f"min_pages_per_template must be 1 or more, not {self.min_pages_per_template}"
            )
        if self.audit < 0:
            raise SettingsError(f"audit must be 0 or more, not {self.audit}")
        if self.retire_after < 1:
            raise SettingsError(f"retire_after must be 1 or more, not {self.retire_after}")

    @property
    def learner(self) -> str:
        """Name what learns: a store keeps the stencils and results of each learner apart."""
        return f"{self.mode} {self.segmenter!r}"

    @property
    def fingerprint(self) -> str:
        """Name all settings that a result depends on: every field that is not marked otherwise."""
        kept = [known.name for known in fields(self) if JOB_ONLY not in known.metadata]
        return " ".join(f"{name}={getattr(self, name)!r}" for name in kept)
