"""Files that ``headroom simulate`` writes next to its report: schedules, the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from planner.cli.edges import refuse_unwritable_file
from planner.cli.files import identity, refuse_replaced, taken_by
from planner.errors import InputError

if TYPE_CHECKING:
    from planner.scheduling.simulation.study import SimulationStudy
    from scenarios.job_logs.job_log import JobLog


@dataclass(frozen=True)
class SimulationFiles:
    """The files that the options of ``headroom simulate`` request; ``None`` if not requested.

    Attributes
    ----------
    schedule
        With several policies, the name of each goes before the suffix of its file.
    log
        The log as it was simulated.
    demand
        The demand that a sizing finds, as input of a procurement.
    anonymous
        Whether the log is written without names, job numbers and dates.
    """

    schedule: Path | None
    log: Path | None
    demand: Path | None = None
    anonymous: bool = False

    def refuse(
        self,
        read: Mapping[str, str | None],
        policies: Sequence[str],
        inputs: Iterable[Path],
        out: str | None,
    ) -> None:
        """Ask before simulating whether all can be written, and none in the place of another.

        ``read`` are ``inputs`` that are called by a name; ``out`` is the folder of the report.

        Raises
        ------
        InputError
            A name or folder will not do, or a file is one that is read or written twice.
        """
        from planner.scheduling.simulation.schedule_file import opening_of, refuse_name
        from scenarios.job_logs.write_swf import OPENING

        if self.anonymous and self.log is None:
            raise InputError("--anonymous is for the log of --write-log; add that option")
        targets: list[tuple[str, Path]] = []
        if self.schedule:
            refuse_name(self.schedule)
            files = [of_policy(self.schedule, name, len(policies)) for name in policies]
            targets += [("--write-schedule", file) for file in files]
        for option, path in (("--write-log", self.log), ("--write-demand", self.demand)):
            if path:
                _refuse_folder(path, "the log" if path is self.log else "the demand")
                targets.append((option, path))
        named = {identity(Path(file)): name for name, file in read.items() if file is not None}
        refuse_replaced(targets, taken_by(inputs) | named, out)
        for option, path in targets:
            opening = OPENING if option == "--write-log" else opening_of(path)
            refuse_unwritable_file(path, opening)

    def write(self, study: SimulationStudy) -> None:
        """Write what was asked for.

        Raises
        ------
        InputError
            A file cannot be written, or the log has names that its format cannot hold.
        """
        from planner.scheduling.simulation.schedule_file import write_schedule

        if self.schedule:
            for simulation in study.simulations:
                schedule = simulation.schedule
                target = of_policy(self.schedule, schedule.policy, len(study.simulations))
                with _path_in_errors(target):
                    write_schedule(schedule, target)
        self.write_log(study.log)

    def write_log(self, log: JobLog) -> None:
        """Write the log as it was simulated, if that was asked for.

        Raises
        ------
        InputError
            As :meth:`write`.
        """
        from scenarios.job_logs.anonymous import anonymous
        from scenarios.job_logs.write_swf import write_swf

        if self.log:
            with _path_in_errors(self.log):
                write_swf(self.log, anonymous(log) if self.anonymous else log)


def of_policy(path: Path, name: str, policies: int) -> Path:
    """Return the file of a policy: of several each with its name before the suffix."""
    if policies < 2:
        return path
    stem, dot, suffix = path.name.partition(".")
    return path.with_name(f"{stem}-{name}{dot}{suffix}")


def _refuse_folder(path: Path, noun: str) -> None:
    if not path.parent.is_dir():
        raise InputError(f"{path.parent} is not a folder; create it, or choose another for {noun}")
    if path.is_dir():
        raise InputError(f"{path} is a folder; give a file for {noun}")


@contextmanager
def _path_in_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}; give another file") from None
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None
