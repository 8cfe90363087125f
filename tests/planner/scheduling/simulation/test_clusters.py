"""A log on several clusters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.policies.registry import find_policy
from planner.scheduling.simulation.checker import violations
from planner.scheduling.simulation.clusters import as_one, simulate_clusters
from planner.scheduling.simulation.simulate import simulate
from tests.planner.scheduling.simulation.test_explain import log_of

ROWS = [(0, 10, 2, 10, 0), (1, 10, 2, 10, 0), (2, 10, 2, 10, 0), (3, 10, 4, 10, 0)]


def test_each_partition_waits_for_its_own_cluster() -> None:
    log = replace(
        log_of(ROWS, 4),
        partition=np.array([0, 0, 1, 1], np.int32),
        names={"partition": ("cpu", "gpu")},
    )
    parts = simulate_clusters(log, find_policy("easy"), {"cpu": 2, "gpu": 3})
    # On 2 processors the second job waits for the first; the third has 3 for itself, and the
    # fourth asks for more than there are.
    assert parts["cpu"].schedule.start_s.tolist() == [0, 10]
    assert parts["gpu"].schedule.start_s.tolist() == [2, -1]
    whole = as_one(log, parts).schedule
    assert whole.start_s.tolist() == [0, 10, 2, -1]
    assert whole.machine_processors == 5
    assert list(whole.rejected) == [4]
    assert [violations(part.schedule) for part in parts.values()] == [[], []]
    # only a part knows its machine: job 4 would fit both together
    assert [(violation.job, violation.kind) for violation in violations(whole)] == [
        (4, "never started")
    ]
    alone = as_one(log, {"cpu": parts["cpu"]}).schedule
    assert alone.start_s.tolist() == [0, 10, -1, -1]
    assert alone.rejected[3] == "is of partition gpu, which has no cluster"


def test_partitions_without_names_go_by_their_numbers() -> None:
    log = replace(log_of(ROWS, 4), partition=np.array([7, 8, 7, 8], np.int32))
    parts = simulate_clusters(log, find_policy("fcfs"), {"8": 4, "7": 4})
    assert as_one(log, parts).schedule.start_s.tolist() == [0, 1, 2, 11]
    with pytest.raises(InputError, match="has no jobs of a partition '9'"):
        simulate_clusters(log, find_policy("fcfs"), {"9": 4})


def test_a_job_without_a_partition_is_not_one_of_the_last_partition() -> None:
    log = replace(
        log_of(ROWS, 4), partition=np.array([0, -1, 0, 0], np.int32),
        names={"partition": ("cpu", "gpu")},
    )  # fmt: skip
    alone = as_one(log, simulate_clusters(log, find_policy("fcfs"), {"cpu": 4})).schedule
    assert alone.rejected == {2: "has no partition, so no cluster"}
    with pytest.raises(InputError, match="has no jobs of a partition 'gpu'"):
        simulate_clusters(log, find_policy("fcfs"), {"gpu": 4})


def test_whole_nodes_are_rounded_up_and_the_rest_of_a_node_is_idle() -> None:
    rows = [(0, 10, 5, 10, 0), (0, 10, 3, 10, 0), (0, 10, 1, 10, 0)]
    schedule = simulate(log_of(rows, 12), find_policy("fcfs"), node_processors=4).schedule
    assert schedule.processors.tolist() == [8, 4, 4]
    assert schedule.start_s.tolist() == [0, 0, 10]
    with pytest.raises(InputError, match="12 processors are not a multiple of 5 per node"):
        simulate(log_of(rows, 12), find_policy("fcfs"), node_processors=5)


def test_what_the_loops_cannot_hold_is_refused() -> None:
    def refused(rows: list[tuple[int, int, int, int, int]], message: str) -> None:
        with pytest.raises(InputError, match=message):
            simulate(log_of(rows, 4), find_policy("easy"))

    refused([(-5, 10, 1, 10, 0)], "job 1 is submitted before 0 s")
    refused(
        [(0, 10, 1, 10, 0), (0, 10, 1, 1 << 40, 0)], "job 2, which requests 1,099,511,627,776 s"
    )
    unknown = replace(log_of(ROWS, 4), machine_processors=None)
    with pytest.raises(InputError, match="does not say how many processors"):
        simulate(unknown, find_policy("easy"))
