"""What do users pay for jobs that share nodes, and how fair is it?"""

import headroom as hr

codes = ["CG", "LAMMPS", "MILC"]
scenario = hr.with_values(hr.load("poppa-12-codes"), {"price.applications": codes})
study = hr.price(scenario, seeds=2)
print(study.headline)
print(study.frames()["prices"][["policy", "mean_discount", "price_error"]])
hr.report(study, "out/priced")
