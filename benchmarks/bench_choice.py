"""Multiple-choice knapsacks: CPU to a certified gap, against HiGHS, CBC and PuLP in the same run.

Filter included, compiled loops warm, generators not counted. Gaps are asserted, and so is that
nobody beats anybody's bound.
"""

from __future__ import annotations

import math
import resource
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pulp

import solvers
from benchmarks.choice_cases import ADVERSARIAL, adversarial, jobs, measured_mix
from solvers import Status
from solvers.backends.cbc import binary
from solvers.choice import Choice, ChoiceResult, formulate, solve_choice, violations
from tests.shared_data import KNAPSACK, RZMERL
from tests.solvers.choice.instances_public import read_public

LEVELS = (0.05, 0.25, 0.5, 0.9)
RIVAL_LIMIT_S = 60.0
PUBLIC_LIMIT_S = 6.0


def mean(numbers: Iterable[float]) -> float:
    return math.exp(float(np.mean(np.log(list(numbers)))))


def solved(problem: Choice, gap: float, *, must_close: bool = True) -> ChoiceResult:
    result = solve_choice(problem, gap=gap)
    if result.chosen is None or violations(problem, result.chosen):
        raise SystemExit("failed: no choice, or one over a budget")
    if must_close and result.status is not Status.OPTIMAL:
        raise SystemExit(f"failed: gap {result.certificate.gap_relative} at a target of {gap}")
    return result


def series(problems: Sequence[Choice], name: str, gap: float, target_s: float) -> None:
    results = [solved(problem, gap) for problem in problems]
    seconds = [result.certificate.cpu_s for result in results]
    worst = max(result.certificate.gap_relative or 0.0 for result in results)
    levels = {str(result.certificate.level) for result in results}
    print(
        f"{name} to {gap:g}: mean {mean(seconds):.3g} s, most {max(seconds):.3g} s (target "
        f"{target_s:g} s), largest gap {worst:.2g}, {', '.join(sorted(levels))}"
    )


def hard_ones(count: int, gap: float, target_s: float) -> None:
    for kind in ADVERSARIAL:
        shown = []
        for level in LEVELS:
            result = solved(adversarial(kind, count, level), gap, must_close=False)
            gap_left = result.certificate.gap_relative or 0.0
            shown.append(
                f"{result.certificate.cpu_s:.3f} s"
                + ("" if gap_left <= gap else f" ({gap_left:.1g})")
            )
        print(f"{count} classes, {kind}, to {gap:g} (target {target_s:g} s): {', '.join(shown)}")


def against_filtered(count: int, gap: float) -> None:
    """HiGHS on the sparse program of the items that are not dominated."""
    ratios = []
    for level in LEVELS:
        problem = jobs(count, level)
        ours = solved(problem, gap)
        model = formulate(problem)
        theirs = solvers.solve(model, time_limit_s=RIVAL_LIMIT_S, gap=gap, proof="never")
        agree(ours, theirs.objective, theirs.certificate.bound, gap)
        took, gap_left = theirs.certificate.cpu_s, theirs.certificate.gap_relative
        ratios.append(took / ours.certificate.cpu_s)
        print(
            f"  level {level}: ours {ours.certificate.cpu_s:.3f} s; HiGHS on {model.columns:,} "
            f"columns {took:.2f} s, gap {'none' if gap_left is None else f'{gap_left:.1g}'}"
        )
    print(
        f"{count} jobs to {gap:g}: HiGHS on the filtered program takes at least "
        f"{mean(ratios):.0f} times as long (target 5), least {min(ratios):.0f}"
    )


def mixes(count: int, weights: Sequence[float], gap: float) -> None:
    """Jobs of a few measured tables; HiGHS on the filtered program, median of three orders.

    The rival gives no proof, so ours counts without it; with it is printed next to it.
    """
    ratios = []
    for level in (0.25, 0.5, 0.75, 0.9):
        problem = measured_mix(count, weights, level)
        ours = solve_choice(problem, gap=gap, proof="never")
        proved = solved(problem, gap, must_close=False)
        took = []
        for seed in range(3):
            order = np.random.default_rng(seed).permutation(problem.classes).tolist()
            theirs = solvers.solve(
                formulate(reordered(problem, order)), time_limit_s=RIVAL_LIMIT_S, gap=gap,
                proof="never",
            )  # fmt: skip
            agree(ours, theirs.objective, theirs.certificate.bound, gap)
            done = theirs.status is Status.OPTIMAL
            took.append(theirs.certificate.cpu_s if done else RIVAL_LIMIT_S)
        ratios.append(sorted(took)[1] / ours.certificate.cpu_s)
        print(
            f"  level {level}: ours {ours.certificate.cpu_s:.3f} s, {ours.status}; with the proof "
            f"{proved.certificate.cpu_s:.3f} s, {proved.certificate.level}; HiGHS "
            f"{sorted(took)[1]:.2f} s"
        )
    print(
        f"{count} jobs of measured tables, weights {weights}: HiGHS on the filtered program takes "
        f"{mean(ratios):.1f} times as long (target 5), least {min(ratios):.1f}"
    )


def reordered(problem: Choice, order: Sequence[int]) -> Choice:
    starts = np.r_[0, np.cumsum(np.diff(problem.starts)[order])]
    return replace(problem, starts=starts, table=problem.table[order], factor=problem.factor[order])


