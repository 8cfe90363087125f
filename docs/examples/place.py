"""Which MPI ranks should share a node?"""

import headroom as hr

study = hr.place("matrix.csv", nodes=2)
print(study.headline)
print(f"sent between nodes: {study.value:g}, in the order of ranks {study.order_value:g}")
print(study.frames()["ranks"][["rank", "node"]])
hr.report(study, "out/placed")
