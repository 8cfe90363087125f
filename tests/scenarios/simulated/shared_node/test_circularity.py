"""Counters do not give the truth by construction: polling, phases, refill and noise lie between.

With all of them switched off the ratio of IPC is the ratio of speeds, as equation 6 says. Each one
alone then moves an estimate away from the truth.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scenarios.simulated.shared_node.applications import ApplicationPhase, SharedApplication
from scenarios.simulated.shared_node.play import ShutterSchedule, ShutterWindows, play
from scenarios.simulated.shared_node.settings import NodeSettings
from scenarios.simulated.shared_node.truth import truth
from tests.scenarios.simulated.shared_node.cases import EXACT, application

HEAVY = ApplicationPhase(900.0, 0.8, 0.5, 0.6, 1.0)


def unfiltered(measured: ShutterWindows, job: int) -> float:
    """Equations 7 and 8 over all blocks of a job."""
    rows = measured.shuttered == job
    ipc = (measured.instructions / measured.cycles)[rows, :, :, job].mean(axis=2)
    return float(0.5 * (ipc[:, 0].mean() + ipc[:, 2].mean()) / ipc[:, 1].mean())


def error(
    code: SharedApplication, settings: NodeSettings = EXACT, length_us: float = 3200.0
) -> float:
    """Estimate minus truth of a pair of one code."""
    settings = replace(settings, iterations=1)
    measured = play([code, code], ShutterSchedule(length_us), settings)
    return unfiltered(measured, 0) - float(truth([code, code], settings).performance[0])


def test_without_all_of_them_the_ratio_of_ipc_is_exact() -> None:
    assert error(application((HEAVY,), 40)) == pytest.approx(0, abs=1e-9)


def test_polling_hides_interference() -> None:
    assert error(application((HEAVY,), 40, waiting=0.15, imbalance=0.5)) > 0.02


def test_uneven_ranks_hide_interference() -> None:
    assert error(application((HEAVY,), 40), replace(EXACT, uneven_share=0.1)) > 0.02


def test_refill_hides_interference_in_short_windows_more_than_in_long_ones() -> None:
    settings, code = replace(EXACT, refill=True), application((HEAVY,), 40)
    short, long = error(code, settings, 200), error(code, settings, 12_800)
    assert short > 0.01
    assert 0 < long < 0.3 * short


def test_phases_of_the_length_of_a_window_mislead_algorithm_4() -> None:
    """The filter keeps blocks whose middle window holds the phase with the higher IPC."""
    phases = (ApplicationPhase(3.0, 1.3, 0.2, 0.2, 0.4), ApplicationPhase(3.0, 0.9, 0.4, 0.4, 0.4))
    code = application(phases, 3000, spread=0.06)
    settings = replace(EXACT, iterations=1)
    measured = play([code, code], None, settings)
    rows = measured.shuttered == 0
    before, during, after = (measured.instructions / measured.cycles)[rows, :, 0, 0].T
    remaining = (np.abs(before - after) < 0.05) & (before < during) & (after < during)
    filtered = 0.5 * (before + after)[remaining].sum() / during[remaining].sum()
    true = float(truth([code, code], settings).performance[0])
    assert filtered < true - 0.03
    assert abs(unfiltered(measured, 0) - true) < 0.02
