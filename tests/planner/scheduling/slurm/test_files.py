"""The exported files, and the page about them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from planner.scheduling.slurm.files import slurm_conf, slurm_files, write_slurm_files
from tests.planner.scheduling.slurm.exports import table_5_2

PAGE = (Path(__file__).parents[4] / "docs" / "slurm.md").read_text(encoding="utf-8")


def test_the_example_of_the_page_writes_the_files_of_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(code, "slurm.md", "exec"), {})
    names = {Path(line).name for line in capsys.readouterr().out.split()}
    assert names == {path.name for path in (tmp_path / "slurm").iterdir()}
    assert names <= {*re.findall(r"`([A-Za-z_.]+)`", PAGE)}
    assert "1,sp,6,16,115,447.9,796.4\n" in (tmp_path / "slurm" / "headroom_jobs.csv").read_text()


def test_the_bound_is_rounded_down_and_backfill_plans_licences() -> None:
    conf = slurm_conf(replace(table_5_2(), bound_w=1999.9, backfill_interval_s=90))
    assert "Licenses=watt:1999\n" in conf
    assert "bf_licenses,bf_job_part_count_reserve=1,bf_continue,bf_interval=90," in conf
    assert "bf_resolution=60\n" in conf


@pytest.mark.parametrize("rule", ["traditional", "naive", "adaptive"])
def test_the_readme_says_what_slurm_keeps_and_names_the_agent_only_for_adaptive(rule: str) -> None:
    export = table_5_2(rule)
    text = slurm_files(export)["README.md"]
    assert "It does not enforce caps on\nhardware" in text
    assert ("planner.scheduling.slurm.agent" in text) == (rule == "adaptive")
    has_share = rule != "traditional"
    assert ("refused at submission" in text) == has_share
    cheapest = slurm_files(replace(export, fallback="cheapest"))["README.md"]
    assert ("`raised`" in cheapest) == has_share
    assert (
        "otherwise it is `sp`"
        in slurm_files(replace(export, default_application="sp"))["README.md"]
    )


def test_files_are_written_over_other_ones_by_force_only(tmp_path: Path) -> None:
    for bound_w, force in ((3000.0, False), (3000.0, False), (2000.0, True)):
        export = replace(table_5_2(), bound_w=bound_w)
        paths = write_slurm_files(export, tmp_path / "a" / "b", force=force)
    with pytest.raises(FileExistsError, match="other content"):
        write_slurm_files(replace(export, bound_w=3000.0), tmp_path / "a" / "b")
    assert "bound_w,2000" in (tmp_path / "a" / "b" / "headroom_settings.csv").read_text()
    assert sorted(paths) == sorted((tmp_path / "a" / "b").iterdir())
