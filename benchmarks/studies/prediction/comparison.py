"""Models of run time and power: errors, decisions, and runs needed.

``python -m benchmarks.studies.prediction.comparison`` compares them on the simulated applications,
and on measured synthetic codes where the shared data are at hand. Rows of BT-MZ in that file are
skipped as they are read; ``--bt-mz`` reads them, and only them, for the one final scoring of what
``planner.configurations.prediction.chosen`` states. Runs on one node, if there are any, stay out:
the synthetic codes ran another problem there.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.studies.prediction.gaussian_process import GaussianProcess
from planner.configurations.prediction.chosen import CHOSEN
from planner.configurations.prediction.compare import (
    Errors,
    ModelDecisions,
    PredictionCase,
    compare,
    quantile_bounds,
)
from planner.configurations.prediction.curves import CurvePoint, curves
from planner.configurations.prediction.families import MODELS
from planner.configurations.prediction.model import Model
from planner.configurations.prediction.study import Verified, strategies, verify
from planner.configurations.prediction.training import Training
from planner.configurations.table import ConfigurationTable, table_of
from scenarios.measurements.runs import Runs
from scenarios.simulated import (
    NAMES,
    REAL,
    SimulatedCluster,
    campaign,
    grid,
    load_applications,
    truth,
)
from tests.shared_data import RZMERL

COMPARED: Mapping[str, Model] = {**MODELS, GaussianProcess().name: GaussianProcess()}
"""The models of ``headroom configure --model``, and a process without a law."""

FINAL = "BT-MZ"
BUDGETS = (8, 10, 12, 16, 20, 30, 46)
BOUNDS_W = tuple(float(bound) for bound in range(2500, 6001, 500))
QUANTILES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Power bounds of applications for which ``BOUNDS_W`` do not fit, as shares of configurations."""
TRAININGS = (Training(46), Training(137, "runs"))


@dataclass(frozen=True)
class Effort:
    """Seeds of the training sets and of the curves, and runs of the curves."""

    seeds: Sequence[int]
    curve_seeds: Sequence[int]
    budgets: Sequence[int]


def read(path: Path, wanted: Collection[str]) -> dict[str, Runs]:
    """Runs of the wanted applications; rows of others are dropped unread."""
    rows: dict[str, list[list[float]]] = {}
    with path.open(newline="", encoding="utf-8") as file:
        for application, *values in list(csv.reader(file))[1:]:
            if application in wanted:
                rows.setdefault(application, []).append([float(value) for value in values])
    return {name: Runs(name, *np.array(values).T) for name, values in rows.items()}


def simulated(seed: int) -> dict[str, Runs]:
    """Return a campaign of three repetitions of each application on a simulated cluster."""
    cluster, known = SimulatedCluster.build(162, seed=seed), load_applications("C")
    return {name: campaign(cluster, known[name], grid("C"), 3, seed=100 + seed) for name in REAL}


def lawful() -> dict[str, ConfigurationTable]:
    """Return what the simulated applications take and draw undisturbed, on typical sockets."""
    cluster, known = SimulatedCluster.typical(32), load_applications("C")
    nodes, cores, caps = grid("C")
    tables = {}
    for name in REAL:
        law = truth(cluster, known[name], nodes, cores, caps)
        power = law.package_power_w + law.dram_power_w
        tables[name] = ConfigurationTable(name, nodes, cores, caps, law.time_s, power)
    return tables


def measured_synthetic(path: Path) -> dict[str, Runs]:
    """Return the synthetic codes; on one node and on several they ran other problems: apart."""
    relabelled = {}
    for name, runs in read(path, [name for name in NAMES if name not in REAL]).items():
        for label, rows in (
            (f"{name} 1", runs.nodes == 1),
            (f"{name} 8+", runs.nodes > 1),
        ):
            if rows.any():
                relabelled[label] = replace(runs.take(rows), application=label)
    return relabelled


def show(cases: Sequence[PredictionCase], trainings: Sequence[Training], effort: Effort) -> None:
    """Print errors, decisions, verified decisions and runs needed, case by case."""
    for case in cases:
        for training in trainings:
            comparison = compare(case, COMPARED, training, effort.seeds)
            errors(comparison.errors)
            decisions(comparison.decisions)
            verified(verify(case, training, effort.seeds, CHOSEN.design))
        runs_needed(curves(case, strategies(), effort.budgets, effort.curve_seeds))


