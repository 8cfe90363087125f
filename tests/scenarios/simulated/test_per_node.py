"""The law node by node gives what the law of whole runs gives."""

from __future__ import annotations

import numpy as np
import pytest

from scenarios.simulated import NAMES, SimulatedCluster, find_application, grid, truth
from scenarios.simulated.applications import Application
from scenarios.simulated.law import NoiseFreeRuns, outcome
from scenarios.simulated.parallel import loads
from scenarios.simulated.per_node import PerNode, per_node


def from_nodes(law: PerNode, row: int, nodes: list[int]) -> tuple[float, float]:
    """Time [s] and power [W] by the sums that the class states."""
    load = law.load[law.load_first[row] :][: len(nodes)]
    time = max(law.compute_s[row, nodes] * load) + law.messages_s[row]
    extra = sum(load * law.extra_j[row, nodes])
    return float(time), float(sum(law.spinning_w[row, nodes]) + extra / time)


def from_law(
    cluster: SimulatedCluster, application: Application, nodes: list[int], cores: int, cap: float
) -> NoiseFreeRuns:
    shape = (1, 2 * len(nodes))
    return outcome(
        cluster.machine,
        application,
        len(nodes),
        np.array([cores]),
        np.full(shape, cap),
        cluster.leakage[nodes].reshape(shape),
        np.repeat(loads(application, len(nodes)), 2)[None],
    )


@pytest.mark.parametrize("problem", ["C", "D"])
@pytest.mark.parametrize("name", NAMES)
def test_any_set_of_nodes_takes_and_draws_what_the_law_says(name: str, problem: str) -> None:
    rng = np.random.default_rng(NAMES.index(name))
    cluster = SimulatedCluster.build(40, seed=3)
    application = find_application(name, "C" if problem == "C" else "D")
    counts = rng.integers(1, 41, 12)
    cores, caps = rng.choice([2, 8, 10, 14, 16], 12), rng.choice([51.0, 65.0, 83.7, 115.0], 12)
    packages = per_node(cluster, application, counts, cores, caps)
    whole = per_node(cluster, application, counts, cores, caps, memory=True)
    for row, count in enumerate(counts.tolist()):
        nodes = rng.permutation(40)[:count].tolist()
        true = from_law(cluster, application, nodes, int(cores[row]), float(caps[row]))
        expected = (true.time_s[0], true.package_power_w[0])
        assert from_nodes(packages, row, nodes) == pytest.approx(expected, rel=1e-9)
        expected = (true.time_s[0], true.power_w[0])
        assert from_nodes(whole, row, nodes) == pytest.approx(expected, rel=1e-9)


def test_the_first_nodes_of_typical_sockets_give_the_truth_of_the_grid() -> None:
    cluster = SimulatedCluster.typical(64)
    application = find_application("BT-MZ", "D")
    law = per_node(cluster, application, *grid("D"))
    true = truth(cluster, application, *grid("D"))
    for row, count in list(enumerate(grid("D")[0].tolist()))[::29]:
        time_s, power_w = from_nodes(law, row, list(range(count)))
        assert time_s == pytest.approx(true.time_s[row], rel=1e-12)
        assert power_w == pytest.approx(true.package_power_w[row], rel=1e-12)


def test_rows_of_the_largest_tables_stay_small() -> None:
    # 128 node counts x 5 core counts x 5 caps on 128 nodes: 3,200 rows x 128 nodes x 3 x 8 bytes
    # are 9.8 MB an application, 79 MB for all eight.
    n, c, p = np.meshgrid(np.arange(1, 129, 16), [8, 16], [51.0, 115.0], indexing="ij")
    law = per_node(
        SimulatedCluster.build(128, 0), find_application("SC", "D"), n.ravel(), c.ravel(), p.ravel()
    )
    bytes_a_row = sum(getattr(law, k).nbytes for k in ("compute_s", "extra_j", "spinning_w")) / 32
    assert bytes_a_row * 3200 * len(NAMES) < 80e6


def test_a_configuration_that_the_machine_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="nodes 5 is outside 1 to 4"):
        per_node(SimulatedCluster.build(4, 0), find_application("SC"), 5, 16, 115.0)
