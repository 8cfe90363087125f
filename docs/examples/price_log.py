"""What does sharing nodes change for the users of a log?"""

import headroom as hr

study = hr.price_log("jobs.csv", nodes=64)
print(study.headline)
print(study.frames()["sides"][["rule", "policy", "pays_less", "pays_more"]])
hr.report(study, "out/priced-log")
