"""Who wins a tender under its published scheme?"""

import headroom as hr

study = hr.award("my-tender/tender.toml")
print(study.headline)
print(study.frames()["ranking"][["lot", "rank", "package", "total"]])
hr.report(study, "out/award")
