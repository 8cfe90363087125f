"""How are nodes and watts shared among jobs that run at once?"""

import headroom as hr

study = hr.share("my-case/runs.csv", bound_w=6000, nodes=64)
print(study.headline)
print(study.confidence)  # how far this is proved
print(study.frames()["jobs"][["application", "nodes", "power_w"]])
hr.report(study, "out/shared")
