r"""What to buy from whom: the whole procurement decision as one program, under every power regime.

Sets
    o in O, t in T_o   node types on offer; price tiers of a type, from F_ot to L_ot nodes
    k in K, m in M     what can be installed; modes, each an offer under one package cap
    r in R, w in W     ratings, each an allocation of the whole machine; workloads
    c in C, i in I_c   capability workloads; partitions of one, N_i nodes in mode m_i for t_i [s]
    s in S, v in V     demand scenarios; vendors
    g in G             limits of watts: it_power (all nodes), liquid and air (by their cooling)
Parameters (the fields of ``Problem``)
    p_ot, h_o          price of a node; nodes that a rack holds
    a_mw, D_mw         figure of merit of a node at work; mean watts that it draws beyond idle
    d_rw, N            share of a workload in the mix; nodes of the reference machine
    l_rw               required throughput over the reference machine's
    e_r                share of the year spent in a rating
    q_sr, q_sc, pi_s   weights of ratings and capability workloads; probability of a demand
    B_k, A_m           watts that count for an installed node, and that one at work adds:

    ===============  ================  ==================  ====================
    regime           k                 B_k                 A_m
    ===============  ================  ==================  ====================
    worst-case       offer, uncapped   peak                0
    static           offer and cap     node under the cap  0
    overprovisioned  offer             idle                node under cap - idle
    ===============  ================  ==================  ====================

Variables
    bought_o_t         nodes bought in a tier, integer; n_o is their sum over the tiers
    tier_o_t           1 if the type is bought in this tier; b_o is their sum
    under_k, cap_k     static caps only: nodes under a cap, integer; 1 if it is the type's cap.
                       n_k is under_k, and n_o in the other regimes
    racks_o, leaves, spines, uplinks, several    racks; switches, cables between them, more than
                       one leaf
    from_v             1 if anything is bought from the vendor
    work_r_m_w         nodes at work
    rating_r           throughput over the reference machine's, in units U_r (a thousandth of the
                       most that the limits one by one allow): theta_r = U_r rating_r
    log_r              at most the logarithm of theta_r
    run_c_i            1 if a capability workload runs on a partition
    score_s            logarithm of the score S; tail, below_s: quantile, and what is below it
Objective
    maximise  1000 ((1 - lambda) sum_s pi_s score_s
                    + lambda (tail - sum_s pi_s below_s / (1 - alpha)))
Constraints of the purchase
    first, last        F_ot tier_o_t <= bought_o_t <= L_ot tier_o_t
    one_tier           b_o <= 1
    capped, one_cap    under_k <= most_o cap_k;  sum_k cap_k <= 1           (static caps only)
    all_capped         sum_k under_k = n_o                                 (static caps only)
    in_racks           n_o <= h_o racks_o;  rack_places: sum_o racks_o <= places
    ports              sum_o ports_o n_o <= ports of a leaf x leaves
    one_leaf           leaves <= 1 + (ports of a spine - 1) several
    wired              uplinks >= uplinks of a leaf x (leaves + several - 1)
    spine_ports        uplinks <= ports of a spine x spines
    capital            (1 + installation) hardware + fixed <= capital; hardware is the money for
                       nodes (sum p_ot bought_o_t), racks, switches and cables   (4.3, 4.4)
    least_nodes, least_memory, share_least, share_most
                       on sums of n_o, or of quoted money for a share of spend
    node_types         sum_o b_o <= most types;  vendor: b_o <= from_v;  vendors: sum_v from_v
                       <= most vendors
Constraints of the work
    rated              sum_m a_mw work_r_m_w >= theta_r d_rw N        every workload of the mix
    mandate            sum_m a_mw work_r_m_w >= l_rw d_rw N (1 - 5e-7)
    room               sum_mw work_r_m_w <= n_k                       over the modes of k
    one_partition      sum_i run_c_i = 1;  holds: sum_i N_i run_c_i <= n_k
    g_installed        sum_k B_k n_k (+ switches and the fixed part, for it_power) <= P_g (4.1, 4.2)
    g_rating, g_partition    the same with sum A_m work_r_m_w, or with sum_i A_mi N_i run_c_i
                       added (overprovisioned only)
    operating          maintenance x hardware + staff + price of a watt x (idle power of all nodes,
                       switches, fixed part + sum_r e_r D_mw work_r_m_w) <= operating budget
Constraints of the score
    tangent            log_r <= ln a + (theta_r - a)/a                every point a of the grid
    mix                score_s = sum_r q_sr log_r + sum_ci q_sc ln(t_ref / t_i) run_c_i
    short              below_s >= tail - score_s;  below_s >= 0

The logarithm is approximated from outside, so the solver's bound holds for the true objective.
Points of the grid grow by a tenth, so ``log_r`` is too large by at most 0.00114. :func:`procure`
recomputes every plan's objective, adds a tangent at each of its ratings, and solves again until
plan and bound differ by at most the asked gap.

The program is the monolith: every allocation is a variable. Nothing of an engine is used but the
classes of its answer: no rating, cut, dominance or heuristic.

Left out: (1) the choice among plans of equal score: the engine then takes the cheapest, and of
those the one that draws least. (2) Plans with a rating below a millionth of the most that the
limits one by one allow. (3) Types of which nothing limits the number to a million; they are refused
by name. A requirement may be missed by the millionth that ``Problem`` states.

References
----------
Thesis, equations 4.1 to 4.4: watts of all nodes at their peak or idle, and the money, limit the
nodes of one type. R. T. Rockafellar and S. Uryasev, Optimization of conditional
value-at-risk, Journal of Risk 2 (2000), theorem 1: tail and below. The objective is ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from planner.errors import PlanError
from planner.formulations.procurement_plan import read_plan, terms
from planner.formulations.procurement_purchase import Purchase, keep_rules, purchase
from planner.formulations.procurement_work import LARGEST_RATING, LEAST_RATING, Work, work
from planner.formulations.solved import Solved, refuse_large, solve
from planner.procurement.outcome import GAP, Outcome
from planner.procurement.plan import Plan
from planner.procurement.problem import Problem
from solvers import Certificate, Status, Stop

if TYPE_CHECKING:
    import pulp

STEP = 1.1
"""Growth of the points where the logarithm is touched before any plan is known."""
DIGITS = 1000
"""The objective counts thousandths of log S: CBC prints its bound to three decimals."""
_ROUNDS = 30
_CROSSING = 1e-5


@dataclass(frozen=True, eq=False)
class Variables:
    """The variables of the model, as far as an answer is read from them.

    Attributes
    ----------
    log
        Logarithm of each rating.
    """

    bought: Purchase
    work: Work
    log: tuple[pulp.LpVariable, ...]


def formulate(problem: Problem) -> tuple[pulp.LpProblem, Variables]:
    """Write the model of the module's docstring; return it with its variables.

    Raises
    ------
    PlanError
        The model is too large for plain algebra, or nothing limits the nodes of an offer.
    """
    import pulp

    points = tangent_points()
    refuse_large("procurement", terms(problem, len(points)), "use the engine")
    model = pulp.LpProblem("procurement", pulp.LpMaximize)
    bought = purchase(model, problem)
    keep_rules(model, problem, bought)
    done = work(model, problem, bought)
    log = tuple(model.add_variable(f"log_{r}") for r in range(len(done.rating)))
    variables = Variables(bought, done, log)
    for r, unit in enumerate(done.units):
        for i, point in enumerate(points):
            touch(model, variables, r, unit * point, f"{i}")
    model += DIGITS * _risk(model, problem, variables)
    return model, variables


def tangent_points() -> list[float]:
    """Points of the grid, in the unit of a rating, from the largest downwards."""
    steps = math.ceil(math.log(LARGEST_RATING / LEAST_RATING) / math.log(STEP))
    return [LARGEST_RATING * STEP**-step for step in range(steps + 1)]


def touch(model: pulp.LpProblem, x: Variables, rating: int, theta: float, name: str) -> None:
    """Add the tangent of a rating's logarithm at a throughput."""
    gained = x.work.units[rating] / theta * x.work.rating[rating]
    model += x.log[rating] <= math.log(theta) - 1 + gained, f"tangent_{rating}_{name}"


