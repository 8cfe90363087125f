"""What must hold of a whole command's answer: recomputed from the input apart from the program."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from planner.procurement.from_scenario import problem_from
from planner.procurement.outcome import GAP
from planner.procurement.problem import RESOURCES, Limits
from scenarios.reading.reader import read_scenario
from tests.planner.cli.test_commands import Ran, here
from tests.planner.procurement.enumeration import best
from tests.robustness.edge_inputs import Pair, Run
from tests.robustness.edge_scenarios import Offers
from tests.robustness.whole_commands import CHECKED, Case

Answer = dict[str, Any]
STATUSES = {0, 1, 2}
NEAR = 1e-9
"""Relative; a choice whose power lies closer to the bound may be taken or not."""
ROUNDED = 1e-6
"""Relative; JSON of procurements has twelve digits, and a sum may round."""
MOST_CHOICES = 5_000
MOST_PURCHASES = 500
"""Combinations that are tried out; larger cases are not."""
_COMPILING = re.compile(r"Compiling .*\n")
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_TIMED = re.compile(r'"[a-z_]*_seconds": [-+.0-9e]+')


def finite(value: object, place: str = "") -> None:
    """Every number of an answer is one."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            finite(item, f"{place}.{key}")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            finite(item, f"{place}[{at}]")
    else:
        assert not isinstance(value, float) or math.isfinite(value), f"{place} = {value}"


def _no_number(word: str) -> object:
    raise AssertionError(f"{word} in JSON")


def read(out: str) -> Answer:
    """The one finite object that a command printed."""
    answer = json.loads(out, parse_constant=_no_number)
    assert isinstance(answer, dict), out[:200]
    finite(answer)
    return answer


def ended(ran: Ran) -> None:
    """A command ended as its page says."""
    assert ran.status in STATUSES, f"status {ran.status}: {ran.err}"
    for text in (ran.out, ran.err):
        assert "internal error" not in text, text
    assert ran.status == 0 or (ran.err + ran.out).strip(), "a refusal says nothing"
    assert all(line.isprintable() for line in ran.err.split("\n")), repr(ran.err)


def untimed(text: str) -> str:
    """JSON without the times that a computation took."""
    return _TIMED.sub("", text)


def same_twice(first: Ran, second: Ran) -> None:
    """The same command gives the same bytes."""
    one, other = untimed(first.out), untimed(second.out)
    ends = [(ran.status, _COMPILING.sub("", ran.err)) for ran in (first, second)]
    assert ends[0] == ends[1], f"twice: {ends}"
    if one != other:
        lines = zip(one.splitlines(), other.splitlines(), strict=False)
        raise AssertionError(f"twice: {[pair for pair in lines if pair[0] != pair[1]][:3]}")


def headline(answer: Answer, text: Ran) -> None:
    """A person reads every sentence of the headline that the JSON has."""
    printed = _joined(text.out)
    for sentence in _SENTENCE_END.split(_joined(answer.get("summary") or "")):
        assert sentence.removesuffix(".") in printed, f"{sentence!r} is not printed: {text.out}"


def _joined(text: str) -> str:
    return " ".join(text.split())


def close(one: float, other: float, tolerance: float = NEAR) -> bool:
    """Two numbers are equal up to rounding."""
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=1e-12)


def _configured(case: Case, answer: Answer, _folder: Path) -> None:
    measured: list[Run]
    measured, bound = case.facts
    best = answer.get("best")
    if best is None or {"--guard", "--next", "packed-max"} & {*case.words}:
        return
    one = (best["nodes"], best["cores_per_node"], best["package_cap_w"])
    runs = [run for run in measured if run.application == answer["application"]]
    (chosen,) = [run for run in runs if (run.nodes, run.cores, run.cap_w) == one]
    assert close(chosen.time_s, best["time_s"])
    assert chosen.drawn_w <= bound * (1 + NEAR), f"{chosen} above {bound}"
    fitting = [run.time_s for run in runs if run.drawn_w <= bound * (1 - NEAR)]
    assert best["time_s"] <= min(fitting, default=math.inf) * (1 + NEAR), f"not fastest: {best}"
    assert f"({one[0]} x {one[1]}, {one[2]:g} W)" in answer["summary"], answer["summary"]


