"""Does theorem 2 keep alpha? 200 synthetic sites whose calibration applications are the partners.

A world has 62 applications from the stated distribution of
:mod:`scenarios.simulated.oversubscription.synthetic`: 12 applications that the gate learns from; 40
calibration applications, measured with each other; and 10 new ones, each measured with these 40.
Each of the 10 is the new application in turn. The gate has profiles only: probes of a calibration
application would depend on who its partners are. Worlds have the seeds and systems of
:mod:`benchmarks.studies.gate.worlds`.

    python -m benchmarks.studies.gate.worlds_among [workers]

writes ``worlds_among.json`` next to this file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.studies.gate.risk_among import certified_threshold_among
from benchmarks.studies.gate.simulated import Campaign, campaign
from benchmarks.studies.gate.worlds import (
    ALPHAS,
    CALIBRATION,
    LIMIT,
    NEW,
    REFERENCES,
    store_all,
)
from planner.sharing_nodes.gate.gate import LearnedGate, learn
from planner.sharing_nodes.gate.inputs import Rows
from planner.sharing_nodes.gate.novelty import novelty
from planner.sharing_nodes.tangram.metrics import Floats
from scenarios.simulated.oversubscription import SYSTEMS, synthetic_applications

STORED = Path(__file__).with_name("worlds_among.json")
WATCH_S = 1.0
"""No gate of this study watches or probes; the shortest watch takes the least time to simulate."""


def world(seed: int) -> list[dict[str, Any]]:
    """Return one world: a row for each alpha, with means over the new applications."""
    data = _campaign(seed)
    partners = np.arange(REFERENCES, REFERENCES + CALIBRATION)
    learned = np.flatnonzero(data.pairs.among(np.arange(REFERENCES)))
    gate = learn(data.pairs, learned, LIMIT)
    among = np.flatnonzero(data.pairs.among(partners))
    new = np.flatnonzero(np.maximum(data.pairs.a, data.pairs.b) >= REFERENCES + CALIBRATION)
    strange = np.array([novelty(gate.known, one) for one in data.pairs.profiles])
    known, tried = _scores(data, gate, strange, among), _scores(data, gate, strange, new)
    bad = data.pairs.makespan > LIMIT
    best = -np.log(np.minimum(data.pairs.makespan[new], 1.0)).sum()
    rows = list[dict[str, Any]]()
    for alpha in ALPHAS:
        certificate = certified_threshold_among(known, bad[among], CALIBRATION, alpha)
        admitted = tried < certificate.threshold
        saved = -np.log(data.pairs.makespan[new])[admitted].sum()
        rows.append({
            "seed": seed,
            "alpha": alpha,
            "rate": _short((admitted & bad[new]).mean()),
            "bad": int((admitted & bad[new]).sum()),
            "co_runs": int(admitted.sum()),
            "log_saved": _short(saved),
            "log_oracle": _short(best),
        })  # fmt: skip
    return rows


def _campaign(seed: int) -> Campaign:
    applications = synthetic_applications(REFERENCES + CALIBRATION + NEW, seed)
    learned = [(i, j) for i in range(REFERENCES) for j in range(i, REFERENCES)]
    partners = range(REFERENCES, REFERENCES + CALIBRATION)
    new = range(REFERENCES + CALIBRATION, len(applications))
    which = [*learned, *combinations(partners, 2), *((i, j) for i in new for j in partners)]
    system = SYSTEMS[seed % len(SYSTEMS)]
    ranks = system.ranks[seed // len(SYSTEMS) % len(system.ranks)]
    return campaign(system.name, seed, applications, which, ranks=(ranks,), watch_s=WATCH_S)


def _scores(data: Campaign, gate: LearnedGate, strange: Floats, rows: Rows) -> Floats:
    """Scores of pairs, infinite where one of both is unlike all known applications.

    A score rests on the profiles of both applications alone, so that the array of all pairs is
    jointly exchangeable, as theorem 2 needs.
    """
    prediction = gate.fitted.predict(rows)
    unlike = np.maximum(strange[data.pairs.a[rows]], strange[data.pairs.b[rows]]) > 1
    score = (prediction.mean - gate.log_limit) / prediction.spread
    return np.where(unlike | (prediction.mean >= 0), np.inf, score)


def _short(value: Any) -> float:
    return round(float(value), 6)


def stored() -> list[dict[str, Any]]:
    """Return what was stored: rows of all worlds."""
    rows: list[dict[str, Any]] = json.loads(STORED.read_text(encoding="utf-8"))["rows"]
    return rows


def summary(rows: Sequence[Mapping[str, Any]], alpha: float) -> dict[str, float]:
    """Means over the worlds at one alpha.

    Returns
    -------
    dict
        ``rate``, the share of a new application's pairs that are admitted and bad, and its standard
        error over worlds; ``keeps``, the share of worlds with a rate of at most alpha;
        ``of_co_runs``, bad ones over all co-runs; ``coverage``; ``gain``, the share of the oracle's
        saving.
    """
    chosen = [row for row in rows if row["alpha"] == alpha]
    rate = np.array([row["rate"] for row in chosen])
    total = {name: sum(row[name] for row in chosen)
             for name in ("bad", "co_runs", "log_saved", "log_oracle")}  # fmt: skip
    return {
        "worlds": len(chosen),
        "rate": float(rate.mean()),
        "error": float(rate.std(ddof=1) / np.sqrt(len(rate))),
        "keeps": float((rate <= alpha + 1e-9).mean()),
        "of_co_runs": total["bad"] / max(1, total["co_runs"]),
        "coverage": total["co_runs"] / (len(chosen) * NEW * CALIBRATION),
        "gain": total["log_saved"] / total["log_oracle"],
    }


def table() -> list[str]:
    """Return lines of the table of docs/evidence/gate.md."""
    heads = ("alpha", "rate of all pairs (2 standard errors)", "sites within alpha",
             "bad share of all co-runs", "pairs admitted", "share of oracle's saving")  # fmt: skip
    lines, rows = [f"| {' | '.join(heads)} |", "|---:|---:|---:|---:|---:|---:|"], stored()
    for alpha in ALPHAS:
        total = summary(rows, alpha)
        lines.append(
            f"| {100 * alpha:.0f} % | {100 * total['rate']:.1f} % ({200 * total['error']:.1f} %) | "
            f"{100 * total['keeps']:.0f} % | {100 * total['of_co_runs']:.1f} % | "
            f"{100 * total['coverage']:.1f} % | {100 * total['gain']:.0f} % |"
        )
    return lines


def main() -> None:
    """Run all worlds and store their rows."""
    store_all(world, STORED)
    print("\n".join(table()))


if __name__ == "__main__":
    main()
