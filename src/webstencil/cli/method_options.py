"""Options that choose the method: segmenter, its settings, mode, and the published variants."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict

import click

from webstencil.cli import screen
from webstencil.errors import SettingsError
from webstencil.model import Mode
from webstencil.protocols import Segmenter
from webstencil.segment import SEGMENTERS, make_segmenter, published_values, segmenter_settings
from webstencil.settings import THRESHOLD, Settings
from webstencil.site.areas import GRAIN

PAPER, DEFAULT = "paper", "default"  # presets

segmenter_option = click.option(
    "--with",
    "name",
    type=click.Choice(sorted(SEGMENTERS)),
    default="vips",
    show_default=True,
    help="Segmenter.",
)
segmenters_option = click.option(
    "--with",
    "names",
    type=click.Choice(sorted(SEGMENTERS)),
    multiple=True,
    help="Segmenter (repeatable).  [default: all]",
)
mode_option = click.option(
    "--mode",
    type=click.Choice([mode.value for mode in Mode]),
    default=Mode.DEFAULT.value,
    show_default=True,
    help="Areas of the whole site, or published matching and locating.",
)
set_option = click.option(
    "--set",
    "values",
    metavar="NAME=VALUE",
    multiple=True,
    help="Segmenter setting, such as pdoc=7 (repeatable); see --help-settings.",
)
set_options = click.option(
    "--set",
    "values",
    metavar="[SEGMENTER.]NAME=VALUE",
    multiple=True,
    help="Segmenter setting, such as vips.pdoc=7 (repeatable).",
)


def preset_choice(usual: str) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Make the option that chooses a preset."""
    return click.option(
        "--preset",
        type=click.Choice([DEFAULT, PAPER]),
        help=f"Settings to start from: ours, or the published ones.  [default: {usual}]",
    )


preset_option = preset_choice(DEFAULT)
mode_preset_option = preset_choice(f"{PAPER} in paper mode, else {DEFAULT}")
paper_preset_option = preset_choice(PAPER)
settings_help = click.option(
    "--help-settings",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=lambda context, _, asked: show_settings(context) if asked else None,
    help="List the settings of all segmenters and exit.",
)
threshold_option = click.option(
    "--threshold",
    type=click.FloatRange(0.0, 1.0),
    help=f"Paper mode: farthest distance of a page from its stencil.  [default: {THRESHOLD}]",
)
first_match_option = click.option(
    "--first-match",
    is_flag=True,
    help="Paper mode: take the first stencil near enough, not the nearest.",
)
compact_option = click.option(
    "--compact", is_flag=True, help="Paper mode: locate by compact descriptors, from ids."
)
verify_option = click.option(
    "--verify", is_flag=True, help="Paper mode: verify located nodes by their subtrees."
)


budget_option = click.option(
    "--budget",
    type=click.IntRange(0),
    metavar="N",
    help="Default mode: most pages of a site to render.  [default: a share of its pages]",
)
grain_option = click.option(
    "--grain",
    type=click.FloatRange(0.0, 1.0),
    metavar="X",
    help="Default mode: strength from which there is a border, 0..1; a lower one gives more and "
    f"smaller areas.  [default: {GRAIN}]",
)


class SegmenterOptions(TypedDict):
    """Options that choose a segmenter."""

    name: str
    values: tuple[str, ...]
    preset: str | None


class PublishedOptions(TypedDict):
    """Options of paper mode."""

    threshold: float | None
    first_match: bool
    compact: bool
    verify: bool


class SiteOptions(TypedDict):
    """Options of learning sites, in the default mode."""

    budget: int | None
    grain: float | None


class MethodOptions(SegmenterOptions, PublishedOptions):
    """Options that choose how pages are processed."""

    mode: str


def with_segmenter(command: click.decorators.FC) -> click.decorators.FC:
    """Add the options that choose and set a segmenter."""
    return segmenter_option(preset_option(set_option(settings_help(command))))


def with_method(command: click.decorators.FC) -> click.decorators.FC:
    """Add the options that choose a segmenter, the mode, and variants of paper mode."""
    rest = set_option(settings_help(mode_option(with_published(command))))
    return segmenter_option(mode_preset_option(rest))


def with_published(command: click.decorators.FC) -> click.decorators.FC:
    """Add the options of paper mode."""
    return threshold_option(first_match_option(compact_option(verify_option(command))))


def with_learning(command: click.decorators.FC) -> click.decorators.FC:
    """Add the options of learning sites, in the default mode."""
    return budget_option(grain_option(command))


def chosen_segmenter(options: SegmenterOptions, mode: Mode = Mode.DEFAULT) -> Segmenter:
    """Make the chosen segmenter; in paper mode as published, unless a preset is named."""
    published = is_published(options["preset"], mode)
    return make_segmenter(options["name"], options["values"], published=published)


def is_published(preset: str | None, mode: Mode) -> bool:
    """Return whether settings start from the published ones."""
    return preset == PAPER or (preset is None and mode is Mode.PAPER)


def chosen_segmenters(
    names: Iterable[str], values: Sequence[str], *, published: bool
) -> dict[str, Segmenter]:
    """Make several segmenters; a setting names its segmenter if there are more than one."""
    chosen = tuple(dict.fromkeys(names)) or tuple(sorted(SEGMENTERS))
    own: dict[str, list[str]] = {name: [] for name in chosen}
    for value in values:
        name, dot, rest = value.partition("=")[0].partition(".")
        if dot and name in own:
            own[name].append(value[len(name) + 1 :])
        elif len(chosen) == 1 and not dot:
            own[chosen[0]].append(value)
        else:
            wanted = rest or name
            raise SettingsError(
                f"--set needs one segmenter, or its name as in {chosen[0]}.{wanted}=…, not {value}"
            )
    return {name: make_segmenter(name, own[name], published=published) for name in chosen}


def method_settings(options: MethodOptions) -> Settings:
    """Return the settings of a job with the chosen method."""
    mode = Mode(options["mode"])
    return with_variants(Settings(chosen_segmenter(options, mode), mode), options)


def with_variants(settings: Settings, options: PublishedOptions) -> Settings:
    """Return settings with the variants of paper mode; raise if they are of no use."""
    variants = {
        "threshold": options["threshold"],
        "first_match": options["first_match"] or None,
        "compact": options["compact"] or None,
        "verify": options["verify"] or None,
    }
    advice = "belongs to the published method; add --mode paper"
    return with_options(settings, variants, Mode.PAPER, advice)


def with_site_options(settings: Settings, options: SiteOptions) -> Settings:
    """Return settings with the options of learning sites; raise if they are of no use."""
    learning = {"budget": options["budget"], "grain": options["grain"]}
    advice = "belongs to the default mode; leave out --mode paper"
    return with_options(settings, learning, Mode.DEFAULT, advice)


def with_options(
    settings: Settings, options: Mapping[str, Any], mode: Mode, advice: str
) -> Settings:
    """Return settings with the options that were given; raise if they are of another mode."""
    given = {name: value for name, value in options.items() if value is not None}
    if given and settings.mode is not mode:
        raise SettingsError(f"--{next(iter(given)).replace('_', '-')} {advice}")
    return replace(settings, **given)


def show_settings(context: click.Context) -> None:
    """Print the settings of all segmenters and end."""
    for name in sorted(SEGMENTERS):
        table = screen.settings_table(name, segmenter_settings(name), published_values(name))
        screen.show(table)
    context.exit()
