"""Configurations by Traditional, Naive and Adaptive, against the thesis and by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from planner.configurations.table import Configuration
from planner.errors import InputError
from planner.scheduling.slurm.decision import (
    SlurmChoice,
    SlurmRequest,
    adapt,
    application_of,
    decide,
)
from planner.scheduling.slurm.export import SlurmExport, charge_w
from tests.planner.scheduling.slurm.exports import C1, C2, C3, random_export, table_5_2

REQUEST = SlurmRequest("sp", 6, 8)  # 450 s are 8 of Slurm's minutes


def test_table_5_2_by_all_three_policies() -> None:
    assert table_5_2().fair_share_w(6) == 800  # 6 of 15 nodes, 2,000 W
    assert decide(table_5_2("traditional"), REQUEST) == SlurmChoice(C1, 8)
    assert decide(table_5_2("naive"), REQUEST) == SlurmChoice(C2, 8)
    assert adapt(table_5_2(), REQUEST, available_w=750, free_nodes=10) == SlurmChoice(C3, 8)
    assert [charge_w(row) for row in (C1, C2, C3)] == [797, 784, 739]


def test_adaptive_waits_as_naive_where_the_share_is_free_or_nothing_gains() -> None:
    assert adapt(table_5_2(), REQUEST, 800, 10) is None  # the share is free: Naive
    assert adapt(table_5_2(), REQUEST, 738, 10) is None  # C3 needs 738.2 W
    assert adapt(table_5_2(), REQUEST, 750, 7) is None  # C3 needs 8 nodes
    assert adapt(table_5_2(), replace(REQUEST, minutes=7), 750, 10) is None  # 439.2 s > 420 s


def test_the_threshold_lets_a_job_take_longer_and_gives_it_the_time() -> None:
    late = replace(REQUEST, minutes=7)  # 1.04 x 420 s = 436.8 s < 439.2 s < 1.05 x 420 s = 441 s
    assert adapt(table_5_2(threshold=0.04), late, 750, 10) is None
    assert adapt(table_5_2(threshold=0.05), late, 750, 10) == SlurmChoice(C3, 8)


def test_naive_extends_the_limit_to_the_expected_time_and_never_shortens_it() -> None:
    assert decide(table_5_2("naive"), replace(REQUEST, minutes=1)) == SlurmChoice(C2, 7)  # 415.3 s
    assert decide(table_5_2("naive"), replace(REQUEST, minutes=9)) == SlurmChoice(C2, 9)


def test_a_share_below_the_cheapest_is_refused_or_raised_and_named() -> None:
    small = replace(REQUEST, nodes=5)  # 666.7 W, and C3 needs 738.2 W
    assert decide(table_5_2("naive"), small) == "below the cheapest"
    raised = replace(table_5_2("naive"), fallback="cheapest")
    assert decide(raised, small) == SlurmChoice(C3, 8, "raised")
    tight = replace(raised, bound_w=700.0)
    assert decide(tight, REQUEST) == "above the bound"


def test_traditional_truncates_to_the_most_nodes_within_the_bound() -> None:
    rows = [Configuration(n, 16, 115.0, 100.0, 150.0 * n) for n in (4, 8, 12, 16)]
    rows.append(Configuration(16, 16, 51.0, 100.0, 16.0))  # a lower cap is not full power
    export = SlurmExport("c", 16, 16, 1900.0, {"lu": rows}, "traditional")
    assert decide(export, SlurmRequest("lu", 16, 5)) == SlurmChoice(
        rows[2], 5, "truncated"
    )  # 1,800 W
    assert decide(export, SlurmRequest("lu", 8, 5)) == SlurmChoice(rows[1], 5)
    assert decide(export, SlurmRequest("lu", 10, 5)) == "not measured"
    assert decide(export, SlurmRequest("lu", 17, 5)) == "too many nodes"
    assert decide(replace(export, bound_w=599.9), SlurmRequest("lu", 4, 5)) == "above the bound"


def test_whole_watts_keep_the_bound() -> None:
    row = Configuration(1, 16, 115.0, 60.0, 99.5)
    export = SlurmExport("c", 1, 16, 99.9, {"lu": [row]})
    assert export.licences == 99
    assert decide(export, SlurmRequest("lu", 1, 1)) == "below the cheapest"  # 99.5 W charge 100
    assert decide(replace(export, bound_w=100.0), SlurmRequest("lu", 1, 1)) == SlurmChoice(row, 1)


def test_equal_times_are_decided_by_power_then_nodes_cores_and_cap() -> None:
    fast = Configuration(2, 8, 80.0, 100.0, 300.0)
    export = SlurmExport("c", 4, 16, 1600.0, {"lu": [
        fast, replace(fast, power_w=301.0, nodes=1), replace(fast, nodes=3),
        replace(fast, cores_per_node=9), replace(fast, package_cap_w=81.0),
        replace(fast, time_s=100.1, power_w=1.0, cores_per_node=1),
    ]})  # fmt: skip
    assert decide(export, SlurmRequest("lu", 4, 5)) == SlurmChoice(fast, 5)


@pytest.mark.parametrize("seed", range(40))
def test_no_choice_breaks_bound_or_share_and_no_row_within_them_is_faster(seed: int) -> None:
    export = random_export(seed)
    rng = np.random.default_rng(seed)
    for _ in range(30):
        name = str(rng.choice(list(export.applications)))
        request = SlurmRequest(
            name, int(rng.integers(1, export.nodes + 1)), int(rng.integers(1, 60))
        )
        share_w = request.nodes / export.nodes * export.licences
        choice = decide(export, request)
        if isinstance(choice, SlurmChoice):
            assert choice.charge_w <= export.licences
            assert choice.configuration.nodes <= export.nodes
            assert choice.minutes >= request.minutes
            if export.rule != "traditional" and choice.note == "fits":
                assert choice.configuration.power_w <= share_w * (1 + 1e-12)
                assert choice.configuration.time_s == min(
                    row.time_s for row in export.applications[name]
                    if row.power_w <= share_w and row.nodes <= export.nodes
                )  # fmt: skip
        free_w, free = int(rng.integers(0, export.licences + 1)), int(rng.integers(0, export.nodes))
        adapted = adapt(export, request, free_w, free)
        if adapted is not None:
            assert adapted.charge_w <= free_w < share_w * (1 + 1e-12)
            assert adapted.configuration.nodes <= free
            assert adapted.configuration.time_s <= 60 * request.minutes


@pytest.mark.parametrize(
    ("comment", "name", "expected"),
    [
        ("application=lu", "x", "lu"),
        ("urgent; application=lu,more", None, "lu"),
        ("application=LU", "lu", "unknown application"),
        ("application=", "lu", "unknown application"),
        ("my application = lu", "bt", "bt"),
        (None, "lu", "lu"),
        ("", "lu.sh", "no application"),
        (None, None, "no application"),
    ],
)
def test_the_application_is_named_by_comment_then_job_name(
    comment: str | None, name: str | None, expected: str
) -> None:
    tables = {"lu": [C1], "bt": [C1]}
    export = SlurmExport("c", 15, 16, 2000.0, tables)
    assert application_of(export, comment, name) == expected
    if expected == "no application":
        assert application_of(replace(export, default_application="bt"), comment, name) == "bt"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cluster": "a,b"}, "cluster 'a,b' cannot be written for Slurm"),
        ({"applications": {'lu"]]': [C1]}}, "cannot be written for Slurm; use 1 to 40 letters"),
        ({"applications": {"l\nu": [C1]}}, "cannot be written for Slurm"),
        ({"applications": {}}, "applications is empty"),
        ({"applications": {"lu": []}}, "application lu has no configuration"),
        ({"applications": {"lu": [C1, replace(C1, time_s=1.0)]}}, r"\(6 x 16, 115 W\) twice"),
        ({"applications": {"lu": [replace(C1, time_s=float("nan"))]}}, "time_s = nan is outside"),
        ({"applications": {"lu": [replace(C1, power_w=-1.0)]}}, "power_w = -1 is outside"),
        ({"applications": {"lu": [replace(C1, package_cap_w=0.0)]}}, "the cap must be positive"),
        ({"applications": {"lu": [replace(C1, cores_per_node=17)]}}, "1 to 16 cores per node"),
        ({"nodes": 0}, "nodes = 0 is below 1"),
        ({"bound_w": float("inf")}, "bound_w = inf is outside 1 to"),
        ({"bound_w": 0.9}, "bound_w = 0.9 is outside 1 to"),
        ({"rule": "greedy"}, "rule 'greedy' is unknown; choose one of traditional, naive"),
        ({"fallback": "wait"}, "fallback 'wait' is unknown; choose one of reject, cheapest"),
        ({"threshold": -0.1}, "threshold = -0.1 is not a share"),
        ({"default_application": "bt"}, "default_application 'bt' has no table; choose one of lu"),
        ({"agent_uid": -1}, "agent_uid = -1 is not a user number"),
        ({"rule": "traditional", "applications": {"lu": [C2]}}, "lu has no configuration with all"),
    ],
)
def test_what_slurm_cannot_use_is_refused_by_name(change: dict[str, object], message: str) -> None:
    export = SlurmExport("c", 15, 16, 2000.0, {"lu": [C1]})
    with pytest.raises(InputError, match=message):
        replace(export, **change)  # type: ignore[arg-type]
