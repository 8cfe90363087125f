"""--method and --solver: who decides, what is proved of it, and which do not go together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from planner.aggregation import methods as of_patterns
from planner.cli import aggregate, configure, plan
from planner.configurations import methods as of_configurations
from planner.configurations.best_configuration import Question
from planner.configurations.best_configuration import answer_from as answered_from
from planner.configurations.provisioning import NodeMaximum
from planner.configurations.selection import Bound
from planner.configurations.study import study as of_study
from planner.configurations.table import table_of
from planner.errors import InfeasibleError, InputError, PlanError
from planner.formatting import amount
from planner.formulations import procurement as readable
from planner.formulations.by_method import CertifiedChoice, by_reference
from planner.procurement import by_solver, heuristics
from planner.procurement.command import command
from planner.procurement.outcome import Options
from planner.procurement.procure import procure
from planner.procurement.study import ProcurementStudy
from scenarios.measurements.reader import read_measurements
from scenarios.measurements.runs import Measurements
from scenarios.model.scenario import Provenance
from solvers import Status
from tests.planner.cli.commands import answered, ran
from tests.planner.formulations.test_aggregation import EIGHT, made
from tests.planner.made_runs import write_runs
from tests.planner.procurement.catalogues import Document, merits, node, request, scenario

# Money for three nodes of a (merit 1 each). Greedy per money begins with b, of more merit per
# money (1.8 / 500 > 1 / 300), and has money for one more a: 2.8 of 3.
KNAPSACK = request(
    [node("a", 300.0), node("b", 500.0)], [merits("w", ("a", None, 1.0), ("b", None, 1.8))],
    900.0, 1e5,
)  # fmt: skip


def decided(method: str, given: Document = KNAPSACK, solver: str = "highs") -> ProcurementStudy:
    return procure(scenario(given), Options(solver, method=method))


def bought(study: ProcurementStudy) -> dict[str, int]:
    assert study.plan is not None
    return {purchase.name: purchase.nodes for purchase in study.plan.purchases}


def test_the_command_line_lists_the_methods_that_there_are() -> None:
    assert tuple(heuristics.BY_OPTION) == plan.HEURISTICS
    assert of_configurations.HEURISTICS == configure.HEURISTICS
    assert of_patterns.HEURISTICS == aggregate.HEURISTICS


def test_a_heuristic_buys_what_it_chooses_and_the_limit_stands_next_to_it() -> None:
    study = decided("greedy-per-money")
    assert bought(study) == {"a": 1, "b": 1}
    # ln 3 - ln 2.8: the best plan is 3 / 2.8 - 1 = 7.2 % better
    stated = study.study.confidence[0]
    assert (stated.kind, stated.values["method"]) == ("by-heuristic", "greedy per money")
    assert stated.values["level"] == "proved"
    assert stated.values["more"] == pytest.approx(3 / 2.8 - 1, rel=1e-3)
    by_name = {item.plan.method: item for item in study.compared}
    assert by_name["greedy per money"].below_optimum == pytest.approx(1 - 2.8 / 3)
    assert by_name["optimum"].plan.score == pytest.approx(3.0)
    assert study.to_dict()["options"]["method"] == "greedy-per-money"


def test_a_heuristic_whose_plan_breaks_a_rule_decides_nothing() -> None:
    demanding = KNAPSACK | {"requirements": {"throughput": {"w": 2.9}}}
    with pytest.raises(PlanError, match=r"greedy per money: .*2\.9.*; use --method engine"):
        decided("greedy-per-money", demanding)
    assert bought(decided("engine", demanding)) == {"a": 3}


@pytest.mark.parametrize("solver", ["cbc", "highs", "both"])
def test_the_reference_decides_as_the_engine_does(solver: str) -> None:
    study = decided("reference", solver=solver)
    assert bought(study) == {"a": 3}
    assert study.optimum.status is Status.OPTIMAL
    assert study.study.confidence[0].kind == "optimal"
    names = [item.solver for item in study.by_solver]
    assert names == (["CBC", "HiGHS"] if solver == "both" else [])


def test_the_reference_and_not_the_engine_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    results: list[str] = []

    def watched(problem: Any, *, solver: str, **limits: Any) -> Any:
        results.append(solver)
        return readable.procure(problem, solver=solver, **limits)

    monkeypatch.setattr(by_solver, "procure", watched)
    decided("reference", solver="both")
    decided("engine", solver="highs")
    assert results == ["cbc", "highs"]


def test_where_the_reference_has_no_plan_the_engine_says_why() -> None:
    study = decided("reference", KNAPSACK | {"requirements": {"throughput": {"w": 4.0}}})
    assert study.plan is None
    assert study.diagnosis is not None
    assert study.study.headline.kind.startswith("no-plan")


def test_a_contradiction_about_there_being_a_plan_is_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(*_: Any, **__: Any) -> Any:
        raise InfeasibleError("procurement: no choice satisfies all constraints")

    monkeypatch.setattr(by_solver, "procure", none)
    with pytest.raises(PlanError, match="the engine has a plan: use --method engine"):
        decided("reference")


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (("plan", "rfp-center", "--method", "closed-form", "--solver", "cbc"),
         "--method closed-form uses no solver; leave --solver out, or take --method engine and"),
        (("plan", "thesis-7kw", "--method", "closed-form", "--no-report"), "leave --method out"),
        (("plan", "rfp-center", "--method", "closed-form", "--full", "--no-report"),
         "leave --full out, or use --method engine"),
        (("configure", "RUNS", "--power-bound", "3500", "--solver", "both"),
         "--method engine uses no solver; leave --solver out, or take --method reference"),
        (("aggregate", "lu", "--method", "packed", "--solver", "cbc"), "leave --solver out"),
        (("place", "RUNS", "--nodes", "2", "--method", "klm"), "no placement algorithm 'klm'"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused_with_a_remedy(
    words: tuple[str, ...], remedy: str, tmp_path: Path
) -> None:
    runs = str(write_runs(tmp_path / "runs.csv"))
    done = ran(*(runs if word == "RUNS" else word for word in words))
    assert done.exit_code == 2
    assert remedy in " ".join(done.output.split())


def test_a_configuration_by_every_method(tmp_path: Path) -> None:
    runs = str(write_runs(tmp_path / "runs.csv"))
    words = ("configure", runs, "--power-bound", "1500")
    best = answered(*words)
    assert "decision" not in best
    exact = answered(*words, "--method", "reference", "--solver", "both")
    assert exact["best"] == exact["decision"]["configuration"] == best["best"]
    certificates = exact["decision"]["certificates"]
    assert {name: certificate["status"] for name, certificate in certificates.items()} == {
        "CBC": "optimal", "HiGHS": "optimal",
    }  # fmt: skip
    for rule in of_configurations.HEURISTICS:
        result = answered(*words, "--method", rule)
        chosen = result["decision"]["configuration"]
        other = "worst_case" if rule == "worst-case" else "canonical"
        among = best[other] if rule == "worst-case" else best[other][rule]
        assert chosen["time_s"] == among["time_s"]
        above = chosen["time_s"] / best["best"]["time_s"] - 1
        assert result["decision"]["slower_than_best"] == pytest.approx(above)
        assert result["summary"].startswith(f"Under 1,500 W, {rule} runs solver as (")
        slower = f"{amount(1 + above, 'factor')} the time of the fastest".replace("\xa0", " ")
        assert (slower if above else "No configuration is faster") in result["summary"]


def test_a_rule_without_a_configuration_names_the_remedy(tmp_path: Path) -> None:
    runs = str(write_runs(tmp_path / "runs.csv"))
    done = ran("configure", runs, "--power-bound", "500", "--method", "packed-max")
    assert done.exit_code == 1
    assert "packed-max has no configuration within 500 W" in done.output
    assert "use --method engine" in done.output


def test_a_rule_that_breaks_the_bound_is_refused(tmp_path: Path) -> None:
    """Rated at 1 W a node, all 20 nodes are said to fit into 500 W; they draw thousands."""
    runs = read_measurements(write_runs(tmp_path / "runs.csv")).runs["solver"]
    node_maximum, table = NodeMaximum(1, 1.0, 0.0), table_of(runs)
    question = Question(Bound(500.0), node_maximum, method="worst-case")
    with pytest.raises(PlanError, match=r"worst-case: .* draws .*, above 500 W; use --method"):
        answered_from(table, question, runs=runs)


def test_a_reference_that_contradicts_the_engine_decides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = read_measurements(write_runs(tmp_path / "runs.csv")).runs["solver"]
    other = table_of(runs).row(0)
    monkeypatch.setattr(of_configurations, "_by_reference", lambda *_: CertifiedChoice(other))
    question = Question(Bound(1500.0), NodeMaximum(), method="reference")
    with pytest.raises(PlanError, match="One of them is wrong; please report this case"):
        answered_from(table_of(runs), question, runs=runs)


def test_a_contradiction_about_one_application_is_no_missing_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = read_measurements(write_runs(tmp_path / "runs.csv")).runs["solver"]
    both = Measurements(
        "t", "", {"one": replace(runs.take(np.arange(1)), application="one"), "solver": runs}
    )
    monkeypatch.setattr(
        of_configurations, "_by_reference", lambda table, *_: CertifiedChoice(table.row(0))
    )
    question = Question(Bound(1500.0), NodeMaximum(), method="reference")
    with pytest.raises(PlanError, match="solver: the reference formulation chooses"):
        of_study(both, question)
    assert of_study(both, question, applications=["one"]).answers[0].application == "one"


def test_two_solvers_that_choose_differently_decide_nothing() -> None:
    def ask(solver: str) -> Any:
        return type("Certified", (), {"plan": solver, "certificate": None})()

    with pytest.raises(PlanError, match=r"CBC chooses cbc and HiGHS highs\. One of them is wrong"):
        by_reference(ask, "both")
    with pytest.raises(InputError, match="there is no solver 'glpk'"):
        by_reference(ask, "glpk")


ENERGY = {1: 8.0, 2: 4.0, 3: 3.5, 4: 3.6, 5: 1.9, 6: 2.0, 7: 2.1, 8: 1.0}
"""By pattern [J]; pattern 8 is 20 % slower in the tests, all others as fast as one task a node."""


def test_a_pattern_by_every_method() -> None:
    candidates = [made(p, 0.2 if p.id == 8 else 0.0, ENERGY[p.id]) for p in EIGHT]
    choose = of_patterns.chosen
    assert choose(candidates, 0.05, "joules").plan.pattern.id == 5
    for solver in ("cbc", "highs", "both"):
        assert choose(candidates, 0.05, "joules", "reference", solver).plan.pattern.id == 5
    one = choose(candidates, 0.05, "joules", "one")
    assert one.more_energy == pytest.approx(8.0 / 1.9 - 1)
    with pytest.raises(PlanError, match=r"packed: pattern 8 is 20 % slower, .*raise --threshold"):
        choose(candidates, 0.05, "joules", "packed")
    assert choose(candidates, 0.2, "rank", "packed").plan.pattern.id == 8
    with pytest.raises(InputError, match="there is no method 'pack'"):
        choose(candidates, 0.05, "joules", "pack")


def test_a_pattern_by_the_reference_on_the_command_line() -> None:
    result = answered("aggregate", "lu", "--law", "cliff", "--seed", "1", "--method", "reference")
    assert result["chosen"] == result["decision"]["best_pattern"] == 8
    assert result["decision"]["certificates"]["CBC"]["status"] == "optimal"
    assert "CBC decides the reference formulation: optimal, verified." in result["summary"]


def test_the_report_of_a_heuristics_plan_says_so() -> None:
    """The plan is called by its method, and the command that gives it again has that too."""
    study = decided("greedy-per-money")
    plan, optimum = study.study.rows("compared")[:2]
    alike = ["greedy per money", "greedy per watt", "rounded relaxation"]  # in one row
    assert plan["method"][:3] == alike
    assert optimum["method"] == ["optimum", "closed form", "best single type"]
    assert plan["below"] == pytest.approx(2.8 / 3 - 1)
    assert command(study) == (), "a scenario from Python has no command"
    read = study.scenario.with_provenance(Provenance(files=(("by-hand.toml", "0" * 64),)))
    assert command(replace(study, scenario=read)) == (
        "plan", "by-hand.toml", "--method", "greedy-per-money"
    )  # fmt: skip
    given = Options("cbc", 1e-3, 7, 60.0)
    assert command(replace(study, scenario=read, options=given, full=True)) == (
        "plan", "by-hand.toml", "--full", "--solver", "cbc", "--seed", "7", "--gap", "0.001",
        "--time-limit", "60",
    )  # fmt: skip
