"""The command that gives the answer to a request for proposals again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.formulations.by_method import ENGINE, REFERENCE
from planner.procurement.outcome import GAP
from scenarios.catalogue import bundled_name

if TYPE_CHECKING:
    from planner.procurement.result import ProcurementResult

_SOLVER = "both"
"""The solvers that the command takes where none is given."""


def command(result: ProcurementResult) -> tuple[str, ...]:
    """Words behind ``headroom`` that give the study again; none for a scenario from Python.

    Files of the user's own heuristics are among the settings of the study, by their digests.
    """
    read, options = result.scenario.provenance, result.options
    if not read.files:
        return ()
    name = (bundled_name(read.paths[0]) if read.paths else None) or read.files[0][0]
    words = ["plan", name, *(["--full"] if result.full else [])]
    words += ["--method", options.method] if options.method != ENGINE else []
    if options.solver != _SOLVER and options.method in (ENGINE, REFERENCE):
        words += ["--solver", options.solver]
    words += ["--seed", str(options.seed)] if options.seed else []
    words += ["--gap", f"{options.gap:g}"] if options.gap != GAP else []
    if options.time_limit_s is not None:
        words += ["--time-limit", f"{options.time_limit_s:g}"]
    return tuple(words)
