"""Which new applications may share cores, so that few co-runs are bad?"""

import headroom as hr

study = hr.gate("co-runs.csv", "profiles.csv", bad_share=0.2, limit=1.10)
print(study.headline)
print(study.frames()["decisions"][["application", "partner", "decision"]])
hr.report(study, "out/gate")
