"""How many processors a job of PBS or Torque held: what it was allocated goes before defaults.

Torque writes the site's default into ``Resource_List.ncpus`` of a job that requested nodes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from scenarios.job_logs.cell_values import count
from scenarios.job_logs.job_log import MISSING

ALLOCATED = "ncpus contradicts the allocation or the nodes: these taken"
LARGER = "ncpus is above the allocated slots: ncpus taken"
_NODES = ("Resource_List.select", "Resource_List.nodes")
_PER_CHUNK = re.compile(r":(?:ppn|ncpus)=([0-9]{1,9})")


def processors_of(values: Mapping[str, str]) -> tuple[int, str]:
    """Return the processors of a record, and how they were chosen if ``ncpus`` contradicts them.

    Those of ``exec_vnode``, as in ``(n1:ncpus=4)+(n2:ncpus=4)``; else the slots of ``exec_host``,
    as in ``n1/0*4+n2/1``; else those requested by ``nodes=2:ppn=8``, ``select=2:ncpus=8``,
    ``procs`` or ``ncpus``, of which a default is the smallest. A job that requested ``ncpus`` alone
    may hold all of them in one slot: there ``ncpus`` goes before fewer slots.

    Raises
    ------
    CellError
        A count is not a whole number.

    Examples
    --------
    >>> processors_of({"Resource_List.ncpus": "1", "exec_host": "n1/0-15"})
    (16, 'ncpus contradicts the allocation or the nodes: these taken')
    >>> processors_of({"Resource_List.ncpus": "8", "exec_host": "n1/0*8"})
    (8, '')
    """
    stated = count(values.get("Resource_List.ncpus", str(MISSING)))
    chunks = [values.get(key, "") for key in _NODES]
    vnodes = sum(map(int, _PER_CHUNK.findall(values.get("exec_vnode", ""))))
    hosts = [host for host in values.get("exec_host", "").split("+") if "/" in host]
    allocated = vnodes or sum(_slots(host.partition("/")[2]) for host in hosts)
    procs = count(values.get("Resource_List.procs", "0"))
    by_nodes = bool(vnodes or procs > 0 or any(map(_PER_CHUNK.search, chunks)))
    requested = max(procs, *map(_in_chunks, chunks))
    held = allocated or max(stated, requested)
    result = held if by_nodes else max(held, stated)
    remark = LARGER if result > held else ALLOCATED
    return (count(str(result)) if result > 0 else MISSING), remark if 0 < stated != held else ""


def _in_chunks(text: str) -> int:
    """Processors of ``2:ppn=8+n3:ppn=4`` or ``2:ncpus=8:mpiprocs=8``; 0 without any chunk."""
    total = 0
    for chunk in filter(None, text.split("+")):
        many, per = re.match(r"[0-9]{1,9}(?=:|$)", chunk), _PER_CHUNK.search(chunk)
        total += (int(many[0]) if many else 1) * (int(per[1]) if per else 1)
    return total


def _slots(text: str) -> int:
    """Slots of ``0*4``, of ``0-3,7`` as Torque writes them, or of ``0``."""
    if times := re.fullmatch(r"[0-9]{1,9}\*([0-9]{1,9})", text):
        return int(times[1])
    ranges = re.findall(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text)
    return sum(max(int(last or first) - int(first) + 1, 1) for first, last in ranges)
