"""What would better run-time estimates be worth to the users of the log?"""

import headroom as hr

study = hr.estimate(
    "jobs.csv", processors=64, uptakes=(0.5, 1.0), errors=(0.0, 0.5), seeds=(0, 1), weights=False
)
print(study.headline)
for cell in study.cells():
    print(f"uptake {cell.uptake:.0%}, error {cell.error:.0%}: {cell.value.mean:,.0f} s")
hr.report(study, "out/estimates")
