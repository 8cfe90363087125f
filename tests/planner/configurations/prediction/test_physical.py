"""The law by hand, and its fit: to itself with stragglers, to few runs, and far outside."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from planner.configurations.prediction.law import NAMES, USUAL, PerformanceLaw
from planner.configurations.prediction.log_polynomial import LogPolynomial
from planner.configurations.prediction.physical import Physical
from planner.configurations.prediction.processor import E5_2670
from planner.errors import InputError
from scenarios.measurements.runs import Floats, Runs
from scenarios.reading.reader import read_scenario
from tests.planner.configurations.prediction.samples import grid_runs

LAW = PerformanceLaw(E5_2670, 16.0)


def test_the_processor_of_the_thesis_has_the_name_that_fits_its_facts() -> None:
    """2.6 GHz, turbo to 3.3 GHz and 115 W: section 3.2 and Table 4.3, whatever name they print."""
    facts = (E5_2670.cores, E5_2670.base_ghz, max(E5_2670.turbo_ghz), E5_2670.turbo_cap_w)
    assert facts == (8, 2.6, 3.3, 115.0)
    scenario = read_scenario(Path(__file__).parents[4] / "scenarios/data/thesis-7kw.toml")
    labels = [str(node_type.label) for node_type in scenario.node_types]
    (label,) = (entry for entry in labels if "Sandy Bridge" in entry)
    assert "E5-2670" in label
    assert not any("E5-2690" in entry for entry in labels)


def coefficients(**changed: float) -> Floats:
    theta = USUAL.copy()
    for name, value in changed.items():
        theta[NAMES.index(name)] = value
    return theta


PLAIN = coefficients(
    log_work=np.log(100.0),
    memory=0.0,
    log_serial=-50.0,
    log_talk=-50.0,
    log_idle=np.log(50.0),
    turbo_idle=0.0,
    log_dynamic=np.log(50.0),
    dynamic_cores=1.0,
    exponent=2.0,
    log_cap=0.0,
    memory_idle=np.log(6.0),
    log_memory_power=-50.0,
)


def one(value: float) -> Floats:
    return np.array([value])


def at(theta: Floats, n: float, c: float, p: float) -> dict[str, float]:
    result = LAW.evaluate(theta, one(n), one(c), one(p))
    return {name: float(values[0]) for name, values in result.items()}


def test_a_cap_that_binds_by_hand() -> None:
    # 16 cores: dynamic 50 * 16 / 8 = 100 W; cap 2 * 51 = 102 W; 102 = 50 + 100 x^2, x = 0.7211
    values = at(PLAIN, 32, 16, 51)
    assert values["frequency"] == pytest.approx(0.52**0.5)
    # 100 s on 16 nodes of 8 cores; 4 times the cores at x of the frequency
    assert values["time"] == pytest.approx(25 / 0.52**0.5)
    assert values["package"] == pytest.approx(32 * 102)
    assert values["power"] == pytest.approx(32 * 108)


def test_a_cap_that_does_not_bind_and_turbo_by_hand() -> None:
    # 4 cores: 50 + 25 = 75 W < 102 W: base frequency; turbo with 2 active cores a package 3.3 GHz
    assert at(PLAIN, 16, 4, 51) == at(PLAIN, 16, 4, 95)
    values = at(PLAIN, 16, 4, 115)
    assert values["time"] == pytest.approx(200 * 2.6 / 3.3)
    assert values["package"] == pytest.approx(16 * (50 + 25 * (3.3 / 2.6) ** 2))
    assert at(PLAIN, 16, 16, 115)["frequency"] == pytest.approx(3.0 / 2.6)


def test_talk_counts_its_time_and_its_lower_power() -> None:
    # talk takes 100 s e^0 on 16 nodes whatever the cores, at half the dynamic power
    theta = PLAIN.copy()
    for name, value in {"log_talk": 0.0, "talk_nodes": 0.0, "talk_cores": 0.0}.items():
        theta[NAMES.index(name)] = value
    values = at(theta, 16, 8, 95)
    assert values["time"] == pytest.approx(200)
    assert values["package"] == pytest.approx(16 * (100 * 100 + 100 * 75) / 200)


def test_slopes_agree_with_central_differences() -> None:
    columns = one(24.0), one(14.0), one(65.0)
    theta = coefficients(log_work=4.0, log_talk=-1.0)
    slopes = LAW.slopes(theta, *columns)[1]
    for i in range(len(theta)):
        up, down = theta.copy(), theta.copy()
        up[i] += 1e-4
        down[i] -= 1e-4
        above, below = LAW.evaluate(up, *columns), LAW.evaluate(down, *columns)
        for output, name in enumerate(("time", "power")):
            expected = np.log(above[name] / below[name]) / 2e-4
            assert slopes[output, 0, i] == pytest.approx(expected[0], abs=1e-4)


def lawful(stragglers: float = 0.0) -> Runs:
    theta = coefficients(log_work=np.log(300.0), memory=0.3, log_talk=-2.0, talk_nodes=0.8)
    runs = grid_runs(
        lambda n, c, p: LAW.evaluate(theta, n, c, p)["time"],
        lambda n, c, p: LAW.evaluate(theta, n, c, p)["power"],
    )
    rng = np.random.default_rng(5)
    slow = rng.random(len(runs)) < stragglers
    noise = np.exp(0.005 * rng.normal(size=len(runs)))
    return replace(runs, time_s=runs.time_s * np.where(slow, 1.85, 1.0) * noise)


def test_one_straggler_in_seven_moves_the_fit_by_less_than_a_hundredth() -> None:
    clean, dirty = lawful(), lawful(1 / 7)
    rows = np.random.default_rng(2).permutation(len(clean))[:50]
    fitted = Physical().fit(dirty.take(rows))
    predicted = fitted.predict(clean.nodes, clean.cores_per_node, clean.package_cap_w)
    off = np.abs(np.log(predicted.time_s / clean.time_s))
    assert np.median(off) < 0.01
    assert np.quantile(off, 0.95) < 0.03
    regression = LogPolynomial().fit(dirty.take(rows))
    naive = regression.predict(clean.nodes, clean.cores_per_node, clean.package_cap_w)
    assert np.median(np.abs(np.log(naive.time_s / clean.time_s))) > 5 * np.median(off)


def test_far_outside_the_runs_the_law_stays_sane() -> None:
    runs = lawful()
    fitted = Physical().fit(runs.take(np.random.default_rng(2).permutation(len(runs))[:20]))
    far = fitted.predict([1, 1, 200, 200], [1, 16, 1, 16], [30.0, 115.0, 51.0, 115.0])
    inside = fitted.predict(16, 16, 80.0)
    assert (far.time_s > inside.time_s[0] / 50).all()
    assert (far.time_s < inside.time_s[0] * 500).all()
    per_node = far.power_w / np.array([1, 1, 200, 200])
    assert ((per_node > 20) & (per_node < 260)).all()


def test_the_same_runs_in_another_order_give_the_same_predictions() -> None:
    runs = lawful(0.1)
    turned = runs.take(np.arange(len(runs))[::-1])
    first, second = (Physical().fit(r).predict(20, 10, 70.0) for r in (runs, turned))
    assert first.time_s[0] == pytest.approx(second.time_s[0], rel=1e-4)


def test_what_does_not_vary_keeps_its_usual_coefficients() -> None:
    runs = lawful()
    theta = Physical().fit(runs.take(runs.nodes == 16)).theta
    result = dict(zip(NAMES, theta, strict=True))
    assert result["parallel_nodes"] == pytest.approx(1.0, abs=1e-6)


def test_three_configurations_are_too_few() -> None:
    with pytest.raises(InputError, match=r"physical needs 4 .* the file has 3"):
        Physical().fit(lawful().take(np.arange(3)))
