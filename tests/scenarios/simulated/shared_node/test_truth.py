"""True run times, and what applications may be."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np
import pytest

from scenarios.simulated.shared_node.applications import (
    NULL,
    TWELVE,
    ApplicationPhase,
    find_shared_application,
)
from scenarios.simulated.shared_node.law import CacheAndBandwidth
from scenarios.simulated.shared_node.second_law import SensitivityAndPressure
from scenarios.simulated.shared_node.settings import NodeSettings
from scenarios.simulated.shared_node.synthetic import synthetic_applications
from scenarios.simulated.shared_node.truth import degradation_matrix, speed_on_all_cores, truth
from tests.scenarios.simulated.shared_node.cases import StatedLaw, application
from tests.sizes import few

QUICK = NodeSettings(iterations=1)


def test_run_times_by_hand() -> None:
    """100 cycles of 10 ms at stretch 1.2: 1 s alone, 1.2 s together, D = 1/6."""
    result = truth([application()] * 2, QUICK, StatedLaw())
    assert result.solo_us == pytest.approx([1e6, 1e6])
    assert result.together_us == pytest.approx([1.2e6, 1.2e6])
    assert result.degradation == pytest.approx([1 / 6, 1 / 6])


def test_alone_a_code_takes_its_stated_time() -> None:
    for code in TWELVE:
        result = truth([code, NULL])
        assert result.solo_us[0] == pytest.approx(1e6 * code.solo_s, rel=0.01)
        assert result.performance == pytest.approx([1, 1], abs=1e-9)


@pytest.mark.parametrize("law", [CacheAndBandwidth(), SensitivityAndPressure()])
def test_both_laws_give_discounts_of_the_size_of_the_papers(
    law: CacheAndBandwidth | SensitivityAndPressure,
) -> None:
    matrix = degradation_matrix(TWELVE, QUICK, law)
    assert 0.1 < matrix.mean() < 0.13
    assert 0.35 < matrix.max() < 0.41
    assert (matrix > 0).all()


def test_the_matrix_has_what_each_pair_loses_together() -> None:
    codes = TWELVE[:4]
    matrix = degradation_matrix(codes, QUICK, seed=3)
    for i, j in combinations_with_replacement(range(4), 2):
        first, second = truth([codes[i], codes[j]], QUICK, seed=3).degradation
        expected = ((first + second) / 2,) * 2 if i == j else (first, second)
        assert (matrix[i, j], matrix[j, i]) == expected


def test_groups_of_more_jobs_run_slower_for_each_of_them() -> None:
    codes = [find_shared_application(name) for name in ("GTC", "MG", "CG", "MILC")]
    same_width = replace(QUICK, ranks_per_socket=2)
    together = [truth(codes[:jobs], same_width).performance[0] for jobs in (1, 2, 3, 4)]
    assert together[0] == 1
    assert sorted(together, reverse=True) == together


def test_a_job_on_all_cores_disturbs_itself_as_two_halves_of_it_would() -> None:
    """The same law: a phase of twice the width asks for as much as two phases."""
    code = application((ApplicationPhase(10, 1.0, 0.5, 0.4, 0.6),))
    assert speed_on_all_cores(code, QUICK) == pytest.approx(
        float(truth([code] * 2, QUICK).performance[0])
    )


@pytest.mark.parametrize("seed", range(few(20)))
def test_sampled_applications_keep_to_their_ranges(seed: int) -> None:
    for code in synthetic_applications(20, seed):
        assert 0.5 * 37 < code.solo_s < 1.6 * 37
        assert 1 <= len(code.phases) <= 4
        assert 0.02 <= code.waiting_share <= 0.2
        for phase in code.phases:
            assert 0.4 < phase.ipc < 2
            assert 0 < phase.bandwidth_share < 0.82
            assert 0 < phase.stall_share < 0.67


def test_a_larger_sample_begins_with_the_smaller_one_and_seeds_differ() -> None:
    assert synthetic_applications(9, 1)[:4] == synthetic_applications(4, 1)
    assert synthetic_applications(4, 1) != synthetic_applications(4, 2)
    with pytest.raises(ValueError, match="count = -1; give 0 or more"):
        synthetic_applications(-1, 0)


def test_sampled_applications_span_the_twelve() -> None:
    sampled = synthetic_applications(400, 0)
    lengths = [phase.solo_ms for code in sampled for phase in code.phases]
    assert min(lengths) < 3 < 300 < max(lengths)
    loads = np.array([phase.bandwidth_share for code in sampled for phase in code.phases])
    assert loads.min() < 0.06
    assert loads.max() > 0.74


@pytest.mark.parametrize(
    ("numbers", "name"),
    [
        ((0, 1, 0.1, 0.1, 0.1), "solo_ms"),
        ((1, float("nan"), 0.1, 0.1, 0.1), "ipc"),
        ((1, 1, 1, 0.1, 0.1), "stall_share"),
        ((1, 1, 0.1, -0.1, 0.1), "bandwidth_share"),
        ((1, 1, 0, 0.1, 0.1), "bandwidth_share"),
        ((1, 1, 0.1, 0.1, -1), "llc_share"),
    ],
)
def test_a_phase_that_cannot_be_is_named(numbers: tuple[float, ...], name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} = .*; .*"):
        ApplicationPhase(*numbers)


def test_an_unknown_code_is_named_with_the_nearest_one() -> None:
    with pytest.raises(ValueError, match="did you mean 'MiniGhost'"):
        find_shared_application("Minighost")
