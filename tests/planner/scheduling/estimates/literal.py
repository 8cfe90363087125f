"""Cases of the study of estimates, played stage by stage with estimates of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from planner.scheduling.estimates.cases import EstimateCase
from planner.scheduling.estimates.tools import BoundedErrorOracle, PredictorTool
from planner.scheduling.estimates.workload import EstimateWorkload
from tests.planner.scheduling.policies.maui_oracle import Job, World


class Learning(World):
    """The nine stages, with the last two run times of a user that ended before a job is read."""

    tool: frozenset[int] = frozenset()

    def read(self) -> None:
        for job in self.coming:
            mine = [
                each.run
                for each in self.done
                if each.number in self.tool and each.party["user"] == job.party["user"]
            ][-2:]
            if job.submit <= self.clock and job.number in self.tool and len(mine) == 2:
                job.planned = job.first = max(1, min(sum(mine) // 2, job.request))
        super().read()


def ended(workload: EstimateWorkload, case: EstimateCase, configuration: Any) -> list[Job]:
    """A case played stage by stage, with an oracle of classes or with the last two run times."""
    log, tool = workload.log, case.tool
    uses = workload.tool_users(case.seed or 0, case.uptake)
    planned = requested = np.maximum(log.requested_s, 1)
    if isinstance(tool, BoundedErrorOracle):
        planned = np.where(uses, _classes(log.run_s.tolist(), tool.most_error), requested)
    parties = {kind: log.names.get(kind, ()) for kind in ("user", "group", "queue")}
    columns = (log.submit_s, log.run_s, log.processors, requested, planned, log.user, log.group,
               log.queue)  # fmt: skip
    jobs: list[Job] = []
    for row in zip(*(column.tolist() for column in columns), strict=True):
        submit, run, size, request, plan, *codes = row
        party = {kind: names[code] if 0 <= code < len(names) else str(code)
                 for (kind, names), code in zip(parties.items(), codes, strict=True)}  # fmt: skip
        jobs.append(Job(len(jobs), submit, run, size, request, plan, party))
    world = Learning(workload.problem.processors, configuration, jobs)
    if isinstance(tool, PredictorTool):
        world.extends, world.factor = tool.overruns.then == "extend", tool.overruns.factor
        world.tool = frozenset(np.flatnonzero(uses).tolist())
    world.run()
    return jobs


def _classes(runs: Sequence[int], most_error: float) -> list[int]:
    """Each job's estimate: the longest run of its class, which opens at the shortest one left."""
    estimate: dict[int, int] = {}
    left = sorted({*runs} - {0})
    while left:
        inside = [run for run in left if run <= left[0] * (1 + most_error) + 1e-9]
        estimate |= dict.fromkeys(inside, inside[-1])
        left = left[len(inside) :]
    return [estimate.get(run, 1) for run in runs]
