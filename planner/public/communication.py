"""Communication of MPI ranks: cost functions, times of messages, and rank files."""

from planner.placement.costs import PairCosts, by_bytes, by_messages, paper, signed
from planner.placement.launching import Launch, launch
from planner.placement.layout import Core, Layout, laid_out
from planner.placement.message_times import PairTimes, pair_times
from planner.placement.rank_files import write_rank_file
from scenarios.communication.matrix import Communication
from scenarios.communication.ping_pong import PingPong, bundled_ping_pong, read_ping_pong

__all__ = [
    "Communication",
    "Core",
    "Launch",
    "Layout",
    "PairCosts",
    "PairTimes",
    "PingPong",
    "bundled_ping_pong",
    "by_bytes",
    "by_messages",
    "laid_out",
    "launch",
    "pair_times",
    "paper",
    "read_ping_pong",
    "signed",
    "write_rank_file",
]
