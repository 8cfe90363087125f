"""The simulated machine beside the thesis: what was fitted, and the shapes that were not."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from benchmarks.studies.simulated.calibrate import fit, stored_fit
from benchmarks.studies.simulated.checks import BOUNDS_W, UNLIMITED
from benchmarks.studies.simulated.comparison import Comparison, as_markdown, compare
from benchmarks.studies.simulated.multi_node_claims import SPREAD
from benchmarks.studies.simulated.printed import CALIBRATED
from benchmarks.studies.simulated.readings import FORMS, Form, Readings
from scenarios.simulated import REAL, SimulatedCluster, load_applications

SEEDS = (0, 1, 2)


@cache
def machine(seed: int) -> Readings:
    return Readings(SimulatedCluster.build(32, seed), load_applications("C"))


every_seed = pytest.mark.parametrize("seed", SEEDS)


def test_stored_parameters_meet_the_calibrated_numbers() -> None:
    result = stored_fit()
    assert result.quality < 1.2
    relative = np.expm1(np.abs(result.errors * [q.tolerance for q in CALIBRATED]))
    table = [q.where == "Table 4.2" for q in CALIBRATED]
    assert relative[table].max() < 0.06  # BT-MZ (30x14,51) draws 5 % too little
    assert np.median(relative) < 0.02
    assert relative.max() < 0.22  # SP-MZ on one node draws 103 W instead of 80 to 90


@every_seed
def test_the_best_configuration_differs_by_code_and_by_bound(seed: int) -> None:
    best = {(name, b): machine(seed).best(name, b) for name in REAL for b in BOUNDS_W["C"]}
    for bound in BOUNDS_W["C"]:
        assert len({best[name, bound] for name in REAL}) >= 3
    for name in REAL:
        assert len({best[name, bound] for bound in BOUNDS_W["C"]}) >= 3
    # 3.4.1: the number of cores per node can change with the bound, which is not intuitive
    cores = {name: {best[name, b][1] for b in BOUNDS_W["C"]} for name in REAL}
    assert any(len(core) > 1 for core in cores.values())


@every_seed
def test_the_best_is_often_none_of_the_canonical_four(seed: int) -> None:
    r = machine(seed)
    forms = {name: [r.canonical(name, form, 2500) for form in FORMS] for name in REAL}
    assert sum(r.best(name, 2500) not in forms[name] for name in REAL) >= 2
    assert r.best("LU-MZ", 2500) not in forms["LU-MZ"]
    assert r.best("SP-MZ", 2500) not in forms["SP-MZ"]


@every_seed
def test_packed_suits_codes_that_compute_and_spread_in_turbo_those_that_wait(seed: int) -> None:
    r = machine(seed)
    for name in ("SPhot", "SC"):
        assert r.ratio(name, "spread-min", "packed-min", 2500) > 1.6  # printed: 1.645 and > 2
        assert r.ratio(name, "spread-max", "packed-max", 2500) > 1.5
    for name in ("SP-MZ", "LU-MZ"):
        assert r.ratio(name, "packed-max", "spread-max", 2500) > 1.3  # SP-MZ printed: 2.16
    assert r.ratio("SP-MZ", "packed-max", "spread-max", UNLIMITED) > 1.1  # calibrated: 1.15
    assert r.ratio("NSC", "spread-max", "packed-max", 2500) > 1.5  # printed: 2.36
    assert r.ratio("SPhot", "packed-max", "packed-min", 2500) > 1.2  # printed: 1.298


@every_seed
def test_gains_over_packed_max_are_those_of_the_thesis_and_shrink(seed: int) -> None:
    r = machine(seed)
    gains = [np.mean([r.speedup(name, b) for name in REAL]) - 1 for b in BOUNDS_W["C"]]
    printed = (0.738, 0.556, 0.672, 0.509)
    assert gains[0] > gains[2] > gains[3]
    assert max(abs(g - p) for g, p in zip(gains, printed, strict=True)) < 0.2
    assert r.speedup("SP-MZ", 3500) == pytest.approx(2.49, abs=0.16)


@every_seed
def test_winners_of_table_4_2(seed: int) -> None:
    r = machine(seed)
    assert r.best("SPhot", 3500) == (32, 16, 51)
    assert r.best("LU-MZ", 3500) == (32, 8, 95)
    assert r.best("SP-MZ", 3500)[1] in (12, 14)
    assert r.best("BT-MZ", 3500)[2] == 51
    nodes = [r.canonical(name, "packed-max", 3500)[0] for name in REAL]
    assert nodes == [18, 16, 20, 18]


@every_seed
def test_behind_a_straggler_packed_loses_to_spread_as_printed(seed: int) -> None:
    r = machine(seed)
    cases: tuple[tuple[float, Form], ...] = ((3500.0, "packed-min"), (UNLIMITED, "packed-max"))
    for bound, form in cases:
        full, spread = r.canonical("LU-MZ", form, bound), r.fastest_s("LU-MZ", bound, SPREAD)
        assert full[0] >= 24  # so many full nodes now and then have one that straggles
        assert r.time_s("LU-MZ", *full) < spread
        assert r.straggling_s("LU-MZ", *full) > 1.5 * spread


@every_seed
def test_with_unlimited_power_fewer_cores_win_where_memory_is_contended(seed: int) -> None:
    r = machine(seed)
    assert r.best("SP-MZ", UNLIMITED) == (32, 14, 115)
    assert r.best("LU-MZ", UNLIMITED) == (32, 8, 115)
    assert r.best("SPhot", UNLIMITED) == (32, 16, 115)
    # printed as more than twice; the law alone does not give that, a straggler nearly does
    eight = r.time_s("LU-MZ", 32, 8, 115)
    assert eight < r.time_s("LU-MZ", 32, 16, 115)
    assert r.straggling_s("LU-MZ", 32, 16, 115) > 1.75 * eight


def test_more_power_never_makes_the_best_slower() -> None:
    r = machine(0)
    for name in REAL:
        bounds = [*range(1500, 6500, 250), UNLIMITED]
        times = [r.time_s(name, *r.best(name, b)) for b in bounds]
        assert all(later <= earlier for earlier, later in pairwise(times))


def test_a_bound_that_nothing_keeps_is_an_error() -> None:
    with pytest.raises(ValueError, match="no configuration keeps 100 W"):
        machine(0).best("SC", 100)
    with pytest.raises(ValueError, match="no node count keeps 600 W"):
        machine(0).canonical("SC", "packed-max", 600)


def test_the_comparison_keeps_every_number_with_its_spread() -> None:
    result = compare([0, 1])
    assert result.seeds == (0, 1)
    assert {line.kind for line in result.lines} == {"calibrated", "checked", "free"}
    for line in result.lines:
        assert line.low <= line.median <= line.high
        assert math.isnan(line.printed) == (line.kind == "free")
    assert all(sum(count for _, count in c.winners) == 2 for c in result.contests)
    shown = as_markdown(result).splitlines()
    assert len(shown) == len(result.lines) + len(result.contests) + 5
    assert any(row.startswith("| SP-MZ (26x12,80) time [s] | Table 4.2 | calib") for row in shown)
    assert any(row.endswith("| (32x8,95) | (32x8,95) 2 |") for row in shown)


@pytest.mark.release
def test_class_d_and_all_numbers_over_twenty_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    result = compare(range(20))
    with capsys.disabled():
        show(result)
    value = {line.name: line for line in result.lines}
    assert value["class D, 64 nodes: SP-MZ [W]"].median == pytest.approx(93, rel=0.03)
    assert value["class D, 64 nodes: NSC [W]"].median == pytest.approx(66, rel=0.08)
    mean = value["class D, 64 nodes: package power of a socket, mean of eight codes [W]"]
    assert mean.median == pytest.approx(81, rel=0.05)
    assert value["EP on 2,386 sockets, 65 W: spread of time"].median == pytest.approx(0.1, abs=0.02)


def show(found: Comparison) -> None:
    for line in found.lines:
        print(  # noqa: T201 - the figures are what this test is for
            f"\n{line.name:68} {line.kind:10} {line.printed:8.4g}"
            f" {line.median:8.4g} {line.low:8.4g} {line.high:8.4g}",
            end="",
        )
    for contest in found.contests:
        print(f"\n{contest.name} {contest.printed} {contest.winners[:3]}", end="")  # noqa: T201


@pytest.mark.release
def test_the_page_shows_the_table_as_it_is_today() -> None:
    page = Path(__file__).parents[3] / "docs" / "evidence" / "simulated-cluster.md"
    text = page.read_text(encoding="utf-8")
    shown = text.split("<!-- table -->\n")[1].split("<!-- end -->")[0]
    assert shown == as_markdown(compare(range(20)))


@pytest.mark.release
def test_the_fit_reproduces_the_stored_quality() -> None:
    assert fit().quality == pytest.approx(stored_fit().quality, rel=0.02)
