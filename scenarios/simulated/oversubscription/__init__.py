"""Two jobs on the same cores: the hidden law of oversubscription, and campaigns that measure it.

Who predicts or decides sees campaigns only; the law is for scoring.
"""
