"""``headroom colocate CO-RUNS --profiles FILE``: the same as from Python, and what is refused."""

from __future__ import annotations

import json
from dataclasses import fields
from inspect import signature
from pathlib import Path

import pandas as pd
import pytest

import headroom as hr
from planner.cli.colocate_gate import GateOptions
from planner.cli.colocate_kinds import GATE
from planner.cli.typed import parameters
from tests.example_inputs import PAIRS, write_gate_tables
from tests.planner.cli.commands import ran
from tests.planner.sharing_nodes.gate.cases import REFERENCES, tables

WORDS = ("co-runs.csv", "--profiles", "profiles.csv")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_gate_tables(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_options_are_the_parameters_of_python_with_the_same_defaults() -> None:
    python = signature(hr.gate).parameters
    own = {field.name for field in fields(GateOptions)}
    assert own | {"pairs", "sheet", "seed"} == {*python}
    for parameter in parameters(GateOptions):
        name = str(parameter.name)
        assert parameter.opts[0] == "--" + name.replace("_", "-")
        if name in ("bad_share", "limit", "basis"):  # the others have none
            assert parameter.default == python[name].default


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ((), {}),
        (("--limit", "1.1", "--bad-share", "20%"), {"limit": 1.1, "bad_share": 0.2}),
        (("--references", "MD, cfd,io", "--bad-share", "0.3"),
         {"references": ["md", "cfd", "io"], "bad_share": 0.3}),
        (("--basis", "step", "--seed", "3"), {"basis": "step", "seed": 3}),
    ],
)  # fmt: skip
def test_the_json_is_that_of_python(
    folder: Path, words: tuple[str, ...], options: dict[str, object]
) -> None:
    done = ran("colocate", *WORDS, *words, "--json")
    assert done.exit_code == 0, done.output
    study = hr.gate(folder / "co-runs.csv", folder / "profiles.csv", **options)  # type: ignore[arg-type]
    from_command, plain = json.loads(done.stdout), json.loads(json.dumps(study.to_dict()))
    assert from_command["study"]["provenance"].pop("words")[0] == "colocate"
    assert from_command == plain


def test_both_tables_may_be_sheets_of_one_workbook(folder: Path) -> None:
    co_runs, profiles = tables()
    with pd.ExcelWriter(folder / "both.xlsx", engine="xlsxwriter") as book:
        co_runs.to_excel(book, sheet_name="co-runs", index=False)
        profiles.to_excel(book, sheet_name="profiles", index=False)
    words = ("colocate", "both.xlsx", "--profiles", "both.xlsx", "--json")
    own, other = ("--sheet", "co-runs"), ("--profiles-sheet", "profiles")
    names = ("--references", ",".join(REFERENCES))
    done = ran(*words, *own, *other, *names)
    assert done.exit_code == 0, done.output
    expected = hr.gate(co_runs, profiles, references=REFERENCES)
    keys = ("application", "partner", "decision")  # a workbook rounds the numbers to 15 digits
    assert [[row[key] for key in keys] for row in json.loads(done.stdout)["decisions"]] == [
        [row[key] for key in keys] for row in expected.tables()["decisions"]
    ]
    assert "choose one with --sheet" in ran(*words).output
    assert "choose one with --profiles-sheet" in ran(*words, *own).output
    assert "no sheet 'profile'" in ran(*words, *own, "--profiles-sheet", "profile").output


def test_the_terminal_shows_the_decisions_and_the_report_its_command(folder: Path) -> None:
    shown = ran("colocate", *WORDS, "--bad-share", "20%", "-o", "out")
    assert shown.exit_code == 0, shown.output
    assert "3 of 3 pairs may share" in shown.output
    assert "Report: out/report.pdf" in shown.output
    written = json.loads((folder / "out" / "colocate.json").read_text(encoding="utf-8"))
    assert {row["decision"] for row in written["decisions"]} == {"share"}
    study = hr.gate("co-runs.csv", "profiles.csv", bad_share=0.2)
    assert study.study.provenance.words == ()
    assert len(study.study.provenance.inputs["profiles.csv"]) == 64


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("missing.csv", "--profiles", "profiles.csv"), "missing.csv: does not exist"),
        (("co-runs.csv", "--profiles", "missing.csv"), "missing.csv: does not exist"),
        (("profiles.csv", "--profiles", "profiles.csv"), "profiles.csv has no column 'a'"),
        (("co-runs.csv", "--profiles", "co-runs.csv"), "co-runs.csv has no column 'application'"),
        (("one.csv", "--profiles", "profiles.csv"), "with each other: 1 measured; measure at"),
        (("co-runs.csv", "--profiles", "short.csv"), "'sort' has no profile; add a row to short"),
        ((*WORDS, "--limit", "0.5"), "--limit"),
        ((*WORDS, "--limit", "1e400"), "limit = inf"),
        ((*WORDS, "--bad-share", "0"), "0 is not in the range"),
        ((*WORDS, "--bad-share", "20"), "20 is not in the range"),
        ((*WORDS, "--basis", "hours"), "there are job, step"),
        ((*WORDS, "--references", "md,cfd,oi"), "did you mean 'io'"),
        ((*WORDS, "--references", "md,,io"), "a name is empty"),
        ((*WORDS, "--sheet", "one"), "has no sheet 'one': it is a text file"),
        ((*WORDS, "--jobs", "md"), f"or a table of pairs, and this is {GATE}"),
        ((*WORDS, "--log", "log.swf"), "--profiles has no effect here"),
        (("co-runs.csv", "--bad-share", "20%"), f"it is for {GATE}"),
        (("tangram-two-node", "--limit", "1.1"), f"it is for {GATE}"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_with_a_remedy(
    folder: Path, words: tuple[str, ...], message: str
) -> None:
    head = PAIRS.splitlines()[0]
    (folder / "one.csv").write_text(f"{head}\nmd,md,100,100,150,140\n", encoding="utf-8")
    lines = (folder / "profiles.csv").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.startswith("sort")]
    (folder / "short.csv").write_text("\n".join(kept), encoding="utf-8")
    done = ran("colocate", *words)
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())
    assert "Traceback" not in done.output
