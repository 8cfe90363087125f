"""Where values come from, worked by hand; and what the commands write."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from planner.award.from_scenario import tender_of
from planner.award.study import award
from planner.errors import InputError
from scenarios import load
from scenarios.reading.replaced import with_values
from tests.planner.award.made import awarded, figure, package, price, tender, winners
from tests.planner.cli.commands import ran

SAMPLE = Path(__file__).parent / "sample" / "tender.toml"
MODEL = """
[reference]
name = "old"
nodes = 100
compute_rate = 200
bandwidth_gb_s = 200

[procurement]
workload_mode = "shared"
regime = "overprovisioned"

[[workloads]]
name = "app"
performance = { kind = "roofline", clock_bound = 0.5, power_intensity = 0.8 }

[[scheme.criteria]]
name = "Speed"
lots = ["compute"]
points = 10
value_from = "performance"
better = "more"
"""
RATES = {"n-cpu": (300, 400), "s-cpu": (310, 380), "w-cpu": (460, 500)}


def test_total_cost_has_price_yearly_lines_and_energy() -> None:
    values = {each.name: each.values for each in tender_of(load(SAMPLE)).candidates}
    # nodes: 210 x 15,250.40 = 3,202,584; 4 racks for 64 nodes each: 48,000
    assert values["north-compute"]["Price"] == 3_250_584
    # 210 x (0.9 x 900 + 0.1 x 200) W = 174,300 W, x 1.1 x 8.76 h/1,000 = 1,679,554.8 kWh a year;
    # over 5 years at 0.2: 1,679,554.8, in all 4,930,138.8
    assert values["north-compute"]["Cost of ownership"] == Fraction("4930138.8")
    # 900,000 + 5 x (20,000 + 0.2 x 9,000 W x 1.1 x 8.76)
    assert values["north-storage"]["Cost of ownership"] == 1_086_724
    # 850,000 USD less 5 % at 0.92
    assert values["south-storage"]["Price"] == Fraction("742900")


def test_energy_and_delivery_are_values_too() -> None:
    energy = {"name": "E", "points": 1, "value_from": "energy", "better": "less"}
    weeks = {"name": "D", "points": 1, "value_from": "delivery", "better": "less"}
    offer = package("A", delivery_weeks=12.5)
    offer["lines"] = [{"kind": "storage", "item": "S", "price": 5, "quantity": 3, "watts": 100}]
    power = {"bound_w": 1e6, "pue": 1.2, "conversion_loss": 0.04}
    found = tender_of(tender([offer], [energy, weeks], more={"power": power}))
    # 300 W x 1.2/0.96 x 8.76 = 3,285 kWh
    assert found.candidates[0].values == {"E": 3285, "D": Fraction("12.5")}
    with pytest.raises(InputError, match="package 'B' states no delivery_weeks, which criterion"):
        tender_of(tender([package("B")], [weeks]))


def test_a_discounted_annuity_is_exact_for_whole_years() -> None:
    total = {"name": "T", "points": 1, "value_from": "total cost", "better": "less"}
    budget = {"lifetime_years": 2, "discount_rate": 0.25, "maintenance_fraction_per_year": 0.1}
    found = tender_of(tender([package("A", 1000.0)], [total], more={"budget": budget}))
    # 1/1.25 + 1/1.25^2 = 1.44, so 1,000 + 144
    assert found.candidates[0].values == {"T": 1144}


def test_performance_is_the_score_of_the_model_for_the_nodes_alone(tmp_path: Path) -> None:
    text = SAMPLE.read_text(encoding="utf-8") + MODEL
    for name, (rate, bandwidth) in RATES.items():
        more = f'kind = "cpu"\nprice = 9\ncompute_rate = {rate}'
        text = text.replace(
            f'[[node_types]]\nname = "{name}"',
            f'[[node_types]]\nname = "{name}"\n{more}\nbandwidth_gb_s = {bandwidth}',
        )
    text = text.replace('points_file = "points.csv"\n', "").replace(
        'name = "Quality"', 'name = "Q"'
    )
    text = text.replace('disclose = ["Quality"]\n', "")
    start = text.index('[[scheme.criteria]]\nname = "Q"')
    text = text[:start] + text[text.index("[reference]") :]
    path = tmp_path / "full.toml"
    path.write_text(text, encoding="utf-8")
    study = award(load(path), full=True)
    assert study.model is not None
    assert study.model.award == Fraction(18, 5)
    assert study.model.best is not None
    assert study.model.best >= 3.6
    (north, _) = study.award.lots[0].judged
    # half of the time goes by 300/200, half by 400/200: 1/(1/3 + 1/4) = 12/7, x 210/100 nodes
    assert north.values[-1] == Fraction(18, 5)
    assert study.award.lots[1].scheme.criteria[-1].name == "Cost of ownership"


@pytest.mark.parametrize(
    ("share", "missed"),
    [
        ({"of": "nodes", "least": 0.75}, None),  # 3 of 4 nodes: the limit itself is admissible
        ({"of": "nodes", "least": 0.76}, ("below-least", 0.75)),
        ({"of": "spend", "least": 0.6}, None),  # 3 x 10.1 of 3 x 10.1 + 20.2
        ({"of": "spend", "most": 0.59}, ("above-most", 0.6)),
    ],
)
def test_a_package_that_misses_a_share_of_its_lot_is_excluded(
    share: dict[str, Any], missed: tuple[str, float] | None
) -> None:
    types = [{"name": name, "attributes": {"origin": origin}}
             for name, origin in (("a", "EU"), ("b", "US"))]  # fmt: skip
    offer = package("A")
    offer["lines"] += [
        {"kind": "node", "item": name, "name": name, "price": price, "quantity": quantity}
        for name, price, quantity in (("a", 10.1, 3), ("b", 20.2, 1))
    ]
    lot = {"name": "L", "shares": [share | {"where": {"origin": "EU"}}]}
    scenario = tender(
        [offer, package("B", 99.0)], [price(1)], tender_lots=[lot], more={"node_types": types}
    )
    reasons = [
        (each.kind, each.values["condition"], each.values["value"])
        for each in tender_of(scenario).candidates[0].excluded
    ]
    subject = f"origin EU share of {share['of']}"
    assert reasons == ([] if missed is None else [(missed[0], subject, missed[1])])
    assert winners(awarded(scenario)) == [("A",) if missed is None else ("B",)]


def test_criteria_judge_the_lots_that_they_name() -> None:
    packages = [package("a", 1.0, lot="1", figures={"F": 2}), package("b", 2.0, lot="2")]
    found = awarded(tender(packages, [figure("F", 9, lots=["1"]), price(1)]))
    assert [len(lot.scheme.criteria) for lot in found.lots] == [2, 1]
    assert winners(found) == [("a",), ("b",)]


def test_a_changed_price_changes_the_award() -> None:
    scenario = with_values(load(SAMPLE), {"packages.south-storage.rate": 1.05})
    assert award(scenario).award.decisions[1].winner == "south-storage"
    dear = with_values(load(SAMPLE), {"packages.south-storage.rate": 1.3})
    assert award(dear).award.decisions[1].winner == "north-storage"


def test_an_award_writes_its_folder_and_report_writes_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ran("plan", str(SAMPLE), "--award", "-q").exit_code == 0
    folder = tmp_path / "out" / "two-lots-award"
    before = (folder / "award.xlsx").read_bytes()
    data = json.loads((folder / "award.json").read_text(encoding="utf-8"))
    (compute, storage) = data["lots"]
    assert [each["points"] for each in compute["packages"]] == ["9031/100", "3911/50"]
    assert storage["winners"] == ["south-storage"]
    (folder / "award.xlsx").unlink()
    assert ran("report", str(folder), "-q").exit_code == 0
    assert (folder / "award.xlsx").read_bytes() == before
    assert ran("plan", str(SAMPLE), "--award", "--debrief", "North", "-q").exit_code == 0
    assert (tmp_path / "out" / "two-lots-debrief-North" / "report.pdf").is_file()


def test_no_award_at_all_ends_with_status_1(tmp_path: Path) -> None:
    text = SAMPLE.read_text(encoding="utf-8").replace("least = 5_000_000", "least = 50_000_000")
    (tmp_path / "tender.toml").write_text(text, encoding="utf-8")
    points = (SAMPLE.parent / "points.csv").read_text(encoding="utf-8")
    (tmp_path / "points.csv").write_text(points, encoding="utf-8")
    done = ran("plan", str(tmp_path / "tender.toml"), "--award", "--no-report")
    assert done.exit_code == 1
    assert "No lot is awarded" in done.output
