"""What is remarked on scenarios and vendors' sheets, by hand: docs/check.md, docs/quotes.md.

Cases are changes of the sample, or a sheet, with each remark that is due: kind, place, values.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import scenarios
from scenarios.model.quote_mapping import QuoteTable
from scenarios.quotes.reader import read_quotes
from scenarios.remark import Remark
from tests.scenarios.quote_files import (
    COLUMNS,
    HEADINGS,
    PLAIN,
    by_hand,
    open_document,
    workbook,
)
from tests.scenarios.sample_changes import QUOTES, REQUEST, Changes, written

Stated = Sequence[tuple[str, Mapping[str, Any]]]
"""Kinds with their values, without units."""
_DECIDED = "decided_on = 2027-01-15"
_TOML = "procurement.toml:"


@dataclass(frozen=True)
class Sample:
    """The sample with changes, and what is remarked then."""

    changes: Changes
    stated: Stated

    def remarks(self, folder: Path) -> Sequence[Remark]:
        """What the reader says."""
        return scenarios.load(written(folder, self.changes)).remarks


@dataclass(frozen=True)
class Sheet:
    """A vendor's sheet, and what is remarked on it."""

    data: bytes
    stated: Stated
    name: str = "q.xlsx"
    columns: Mapping[str, Any] = field(default_factory=lambda: COLUMNS)
    keys: Mapping[str, Any] = field(default_factory=dict)

    def remarks(self, folder: Path) -> Sequence[Remark]:
        """What the reader says."""
        (folder / self.name).write_bytes(self.data)
        answers = [["Node type", "Field", "Answer"], ["A1", "idle_w", "90 W"], ["A1", "cores"]]
        (folder / "answers.xlsx").write_bytes(workbook({"A": answers}))
        raw = {"file": self.name, "columns": dict(self.columns), **self.keys}
        return read_quotes(QuoteTable.model_validate(raw), folder, "s.toml", "USD").remarks


def stated(remarks: Sequence[Remark]) -> Stated:
    """Kinds with their values, without units."""
    return [
        (each.kind, {name: value for name, (value, _) in each.values.items()}) for each in remarks
    ]


def _one(file: str, old: str, new: str, kind: str, place: str, **values: Any) -> Sample:
    return Sample([(file, old, new)], [(kind, {"place": place, **values})])


def _none(file: str, old: str, new: str) -> Sample:
    return Sample([(file, old, new)], [])


def cases() -> Iterator[Sample | Sheet]:
    """Each kind, and what is just not remarked."""
    yield Sample([], [])
    yield from _work()
    yield from _money()
    yield from _power()
    yield from _days()
    yield from _sheets()


def _work() -> Iterator[Sample]:
    yield _one(REQUEST, "weight = 25\n", "weight = 0\n", "scenario-no-effect",
               f"{_TOML}123: workloads[3].weight")  # fmt: skip
    yield _none(REQUEST, "weight = 35\n", "weight = 0\n")  # its throughput is required
    yield Sample(
        [(REQUEST, "probability = 0.6", "probability = 1"),
         (REQUEST, "probability = 0.4\nf", "probability = 0\nf")],
        [("scenario-demand-applies", {"place": f"{_TOML}134: demands[2].probability"})],
    )  # fmt: skip
    quoted = {"quoted": ("cpu", "gpu")}
    yield _one(REQUEST, 'kinds = ["cpu", "gpu"]', 'kinds = ["cpu", "fpga"]', "scenario-kind",
               f"{_TOML}106: workloads[1].kinds[2]", asked="fpga", **quoted)  # fmt: skip
    yield _one(REQUEST, 'kind = "gpu"\nof', 'kind = "tpu"\nof', "scenario-kind-required",
               f"{_TOML}74: requirements.shares[1].kind", asked="tpu", **quoted)  # fmt: skip
    yield Sample(
        [(REQUEST, 'kind = "gpu"\nof = "spend"\nleast = 0.05',
          'kind = "tpu"\nof = "spend"\nmost = 0.05')],
        [("scenario-kind", {"place": f"{_TOML}74: requirements.shares[1].kind", "asked": "tpu",
                            **quoted})],
    )  # fmt: skip


def _money() -> Iterator[Sample]:
    dear = (REQUEST, "price_per_kwh = 0.30", "price_per_kwh = 300")
    yield _one(*dear, "scenario-energy-price", f"{_TOML}44: budget.energy_prices[2].price_per_kwh",
               price=300.0, per_kwh="0.3")  # fmt: skip
    yield Sample([dear, (REQUEST, '"EUR"', '"JPY"'), (QUOTES, " kEUR", " k")], [])
    yield _none(REQUEST, "price_per_kwh = 0.30", "price_per_kwh = 5")
    # the others cost 6,400, 17,200 and 92,000: the median of four is between two of them
    low, high = (6_400 + 17_200) / 2, (17_200 + 92_000) / 2
    yield _one(QUOTES, "14,9 kEUR", "14,90", "scenario-price-apart", "quotes.csv:2: price",
               node="north-64", price=14.9, median=low, ratio=14.9 / low)  # fmt: skip
    yield _one(QUOTES, "14,9 kEUR", "14,9 MEUR", "scenario-price-apart", "quotes.csv:2: price",
               node="north-64", price=14.9e6, median=high, ratio=14.9e6 / high)  # fmt: skip
    yield _none(QUOTES, "14,9 kEUR", "1 092,00 kEUR")  # 20 times (17,200 + 92,000) / 2
    yield _one(QUOTES, "from 200: 6 %", '"from 200: 6 %; from 400: 4 %"', "scenario-discounts",
               "quotes.csv:2: discounts", node="north-64", before=0.06, fewer=200, after=0.04,
               more=400)  # fmt: skip
    yield _none(QUOTES, "from 200: 6 %", '"from 200: 6 %; from 400: 6 %"')


