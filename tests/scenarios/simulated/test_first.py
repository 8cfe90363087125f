from __future__ import annotations

import numpy as np
import pytest

from scenarios.simulated import NAMES, SimulatedCluster, campaign, find_application, grid, truth


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("problem", ["C", "D"])
def test_every_application_runs_on_its_whole_grid(name: str, problem: str) -> None:
    cluster = SimulatedCluster.build(64, 1)
    application = find_application(name, problem)  # type: ignore[arg-type]
    runs = campaign(cluster, application, grid(problem), 2, 3)
    expected = truth(cluster, application, *grid(problem))
    assert len(runs) == 2 * len(expected.time_s)
    assert np.isfinite(runs.time_s).all()
    assert (runs.time_s > 0).all()
