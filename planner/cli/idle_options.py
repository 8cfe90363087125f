"""Options that have no effect on what a command was given: refused, never ignored."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import click


def refuse_idle(given: Collection[str], kind: str, of: Mapping[str, Collection[str]]) -> None:
    """Refuse the first option, by name, that has no effect.

    Parameters
    ----------
    given
        The options that were given.
    kind
        What the command was given, as the message calls it.
    of
        The kinds on which each option has an effect; one that is not here has it on all.

    Raises
    ------
    click.UsageError
        An option would be ignored.
    """
    for name in sorted(given):
        kinds = of.get(name)
        if kinds is not None and kind not in kinds:
            raise click.UsageError(
                f"{name} has no effect here: it is for {' or '.join(sorted(kinds))}, and this is "
                f"{kind}; leave it out"
            )
