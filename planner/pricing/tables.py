"""The tables of a study of prices."""

from __future__ import annotations

from planner.formatting import duration, percent, plural
from planner.pricing.result import PriceResult
from planner.pricing.shutters import LENGTHS_US
from planner.table import Column, Table

POLICIES = {
    "state-of-practice": "by run time, as today",
    "poppa": "POPPA",
    "oracle": "oracle",
    "headroom": "Headroom",
}
"""Pricing policies as people read them."""


def tables_of(result: PriceResult) -> tuple[Table, ...]:
    """Every table, the most important one first."""
    seeds = plural(len(result.seeds), "seed")
    return (
        Table(
            "prices",
            f"Prices by policy over all pairs; simulated, {seeds}",
            _PRICES,
            result.price_rows(),
        ),
        Table(
            "estimators",
            f"Estimators of the degradation against hidden run times; simulated, {seeds}",
            _ESTIMATORS,
            result.scores,
        ),
        Table(
            "applications",
            "Applications: true degradation, and mean absolute error of its estimates",
            _APPLICATIONS,
            result.application_rows(),
        ),
        Table(
            "frontier",
            "Best settings of the shutter for the site's mix, by overhead",
            _FRONTIER,
            result.frontier,
        ),
        Table(
            "overhead_by_length",
            f"Overhead by equation 10 over the length of a measurement; P = "
            f"{result.shutter.gap_us / 1e3:,.0f} ms",
            _OVERHEAD,
            result.overhead_rows(LENGTHS_US),
        ),
        Table(
            "adaptive",
            "Rounds with a gap that grows with the job's age: price known to 3 % (stationary jobs)",
            _ADAPTIVE,
            result.adaptive,
        ),
        Table(
            "revenue",
            "Revenue over that of the same jobs alone, in a month and the next; simulated jobs",
            _REVENUE,
            result.tariff,
        ),
        Table(
            "filter_bias",
            "Algorithm 4 on stationary blocks with independent noise: medians of 5 runs",
            _BIAS,
            result.bias,
        ),
        Table(
            "strategic",
            "What a user gains by gaming the measurement; price and run time over the honest job's",
            _STRATEGIC,
            result.gains,
        ),
        Table(
            "simulated_node",
            "Numbers of the simulated node: fitted, published or assumed",
            _NUMBERS,
            result.numbers,
        ),
        Table("printed", "Numbers of the paper next to ours", _PRINTED, result.printed),
    )


def _share(value: float) -> str:
    return percent(value, places=1)


def _fine(value: float) -> str:
    return percent(value, places=2)


def _index(value: float) -> str:
    return f"{value:.4f}"


def _length(value: float) -> str:
    return f"{value / 1e3:,.1f} ms"


_PRICES = (
    Column("policy", "price", lambda name: POLICIES[name], width=1.6),
    Column("mean_discount", "mean discount", _share, number=True),
    Column("min_discount", "least", _share, number=True),
    Column("max_discount", "largest", _share, number=True),
    Column("p95_discount", "95th percentile", _share, number=True),
    Column("revenue", "revenue over running alone", _share, number=True, width=1.3),
    Column("jain", "Jain's index", _index, number=True),
    Column("mean_envy", "mean envy", _share, number=True),
    Column("envious", "jobs with envy", _share, number=True),
    Column("phantom_discount", "discount undisturbed", _fine, number=True, width=1.2),
    Column("price_error", "mean price error", _share, number=True),
)
_ESTIMATORS = (
    Column("estimator", "estimator", width=1.6),
    Column("polling_error", "error of polling IPC", percent, number=True, width=1.2),
    Column("mean_absolute_error", "mean absolute error", _fine, number=True, width=1.2),
    Column("spread", "s.d. over seeds", _fine, number=True),
    Column("largest_error", "largest error", _share, number=True),
    Column("bias", "bias", _fine, number=True),
    Column("phantom_discount", "discount undisturbed", _fine, number=True, width=1.2),
    Column("price_error", "price error", _fine, number=True),
    Column("price_bias", "price bias", _fine, number=True),
    Column("coverage", "95 % intervals that hold", _share, number=True, width=1.3),
)
_APPLICATIONS = (
    Column("application", "application", width=1.3),
    Column("mean_degradation", "mean degradation", _share, number=True),
    Column("largest_degradation", "largest", _share, number=True),
    Column("worst_partner", "next to", width=1.2),
    Column("poppa_error", "error of Algorithm 4", _fine, number=True, width=1.2),
    Column("our_error", "error of Headroom", _fine, number=True, width=1.2),
)
_FRONTIER = (
    Column("shutter.measure_us", "S", _length, number=True),
    Column("shutter.gap_us", "P", _length, number=True),
    Column("shutter.repeats", "K", number=True),
    Column("overhead", "overhead", _fine, number=True),
    Column("price_error", "price error (root mean square)", _fine, number=True, width=1.6),
)
_OVERHEAD = (
    Column("jobs", "jobs on the node", number=True, width=1.2),
    Column("measure_us", "S", _length, number=True),
    Column("sleep_fraction", "share of time asleep", _fine, number=True, width=1.2),
    Column("dilation", "overhead", _fine, number=True),
)
_ADAPTIVE = (
    Column("run_s", "run time", duration, number=True),
    Column("phase_us", "phases of", _length, number=True),
    Column("fixed", "rounds, fixed gap", lambda value: f"{value:,}", number=True),
    Column("adaptive", "adaptive", lambda value: f"{value:,}", number=True),
    Column("overhead_fixed", "overhead, fixed gap", _fine, number=True),
    Column("overhead_adaptive", "adaptive", _fine, number=True),
    Column("half_width", "95 % interval of the price, +/-", _share, number=True, width=1.4),
)
_REVENUE = (
    Column("price", "price", width=2.4),
    Column("first_month", "first month", _fine, number=True),
    Column("next_month", "next month", _fine, number=True),
)
_BIAS = (
    Column("sigma", "noise", percent, number=True),
    Column("perf", "true performance", lambda value: f"{value:.2f}", number=True, width=1.2),
    Column("unfiltered", "unfiltered", _index, number=True),
    Column("filtered", "Algorithm 4", _index, number=True),
    Column("expected", "its limit", _index, number=True),
    Column("kept", "blocks kept", percent, number=True),
)
_STRATEGIC = (
    Column("tactic", "tactic", width=1.2),
    Column("estimator", "charged by", width=1.2),
    Column("strength", "strength", lambda value: f"{value:g}", number=True),
    Column("price", "price", _share, number=True),
    Column("run_time", "run time", _share, number=True),
)
_NUMBERS = (
    Column("name", "number", width=1.6),
    Column("value", "value", width=1.2),
    Column("origin", "origin"),
    Column("reason", "reason", width=3.0),
)
_PRINTED = (
    Column("place", "where", width=1.2),
    Column("quantity", "quantity", width=2.4),
    Column("printed", "printed", width=1.2),
    Column("ours", "ours", width=1.4),
    Column("kind", "kind"),
    Column("note", "note", width=2.6),
)
