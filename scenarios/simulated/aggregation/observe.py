"""What can be measured on the simulated node, each with its scatter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scenarios.aggregation.task_layout import Core, Layout
from scenarios.aggregation.task_samples import Program, Sample
from scenarios.simulated.aggregation.codes import Code
from scenarios.simulated.aggregation.contention import state
from scenarios.simulated.aggregation.flows import ends_s
from scenarios.simulated.aggregation.hardware import Hardware
from scenarios.simulated.aggregation.partners import traffic
from scenarios.simulated.aggregation.power import node_power_w
from scenarios.simulated.aggregation.routes import Slots, flows_between, slots_of
from scenarios.simulated.aggregation.run import all_to_all_s
from scenarios.simulated.machine import Floats
from solvers.portable import exp


def sample(
    hardware: Hardware, family: str, code: Code, layout: Layout, rng: np.random.Generator
) -> Sample:
    """Count instructions and events of a computation phase under a layout."""
    seen = state(hardware, family, code, layout)
    draws = exp(rng.standard_normal(1 + len(seen.events)) * hardware.noise.ipc)
    spread = exp(rng.standard_normal(len(seen.events)) * hardware.noise.events)
    return Sample(
        ipc=float(seen.ipc * draws[0]),
        events=tuple(float(e * s) for e, s in zip(seen.events, spread, strict=True)),
    )


def metered_power_w(
    hardware: Hardware, family: str, code: Code, layout: Layout, rng: np.random.Generator
) -> float:
    """Meter a node during a computation phase."""
    power = node_power_w(hardware, state(hardware, family, code, layout), layout, computing=1.0)
    return float(power * exp(hardware.noise.power * rng.standard_normal()))


def profile(
    hardware: Hardware,
    family: str,
    code: Code,
    sampled: dict[int, Layout],
    rng: np.random.Generator,
) -> Program:
    """Run a code under the sampled layouts and record its counters and messages."""
    counted = exp(hardware.noise.instructions * rng.standard_normal())
    return Program(
        name=code.name,
        problem=code.problem,
        samples={key: sample(hardware, family, code, at, rng) for key, at in sampled.items()},
        instructions=float(code.instructions * counted),
        iterations=code.iterations,
        memory_gb=code.memory_gb,
        traffic=traffic(code),
    )


def ping_pong_s(
    hardware: Hardware,
    observed: tuple[Core, Core],
    noise: tuple[tuple[Core, Core], ...],
    sizes_b: Floats,
    rng: np.random.Generator,
) -> Floats:
    """Time of one message of each size between two cores while other pairs send all the time.

    Half a round trip, as ping-pong benchmarks print it; noise pairs send messages of the same
    size in both directions without a pause.
    """
    ends = [observed, *noise, *((b, a) for a, b in noise)]
    cores = sorted({core for pair in ends for core in pair})
    columns = np.array(cores).T
    slots = Slots(columns[0], columns[1], columns[2])
    source = np.array([cores.index(a) for a, _ in ends])
    target = np.array([cores.index(b) for _, b in ends])
    ones = np.ones(len(ends))
    times = []
    for size in sizes_b:
        flows = flows_between(
            hardware, slots, source, target, size * ones, ones, np.zeros(len(ends))
        )
        endless = flows.size_b.copy()
        endless[1:] = np.inf
        start = flows.start_s.copy()
        start[1:] = 0.0
        times.append(ends_s(replace(flows, start_s=start, size_b=endless))[0])
    scatter = exp(hardware.noise.ping_pong * rng.standard_normal(len(times)))
    measured: Floats = np.array(times) * scatter
    return measured


def exchange_s(
    hardware: Hardware, layout: Layout, tasks: int, sizes_b: Floats, rng: np.random.Generator
) -> Floats:
    """Time of an all-to-all exchange of all tasks by bytes to each other task."""
    slots = slots_of(layout, np.arange(tasks).reshape(-1, layout.tasks))
    entered = np.zeros(tasks)
    times = [all_to_all_s(hardware, slots, size, entered).max() for size in sizes_b]
    scatter = exp(hardware.noise.ping_pong * rng.standard_normal(len(times)))
    measured: Floats = np.array(times) * scatter
    return measured
