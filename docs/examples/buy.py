"""What should we buy? Quotes of several vendors under a budget and a power feed."""

import headroom as hr

study = hr.plan("my-case/procurement.toml")
print(study.headline)
if isinstance(study, hr.studies.ProcurementStudy) and study.plan is not None:
    for purchase in study.plan.purchases:
        print(purchase.nodes, purchase.name, "from", purchase.vendor)
hr.report(study, "out/purchase")
