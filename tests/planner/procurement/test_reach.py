"""What a machine that misses a requirement reaches: by hand, against brute force, and checked."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from planner.procurement.checked_reach import reach_faults
from planner.procurement.checker import violations
from planner.procurement.given import at_its_best, works
from planner.procurement.layout import layout
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from planner.procurement.plan import Plan
from planner.procurement.problem import REGIMES, Problem
from planner.procurement.procure import procure
from planner.procurement.reach import Reach, reach
from tests.planner.procurement.catalogues import (
    Document,
    asked,
    merits,
    node,
    random_problem,
    request,
    scenario,
)
from tests.planner.procurement.enumeration import (
    Machine,
    alone,
    besides,
    every_machine,
    every_plan,
    slot_counts,
    together,
)
from tests.sizes import few

Place = tuple[int, int]


def reached(problem: Problem, nodes: list[int]) -> tuple[Plan, Reach]:
    """The plan of a machine that misses work, and what the checker has against it: nothing."""
    plan, result = at_its_best(Optimiser(problem, Options()), nodes, "as bid")
    assert result is not None
    assert reach_faults(problem, plan, result) == []
    return plan, result


def without_grid() -> Document:
    """The node b runs flow and pairs, but not grid; each is a third of one reference node's mix."""
    nodes = [node("a", 100.0), node("b", 100.0, vendor="W", as_bid_quantity=4)]
    work = [
        merits("flow", ("a", None, 1.0), ("b", None, 2.0)),
        merits("pairs", ("a", None, 1.0), ("b", None, 1.0)),
        merits("grid", ("a", None, 1.0)),
    ]
    minimum = {"throughput": {"flow": 3.0, "pairs": 3.0, "grid": 0.2}}
    return request(nodes, work, 1000.0, 1000.0, requirements=minimum)


def test_a_quote_that_cannot_run_one_workload_is_rated_on_the_others() -> None:
    """Four nodes. Alone, flow reaches 4 x 2 / (1/3) = 24 and pairs 4 x 1 / (1/3) = 12.

    Together, y nodes on flow and 4 - y on pairs reach 6 y and 3 (4 - y): 8 each at y = 4/3. All
    four work: 400 W, so 0.4 kW x 8,760 h x 0.01 = 35.04 a year; 400 for the nodes and three years
    come to 505.12.
    """
    plan, result = reached(asked(without_grid()), [0, 4])
    flow, pairs, grid = result.requirements
    assert [flow.alone, pairs.alone] == pytest.approx([24, 12])
    assert grid.alone is None
    assert [flow.together, pairs.together] == pytest.approx([8, 8])
    assert [requirement.missed for requirement in result.requirements] == [False, False, True]
    assert result.missed == 1
    assert plan.score == 0
    assert plan.it_power_w == pytest.approx(400)
    assert plan.mean_it_w == pytest.approx(400)
    assert plan.operating == pytest.approx(35.04)
    assert plan.total_cost == pytest.approx(505.12)
    undone, missed = violations(asked(without_grid()), plan)
    assert undone.startswith('"grid" is not done in demand "mix" (no node bought runs it), but')
    assert missed == 'throughput of "grid" in demand "mix": 0 (required: at least 0.2)'


def three_codes(minimum: float) -> Document:
    """Three nodes, three codes of a third of the mix each, all at 1 per node."""
    work = [merits(name, ("a", None, 1.0)) for name in ("flow", "grid", "pairs")]
    required = {"throughput": dict.fromkeys(("flow", "grid", "pairs"), minimum)}
    nodes = [node("a", 100.0, as_bid_quantity=3), node("b", 1.0, vendor="W", as_bid_quantity=1)]
    for workload in work:
        workload["performance"]["rows"].append(
            {"node_type": "b", "cap_w": None, "figure_of_merit": 9.0}
        )
    return request(nodes, work, 1000.0, 1000.0, requirements=required)


def test_requirements_that_clash_are_not_all_called_missed() -> None:
    """Each takes 4 x 1/3 = 4/3 of three nodes: two fit (8/3), three do not (4)."""
    problem = asked(three_codes(4.0))
    plan, result = reached(problem, [3, 0])
    assert [requirement.alone for requirement in result.requirements] == [pytest.approx(9)] * 3
    assert result.missed == 1
    assert sum(line.startswith("throughput") for line in violations(problem, plan)) == 1
    (short,) = [requirement for requirement in result.requirements if requirement.missed]
    assert short.together == pytest.approx(1.0, abs=1e-4)  # a third of a node is left for it


