"""Requests of a log that no configuration has are counted in every run and in a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.scheduling.power.inputs.file_logs import RULE
from planner.scheduling.power.inputs.logs import ROUNDED_DOWN, ROUNDED_UP, TOO_LARGE, UNMEASURED
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.study import ScheduleStudy
from tests.planner.scheduling.power.scenarios_of import scenario_of

BODY = """\
[schedule]
bounds_w = [2000.0, 3000.0]
policies = ["naive", "adaptive"]
unmeasured = "UNMEASURED"
seeds = 2
[schedule.cluster]
nodes = 8
[[schedule.applications]]
name = "a"
configurations = [
  { nodes = 2, cores_per_node = 16, package_cap_w = 115.0, time_s = 100.0, power_w = 300.0 },
  { nodes = 4, cores_per_node = 16, package_cap_w = 115.0, time_s = 60.0, power_w = 600.0 },
]
[[schedule.logs]]
name = "swf"
kind = "file"
file = "log.swf"
processors_per_node = 2.0
[[schedule.logs]]
name = "listed"
kind = "listed"
jobs = [{ application = "a", nodes = 2, requested_s = 100.0 }]
"""
PROCESSORS = (4, 8, 3, 5, 12, 40)
"""2, 4, 2, 3, 6 and 20 nodes: 3 becomes 4, 6 becomes 4, and 20 are more than the cluster has."""


def swf(processors: tuple[int, ...]) -> str:
    jobs = (
        f"{number} {number} 0 60 {count} -1 -1 {count} 90 -1 1 {number} 1 -1 -1 -1 -1 -1"
        for number, count in enumerate(processors, 1)
    )
    return "; MaxProcs: 64\n" + "\n".join(jobs) + "\n"


def study_of(folder: Path, unmeasured: str) -> ScheduleStudy:
    (folder / "log.swf").write_text(swf(PROCESSORS))
    return schedule(scenario_of(folder, BODY.replace("UNMEASURED", unmeasured)))


@pytest.mark.parametrize(
    ("unmeasured", "counts"),
    [
        ("round", {ROUNDED_UP: 1, ROUNDED_DOWN: 1, TOO_LARGE: 1, UNMEASURED: 0}),
        ("reject", {ROUNDED_UP: 0, ROUNDED_DOWN: 0, TOO_LARGE: 1, UNMEASURED: 2}),
    ],
)
def test_each_rule_is_named_with_its_count_and_share(
    unmeasured: str, counts: dict[str, int], tmp_path: Path
) -> None:
    """A file is the same for every seed, so it is run once if nothing varies; here nodes may."""
    study = study_of(tmp_path, unmeasured)
    rows = {row["rule"]: row for row in study.to_dict()["requests"]}
    runs = study.seeds
    assert {rule: row["requests"] for rule, row in rows.items()} == {
        rule: count * runs for rule, count in counts.items()
    }
    assert {row["read"] for row in rows.values()} == {6 * runs}
    assert {row["log"] for row in rows.values()} == {"swf"}
    assert rows[TOO_LARGE]["share"] == pytest.approx(1 / 6)
    assert study.to_dict()["settings"]["jobs_of_files"] == RULE


def test_every_run_counts_the_requests_of_its_log(tmp_path: Path) -> None:
    study = study_of(tmp_path, "round")
    for run in study.to_dict()["policies"]:
        counts = [run[f"requests_{name}"] for name in ("read", "rounded_up", "rounded_down")]
        assert counts == ([6, 1, 1] if run["log"] == "swf" else [1, 0, 0])
        assert run["requests_too_large"] == (run["log"] == "swf")
        assert len(run["jobs"]) == (5 if run["log"] == "swf" else 1)
