"""Line plots as PNG or SVG files; the one file that knows matplotlib."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from webstencil.errors import SettingsError, WebstencilError

SIZE = (8.0, 5.0)  # inches
FORMATS = (".png", ".svg")


@dataclass(frozen=True, slots=True)
class PlotLine:
    """One line of a plot."""

    name: str
    points: tuple[tuple[float, float], ...]


def check_plot(path: Path) -> None:
    """Raise if a plot cannot be written to this file: before a long job, not after it."""
    if path.suffix not in FORMATS:
        raise SettingsError(
            f"the file of a plot must end in {' or '.join(FORMATS)}, not {path.name!r}"
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

    figure = Figure(figsize=SIZE, layout="constrained")
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
