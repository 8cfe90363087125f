"""Runs chosen one after the other against random runs of which the last three verify, in pairs.

A pair is one table, number of runs, bound and seed. Both sides are the strategies *sequential* and
*random, verified* of :mod:`planner.configurations.prediction.curves`: they measure equally often,
and name a configuration that kept to the bound as measured. Regret is against the optimum within
the whole bound. Every parameter of the design was chosen on the generated codes:

    python -m benchmarks.studies.prediction.next_runs [--measured] [--margin 0.01] [--seeds 20]

prints the table of docs/configure.md; ``--measured`` takes the supplied runs instead, BT-MZ and
the synthetic codes of the thesis's machine. ``--margin 0`` takes the fastest run within the whole
bound, as ``headroom configure`` does.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial

import numpy as np

from benchmarks.studies.prediction.comparison import FINAL, measured_synthetic, read
from planner.configurations.prediction.chosen import CHOSEN
from planner.configurations.prediction.compare import PredictionCase, least_time, quantile_bounds
from planner.configurations.prediction.curves import sequential, verified
from planner.configurations.prediction.model import FittedModel, Model
from planner.configurations.table import table_of
from planner.parallel import in_processes
from scenarios.measurements.runs import Floats, Runs
from scenarios.simulated import NAMES, SimulatedCluster, campaign, grid, load_applications
from tests.shared_data import RZMERL

BUDGETS = (8, 12, 16, 24)
BOUNDS_W = tuple(float(bound) for bound in range(2500, 5001, 500))
QUANTILES = (0.2, 0.35, 0.5, 0.65, 0.8, 0.9)
"""Six bounds of applications for which ``BOUNDS_W`` do not fit, as shares of configurations."""
GENERATED = 12
_SPREAD = {
    "gigacycles": 0.5, "serial": 0.8, "active_nf": 0.15, "stream_gb": 0.3, "reuse_gb": 0.5,
    "row_conflicts": 0.3, "crowding": 0.7, "halo_gb": 0.7,
}  # fmt: skip
"""Standard deviation of the logarithm of what a generated code changes of its application."""


@dataclass(frozen=True)
class Remembered:
    """A model that is fitted to the same runs once: strategies begin alike with every budget."""

    model: Model
    fits: dict[bytes, FittedModel] = field(default_factory=dict, compare=False)

    @property
    def name(self) -> str:
        """Return the model's own value."""
        return self.model.name

    @property
    def least_configurations(self) -> int:
        """Return the model's own value."""
        return self.model.least_configurations

    def fit(self, runs: Runs) -> FittedModel:
        """Fit the model, or return the earlier fit."""
        columns = (runs.nodes, runs.cores_per_node, runs.package_cap_w, runs.time_s, runs.power_w)
        key = b"".join(np.asarray(column, dtype=np.float64).tobytes() for column in columns)
        if key not in self.fits:
            self.fits[key] = self.model.fit(runs)
        return self.fits[key]


def generated(number: int) -> PredictionCase:
    """Return a simulated application with changed properties, on a cluster of its own."""
    rng = np.random.default_rng((77, number))
    application = load_applications("C")[NAMES[number % len(NAMES)]]
    changed = {
        name: getattr(application, name) * float(np.exp(rng.normal(0, spread)))
        for name, spread in _SPREAD.items()
    }
    changed["serial"] = min(changed["serial"], 0.3)
    code = replace(application, name=f"{application.name} {number}", **changed)
    cluster = SimulatedCluster.build(162, seed=1000 + number)
    runs = campaign(cluster, code, grid("C"), 3, seed=2000 + number)
    truth = table_of(runs, "best")
    bounds = (100.0 * round(bound / 100) for bound in quantile_bounds(truth, QUANTILES))
    return PredictionCase(runs, truth, tuple(bounds))


@cache
def cases(*, measured: bool) -> Mapping[str, PredictionCase]:
    """Return the tables by name."""
    if not measured:
        return {case.runs.application: case for case in map(generated, range(GENERATED))}
    runs = read(RZMERL, [FINAL])[FINAL]
    found = {FINAL: PredictionCase(runs, table_of(runs, "best"), BOUNDS_W)}
    for name, runs in measured_synthetic(RZMERL).items():
        truth = table_of(runs, "best")
        found[name] = PredictionCase(runs, truth, quantile_bounds(truth, QUANTILES))
    return found


def regrets(
    task: tuple[str, int], *, measured: bool, seeds: int, margin: float
) -> tuple[str, int, Floats]:
    """Regret ``(2, budgets, seeds)`` of random and of chosen runs, for one bound of one table."""
    name, index = task
    case = cases(measured=measured)[name]
    bound = case.bounds_w[index]
    design = replace(CHOSEN.design, model=Remembered(CHOSEN.design.model), margin=margin)
    found = np.full((2, len(BUDGETS), seeds), np.nan)
    for side, strategy in enumerate((verified(design), sequential(design))):
        for seed in range(seeds):
            for at, budget in enumerate(BUDGETS):
                row = strategy(case, bound, budget, np.random.default_rng((seed, index)))
                if row is not None:
                    found[side, at, seed] = case.truth.time_s[row] / least_time(
                        case.truth, bound, 0.0
                    )
    return name, index, found - 1


def rows(found: Mapping[str, Floats]) -> Iterator[str]:
    """Lines of a table in Markdown, from regrets ``(2, budgets, seeds, bounds)`` by application.

    The interval of a difference is Student's over the seeds: of each seed, the mean over bounds.
    A pair without an answer on either side is left out.
    """
    yield "| application | runs | random, verified | chosen | chosen less random |"
    yield "|---|---|---|---|---|"
    everything = np.concatenate(list(found.values()), axis=3)
    for name, part in (*found.items(), ("all", everything)):
        for at, budget in enumerate(BUDGETS):
            random, chosen = np.nanmean(part[:, at], axis=(1, 2)) * 100
            middle, half = paired(100 * (part[1, at] - part[0, at]))
            yield (
                f"| {name} | {budget} | {_short(random)} | {_short(chosen)} | "
                f"{_short(middle)} ({_short(middle - half)} to {_short(middle + half)}) |"
            )


def _short(value: float) -> str:
    """One decimal, and no minus before a zero."""
    return f"{round(value, 1) + 0.0:.1f}"


def paired(differences: Floats) -> tuple[float, float]:
    """Mean of differences ``(seeds, bounds)``, and half its 95 % interval over seeds."""
    from scipy.stats import t

    of_seed = np.nanmean(differences, axis=1)
    spread = float(of_seed.std(ddof=1)) / len(of_seed) ** 0.5
    return float(of_seed.mean()), float(t.ppf(0.975, len(of_seed) - 1)) * spread


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measured", action="store_true", help="the supplied runs")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--margin", type=float, default=CHOSEN.design.margin)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    tables = cases(measured=given.measured)
    found = {
        name: np.empty((2, len(BUDGETS), given.seeds, len(case.bounds_w)))
        for name, case in tables.items()
    }
    tasks = [(name, index) for name, case in tables.items() for index in range(len(case.bounds_w))]
    task = partial(regrets, measured=given.measured, seeds=given.seeds, margin=given.margin)
    for name, index, values in in_processes(task, tasks, given.workers):
        found[name][..., index] = values
    print("\n".join(rows(found)))


if __name__ == "__main__":
    main()