def _power() -> Iterator[Sample]:
    # 560 W and 8,000 W are 8,560 W of IT power: 10,272 W of the feed at a PUE of 1.2
    yield _one(REQUEST, "bound_w = 250_000", "bound_w = 9_792", "scenario-bound",
               f"{_TOML}19: power.bound_w", bound=9792.0, left=160.0, least=560.0)  # fmt: skip
    yield _none(REQUEST, "bound_w = 250_000", "bound_w = 10_273")
    yield _none(REQUEST, "capital = 5_000_000", "capital = 406_528")  # 1.02 of 6,400, and 400,000
    yield _one(REQUEST, "liquid_w = 150_000", "liquid_w = 150", "scenario-cooling",
               f"{_TOML}29: facility.liquid_w", limit=150.0, least=210.0)  # fmt: skip
    yield _none(REQUEST, "liquid_w = 150_000", "liquid_w = 210")


def _days() -> Iterator[Sample]:
    here = f"{_TOML}15: procurement.decided_on"
    yield _one(REQUEST, _DECIDED, "decided_on = 2028-01-15", "scenario-expired", here,
               day="2028-01-15", latest="2027-06-30")  # fmt: skip
    yield _none(REQUEST, _DECIDED, "decided_on = 2027-06-30")
    for year, apart in (("1987", 40), ("2127", 100)):
        day = f"{year}-01-15"
        far = {"decided": day, "years": apart}
        places = ((f"{_TOML}23: power.available_on", "2027-06-01"),
                  ("quotes.csv:2: valid_until", "2027-06-30"),
                  ("quotes.csv:3: valid_until", "2027-06-30"),
                  ("quotes.csv:4: valid_until", "2027-05-31"),
                  ("quotes.csv:5: valid_until", "2027-03-31"))  # fmt: skip
        yield Sample([(REQUEST, _DECIDED, f"decided_on = {day}")], [
            ("scenario-year", {"place": here, "day": day}),
            *(("scenario-years-apart", {"place": place, "day": other, **far})
              for place, other in places),
            *([("scenario-expired", {"place": here, "day": day, "latest": "2027-06-30"})]
              if year > "2027" else []),
        ])  # fmt: skip
    decided = {"decided": "2027-01-15"}
    nodes = "nodes = 60\n"
    yield _one(REQUEST, nodes, f"{nodes}delivered_by = 2072-06-01\n", "scenario-years-apart",
               f"{_TOML}70: requirements.delivered_by", day="2072-06-01", years=45,
               **decided)  # fmt: skip
    yield _one(REQUEST, "available_on = 2027-06-01", "available_on = 1927-06-01",
               "scenario-years-apart", f"{_TOML}23: power.available_on", day="1927-06-01",
               years=100, **decided)  # fmt: skip
    yield _one(QUOTES, "2027-03-31", "2072-03-31", "scenario-years-apart",
               "quotes.csv:5: valid_until", day="2072-03-31", years=45, **decided)  # fmt: skip
    yield _none(QUOTES, "2027-03-31", "2032-01-14")
    yield _one(QUOTES, "20 weeks", "200 weeks", "scenario-lead", "quotes.csv:4: lead_weeks",
               weeks=200.0)  # fmt: skip
    yield _none(QUOTES, "20 weeks", "156 weeks")


