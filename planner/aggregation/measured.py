"""Training on the simulated node: what is measured there, and the predictor made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from planner.aggregation.communication import Tables, Times, measured_tables
from planner.aggregation.patterns import Pattern, patterns, sampled
from planner.aggregation.placements import Nearness, nearness
from planner.errors import InputError
from scenarios.aggregation import ExchangeTime, MessageTime, NodeMeasurements, TrainingRun
from scenarios.aggregation.task_layout import Core, Layout
from scenarios.aggregation.task_samples import EVENTS, Program
from scenarios.simulated.aggregation import (
    Code,
    Hardware,
    exchange_s,
    metered_power_w,
    npb_code,
    ping_pong_s,
    profile,
    sample,
    training_codes,
)

Floats = NDArray[np.float64]


def streams(seed: int) -> list[np.random.Generator]:
    """Scatter of counters, of messages and of the power meter."""
    return np.random.default_rng([seed, 1]).spawn(3)


def training_runs(
    hardware: Hardware,
    family: str,
    seed: int,
    offered: tuple[Pattern, ...],
    counted: np.random.Generator,
    meter: np.random.Generator,
) -> tuple[TrainingRun, ...]:
    """Training codes under every pattern."""
    runs = []
    for code in training_codes(seed):
        for pattern in offered:
            seen = sample(hardware, family, code, pattern.layout, counted)
            power_w = metered_power_w(hardware, family, code, pattern.layout, meter)
            runs.append(
                TrainingRun(code.name, code.problem, pattern.id, seen.ipc, seen.events, power_w)
            )
    return tuple(runs)


def gathered(hardware: Hardware, family: str, name: str, tasks: int, seed: int) -> NodeMeasurements:
    """All measurements that a choice for a test code is made of, as `trained` has them.

    Raises
    ------
    InputError
        No such code, or tasks that it cannot have.
    """
    try:
        code = npb_code(name, tasks, seed)
    except ValueError as error:
        raise InputError(str(error)) from None
    offered = patterns(hardware.layout)
    counted, messages, meter = streams(seed)
    known = tables(hardware, offered, tasks, messages)
    return NodeMeasurements(
        folder="",
        source=f"simulated node (contention law: {family}), seed {seed}",
        node=hardware.layout,
        clock_ghz=hardware.clock_ghz,
        memory_gb=hardware.memory_gb,
        events=EVENTS,
        program=profiled(hardware, family, code, seed),
        training=training_runs(hardware, family, seed, offered, counted, meter),
        messages=message_times(known, offered),
        exchanges=tuple(
            ExchangeTime(pattern.id, float(size), float(time))
            for pattern in offered
            if pattern.layout in known.exchange
            for size, time in _points(known.exchange[pattern.layout])
        )
        if code.pattern == "all"
        else (),
        law=family,
    )


def message_times(known: Tables, offered: tuple[Pattern, ...]) -> tuple[MessageTime, ...]:
    """Rows of tables: lone messages, then those under each noise."""
    ids = {pattern.layout: pattern.id for pattern in offered}
    rows = [
        MessageTime(None, "", kind, float(size), float(time))
        for kind, times in known.alone.items()
        for size, time in _points(times)
    ]
    seen: Counter[tuple[int, Nearness]] = Counter()
    for entry in known.entries:
        key = ids[entry.layout], nearness(entry.placement.observed)
        seen[key] += 1
        rows += [
            MessageTime(key[0], f"{seen[key]}", key[1], float(size), float(time))
            for size, time in _points(entry.times)
        ]
    return tuple(rows)


def _points(times: Times) -> Iterator[tuple[float, float]]:
    return zip(times.sizes_b.tolist(), times.times_s.tolist(), strict=True)


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
    wanted = sampled(hardware.layout)
    under = {p.id: p.layout for p in patterns(hardware.layout) if p.id in wanted}
    own = crc32(f"{family} {code.name} {code.tasks}".encode())
    return profile(hardware, family, code, under, np.random.default_rng([seed, 2, own]))
