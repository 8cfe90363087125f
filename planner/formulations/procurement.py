r"""What to buy from whom: the whole procurement decision as one program, under every power regime.

Sets and parameters
    o in O, t in T_o   node types on offer; price tiers of a type, from F_ot to L_ot nodes
    k in K, m in M     what can be installed; modes, each an offer under one package cap
    r in R, w in W     ratings, each an allocation of the whole machine; workloads
    c in C, i in I_c   capability workloads; partitions of one: N_i nodes in mode m_i for t_i [s]
    s in S, v in V     demand scenarios; vendors
    p in P, l, j       packages on sale, each with an offer that stands for it: x_p is its n_o;
                       lots; lines of a package
    c_pj, C_p, Y_p     price of a unit of a line after the package's discount, in the budget's
                       money; sum over the lines due once, and due in every year, of c_pj u_pj
    f_vi, F_vi         discounts of a vendor on the sum of its packages, from that sum on; f_v0 = 0
    g                  limits of watts P_g: it_power (all nodes), liquid and air (by their cooling)
    p_ot, h_o          price of a node; nodes that a rack holds
    most_o             nodes that stock, money, watts and racks allow, each by itself
    a_mw, D_mw         figure of merit of a node in use; mean watts that it draws beyond idle
    d_rw, N            share of a workload in the mix; nodes of the reference machine
    l_rw               required throughput over the reference machine's
    e_r                share of the year spent in a rating
    q_sr, q_sc, pi_s   weights of ratings and capability workloads; probability of a demand
    lambda, alpha      weight and level of the conditional value at risk
    B_k, A_m           watts that count for an installed node, and those that one in use adds:
                       *worst-case*       k an offer, uncapped    peak                0
                       *static*           k an offer and a cap    node under the cap  0
                       *overprovisioned*  k an offer              idle                cap - idle
Variables
    bought_o_t         nodes bought in a tier, integer; n_o is their sum over the tiers
    tier_o_t           1 if the type is bought in this tier; b_o is their sum
    multiple_o         multiples in which a type is sold, integer
    units_p_j          units u_pj of a line that follows nodes or racks, integer
    discounted_v_i     sum of a vendor's packages under one of its discounts
    discount_v_i       1 if that discount holds
    under_k, cap_k     static caps only: nodes under a cap, integer; 1 if it is the type's cap
    racks_o            racks, integer
    leaves, spines     switches, integer; several: 1 if there is more than one leaf; uplinks:
                       cables between them
    from_v             1 if anything is bought from the vendor
    work_r_m_w         nodes in use
    rating_r           throughput over the reference machine's, theta_r = U_r rating_r; the unit
                       U_r is a thousandth of what most_o allow each workload alone
    log_r              at most the logarithm of theta_r
    run_c_i            1 if the capability workload runs on the partition
    score_s            logarithm of the score S
    tail, below_s      quantile of the scores, and how far one is below it
Objective
    maximise  1000 ((1 - lambda) sum_s pi_s score_s
                    + lambda (tail - sum_s pi_s below_s / (1 - alpha)))
Constraints of the purchase
    first, last        F_ot tier_o_t <= bought_o_t <= L_ot tier_o_t
    one_tier           b_o <= 1
    sold_in            n_o = (nodes that are sold together) multiple_o
    in_package         b_o <= x_p for the types of a package; with_package: b_o >= x_p unless none
                       of the type may be bought
    enough, rounded    share u <= units_p_j < share u + 1 of the units u that the line follows
    one_package        sum of x_p over a lot <= 1; some_package: >= 1 unless the lot is optional
    one_of_group       sum of x_p over a group <= 1
    lot_capital        sum of C_p over a lot <= its capital
    lot_nodes, lot_memory        as for the whole, over a lot, where a package of it is bought
    least_order        sum of C_p over a vendor >= (its least order) x_p
    discounted         sum_i discounted_v_i = sum of C_p over the vendor
    up_to, from_total  F_vi discount_v_i <= discounted_v_i <= (more than all cost) discount_v_i
    one_discount       sum_i discount_v_i <= 1
    capped             under_k <= most_o cap_k                           (static caps only)
    one_cap            sum_k cap_k <= 1 over the caps of a type          (static caps only)
    all_capped         sum_k under_k = n_o over the caps of a type       (static caps only)
    in_racks           n_o <= h_o racks_o
    rack_places        sum_o racks_o + racks among the lines of packages <= places
    ports              sum_o ports_o n_o <= (node ports of a leaf) leaves
    one_leaf           leaves <= 1 + (ports of a spine - 1) several
    wired              uplinks >= (uplinks of a leaf) (leaves + several - 1)
    spine_ports        uplinks <= (ports of a spine) spines
    capital            (1 + installation) hardware + packages + fixed money <= capital, where
                       hardware is sum_ot p_ot bought_o_t over types on free sale + money for racks,
                       switches and cables (4.3, 4.4), and packages is sum_vi (1 - f_vi)
                       discounted_v_i + installation of each C_p that does not bring its own
    least_nodes, least_memory    sum_o n_o >= nodes; sum_o memory_o n_o >= memory
    share_least, share_most      a share of the nodes, or of the money for them, within its limits;
                       of all, and of a lot
    node_types         sum_o b_o <= most types
    vendor, vendors    b_o <= from_v; sum_v from_v <= most vendors
Constraints of the work, with n_k = under_k for static caps, and n_o otherwise
    rated              sum_m a_mw work_r_m_w >= theta_r d_rw N       every workload of the mix
    `mandate`          sum_m a_mw work_r_m_w >= l_rw d_rw N (1 - 5e-7)
    room               sum_mw work_r_m_w <= n_k over the modes of k
    one_partition      sum_i run_c_i = 1
    holds              sum_i N_i run_c_i <= n_k
    g_installed        sum_k B_k n_k (it_power: + switches + fixed part) <= P_g       (4.1, 4.2)
    g_rating           the same + sum_mw A_m work_r_m_w <= P_g           (overprovisioned only)
    g_partition        the same + sum_i A_mi N_i run_c_i <= P_g          (overprovisioned only)
    operating          maintenance of the hardware, and of each C_p that does not bring its own +
                       sum_p Y_p + staff + price of a watt x (idle nodes + switches + watts of
                       lines + fixed part + sum_rmw e_r D_mw work_r_m_w) <= operating budget
Constraints of the score
    tangent            log_r <= ln a + (theta_r - a)/a               every point a of the grid
    mix                score_s = sum_r q_sr log_r + sum_ci q_sc ln(t_ref / t_i) run_c_i
    short              below_s >= tail - score_s

The logarithm is approximated from outside, so the solver's bound holds for the true objective.
Points of the grid grow by a tenth, so ``log_r`` is too large by at most 0.00114. :func:`procure`
recomputes every plan's objective and adds a tangent at each of its ratings. It solves again until
plan and bound differ by at most the requested gap.

The program is the monolith: every allocation is a variable. Nothing of an engine is used but the
classes of its answer: no rating, cut, dominance or heuristic.

Left out: (1) the choice among plans of equal score: the engine then takes the cheapest, and of
those the one that draws least. (2) Plans with a rating below a millionth of what the units allow.
(3) Types of which nothing limits the number to a million; they are refused by name. (4) Rounding of
a package whose numbers of nodes vary: wherever an amount may be rounded, half a cent is added, so
that a plan whose bill fits a limit by less than those cents may be missed. A requirement may be
missed by the millionth that ``Problem`` states.

A package without varying numbers is a constant: the bill that a person computes from its lines.
Watts of lines count as switches do.

References
----------
Thesis, equations 4.1 to 4.4: watts of all nodes at their peak or idle, and the money, limit the
nodes of one type. R. T. Rockafellar and S. Uryasev, Optimization of conditional value-at-risk,
Journal of Risk 2 (2000), theorem 1: tail and below. The objective is ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from planner.errors import PlanError
from planner.formulations.procurement_plan import DIGITS, finished, least_bound, nonzeros, read_plan
from planner.formulations.procurement_purchase import Purchase, keep_rules, purchase
from planner.formulations.procurement_work import LARGEST_RATING, LEAST_RATING, Work, work
from planner.formulations.solved import refuse_large, solve
from planner.procurement.outcome import GAP, Outcome
from planner.procurement.plan import Plan
from planner.procurement.problem import Problem
from solvers import Certificate, Stop
from solvers.portable import log, power

if TYPE_CHECKING:
    import pulp

STEP = 1.1
"""Growth of the points where the logarithm is touched before any plan is known."""
_ROUNDS = 30


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
    """Return the model of the module's docstring with its variables.

    Raises
    ------
    PlanError
        The model is too large for plain algebra, or nothing limits the nodes of an offer.
    """
    import pulp

    points = tangent_points()
    refuse_large("procurement", nonzeros(problem, len(points)), "use --method engine")
    model = pulp.LpProblem("procurement", pulp.LpMaximize)
    bought = purchase(model, problem)
    keep_rules(model, problem, bought)
    allocation = work(model, problem, bought)
    log = tuple(model.add_variable(f"log_{r}") for r in range(len(allocation.rating)))
    variables = Variables(bought, allocation, log)
    for r, unit in enumerate(allocation.units):
        for i, point in enumerate(points):
            touch(model, variables, r, unit * point, f"{i}")
    model += DIGITS * _risk(model, problem, variables)
    return model, variables


def tangent_points() -> list[float]:
    """Points of the grid, in the unit of a rating, from the largest downwards."""
    steps = math.ceil(log(LARGEST_RATING / LEAST_RATING) / log(STEP))
    return [LARGEST_RATING * power(STEP, -step) for step in range(steps + 1)]


def touch(model: pulp.LpProblem, x: Variables, rating: int, theta: float, name: str) -> None:
    """Add the tangent of a rating's logarithm at a throughput."""
    gained = x.work.units[rating] / theta * x.work.rating[rating]
    model += x.log[rating] <= log(theta) - 1 + gained, f"tangent_{rating}_{name}"


