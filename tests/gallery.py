"""The gallery of figures: ``python -m tests.gallery`` draws it anew and writes docs/gallery.md.

Each figure is one that a command writes into its report; the page gives the command.
"""

from __future__ import annotations

import contextlib
import io
import shlex
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from tests.example_inputs import write_example_inputs
from tests.planner.cli.commands import ran

DOCS = Path(__file__).parents[1] / "docs"
IMAGES = DOCS / "images" / "gallery"
_WIDTH = 900
_COLOURS = 64


@dataclass(frozen=True)
class Shot:
    """One figure of the gallery.

    Attributes
    ----------
    title
        What it shows.
    command
        The command that draws it, with ``-o out``.
    figure
        The name of the figure.
    page
        The page of the command.
    """

    title: str
    command: str
    figure: str
    page: str


_LOG = "lublin --jobs 1000 --load 0.8"
_SIZE = 'size lublin --jobs 2000 --for "mean-wait<=30min" --growth 1.5'
_TWO = f"simulate {_LOG} --policy easy --policy conservative"
_ONE = "configure my-case/runs.csv --power-bound 3500 -A SP-MZ"
SHOTS = (
    Shot("A plan and its alternatives", "plan my-case/procurement.toml", "candidates", "plan"),
    Shot("The two designs of the thesis", "plan thesis-7kw", "speedups", "overprovisioning"),
    Shot("One input changed at a time", "plan thesis-7kw", "over-cost-ratio", "overprovisioning"),
    Shot("Gain of the best configuration", _ONE, "gains", "configure"),
    Shot("Nodes that pay under a power bound", _ONE, "nodes", "configure"),
    Shot("The best configuration at every power bound", _ONE, "winners", "configure"),
    Shot(
        "Power shared among jobs",
        "share my-case/runs.csv --power-bound 6000 --nodes 64",
        "watts",
        "sharing",
    ),
    Shot("Waits under two policies", _TWO, "waits", "simulate"),
    Shot("A busy period of the queue", _TWO, "period", "simulate"),
    Shot("The smallest machine that keeps a service level", _SIZE, "curve", "sizing"),
    Shot(
        "Turnaround under power bounds",
        "schedule thesis-rmap --log small --seeds 2",
        "turnaround",
        "schedule",
    ),
    Shot("Prices of shared nodes", "price poppa-12-codes --seeds 1", "paid", "price"),
    Shot(
        "How much applications disturb each other", "colocate pairs.csv", "degradation", "colocate"
    ),
    Shot("Traffic before and after placement", "place matrix.csv --nodes 2", "matrix", "place"),
    Shot("A graph of ranks, cut into nodes", "place matrix.csv --nodes 2", "graph", "place"),
    Shot(
        "Energy of patterns of ranks on a node",
        "aggregate lu --law cliff --seed 1",
        "patterns",
        "aggregation",
    ),
)


def draw(folder: Path) -> list[tuple[Shot, str]]:
    """Run every command in a folder, and give the file that each figure has there."""
    drawn: list[tuple[Shot, str]] = []
    outs: dict[str, str] = {}
    for shot in SHOTS:
        if shot.command not in outs:
            outs[shot.command] = f"out-{len(outs)}"
            done = ran(*shlex.split(shot.command), "-q", "-o", outs[shot.command])
            assert done.exit_code == 0, done.output
        (path,) = (folder / outs[shot.command] / "figures").glob(f"??-{shot.figure}.png")
        drawn.append((shot, str(path)))
    return drawn


def name_of(number: int, shot: Shot) -> str:
    """The file of a figure of the gallery."""
    return f"{number:02}-{shot.page}.png"


def smaller(path: str) -> bytes:
    """A figure in few pixels and colours."""
    with Image.open(path) as image:
        height = round(image.height * _WIDTH / image.width)
        small = image.convert("RGB").resize((_WIDTH, height), Image.Resampling.LANCZOS)
    data = io.BytesIO()
    small.quantize(_COLOURS, kmeans=3).save(data, "PNG", optimize=True)
    return data.getvalue()


def page() -> str:
    """The page of the gallery."""
    lines = [
        "# Gallery",
        "",
        "Each figure comes from the report of one command. Every report has its figures as PNG and",
        "SVG. The inputs are small forms of the samples that `headroom init my-case` writes,",
        "tables of the guides, and synthetic logs.",
    ]
    for number, shot in enumerate(SHOTS, 1):
        lines += [
            "",
            f"## {shot.title}",
            "",
            f"`headroom {shot.command} -o out` ([{shot.page}]({shot.page}.md))",
            "",
            f"![{shot.title}](images/gallery/{name_of(number, shot)})",
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Draw every figure anew, and write the page."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        write_example_inputs(Path(folder))
        for number, (shot, path) in enumerate(draw(Path(folder)), 1):
            (IMAGES / name_of(number, shot)).write_bytes(smaller(path))
    (DOCS / "gallery.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
