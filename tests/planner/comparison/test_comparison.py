"""Methods compared: what is said of gaps, agreement and contradictions."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from pypdf import PdfReader

import headroom as hr
from planner.cli.main import main
from planner.comparison import designs, procurement
from planner.comparison.compare import How, compare_sharing
from planner.comparison.files import files, latex
from planner.comparison.method import (
    ComparedDecision,
    Instance,
    Method,
    MethodAnswer,
    MethodKind,
    answer,
    relative,
)
from planner.comparison.models import write_models
from planner.comparison.outcomes import Contradiction, compare_all, outcomes
from planner.comparison.study import ComparisonStudy
from planner.configurations.selection import Bound
from planner.configurations.sharing.problem import Goal, SharedJob, SharingPlan, SharingProblem
from planner.configurations.sharing.rounded import rounded
from planner.configurations.sharing.share import share
from planner.configurations.table import ConfigurationTable
from planner.designs.design import DesignOffer, DesignProblem
from planner.errors import InputError, PlanError
from planner.formatting import unmarked
from reports.figures import pictures
from reports.writers.terminal import terminal
from scenarios.communication.matrix import Communication
from scenarios.model.run_times import TableTime
from solvers import Certificate, Level, Status, Stop
from solvers.backends.cbc import binary
from tests.planner.procurement.catalogues import asked, merits, node, request

LEAST_COST = ComparedDecision("Least cost", "cost", "things")


def table(times_s: list[float], powers_w: list[float]) -> ConfigurationTable:
    count = len(times_s)
    ones, caps = np.ones(count, dtype=np.int64), np.full(count, 115.0)
    cores = np.arange(1, count + 1)
    return ConfigurationTable("a", ones, cores, caps, np.array(times_s), np.array(powers_w))


def two_jobs() -> SharingProblem:
    """Each takes 10 s at 100 W or 4 s at 200 W; 300 W allow one of the two the faster one.

    Optimum 14 s; equal shares (150 W each) 20 s; the relaxation reaches 14 s too.
    """
    both = table([10.0, 4.0], [100.0, 200.0])
    return SharingProblem((SharedJob("p", both), SharedJob("q", both)), Bound(300.0), 2)


def proved(objective: float, bound: float, status: Status = Status.OPTIMAL) -> Certificate:
    return Certificate(
        status, Level.VERIFIED, Stop.FINISHED, objective, bound, 0.0, 0.0, 0.0, "cbc", {}, 0, "m",
        "0",
    )  # fmt: skip


def method(name: str, kind: MethodKind, answer: MethodAnswer) -> Method:
    return Method(name, kind, lambda: answer)


def raising(message: str) -> Callable[[], MethodAnswer]:
    def ask() -> MethodAnswer:
        raise PlanError(message)

    return ask


def made(*methods: Method) -> ComparisonStudy:
    instance = Instance("one", 1, None, methods)
    return ComparisonStudy(LEAST_COST, compare_all(LEAST_COST, [instance]), {})


def printed(study: ComparisonStudy) -> str:
    return unmarked(terminal(study.study, 100))


def test_all_methods_agree_with_the_optimum_worked_by_hand() -> None:
    study = compare_sharing(two_jobs())
    values = {outcome.method: outcome.objective for outcome in study.outcomes}
    exact = {"reference (CBC)": 14.0, "reference (HiGHS)": 14.0, "engine": 14.0}
    assert values == pytest.approx(exact | {"LP rounding": 14, "greedy": 14, "equal shares": 20})
    gaps = {outcome.method: outcome.gap for outcome in study.outcomes}
    assert gaps["equal shares"] == pytest.approx(6 / 14)
    assert study.headline == "Best heuristic: LP rounding, at the best limit on 1 of 1 instance"
    assert "agree on 1 instance, within their tolerance." in study.confidence
    assert not study.disagreements


def test_the_gap_is_to_the_best_bound_of_all_methods() -> None:
    loose = method("loose", MethodKind.REFERENCE, answer(12.0, proved(12.0, 8.0, Status.FEASIBLE)))
    tight = method("tight", MethodKind.ENGINE, answer(11.0, proved(11.0, 10.0, Status.FEASIBLE)))
    greedy = method("greedy", MethodKind.HEURISTIC, MethodAnswer(15.0))
    study = made(loose, tight, greedy)
    assert [outcome.gap for outcome in study.outcomes] == pytest.approx([0.2, 0.1, 0.5])
    assert {outcome.best_bound for outcome in study.outcomes} == {10.0}
    assert "No exact method calls" in study.confidence


def certified(level: Level) -> Method:
    """A method that calls its plan optimal under a certificate of a level."""
    certificate = replace(proved(12.0, 12.0), level=level)
    return method(level.value, MethodKind.REFERENCE, answer(12.0, certificate))


def test_proved_optimal_counts_certificates_of_level_proved_alone() -> None:
    study = made(*map(certified, Level))
    counts = {row.method: (row.level, row.optimal, row.proved) for row in study.summaries}
    assert counts == {
        "claimed": ("claimed", 1, 0), "verified": ("verified", 1, 0), "proved": ("proved", 1, 1),
    }  # fmt: skip
    assert study.confidence.endswith("Proved by: proved.")
    for level in (Level.CLAIMED, Level.VERIFIED):
        alone = made(certified(level))
        assert "not proved" in alone.confidence
        assert "use-optimal" in [each.kind for each in alone.study.findings]
    assert made(certified(Level.PROVED)).confidence == (
        "Optimal: proved alone proves every plan optimal."
    )


def test_the_tables_hold_sizes_seeds_tolerances_and_cpu_times() -> None:
    study = compare_sharing(two_jobs(), sizes=(2, 3), seeds=2)
    assert "(2 to 3 jobs; seeds 0 to 1)" in printed(study)
    tolerance = {row.method: row.tolerance for row in study.summaries}
    assert tolerance["reference (CBC)"] == tolerance["engine"] == 1e-9
    assert tolerance["greedy"] is None
    assert {"level", "tolerance"} <= {*study.tables()["methods"][0]}
    assert {"size", "seed", "level", "tolerance", "seconds", "cpu_s"} <= study.times()[0].keys()
    solving = [row["cpu_s"] for row in study.times() if "reference" in row["method"]]
    assert all(cpu_s > 0 for cpu_s in solving)


def test_a_plan_better_than_a_bound_is_a_contradiction() -> None:
    broken = method("wrong", MethodKind.REFERENCE, answer(12.0, proved(12.0, 12.0)))
    greedy = method("greedy", MethodKind.HEURISTIC, MethodAnswer(11.0))
    study = made(broken, greedy)
    assert study.disagreements == (Contradiction("one", "greedy", 11, "wrong", 12),)
    assert study.warnings[0] == (
        "one: greedy reports 11, below the lower bound 12 of wrong. One of the two is wrong."
    )
    assert study.confidence == "Methods contradict each other on 1 of 1 instance."


def test_heuristics_that_all_reach_the_bound_are_not_ranked() -> None:
    exact = method("exact", MethodKind.ENGINE, answer(12.0, proved(12.0, 12.0)))
    study = made(
        exact, *(method(name, MethodKind.HEURISTIC, MethodAnswer(12.0)) for name in ("a", "b"))
    )
    assert study.headline == "Every heuristic is at the best limit on 1 instance"
    assert hr.figures(study) == {}


def test_rounding_is_no_contradiction() -> None:
    one = method("one", MethodKind.REFERENCE, answer(12.0, proved(12.0, 12.0 + 1e-10)))
    assert made(one, one).disagreements == ()


def test_a_wrong_plan_has_no_gap_and_is_named() -> None:
    sound = method("sound", MethodKind.ENGINE, answer(12.0, proved(12.0, 12.0)))
    broken = method("broken", MethodKind.ENGINE, answer(5.0, None, ["takes 3 nodes of 2"]))
    study = made(sound, broken)
    assert study.outcomes[1].status == "breaks a rule"
    assert study.outcomes[1].gap is None
    assert study.warnings[0] == "one: the plan of broken breaks a rule: takes 3 nodes of 2."


def test_a_bound_without_a_status_that_carries_one_is_not_believed() -> None:
    claim = proved(12.0, 20.0, Status.UNKNOWN)
    (row,) = outcomes(
        LEAST_COST,
        Instance("one", 1, None, (method("m", MethodKind.REFERENCE, answer(12.0, claim)),)),
    )
    assert row.bound is None
    assert row.gap is None


def test_a_method_without_a_plan_says_why() -> None:
    study = made(
        method("exact", MethodKind.ENGINE, answer(1.0, proved(1.0, 1.0))),
        Method("lost", MethodKind.HEURISTIC, raising("no room")),
    )
    row = study.outcomes[1]
    assert (row.status, row.objective, row.note) == ("no plan", None, "no room")
    assert study.summaries[1].solved == 0


def test_more_is_better_where_the_decision_says_so() -> None:
    largest = replace(LEAST_COST, minimised=False)
    instance = Instance("one", 1, None, (
        method("exact", MethodKind.ENGINE, answer(10.0, proved(10.0, 10.0))),
        method("greedy", MethodKind.HEURISTIC, MethodAnswer(9.0)),
    ))  # fmt: skip
    study = ComparisonStudy(largest, compare_all(largest, [instance]), {})
    assert study.disagreements == ()
    assert study.outcomes[1].gap == pytest.approx(0.1)


@pytest.mark.parametrize(("objective", "bound", "gap"), [(0, 0, 0), (3, 0, 1), (-9, -10, 0.1)])
def test_a_gap_is_a_share_of_the_bound(objective: float, bound: float, gap: float) -> None:
    assert relative(objective, bound) == pytest.approx(gap)


def test_drawn_instances_repeat_and_grow_watts_and_nodes_with_the_jobs() -> None:
    first, second = (compare_sharing(two_jobs(), sizes=(2, 4), seeds=2) for _ in range(2))
    assert first.outcomes == second.outcomes
    assert first.sizes == (2, 4)
    best = {outcome.instance: outcome.best_bound for outcome in first.outcomes}
    assert best["4 jobs, seed 0"] == pytest.approx(28.0)  # twice the jobs, watts and nodes


def test_an_instance_without_a_plan_is_no_failure() -> None:
    study = compare_sharing(SharingProblem(two_jobs().jobs, Bound(150.0), 2))
    assert study.headline == "No method found a plan"
    assert {outcome.status for outcome in study.outcomes} == {"no plan"}


def test_the_relaxation_rounded_never_breaks_the_bound() -> None:
    # 250 W: the relaxation splits a job half and half; only the lighter rounding fits
    problem = SharingProblem(two_jobs().jobs, Bound(250.0), 2)
    assert rounded(problem).value == 20.0
    assert share(problem).value == 20.0
    assert rounded(two_jobs(), "makespan").value == 10.0


def slowest(problem: SharingProblem, goal: Goal) -> SharingPlan:
    return SharingPlan(problem, goal, "slowest", tuple(job.table.row(0) for job in problem.jobs))


def test_a_heuristic_of_the_users_own_is_among_the_methods() -> None:
    study = compare_sharing(two_jobs(), heuristics=[slowest])
    own = study.of("slowest")[0]
    assert (own.kind, own.objective) == ("own", 20.0)


@pytest.mark.parametrize("sizes", [(0,), (4, 100_001)])
def test_impossible_sizes_are_refused(sizes: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="give sizes from 1 to 100,000"):
        compare_sharing(two_jobs(), sizes=sizes)


def test_no_repeatable_file_holds_a_time() -> None:
    study = compare_sharing(two_jobs())
    assert '"seconds' not in json.dumps(study.to_dict())
    written = files(study)
    rows = list(csv.DictReader(io.StringIO(written["compare.csv"].decode())))
    assert [row["method"] for row in rows] == list(study.methods)
    assert "seconds" not in rows[0]
    times = list(csv.DictReader(io.StringIO(written["times.csv"].decode())))
    assert all(float(row["seconds"]) > 0 for row in times)


RUNS = """application,nodes,cores_per_node,package_cap_w,time_s,package_power_w
a,1,4,115,10,100
a,1,8,115,4,200
b,1,4,115,10,100
b,1,8,115,4,200
"""


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    path = tmp_path / "runs.csv"
    path.write_text(RUNS)
    return path


def test_the_command_writes_the_same_bytes_but_for_times(runs: Path, tmp_path: Path) -> None:
    written = []
    for name in ("one", "two"):
        words = ["compare", str(runs), "--power-bound", "300", "--nodes", "2"]
        done = CliRunner().invoke(main, [*words, "-o", str(tmp_path / name)])
        assert done.exit_code == 0, done.output
        assert "equal shares" in done.output
        assert "which differ between runs" in done.output
        result = [path for path in (tmp_path / name).rglob("*") if path.is_file()]
        written.append({
            str(path.relative_to(tmp_path / name)): path.read_bytes()
            for path in result
            if path.name not in ("run.json", "times.csv")
        })  # fmt: skip
    assert written[0] == written[1]
    assert {"compare.json", "compare.csv", "compare.tex", "report.pdf"} <= written[0].keys()


def test_python_compares_what_the_command_compares(runs: Path) -> None:
    study = hr.compare(runs, bound_w=300.0, nodes=2)
    words = ["compare", str(runs), "--power-bound", "300", "--nodes", "2", "--json"]
    done = CliRunner().invoke(main, words)
    from_command, plain = json.loads(done.stdout), json.loads(json.dumps(study.to_dict()))
    for one in (from_command, plain):
        del one["study"]["provenance"]  # only one has a command
    assert from_command == plain


def test_measured_runs_need_a_bound_and_nodes(runs: Path) -> None:
    with pytest.raises(InputError, match="need both a power bound and a number of nodes"):
        hr.compare(runs, nodes=2)


def test_the_designs_of_the_thesis_by_every_method() -> None:
    study = hr.compare("thesis-7kw")
    values = {(outcome.instance, outcome.method): outcome.objective for outcome in study.outcomes}
    assert values["SPhot", "closed form"] == pytest.approx(38.703, abs=1e-3)
    for outcome in study.outcomes:
        if outcome.kind == "reference":
            assert outcome.objective == pytest.approx(values[outcome.instance, "closed form"])
    assert study.warnings == ()
    assert study.headline == (
        "Best heuristic: closed form, at the best limit on 4 of 4 applications"
    )
    assert [row["does"] for row in study.tables()["explained"]][2:] == [
        "closed form: High-end or overprovisioned design", "always", "always",
    ]  # fmt: skip


def test_one_node_is_no_several_nodes() -> None:
    offers = (DesignOffer("high-end", 100.0, 3, 1.0), DesignOffer("older", 50.0, 1, 1.0))
    time_of = TableTime(kind="table", node_type="older", nodes=(1, 3), time_s=(2.0, 1.0))
    problem = DesignProblem("app", offers, 150.0, 3, time_of, "refuse")
    assert designs.common_data([problem])["money and power allow"] == (
        "1 high-end node or 3 older nodes (the overprovisioned design)"
    )


def test_a_small_procurement_by_every_method() -> None:
    """Money for three nodes of one type: every exact method buys them."""
    work = merits("w", ("a", None, 1.0))
    problem = asked(request([node("a", 100.0)], [work], 300.0, 900.0))
    one = procurement.instance(problem)
    study = ComparisonStudy(procurement.DECISION, compare_all(procurement.DECISION, [one]), {})
    best = study.outcomes[0].best_bound
    assert best is not None
    for outcome in study.outcomes:
        assert outcome.objective == pytest.approx(best, abs=2e-4), outcome
    assert "agree on 1 instance, within their tolerance." in study.confidence


def two_cliques(name: str = "program") -> Communication:
    """Four ranks; 0-2 and 1-3 exchange 10 bytes, 0-1 one byte: 2 nodes of 2 cut 1 at least."""
    low, high = np.array([0, 0, 1]), np.array([1, 2, 3])
    return Communication(name, 4, low, high, np.array([1.0, 10.0, 10.0]), np.zeros(4))


def test_which_ranks_share_a_node_by_every_method() -> None:
    study = hr.compare(two_cliques(), ranks_per_node=2)
    values = {outcome.method: outcome.objective for outcome in study.outcomes}
    assert values["order"] == 20.0
    assert {values[name] for name in ("reference (CBC)", "reference (HiGHS)", "engine")} == {1.0}
    assert study.of("order")[0].gap == pytest.approx(19.0)


def test_the_first_ranks_of_programs_are_instances_of_smaller_sizes() -> None:
    study = hr.compare(two_cliques("p"), two_cliques("q"), ranks_per_node=2, sizes=(2, 4))
    assert study.sizes == (2, 4)
    names = list(dict.fromkeys(outcome.instance for outcome in study.outcomes))
    assert names == ["p, 2 ranks", "q, 2 ranks", "p, 4 ranks", "q, 4 ranks"]


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ((), {}, "0 data sets; give one scenario"),
        (("thesis-7kw", "rfp-center"), {}, "2 data sets; give one scenario"),
        (("thesis-7kw",), {"sizes": (4,)}, "leave the sizes out"),
        (("thesis-7kw",), {"heuristics": ["own.py:F"]}, r"has no \[procurement\]"),
        (("thesis-7kw",), {"node_limit": 5}, "drop --node-limit"),
        (("hopper-2010",), {}, r"neither \[procurement\] nor \[overprovisioning\]; add one"),
        ((two_cliques(),), {"ranks_per_node": 2, "sizes": (8,)}, "no program has 8 ranks"),
        ((3,), {"ranks_per_node": 2}, "int is not a communication matrix"),
        ((two_cliques(),), {}, "this is not a scenario file; add .* for measured runs"),
    ],
)  # fmt: skip
def test_what_makes_no_decision_is_refused_with_a_remedy(
    given: tuple[Any, ...], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        hr.compare(*given, **options)


def test_a_file_that_is_no_scenario_is_named(runs: Path) -> None:
    with pytest.raises(
        InputError, match=r"runs\.csv is not a scenario file; add .* for measured runs"
    ):
        hr.compare(runs)


def by_cbc(path: Path) -> float:
    """What CBC's own program makes of a file."""
    answer_file = path.with_suffix(".txt")
    words = [binary(), str(path), "preprocess", "off", "ratio", "0", "solve", "solution"]
    subprocess.run([*words, str(answer_file)], check=True, capture_output=True)
    return float(answer_file.read_text().partition("\n")[0].rpartition(" ")[2])


