"""The simulated node: laws, messages, runs and what is measured of them."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scenarios.aggregation.task_layout import Core, Layout
from scenarios.simulated.aggregation import (
    FAMILIES,
    HELD_OUT,
    TEST_CODES,
    exchange_s,
    load_hardware,
    npb_code,
    ping_pong_s,
    profile,
    sample,
    training_codes,
    truth,
)
from scenarios.simulated.aggregation.contention import _response, state
from scenarios.simulated.aggregation.partners import traffic
from scenarios.simulated.aggregation.power import node_power_w
from scenarios.simulated.aggregation.routes import flows_between, slots_of

HARDWARE = load_hardware()
ALONE, FULL = Layout(1, 1, 1), Layout(2, 2, 2)
QUIET = replace(
    HARDWARE,
    noise=replace(
        HARDWARE.noise, ipc=0.0, events=0.0, instructions=0.0, ping_pong=0.0, imbalance=0.0
    ),
)


def test_response_of_a_closed_queue_by_hand() -> None:
    # one customer waits for nobody: 10; two: 10 * (1 + 10 / (30 + 10)) = 12.5;
    # with three, two of them wait 2 * 12.5 / 42.5 on average
    assert _response(1, 30, 10) == 10
    assert _response(2, 30, 10) == 12.5
    assert _response(3, 30, 10) == pytest.approx(10 + 250 / 42.5)


@pytest.mark.parametrize("family", [*FAMILIES, HELD_OUT])
@pytest.mark.parametrize("name", TEST_CODES)
def test_a_full_node_is_no_faster_than_a_lone_task_without_shared_data(
    family: str, name: str
) -> None:
    code = replace(npb_code(name), shared=0.0)
    assert state(HARDWARE, family, code, FULL).ipc <= state(HARDWARE, family, code, ALONE).ipc


@pytest.mark.parametrize("family", [*FAMILIES, HELD_OUT])
def test_no_layout_draws_more_bandwidth_than_the_node_has(family: str) -> None:
    for code in training_codes(3):
        for layout in (ALONE, Layout(1, 2, 2), FULL):
            seen = state(HARDWARE, family, code, layout)
            if family != "queue":  # whose station serves in-flight requests of its own
                most = HARDWARE.memory.node_gb_s
                if family == HELD_OUT:  # a controller for each socket
                    most = layout.processors * HARDWARE.memory.bus_gb_s
                assert layout.tasks * seen.memory_gb_s <= most * (1 + 1e-9)
            fastest = 1 + 1 / 21 if family == HELD_OUT else 1.0
            assert 0 < seen.ipc <= fastest / code.core_cpi * (1 + 1e-9)


def test_shared_data_can_make_two_tasks_on_a_die_faster() -> None:
    code = replace(npb_code("bt"), shared=0.9)
    pair = state(HARDWARE, "cliff", code, Layout(1, 1, 2)).ipc
    assert pair > state(HARDWARE, "cliff", code, ALONE).ipc


def test_the_clock_falls_in_whole_steps() -> None:
    # no misses, no port: cycles per instruction over the clock; 4 x 0.96 / 1.9 = 2.02: two bins
    code = replace(npb_code("lu"), misses_least=1e-12, misses_most=1e-12, heat=0.96)
    code = replace(code, l2_per_instruction=1e-9)
    ratio = [
        state(HARDWARE, "queue", code, layout).ipc * code.core_cpi
        for layout in (ALONE, Layout(2, 1, 1), Layout(1, 2, 1), Layout(1, 2, 2))
    ]
    assert ratio == pytest.approx([1, 1, 1 - 1 / 21, 1 - 2 / 21])


def test_rows_and_clock_of_a_socket_by_hand() -> None:
    # no misses: cycles over the clock, one bin above the nominal alone, a third of it per idle core
    code = replace(npb_code("lu"), misses_least=1e-12, misses_most=1e-12)
    ratio = [
        state(HARDWARE, HELD_OUT, code, layout).ipc * code.core_cpi
        for layout in (ALONE, Layout(2, 1, 1), Layout(1, 2, 1), Layout(2, 2, 2))
    ]
    assert ratio == pytest.approx([1 + 1 / 21, 1 + 1 / 21, 1 + 2 / 63, 1])
    # 0.001 misses of 250 / 4 cycles, 4 / 7 of the rows open: 0.45 + 0.0625 x (1 + 0.6 x 3 / 7);
    # the roof, 4 x 0.001 x 83.2 B x 2.8 GHz of 8.5 x 0.85 GB/s = 0.129 cycles, adds 2e-5
    seen = replace(npb_code("lu"), misses_least=1e-3, misses_most=1e-3)
    assert 1 / state(HARDWARE, HELD_OUT, seen, FULL).ipc == pytest.approx(0.52859, abs=1e-6)


def test_power_of_a_node_by_hand() -> None:
    # 180 + 2 x 8 + 4 x 4 + 8 x [0.75 x 9 x (0.5 + 0.5 x 0.6) + 0.25 x 9 x 0.75]
    # + 1.5 x 0.75 x 0.5 x 8 = 212 + 8 x (5.4 + 1.6875) + 4.5 = 273.2
    seen = state(HARDWARE, "cliff", npb_code("lu"), FULL)._replace(ipc=1.2, memory_gb_s=0.5)
    assert node_power_w(HARDWARE, seen, FULL, 0.75) == pytest.approx(273.2)


def test_partners_of_each_pattern() -> None:
    # a grid of 4 x 4: 24 edges both ways; a torus of 4 x 2 x 2: 16 + 8 + 8 edges; side 4:
    # two neighbours each and twelve that are not their own transpose
    pairs = {name: traffic(npb_code(name)) for name in ("bt", "mg", "cg")}
    result = {
        name: len(set(zip(pair.source.tolist(), pair.target.tolist(), strict=True)))
        for name, pair in pairs.items()
    }
    assert result == {"bt": 48, "mg": 64, "cg": 32 + 12}
    for item in pairs.values():
        assert (item.source != item.target).all()
        both = set(zip(item.source.tolist(), item.target.tolist(), strict=True))
        assert both == {(b, a) for a, b in both}


def test_seats_fill_dies_then_processors() -> None:
    groups = np.array([[3, 1, 0, 2], [4, 5, 6, 7]])
    result = slots_of(Layout(2, 1, 2), groups)
    assert result.node.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    assert result.processor.tolist() == [1, 0, 1, 0, 0, 0, 1, 1]
    with pytest.raises(ValueError, match="exactly once"):
        slots_of(Layout(1, 1, 2), np.array([[0, 0]]))
    with pytest.raises(ValueError, match=r"give \(nodes, 2\)"):
        slots_of(Layout(1, 1, 2), np.array([[0, 1, 2]]))


def test_ping_pong_without_noise_by_hand() -> None:
    rng = np.random.default_rng(0)
    sizes = np.array([1e3, 4e6])
    die = ping_pong_s(QUIET, (Core(0, 0, 0), Core(0, 0, 0)), (), sizes, rng)
    assert die == pytest.approx([0.45e-6 + 1e3 / 4.5e9, 0.45e-6 + 4e6 / 1.6e9])
    far = ping_pong_s(QUIET, (Core(0, 0, 0), Core(1, 0, 0)), (), sizes, rng)
    assert far == pytest.approx(2.4e-6 + sizes / 2.6e9)


def test_messages_that_follow_each_other_pay_their_latencies() -> None:
    slots = slots_of(Layout(1, 2, 1), np.array([[0, 1], [2, 3]]))
    ends = np.array([0, 0]), np.array([1, 2])
    size, count = np.array([1e3, 1e3]), np.array([5.0, 3.0])
    result = flows_between(HARDWARE, slots, *ends, size, count, np.array([1.0, 2.0]))
    assert result.start_s == pytest.approx([1 + 5 * 0.8e-6, 2 + 3 * 2.4e-6])
    assert result.size_b.tolist() == [5e3, 3e3]


def test_short_messages_are_faster_within_a_node_and_long_ones_between_nodes() -> None:
    # figure 3
    rng = np.random.default_rng(0)
    sizes = np.array([64.0, 4e6])
    near = ping_pong_s(QUIET, (Core(0, 0, 0), Core(0, 1, 0)), (), sizes, rng)
    far = ping_pong_s(QUIET, (Core(0, 0, 0), Core(1, 0, 0)), (), sizes, rng)
    assert near[0] < far[0]
    assert near[1] > far[1]


def test_noise_slows_a_message_more_the_nearer_it_is() -> None:
    # figure 4: a pair of another processor disturbs less than one on the same bus
    rng = np.random.default_rng(0)
    pair = (Core(0, 0, 0), Core(0, 0, 1))
    sizes = np.array([4e6])
    alone, near, far = (
        ping_pong_s(QUIET, pair, noise, sizes, rng)[0]
        for noise in ((), ((pair[0], pair[1]),), ((Core(0, 1, 0), Core(0, 1, 1)),))
    )
    assert alone <= far < near


def test_an_exchange_of_all_takes_longer_with_more_tasks_on_a_card() -> None:
    rng = np.random.default_rng(0)
    times = [
        exchange_s(QUIET, layout, 16, np.array([1e6]), rng)[0]
        for layout in (ALONE, Layout(2, 1, 1), Layout(2, 2, 1), FULL)
    ]
    assert times == sorted(times)
    # alone: 15 MB through a card of 2.9 GB/s and the latency
    assert times[0] == pytest.approx(2.4e-6 + 15e6 / 2.9e9)


def test_a_run_whose_messages_are_hidden_takes_its_computation() -> None:
    code = replace(npb_code("bt"), overlap=1.0, messages=((1e3, 1.0),))
    ran = truth(QUIET, "cliff", code, ALONE, np.arange(16)[:, None], seed=0)
    assert ran.communication_s == pytest.approx(0, abs=1e-12)
    assert ran.compute_s == pytest.approx(code.instructions / (ran.ipc * 2.8e9))
    assert ran.energy_j == pytest.approx(16 * ran.node_power_w * 250 * ran.compute_s)


def test_overlap_hides_communication() -> None:
    groups = np.arange(16).reshape(4, 4)
    seen, half = (
        truth(QUIET, "cliff", replace(npb_code("sp"), overlap=o), Layout(2, 2, 1), groups, 0)
        for o in (0.0, 0.5)
    )
    assert half.communication_s < 0.7 * seen.communication_s


def test_memory_of_a_node_bounds_its_tasks() -> None:
    with pytest.raises(ValueError, match=r"8 tasks of 1\.3 GB do not fit into a node of 8 GB"):
        truth(HARDWARE, "cliff", npb_code("bt"), FULL, np.arange(16).reshape(2, 8), seed=0)
    feasible = [name for name in TEST_CODES if 8 * npb_code(name).memory_gb <= 8]
    assert feasible == ["lu"]


def test_strong_scaling_shrinks_a_task() -> None:
    small, large = npb_code("lu", 16), npb_code("lu", 128)
    assert large.working_set_mb == pytest.approx(small.working_set_mb / 8)
    assert large.instructions == pytest.approx(small.instructions / 8)
    assert large.messages[0] == small.messages[0]
    assert large.messages[1][0] == pytest.approx(small.messages[1][0] / 4)


def test_what_is_measured_scatters_and_repeats_by_seed() -> None:
    def seen(seed: int) -> tuple[float, ...]:
        drawn = sample(HARDWARE, "queue", npb_code("cg"), FULL, np.random.default_rng(seed))
        return (drawn.ipc, *drawn.events)

    assert seen(1) == seen(1)
    assert seen(1) != seen(2)
    exact = state(HARDWARE, "queue", npb_code("cg"), FULL)
    assert seen(1) == pytest.approx((exact.ipc, *exact.events), rel=0.06)
    known = profile(QUIET, "cliff", npb_code("ft"), {4: FULL}, np.random.default_rng(0))
    assert known.instructions == npb_code("ft").instructions
    assert known.samples[4].ipc == state(HARDWARE, "cliff", npb_code("ft"), FULL).ipc


def test_training_and_test_codes_are_apart() -> None:
    drawn = training_codes(0)
    assert len(drawn) == 48
    assert len({code.name for code in drawn}) == 12
    assert not {code.name for code in drawn} & set(TEST_CODES)
    assert drawn == training_codes(0) != training_codes(1)
    assert npb_code("lu", seed=1) != npb_code("lu", seed=2) != npb_code("lu")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: npb_code("lu.D"), "did you mean 'lu'"),
        (lambda: npb_code("lu", 12), "power of two"),
        (lambda: state(HARDWARE, "clif", npb_code("lu"), ALONE), "no family of contention"),
        (lambda: state(HARDWARE, "cliff", npb_code("lu"), Layout(3, 1, 1)), "processors = 3"),
    ],
)
def test_bad_requests_say_what_to_give(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]


def test_who_predicts_or_chooses_imports_no_law() -> None:
    root = Path(__file__).parents[4]
    for path in (root / "planner" / "aggregation").glob("*.py"):
        if path.stem in {"truths", "measured"}:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("scenarios.simulated"), path
