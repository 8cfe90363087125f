"""Logs of known programs in forms that are not read, and the command that gives a readable one."""

from __future__ import annotations

import re

from scenarios.job_logs.delimited import SACCT, without_headings

LSF = (
    '(echo submit,start,end,processors,user,queue; awk \'$1=="\\"JOB_FINISH\\"" && $11>0 '
    '{gsub(/"/,""); print $8","$11","$3","$7","$12","$13}'
    "' lsb.acct) > jobs.csv"
)
"""Makes a table of the jobs of ``lsb.acct`` that ran, without their limits and numbers.

Lists before ``runLimit`` move its place, and tasks of an array share a number.
"""

UTF_16 = "iconv -f UTF-16LE -t UTF-8 LOG > jobs.txt"

REMEDIES = {
    "`sacct --noheader`": SACCT,
    "`lsb.acct` of LSF": LSF,
    "UTF-16 without a byte-order mark": UTF_16,
}
"""Forms that are recognised and not read, each with the command that gives a readable log."""

_LSF_RECORD = re.compile(r'"(?:JOB_FINISH|JOB_NEW|JOB_START|JOB_STATUS)" "[0-9.]+" [0-9]+ ')


def foreign_form(lines: list[str]) -> str:
    """Return what a log is and what to do, by its first filled lines; empty for anything else."""
    first = lines[0].strip() if lines else ""
    if "\0" in first:
        return f"contains a zero byte; if it is text in UTF-16, run: {UTF_16}"
    if _LSF_RECORD.match(first):
        return f"is a log of LSF, which Headroom cannot read; run: {LSF}"
    if without_headings(first):
        return (
            f"is the output of sacct without headings, whose columns cannot be known; run: {SACCT}"
        )
    return ""
