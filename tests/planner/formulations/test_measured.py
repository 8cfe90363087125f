"""The thesis's measured tables: references and engines agree on every choice among them."""

from __future__ import annotations

import numpy as np
import pytest

from planner.configurations import degree as curves
from planner.configurations import selection
from planner.configurations.selection import Bound
from planner.configurations.sharing.problem import Goal, SharedJob, SharingProblem, violations
from planner.configurations.sharing.share import share
from planner.configurations.table import ConfigurationTable, table_of
from planner.formulations import configuration, degree, sharing
from tests.planner.configurations.rzmerl import rzmerl
from tests.planner.formulations.cases import solvers_of
from tests.shared_data import needs_data
from tests.sizes import few

APPLICATIONS = ("BT-MZ", "SM", "NSM", "SC", "NSC")
SOLVERS = ("cbc", "highs")


def table(application: str) -> ConfigurationTable:
    return table_of(rzmerl(application))


@needs_data
@pytest.mark.parametrize("application", APPLICATIONS)
@pytest.mark.parametrize("percentile", [10, 50])
def test_one_application(application: str, percentile: int) -> None:
    measured = table(application)
    bound = Bound(round(float(np.percentile(measured.power_w, percentile)), 1))
    best = selection.best(measured, bound)
    read = curves.degree(curves.node_curve(measured, bound), 12, fixed_cost_nodes=8.0)
    for solver in SOLVERS:
        assert configuration.best(measured, bound, solver=solver).plan == best
        assert read == degree.degree(measured, bound, 12, fixed_cost_nodes=8.0, solver=solver)


@needs_data
@pytest.mark.parametrize("seed", range(few(20)))
def test_sharing_by_up_to_six_jobs(seed: int) -> None:
    rng = np.random.default_rng([26, seed])
    jobs = tuple(
        SharedJob(f"job {j}", table(str(rng.choice(APPLICATIONS))), float(rng.integers(1, 6)))
        for j in range(int(rng.integers(2, 7)))
    )
    share_of_all = int(rng.integers(10, 60))
    watts = sum(float(np.percentile(job.table.power_w, share_of_all)) for job in jobs)
    nodes = sum(int(np.percentile(job.table.nodes, 70)) for job in jobs)
    problem = SharingProblem(jobs, Bound(round(watts, 1)), nodes)
    goal: Goal = "makespan" if seed % 2 else "weighted time"
    engine = share(problem, goal=goal, gap=1e-9)
    for solver in solvers_of(seed):
        plan = sharing.share(problem, goal=goal, solver=solver)
        assert violations(plan) == []
        assert plan.value == pytest.approx(engine.value, rel=1e-9)
        assert plan.weighted_time_s == pytest.approx(engine.weighted_time_s, rel=1e-9)