def test_work_that_is_not_required_comes_after_a_requirement_that_is_missed() -> None:
    """Ten nodes, codes of a third of ten reference nodes each; flow needs 2.5, grid 1.2.

    Grid takes 1.2 x 10/3 = 4 nodes; the other six reach 6 / (10/3) = 1.8 of flow. Pairs is only
    rated, so it gets nothing, and that is no fault of its own.
    """
    raw_scenario = three_codes(1.0)
    raw_scenario["reference"]["nodes"] = 10
    raw_scenario["node_types"][0]["maximum_quantity"] = 10
    raw_scenario["requirements"] = {"throughput": {"flow": 2.5, "grid": 1.2}}
    problem = asked(raw_scenario)
    plan, result = reached(problem, [10, 0])
    flow, grid = result.requirements
    assert flow.alone == pytest.approx(3)
    assert flow.together == pytest.approx(1.8, rel=1e-5)
    assert (flow.missed, grid.missed) == (True, False)
    assert grid.together == pytest.approx(1.2, rel=1e-5)
    (line,) = violations(problem, plan)
    assert line.startswith('throughput of "flow" in demand "mix": 1.8 (required: at least 2.5)')


def test_the_study_lists_what_each_quote_reaches() -> None:
    study = procure(scenario(three_codes(4.0)), Options())
    rows = [row for row in study.tables()["requirements"] if row["method"] == "as quoted by V"]
    assert [row["workload"] for row in rows] == ["flow", "grid", "pairs"]
    assert sum(row["missed"] for row in rows) == 1
    name = "as quoted by V"
    (bid,) = [entry for entry in study.heuristics if entry.plan.method == name]
    assert len(bid.wrong) == 1
    assert "(at most 9 alone)" in bid.wrong[0]


def test_a_time_to_solution_beyond_its_limit_is_stated() -> None:
    """On four nodes the run takes 30 s; 20 s are asked for."""
    raw_scenario = without_grid()
    time = {"kind": "table", "node_type": "b", "nodes": [2, 4], "time_s": [50.0, 30.0]}
    times = [time, time | {"node_type": "a", "time_s": [20.0, 10.0]}]
    climb = {"kind": "times", "reference_time_s": 60.0, "runs": [{"time": time} for time in times]}
    raw_scenario["workloads"].append(
        {"name": "climb", "rating": "time_to_solution", "performance": climb}
    )
    raw_scenario["requirements"]["time_to_solution_s"] = {"climb": 20.0}
    problem = asked(raw_scenario)
    plan, result = reached(problem, [0, 4])
    last = result.requirements[-1]
    assert (last.workload, last.demand, last.required) == ("climb", "", 20.0)
    assert (last.alone, last.together, last.missed) == (30.0, 30.0, True)
    assert 'time to solution of "climb": 30 s (allowed: at most 20 s)' in violations(problem, plan)
    nowhere = reached(problem, [0, 1])[1].requirements[-1]
    assert (nowhere.alone, nowhere.missed) == (None, True)


def test_a_limit_that_idle_nodes_break_is_named_and_hides_no_throughput() -> None:
    """Four nodes idle at 200 W where 150 W are allowed: they could still reach 24 and 12."""
    raw_scenario = without_grid()
    raw_scenario["power"]["bound_w"] = 150.0
    problem = asked(raw_scenario)
    plan, result = reached(problem, [0, 4])
    assert result.waived == ("it_power_w",)
    assert [requirement.alone for requirement in result.requirements[:2]] == [
        pytest.approx(24), pytest.approx(12)
    ]  # fmt: skip
    assert any(line.startswith("IT power of installed nodes") for line in violations(problem, plan))


def test_a_budget_that_the_nodes_alone_break_is_named() -> None:
    raw_scenario = without_grid()
    raw_scenario["budget"]["operating_per_year"] = 17.0  # idle: 0.2 kW x 8,760 h x 0.01 = 17.52
    plan, result = reached(asked(raw_scenario), [0, 4])
    assert result.waived == ("operating",)
    assert any(
        line.startswith("operating cost: 35 ") for line in violations(asked(raw_scenario), plan)
    )


# Brute force


def required(problem: Problem, machine: Machine, rng: np.random.Generator) -> Problem:
    """The same with required throughputs from a fifth to six fifths of what each reaches alone."""
    minimum = np.zeros_like(problem.demand)
    for rating, workload in zip(*np.nonzero(problem.demand), strict=True):
        maximum = alone(problem, machine, int(rating), int(workload)) or 1.0
        minimum[rating, workload] = maximum * rng.uniform(0.2, 1.2) * (rng.random() < 0.8)
    return replace(problem, least_work=minimum)


def cases(count: int) -> Iterator[tuple[Problem, Machine]]:
    """Machines that are paid for and powered, and miss some of what is required."""
    result = 0
    for seed in itertools.count():
        rng = np.random.default_rng([5, seed])
        raw_scenario = random_problem(seed).under(REGIMES[seed % 3]).without_mandates()
        machines = list(itertools.islice(every_machine(raw_scenario), 400))
        for index in rng.permutation(len(machines))[:3]:
            machine = machines[int(index)]
            if not any(machine.counts) or not together(raw_scenario, machine, {}):
                continue
            problem = required(raw_scenario, machine, rng)
            nodes = [int(n) for n in slot_counts(problem, machine)]
            optimiser = Optimiser(problem, Options())
            if not works(optimiser, optimiser.evaluate(nodes, "")):
                yield problem, machine
                result += 1
        if result >= count:
            return


