"""From a sizing to a procurement: the demand is read, and a plan keeps it."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from planner.cli.main import main
from planner.errors import InputError, PlanError
from planner.procurement.from_scenario import problem_from
from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.sizing.demand import demand_toml, write_demand
from planner.scheduling.sizing.level import parse_level
from planner.scheduling.sizing.resampled_weeks import Resampled
from planner.scheduling.sizing.result import SizeFor
from planner.scheduling.sizing.study import SizingStudy, size
from scenarios.catalogue import load
from tests.planner.scheduling.sizing.logs import log_of


def sized(machine: int | None = 3, level: str = "mean-wait<=40") -> SizingStudy:
    log = log_of([(0, 100, 2, 0)] * 3, machine)
    sizing = size(log, [POLICIES["easy"]], SizeFor(parse_level(level)))
    assert sizing.sizings[0].nodes in (4, None)
    return sizing


def test_the_demand_is_the_answer_over_the_logs_machine_rounded_up() -> None:
    given = tomllib.loads(demand_toml(sized()))["requirements"]
    assert given["capacity"] == 1.3334  # 4 / 3
    assert given["source"] == (
        "simulated under EASY: 4 processors for 1 times the work (the size of the log itself, as "
        "no "
        "weeks were resampled), against the 3 processors of the log's machine; from Python"
    )
    assert tomllib.loads(demand_toml(sized(4)))["requirements"]["capacity"] == 1.0


def test_the_demand_is_the_stated_quantile_of_the_draws_and_not_the_log_itself() -> None:
    """The log itself is one draw of its growth: here 4 nodes, above six of the seven draws."""
    result = replace(sized(), resampled=(Resampled("easy", (2, 2, 3, 3, 3, 3, 5)),))
    for quantile, named, nodes, capacity in (
        (0.5, "median", 3, 1.0),
        (0.25, "25th percentile", 2, 0.6667),
        (0.11, "11th percentile", 2, 0.6667),
        (0.21, "21st percentile", 2, 0.6667),
        (0.9, "90th percentile", 5, 1.6667),
        (0.975, "97.5th percentile", 5, 1.6667),
    ):
        text = demand_toml(result, quantile)
        given = tomllib.loads(text)["requirements"]
        assert given["capacity"] == capacity
        words = f"the {named} of 7 logs of resampled weeks"
        assert f"# Capacity: {words}, {nodes} processors\n" in text
        assert f"{nodes} processors for 1 times the work ({words}), against" in given["source"]
        assert "# Smallest machine under EASY: 4 processors\n" in text
    assert demand_toml(result) == demand_toml(result, 0.5)


def test_draws_without_a_size_leave_high_quantiles_without_a_demand() -> None:
    result = replace(sized(), resampled=(Resampled("easy", (2, None, 3, 3)),))
    assert "capacity = 1.0000" in demand_toml(result, 0.75)
    with pytest.raises(PlanError, match="give a smaller --demand-quantile"):
        demand_toml(result, 0.95)


def test_without_a_machine_or_an_answer_there_is_no_demand(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="multiple; give it with --processors"):
        demand_toml(sized(None))
    with pytest.raises(PlanError, match="no size meets a median slowdown"):
        demand_toml(sized(level="median-slowdown<=0.5"))
    with pytest.raises(InputError, match="give another file"):
        write_demand(sized(), tmp_path / "none" / "demand.toml")


HOSTILE = 'a"]\n[power]\nbound_w = 1 \\ "'


def test_a_hostile_name_stays_within_its_text() -> None:
    result = sized()
    named = replace(result, log=replace(result.log, name=HOSTILE), command=("simulate", HOSTILE))
    read_again = tomllib.loads(demand_toml(named))
    assert list(read_again) == ["requirements"]
    assert set(read_again["requirements"]) == {"capacity", "source"}


def test_check_and_plan_take_the_demand(tmp_path: Path) -> None:
    def run(*words: str) -> str:
        done = CliRunner().invoke(main, [*words])
        assert done.exit_code == 0, done.output
        return done.stdout

    run("init", str(tmp_path / "case"))
    log, demand = tmp_path / "log.csv", tmp_path / "demand.toml"
    log.write_text("number,submit,run,processors\n1,0,100,2\n2,0,100,2\n3,0,100,2\n")
    words = [str(log), "--processors", "6", "--write-demand", str(demand)]
    run("size", *words, "--for", "mean-wait<=40")
    lines = demand.read_text().split("[requirements]\n")[1]
    scenario = tmp_path / "case" / "procurement.toml"
    text = scenario.read_text()
    group = next(line for line in text.splitlines() if line.startswith("[requirements]"))
    scenario.write_text(text.replace(group, f"{group}\n{lines}"))
    run("check", str(scenario))
    requested = load(scenario)
    assert requested.requirements.capacity == 0.6667
    least = problem_from(requested).least_work
    # of the sample's workloads "climate" already had 0.5, which is less
    assert set(least[least > 0].tolist()) == {0.6667}
    assert (least > 0).sum() > 1


def test_capacity_does_not_lower_what_one_workload_must_have(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["init", str(tmp_path / "case")])
    assert done.exit_code == 0, done.output
    scenario = tmp_path / "case" / "procurement.toml"
    text = scenario.read_text()
    scenario.write_text(text.replace("nodes = 60\n", "nodes = 60\ncapacity = 0.25\n"))
    least = problem_from(load(scenario)).least_work
    assert set(least[least > 0].tolist()) == {0.25, 0.5}
