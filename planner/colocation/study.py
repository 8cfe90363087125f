"""Which jobs share nodes, compared and ready to be shown."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from planner.colocation.outcome import Outcome
from planner.colocation.plan import Plan
from planner.colocation.settings import Settings
from planner.formatting import percent, plural
from planner.study import TabledStudy
from planner.table import Column, Table
from scenarios.pairs.pair_table import PairTable
from solvers.matching.solve import Matched


@dataclass(frozen=True, eq=False, repr=False)
class ColocationStudy(TabledStudy):
    """Pairs of greatest gain with their proof, and other ways to pair.

    Attributes
    ----------
    plan
        The matching.
    found
        What proves it.
    outcomes
        A row for each policy, the matching among them.
    """

    table: PairTable
    asked: Settings
    plan: Plan
    found: Matched
    outcomes: tuple[Outcome, ...]
    plans: tuple[Plan, ...] = ()
    command: tuple[str, ...] = ()

    title = "Who shares a node with whom"

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was asked, by name."""
        return {
            "pair table": self.table.name,
            "jobs": self.plan.problem.jobs,
            "applications": len({*self.plan.problem.names}),
            "measured pairs": self.table.pairs,
            **self.asked.words(),
        }

    @property
    def provenance(self) -> tuple[tuple[str, str], ...]:
        """Digest of the table, and the command."""
        command = shlex.join(("headroom", *self.command)) if self.command else "made from Python"
        return ((f"SHA-256 of {self.table.name}", self.table.sha256), ("command", command))

    @property
    def headline(self) -> str:
        """The answer in a sentence or two."""
        plan = self.plan
        if not plan.pairs:
            return f"No pair of the {plural(plan.problem.jobs, 'job')} gains: all run alone."
        per_pair = plan.gain / len(plan.pairs)
        return (
            f"{plural(2 * len(plan.pairs), 'job')} share {plural(len(plan.pairs), 'node')}, "
            f"{plural(len(plan.alone), 'job')} run alone; a shared node does {percent(per_pair)} "
            f"more work than one job alone. The slowest job takes {plan.max_slowdown:.3g} times "
            "its time alone."
        )

    @property
    def confidence(self) -> str:
        """What stands behind the pairing."""
        certificate = self.found.certificate
        if not self.plan.pairs:
            return ""
        if certificate.gap_relative is None or certificate.bound is None:
            return "No limit is proven: the dual values failed their check."
        return (
            f"Proven optimal on the table: no pairing gains more than {certificate.bound:.6g} "
            f"(this one: {self.plan.gain:.6g}; dual values checked in whole numbers)."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was read and may not have been meant, and what the solver noticed."""
        return (*self.table.warnings, *self.found.certificate.notes)

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Each chosen pair with its speeds."""
        names = self.plan.problem.names
        rows = []
        for (a, b), gain in zip(self.plan.pairs, self.plan.gains, strict=True):
            x, y = self.plan.problem.speeds(a, b)
            rows.append({"a": names[a], "b": names[b], "gain": gain,
                         "slowdown_a": 1 / x, "slowdown_b": 1 / y})  # fmt: skip
        return rows

    @property
    def shown(self) -> tuple[Table, ...]:
        """Policies, and the chosen pairs."""
        return (
            Table("policies", "Ways to pair the jobs", _POLICIES, self.outcomes),
            Table("shared_nodes", "Jobs that share a node", _PAIRS, self.rows),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        names, certificate = self.plan.problem.names, self.found.certificate
        plain = super().to_dict()
        return {
            "pairs": [[names[a], names[b]] for a, b in self.plan.pairs],
            "alone": [names[job] for job in self.plan.alone],
            "gain": self.plan.gain,
            "bound": certificate.bound,
            "gap": certificate.gap_relative,
            "policies": [
                {**row, "note": each.note}
                for row, each in zip(plain.pop("policies"), self.outcomes, strict=True)
            ],
            **plain,
            "max_slowdown": self.plan.max_slowdown,
            "certificate": certificate.to_dict(),
            "table": {"name": self.table.name, "sha256": self.table.sha256},
        }


def _ratio(value: float) -> str:
    return f"{value:.3f}"


_POLICIES = (
    Column("policy", "policy", width=2.2),
    Column("gain", "gain (nodes)", _ratio, number=True, width=1.2),
    Column("optimal_share", "of the limit", percent, number=True, width=1.1),
    Column("max_slowdown", "largest slowdown", _ratio, number=True, width=1.3),
    Column("largest_discount", "largest discount", percent, number=True, width=1.3),
    Column("smallest_gain", "smallest gain", _ratio, number=True, width=1.2),
    Column("pairs", "pairs", "{:g}".format, number=True),
    Column("nodes", "nodes", "{:g}".format, number=True),
)
_PAIRS = (
    Column("a", "job", width=1.5),
    Column("b", "shares with", width=1.5),
    Column("gain", "gain", _ratio, number=True),
    Column("slowdown_a", "slowdown of the first", _ratio, number=True, width=1.4),
    Column("slowdown_b", "of the second", _ratio, number=True, width=1.2),
)
