"""Figures of merit, watts and run times worked by hand."""

from __future__ import annotations

from typing import Any

import pytest

from planner.errors import PlanError
from planner.procurement.performance import (
    Partition,
    Running,
    clock_ratio,
    modes_of,
    partitions,
    reference_time_s,
    roofline,
    running,
)
from scenarios.model.node_types import NodeType
from scenarios.model.procurement import Reference, Roofline
from scenarios.model.scenario import Workload

REFERENCE = Reference(name="old", nodes=10, compute_rate=2.0, bandwidth_gb_s=4.0)
TABLE_TIME = {"kind": "table", "node_type": "a", "nodes": [2, 4, 8], "time_s": [60.0, 40.0, 25.0]}


def node(**changes: Any) -> NodeType:
    raw_scenario = {
        "name": "a",
        "kind": "cpu",
        "idle_w": 100.0,
        "peak_w": 500.0,
        "package_caps_w": [150.0, 200.0],
        "capped_packages": 2,
        "compute_rate": 8.0,
        "bandwidth_gb_s": 8.0,
    }
    return NodeType.model_validate(raw_scenario | changes)


def workload(performance: dict[str, Any], **changes: Any) -> Workload:
    return Workload.model_validate({"name": "w", "performance": performance} | changes)


def test_a_cap_takes_its_watts_off_every_capped_package() -> None:
    # peak 500 W holds two packages at 200 W: at 150 W each, 500 - 2 x (200 - 150) = 400 W
    assert [(m.cap_w, m.node_w) for m in modes_of(3, node())] == [(150.0, 400.0), (200.0, 500.0)]
    # packages default to the sockets, else one: 500 - 50 = 450 W
    single = modes_of(0, node(capped_packages=None))
    assert [m.node_w for m in single] == [450.0, 500.0]
    assert [(m.cap_w, m.node_w) for m in modes_of(0, node(package_caps_w=[]))] == [(None, 500.0)]


def test_caps_come_in_ascending_order_whatever_the_quote_lists() -> None:
    listed = node(package_caps_w=[200.0, 150.0, 200.0])
    assert [m.cap_w for m in modes_of(0, listed)] == [150.0, 200.0]


def test_the_clock_follows_the_watts_above_idle() -> None:
    # 100 + 0.5 x 400 r^2 = 150: r^2 = 50 / 200 = 0.25, r = 0.5
    assert clock_ratio(node(clock_exponent=2.0), 0.5, 150.0) == pytest.approx(0.5)
    # at full clock it draws 300 W: a cap of 300 W or more costs nothing
    assert clock_ratio(node(clock_exponent=3.0), 0.5, 125.0) == pytest.approx(0.5)
    assert clock_ratio(node(clock_exponent=2.0), 0.5, 300.0) == 1.0
    assert clock_ratio(node(clock_exponent=2.0), 0.5, 299.0) < 1.0
    assert clock_ratio(node(), 1.0, 100.0) == 0.0  # nothing above idle


def test_a_roofline_under_a_cap() -> None:
    # c = 0.5, R0/R = 2/8, B0/B = 4/8: 0.9 / (0.5 x 0.25 + 0.5 x 0.5) = 0.9 / 0.375 = 2.4
    # under 200 W: 100 + 400 r^2 = 200, r = 0.5: slowed by 1 / (0.5 / 0.5 + 0.5) = 2/3: 1.6
    raw_scenario = node(efficiency=0.9, clock_exponent=2.0)
    model = Roofline(kind="roofline", clock_bound=0.5)
    assert roofline(model, raw_scenario, REFERENCE, 500.0).merit == pytest.approx(2.4)
    capped = roofline(model, raw_scenario, REFERENCE, 200.0)
    assert capped.merit == pytest.approx(1.6)
    assert capped.drawn_w == 200.0


def test_what_does_not_reach_the_cap_draws_less() -> None:
    # u = 0.5: 100 + 0.5 x 400 = 300 W at full clock; under a cap of 250 W it draws the 250 W
    model = Roofline(kind="roofline", clock_bound=0.0, power_intensity=0.5)
    assert roofline(model, node(), REFERENCE, 500.0) == Running(2.0, 300.0)  # 1 / (4/8)
    assert roofline(model, node(), REFERENCE, 250.0) == Running(2.0, 250.0)  # no clock in it


def test_a_roofline_needs_rates_of_both_sides() -> None:
    model = Roofline(kind="roofline", clock_bound=0.5)
    with pytest.raises(PlanError, match="a roofline needs compute_rate and bandwidth_gb_s"):
        roofline(model, node(bandwidth_gb_s=None), REFERENCE, 500.0)
    stated = node(compute_rate=None, attributes={"clock_ghz": 2.6})
    with pytest.raises(PlanError, match=r"states clock_ghz = 2.6; cores and vector_bits give"):
        roofline(model, stated, REFERENCE, 500.0)
    with pytest.raises(PlanError, match=r"of \[reference\]"):
        roofline(model, node(), Reference(name="old", nodes=1), 500.0)


