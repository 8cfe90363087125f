"""What changed between two runs, and what is it worth?"""

import headroom as hr

site = hr.load("thesis-7kw")
hr.report(hr.plan(site), "out/first")
hr.report(hr.plan(hr.with_values(site, {"power.bound_w": 8000.0})), "out/second")
study = hr.compare_runs("out/first", "out/second")
print(study.headline)
print(len(study.frames()["changes"]), "values differ")
hr.report(study, "out/differences")