def _risk(model: pulp.LpProblem, problem: Problem, x: Variables) -> pulp.LpAffineExpression:
    """Add the scores; return the risk measure of their logarithms."""
    import pulp

    chances, weight = problem.probability.tolist(), problem.cvar_weight
    scores = [model.add_variable(f"score_{s}") for s in range(len(chances))]
    for s, score in enumerate(scores):
        rated = pulp.lpDot(problem.rating_weight[s].tolist(), x.log)
        gained = [
            float(problem.capability_weight[s, c])
            * math.log(capability.reference_time_s / option.time_s)
            * run
            for c, capability in enumerate(problem.capabilities)
            for option, run in x.work.runs[c]
        ]
        model += score == rated + pulp.lpSum(gained), f"mix_{s}"
    mean = pulp.lpDot(chances, scores)
    if weight == 0:
        return mean
    tail = model.add_variable("tail")
    below = [model.add_variable(f"below_{s}", 0) for s in range(len(scores))]
    for s, score in enumerate(scores):
        model += below[s] >= tail - score, f"short_{s}"
    worst = tail - pulp.lpDot(chances, below) / (1 - problem.cvar_level)
    return (1 - weight) * mean + weight * worst


def procure(
    problem: Problem,
    *,
    solver: str = "cbc",
    gap: float = GAP,
    node_limit: int | None = None,
    time_limit_s: float | None = None,
    seed: int = 0,
) -> Outcome:
    """Solve the reference formulation in rounds of tangents, and read the best plan.

    Objective and bound are those of log S. The plan holds the allocation that the program chose;
    its objective is recomputed from that, without rating the machine anew.

    Parameters
    ----------
    solver, node_limit, time_limit_s, seed
        As in :func:`solvers.solve`, for each round.
    gap
        Distance of plan and bound in log S at which the plan is good enough.

    Raises
    ------
    PlanError
        No plan was found (the message says whether there is none), the model is too large, or
        the solver claims a bound that its own plan beats.
    """
    model, x = formulate(problem)
    best: Plan | None = None
    bound, rounds = math.inf, list[Certificate]()
    while len(rounds) < _ROUNDS:
        scale = 0.5 if best is None else max(0.1, abs(best.objective))
        solved = solve(
            model, solver=solver, gap=gap / 4 / scale, node_limit=node_limit,
            time_limit_s=time_limit_s, seed=seed,
        )  # fmt: skip
        rounds.append(solved.certificate)
        plan = read_plan(problem, x.work, solved, f"reference ({solver})")
        best = plan if best is None or plan.objective > best.objective else best
        bound = _bound(solved, bound, best)
        if bound - best.objective <= gap or solved.certificate.stop is not Stop.FINISHED:
            break
        for rating, theta in enumerate(plan.ratings):
            if theta > 0:
                touch(model, x, rating, theta, f"round_{len(rounds)}")
    return _outcome(best, bound, gap, rounds)


def _bound(solved: Solved, bound: float, best: Plan) -> float:
    """The least bound of all rounds; within tolerances it is the plan's own objective."""
    claimed = solved.certificate.bound
    least = bound if claimed is None else min(bound, claimed / DIGITS)
    if least < best.objective - _CROSSING:
        raise PlanError(
            f"{solved.certificate.solver} claims that log S is at most {least:.9g}, but its own "
            f"plan has {best.objective:.9g}; use another solver"
        )
    return max(least, best.objective)


def _outcome(best: Plan | None, bound: float, gap: float, rounds: list[Certificate]) -> Outcome:
    if best is None:
        raise PlanError("no round was solved")
    left = bound - best.objective
    status = Status.OPTIMAL if left <= gap else Status.FEASIBLE
    known = None if bound == math.inf else bound
    certificate = replace(
        rounds[-1],
        status=status,
        objective=best.objective,
        bound=known,
        gap_absolute=None if known is None else left,
        gap_relative=None if known is None else left,
        nodes=sum(each.nodes for each in rounds),
        wall_s=sum(each.wall_s for each in rounds),
        cpu_s=sum(each.cpu_s for each in rounds),
    )
    return Outcome(best, status, best.objective, known, certificate, len(rounds))
