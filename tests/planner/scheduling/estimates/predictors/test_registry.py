from __future__ import annotations

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.estimates.predictors.margin import with_margin
from planner.scheduling.estimates.predictors.predictor import joint_codes
from planner.scheduling.estimates.predictors.registry import (
    ORACLES,
    PREDICTORS,
    find_predictor,
)


def test_every_predictor_is_found_by_its_name() -> None:
    assert [find_predictor(name).name for name in PREDICTORS] == list(PREDICTORS)
    for name, oracle in ORACLES.items():
        assert oracle(np.ones(1, np.int64)).name == name


def test_unknown_names_are_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"'qantile'; did you mean 'quantile'\?"):
        find_predictor("qantile")
    with pytest.raises(InputError, match="refining is an oracle"):
        find_predictor("refining")


@pytest.mark.parametrize("factor", [0.0, -1.0, float("nan"), float("inf")])
def test_a_margin_that_is_no_factor_is_refused(factor: float) -> None:
    with pytest.raises(InputError, match="factor above 0"):
        with_margin(PREDICTORS["last-two"], factor)


def test_joint_codes_tell_combinations_apart() -> None:
    a, b = np.array([5, -1, 5, 5, -1]), np.array([1, 1, 2, 1, 1])
    codes = joint_codes(a, b).tolist()
    assert codes[0] == codes[3]
    assert codes[1] == codes[4]
    assert sorted(set(codes)) == [0, 1, 2]
    assert joint_codes(a[:0], b[:0]).tolist() == []
