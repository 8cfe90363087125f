"""Power and clock of a socket: performance states, leakage, and what a package cap leaves.

Every array has the states as its last axis, from the slowest (clock modulated at the lowest
frequency) to the fastest turbo frequency.

References
----------
Patki (2015), section 2.1, equations 2.1 and 2.2 for the parts of CPU power; section 3.2 for caps
and turbo; section 7.3.1 for variability.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scenarios.simulated.machine import Floats, SimulatedMachine
from solvers.portable import exp


@dataclass(frozen=True, eq=False)
class States:
    """Clock states of a socket: work per second, voltage squared times clock, leakage factor."""

    clock_ghz: Floats
    v2_ghz: Floats
    leakage: Floats


@cache
def states(machine: SimulatedMachine) -> States:
    """Return all states, slowest first: modulated clock, then the table of frequencies."""
    clock = machine.clock
    frequency = np.array(clock.frequency_ghz)
    voltage = np.array(clock.voltage_v)
    duty = np.arange(1, clock.duty_steps) / clock.duty_steps
    slow = duty * frequency[0]
    v = np.concatenate([np.full(duty.shape, voltage[0]), voltage])
    ghz = np.concatenate([slow, frequency])
    return States(ghz, v**2 * ghz, v * exp(machine.power.leakage_per_v * (v - 1)))


def highest_state(
    machine: SimulatedMachine, active: NDArray[np.int64], caps_w: Floats
) -> NDArray[np.int64]:
    """Index of the fastest state that is allowed; turbo only where no cap is set (3.2)."""
    turbo = np.array(machine.clock.turbo_ghz_by_active_cores)[active - 1]
    limit = np.where(caps_w >= machine.cap.tdp_w, turbo, machine.clock.base_frequency_ghz)
    clock = states(machine).clock_ghz
    return np.searchsorted(clock, limit + 1e-9, side="right").astype(np.int64) - 1


def package_power_w(
    machine: SimulatedMachine, active: NDArray[np.int64], dynamic_w: Floats, leakage_factor: Floats
) -> Floats:
    """Power of a socket in every state [W].

    Leakage grows linearly with the package's temperature, which grows with its power: solved
    for the power.

    Parameters
    ----------
    active
        Cores that are awake, shape ``(configurations,)``.
    dynamic_w
        Switching power in every state, shape ``(configurations, 1, states)``.
    leakage_factor
        Leakage factor of every socket, shape ``(configurations, sockets)``.

    Returns
    -------
    Floats
        Shape ``(configurations, sockets, states)``.
    """
    power = machine.power
    awake = active / len(machine.clock.turbo_ghz_by_active_cores)
    gate = power.gated_share + (1 - power.gated_share) * awake
    leak = power.leakage_w * gate[:, None, None] * leakage_factor[:, :, None]
    leak = leak * states(machine).leakage
    cold = 1 + power.leakage_per_k * (power.coolant_c - power.reference_c)
    feedback = 1 - leak * power.leakage_per_k * power.resistance_k_per_w
    result: Floats = (dynamic_w + leak * cold) / feedback
    return result


@dataclass(frozen=True, eq=False)
class CapThrottle:
    """Where a cap holds a socket: between the states ``low`` and ``high``, and how far."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    share: Floats

    def of(self, values: Floats) -> Floats:
        """Time average of something that each state has, shape ``(..., states)``."""
        low = np.take_along_axis(values, self.low[..., None], axis=-1)[..., 0]
        high = np.take_along_axis(values, self.high[..., None], axis=-1)[..., 0]
        return low + self.share * (high - low)


def throttle(
    machine: SimulatedMachine, power_w: Floats, caps_w: Floats, highest: NDArray[np.int64]
) -> CapThrottle:
    """Mix of two neighbouring states whose mean power meets the cap, or the fastest allowed one.

    Where even the slowest state draws more than the cap, it is the slowest state: the cap is
    then broken, as on the real machine.

    Parameters
    ----------
    power_w
        Shape ``(configurations, sockets, states)``.
    caps_w
        Package cap of each socket, shape ``(configurations, sockets)``.
    highest
        Shape ``(configurations, sockets)``.
    """
    uncapped = caps_w >= machine.cap.tdp_w
    target = np.where(uncapped, caps_w, caps_w * machine.cap.utilisation)
    fits = (power_w <= target[..., None]).sum(axis=-1) - 1
    low = np.clip(fits, 0, highest)
    high = np.minimum(low + 1, highest)
    at_low = np.take_along_axis(power_w, low[..., None], axis=-1)[..., 0]
    at_high = np.take_along_axis(power_w, high[..., None], axis=-1)[..., 0]
    rise = np.where(high > low, at_high - at_low, 1.0)
    share = np.where(high > low, (target - at_low) / rise, 0.0)
    return CapThrottle(low, high, np.clip(share, 0.0, 1.0))
