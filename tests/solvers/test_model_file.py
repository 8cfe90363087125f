"""Model files: CBC's own program and HiGHS read them back and find the same optimum."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import highspy
import numpy as np
import pytest

from solvers import Milp, MilpBuilder, ModelError, solve
from solvers.backends.cbc import binary
from solvers.model.model_file import ENDINGS, model_file, refuse_name
from tests.sizes import few
from tests.solvers.random_models import SHAPES, random_model


def named(model: Milp) -> Milp:
    return replace(
        model,
        column_names=tuple(f"x_{j}" for j in range(model.columns)),
        row_names=tuple(f"row_{i}" for i in range(model.rows)),
    )


def by_cbc(path: Path) -> float | None:
    """What the bare program makes of a file: its objective, minimised or maximised."""
    answer = path.with_suffix(".txt")
    words = [binary(), str(path), "preprocess", "off", "ratio", "0", "solve", "solution"]
    subprocess.run([*words, str(answer)], check=True, capture_output=True)
    line = answer.read_text().partition("\n")[0]
    return float(line.rpartition(" ")[2]) if line.startswith("Optimal") else None


def by_highs(path: Path) -> float | None:
    engine = highspy.Highs()  # type: ignore[no-untyped-call]
    engine.setOptionValue("output_flag", False)
    engine.setOptionValue("mip_rel_gap", 0.0)
    assert engine.readModel(str(path)) == highspy.HighsStatus.kOk
    engine.run()
    if engine.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return float(engine.getInfo().objective_function_value)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("shape", SHAPES)
def test_cbc_and_highs_find_the_optimum_of_the_file(
    tmp_path: Path, shape: str, ending: str
) -> None:
    for seed in range(few(25)):
        model = named(random_model(shape, seed))
        if seed % 2:
            model = replace(model, constant=1.25)
        if seed % 3 == 0:
            model = replace(model, sense="max")
        path = tmp_path / f"model{ending}"
        path.write_text(model_file(model, ending))
        expected = solve(model, gap=1e-9).objective
        sign = -1 if ending == ".mps" and model.sense == "max" else 1
        for result in (by_cbc(path), by_highs(path)):
            if expected is None:
                assert result is None
            else:
                assert result == pytest.approx(sign * expected, abs=1e-6), (seed, path)


def small() -> Milp:
    """Maximise 3x + 2y + 1/2 over 1 <= x + y <= 4, x whole, y free but at most 2."""
    build = MilpBuilder("max", constant=0.5)
    columns = build.add_columns(
        2, cost=[3.0, 2.0], lower=[0.0, -np.inf], upper=[np.inf, 2.0], integer=[True, False],
        names=("x", "y"),
    )  # fmt: skip
    build.add_rows([0, 0], columns, [1.0, 0.1], lower=1.0, upper=4.0, names=("both",))
    return build.model()


def test_the_lp_file_says_what_the_model_says() -> None:
    assert model_file(small(), ".lp") == (
        "Maximize\n"
        " OBJ: + 3.0 x + 2.0 y + 0.5 constant\n"
        "Subject To\n"
        " both: + 1.0 x + 0.1 y <= 4.0\n"
        " both.2: + 1.0 x + 0.1 y >= 1.0\n"
        "Bounds\n"
        " 0.0 <= x\n"
        " -inf <= y <= 2.0\n"
        " constant = 1.0\n"
        "Generals\n"
        " x\n"
        "End\n"
    )


@pytest.mark.parametrize(
    "name", ["", "1x", "x y", "x[1]", "a-b", "ä", "e", "E12", "free", "End", "x" * 256]
)
def test_a_name_that_the_format_cannot_hold_is_refused(name: str) -> None:
    with pytest.raises(ModelError, match="the LP format cannot hold the name"):
        refuse_name(name)


@pytest.mark.parametrize("name", ["x", "x_0_3", "end_1", "energy", "power.2", "n(3)"])
def test_ordinary_names_are_kept(name: str) -> None:
    refuse_name(name)


def test_another_ending_is_refused() -> None:
    with pytest.raises(ModelError, match=r"use \.lp or \.mps"):
        model_file(small(), ".txt")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    ("lower", "upper", "expected"), [(1.0, 1e17, 1.0), (0.1, 0.3, 0.1), (3.0, 1.0, None)]
)
def test_sides_far_apart_or_crossed_are_those_of_the_model(
    tmp_path: Path, ending: str, lower: float, upper: float, expected: float | None
) -> None:
    build = MilpBuilder("min")
    columns = build.add_columns(1, cost=[1.0], lower=[-np.inf], upper=[np.inf], names=("x",))
    build.add_rows([0], columns, [1.0], lower=lower, upper=upper, names=("both",))
    path = tmp_path / f"model{ending}"
    path.write_text(model_file(build.model(), ending))
    assert (by_cbc(path), by_highs(path)) == (expected, expected)


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_second_half_of_a_row_has_a_name_of_its_own(tmp_path: Path, ending: str) -> None:
    build = MilpBuilder("min")
    columns = build.add_columns(1, cost=[1.0], lower=[-np.inf], upper=[np.inf], names=("x",))
    for name, lower, upper in (("both", 1.0, 1e17), ("both.2", 2.0, np.inf)):
        build.add_rows([0], columns, [1.0], lower=lower, upper=upper, names=(name,))
    path = tmp_path / f"model{ending}"
    path.write_text(model_file(build.model(), ending))
    assert " both.3" in path.read_text()
    assert (by_cbc(path), by_highs(path)) == (2.0, 2.0)


def test_a_model_without_columns_is_refused() -> None:
    for ending in ENDINGS:
        with pytest.raises(ModelError, match="a model without columns cannot be written"):
            model_file(MilpBuilder("min").model(), ending)
