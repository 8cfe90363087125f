"""How many training codes are enough: errors of IPC on the simulated node against their number.

``python -m benchmarks.studies.aggregation.training_size`` prints the table of docs/aggregation.md
in half a minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.aggregation.ipc import IpcModel, chosen_setting, fit
from planner.aggregation.learning import phases_of
from planner.aggregation.measured import profiled, training_runs
from planner.aggregation.patterns import patterns, sampled
from planner.formatting import percent
from scenarios.simulated.aggregation import (
    FAMILIES,
    TEST_CODES,
    Hardware,
    load_hardware,
    npb_code,
    sample,
)

COUNTS = (3, 4, 6, 8, 10, 12)


@dataclass(frozen=True)
class TrainingSize:
    """Relative errors of IPC of models that were fitted to so many codes.

    Attributes
    ----------
    codes
        Training codes, drawn of twelve.
    left_out, new
        Mean on training codes left out, and on test codes against their true IPC.
    new_most
        Median over the models of the largest on test codes.
    """

    codes: int
    left_out: float
    new: float
    new_most: float


def training_sizes(
    seeds: Iterable[int], families: Sequence[str] = FAMILIES, counts: Sequence[int] = COUNTS
) -> tuple[TrainingSize, ...]:
    """Fit to the first so many of a random order of the codes, for each law and seed."""
    errors_by_count: dict[int, list[tuple[float, float, float]]] = {count: [] for count in counts}
    hardware = load_hardware()
    under = sampled(hardware.layout)
    offered = patterns(hardware.layout)
    for seed in seeds:
        for family in families:
            counted, drawn, meter = np.random.default_rng([seed, 4]).spawn(3)
            runs = training_runs(hardware, family, seed, offered, counted, meter)
            phases = phases_of(runs, under)
            order = drawn.permutation(sorted({phase.code for phase in phases})).tolist()
            for count in counts:
                training = [phase for phase in phases if phase.code in order[:count]]
                best, *_ = chosen_setting(training, sampled=under)
                errors = [*_errors(hardware, family, seed, fit(training, best.setting))]
                errors_by_count[count].append(
                    (best.mean_error, float(np.mean(errors)), max(errors))
                )
    return tuple(_summed(count, rows) for count, rows in errors_by_count.items())


def _errors(hardware: Hardware, family: str, seed: int, model: IpcModel) -> Iterator[float]:
    """Of every test code under every pattern that is predicted."""
    exact = replace(hardware, noise=replace(hardware.noise, ipc=0.0, events=0.0))
    layouts = {pattern.id: pattern.layout for pattern in patterns(hardware.layout)}
    for name in TEST_CODES:
        code = npb_code(name, seed=seed)
        seen = profiled(hardware, family, code, seed).samples
        samples = [seen[pattern] for pattern in model.setting.sampled]
        for pattern in model.events:
            true = sample(exact, family, code, layouts[pattern], np.random.default_rng(0)).ipc
            yield abs(model.predict(samples, pattern) / true - 1)


def _summed(codes: int, rows: Sequence[tuple[float, float, float]]) -> TrainingSize:
    left_out, new, most = np.array(rows).T
    return TrainingSize(codes, float(left_out.mean()), float(new.mean()), float(np.median(most)))


def lines(rows: Iterable[TrainingSize]) -> list[str]:
    """Return the table in Markdown."""
    return [
        "| training codes | left out, mean | new code, mean | new code, largest (median) |",
        "|---:|---:|---:|---:|",
        *(
            f"| {row.codes} | {percent(row.left_out, places=1)} | {percent(row.new, places=1)} "
            f"| {percent(row.new_most, places=1)} |"
            for row in rows
        ),
    ]


if __name__ == "__main__":
    print("\n".join(lines(training_sizes(range(10)))))
