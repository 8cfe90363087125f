"""Which nodes, cores and package cap make a job fastest under a power bound?"""

import headroom as hr

study = hr.configure("my-case/runs.csv", bound_w=3500)
for answer in study.answers:
    best = answer.best
    print(f"{answer.application}: {best.nodes} nodes x {best.cores_per_node} cores")
print(study.frames()["compared"].head())
hr.report(study, "out/configurations")
