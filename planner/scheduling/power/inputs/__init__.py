"""From a scenario to the problems that policies solve.

Here belong job logs, the job details table and the truth behind it. What a policy decides does
not.
"""
