"""Commands never replace what they read, or what they did not write."""

from __future__ import annotations

import csv
import os
import shutil
import stat
from pathlib import Path

import pytest
import xlsxwriter

from scenarios.aggregation.measurements import FILES
from tests.planner.cli.commands import ran

MATRIX = "0,1,1,100\n1,0,100,1\n1,100,0,1\n100,1,1,0\n"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("given") / "sample"
    assert ran("init", str(folder)).exit_code == 0
    return folder


@pytest.fixture
def here(sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(sample, tmp_path, dirs_exist_ok=True)
    (tmp_path / "four.csv").write_text(MATRIX)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(here: Path, name: str, *words: str, said: str) -> None:
    """The command says so at once, and the file stays as it is."""
    before = (here / name).read_bytes()
    done = ran(*words)
    assert done.exit_code == 2, done.output
    assert said in done.output
    assert (here / name).read_bytes() == before
    assert not (here / "report.pdf").exists()


@pytest.mark.parametrize(
    ("result", "given", "words"),
    [
        ("configure.xlsx", "runs.csv", ("configure", "{}", "--power-bound", "3500")),
        ("share.json", "runs.csv", ("share", "{}", "--power-bound", "6000", "--nodes", "64")),
        ("place.json", "four.csv", ("place", "{}", "--nodes", "2", "--form", "matrix")),
        ("place.json", "four.csv", ("place", "four.csv", "--nodes", "2", "--messages", "{}")),
        ("simulate.json", "four.csv", ("simulate", "{}", "--form", "swf")),
        ("size.json", "four.csv", ("size", "{}", "--for", "mean-wait<=1h")),
        ("estimate.json", "four.csv", ("estimate", "{}", "--form", "swf")),
        ("simulate.json", "maui.toml", ("simulate", "lublin", "--policy", "maui", "--maui", "{}")),
    ],
)
def test_a_result_never_replaces_what_the_command_reads(
    result: str, given: str, words: tuple[str, ...], here: Path
) -> None:
    (here / given).rename(here / result)
    if given == "four.csv" and "four.csv" in words:
        (here / given).write_text(MATRIX)
    if given == "runs.csv":
        result = csv_named(here, result)
    command = [word.format(result) for word in words]
    refused(here, result, *command, "-o", ".", said=f"{result}: is ")


def csv_named(here: Path, result: str) -> str:
    """A table of runs must end in .csv, and is read through a link that does."""
    (here / "link.csv").symlink_to(here / result)
    return result


def test_a_plan_never_replaces_the_quotes_that_its_scenario_names(here: Path) -> None:
    with xlsxwriter.Workbook(str(here / "plan.xlsx"), {"strings_to_numbers": True}) as book:
        sheet = book.add_worksheet()
        with (here / "quotes.csv").open(encoding="utf-8", newline="") as stream:
            for index, row in enumerate(csv.reader(stream, delimiter=";")):
                sheet.write_row(index, 0, row)
    scenario = here / "procurement.toml"
    scenario.write_text(scenario.read_text().replace("quotes.csv", "plan.xlsx"))
    words = ("plan", "procurement.toml", "-o", ".", "--dry-run")
    refused(here, "plan.xlsx", *words, said="plan.xlsx: is an input of this run")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("four.csv", ("place", "four.csv", "--nodes", "2", "--write-rank-file", "./four.csv")),
        ("hosts", ("place", "four.csv", "--nodes", "2", "--host-file", "hosts", "--write-rank-file",
                   "hosts")),
        ("measured/program.csv", ("aggregate", "measured", "--write-rank-file",
                                  "measured/program.csv")),
        ("maui.toml", ("simulate", "lublin", "--policy", "maui", "--maui", "maui.toml",
                       "--write-log", "maui.toml")),
    ],
)  # fmt: skip
def test_a_single_file_never_replaces_what_the_command_reads(
    given: str, words: tuple[str, ...], here: Path
) -> None:
    (here / "hosts").write_text("a\nb\n")
    (here / "measured").mkdir()
    (here / "measured" / "program.csv").write_text("mine")
    refused(here, given, *words, said="give another name")


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_links_to_an_input_are_seen_through(link: object, here: Path) -> None:
    assert callable(link)
    link(here / "four.csv", here / "ranks.txt")
    words = ("place", "four.csv", "--nodes", "2", "--write-rank-file", "ranks.txt")
    refused(here, "four.csv", *words, said="is also an input")


@pytest.mark.parametrize(
    "words",
    [
        ("place", "four.csv", "--nodes", "2", "-o", "out", "--write-rank-file", "out/place.json"),
        (
            "place",
            "four.csv",
            "--nodes",
            "2",
            "-o",
            "out",
            "--write-rank-file",
            "out/rank-files/x.txt",
        ),
        ("simulate", "lublin", "-o", "out", "--write-log", "out/run.json"),
        ("aggregate", "lu", "-o", "out", "--write-rank-file", "out/report.pdf"),
    ],
)
def test_a_single_file_takes_no_place_in_the_report(words: tuple[str, ...], here: Path) -> None:
    (here / "out" / "rank-files").mkdir(parents=True)
    done = ran(*words)
    assert done.exit_code == 2
    assert "the report in out has a file of this name" in done.output


