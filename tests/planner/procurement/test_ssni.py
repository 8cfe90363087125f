"""ATS-5's scalable system improvement of a node type: the workbook's three examples.

SSNI is the weighted geometric mean of ``speedup of a node x nodes / reference nodes``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from planner.procurement.checker import violations
from planner.procurement.from_scenario import problem_from
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from scenarios.model.scenario import Scenario
from tests.shared_data import SERVERS, needs_data

REFERENCE_NODES = 6140
WORKBOOK = SERVERS / "ats5-ssni-baseline.xlsx"

# figure of merit of one reference node, weight
ALL_TEN = {
    "Branson": (9.59e5, 0.10),
    "AMG2023 P1": (4.099e8, 0.05),
    "AMG2023 P2": (1.0401e8, 0.05),
    "MiniEM": (9190.05, 0.15),
    "MLMD Training": (0.5986808, 0.05),
    "MLMD Simulation": (1341.0, 0.05),
    "Parthenon-VIBE": (2.61e7, 0.30),
    "Sparta": (2522.14, 0.10),
    "UMT Problem 1": (7.8305e9, 0.075),
    "UMT Problem 2": (4.30701e9, 0.075),
}
LEFT_OUT = ("Branson", "Parthenon-VIBE", "UMT Problem 1", "UMT Problem 2")
SUBSET = {name: row for name, row in ALL_TEN.items() if name not in LEFT_OUT}

Benchmarks = Mapping[str, tuple[float, float]]
Merits = Mapping[str, float]


def ssni(nodes: int, benchmarks: Benchmarks, merits: Merits) -> float:
    """SSNI of a machine of so many nodes of one type, through the whole model."""
    raw_scenario: dict[str, Any] = {
        "format": 1,
        "name": "ats5",
        "title": "ATS-5",
        "reference": {"name": "Crossroads", "nodes": REFERENCE_NODES},
        "power": {"bound_w": 1e9},
        "procurement": {"workload_mode": "one_at_a_time"},
        "node_types": [
            {
                "name": "node",
                "vendor": "Vendor A",
                "price": 1.0,
                "idle_w": 100.0,
                "peak_w": 500.0,
                "minimum_quantity": nodes,
                "maximum_quantity": nodes,
            }
        ],
        "workloads": [
            {
                "name": name,
                "weight": weight,
                "performance": {
                    "kind": "table",
                    "reference_figure_of_merit": reference,
                    "rows": [{"node_type": "node", "figure_of_merit": merits[name]}],
                },
            }
            for name, (reference, weight) in benchmarks.items()
        ],
    }
    problem = problem_from(Scenario.model_validate(raw_scenario))
    plan = Optimiser(problem, Options()).solve().plan
    assert plan is not None
    assert [purchase.nodes for purchase in plan.purchases] == [nodes]
    assert violations(problem, plan) == []
    return plan.score


@pytest.mark.parametrize(
    ("nodes", "speedup", "benchmarks", "printed"),
    [
        (18_000, 4.092, ALL_TEN, 11.996091205),  # 4.092 x 18,000 / 6,140
        (4_096, 17.99, ALL_TEN, 12.001146580),  # 17.99 x 4,096 / 6,140
        (4_096, 20.0, SUBSET, 13.342019544),  # 20 x 4,096 / 6,140, weights over 0.45
    ],
)
def test_examples_of_the_workbook(
    nodes: int, speedup: float, benchmarks: Benchmarks, printed: float
) -> None:
    merits = {name: speedup * reference for name, (reference, _) in benchmarks.items()}
    score = ssni(nodes, benchmarks, merits)
    assert score == pytest.approx(speedup * nodes / REFERENCE_NODES, rel=1e-9)
    assert score == pytest.approx(printed, rel=1e-9)


def test_unequal_speedups_are_averaged_geometrically() -> None:
    # weights 1 : 3, speedups 16 and 1 on as many nodes as the reference: 16^(1/4) = 2
    benchmarks = {"fast": (10.0, 1.0), "slow": (10.0, 3.0)}
    score = ssni(REFERENCE_NODES, benchmarks, {"fast": 160.0, "slow": 10.0})
    assert score == pytest.approx(2.0, rel=1e-9)


@needs_data
@pytest.mark.parametrize("example", [1, 2, 3])
def test_the_workbook_itself(example: int) -> None:
    nodes, benchmarks, merits, printed = _example(example)
    assert ssni(nodes, benchmarks, merits) == pytest.approx(printed, rel=1e-9)


def _example(number: int) -> tuple[int, Benchmarks, Merits, float]:
    """Nodes, benchmarks, figures of merit and SSNI of one example."""
    from python_calamine import CalamineWorkbook

    rows: list[list[Any]] = CalamineWorkbook.from_path(WORKBOOK).get_sheet_by_index(0).to_python()
    start = next(i for i, row in enumerate(rows) if str(row[0]).startswith(f"Example {number}"))
    benchmarks: dict[str, tuple[float, float]] = {}
    merits: dict[str, float] = {}
    nodes = 0
    for row in rows[start:]:
        if "SSNI" in row:
            return nodes, benchmarks, merits, float(row[row.index("SSNI") + 1])
        if row[1] == REFERENCE_NODES:
            name, _, reference, count, merit, weight = row[:6]
            nodes, merits[name] = int(count), float(merit)
            benchmarks[name] = (float(reference), float(weight))
    raise ValueError(f"example {number} has no SSNI")
