"""Why findings of chapter 5 do not return: times within the fair share, errors of the model.

python -m benchmarks.studies.schedule.reasons
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.studies.schedule.thesis_grid import scenario_at
from planner.scheduling.power.inputs.build import replicate
from planner.scheduling.power.inputs.packed import packed_of
from planner.scheduling.power.problem import MS, JobDetails
from scenarios.catalogue import load
from scenarios.reading.replaced import with_values

SIZES = {"small": range(8, 25, 4), "large": range(40, 65, 4)}
"""Requests of the thesis's logs [nodes]."""


@dataclass(frozen=True)
class WithinShare:
    """Naive's configuration next to Traditional's, over applications and requests.

    Attributes
    ----------
    ratio
        Its run time over Traditional's: geometric mean.
    slower
        Share of the requests for which it is slower.
    nodes, traditional_nodes
        Mean node counts.
    """

    ratio: float
    slower: float
    nodes: float
    traditional_nodes: float


def within_share(details: JobDetails, cluster_nodes: int, bound_w: float, kind: str) -> WithinShare:
    """Compare run times without any wait: one job alone on the cluster."""
    times, nodes, packed_nodes = [], [], []
    for application in range(len(details.applications)):
        part = details.rows(application)
        rows = np.arange(part.start, part.stop)
        packed = packed_of(details, application)
        for request in SIZES[kind]:
            fits = details.charge_mw[packed.row] <= bound_w * MS
            theirs = packed.row[fits & (packed.nodes <= request)][-1]
            share = request / cluster_nodes * bound_w * MS
            fair = rows[details.charge_mw[rows] <= share]
            if not len(fair):
                continue
            mine = fair[np.argmin(details.time_ms[fair])]
            times.append(details.time_ms[mine] / details.time_ms[theirs])
            nodes.append(details.nodes[mine])
            packed_nodes.append(details.nodes[theirs])
    ratios = np.array(times)
    return WithinShare(
        float(np.exp(np.log(ratios).mean())),
        float((ratios > 1).mean()),
        float(np.mean(nodes)),
        float(np.mean(packed_nodes)),
    )


@dataclass(frozen=True)
class WorstRow:
    """The configuration whose power is predicted too low by the largest share."""

    seed: int
    application: str
    too_low: float
    nodes: int
    cores_per_node: int
    package_cap_w: float


def worst_rows(seeds: Sequence[int], training_share: float = 0.1) -> list[WorstRow]:
    """Return the worst row of each application with each seed."""
    scenario = with_values(load("thesis-rmap"), {"schedule.details.training_share": training_share})
    rows = []
    for seed in seeds:
        made = replicate(scenario, seed)
        details, low = made.details, 1 - made.details.charge_mw / made.truth.power_mw
        for application, name in enumerate(details.applications):
            part = details.rows(application)
            row = int(np.argmax(low[part])) + part.start
            size = (int(details.nodes[row]), int(details.cores_per_node[row]))
            cap_w = float(details.package_cap_w[row])
            rows.append(WorstRow(seed, name, float(low[row]), *size, cap_w))
    return rows


def main() -> None:
    """Print both reasons."""
    made = replicate(scenario_at(0.1, "oracle"), 0)
    for bound_w in made.schedule.bounds_w:
        for kind in SIZES:
            one = within_share(made.details, made.schedule.cluster.nodes, bound_w, kind)
            print(f"{bound_w:8,.0f} W {kind:6} {one}")
    for share, seeds in ((0.1, range(10)), (0.3, range(5)), (1.0, range(3))):
        rows = worst_rows(seeds, share)
        most = [max(one.too_low for one in rows if one.seed == seed) for seed in seeds]
        corner = sum((row.cores_per_node, row.package_cap_w) == (8, 115.0) for row in rows)
        print(f"training share {share:.0%}, power at most {np.mean(most):.1%} too low on average,")
        print(f"  {max(most):.1%} with the worst seed; {corner} of {len(rows)}: 8 cores, 115 W")


if __name__ == "__main__":
    main()
