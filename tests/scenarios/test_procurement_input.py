"""A request for proposals with one mistake: named with its place, its value and a remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

import scenarios
from scenarios import ScenarioError

SAMPLE = Path(scenarios.__file__).parent / "data" / "sample"
QUOTES, REQUEST = "quotes.csv", "procurement.toml"


def broken(folder: Path, name: str, old: str, new: str) -> list[str]:
    """The faults of the sample with one text changed in one of its files."""
    for each in (QUOTES, REQUEST):
        text = (SAMPLE / each).read_text(encoding="utf-8")
        if each == name:
            assert text.count(old) >= 1, f"{each} no longer holds {old!r}"
            text = text.replace(old, new, 1)
        (folder / each).write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        scenarios.load(folder / REQUEST)
    return [str(fault).replace(f"{folder}/", "") for fault in caught.value.faults]


CASES = [
    (REQUEST, "pue = 1.2", "pue = 0.8",
     "procurement.toml:21: power.pue: 0.8 should be greater than or equal to 1; correct it"),
    (REQUEST, "probability = 0.7", "probability = 0.6",
     ("procurement.toml:42: budget.energy_prices: the probabilities of energy_prices sum to 0.9, "
     "not to 1; correct them")),
    (REQUEST, "probability = 0.6", "probability = 0.5",
     ("procurement.toml:129: demands: the probabilities of demands sum to 0.9, not to 1; "
      "correct them")),
    (REQUEST, '"climate" = 0.5', '"climat" = 0.5',
     ("procurement.toml:72: requirements.throughput.climat: no workload is called 'climat'; did "
     "you mean 'climate'?")),
    (REQUEST, 'kind = "gpu"\nof', 'kind = "tpu"\nof',
     ("procurement.toml:74: requirements.shares[1].kind: no kind is called 'tpu'; did you mean "
     "'gpu' or 'cpu'?")),
    (REQUEST, "least = 0.05", "least = 0.5\nmost = 0.4",
     ("procurement.toml:76: requirements.shares[1].least: least = 0.5 is above most = 0.4; swap "
     "or correct them")),
    (REQUEST, 'factors = { "molecular', 'factors = { "moleculer',
     ("procurement.toml:135: demands[2].factors.moleculer dynamics: no workload is called "
     "'moleculer dynamics'; did you mean 'molecular dynamics'?")),
    (REQUEST, "capital = 5_000_000\n", "",
     "procurement.toml:32: budget: capital is missing; a procurement needs it"),
    (REQUEST, 'name = "Model"', 'name = "Modell"',
     "quotes.csv:1: no heading 'Modell' for name; did you mean 'Model'?"),
    (QUOTES, "0,18 kW", "0,95 kW",
     "quotes.csv:2: H2: idle_w = 950 W is above peak_w = 920 W (I2); correct one of them"),
    (QUOTES, "0,92 kW", "0,92 W", "quotes.csv:2: I2"),
    (QUOTES, "14,9 kEUR", "14,9 kUSD", "quotes.csv:2: E2"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "message"), CASES)
def test_one_mistake_is_named(tmp_path: Path, name: str, old: str, new: str, message: str) -> None:
    found = broken(tmp_path, name, old, new)
    assert any(each.startswith(message) for each in found), found


def test_a_quote_with_crossed_quantities_is_named_by_its_row(tmp_path: Path) -> None:
    text = (SAMPLE / QUOTES).read_text(encoding="utf-8")
    rows = [line.split(";") for line in text.splitlines()]
    for row, (least, most) in zip(rows, [("Least", "Most"), ("50", "20")] + [("1", "9")] * 9,
                                  strict=False):  # fmt: skip
        row += [least, most]
    (tmp_path / QUOTES).write_text("\n".join(";".join(row) for row in rows), encoding="utf-8")
    request = (SAMPLE / REQUEST).read_text(encoding="utf-8")
    mapped = 'source = "Remark"\nminimum_quantity = "Least"\nmaximum_quantity = "Most"'
    (tmp_path / REQUEST).write_text(request.replace('source = "Remark"', mapped), encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"quotes\.csv:2: .*50.*20"):
        scenarios.load(tmp_path / REQUEST)


def test_rack_limits_need_to_know_what_a_rack_holds(tmp_path: Path) -> None:
    request = (SAMPLE / REQUEST).read_text(encoding="utf-8")
    request = request.replace("[rack]\nnodes = 64\nprice = 15_000\n", "")
    request = request.replace('nodes_per_rack = "Per rack"\n', "")
    (tmp_path / REQUEST).write_text(request, encoding="utf-8")
    (tmp_path / QUOTES).write_bytes((SAMPLE / QUOTES).read_bytes())
    with pytest.raises(ScenarioError, match=r"facility\.racks needs it \(or \[rack\] nodes\)"):
        scenarios.load(tmp_path / REQUEST)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{ node_type = "north-64", cap_w = 300, figure_of_merit = 1 }', "has no cap of 300 W"),
        ('{ node_type = "north-64", figure_of_merit = 2 }', "under this cap is given twice"),
        ('{ node_type = "north-65", figure_of_merit = 2 }', "no node type is called 'north-65'"),
    ],
)
def test_a_table_of_merits_fits_the_quotes(tmp_path: Path, row: str, message: str) -> None:
    request = (SAMPLE / REQUEST).read_text(encoding="utf-8")
    roofline = 'kind = "roofline"\nclock_bound = 0.05\npower_intensity = 0.75\n'
    table = (
        'kind = "table"\nreference_figure_of_merit = 1\n'
        f'rows = [{{ node_type = "north-64", figure_of_merit = 3 }}, {row}]\n'
    )
    assert roofline in request
    (tmp_path / REQUEST).write_text(request.replace(roofline, table), encoding="utf-8")
    (tmp_path / QUOTES).write_bytes((SAMPLE / QUOTES).read_bytes())
    with pytest.raises(ScenarioError, match=message):
        scenarios.load(tmp_path / REQUEST)
