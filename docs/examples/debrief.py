"""What does a vendor read about the award, and what can it derive?"""

import headroom as hr

study = hr.award("my-tender/tender.toml").debrief("North")
print(study.headline)
print(study.frames()["points"][["lot", "criterion", "value", "points"]])
hr.report(study, "out/letter")