def against_pulp(count: int, gap: float) -> None:
    """PuLP with CBC on the plain program: what one writes first."""
    ratios = []
    for level in LEVELS:
        problem = jobs(count, level)
        ours = solved(problem, gap)
        began = cpu_with_children()
        plain = in_pulp(problem)
        plain.solve(pulp.COIN_CMD(path=binary(), msg=False, gapRel=gap, timeLimit=RIVAL_LIMIT_S))
        took = cpu_with_children() - began
        value = pulp.value(plain.objective) if plain.sol_status in (1, 2) else None
        if value is not None and ours.bound is not None and value < ours.bound * (1 - 1e-6):
            raise SystemExit(f"failed: CBC's {value} is below our bound {ours.bound}")
        ratios.append(took / ours.certificate.cpu_s)
        done = plain.sol_status == pulp.LpSolutionOptimal
        print(
            f"  level {level}: ours {ours.certificate.cpu_s:.3f} s, PuLP + CBC {took:.1f} s"
            + ("" if done else ", unfinished")
        )
    print(
        f"{count} jobs to {gap:g}: PuLP + CBC on the plain program takes at least "
        f"{mean(ratios):.0f} times as long (target 100), least {min(ratios):.0f}"
    )


def in_pulp(problem: Choice) -> pulp.LpProblem:
    plain = pulp.LpProblem("choice", pulp.LpMinimize)
    x = [plain.add_variable(f"x{k}", cat="Binary") for k in range(problem.items)]
    plain += pulp.lpSum(float(c) * v for c, v in zip(problem.cost, x, strict=True))
    for first, last in zip(problem.starts, problem.starts[1:], strict=False):
        plain += pulp.lpSum(x[first:last]) == 1
    for weights, budget in zip(problem.weights.T, problem.budgets, strict=True):
        terms = (float(w) * v for w, v in zip(weights, x, strict=True))
        plain += pulp.lpSum(terms) <= float(budget)
    return plain


def cpu_with_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + used.ru_utime + used.ru_stime


def agree(ours: ChoiceResult, value: float | None, bound: float | None, gap: float) -> None:
    """Neither may beat the other's bound."""
    if ours.objective is None or ours.bound is None:
        raise SystemExit("failed: no answer")
    room = 2 * max(gap, 1e-6) * abs(ours.objective)
    if value is not None and value < ours.bound - room:
        raise SystemExit(f"failed: {value} is below our bound {ours.bound}")
    if bound is not None and ours.objective < bound - room:
        raise SystemExit(f"failed: {ours.objective} is below their bound {bound}")


def in_time(problem: Choice, method: str) -> ChoiceResult:
    """The rivals are spared the proof, which would be given as much time again."""
    limit_s = PUBLIC_LIMIT_S
    if method == "lagrangian":
        return solve_choice(problem, gap=1e-9, time_limit_s=limit_s)
    return solve_choice(problem, method=method, gap=1e-9, time_limit_s=limit_s, proof="never")


def public() -> None:
    """Khan's set, ten resources: the best value after the same time each."""
    print(f"public instances, {PUBLIC_LIMIT_S:g} s each: value (bound)")
    for path in sorted(KNAPSACK.glob("I*")):
        problem = read_public(path)
        answers = {method: in_time(problem, method) for method in ("lagrangian", "highs", "cbc")}
        ours = answers["lagrangian"]
        if ours.objective is None or ours.bound is None:
            raise SystemExit(f"failed: no value for {path.name}")
        for method, answer in answers.items():
            if answer.objective is not None and answer.objective > ours.bound + 1e-6:
                raise SystemExit(f"failed: {method} beats our bound of {path.name}")
        shown = ", ".join(
            f"{method} {answer.objective:g} ({answer.bound:.6g})"
            for method, answer in answers.items()
            if answer.objective is not None and answer.bound is not None
        )
        print(f"  {path.name}: {shown}; {ours.certificate.level}, {ours.status}")


def main() -> None:
    solved(jobs(20, 0.5), 1e-6)
    solve_choice(adversarial("subset sum", 20, 0.5), gap=1e-9)
    series([jobs(n, level) for n in (10, 50, 200) for level in LEVELS], "10-200 jobs", 1e-9, 0.3)
    series([jobs(1_000, level) for level in LEVELS], "1,000 jobs", 1e-6, 0.1)
    hard_ones(200, 1e-9, 0.3)
    hard_ones(1_000, 1e-6, 0.1)
    against_filtered(200, 1e-6)
    against_filtered(1_000, 1e-6)
    if RZMERL.exists():
        mixes(200, (1, 2, 5), 1e-6)
        mixes(200, (1,), 1e-6)
        mixes(1_000, (1, 2, 5), 1e-6)
    against_pulp(100, 1e-6)
    if KNAPSACK.exists():
        public()
    if "small" not in sys.argv and RZMERL.exists():
        every = tuple(np.random.default_rng(0).uniform(0.5, 5.0, 100_000).tolist())
        for name, weights, target_s in (("1, 2, 5", (1, 2, 5), 5), ("random", every, 10)):
            problems = [measured_mix(100_000, weights, level) for level in LEVELS]
            series(problems, f"100,000 jobs of measured tables, weights {name}", 1e-6, target_s)
    if "small" not in sys.argv:
        for level in LEVELS:
            series([jobs(100_000, level)], f"100,000 jobs, level {level}", 1e-6, 10)


if __name__ == "__main__":
    main()
