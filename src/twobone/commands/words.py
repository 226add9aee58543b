"""What several commands share: the option `--quiet`, and completion of option values."""

import rich_click as click
from click.shell_completion import CompletionItem

# The value stays as it is, and nothing about the file is checked: the command opens it.
FILE = click.Path(readable=False)  # shells complete the names of files

quiet = click.option(
    "--quiet", "-q", is_flag=True, help="Show no progress and no notes; errors are still shown."
)


def words(*known):
    """Return a completion function for an option with known values."""
    return words_from(lambda: known)


def words_from(names):
    """Return a completion function for an option whose values `names()` returns."""
    return lambda context, option, start: [word for word in names() if word.startswith(start)]


def words_or_files(*known):
    """Return a completion function for an option with known values that may also be a file."""
    complete = words(*known)
    return lambda context, option, start: (
        complete(context, option, start) or [CompletionItem(start, type="file")]
    )


def creatures():
    """Return the names of all animals."""
    from twobone.creature import ANIMALS  # imported late: other commands do not need it

    return list(ANIMALS)


def gaits():
    """Return the names of all gaits."""
    from twobone.creature import GAITS

    return list(GAITS)