def test_bare_cbc_solves_the_written_models_to_the_same_optimum(tmp_path: Path) -> None:
    shared = hr.compare("thesis-7kw", models=tmp_path / "designs")
    optimum = {outcome.instance: outcome.best_bound for outcome in shared.outcomes}
    for name, least in optimum.items():
        for ending in (".lp", ".mps"):
            assert by_cbc(tmp_path / "designs" / f"{name}{ending}") == pytest.approx(
                least, rel=1e-7
            )
    hr.compare(two_cliques(), ranks_per_node=2, models=tmp_path / "ranks")
    assert by_cbc(tmp_path / "ranks" / "program.mps") == pytest.approx(by_cbc(
        tmp_path / "ranks" / "program.lp"
    ))  # fmt: skip
    compare_sharing(two_jobs(), how=How(models=tmp_path / "jobs"))
    assert by_cbc(tmp_path / "jobs" / "2-jobs.lp") == pytest.approx(14.0)
    names = (tmp_path / "jobs" / "2-jobs.names.csv").read_text().splitlines()
    assert names[:2] == ["index,number,meaning", "j,0,p"]
    assert names[3] == 'j_k,0_0,"(1 x 1, 115 W)"'


def test_the_written_procurement_has_the_names_of_the_docstring(tmp_path: Path) -> None:
    work = merits("w", ("a", None, 1.0))
    problem = asked(request([node("a", 100.0)], [work], 300.0, 900.0))
    (_, mps, names) = write_models(tmp_path, [procurement.instance(problem)])
    text = mps.read_text()
    assert " capital\n" in text
    assert " bought_0_0 " in text
    assert "o,0,a\n" in names.read_text()
    # the first round of tangents: its bound is at most 0.00114 above the optimum
    best = compare_all(procurement.DECISION, [procurement.instance(problem)])[0].best_bound
    assert best is not None
    assert -by_cbc(mps) / 1000 == pytest.approx(best, abs=0.002)


