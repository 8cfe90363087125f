"""Chapter 5 of the overprovisioning thesis, on the simulated cluster: which findings return."""
