"""Numbers and names of configurations as people read them."""

from __future__ import annotations

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.gains import ConfigurationGain
from planner.configurations.study import ConfigurationStudy
from planner.formatting import DASH, clipped, percent, plural, run_times, seconds_alike, words
from reports.numbers import fixed, typed

MOST_APPLICATIONS = 12
"""This many applications have figures; the workbook has all."""
_LONGEST_NAME = 40
_MOST_SECONDS = 7200


def answers(study: ConfigurationStudy) -> tuple[ConfigurationAnswer, ...]:
    """Return the answers that the report shows one by one."""
    return study.answers[:MOST_APPLICATIONS]


def leading(study: ConfigurationStudy) -> tuple[ConfigurationAnswer, ...]:
    """Return the answers that the report shows one by one, those that gain most ahead."""

    def gained(answer: ConfigurationAnswer) -> float:
        gain = answer.gain_over(answer.packed_max)
        return 0.0 if gain is None else gain.speedup

    return tuple(sorted(answers(study), key=gained, reverse=True))


def titled(answer: ConfigurationAnswer, finding: str) -> str:
    """The finding of a figure, which says so where it is a prediction."""
    if not answer.of_model:
        return finding
    partly = answer.predictions < len(answer.table)
    return f"{'Partly predicted' if partly else 'Predicted'}, not measured: {finding}"


def application_names(study: ConfigurationStudy) -> list[str]:
    """Applications that models were tried on and that the report shows."""
    names = study.prediction
    return [] if names is None else list(names.applications)[:MOST_APPLICATIONS]


def prediction_left_out(study: ConfigurationStudy) -> str:
    """Name the applications that the pages on models leave out; empty if there are none."""
    prediction = study.prediction
    if prediction is None:
        return ""
    parts = []
    more = len(prediction.applications) - MOST_APPLICATIONS
    if more > 0:
        parts.append(f"{plural(more, 'further application')}: see configure.xlsx.")
    small = [a.application for a in study.answers if a.application not in prediction.applications]
    if small:
        parts.append(f"Too few configurations to train and test a model: {listed(small, 8)}.")
    return " ".join(parts)


def left_out(study: ConfigurationStudy) -> str:
    """State how many applications the report leaves out; empty if none."""
    more = len(study.answers) - MOST_APPLICATIONS
    if more <= 0:
        return ""
    return f"{plural(more, 'further application')}: see configure.xlsx and configure.json."


def name(answer: ConfigurationAnswer, length: int = _LONGEST_NAME) -> str:
    """The application, short enough for a heading."""
    return clipped(answer.application, length)


def bound(value_w: float | None) -> str:
    """A given bound, as it was given."""
    return "no bound" if value_w is None else typed(value_w, "W")


def axis_unit(largest_w: float) -> tuple[str, float]:
    """Return the unit of an axis of power and its watts: megawatts where there are any.

    Examples
    --------
    >>> axis_unit(3_500.0), axis_unit(3.5e6)
    (('W', 1.0), ('MW', 1000000.0))
    """
    return ("MW", 1e6) if largest_w >= 1e6 else ("W", 1.0)


def faster(gain: ConfigurationGain | None) -> str:
    """The gain as a ratio of times: 1.20 times as fast."""
    return DASH if gain is None else f"{fixed(gain.speedup, 2)} x"


def less(gain: ConfigurationGain | None) -> str:
    """The same gain as a share of run time."""
    return DASH if gain is None else percent(gain.time_reduction)


def alike(*times_s: float) -> tuple[str, ...]:
    """Times of one configuration in a table, with equal digits; in hours above two hours."""
    return (run_times if max(times_s) > _MOST_SECONDS else seconds_alike)(*times_s)


def both(gain: ConfigurationGain, than: str = "") -> str:
    """The gain in both conventions that papers mix: a ratio of times, and a share of time."""
    ratio = f"{fixed(gain.speedup, 2)} times as fast" + (f" as {than}" if than else "")
    more = "more time" if gain.time_reduction < 0 else "of the time saved"
    return f"{ratio} ({percent(abs(gain.time_reduction))} {more})"


def listed(names: list[str], limit: int = 4) -> str:
    """Names in a sentence, the last for those that do not fit."""
    selected = [clipped(text, 28) for text in names[:limit]]
    more = len(names) - len(selected)
    return words([*selected, f"{more} more"] if more else selected)