def test_no_model_file_is_ever_replaced(tmp_path: Path) -> None:
    (tmp_path / "2-jobs.mps").write_text("mine")
    with pytest.raises(
        InputError,
        match=r"2-jobs\.mps cannot be written \(it exists with other content; give another",
    ):
        compare_sharing(two_jobs(), how=How(models=tmp_path))
    assert (tmp_path / "2-jobs.mps").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 1  # nothing is written in part


def test_instances_of_one_file_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two instances would be written as p"):
        hr.compare(two_cliques("p"), two_cliques("p "), ranks_per_node=2, models=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_first_call_that_compiles_is_in_no_time_even_of_one_instance() -> None:
    """The engine takes 0.2 s at its first call, as if a loop were compiled, and nothing later."""
    calls: list[str] = []

    def compiling() -> MethodAnswer:
        if "engine" not in calls:
            time.sleep(0.2)
        calls.append("engine")
        return MethodAnswer(1.0)

    def reference() -> MethodAnswer:
        calls.append("reference")
        return MethodAnswer(1.0)

    study = made(
        Method("engine", MethodKind.ENGINE, compiling),
        Method("CBC", MethodKind.REFERENCE, reference),
    )
    assert calls == ["engine", "engine", "reference"]  # a reference may take minutes: only once
    assert study.of("engine")[0].seconds < 0.1


def test_the_provenance_has_the_command_and_the_digests_of_all_inputs(
    runs: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "from planner.configurations.sharing.equal_shares import equal_shares\n\n"
        "def even(problem, goal):\n    return equal_shares(problem, goal)\n"
    )
    words = ["compare", str(runs), "--power-bound", "300", "--nodes", "2", "--json"]
    done = CliRunner().invoke(main, [*words, "--heuristic", f"{own}:even"])
    plain = json.loads(done.stdout)
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (runs, own)]
    assert plain["inputs"] == [
        {"name": "runs.csv", "sha256": digests[0]}, {"name": "own.py", "sha256": digests[1]},
    ]  # fmt: skip
    out = tmp_path / "out"
    assert CliRunner().invoke(main, [*words[:-1], "-q", "-o", str(out)]).exit_code == 0
    text = "".join(page.extract_text() for page in PdfReader(out / "report.pdf").pages)
    assert "headroom compare runs.csv --power-bound 300.0 --nodes 2 -o DIR" in text
    assert digests[0][:30] in text
    scenario = hr.compare("thesis-7kw")
    assert dict(scenario.inputs) == dict(hr.load("thesis-7kw").provenance.files)
    assert scenario.study.provenance.words == ()
    assert scenario.study.provenance.inputs == dict(scenario.inputs)


