"""Texts that people read keep the rules of plain language (:mod:`tests.words`)."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import click
import pytest

from planner.cli.main import main
from planner.registry import COMMANDS
from tests.example_inputs import write_example_inputs
from tests.planner.cli.commands import ran
from tests.words import (
    IDIOMS,
    MOST_SECONDS,
    MOST_WORDS_OF_A_HEADLINE,
    ROOT,
    Text,
    all_texts,
    breaches,
    length,
    sentences,
    templates,
)

RULES = [*(rule.name for rule in IDIOMS), "long sentence", "seconds", "thousands"]
ALLOWED: dict[tuple[str, str], str] = {
    ("planner/scheduling/sizing/tables.py", "drawn"): "a key of JSON files, which stay as they are",
}
"""Breaches that stay: the file and the rule, and the reason."""


@pytest.fixture(scope="module")
def found() -> dict[str, list[Text]]:
    """Every text that breaks a rule, by the rule."""
    by_rule: dict[str, list[Text]] = {}
    for text in all_texts():
        for rule, _ in breaches(text):
            if (text.path.relative_to(ROOT).as_posix(), rule) not in ALLOWED:
                by_rule.setdefault(rule, []).append(text)
    return by_rule


@pytest.mark.parametrize("rule", RULES)
def test_no_text_breaks_a_rule(rule: str, found: dict[str, list[Text]]) -> None:
    assert [str(text) for text in found.get(rule, [])] == []


def test_texts_of_templates_are_read(tmp_path: Path) -> None:
    template = tmp_path / "page.typ"
    template.write_text(
        '#let data = json("data.json") // whoever reads\n'
        '= What stands here?\n\n#grid(caption: "What no plan has")\n'
        '#equation("x " + "is y")[$ x = "no trouble" $]\n#if a [\n  It is told.\n]\n'
    )
    texts = [*templates([template])]
    assert [(text.line, text.words, text.formula) for text in texts] == [
        (2, "What stands here?", False),
        (4, "What no plan has", False),
        (5, "x is y", True),
        (7, "It is told.", False),
    ]
    rules = [rule for text in texts for rule, _ in breaches(text)]
    assert rules == ["stands", "what none", "told, said, asked"]
    long = "word " * 30
    assert [rule for rule, _ in breaches(Text(template, 1, long))] == ["long sentence"]
    assert [*breaches(Text(template, 1, long, formula=True))] == []
    assert any(text.path.suffix == ".typ" for text in all_texts([ROOT / "reports"]))


def test_the_list_of_exceptions_is_short_and_has_reasons() -> None:
    assert len(ALLOWED) <= 12
    assert all(len(reason.split()) >= 4 for reason in ALLOWED.values())


def options() -> Iterator[tuple[str, click.Option]]:
    context = click.Context(main)
    for entry in COMMANDS:
        command = main.get_command(context, entry.name)
        assert command is not None
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                yield entry.name, option


def test_a_sentence_of_help_is_short() -> None:
    assert [
        f"{name} {option.opts[0]}: {sentence}"
        for name, option in options()
        for sentence in sentences(option.help or "")
        if length(sentence) > MOST_WORDS_OF_A_HEADLINE
    ] == []


def test_a_summary_of_a_command_is_a_sentence_of_few_words() -> None:
    for entry in COMMANDS:
        assert length(entry.summary) <= MOST_WORDS_OF_A_HEADLINE
        assert entry.summary.endswith(".")


COMMAND_LINES = (
    "check my-case/procurement.toml",
    "plan thesis-7kw --no-report",
    "configure my-case/runs.csv --power-bound 3.5kW -A SP-MZ",
    "share my-case/runs.csv --power-bound 6kW --nodes 64",
    "simulate lublin --jobs 2000 --load 0.9 --policy easy,fcfs",
    "simulate lublin --jobs 300 --load 0.9 --seeds 3 --policy easy,fcfs",
    "size jobs.csv --for mean-wait<=1h --growth-by arrivals --resamples 3",
    "estimate jobs.csv --uptake 0,100 --error 0,50 --seeds 2 --no-weights --predictor none",
    "schedule thesis-table-5-2",
    "place matrix.csv --nodes 2",
    "aggregate lu --law cliff --seed 1",
    "colocate pairs.csv",
    "compare thesis-7kw",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("words")
    write_example_inputs(folder)
    return folder


@pytest.fixture(scope="module", params=COMMAND_LINES)
def printed(request: pytest.FixtureRequest, folder: Path) -> str:
    """What a command prints."""
    with chdir(folder):
        done = ran(*shlex.split(request.param))
    assert done.exit_code == 0, done.output
    return str(done.output)


def test_what_a_command_prints_keeps_the_rules(printed: str) -> None:
    prose = [line for line in printed.splitlines() if line and not line.startswith(" ")]
    headline = next(sentences(prose[0]))
    assert length(headline) <= MOST_WORDS_OF_A_HEADLINE, headline
    for line in prose:
        assert [*breaches(Text(ROOT / "printed", 0, line))] == [], line


def test_no_time_above_two_hours_is_given_in_seconds(printed: str) -> None:
    for number in re.findall(r"(?<![\w.,])(\d[\d,]*(?:\.\d+)?) s\b", printed):
        assert float(number.replace(",", "")) <= MOST_SECONDS, number


def test_catalogues_are_read_and_their_definitions_are_short() -> None:
    folder = ROOT / "reports" / "messages"
    found = {text.words for text in all_texts([folder])}
    assert "Simulated on the log X." in found
    for path in folder.glob("*.en.toml"):
        sections = tomllib.loads(path.read_text(encoding="utf-8"))
        for key, meaning in sections.get("definitions", {}).items():
            assert len(meaning.split()) <= 12, key
        defined = sections.get("definitions", {}).keys()
        assert defined <= sections.get("facts", {}).keys()
