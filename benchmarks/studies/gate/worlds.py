"""Does the gate keep alpha? 200 synthetic sites with 40 calibration applications each.

A world has 62 applications from the stated distribution of
:mod:`scenarios.simulated.oversubscription.synthetic`: 12 reference applications, measured with
each other; 40 calibration applications, measured with these; and 10 new ones. Worlds
take turns between both systems of the paper and between their rank counts. A gate is certified
from the calibration applications and decides on the new ones.

    python -m benchmarks.studies.gate.worlds [workers] [law]

writes ``worlds.json`` or ``worlds_idle_cycles.json`` next to this file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.studies.gate.charges import charged, shared_makespan
from benchmarks.studies.gate.probing import (
    GateRule,
    ProbedPairs,
    ProbingGate,
    learn_with_probes,
)
from benchmarks.studies.gate.simulated import Campaign, campaign
from planner.parallel import in_processes
from planner.sharing_nodes.gate.certify import certified
from planner.sharing_nodes.tangram.metrics import Floats
from scenarios.simulated.oversubscription import LAWS, SYSTEMS, synthetic_applications

STORED = {
    law: Path(__file__).with_name(name)
    for law, name in zip(LAWS, ("worlds.json", "worlds_idle_cycles.json"), strict=True)
}
WORLDS = 200
REFERENCES, CALIBRATION, NEW = 12, 40, 10
ALPHAS = (0.05, 0.10, 0.20)
LIMIT = 1.10


@dataclass(frozen=True)
class Kind:
    """A gate: how many probes a new application gets, and whether co-runs are watched."""

    name: str
    probes: int
    watch: bool


KINDS = (
    Kind("profiles only", 0, watch=False),
    Kind("with probes", 2, watch=False),
    Kind("with probes and separation", 2, watch=True),
)


def world(seed: int, law: str = LAWS[0]) -> list[dict[str, Any]]:
    """Return one world: a row for each kind of gate and alpha."""
    data = _campaign(seed, law)
    first = np.flatnonzero(data.pairs.among(np.arange(REFERENCES)))
    makespan = data.pairs.makespan
    probed = np.array([data.probe(int(row)) for row in first])
    errors = probed - np.log(makespan[first])
    gate = learn_with_probes(data.pairs, first, GateRule(LIMIT), errors)
    cost = data.watch_s / float(data.serial_s[first].mean())
    rows = list[dict[str, Any]]()
    for probes in sorted({kind.probes for kind in KINDS}):
        own = replace(gate, rule=GateRule(LIMIT, probes))
        judged = [_judged(data, own, number, cost) for number in range(CALIBRATION + NEW)]
        kinds = [kind for kind in KINDS if kind.probes == probes]
        rows += [row for kind in kinds for row in _rows(data, judged, kind, seed)]
    return rows


def _campaign(seed: int, law: str) -> Campaign:
    applications = synthetic_applications(REFERENCES + CALIBRATION + NEW, seed)
    among = [(i, j) for i in range(REFERENCES) for j in range(i, REFERENCES)]
    others = range(REFERENCES, len(applications))
    which = among + [(i, j) for i in others for j in range(REFERENCES)]
    system = SYSTEMS[seed % len(SYSTEMS)]
    ranks = system.ranks[seed // len(SYSTEMS) % len(system.ranks)]
    return campaign(system.name, seed, applications, which, ranks=(ranks,), law=law)


def _judged(data: Campaign, gate: ProbingGate, number: int, cost: float) -> ProbedPairs:
    application = REFERENCES + number
    rows = np.flatnonzero(data.pairs.of(application))
    return gate.judge(application, rows, data.probe, cost)


def _rows(
    data: Campaign, judged: Sequence[ProbedPairs], kind: Kind, seed: int
) -> Iterator[dict[str, Any]]:
    known, new = judged[:CALIBRATION], judged[CALIBRATION:]
    scores = [one.score for one in known]
    makespans = [shared_makespan(data, one, watch=kind.watch) for one in known]
    best = np.concatenate([np.minimum(data.pairs.makespan[one.rows], 1.0) for one in new])
    for alpha in (*ALPHAS, None):
        certificate = certified(scores, makespans, LIMIT, alpha) if alpha else None
        threshold = certificate.threshold if certificate else inf
        taken = [charged(data, one, threshold, watch=kind.watch) for one in new]
        ours = np.concatenate([one.makespan for one in taken])
        admitted = np.concatenate([one.admitted for one in taken])
        yield {
            "seed": seed,
            "gate": kind.name,
            "alpha": alpha,
            "rate": _short(
                np.mean([bad_share(one.makespan, one.admitted, LIMIT) for one in taken])
            ),
            "of_offered": _short((admitted & (ours > LIMIT)).mean()),
            "bad": int((admitted & (ours > LIMIT)).sum()),
            "co_runs": int(admitted.sum()),
            "separated": int(sum(one.separated.sum() for one in taken)),
            "abstained": sum(one.judged.abstains for one in new),
            "probes": sum(len(one.probed) for one in new),
            "log_saved": _short(-np.log(ours).sum()),
            "log_oracle": _short(-np.log(best).sum()),
            "worst": _short(ours.max()),
        }


def bad_share(makespan: Floats, admitted: NDArray[np.bool_], limit: float) -> float:
    """Share of an application's co-runs that are bad; 0 without a co-run."""
    together = makespan[admitted]
    return float((together > limit).mean()) if len(together) else 0.0


