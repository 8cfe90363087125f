"""How many processors does the log need, if its work grows by half?"""

import headroom as hr

study = hr.size("jobs.csv", "mean-wait<=30min", growth=1.5, resamples=5)
print(study.headline)
print("The machine must offer", study.capacity, "node-hours per hour")
print(study.frames()["sizes tried"][["processors", "mean_wait_s", "keeps"]])
hr.report(study, "out/sized")
