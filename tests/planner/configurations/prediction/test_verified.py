"""What verified decisions are measured against, by hand; and studies of a user's own runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from planner.configurations.best_configuration import Question
from planner.configurations.prediction.compare import PredictionCase
from planner.configurations.prediction.own_runs import on_own_runs
from planner.configurations.prediction.study import verify
from planner.configurations.prediction.training import Training
from planner.configurations.provisioning import NodeMaximum
from planner.configurations.selection import Bound
from planner.configurations.study import study
from planner.configurations.table import table_of
from planner.errors import InputError
from scenarios.measurements.runs import Measurements, Runs

# The faster of two draws 995 of 1,000 W: within the bound, not within a margin of 1 %.
TWO = Runs(
    "two",
    np.array([2, 4]),
    np.array([8, 8]),
    np.array([80.0, 80.0]),
    np.array([1, 1]),
    np.array([12.0, 10.0]),
    np.array([900.0, 995.0]),
)


@dataclass(frozen=True)
class Decided:
    """A design that always takes one row."""

    row: int
    margin: float = 0.01
    verifications: int = 3

    def run(self, *_: Any) -> Any:

        class Outcome:
            reasons = ("verify",)
            chosen = (table_of(TWO).row(self.row),)

        return Outcome


def test_the_loss_of_a_verified_choice_and_the_margin_s_price_stand_apart() -> None:
    case = PredictionCase(TWO, table_of(TWO), (1000.0,))
    result = verify(case, Training(1), (0,), Decided(0))  # type: ignore[arg-type]
    (at,) = result.at_bounds
    assert (at.regret_band, at.margin_price, at.regret) == pytest.approx((0.0, 0.2, 0.2))
    assert (result.regret_band_mean, result.regret_mean) == pytest.approx((0.0, 0.2))
    bold = verify(case, Training(1), (0,), Decided(1))  # type: ignore[arg-type]
    assert (bold.regret_band_mean, bold.regret_mean) == pytest.approx((10 / 12 - 1, 0.0))
    assert (bold.violations, bold.runs) == (0.0, 1.0)


def test_a_table_of_one_power_leaves_nothing_to_decide_under_a_guard() -> None:
    count = 48
    flat = Runs(
        "flat",
        np.arange(1, count + 1),
        np.full(count, 8),
        np.full(count, 80.0),
        np.ones(count, dtype=np.int64),
        np.linspace(20.0, 10.0, count),
        np.full(count, 100.0),
    )
    arguments = study(
        Measurements("flat", "", {"flat": flat}), Question(Bound(100.0), NodeMaximum())
    )
    with pytest.raises(InputError, match="at least 40 configurations of different power"):
        on_own_runs(arguments)
