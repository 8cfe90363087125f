"""The commands simulate and check-schedule: waits by hand, options, and input that is hostile."""

from __future__ import annotations

import gzip
import json
import shlex
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from click.testing import CliRunner, Result

from planner.cli.main import main
from planner.cli.simulate_options import POLICIES as NAMES
from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.simulation.simulate import simulate
from scenarios.job_logs.cleaning import Cleaning
from tests.planner.cli.commands import answered, ran

# On 4 processors. EASY: job 2 has 100 s reserved; job 3 would end at 62 s and starts at once; job 4
# would end at 242 s, with no processor left over at 100 s. FCFS: jobs 3 and 4 start behind job 2.
LOG = """number,submit,run,processors,requested,user
1,0,100,3,100,ann
2,1,50,4,50,bob
3,2,40,1,60,ann
4,3,10,1,200,bob
"""


def run(*words: str) -> Result:
    return ran("simulate", *words)


def found(*words: str) -> dict[str, Any]:
    return answered("simulate", *words)


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "log.csv"
    path.write_text(LOG)
    return str(path)


def many(path: Path, jobs: int = 300) -> str:
    """A busy log of four users, whose requests are up to four times their run times."""
    rng = np.random.default_rng(7)
    lines = ["number,submit,run,processors,requested,user"]
    submit = 0
    for number in range(1, jobs + 1):
        submit += int(rng.integers(0, 60))
        run = int(rng.integers(1, 400))
        settings = run + int(rng.integers(0, 3 * run + 1))
        size, user = rng.integers(1, 17), rng.integers(0, 4)
        lines.append(f"{number},{submit},{run},{size},{settings},u{user}")
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_the_command_knows_every_policy() -> None:
    assert set(NAMES) == set(POLICIES)


# Answers


def test_one_policy_is_a_flat_object_with_the_waits_worked_by_hand(log: str) -> None:
    answer = found(log, "--processors", "4")
    assert (answer["policy"], answer["estimates"], answer["jobs"]) == ("easy", "user", 4)
    assert answer["mean_wait_s"] == (0 + 99 + 0 + 147) / 4
    assert answer["max_wait_s"] == 147
    assert answer["makespan_s"] == 160
    assert answer["utilisation"] == 550 / (4 * 160)
    assert "simulation_seconds" not in answer
    assert answer["machine_processors"] == 4
    assert len(answer["sha256"]) == 64
    assert answer["counts"]["jobs read"] == 4


def test_several_policies_are_a_list_in_the_order_asked_for(log: str) -> None:
    answer = found(log, "--processors", "4", "--policy", "fcfs", "--policy", "easy")
    assert [item["policy"] for item in answer["policies"]] == ["fcfs", "easy"]
    assert answer["policies"][0]["mean_wait_s"] == (0 + 99 + 148 + 147) / 4
    assert answer["policies"][0]["utilisation"] == 550 / (4 * 190)
    assert answer["comparisons"] == []  # 4 jobs are too few
    headline = answer["study"]["headline"]
    assert headline["kind"] == "shortest"
    assert headline["values"] == {
        "best": ["easy"], "mean": 61.5, "next": "fcfs", "longer": 98.5 - 61.5, "quantity": "wait",
    }  # fmt: skip


def test_why_a_job_waited_is_told_by_policy(log: str) -> None:
    words = (log, "--processors", "4", "--policy", "easy", "--policy", "fcfs", "--explain", "4")
    printed = run(*words).stdout
    assert "Job 4 under EASY: submitted at 3 s, started at 150 s" in printed
    assert "3 s: needs 1 processor, 0 are free" in printed
    assert "42 s: job 2 has a reservation at 100 s; this job would end at 242 s" in printed
    assert "Job 4 under FCFS" in printed
    content = found(*words)["explanations"]
    assert [item["policy"] for item in content] == ["easy", "fcfs"]
    assert [item["reason"] for item in content[0]["looks"]] == ["short", "delays", "short"]


