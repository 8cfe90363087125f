"""The sampled users' gains by uptake and largest error, as figures and sentences need them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.formatting import capitalised, given, words
from planner.replications.spread import SeedSpread
from planner.scheduling.estimates.result import Measure
from planner.scheduling.estimates.study import EstimateStudy
from reports.estimates.gain_text import between, bound, change, compared, over, whose

Floats = NDArray[np.float64]
FEW = 2
"""Number of gains up to which there is a table alone, no map, and a sentence names each."""


@dataclass(frozen=True, eq=False)
class CellMap:
    """Gains by uptake and error; arrays of shape ``(uptakes, errors)``, NaN where not known.

    Attributes
    ----------
    uptakes, errors
        Ascending.
    gain, deviation
        Mean and standard deviation over seeds; the latter is NaN for a single seed.
    agreed
        Whether at least two seeds were simulated and all have the sign of the mean.
    """

    uptakes: tuple[float, ...]
    errors: tuple[float, ...]
    gain: Floats
    deviation: Floats
    agreed: NDArray[np.bool_]

    @property
    def is_few(self) -> bool:
        """Whether a table of two rows shows as much as a map."""
        return self.gain.size <= FEW

    @property
    def is_drawn(self) -> bool:
        """Whether there is a map."""
        return self.is_known and not self.is_few

    @property
    def is_known(self) -> bool:
        """Whether there is any gain to tell."""
        return bool((~np.isnan(self.gain)).any())

    @property
    def has_spread(self) -> bool:
        """Whether seeds deviate from each other."""
        return bool((self.deviation > 0).any())  # NaN is not


def cell_map(study: EstimateStudy, measure: Measure) -> CellMap:
    """The gains of a measure; without those at an uptake of 0, where nobody has the tool."""
    every_uptake = sorted(set(study.settings.uptakes))
    uptakes = tuple(uptake for uptake in every_uptake if uptake) or tuple(every_uptake)
    errors = tuple(sorted(set(study.settings.errors)))
    gains = {(cell.uptake, cell.error): cell.gain for cell in study.cells(measure)}
    every = [[gains.get((uptake, error)) for error in errors] for uptake in uptakes]
    return CellMap(
        uptakes,
        errors,
        np.array([[np.nan if g is None else g.mean for g in row] for row in every]),
        np.array([[_deviation(g) for g in row] for row in every]),
        np.array([[_agreed(g) for g in row] for row in every]),
    )


def _deviation(spread: SeedSpread | None) -> float:
    return np.nan if spread is None or spread.deviation is None else spread.deviation


def _agreed(spread: SeedSpread | None) -> bool:
    return spread is not None and spread.seeds > 1 and (spread.least > 0 or spread.most < 0)


def uptakes_shown(study: EstimateStudy) -> list[float]:
    """Uptakes at which all sampled users use the tool; else those at which anybody does."""
    every = sorted(set(study.settings.uptakes))
    whole = [uptake for uptake in every if uptake >= study.workload.seed_group]
    return whole or [uptake for uptake in every if uptake > 0]


def gains_at_uptakes(study: EstimateStudy, measure: Measure) -> list[tuple[float, bool]]:
    """Mean gain, and whether all seeds agree on its sign, of cells of such uptakes."""
    cells = cell_map(study, measure)
    rows = [cells.uptakes.index(uptake) for uptake in uptakes_shown(study)]
    pairs = [
        (float(gain), bool(agreed))
        for row in rows
        for gain, agreed in zip(cells.gain[row], cells.agreed[row], strict=True)
    ]
    return [pair for pair in pairs if not np.isnan(pair[0])]


def finding(study: EstimateStudy, measure: Measure) -> str:
    """In how many cells the measure falls and rises, and by how much."""
    pairs = gains_at_uptakes(study, measure)
    noun = whose(study, measure)
    if not pairs:
        return unknown(study, noun)
    if cell_map(study, measure).is_few and any(gain for gain, _ in pairs):
        return _named(study, measure)
    gains = [gain for gain, _ in pairs]
    fall, rise, of = sum(g > 0 for g in gains), sum(g < 0 for g in gains), len(gains)
    ends = f"{compared(study)}: {between(gains)}{over(study)}"
    if fall == rise == 0:
        return f"The tool makes no difference to {noun}"
    verb = "falls" if fall else "rises"
    where = f"in all {of:,} cases of uptake and error"
    if of not in (fall, rise):
        parts = [("falls", fall), ("rises", rise)]
        counts = [f"{word} in {much} of {of:,} cases" for word, much in parts if much]
        return f"{capitalised(noun)} {' and '.join(counts)} of uptake and error, {ends}"
    return f"{capitalised(noun)} {verb} {where}, {ends}"


def _named(study: EstimateStudy, measure: Measure) -> str:
    """The gain of each of a few cases."""
    cells = cell_map(study, measure)
    texts = [
        f"{change(gain)} with {case_text(cells, uptake, error)}"
        for uptake, row in zip(cells.uptakes, cells.gain.tolist(), strict=True)
        for error, gain in zip(cells.errors, row, strict=True)
    ]
    noun = capitalised(whose(study, measure))
    return f"{noun} is {words(texts)}, {compared(study)}{over(study)}"


def case_text(cells: CellMap, uptake: float, error: float) -> str:
    """Return a case in words; its uptake where others differ or not everybody has the tool."""
    where = "" if cells.uptakes == (1.0,) else f" at {given(uptake)} uptake"
    return f"{bound(error)}{where}"


def unknown(study: EstimateStudy, noun: str) -> str:
    """Why there is no gain to tell."""
    if not uptakes_shown(study):
        return f"No user has the tool at the chosen uptakes, so {noun} cannot be compared"
    if not any(study.no_tool.groups[seed].jobs for seed in study.settings.seeds):
        return f"The sampled users have no jobs, so {noun} is unknown"
    return f"No sampled user waits without the tool, so {noun} cannot fall"
