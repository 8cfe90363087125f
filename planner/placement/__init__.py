"""Which tasks share a node: costs of parting pairs of tasks, and files for launchers."""