def test_processors_set_aside_are_planned_around_and_outages_kill(log: str) -> None:
    # nobody can start before 50 s; then 1 (50-150) and 3; 2 (150-200); 4 behind it
    set_aside = found(log, "--processors", "4", "--unavailable", "0:50:4")
    assert set_aside["mean_wait_s"] == (50 + 149 + 48 + 197) / 4
    assert set_aside["jobs_killed"] == 0
    # at 10 s all processors go: jobs 1 and 3 are cut, 2 starts at 20 s, 4 behind it
    out = found(log, "--processors", "4", "--unavailable", "10:20:4:outage")
    assert out["jobs_killed"] == 2
    assert out["core_hours_killed"] == pytest.approx((3 * 10 + 8) / 3600)


def test_the_warm_up_is_not_measured(tmp_path: Path) -> None:
    path = many(tmp_path / "many.csv")
    share = found(path, "--processors", "16", "--warm-up", "0.1", "--cool-down", "0.1")
    assert (share["jobs"], share["jobs_left_out"]) == (240, 60)
    auto = found(path, "--processors", "16", "--warm-up", "auto")
    assert auto["rule"] == "MSER-5 on the wait series"
    assert auto["jobs"] + auto["jobs_left_out"] == 300


def test_a_run_beyond_its_request_is_cut_raised_or_left_out(tmp_path: Path) -> None:
    path = tmp_path / "over.csv"
    path.write_text("number,submit,run,processors,requested\n1,0,100,1,60\n2,5,10,1,10\n")
    words = (str(path), "--processors", "2")
    cut, raised, out = (found(*words, "--overruns", item) for item in ("kill", "keep", "leave-out"))
    assert (cut["jobs_killed"], cut["makespan_s"]) == (1, 60)
    assert (raised["jobs_killed"], raised["makespan_s"]) == (0, 100)
    assert (out["jobs"], out["makespan_s"]) == (1, 10)


@pytest.mark.parametrize("model", ["lublin", "poisson-small", "poisson-large", "poisson-random"])
def test_a_model_draws_a_log_from_its_seed(model: str) -> None:
    first = found(model, "--jobs", "50", "--seed", "3")
    assert first["jobs"] == 50
    assert first["sha256"] == ""
    words = "Lublin-Feitelson model" if model == "lublin" else "Poisson model of "
    assert f"Simulated on a synthetic log ({words}" in first["summary"]
    assert "seed 3" in first["source"]
    assert found(model, "--jobs", "50", "--seed", "3") == first
    assert found(model, "--jobs", "50", "--seed", "4") != first


def test_workers_change_nothing() -> None:
    words = ["lublin", "--jobs", "300"]
    words += [word for name in NAMES for word in ("--policy", name)]
    one, two = (found(*words, "--workers", item) for item in ("1", "3"))
    assert one == two
    planned = {item["policy"] for item in one["policies"] if item["estimates"] == "tsafrir"}
    assert planned == {"easy++", "easy++-pass"}


# Schedules


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_a_schedule_comes_back_through_the_checker(tmp_path: Path, suffix: str) -> None:
    path = many(tmp_path / "many.csv", 120)
    words = [word for name in ("fcfs", "easy", "conservative") for word in ("--policy", name)]
    done = run(
        path, "--processors", "16", *words, "--write-schedule", str(tmp_path / f"out{suffix}")
    )
    assert done.exit_code == 0, done.output
    for name in ("fcfs", "easy", "conservative"):
        file = str(tmp_path / f"out-{name}{suffix}")
        checked = check(file, "--processors", "16", "--policy", name)
        message = f"The checker found no violation of the rules of {name}.\n"
        assert (checked.exit_code, checked.stdout) == (0, message)
    other = check(str(tmp_path / f"out-easy{suffix}"), "--processors", "16", "--policy", "fcfs")
    assert other.exit_code == 1
    assert "overtakes job" in other.stdout


