"""HiGHS through highspy. Only the worker process imports this module."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from solvers.backends.protocol import Claim, Limits
from solvers.backends.scaling import scaled
from solvers.model.milp import Floats, Milp
from solvers.model.result import Status, Stop

Basis = tuple[NDArray[np.bool_], NDArray[np.bool_]]
"""Which columns and which rows are basic."""

_STATUS = highspy.HighsModelStatus
_FINISHED = {
    _STATUS.kOptimal: Status.OPTIMAL,
    _STATUS.kInfeasible: Status.INFEASIBLE,
    _STATUS.kUnbounded: Status.UNBOUNDED,
    # The presolve of HiGHS does not tell the two apart; a second opinion decides.
    _STATUS.kUnboundedOrInfeasible: Status.UNKNOWN,
    _STATUS.kModelEmpty: Status.OPTIMAL,
}
_STOPPED = {
    _STATUS.kTimeLimit: Stop.TIME,
    _STATUS.kSolutionLimit: Stop.NODES,
    _STATUS.kIterationLimit: Stop.NODES,
}
_UNSETTLED = (_STATUS.kUnknown, _STATUS.kPresolveError, _STATUS.kPostsolveError)
"""How a linear program may end whose only points are nearly infeasible; not without presolve."""
_FEASIBLE_POINT = 2  # HiGHS: kSolutionStatusFeasible
_ALWAYS: dict[str, bool | int | float | str] = {
    "output_flag": False,
    "threads": 1,
    "parallel": "off",
    "mip_feasibility_tolerance": 1e-7,  # at its default of 1e-6 presolve proves false optima
    "small_matrix_value": 1e-12,  # the least that HiGHS allows; it would drop all below 1e-9
}

_FROM_A_POINT: dict[str, bool | int | float | str] = {
    "mip_allow_restart": False,
    "mip_heuristic_run_rens": False,
    "mip_heuristic_run_rins": False,
    "mip_heuristic_run_root_reduced_cost": False,
}
"""Smaller programs that look for points, and restarts, cost more than half of a root."""

_NO_LIMITS: dict[str, bool | int | float | str] = {
    "mip_max_nodes": highspy.kHighsIInf,
    "time_limit": highspy.kHighsInf,
    **dict.fromkeys(_FROM_A_POINT, True),
}
"""Set anew on every run: an engine that is kept remembers the limits of the last one."""


@functools.cache
def version() -> str:
    """Name and version of the engine."""
    return f"HiGHS {_engine().version()}"


def _engine() -> highspy.Highs:
    return highspy.Highs()  # type: ignore[no-untyped-call]  # its stubs leave __init__ bare


def _set(engine: highspy.Highs, options: dict[str, bool | int | float | str]) -> None:
    for option, value in options.items():
        if engine.setOptionValue(option, value) == highspy.HighsStatus.kError:
            raise ValueError(f"HiGHS refuses {option} = {value!r}")


def load(model: Milp, *, integer: bool = True) -> highspy.Highs:
    """Load a silent, single-threaded HiGHS with the model (its relaxation if not ``integer``).

    Raises
    ------
    ValueError
        HiGHS refuses the model: it takes no coefficient of ``1e15`` or more.
    """
    engine = _engine()
    _set(engine, _ALWAYS)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = model.columns, model.rows
    lp.sense_ = highspy.ObjSense.kMinimize if model.sense == "min" else highspy.ObjSense.kMaximize
    lp.offset_ = model.constant
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = model.cost, model.column_lower, model.column_upper
    lp.row_lower_, lp.row_upper_ = model.row_lower, model.row_upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.num_col_, lp.a_matrix_.num_row_ = model.columns, model.rows
    lp.a_matrix_.start_ = model.row_starts.astype(np.int32)
    lp.a_matrix_.index_ = model.column_indices.astype(np.int32)
    lp.a_matrix_.value_ = model.coefficients
    if integer and model.is_integer.any():
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        lp.integrality_ = [kinds[flag] for flag in model.is_integer.tolist()]
    if engine.passModel(lp) == highspy.HighsStatus.kError:
        raise ValueError("HiGHS takes no coefficient of 1e15 or more; scale the model")
    return engine


def solve(model: Milp, limits: Limits, start: Floats | None) -> Claim:
    """Serve as the :class:`~solvers.backends.protocol.Backend` of HiGHS."""
    return run(load(model), limits, start, is_mip=bool(model.is_integer.any()))


def run(engine: highspy.Highs, limits: Limits, start: Floats | None, *, is_mip: bool) -> Claim:
    """Run a loaded engine under limits and read its claim."""
    options: dict[str, bool | int | float | str] = {
        "random_seed": limits.seed,
        "mip_rel_gap": limits.gap,
        # The default of 1e-6 would end the search too early where the objective is small.
        "mip_abs_gap": 0.0,
        "presolve": "choose" if limits.presolve else "off",
    }
    if limits.node_limit is not None:
        options["mip_max_nodes"] = limits.node_limit
    if limits.time_limit_s is not None:
        options["time_limit"] = limits.time_limit_s
    if not limits.heuristics:
        options |= _FROM_A_POINT
    _set(engine, _NO_LIMITS | options)
    if limits.time_limit_s is not None:  # HiGHS counts over all runs of one engine
        engine.setOptionValue("time_limit", engine.getRunTime() + limits.time_limit_s)
    if start is not None and is_mip:  # a linear program from a point may end as "Not Set"
        point = highspy.HighsSolution()
        point.col_value = start.tolist()
        engine.setSolution(point)
    engine.run()
    if not is_mip and limits.presolve and engine.getModelStatus() in _UNSETTLED:
        engine.clearSolver()
        options["presolve"] = "off"
        _set(engine, options)
        engine.run()
    return _read(engine, options | {"threads": 1}, is_mip=is_mip)


def _read(engine: highspy.Highs, options: dict[str, Any], *, is_mip: bool) -> Claim:
    answer, info = engine.getModelStatus(), engine.getInfo()
    has_point = info.primal_solution_status == _FEASIBLE_POINT
    status = _FINISHED.get(answer, Status.FEASIBLE if has_point else Status.UNKNOWN)
    x = None
    if has_point and status in (Status.OPTIMAL, Status.FEASIBLE):
        x = np.array(engine.getSolution().col_value, dtype=np.float64)
    bound: float | None = None
    if is_mip:
        bound = info.mip_dual_bound if abs(info.mip_dual_bound) < highspy.kHighsInf else None
    elif status is Status.OPTIMAL:
        bound = info.objective_function_value
    stop = Stop.FINISHED if answer in _FINISHED else _STOPPED.get(answer, Stop.ERROR)
    duals = None
    if not is_mip and status is Status.OPTIMAL:
        duals = np.array(engine.getSolution().row_dual, dtype=np.float64)
    return Claim(
        status,
        stop,
        version(),
        x,
        bound,
        max(0, int(info.mip_node_count)) if is_mip else 0,
        options,
        engine.modelStatusToString(answer),
        duals,
    )


@dataclass(frozen=True, eq=False)
class RelaxationAnswer:
    """Solution of one linear relaxation.

    ``multipliers`` are row duals (``cost - y A`` are the reduced costs) or, if infeasible, a
    Farkas ray; always for the minimised objective.
    """

    status: Status
    x: Floats | None
    multipliers: Floats | None


class Relaxation:
    """The linear relaxation of a model, solved again and again under changed boxes."""

    def __init__(self, model: Milp) -> None:
        self._scaled = scaled(model, sides=False)
        self._engine = load(self._scaled.model, integer=False)
        self._sign = 1.0 if model.sense == "min" else -1.0
        self._every = np.arange(model.columns, dtype=np.int32)
        # Multipliers lose in the exact bound what the tolerances leave open; the defaults are 1e-7.
        self._engine.setOptionValue("primal_feasibility_tolerance", 1e-9)
        self._engine.setOptionValue("dual_feasibility_tolerance", 1e-9)

    def solve(self, lower: Floats, upper: Floats) -> RelaxationAnswer:
        """Solve over a box, starting from the last basis."""
        self._engine.changeColsBounds(len(self._every), self._every, lower, upper)
        self._engine.setOptionValue("presolve", "choose")
        answer = self._run()
        if answer.status is Status.OPTIMAL or answer.multipliers is not None:
            return answer
        self._engine.clearSolver()  # presolve gives neither ray nor basis: once more without it
        self._engine.setOptionValue("presolve", "off")
        return self._run()

    def _run(self) -> RelaxationAnswer:
        self._engine.run()
        answer = self._engine.getModelStatus()
        if answer in (_STATUS.kOptimal, _STATUS.kModelEmpty):
            solution = self._engine.getSolution()
            duals = self._sign * np.array(solution.row_dual, dtype=np.float64)
            multipliers = self._scaled.multipliers(duals)
            return RelaxationAnswer(Status.OPTIMAL, np.array(solution.col_value), multipliers)
        if answer == _STATUS.kInfeasible:
            _, exists, ray = self._engine.getDualRay()  # type: ignore[attr-defined]  # no stub
            if not exists:
                return RelaxationAnswer(Status.INFEASIBLE, None, None)
            farkas = self._scaled.multipliers(np.array(ray), with_cost=False)
            return RelaxationAnswer(Status.INFEASIBLE, None, farkas)
        if answer == _STATUS.kUnbounded:
            return RelaxationAnswer(Status.UNBOUNDED, None, None)
        self._engine.clearSolver()
        return RelaxationAnswer(Status.UNKNOWN, None, None)

    def basis(self) -> Basis:
        """Which columns and which rows are basic."""
        return self.basis_later()()

    def basis_later(self) -> Callable[[], Basis]:
        """The present basis, worked out only when it is read: most never are."""
        return partial(_basic, self._engine.getBasis())


def _basic(basis: Any) -> Basis:
    basic = highspy.HighsBasisStatus.kBasic
    return (
        np.array([status == basic for status in basis.col_status], dtype=np.bool_),
        np.array([status == basic for status in basis.row_status], dtype=np.bool_),
    )
