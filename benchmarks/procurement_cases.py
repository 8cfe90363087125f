"""Instances of the size of rfp-center, by seed; and the published servers as a catalogue."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np

from planner.procurement.from_scenario import problem_from
from planner.procurement.performance import Mode
from planner.procurement.problem import Limits, Offer, Problem, Tier
from scenarios import Scenario, load
from tests.shared_data import SPECPOWER


def varied(seed: int, demands: int = 1, quotes: int = 10) -> Problem:
    """Return the bundled rfp-center with every quote, the site and the demand redrawn.

    More than its ten quotes are the same ones in turn, each redrawn by itself.

    Prices, watts, rates and bandwidths move by up to a fifth, money and power by a tenth; the
    weights of all workloads are multiplied by log-normal factors, anew in each demand scenario.
    """
    generator = np.random.default_rng(seed)
    plain = load("rfp-center").model_dump()
    bundled = plain["node_types"]
    plain["node_types"] = [dict(bundled[n % len(bundled)]) for n in range(quotes)]
    for n, quote in enumerate(plain["node_types"][len(bundled) :], start=len(bundled)):
        quote["name"] = f"{quote['name']}-{n}"
    for quote in plain["node_types"]:
        for key in ("price", "idle_w", "compute_rate", "bandwidth_gb_s"):
            quote[key] *= float(generator.uniform(0.8, 1.2))
        quote["idle_w"] = min(quote["idle_w"], 0.4 * quote["peak_w"])
    plain["budget"]["capital"] *= float(generator.uniform(0.9, 1.1))
    plain["power"]["bound_w"] *= float(generator.uniform(0.9, 1.1))
    plain["quotes"] = ()
    plain["requirements"] = {}
    names = [workload["name"] for workload in plain["workloads"]]
    plain["demands"] = [
        {
            "name": f"demand {number + 1}",
            "probability": 1 / demands,
            "factors": {name: float(generator.lognormal(0.0, 0.5)) for name in names},
        }
        for number in range(demands)
    ]
    plain["procurement"] |= {"cvar_weight": 0.5 if demands > 1 else 0.0, "cvar_level": 0.8}
    return problem_from(Scenario.model_validate(plain))


def servers(workloads: int = 5, *, most: int | None = None, seed: int = 0) -> Problem:
    """Return the published SPECpower servers as a catalogue, each rated on some workloads.

    Throughput at full load is derived as ``Result x (watts at 100 % + watts idle)``: the file
    gives operations per watt only. Prices are assumed: 1,500 and 4 per watt of peak, 6 per GB.
    Each workload multiplies the throughput by a power of the memory per core. Rows that are whole
    chassis count as one node.
    """
    with SPECPOWER.open(encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if _usable(row)]
    if most is not None:
        rows = [rows[i] for i in np.random.default_rng(seed).permutation(len(rows))[:most]]
    offers, merit = [], []
    for number, row in enumerate(rows):
        idle, peak = float(row["avg. watts @ active idle"]), float(row["avg. watts @ 100%"])
        memory = float(row["Total Memory (GB)"])
        memory *= 1024 if memory < 4 and float(row["# Cores"]) > 8 else 1
        price = 1500 + 4 * peak + 6 * memory
        offers.append(
            Offer(
                f"server-{number:04d}", row["System"][:100], row["Hardware Vendor"], "cpu",
                (Tier(1, 10**9, price),), idle, peak, None, 1, memory,
                int(float(row["# Cores"])), "air", 0, None,
            )
        )  # fmt: skip
        throughput = float(row["Result"]) * (idle + peak)
        per_core = memory / float(row["# Cores"])
        merit.append([throughput * per_core ** (0.1 * w) for w in range(workloads)])
    rated = np.array(merit)
    site = problem_from(load("rfp-center"))
    return replace(
        site,
        name="servers",
        offers=tuple(offers),
        excluded=(),
        modes=tuple(Mode(i, None, offer.peak_w) for i, offer in enumerate(offers)),
        workloads=tuple(f"factor {w}" for w in range(workloads)),
        capabilities=(),
        scenario_names=("mix",),
        rating_names=("mix 1",),
        merit=rated / np.median(rated, axis=0),
        drawn_w=np.tile(np.array([[o.peak_w] for o in offers]), (1, workloads)),
        demand=np.full((1, workloads), 1 / workloads),
        rating_weight=np.ones((1, 1)),
        capability_weight=np.zeros((1, 0)),
        probability=np.ones(1),
        least_work=np.zeros((1, 5)),
        energy_weight=np.ones(1),
        reference_nodes=1000,
        cvar_weight=0.0,
        limits=Limits(it_power_w=500_000.0, capital=8e6),
        network=None,
        least_nodes=0,
        least_memory_gb=0.0,
        shares=(),
        most_vendors=None,
        prices=replace(site.prices, fixed_capital=0.0, installation=0.0),
        fixed_w=0.0,
    )


def _usable(row: dict[str, str]) -> bool:
    try:
        figures = [float(row[key]) for key in ("Result", "avg. watts @ 100%", "# Cores")]
        idle = float(row["avg. watts @ active idle"])
        memory = float(row["Total Memory (GB)"])
    except ValueError:
        return False
    return min(*figures, idle, memory) > 0 and idle <= figures[1]
