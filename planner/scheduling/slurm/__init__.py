"""Power-aware scheduling by an unmodified Slurm: watts are a licence, a script chooses.

Here: the files a site installs, the same decisions in Python, and the agent for Adaptive.
Not here: the simulation of power-aware policies, and caps on hardware (nobody here sets one).
"""
