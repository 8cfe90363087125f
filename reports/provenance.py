"""Where a result comes from and how to get it again."""

from __future__ import annotations

from typing import Protocol

from planner.formatting import clipped
from planner.formulations.by_method import ENGINE, REFERENCE
from reports.grid import Table
from reports.skeleton import provenance_table
from scenarios.catalogue import names
from scenarios.model.scenario import Scenario

_BUNDLED = frozenset(f"{name}.toml" for name in names())


class _Options(Protocol):
    """How a study was solved."""

    @property
    def solver(self) -> str: ...
    @property
    def gap(self) -> float: ...
    @property
    def seed(self) -> int: ...
    @property
    def time_limit_s(self) -> float | None: ...


def provenance(
    scenario: Scenario,
    options: _Options,
    *,
    usual_gap: float = 1e-6,
    full: bool = False,
    solved: bool = True,
) -> Table:
    """Return files with their digests, command, options and versions.

    Parameters
    ----------
    usual_gap
        The gap that the command takes where none is given.
    full
        Whether the analyses that take long were run.
    solved
        Whether a program was solved; without, seed, gap and time limit have no meaning.
    """
    rows = [
        ("Scenario", scenario.name),
        *((f"SHA-256 of {name}", digest) for name, digest in _files(scenario)),
        *((f"Replaced: {path}", clipped(text, 80)) for path, text in scenario.provenance.changes),
        ("Command", _command(scenario, options, usual_gap, full=full)),
    ]
    if solved:
        limit = options.time_limit_s
        same = "none; the same input gives an identical report"
        rows += [
            ("Seed", str(options.seed)),
            ("Requested gap", f"{options.gap:g}"),
            ("Time limit", same if limit is None else f"{limit:g} s"),
        ]
    return provenance_table(rows)


def _files(scenario: Scenario) -> list[tuple[str, str]]:
    """Return each file once, however many of its sheets were read."""
    return list(dict.fromkeys(scenario.provenance.files))


def _command(scenario: Scenario, options: _Options, usual_gap: float, *, full: bool) -> str:
    files = scenario.provenance.files
    name = files[0][0] if files else scenario.name
    words = ["headroom", "plan", name.removesuffix(".toml") if name in _BUNDLED else name]
    if full:
        words.append("--full")
    method = getattr(options, "method", ENGINE)  # designs have one method only
    if method != ENGINE:
        words += ["--method", method]
    if options.solver != "highs" and method in (ENGINE, REFERENCE):
        words += ["--solver", options.solver]
    if options.seed:
        words += ["--seed", str(options.seed)]
    if options.gap != usual_gap:
        words += ["--gap", f"{options.gap:g}"]
    if options.time_limit_s is not None:
        words += ["--time-limit", f"{options.time_limit_s:g}"]
    return " ".join(words)
