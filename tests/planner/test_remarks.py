"""What readers remark on an input is a risk of every study that reads it."""

from __future__ import annotations

from pathlib import Path

import headroom as hr
from planner.scheduling.power.schedule import schedule
from planner.sharing_nodes.queue_gains.colocate_log import colocate_log
from planner.study import Study
from tests.planner.scheduling.power.scenarios_of import scenario_of

LOG = (
    "; MaxProcs: 8\n1 50 5 60 4 -1 -1 4 99 -1 1 1 1 -1 1 1 -1 -1\n"
    "2 0 5 60 4 -1 -1 4 99 -1 1 2 1 -1 1 1 -1 -1\n"
)
"""The second job is submitted first."""
PAIRS = "a,b,solo_a_s,solo_b_s,co_a_s,co_b_s\nx,y,10,20,11,22\nx,x,10,10,12,12\ny,y,20,20,25,9\n"
SCHEDULE = """[schedule]
bounds_w = [9000.0]
[schedule.cluster]
nodes = 8
[[schedule.applications]]
name = "a"
configurations = [
  { nodes = 2, cores_per_node = 16, package_cap_w = 115.0, time_s = 100.0, power_w = 300.0 },
]
[[schedule.logs]]
name = "swf"
kind = "file"
file = "log.swf"
processors_per_node = 2.0
"""
NAMED = ",b,a\nb,0,5\na,5,0\n"


def risks(study: Study) -> list[str]:
    """The kinds of all risks."""
    return [each.kind for each in study.findings if each.severity == "risk"]


def test_a_log_of_schedule(tmp_path: Path) -> None:
    (tmp_path / "log.swf").write_text(LOG)
    study = schedule(scenario_of(tmp_path, SCHEDULE), policies=["traditional"]).study
    assert "log-sorted" in risks(study)


def test_the_log_and_the_pairs_of_colocate(tmp_path: Path) -> None:
    (tmp_path / "log.swf").write_text(LOG)
    (tmp_path / "pairs.csv").write_text(PAIRS)
    study = colocate_log(str(tmp_path / "pairs.csv"), str(tmp_path / "log.swf"), seeds=2).study
    assert {"log-sorted", "pairs-faster"} <= {*risks(study)}


def test_every_matrix_and_the_runs_of_compare(tmp_path: Path) -> None:
    paths = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for path in paths:
        path.write_text(NAMED)
    named = [
        each.values["place"]
        for each in hr.compare(*paths, ranks_per_node=1).study.findings
        if each.kind == "ranks-named"
    ]
    assert named == ["one.csv", "two.csv"]
    (tmp_path / "runs.csv").write_text(
        "nodes,cores_per_node,package_cap_w,time_s,package_power_w\n1,16,115,60,100\n"
    )
    shared = hr.compare(tmp_path / "runs.csv", bound_w=500, nodes=4)
    assert "runs-one-application" in risks(shared.study)
