"""Scenarios of power-aware scheduling: what they may say, and every fault with its line."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import scenarios
from scenarios import ScenarioError
from scenarios.model.schedule import Schedule
from scenarios.reading.reader import read_scenario
from scenarios.reading.replaced import with_values
from tests.scenarios.test_catalogue import wrong

WHOLE = """\
format = 1
name = "two-jobs"
title = "Two jobs under a bound"
[schedule]
bounds_w = [500.0, 700.0]
policies = ["traditional", "adaptive"]
thresholds = [0.0, 0.1]
[schedule.cluster]
nodes = 4
idle_node_w = 10.0
[[schedule.applications]]
name = "solver"
configurations = [
  { nodes = 1, cores_per_node = 16, package_cap_w = 115.0, time_s = 90.0, power_w = 180.0 },
  { nodes = 2, cores_per_node = 16, package_cap_w = 115.0, time_s = 50.0, power_w = 350.0 },
]
[[schedule.occupied]]
nodes = 1
power_w = 100.0
until_s = 60.0
[[schedule.logs]]
name = "given"
kind = "listed"
jobs = [
  { application = "solver", nodes = 1, requested_s = 100.0 },
  { application = "solver", nodes = 2, requested_s = 60.0, submit_s = 5.0, priority = 2.0 },
]
[[schedule.logs]]
name = "drawn"
kind = "small"
offered_load = 0.5
"""

SIMULATED = ("configurations = [\n", 'problem = "D"\nconfigurations = [\n')
NO_ROWS = (WHOLE[WHOLE.index("configurations") : WHOLE.index("[[schedule.occupied]]")], "")


def read(folder: Path, text: str) -> Schedule:
    path = folder / "s.toml"
    path.write_text(text, encoding="utf-8")
    schedule = read_scenario(path, "s.toml").schedule
    assert schedule is not None
    return schedule


def faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        read(folder, text)
    return [str(fault) for fault in caught.value.faults]


def changed(*pairs: tuple[str, str]) -> str:
    text = WHOLE
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def test_the_whole_scenario_is_read_and_fits_the_schema(tmp_path: Path) -> None:
    schedule = read(tmp_path, WHOLE)
    assert schedule.cluster.nodes == 4
    assert schedule.logs[1].offered_load == 0.5
    assert schedule.logs[0].jobs[1].priority == 2
    assert (schedule.charge, schedule.seeds, schedule.unmeasured) == ("package", 1, "round")
    schema = scenarios.schema()
    assert wrong(tomllib.loads(WHOLE), schema, schema) == []


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (
            [("[500.0, 700.0]", "[40.0]"), ("thresholds", 'charge = "node"\nthresholds')],
            (
                "5: schedule.bounds_w[1]: 40 W does not exceed the idle power of 4 nodes, 40 W; "
                "raise the bound or use fewer nodes"
            ),
        ),
        (
            [("[500.0, 700.0]", "[500.0, 500.0]")],
            "5: schedule.bounds_w[2]: 500 is listed twice; keep one",
        ),
        (
            [("[0.0, 0.1]", "[-0.1]")],
            ("7: schedule.thresholds[1]: -0.1 should be greater than or equal to 0; correct it"),
        ),
        (
            [("[0.0, 0.1]", "[0.1, 0.1]")],
            "7: schedule.thresholds[2]: 0.1 is listed twice; keep one",
        ),
        (
            [('"adaptive"]', '"naif"]')],
            ("6: schedule.policies[2]: there is no policy 'naif'; did you mean 'naive'?"),
        ),
        (
            [("[0.0, 0.1]", "[0.0, 0.125]")],
            "7: schedule.thresholds[2]: 0.125 is not a whole percentage; give 0.1 for 10 %",
        ),
        (
            [('"adaptive"]', '"traditional"]')],
            "6: schedule.policies[2]: 'traditional' is listed twice; keep one",
        ),
        (
            [('"adaptive"]', '"naive"]')],
            (
                "7: schedule.thresholds: applies only to the policy adaptive; add it to "
                "policies, or "
                "delete this key"
            ),
        ),
        (
            [NO_ROWS],
            (
                "11: schedule.applications[1]: 'solver' has no details; add problem = 'C' or "
                "'D' for a simulated application, configurations, or measured runs in details.file"
            ),
        ),
        (
            [SIMULATED],
            (
                "11: schedule.applications[1]: both problem and configurations are given; keep "
                "one of them"
            ),
        ),
        (
            [NO_ROWS, ('name = "solver"', 'name = "SPHOT"\nproblem = "D"')],
            (
                "12: schedule.applications[1].name: there is no simulated application "
                "'SPHOT'; did you mean 'SPhot'?"
            ),
        ),
        (
            [
                NO_ROWS,
                ('name = "solver"', 'name = "SC"\nproblem = "D"'),
                ("idle_node_w = 10.0", "cores_per_node = 24"),
            ],
            (
                "10: schedule.cluster.cores_per_node: 24 cores: nodes of the simulated "
                "cluster have "
                "16; write 16"
            ),
        ),
        (
            [("nodes = 2, cores", "nodes = 1, cores")],
            (
                "15: schedule.applications[1].configurations[2]: is the same configuration "
                "as entry "
                "1; keep one of them"
            ),
        ),
        (
            [('"solver", nodes = 2', '"solwer", nodes = 2')],
            (
                "26: schedule.logs[1].jobs[2].application: there is no application 'solwer'; "
                "did you mean 'solver'?"
            ),
        ),
        (
            [
                (
                    'name = "solver"',
                    'name = "solver"\nphases = [{ work_share = 0.9, power_share = 1 }]',
                )
            ],
            (
                "13: schedule.applications[1].phases: the work shares sum to 0.9, not to 1; "
                "correct "
                "them"
            ),
        ),
        (
            [
                (
                    "requested_s = 100.0",
                    "requested_s = 100.0, phases = [{ work_share = 1, power_share = 0 }]",
                )
            ],
            (
                "25: schedule.logs[1].jobs[1].phases[1].power_share: 0 should be greater than 0; "
                "correct it"
            ),
        ),
        (
            [("[[schedule.occupied]]", "[schedule.calibration]\n[[schedule.occupied]]")],
            (
                "17: schedule.calibration: no application is simulated, so nodes cannot be "
                "measured; "
                "delete this group"
            ),
        ),
        *(
            (
                [
                    NO_ROWS,
                    ('name = "solver"', 'name = "SC"\nproblem = "D"'),
                    (
                        "[[schedule.occupied]]",
                        f"[schedule.calibration]\n{line}\n[[schedule.occupied]]",
                    ),
                ],
                f"15: schedule.calibration.{fault}",
            )
            for line, fault in (
                (
                    'application = "SM"',
                    "application: there is no simulated application 'SM'; did you mean 'SC'?",
                ),
                (
                    "package_cap_w = 50.0",
                    (
                        "package_cap_w: 50 is outside the range of a simulated node, 51 to 115; "
                        "correct it"
                    ),
                ),
                (
                    "cores_per_node = 7",
                    (
                        "cores_per_node: 7 cores cannot be split equally between 2 sockets; "
                        "give an even number"
                    ),
                ),
            )
        ),
        (
            [('name = "drawn"', 'name = "given"')],
            "29: schedule.logs[2].name: 'given' is used twice; names must be unique",
        ),
        (
            [('name = "drawn"', 'name = "Given"')],
            (
                "29: schedule.logs[2].name: 'Given' and 'given' (schedule.logs[1].name) "
                "differ only "
                "in case or blanks; use the same name for both"
            ),
        ),
        (
            [("nodes = 1\npower", "nodes = 5\npower")],
            (
                "17: schedule.occupied: 5 nodes are in use at the start, but the cluster has "
                "only 4; "
                "correct one of them"
            ),
        ),
        (
            [("power_w = 100.0", "power_w = 600.0")],
            (
                "17: schedule.occupied: 600.0 W are charged at the start, but the bound of "
                "500.0 W leaves only 500.0 W for jobs; correct one of them"
            ),
        ),
        (
            [("offered_load = 0.5", "jobs = []")],
            (
                "31: schedule.logs[2].jobs: jobs applies only to kind = 'listed'; delete it "
                "for kind "
                "= "
                "'small'"
            ),
        ),
        (
            [("offered_load = 0.5", "offered_load = 0.5\nmean_gap_s = 9.0")],
            (
                "32: schedule.logs[2].mean_gap_s: mean_gap_s and offered_load both set the rate of "
                "submissions; keep one of them"
            ),
        ),
        (
            [('kind = "small"\noffered_load = 0.5', 'kind = "file"')],
            "30: schedule.logs[2].kind: a log of kind = 'file' needs a file; add the key file",
        ),
        (
            [('kind = "small"\noffered_load = 0.5', 'kind = "file"\nfile = "no.swf"')],
            "31: schedule.logs[2].file: 'no.swf' does not exist; give the path of a job log",
        ),
        (
            [('kind = "small"\noffered_load = 0.5', 'kind = "file"\nfile = "../no.swf"')],
            (
                "31: schedule.logs[2].file: '../no.swf' is outside the scenario's folder; copy the "
                "file into it"
            ),
        ),
        (
            [("[[schedule.occ", "[schedule.details]\nguard = 0.1\n[[schedule.occ")],
            (
                "18: schedule.details.guard: guard applies only to method = 'model'; delete it for "
                "method = 'measured'"
            ),
        ),
        (
            [("[schedule]", "[machine]\nname = 'm'\ncores = 1\nutilisation = 1.0\n[schedule]")],
            (
                "8: schedule: is for `headroom schedule`, but [machine] is for `headroom plan`; "
                "write two scenarios"
            ),
        ),
        (
            [("nodes = 4", "nodes = 0")],
            "9: schedule.cluster.nodes: 0 should be greater than or equal to 1; correct it",
        ),
        (
            [("until_s = 60.0", "unitl_s = 60.0")],
            ("20: schedule.occupied[1].unitl_s: unknown key 'unitl_s'; did you mean 'until_s'?"),
        ),
    ],
)
def test_a_fault_is_named_with_its_line_and_remedy(
    tmp_path: Path, pairs: list[tuple[str, str]], message: str
) -> None:
    assert f"s.toml:{message}" in faults(tmp_path, changed(*pairs))


def test_all_policies_of_the_planner_can_be_named(tmp_path: Path) -> None:
    for name in ("adaptive-20", "adaptive-any", "self-tuning", "ilp-slots-cbc-unfair"):
        schedule = read(tmp_path, changed(('"traditional"', f'"{name}"')))
        assert schedule.policies == (name, "adaptive")


def test_measured_runs_have_to_hold_the_applications(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text(
        "application,nodes,cores_per_node,package_cap_w,time_s,package_power_w\n"
        "solver-2,1,16,115,90,180\n"
    )
    text = changed(NO_ROWS, ("[[sch", '[schedule.details]\nfile = "runs.csv"\n[[sch'))
    (message,) = faults(tmp_path, text)
    assert message == (
        "s.toml:14: schedule.applications[1].name: details.file has no runs of 'solver'; did you "
        "mean 'solver-2'?"
    )
    there = text.replace('"solver"', '"solver-2"')
    assert read(tmp_path, there).details.file == "runs.csv"
    loaded = read_scenario(tmp_path / "s.toml")
    assert [name for name, _ in loaded.provenance.files] == ["s.toml", "runs.csv"]


def test_faults_of_a_file_are_named_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.swf").write_text("1 0 0 x 1\n")
    text = changed(('kind = "small"\noffered_load = 0.5', 'kind = "file"\nfile = "a.swf"'))
    (message,) = faults(tmp_path, text)
    assert message.startswith(f"{tmp_path}/a.swf:1: ")


def test_a_file_that_was_not_read_cannot_be_put_into_a_scenario(tmp_path: Path) -> None:
    read(tmp_path, WHOLE)
    scenario = read_scenario(tmp_path / "s.toml")
    other = with_values(scenario, {"schedule.bounds_w": [900.0]})
    assert other.schedule is not None
    assert other.schedule.bounds_w == (900.0,)
    with pytest.raises(
        ScenarioError, match=r"schedule: 'x\.swf' was not read when the scenario was loaded"
    ):
        with_values(
            scenario, {"schedule.logs.drawn": {"name": "f", "kind": "file", "file": "x.swf"}}
        )


def test_many_wrong_values_are_refused_soon(tmp_path: Path) -> None:
    bounds = ", ".join(f"{number}.0" for number in range(20_000))
    names = ", ".join(f'"p{number}"' for number in range(20_000))
    text = changed(("500.0, 700.0", bounds), ('"traditional", "adaptive"', names))
    assert len(faults(tmp_path, text)) <= 101
