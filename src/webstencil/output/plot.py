"""Line charts: small ones for our pages, and plots as files; the one module with matplotlib."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from webstencil.errors import SettingsError, WebstencilError
from webstencil.output.words import plural

CHART_WIDTH, CHART_HEIGHT = 320.0, 90.0  # of a chart, in its own units
CHART_EDGE = 6.0  # around the line of a chart, so that its points are whole
SCALE_STEP = 0.1  # the scale begins at a multiple of it
PLOT_SIZE = (8.0, 5.0)  # inches, of a plot
PLOT_ENDINGS = (".png", ".svg")


@dataclass(frozen=True, slots=True)
class ChartDot:
    """A point of a chart, with its label."""

    x: float
    y: float
    words: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A line chart of shares, small enough to stand in a page."""

    name: str
    low: float  # the scale's lower end, 0..1; its upper end is 1
    line: str  # as the path of an SVG
    words: str  # what it shows
    dots: tuple[ChartDot, ...] = ()
    ends: tuple[str, ...] = ()  # what stands below its ends

    @property
    def scale(self) -> tuple[float, ...]:
        """Return the shares beside it, from the top."""
        return (1.0, (1.0 + self.low) / 2, self.low) if self.ends else (1.0, self.low)


def chart(name: str, points: Sequence[tuple[str, float | None]], *, low: float = 0.0) -> Chart:
    """Chart shares over runs, each named by its time; runs without a share are left out.

    The scale begins at `low`, or lower if a share is below it.
    """
    known = [(when, share) for when, share in points if share is not None]
    low = min([low, *(_rounded_down(share) for _, share in known)])
    step = (CHART_WIDTH - 2 * CHART_EDGE) / max(1, len(known) - 1)
    dots = [
        ChartDot(round(CHART_EDGE + number * step, 1), _height(share, low), f"{when}: {share:.1%}")
        for number, (when, share) in enumerate(known)
    ]
    line = "M" + " ".join(f"{dot.x:g},{dot.y:g}" for dot in dots) if dots else ""
    words = ", ".join(dot.words for dot in dots) or "no data"
    return Chart(name, round(low, 1), line, words, tuple(dots))


def steps(name: str, shares: Sequence[float], thing: str) -> Chart:
    """Chart how a share grows with each of some things, as steps."""
    low = min(_rounded_down(shares[0]), 1.0 - SCALE_STEP)
    width = CHART_WIDTH / len(shares)
    line = "".join(
        f"H{number * width:.1f}V{_height(share, low):g}" for number, share in enumerate(shares)
    )
    return Chart(
        name=name,
        low=round(low, 1),
        line=f"M0 {CHART_HEIGHT - CHART_EDGE:g}{line}H{CHART_WIDTH:g}",
        words=f"1 to {plural(len(shares), thing)}: {shares[0]:.1%} to {shares[-1]:.1%}",
        ends=("1", plural(len(shares), thing)),
    )


def _rounded_down(share: float) -> float:
    return math.floor(share / SCALE_STEP) * SCALE_STEP


def _height(share: float, low: float) -> float:
    span = max(1.0 - low, SCALE_STEP)
    return round(CHART_EDGE + (CHART_HEIGHT - 2 * CHART_EDGE) * (1.0 - min(share, 1.0)) / span, 1)


@dataclass(frozen=True, slots=True)
class PlotLine:
    """One line of a plot."""

    name: str
    points: tuple[tuple[float, float], ...]


def check_plot(path: Path) -> None:
    """Raise if a plot cannot be written to this file: before a long job, not after it."""
    if path.suffix not in PLOT_ENDINGS:
        raise SettingsError(
            f"the file of a plot must end in {' or '.join(PLOT_ENDINGS)}, not {path.name!r}"
        )
    if find_spec("matplotlib") is None:
        raise WebstencilError(
            "plots need matplotlib; install it with `pip install webstencil[plots]`"
        )


def plot(
    path: Path, lines: Sequence[PlotLine], *, title: str, x: str, y: str, counts: bool = False
) -> None:
    """Draw lines into a file whose suffix is the format.

    With `counts`, both axes count things: ticks are whole numbers, and a line grows in steps.
    """
    check_plot(path)
    from matplotlib.figure import Figure  # noqa: PLC0415 - optional, and slow to import

    figure = Figure(figsize=PLOT_SIZE, layout="constrained")
    axes = figure.add_subplot(title=title, xlabel=x, ylabel=y)
    for line in lines:
        axes.plot(
            [point[0] for point in line.points],
            [point[1] for point in line.points],
            label=line.name,
            drawstyle="steps-post" if counts else "default",
        )
    if counts:
        axes.locator_params(integer=True)
        axes.set_ylim(bottom=0)
    axes.grid(visible=True, alpha=0.3)
    if lines:
        axes.legend()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    except OSError as error:
        raise WebstencilError(
            f"cannot write {path}: {error.strerror}; free some space or choose another file"
        ) from error
