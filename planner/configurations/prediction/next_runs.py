"""Which runs to make next on a real machine, by the chosen design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from planner.configurations.applications import check_applications
from planner.configurations.prediction.candidates import Reason
from planner.configurations.prediction.chosen import CHOSEN
from planner.configurations.prediction.model import configurations_of
from planner.configurations.prediction.predicted import Grid
from planner.configurations.prediction.processor import E5_2670, Processor
from planner.configurations.selection import Bound
from scenarios.measurements.runs import Measurements

NEEDED = CHOSEN.model.least_configurations
"""Different configurations that a prediction needs; until then, runs cover the range."""

_WHY: dict[Reason, str] = {
    "spread": "covers the range",
    "improve": "may beat the best so far",
    "verify": "predicted best: verify it",
    "repeat": "differs from its prediction: repeat it",
}


@dataclass(frozen=True)
class NextRun:
    """A run to make."""

    application: str
    nodes: int
    cores_per_node: int
    package_cap_w: float
    why: str


def suggestions(
    measurements: Measurements,
    bound_w: float,
    count: int,
    *,
    applications: Sequence[str] = (),
    grid: Grid | None = None,
    processor: Processor = E5_2670,
) -> tuple[NextRun, ...]:
    """Suggest the next runs of each application.

    They aim at the whole bound, without the margin of the design: measured power is compared with
    the whole bound when the configuration is chosen.

    Raises
    ------
    InputError
        An application is not in the table; no bound.
    """
    Bound(bound_w)
    check_applications(measurements, applications)
    design = replace(CHOSEN.on(processor).design, margin=0.0)
    found = []
    for name in applications or measurements.runs:
        runs = measurements.runs[name]
        candidates = (grid or Grid()).of(runs)
        for next_run in design.next_runs(runs, candidates, (bound_w,), count):
            key = next_run.nodes, next_run.cores_per_node, next_run.package_cap_w
            found.append(NextRun(name, *key, _WHY[next_run.reason]))
    return tuple(found)


def too_few(measurements: Measurements, applications: Sequence[str] = ()) -> dict[str, int]:
    """Count the configurations of each application that has fewer than a prediction needs."""
    names = applications or tuple(measurements.runs)
    found = {name: configurations_of(measurements.runs[name]) for name in names}
    return {name: count for name, count in found.items() if count < NEEDED}
