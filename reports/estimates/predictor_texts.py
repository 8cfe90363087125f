"""What each predictor predicts, and what becomes of a job that exceeds its prediction."""

from __future__ import annotations

MEANINGS = {
    "requested": "the requested time.",
    "last-two": "mean run time of the user's last two ended jobs, at most the request.",
    "quantile": "request times a share that 95 % of the last similar jobs did not exceed.",
    "refining": "an oracle that knows the run time, as a reference; its error falls with each "
    "ended job of the same user and size.",
}
"""By the name of the predictor; a user's own has none."""

STRATEGY = {
    "extend": "Extended: a job that exceeds its prediction goes on; its estimate grows in steps.",
    "request": "Killed, request: the job ends at its prediction, loses its work, and queues again "
    "with its request. Its queue time lasts until the start of the run that is not killed.",
    "double": "Killed, doubled: likewise, with twice the estimate, at most the request.",
}
"""By the strategy, in the order in which they are explained."""
