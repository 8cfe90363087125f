"""The gate's trial on the six applications: a curve by hand, its laws, and the page's figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.studies.gate.trial import KINDS, OTHERS, RiskCurve, Trial, table, trial
from tests.studies.gate.stored import TRIALS

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[3] / "docs" / "evidence" / "gate.md"
OURS = KINDS[0].name


@pytest.fixture(scope="module")
def one_seed() -> Trial:
    return trial(seeds=1)


def test_a_curve_worked_by_hand() -> None:
    """Scores 1 to 3; the third pair is bad. Two pairs gain log 2 of log 4."""
    curve = RiskCurve(
        np.array([1.0, 2.0, 3.0]), np.array([0.5, 1.0, 2.0]), np.ones(3), np.array([0.5, 0.5, 1.0])
    )
    assert curve.at(2.5) == pytest.approx((2 / 3, 0.5, 1.0))
    assert curve.at(np.inf) == pytest.approx((1.0, 0.0, 2.0))
    assert curve.largest_safe_gain(1.1) == pytest.approx(0.5)


def test_every_pair_is_decided_once_by_every_gate(one_seed: Trial) -> None:
    for gate in (*(kind.name for kind in KINDS), *OTHERS):
        keys = [(one.left_out, one.partner, one.ranks) for one in one_seed.of(gate)]
        assert len(keys) == len(set(keys)) == 108  # 6 applications, 6 partners, 3 rank counts


def test_decisions_and_curves_agree(one_seed: Trial) -> None:
    ours, oracle = one_seed.row(OURS), one_seed.row("oracle")
    at = one_seed.curves[OURS].at(-1.2815515655446004)  # the 90 % quantile
    assert (ours["coverage"], ours["gain"], ours["worst"]) == pytest.approx(at)
    assert (oracle["gain"], oracle["worst"]) == pytest.approx((1.0, 1.0))


def test_a_new_application_gets_at_most_two_probes(one_seed: Trial) -> None:
    probed = [(one.left_out, one.ranks) for one in one_seed.of(OURS) if one.probed]
    assert max(probed.count(key) for key in probed) <= 2


@pytest.mark.parametrize(("system", "first_seed"), TRIALS)
def test_results_of_ten_seeds_are_the_stored_ones_and_those_of_the_page(
    system: str, first_seed: int
) -> None:
    result = trial(system, first_seed)
    for gate, values in TRIALS[system, first_seed].items():
        row = result.row(gate)
        assert (row["coverage"], row["gain"], row["worst"]) == pytest.approx(values, abs=0.03)
    page = PAGE.read_text(encoding="utf-8")
    assert all(line in page for line in list(table(result))[2:])
