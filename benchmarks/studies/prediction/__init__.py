"""Models of run time and power against each other, on simulated and on measured applications."""
