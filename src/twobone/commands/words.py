"""What several commands share: the option `--quiet`, and completion of option values."""

from typing import Annotated

import typer

Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="Show no progress and no notes; errors are still shown."),
]


def words(*known):
    """Return an autocompletion function for an option with known values."""
    return lambda: list(known)


def creatures():
    """Return the names of all animals."""
    from twobone.creature import ANIMALS  # imported late: other commands do not need it

    return list(ANIMALS)


def gaits():
    """Return the names of all gaits."""
    from twobone.creature import GAITS

    return list(GAITS)
