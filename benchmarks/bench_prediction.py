"""Models of run time and power: errors, decisions, and runs needed.

Without arguments: the simulated applications, and measured synthetic codes where the shared data
are at hand. Rows of BT-MZ in that file are skipped as they are read; ``--bt-mz`` reads them, and
only them, for the one final scoring of what ``planner.configurations.prediction.chosen`` states.
Runs on one node, if there are any, stay out: the synthetic codes ran another problem there.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import numpy as np

from planner.configurations.prediction.study import BOUNDS_W, PredictionStudy, study
from planner.configurations.prediction.training import Training
from planner.configurations.table import ConfigurationTable
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

FINAL = "BT-MZ"
BUDGETS = (8, 10, 12, 16, 20, 30, 46)


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


def show(study: PredictionStudy) -> None:
    errors(study)
    decisions(study)
    print("\nverified: training | runs | regret mean, median, most; in the band | too high, worst")
    for v in study.verified:
        print(
            f"{v.application:8s} {v.training:36s} {v.runs:5.1f} | {per(v.regret_mean)} "
            f"{per(v.regret_median)} {per(v.regret_most)}; {per(v.regret_band_mean)} | "
            f"{per(v.violations)} "
            f"{per(v.worst_excess)} | no answer {per(v.no_answer)} of {v.decisions}"
        )
    if study.curves:
        print("\nruns: application, strategy | runs | regret median, mean, 90 % | too high, worst")
    for p in study.curves:
        print(
            f"{p.application:8s} {p.strategy:24s} {p.runs:4d} | {per(p.regret_median)} "
            f"{per(p.regret_mean)} {per(p.regret_high)} | {per(p.violations)} "
            f"{per(p.worst_excess)} | no answer {per(p.no_answer)} of {p.decisions}"
        )


def errors(study: PredictionStudy) -> None:
    print("\nerrors: application, model, training | time median, 75 %, most | power | fit")
    for e in study.errors:
        print(
            f"{e.application:8s} {e.model:16s} {e.training:36s} | {per(e.time_median)} "
            f"{per(e.time_quartile_3)} {per(e.time_most)} | {per(e.power_median)} "
            f"{per(e.power_quartile_3)} {per(e.power_most)} | {e.fit_s * 1e3:6.1f} ms "
            f"{e.fit_ratio:6.0f}x"
        )


def decisions(study: PredictionStudy) -> None:
    print("\ndecisions: guard | regret mean (10 %..90 %), kept | guard's price | too high, worst")
    for d in study.decisions:
        print(
            f"{d.application:8s} {d.model:16s} {d.training:36s} {d.guard:5.0%} | "
            f"{per(d.regret_mean)} ({per(d.regret_low)}..{per(d.regret_high)}) "
            f"{per(d.regret_kept_mean)} | {per(d.guard_price)} | {per(d.violations)} "
            f"{per(d.worst_excess)} | no answer {per(d.no_answer)} of {d.decisions}"
        )


def per(value: float | None) -> str:
    return "     -" if value is None else f"{100 * value:6.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bt-mz", action="store_true", help="the final scoring, and nothing else")
    parser.add_argument("--application", default=FINAL, help="what --bt-mz scores instead")
    parser.add_argument("--measurements", type=Path, default=RZMERL)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--curve-seeds", type=int, default=5)
    parser.add_argument("--budgets", type=int, nargs="*", default=list(BUDGETS))
    parser.add_argument("--law", action="store_true", help="score simulated ones on their law")
    parser.add_argument("--json", type=Path, help="write all rows there")
    arguments = parser.parse_args()
    seeds, few = range(arguments.seeds), range(arguments.curve_seeds)
    rows = {}
    if arguments.bt_mz:
        every = read(arguments.measurements, [arguments.application])
        runs = {name: measured.take(measured.nodes > 1) for name, measured in every.items()}
        print({name: f"{len(measured)} runs on several nodes" for name, measured in runs.items()})
        rows["final"] = study(
            runs, seeds, bounds_w=BOUNDS_W, budgets=arguments.budgets, curve_seeds=few
        )
        show(rows["final"])
    else:
        print(f"SIMULATED applications, cluster 1, {arguments.seeds} training sets")
        rows["simulated"] = study(
            simulated(1),
            seeds,
            bounds_w=BOUNDS_W,
            budgets=arguments.budgets,
            curve_seeds=few,
            truths=lawful() if arguments.law else None,
        )
        show(rows["simulated"])
    if not arguments.bt_mz and not arguments.law and arguments.measurements.exists():
        print(f"\nMEASURED synthetic codes, {arguments.seeds} training sets of 30 configurations")
        rows["synthetic"] = study(
            measured_synthetic(arguments.measurements),
            seeds,
            trainings=(Training(30),),
            budgets=arguments.budgets,
            curve_seeds=few,
        )
        show(rows["synthetic"])
    if arguments.json:
        results = {name: part.to_dict() for name, part in rows.items()}
        arguments.json.write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
