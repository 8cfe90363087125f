"""Tables of the gate's trial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.formatting import percent, plural
from planner.table import Column, Table

Rows = Sequence[Any]
_LARGEST = 100.0
"""Predicted makespan above which its digits say nothing."""


def tables_of(
    seeds: int, level: float, gates: Rows, risk: Rows, safe: Rows, left_out: Rows,
    certificates: Rows, decisions: Rows,
) -> tuple[Table, ...]:  # fmt: skip
    """All tables, the most important one first."""
    simulated = f"simulated, {plural(seeds, 'seed')}"
    return (
        Table(
            "gates",
            f"Gates on unknown applications and rank counts, at the {percent(level)} quantile "
            f"({simulated})",
            _GATES,
            gates,
        ),
        Table(
            "risk_coverage",
            f"Stricter quantiles admit fewer pairs and lower the risk ({simulated})",
            _RISK,
            risk,
        ),
        Table(
            "safe_gain",
            f"Largest saving with no pair above the limit, in hindsight ({simulated})",
            _SAFE,
            safe,
        ),
        Table("left_out", f"Results by unknown application ({simulated})", _LEFT_OUT, left_out),
        Table(
            "certificates",
            "How many applications does a guaranteed mean rate of bad co-runs need?",
            _CERTIFICATES,
            certificates,
        ),
        Table("decisions", "Decision on each pair (simulated, first seed)", _DECISIONS, decisions),
    )


def _two(value: float) -> str:
    return f"{value:.2f}"


def _predicted(value: float) -> str:
    """A prediction; far from all known applications it has no more meaning than that."""
    return _two(value) if value <= _LARGEST else f"> {_LARGEST:g}"


def _three(value: float) -> str:
    return f"{value:.3f}"


def _one(value: float) -> str:
    return f"{value:.1f}"


def _share(value: float) -> str:
    return percent(value)


_SUMS = (
    Column("tested", "tested", number=True, shown=False),
    Column("coverage", "pairs admitted", _share, number=True, width=1.2),
    Column("gain", "share of oracle's saving", _share, number=True, width=1.3),
    Column("makespan", "mean makespan", _three, number=True, width=1.3),
    Column("worst", "worst pair", _two, number=True),
    Column("bad", "above the limit", number=True, width=1.1),
    Column("abstained", "abstained", _share, number=True, width=1.2),
    Column("separated", "separated", number=True, width=1.2),
    Column("probes", "probes per application", _one, number=True, width=1.4),
)
_GATES = (Column("gate", "gate", width=2.4), *_SUMS)
_LEFT_OUT = (Column("left_out", "unknown application", width=1.6), *_SUMS)
_RISK = (
    Column("gate", "gate", width=2.4),
    Column("level", "quantile", percent, number=True),
    Column("coverage", "pairs admitted", _share, number=True, width=1.2),
    Column("gain", "share of oracle's saving", _share, number=True, width=1.3),
    Column("worst", "worst pair", _two, number=True),
    Column("admitted", "co-runs", "{:,}".format, number=True, shown=False),
    Column("bad", "co-runs above the limit", number=True, width=1.5,
           row_text=lambda row: f"{round(row['bad'] * row['admitted']):,} of {row['admitted']:,}"),
)  # fmt: skip
_SAFE = (
    Column("gate", "gate", width=2.4),
    Column("gain", "share of oracle's saving", _share, number=True, width=1.3),
    Column("limit", "limit", _two, number=True),
)
_CERTIFICATES = (
    Column("alpha", "mean rate of bad co-runs per application", _share, number=True, width=1.4),
    Column("least", "lowest rate possible here", lambda value: percent(value, places=1),
           number=True, width=1.4),
    Column("possible", "possible", lambda value: "yes" if value else "no"),
    Column("needed", "applications needed, fixed partners", number=True, width=1.6),
    Column("needed_among", "applications needed, partners among them", number=True, width=1.8),
)  # fmt: skip
_DECISIONS = (
    Column("left_out", "unknown application", width=1.4),
    Column("partner", "partner", width=1.4),
    Column("ranks", "ranks", number=True),
    Column("decision", "decision", width=1.3),
    Column("probed", "probed", lambda value: "yes" if value else "no"),
    Column("median", "predicted median", _predicted, number=True, width=1.2),
    Column("upper", "upper quantile", _predicted, number=True, width=1.2),
    Column("novelty", "novelty", _two, number=True, width=1.1),
    Column("measured", "simulated", _two, number=True, width=1.2),
    Column("charged", "charged", _two, number=True, width=1.1),
)
