"""Compare the stored results of chapter 5 with the thesis: which findings return, and which do not.

    python -m benchmarks.studies.schedule.shapes

prints the tables of docs/evidence/schedule.md from ``thesis_grid.json``.

References
----------
Patki (2015), section 5.6.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from benchmarks.studies.schedule.thesis_grid import LOADS, Method, NodeCounts, stored
from planner.replications.ratios import PairedRatio, differs_from_one, ratio_of

BOUNDS_W = (6500.0, 8000.0, 10000.0, 12000.0, 14720.0)
LOGS = ("small", "large", "random-1", "random-2")
POLICIES = ("naive", "adaptive", "adaptive-any")
RANDOM = ("random-1", "random-2")


@dataclass(frozen=True)
class Results:
    """Mean turnaround of every seed at one offered load [s], by log, bound and policy."""

    load: float
    turnaround_s: Mapping[tuple[str, float, str], np.ndarray]

    def ratio(
        self, logs: Iterable[str], bounds_w: Iterable[float], one: str, other: str
    ) -> PairedRatio:
        """Turnaround under one policy over that under another: of each seed the geometric mean."""
        cases = [(log, bound) for log in logs for bound in bounds_w]
        logarithms = [
            np.log(self.turnaround_s[*case, one] / self.turnaround_s[*case, other])
            for case in cases
        ]
        ratio = ratio_of(np.exp(np.mean(logarithms, axis=0)).tolist())
        if ratio is None:
            raise ValueError("there are no seeds")
        return ratio


def results(load: float, method: Method = "model", node_counts: NodeCounts = "thesis") -> Results:
    """Return what was stored of one offered load."""
    key = (load, method, node_counts)
    (part,) = [
        part
        for part in stored()["parts"]
        if (part["load"], part["method"], part["node_counts"]) == key
    ]
    return Results(load, {_case(cell): _seconds(cell) for cell in part["cells"]})


def _case(cell: Mapping[str, Any]) -> tuple[str, float, str]:
    return cell["log"], cell["bound_w"], cell["policy"]


def _seconds(cell: Mapping[str, Any]) -> np.ndarray:
    return np.array(cell["turnaround_ms"]) / 1000


@dataclass(frozen=True)
class Shape:
    """A finding of the thesis as a ratio of turnarounds.

    Attributes
    ----------
    text
        What is compared.
    printed
        The thesis's figure.
    side
        Whether the thesis's ratio is above or below 1.
    logs, bounds_w, policy, other
        The cases, and the policies that are compared.
    """

    text: str
    printed: str
    side: Literal["above", "below"]
    logs: tuple[str, ...]
    bounds_w: tuple[float, ...]
    policy: str
    other: str


_LOW, _HIGH = BOUNDS_W[:1], BOUNDS_W[-1:]
SHAPES = (
    Shape("Adaptive / Traditional, large logs", "0.857", "below", ("large",), BOUNDS_W,
          "adaptive", "traditional"),
    Shape("Adaptive / Traditional, random logs", "0.815", "below", RANDOM, BOUNDS_W,
          "adaptive", "traditional"),
    Shape("Adaptive / Traditional, small logs at 6.5 kW", "above 1", "above", ("small",), _LOW,
          "adaptive", "traditional"),
    Shape("Adaptive / Traditional, small logs below 14.7 kW", "1.166", "above", ("small",),
          BOUNDS_W[:-1], "adaptive", "traditional"),
    Shape("Adaptive / Traditional, small logs at 14.7 kW", "0.829", "below", ("small",), _HIGH,
          "adaptive", "traditional"),
    Shape("Adaptive / Naive, random logs", "0.639", "below", RANDOM, BOUNDS_W,
          "adaptive", "naive"),
    Shape("Adaptive / Naive, large logs", "0.783", "below", ("large",), BOUNDS_W,
          "adaptive", "naive"),
    Shape("Naive / Traditional, large logs at 6.5 kW", "1.447", "above", ("large",), _LOW,
          "naive", "traditional"),
    Shape("Adaptive-20 / Adaptive, large logs at 6.5 kW", "0.843", "below", ("large",), _LOW,
          "adaptive-20", "adaptive"),
    Shape("Adaptive-any / Adaptive, large logs", "1.511", "above", ("large",), BOUNDS_W,
          "adaptive-any", "adaptive"),
    Shape("Adaptive-any / Adaptive, random logs", "above 1", "above", RANDOM, BOUNDS_W,
          "adaptive-any", "adaptive"),
)  # fmt: skip
"""Of the unbounded threshold the thesis prints one figure (33.8 %) and names no log."""


def ratios(shape: Shape, node_counts: NodeCounts = "thesis") -> list[PairedRatio]:
    """Return the ratio at each offered load."""
    known = (results(load, node_counts=node_counts) for load in LOADS)
    return [one.ratio(shape.logs, shape.bounds_w, shape.policy, shape.other) for one in known]


def verdicts(
    shapes: Iterable[Shape] = SHAPES, node_counts: NodeCounts = "thesis"
) -> dict[str, list[str]]:
    """Return whether each finding returns at each load: ``yes``, ``no``, or ``not shown``.

    All comparisons together have a 5 % chance of one false difference (Holm).
    """
    every = {shape: ratios(shape, node_counts) for shape in shapes}
    flat = [ratio for of_shape in every.values() for ratio in of_shape]
    differs = iter(differs_from_one(flat))
    return {
        shape.text: [_verdict(shape, ratio, differs=next(differs)) for ratio in of_shape]
        for shape, of_shape in every.items()
    }


def _verdict(shape: Shape, ratio: PairedRatio, *, differs: bool) -> str:
    if not differs:
        return "not shown"
    return "yes" if (ratio.mean > 1) == (shape.side == "above") else "no"


def interval(ratio: PairedRatio) -> str:
    """Return a ratio with its interval, as the page has it."""
    return f"{ratio.mean:.3f} ({ratio.low:.3f} to {ratio.high:.3f})"


def table(node_counts: NodeCounts = "thesis") -> list[str]:
    """Return lines of the table of docs/evidence/schedule.md."""
    answers_by_shape = verdicts(node_counts=node_counts)
    head = ["| turnaround | thesis |", "|---|---|"]
    lines = [
        head[0] + "".join(f" load {load:g} |" for load in LOADS) + " returns |",
        head[1] + "---|" * (len(LOADS) + 1),
    ]
    for shape in SHAPES:
        cells = " | ".join(interval(ratio) for ratio in ratios(shape, node_counts))
        answers = answers_by_shape[shape.text]
        answer = answers[0] if len({*answers}) == 1 else ", ".join(answers)
        lines.append(f"| {shape.text} | {shape.printed} | {cells} | {answer} |")
    return lines


def by_bound() -> list[str]:
    """Return lines of the table of Adaptive over Traditional by load, log and bound."""
    heads = "".join(f" {bound / 1000:g} kW |" for bound in BOUNDS_W)
    lines = [f"| offered load | log | policy |{heads}", "|---|---|---|" + "---|" * len(BOUNDS_W)]
    for load in LOADS:
        known = results(load)
        for log in LOGS:
            for policy in POLICIES:
                means = [known.ratio([log], [bound], policy, "traditional") for bound in BOUNDS_W]
                cells = " | ".join(f"{ratio.mean:.2f}" for ratio in means)
                lines.append(f"| {load:g} | {log} | {policy} | {cells} |")
    return lines


if __name__ == "__main__":
    print("\n".join([*table(), "", *by_bound(), "", *table("every")]))
