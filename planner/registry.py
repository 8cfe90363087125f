"""Every command once: its module, and what it answers with.

The command line, the names of files and the reports are all read from here; nothing is listed
twice. Modules are named, not imported: ``headroom --help`` must not wait for numpy.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Command:
    """One command of the command line.

    Attributes
    ----------
    name
        As it is typed.
    module
        Module with a click command that is called like the module.
    summary
        One line for the list of commands.
    answers
        Classes of its answers, as ``package.module:Class``; the data file and the workbook are
        called as the command.
    files
        Further files of its reports: a tuple, as ``package.module:NAME``, of paths in the folder.
    examples
        Commands that its help ends with; a test runs each of them.
    """

    name: str
    module: str
    summary: str
    answers: tuple[str, ...] = ()
    files: str = ""
    examples: tuple[str, ...] = ()

    def further_files(self) -> tuple[str, ...]:
        """Paths of the further files that every report of this command has."""
        files: tuple[str, ...] = loaded(self.files) if self.files else ()
        return files


def loaded(where: str) -> Any:
    """Return the object that ``package.module:NAME`` names."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)


COMMANDS = (
    Command(
        "init",
        "planner.cli.init",
        "Write a commented sample of every input into DIRECTORY.",
        examples=(
            "headroom init my-case",
            "headroom init my-case --from rfp-center",
        ),
    ),
    Command(
        "check",
        "planner.cli.check",
        "Validate a scenario without running it; list every error with file and line.",
        examples=(
            "headroom check my-case/procurement.toml",
            "headroom check my-case/maui.toml",
        ),
    ),
    Command("schema", "planner.cli.schema", "Print the JSON Schema of the scenario, for editors."),
    Command(
        "plan",
        "planner.cli.plan",
        "Decide what to buy; report, figures, workbook and data go to out/SCENARIO.",
        (
            "planner.designs.study:DesignStudy",
            "planner.procurement.study:ProcurementStudy",
        ),
        examples=(
            "headroom plan my-case/procurement.toml",
            "headroom plan thesis-7kw -o out/thesis",
            "headroom plan rfp-center --full",
        ),
    ),
    Command(
        "report",
        "planner.cli.report",
        "Write report, workbook, figures or page again from the data of a run.",
        examples=(
            "headroom report out/sized",
            "headroom report out/sized --only html,pdf",
        ),
    ),
    Command(
        "diff",
        "planner.cli.diff",
        "Say what changed between two runs, and what the change is worth.",
        ("planner.differences.study:DifferenceStudy",),
        examples=(
            "headroom diff out/first out/second",
            "headroom diff out/first out/second -o out/compared",
        ),
    ),
    Command(
        "configure",
        "planner.cli.configure",
        "Find the fastest configuration under a power bound.",
        ("planner.configurations.study:ConfigurationStudy",),
        examples=(
            "headroom configure my-case/runs.csv --power-bound 3.5kW",
            "headroom configure my-case/runs.csv --power-bound 3.5kW -A SP-MZ -o out/sp-mz",
        ),
    ),
    Command(
        "share",
        "planner.cli.share",
        "Share nodes and watts among jobs that run at once.",
        ("planner.configurations.sharing.study:SharingStudy",),
        examples=(
            "headroom share my-case/runs.csv --power-bound 6kW --nodes 64",
            "headroom share my-case/runs.csv --power-bound 6kW --nodes 64 --objective makespan",
        ),
    ),
    Command(
        "simulate",
        "planner.cli.simulate",
        "Run a job log on a machine under scheduling policies.",
        (
            "planner.scheduling.simulation.study:SimulationStudy",
            "planner.scheduling.simulation.replications:ReplicationStudy",
        ),
        examples=(
            "headroom simulate jobs.csv --policy easy,conservative -o out/simulated",
            "headroom simulate lublin --jobs 2000 --load 80% --seeds 5 --policy fcfs,easy",
            "headroom simulate lublin --jobs 2000 --policy easy --explain 1500",
        ),
    ),
    Command(
        "schedule",
        "planner.cli.schedule",
        "Run power-aware scheduling policies under power bounds.",
        ("planner.scheduling.power.study:ScheduleStudy",),
        files="planner.scheduling.power.files:FILES",
        examples=(
            "headroom schedule thesis-table-5-2",
            "headroom schedule thesis-rmap --log small --seeds 2 -o out/power",
        ),
    ),
    Command(
        "price",
        "planner.cli.price",
        "Price jobs that share nodes, and show how fair each price is.",
        (
            "planner.pricing.study:PriceStudy",
            "planner.sharing_nodes.queue_bills.study:QueuePriceStudy",
        ),
        examples=(
            "headroom price poppa-12-codes --seeds 1",
            "headroom price jobs.csv --nodes 64 --node-cores 16 -o out/prices",
        ),
    ),
    Command(
        "slurm",
        "planner.cli.slurm",
        "Write a power bound for an unmodified Slurm.",
        examples=("headroom slurm export thesis-table-5-2 -o out/slurm",),
    ),
    Command(
        "size",
        "planner.cli.size",
        "Find the smallest machine that meets a service level.",
        ("planner.scheduling.sizing.study:SizingStudy",),
        examples=(
            'headroom size jobs.csv --for "mean-wait<=2h" --growth-by arrivals',
            'headroom size lublin --jobs 2000 --for "p95-bounded-slowdown<=20" --growth 1.5',
        ),
    ),
    Command(
        "check-schedule",
        "planner.cli.check_schedule",
        "Check a schedule against the rules of a policy.",
        examples=("headroom check-schedule easy.csv --processors 64 --policy easy",),
    ),
    Command(
        "estimate",
        "planner.cli.estimate",
        "Ask what better run-time estimates would be worth.",
        ("planner.scheduling.estimates.study:EstimateStudy",),
        examples=(
            "headroom estimate jobs.csv --uptake 0,100% --error 0,50% --seeds 2 -o out/estimates",
        ),
    ),
    Command(
        "place",
        "planner.cli.place",
        "Place MPI ranks on nodes so that little is sent between nodes.",
        ("planner.placement.study:PlacementStudy",),
        files="planner.placement.bundle:FILES",
        examples=(
            "headroom place matrix.csv --nodes 2",
            "headroom place matrix.csv --nodes 2 --write-rank-file ranks.txt",
        ),
    ),
    Command(
        "aggregate",
        "planner.cli.aggregate",
        "Choose how many ranks share a node, for least energy.",
        ("planner.aggregation.aggregate:AggregationStudy",),
        examples=(
            "headroom aggregate lu --law cliff --seed 1",
            "headroom aggregate measured -o out/aggregated",
        ),
    ),
    Command(
        "colocate",
        "planner.cli.colocate",
        "Choose which jobs share a node, from measured pairs.",
        (
            "planner.sharing_nodes.pairs.study:ColocationStudy",
            "planner.sharing_nodes.tangram.study:TangramStudy",
            "planner.sharing_nodes.gate.study:GateStudy",
            "planner.sharing_nodes.queue_gains.study:QueueStudy",
        ),
        examples=(
            "headroom colocate pairs.csv",
            "headroom colocate pairs.csv --group-size 3 -o out/groups",
            "headroom colocate co-runs.csv --profiles profiles.csv --bad-share 20%",
        ),
    ),
    Command(
        "compare",
        "planner.cli.compare",
        "Compare exact methods, the engine and heuristics on one decision.",
        ("planner.comparison.study:ComparisonStudy",),
        files="planner.comparison.files:FILES",
        examples=(
            "headroom compare thesis-7kw",
            "headroom compare my-case/runs.csv --power-bound 6kW --nodes 64 --sizes 4,8",
        ),
    ),
)
"""All commands, in the order in which ``headroom --help`` lists them."""


OF_OPTIONS = (
    Command(
        "award",
        "planner.cli.plan",
        "Award the lots of a tender by its published scheme: headroom plan --award.",
        ("planner.award.study:AwardStudy",),
    ),
    Command(
        "debrief",
        "planner.cli.plan",
        "Write the letter to a vendor: headroom plan --award --debrief.",
        ("planner.award.study:DebriefStudy",),
    ),
)
"""What an option of a command answers, with files of its own."""


def named(name: str) -> Command:
    """Return the command of a name, or what an option of another one answers.

    Raises
    ------
    LookupError
        There is none.
    """
    for command in (*COMMANDS, *OF_OPTIONS):
        if command.name == name:
            return command
    raise LookupError(f"no command of planner.registry is called {name!r}")