def errors(rows: Sequence[Errors]) -> None:
    print("\nerrors: application, model, training | time median, 75 %, most | power")
    for e in rows:
        print(
            f"{e.application:8s} {e.model:16s} {e.training:36s} | {per(e.time_median)} "
            f"{per(e.time_quartile_3)} {per(e.time_most)} | {per(e.power_median)} "
            f"{per(e.power_quartile_3)} {per(e.power_most)}"
        )


def decisions(rows: Sequence[ModelDecisions]) -> None:
    print("\ndecisions: guard | regret mean (10 %..90 %), kept | guard's price | too high, worst")
    for d in rows:
        print(
            f"{d.application:8s} {d.model:16s} {d.training:36s} {d.guard:5.0%} | "
            f"{per(d.regret_mean)} ({per(d.regret_low)}..{per(d.regret_high)}) "
            f"{per(d.regret_kept_mean)} | {per(d.guard_price)} | {per(d.violations)} "
            f"{per(d.worst_excess)} | no answer {per(d.no_answer)} of {d.decisions}"
        )


def verified(v: Verified) -> None:
    print("\nverified: training | runs | regret mean, median, most; in the band | too high, worst")
    print(
        f"{v.application:8s} {v.training:36s} {v.runs:5.1f} | {per(v.regret_mean)} "
        f"{per(v.regret_median)} {per(v.regret_most)}; {per(v.regret_band_mean)} | "
        f"{per(v.violations)} {per(v.worst_excess)} | no answer {per(v.no_answer)} of {v.decisions}"
    )
    for at in v.at_bounds:
        print(
            f"  {at.bound_w:7.0f} W: in the band {per(at.regret_band)}, margin's price "
            f"{per(at.margin_price)}, both {per(at.regret)}"
        )


def runs_needed(points: Sequence[CurvePoint]) -> None:
    if points:
        print("\nruns: application, strategy | runs | regret median, mean, 90 % | too high, worst")
    for p in points:
        print(
            f"{p.application:8s} {p.strategy:24s} {p.runs:4d} | {per(p.regret_median)} "
            f"{per(p.regret_mean)} {per(p.regret_high)} | {per(p.violations)} "
            f"{per(p.worst_excess)} | no answer {per(p.no_answer)} of {p.decisions}"
        )


def per(value: float | None) -> str:
    return "     -" if value is None else f"{100 * value:6.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bt-mz", action="store_true", help="the final scoring, and nothing else")
    parser.add_argument("--measurements", type=Path, default=RZMERL)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--curve-seeds", type=int, default=5)
    parser.add_argument("--budgets", type=int, nargs="*", default=list(BUDGETS))
    parser.add_argument("--law", action="store_true", help="score simulated ones on their law")
    given = parser.parse_args()
    effort = Effort(range(given.seeds), range(given.curve_seeds), given.budgets)
    if given.bt_mz:
        runs = read(given.measurements, [FINAL])[FINAL]
        several = runs.take(runs.nodes > 1)
        print(f"MEASURED {FINAL}: {len(several)} runs on several nodes")
        show([PredictionCase(several, table_of(several, "best"), BOUNDS_W)], TRAININGS, effort)
        return
    print(f"SIMULATED applications, cluster 1, {given.seeds} training sets")
    laws = lawful() if given.law else {}
    cases = [
        PredictionCase(runs, laws.get(name) or table_of(runs, "best"), BOUNDS_W)
        for name, runs in simulated(1).items()
    ]
    show(cases, TRAININGS, effort)
    if not given.law and given.measurements.exists():
        print(f"\nMEASURED synthetic codes, {given.seeds} training sets of 30 configurations")
        cases = []
        for runs in measured_synthetic(given.measurements).values():
            table = table_of(runs, "best")
            cases.append(PredictionCase(runs, table, quantile_bounds(table, QUANTILES)))
        show(cases, (Training(30),), effort)


if __name__ == "__main__":
    main()
