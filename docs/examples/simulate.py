"""How long do jobs wait under different scheduling policies?"""

import headroom as hr

study = hr.simulate("jobs.csv", ["fcfs", "easy", "conservative"], processors=64)
waits = study.frames()["policies"].set_index("policy")["mean_wait_s"] / 3600
print(waits.sort_values())  # hours
for warning in study.warnings:
    print("Note:", warning)
hr.report(study, "out/simulated")
