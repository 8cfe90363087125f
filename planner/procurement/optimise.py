"""Solve the program to a gap in the true objective, adding cuts where the solution lies."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import solvers
from planner.procurement.columns import Freed, Goal
from planner.procurement.layout import layout
from planner.procurement.ledger import Ledger
from planner.procurement.outcome import FLOOR_TOLERANCE, Options, Outcome
from planner.procurement.plan import Plan, complete, headroom_w, meets_mandates, paid_w
from planner.procurement.problem import UNLIMITED, Floats, Problem, Regime
from planner.procurement.program import SMALLEST_RATING, Program
from planner.procurement.quantities import most_nodes, useful_nodes
from planner.procurement.rating import Pool, Rater
from planner.procurement.task import Extend, Stopping, Task
from solvers import Level, Status
from solvers.certify import ProofMode
from solvers.model.milp import Milp
from solvers.portable import log

_ROUNDS = 60
_STALL = 5
_TAKEN_MORE = 2e-6  # of a freed limit: the program's tolerance may leave a hair too little
_CUT_SOLVES = 2  # integer programs over cuts, before one with every allocation as a column
_MANY_SLOTS = 35  # from which on cuts take longer; at 25 they are 1.5 times as fast
_FEW_PAIRS = 3_000  # columns of that program: as large as HiGHS solves as fast as a few over cuts
_ALLOCATED_GAP = 0.8  # of the gap asked for: the rest is for the error of tangents
_CLOSE = (0.98, 0.985, 0.99, 0.995, 1.0, 1.005, 1.01)  # of a rating: within 4e-6 of the logarithm
_FEW, _TIGHT, _AT_ONCE = 6, 12, 3
_Shape = tuple[Regime, Goal, int]
"""Regime, goal and number of columns: programs of one shape tend to share their integers."""


class Optimiser:
    """Solves problems over one pool of cuts.

    The program's ratings and logarithms are outer approximations: at its solution they are
    compared with the true ones, and cut down where they are too large, first on the linear
    relaxation, then on the mixed-integer program. So the program's bound always holds for the
    true objective, and its solutions, rated truly, are the incumbents.
    """

    def __init__(
        self,
        problem: Problem,
        options: Options,
        pool: Pool | None = None,
        ledger: Ledger | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.problem, self.options = problem, options
        self.pool = Pool() if pool is None else pool
        self.ledger = Ledger() if ledger is None else ledger
        self.layout = layout(problem)
        self.rater = Rater(problem, self.layout, self.pool)
        self.progress = progress
        self.near: Plan | None = None
        self.starts: dict[_Shape, Floats] | None = None

    def informed(self, decision: Outcome) -> Optimiser:
        """An optimiser for the questions after a decision: its searches start from known solutions.

        Each starts from the last solution of a program of the same shape, at first from the
        decision's. HiGHS then need not look for points, which costs it more than the bound does.
        """
        if self.options.solver != "highs":
            return self
        other = copy.copy(self)
        other.starts = {}
        if decision.last is not None and decision.last[1].x is not None:
            program, solution = decision.last
            shape = program.problem.regime, program.goal, solution.model.columns
            other.starts[shape] = decision.last[1].x
        return other

    def variant(self, problem: Problem, **options: Any) -> Optimiser:
        """An optimiser of a related problem: the same cuts, and where they stay the same raters.

        Parameters
        ----------
        problem
            Other limits, prices, powers or performances; the same offers, workloads and ratings.
        options
            Changes of the options.
        """
        other = copy.copy(self)
        other.problem, other.options = problem, replace(self.options, **options)
        same = problem.regime == self.problem.regime
        same &= problem.merit is self.problem.merit and problem.drawn_w is self.problem.drawn_w
        same &= problem.modes is self.problem.modes and problem.prices.utilisation == (
            self.problem.prices.utilisation
        )
        if not same:
            other.layout = layout(problem)
            other.rater = Rater(problem, other.layout, self.pool)
        return other

    def close(self) -> None:
        """Drop the raters' programs."""
        self.rater.close()

    def close_unless(self, other: Optimiser) -> None:
        """Drop the raters' programs, unless they are another optimiser's."""
        if self.rater is not other.rater:
            self.close()

    def evaluate(self, nodes: Sequence[int], method: str) -> Plan:
        """Complete a machine into a plan, and learn cuts from it."""
        plan = complete(self.problem, self.layout, self.rater, nodes, method)
        for rating, theta in enumerate(plan.ratings):
            self.pool.touch(rating, theta)
        return plan

    def relaxed_nodes(self) -> Floats | None:
        """Nodes per slot of the linear relaxation's optimum, once its cuts are true."""
        return self._relaxed()[1]

    def relaxed_bound(self) -> float | None:
        """The linear relaxation's bound on log S; ``None`` if it has no solution."""
        return self._relaxed()[0]

    def _relaxed(self) -> tuple[float | None, Floats | None]:
        self._begin()
        maximum = useful_nodes(self.problem, self.layout)
        task = Task(Goal.SCORE, None, None, maximum, "relaxation", None)
        self._choose(task)
        nodes = self._tighten(task)
        return task.bound, nodes

    def solve(
        self,
        goal: Goal = Goal.SCORE,
        *,
        method: str = "optimum",
        floor: float | None = None,
        extend: Extend | None = None,
        incumbent: Plan | None = None,
        most: list[int] | None = None,
        slack: float = FLOOR_TOLERANCE,
        freed: Mapping[str, Freed] | None = None,
        stop: Stopping | None = None,
        proof: ProofMode = "never",
    ) -> Outcome:
        """Find the best plan.

        Parameters
        ----------
        goal
            What is optimised.
        floor
            Least risk measure of log S (for goals other than the score).
        extend
            Adds a question's own columns and rows.
        incumbent
            A feasible plan to begin with; only sensible without ``extend``.
        most
            Bounds on the nodes per offer, where the limits do not give them.
        slack
            By how much a plan may miss the floor.
        freed
            Resources that may grow up to their limit, at a price that joins the objective.
        stop
            Called with objective and bound; true where no more is wanted to be known.
        proof
            Whether the last bound is proved in exact arithmetic.
        """
        self._begin()
        if most is None and extend is None:
            most = useful_nodes(self.problem, self.layout)
        elif most is None:  # a question may ask for an offer that is dominated
            most = most_nodes(self.problem, self.layout)
        task = Task(
            goal, floor, extend, most, method, incumbent, slack, freed, self._unit(goal), stop
        )
        self._choose(task)
        self._tighten(task)
        outcome = self._relaxed_outcome(task) or self._finish(task, proof)
        self.ledger.add(outcome.certificate)
        self.near = outcome.plan or self.near
        return outcome

    def _begin(self) -> None:
        """Without a cut and a tangent the program is unbounded: rate a machine with every type.

        Machines that do no work, as of a heuristic that found none, leave cuts but no tangent.
        """
        ratings = range(len(self.problem.demand))
        if all(
            self.pool.tangents.get(r) and any(cut.rated for cut in self.rater.cuts.of(r))
            for r in ratings
        ):
            return
        nodes = np.full(self.layout.slots, float(self.problem.reference_nodes))
        for rating in range(len(self.problem.demand)):
            theta = self.rater.rate(
                rating, nodes, np.full(3, UNLIMITED), UNLIMITED, mandates=False
            ).theta
            self.pool.touch(rating, theta)
        for rating in range(len(self.problem.demand)):
            self.pool.touch(rating, 1.0)

    def _choose(self, task: Task) -> None:
        """Choose the known cuts and tangents that are tight near the last solution."""
        near = task.best or self.near
        for rating in range(len(self.problem.demand)):
            cuts = self.rater.cuts.of(rating)
            chosen = [i for i, cut in enumerate(cuts) if cut.rated][-_FEW:]
            chosen += [i for i, cut in enumerate(cuts) if not cut.rated][-_FEW:]
            points = sorted(self.pool.tangents.get(rating, ()))
            if near is not None and len(near.nodes) == self.layout.slots:
                values = self.rater.cuts.values(rating, *self._machine(near))
                chosen += [int(i) for i in np.argsort(values, kind="stable")[:_TIGHT]]
                points.sort(key=lambda p: abs(log(p / max(near.ratings[rating], 1e-9))))
            task.cuts[rating] = set(chosen)
            task.tangents[rating] = set(points[:_FEW])

    def _machine(self, plan: Plan) -> tuple[Floats, Floats]:
        """Nodes of a plan, and the watts that they leave under this problem's limits."""
        nodes = np.array(plan.nodes, dtype=np.float64)
        remaining = headroom_w(self.problem, self.layout, nodes, plan.bill.fabric_w)
        return nodes, np.r_[np.maximum(remaining, 0.0), UNLIMITED]

    def _program(self, task: Task) -> tuple[Program, Milp]:
        constant = 0.0
        if task.goal is Goal.SCORE and task.best is not None and task.best.score > 0:
            constant = 1.0 - task.best.objective  # then a relative gap is one in log S
        program = Program(
            self.problem,
            self.layout,
            {r: [self.rater.cuts.of(r)[i] for i in sorted(task.cuts[r])] for r in task.cuts},
            task.tangents,
            task.goal,
            constant=constant,
            most=task.most,
            freed=task.freed,
            allocated=task.allocated,
        )
        if task.floor is not None:
            program.require_score(task.floor)
        if task.extend is not None:
            program.extended(task.extend)
        task.constant = constant
        return program, program.build.model()

    def _tighten(self, task: Task) -> Floats | None:
        """Cut on the linear relaxation until it is true, or hardly moves any more."""
        seen: list[float] = []
        nodes = None
        for _ in range(_ROUNDS):
            program, model = self._program(task)
            task.rounds += 1
            relaxed = model.changed(is_integer=np.zeros(model.columns, dtype=np.bool_))
            # one refusal is enough: whether there is a plan is for the whole program to say
            solution = solvers.solve(relaxed, gap=1e-9, proof="never", doubt=False)
            if solution.x is None:
                return None
            nodes = solution.x[program.columns.nodes]
            task.read(None, solution)  # so that a bound is known in any case
            if task.stops_at(solution):
                break
            if not self._separate(program, solution.x, task):
                break
            seen.append(solution.objective or 0.0)
            if len(seen) > _STALL and abs(seen[-1] - seen[-1 - _STALL]) <= 1e-7 * abs(seen[-1]):
                break
        return nodes

    def _relaxed_outcome(self, task: Task) -> Outcome | None:
        """What the relaxation alone decided, if that is all that is wanted."""
        if task.relaxed is None:
            return None
        return task.outcome(Status.UNKNOWN, task.relaxed.certificate)

    def _finish(self, task: Task, proof: ProofMode) -> Outcome:
        """Cut on the mixed-integer program until objective and bound meet."""
        options, start = self.options, None
        for _ in range(_ROUNDS):
            program, model = self._program(task)
            shape = self.problem.regime, task.goal, model.columns
            if self.starts is not None:
                start = self.starts.get(shape)
            task.rounds += 1
            solution = solvers.solve(
                model,
                solver=options.solver,
                gap=self._next_gap(task),
                start=start,
                seed=options.seed,
                time_limit_s=options.time_limit_s,
                proof="never",
                heuristics=start is None or (task.allocated and self.starts is None),
            )
            if solution.x is None:
                return task.finished(solution.certificate, self.options.gap)
            task.read(self._candidate(program, solution.x, task), solution)
            task.last, start = (program, solution), solution.x
            task.solves += 1
            if self.starts is not None:
                self.starts[shape] = solution.x
            if task.gap() <= options.gap or task.stopped():
                break
            if not self._separate(program, solution.x, task):
                if task.exact:
                    break
                task.exact = True
            elif self._can_allocate(task):
                self._allocate(task)
                work = self._program(task)[1].columns - model.columns
                start = np.r_[solution.x, np.zeros(work)]
        if proof != "never":
            self.progress("proof")
            proved = solvers.solve(
                model, solver=options.solver, gap=options.gap / 2, seed=options.seed,
                time_limit_s=options.time_limit_s, start=solution.x, proof=proof, heuristics=False,
            )  # fmt: skip
            if proved.certificate.level is Level.PROVED:
                task.read(None, proved)
                solution = proved
                task.proved = task.bound
            else:
                self._prove_relaxation(task, model)
        return task.finished(solution.certificate, self.options.gap)

    def _can_allocate(self, task: Task) -> bool:
        """Whether cuts have not settled it, and the program without cuts is small enough."""
        demanded = self.problem.demand[:, self.layout.pair_workload] > 0
        pairs, slots = int(demanded.sum()), self.layout.slots
        small = slots >= _MANY_SLOTS and pairs <= _FEW_PAIRS and task.extend is None
        enough = 2 * _CUT_SOLVES if task.exact else _CUT_SOLVES  # exact: few cuts are missing
        return small and not task.allocated and task.solves >= enough

    def _allocate(self, task: Task) -> None:
        """Take in every rating in full, and tangents close by, so that one solve is enough."""
        task.allocated = True
        if task.best is None:
            return
        for rating, theta in enumerate(task.best.ratings):
            close = [theta * share for share in _CLOSE if theta > 0]
            task.tangents[rating].update(self.pool.touch(rating, point) for point in close)

    def _prove_relaxation(self, task: Task, model: Milp) -> None:
        """Where the whole program is too large to prove: a weaker bound, in exact arithmetic."""
        relaxed = model.changed(is_integer=np.zeros(model.columns, dtype=np.bool_))
        weaker = solvers.solve(relaxed, proof="always").certificate
        if weaker.level is Level.PROVED and weaker.bound is not None:
            task.proved = (weaker.bound - task.constant) * task.unit

    def _next_gap(self, task: Task) -> float:
        """Without a start, no program is solved much closer than its cuts are true."""
        if task.exact or self.starts is not None:
            return self.options.gap / 2
        if task.allocated:
            return _ALLOCATED_GAP * self.options.gap
        gap = task.gap() / 4 if task.gap() < math.inf else 10 * self.options.gap
        return min(max(gap, self.options.gap / 2), 10 * self.options.gap)

    def _candidate(self, program: Program, x: Floats, task: Task) -> Plan | None:
        columns = program.columns
        nodes = [round(float(value)) for value in x[columns.nodes]]
        allowances = None
        if self._energy_counts(task):
            allowances = paid_w(self.problem, x[columns.added] * self.problem.power_unit)
        fixed = self._given(program, x)
        plan = complete(fixed, self.layout, self.rater, nodes, task.method, allowances)
        if allowances is None:
            return plan if self._acceptable(plan, task) else None
        # allowances need not be best where the goal is given, and leave requirements no slack
        if task.goal is Goal.GIVEN or not self._acceptable(plan, task):
            free = complete(fixed, self.layout, self.rater, nodes, task.method)
            plan = max(
                (value for value in (plan, free) if self._acceptable(value, task)),
                key=lambda value: value.objective,
                default=plan,
            )
        return plan if self._acceptable(plan, task) else None

    def _acceptable(self, plan: Plan, task: Task) -> bool:
        """Whether a plan does what is mandatory, and as much as the floor asks."""
        if task.floor is not None and plan.objective < task.floor - task.slack:
            return False
        return meets_mandates(self.problem, plan) and plan.objective > -math.inf

    def _unit(self, goal: Goal) -> float:
        """How much of the goal is one in the program."""
        if goal is Goal.COST:
            return self.problem.money_unit
        return self.problem.power_unit if goal is Goal.POWER else 1.0

    def _energy_counts(self, task: Task) -> bool:
        """Whether what working nodes may draw is for the program to decide."""
        costly = task.goal in (Goal.COST, Goal.POWER)
        return costly or self.problem.limits.operating < UNLIMITED

    def _given(self, program: Program, x: Floats) -> Problem:
        """The problem with the limits that the solution took: some may have been freed."""
        limits = {
            name: min(
                getattr(self.problem.limits, name),
                float(x[column]) * self.problem.unit(name) * (1 + _TAKEN_MORE),
            )
            for name, column in program.columns.limit.items()
        }
        return self.problem.limited(**limits)

    def _separate(self, program: Program, x: Floats, task: Task) -> bool:
        """Whether any rating or logarithm was too large, and is now cut down."""
        columns, new = program.columns, False
        tolerance = self.options.gap / 20 if task.goal is Goal.SCORE else task.slack / 4
        fabric_w = sum(x[c] * v for c, v in columns.fabric_power) * self.problem.power_unit
        fixed = self._given(program, x)
        headroom = headroom_w(fixed, self.layout, x[columns.nodes], fabric_w)
        for rating, column in enumerate(columns.theta):
            allowance = UNLIMITED
            if self._energy_counts(task):
                allowance = float(x[columns.added[rating]]) * self.problem.power_unit
            unit = float(program.rating_unit[rating])
            claimed = max(float(x[column]), SMALLEST_RATING) * unit
            logarithm = float(x[columns.log[rating]])
            if not task.allocated:
                limit = claimed / (1 + tolerance) - 1e-9 * unit
                machine = x[columns.nodes], headroom, allowance
                new |= self._rated_less(task, rating, machine, limit, SMALLEST_RATING * unit)
            if logarithm > log(claimed) + tolerance:
                new = True
                task.tangents[rating].add(self.pool.touch(rating, claimed))
        return new

    def _rated_less(
        self,
        task: Task,
        rating: int,
        machine: tuple[Floats, Floats, float],
        limit: float,
        smallest: float,
    ) -> bool:
        """Whether cuts, or else the machine's true rating, are below; then they are taken in."""
        nodes, headroom, allowance = machine
        values = self.rater.cuts.values(rating, nodes, np.r_[np.maximum(headroom, 0), allowance])
        broken = [int(i) for i in np.argsort(values, kind="stable")[:_AT_ONCE] if values[i] < limit]
        if broken and not task.cuts[rating].issuperset(broken):
            task.cuts[rating].update(broken)
            return True
        true = self.rater.rate(rating, *machine)
        if true.meets and true.theta >= limit:
            return False
        task.cuts[rating].add(true.place)
        if true.meets:
            point = max(true.theta, smallest)
            task.tangents[rating].add(self.pool.touch(rating, point))
        return True