def _best_share(
    groups: Sequence[Sequence[Run]], bound: float, nodes: int, total: Callable[..., float]
) -> float:
    values = (
        total([run.time_s for run in chosen])
        for chosen in itertools.product(*groups)
        if sum(run.drawn_w for run in chosen) <= bound and sum(r.nodes for r in chosen) <= nodes
    )
    return min(values, default=math.inf)


def _shared(case: Case, answer: Answer, _folder: Path) -> None:
    measured: list[Run]
    measured, bound, nodes, goal = case.facts
    groups = [
        [run for run in measured if run.application == name]
        for name in dict.fromkeys(run.application for run in measured)
    ]
    plan = answer["plan"]
    assert plan["nodes"] <= nodes
    assert plan["power_w"] <= bound * (1 + NEAR)
    assert close(plan["power_w"], sum(job["power_w"] for job in plan["jobs"]))
    value = plan["makespan_s" if goal == "makespan" else "weighted_time_s"]
    assert answer["bound"] <= value * (1 + NEAR), f"{answer['bound']} above {value}"
    if math.prod(map(len, groups)) <= MOST_CHOICES:
        total: Callable[..., float] = max if goal == "makespan" else math.fsum
        least = _best_share(groups, bound * (1 + NEAR), nodes, total)
        surely = _best_share(groups, bound * (1 - NEAR), nodes, total)
        low, high = least * (1 - ROUNDED), surely * (1 + ROUNDED)
        assert low <= value <= high, f"{value} is not within {least} to {surely}"


def _compared(_case: Case, answer: Answer, _folder: Path) -> None:
    for row in answer["answers"]:
        if row["objective"] is not None and row["bound"] is not None:
            slack = 1e-6 * max(1.0, abs(row["objective"]))
            assert row["bound"] <= row["objective"] + slack, row
    exact = [row for row in answer["answers"] if row["status"] == "optimal"]
    for name in {row["instance"] for row in exact}:
        values = [row["objective"] for row in exact if row["instance"] == name]
        assert close(min(values), max(values), 1e-5), f"optima differ on {name}: {values}"


def _simulated(case: Case, answer: Answer, folder: Path) -> None:
    _machine, chosen = case.facts
    assert answer["violations"] == []
    for row in answer.get("policies", [answer]):
        assert row["utilisation"] is None or 0 <= row["utilisation"] <= 1 + NEAR, row
        assert row["jobs_started"] == row["jobs_ended"] + row["jobs_killed_in_all"], row
        assert row["jobs_submitted"] == row["jobs_started"] + row["jobs_rejected"], row
    if chosen in CHECKED and not {"--node-processors", "--warm-up"} & {*case.words}:
        batch = ("--event-order", "batch") if "batch" in case.words else ()
        quiet = here(*case.words, "--quiet", "--write-schedule", "w.csv", folder=folder)
        assert (quiet.status, quiet.out) == (0, "")
        size = str(answer["machine_processors"])
        words = ("check-schedule", "w.csv", "--processors", size, "--policy", chosen)
        checked = here(*words, *batch, folder=folder)
        assert checked.status == 0, checked.out + checked.err


def _sized(_case: Case, answer: Answer, _folder: Path) -> None:
    limit = answer["level"]["limit"]
    for row in answer["sizes"]:
        tried = {item["nodes"]: item for item in row["tried"]}
        found = tried[row["nodes"]]
        assert found.pop("answer") is True, row
        assert sum(item.pop("planned") for item in row["tried"]) == 1, row
        assert row["answer"] == found, row
        if row["answer"].get("value") is not None:
            assert row["answer"]["value"] <= limit * (1 + NEAR), row


