"""What do users pay for jobs that share nodes, and how fair is it?"""

import headroom as hr

scenario = hr.load("poppa-12-codes").replace({"price.applications": ["CG", "LAMMPS", "MILC"]})
study = hr.price(scenario, seeds=2)
print(study.headline)
print(study.frames()["prices"][["policy", "mean_discount", "price_error"]])
hr.report(study, "out/priced")
