"""Decisions scored by hand; training sets drawn as asked."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

import numpy as np
import pytest

from planner.configurations.prediction.compare import (
    PredictionCase,
    compare,
    decide,
    quantile_bounds,
)
from planner.configurations.prediction.model import Counts, ModelPrediction, Watts
from planner.configurations.prediction.training import Training, joined, spread_out
from planner.configurations.table import ConfigurationTable
from planner.errors import InputError
from scenarios.measurements.runs import Runs
from tests.planner.configurations.prediction.samples import simulated

RUNS = Runs(
    "four",
    np.array([1, 2, 3, 4]),
    np.full(4, 8),
    np.full(4, 80.0),
    np.ones(4, dtype=int),
    np.array([40.0, 20.0, 15.0, 10.0]),
    np.array([100.0, 195.0, 300.0, 400.0]),
)
TRUTH = ConfigurationTable(
    "four", RUNS.nodes, RUNS.cores_per_node, RUNS.package_cap_w, RUNS.time_s, RUNS.power_w
)


@dataclass(frozen=True)
class Says:
    """A model that says what it was told, for nodes 1 to 4."""

    time_s: tuple[float, ...]
    power_w: tuple[float, ...]
    name: str = "says"
    least_configurations: int = 1

    def fit(self, runs: Runs) -> Says:
        return self

    def predict(
        self, nodes: Counts, cores_per_node: Counts, package_cap_w: Watts
    ) -> ModelPrediction:
        rows = np.asarray(nodes) - 1
        return ModelPrediction(np.array(self.time_s)[rows], np.array(self.power_w)[rows])


def test_the_fastest_within_the_guarded_bound_or_none() -> None:
    assert decide(RUNS.time_s, RUNS.power_w, 300.0) == 2
    assert decide(RUNS.time_s, RUNS.power_w, 300.0, guard=0.01) == 1
    assert decide(RUNS.time_s, RUNS.power_w, 100.0, guard=0.01) is None


def test_regret_price_violations_and_no_answer_by_hand() -> None:
    # Bound 200: says 3 nodes fit (they draw 300): excess 50 %, regret 15 / 20 - 1 = -25 %.
    # Bound 300: says 3 nodes: regret 0. Under 3 % guard (291): true best is 2 nodes (20 s).
    # Bound 110: says nothing fits.
    model = Says((40.0, 20.0, 15.0, 10.0), (120.0, 180.0, 190.0, 400.0))
    case = PredictionCase(RUNS, TRUTH, (200.0, 300.0, 110.0))
    comparison = compare(case, {"m": model}, Training(2), range(4), guards=(0.0, 0.03))
    plain, guarded = comparison.decisions
    assert plain.regret_mean == pytest.approx((-0.25 + 0.0) / 2)
    assert plain.regret_kept_mean == pytest.approx(0.0)
    assert plain.violations == pytest.approx(1 / 2)
    assert plain.worst_excess == pytest.approx(0.5)
    assert plain.no_answer == pytest.approx(1 / 3)
    assert plain.decisions == 12
    assert plain.guard_price == 0.0
    # guard 3 %: bound 200 -> 194: 2 nodes draw 195 and fall out, true best 40 s: price 40/20 - 1;
    # bound 300 -> 291: 20/15 - 1; bound 110 -> 106.7: 40/40 - 1
    assert guarded.guard_price == pytest.approx((1.0 + 1 / 3 + 0.0) / 3)
    assert guarded.regret_mean == pytest.approx(((15 / 40 - 1) + (15 / 20 - 1)) / 2)


def test_errors_count_only_what_was_not_trained_on() -> None:
    # exact on 1 and 2 nodes, 10 % long on 3 and 4; power 5 % low on 4
    model = Says((40.0, 20.0, 16.5, 11.0), (100.0, 195.0, 300.0, 380.0))
    rows = [set(Training(2).rows(RUNS, np.random.default_rng(s)).tolist()) for s in range(200)]
    seed = rows.index({0, 1})
    result = compare(
        PredictionCase(RUNS, TRUTH, (400.0,)), {"m": model}, Training(2), [seed]
    ).errors[0]
    assert result.time_median == pytest.approx(np.log(1.1))
    assert result.power_most == pytest.approx(-np.log(0.95))
    assert result.power_short_most == pytest.approx(-np.log(0.95))


def test_a_bound_below_every_configuration_is_refused() -> None:
    with pytest.raises(InputError, match=r"fits 90 W; give at least 100 W"):
        PredictionCase(RUNS, TRUTH, (300.0, 90.0))


def test_a_model_that_never_answers_has_no_regret_and_says_so() -> None:
    comparison = compare(
        PredictionCase(RUNS, TRUTH, (300.0,)),
        {"m": Says((1.0,) * 4, (999.0,) * 4)},
        Training(2),
        [1],
        (0.0,),
    )
    row = comparison.decisions[0]
    assert row.no_answer == 1.0
    assert row.regret_mean is None
    assert "NaN" not in json.dumps(asdict(comparison))


def test_quantile_bounds_by_hand() -> None:
    assert quantile_bounds(TRUTH, (0.0, 0.5, 1.0)) == (100.0, 247.5, 400.0)


def test_configurations_come_with_all_their_repetitions() -> None:
    runs = simulated("LU-MZ")
    rows = Training(46).rows(runs, np.random.default_rng(1))
    assert len(rows) == 138
    assert sorted(runs.repetition[rows].tolist()) == [1] * 46 + [2] * 46 + [3] * 46
    single = Training(137, "runs").rows(runs, np.random.default_rng(1))
    assert len(set(single.tolist())) == 137


@pytest.mark.parametrize("count", [0, 5])
def test_more_than_there_is_cannot_be_drawn(count: int) -> None:
    with pytest.raises(InputError, match=r"there are 4 configurations; give 1 to 4"):
        Training(count).rows(RUNS, np.random.default_rng(1))


def test_points_spread_from_corner_to_corner() -> None:
    # a line 0..10: lower end, upper end, middle; then a quarter (the earlier of two)
    line = np.arange(11.0)[:, None]
    assert spread_out(line, 4).tolist() == [0, 10, 5, 2]
    assert spread_out(line, 2, taken=np.array([0, 10])).tolist() == [5, 2]
    assert len(spread_out(line, 99)) == 11


def test_joined_runs_keep_order_and_drop_memory_power_unless_all_have_it() -> None:
    lu = simulated("LU-MZ").take(np.arange(3))
    both = joined((lu, lu))
    assert both.time_s.tolist() == [*lu.time_s, *lu.time_s]
    assert both.dram_power_w is not None
    assert joined((lu, RUNS)).dram_power_w is None
