"""The command that gives a comparison of designs again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenarios.catalogue import bundled_name

if TYPE_CHECKING:
    from planner.designs.result import DesignResult

_GAP = 1e-6
"""The gap that the command takes where none is given."""


def command(result: DesignResult) -> tuple[str, ...]:
    """Words behind ``headroom`` that give the study again; none for a scenario from Python."""
    read, options = result.scenario.provenance, result.options
    if not read.files:
        return ()
    name = (bundled_name(read.paths[0]) if read.paths else None) or read.files[0][0]
    words = ["plan", name]
    if result.designs:
        words += ["--solver", options.solver] if options.solver != "both" else []
        words += ["--seed", str(options.seed)] if options.seed else []
        words += ["--gap", f"{options.gap:g}"] if options.gap != _GAP else []
        if options.time_limit_s is not None:
            words += ["--time-limit", f"{options.time_limit_s:g}"]
    return tuple(words)
