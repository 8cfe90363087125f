"""The fields of a table of measured runs."""

from __future__ import annotations

from scenarios.tables.field import Field

LARGEST_COUNT = 10**9

FIELDS = (
    Field(
        "application",
        "Name of the application",
        "text",
        (
            "app applicationname appname benchmark code program workload",
            "applicationid appid jobid job jobname name",
        ),
        least=1,
        most=120,
        required=False,
    ),
    Field(
        "nodes",
        "Number of nodes of the run",
        "whole",
        ("numnodes nnodes nodecount numberofnodes", "node n"),
        least=1,
        most=LARGEST_COUNT,
    ),
    Field(
        "cores_per_node",
        "Cores used on each node",
        "whole",
        ("corespernode coresnode ppn", "cores core c"),
        least=1,
        most=LARGEST_COUNT,
    ),
    Field(
        "package_cap_w",
        "Power cap of each package",
        aliases=(
            (
                "packagecap pkgcap cappackage cappkg packagepowercap pkgpowercap packagepowerlimit "
                "socketcap raplcap"
            ),
            "powercap cap",
        ),
        unit="W",
        above=True,
    ),
    Field(
        "repetition",
        "Number of the repetition",
        "whole",
        ("rep repeat repetitions trial iteration", "run runnumber runno"),
        most=LARGEST_COUNT,
        required=False,
    ),
    Field(
        "time_s",
        "Run time",
        aliases=(
            (
                "runtime exectime executiontime elapsed elapsedtime wallclock wallclocktime "
                "walltime duration timetosolution wall"
            ),
            "time t seconds",
        ),
        unit="s",
        above=True,
    ),
    Field(
        "package_power_w",
        "Mean power of all packages on all nodes of the run",
        aliases=(
            (
                "packagepower pkgpower totpkg totalpkg totpackage totalpackage totpkgpower "
                "totalpkgpower totalpackagepower packagepowertotal pkgpowertotal"
            ),
        ),
        unit="W",
        above=True,
    ),
    Field(
        "dram_power_w",
        "Mean power of the memory on all nodes of the run",
        aliases=(
            "drampower memorypower mempower totdram totaldram totdrampower totaldrampower",
            "dram",
        ),
        unit="W",
        required=False,
    ),
)
"""The columns that are read; other names have no blanks and no signs."""

BY_NAME = {field.name: field for field in FIELDS}
OPTIONAL = tuple(field.name for field in FIELDS if not field.required)
