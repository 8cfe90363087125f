"""How well does the gate decide on applications that it does not know?"""

import headroom as hr

study = hr.gate_trial("tangram-two-node", seeds=1)
print(study.headline)
print(study.frames()["gates"][["gate", "coverage", "gain", "worst"]])
hr.report(study, "out/gate-trial")
