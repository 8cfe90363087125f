"""Is one policy better than another on many synthetic logs, or was it chance on one?"""

import headroom as hr

logs = [hr.lublin_log(300, 128, seed, load=0.9) for seed in range(5)]
study = hr.simulate_logs(logs, ["easy", "sjf-easy"])
print(study.headline)
print(study.confidence)
hr.report(study, "out/compared")
