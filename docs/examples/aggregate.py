"""How many MPI ranks on a node take the least energy?"""

import headroom as hr

study = hr.aggregate("measured")
print(study.headline)
for candidate in study.candidates:
    slower = f"{100 * candidate.slowdown:.1f} % slower"
    print(f"{candidate.pattern.tasks} ranks on a node: {slower} than one, as predicted")
hr.report(study, "out/aggregated")
