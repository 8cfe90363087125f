"""Valid scenarios at the edges: one node, a bound exactly at the need, ties, applications alike."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random

from tests.robustness.edge_inputs import NAMES, amount, names


def text(value: str) -> str:
    """A string of a TOML file."""
    return json.dumps(value, ensure_ascii=False)


def designs(random: Random) -> tuple[bytes, float, float]:
    """Two designs under a power bound, with one application or a few.

    Also returns the bound and the peak power of a new node [W].
    """
    peak = {"new": random.choice((1, 200, 400, 400.5)), "old": random.choice((1, 200, 400, 250))}
    count = random.choice((1, 2, 3, 10))
    bound = peak["new"] * count * random.choice((1, 1, 1 + 1e-12, 1 - 1e-12, 1.5))
    lines = ["format = 1", 'name = "designs"', f"title = {text(random.choice(NAMES))}"]
    lines += ["[power]", f"bound_w = {bound!r}"]
    for name, watts in peak.items():
        idle = random.choice((0, watts / 2, watts))
        price = random.choice((1, 1500, 1500, 3000, 1e9))
        lines += ["[[node_types]]", f"name = {text(name)}", f"price = {price!r}"]
        lines += [f"idle_w = {idle!r}", f"peak_w = {watts!r}"]
    for name in names(random, random.randint(1, 3)):
        slope, least = random.choice((0.0, -1.0, -0.001, 1.0)), random.choice((1, 2))
        lines += ["[[workloads]]", f"name = {text(name)}", f"weight = {random.choice((1, 1, 1e6))}"]
        lines += ["[workloads.time]", 'kind = "linear"', 'node_type = "old"']
        start = 100 if slope == -1 else random.choice((100, 1e6, 1))
        most = random.choice((least + 1, 20)) if slope < 0 else 10**6
        lines += [f"slope_s_per_node = {slope!r}", f"intercept_s = {start}"]
        lines += [f"measured_nodes = [{least}, {most}]"]
    fraction = random.choice((0, 0.25, 0.4, 0.999))
    outside = random.choice(("refuse", "clamp", "extrapolate"))
    lines += ["[overprovisioning]", 'high_end = "new"', 'older = "old"']
    lines += [f"performance_fraction = {fraction}", f"outside_measured = {text(outside)}"]
    lines += [f"cost_ratio = {random.choice((1, 1.5, 2, 2, 10))}"]
    return "\n".join([*lines, ""]).encode(), bound, peak["new"]


@dataclass(frozen=True)
class Offers:
    """A procurement, with the facts that its answer is held against."""

    text: bytes
    capital: float
    it_w: float
    price: dict[str, float]
    peak_w: dict[str, float]


def procurement(random: Random) -> Offers:
    """A call with one to three offers under a budget and a power bound."""
    offered = ["a", "b", "A-1"][: random.randint(1, 3)]
    price = {name: random.choice((1000.0, 1000.0, 2000.0, 0.5, 1e6)) for name in offered}
    peak = {name: random.choice((500.0, 500.0, 1000.0, 1.0)) for name in offered}
    first = offered[0]
    count = random.choice((1, 2, 5, 40))
    capital = price[first] * count * random.choice((1, 1, 1 - 1e-12, 3))
    bound = peak[first] * random.choice((count, count, 1, 10 * count))
    mode = random.choice(("shared", "one_at_a_time"))
    regime = random.choice(("overprovisioned", "static", "worst-case"))
    lines = [
        "format = 1",
        'name = "call"',
        'title = "Call"',
        "[procurement]",
        f"workload_mode = {text(mode)}",
    ]
    lines += [f"regime = {text(regime)}"]
    lines += [f"cvar_weight = {random.choice((0, 0.5, 1))}", "[power]", f"bound_w = {bound!r}"]
    lines += ["[budget]", f"capital = {capital!r}"]
    lines += ["[reference]", 'name = "old"', "nodes = 1", "compute_rate = 100"]
    lines += ["bandwidth_gb_s = 100"]
    for name in offered:
        watts = peak[name]
        lines += ["[[node_types]]", f"name = {text(name)}", f"price = {price[name]!r}"]
        lines += [f"idle_w = {random.choice((0, watts / 2, watts))!r}", f"peak_w = {watts!r}"]
        lines += ['vendor = "v"', 'kind = "cpu"', "cores = 4", "memory_gb = 64"]
        lines += [f"compute_rate = {random.choice((100, 100, 200, 1e6, 0.001))}"]
        lines += [f"bandwidth_gb_s = {random.choice((100, 100, 300))}", "sockets = 2"]
        if random.random() < 0.5:
            lines += [f"package_caps_w = [{watts / 4!r}, {watts / 2!r}]"]
        if random.random() < 0.3:
            lines += [f"maximum_quantity = {random.choice((1, 2, 1000))}"]
    for name in names(random, random.randint(1, 2)):
        lines += ["[[workloads]]", f"name = {text(name)}", f"weight = {random.choice((1, 1, 50))}"]
        lines += ["[workloads.performance]", 'kind = "roofline"']
        lines += [f"clock_bound = {random.choice((0, 0.5, 1))}"]
        lines += [f"power_intensity = {random.choice((0.5, 1))}"]
    return Offers("\n".join([*lines, ""]).encode(), capital, bound, price, peak)


POWER_POLICIES = (
    "traditional", "naive", "adaptive", "adaptive-20", "adaptive-any", "adaptive-lending",
    "adaptive-best-fit", "adaptive-conservative", "traditional-conservative", "ilp-engine",
)  # fmt: skip


def power_schedule(random: Random) -> bytes:
    """A scenario of power-aware scheduling with listed jobs of measured configurations."""
    applications = names(random, random.randint(1, 2))
    nodes = random.choice((1, 2, 8))
    chosen = random.sample(POWER_POLICIES, random.randint(1, 3))
    whole = {name: random.choice((100.0, 200.0)) for name in applications}
    bound = max(whole.values()) * random.choice((nodes, nodes, 1, 10 * nodes, nodes / 2))
    lines = [
        "format = 1",
        'name = "schedules"',
        'title = "S"',
        "[schedule]",
        f"bounds_w = [{bound!r}]",
    ]
    lines += [f"policies = {json.dumps(chosen)}", "seeds = 1"]
    lines += ["thresholds = [0.0]"] if "adaptive" in chosen else []
    lines += ["[schedule.cluster]", f"nodes = {nodes}", "cores_per_node = 16"]
    lines += ["variability = false", "noise = false"]
    for name in applications:
        lines += ["[[schedule.applications]]", f"name = {text(name)}", "configurations = ["]
        for used in sorted({1, random.randint(1, nodes), nodes}):
            time = amount(random, (1, 100, 100, 1000))
            for cap, share in ((115.0, 1.0), (51.0, random.choice((0.5, 1.0)))):
                watts = used * whole[name] * share
                slower = time * random.choice((1, 1, 1.5)) if share < 1 or cap < 115 else time
                lines.append(
                    f"  {{ nodes = {used}, cores_per_node = 16, package_cap_w = {cap}, "
                    f"time_s = {max(slower, 0.001)!r}, power_w = {watts!r} }},"
                )
        lines += ["]"]
    lines += ["[[schedule.logs]]", 'name = "listed"', 'kind = "listed"', "jobs = ["]
    for _ in range(random.choice((1, 1, 2, 6))):
        asked = amount(random, (1, 100, 100, 2000))
        lines.append(
            f"  {{ application = {text(random.choice(applications))}, "
            f"nodes = {random.randint(1, nodes)}, requested_s = {max(asked, 0.001)!r}, "
            f"submit_s = {random.choice((0, 0, 0, 1, 50, 1e6))} }},"
        )
    return "\n".join([*lines, "]", ""]).encode()


def prices(random: Random) -> bytes:
    """A scenario of prices: two or three applications that share nodes."""
    lines = ["format = 1", 'name = "prices"', 'title = "P"', "[price]", "seeds = 1"]
    lines += [f"rate_su_per_core_hour = {random.choice((1, 1e-6, 1e9))}"]
    lines += [f"iterations = {random.choice((1, 2))}", f"cores_per_node = {random.choice((2, 16))}"]
    lines += [f"law = {text(random.choice(('contention', 'sensitivity')))}"]
    lines += [f"applications = {json.dumps(random.sample(('CG', 'FT', 'LU', 'MG'), 2))}"]
    lines += ["[price.counters]", f"noise = {random.choice((0, 0.05, 0.15))}"]
    return "\n".join([*lines, ""]).encode()
