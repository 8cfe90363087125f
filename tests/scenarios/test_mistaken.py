"""A file of another kind in the place of a scenario: the error says what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenarios import ScenarioError, load
from scenarios.sample import write_sample

TEXTS = {
    "SWF": ("; MaxProcs: 64\n1 0 -1 60 1\n", "a job log in SWF; use it with `headroom simulate`"),
    "runs": ("application,nodes,package_cap_w,time_s\na,1,50,2.0\n", "headroom configure"),
    "pairs": ("a;b;solo_a_s;solo_b_s;co_a_s;co_b_s\n", "a table of pairs"),
    "log": ("\n# jobs\njob\tsubmit_s\trun_s\n1\t2\t3\n", "a job log; use it"),
    "matrix": ("0,1,2\n1,0,3\n2,3,0\n", "a matrix of numbers; use a matrix of messages"),
    "quotes": ("Vendor,Node price,Model\n", "a table with the columns Vendor, Node price, Model"),
    "JSON": ('{"name": "x"}', "a scenario is a TOML file"),
    "scheduler": ("iteration_s = 60\n[priority]\n", "`headroom simulate --maui`"),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_a_file_of_another_kind_is_told(kind: str, tmp_path: Path) -> None:
    text, said = TEXTS[kind]
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        load(path)
    assert said in str(caught.value)
    assert "not a scenario" in str(caught.value)


@pytest.mark.parametrize("text", ["name == 3\n", "name = 'a'\nname = 'b'\n", "just words\n"])
def test_faulty_toml_is_told_as_such(text: str, tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError, match="not valid TOML"):
        load(path)


def test_a_folder_is_told_with_its_scenarios(tmp_path: Path) -> None:
    with pytest.raises(
        ScenarioError, match="it contains no scenario; `headroom init` writes an example"
    ):
        load(tmp_path)
    write_sample(tmp_path)
    with pytest.raises(
        ScenarioError, match=r"give the path of a scenario in it: .*procurement.toml"
    ):
        load(tmp_path)
