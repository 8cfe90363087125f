"""Training on the simulated node: what is measured there, and the predictor made of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from planner.aggregation.communication import Tables, measured_tables
from planner.aggregation.grouping import Group, Objective
from planner.aggregation.ipc import Phase, Tried, chosen_setting, fit
from planner.aggregation.patterns import SAMPLES, Pattern, patterns
from planner.aggregation.power import Metered, fit_power
from planner.aggregation.selection import Predictor
from scenarios.simulated.aggregation import (
    Code,
    Hardware,
    exchange_s,
    metered_power_w,
    ping_pong_s,
    profile,
    sample,
    training_codes,
)
from scenarios.task_layout import Core, Layout
from scenarios.task_samples import Program

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Trained:
    """Two predictors from the same measurements, with their errors on left-out training codes.

    Attributes
    ----------
    classes, setting
        With a model of IPC for each class, as in the paper, and what it was fitted with.
    single, single_setting
        With one model for all classes.
    """

    classes: Predictor
    setting: Tried
    single: Predictor
    single_setting: Tried


def trained(
    hardware: Hardware,
    family: str,
    seed: int,
    group: Group,
    *,
    tasks: int = 16,
    objective: Objective = "paper",
) -> Trained:
    """Measure training codes, messages and power, and fit.

    Parameters
    ----------
    family
        Hidden law of contention.
    seed
        Of the training codes and of all scatter.
    group, objective
        Partition function, and the weights that it is given.
    tasks
        Tasks of the programs to come: exchanges of all are measured with so many.
    """
    offered = patterns(hardware.layout)
    counted, messages, meter = np.random.default_rng([seed, 1]).spawn(3)
    found = phases(hardware, family, seed, offered, counted)
    setting, *_ = chosen_setting(found)
    single_setting, *_ = chosen_setting(found, classes=False)
    power = [
        Metered(p.layout, phase.ipc[p.id], metered_power_w(hardware, family, code, p.layout, meter))
        for code, phase in zip(training_codes(seed), found, strict=True)
        for p in offered
    ]
    classes = Predictor(
        ipc=fit(found, setting.setting),
        power=fit_power(power),
        tables=tables(hardware, offered, tasks, messages),
        group=group,
        clock_ghz=hardware.clock_ghz,
        memory_gb=hardware.memory_gb,
        objective=objective,
    )
    single = replace(classes, ipc=fit(found, single_setting.setting))
    return Trained(classes, setting, single, single_setting)


def phases(
    hardware: Hardware,
    family: str,
    seed: int,
    offered: tuple[Pattern, ...],
    rng: np.random.Generator,
) -> tuple[Phase, ...]:
    """Training codes under every pattern."""
    found = []
    for code in training_codes(seed):
        seen = {p.id: sample(hardware, family, code, p.layout, rng) for p in offered}
        found.append(
            Phase(
                code.name,
                tuple(seen[s] for s in SAMPLES),
                {key: counters.ipc for key, counters in seen.items()},
            )
        )
    return tuple(found)


def tables(
    hardware: Hardware, offered: tuple[Pattern, ...], tasks: int, rng: np.random.Generator
) -> Tables:
    """Message times of all patterns, measured with their scatter."""

    def ping_pong(
        observed: tuple[Core, Core], noise: tuple[tuple[Core, Core], ...], sizes_b: Floats
    ) -> Floats:
        return ping_pong_s(hardware, observed, noise, sizes_b, rng)

    def exchange(layout: Layout, tasks: int, sizes_b: Floats) -> Floats:
        return exchange_s(hardware, layout, tasks, sizes_b, rng)

    return measured_tables([p.layout for p in offered], hardware.layout, tasks, ping_pong, exchange)


def profiled(hardware: Hardware, family: str, code: Code, seed: int) -> Program:
    """A code to be placed: its counters under the sampled patterns and its messages."""
    sampled = {p.id: p.layout for p in patterns(hardware.layout) if p.id in SAMPLES}
    own = crc32(f"{family} {code.name} {code.tasks}".encode())
    return profile(hardware, family, code, sampled, np.random.default_rng([seed, 2, own]))
