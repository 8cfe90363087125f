"""What shared nodes gain on a job log: throughput, waits, and jobs that are slowed too much."""
