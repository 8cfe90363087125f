"""May two jobs share cores, if a learned gate decides?"""

import headroom as hr

study = hr.tangram("tangram-two-node", seeds=1, tests=["(I)", "leave-app-out"])
print(study.headline)
print(study.frames()["scores"][["test", "gate", "makespan", "worst"]])
hr.report(study, "out/tangram")
