"""What does a queue gain where jobs may share nodes?"""

import headroom as hr

study = hr.colocate_log("pairs.csv", "jobs.csv", nodes=64, seeds=2)
print(study.headline)
print(study.frames()["waits"][["rule", "wait_ratio", "wait_low", "wait_high"]])
hr.report(study, "out/colocated-log")