def _power_scheduled(_case: Case, answer: Answer, _folder: Path) -> None:
    for row in answer["policies"]:
        assert row["violation_s"] == 0 or row["largest_violation_w"] > 0, row
        assert row["bound_violations"] == 0, row
        assert row["power_utilisation"] <= 1 + ROUNDED, row
        if row["bound"] is not None:
            assert row["bound"] <= row["optimum"] * (1 + ROUNDED)


def _cut(traffic: Sequence[Sequence[float]], node_of: Sequence[int]) -> float:
    cells = itertools.product(range(len(traffic)), repeat=2)
    return math.fsum(traffic[i][j] for i, j in cells if node_of[i] != node_of[j])


def _fitting(capacities: Sequence[int], ranks: int) -> Iterator[tuple[int, ...]]:
    for nodes in itertools.product(range(len(capacities)), repeat=ranks):
        if all(nodes.count(at) <= room for at, room in enumerate(capacities)):
            yield nodes


def _placed(case: Case, answer: Answer, _folder: Path) -> None:
    traffic, capacities = case.facts
    groups, numbers = answer["groups"], answer["node_numbers"]
    assert sorted(itertools.chain(*groups)) == [*range(len(traffic))], groups
    node_of = [0] * len(traffic)
    for number, group in zip(numbers, groups, strict=True):
        assert len(group) <= capacities[number], f"{group} on a node of {capacities[number]}"
        for rank in group:
            node_of[rank] = number
    assert close(answer["cut"], _cut(traffic, node_of)), answer["cut"]
    assert "--pin" not in case.words or node_of[0] == 0, node_of
    if answer["bound"] is not None:
        assert answer["bound"] <= answer["cut"] * (1 + NEAR) + NEAR, answer["bound"]
    if answer["status"] == "optimal" and len(capacities) ** len(traffic) <= MOST_CHOICES:
        pinned = "--pin" in case.words
        least = min(
            _cut(traffic, nodes)
            for nodes in _fitting(capacities, len(traffic))
            if not pinned or nodes[0] == 0
        )
        assert close(answer["cut"], least), f"{answer['cut']} is not {least}"


def _aggregated(_case: Case, answer: Answer, _folder: Path) -> None:
    chosen = [row["pattern"] for row in answer["patterns"] if row["chosen"]]
    assert chosen == [answer["chosen"]]
    assert sorted(itertools.chain(*answer["groups"])) == [*range(answer["tasks"])]
    assert max(map(len, answer["groups"])) <= answer["tasks_per_node"]
    assert len(answer["groups"]) == answer["nodes"]