@pytest.mark.parametrize("name", ["size.json", "estimate.json", "simulate.json"])
def test_a_folder_in_the_place_of_a_result_is_told_before_the_log_is_read(
    name: str, here: Path
) -> None:
    (here / "out" / name).mkdir(parents=True)
    (here / "log.swf").write_text("no log at all")
    words = {
        "size.json": ("size", "log.swf", "--for", "mean-wait<=1h"),
        "estimate.json": ("estimate", "log.swf"),
        "simulate.json": ("simulate", "log.swf"),
    }[name]
    done = ran(*words, "-o", "out")
    assert done.exit_code == 2
    assert f"out/{name}: is a folder where a result belongs" in done.output


@pytest.mark.parametrize("mask", [0o077, 0o027])
def test_every_file_has_the_rights_that_the_umask_leaves(mask: int, here: Path) -> None:
    before = os.umask(mask)
    try:
        swf = ("--write-log", "l.swf", "--write-schedule", "s.csv")
        assert ran("simulate", "lublin", "--jobs", "50", *swf).exit_code == 0
        assert ran("place", "four.csv", "--nodes", "2", "--write-rank-file", "r.txt").exit_code == 0
        assert ran("init", "new").exit_code == 0
    finally:
        os.umask(before)
    written = [
        "l.swf",
        "s.csv",
        "r.txt",
        *(f"new/{p.name}" for p in Path("new").iterdir()),
    ]
    modes = {name: stat.S_IMODE(Path(name).stat().st_mode) for name in written}
    assert modes == dict.fromkeys(written, 0o666 & ~mask)
    assert stat.S_IMODE(Path("new").stat().st_mode) == 0o777 & ~mask


# Circles of links

CIRCLE = {
    "plan loop": "is a link that leads back to itself",
    "check loop": "is a link that leads back to itself",
    "plan loop.toml": "is a link that leads back to itself",
    "plan designs.toml -o loop": "is not a folder",
    "plan designs.toml -o loop/new": "loop/new",
    "init loop": "is a file",
    "init loop/new": "cannot be created as a directory",
    "configure loop --power-bound 1": "is a link that leads back to itself",
    "configure loop.csv --power-bound 1": "is a link that leads back to itself",
    "share loop.csv --power-bound 1 --nodes 1": "is a link that leads back to itself",
    "configure runs.csv --power-bound 3500 -o loop": "is not a folder",
    "simulate loop": "loop: ",
    "simulate loop --form swf -o new": "loop: ",
    "simulate lublin --jobs 9 --write-schedule loop.csv": "is a link that leads back to itself",
    "simulate lublin --jobs 9 --write-schedule loop/s.csv": "is not a folder",
    "simulate lublin --jobs 9 --write-log loop": "is a link that leads back to itself",
    "simulate lublin --jobs 9 --policy maui --maui loop": "is a link that leads back to itself",
    "size lublin --jobs 9 --for mean-wait<=1h --write-demand loop": "leads back to itself",
    "estimate loop": "loop: ",
    "estimate lublin.swf --keep loop": "lublin.swf: ",
    "place loop --nodes 2": "loop: ",
    "place four.csv --nodes 2 --write-rank-file loop": "is a link that leads back to itself",
    "place four.csv --nodes 2 --write-rank-file new --host-file loop": "Too many levels",
    "place four.csv --nodes 2 --objective paper --ping-pong loop": "loop: is a link that leads ",
    "place four.csv --nodes 2 --messages loop": "loop: ",
    "place four.csv --nodes 2 -o loop": "is not a folder",
    "aggregate loop": "is neither a folder nor",
    "aggregate circles": "circles/message-times.csv: is a link that leads back to itself",
    "aggregate lu --write-rank-file loop": "is a link that leads back to itself",
    "aggregate lu --write-measurements loop": "loop: ",
    "diff loop loop": "loop: ",
    "check-schedule loop --processors 3 --policy easy": "loop: ",
}


@pytest.mark.parametrize("command", CIRCLE)
def test_links_in_a_circle_are_an_error_in_words(command: str, here: Path) -> None:
    for name in ("loop", "loop.csv", "loop.toml"):
        (here / name).symlink_to(name)
    (here / "circles").mkdir()
    for name in FILES:
        (here / "circles" / name).symlink_to(name)
    done = ran(*command.split())
    assert done.exit_code == 2, done.output
    assert CIRCLE[command] in done.output
    assert (here / "loop").is_symlink()


def test_an_edge_of_a_sample_that_is_a_link_to_nothing_stays(here: Path) -> None:
    (here / "new").mkdir()
    (here / "new" / "runs.csv").symlink_to("nowhere")
    assert ran("init", "new").exit_code == 2
    assert [path.name for path in (here / "new").iterdir()] == ["runs.csv"]
