"""How well aggregation patterns are chosen on the simulated node, and why not better."""
