"""What does a vendor read about the award, and what can it derive?"""

import headroom as hr

letter = hr.award("my-tender/tender.toml").debrief("North")
print(letter.headline)
print(letter.frames()["points"][["lot", "criterion", "value", "points"]])
hr.report(letter, "out/letter")
