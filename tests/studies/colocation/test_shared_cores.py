"""Shared cores under both laws: the stored results, the page, and the program behind them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.studies.colocation import queues
from benchmarks.studies.colocation.shared_cores import pairings, stored, table
from scenarios.simulated.oversubscription import LAWS, SYSTEMS, under

PAGE = Path(__file__).parents[3] / "docs" / "evidence" / "shared-cores.md"
SAME_CORES, IDLE_CYCLES = "same cores", "same cores, idle cycles"


def test_the_page_shows_the_pairings() -> None:
    assert table(stored()) in PAGE.read_text(encoding="utf-8")


def test_pairings_are_the_stored_ones_and_none_passes_the_best() -> None:
    rows = [row for law in LAWS for row in pairings(under(SYSTEMS[0], law))]
    known = [row for row in stored() if row["system"] == SYSTEMS[0].name]
    assert rows == [row | {"gain": pytest.approx(row["gain"], abs=1e-3),
                           "two_errors": pytest.approx(row["two_errors"], abs=1e-3)}
                    for row in known]  # fmt: skip
    for law in LAWS:
        gain = {row["policy"]: row["gain"] for row in rows if row["law"] == law}
        assert gain["matching"] >= max(gain["random"], gain["first fit"], gain["greedy"])
        assert gain["best by the law"] >= gain["matching"]


def test_the_page_shows_the_waits_of_queues() -> None:
    results = json.loads(queues.STORED.read_text(encoding="utf-8"))
    text = PAGE.read_text(encoding="utf-8")
    cases = [name.removesuffix(f", {IDLE_CYCLES}") for name in results if IDLE_CYCLES in name]
    assert cases
    for case in cases:
        first, second = (results[f"{case}, {law}"]["rules"] for law in (SAME_CORES, IDLE_CYCLES))
        for rule, row in first.items():
            waits = f"| {case} | {rule} | {_wait(row)} | {_wait(second[rule])} |"
            assert waits in text


def _wait(row: dict[str, Any]) -> str:
    _, _, ratio, low, high = row["mean_wait_s"]
    return f"{ratio:.2f} ({low:.2f} to {high:.2f})"
