"""The fields of a table of measured runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenarios.tables.cells import Cell
from scenarios.tables.columns import Layout, lay_out
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

ENERGIES = {
    "package_power_w": Field(
        "package_energy_j",
        "Energy of all packages on all nodes over the run",
        aliases=(
            (
                "packageenergy pkgenergy totpkgenergy totalpkgenergy totalpackageenergy "
                "packageenergytotal pkgenergytotal"
            ),
            "energy totalenergy",
        ),
        unit="J",
        above=True,
    ),
    "dram_power_w": Field(
        "dram_energy_j",
        "Energy of the memory on all nodes over the run",
        aliases=(
            "dramenergy memoryenergy memenergy totdramenergy totaldramenergy dramenergytotal",
        ),
        unit="J",
        required=False,
    ),
}
"""What is read in place of a mean power, in a table that has no power of the packages."""

BY_ENERGY = (*(ENERGIES.get(field.name, field) for field in FIELDS), FIELDS[-1])
BY_NAME = {field.name: field for field in (*FIELDS, *ENERGIES.values())}
OPTIONAL = tuple(field.name for field in BY_NAME.values() if not field.required)


def laid_out(
    headings: Sequence[Cell],
    columns: Mapping[str, str] | None,
    units: Mapping[str, str] | None,
    *,
    option: str = "",
) -> Layout:
    """Find the columns of a table of runs: those of powers, or else of energies."""
    named = ENERGIES["package_power_w"].name in (columns or {})
    layout = lay_out(headings, BY_ENERGY if named else FIELDS, columns, units, option=option)
    if named or "package_power_w" in layout.places:
        return layout
    by_energy = lay_out(headings, BY_ENERGY, columns, units, option=option)
    return by_energy if ENERGIES["package_power_w"].name in by_energy.places else layout
