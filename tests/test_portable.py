"""Results do not depend on the processor: no last bit of a library enters what decides."""

from __future__ import annotations

import ast
import math
import re
from pathlib import Path

import numpy as np
import pytest

from solvers import portable
from solvers.partition.eigen import eigenvalues, eigenvectors
from tests.other_processors import ROOT, differences, elsewhere, variants

ROOMS = (
    "solvers",
    "planner/configurations",
    "planner/designs",
    "planner/formulations",
    "planner/placement",
    "planner/procurement",
    "planner/scheduling/power",
    "scenarios/simulated",
)
VARYING = {
    "arctan", "cbrt", "convolve", "corrcoef", "cos", "cov", "dot", "einsum", "exp", "exp2", "expm1",
    "float_power", "geomspace", "hypot", "inner", "lgamma", "linalg", "log", "log10", "log1p",
    "log2", "logspace", "matmul", "outer_product", "polyfit", "pow", "power", "sin", "tan", "tanh",
    "tensordot", "vdot",
}  # fmt: skip
"""Functions of ``math`` and numpy whose last bits, or order of sums, another processor changes."""
ALLOWED = {
    "planner/configurations/prediction": "fits by scipy and LAPACK: evidence/prediction.md says so",
    "planner/procurement/checker.py": "an independent check, to within its tolerance",
    "planner/procurement/checked": "the same",
    "scenarios/simulated/shared_node/law.py": "a cube root from which Newton's method begins",
    "solvers/choice/kinds.py": "``@`` of the algebra of programs",
    "solvers/choice/program.py": "``@`` of the algebra of programs",
    "solvers/proofs/brute_force.py": "the oracle of small programs",
}


def test_what_enters_a_program_or_an_order_is_computed_alike_on_every_processor() -> None:
    """See :mod:`solvers.portable`."""
    found = [
        f"{name}:{line}: {what}"
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        if not (name := str(path.relative_to(ROOT))).startswith(tuple(ALLOWED))
        for line, what in _varying(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_ties_are_sorted_alike_on_every_processor() -> None:
    """Only a stable sort has one order of equal values; numpy's others depend on vector units."""
    packages = ("planner", "reports", "scenarios", "solvers")
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for package in packages
        for path in sorted((ROOT / package).rglob("*.py"))
        if re.search("argsort|argpartition", text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"argsort", "argpartition"}
        and not any(keyword.arg == "kind" for keyword in node.keywords)
    ]
    assert found == ["solvers/choice/dominance.py:142"]  # numba's own, whose ties are settled next


def test_decisions_have_the_same_bits_with_the_loops_of_other_processors() -> None:
    here, there = (_answers(name) for name in ("", "all"))
    differing = {name for name in here if here[name] != there[name]}
    assert differing <= set(variants())  # the libraries themselves
    if {"avx2", "fma"} <= _units():
        assert differing == set(variants()) - {"all"}  # the variants do select other loops


@pytest.mark.slow
@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize(
    "words",
    [
        "plan rfp-center",
        "plan sample/procurement.toml",
        "plan thesis-7kw",
        "configure sample/runs.csv --power-bound 3500",
        "configure sample/runs.csv --power-bound 3500 -A LU-MZ --model physical+process",
        "share sample/runs.csv --power-bound 6000 --nodes 64",
        "place matrix.csv --nodes 2 --hierarchy pack:2,core:2,pu:1",
        "schedule thesis-rmap --seeds 1 --log large --policy traditional --policy ilp-highs",
    ],
)
def test_results_and_printed_text_are_those_of_other_processors(
    words: str, variant: str, tmp_path: Path
) -> None:
    (tmp_path / "matrix.csv").write_text("0,1,1,100\n1,0,100,1\n1,100,0,1\n100,1,1,0\n")
    elsewhere("", "-c", "import headroom; headroom.run()", "init", "sample", folder=tmp_path)
    given = [word.replace(",", " ") for word in words.split()]
    assert differences(variant, tmp_path, *given) == []


def test_logarithms_and_powers_are_within_units_of_the_last_place() -> None:
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.random(3000) * 3, 10 ** rng.uniform(-300, 300, 3000)])
    y = np.concatenate([rng.uniform(-700, 700, 3000), rng.normal(size=3000) * 1e-3])
    assert np.abs(portable.log(x) / np.log(x) - 1).max() < 1e-15
    assert np.abs(portable.exp(y) / np.exp(y) - 1).max() < 1e-15
    small = y[np.abs(y) < 0.9].tolist()
    for ours, theirs in ((portable.expm1, math.expm1), (portable.log1p, math.log1p)):
        assert max(abs(ours(v) / theirs(v) - 1) for v in small) < 2e-15
    assert [portable.log(v) for v in x.tolist()] == portable.log(x).tolist()
    assert [portable.exp(v) for v in y.tolist()] == portable.exp(y).tolist()
    assert portable.power(x[:3000], 1.7) == pytest.approx(x[:3000] ** 1.7, rel=1e-14)


def test_ends_of_the_range_are_those_of_the_library() -> None:
    edges = np.array([0.0, math.inf, 5e-324])
    assert portable.log(edges).tolist() == [-math.inf, math.inf, math.log(5e-324)]
    assert [portable.log(v) for v in edges.tolist()] == portable.log(edges).tolist()
    assert math.isnan(portable.log(-1.0))
    assert portable.exp(np.array([-math.inf, 800.0, 0.0])).tolist() == [0.0, math.inf, 1.0]
    assert math.isnan(portable.exp(math.nan))


def test_products_are_those_of_numpy() -> None:
    rng = np.random.default_rng(2)
    shapes: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
        ((5, 7), (7,)),
        ((5, 3), (3,)),
        ((7,), (7, 4)),
        ((3, 7), (7, 4)),
        ((9,), (9,)),
        ((3, 0), (0,)),
    ]
    for left, right in shapes:
        one, other = rng.random(left), rng.random(right)
        assert portable.product(one, other) == pytest.approx(one @ other)


@pytest.mark.parametrize("count", [1, 2, 3, 20])
@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e150])
def test_eigenvalues_and_vectors_are_those_of_lapack(count: int, scale: float) -> None:
    square = np.random.default_rng(count).normal(size=(count, count))
    for matrix in (square + square.T, np.ones((count, count)), np.diag(square[0])):
        values, vectors = eigenvectors(scale * matrix)
        size = np.abs(matrix).max() * count
        assert values / scale == pytest.approx(np.linalg.eigvalsh(matrix), abs=1e-14 * size)
        assert eigenvalues(scale * matrix) == pytest.approx(values, abs=1e-14 * size * scale)
        off = matrix @ vectors - vectors * (values / scale)
        assert np.abs(off).max() < 1e-14 * size
        assert np.abs(vectors.T @ vectors - np.eye(count)).max() < 1e-14 * count


def _answers(variant: str) -> dict[str, str]:
    lines = elsewhere(variant, "-m", "tests.other_answers").splitlines()
    return dict(line.split("=", 1) for line in lines)


def _units() -> set[str]:
    """Vector units of this processor, as Linux names them; none where they cannot be read."""
    cpuinfo = Path("/proc/cpuinfo")
    return set(cpuinfo.read_text().split()) if cpuinfo.exists() else set()


def _varying(tree: ast.Module) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult):
            found.append((node.lineno, "@"))
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in {"math", "np"}
            and node.attr in VARYING
        ):
            found.append((node.lineno, f"{node.value.id}.{node.attr}"))
    return found