def _short(value: Any) -> float:
    return round(float(value), 6)


def stored(law: str = LAWS[0]) -> list[dict[str, Any]]:
    """Return what was stored: rows of all worlds."""
    rows: list[dict[str, Any]] = json.loads(STORED[law].read_text(encoding="utf-8"))["rows"]
    return rows


def summary(rows: Sequence[Mapping[str, Any]], gate: str, alpha: float | None) -> dict[str, float]:
    """Means over the worlds of one gate and alpha.

    Returns
    -------
    dict
        ``rate`` and its standard error over worlds; ``keeps``, the share of worlds with a rate of
        at most alpha; ``of_co_runs`` and ``of_offered``, bad ones over all co-runs and over all
        offered pairs; ``coverage``; ``gain``, the share of the oracle's saving; ``worst``.
    """
    chosen = [row for row in rows if (row["gate"], row["alpha"]) == (gate, alpha)]
    rate = np.array([row["rate"] for row in chosen])
    total = {name: sum(row[name] for row in chosen) for name in ("bad", "co_runs", "log_saved",
             "log_oracle", "separated", "abstained", "probes")}  # fmt: skip
    pairs = len(chosen) * NEW * REFERENCES
    return {
        "worlds": len(chosen),
        "rate": float(rate.mean()),
        "error": float(rate.std(ddof=1) / np.sqrt(len(rate))),
        "keeps": float((rate <= (alpha or 1.0) + 1e-9).mean()),
        "of_co_runs": total["bad"] / max(1, total["co_runs"]),
        "of_offered": total["bad"] / pairs,
        "coverage": total["co_runs"] / pairs,
        "separated": total["separated"] / max(1, total["co_runs"]),
        "abstained": total["abstained"] / (len(chosen) * NEW),
        "probes": total["probes"] / (len(chosen) * NEW),
        "gain": total["log_saved"] / total["log_oracle"],
        "worst": max(row["worst"] for row in chosen),
    }


def table(law: str = LAWS[0]) -> list[str]:
    """Return lines of a table of docs/evidence/gate.md."""
    heads = ("gate", "alpha", "rate (2 standard errors)", "sites within alpha",
             "bad share of all co-runs", "pairs admitted", "share of oracle's saving")  # fmt: skip
    lines, rows = [f"| {' | '.join(heads)} |", "|---|---:|---:|---:|---:|---:|---:|"], stored(law)
    for kind in KINDS:
        for alpha in (*ALPHAS, None):
            totals = summary(rows, kind.name, alpha)
            rate = f"{100 * totals['rate']:.1f} % ({200 * totals['error']:.1f} %)"
            keeps = f"{100 * totals['keeps']:.0f} %" if alpha else "-"
            name = f"{100 * alpha:.0f} %" if alpha else "none"
            lines.append(
                f"| {kind.name} | {name} | {rate} | {keeps} | {100 * totals['of_co_runs']:.1f} % | "
                f"{100 * totals['coverage']:.1f} % | {100 * totals['gain']:.0f} % |"
            )
    return lines


def store_all(world: Callable[[int], list[dict[str, Any]]], path: Path) -> None:
    """Run all worlds in as many processes as the command line says, and store their rows."""
    workers = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    rows = list[dict[str, Any]]()
    for number, new_rows in enumerate(in_processes(world, range(WORLDS), workers), 1):
        rows += new_rows
        print(f"{number} worlds", flush=True)
    rows.sort(key=lambda row: row["seed"])
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text('{"rows": [\n' + lines + "]}\n", encoding="utf-8")


def main() -> None:
    """Run all worlds; about half an hour on two cores."""
    law = sys.argv[2] if len(sys.argv) > 2 else LAWS[0]
    store_all(partial(world, law=law), STORED[law])
    print("\n".join(table(law)))


if __name__ == "__main__":
    main()
