"""The tables of a study of prices."""

from __future__ import annotations

from planner.formatting import DASH, given, percent, plural, telling
from planner.pricing.result import PriceResult
from planner.pricing.scoring import EstimatorScore
from planner.pricing.shutters import LENGTHS_US
from planner.worded_table import Column, Table, hidden

POLICIES = {
    "state-of-practice": "by run time, as today",
    "poppa": "POPPA",
    "oracle": "oracle (fair price)",
    "headroom": "Headroom",
}
"""Pricing policies as people read them."""


def tables_of(result: PriceResult) -> tuple[Table, ...]:
    """Every table, the most important one first."""
    seeds = plural(len(result.seeds), "seed")
    repeats = {rated.shutter.repeats for rated in result.frontier}
    one_repeat = f"; K = {next(iter(repeats))}" if len(repeats) == 1 else ""
    return (
        Table(
            "prices",
            f"Discounts on the price of running alone, by pricing policy; simulated, {seeds}",
            _PRICES,
            result.price_rows(),
        ),
        Table(
            "estimators",
            f"Error of predicted run times with a partner, by estimator; simulated, {seeds}",
            _estimators(result),
            result.scores,
        ),
        Table(
            "applications",
            "True degradation by application, and mean absolute error of its predicted run time "
            "with a partner",
            APPLICATIONS,
            result.application_rows(),
        ),
        Table(
            "frontier",
            f"Best measurement settings for the site's job mix, at each overhead{one_repeat}; "
            "computed, not simulated",
            hidden(_FRONTIER, *(("shutter.repeats",) if one_repeat else ())),
            result.frontier,
        ),
        Table(
            "overhead_by_length",
            f"Overhead (equation 10) by length of a measurement, with "
            f"{result.shutter.gap_us / 1e3:,.0f} ms between rounds",
            _OVERHEAD,
            result.overhead_rows(LENGTHS_US),
        ),
        Table(
            "revenue",
            "Revenue relative to that of the same jobs running alone, in two simulated months",
            _REVENUE,
            result.tariff,
        ),
        Table(
            "simulated_node",
            "Parameters of the simulated node: fitted, published or assumed",
            _NUMBERS,
            result.numbers,
        ),
    )


def _share(value: float) -> str:
    return percent(value, places=1)


def _fine(value: float) -> str:
    return percent(value, places=2)


def _index(value: float) -> str:
    return f"{value:.4f}"


def _length(value: float) -> str:
    return f"{telling(value / 1e6, 3)} s" if value >= 1e6 else f"{value / 1e3:,.1f} ms"


_PRICES = (
    Column("policy", "price", lambda name: POLICIES.get(name, name), width=1.6),
    Column("mean_discount", "mean discount", _share, number=True, width=1.2),
    Column("min_discount", "smallest discount", _share, number=True, width=1.2),
    Column("p95_discount", "95th percentile", _share, number=True, width=1.3),
    Column("max_discount", "largest discount", _share, number=True, width=1.2),
    Column("revenue", "revenue", _share, number=True, width=1.1),
    Column("jain", "Jain's index", _index, number=True),
    Column("mean_envy", "mean envy", _share, number=True),
    Column("envious", "jobs with envy", _share, number=True),
    Column("phantom_discount", "phantom discount", _share, number=True, width=1.2),
    Column("price_error", "mean price error", _share, number=True),
)
BOARD = (
    _PRICES[0],
    Column(lambda row: 1 - row.mean_discount, "mean price", _share, number=True),
    Column(lambda row: 1 - row.max_discount, "lowest price", _share, number=True),
    Column(lambda row: 1 - row.min_discount, "highest price", _share, number=True),
    _PRICES[-1],
)
"""Columns of prices that a title page has room for, relative to running alone."""
BELOW = Column(
    lambda row: 1 - row.p95_discount, "95 % of jobs pay more than", _share, number=True, width=1.2
)
FAIRNESS = tuple(
    column
    for column in _PRICES
    if column.key in ("policy", "jain", "mean_envy", "envious", "phantom_discount", "price_error")
)
"""Columns that say how fair prices are."""
ACCURACY = ("estimator", "polling_error", "mean_absolute_error", "largest_error", "price_error",
            "coverage")  # fmt: skip
"""Columns of estimators that a page has room for."""


def _estimators(result: PriceResult) -> tuple[Column, ...]:
    """Mark the estimator that Headroom charges by; one seed has no spread."""
    seeds, ours = len(result.seeds), result.our_score

    def name(score: EstimatorScore) -> str:
        return f"{score.estimator} (Headroom's prices)" if score is ours else score.estimator

    def polling_error(score: EstimatorScore) -> str:
        return given(score.polling_error) if score.estimator in _CORRECTED else DASH

    return (
        Column("estimator", "estimator", width=2, row_text=name),
        Column(
            "polling_error",
            "error of polling IPC",
            number=True,
            width=1.2,
            row_text=polling_error,
        ),
        Column("mean_absolute_error", "mean absolute error", _fine, number=True, width=1.2),
        Column("spread", "s.d. over seeds", _fine, number=True, shown=seeds > 1),
        Column("largest_error", "largest error", _fine, number=True, width=1.3),
        Column("bias", "mean error", _fine, number=True),
        Column("phantom_discount", "phantom discount", _fine, number=True, width=1.2),
        Column("price_error", "mean absolute price error", _fine, number=True, width=1.2),
        Column("price_bias", "mean price error", _fine, number=True),
        Column("coverage", "true values in 95 % intervals", _share, number=True, width=1.4),
    )


_CORRECTED = ("spin", "shrinkage")
"""Estimators that use the polling IPC."""
APPLICATIONS = (
    Column("application", "application", width=1.3),
    Column("mean_degradation", "mean degradation", _share, number=True),
    Column("largest_degradation", "largest degradation", _share, number=True),
    Column("worst_partner", "worst partner", width=1.2),
    Column("poppa_error", "error of POPPA", _fine, number=True, width=1.2),
    Column("our_error", "error of Headroom", _fine, number=True, width=1.2),
)
"""Columns of applications: what they lose, and errors of estimates."""
_FRONTIER = (
    Column("shutter.measure_us", "measurement (S)", _length, number=True),
    Column("shutter.gap_us", "gap (P)", _length, number=True),
    Column("shutter.repeats", "samples (K)", number=True),
    Column("overhead", "overhead", _fine, number=True),
    Column("price_error", "price error (r.m.s.)", _fine, number=True, width=1.6),
)
_OVERHEAD = (
    Column("jobs", "jobs on the node", number=True, width=1.2),
    Column("measure_us", "measurement (S)", _length, number=True),
    Column("sleep_fraction", "share of time paused", _fine, number=True, width=1.2),
    Column("dilation", "overhead", _fine, number=True),
)
_REVENUE = (
    Column("price", "price", width=2.4),
    Column("first_month", "first month (fitted)", _fine, number=True),
    Column("next_month", "next month", _fine, number=True),
)
_NUMBERS = (
    Column("name", "parameter", width=1.6),
    Column("value", "value", width=1.2),
    Column("origin", "origin"),
    Column("reason", "reason", width=3.0),
)
