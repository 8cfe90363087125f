"""How far are heuristics from the optimum, and do the solvers agree?"""

import headroom as hr

study = hr.compare("my-case/runs.csv", bound_w=6000, nodes=64, sizes=(2, 4), seeds=2)
print(study.headline)
print(study.confidence)  # whether CBC, HiGHS and the engine agree
print(study.frames()["methods"][["method", "median_gap", "worst_gap"]])
hr.report(study, "out/compared")
