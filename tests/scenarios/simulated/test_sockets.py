from __future__ import annotations

import numpy as np
import pytest

from scenarios.simulated.machine import load_machine
from scenarios.simulated.sockets import highest_state, package_power_w, states, throttle

MACHINE = load_machine()
LAST = len(states(MACHINE).clock_ghz) - 1


def test_states_are_seven_eighths_of_the_lowest_clock_and_then_the_table() -> None:
    clock = states(MACHINE).clock_ghz
    assert clock[:7] == pytest.approx(1.2 * np.arange(1, 8) / 8)
    assert clock[7:] == pytest.approx(np.arange(12, 34) / 10)
    # 1.2 GHz at 0.80 V: 0.64 V^2 times 1.2; half the time, half of it
    assert states(MACHINE).v2_ghz[7] == pytest.approx(0.768)
    assert states(MACHINE).v2_ghz[3] == pytest.approx(0.384)


def test_turbo_is_on_at_115_w_only_and_slows_with_the_active_cores() -> None:
    active = np.array([1, 2, 4, 7, 8, 1, 8])
    caps = np.array([115.0, 115, 115, 115, 115, 114.9, 51])
    clock = states(MACHINE).clock_ghz[highest_state(MACHINE, active, caps)]
    assert clock.tolist() == pytest.approx([3.3, 3.3, 3.2, 3.0, 3.0, 2.6, 2.6])


def ladder(*watts: float) -> np.ndarray:
    return np.array(watts)[None, None, :]


def held(cap_w: float, highest: int = 2) -> tuple[float, float]:
    """Mean clock and power of states of 1, 2 and 3 GHz that draw 20, 40 and 80 W."""
    power = ladder(20, 40, 80)
    result = throttle(MACHINE, power, np.array([[cap_w]]), np.array([[highest]]))
    return float(result.of(ladder(1, 2, 3))[0, 0]), float(result.of(power)[0, 0])


def test_a_cap_is_met_by_the_mix_of_two_neighbouring_states() -> None:
    u = MACHINE.cap.utilisation
    # 50 W lie a quarter of the way from 40 to 80 W, 30 W half way from 20 to 40 W
    assert held(50 / u) == pytest.approx((2.25, 50))
    assert held(30 / u) == pytest.approx((1.5, 30))
    assert held(40 / u + 1e-9) == pytest.approx((2, 40))


def test_no_state_above_the_highest_allowed_is_used() -> None:
    assert held(100, highest=1) == (2, 40)
    assert held(115) == (3, 80)


def test_a_cap_below_the_slowest_state_is_broken_at_that_state() -> None:
    assert held(10) == (1, 20)


def test_power_solves_the_loop_of_leakage_and_temperature() -> None:
    power = MACHINE.power
    dynamic = np.linspace(5, 60, LAST + 1)[None, None, :]
    result = package_power_w(MACHINE, np.array([6]), dynamic, np.array([[1.3]]))[0, 0]
    gate = power.gated_share + (1 - power.gated_share) * 6 / 8
    at_60_c = power.leakage_w * gate * 1.3 * states(MACHINE).leakage
    watts = np.zeros(LAST + 1)
    for _ in range(200):  # the loop played out step by step
        celsius = power.coolant_c + power.resistance_k_per_w * watts
        leak = at_60_c * (1 + power.leakage_per_k * (celsius - power.reference_c))
        watts = dynamic[0, 0] + leak
    assert result == pytest.approx(watts)


def test_a_faster_state_and_a_leakier_socket_draw_more() -> None:
    dynamic = (20 * states(MACHINE).v2_ghz)[None, None, :]
    result = package_power_w(MACHINE, np.array([8]), dynamic, np.array([[0.8, 1.0, 1.2]]))
    assert (np.diff(result, axis=2) > 0).all()
    assert (np.diff(result, axis=1) > 0).all()


@pytest.mark.parametrize("table", ["frequency_ghz", "voltage_v"])
def test_tables_of_states_rise(table: str) -> None:
    assert (np.diff(getattr(MACHINE.clock, table)) > 0).all()
