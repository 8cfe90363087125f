"""Kill a site's program with SIGKILL at random moments, and look for lost and double bookings.

    python -m tests.planner.pricing.accounts.kills KILLS SEED FOLDER [broken]

The program begins jobs, logs, credits, ends, prices and books. What it is sure of it says through
a pipe: ``booked JOB AMOUNT`` after each transaction. After each kill everything it was sure of must
be in the file. The moments are drawn evenly over a time in which it makes several transactions.
``broken`` takes the transactions away, to show that the search finds what they prevent.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import sys
import time
from itertools import count
from pathlib import Path

import numpy as np

from planner.pricing.accounts import ledger
from planner.pricing.accounts.jobs import NewJob, end_lost
from planner.pricing.accounts.ledger import credit, open_account
from planner.pricing.accounts.log import MeasurementLog
from planner.pricing.accounts.pricer import settle
from planner.pricing.accounts.schema import LogSettings, create, opened
from planner.pricing.accounts.sums import OWN, JobSample
from planner.pricing.replay import replay

LONGEST_S = 0.1
USERS = ("ann", "bob", "eve")


def sample(rng: np.random.Generator) -> JobSample:
    cycles = np.full((3, 1), 1e6)
    ipc = rng.normal([[0.8], [1.0], [0.8]], 0.01)
    return JobSample(OWN, cycles * ipc, cycles, np.full(3, np.nan))


def work(path: Path, pipe: int, seed: int) -> None:
    """The program: it goes on where the last one was killed, and never ends by itself."""
    rng = np.random.default_rng(seed)
    connection = opened(path)
    say(pipe, connection, settle(connection))
    end_lost(connection)
    (first,) = connection.execute("SELECT count(*) FROM jobs").fetchone()
    log = MeasurementLog(connection)
    for index in count(first):
        user = USERS[index % len(USERS)]
        name = f"gift {index}"
        credit(connection, name, user, 5)
        os.write(pipe, f"credit {index}\n".encode())
        number = log.begin(NewJob(f"job {index}", user, 16, 10**6, "poppa", index))
        for step in range(3):
            log.add_sample(number, index + step, sample(rng))
            log.passed(index + 10**6 * (step + 1), [number, number])
        log.flush()
        log.end(number, index + 10**9)
        if index % 3 == 2:  # several jobs in one transaction
            say(pipe, connection, settle(connection))


def say(pipe: int, connection: sqlite3.Connection, booked: int) -> None:
    rows = connection.execute(
        "SELECT job, amount FROM bookings ORDER BY job DESC LIMIT ?", (booked,)
    )
    for job, amount in rows.fetchall():
        os.write(pipe, f"booked {job} {amount}\n".encode())


def killed(path: Path, seed: int, wait_s: float) -> list[str]:
    """Run the program, kill it, and return what it was sure of."""
    source, target = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(source)
        work(path, target, seed)
        os._exit(0)
    os.close(target)
    time.sleep(wait_s)
    os.kill(pid, signal.SIGKILL)
    with os.fdopen(source, "rb") as stream:
        text = stream.read().decode()
    os.waitpid(pid, 0)
    return text.split("\n")[:-1]


def main(kills: int, seed: int, folder: Path) -> dict[str, int]:
    rng = np.random.default_rng(seed)
    path = folder / "killed.db"
    connection = create(path, LogSettings(overdraft="start", raw=True))
    for user in USERS:
        open_account(connection, user)
    connection.close()
    sure: dict[int, int] = {}
    credits_sure: set[int] = set()
    found = {"kills": kills, "lost": 0, "changed": 0, "contradictions": 0}
    for number in range(kills):
        for line in killed(path, seed + number, float(rng.uniform(0, LONGEST_S))):
            what, *values = line.split()
            if what == "booked":
                sure[int(values[0])] = int(values[1])
            else:
                credits_sure.add(int(values[0]))
        connection = sqlite3.connect(path)
        booked = dict(connection.execute("SELECT job, amount FROM bookings"))
        named = {int(name.split()[1]) for (name,) in connection.execute("SELECT name FROM credits")}
        connection.close()
        found["lost"] += len(sure.keys() - booked.keys()) + len(credits_sure - named)
        found["changed"] += sum(booked.get(job, amount) != amount for job, amount in sure.items())
        if number % 50 == 49 or number == kills - 1:
            found["contradictions"] += len(replay(path).differences)
    connection = opened(path)
    settle(connection)
    end_lost(connection)
    settle(connection)
    connection.close()
    result = replay(path)
    found["contradictions"] += len(result.differences)
    found["unbooked"] = result.unbooked
    found["jobs"] = len(result.jobs)
    found["sure"] = len(sure)
    found["recovered"] = sum(job.booked is not None for job in result.jobs) - len(sure)
    return found


if __name__ == "__main__":
    if sys.argv[4:] == ["broken"]:
        setattr(ledger, "transaction", lambda _connection: contextlib.nullcontext())  # noqa: B010
    result = main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
    sys.stdout.write(json.dumps(result))