def _matchings(names: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    if not names:
        yield []
        return
    first, *others = names
    yield from _matchings(others)
    for at, other in enumerate(others):
        for more in _matchings([*others[:at], *others[at + 1 :]]):
            yield [(first, other), *more]


def _best_pairs(measured: Iterable[Pair]) -> float:
    """Largest gain of pairs that keep the default limits: 5 % of gain, 0.8 of the speed alone."""
    measured = [*measured]
    gains = {
        frozenset((a, b)): sa / ca + sb / cb - 1
        for a, b, sa, sb, ca, cb in measured
        if sa / ca + sb / cb - 1 >= 0.05 - ROUNDED and min(sa / ca, sb / cb) >= 0.8 - ROUNDED
    }
    names = list(dict.fromkeys(name for pair in measured for name in pair[:2]))
    return max(
        math.fsum(gains[frozenset(pair)] for pair in pairs)
        for pairs in _matchings(names)
        if all(gains.get(frozenset(pair), 0) > 0 for pair in pairs)
    )


def _colocated(case: Case, answer: Answer, _folder: Path) -> None:
    assert answer["gain"] <= answer["bound"] + ROUNDED, answer["bound"]
    if not {"--predict", "--group-size", "--balanced"} & {*case.words}:
        best = _best_pairs(case.facts)
        assert close(answer["gain"], best, ROUNDED), f"{answer['gain']} is not {best}"


def _designed(case: Case, answer: Answer, _folder: Path) -> None:
    bound, peak = case.facts
    for row in answer["overprovisioning"]:  # equations 4.1, 4.3, 4.4 and 4.7
        worst, over = row["nodes_worst_case"], row["nodes_overprovisioned"]
        assert worst * peak <= bound * (1 + NEAR), f"{worst} nodes of {peak} W above {bound} W"
        assert (worst + 1) * peak > bound * (1 - NEAR), f"{worst} nodes are not all that run"
        assert close(row["cost_worst_case"], worst * row["cost_ratio"])
        assert over <= min(row["node_limit"], row["cost_worst_case"] * (1 + NEAR)), row
        assert row["beneficial"] == (row["speedup"] > 1), row
        assert close(
            row["time_worst_case_s"], row["speedup"] * row["time_overprovisioned_s"], ROUNDED
        )


def _estimated(_case: Case, answer: Answer, _folder: Path) -> None:
    counts = answer["counts"]
    left_out = sum(count for words, count in counts.items() if words.startswith("left out"))
    assert counts["jobs read"] == counts["jobs kept"] + left_out, counts
    assert answer["jobs"] == counts["jobs kept"]
    for name in ("no_tool", "exact"):
        run = answer[name]
        everybody, *parts = (run[group] for group in ("everybody", "tool_users", "others"))
        assert everybody["jobs"] == sum(part["jobs"] for part in parts) == answer["jobs"]
        waits = [part["mean_s"] * part["jobs"] for part in parts if part["jobs"]]
        assert close(everybody["mean_s"] * everybody["jobs"], math.fsum(waits))
        assert 0 <= everybody["p95_s"] <= everybody["max_s"], everybody
        assert run["lost_core_hours"] <= run["core_hours"], run


def _priced(_case: Case, answer: Answer, _folder: Path) -> None:
    for row in answer["estimators"]:
        assert abs(row["bias"]) <= row["mean_absolute_error"] * (1 + NEAR) + NEAR, row
        assert row["mean_absolute_error"] <= abs(row["largest_error"]) * (1 + NEAR) + NEAR, row
        assert abs(row["price_bias"]) <= row["price_error"] * (1 + NEAR) + NEAR, row
    for row in answer["prices"]:
        assert row["min_discount"] <= row["mean_discount"] <= row["max_discount"], row
        least, most = 1 - row["max_discount"], 1 - row["min_discount"]
        assert least * (1 - NEAR) <= row["revenue"] <= most * (1 + NEAR), row
        assert 0 < row["jain"] <= 1 + NEAR, row


def _priced_log(_case: Case, answer: Answer, _folder: Path) -> None:
    whole = answer["rules"][0]
    hours = whole["measures.node_hours"] * answer["settings"]["cores_per_node"]
    before = math.fsum(bill["before_su"] for bill in answer["bills"])
    # Node-hours are those of the day and the week before, bills those of the day.
    assert before <= hours * (1 + ROUNDED), f"bills of {before} SU for {hours} core-hours"
    if answer["settings"]["jobs_of_the_day"] == answer["settings"]["jobs_simulated"]:
        assert close(before, hours, ROUNDED), f"bills of {before} SU for {hours} core-hours"
    for row in answer["prices"]:
        assert close(row["revenue_ratio"] * before, row["revenue_su"], ROUNDED), row
    for row in answer["sides"]:
        assert row["pays_less"] + row["pays_same"] + row["pays_more"] == len(answer["bills"]), row
    assert sum(bill["jobs"] for bill in answer["bills"]) == whole["measures.jobs"]


def _colocated_log(_case: Case, answer: Answer, _folder: Path) -> None:
    settings = answer["settings"]
    for row in answer["floors"]:
        assert row["jobs"] == settings["jobs"] * settings["seeds"], row
        assert row["below_floor"] <= row["partnered_jobs"] <= row["shared_jobs"] <= row["jobs"], row
        assert row["slowest"] is None or row["slowest"] > 0, row  # measured speeds may exceed 1
    found = [row["partnered_jobs"] for row in answer["floors"] if row["rule"] == "partner search"]
    nobody = answer["study"]["headline"]["kind"] == "no-partner"
    assert nobody == (found == [0]), answer["summary"]
    for row in answer["users"]:
        assert row["sooner"] + row["later"] <= settings["jobs"] * (1 + NEAR), row


def _best_purchase(answer: Answer, folder: Path) -> None:
    """No machine of a small call has a higher score, whatever is bought."""
    problem = problem_from(read_scenario(folder / "s.toml", "s.toml"))
    if math.prod(offer.tiers[-1].last + 1 for offer in problem.offers) > MOST_PURCHASES:
        return
    objective, most = answer["decision"]["objective"], best(problem).upper
    assert most is not None, "a plan where nothing can be bought"
    # A purchase that exceeds a limit in the last digits may be bought or not.
    limits = Limits(*(getattr(problem.limits, name) * (1 - 2 * NEAR) for name in RESOURCES))
    least = best(replace(problem, limits=limits)).lower
    if most > -math.inf:
        low = -math.inf if least is None else least - GAP
        assert low <= objective <= most + ROUNDED, f"{objective} is not from {low} to {most}"


def _bought(case: Case, answer: Answer, folder: Path) -> None:
    offers: Offers = case.facts
    plan = answer["decision"]["plan"]
    paid = sum(row["nodes"] * offers.price[row["name"]] for row in plan["purchases"])
    assert close(paid, plan["capital"], ROUNDED), f"{paid} is not {plan['capital']}"
    assert paid <= offers.capital * (1 + NEAR), f"{paid} above {offers.capital}"
    assert plan["it_power_w"] <= offers.it_w * (1 + ROUNDED), plan["it_power_w"]
    assert plan["nodes"] == sum(row["nodes"] for row in plan["purchases"])
    if plan["regime"] == "worst-case":
        peak = sum(row["nodes"] * offers.peak_w[row["name"]] for row in plan["purchases"])
        assert peak <= offers.it_w * (1 + ROUNDED), f"{peak} above {offers.it_w}"
    proved = answer["decision"]["proved_bound"]
    if proved is not None:
        objective = answer["decision"]["objective"]
        assert objective <= proved + ROUNDED * max(1, abs(proved)), f"{objective} above {proved}"
    if "engine" in case.words:
        _best_purchase(answer, folder)


def _different(case: Case, answer: Answer, _folder: Path) -> None:
    assert not case.facts or not answer["changes"], answer


def _checked(_case: Case, answer: Answer, _folder: Path) -> None:
    assert answer["valid"]
    assert answer["faults"] == []


def _followed(_case: Case, answer: Answer, _folder: Path) -> None:
    assert answer["violations"] == []


ORACLES: dict[str, Callable[[Case, Answer, Path], None]] = {
    "plan designs": _designed,
    "plan procurement": _bought,
    "configure": _configured,
    "share": _shared,
    "compare runs": _compared,
    "compare places": _compared,
    "simulate": _simulated,
    "size": _sized,
    "estimate": _estimated,
    "schedule": _power_scheduled,
    "place": _placed,
    "aggregate": _aggregated,
    "aggregate folder": _aggregated,
    "colocate": _colocated,
    "colocate log": _colocated_log,
    "price": _priced,
    "price log": _priced_log,
    "diff": _different,
    "check": _checked,
    "check-schedule": _followed,
}
"""What holds of an answer with status 0, beyond what holds of all commands."""
