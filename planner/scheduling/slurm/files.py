"""The files that a site installs: lines for slurm.conf, the script, its data, how to install."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import indent

from planner.scheduling.slurm.data_files import (
    JOB_DETAILS,
    SETTINGS,
    job_details_csv,
    settings_csv,
)
from planner.scheduling.slurm.export import SlurmExport
from scenarios.writing import forced, replacing, write_all

AGENT = "planner.scheduling.slurm.agent"
SCRIPT = "headroom.lua"
CONF = "headroom_slurm.conf"

_CONF = """# Headroom: power as licences, for {cluster}. Needs Slurm 22.05 or later with Lua.
# Whole watts: the bound of {bound_w:,.10g} W is rounded down, the power of each job is rounded up.
Licenses=watt:{licences}
JobSubmitPlugins=lua
SchedulerType=sched/backfill
# EASY: backfill plans licences, and reserves nodes and watts for the first waiting job alone.
SchedulerParameters=bf_licenses,bf_job_part_count_reserve=1,bf_continue,bf_interval={interval_s},bf_resolution={resolution_s}
# First come, first served; leave it out for your own priorities.
PriorityType=priority/basic
SelectType=select/cons_tres
# Whole nodes: add to the line of every partition
#   OverSubscribe=EXCLUSIVE
"""

_README = """# Power-aware scheduling by Slurm for {cluster}

Slurm keeps the *charged* power of running jobs within {licences:,} W. It does not enforce caps on
hardware. True power stays within the bound only if no job draws more than was measured or
predicted for its configuration, and if the bound already leaves out the power of idle nodes. Set
package caps in a prolog or in the job.

Policy: {rule}.{fallback}

## Install

1. Merge `{conf}` into `slurm.conf`. Each key may occur once: join `Licenses`,
   `JobSubmitPlugins` and `SchedulerParameters` with yours.
2. Copy `{script}`, `{settings}` and `{jobs}` into the folder of `slurm.conf` on the
   controller's host. Here this folder is `/etc/slurm`; correct the path below if yours differs.
3. Add five lines to your site's `job_submit.lua` in the same folder: the one with `dofile`, and
   the two in each function. This script has nothing else; begin with it if you have none:

{call}

   The first line belongs at the top, the others before the last `return slurm.SUCCESS` of each
   function. Your own lines above them still count. Do not change nodes, tasks, time limit or
   licences below them.
4. Restart `slurmctld`. Its log then has the line
   `headroom: {nodes} nodes under {licences} W, rule {rule}`.

After a change of a CSV file, `touch job_submit.lua`: Slurm reads scripts and data again at the next
submission. A controller that cannot read the data at its start stops. A running one keeps the old
data and logs a warning. A new bound changes `Licenses` (`scontrol reconfigure`) and the data.

## Submit

    sbatch -N {example} -t 30 --comment=application={application} job.sh

