"""Heuristics, placement algorithms and predictors of the user's own: what is wrong is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headroom as hr
from planner.configurations.sharing.problem import Goal, SharingPlan, SharingProblem
from planner.errors import InputError, PlanError
from planner.finding import finding
from planner.placement.own import find_algorithm
from planner.procurement import problem as procurement
from planner.procurement.from_scenario import problem_from
from planner.procurement.own import filled, machine, nodes_by
from planner.procurement.plan import Plan as Purchase
from planner.scheduling.estimates.predictors.own import Checked
from planner.scheduling.estimates.predictors.predictor import Integers, Known, Rows, known_of
from planner.scheduling.estimates.settings import EstimateSettings
from scenarios.job_logs.lublin import lublin_log
from scenarios.sample import write_sample
from solvers.partition.graph import Graph
from solvers.partition.request import Request


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    write_sample(folder)
    return folder


@pytest.fixture(scope="module")
def problem(sample: Path) -> procurement.Problem:
    return problem_from(hr.load(sample / "procurement.toml"))


def fastest(problem: SharingProblem, goal: Goal) -> SharingPlan:
    chosen = [job.table.row(int(job.table.time_s.argmin())) for job in problem.jobs]
    return SharingPlan(problem, goal, "a forged name", tuple(chosen))


def nothing(problem: SharingProblem, goal: Goal) -> SharingPlan:
    del problem, goal
    raise PlanError("not today")


def test_a_sharing_heuristic_is_checked_and_named_by_its_function(sample: Path) -> None:
    runs = sample / "runs.csv"
    with pytest.raises(InputError, match=r"test_own_heuristics\.py:\d+: the plan by fastest is wr"):
        hr.share(runs, bound_w=3000, nodes=64, heuristics=[fastest])
    with pytest.raises(InputError, match="two methods have the name fastest"):
        hr.share(runs, bound_w=1e6, nodes=640, heuristics=[fastest, fastest])
    result = hr.share(runs, bound_w=1e6, nodes=640, heuristics=[fastest, nothing])
    assert result.shared.rules["fastest"].value == result.plan.value
    why = finding("risk", "no-plan", rule=("nothing", "exact"), why=("not today", "message"))
    assert result.shared.refused == {"nothing": why}
    assert "No plan by nothing: not today." in result.warnings


def test_a_sharing_heuristic_that_answers_nonsense_is_refused(sample: Path) -> None:
    def broken(problem: SharingProblem, goal: Goal) -> Any:
        return len(problem.jobs), goal

    with pytest.raises(InputError, match="broken returns tuple; return a SharingPlan"):
        hr.share(sample / "runs.csv", bound_w=6000, nodes=64, heuristics=[broken])


def test_a_procurement_heuristic_may_choose_nodes_and_nothing_else(
    problem: procurement.Problem,
) -> None:
    names = [offer.name for offer in problem.offers]

    def forged(problem: procurement.Problem) -> Purchase:
        plan = machine(problem, filled(problem, {}, names))
        return replace(plan, objective=99.0, scores=(9e9,), it_power_w=0.0)

    assert nodes_by(forged, problem) == machine(problem, filled(problem, {}, names)).nodes

    def other(problem: procurement.Problem) -> Purchase:
        return replace(machine(problem, {}), nodes=(1,) * 99)

    def odd(problem: procurement.Problem) -> Any:
        return {"nodes": len(problem.offers)}

    def unknown(problem: procurement.Problem) -> Purchase:
        return machine(problem, {names[0] + "x": 1})

    def none(problem: procurement.Problem) -> Purchase:
        raise PlanError(f"{len(problem.offers)} types are too many")

    for heuristic, words in (
        (other, "other returns a plan of another problem"),
        (odd, "odd returns dict; return machine"),
        (unknown, f"no node type '{names[0]}x' can be bought; did you mean '{names[0]}'"),
        (none, "none finds no plan: .* too many"),
    ):
        with pytest.raises(InputError, match=words):
            nodes_by(heuristic, problem)


def test_heuristics_are_for_a_procurement() -> None:
    with pytest.raises(InputError, match="thesis-7kw is not a procurement"):
        hr.plan("thesis-7kw", heuristics=[lambda problem: machine(problem, {})])


@pytest.mark.slow
def test_a_procurement_heuristic_changes_no_other_number(sample: Path) -> None:
    def half(problem: procurement.Problem) -> Purchase:
        most = filled(problem, {}, [offer.name for offer in problem.offers])
        return machine(problem, {name: count // 2 for name, count in most.items()})

    alone = hr.plan(sample / "procurement.toml").to_dict()
    extended = hr.plan(sample / "procurement.toml", heuristics=[half]).to_dict()
    own = [item for item in extended["heuristics"] if item["method"] == "half"]
    assert own[0]["below_optimum"] > 0
    extended["heuristics"].remove(own[0])
    for key in ("compared", "machines_compared"):
        extended[key] = [row for row in extended[key] if row["method"] != "half"]
    extended["violations"] = [row for row in extended["violations"] if row["method"] != "half"]
    assert extended.pop("files").keys() == {"test_own_heuristics.py"}
    for answer in (alone, extended):
        answer.pop("study")
    assert extended == alone


GRAPH = Graph.from_edges(4, np.array([0, 2, 1]), np.array([1, 3, 2]), np.array([5.0, 5.0, 1.0]))
REQUEST = Request(GRAPH, np.array([2, 2]), fixed=np.array([-1, -1, -1, 0], np.int32))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ([1, 1, 0, 0], ""),
        ([0, 0, 1, 1], "puts vertex 3 into part 1, but it is pinned to 0"),
        ([0, 0, 0, 1], "puts 3 vertices into part 0, which holds 2; fill every part exactly"),
        ([0, 0, 1, 2], "uses parts outside 0 to 1"),
        ([0, 0, 1], r"returns int64 of shape \(3,\); return a whole number for each of 4"),
        ([0.0, 0.0, 1.0, 1.0], r"returns float64 of shape \(4,\)"),
    ],
)
def test_a_placement_algorithm_is_checked(answer: Sequence[int], words: str) -> None:
    def own(request: Request) -> Sequence[int]:
        del request
        return answer

    partitioner = find_algorithm(own)
    if words:
        with pytest.raises(InputError, match=words):
            partitioner.partition(REQUEST)
    else:
        result = partitioner.partition(REQUEST)
        assert (result.cut, result.method) == (1.0, "own")


def test_a_placement_algorithm_needs_its_argument() -> None:
    def none() -> list[int]:
        return []

    wrong: Any = none
    with pytest.raises(InputError, match="does not accept the arguments of call with"):
        find_algorithm(wrong)
    with pytest.raises(InputError, match="there is no placement algorithm 'metiss'; did you"):
        find_algorithm("metiss")


class Constant:
    """Always the same."""

    name = "constant"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def begin(self, known: Known, seed: int = 0) -> Constant:
        del known, seed
        return self

    def predict(self, rows: Rows) -> Integers:
        return np.array([self.answer] * len(rows))

    def learn(self, rows: Rows, run_s: Integers) -> None:
        pass


def test_a_prediction_outside_its_range_is_refused() -> None:
    known = known_of(lublin_log(3, 32, 0))
    rows = np.arange(3)
    assert Checked(Constant(1)).begin(known).predict(rows).tolist() == [1, 1, 1]
    for answer, words in (
        (0, "constant predicts 0 s in row 0, where .* predict from 1 s to the request"),
        (10**12, "constant predicts 1000000000000 s"),
        (0.5, r"constant predicts float64 of shape \(3,\); return whole seconds"),
    ):
        with pytest.raises(InputError, match=words):
            Checked(Constant(answer)).begin(known).predict(rows)


def test_own_predictors_stand_behind_the_built_in_ones_by_their_names() -> None:
    settings = EstimateSettings(
        predictors=("last-two",), own=(Constant(1),), strategies=("extend",)
    )
    settings.check()
    assert [tool.key for tool in settings.predictor_tools] == ["last-two-extend", "constant-extend"]
    assert settings.to_dict()["predictors"] == ("last-two", "constant")
    with pytest.raises(InputError, match="two predictors have the name constant"):
        replace(settings, own=(Constant(1), Constant(2))).check()


def spoiled(value: Any) -> None:
    """Try to write to every array of a value, and put something else into every field."""
    if isinstance(value, np.ndarray):
        with suppress(ValueError):
            value.setflags(write=True)
            value[:] = 0
    elif isinstance(value, tuple):
        for item in value:
            spoiled(item)
    elif is_dataclass(value):
        for field in fields(value):
            spoiled(getattr(value, field.name))
            object.__setattr__(value, field.name, None)


def test_heuristics_cannot_change_the_problem_of_the_others(
    sample: Path, problem: procurement.Problem
) -> None:
    def hostile(problem: SharingProblem, goal: Goal) -> SharingPlan:
        plan = fastest(problem, goal)
        spoiled(problem)
        return plan

    def as_many(problem: procurement.Problem) -> Purchase:
        plan = machine(problem, filled(problem, {}, [offer.name for offer in problem.offers]))
        spoiled(problem)
        return plan

    runs = sample / "runs.csv"
    hurt, unhurt = (
        [plan.to_dict() for plan in hr.share(runs, bound_w=1e6, nodes=640, heuristics=own).plans]
        for own in ([hostile], [fastest])
    )
    assert [plan | {"method": ""} for plan in hurt] == [plan | {"method": ""} for plan in unhurt]
    assert nodes_by(as_many, problem) == nodes_by(as_many, problem)
    for writes in (lambda p: p.merit.setflags(write=True), lambda p: p.merit.fill(0)):
        with pytest.raises(InputError, match="inputs cannot be changed: change a copy"):
            nodes_by(writes, problem)


def test_a_placement_algorithm_cannot_change_the_request() -> None:
    def hostile(request: Request) -> list[int]:
        for array in (request.fixed, request.capacities, request.graph.weights):
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.setflags(write=True)
        spoiled(request)
        return [1, 1, 0, 0]

    partitioner = find_algorithm(hostile)
    assert [partitioner.partition(REQUEST).cut for _ in range(2)] == [1.0, 1.0]
    assert REQUEST.graph.weights.tolist() == [5.0, 5.0, 1.0, 1.0, 5.0, 5.0]


class Hostile(Constant):
    """Spoils all that it gets."""

    def __init__(self, answer: int = 1) -> None:
        super().__init__(answer)

    def begin(self, known: Known, seed: int = 0) -> Constant:
        spoiled(known)
        return super().begin(known, seed)

    def predict(self, rows: Rows) -> Integers:
        answer = super().predict(rows)
        spoiled(rows)
        return answer

    def learn(self, rows: Rows, run_s: Integers) -> None:
        spoiled((rows, run_s))


def test_a_predictor_cannot_change_the_log() -> None:
    known, rows = known_of(lublin_log(3, 32, 0)), np.arange(3)
    kept = [column.copy() for column in known]
    passing = Checked(Hostile()).begin(known)
    passing.learn(rows, rows + 1)
    assert passing.predict(rows).tolist() == [1, 1, 1]
    assert rows.tolist() == [0, 1, 2]
    assert all((column == old).all() for column, old in zip(known, kept, strict=True))


class Fastest:
    """The sharing heuristic as a class."""

    name = "fastest"

    def __call__(self, problem: SharingProblem, goal: Goal) -> SharingPlan:
        return fastest(problem, goal)


class Pairs:
    """A placement algorithm as a class."""

    def __call__(self, request: Request) -> list[int]:
        return [
            vertex * request.parts // request.graph.vertices for vertex in range(len(request.fixed))
        ]


class Needy:
    def __init__(self, share: float) -> None:
        self.share = share


def test_a_class_is_made_to_an_object_wherever_a_part_is_given(
    sample: Path, tmp_path: Path
) -> None:
    runs, bound = sample / "runs.csv", dict[str, Any](bound_w=1e6, nodes=640)
    (tmp_path / "matrix.csv").write_text("0,9,1,0\n9,0,0,1\n1,0,0,9\n0,1,9,0\n")
    by_class, by_object = (
        hr.share(runs, heuristics=[part], **bound).to_dict() for part in (Fastest, Fastest())
    )
    assert by_class == by_object
    placed = hr.place(tmp_path / "matrix.csv", nodes=2, method=Pairs)
    assert "Pairs" in {item.name for item in placed.tried}
    log = lublin_log(30, 32, 0, estimate_factor=2.0)
    refused: list[tuple[str, Callable[[Any], object]]] = [
        ("policy", lambda part: hr.simulate(log, [part])),
        ("power-aware policy", lambda part: hr.schedule("thesis-table-5-2", policies=[part])),
        ("sharing heuristic", lambda part: hr.share(runs, heuristics=[part], **bound)),
        ("sharing heuristic", lambda part: hr.compare(runs, heuristics=[part], **bound)),
        ("placement algorithm",
         lambda part: hr.place(tmp_path / "matrix.csv", nodes=2, method=part)),
        ("placement algorithm",
         lambda part: hr.compare(tmp_path / "matrix.csv", ranks_per_node=2, heuristics=[part])),
        ("procurement heuristic",
         lambda part: hr.plan(sample / "procurement.toml", heuristics=[part])),
        ("procurement heuristic",
         lambda part: hr.compare(sample / "procurement.toml", heuristics=[part])),
        ("predictor", lambda part: hr.estimate(log, predictors=[part])),
    ]  # fmt: skip
    for noun, call in refused:
        words = rf"test_own_heuristics\.py:\d+: Needy\(\): .* a {noun} is created without arguments"
        with pytest.raises(InputError, match=words):
            call(Needy)
        with pytest.raises(
            InputError, match=rf"list has no .*, which a {noun} needs|list does not"
        ):
            call([])