def _risk(model: pulp.LpProblem, problem: Problem, x: Variables) -> pulp.LpAffineExpression:
    """Add the scores; return the risk measure of their logarithms."""
    import pulp

    chances, weight = problem.probability.tolist(), problem.cvar_weight
    scores = [model.add_variable(f"score_{s}") for s in range(len(chances))]
    for s, score in enumerate(scores):
        rated = pulp.lpDot(problem.rating_weight[s].tolist(), x.log)
        gained = [
            float(problem.capability_weight[s, c])
            * log(capability.reference_time_s / option.time_s)
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
        try:
            solved = solve(
                model, solver=solver, gap=gap / 4 / scale, node_limit=node_limit,
                time_limit_s=time_limit_s, seed=seed,
            )  # fmt: skip
        except PlanError:
            if best is None:
                raise
            break  # a later round ended without a point: what is known before it still holds
        rounds.append(solved.certificate)
        plan = read_plan(problem, x.work, solved, f"reference ({solver})")
        best = plan if best is None or plan.objective > best.objective else best
        bound = least_bound(solved, bound, best)
        if bound - best.objective <= gap or solved.certificate.stop is not Stop.FINISHED:
            break
        for rating, theta in enumerate(plan.ratings):
            if theta > 0:
                touch(model, x, rating, theta, f"round_{len(rounds)}")
    return finished(best, bound, gap, rounds)
