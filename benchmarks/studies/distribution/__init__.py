"""Watts among sockets: the distribution of a node's power, studied without a command."""
