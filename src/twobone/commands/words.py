"""What options share: words to complete, and `--quiet`."""

from typing import Annotated

import typer

Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="No progress and no notes; mistakes are still told."),
]


def words(*known):
    """Return what completes an option by some words."""
    return lambda: list(known)


def creatures():
    """Return the names of all animals."""
    from twobone.creature import ANIMALS  # its room is opened when a name is asked for

    return list(ANIMALS)