The comment names the application. Without it, the job name must be that of an
application{default}.
Request nodes and a time limit, but no ranks: the configuration decides their number. Requests for
GPUs are refused, because the tables hold no power of GPUs. A job is refused if its partition takes
no configuration of that size and time limit. The job
script must use the nodes and cores that it gets. Slurm keeps them in the administrator comment:

    id=${{SLURM_ARRAY_TASK_ID:+${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID}}
    record=$(squeue --noheader --jobs="${{id:-$SLURM_JOB_ID}}" --Format=admin_comment:300)
    cores=$(echo "$record" | sed 's/.*cores_per_node=\\([0-9]*\\).*/\\1/')
    cap_w=$(echo "$record" | sed 's/.*package_cap_w=\\([0-9.]*\\).*/\\1/')
    srun --ntasks=$((SLURM_JOB_NUM_NODES * cores)) --ntasks-per-node="$cores" ./program

## Monitor

    grep -c 'headroom: raised' slurmctld.log     # shares rounded up to the cheapest configuration
    grep -c 'headroom: truncated' slurmctld.log  # Traditional: fewer nodes, to keep the bound
    grep -c 'headroom: refused' slurmctld.log    # with the reason on the line
    scontrol show lic                            # charged and free watts now

`DebugFlags=License` logs every charge and its release, with milliseconds.
"""

CALL = """dofile("/etc/slurm/headroom.lua")

function slurm_job_submit(job, partitions, user)
  local charged = headroom_submit(job, partitions, user)
  if charged ~= slurm.SUCCESS then return charged end
  return slurm.SUCCESS
end

function slurm_job_modify(job, before_change, partitions, user)
  local allowed = headroom_modify(job, before_change, partitions, user)
  if allowed ~= slurm.SUCCESS then return allowed end
  return slurm.SUCCESS
end

return slurm.SUCCESS
"""
"""A whole ``job_submit.lua`` that does nothing but call the script, as the README shows it."""

_ADAPTIVE = """
## Adaptive

The script decides like Naive. If Adaptive would start a waiting job now with less power, the agent
changes the job's configuration. It runs as user number
{agent_uid} (root, or an operator of Slurm) on a host where `scontrol` works:

    python -m {agent} FOLDER

FOLDER has `{settings}` and `{jobs}`. Without the agent all jobs keep Naive's configurations. You
can stop it at any time: Slurm alone keeps the bound.
"""


def slurm_files(export: SlurmExport) -> dict[str, str]:
    """Return the texts of all files, by file name.

    Parameters
    ----------
    export
        Cluster, bound, tables and rule.

    Returns
    -------
    dict
        Lines for ``slurm.conf``, ``headroom.lua`` (the same for all sites), its two data files
        and ``README.md``. No name of the export becomes code: names are data in the CSV files.

    Examples
    --------
    >>> import headroom as hr
    >>> table = [hr.Configuration(2, 16, 115.0, 90.0, 380.5)]
    >>> files = hr.slurm_files(hr.SlurmExport("demo", 4, 16, 800.0, {"lu": table}))
    >>> len(files), "Licenses=watt:800" in files["headroom_slurm.conf"]
    (5, True)
    >>> print(files["headroom_jobs.csv"], end="")
    id,application,nodes,cores,pkg_cap,exec_time,tot_pkg
    1,lu,2,16,115,90,380.5
    """
    return {
        CONF: slurm_conf(export),
        SCRIPT: Path(__file__).with_name(SCRIPT).read_text(encoding="utf-8"),
        SETTINGS: settings_csv(export),
        JOB_DETAILS: job_details_csv(export),
        "README.md": readme(export),
    }


def write_slurm_files(
    export: SlurmExport, folder: str | os.PathLike[str], *, force: bool = False
) -> tuple[Path, ...]:
    """Write :func:`slurm_files` into a folder, which is made where it is missing: all or none.

    Parameters
    ----------
    export
        Cluster, bound, tables and rule.
    folder
        Made if it is missing.
    force
        Whether files of these names with other content are replaced.

    Returns
    -------
    tuple of Path
        The files, in the order in which they were written.

    Raises
    ------
    OSError
        The folder cannot be written, or has a file of such a name with other content.
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    contents = {Path(folder) / name: text.encode() for name, text in slurm_files(export).items()}
    with replacing(force=force or forced()):
        write_all(contents)
    return tuple(contents)


def slurm_conf(export: SlurmExport) -> str:
    """Return lines for ``slurm.conf``: licences, script, backfill with licences."""
    # The resolution is Slurm's default of 60 s at most, and not coarser than the interval.
    return _CONF.format(
        cluster=export.cluster,
        bound_w=export.bound_w,
        licences=export.licences,
        interval_s=export.backfill_interval_s,
        resolution_s=min(export.backfill_interval_s, 60),
    )


def _fallback(export: SlurmExport) -> str:
    """What happens to jobs with too small a share; Traditional asks for none."""
    if export.rule == "traditional":
        return ""
    what = _FALLBACKS[export.fallback]
    return f" A job whose share of the bound is below its cheapest configuration is\n{what}."


def readme(export: SlurmExport) -> str:
    """Return how to install the files, how to submit, what Slurm keeps and what it does not."""
    text = _README + (_ADAPTIVE if export.rule == "adaptive" else "")
    default = (
        f"; otherwise it is `{export.default_application}`" if export.default_application else ""
    )
    return text.format(
        cluster=export.cluster, nodes=export.nodes, licences=export.licences, rule=export.rule,
        fallback=_fallback(export), application=next(iter(export.applications)),
        example=min(row.nodes for row in next(iter(export.applications.values()))),
        default=default, agent=AGENT, agent_uid=export.agent_uid,
        conf=CONF, script=SCRIPT, call=indent(CALL.rstrip(), " " * 7),
        settings=SETTINGS, jobs=JOB_DETAILS,
    )  # fmt: skip


_FALLBACKS = {
    "reject": "refused at submission",
    "cheapest": "given the cheapest configuration, which the log counts as `raised`",
}
