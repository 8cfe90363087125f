"""Logs of known programs in forms that are not read, and the command that gives a readable one."""

from __future__ import annotations

import re

FIELDS = (
    "JobID,Submit,Start,End,Elapsed,Timelimit,AllocCPUS,AllocNodes,ReqMem,AllocTRES,State,User,"
    "Account,QOS,Partition"
)
SACCT = f"sacct -a -X -P -S 2026-01-01 -E now --format={FIELDS} > jobs.txt"
"""Prints what ``read_sacct`` reads, without steps and job names."""

LSF = (
    '(echo submit,start,end,processors,user,queue; awk \'$1=="\\"JOB_FINISH\\"" && $11>0 '
    '{gsub(/"/,""); print $8","$11","$3","$7","$12","$13}'
    "' lsb.acct) > jobs.csv"
)
"""Makes a table of the jobs of ``lsb.acct`` that ran; their time limits are not in that file.

Tasks of an array share a number there, so the table has none.
"""

UTF_16 = "iconv -f UTF-16LE -t UTF-8 LOG > jobs.txt"

_RULE = re.compile(r"-{3,}(?: +-{3,})+ *")
_LSF_RECORD = re.compile(r'"(?:JOB_FINISH|JOB_NEW|JOB_START|JOB_STATUS)" "[0-9.]+" [0-9]+ ')


def foreign_form(lines: list[str]) -> str:
    """Return what a log is and what to do, by its first filled lines; empty for anything else."""
    first = lines[0].strip() if lines else ""
    if "\0" in first:
        return f"contains a zero byte; if it is text in UTF-16, run: {UTF_16}"
    if first.startswith("{"):
        return f"is JSON (perhaps of sacct --json), which Headroom cannot read; run: {SACCT}"
    if _LSF_RECORD.match(first):
        return f"is a log of LSF, which Headroom cannot read; run: {LSF}"
    if len(lines) > 1 and _RULE.fullmatch(lines[1].strip()):
        return f"is a table of fixed width with truncated cells; run: {SACCT}"
    return ""