def fewest(problem: Problem, machine: Machine) -> int:
    """The smallest set of required throughputs that must be missed, by trying every set."""
    indices = [(int(r), int(w)) for r, w in zip(*np.nonzero(problem.least_work), strict=True)]
    for size in range(len(indices) + 1):
        for missed in itertools.combinations(indices, size):
            selected = {p: problem.least_work[p] * (1 - 5e-7) for p in indices if p not in missed}
            if together(problem, machine, selected):
                return size
    raise AssertionError


def check_what_is_left(problem: Problem, machine: Machine, result: Reach) -> None:
    """A requirement that alone is missed gets all that the others leave, before other work."""
    names, required = (problem.rating_names, problem.workloads), {}
    for rate in result.requirements:
        if rate.demand:
            place = names[0].index(rate.demand), names[1].index(rate.workload)
            if rate.missed:
                short, reached_there = place, rate.together
            else:
                required[place] = problem.least_work[place] * (1 - 5e-7)
    truth = besides(problem, machine, required, short)
    assert truth is not None
    assert (reached_there or 0.0) == pytest.approx(truth, rel=1e-5, abs=1e-6), problem.name


def test_the_smallest_set_and_every_reach_equal_brute_force() -> None:
    sizes, clashing = set[int](), 0
    for problem, machine in cases(few(60)):
        nodes = [int(n) for n in slot_counts(problem, machine)]
        plan, result = reach(problem, layout(problem), nodes, "random")
        names = problem.rating_names, problem.workloads
        rates = [requirement for requirement in result.requirements if requirement.demand]
        assert len(rates) == np.count_nonzero(problem.least_work)
        for rate in rates:
            truth = alone(
                problem, machine, names[0].index(rate.demand), names[1].index(rate.workload)
            )
            assert (rate.alone or 0.0) == pytest.approx(truth, rel=1e-6, abs=1e-7), problem.name
        missed = sum(rate.missed for rate in rates)
        assert missed == fewest(problem, machine), problem.name
        if missed == 1:
            check_what_is_left(problem, machine, result)
        assert reach_faults(problem, plan, result) == [], problem.name
        reachable = sum(
            rate.missed and (rate.alone or 0.0) >= (rate.required or 0.0) for rate in rates
        )
        clashing += reachable > 0
        sizes.add(missed)
    assert len(sizes) >= few(4, 3)
    assert clashing >= few(10, 1)


def test_a_machine_at_its_best_shares_out_the_operating_budget() -> None:
    compared = 0
    for seed in range(few(60)):
        problem = random_problem(seed)
        if problem.limits.operating == math.inf:
            continue
        optimiser = Optimiser(problem, Options())
        for value, machine in every_plan(problem)[:3]:
            plan, missed = at_its_best(optimiser, list(machine.counts), "random")
            assert missed is None, problem.name
            assert plan.objective >= value - 1.1e-4, problem.name
            assert violations(problem, plan) == [], problem.name
            compared += 1
    assert compared >= few(10, 1)


# The checker


def tampered(result: Reach, offer_index: int, **changes: object) -> Reach:
    rows = list(result.requirements)
    rows[offer_index] = replace(rows[offer_index], **changes)  # type: ignore[arg-type]
    return replace(result, requirements=tuple(rows))


def test_the_checker_names_every_false_word_about_what_is_reached() -> None:
    problem = asked(without_grid())
    plan, result = reached(problem, [0, 4])
    cases = [
        (tampered(result, 0, alone=23.0), "flow reaches 24 alone, not 23"),
        (tampered(result, 1, together=9.0), "pairs reaches 8 together, not 9"),
        (tampered(result, 2, missed=False), "grid: missed is False at 0 of 0.2"),
        (tampered(result, 2, alone=0.1), "grid reaches 0 alone, not 0.1"),
        (replace(result, waived=("air_w",)), "waived limits"),
        (replace(result, requirements=result.requirements[1:]), "no word of flow in demand mix"),
    ]
    for wrong, message in cases:
        faults = reach_faults(problem, plan, wrong)
        assert any(message in fault for fault in faults), (message, faults)


def test_the_checker_names_a_plan_that_misses_more_than_it_must() -> None:
    """Split evenly, all three miss 4 by one third; kept in turn, two of them hold."""
    problem = asked(three_codes(4.0))
    plan, result = reached(problem, [3, 0])
    mode = plan.at_work[0][0].mode
    even = tuple(replace(plan.at_work[0][0], mode=mode, workload=w, nodes=1.0) for w in range(3))
    spread = replace(plan, at_work=(even,))
    rows = tuple(
        replace(requirement, together=3.0, missed=True) for requirement in result.requirements
    )
    faults = reach_faults(problem, spread, replace(result, requirements=rows))
    assert faults == ["3 requirements are missed where 1 need to be"]