def test_names_in_the_latex_table_are_text() -> None:
    row = {"method": r"x\{1}$ & a_b", "solved": 3, "optimal": None, "proved": None, "level": None,
           "tolerance": 1e-9, "best_of_all": 0, "median_gap": 0.5, "worst_gap": None}  # fmt: skip
    text = latex([row], "c#1")
    assert r"\caption{c\#1: methods" in text
    cells = r"x\textbackslash{}\{1\}\$ \& a\_b & 3 & -- & -- & -- & 1e-09 & 0 & 50 \% & -- \\"
    assert cells in text


def test_a_node_limit_is_said_and_kept() -> None:
    study = compare_sharing(two_jobs(), how=How(node_limit=7))
    assert study.settings["node limit"] == "7"
    assert ("node limit", "7") in [
        (each.key, each.value) for each in study.study.provenance.settings
    ]


def test_where_methods_miss_the_limit_is_in_a_table() -> None:
    study = hr.compare("thesis-7kw")
    rows = {row["instance"]: row for row in study.study.rows("missing")}
    assert {name: row["always high-end nodes"] > 0 for name, row in rows.items()} == {
        "SPhot": False, "SP-MZ": False, "BT-MZ": False, "LU-MZ": True,
    }  # fmt: skip
    assert [picture.kind for picture in pictures(study.study)] == ["gaps"]
    sizes = compare_sharing(two_jobs(), sizes=(2, 4))
    assert {row["method"] for row in sizes.study.rows("growth")} == {"equal shares"}
    assert [picture.kind for picture in pictures(sizes.study)] == ["growth"]
