"""How many training codes are enough: what the rows are, and that more codes help."""

from __future__ import annotations

import numpy as np

from benchmarks.studies.aggregation.training_size import lines, training_sizes
from planner.aggregation.ipc import chosen_setting
from planner.aggregation.learning import phases_of
from planner.aggregation.measured import training_runs
from planner.aggregation.patterns import SAMPLES, patterns
from scenarios.simulated.aggregation import load_hardware


def test_with_all_codes_the_errors_are_those_of_the_chosen_setting() -> None:
    (row,) = training_sizes([0], ["cliff"], [12])
    hardware = load_hardware()
    counted, _, meter = np.random.default_rng([0, 4]).spawn(3)
    runs = training_runs(hardware, "cliff", 0, patterns(hardware.layout), counted, meter)
    assert row.left_out == chosen_setting(phases_of(runs, SAMPLES))[0].mean_error
    assert 0 < row.new < row.new_most


def test_three_codes_are_fewer_than_twelve() -> None:
    few, many = training_sizes([0], ["cliff"], [3, 12])
    assert few.new > many.new
    assert lines([few])[-1] == (
        f"| 3 | {100 * few.left_out:.1f} % | {100 * few.new:.1f} % | {100 * few.new_most:.1f} % |"
    )
    assert (few.codes, many.codes) == (3, 12)