def test_parquet_is_written_for_others_and_the_checker_says_what_it_takes(
    log: str, tmp_path: Path
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "out.parquet"
    assert run(log, "--processors", "4", "--write-schedule", str(path), "-q").exit_code == 0
    assert parquet.read_table(path)["start"].to_pylist() == [0, 100, 2, 150]
    refused = check(str(path), "--processors", "4")
    assert refused.exit_code == 2
    assert "out.parquet: is a Parquet file; use CSV" in refused.output


def check(*words: str) -> Result:
    done = CliRunner().invoke(main, ["check-schedule", *words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def test_a_schedule_of_one_policy_keeps_its_name_and_faults_are_found(
    log: str, tmp_path: Path
) -> None:
    path = tmp_path / "one.csv"
    assert run(log, "--processors", "4", "--write-schedule", str(path), "-q").stdout == ""
    assert path.read_text().splitlines()[3] == "3,2,2,40,1,60,42,0,40,1.0,0,0,"
    crowded = check(str(path), "--processors", "3", "--json")
    assert crowded.exit_code == 1
    kinds = {name["kind"] for name in json.loads(crowded.stdout)["violations"]}
    assert kinds
    text = path.read_text().replace("4,3,150,10,1,200", "4,3,42,10,1,200")  # delays job 2
    path.write_text(text)
    assert check(str(path), "--processors", "4").exit_code == 0
    early = check(str(path), "--processors", "4", "--policy", "easy", "--json")
    assert early.exit_code == 1
    assert {name["job"] for name in json.loads(early.stdout)["violations"]} >= {4}


def test_a_schedule_with_perfect_estimates_is_judged_by_them(tmp_path: Path) -> None:
    path, out = many(tmp_path / "many.csv", 120), str(tmp_path / "out.csv")
    words = ("--processors", "16", "--policy", "easy", "--estimates", "perfect")
    assert run(path, *words, "--write-schedule", out, "--check").exit_code == 0
    assert check(out, *words).exit_code == 0
    assert check(out, *words[:4]).exit_code == 1


EVERY = "the rules of every schedule"
CHECKS = [
    ("--policy easy --policy fcfs", ["easy", "fcfs"]),
    ("--policy easy --event-order batch", ["easy"]),
    ("--policy easy --reservations 3", []),
    ("--policy easy --reservations 0", []),
    ("--policy easy --estimates tsafrir", []),
    ("--policy conservative --unavailable 500:900:9 --policy sjf", []),
    ("--policy easy --unavailable 500:900:9:outage --unavailable 800:1500:7:outage", []),
    (
        "--policy easy++ --policy sjf-easy --policy largest --policy fcfs --node-processors 4",
        ["fcfs"],
    ),
]


@pytest.mark.parametrize(("words", "said"), CHECKS)
def test_the_checker_says_what_it_looked_for_and_accuses_nobody(
    tmp_path: Path, words: str, said: list[str]
) -> None:
    path = many(tmp_path / "many.csv")
    done = run(path, "--processors", "16", *shlex.split(words), "--check")
    assert done.exit_code == 0, done.output
    assert "The independent checker found no violation" in done.stdout
    answer = found(path, "--processors", "16", *shlex.split(words), "--check")
    assert (answer["checked"], answer["violations"]) == (said, [])


def test_a_schedule_file_without_a_start_that_fits_or_without_jobs_is_told(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("job,submit,start,run,processors,requested\n1,0,,5,4,5\n2,0,-1,5,9,5\n")
    done = check(str(path), "--processors", "8", "--json")
    assert done.exit_code == 1
    loaded = json.loads(done.stdout)
    assert [(item["job"], item["kind"]) for item in loaded["violations"]] == [(1, "never started")]
    assert (loaded["jobs"], loaded["checked"]) == (2, EVERY)
    path.write_text("job,submit,start,run,processors,requested\n")
    done = check(str(path), "--processors", "8")
    assert (done.exit_code, done.output) == (
        2,
        "s.csv: contains no jobs below the headings; add them\n",
    )


def test_a_schedule_that_takes_no_notice_of_an_outage_is_told(
    log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deaf(log: Any, policy: Any, **rules: Any) -> Any:
        return simulate(log, policy, **rules | {"unavailable": ()})

    monkeypatch.setattr("planner.scheduling.simulation.study.simulate", deaf)
    done = run(log, "--processors", "4", "--unavailable", "10:20:4:outage", "--check")
    assert done.exit_code == 1
    assert "at 10 s, job 3: from 10 s to 20 s up to 8 processors are in use or taken" in done.stdout


def test_the_checker_s_word_stands_in_the_answer(log: str) -> None:
    assert found(log, "--processors", "4", "--check")["violations"] == []
    assert "violations" not in found(log, "--processors", "4")


# How the log is cleaned, and what is written


DIRTY = """number,submit,run,processors,requested,user
1,0,100,3,60,ann
2,1,0,4,50,bob
3,2,40,1,60,ann
3,2,20,1,60,bob
"""


@pytest.fixture
def dirty(tmp_path: Path) -> str:
    path = tmp_path / "dirty.csv"
    path.write_text(DIRTY)
    return str(path)


def test_every_rule_of_cleaning_has_its_choice(dirty: str) -> None:
    refused = run(dirty, "--processors", "4")
    assert refused.exit_code == 2
    remedy = "keep one with --clean duplicates=first or --clean duplicates=last"
    assert remedy in refused.output
    words = (dirty, "--processors", "4", "--clean")
    first = found(*words, "duplicates=first")
    assert (first["jobs"], first["jobs_killed"], first["makespan_s"]) == (2, 1, 60)
    assert first["counts"]["left out: a run time of 0"] == 1
    last = found(*words, "duplicates=last", "--clean", "zero_run=keep")
    # job 2 takes all processors for an instant at 60 s, behind job 1; job 3 asks for 60 s and would
    # end at 63 s: it starts behind job 2
    assert (last["jobs"], last["makespan_s"], last["mean_wait_s"]) == (3, 80, (59 + 58) / 3)
    for leave_out in ("leave out", "leave-out"):
        without = found(*words, "duplicates=last", "--clean", f"overruns={leave_out}")
        assert (without["jobs"], without["makespan_s"]) == (1, 20)
    remaining = found(*words, "duplicates=first", "--overruns", "keep")
    assert remaining["makespan_s"] == 100


def test_the_manual_lists_every_rule_of_cleaning_with_its_choices() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "simulate.md").read_text(encoding="utf-8")
    for rule, kind in get_type_hints(Cleaning).items():
        default = getattr(Cleaning(), rule)
        choices = [default, *(get_arg for get_arg in get_args(kind) if get_arg != default)]
        listed = {f"`{choice.replace(' ', '-')}`" for choice in choices}
        row = next(line for line in manual.splitlines() if line.startswith("|") and
                   f"`{rule}`" in line.split("|")[1])  # fmt: skip
        content = row.split("|")[2].split(", ")
        assert {item.strip() for item in content} == listed
        assert content[0].strip() == f"`{default.replace(' ', '-')}`"


def test_dates_are_read_in_the_zone_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    # on that night clocks go back from 03:00 to 02:00
    lines = ["job,submit,start,run,processors,requested"]
    lines += ["1,2026-10-25T01:30:00,2026-10-25T03:30:00,60,4,60"]
    lines += ["2,2026-10-25T03:30:00,2026-10-25T03:30:00,60,4,60"]
    path.write_text("\n".join(lines) + "\n")
    words = (str(path), "--processors", "4")
    assert found(*words)["makespan_s"] == 2 * 3600 + 60
    assert found(*words, "--zone", "Europe/Berlin")["makespan_s"] == 3 * 3600 + 60
    wrong = run(*words, "--zone", "Europe/Nowhere")
    assert wrong.exit_code == 2
    assert "there is no time zone 'Europe/Nowhere'" in wrong.output
    swf = tmp_path / "log.swf"
    swf.write_text("1 0 -1 60 4 -1 -1 4 60 -1 1 1 -1 -1 -1 -1 -1 -1\n")
    assert "--zone is for times with a date" in run(str(swf), "--zone", "UTC").output


@pytest.mark.parametrize(
    "words", ["--form csv", "--column run_s=run", "--clean zero_run=keep", "--overruns kill",
              "--zone UTC"],
)  # fmt: skip
def test_options_of_files_are_refused_for_drawn_logs(words: str) -> None:
    refused = run("lublin", "--jobs", "5", *words.split())
    assert refused.exit_code == 2
    assert f"{words.split(maxsplit=1)[0]} is for a log in a file" in refused.output


def test_schedules_are_written_for_every_policy(log: str, tmp_path: Path) -> None:
    words = ("--processors", "3", "--policy", "easy", "--policy", "fcfs", "-q")
    assert run(log, *words, "--write-schedule", str(tmp_path / "jobs.csv")).exit_code == 0
    easy, fcfs = ((tmp_path / f"jobs-{name}.csv").read_text() for name in ("easy", "fcfs"))
    assert easy.splitlines()[2] == '2,1,-1,50,4,50,,,,,1,0,"takes 4 processors, more than 3"'
    assert easy.splitlines()[1] == fcfs.splitlines()[1] == "1,0,0,100,3,100,100,0,100,1.0,0,0,"
    assert not (tmp_path / "jobs.csv").exists()


@pytest.mark.parametrize("name", ["again.swf", "again.swf.gz"])
def test_the_log_is_written_as_it_was_simulated(dirty: str, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    words = ("--processors", "4", "--clean", "duplicates=last")
    first = found(dirty, *words, "--write-log", str(path))
    assert path.read_bytes().startswith(b"\x1f\x8b") is name.endswith(".gz")
    again = found(str(path), "--processors", "4")
    assert again["counts"] == {"jobs read": 2, "jobs kept": 2}
    same = ("jobs", "makespan_s", "mean_wait_s", "utilisation", "users")
    assert [again[key] for key in same] == [first[key] for key in same]


def test_a_drawn_log_is_written_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "drawn.swf"
    drawn = found("lublin", "--jobs", "200", "--write-log", str(path))
    again = found(str(path))
    assert again["machine_processors"] == 256
    assert again["mean_wait_s"] == drawn["mean_wait_s"]
    assert drawn["source"] == "simulated on a synthetic log (Lublin-Feitelson model, seed 0)"
    assert again["source"] == (
        "simulated on the log in drawn.swf, which its header calls synthetic (Lublin-Feitelson "
        "model, seed 0)"
    )
    assert "its header calls it synthetic: Lublin-Feitelson model, seed 0" in again["summary"]
    third = tmp_path / "third.swf"  # the header keeps the origin, whatever is done to the log
    run(str(path), "--overruns", "keep", "--write-log", str(third), "-q")
    assert "; Synthetic: Lublin-Feitelson model, seed 0\n" in third.read_text()


def test_a_log_of_before_is_synthetic_by_its_note(tmp_path: Path) -> None:
    path = tmp_path / "old.swf"
    run("lublin", "--jobs", "50", "--write-log", str(path), "-q")
    old = path.read_text().replace("Synthetic: Lublin-Feitelson model,", "Note: drawn,")
    path.write_text(old)
    assert "which its header calls synthetic (seed 0)" in found(str(path))["source"]


def test_no_log_is_called_real(log: str) -> None:
    answer = found(log, "--processors", "4")
    assert answer["source"] == "simulated on the log in log.csv"
    assert "real" not in run(log, "--processors", "4").stdout


def test_no_file_is_written_in_the_place_of_the_log_or_of_another(
    log: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    named = tmp_path / "log-fcfs.csv"
    named.write_text(LOG)
    (tmp_path / "link.csv").symlink_to(log)
    (tmp_path / "hard.csv").hardlink_to(log)
    several = ("--policy", "easy", "--policy", "fcfs")
    for words, whose in (
        ((log, "--write-schedule", "log.csv"), "LOG"),
        ((log, "--write-schedule", "./log.csv"), "LOG"),
        ((log, "--write-log", log), "LOG"),
        ((log, "--write-log", "link.csv"), "LOG"),
        ((log, "--write-log", "hard.csv"), "LOG"),
        ((str(named), *several, "--write-schedule", "log.csv"), "LOG"),
        ((log, "--write-schedule", "out.csv", "--write-log", "out.csv"), "--write-schedule"),
    ):
        refused = run(*words, "--processors", "4")
        assert refused.exit_code == 2
        assert f"is also the file of {whose}; give another name" in refused.output
    assert Path(log).read_text() == named.read_text() == LOG
    assert not (tmp_path / "out.csv").exists()


def test_submitted_jobs_are_ended_killed_or_rejected(tmp_path: Path) -> None:
    path = tmp_path / "busy.csv"
    many(path)
    lines = path.read_text().splitlines()
    rows = [line.split(",") for line in lines[1:]]
    over = 0
    for row in rows[::7]:
        row[4] = str(max(1, int(row[2]) // 2))
        over += int(row[2]) > int(row[4])
    path.write_text("\n".join([lines[0], *(",".join(row) for row in rows)]) + "\n")
    machine, large = 12, [row[0] for row in rows if int(row[3]) > 12]
    words = (str(path), "--processors", str(machine), "--policy", "easy", "--policy", "fcfs",
             "--unavailable", "2000:4000:12:outage", "--warm-up", "0.4", "--check")  # fmt: skip
    answer = found(*words)
    assert over > 20
    assert len(large) > 20
    assert set(answer["rejected"]) == set(large)
    assert answer["rejected"][large[0]].endswith("processors, more than 12")
    assert answer["violations"] == []
    cut = sum(int(row[2]) > int(row[4]) and int(row[3]) <= machine for row in rows)
    for item in answer["policies"]:
        assert item["jobs_submitted"] == 300
        assert item["jobs_rejected"] == len(large)
        assert item["jobs_started"] == item["jobs"] + item["jobs_left_out"]
        assert item["jobs_started"] == item["jobs_ended"] + item["jobs_killed_in_all"]
        assert item["jobs_submitted"] == item["jobs_started"] + item["jobs_rejected"]
        assert item["jobs_killed_in_all"] > item["jobs_killed"]
        assert item["jobs_killed_in_all"] > cut - 1  # those cut at their requests, and some more
        assert item["jobs_left_out"] > 0


# Compiling


# What cannot be


HOSTILE = [
    ("--processors 0", 2, "is not in the range"),
    ("--processors 99999999999999999999999", 2, "is not in the range"),
    ("--processors 7 --node-processors 2", 2, "not a multiple of 2 per node"),
    ("--explain 99", 2, "has no job 99; it has 4 jobs, numbered 1 to 4"),
    ("--explain 1 --unavailable 0:5:1", 2, "--explain does not work with --unavailable"),
    ("--explain 1 --reservations 2", 2, "--explain does not work with --reservations"),
    ("--explain 1 --policy sjf-easy", 2, "sjf-easy cannot be explained"),
    ("--warm-up auto", 2, "cannot show a warm-up"),
    ("--warm-up 1", 2, "neither auto nor a share"),
    ("--warm-up nan", 2, "neither auto nor a share"),
    ("--warm-up 0.6 --cool-down 0.6", 2, "leave no jobs"),
    ("--cool-down nan", 2, "'nan' is not a share"),
    ("--unavailable 1:2", 2, "is not FROM:TO:PROCESSORS"),
    ("--unavailable 9:2:1", 2, "is impossible"),
    ("--unavailable 1:2:5", 2, "is impossible"),
    ("--unavailable 1:2:9999999999999999999", 2, "is not FROM:TO:PROCESSORS"),
    ("--unavailable 1:2:²", 2, "is not FROM:TO:PROCESSORS"),
    ("--reservations 2 --policy fcfs", 2, "has no number of reservations"),
    ("--policy easy --policy easy", 2, "each once"),
    ("--policy sjf --estimates tsafrir", 1, "does not plan with predictions"),
    ("--policy easy++ --unavailable 1:2:1", 1, "predictions do not work with outages"),
    ("--jobs 5", 2, "--jobs is for synthetic logs"),
    ("--load 0.5", 2, "--load is for synthetic logs"),
    ("--write-schedule out.txt", 2, "ends in .csv, .csv.gz or .parquet"),
    ("--write-schedule missing/out.csv", 2, "missing is not a folder"),
    ("--window 3:9", 2, "in the report; add -o"),
    ("--window 9:3 -o out", 2, "is not FROM:TO"),
    ("--window x -o out", 2, "is not FROM:TO"),
    ("--write-schedule nowhere/out.csv", 2, "nowhere is not a folder"),
    (
        "--write-log nowhere/out.swf",
        2,
        "nowhere is not a folder; create it, or choose another for the",
    ),
    ("--write-log .", 2, "is a folder; give a file for the log"),
    ("--clean zero=keep", 2, "rule 'zero' is unknown; did you mean 'zero_run'?"),
    ("--clean xyz=keep", 2, "there are no_submit, no_processors, zero_run, cancelled, failed,"),
    (
        "--clean zero_run=fault",
        2,
        "'fault' is not a choice of zero_run; choose one of leave-out, keep",
    ),
    ("--clean zero_run", 2, "is not NAME=VALUE"),
    ("--clean zero_run=keep --clean zero-run=keep", 2, "zero_run is given twice; keep one"),
    ("--overruns kill --clean overruns=kill", 2, "are the same option; keep one"),
    ("--column run=nothing", 2, "there is no column 'run'; did you mean 'run_s'"),
]


@pytest.mark.parametrize(("words", "status", "said"), HOSTILE, ids=[item[0] for item in HOSTILE])
def test_what_cannot_be_is_refused_with_its_reason(
    log: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, status: int, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    machine = () if "--processors" in words else ("--processors", "4")
    done = run(log, *machine, *shlex.split(words))
    assert done.exit_code == status, done.output
    assert said in " ".join(done.output.split())
    assert [path.name for path in tmp_path.iterdir()] == ["log.csv"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "contains no jobs; give a job log"),
        (b"; MaxProcs: 4\n", "no job"),
        (b"\x00\xff\xfe binary", ""),
        (gzip.compress(b"; MaxProcs: 4\n", mtime=0)[:-6], ""),
        (b"1 0 -1 -1 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1\n", ""),
    ],
)
def test_a_log_without_jobs_is_refused(tmp_path: Path, text: bytes, said: str) -> None:
    path = tmp_path / "log.swf"
    path.write_bytes(text)
    done = run(str(path), "--processors", "4")
    assert done.exit_code == 2, done.output
    assert said in done.output
    assert "log.swf" in done.output


def test_unknown_traces_and_models_are_named() -> None:
    assert "does not exist" in run("nowhere.swf").output
    wrong = run("poisson-big")
    assert wrong.exit_code == 2
    assert "choose one of lublin, poisson-small, poisson-large, poisson-random" in wrong.output
    assert run("poisson-small", "--load", "0.5").exit_code == 2


def test_a_machine_of_unknown_size_is_asked_for(log: str) -> None:
    done = run(log)
    assert done.exit_code == 2
    assert "--processors" in done.output


def test_one_job_waits_for_nobody() -> None:
    answer = found("poisson-random", "--jobs", "1")
    assert (answer["jobs"], answer["max_wait_s"]) == (1, 0)
    assert answer["study"]["confidence"][-1]["kind"] == "too-few"


def test_jobs_larger_than_the_machine_are_rejected_and_counted() -> None:
    answer = found("poisson-large", "--processors", "8", "--policy", "easy", "--policy", "fcfs")
    assert [item["jobs_rejected"] for item in answer["policies"]] == [30, 30]
    assert answer["policies"][0]["mean_wait_s"] is None
    larger, rejected = answer["warnings"]
    assert larger == (
        "Most jobs are larger than the machine of 8 processors: 30 of 30 jobs. Check its size in "
        "the header, or give --processors."
    )
    assert "takes 56 processors, more than 8" in rejected
    assert answer["study"]["headline"]["kind"] == "no-start"
    assert run("poisson-large", "--processors", "8").exit_code == 0


def test_a_huge_machine_lets_every_job_start_at_once(log: str) -> None:
    answer = found(log, "--processors", str(10**9))
    assert answer["max_wait_s"] == 0


def test_partitions_run_on_clusters_of_their_own(tmp_path: Path) -> None:
    rows = "job,submit,run,processors,requested,partition\n"
    rows += "".join(f"{n},0,10,2,10,{'gpu' if n % 2 else 'cpu'}\n" for n in range(1, 7))
    (tmp_path / "log.csv").write_text(rows)
    clusters = ["--cluster", "gpu=2", "--cluster", "cpu=4"]
    log = str(tmp_path / "log.csv")
    answer = found(log, *clusters, "--check")
    # The three jobs of gpu run one after the other, of those of cpu two at a time.
    assert answer["machine_processors"] == 6
    assert (answer["makespan_s"], answer["mean_wait_s"], answer["violations"]) == (30, 40 / 6, [])
    rows_of = [(row["policy"], row["partition"], row["processors"], row["jobs"], row["mean_wait_s"],
                row["makespan_s"]) for row in answer["partitions"]]  # fmt: skip
    # Of gpu 0, 10 and 20 s: 30 / 3; of cpu 0, 0 and 10 s.
    assert rows_of == [("easy", "gpu", 2, 3, 10, 30), ("easy", "cpu", 4, 3, 10 / 3, 20)]
    printed = " ".join(run(log, *clusters, "--policy", "easy", "--policy", "fcfs").stdout.split())
    assert printed.count("gpu 2 3 10.00 s") == printed.count("cpu 4 3 3.33 s") == 2
    trimmed = found(log, *clusters, "--warm-up", "0.5")  # jobs 4, 5 and 6 are measured
    assert [row["jobs"] for row in trimmed["partitions"]] == [1, 2]
    assert "partitions" not in found(log, "--processors", "4")
    one = run(log, *clusters[:2], "--explain", "3")
    assert "first in the queue" in one.output
    assert "is of partition cpu, which has no cluster" in one.output
    both = run(log, *clusters, "--processors", "4")
    assert both.exit_code == 2
    assert "remove --processors" in both.output
    wrong = run(log, "--cluster", "tpu=4")
    assert wrong.exit_code == 2
    assert "no jobs of a partition 'tpu'" in wrong.output


def test_requests_of_drawn_logs_are_as_rough_as_asked(tmp_path: Path) -> None:
    drawn = ["lublin", "--jobs", "300", "--load", "1.2"]
    exact, perfect = (found(*drawn, *more) for more in ((), ("--estimates", "perfect")))
    assert exact["mean_wait_s"] == perfect["mean_wait_s"]
    rough = [*drawn, "--estimate-factor", "4"]
    assert found(*rough)["mean_wait_s"] != found(*rough, "--estimates", "perfect")["mean_wait_s"]
    (tmp_path / "a.swf").write_text(
        "; MaxProcs: 4\n1 0 -1 5 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1\n"
    )
    refused = run(str(tmp_path / "a.swf"), "--estimate-factor", "4")
    assert refused.exit_code == 2
    assert "--estimate-factor is for synthetic logs" in refused.output


def test_easy_plus_plus_says_that_it_can_starve_jobs_and_the_variant_does_not() -> None:
    words = ("poisson-random", "--policy", "easy++", "--policy", "easy++-pass")
    kinds = [each["kind"] for each in found(*words)["study"]["findings"]]
    assert kinds.count("starving") == 1
