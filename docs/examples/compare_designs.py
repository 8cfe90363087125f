"""Few nodes at full power, or more nodes with power caps?"""

import headroom as hr

study = hr.plan("my-case/designs.toml")
print(study.headline)
if isinstance(study, hr.studies.DesignStudy):
    for each in study.overprovisioning:
        print(f"{each.application}: speedup {each.speedup:.2f}")
hr.report(study, "out/designs")
