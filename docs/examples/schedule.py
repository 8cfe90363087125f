"""When does each job start, and in which configuration, under a power bound?"""

import headroom as hr

study = hr.schedule("thesis-table-5-2", policies=["traditional", "naive", "adaptive"])
print(study.headline)
for run in study.outcomes:
    print(run.policy, run.mean_turnaround_s, run.jobs[0].nodes, run.jobs[0].package_cap_w)
hr.report(study, "out/scheduled")
