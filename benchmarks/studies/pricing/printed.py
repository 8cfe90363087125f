"""What the paper prints, next to what its equations give and what the simulated node shows.

``python -m benchmarks.studies.pricing.printed`` prints the table of
docs/evidence/pricing-estimators.md; ``--seeds 2`` is faster, with other last digits.

References
----------
A. Breslow et al., SC13 (POPPA), sections 3 to 8.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from planner.formatting import percent
from planner.pricing.overhead import Shutter, dilation, dilation_limit, sleep_fraction
from planner.pricing.price import price
from planner.pricing.result import PriceResult


@dataclass(frozen=True)
class PrintedPrice:
    """One number of the paper.

    Attributes
    ----------
    place
        Section or figure.
    quantity
        What it is.
    printed
        As the paper has it.
    ours
        Recomputed, or simulated.
    kind
        ``arithmetic``, ``simulated``, ``fitted`` or ``flag``.
    note
        Agreement, or why there is none.
    """

    place: str
    quantity: str
    printed: str
    ours: str
    kind: str
    note: str


def arithmetic_rows() -> tuple[PrintedPrice, ...]:
    """Numbers that follow from equations alone, and the flags of the specification."""
    chosen = Shutter()
    longest = Shutter(measure_us=25_600.0)
    return (
        PrintedPrice(
            "8.2, equation 10", "overhead at n = 2, S = 3.2 ms, P = 200 ms", "< 1 %",
            percent(dilation(chosen), places=3), "arithmetic",
            f"agrees; share of time paused {percent(sleep_fraction(chosen), places=3)}",
        ),
        PrintedPrice(
            "8.2, figure 15", "largest overhead, S = 25.6 ms", "5 %",
            percent(dilation(longest), places=2), "arithmetic", "agrees, as an upper bound",
        ),
        PrintedPrice(
            "8.1, figure 5", "limit for long measurements, n = 2", "levels off",
            percent(dilation_limit(2)), "arithmetic", "(n - 1) / (2 n + 1)",
        ),
        PrintedPrice(
            "8.1", "overhead at n = 3 and n = 4, S = 3.2 ms", "not printed",
            " and ".join(percent(dilation(Shutter(jobs=jobs)), places=3) for jobs in (3, 4)),
            "arithmetic", "our own figures by equation 10",
        ),
        PrintedPrice(
            "8.4", "largest discount by the oracle, from the largest price 1.62", "38.3 %",
            percent(1 - 1 / 1.62, places=2), "arithmetic",
            "1 - 1/1.62 agrees; of two definitions of degradation only this one does (F2)",
        ),
        PrintedPrice(
            "8.4", "mean discount by the oracle, at a mean inflation of 14 %", "11.5 %",
            f"at most {percent(1 - 1 / 1.14, places=2)}", "arithmetic",
            "agrees: the mean of 1/x is at least 1 over the mean",
        ),
        PrintedPrice(
            "equations 6 and 7", "normalised performance", "IPC_solo / IPC_co",
            "IPC_co / IPC_solo", "flag", "printed upside down (F1); Algorithm 4 has it right",
        ),
        PrintedPrice(
            "3", "which jobs are paused", "one of them", "all but one", "flag",
            "sections 1 and 5, Algorithm 2 and equation 9 pause all but one (F7)",
        ),
        PrintedPrice(
            "Algorithm 3", "length of a round at n = 2", "209.6 ms",
            f"{Shutter(literal=True).round_us / 1e3:,.1f} ms as printed, "
            f"{chosen.round_us / 1e3:,.1f} ms in parallel", "flag",
            "equation 9 needs one window for all jobs (F3)",
        ),
        PrintedPrice(
            "5.2 and 8.1", "base cost of a pause", "0.12 to 0.2 ms; at most 0.13 ms on average",
            "0.13 ms", "flag", "two ranges; the simulated node takes the second (F4)",
        ),
        PrintedPrice(
            "8.1", "lengths of a measurement, 0.2 x 2^k ms up to 409.6 ms", "1 <= k <= 12",
            "0 <= k <= 11", "flag", "0.2 ms x 2^12 is 819.2 ms (F5)",
        ),
        PrintedPrice(
            "8.1", "cost of measuring in a pause", "4 times that outside",
            "a quarter of that outside", "flag", "both reasons given imply the opposite (F6)",
        ),
        PrintedPrice(
            "5.2", "loss by missed phases", "at least a % hit", "unknown", "flag",
            "the number is lost in the text (F8)",
        ),
    )  # fmt: skip


def _apart(ours: float, printed: float) -> str:
    """Return how far a share is from the printed one, in points.

    Examples
    --------
    >>> _apart(0.238, 0.396), _apart(0.103, 0.095), _apart(0.0951, 0.095)
    ('15.8 points lower', '0.8 points higher', 'agrees within 0.1 points')
    """
    points = round(100 * (ours - printed), 1)
    if abs(points) <= _AGREES:
        return f"agrees within {_AGREES:g} points"
    return f"{abs(points):.1f} points {'higher' if points > 0 else 'lower'}"


_AGREES = 0.1
"""Difference from the paper in points that rounding explains."""


def simulated_rows(result: PriceResult) -> tuple[PrintedPrice, ...]:
    """Numbers of the paper next to those of the twelve codes on the simulated node."""
    poppa = next(score for score in result.scores if score.estimator == "algorithm-4")
    order = sorted(zip(poppa.by_application, result.applications, strict=True), reverse=True)
    worst = [name for _, name in order[:3]]
    ours, oracle = result.fairness["poppa"], result.fairness["oracle"]
    today = result.fairness["state-of-practice"]
    return (
        PrintedPrice(
            "8.3", "application with Algorithm 4's largest error", "FT", worst[0], "simulated",
            f"then {worst[1]} and {worst[2]}",
        ),
        _share("abstract, 8.3", "mean absolute error of Algorithm 4, all pairs", "4.0 %",
               poppa.mean_absolute_error),
        _share("8.4", "mean discount of the oracle", "11.5 %", oracle.mean_discount, "fitted"),
        _share("8.4", "largest discount of the oracle", "38.3 %", oracle.largest_discount,
               "fitted"),
        _share("8.4", "mean discount of POPPA", "9.5 %", ours.mean_discount),
        _share("8.4", "largest discount of POPPA", "39.6 %", ours.largest_discount),
        _share("8.4", "mean overcharge by run time", "14 %", -today.mean_discount),
        _share("8.4", "largest overcharge by run time", "62 %", -today.least_discount),
    )  # fmt: skip


def _share(
    place: str, quantity: str, printed: str, ours: float, kind: str = "simulated"
) -> PrintedPrice:
    """A share that the paper prints, with the distance of ours from it."""
    apart = _apart(ours, float(printed.split(maxsplit=1)[0]) / 100)
    return PrintedPrice(place, quantity, printed, percent(ours, places=1), kind, apart)


def table(seeds: int | None = None) -> Iterator[str]:
    """Yield the lines of the table; by default with as many seeds as the scenario has."""
    yield "| section | quantity | paper | here | kind | note |"
    yield "|---|---|---|---|---|---|"
    result = price("poppa-12-codes", seeds=seeds, workers=2).result
    for row in (*arithmetic_rows(), *simulated_rows(result)):
        yield (
            f"| {row.place} | {row.quantity} | {row.printed} | {row.ours} | {row.kind} | "
            f"{row.note} |"
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int)
    sys.stdout.writelines(f"{line}\n" for line in table(parser.parse_args().seeds))


if __name__ == "__main__":
    main()