def _sheets() -> Iterator[Sheet]:
    rows: list[list[Any]] = [
        ["Angebot 4711"], HEADINGS, ["CPU nodes"], PLAIN, ["A2", "Alpha", None, 100, 400],
        HEADINGS, ["B1", *PLAIN[1:]], [None, None, None, None, 9],
        ["Total", "Alpha", 99000, None, None],
    ]  # fmt: skip
    where = {"place": "q.xlsx: P"}
    left_out = [
        ("quotes-left-out", where | {"why": why, "rows": numbers, "texts": texts})
        for why, numbers, texts in (
            ("no price", ("3", "5", "8"), ("CPU nodes", "A2")),
            ("headings", ("6",), ("Model",)),
            ("skip_rows", ("9",), ("Total",)),
        )
    ]
    yield Sheet(workbook({"P": rows}), left_out, keys={"header_row": 2, "skip_rows": [9]})
    head, body = (
        "".join(f'<c t="inlineStr"><is><t>{text}</t></is></c>' for text in row)
        for row in (HEADINGS, PLAIN)
    )
    note = '<row hidden="1"><c r="H4"><v>1</v></c></row>'
    hidden = f'<row hidden="1">{body.replace("A1", "B1")}</row>'
    columns = '<cols><col min="3" max="4" hidden="true"/><col min="8" max="9" hidden="1"/></cols>'
    yield Sheet(
        by_hand(f"<row>{head}</row><row>{body}</row>{hidden}{note}", before=columns),
        [
            ("quotes-hidden-rows", {"place": "q.xlsx: Quotes", "quotes": (1, 2), "rows": ("3",)}),
            ("quotes-hidden-columns", {"place": "q.xlsx: Quotes", "columns": ("C", "D")}),
        ],
    )
    yield Sheet(by_hand(f"<row>{head}</row><row>{body}</row>{note}"), [])
    day = dt.date(2026, 6, 15)
    labelled = COLUMNS | {"label": "Label"}
    changed = [
        ("quotes-no-text", {"place": f"q.xlsx: P!{cell}", "field": target, "held": held,
                            "text": text})
        for cell, target, held, text in (("A2", "name", "date", "2026-06-15"),
                                         ("F2", "label", "truth value", "True"))
    ]  # fmt: skip
    yield Sheet(workbook({"P": [[*HEADINGS, "Label"], [day, *PLAIN[1:], True]]}),
                sorted(changed, key=lambda each: each[1]["field"]), columns=labelled)  # fmt: skip
    yield from _of_layouts()


def _of_layouts() -> Iterator[Sheet]:
    """Forms of files, merged cells, prices that are worked out, and answers."""
    place: dict[str, Any] = {"place": "q.xlsx: P"}
    rows: list[list[Any]] = [HEADINGS, PLAIN]
    total: list[list[Any]] = [["Summe", None, 9000, None, None]]
    left_out = {"why": "total", "rows": ("3",), "texts": ("Summe",)}
    yield Sheet(workbook({"P": [*rows, *total]}), [("quotes-left-out", place | left_out)])
    also: list[list[Any]] = [["Model", "W"], ["A1", 400], [None, 7]]
    columns = COLUMNS | {"peak_w": {"heading": "W", "table": "t"}}
    keys: dict[str, Any] = {"sheet": "P", "also": [{"name": "t", "sheet": "T", "key": "Model"}]}
    no_key = {"place": "q.xlsx: T", "why": "no key", "rows": ("3",), "texts": ()}
    yield Sheet(workbook({"P": rows, "T": also}), [("quotes-left-out", no_key)],
                columns=columns, keys=keys)  # fmt: skip
    older = {"place": "q.csv", "encoding": "cp1252"}
    yield Sheet("Model;Vendor;Price;Idle;Peak\nGröße;A;9000;100;400\n".encode("cp1252"),
                [("quotes-encoding", older)], "q.csv")  # fmt: skip
    yield Sheet(open_document({"P": rows}),
                [("quotes-formats", {"place": "q.ods: P", "form": ".ods"})], "q.ods")  # fmt: skip
    head, body = (
        "".join(f'<c t="inlineStr"><is><t>{text}</t></is></c>' for text in row)
        for row in (HEADINGS, PLAIN)
    )
    more = body.replace("A1", "B1").replace("400", "")
    merge = '<mergeCells><mergeCell ref="E2:E3"/></mergeCells>'
    yield Sheet(by_hand(f"<row>{head}</row><row>{body}</row><row>{more}</row>", after=merge),
                [("quotes-merged", {"place": "q.xlsx: Quotes", "field": "peak_w",
                                    "rows": ("2", "3")})])  # fmt: skip
    day = dt.date(2026, 11, 2)
    converted: Stated = [
        ("quotes-net", place | {"vat": "19 %"}),
        ("quotes-converted", place | {"currency": "CHF", "rate": "1.08", "day": "2026-11-02"}),
        ("quotes-support", place | {"years": 5}),
    ]
    support = COLUMNS | {"support_percent": {"value": 4}}
    keys = {"vat": 0.19, "currency": "CHF", "rate": 1.08, "rate_date": day, "support_years": 5.0}
    yield Sheet(workbook({"P": rows}), converted, columns=support, keys=keys)
    yield Sheet(workbook({"P": rows}), [("quotes-answered", {"place": "answers.xlsx: A",
                "answers": 1})], keys={"answers": "answers.xlsx"})  # fmt: skip


KINDS = frozenset(
    {
        "scenario-no-effect", "scenario-demand-applies", "scenario-kind", "scenario-kind-required",
        "scenario-energy-price", "scenario-price-apart", "scenario-bound", "scenario-cooling",
        "scenario-discounts", "scenario-lead", "scenario-year", "scenario-years-apart",
        "scenario-expired", "quotes-left-out", "quotes-hidden-rows", "quotes-hidden-columns",
        "quotes-no-text", "quotes-merged", "quotes-encoding", "quotes-formats", "quotes-net",
        "quotes-converted", "quotes-support", "quotes-answered",
    }
)  # fmt: skip
"""What the reader of scenarios may remark."""
