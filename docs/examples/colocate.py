"""Which jobs should share a node?"""

import headroom as hr

study = hr.colocate("pairs.csv", ["md", "cfd", "cfd", "io", "io"])
print(study.headline)
print(study.confidence)  # how far this is proved
print(study.frames()["policies"][["policy", "gain", "max_slowdown"]])
hr.report(study, "out/colocated")