def test_a_table_by_cap() -> None:
    rows = [
        {"node_type": "a", "figure_of_merit": 30.0},  # no cap given: the largest
        {"node_type": "a", "cap_w": 150.0, "figure_of_merit": 25.0, "drawn_w": 350.0},
    ]
    table = workload({"kind": "table", "reference_figure_of_merit": 20.0, "rows": rows})
    low, high = modes_of(0, node())
    assert running(table, node(), high, REFERENCE) == Running(1.5, 500.0)
    assert running(table, node(), low, REFERENCE) == Running(1.25, 350.0)
    assert running(table, node(name="b"), high, REFERENCE) is None


@pytest.mark.parametrize(
    ("drawn_w", "message"),
    [
        (450.0, "drawn_w = 450 is above the 400 W that a node of 'a' may draw with cap_w = 150"),
        (501.0, "drawn_w = 501 is above peak_w = 500 of 'a'"),
        (99.0, "drawn_w = 99 is below idle_w = 100 of 'a'"),
    ],
)
def test_a_measured_draw_that_the_node_cannot_have_is_refused(drawn_w: float, message: str) -> None:
    rows = [{"node_type": "a", "cap_w": 150.0, "figure_of_merit": 25.0, "drawn_w": drawn_w}]
    table = workload({"kind": "table", "reference_figure_of_merit": 20.0, "rows": rows})
    with pytest.raises(PlanError, match=message):
        running(table, node(), modes_of(0, node())[0], REFERENCE)


def test_only_the_kinds_that_run_it() -> None:
    model = {"kind": "roofline", "clock_bound": 0.5}
    mode = modes_of(0, node())[-1]
    assert running(workload(model, kinds=["gpu"]), node(), mode, REFERENCE) is None
    assert running(workload(model, kinds=["cpu"]), node(), mode, REFERENCE) is not None
    assert running(workload(model), node(), mode, REFERENCE) is not None


def test_throughput_from_times_takes_the_partition_with_most_work_per_node() -> None:
    # reference: 100 s on 3 nodes = 300 node s; here 2 x 60 = 120, 4 x 40 = 160, 8 x 25 = 200
    # node s: 300 / 120 = 2.5 on two nodes
    times = {
        "kind": "times",
        "reference_time_s": 100.0,
        "reference_nodes": 3,
        "runs": [{"time": TABLE_TIME}],
    }
    low, high = modes_of(0, node())
    assert running(workload(times), node(), high, REFERENCE) == Running(2.5, 500.0)
    assert running(workload(times), node(), low, REFERENCE) is None
    # on 3 nodes the straight line gives 50 s: 300 / 150 = 2; 16 nodes were never measured
    admitted = workload(times | {"partitions": [3, 16]})
    assert running(admitted, node(), high, REFERENCE) == Running(2.0, 500.0)


def test_partitions_of_measured_times() -> None:
    times = {
        "kind": "times",
        "reference_time_s": 100.0,
        "runs": [{"cap_w": 150.0, "time": TABLE_TIME}],
        "partitions": [2, 3, 9],
    }
    climb = workload(times, rating="time_to_solution")
    modes = tuple(modes_of(0, node()))
    result = partitions(climb, (node(),), modes, REFERENCE)
    assert result == [Partition(0, 2, 60.0), Partition(0, 3, 50.0)]
    assert reference_time_s(climb) == 100.0


def test_partitions_of_a_roofline_follow_amdahl() -> None:
    # merit 1 / (0.5 x 0.25 + 0.5 x 0.5) = 8/3; on 4 nodes 0.2 + 0.8 / 4 = 0.4 of the time
    # 600 s x 0.4 / (8/3) = 90 s; on 1 node 600 / (8/3) = 225 s; reference on 4 nodes 240 s
    model = {
        "kind": "roofline",
        "clock_bound": 0.5,
        "reference_time_s": 600.0,
        "serial_fraction": 0.2,
        "partitions": [1, 4],
    }
    climb = workload(model, rating="time_to_solution")
    uncapped = tuple(modes_of(0, node(package_caps_w=[])))
    first, four = partitions(climb, (node(),), uncapped, REFERENCE)
    assert (first.nodes, four.nodes) == (1, 4)
    assert [first.time_s, four.time_s] == pytest.approx([225.0, 90.0])
    assert reference_time_s(climb) == pytest.approx(240.0)


def test_a_table_of_merits_has_no_time() -> None:
    rows = [{"node_type": "a", "figure_of_merit": 30.0}]
    table = workload({"kind": "table", "reference_figure_of_merit": 20.0, "rows": rows})
    with pytest.raises(PlanError, match="has no time to solution; give reference_time_s"):
        reference_time_s(table)
