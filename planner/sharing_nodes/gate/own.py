"""The gate on own measurements: learn, certify, and decide on new applications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np

from planner.errors import InputError
from planner.plain_numbers import plainly
from planner.sharing_nodes.gate.certify import certified, left_out
from planner.sharing_nodes.gate.gate import JudgedPairs, LearnedGate, learn
from planner.sharing_nodes.gate.inputs import GatePairs, Rows
from planner.sharing_nodes.gate.own_data import Basis, own_pairs
from planner.sharing_nodes.gate.study import GateStudy
from planner.sharing_nodes.gate.tested import gate_tests
from scenarios.formatting import nearest, short

LEAST_REFERENCES, LEAST_PAIRS = 3, 4
MOST_LEARNED, MOST_RUNS = 2_000, 50
"""Co-runs that a gate learns from, and those of one pair: time grows with the cube of their number,
and 2,000 take minutes."""


@plainly
def gate(
    pairs: Any,
    profiles: Any,
    *,
    references: Sequence[str] = (),
    bad_share: float = 0.10,
    limit: float = 1.10,
    basis: Basis = "job",
    sheet: str | None = None,
    profiles_sheet: str | None = None,
    test_gates: bool = False,
    seed: int = 0,
) -> GateStudy:
    """Decide which new applications may share cores with reference applications.

    A gate learns from co-runs of the reference applications with each other. All other measured
    applications calibrate it: each is judged as if it were new. If new applications come from the
    same distribution as those, then on average over sites at most ``bad_share`` of a new
    application's co-runs exceed the limit (docs/gate.md, theorem 1). An
    application without a co-run counts as 0, so the rate among all co-runs may be higher: the study
    states both.

    Parameters
    ----------
    pairs
        Measured co-runs: a frame, or a CSV or XLSX file, with the columns
        ``a, b, solo_a_s, solo_b_s, co_a_s, co_b_s`` [s].
    profiles
        Counters of solo runs: a frame or such a file with the column ``application`` and one column
        for each counter. ``run_spread``, if given, is the standard deviation of the logarithm of
        an application's run times. Applications that are in no pair are new.
    references
        Names of the reference applications, in any capitals. By default a quarter of the measured
        ones, at least three: those measured with most others, and of equal ones a sample by
        ``seed``.
    bad_share
        Mean over new applications of the share of their co-runs that are bad, which is kept. It
        cannot be below ``1 / (n + 1)`` for ``n`` calibration applications.
    limit
        A co-run is bad if it takes more than this times one job after the other.
    basis
        What the times are: ``"job"`` for run times of whole jobs, ``"step"`` for seconds per step
        or iteration. With steps only the slowdowns count, and both jobs of a co-run are taken to
        last equally long alone.
    sheet, profiles_sheet
        Sheets of ``pairs`` and ``profiles``, if these are workbooks with several.
    test_gates
        Whether Tangram's gate, logistic regression and two bounds are tested too, each on every
        measured application without its co-runs (``tested``).
    seed
        Seed of the sampled reference applications, and of the tested gates.

    Returns
    -------
    GateStudy
        Decisions, the certificate, and what to probe first.

    Raises
    ------
    InputError
        A table is incomplete, a name is unknown, a number is out of its range, or there are too
        many co-runs for a test.
    """
    if not 1 <= limit < float("inf"):
        raise InputError(f"limit = {limit:g}; give 1 (no time lost) or more, such as 1.1")
    if basis not in get_args(Basis):
        raise InputError(f"basis = {basis!r} is unknown; give 'job' or 'step'")
    data, time_ratio, digests = own_pairs(pairs, profiles, basis, sheet, profiles_sheet)
    rows = np.flatnonzero(np.isfinite(data.makespan))
    known = np.unique(np.concatenate([data.a[rows], data.b[rows]]))
    chosen = _references(data, known, references, seed)
    learned = np.intersect1d(np.flatnonzero(data.among(chosen)), rows)
    _check_learned(data, learned)
    result = learn(data, learned, limit)
    calibration = [
        one for number in np.setdiff1d(known, chosen)
        if len((one := _judged(data, result, int(number), chosen, measured=True)).rows)
    ]  # fmt: skip
    if not calibration:
        raise InputError(
            "no other application was measured with a reference application; measure some to "
            "calibrate the gate"
        )
    scores = [one.score for one in calibration]
    makespans = [data.makespan[one.rows] for one in calibration]
    certificate = certified(scores, makespans, limit, bad_share)
    new = np.setdiff1d(np.arange(len(data.applications)), known)
    judged = [_judged(data, result, int(number), chosen, measured=False) for number in new]
    co_runs = left_out(scores, makespans, limit, bad_share)
    return GateStudy(
        data, result, chosen, tuple(calibration), certificate, co_runs, tuple(judged), limit,
        basis, time_ratio, digests, gate_tests(data, limit, seed) if test_gates else {},
    )  # fmt: skip


def _check_learned(data: GatePairs, learned: Rows) -> None:
    if len(learned) < LEAST_PAIRS:
        raise InputError(
            f"co-runs of reference applications with each other: {len(learned)} measured; "
            f"measure at least {LEAST_PAIRS}, or name other references"
        )
    if len(learned) > MOST_LEARNED:
        raise InputError(
            f"{len(learned):,} co-runs of reference applications with each other were measured; "
            f"the gate learns from at most {MOST_LEARNED:,}, so name fewer references"
        )
    low, high = np.minimum(data.a, data.b)[learned], np.maximum(data.a, data.b)[learned]
    pairs, runs = np.unique(np.column_stack([low, high]), axis=0, return_counts=True)
    if runs.max() > MOST_RUNS:
        one, other = (short(data.applications[number]) for number in pairs[int(runs.argmax())])
        raise InputError(
            f"{one} with {other} was measured {runs.max():,} times; keep at most {MOST_RUNS} of "
            "these co-runs, as further ones only cost time"
        )


def _references(data: GatePairs, known: Any, names: Sequence[str], seed: int) -> Any:
    if isinstance(names, str):
        names = (names,)
    if not names:
        count = max(LEAST_REFERENCES, len(known) // 4)
        order = np.random.default_rng(seed).permutation(known)
        partners = [len(np.unique([data.a[data.of(one)], data.b[data.of(one)]])) for one in order]
        return np.sort(order[np.argsort(-np.array(partners), kind="stable")][:count])
    measured = {data.applications[number]: int(number) for number in known}
    return np.unique([_measured(name, measured) for name in names])


def _measured(name: str, measured: Mapping[str, int]) -> int:
    """The number of a measured application; capitals count only between two that differ in them."""
    alike = [other for other in measured if other.casefold() == name.casefold()]
    if name in measured or len(alike) == 1:
        return measured[name if name in measured else alike[0]]
    raise InputError(
        f"the reference application {name!r} is in no measured pair; {nearest(name, [*measured])}"
    )


def _judged(
    data: GatePairs, found: LearnedGate, number: int, chosen: Any, *, measured: bool
) -> JudgedPairs:
    with_references = (data.of(number)) & (np.isin(data.a, chosen) | np.isin(data.b, chosen))
    rows = np.flatnonzero(with_references & (np.isfinite(data.makespan) == measured))
    return found.judge(number, rows)
